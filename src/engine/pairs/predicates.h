/* SPDX-License-Identifier: MIT */
/* Predicates about a thread system: which ones are worth tracking, and where. */
#ifndef HD_ENGINE_PAIRS_PREDICATES_H
#define HD_ENGINE_PAIRS_PREDICATES_H

#include "engine/pairs/system.h"

/* One bit over OF_ALL and OF_FIRST; with `other`, also over OF_SECOND. */
typedef struct {
  pterm term;
  uint32_t kind;  /* of the thread; HD_NO_ID: only shared variables */
  uint32_t other; /* of the second thread; HD_NO_ID: none */
} ppredicate;
typedef hd_vec(ppredicate) ppredicates;

/* Levels 1 … PREDICATE_LEVELS: each knows more than the one before. */
enum { PREDICATE_LEVELS = 4 };
void hd_pairs_predicates_find(const psystem *system, int level,
                              ppredicates *out);

/* live[place * system->local.size + variable]: is the value needed? */
uint8_t *hd_pairs_system_live(const psystem *system);

#endif

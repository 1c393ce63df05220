/* SPDX-License-Identifier: MIT */
/* Thread-modular exploration: the least set T of pairs (shared state, local
 * state of a thread) that is closed under
 *   - the steps of each pair, which its user adds, and
 *   - the company of others: when a thread changes the shared state from s to
 *     s', whoever can be there in s can be there in s'.
 * It contains every pair that occurs with any number of threads. States are
 * numbers; what they are the user knows.
 *
 * A step may also change the others: wake those that wait for it, or take away
 * some. A link then has a label, and the user says what becomes of a local
 * state under it.
 *
 * Use: add the initial pairs; while there is a next pair, add what its steps
 * lead to and link the shared states. Every pair comes up once. */
#ifndef HD_MODEL_MODULAR_H
#define HD_MODEL_MODULAR_H

#include "base/vec.h"

typedef uint32_t hd_modular_state;

typedef struct {
  hd_modular_state shared, local;
} hd_modular_pair;

/* What a local state may become under a labelled link: up to two states;
 * HD_NO_ID where there is none. */
typedef struct {
  hd_modular_state first, second;
} hd_modular_image;

typedef hd_modular_image (*hd_modular_map)(void *context, uint32_t label,
                                           hd_modular_state local);

typedef struct hd_modular hd_modular;

/* `map` is asked for labels above 0 only. */
hd_modular *hd_modular_new(hd_modular_map map, void *context);
void hd_modular_delete(hd_modular *m);

void hd_modular_add(hd_modular *m, hd_modular_state shared,
                    hd_modular_state local);
/* From now on what is in T at `from` is, through the label, in T at `to`. Label
 * 0 changes nothing. */
void hd_modular_link(hd_modular *m, hd_modular_state from, hd_modular_state to,
                     uint32_t label);
/* The next pair whose steps are wanted; false when there is none. */
bool hd_modular_next(hd_modular *m, hd_modular_pair *pair);

size_t hd_modular_pairs(const hd_modular *m);
bool hd_modular_has(const hd_modular *m, hd_modular_state shared,
                    hd_modular_state local);

#endif

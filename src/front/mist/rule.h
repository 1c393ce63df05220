/* SPDX-License-Identifier: MIT */
/* From a mist rule to a transition of the counter model. Private to this
 * folder. */
#ifndef HD_FRONT_MIST_RULE_H
#define HD_FRONT_MIST_RULE_H

#include "base/diag.h"
#include "model/net.h"

/* A guard: min <= place <= max; max may be HD_OMEGA. */
typedef struct {
  hd_place_id place;
  hd_count min, max;
  hd_pos pos;
} mist_con;

typedef struct {
  hd_place_id place;
  hd_pos pos;
} mist_member;

/* place' = the sum of some members + constant. */
typedef struct {
  hd_place_id place;
  hd_pos pos;
  uint32_t first, n; /* into the rule's members */
  int64_t constant;
} mist_update;

/* As read; each place has at most one guard. */
typedef struct {
  hd_vec(mist_con) cons;
  hd_vec(mist_update) updates;
  hd_vec(mist_member) members;
  uint32_t line;
  const char *name; /* may be NULL */
} mist_rule;

/* What is known of a place within one rule. */
typedef struct {
  hd_count min, max;
  uint32_t update;   /* index + 1, or 0 */
  hd_place_id flows; /* where its tokens go, or HD_NOWHERE */
} mist_slot;

/* Adds the rule's transition to `net`. `slots` has one per place, all empty
 * (min 0, max HD_OMEGA, no update, flows HD_NOWHERE), and is left so. False
 * when errors were reported. */
bool hd_mist_add_rule(hd_net *net, const mist_rule *rule, mist_slot *slots,
                      const hd_source *source, hd_diag *diag);

#endif

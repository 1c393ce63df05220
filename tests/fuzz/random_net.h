/* SPDX-License-Identifier: MIT */
/* Random systems for differential testing: small enough for every engine, in
 * shapes that each stress something else. A model here is a plain mutable
 * record, so that it can be varied and minimised; hd_model_net makes the net
 * that engines run on. */
#ifndef HD_TESTS_FUZZ_RANDOM_NET_H
#define HD_TESTS_FUZZ_RANDOM_NET_H

#include "model/net.h"

typedef struct {
  uint64_t x;
} hd_dice;

/* 0 … sides - 1; sides > 0. The sequence depends on the start value only. */
uint32_t hd_dice_roll(hd_dice *dice, uint32_t sides);

typedef hd_vec(hd_move) hd_move_vec;

typedef struct {
  hd_shared_id from, to;
  hd_token_vec pre, post, caps;
  hd_move_vec moves;
} hd_model_trans;

typedef struct {
  hd_shared_id shared; /* or HD_ANY_SHARED */
  hd_token_vec need, caps;
} hd_model_target;

typedef struct {
  bool threads; /* printed as a thread system, as a net otherwise */
  uint32_t n_shared, n_places;
  hd_shared_id init_shared;
  hd_vec(hd_init) init; /* n_places */
  hd_vec(hd_model_trans) trans;
  hd_vec(hd_model_target) targets;
} hd_model;

void hd_model_free(hd_model *model);
hd_model hd_model_copy(const hd_model *model);
/* The net; the caller deletes it. */
hd_net *hd_model_net(const hd_model *model);

/* The shapes, by number and name. */
size_t hd_shape_count(void);
const char *hd_shape_name(size_t shape);
/* False when there is none of that name. */
HD_MUST_USE bool hd_shape_find(const char *name, size_t *shape);

/* The system of this shape and seed. */
hd_model hd_model_random(size_t shape, uint64_t seed);

/* ---- variants with the same verdict ---- */

/* Places and shared states renumbered, transitions in another order. */
hd_model hd_model_renamed(const hd_model *model, hd_dice *dice);
/* With states, places and transitions that are never reached or never fire. */
hd_model hd_model_with_junk(const hd_model *model, hd_dice *dice);

/* With one shared state: each shared state becomes a place that holds one token
 * while it is the current one. */
hd_model hd_model_folded(const hd_model *model);

/* ---- minimising ---- */

/* Makes the model smaller by one of many possible steps, numbered from 0; false,
 * with the model unchanged, when there is no step of this number. Steps drop
 * transitions, targets, moves and guards, lower counts, merge shared states and
 * drop places that nothing uses. */
HD_MUST_USE bool hd_model_shrink(hd_model *model, size_t step);

#endif

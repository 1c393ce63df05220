/* SPDX-License-Identifier: MIT */
/* All ways to hand out piles of equal tokens: each pile has a number of tokens
 * and some options, and every token of it goes to one of its options. Used for
 * moves with a choice: forward, the piles are the sources and the options their
 * destinations; backward it is the other way round. */
#ifndef HD_CHECK_WAYS_H
#define HD_CHECK_WAYS_H

#include "model/tokens.h"

/* A judge gives up (says no) where there are more ways than this. */
#define HD_WAYS_MAX ((uint32_t)1 << 20)

typedef struct {
  hd_count tokens;
  uint32_t first, size; /* into options and share */
} hd_pile;

typedef struct {
  hd_vec(hd_pile) piles;
  hd_u32s options; /* places */
  hd_u32s share;   /* how many tokens each option gets */
} hd_ways;

void hd_ways_clear(hd_ways *ways);
void hd_ways_free(hd_ways *ways);
/* Begins a new pile; the options that follow are its own. */
void hd_ways_add_pile(hd_ways *ways, hd_count tokens);
void hd_ways_add_option(hd_ways *ways, hd_place_id place);

/* The first way: every pile to its first option. Each pile has one. */
void hd_ways_start(hd_ways *ways);
/* The next way; false when all have been seen. */
bool hd_ways_next(hd_ways *ways);

#endif

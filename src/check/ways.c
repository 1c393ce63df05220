/* SPDX-License-Identifier: MIT */
#include "check/ways.h"

void hd_ways_clear(hd_ways *ways) {
  hd_vec_clear(&ways->piles);
  hd_vec_clear(&ways->options);
  hd_vec_clear(&ways->share);
}

void hd_ways_free(hd_ways *ways) {
  hd_vec_free(&ways->piles);
  hd_vec_free(&ways->options);
  hd_vec_free(&ways->share);
}

void hd_ways_add_pile(hd_ways *ways, hd_count tokens) {
  assert(tokens > 0 && tokens <= HD_COUNT_MAX);
  hd_pile pile = {.tokens = tokens, .first = (uint32_t)ways->options.size};
  hd_vec_push(&ways->piles, pile);
}

void hd_ways_add_option(hd_ways *ways, hd_place_id place) {
  hd_vec_push(&ways->options, place);
  hd_vec_push(&ways->share, 0);
  hd_vec_last(&ways->piles).size++;
}

static void restart(hd_ways *ways, const hd_pile *pile) {
  assert(pile->size > 0);
  for (uint32_t i = 0; i < pile->size; i++)
    ways->share.data[pile->first + i] = 0;
  ways->share.data[pile->first] = pile->tokens;
}

void hd_ways_start(hd_ways *ways) {
  for (hd_vec_each(const hd_pile, pile, &ways->piles))
    restart(ways, pile);
}

/* From (n, 0, …, 0) to (0, …, 0, n): the first option that has tokens gives one
 * to the next option and the rest back to the first. */
static bool next_share(hd_ways *ways, const hd_pile *pile) {
  uint32_t *share = ways->share.data + pile->first;
  uint32_t i = 0;
  while (i + 1 < pile->size && !share[i])
    i++;
  if (i + 1 == pile->size)
    return false;
  uint32_t rest = share[i] - 1;
  share[i] = 0;
  share[0] = rest;
  share[i + 1]++;
  return true;
}

bool hd_ways_next(hd_ways *ways) {
  for (hd_vec_each(const hd_pile, pile, &ways->piles)) {
    if (next_share(ways, pile))
      return true;
    restart(ways, pile);
  }
  return false;
}

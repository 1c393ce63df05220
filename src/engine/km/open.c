/* SPDX-License-Identifier: MIT */
/* Open systems: transitions become known when a token is where they take it. */
#include "engine/km/system.h"

#include "base/hash.h"

#define HD_MAP pair_map
#define HD_KEY uint64_t
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

struct hd_km_pairs {
  pair_map map; /* shared << 32 | place -> group * 2 + (1 if bad) */
};

void hd_km_pairs_delete(struct hd_km_pairs *pairs) {
  if (pairs)
    pair_map_free(&pairs->map);
  hd_free(pairs);
}

/* Doubled when they are used up, so that whatever is as large grows seldom. */
static void provide(uint32_t *provided, uint32_t *used, uint32_t number) {
  if (number >= *used)
    *used = number + 1;
  while (*provided < *used)
    *provided *= 2;
}

static void provide_place(hd_km_system *system, hd_place_id place) {
  provide(&system->n_places, &system->used_places, place);
}

void hd_km_system_open(hd_km_system *system, const hd_km_source *source,
                       hd_shared_id init_shared, hd_tokens init) {
  enum { FIRST = 64 };
  *system = (hd_km_system){.source = source,
                           .n_shared = FIRST,
                           .n_places = FIRST,
                           .init_shared = init_shared};
  system->pairs = hd_calloc(1, sizeof *system->pairs);
  provide(&system->n_shared, &system->used_shared, init_shared);
  for (size_t i = 0; i < init.size; i++) {
    provide_place(system, init.data[i].place);
    hd_vec_push(&system->init, init.data[i]);
  }
}

void hd_km_system_add(hd_km_system *system, hd_trans_id id, hd_shared_id from,
                      hd_place_id place, hd_shared_id to, hd_tokens post) {
  hd_token take = {.place = place, .count = 1};
  hd_tokens pre = {.data = &take, .size = 1};
  hd_km_trans trans = {.id = id, .from = from, .to = to};
  provide(&system->n_shared, &system->used_shared, to);
  for (size_t i = 0; i < post.size; i++)
    provide_place(system, post.data[i].place);
  trans.pre.start = (uint32_t)system->tokens.size;
  trans.pre.size = 1;
  hd_vec_push(&system->tokens, take);
  trans.change = hd_km_system_change(system, pre, post);
  hd_vec_push(&system->trans, trans);
}

/* Those that stay in the shared state first, as everywhere. */
static void sort_group(hd_km_system *system, hd_km_group *group) {
  hd_vec(hd_km_trans) moving = {0};
  uint32_t at = group->start;
  for (uint32_t t = group->start; t < group->end; t++) {
    hd_km_trans trans = system->trans.data[t];
    if (trans.from != trans.to)
      hd_vec_push(&moving, trans);
    else
      system->trans.data[at++] = trans;
  }
  group->moves = at;
  for (size_t i = 0; i < moving.size; i++)
    system->trans.data[at++] = moving.data[i];
  hd_vec_free(&moving);
}

static uint64_t pair_key(hd_shared_id shared, hd_place_id place) {
  return (uint64_t)shared << 32 | place;
}

bool hd_km_system_follow(hd_km_system *system, hd_shared_id shared,
                         hd_place_id place, bool *bad) {
  uint64_t key = pair_key(shared, place);
  const uint32_t *known = pair_map_find(&system->pairs->map, key);
  if (known) {
    *bad = *bad || *known & 1;
    return true;
  }
  bool mine = false;
  hd_km_group group = {.place = place, .start = (uint32_t)system->trans.size};
  if (!system->source->follow(system->source->context, system, shared, place,
                              &mine))
    return false;
  group.end = (uint32_t)system->trans.size;
  sort_group(system, &group);
  pair_map_put(&system->pairs->map, key,
               (uint32_t)system->groups.size * 2 + mine, NULL);
  hd_vec_push(&system->groups, group);
  *bad = *bad || mine;
  return true;
}

static const hd_km_group *search_group(const hd_km_system *system,
                                       hd_shared_id shared, hd_place_id place) {
  const hd_km_group *groups = system->groups.data;
  uint32_t low = system->group_start[shared];
  uint32_t high = system->group_start[shared + 1], end = high;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (groups[mid].place < place)
      low = mid + 1;
    else
      high = mid;
  }
  return low < end && groups[low].place == place ? &groups[low] : NULL;
}

const hd_km_group *hd_km_system_group(const hd_km_system *system,
                                      hd_shared_id shared, hd_place_id place) {
  if (!system->source)
    return search_group(system, shared, place);
  const uint32_t *known =
      pair_map_find(&system->pairs->map, pair_key(shared, place));
  return known ? &system->groups.data[*known / 2] : NULL;
}

/* SPDX-License-Identifier: MIT */
#include "engine/km/system.h"

#include "base/bitset.h"

#include <stdlib.h>

static void mark_shared(uint64_t *useful, hd_u32s *work, hd_shared_id s) {
  if (hd_bits_test(useful, s))
    return;
  hd_bits_set(useful, s);
  hd_vec_push(work, s);
}

/* Bits of the shared states from which a target's shared state can be reached
 * along any transitions; all of them when targets do not matter. */
static uint64_t *find_useful(const hd_net *net, bool targeted) {
  uint64_t *useful = hd_calloc(hd_bits_words(net->n_shared), sizeof *useful);
  hd_u32s work = {0};
  bool all = !targeted;
  for (size_t i = 0; i < net->targets.size; i++) {
    if (net->targets.data[i].shared == HD_ANY_SHARED)
      all = true;
    else
      mark_shared(useful, &work, net->targets.data[i].shared);
  }
  for (uint32_t s = 0; s < net->n_shared && all; s++)
    mark_shared(useful, &work, s);
  while (work.size) {
    uint32_t s = hd_vec_pop(&work);
    for (uint32_t i = net->to_start[s]; i < net->to_start[s + 1]; i++)
      mark_shared(useful, &work, net->trans.data[net->to_ids[i]].from);
  }
  hd_vec_free(&work);
  return useful;
}

/* The transitions that add to each place: ids[start[p]] … ids[start[p+1] - 1].
 * Only those that leave the shared state as it is. */
typedef struct {
  uint32_t *start, *ids;
} adders;

static bool adds(const hd_net *net, hd_trans_id t, hd_token post) {
  return net->trans.data[t].from == net->trans.data[t].to &&
         post.count > hd_tokens_at(hd_net_pre(net, t), post.place);
}

static adders find_adders(const hd_net *net) {
  adders a = {.start = hd_calloc((size_t)net->n_places + 2, sizeof *a.start)};
  uint32_t *fill = a.start + 1; /* shifted: filling moves it into place */
  size_t n = 0;
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_tokens post = hd_net_post(net, t);
    for (size_t i = 0; i < post.size; i++)
      if (adds(net, t, post.data[i])) {
        fill[post.data[i].place + 1]++;
        n++;
      }
  }
  for (uint32_t p = 0; p < net->n_places; p++)
    fill[p + 1] += fill[p];
  a.ids = hd_calloc(n, sizeof *a.ids);
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_tokens post = hd_net_post(net, t);
    for (size_t i = 0; i < post.size; i++)
      if (adds(net, t, post.data[i]))
        a.ids[fill[post.data[i].place]++] = t;
  }
  return a;
}

typedef struct {
  const hd_net *net;
  const uint64_t *useful;
  uint64_t *keep, *relevant;
  hd_u32s work; /* relevant places whose adders are not kept yet */
} slice_work;

static void mark_places(slice_work *slicer, hd_tokens need) {
  for (size_t i = 0; i < need.size; i++) {
    uint32_t p = need.data[i].place;
    if (!hd_bits_test(slicer->relevant, p)) {
      hd_bits_set(slicer->relevant, p);
      hd_vec_push(&slicer->work, p);
    }
  }
}

static void keep_trans(slice_work *slicer, hd_trans_id t) {
  if (hd_bits_test(slicer->keep, t) ||
      !hd_bits_test(slicer->useful, slicer->net->trans.data[t].to))
    return;
  hd_bits_set(slicer->keep, t);
  mark_places(slicer, hd_net_pre(slicer->net, t));
}

/* What can matter to the targets, as a least fixed point: the places they need;
 * the transitions that change the shared state (to a useful one) or add to a
 * place that matters; the places these need. Any other transition leads from a
 * configuration with omega in all other places to one below it. */
static void slice(slice_work *slicer, bool targeted) {
  const hd_net *net = slicer->net;
  for (uint32_t p = 0; p < net->n_places && !targeted; p++)
    mark_places(slicer, (hd_tokens){.data = &(hd_token){.place = p, .count = 1},
                                    .size = 1});
  for (size_t i = 0; i < net->targets.size; i++)
    mark_places(slicer, hd_net_view(net, net->targets.data[i].need));
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (net->trans.data[t].from != net->trans.data[t].to)
      keep_trans(slicer, t);
  adders add = find_adders(net);
  while (slicer->work.size) {
    uint32_t p = hd_vec_pop(&slicer->work);
    for (uint32_t i = add.start[p]; i < add.start[p + 1]; i++)
      keep_trans(slicer, add.ids[i]);
  }
  hd_free(add.start);
  hd_free(add.ids);
  hd_vec_free(&slicer->work);
}

static void number_places(hd_km_system *system, const uint64_t *relevant) {
  uint32_t n = system->net->n_places;
  system->old_place = hd_calloc(n, sizeof *system->old_place);
  system->new_place = hd_calloc(n, sizeof *system->new_place);
  for (uint32_t p = 0; p < n; p++) {
    system->new_place[p] = HD_KM_NONE;
    if (hd_bits_test(relevant, p)) {
      system->new_place[p] = system->n_places;
      system->old_place[system->n_places++] = p;
    }
  }
}

static void copy_init(hd_km_system *system) {
  system->init_shared = system->net->init_shared;
  for (uint32_t p = 0; p < system->n_places; p++) {
    hd_count max = system->net->init[system->old_place[p]].max;
    if (max)
      hd_vec_push(&system->init, ((hd_token){.place = p, .count = max}));
  }
}

/* The tokens of `v` on relevant places, renumbered (the order stays). */
static hd_range copy_tokens(hd_km_system *system, hd_tokens v) {
  hd_range r = {.start = (uint32_t)system->tokens.size};
  for (size_t i = 0; i < v.size; i++) {
    uint32_t p = system->new_place[v.data[i].place];
    if (p != HD_KM_NONE) {
      hd_token token = {.place = p, .count = v.data[i].count};
      hd_vec_push(&system->tokens, token);
    }
  }
  r.size = (uint32_t)system->tokens.size - r.start;
  return r;
}

static void add_change(hd_km_system *system, uint32_t place, int64_t change) {
  if (system->new_place)
    place = system->new_place[place];
  if (place == HD_KM_NONE || !change)
    return;
  hd_km_change c = {.place = place, .change = (int32_t)change};
  hd_vec_push(&system->changes, c);
}

/* post - pre, by merging the two. Counts are below 2^30, so it fits. */
hd_range hd_km_system_change(hd_km_system *system, hd_tokens pre,
                             hd_tokens post) {
  hd_range r = {.start = (uint32_t)system->changes.size};
  size_t i = 0, k = 0;
  while (i < pre.size || k < post.size) {
    uint32_t p = i < pre.size ? pre.data[i].place : HD_NOWHERE;
    uint32_t q = k < post.size ? post.data[k].place : HD_NOWHERE;
    int64_t take = p <= q ? pre.data[i++].count : 0;
    int64_t give = q <= p ? post.data[k++].count : 0;
    add_change(system, p < q ? p : q, give - take);
  }
  r.size = (uint32_t)system->changes.size - r.start;
  return r;
}

static void copy_transitions(hd_km_system *system, const uint64_t *keep) {
  const hd_net *net = system->net;
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    if (!hd_bits_test(keep, t))
      continue;
    hd_tokens pre = hd_net_pre(net, t);
    hd_km_trans trans = {
        .id = t, .from = net->trans.data[t].from, .to = net->trans.data[t].to};
    trans.pre = copy_tokens(system, pre);
    trans.change = hd_km_system_change(system, pre, hd_net_post(net, t));
    hd_vec_push(&system->trans, trans);
  }
}

/* For sorting: transitions with their keys. */
typedef struct {
  hd_km_trans trans;
  uint32_t key;
} keyed;

static int by_state(const void *a, const void *b) {
  const keyed *x = a, *y = b;
  if (x->trans.from != y->trans.from)
    return x->trans.from < y->trans.from ? -1 : 1;
  return (x->trans.id > y->trans.id) - (x->trans.id < y->trans.id);
}

static int by_key(const void *a, const void *b) {
  const keyed *x = a, *y = b;
  if (x->trans.from != y->trans.from)
    return x->trans.from < y->trans.from ? -1 : 1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  bool x_moves = x->trans.from != x->trans.to;
  bool y_moves = y->trans.from != y->trans.to;
  if (x_moves != y_moves)
    return y_moves ? -1 : 1;
  return (x->trans.id > y->trans.id) - (x->trans.id < y->trans.id);
}

/* Gives the transitions list[0..n), all of one shared state, their keys.
 * `uses` has a zero for each place, and again afterwards. */
static void choose_keys(const hd_km_system *system, keyed *list, size_t n,
                        uint32_t *uses) {
  for (size_t i = 0; i < n; i++) {
    hd_tokens pre = hd_km_system_view(system, list[i].trans.pre);
    for (size_t k = 0; k < pre.size; k++)
      uses[pre.data[k].place]++;
  }
  for (size_t i = 0; i < n; i++) {
    hd_tokens pre = hd_km_system_view(system, list[i].trans.pre);
    list[i].key = HD_KM_NONE;
    for (size_t k = 0; k < pre.size; k++)
      if (list[i].key == HD_KM_NONE ||
          uses[pre.data[k].place] < uses[list[i].key])
        list[i].key = pre.data[k].place;
  }
  for (size_t i = 0; i < n; i++) {
    hd_tokens pre = hd_km_system_view(system, list[i].trans.pre);
    for (size_t k = 0; k < pre.size; k++)
      uses[pre.data[k].place] = 0;
  }
}

static bool same_change(const hd_km_system *system, hd_range a, hd_range b) {
  if (a.size != b.size)
    return false;
  for (uint32_t i = 0; i < a.size; i++) {
    hd_km_change x = system->changes.data[a.start + i];
    hd_km_change y = system->changes.data[b.start + i];
    if (x.place != y.place || x.change != y.change)
      return false;
  }
  return true;
}

static bool same_trans(const hd_km_system *system, const hd_km_trans *a,
                       const hd_km_trans *b) {
  return a->to == b->to &&
         hd_tokens_equal(hd_km_system_view(system, a->pre),
                         hd_km_system_view(system, b->pre)) &&
         same_change(system, a->change, b->change);
}

/* True when the group that starts at `start` has a transition like `trans`
 * among its last ones. A bound keeps it linear; missing one costs little. */
static bool known(const hd_km_system *system, size_t start,
                  const hd_km_trans *trans) {
  enum { LOOK_BACK = 64 };
  size_t n = system->trans.size;
  if (n - start > LOOK_BACK)
    start = n - LOOK_BACK;
  for (size_t i = start; i < n; i++)
    if (same_trans(system, &system->trans.data[i], trans))
      return true;
  return false;
}

/* Puts the sorted list back into system->trans, group by group. */
static void make_groups(hd_km_system *system, const keyed *list, size_t n) {
  hd_vec_clear(&system->trans);
  size_t i = 0;
  for (uint32_t s = 0; s < system->n_shared; s++) {
    system->group_start[s] = (uint32_t)system->groups.size;
    while (i < n && list[i].trans.from == s) {
      hd_km_group group = {.place = list[i].key,
                           .start = (uint32_t)system->trans.size};
      for (; i < n && list[i].trans.from == s && list[i].key == group.place;
           i++)
        if (!known(system, group.start, &list[i].trans))
          hd_vec_push(&system->trans, list[i].trans);
      group.end = group.moves = (uint32_t)system->trans.size;
      while (group.moves > group.start &&
             system->trans.data[group.moves - 1].to != s)
        group.moves--;
      hd_vec_push(&system->groups, group);
    }
  }
  system->group_start[system->n_shared] = (uint32_t)system->groups.size;
  assert(i == n);
}

static void sort_transitions(hd_km_system *system) {
  size_t n = system->trans.size;
  keyed *list = hd_calloc(n, sizeof *list);
  for (size_t i = 0; i < n; i++)
    list[i].trans = system->trans.data[i];
  if (n)
    qsort(list, n, sizeof *list, by_state);
  uint32_t *uses = hd_calloc(system->n_places, sizeof *uses);
  for (size_t start = 0, end; start < n; start = end) {
    end = start;
    while (end < n && list[end].trans.from == list[start].trans.from)
      end++;
    choose_keys(system, list + start, end - start, uses);
  }
  hd_free(uses);
  if (n)
    qsort(list, n, sizeof *list, by_key);
  make_groups(system, list, n);
  hd_free(list);
}

/* Goals by shared state, those of HD_ANY_SHARED behind all others. */
static void copy_goals(hd_km_system *system) {
  const hd_net *net = system->net;
  uint32_t any = system->n_shared, *start = system->goal_start;
  size_t n = system->targeted ? net->targets.size : 0;
  for (size_t i = 0; i < n; i++) {
    hd_shared_id at = net->targets.data[i].shared;
    start[(at == HD_ANY_SHARED ? any : at) + 1]++;
  }
  for (uint32_t s = 0; s <= any; s++)
    start[s + 1] += start[s];
  hd_vec_resize(&system->goals, n);
  uint32_t *fill = hd_calloc((size_t)any + 1, sizeof *fill);
  for (size_t i = 0; i < n; i++) {
    hd_shared_id at = net->targets.data[i].shared;
    uint32_t s = at == HD_ANY_SHARED ? any : at;
    hd_tokens need = hd_net_view(net, net->targets.data[i].need);
    system->goals.data[start[s] + fill[s]++] =
        (hd_km_goal){.need = copy_tokens(system, need), .id = (uint32_t)i};
  }
  hd_free(fill);
}

void hd_km_system_init(hd_km_system *system, const hd_net *net, bool targeted) {
  assert(!(net->features & (HD_HAS_MOVES | HD_HAS_CAPS)));
  *system = (hd_km_system){
      .net = net, .targeted = targeted, .n_shared = net->n_shared};
  system->group_start =
      hd_calloc((size_t)net->n_shared + 1, sizeof *system->group_start);
  system->goal_start =
      hd_calloc((size_t)net->n_shared + 2, sizeof *system->goal_start);
  uint64_t *useful = find_useful(net, targeted);
  slice_work slicer = {
      .net = net,
      .useful = useful,
      .keep = hd_calloc(hd_bits_words(net->trans.size), sizeof(uint64_t)),
      .relevant = hd_calloc(hd_bits_words(net->n_places), sizeof(uint64_t))};
  slice(&slicer, targeted);
  number_places(system, slicer.relevant);
  copy_init(system);
  copy_transitions(system, slicer.keep);
  sort_transitions(system);
  copy_goals(system);
  hd_free(useful);
  hd_free(slicer.keep);
  hd_free(slicer.relevant);
}

void hd_km_system_free(hd_km_system *system) {
  hd_km_pairs_delete(system->pairs);
  hd_vec_free(&system->init);
  hd_free(system->old_place);
  hd_free(system->new_place);
  hd_free(system->group_start);
  hd_free(system->goal_start);
  hd_vec_free(&system->trans);
  hd_vec_free(&system->groups);
  hd_vec_free(&system->goals);
  hd_vec_free(&system->tokens);
  hd_vec_free(&system->changes);
}

/* SPDX-License-Identifier: MIT */
#include "model/net.h"

#include <stdlib.h>
#include <string.h>

hd_net *hd_net_new(hd_format format, const char *file, uint32_t n_shared,
                   uint32_t n_places) {
  assert(n_shared <= HD_MAX_STATES && n_places <= HD_MAX_STATES);
  hd_net *net = hd_calloc(1, sizeof *net);
  hd_arena_init(&net->arena);
  net->format = format;
  net->file = hd_arena_strndup(&net->arena, file, strlen(file));
  net->n_shared = n_shared;
  net->n_places = net->place_cap = n_places;
  net->init = hd_calloc(n_places, sizeof *net->init);
  return net;
}

static void drop_indices(hd_net *net) {
  hd_free(net->from_start);
  hd_free(net->from_ids);
  hd_free(net->to_start);
  hd_free(net->to_ids);
  net->from_start = net->from_ids = net->to_start = net->to_ids = NULL;
}

void hd_net_delete(hd_net *net) {
  if (!net)
    return;
  drop_indices(net);
  hd_vec_free(&net->trans);
  hd_vec_free(&net->targets);
  hd_vec_free(&net->tokens);
  hd_vec_free(&net->moves);
  hd_free(net->init);
  hd_free(net->place_names);
  hd_free(net->shared_names);
  hd_arena_free(&net->arena);
  hd_free(net);
}

static const char *number_name(hd_net *net, uint32_t n) {
  char text[16];
  int length = 0;
  do
    text[sizeof text - 1 - (size_t)length++] = (char)('0' + n % 10);
  while (n /= 10);
  return hd_arena_strndup(&net->arena, text + sizeof text - length,
                          (size_t)length);
}

static const char **number_names(hd_net *net, uint32_t n) {
  const char **names = hd_calloc(n, sizeof *names);
  for (uint32_t i = 0; i < n; i++)
    names[i] = number_name(net, i);
  return names;
}

hd_place_id hd_net_add_place(hd_net *net, const char *name, size_t length) {
  uint32_t p = net->n_places;
  assert(p < HD_MAX_STATES);
  if (!net->place_names)
    net->place_names = number_names(net, p);
  if (p == net->place_cap) {
    size_t cap = p ? 2 * (size_t)p : 8;
    net->place_cap = (uint32_t)cap;
    net->init = hd_realloc(net->init, cap * sizeof *net->init);
    net->place_names =
        hd_realloc(net->place_names, cap * sizeof *net->place_names);
  }
  net->init[p] = (hd_init){0};
  net->place_names[p] = hd_arena_strndup(&net->arena, name, length);
  net->n_places++;
  return p;
}

void hd_net_name_place(hd_net *net, hd_place_id place, const char *name) {
  assert(place < net->n_places);
  if (!net->place_names)
    net->place_names = number_names(net, net->n_places);
  net->place_names[place] = hd_arena_strndup(&net->arena, name, strlen(name));
}

void hd_net_name_shared(hd_net *net, hd_shared_id shared, const char *name) {
  assert(shared < net->n_shared);
  if (!net->shared_names)
    net->shared_names = number_names(net, net->n_shared);
  net->shared_names[shared] = hd_arena_strndup(&net->arena, name, strlen(name));
}

static int by_place(const void *a, const void *b) {
  hd_place_id p = ((const hd_token *)a)->place;
  hd_place_id q = ((const hd_token *)b)->place;
  return (p > q) - (p < q);
}

/* Copies `v` into the pool, sorted, entries of one place added up. */
static bool pool_tokens(hd_net *net, hd_tokens v, hd_range *range) {
  hd_token_vec copy = {0};
  for (size_t i = 0; i < v.size; i++) {
    assert(v.data[i].place < net->n_places);
    hd_vec_push(&copy, v.data[i]);
  }
  bool fits = hd_token_vec_normalise(&copy);
  for (size_t i = 0; i < copy.size; i++)
    fits = fits && copy.data[i].count != HD_OMEGA;
  if (fits) {
    *range = (hd_range){.start = (uint32_t)net->tokens.size,
                        .size = (uint32_t)copy.size};
    for (size_t i = 0; i < copy.size; i++)
      hd_vec_push(&net->tokens, copy.data[i]);
  }
  hd_vec_free(&copy);
  return fits;
}

/* Caps keep zero counts, and the lowest of several caps on a place holds. */
static hd_range pool_caps(hd_net *net, hd_tokens caps) {
  size_t start = net->tokens.size;
  for (size_t i = 0; i < caps.size; i++) {
    assert(caps.data[i].place < net->n_places);
    hd_vec_push(&net->tokens, caps.data[i]);
  }
  if (!caps.size)
    return (hd_range){0};
  hd_token *mine = net->tokens.data + start;
  if (caps.size > 1)
    qsort(mine, caps.size, sizeof *mine, by_place);
  size_t kept = 0;
  for (size_t i = 0; i < caps.size; i++)
    if (kept && mine[kept - 1].place == mine[i].place) {
      if (mine[i].count < mine[kept - 1].count)
        mine[kept - 1].count = mine[i].count;
    } else {
      mine[kept++] = mine[i];
    }
  net->tokens.size = start + kept;
  return (hd_range){.start = (uint32_t)start, .size = (uint32_t)kept};
}

static int by_move(const void *a, const void *b) {
  const hd_move *m = a, *n = b;
  if (m->from != n->from)
    return m->from < n->from ? -1 : 1;
  return (m->to > n->to) - (m->to < n->to);
}

static hd_range pool_moves(hd_net *net, const hd_move *moves, size_t n) {
  size_t start = net->moves.size;
  for (size_t i = 0; i < n; i++)
    hd_vec_push(&net->moves, moves[i]);
  if (!n)
    return (hd_range){0};
  hd_move *mine = net->moves.data + start;
  if (n > 1)
    qsort(mine, n, sizeof *mine, by_move);
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!kept || by_move(&mine[kept - 1], &mine[i]) != 0)
      mine[kept++] = mine[i];
  net->moves.size = start + kept;
  return (hd_range){.start = (uint32_t)start, .size = (uint32_t)kept};
}

bool hd_net_add_trans(hd_net *net, const hd_trans_spec *spec) {
  assert(spec->from < net->n_shared && spec->to < net->n_shared);
  assert(net->trans.size < HD_MAX_STATES);
  hd_trans t = {.from = spec->from, .to = spec->to, .line = spec->line};
  size_t mark = net->tokens.size;
  if (!pool_tokens(net, spec->pre, &t.pre) ||
      !pool_tokens(net, spec->post, &t.post)) {
    net->tokens.size = mark;
    return false;
  }
  t.caps = pool_caps(net, spec->caps);
  t.moves = pool_moves(net, spec->moves, spec->n_moves);
  if (spec->name)
    t.name = hd_arena_strndup(&net->arena, spec->name, strlen(spec->name));
  hd_vec_push(&net->trans, t);
  return true;
}

bool hd_net_add_target(hd_net *net, hd_shared_id shared, hd_tokens need,
                       hd_tokens caps, uint32_t line) {
  assert(shared == HD_ANY_SHARED || shared < net->n_shared);
  hd_target target = {.shared = shared, .line = line};
  if (!pool_tokens(net, need, &target.need))
    return false;
  target.caps = pool_caps(net, caps);
  hd_vec_push(&net->targets, target);
  return true;
}

void hd_net_clear_targets(hd_net *net) {
  hd_vec_clear(&net->targets);
}

/* Counting sort of the transition ids by `from` or `to`. */
static void group(const hd_net *net, bool from, uint32_t **start_out,
                  uint32_t **ids_out) {
  uint32_t n = (uint32_t)net->trans.size;
  uint32_t *start = hd_calloc((size_t)net->n_shared + 1, sizeof *start);
  uint32_t *ids = hd_calloc(n, sizeof *ids);
  for (uint32_t t = 0; t < n; t++) {
    const hd_trans *tr = &net->trans.data[t];
    start[(from ? tr->from : tr->to) + 1]++;
  }
  for (uint32_t s = 0; s < net->n_shared; s++)
    start[s + 1] += start[s];
  uint32_t *next = hd_alloc(((size_t)net->n_shared + 1) * sizeof *next);
  memcpy(next, start, ((size_t)net->n_shared + 1) * sizeof *next);
  for (uint32_t t = 0; t < n; t++) {
    const hd_trans *tr = &net->trans.data[t];
    ids[next[from ? tr->from : tr->to]++] = t;
  }
  hd_free(next);
  *start_out = start;
  *ids_out = ids;
}

static unsigned trans_features(const hd_net *net, const hd_trans *t) {
  unsigned set = 0;
  for (uint32_t i = 0; i < t->moves.size; i++) {
    const hd_move *moves = net->moves.data + t->moves.start;
    set |= HD_HAS_MOVES;
    if (moves[i].to == HD_NOWHERE)
      set |= HD_HAS_RESETS;
    if (i && moves[i].from == moves[i - 1].from)
      set |= HD_HAS_CHOICE;
  }
  if (t->caps.size)
    set |= HD_HAS_CAPS;
  if (t->pre.size > 1 || t->post.size > 1 ||
      hd_tokens_total(hd_net_view(net, t->pre)) > 1 ||
      hd_tokens_total(hd_net_view(net, t->post)) > 1)
    set |= HD_HAS_WEIGHTS;
  return set;
}

void hd_net_finish(hd_net *net) {
  drop_indices(net);
  group(net, true, &net->from_start, &net->from_ids);
  group(net, false, &net->to_start, &net->to_ids);
  net->features = 0;
  for (hd_vec_each(hd_trans, t, &net->trans))
    net->features |= trans_features(net, t);
  for (hd_vec_each(hd_target, target, &net->targets))
    if (target->caps.size)
      net->features |= HD_HAS_TARGET_CAPS;
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->init[p].max == HD_OMEGA)
      net->features |= HD_HAS_UNBOUNDED;
#ifndef NDEBUG
  hd_net_check(net);
#endif
}

static void check_tokens(const hd_net *net, hd_range range, bool zero_allowed) {
  assert((size_t)range.start + range.size <= net->tokens.size);
  hd_tokens v = hd_net_view(net, range);
  for (size_t i = 0; i < v.size; i++) {
    assert(v.data[i].place < net->n_places);
    assert(zero_allowed || v.data[i].count > 0);
    assert(v.data[i].count <= HD_COUNT_MAX);
    assert(!i || v.data[i - 1].place < v.data[i].place);
  }
  (void)v;
  (void)zero_allowed;
}

void hd_net_check(const hd_net *net) {
  assert(net->n_shared > 0 && net->init_shared < net->n_shared);
  for (hd_vec_each(const hd_trans, t, &net->trans)) {
    assert(t->from < net->n_shared && t->to < net->n_shared);
    check_tokens(net, t->pre, false);
    check_tokens(net, t->post, false);
    check_tokens(net, t->caps, true);
    assert((size_t)t->moves.start + t->moves.size <= net->moves.size);
    for (uint32_t i = 0; i < t->moves.size; i++) {
      const hd_move *m = &net->moves.data[t->moves.start + i];
      assert(m->from < net->n_places);
      assert(m->to < net->n_places || m->to == HD_NOWHERE);
      (void)m;
    }
  }
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    assert(target->shared < net->n_shared || target->shared == HD_ANY_SHARED);
    check_tokens(net, target->need, false);
    check_tokens(net, target->caps, true);
  }
  for (uint32_t p = 0; p < net->n_places; p++) {
    assert(net->init[p].min <= net->init[p].max);
    assert(net->init[p].min <= HD_COUNT_MAX);
    assert(net->init[p].max <= HD_COUNT_MAX || net->init[p].max == HD_OMEGA);
  }
}

static const char **copy_names(hd_net *into, const char *const *names,
                               uint32_t n) {
  if (!names)
    return NULL;
  const char **copy = hd_calloc(n, sizeof *copy);
  for (uint32_t i = 0; i < n; i++)
    copy[i] = hd_arena_strndup(&into->arena, names[i], strlen(names[i]));
  return copy;
}

static hd_range copy_range(hd_net *into, const hd_net *from, hd_range range) {
  hd_range copy = {.start = (uint32_t)into->tokens.size, .size = range.size};
  for (uint32_t i = 0; i < range.size; i++)
    hd_vec_push(&into->tokens, from->tokens.data[range.start + i]);
  return copy;
}

hd_net *hd_net_restrict(const hd_net *net, const hd_trans_id *keep, size_t n) {
  hd_net *copy =
      hd_net_new(net->format, net->file, net->n_shared, net->n_places);
  copy->place_names = copy_names(copy, net->place_names, net->n_places);
  copy->shared_names = copy_names(copy, net->shared_names, net->n_shared);
  copy->init_shared = net->init_shared;
  if (net->n_places)
    memcpy(copy->init, net->init, net->n_places * sizeof *net->init);
  for (size_t k = 0; k < n; k++) {
    assert(keep[k] < net->trans.size && (!k || keep[k - 1] < keep[k]));
    hd_trans t = net->trans.data[keep[k]];
    t.pre = copy_range(copy, net, t.pre);
    t.post = copy_range(copy, net, t.post);
    t.caps = copy_range(copy, net, t.caps);
    t.moves = pool_moves(copy, hd_net_moves(net, keep[k]), t.moves.size);
    if (t.name)
      t.name = hd_arena_strndup(&copy->arena, t.name, strlen(t.name));
    hd_vec_push(&copy->trans, t);
  }
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    hd_target mine = *target;
    mine.need = copy_range(copy, net, mine.need);
    mine.caps = copy_range(copy, net, mine.caps);
    hd_vec_push(&copy->targets, mine);
  }
  hd_net_finish(copy);
  return copy;
}

bool hd_net_below_init(const hd_net *net, hd_shared_id shared,
                       hd_tokens tokens) {
  if (shared != net->init_shared)
    return false;
  for (size_t i = 0; i < tokens.size; i++)
    if (tokens.data[i].count > net->init[tokens.data[i].place].max)
      return false;
  return true;
}

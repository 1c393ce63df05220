/* SPDX-License-Identifier: MIT */
#include "random_net.h"

#include <string.h>

uint32_t hd_dice_roll(hd_dice *dice, uint32_t sides) {
  assert(sides);
  dice->x += 0x9E3779B97F4A7C15u;
  uint64_t z = dice->x;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)((z ^ z >> 31) % sides);
}

static uint32_t between(hd_dice *d, uint32_t low, uint32_t high) {
  return low + hd_dice_roll(d, high - low + 1);
}

/* A size: now and then up to twice as much. */
static uint32_t size_of(hd_dice *d, uint32_t low, uint32_t high) {
  return hd_dice_roll(d, 4) ? between(d, low, high)
                            : between(d, high, 2 * high);
}

/* One time in `n`. */
static bool one_in(hd_dice *d, uint32_t n) {
  return hd_dice_roll(d, n) == 0;
}

/* ---- models ---- */

static void free_trans(hd_model_trans *t) {
  hd_vec_free(&t->pre);
  hd_vec_free(&t->post);
  hd_vec_free(&t->caps);
  hd_vec_free(&t->moves);
}

static void free_target(hd_model_target *t) {
  hd_vec_free(&t->need);
  hd_vec_free(&t->caps);
}

void hd_model_free(hd_model *model) {
  for (hd_vec_each(hd_model_trans, t, &model->trans))
    free_trans(t);
  for (hd_vec_each(hd_model_target, t, &model->targets))
    free_target(t);
  hd_vec_free(&model->init);
  hd_vec_free(&model->trans);
  hd_vec_free(&model->targets);
}

static hd_token_vec copy_tokens(const hd_token_vec *from) {
  hd_token_vec to = {0};
  for (size_t i = 0; i < from->size; i++)
    hd_vec_push(&to, from->data[i]);
  return to;
}

static hd_model_trans copy_trans(const hd_model_trans *from) {
  hd_model_trans to = {.from = from->from,
                       .to = from->to,
                       .pre = copy_tokens(&from->pre),
                       .post = copy_tokens(&from->post),
                       .caps = copy_tokens(&from->caps)};
  for (size_t i = 0; i < from->moves.size; i++)
    hd_vec_push(&to.moves, from->moves.data[i]);
  return to;
}

static hd_model_target copy_target(const hd_model_target *from) {
  return (hd_model_target){.shared = from->shared,
                           .need = copy_tokens(&from->need),
                           .caps = copy_tokens(&from->caps)};
}

hd_model hd_model_copy(const hd_model *model) {
  hd_model copy = {.threads = model->threads,
                   .n_shared = model->n_shared,
                   .n_places = model->n_places,
                   .init_shared = model->init_shared};
  for (size_t i = 0; i < model->init.size; i++)
    hd_vec_push(&copy.init, model->init.data[i]);
  for (hd_vec_each(const hd_model_trans, t, &model->trans))
    hd_vec_push(&copy.trans, copy_trans(t));
  for (hd_vec_each(const hd_model_target, t, &model->targets))
    hd_vec_push(&copy.targets, copy_target(t));
  return copy;
}

hd_net *hd_model_net(const hd_model *model) {
  hd_net *net = hd_net_new(model->threads ? HD_FORMAT_TTS : HD_FORMAT_MIST,
                           "random", model->n_shared, model->n_places);
  net->init_shared = model->init_shared;
  for (size_t p = 0; p < model->n_places; p++)
    net->init[p] = model->init.data[p];
  bool fits = true;
  for (hd_vec_each(const hd_model_trans, t, &model->trans)) {
    hd_trans_spec spec = {.from = t->from,
                          .to = t->to,
                          .pre = hd_token_vec_view(&t->pre),
                          .post = hd_token_vec_view(&t->post),
                          .caps = hd_token_vec_view(&t->caps),
                          .moves = t->moves.data,
                          .n_moves = t->moves.size,
                          .line = (uint32_t)(t - model->trans.data) + 1};
    fits = hd_net_add_trans(net, &spec) && fits;
  }
  for (hd_vec_each(const hd_model_target, t, &model->targets))
    fits = hd_net_add_target(net, t->shared, hd_token_vec_view(&t->need),
                             hd_token_vec_view(&t->caps), 0) &&
           fits;
  if (!fits)
    hd_bug("a random model has counts that are too large");
  hd_net_finish(net);
  return net;
}

/* ---- parts ---- */

static hd_model empty_model(uint32_t n_shared, uint32_t n_places) {
  hd_model model = {
      .threads = true, .n_shared = n_shared, .n_places = n_places};
  hd_vec_resize(&model.init, n_places);
  for (size_t i = 0; i < n_places; i++)
    model.init.data[i] = (hd_init){0, 0};
  return model;
}

static void put(hd_token_vec *v, hd_place_id place, hd_count count) {
  hd_token token = {place, count};
  hd_vec_push(v, token);
}

static hd_model_trans *add_edge(hd_model *m, uint32_t s, uint32_t l, uint32_t t,
                                uint32_t k) {
  hd_model_trans edge = {.from = s, .to = t};
  put(&edge.pre, l, 1);
  put(&edge.post, k, 1);
  hd_vec_push(&m->trans, edge);
  return &hd_vec_last(&m->trans);
}

static void add_spawn(hd_model *m, uint32_t s, uint32_t l, uint32_t t,
                      uint32_t k) {
  put(&add_edge(m, s, l, t, l)->post, k, 1);
}

static void random_edges(hd_model *m, hd_dice *d, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    add_edge(m, hd_dice_roll(d, m->n_shared), hd_dice_roll(d, m->n_places),
             hd_dice_roll(d, m->n_shared), hd_dice_roll(d, m->n_places));
}

static void random_spawns(hd_model *m, hd_dice *d, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    add_spawn(m, hd_dice_roll(d, m->n_shared), hd_dice_roll(d, m->n_places),
              hd_dice_roll(d, m->n_shared), hd_dice_roll(d, m->n_places));
}

/* A few tokens; repeated places add up. */
static void random_tokens(hd_token_vec *v, const hd_model *m, hd_dice *d,
                          uint32_t most) {
  for (uint32_t i = 0, n = hd_dice_roll(d, most + 1); i < n; i++)
    put(v, hd_dice_roll(d, m->n_places), one_in(d, 4) ? between(d, 2, 3) : 1);
}

static void random_moves(hd_model_trans *t, const hd_model *m, hd_dice *d,
                         bool resets) {
  for (uint32_t i = 0, n = between(d, 1, 3); i < n; i++) {
    hd_move move = {hd_dice_roll(d, m->n_places), hd_dice_roll(d, m->n_places)};
    if (i && one_in(d, 3)) /* tokens choose */
      move.from = t->moves.data[i - 1].from;
    if (resets && one_in(d, 3))
      move.to = HD_NOWHERE;
    hd_vec_push(&t->moves, move);
  }
}

/* A target with one token mostly, sometimes with more, seldom with none. */
static void random_target(hd_model *m, hd_dice *d) {
  hd_model_target t = {.shared = hd_dice_roll(d, m->n_shared)};
  if (m->n_shared == 1 || one_in(d, 12))
    t.shared = one_in(d, 2) ? HD_ANY_SHARED : t.shared;
  uint32_t n = one_in(d, 20) ? 0 : one_in(d, 3) ? between(d, 2, 4) : 1;
  for (uint32_t i = 0; i < n; i++)
    put(&t.need, hd_dice_roll(d, m->n_places), 1);
  hd_vec_push(&m->targets, t);
}

static void random_targets(hd_model *m, hd_dice *d) {
  for (uint32_t i = 0, n = one_in(d, 4) ? between(d, 2, 3) : 1; i < n; i++)
    random_target(m, d);
}

/* Parametric mostly; else dynamic, fixed, bounded below, between bounds, or a
 * mixture over the places. */
static void random_init(hd_model *m, hd_dice *d) {
  uint32_t kind = hd_dice_roll(d, 12);
  m->init.data[0] = (hd_init){0, HD_OMEGA};
  if (kind == 0) {
    m->init.data[0] = (hd_init){1, 1};
  } else if (kind == 1) {
    uint32_t n = between(d, 1, 4);
    m->init.data[0] = (hd_init){n, n};
  } else if (kind == 2) {
    m->init.data[0].min = between(d, 1, 3);
  } else if (kind == 3) {
    m->init.data[0] = (hd_init){hd_dice_roll(d, 2), between(d, 1, 3)};
  } else if (kind <= 5) {
    for (hd_vec_each(hd_init, init, &m->init)) {
      uint32_t min = one_in(d, 3) ? between(d, 1, 2) : 0;
      *init = (hd_init){min, min + (one_in(d, 4) ? 1 : 0)};
      if (one_in(d, 4))
        init->max = HD_OMEGA;
    }
  }
  if (one_in(d, 6))
    m->init_shared = hd_dice_roll(d, m->n_shared);
}

/* ---- a walk, for targets that are near ---- */

typedef struct {
  hd_shared_id shared;
  hd_count *count;
} walker;

static hd_count in(const hd_token_vec *v, hd_place_id place) {
  hd_count sum = 0;
  for (size_t i = 0; i < v->size; i++)
    sum += v->data[i].place == place ? v->data[i].count : 0;
  return sum;
}

static bool can_fire(const walker *w, const hd_model *m,
                     const hd_model_trans *t) {
  if (t->from != w->shared)
    return false;
  for (hd_place_id p = 0; p < m->n_places; p++)
    if (w->count[p] < in(&t->pre, p))
      return false;
  for (size_t i = 0; i < t->caps.size; i++)
    if (w->count[t->caps.data[i].place] > t->caps.data[i].count)
      return false;
  return true;
}

/* Fires t; tokens that may choose go the first way. */
static void walk_step(walker *w, const hd_model *m, const hd_model_trans *t) {
  hd_count *moved = hd_calloc(m->n_places, sizeof *moved);
  for (hd_place_id p = 0; p < m->n_places; p++)
    w->count[p] -= in(&t->pre, p);
  for (size_t i = 0; i < t->moves.size; i++) {
    hd_move move = t->moves.data[i];
    if (move.to != HD_NOWHERE)
      moved[move.to] += w->count[move.from];
    w->count[move.from] = 0;
  }
  for (hd_place_id p = 0; p < m->n_places; p++)
    w->count[p] += moved[p] + in(&t->post, p);
  w->shared = t->to;
  hd_free(moved);
}

static void walk(walker *w, const hd_model *m, hd_dice *d, uint32_t steps) {
  for (uint32_t tries = 0; m->trans.size && steps && tries < 400; tries++) {
    const hd_model_trans *t =
        &m->trans.data[hd_dice_roll(d, (uint32_t)m->trans.size)];
    if (!can_fire(w, m, t))
      continue;
    walk_step(w, m, t);
    steps--;
  }
}

/* Wants what a random walk comes to, or a little more. */
static void near_target(hd_model *m, hd_dice *d) {
  walker w = {.shared = m->init_shared,
              .count = hd_calloc(m->n_places, sizeof *w.count)};
  for (hd_place_id p = 0; p < m->n_places; p++) {
    hd_init init = m->init.data[p];
    w.count[p] = init.max == HD_OMEGA ? init.min + between(d, 0, 4)
                                      : between(d, init.min, init.max);
  }
  walk(&w, m, d, between(d, 3, 25));
  hd_model_target t = {.shared = w.shared};
  for (hd_place_id p = 0; p < m->n_places; p++)
    if (w.count[p] && w.count[p] < 6 && one_in(d, 2))
      put(&t.need, p, between(d, 1, w.count[p]));
  if (one_in(d, 2))
    put(&t.need, hd_dice_roll(d, m->n_places), 1);
  if (one_in(d, 4))
    t.shared = hd_dice_roll(d, m->n_shared);
  hd_vec_push(&m->targets, t);
  hd_free(w.count);
}

/* ---- shapes ---- */

static hd_model sparse(hd_dice *d) {
  hd_model m = empty_model(size_of(d, 2, 8), size_of(d, 2, 8));
  random_edges(&m, d, size_of(d, 2, 2 * (m.n_shared + m.n_places)));
  return m;
}

static hd_model dense(hd_dice *d) {
  hd_model m = empty_model(size_of(d, 1, 4), size_of(d, 2, 5));
  random_edges(&m, d, size_of(d, 6, 20));
  return m;
}

/* A way through all shared states, with steps back and aside. */
static hd_model chains(hd_dice *d) {
  hd_model m = empty_model(size_of(d, 4, 12), size_of(d, 3, 6));
  uint32_t l = 0;
  for (uint32_t s = 0; s + 1 < m.n_shared; s++) {
    uint32_t next = hd_dice_roll(d, m.n_places);
    add_edge(&m, s, one_in(d, 3) ? 0 : l, s + 1, next);
    l = next;
  }
  random_edges(&m, d, size_of(d, 0, 5));
  random_target(&m, d);
  m.targets.data[0].shared = m.n_shared - 1;
  return m;
}

/* Loops over the shared states that overlap, with an exit. */
static hd_model nested(hd_dice *d) {
  hd_model m = empty_model(size_of(d, 3, 7), size_of(d, 3, 6));
  for (uint32_t i = 0, n = between(d, 2, 4); i < n; i++) {
    uint32_t s = hd_dice_roll(d, 2), first = s;
    for (uint32_t k = between(d, 1, 3); k > 0; k--) {
      uint32_t t = k == 1 ? first : hd_dice_roll(d, m.n_shared);
      add_edge(&m, s, hd_dice_roll(d, m.n_places), t,
               hd_dice_roll(d, m.n_places));
      s = t;
    }
  }
  add_edge(&m, 0, 0, hd_dice_roll(d, m.n_shared), hd_dice_roll(d, m.n_places));
  random_edges(&m, d, size_of(d, 0, 3));
  return m;
}

/* Disjoint cycles in a row, each entered once: paper 000's simple loops. */
static hd_model simple_loops(hd_dice *d) {
  uint32_t loops = between(d, 1, 3), length = between(d, 1, 4);
  hd_model m = empty_model(1 + loops * (length + 1), between(d, 3, 5));
  uint32_t at = 0;
  for (uint32_t i = 0; i < loops; i++) {
    uint32_t first = 1 + i * (length + 1);
    add_edge(&m, at, one_in(d, 2) ? 0 : hd_dice_roll(d, m.n_places), first,
             hd_dice_roll(d, m.n_places));
    for (uint32_t k = 0; k < length; k++)
      add_edge(&m, first + k, one_in(d, 2) ? 0 : hd_dice_roll(d, m.n_places),
               k + 1 == length ? first : first + k + 1,
               hd_dice_roll(d, m.n_places));
    at = first;
  }
  uint32_t end = m.n_shared - 1, exits = between(d, 1, 3);
  for (uint32_t i = 0; i < exits; i++)
    add_edge(&m, i ? end : at, between(d, 1, m.n_places - 1), end,
             hd_dice_roll(d, m.n_places));
  random_target(&m, d);
  m.targets.data[0].shared = one_in(d, 3) ? at : end;
  return m;
}

static hd_model spawning(hd_dice *d) {
  hd_model m = empty_model(size_of(d, 1, 5), size_of(d, 2, 5));
  random_edges(&m, d, size_of(d, 1, 9));
  random_spawns(&m, d, size_of(d, 1, 5));
  if (one_in(d, 2))
    m.init.data[0] = (hd_init){1, 1};
  return m;
}

static hd_model broadcasting(hd_dice *d) {
  hd_model m = empty_model(size_of(d, 1, 4), size_of(d, 2, 4));
  random_edges(&m, d, size_of(d, 1, 7));
  for (uint32_t i = 0, n = between(d, 1, 4); i < n; i++) {
    hd_model_trans t = {.from = hd_dice_roll(d, m.n_shared),
                        .to = hd_dice_roll(d, m.n_shared)};
    if (one_in(d, 3)) { /* s l ~> s' l' */
      hd_move move = {hd_dice_roll(d, m.n_places), hd_dice_roll(d, m.n_places)};
      hd_vec_push(&t.moves, move);
    } else {
      put(&t.pre, hd_dice_roll(d, m.n_places), 1);
      put(&t.post, hd_dice_roll(d, m.n_places), 1);
      random_moves(&t, &m, d, false);
    }
    hd_vec_push(&m.trans, t);
  }
  return m;
}

static void random_rules(hd_model *m, hd_dice *d, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    hd_model_trans t = {.from = hd_dice_roll(d, m->n_shared),
                        .to = hd_dice_roll(d, m->n_shared)};
    random_tokens(&t.pre, m, d, 2);
    random_tokens(&t.post, m, d, 2);
    hd_vec_push(&m->trans, t);
  }
}

/* A Petri net: one shared state, weights, several tokens at a time. */
static hd_model weighted(hd_dice *d) {
  hd_model m = empty_model(1, size_of(d, 2, 5));
  m.threads = false;
  random_rules(&m, d, size_of(d, 2, 9));
  for (hd_vec_each(hd_init, init, &m.init))
    if (one_in(d, 3))
      init->min = init->max = between(d, 1, 3);
  return m;
}

/* The same with several shared states. */
static hd_model vass(hd_dice *d) {
  hd_model m = empty_model(size_of(d, 2, 4), size_of(d, 2, 4));
  m.threads = false;
  random_rules(&m, d, size_of(d, 3, 10));
  return m;
}

/* Nets with transfers and resets. */
static hd_model resets(hd_dice *d) {
  hd_model m = empty_model(size_of(d, 1, 2), size_of(d, 2, 4));
  m.threads = false;
  random_rules(&m, d, size_of(d, 2, 5));
  for (hd_vec_each(hd_model_trans, t, &m.trans))
    if (one_in(d, 2))
      random_moves(t, &m, d, true);
  return m;
}

/* Nets with upper guards, and targets with upper bounds. */
static hd_model guarded(hd_dice *d) {
  hd_model m = one_in(d, 2) ? resets(d) : weighted(d);
  for (hd_vec_each(hd_model_trans, t, &m.trans))
    if (one_in(d, 3))
      put(&t->caps, hd_dice_roll(d, m.n_places), hd_dice_roll(d, 3));
  random_target(&m, d);
  if (one_in(d, 3))
    put(&m.targets.data[0].caps, hd_dice_roll(d, m.n_places),
        hd_dice_roll(d, 3));
  return m;
}

typedef struct {
  const char *name;
  hd_model (*make)(hd_dice *d);
  bool own_init; /* the shape sets the initial state itself, mostly */
} shape;

static hd_model controlled(hd_dice *d);

static const shape shapes[] = {
    {"sparse", sparse, false},
    {"dense", dense, false},
    {"chains", chains, false},
    {"nested", nested, false},
    {"loops", simple_loops, false},
    {"spawns", spawning, true},
    {"broadcasts", broadcasting, false},
    {"weighted", weighted, true},
    {"vass", vass, false},
    {"resets", resets, false},
    {"guarded", guarded, true},
    {"controlled", controlled, true},
};

size_t hd_shape_count(void) {
  return sizeof shapes / sizeof *shapes;
}

const char *hd_shape_name(size_t i) {
  return shapes[i].name;
}

bool hd_shape_find(const char *name, size_t *found) {
  for (*found = 0; *found < hd_shape_count(); ++*found)
    if (!strcmp(shapes[*found].name, name))
      return true;
  return false;
}

hd_model hd_model_random(size_t which, uint64_t seed) {
  assert(which < hd_shape_count());
  hd_dice d = {.x = seed * hd_shape_count() + which};
  (void)hd_dice_roll(&d, 2);
  hd_model m = shapes[which].make(&d);
  bool started = false;
  for (hd_vec_each(const hd_init, init, &m.init))
    started = started || init->max;
  if (!started || (!shapes[which].own_init) || one_in(&d, 4))
    if (m.n_shared > 1 || !shapes[which].own_init || !started)
      random_init(&m, &d);
  if (!m.targets.size && one_in(&d, 3))
    random_targets(&m, &d);
  else if (!m.targets.size)
    near_target(&m, &d);
  else if (one_in(&d, 8))
    random_target(&m, &d);
  return m;
}

/* ---- variants ---- */

static void shuffle(uint32_t *v, uint32_t n, hd_dice *d) {
  for (uint32_t i = n; i > 1; i--) {
    uint32_t j = hd_dice_roll(d, i), x = v[i - 1];
    v[i - 1] = v[j];
    v[j] = x;
  }
}

static uint32_t *permutation(uint32_t n, hd_dice *d) {
  uint32_t *v = hd_calloc(n, sizeof *v);
  for (uint32_t i = 0; i < n; i++)
    v[i] = i;
  shuffle(v, n, d);
  return v;
}

static void rename_tokens(hd_token_vec *v, const uint32_t *place) {
  for (hd_vec_each(hd_token, token, v))
    token->place = place[token->place];
}

static void rename_trans(hd_model_trans *t, const uint32_t *shared,
                         const uint32_t *place) {
  t->from = shared[t->from];
  t->to = shared[t->to];
  rename_tokens(&t->pre, place);
  rename_tokens(&t->post, place);
  rename_tokens(&t->caps, place);
  for (hd_vec_each(hd_move, move, &t->moves)) {
    move->from = place[move->from];
    move->to = move->to == HD_NOWHERE ? HD_NOWHERE : place[move->to];
  }
}

static void rename_target(hd_model_target *t, const uint32_t *shared,
                          const uint32_t *place) {
  t->shared = t->shared == HD_ANY_SHARED ? HD_ANY_SHARED : shared[t->shared];
  rename_tokens(&t->need, place);
  rename_tokens(&t->caps, place);
}

hd_model hd_model_renamed(const hd_model *model, hd_dice *d) {
  hd_model m = hd_model_copy(model);
  uint32_t *shared = permutation(m.n_shared, d);
  uint32_t *place = permutation(m.n_places, d);
  uint32_t *order = permutation((uint32_t)m.trans.size, d);
  m.init_shared = shared[model->init_shared];
  for (uint32_t p = 0; p < m.n_places; p++)
    m.init.data[place[p]] = model->init.data[p];
  for (hd_vec_each(hd_model_trans, t, &m.trans))
    rename_trans(t, shared, place);
  for (hd_vec_each(hd_model_target, t, &m.targets))
    rename_target(t, shared, place);
  hd_model_trans *old = hd_calloc(m.trans.size, sizeof *old);
  for (size_t i = 0; i < m.trans.size; i++)
    old[i] = m.trans.data[i];
  for (size_t i = 0; i < m.trans.size; i++)
    m.trans.data[i] = old[order[i]];
  hd_free(old);
  hd_free(shared);
  hd_free(place);
  hd_free(order);
  return m;
}

/* A transition that never fires: it leaves a shared state that is never
 * entered, or takes a token from a place that never has one. */
static hd_model_trans junk_trans(const hd_model *m, hd_dice *d) {
  hd_model_trans t = {.from = hd_dice_roll(d, m->n_shared),
                      .to = hd_dice_roll(d, m->n_shared)};
  random_tokens(&t.pre, m, d, 1);
  random_tokens(&t.post, m, d, 2);
  if (one_in(d, 2))
    t.from = m->n_shared - 1;
  else
    put(&t.pre, m->n_places - 1, 1);
  return t;
}

hd_model hd_model_with_junk(const hd_model *model, hd_dice *d) {
  hd_model m = hd_model_copy(model);
  hd_init nothing = {0, 0};
  hd_vec_push(&m.init, nothing);
  m.n_places++;
  m.n_shared++;
  for (uint32_t i = 0, n = between(d, 1, 4); i < n; i++)
    hd_vec_push(&m.trans, junk_trans(&m, d));
  if (model->trans.size) /* one twice, and one that changes nothing */
    hd_vec_push(
        &m.trans,
        copy_trans(
            &model->trans.data[hd_dice_roll(d, (uint32_t)model->trans.size)]));
  hd_model_trans idle = {.from = hd_dice_roll(d, model->n_shared)};
  idle.to = idle.from;
  put(&idle.pre, hd_dice_roll(d, model->n_places), 1);
  put(&idle.post, idle.pre.data[0].place, 1);
  hd_vec_push(&m.trans, idle);
  return m;
}

hd_model hd_model_folded(const hd_model *model) {
  hd_model m = hd_model_copy(model);
  uint32_t base = m.n_places;
  for (uint32_t s = 0; s < model->n_shared; s++) {
    hd_init init = {s == model->init_shared, s == model->init_shared};
    hd_vec_push(&m.init, init);
  }
  m.n_places += m.n_shared;
  m.n_shared = 1;
  m.init_shared = 0;
  m.threads = false;
  for (hd_vec_each(hd_model_trans, t, &m.trans)) {
    put(&t->pre, base + t->from, 1);
    put(&t->post, base + t->to, 1);
    t->from = t->to = 0;
  }
  for (hd_vec_each(hd_model_target, t, &m.targets)) {
    if (t->shared != HD_ANY_SHARED)
      put(&t->need, base + t->shared, 1);
    t->shared = 0;
  }
  return m;
}

/* Places of which one holds a token: a net that can be split (model/split.h). */
static hd_model controlled(hd_dice *d) {
  hd_model m = sparse(d);
  m.init.data[0] = (hd_init){0, HD_OMEGA};
  if (one_in(d, 3))
    random_target(&m, d);
  else
    near_target(&m, d);
  hd_model folded = hd_model_folded(&m);
  hd_model_free(&m);
  return folded;
}

/* ---- minimising ---- */

/* Counts possible steps down to the one that is wanted. */
typedef struct {
  size_t left;
  bool done;
} picker;

static bool now(picker *p) {
  if (p->done || p->left--)
    return false;
  p->done = true;
  return true;
}

static void shrink_tokens(hd_token_vec *v, picker *p) {
  for (size_t i = 0; i < v->size && !p->done; i++) {
    bool drops = now(p); /* all at once first */
    if (drops || (v->data[i].count > 1 && now(p))) {
      v->data[i].count--;
      if (drops || !v->data[i].count)
        v->data[i] = v->data[--v->size];
    }
  }
}

static void shrink_caps(hd_token_vec *v, picker *p) {
  for (size_t i = 0; i < v->size && !p->done; i++)
    if (now(p))
      v->data[i] = v->data[--v->size];
}

static void shrink_trans(hd_model *m, picker *p) {
  for (size_t i = 0; i < m->trans.size && !p->done; i++)
    if (now(p)) {
      free_trans(&m->trans.data[i]);
      m->trans.data[i] = m->trans.data[--m->trans.size];
    }
  for (size_t i = 0; i < m->trans.size && !p->done; i++) {
    hd_model_trans *t = &m->trans.data[i];
    for (size_t k = 0; k < t->moves.size && !p->done; k++)
      if (now(p))
        t->moves.data[k] = t->moves.data[--t->moves.size];
    shrink_caps(&t->caps, p);
    shrink_tokens(&t->pre, p);
    shrink_tokens(&t->post, p);
  }
}

static void shrink_targets(hd_model *m, picker *p) {
  for (size_t i = 0; i < m->targets.size && m->targets.size > 1 && !p->done;
       i++)
    if (now(p)) {
      free_target(&m->targets.data[i]);
      m->targets.data[i] = m->targets.data[--m->targets.size];
    }
  for (size_t i = 0; i < m->targets.size && !p->done; i++) {
    shrink_caps(&m->targets.data[i].caps, p);
    shrink_tokens(&m->targets.data[i].need, p);
  }
}

static void shrink_init(hd_model *m, picker *p) {
  for (hd_vec_each(hd_init, init, &m->init)) {
    if (init->min && now(p)) {
      init->min--;
      init->max -= init->max != HD_OMEGA;
    } else if (init->max > init->min && now(p)) {
      init->max = init->min;
    }
  }
}

/* Joins shared states s and s + 1 into s. */
static void join_shared(hd_model *m, uint32_t s) {
  uint32_t *shared = hd_calloc(m->n_shared, sizeof *shared);
  uint32_t *place = hd_calloc(m->n_places, sizeof *place);
  for (uint32_t i = 0; i < m->n_shared; i++)
    shared[i] = i > s ? i - 1 : i;
  for (uint32_t i = 0; i < m->n_places; i++)
    place[i] = i;
  m->init_shared = shared[m->init_shared];
  for (hd_vec_each(hd_model_trans, t, &m->trans))
    rename_trans(t, shared, place);
  for (hd_vec_each(hd_model_target, t, &m->targets))
    rename_target(t, shared, place);
  m->n_shared--;
  hd_free(shared);
  hd_free(place);
}

static bool has_place(const hd_token_vec *v, uint32_t place) {
  for (size_t i = 0; i < v->size; i++)
    if (v->data[i].place == place)
      return true;
  return false;
}

static bool uses_place(const hd_model *m, uint32_t place) {
  for (hd_vec_each(const hd_model_trans, t, &m->trans)) {
    if (has_place(&t->pre, place) || has_place(&t->post, place) ||
        has_place(&t->caps, place))
      return true;
    for (size_t i = 0; i < t->moves.size; i++)
      if (t->moves.data[i].from == place || t->moves.data[i].to == place)
        return true;
  }
  for (hd_vec_each(const hd_model_target, t, &m->targets))
    if (has_place(&t->need, place) || has_place(&t->caps, place))
      return true;
  return false;
}

static void drop_place(hd_model *m, uint32_t gone) {
  uint32_t *shared = hd_calloc(m->n_shared, sizeof *shared);
  uint32_t *place = hd_calloc(m->n_places, sizeof *place);
  for (uint32_t i = 0; i < m->n_shared; i++)
    shared[i] = i;
  for (uint32_t i = 0; i < m->n_places; i++)
    place[i] = i > gone ? i - 1 : i;
  for (hd_vec_each(hd_model_trans, t, &m->trans))
    rename_trans(t, shared, place);
  for (hd_vec_each(hd_model_target, t, &m->targets))
    rename_target(t, shared, place);
  for (uint32_t i = gone; i + 1 < m->n_places; i++)
    m->init.data[i] = m->init.data[i + 1];
  m->init.size--;
  m->n_places--;
  hd_free(shared);
  hd_free(place);
}

bool hd_model_shrink(hd_model *model, size_t step) {
  picker p = {.left = step};
  shrink_trans(model, &p);
  shrink_targets(model, &p);
  shrink_init(model, &p);
  for (uint32_t s = 0; s + 1 < model->n_shared && !p.done; s++)
    if (now(&p))
      join_shared(model, s);
  for (uint32_t i = 0; i < model->n_places && model->n_places > 1 && !p.done;
       i++)
    if (!uses_place(model, i) && now(&p))
      drop_place(model, i);
  return p.done;
}

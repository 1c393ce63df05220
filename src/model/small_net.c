/* SPDX-License-Identifier: MIT */
#include "model/small_net.h"

#include "base/hash.h"

#include <string.h>

#define HD_MAP pair_map
#define HD_KEY uint64_t
#define HD_VAL hd_range
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

struct hd_small_graph {
  hd_small *small;
  hd_vec(hd_small_step) steps;
  pair_map pairs; /* -> its steps */
  hd_modular_state init_shared, init_local;
  hd_modular_state shared, local; /* the pair that is followed */
  uint32_t index;
};

static uint64_t pair_key(hd_modular_state shared, hd_modular_state local) {
  return (uint64_t)shared << 32 | local;
}

hd_small_graph *hd_small_graph_new(hd_small *small) {
  hd_small_graph *g = hd_calloc(1, sizeof *g);
  g->small = small;
  hd_small_start(small, &g->init_shared, &g->init_local, NULL);
  return g;
}

void hd_small_graph_delete(hd_small_graph *g) {
  if (!g)
    return;
  hd_vec_free(&g->steps);
  pair_map_free(&g->pairs);
  hd_free(g);
}

static bool same_effect(const hd_small_step *a, const hd_small_step *b) {
  return a->kind == b->kind && a->next_shared == b->next_shared &&
         a->next_local == b->next_local && a->spawned == b->spawned &&
         a->creates == b->creates && a->label == b->label && a->one == b->one &&
         (a->kind == HD_SMALL_GOES ||
          (a->edge == b->edge && a->reason == b->reason));
}

static void add_step(void *context, const hd_small_outcome *out) {
  hd_small_graph *g = context;
  hd_small_step step = {.kind = out->kind,
                        .shared = g->shared,
                        .local = g->local,
                        .next_shared = out->shared,
                        .next_local = out->local,
                        .spawned = out->spawned,
                        .creates =
                            out->spawned != HD_NO_ID || out->spawned_ends,
                        .one = out->one,
                        .woken = HD_NO_ID,
                        .wakes = HD_NO_ID,
                        .label = out->label,
                        .index = g->index++,
                        .reason = out->reason,
                        .edge = out->edge};
  /* Different inputs often come to the same. */
  for (size_t i = g->steps.size; i-- > 0;) {
    const hd_small_step *other = &g->steps.data[i];
    if (other->shared != g->shared || other->local != g->local)
      break;
    if (same_effect(other, &step))
      return;
  }
  hd_vec_push(&g->steps, step);
}

hd_range hd_small_graph_follow(hd_small_graph *g, hd_modular_state shared,
                               hd_modular_state local) {
  const hd_range *known = pair_map_find(&g->pairs, pair_key(shared, local));
  if (known)
    return *known;
  hd_range range = {.start = (uint32_t)g->steps.size};
  g->shared = shared;
  g->local = local;
  g->index = 0;
  hd_small_steps(g->small, shared, local, add_step, g);
  range.size = (uint32_t)g->steps.size - range.start;
  pair_map_put(&g->pairs, pair_key(shared, local), range, NULL);
  return range;
}

const hd_small_step *hd_small_graph_step(const hd_small_graph *g,
                                         uint32_t step) {
  assert(step < g->steps.size);
  return &g->steps.data[step];
}

bool hd_small_graph_has(const hd_small_graph *g, hd_modular_state shared,
                        hd_modular_state local) {
  return pair_map_find(&g->pairs, pair_key(shared, local)) != NULL;
}

size_t hd_small_graph_pairs(const hd_small_graph *g) {
  return g->pairs.size;
}

size_t hd_small_graph_steps(const hd_small_graph *g) {
  return g->steps.size;
}

/* --- thread-modular --- */

static hd_modular_image map(void *context, uint32_t label,
                            hd_modular_state local) {
  return hd_small_image(context, label, local);
}

bool hd_small_graph_close(hd_small_graph *g, size_t max_pairs, hd_run *run) {
  hd_modular *m = hd_modular_new(map, g->small);
  hd_modular_add(m, g->init_shared, g->init_local);
  hd_modular_pair pair;
  bool ok = true;
  while (ok && hd_modular_next(m, &pair)) {
    hd_range range = hd_small_graph_follow(g, pair.shared, pair.local);
    for (uint32_t i = range.start; i < range.start + range.size; i++) {
      const hd_small_step *s = &g->steps.data[i];
      if (s->kind != HD_SMALL_GOES)
        continue;
      if (s->next_local != HD_NO_ID)
        hd_modular_add(m, s->next_shared, s->next_local);
      if (s->spawned != HD_NO_ID)
        hd_modular_add(m, s->next_shared, s->spawned);
      hd_modular_link(m, s->shared, s->next_shared, s->label);
    }
    ok = hd_run_tick(run) && (!max_pairs || hd_modular_pairs(m) <= max_pairs);
  }
  hd_modular_delete(m);
  return ok;
}

/* --- the net --- */

#define HD_MAP name_map
#define HD_KEY uint64_t
#define HD_VAL uint32_t
#define HD_HASH(k) (k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef hd_vec(hd_move) hd_moves;

typedef struct {
  hd_small_graph *g;
  hd_small_net *out;
  hd_small_net_kind kind;
  hd_shared_id error_shared;
  hd_place_id error_place; /* the first of them */
  hd_moves *moves;         /* of each label */
} builder;

static size_t target_of(builder *b, const hd_small_step *s) {
  hd_small_target target = {.refused = s->kind == HD_SMALL_REFUSED,
                            .edge = s->edge,
                            .reason = s->reason};
  size_t n = b->out->targets.size;
  for (size_t k = 0; k < n; k++) {
    const hd_small_target *t = &b->out->targets.data[k];
    if (t->refused == target.refused &&
        (t->refused ? t->reason == target.reason : t->edge == target.edge))
      return k;
  }
  hd_vec_push(&b->out->targets, target);
  return n;
}

static bool is_wanted(const builder *b, const hd_small_step *s) {
  return s->kind == HD_SMALL_VIOLATES ||
         (s->kind == HD_SMALL_REFUSED && b->kind == HD_SMALL_NET_ALL);
}

/* The steps of the net: of a signal one for each state it can wake. */
static void list_steps(builder *b) {
  hd_small_graph *g = b->g;
  for (size_t i = 0; i < g->steps.size; i++) {
    hd_small_step s = g->steps.data[i];
    if (s.kind != HD_SMALL_GOES && !is_wanted(b, &s))
      continue;
    if (s.kind != HD_SMALL_GOES)
      target_of(b, &s);
    if (b->kind == HD_SMALL_NET_RELAXED) {
      s.one = false;
      s.label = 0;
    }
    if (!s.one) {
      hd_vec_push(&b->out->steps, s);
      continue;
    }
    for (hd_vec_each(const hd_move, move, &b->moves[s.label]))
      if (hd_small_graph_has(g, s.shared, move->from)) {
        s.woken = move->from;
        s.wakes = move->to;
        hd_vec_push(&b->out->steps, s);
      }
  }
}

static void list_wakes(builder *b) {
  hd_small_graph *g = b->g;
  for (size_t i = 0; i < g->pairs.size; i++) {
    hd_modular_state shared = (hd_modular_state)(g->pairs.items[i].key >> 32);
    hd_modular_state local = (hd_modular_state)g->pairs.items[i].key;
    hd_modular_state woken = hd_small_woken(g->small, local);
    if (woken == HD_NO_ID)
      continue;
    hd_small_step s = {.kind = HD_SMALL_GOES,
                       .shared = shared,
                       .local = local,
                       .next_shared = shared,
                       .next_local = woken,
                       .spawned = HD_NO_ID};
    hd_vec_push(&b->out->steps, s);
  }
}

/* Wake-ups may make new states. They have no steps here if nobody gets there:
 * whoever does was followed. */
static void list_moves(builder *b) {
  hd_small *small = b->g->small;
  uint32_t labels = hd_small_n_labels(small);
  b->moves = hd_calloc(labels + 1, sizeof *b->moves);
  size_t n = hd_small_n_local(small);
  for (uint32_t label = 1; label <= labels; label++)
    for (hd_modular_state l = 0; l < n; l++) {
      hd_modular_image image = hd_small_image(small, label, l);
      if (image.second != HD_NO_ID)
        hd_vec_push(&b->moves[label],
                    ((hd_move){.from = l, .to = image.second}));
      else if (image.first == HD_NO_ID)
        hd_vec_push(&b->moves[label], ((hd_move){.from = l, .to = HD_NOWHERE}));
    }
}

/* Not all that makes states different is printed: names that were used get a
 * number. */
static void distinguish(name_map *names, hd_str *name) {
  uint64_t key = hd_hash_bytes(hd_str_text(name), name->size);
  bool fresh;
  uint32_t *used = name_map_put(names, key, 1, &fresh);
  if (!fresh)
    hd_str_printf(name, " #%u", ++*used);
}

static void name_states(builder *b) {
  hd_net *net = b->out->net;
  hd_small *small = b->g->small;
  hd_str name = {0};
  name_map shared_names = {0}, local_names = {0};
  for (hd_modular_state s = 0; s < hd_small_n_shared(small); s++) {
    hd_vec_clear(&name);
    hd_small_print_shared(&name, small, s);
    distinguish(&shared_names, &name);
    hd_net_name_shared(net, s, hd_str_text(&name));
  }
  for (hd_modular_state l = 0; l < hd_small_n_local(small); l++) {
    hd_vec_clear(&name);
    hd_small_print_local(&name, small, l);
    distinguish(&local_names, &name);
    hd_net_name_place(net, l, hd_str_text(&name));
  }
  hd_net_name_shared(net, b->error_shared, "error");
  for (size_t k = 0; k < b->out->targets.size; k++) {
    const hd_small_target *t = &b->out->targets.data[k];
    hd_vec_clear(&name);
    hd_str_puts(&name, t->refused ? "refused@" : "violated@");
    if (t->refused)
      hd_str_puts(&name, hd_small_reason(small, t->reason));
    else
      hd_code_print_pos(&name, hd_small_code(small),
                        hd_small_code(small)->edges.data[t->edge].pos);
    distinguish(&local_names, &name);
    hd_net_name_place(net, b->error_place + (hd_place_id)k, hd_str_text(&name));
  }
  if (!b->out->targets.size)
    hd_net_name_place(net, b->error_place, "violated");
  hd_str_free(&name);
  name_map_free(&shared_names);
  name_map_free(&local_names);
}

static void add_trans(builder *b, const hd_small_step *s) {
  hd_token pre[3], post[3];
  size_t n_pre = 0, n_post = 0;
  pre[n_pre++] = (hd_token){.place = s->local, .count = 1};
  hd_trans_spec spec = {
      .from = s->shared,
      .to = s->next_shared,
      .line = hd_small_code(b->g->small)->edges.data[s->edge].pos.line};
  if (s->kind != HD_SMALL_GOES) {
    spec.to = b->error_shared;
    post[n_post++] = (hd_token){
        .place = b->error_place + (hd_place_id)target_of(b, s), .count = 1};
  }
  if (s->next_local != HD_NO_ID)
    post[n_post++] = (hd_token){.place = s->next_local, .count = 1};
  if (s->spawned != HD_NO_ID)
    post[n_post++] = (hd_token){.place = s->spawned, .count = 1};
  if (s->one) {
    pre[n_pre++] = (hd_token){.place = s->woken, .count = 1};
    post[n_post++] = (hd_token){.place = s->wakes, .count = 1};
    assert(n_post <= 3);
  } else if (s->label) {
    spec.moves = b->moves[s->label].data;
    spec.n_moves = b->moves[s->label].size;
  }
  spec.pre = (hd_tokens){.data = pre, .size = n_pre};
  spec.post = (hd_tokens){.data = post, .size = n_post};
  if (!hd_net_add_trans(b->out->net, &spec))
    hd_bug("a transition of a few threads overflowed");
}

static void build(builder *b) {
  hd_small_net *out = b->out;
  hd_small *small = b->g->small;
  size_t n_shared = hd_small_n_shared(small), n_local = hd_small_n_local(small);
  size_t n_targets = out->targets.size ? out->targets.size : 1;
  b->error_shared = (hd_shared_id)n_shared;
  b->error_place = (hd_place_id)n_local;
  const hd_code *code = hd_small_code(small);
  const char *file = code->files.size ? code->files.data[0] : "program";
  out->net = hd_net_new(HD_FORMAT_TTS, file, (uint32_t)n_shared + 1,
                        (uint32_t)(n_local + n_targets));
  out->net->init_shared = b->g->init_shared;
  out->net->init[b->g->init_local] = (hd_init){.min = 1, .max = 1};
  name_states(b);
  for (hd_vec_each(const hd_small_step, s, &out->steps))
    add_trans(b, s);
  for (size_t k = 0; k < n_targets; k++) {
    hd_token need = {.place = b->error_place + (hd_place_id)k, .count = 1};
    uint32_t line = out->targets.size
                        ? code->edges.data[out->targets.data[k].edge].pos.line
                        : 0;
    if (!hd_net_add_target(out->net, b->error_shared,
                           (hd_tokens){.data = &need, .size = 1},
                           (hd_tokens){0}, line))
      hd_bug("a target overflowed");
  }
  hd_net_finish(out->net);
  assert(out->steps.size == out->net->trans.size);
}

hd_small_net *hd_small_net_new(hd_small_graph *graph, hd_small_net_kind kind,
                               hd_str *why) {
  hd_small_net *out = hd_calloc(1, sizeof *out);
  out->small = graph->small;
  builder b = {.g = graph, .out = out, .kind = kind};
  list_moves(&b);
  list_steps(&b);
  if (kind == HD_SMALL_NET_RELAXED)
    list_wakes(&b);
  bool fits =
      hd_small_n_shared(graph->small) + 2 <= HD_MAX_STATES &&
      hd_small_n_local(graph->small) + out->targets.size + 2 <= HD_MAX_STATES &&
      out->steps.size <= HD_MAX_STATES;
  if (fits)
    build(&b);
  else
    hd_str_puts(why, "the program has too many thread states to be written "
                     "down as a transition system");
  for (uint32_t i = 0; i <= hd_small_n_labels(graph->small); i++)
    hd_vec_free(&b.moves[i]);
  hd_free(b.moves);
  if (!fits) {
    hd_small_net_delete(out);
    return NULL;
  }
  return out;
}

void hd_small_net_delete(hd_small_net *net) {
  if (!net)
    return;
  hd_net_delete(net->net);
  hd_vec_free(&net->steps);
  hd_vec_free(&net->targets);
  hd_free(net);
}

/* --- runs --- */

typedef struct {
  const hd_small_net *net;
  hd_u32s where; /* local state of each thread; HD_NO_ID: it is gone */
  hd_small_moves *out;
  /* the step that is looked for */
  const hd_small_step *step;
  uint32_t index;
  hd_tid thread, wakes;
} runner;

static hd_tid thread_in(const runner *r, hd_modular_state local,
                        hd_tid except) {
  for (hd_tid t = 0; t < r->where.size; t++)
    if (r->where.data[t] == local && t != except)
      return t;
  hd_bug("a witness moves a thread that is not there");
}

static void put_acts(runner *r, hd_tid thread, const hd_small_act *acts,
                     size_t n) {
  for (size_t i = 0; i < n; i++)
    hd_vec_push(
        r->out,
        ((hd_small_move){.thread = thread, .act = acts[i], .wakes = r->wakes}));
}

static void put_outcome(void *context, const hd_small_outcome *out) {
  runner *r = context;
  if (r->index++ != r->step->index)
    return;
  put_acts(r, r->thread, out->acts, out->n_acts);
  r->wakes = HD_NO_ID;
  put_acts(r, (hd_tid)r->where.size, out->spawned_acts, out->n_spawned_acts);
}

/* What a broadcast, or the last reader, does to all others. */
static void affect(runner *r, const hd_small_step *s) {
  for (hd_tid t = 0; t < r->where.size; t++) {
    if (t == r->thread || r->where.data[t] == HD_NO_ID)
      continue;
    hd_modular_image image =
        hd_small_image(r->net->small, s->label, r->where.data[t]);
    if (image.second != HD_NO_ID)
      r->where.data[t] = image.second;
    else if (image.first == HD_NO_ID)
      r->where.data[t] = HD_NO_ID;
  }
}

static void run_step(runner *r, const hd_small_step *s) {
  r->step = s;
  r->index = 0;
  r->thread = thread_in(r, s->local, HD_NO_ID);
  r->wakes = s->one ? thread_in(r, s->woken, r->thread) : HD_NO_ID;
  hd_tid wakes = r->wakes;
  hd_small_steps(r->net->small, s->shared, s->local, put_outcome, r);
  if (s->label && !s->one)
    affect(r, s);
  if (wakes != HD_NO_ID)
    r->where.data[wakes] = s->wakes;
  r->where.data[r->thread] = s->next_local;
  if (s->creates)
    hd_vec_push(&r->where, s->spawned);
}

void hd_small_net_run(const hd_small_net *net, const hd_witness *witness,
                      hd_small_moves *moves) {
  runner r = {.net = net, .out = moves, .wakes = HD_NO_ID};
  hd_modular_state shared, local;
  hd_small_acts acts = {0};
  hd_small_start(net->small, &shared, &local, &acts);
  hd_vec_push(&r.where, local);
  put_acts(&r, 0, acts.data, acts.size);
  for (hd_vec_each(const hd_step, step, &witness->steps))
    run_step(&r, &net->steps.data[step->trans]);
  hd_vec_free(&acts);
  hd_vec_free(&r.where);
}

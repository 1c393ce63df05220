/* SPDX-License-Identifier: MIT */
#include "model/extract.h"

#include "base/bitset.h"
#include "base/hash.h"

#include <string.h>

#define HD_MAP link_map
#define HD_KEY uint64_t
#define HD_VAL uint8_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

/* One row of T, and the shared states its local states are passed on to. */
typedef struct {
  hd_vec(uint64_t) bits;
  hd_u32s locals; /* in order of arrival */
  hd_u32s next;   /* shared state * 2 + (1 if waiting threads wake up) */
} row;

typedef struct {
  hd_state_id shared, local;
} pair;

/* What is left to do halfway through a SPAWN edge. */
typedef struct {
  hd_state_id shared, local, spawned;
} half;

static uint64_t hash_half(half h) {
  return hd_hash_mix((uint64_t)h.shared << 32 | h.local, h.spawned);
}

static bool same_half(half a, half b) {
  return a.shared == b.shared && a.local == b.local && a.spawned == b.spawned;
}

#define HD_MAP half_map
#define HD_KEY half
#define HD_VAL uint32_t
#define HD_HASH(k) hash_half(k)
#define HD_EQ(a, b) same_half(a, b)
#include "base/map_templ.h"

typedef hd_vec(hd_extract_step) step_vec;

/* Steps that one edge of a .tts file can say. */
static uint64_t hash_step(const hd_extract_step *s) {
  uint64_t h = hd_hash_mix((uint64_t)s->shared << 32 | s->local, s->spawned);
  return hd_hash_mix(h, (uint64_t)s->next_shared << 32 | s->next_local);
}

static bool same_step(const hd_extract_step *a, const hd_extract_step *b) {
  return a->shared == b->shared && a->local == b->local &&
         a->next_shared == b->next_shared && a->next_local == b->next_local &&
         a->spawned == b->spawned;
}

#define HD_MAP step_map
#define HD_KEY const hd_extract_step *
#define HD_VAL uint8_t
#define HD_HASH(k) hash_step(k)
#define HD_EQ(a, b) same_step(a, b)
#include "base/map_templ.h"

struct hd_extractor {
  hd_finite *f;
  step_vec steps; /* of the pairs followed */
  hd_vec(row) rows;
  hd_vec(pair) queue; /* all pairs, in order of arrival */
  size_t followed;    /* so many of them were followed */
  hd_vec(pair) adds;  /* pairs to be put into T */
  link_map links;
  hd_u32s init_shared, init_local;
  pair now;
};

typedef hd_extractor explorer;

static row *row_of(explorer *x, hd_state_id shared) {
  while (x->rows.size <= shared) {
    row fresh = {0};
    hd_vec_push(&x->rows, fresh);
  }
  return &x->rows.data[shared];
}

static bool put(explorer *x, hd_state_id shared, hd_state_id local) {
  row *r = row_of(x, shared);
  size_t words = hd_bits_words((size_t)local + 1);
  while (r->bits.size < words)
    hd_vec_push(&r->bits, (uint64_t)0);
  if (hd_bits_test(r->bits.data, local))
    return false;
  hd_bits_set(r->bits.data, local);
  hd_vec_push(&r->locals, local);
  return true;
}

static void pass(explorer *x, hd_state_id local, uint32_t link) {
  hd_vec_push(&x->adds, ((pair){.shared = link / 2, .local = local}));
  hd_state_id woken = link % 2 ? hd_finite_woken(x->f, local) : HD_NO_ID;
  if (woken != HD_NO_ID)
    hd_vec_push(&x->adds, ((pair){.shared = link / 2, .local = woken}));
}

/* Puts a pair into T, and with it what follows from the links known so far. */
static void add(explorer *x, hd_state_id shared, hd_state_id local) {
  hd_vec_push(&x->adds, ((pair){.shared = shared, .local = local}));
  while (x->adds.size) {
    pair p = hd_vec_pop(&x->adds);
    if (!put(x, p.shared, p.local))
      continue;
    hd_vec_push(&x->queue, p);
    for (size_t i = 0; i < row_of(x, p.shared)->next.size; i++)
      pass(x, p.local, row_of(x, p.shared)->next.data[i]);
  }
}

/* From now on what is in T[from] is in T[to]. */
static void link_rows(explorer *x, hd_state_id from, hd_state_id to,
                      bool wakes) {
  if (from == to && !wakes)
    return;
  uint32_t link = to * 2 + wakes;
  bool fresh;
  link_map_put(&x->links, (uint64_t)from << 32 | link, 0, &fresh);
  if (!fresh)
    return;
  hd_vec_push(&row_of(x, from)->next, link);
  for (size_t i = 0; i < row_of(x, from)->locals.size; i++) {
    pass(x, row_of(x, from)->locals.data[i], link);
    while (x->adds.size) {
      pair p = hd_vec_pop(&x->adds);
      add(x, p.shared, p.local);
    }
  }
}

static void visit_step(void *context, const hd_finite_step *step) {
  explorer *x = context;
  hd_extract_step s = {.kind = HD_FROM_EDGE,
                       .edge = step->edge,
                       .shared = x->now.shared,
                       .local = x->now.local,
                       .next_shared = step->shared,
                       .next_local = step->local,
                       .spawned = step->spawned};
  hd_vec_push(&x->steps, s);
}

/* Everything the steps recorded since `from` lead to. */
static void follow(explorer *x, size_t from) {
  for (size_t i = from; i < x->steps.size; i++) {
    hd_extract_step s = x->steps.data[i];
    bool wakes =
        hd_finite_program(x->f)->edges.data[s.edge].act == HD_ACT_BROADCAST;
    if (s.next_local != HD_NO_ID)
      add(x, s.next_shared, s.next_local);
    if (s.spawned != HD_NO_ID)
      add(x, s.next_shared, s.spawned);
    /* The row exists even when nobody is left to fill it. */
    row_of(x, s.next_shared);
    link_rows(x, s.shared, s.next_shared, wakes);
  }
}

static void note_init(void *context, hd_state_id state) {
  hd_u32s *list = context;
  hd_vec_push(list, state);
}

hd_extractor *hd_extractor_new(hd_finite *finite) {
  hd_extractor *x = hd_calloc(1, sizeof *x);
  x->f = finite;
  hd_finite_initial_shared(x->f, note_init, &x->init_shared);
  hd_finite_initial_local(x->f, note_init, &x->init_local);
  return x;
}

const hd_u32s *hd_extractor_shared(const hd_extractor *x) {
  return &x->init_shared;
}

const hd_u32s *hd_extractor_local(const hd_extractor *x) {
  return &x->init_local;
}

void hd_extractor_delete(hd_extractor *x) {
  if (!x)
    return;
  for (hd_vec_each(row, r, &x->rows)) {
    hd_vec_free(&r->bits);
    hd_vec_free(&r->locals);
    hd_vec_free(&r->next);
  }
  hd_vec_free(&x->rows);
  hd_vec_free(&x->queue);
  hd_vec_free(&x->adds);
  hd_vec_free(&x->steps);
  hd_vec_free(&x->init_shared);
  hd_vec_free(&x->init_local);
  link_map_free(&x->links);
  hd_free(x);
}

size_t hd_extractor_pairs(const hd_extractor *x) {
  return x->queue.size;
}

static void show(explorer *x, hd_run *run) {
  if (!hd_run_wants_progress(run))
    return;
  hd_progress progress = {
      .engine = "extract",
      .names = {"thread states", "queue", "transitions"},
      .values = {x->queue.size, x->queue.size - x->followed, x->steps.size}};
  hd_run_show(run, &progress);
}

static bool compute_steps(explorer *x, pair at) {
  x->now = at;
  hd_finite_steps(x->f, at.shared, at.local, visit_step, x);
  return !hd_finite_stopped(x->f);
}

bool hd_extractor_follow(hd_extractor *x, hd_state_id shared, hd_state_id local,
                         hd_range *steps) {
  pair at = {.shared = shared, .local = local};
  steps->start = (uint32_t)x->steps.size;
  hd_vec_push(&x->queue, at);
  bool ok = compute_steps(x, at);
  steps->size = (uint32_t)x->steps.size - steps->start;
  return ok;
}

const hd_extract_step *hd_extractor_step(const hd_extractor *x, uint32_t step) {
  return &x->steps.data[step];
}

/* Thread-modular exploration. False when a limit of `run`, or `max_pairs`, is
 * reached. */
static bool explore(explorer *x, size_t max_pairs, hd_run *run) {
  for (size_t i = 0; i < x->init_shared.size && hd_finite_go_on(x->f); i++)
    for (size_t k = 0; k < x->init_local.size; k++)
      add(x, x->init_shared.data[i], x->init_local.data[k]);
  for (; x->followed < x->queue.size; x->followed++) {
    if (!hd_run_tick(run) || (max_pairs && x->queue.size > max_pairs))
      return false;
    show(x, run);
    size_t before = x->steps.size;
    if (!compute_steps(x, x->queue.data[x->followed]))
      return false;
    follow(x, before);
  }
  /* Initial states may be missing, too. */
  return !hd_finite_stopped(x->f);
}

/* --- the net --- */

typedef struct {
  explorer *x;
  hd_extract *out;
  const hd_extract_options *options;
  hd_shared_id start_shared, error_shared; /* HD_NO_ID = not needed */
  hd_place_id start_place, error_place;    /* the first of the error places */
  hd_place_id ended_place;                 /* HD_NO_ID = not needed */
  half_map halves; /* -> number of its shared state, from half_shared on */
  hd_shared_id half_shared;
  hd_vec(hd_move) wakeups;
} builder;

static void name_states(builder *b) {
  hd_net *net = b->out->net;
  link_map lines = {0};
  hd_str name = {0};
  for (hd_state_id s = 0; s < hd_finite_n_shared(b->x->f); s++) {
    hd_vec_clear(&name);
    hd_finite_print_shared(&name, b->x->f, s);
    hd_net_name_shared(net, s, hd_str_text(&name));
  }
  for (hd_state_id l = 0; l < hd_finite_n_local(b->x->f); l++) {
    hd_vec_clear(&name);
    hd_finite_print_local(&name, b->x->f, l);
    hd_net_name_place(net, l, hd_str_text(&name));
  }
  if (b->start_shared != HD_NO_ID)
    hd_net_name_shared(net, b->start_shared, "start");
  if (b->start_place >= hd_finite_n_local(b->x->f))
    hd_net_name_place(net, b->start_place, "@start");
  if (b->ended_place != HD_NO_ID)
    hd_net_name_place(net, b->ended_place, "@ended");
  if (b->out->asserts.size)
    hd_net_name_shared(net, b->error_shared, "error");
  for (size_t k = 0; k < b->out->asserts.size; k++) {
    const hd_program *p = hd_finite_program(b->x->f);
    uint32_t line = p->edges.data[b->out->asserts.data[k]].origin.line;
    /* An assertion in a procedure that is called twice is there twice. */
    bool fresh;
    link_map_put(&lines, line, 0, &fresh);
    hd_vec_clear(&name);
    hd_str_printf(&name, "violated@%u", line);
    if (!fresh)
      hd_str_printf(&name, ":%zu", k + 1);
    hd_net_name_place(net, b->error_place + (hd_place_id)k, hd_str_text(&name));
  }
  link_map_free(&lines);
  hd_str_free(&name);
}

static void add_trans(builder *b, hd_shared_id from, hd_place_id take,
                      hd_shared_id to, hd_place_id give, hd_place_id also,
                      hd_edge_id edge, bool wakes) {
  const hd_program *p = hd_finite_program(b->x->f);
  hd_token pre = {.place = take, .count = 1};
  hd_token post[2];
  size_t n = 0;
  if (give != HD_NO_ID)
    post[n++] = (hd_token){.place = give, .count = 1};
  if (also != HD_NO_ID)
    post[n++] = (hd_token){.place = also, .count = 1};
  hd_trans_spec spec = {
      .from = from,
      .to = to,
      .pre = {.data = &pre, .size = 1},
      .post = {.data = post, .size = n},
      .moves = b->wakeups.data,
      .n_moves = wakes ? b->wakeups.size : 0,
      .line = edge == HD_NO_ID ? 0 : p->edges.data[edge].origin.line,
      .name = edge == HD_NO_ID ? NULL : p->edges.data[edge].text};
  if (!hd_net_add_trans(b->out->net, &spec))
    hd_bug("a transition of one thread overflowed");
}

static bool is_half(const builder *b, const hd_extract_step *s) {
  return b->options->portable && s->spawned != HD_NO_ID &&
         s->local != s->next_local;
}

/* What portable nets need besides: a shared state for each half-done SPAWN, and
 * a place for threads that ended. */
static void list_halves(builder *b) {
  b->ended_place = HD_NO_ID;
  for (hd_vec_each(const hd_extract_step, s, &b->x->steps)) {
    if (is_half(b, s))
      half_map_put(&b->halves,
                   (half){s->next_shared, s->next_local, s->spawned},
                   (uint32_t)b->halves.size, NULL);
    if (b->options->portable && s->next_local == HD_NO_ID)
      b->ended_place = 0; /* its number comes later */
  }
}

static void add_steps(builder *b) {
  hd_extract *out = b->out;
  const hd_program *p = hd_finite_program(b->x->f);
  size_t n = out->steps.size;
  for (size_t i = 0; i < n; i++) {
    hd_extract_step s = out->steps.data[i];
    hd_shared_id to = s.next_shared;
    hd_place_id give = s.next_local, also = s.spawned;
    if (is_half(b, &s)) {
      to = b->half_shared +
           *half_map_find(&b->halves, (half){to, s.next_local, s.spawned});
      also = HD_NO_ID;
    }
    add_trans(b, s.shared, s.local, to,
              give == HD_NO_ID ? b->ended_place : give, also, s.edge,
              p->edges.data[s.edge].act == HD_ACT_BROADCAST);
  }
}

/* The second halves: the thread is where it goes, the new one appears. No other
 * thread can do anything in their shared states. */
static void add_halves(builder *b) {
  size_t n = b->x->steps.size;
  uint32_t next = 0;
  for (size_t i = 0; i < n; i++) {
    hd_extract_step s = b->x->steps.data[i];
    if (!is_half(b, &s) ||
        *half_map_find(&b->halves,
                       (half){s.next_shared, s.next_local, s.spawned}) != next)
      continue;
    s.kind = HD_FROM_SPAWN;
    hd_vec_push(&b->out->steps, s);
    add_trans(b, b->half_shared + next++, s.next_local, s.next_shared,
              s.next_local, s.spawned, s.edge, false);
  }
}

static void add_initial(builder *b) {
  explorer *x = b->x;
  hd_extract *out = b->out;
  size_t own = hd_finite_n_local(x->f);
  if (b->start_shared != HD_NO_ID)
    for (size_t i = 0; i < x->init_shared.size; i++) {
      hd_extract_step s = {HD_FROM_SHARED,         HD_NO_ID, HD_NO_ID, HD_NO_ID,
                           x->init_shared.data[i], HD_NO_ID, HD_NO_ID};
      hd_vec_push(&out->steps, s);
      add_trans(b, b->start_shared, b->start_place, x->init_shared.data[i],
                b->start_place, HD_NO_ID, HD_NO_ID, false);
    }
  if (b->start_place < own)
    return;
  for (hd_state_id shared = 0; shared < hd_finite_n_shared(x->f); shared++)
    for (size_t k = 0; k < x->init_local.size; k++) {
      hd_extract_step s = {HD_FROM_LOCAL, HD_NO_ID, shared,
                           HD_NO_ID,      shared,   x->init_local.data[k],
                           HD_NO_ID};
      hd_vec_push(&out->steps, s);
      add_trans(b, shared, b->start_place, shared, x->init_local.data[k],
                HD_NO_ID, HD_NO_ID, false);
    }
}

/* `asserts` is in ascending order. */
static bool find_assert(const hd_extract *out, hd_edge_id edge, size_t *k) {
  size_t low = 0, high = out->asserts.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (out->asserts.data[middle] < edge)
      low = middle + 1;
    else
      high = middle;
  }
  *k = low;
  return low < out->asserts.size && out->asserts.data[low] == edge;
}

/* Each assertion a thread in T violates leads to its error place. */
static void add_violations(builder *b) {
  explorer *x = b->x;
  const hd_program *p = hd_finite_program(x->f);
  for (size_t i = 0; i < x->queue.size; i++) {
    pair at = x->queue.data[i];
    hd_loc_id loc = hd_finite_loc(x->f, at.local);
    for (uint32_t o = p->out_start[loc]; o < p->out_start[loc + 1]; o++) {
      hd_edge_id edge = p->out[o];
      size_t k;
      if (!find_assert(b->out, edge, &k) ||
          !hd_finite_violates(x->f, at.shared, at.local, edge))
        continue;
      hd_extract_step s = {HD_FROM_VIOLATED, edge,     at.shared, at.local,
                           HD_NO_ID,         HD_NO_ID, HD_NO_ID};
      hd_vec_push(&b->out->steps, s);
      add_trans(b, at.shared, at.local, b->error_shared,
                b->error_place + (hd_place_id)k, HD_NO_ID, edge, false);
    }
  }
}

static void add_targets(builder *b) {
  hd_extract *out = b->out;
  const hd_program *p = hd_finite_program(b->x->f);
  for (size_t k = 0; k < out->asserts.size; k++) {
    hd_token need = {.place = b->error_place + (hd_place_id)k, .count = 1};
    if (!hd_net_add_target(
            out->net, b->error_shared, (hd_tokens){.data = &need, .size = 1},
            (hd_tokens){0}, p->edges.data[out->asserts.data[k]].origin.line))
      hd_bug("a target overflowed");
  }
}

static void list_asserts(builder *b) {
  const hd_program *p = hd_finite_program(b->x->f);
  for (hd_edge_id e = 0; e < p->edges.size; e++)
    if (p->edges.data[e].act == HD_ACT_ASSERT &&
        (b->options->assertion == HD_NO_ID || b->options->assertion == e))
      hd_vec_push(&b->out->asserts, e);
}

static void list_wakeups(builder *b) {
  /* Waking up may make new local states: those are in T already, because every
   * broadcast passed them on. */
  for (hd_state_id l = 0; l < hd_finite_n_local(b->x->f); l++) {
    hd_state_id woken = hd_finite_woken(b->x->f, l);
    if (woken != HD_NO_ID)
      hd_vec_push(&b->wakeups, ((hd_move){.from = l, .to = woken}));
  }
}

static bool fits(const builder *b, size_t n_shared, size_t n_local) {
  const explorer *x = b->x;
  return n_shared + b->halves.size + 2 <= HD_MAX_STATES &&
         n_local + b->out->asserts.size + 2 <= HD_MAX_STATES &&
         x->steps.size + b->halves.size + x->queue.size +
                 n_shared * x->init_local.size <=
             HD_MAX_STATES;
}

/* Edges of a program may do the same, such as both ends of an `if` that go to
 * one place; a .tts file has each edge once. Broadcasts do more than it shows. */
static void copy_steps(builder *b) {
  const hd_program *p = hd_finite_program(b->x->f);
  step_map seen = {0};
  for (hd_vec_each(const hd_extract_step, s, &b->x->steps)) {
    bool fresh = true;
    if (b->options->portable && p->edges.data[s->edge].act != HD_ACT_BROADCAST)
      step_map_put(&seen, s, 0, &fresh);
    if (fresh)
      hd_vec_push(&b->out->steps, *s);
  }
  step_map_free(&seen);
}

static void build(builder *b, size_t n_shared, size_t n_local) {
  explorer *x = b->x;
  hd_extract *out = b->out;
  size_t errors = out->asserts.size, halves = b->halves.size;
  bool ends = b->ended_place != HD_NO_ID;
  bool choose_shared = x->init_shared.size > 1;
  bool start = choose_shared || x->init_local.size > 1;
  b->start_shared = choose_shared ? (hd_shared_id)n_shared : HD_NO_ID;
  b->error_shared = (hd_shared_id)(n_shared + choose_shared);
  b->start_place = start ? (hd_place_id)n_local : x->init_local.data[0];
  b->error_place = (hd_place_id)(n_local + start);
  b->half_shared = b->error_shared + (errors > 0);
  if (ends)
    b->ended_place = (hd_place_id)(n_local + start + errors);
  out->start_place = b->start_place;
  out->net = hd_net_new(HD_FORMAT_TTS, hd_finite_program(x->f)->file,
                        (uint32_t)(b->half_shared + halves),
                        (uint32_t)(n_local + start + errors + ends));
  out->net->init_shared =
      choose_shared ? b->start_shared : x->init_shared.data[0];
  out->net->init[b->start_place] = b->options->threads;
  name_states(b);
  copy_steps(b);
  add_steps(b);
  add_halves(b);
  add_initial(b);
  add_violations(b);
  add_targets(b);
  hd_net_finish(out->net);
  assert(out->steps.size == out->net->trans.size);
}

hd_extract *hd_extractor_net(hd_extractor *x, const hd_extract_options *options,
                             hd_str *why) {
  hd_extract *out = hd_calloc(1, sizeof *out);
  out->finite = x->f;
  builder b = {.x = x, .out = out, .options = options};
  list_asserts(&b);
  list_wakeups(&b);
  list_halves(&b);
  size_t n_shared = hd_finite_n_shared(x->f), n_local = hd_finite_n_local(x->f);
  bool ok = fits(&b, n_shared, n_local);
  if (ok)
    build(&b, n_shared, n_local);
  else
    hd_str_puts(why, "the program has too many thread states to be written "
                     "down as a transition system");
  hd_vec_free(&b.wakeups);
  half_map_free(&b.halves);
  if (ok && hd_finite_stopped(x->f)) {
    hd_str_puts(why, "a limit was reached while the assertions were looked at");
    ok = false;
  }
  if (!ok) {
    hd_extract_delete(out);
    return NULL;
  }
  return out;
}

hd_extract *hd_extract_new(hd_finite *finite, const hd_extract_options *options,
                           hd_run *run, hd_str *why) {
  hd_finite_limit(finite, run);
  hd_extractor *x = hd_extractor_new(finite);
  hd_extract *out = NULL;
  if (explore(x, options->max_pairs, run))
    out = hd_extractor_net(x, options, why);
  else if (hd_run_check(run))
    hd_str_printf(why, "more than %zu thread states", options->max_pairs);
  else
    hd_str_puts(why, hd_run_why(run));
  hd_extractor_delete(x);
  hd_finite_limit(finite, NULL);
  return out;
}

void hd_extract_delete(hd_extract *extract) {
  if (!extract)
    return;
  hd_net_delete(extract->net);
  hd_vec_free(&extract->steps);
  hd_vec_free(&extract->asserts);
  hd_free(extract);
}

/* --- completeness --- */

typedef struct {
  const hd_extract *extract;
  step_map steps;
  link_map violations; /* (shared, local) of those in the net */
  pair now;
  bool complete;
} inspection;

static void inspect_step(void *context, const hd_finite_step *step) {
  inspection *in = context;
  hd_extract_step s = {.edge = step->edge,
                       .shared = in->now.shared,
                       .local = in->now.local,
                       .next_shared = step->shared,
                       .next_local = step->local,
                       .spawned = step->spawned};
  in->complete = in->complete && step_map_find(&in->steps, &s);
}

static void inspect_pair(inspection *in, hd_state_id shared,
                         hd_state_id local) {
  hd_finite *f = in->extract->finite;
  const hd_program *p = hd_finite_program(f);
  in->now = (pair){.shared = shared, .local = local};
  hd_finite_steps(f, shared, local, inspect_step, in);
  hd_loc_id loc = hd_finite_loc(f, local);
  for (uint32_t o = p->out_start[loc]; o < p->out_start[loc + 1]; o++) {
    size_t k;
    if (find_assert(in->extract, p->out[o], &k) &&
        hd_finite_violates(f, shared, local, p->out[o]) &&
        !link_map_find(&in->violations, (uint64_t)shared << 32 | local))
      in->complete = false;
  }
}

static void inspect_cover(inspection *in, const hd_cert *cover) {
  size_t n_shared = hd_finite_n_shared(in->extract->finite);
  size_t n_local = hd_finite_n_local(in->extract->finite);
  link_map done = {0};
  for (hd_vec_each(const hd_config, c, &cover->configs)) {
    hd_tokens v = hd_cert_view(cover, c);
    for (size_t i = 0; in->complete && i < v.size; i++) {
      hd_state_id local = v.data[i].place;
      bool fresh = false;
      if (c->shared < n_shared && local < n_local)
        link_map_put(&done, (uint64_t)c->shared << 32 | local, 0, &fresh);
      if (fresh)
        inspect_pair(in, c->shared, local);
    }
  }
  link_map_free(&done);
}

bool hd_extract_complete(const hd_extract *extract, const hd_cert *cover) {
  inspection in = {.extract = extract, .complete = true};
  for (hd_vec_each(const hd_extract_step, s, &extract->steps))
    if (s->kind == HD_FROM_EDGE)
      step_map_put(&in.steps, s, 0, NULL);
    else if (s->kind == HD_FROM_VIOLATED)
      link_map_put(&in.violations, (uint64_t)s->shared << 32 | s->local, 0,
                   NULL);
  size_t n_shared = hd_finite_n_shared(extract->finite);
  size_t n_local = hd_finite_n_local(extract->finite);
  /* A place that does not count holds anything. */
  in.complete = !cover->ignored.size;
  inspect_cover(&in, cover);
  step_map_free(&in.steps);
  link_map_free(&in.violations);
  /* Steps to states that the net does not have are not in it, either. */
  return in.complete && n_shared == hd_finite_n_shared(extract->finite) &&
         n_local == hd_finite_n_local(extract->finite);
}

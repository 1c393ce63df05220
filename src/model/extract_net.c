/* SPDX-License-Identifier: MIT */
/* The net of what was explored, and whether a net has all it should. */
#include "model/extract_impl.h"

#include <string.h>

typedef hd_extractor explorer;

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
  hd_links lines = {0};
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
    hd_links_put(&lines, line, 0, &fresh);
    hd_vec_clear(&name);
    hd_str_printf(&name, "violated@%u", line);
    if (!fresh)
      hd_str_printf(&name, ":%zu", k + 1);
    hd_net_name_place(net, b->error_place + (hd_place_id)k, hd_str_text(&name));
  }
  hd_links_free(&lines);
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
    hd_extract_pair at = x->queue.data[i];
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

/* --- completeness --- */

typedef struct {
  const hd_extract *extract;
  step_map steps;
  hd_links violations; /* (shared, local) of those in the net */
  hd_extract_pair now;
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
  in->now = (hd_extract_pair){.shared = shared, .local = local};
  hd_finite_steps(f, shared, local, inspect_step, in);
  hd_loc_id loc = hd_finite_loc(f, local);
  for (uint32_t o = p->out_start[loc]; o < p->out_start[loc + 1]; o++) {
    size_t k;
    if (find_assert(in->extract, p->out[o], &k) &&
        hd_finite_violates(f, shared, local, p->out[o]) &&
        !hd_links_find(&in->violations, (uint64_t)shared << 32 | local))
      in->complete = false;
  }
}

static void inspect_cover(inspection *in, const hd_cert *cover) {
  size_t n_shared = hd_finite_n_shared(in->extract->finite);
  size_t n_local = hd_finite_n_local(in->extract->finite);
  hd_links done = {0};
  for (hd_vec_each(const hd_config, c, &cover->configs)) {
    hd_tokens v = hd_cert_view(cover, c);
    for (size_t i = 0; in->complete && i < v.size; i++) {
      hd_state_id local = v.data[i].place;
      bool fresh = false;
      if (c->shared < n_shared && local < n_local)
        hd_links_put(&done, (uint64_t)c->shared << 32 | local, 0, &fresh);
      if (fresh)
        inspect_pair(in, c->shared, local);
    }
  }
  hd_links_free(&done);
}

bool hd_extract_complete(const hd_extract *extract, const hd_cert *cover) {
  inspection in = {.extract = extract, .complete = true};
  for (hd_vec_each(const hd_extract_step, s, &extract->steps))
    if (s->kind == HD_FROM_EDGE)
      step_map_put(&in.steps, s, 0, NULL);
    else if (s->kind == HD_FROM_VIOLATED)
      hd_links_put(&in.violations, (uint64_t)s->shared << 32 | s->local, 0,
                   NULL);
  size_t n_shared = hd_finite_n_shared(extract->finite);
  size_t n_local = hd_finite_n_local(extract->finite);
  /* A place that does not count holds anything. */
  in.complete = !cover->ignored.size;
  inspect_cover(&in, cover);
  step_map_free(&in.steps);
  hd_links_free(&in.violations);
  /* Steps to states that the net does not have are not in it, either. */
  return in.complete && n_shared == hd_finite_n_shared(extract->finite) &&
         n_local == hd_finite_n_local(extract->finite);
}

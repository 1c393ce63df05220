/* SPDX-License-Identifier: MIT */
#include "report/trace.h"

#include <string.h>

/* With more threads than this, numbers help nobody. */
enum { MAX_NUMBERED = 100000 };

struct hd_trace {
  const hd_net *net;
  const hd_witness *witness;
  size_t step;
  hd_shared_id shared;
  hd_count *count;    /* n_places */
  hd_token_vec shown; /* what hd_trace_tokens hands out */
  hd_u32s *threads;   /* n_places stacks of thread numbers, or NULL */
  hd_u32s place;      /* of each number; 0 is nobody's */
  uint32_t n_threads; /* numbers given so far */
  uint32_t mover;
};

static void settle(hd_trace *trace, hd_place_id place, uint32_t thread) {
  while (trace->place.size <= thread)
    hd_vec_push(&trace->place, HD_NOWHERE);
  trace->place.data[thread] = place;
  if (place != HD_NOWHERE)
    hd_vec_push(&trace->threads[place], thread);
}

static void number_threads(hd_trace *trace) {
  hd_tokens init = hd_token_vec_view(&trace->witness->init);
  if (trace->net->format != HD_FORMAT_TTS ||
      hd_tokens_total(init) > MAX_NUMBERED)
    return;
  trace->threads = hd_calloc(trace->net->n_places, sizeof *trace->threads);
  for (size_t i = 0; i < init.size; i++) {
    hd_count n = init.data[i].count;
    for (hd_count k = n; k; k--)
      settle(trace, init.data[i].place, trace->n_threads + k);
    trace->n_threads += n;
  }
}

hd_trace *hd_trace_new(const hd_net *net, const hd_witness *witness) {
  hd_trace *trace = hd_calloc(1, sizeof *trace);
  trace->net = net;
  trace->witness = witness;
  trace->shared = net->init_shared;
  trace->count = hd_calloc(net->n_places, sizeof *trace->count);
  for (hd_vec_each(const hd_token, t, &witness->init))
    if (t->place < net->n_places)
      trace->count[t->place] = t->count;
  number_threads(trace);
  return trace;
}

static void forget_threads(hd_trace *trace) {
  for (hd_place_id p = 0; trace->threads && p < trace->net->n_places; p++)
    hd_vec_free(&trace->threads[p]);
  hd_free(trace->threads);
  trace->threads = NULL;
  trace->mover = 0;
  hd_vec_free(&trace->place);
}

void hd_trace_delete(hd_trace *trace) {
  if (!trace)
    return;
  forget_threads(trace);
  hd_vec_free(&trace->shown);
  hd_free(trace->count);
  hd_free(trace);
}

static bool enabled(const hd_trace *trace, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(trace->net, t), caps = hd_net_caps(trace->net, t);
  if (trace->net->trans.data[t].from != trace->shared)
    return false;
  for (size_t i = 0; i < pre.size; i++)
    if (trace->count[pre.data[i].place] < pre.data[i].count)
      return false;
  for (size_t i = 0; i < caps.size; i++)
    if (trace->count[caps.data[i].place] > caps.data[i].count)
      return false;
  return true;
}

/* How many of the `there` tokens in the source of a move take it. A place with
 * one move sends all of them; otherwise the step's choices say. */
static hd_count takers(const hd_trace *trace, const hd_step *step, hd_move move,
                       size_t siblings, hd_count there) {
  if (siblings == 1)
    return there;
  for (uint32_t i = 0; i < step->choices.size; i++) {
    hd_choice c = trace->witness->choices.data[step->choices.start + i];
    if (c.from == move.from && c.to == move.to)
      return c.count;
  }
  return 0;
}

static void move_threads(hd_trace *trace, hd_u32s *pool, hd_place_id to,
                         hd_count n) {
  for (; n && pool->size; n--)
    settle(trace, to, hd_vec_pop(pool));
}

/* Tokens and thread numbers on their way: out of every source first, then into
 * the destinations, because all moves happen at once. */
static bool fire_moves(hd_trace *trace, const hd_step *step) {
  const hd_move *moves = hd_net_moves(trace->net, step->trans);
  size_t n = trace->net->trans.data[step->trans].moves.size;
  if (!n)
    return true;
  hd_count *flow = hd_calloc(n, sizeof *flow);
  hd_u32s *pool = hd_calloc(n, sizeof *pool);
  bool ok = true;
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i; end < n && moves[end].from == moves[i].from;)
      end++;
    hd_count there = trace->count[moves[i].from], left = there;
    for (size_t k = i; k < end; k++) {
      flow[k] = takers(trace, step, moves[k], end - i, there);
      ok = ok && flow[k] <= left;
      left -= ok ? flow[k] : 0;
    }
    ok = ok && !left;
    trace->count[moves[i].from] = 0;
    if (trace->threads) {
      pool[i] = trace->threads[moves[i].from];
      trace->threads[moves[i].from] = (hd_u32s){0};
    }
    for (size_t k = i + 1; k < end; k++)
      while (trace->threads && pool[k].size < flow[k] && pool[i].size)
        hd_vec_push(&pool[k], hd_vec_pop(&pool[i]));
  }
  for (size_t i = 0; i < n; i++) {
    if (trace->threads)
      move_threads(trace, &pool[i], moves[i].to, flow[i]);
    if (moves[i].to != HD_NOWHERE)
      trace->count[moves[i].to] =
          hd_count_add(trace->count[moves[i].to], flow[i]);
    hd_vec_free(&pool[i]);
  }
  hd_free(flow);
  hd_free(pool);
  return ok;
}

/* Takes the mover out of its local state before the others are moved. */
static void lift_mover(hd_trace *trace, hd_tokens pre) {
  trace->mover = 0;
  if (!trace->threads)
    return;
  if (hd_tokens_total(pre) > 1 ||
      (pre.size && !trace->threads[pre.data[0].place].size))
    forget_threads(trace);
  else if (pre.size)
    trace->mover = hd_vec_pop(&trace->threads[pre.data[0].place]);
}

/* Puts the mover where it goes: where it was, if it spawned another thread.
 * New threads get fresh numbers. */
static void set_mover(hd_trace *trace, hd_tokens pre, hd_tokens post) {
  if (!trace->threads)
    return;
  hd_place_id home = HD_NOWHERE;
  if (trace->mover && post.size)
    home = hd_tokens_at(post, pre.data[0].place) ? pre.data[0].place
                                                 : post.data[0].place;
  for (size_t i = 0; i < post.size; i++)
    for (hd_count n = post.data[i].count; n; n--) {
      bool self = post.data[i].place == home && n == 1;
      uint32_t id = self ? trace->mover : ++trace->n_threads;
      settle(trace, post.data[i].place, id);
    }
  if (trace->mover && home == HD_NOWHERE)
    settle(trace, HD_NOWHERE, trace->mover);
}

bool hd_trace_next(hd_trace *trace) {
  if (trace->step == trace->witness->steps.size)
    return false;
  const hd_net *net = trace->net;
  const hd_step *step = &trace->witness->steps.data[trace->step];
  if (step->trans >= net->trans.size || !enabled(trace, step->trans))
    return false;
  hd_tokens pre = hd_net_pre(net, step->trans);
  hd_tokens post = hd_net_post(net, step->trans);
  for (size_t i = 0; i < pre.size; i++)
    trace->count[pre.data[i].place] -= pre.data[i].count;
  lift_mover(trace, pre);
  if (!fire_moves(trace, step))
    return false;
  for (size_t i = 0; i < post.size; i++)
    trace->count[post.data[i].place] =
        hd_count_add(trace->count[post.data[i].place], post.data[i].count);
  set_mover(trace, pre, post);
  trace->shared = net->trans.data[step->trans].to;
  trace->step++;
  return true;
}

size_t hd_trace_step(const hd_trace *trace) {
  return trace->step;
}

hd_shared_id hd_trace_shared(const hd_trace *trace) {
  return trace->shared;
}

hd_tokens hd_trace_tokens(hd_trace *trace) {
  hd_vec_clear(&trace->shown);
  for (hd_place_id p = 0; p < trace->net->n_places; p++)
    if (trace->count[p])
      hd_vec_push(&trace->shown,
                  ((hd_token){.place = p, .count = trace->count[p]}));
  return hd_token_vec_view(&trace->shown);
}

hd_count hd_trace_count(const hd_trace *trace, hd_place_id place) {
  return trace->count[place];
}

uint32_t hd_trace_threads(const hd_trace *trace) {
  return trace->threads ? trace->n_threads : 0;
}

hd_place_id hd_trace_place(const hd_trace *trace, uint32_t thread) {
  return thread < trace->place.size ? trace->place.data[thread] : HD_NOWHERE;
}

uint32_t hd_trace_thread(const hd_trace *trace) {
  return trace->mover;
}

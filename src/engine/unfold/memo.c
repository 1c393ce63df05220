/* SPDX-License-Identifier: MIT */
/* Segments that were analysed before.
 *
 * Most histories differ in what other threads have done, so the same thread goes
 * on from the same place with the same registers again and again. What a segment
 * does depends on these, and on the part of memory it reads; that is noted while
 * it runs (domain/reads.h). When another segment of the thread begins in the same
 * frame, with a memory that agrees on that part, its stops are the old ones, with
 * what was written and learnt done to the new memory (hd_memory_replay).
 *
 * A segment that raised an alarm is not remembered: alarms are about histories.
 * Nor is any where inputs are variables, which have names of their own in every
 * segment, and where the history's condition decides which ways there are.
 * Neither is one that was not finished, or when there are relations, which are
 * about all of memory. What else segments depend on may change while an unfolding
 * is made: which objects contain locks or have addresses that were passed on. Only
 * what was found out with as many of them (`marks`) counts. */
#include "engine/unfold/event.h"

enum { MAX_ALIKE = 12, MAX_SEGMENTS = 20000 };

typedef struct {
  thread_id thread;
  local start;
  hd_stamp stamp;
  hd_reads reads;
  stops stops;
  touches touches;
  size_t marks, steps;
} old_segment;

#define HD_MAP alike_map
#define HD_KEY uint64_t
#define HD_VAL hd_u32s
#define HD_HASH(k) (k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

struct memo {
  hd_vec(old_segment) segments;
  alike_map alike;
};

memo *hd_memo_new(void) {
  return hd_calloc(1, sizeof(memo));
}

static void stops_clear(stops *list) {
  for (hd_vec_each(stop, x, list))
    hd_local_free(&x->state);
  hd_vec_clear(list);
}

static void forget(old_segment *o) {
  hd_local_free(&o->start);
  hd_reads_free(&o->reads);
  stops_clear(&o->stops);
  hd_vec_free(&o->stops);
  hd_vec_free(&o->touches);
}

void hd_memo_delete(memo *m) {
  if (!m)
    return;
  for (hd_vec_each(old_segment, o, &m->segments))
    forget(o);
  for (size_t i = 0; i < m->alike.size; i++)
    hd_vec_free(&m->alike.items[i].val);
  alike_map_free(&m->alike);
  hd_vec_free(&m->segments);
  hd_free(m);
}

static uint64_t hash_of(thread_id thread, const frame *top) {
  uint64_t h = hd_hash_mix(thread, hd_frame_hash_control(top));
  for (const frame *f = top; f; f = f->below)
    for (uint32_t i = 0; i < f->n_regs; i++)
      h = hd_hash_mix(h, hd_value_hash(&f->regs[i]));
  return h;
}

static bool is_same_frame(const hd_code *code, const frame *a, const frame *b) {
  return hd_frame_same_control(a, b) && hd_frame_within(code, a, b) &&
         hd_frame_within(code, b, a);
}

/* The old segment's results from another start; false: they cannot be told. */
static bool repeat(const old_segment *o, hd_memory *start, hd_stamp stamp,
                   stops *out, touches *seen) {
  for (hd_vec_each(const stop, x, &o->stops)) {
    stop fresh = {
        x->edge, {hd_frame_keep(x->state.top), NULL, NULL}, x->result};
    fresh.state.memory = hd_memory_replay(start, o->start.memory,
                                          x->state.memory, o->stamp, stamp);
    hd_vec_push(out, fresh);
    if (!fresh.state.memory) {
      stops_clear(out);
      return false;
    }
  }
  for (hd_vec_each(const touch, t, &o->touches))
    hd_vec_push(seen, *t);
  return true;
}

/* Runs it, and says whether the results may be used again. */
static bool run_watched(analysis *a, old_segment *o, stops *out,
                        touches *seen) {
  size_t alarms = a->alarms, steps = a->steps;
  o->marks = a->marks;
  local start = hd_local_copy(&o->start);
  hd_memory_watch(&start.memory, &o->reads);
  hd_segment_run(a, o->thread, start, o->stamp, out, seen);
  for (hd_vec_each(stop, x, out))
    hd_memory_watch(&x->state.memory, NULL);
  o->steps = a->steps - steps;
  return a->alarms == alarms && o->marks == a->marks && !a->gave_up &&
         !o->reads.too_many && !a->has_alloca && hd_run_check(a->run);
}

static void remember(memo *m, hd_u32s *list, old_segment o, const stops *out,
                     const touches *seen) {
  assert(m->segments.size < MAX_SEGMENTS && list->size < MAX_ALIKE);
  for (hd_vec_each(const stop, x, out)) {
    stop copy = {x->edge, hd_local_copy(&x->state), x->result};
    hd_vec_push(&o.stops, copy);
  }
  for (hd_vec_each(const touch, t, seen))
    hd_vec_push(&o.touches, *t);
  hd_vec_push(list, (uint32_t)m->segments.size);
  hd_vec_push(&m->segments, o);
}

void hd_memo_run(memo *m, analysis *a, thread_id thread, local start,
                 hd_stamp stamp, stops *out, touches *seen) {
  assert(start.top && start.memory);
  if (a->relate || a->has_alloca || a->options->no_memo ||
      a->options->domain == HD_DOMAIN_CONCRETE) {
    hd_segment_run(a, thread, start, stamp, out, seen);
    return;
  }
  hd_u32s none = {0};
  hd_u32s *list =
      alike_map_put(&m->alike, hash_of(thread, start.top), none, NULL);
  for (hd_vec_each(const uint32_t, i, list)) {
    const old_segment *o = &m->segments.data[*i];
    if (o->thread == thread && o->marks == a->marks &&
        is_same_frame(a->code, o->start.top, start.top) &&
        hd_memory_agrees(o->start.memory, start.memory, &o->reads) &&
        repeat(o, start.memory, stamp, out, seen)) {
      a->steps += o->steps;
      a->result->memo_hits++;
      hd_local_free(&start);
      return;
    }
  }
  old_segment fresh = {
      .thread = thread, .start = start, .stamp = stamp, .reads.stamp = stamp};
  if (run_watched(a, &fresh, out, seen) && list->size < MAX_ALIKE &&
      m->segments.size < MAX_SEGMENTS)
    remember(m, list, fresh, out, seen);
  else
    forget(&fresh);
}

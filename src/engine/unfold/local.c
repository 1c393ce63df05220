/* SPDX-License-Identifier: MIT */
/* A segment: what one thread does on its own from an event to its next ones.
 *
 * A worklist fixpoint over the thread's positions. A position is the stack of
 * locations the thread is at, and the round of each loop it is in, up to a bound:
 * rounds are kept apart (trace partitioning), so that loops with few rounds are
 * followed exactly. States are kept only where paths meet, a few of them apart at
 * each position, so that flags that are set on one path and tested later are no
 * problem either. When there are more, the two that differ least are joined, and
 * after some joins widened, which ends every loop. A state that is within one
 * seen before is dropped. Positions are taken in the order in which the program
 * comes to them, so that states meet before they go on.
 *
 * The segment ends at visible actions; there the states are joined again, one a
 * place and object, because every one becomes an event of its own. */
#include "base/bitset.h"
#include "engine/unfold/apart.h"
#include "engine/unfold/relate.h"
#include "engine/unfold/runs.h"
#include "engine/unfold/segment.h"
#include "engine/unfold/split.h"

enum { MAX_RELATED_JOINS = 40 };

typedef struct {
  local state;
  bool pending; /* to be followed from here */
} kept;

typedef struct {
  frame *control; /* which position it is */
  hd_u32s order;  /* compared as words: what comes first */
  hd_vec(kept) states;
  uint32_t joins;
  bool pending; /* one of the states is */
} node;

#define HD_MAP node_map
#define HD_KEY uint64_t
#define HD_VAL hd_u32s
#define HD_HASH(k) (k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef struct {
  segment s;
  node_map index; /* hash of control -> nodes */
  hd_vec(node) nodes;
  hd_u32s pending; /* those of the nodes that are */
} fixpoint;

/* --- the places where states are kept --- */

/* Outermost frame first: the rounds of its loops, then where it is. */
static void order_of(const segment *s, const frame *f, hd_u32s *out) {
  if (!f)
    return;
  order_of(s, f->below, out);
  const hd_code *code = s->a->code;
  for (uint32_t i = 0; i < f->n_rounds; i++) {
    assert(f->rounds[i].loop < code->loops.size);
    hd_loc_id head = code->loops.data[f->rounds[i].loop].head;
    hd_vec_push(out, s->a->order[head]);
    hd_vec_push(out, f->rounds[i].count);
  }
  hd_vec_push(out, s->a->order[f->loc]);
}

static bool comes_first(const node *x, const node *y) {
  for (size_t i = 0; i < x->order.size && i < y->order.size; i++)
    if (x->order.data[i] != y->order.data[i])
      return x->order.data[i] < y->order.data[i];
  return x->order.size < y->order.size;
}

static node *node_at(fixpoint *f, frame *control) {
  bool fresh;
  hd_u32s none = {0};
  uint64_t hash = hd_frame_hash_control(control);
  for (uint32_t i = 0; i < control->n_rounds; i++)
    hash = hd_hash_mix(hash, control->rounds[i].count);
  hd_u32s *list = node_map_put(&f->index, hash, none, &fresh);
  for (hd_vec_each(const uint32_t, i, list))
    if (hd_frame_same_control(f->nodes.data[*i].control, control) &&
        hd_frame_same_rounds(f->nodes.data[*i].control, control))
      return &f->nodes.data[*i];
  node n = {.control = hd_frame_keep(control)};
  order_of(&f->s, control, &n.order);
  hd_vec_push(list, (uint32_t)f->nodes.size);
  hd_vec_push(&f->nodes, n);
  return &hd_vec_last(&f->nodes);
}

/* How many registers are constants in both, but different ones. */
static uint32_t difference(const frame *x, const frame *y) {
  uint32_t n = 0;
  uint64_t a, b;
  for (; x != y; x = x->below, y = y->below)
    for (uint32_t i = 0; i < x->n_regs; i++)
      n += hd_value_is_const(&x->regs[i], &a) &&
           hd_value_is_const(&y->regs[i], &b) && a != b;
  return n;
}

/* A state (taken over) has come to a meeting place. */
static void arrive(fixpoint *f, local l) {
  segment *s = &f->s;
  const hd_code *code = s->a->code;
  node *n = node_at(f, l.top);
  for (hd_vec_each(const kept, old, &n->states))
    if (hd_local_within(code, &l, &old->state)) {
      hd_local_free(&l);
      return;
    }
  if (!n->pending)
    hd_vec_push(&f->pending, (uint32_t)(n - f->nodes.data));
  n->pending = true;
  if (n->states.size < s->a->partition) {
    kept fresh = {l, true};
    hd_vec_push(&n->states, fresh);
    return;
  }
  assert(n->states.size == s->a->partition);
  kept *best = n->states.data;
  uint32_t least = UINT32_MAX;
  for (hd_vec_each(kept, old, &n->states)) {
    uint32_t d = difference(old->state.top, l.top) +
                 16 * hd_apart_difference(s->a, &old->state, &l);
    if (d < least) {
      least = d;
      best = old;
    }
  }
  bool widen = n->joins++ >= s->a->widen;
  local both =
      hd_local_join(s, &best->state, &l, widen ? &s->a->widening : NULL);
  s->widened = s->widened || widen;
  /* Intervals end; what they tell relations may keep those moving. */
  if (s->a->relate && n->joins > s->a->widen + MAX_RELATED_JOINS)
    hd_relate_nothing(&both);
  hd_local_free(&best->state);
  hd_local_free(&l);
  best->state = both;
  best->pending = true;
}

/* Is this the end? Counts steps. */
static bool must_end(segment *s) {
  size_t most = s->a->options->max_steps;
  if (++s->a->steps > most && most)
    hd_analysis_give_up(s->a, HD_NO_ID, "more than %zu steps", most);
  return s->a->gave_up || !hd_run_tick(s->a->run);
}

/* All edges that `l` may take; true: the first of them took it further. */
static bool take_all(segment *s, local *l) {
  const hd_code *code = s->a->code;
  hd_loc_id loc = l->top->loc;
  assert(code->out_start[loc] < code->out_start[loc + 1]);
  uint32_t first = code->out_start[loc], end = code->out_start[loc + 1];
  for (uint32_t i = end - 1; i > first; i--) {
    local other = hd_local_copy(l);
    if (hd_segment_take(s, &other, code->out[i]))
      hd_vec_push(&s->work, other);
  }
  return hd_segment_take(s, l, code->out[first]);
}

/* Follows one state until it is at a meeting place or stops; the ways of a branch
 * go to the worklist. `leave`: it stands at a meeting place that it now leaves. */
static void follow(fixpoint *f, local l, bool leave) {
  segment *s = &f->s;
  for (;; leave = false) {
    if (must_end(s)) {
      hd_local_free(&l);
      return;
    }
    hd_facts_see(s->a, &l);
    if (!leave && hd_bits_test(s->a->meets, l.top->loc)) {
      arrive(f, l);
      return;
    }
    if (!take_all(s, &l))
      return;
  }
}

/* The same without meeting places: nothing is joined. A loop that comes to the
 * same state again does so for ever; it is found by comparing with a state that
 * is replaced after 1, 2, 4 … rounds (Brent). */
static void follow_exactly(segment *s, local l) {
  const hd_code *code = s->a->code;
  local saved = {NULL, NULL, NULL};
  uint64_t rounds = 0, next = 1;
  for (;;) {
    bool again = false;
    if (code->locs.data[l.top->loc].loop != HD_NO_ID) {
      hd_frame_forget_dead(code, s->a->live, &l.top);
      again = saved.top && hd_frame_same_control(l.top, saved.top) &&
              hd_local_within(code, &l, &saved) &&
              hd_local_within(code, &saved, &l);
      if (++rounds == next) {
        if (saved.top)
          hd_local_free(&saved);
        saved = hd_local_copy(&l);
        next *= 2;
      }
    }
    if (again || must_end(s)) {
      hd_local_free(&l);
      break;
    }
    hd_facts_see(s->a, &l);
    if (!take_all(s, &l))
      break;
  }
  if (saved.top)
    hd_local_free(&saved);
}

/* All that is on the way, up to the next meeting places. */
static void settle(fixpoint *f) {
  segment *s = &f->s;
  while (s->work.size)
    if (hd_segment_exact(s))
      follow_exactly(s, hd_vec_pop(&s->work));
    else
      follow(f, hd_vec_pop(&s->work), false);
}

/* Takes the node that comes first, the older one of equals, off the list. */
static node *next_node(fixpoint *f) {
  hd_u32s *list = &f->pending;
  size_t best = 0;
  for (size_t i = 1; i < list->size; i++) {
    const node *n = &f->nodes.data[list->data[i]];
    const node *b = &f->nodes.data[list->data[best]];
    if (comes_first(n, b) || (n < b && !comes_first(b, n)))
      best = i;
  }
  if (!list->size)
    return NULL;
  node *found = &f->nodes.data[list->data[best]];
  list->data[best] = hd_vec_last(list);
  list->size--;
  return found;
}

static void leave_node(fixpoint *f, node *n) {
  assert(n->pending);
  n->pending = false;
  size_t at = (size_t)(n - f->nodes.data);
  for (size_t i = 0; i < f->nodes.data[at].states.size; i++) {
    kept *k = &f->nodes.data[at].states.data[i];
    if (!k->pending)
      continue;
    k->pending = false;
    follow(f, hd_local_copy(&k->state), true);
    settle(f);
  }
}

void hd_segment_run(analysis *a, thread_id thread, local start, hd_stamp stamp,
                    stops *out, touches *seen) {
  assert(start.top && start.memory);
  fixpoint f = {
      .s = {
          .a = a, .thread = thread, .stamp = stamp, .out = out, .seen = seen}};
  f.s.before = hd_memory_keep(start.memory);
  hd_frame_forget_rounds(&start.top);
  if (hd_segment_exact(&f.s))
    hd_split_start(a, start, &f.s.work);
  else
    hd_vec_push(&f.s.work, start);
  settle(&f);
  for (node *n; (n = next_node(&f)) != NULL;)
    leave_node(&f, n);
  for (hd_vec_each(node, n, &f.nodes)) {
    for (hd_vec_each(kept, k, &n->states))
      hd_local_free(&k->state);
    hd_vec_free(&n->states);
    hd_vec_free(&n->order);
    hd_frame_drop(n->control);
  }
  for (size_t i = 0; i < f.index.size; i++)
    hd_vec_free(&f.index.items[i].val);
  node_map_free(&f.index);
  hd_vec_free(&f.nodes);
  hd_vec_free(&f.pending);
  hd_vec_free(&f.s.work);
  hd_memory_drop(f.s.before);
}

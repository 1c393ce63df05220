/* SPDX-License-Identifier: MIT */
/* What processes that stand before an operation can do, and doing it: messages
 * are delivered and matched here.
 *
 * Receives are matched when their process waits for them, not before: a message
 * that is there stays there, so waiting only adds choices. A receive takes from
 * each source the first message that fits it, unless a receive that was posted
 * earlier fits it too and has none yet. */
#include "engine/lise/mpi.h"

#include <string.h>

/* --- matching --- */

static bool fits(const hd_lise_request *r, const hd_lise_message *m) {
  return r->code && !r->is_send && !r->done && r->comm == m->comm &&
         (r->peer == HD_MPI_ANY_SOURCE || r->peer == m->source_rank) &&
         (r->tag == HD_MPI_ANY_TAG || r->tag == m->tag);
}

/* The first message from a source that request `number` can take, or none
 * (HD_NO_ID). `source`: rank in the request's communicator. */
static uint32_t find_message(const hd_lise_state *state, hd_proc p,
                             uint32_t number, int32_t source) {
  const hd_lise_proc *me = state->procs.data[p];
  const hd_lise_request *r = &me->requests.data[number];
  for (uint32_t i = 0; i < state->messages.size; i++) {
    const hd_lise_message *m = state->messages.data[i];
    if (m->dest != (int32_t)p || m->source_rank != source || !fits(r, m))
      continue;
    for (size_t k = 0; k < me->requests.size; k++) {
      const hd_lise_request *other = &me->requests.data[k];
      if (other->order < r->order && fits(other, m))
        return HD_NO_ID;
    }
    return i;
  }
  return HD_NO_ID;
}

/* A receive from anybody that only one process could still serve is one from
 * that process. */
static bool open_source(const hd_lise_state *state, hd_proc p,
                        const hd_lise_request *r) {
  if (r->peer != HD_MPI_ANY_SOURCE)
    return false;
  const hd_lise_comm *c = state->comms.data[r->comm];
  uint32_t senders = 0;
  for (size_t q = 0; q < c->members.size; q++) {
    hd_proc from = c->members.data[q];
    bool can = from != p && !state->procs.data[from]->ended;
    for (size_t i = 0; i < state->messages.size && !can; i++)
      can = state->messages.data[i]->dest == (int32_t)p &&
            state->messages.data[i]->source == (int32_t)from;
    senders += can;
  }
  return senders > 1;
}

/* One thing a waiting process can do. */
typedef struct {
  uint32_t request; /* HD_NO_ID: go on without a message (or say no) */
  uint32_t message; /* HD_NO_ID: it is done already, or a buffered send */
  uint32_t slot;    /* which of op.requests, for …any */
} way;
typedef hd_vec(way) ways;

static void sources_of(const hd_lise_state *state, hd_proc p, uint32_t number,
                       uint32_t slot, ways *out) {
  const hd_lise_request *r = &state->procs.data[p]->requests.data[number];
  int32_t size = (int32_t)state->comms.data[r->comm]->members.size;
  for (int32_t q = 0; q < size; q++) {
    if (r->peer != HD_MPI_ANY_SOURCE && r->peer != q)
      continue;
    uint32_t m = find_message(state, p, number, q);
    if (m != HD_NO_ID)
      hd_vec_push(out, ((way){number, m, slot}));
  }
}

static bool all_done(const hd_lise_proc *me, bool *sends_left, bool *blocked) {
  bool receives = true;
  *sends_left = *blocked = false;
  for (size_t i = 0; i < me->op.requests.size; i++) {
    if (me->op.requests.data[i] == HD_NO_ID)
      continue;
    const hd_lise_request *r = &me->requests.data[me->op.requests.data[i]];
    if (r->done)
      continue;
    if (!r->is_send)
      receives = false;
    else if (r->sync)
      *blocked = true;
    else
      *sends_left = true;
  }
  return receives;
}

/* Receives that have to be matched before the process can go on, and those
 * posted before them. */
static void pending(const hd_lise_proc *me, hd_u32s *out) {
  uint32_t last = 0;
  bool any = false;
  for (size_t i = 0; i < me->op.requests.size; i++) {
    if (me->op.requests.data[i] == HD_NO_ID)
      continue;
    const hd_lise_request *r = &me->requests.data[me->op.requests.data[i]];
    if (r->done || r->is_send)
      continue;
    any = true;
    if (r->order > last)
      last = r->order;
  }
  for (uint32_t i = 0; any && i < me->requests.size; i++) {
    const hd_lise_request *r = &me->requests.data[i];
    if (r->code && !r->is_send && !r->done && r->order <= last)
      hd_vec_push(out, i);
  }
}

/* MPI_Wait and friends. `fixed`: one match without a choice. */
static void wait_ways(const hd_lise_state *state, hd_proc p, ways *out,
                      hd_lise_ready *ready) {
  const hd_lise_proc *me = state->procs.data[p];
  bool sends_left, blocked;
  if (all_done(me, &sends_left, &blocked)) {
    if (blocked)
      return;
    hd_vec_push(out, ((way){HD_NO_ID, HD_NO_ID, 0}));
    ready->local = !sends_left;
    ready->send = sends_left;
    return;
  }
  hd_u32s list = {0};
  pending(me, &list);
  for (size_t i = 0; i < list.size; i++)
    if (!open_source(state, p, &me->requests.data[list.data[i]])) {
      sources_of(state, p, list.data[i], 0, out);
      if (out->size) { /* nobody else can take it, nothing else changes it */
        ready->receive = true;
        hd_vec_free(&list);
        return;
      }
    } else {
      ready->wildcard = true;
    }
  for (size_t i = 0; i < list.size; i++)
    sources_of(state, p, list.data[i], 0, out);
  ready->receive = true;
  hd_vec_free(&list);
}

static void any_ways(const hd_lise_state *state, hd_proc p, ways *out) {
  const hd_lise_proc *me = state->procs.data[p];
  for (uint32_t i = 0; i < me->op.requests.size; i++) {
    uint32_t number = me->op.requests.data[i];
    if (number == HD_NO_ID)
      continue;
    const hd_lise_request *r = &me->requests.data[number];
    if (r->done || (r->is_send && !r->sync))
      hd_vec_push(out, ((way){number, HD_NO_ID, i}));
    else if (!r->is_send)
      sources_of(state, p, number, i, out);
  }
}

static void probe_ways(const hd_lise_state *state, hd_proc p, ways *out) {
  const hd_lise_proc *me = state->procs.data[p];
  int32_t size = (int32_t)state->comms.data[me->op.comm]->members.size;
  for (int32_t q = 0; q < size; q++) {
    if (me->op.source != HD_MPI_ANY_SOURCE && me->op.source != q)
      continue;
    for (uint32_t i = 0; i < state->messages.size; i++) {
      const hd_lise_message *m = state->messages.data[i];
      if (m->dest == (int32_t)p && m->source_rank == q &&
          m->comm == me->op.comm &&
          (me->op.tag == HD_MPI_ANY_TAG || me->op.tag == m->tag)) {
        hd_vec_push(out, ((way){HD_NO_ID, i, 0}));
        break;
      }
    }
  }
}

/* Can everything that is waited for be completed now? */
static bool testable(const hd_lise_state *state, hd_proc p) {
  const hd_lise_proc *me = state->procs.data[p];
  for (size_t i = 0; i < me->op.requests.size; i++) {
    if (me->op.requests.data[i] == HD_NO_ID)
      continue;
    const hd_lise_request *r = &me->requests.data[me->op.requests.data[i]];
    if (!r->done && (!r->is_send || r->sync))
      return false;
  }
  (void)p;
  return true;
}

/* Is there nothing to wait for? */
static bool all_null(const hd_lise_proc *me) {
  for (size_t i = 0; i < me->op.requests.size; i++)
    if (me->op.requests.data[i] != HD_NO_ID)
      return false;
  return true;
}

/* MPI_Test: match one more message, say yes, or say no. */
static void test_ways(const hd_lise_state *state, hd_proc p, ways *out) {
  const hd_lise_proc *me = state->procs.data[p];
  hd_u32s list = {0};
  pending(me, &list);
  for (size_t i = 0; i < list.size; i++)
    sources_of(state, p, list.data[i], 1, out);
  if (testable(state, p))
    hd_vec_push(out, ((way){HD_NO_ID, HD_NO_ID, 1})); /* yes */
  if (!all_null(me))
    hd_vec_push(out, ((way){HD_NO_ID, HD_NO_ID, 0})); /* no */
  hd_vec_free(&list);
}

static void ways_of(const hd_lise_state *state, hd_proc p, ways *out,
                    hd_lise_ready *ready) {
  switch (state->procs.data[p]->op.kind) {
  case HD_LISE_OP_WAIT:
    wait_ways(state, p, out, ready);
    return;
  case HD_LISE_OP_WAITANY:
    any_ways(state, p, out);
    ready->receive = ready->wildcard = true;
    if (!all_null(state->procs.data[p]))
      return;
    hd_vec_push(out, ((way){HD_NO_ID, HD_NO_ID, 0}));
    ready->local = true;
    return;
  case HD_LISE_OP_TESTANY:
    any_ways(state, p, out);
    hd_vec_push(out, ((way){HD_NO_ID, HD_NO_ID, 0}));
    ready->receive = ready->wildcard = true;
    return;
  case HD_LISE_OP_TEST:
    test_ways(state, p, out);
    ready->receive = ready->wildcard = true;
    return;
  case HD_LISE_OP_PROBE:
    probe_ways(state, p, out);
    ready->receive = true;
    ready->wildcard = state->procs.data[p]->op.source == HD_MPI_ANY_SOURCE;
    return;
  case HD_LISE_OP_IPROBE:
    probe_ways(state, p, out);
    hd_vec_push(out, ((way){HD_NO_ID, HD_NO_ID, 0}));
    ready->receive = ready->wildcard = true;
    return;
  default:
    hd_bug("no ways of operation %d", state->procs.data[p]->op.kind);
  }
}

/* --- who can do what --- */

/* The receive, in the order of posting, that a message gets when those in
 * `taken` have theirs; HD_NO_ID = none. */
static uint32_t receive_for(const hd_lise_state *state,
                            const hd_lise_message *m, const hd_u32s *taken) {
  const hd_lise_proc *to = state->procs.data[m->dest];
  uint32_t first = HD_NO_ID;
  for (uint32_t i = 0; i < to->requests.size; i++) {
    bool gone = !fits(&to->requests.data[i], m);
    for (size_t k = 0; k < taken->size; k++)
      gone = gone || taken->data[k] == i;
    if (!gone && (first == HD_NO_ID ||
                  to->requests.data[i].order < to->requests.data[first].order))
      first = i;
  }
  return first;
}

/* Is somebody waiting for this message? 2: with a fixed source. A receive that
 * an earlier message of the same sender will get does not count. */
static int awaited(const hd_lise_state *state, const hd_lise_message *m) {
  const hd_lise_proc *to = state->procs.data[m->dest];
  hd_u32s taken = {0};
  for (size_t i = 0; i < state->messages.size; i++) {
    const hd_lise_message *before = state->messages.data[i];
    if (before == m)
      break;
    if (before->source != m->source || before->dest != m->dest)
      continue;
    uint32_t by = receive_for(state, before, &taken);
    if (by != HD_NO_ID)
      hd_vec_push(&taken, by);
  }
  uint32_t mine = receive_for(state, m, &taken);
  hd_vec_free(&taken);
  return mine == HD_NO_ID                                                 ? 0
         : open_source(state, (hd_proc)m->dest, &to->requests.data[mine]) ? 1
                                                                          : 2;
}

/* A wait that only buffers let through: is every message awaited? */
static int sends_awaited(const hd_lise_state *state, hd_proc p) {
  const hd_lise_proc *me = state->procs.data[p];
  int least = 2;
  for (size_t i = 0; i < me->op.requests.size; i++) {
    uint32_t number = me->op.requests.data[i];
    if (number == HD_NO_ID || me->requests.data[number].done ||
        !me->requests.data[number].is_send)
      continue;
    for (size_t k = 0; k < state->messages.size; k++) {
      const hd_lise_message *m = state->messages.data[k];
      if (m->source == (int32_t)p && m->request == number + 1) {
        int how = awaited(state, m);
        if (how < least)
          least = how;
      }
    }
  }
  return least;
}

hd_lise_ready hd_lise_ready_of(const hd_lise *l, const hd_lise_state *state,
                               hd_proc p) {
  const hd_lise_proc *me = state->procs.data[p];
  hd_lise_ready ready = {0};
  (void)l;
  if (me->ended)
    return ready;
  int how;
  ways list = {0};
  switch (me->op.kind) {
  case HD_LISE_OP_NONE:
  case HD_LISE_OP_LOOP:
    ready.n = 1;
    ready.local = true;
    return ready;
  case HD_LISE_OP_BRANCH:
    ready.n = 2;
    ready.local = true;
    return ready;
  case HD_LISE_OP_SEND:
  case HD_LISE_OP_ISEND:
    how = awaited(state, me->op.message);
    ready.n = 1;
    ready.send = true;
    ready.matched = how == 2;
    ready.met = how > 0 || me->op.kind == HD_LISE_OP_ISEND;
    return ready;
  case HD_LISE_OP_COLLECTIVE:
    if (hd_lise_can_leave(state, p, true)) {
      ready.n = 1;
      ready.local = true;
    } else if (hd_lise_can_leave(state, p, false)) {
      ready.n = 1;
      ready.send = true;
    }
    return ready;
  default:
    ways_of(state, p, &list, &ready);
    ready.n = (uint32_t)list.size;
    if (ready.send) {
      how = sends_awaited(state, p);
      ready.matched = how == 2;
      ready.met = how > 0;
    }
    hd_vec_free(&list);
    return ready;
  }
}

/* --- doing it --- */

static void deliver(hd_lise_state *state, hd_lise_message *m) {
  size_t at = state->messages.size;
  hd_vec_push(&state->messages, m);
  for (; at > 0; at--) {
    const hd_lise_message *o = state->messages.data[at - 1];
    if (o->comm < m->comm || (o->comm == m->comm &&
                              (o->source < m->source ||
                               (o->source == m->source && o->dest <= m->dest))))
      break;
    state->messages.data[at] = state->messages.data[at - 1];
  }
  state->messages.data[at] = m;
}

static void message_gone(hd_lise_state *state, uint32_t index) {
  hd_lise_message_drop(state->messages.data[index]);
  memmove(state->messages.data + index, state->messages.data + index + 1,
          (state->messages.size - index - 1) * sizeof *state->messages.data);
  state->messages.size--;
}

/* The sender's request is done; one that was given up disappears. */
static void taken(hd_lise_state *state, const hd_lise_message *m) {
  if (!m->request)
    return;
  hd_lise_proc *from = hd_lise_proc_own(state, (hd_proc)m->source);
  from->requests.data[m->request - 1].done = true;
}

static hd_lise_message *copy_of(const hd_lise_message *m) {
  hd_lise_message *copy = hd_lise_message_new();
  uint32_t refs = copy->refs;
  *copy = *m;
  copy->refs = refs;
  memset(&copy->cells, 0, sizeof copy->cells);
  for (size_t k = 0; k < m->cells.size; k++)
    hd_vec_push(&copy->cells, m->cells.data[k]);
  return copy;
}

/* The bytes of a message to where they go. */
static hd_going put_message(hd_lise *l, hd_term buffer, int64_t bytes,
                            const hd_lise_message *m) {
  hd_lise_message *here = copy_of(m);
  hd_lise_travel(l, here, false);
  hd_going g = hd_lise_write(l, buffer, bytes, here,
                             hd_library_name(hd_lise_seen(l)->op.fn));
  hd_lise_message_drop(here);
  return g;
}

static hd_going receive(hd_lise *l, const way *w) {
  const hd_lise_message *m = l->state->messages.data[w->message];
  hd_lise_request r = hd_lise_seen(l)->requests.data[w->request];
  hd_type unit;
  uint32_t room = 0, size = 0;
  if (!hd_lise_datatype(r.type, &unit, &room) ||
      !hd_lise_datatype(m->type, &unit, &size))
    hd_bug("a message of an unknown datatype");
  hd_going g = HD_GO_ON;
  if (m->count && r.count && m->type != r.type)
    g = hd_lise_violate(
        l, HD_PROPERTY_MPI, "a message of %s from rank %d is received as %s",
        hd_lise_type_name(m->type), m->source_rank, hd_lise_type_name(r.type));
  if (g == HD_GO_ON && m->count * size > r.count * room)
    g = hd_lise_violate(l, HD_PROPERTY_MPI,
                        "a message of %lld elements from rank %d is too long "
                        "for a buffer of %lld",
                        (long long)m->count, m->source_rank,
                        (long long)r.count);
  l->delivers = true;
  if (g == HD_GO_ON)
    g = put_message(l, r.buffer, m->count * size, m);
  l->delivers = false;
  if (g != HD_GO_ON)
    return g;
  hd_lise_request *own = &hd_lise_me(l)->requests.data[w->request];
  own->done = true;
  own->order = 0;
  own->source = m->source_rank;
  own->got_tag = m->tag;
  own->received = m->count * size;
  hd_lise_count(l, (hd_proc)m->source, true);
  taken(l->state, m);
  message_gone(l->state, w->message);
  return HD_GO_ON;
}

/* Behind the call: it returned MPI_SUCCESS. */
static hd_going finish_call(hd_lise *l) {
  hd_lise_op_clear(&hd_lise_me(l)->op);
  hd_term zero = hd_term_int(l->terms, 0);
  hd_lise_call_done(l, &zero, 1);
  return HD_GO_ON;
}

/* The request at `slot` of the operation is over: status, handle. */
static hd_going complete(hd_lise *l, uint32_t slot, int64_t status_index) {
  const hd_lise_proc *me = hd_lise_seen(l);
  uint32_t number = me->op.requests.data[slot];
  hd_term status = me->op.status, handles = me->op.handles;
  if (number == HD_NO_ID)
    return hd_lise_put_status(l, status, status_index, HD_MPI_ANY_SOURCE,
                              HD_MPI_ANY_TAG, 0);
  hd_lise_request r = me->requests.data[number];
  hd_going g = HD_GO_ON;
  if (r.is_send)
    g = hd_lise_leave_status(l, status, status_index);
  else
    g = hd_lise_put_status(l, status, status_index, r.source, r.got_tag,
                           r.received);
  if (g == HD_GO_ON && !r.hidden)
    g = hd_lise_put_int(l, handles, 4 * (int64_t)slot, 4, 0);
  if (g != HD_GO_ON)
    return g;
  if (r.is_send && !r.done) {
    /* buffered: the message no longer belongs to a request */
    for (size_t i = 0; i < l->state->messages.size; i++) {
      hd_lise_message *m = l->state->messages.data[i];
      if (m->source != (int32_t)l->proc || m->request != number + 1)
        continue;
      hd_lise_message *free_one = copy_of(m);
      free_one->request = 0;
      hd_lise_message_drop(m);
      l->state->messages.data[i] = free_one;
    }
  }
  hd_lise_request_free(l, number);
  return HD_GO_ON;
}

static hd_going complete_all(hd_lise *l) {
  size_t n = hd_lise_seen(l)->op.requests.size;
  bool hidden = hd_lise_seen(l)->op.handles == 0;
  for (uint32_t i = 0; i < n; i++) {
    hd_going g = complete(l, i, hidden ? 0 : i);
    if (g != HD_GO_ON)
      return g;
  }
  return finish_call(l);
}

static hd_going do_wait(hd_lise *l, const way *w) {
  if (w->request == HD_NO_ID)
    return complete_all(l);
  hd_going g = receive(l, w);
  if (g != HD_GO_ON)
    return g;
  bool sends_left, blocked;
  if (all_done(hd_lise_seen(l), &sends_left, &blocked) && !sends_left &&
      !blocked)
    return complete_all(l);
  return HD_STOPPED;
}

static hd_going do_test(hd_lise *l, const way *w) {
  if (w->request != HD_NO_ID) { /* match one, then ask again */
    hd_going g = receive(l, w);
    return g == HD_GO_ON ? HD_STOPPED : g;
  }
  hd_going g = hd_lise_put_int(l, hd_lise_seen(l)->op.flag, 0, 4, w->slot);
  if (g != HD_GO_ON)
    return g;
  return w->slot ? complete_all(l) : finish_call(l);
}

static hd_going do_any(hd_lise *l, const way *w, bool test) {
  hd_going g = HD_GO_ON;
  if (w->request != HD_NO_ID && w->message != HD_NO_ID)
    g = receive(l, w);
  bool yes = w->request != HD_NO_ID, none = all_null(hd_lise_seen(l));
  if (g == HD_GO_ON && test)
    g = hd_lise_put_int(l, hd_lise_seen(l)->op.flag, 0, 4, yes || none);
  if (g == HD_GO_ON && (yes || none))
    g = hd_lise_put_int(l, hd_lise_seen(l)->op.index, 0, 4,
                        yes ? (int64_t)w->slot : HD_MPI_UNDEFINED);
  if (g == HD_GO_ON && none)
    g = hd_lise_put_status(l, hd_lise_seen(l)->op.status, 0, HD_MPI_ANY_SOURCE,
                           HD_MPI_ANY_TAG, 0);
  if (g == HD_GO_ON && yes)
    g = complete(l, w->slot, 0);
  return g == HD_GO_ON ? finish_call(l) : g;
}

static hd_going do_probe(hd_lise *l, const way *w, bool now) {
  hd_going g = HD_GO_ON;
  if (now)
    g = hd_lise_put_int(l, hd_lise_seen(l)->op.flag, 0, 4,
                        w->message != HD_NO_ID);
  if (g == HD_GO_ON && w->message != HD_NO_ID) {
    const hd_lise_message *m = l->state->messages.data[w->message];
    hd_type unit;
    uint32_t size = 0;
    (void)hd_lise_datatype(m->type, &unit, &size);
    g = hd_lise_put_status(l, hd_lise_seen(l)->op.status, 0, m->source_rank,
                           m->tag, m->count * size);
  }
  return g == HD_GO_ON ? finish_call(l) : g;
}

static hd_going do_send(hd_lise *l) {
  hd_lise_proc *me = hd_lise_me(l);
  hd_lise_message *m = me->op.message;
  me->op.message = NULL;
  deliver(l->state, m);
  hd_lise_count(l, (hd_proc)m->dest, false);
  if (me->op.requests.size) {
    me->op.kind = HD_LISE_OP_WAIT;
    return HD_STOPPED;
  }
  return finish_call(l);
}

hd_going hd_lise_operate(hd_lise *l, uint32_t choice) {
  const hd_lise_proc *me = hd_lise_seen(l);
  hd_lise_op_kind kind = (hd_lise_op_kind)me->op.kind;
  switch (kind) {
  case HD_LISE_OP_NONE:
    return HD_GO_ON;
  case HD_LISE_OP_BRANCH: {
    hd_term cond = me->op.flag;
    hd_lise_op_clear(&hd_lise_me(l)->op);
    hd_term other = hd_term_not(l->terms, cond);
    /* What others did since then may have decided it. */
    if (hd_lise_valid(l, choice ? cond : other) == HD_VALID)
      return HD_PRUNED;
    hd_lise_learn(l, choice ? other : cond);
    return HD_GO_ON;
  }
  case HD_LISE_OP_LOOP: {
    uint32_t loop = me->loop;
    hd_lise_op_clear(&hd_lise_me(l)->op);
    return hd_lise_head(l, loop);
  }
  case HD_LISE_OP_SEND:
  case HD_LISE_OP_ISEND:
    return do_send(l);
  case HD_LISE_OP_COLLECTIVE:
    return hd_lise_leave(l);
  default:
    break;
  }
  ways list = {0};
  hd_lise_ready ready = {0};
  ways_of(l->state, l->proc, &list, &ready);
  assert(choice < list.size);
  way w = list.data[choice];
  hd_vec_free(&list);
  switch (kind) {
  case HD_LISE_OP_WAIT:
    return do_wait(l, &w);
  case HD_LISE_OP_TEST:
    return do_test(l, &w);
  case HD_LISE_OP_WAITANY:
    return do_any(l, &w, false);
  case HD_LISE_OP_TESTANY:
    return do_any(l, &w, true);
  default:
    return do_probe(l, &w, kind == HD_LISE_OP_IPROBE);
  }
}

/* --- the end --- */

enum { FIRST_COMM = 3 }; /* handles of the program's own communicators */

hd_going hd_lise_finalize(hd_lise *l) {
  const hd_lise_proc *me = hd_lise_seen(l);
  for (size_t i = 0; i < me->requests.size; i++) {
    const hd_lise_request *r = &me->requests.data[i];
    if (r->code && !r->hidden)
      return hd_lise_violate(l, HD_PROPERTY_MPI,
                             "MPI_Finalize before a %s is completed",
                             r->is_send ? "send" : "receive");
  }
  for (size_t i = FIRST_COMM; i < me->comm_handles.size; i++)
    if (me->comm_handles.data[i] &&
        (l->options->checks >> HD_PROPERTY_LEAK & 1))
      return hd_lise_violate(l, HD_PROPERTY_LEAK,
                             "a communicator is never freed");
  hd_lise_me(l)->mpi = 2;
  return HD_GO_ON;
}

hd_going hd_lise_finish(hd_lise *l) {
  const hd_lise_proc *me = hd_lise_seen(l);
  if (me->mpi == 1)
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "the process ends without MPI_Finalize");
  return hd_lise_check_leaks(l);
}

/* SPDX-License-Identifier: MIT */
/* Weak orders: what is ordered behind what, where atomic accesses do not order all.
 *
 * Beside each other, threads use one atomic place (and locks); then an execution
 * without a race is an interleaving (docs/evidence.md says why). But that one thread
 * comes behind another does not mean that it knows what that one has done: so every
 * access leaves a trace, with who knows of it, and one of which the other does not
 * know is a race. */
#include "check/joint/machine.h"

#include <stdlib.h>

enum { MOST_ORDERS = 64 };

static uint64_t bit(uint32_t t) {
  return (uint64_t)1 << t;
}

bool hd_joint_has_weak(const hd_code *code) {
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    bool access = e->act == HD_CODE_LOAD || e->act == HD_CODE_STORE ||
                  e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG;
    if (access && e->order != HD_ORDER_NONE &&
        (e->order != HD_ORDER_SEQ_CST ||
         (e->act == HD_CODE_CMPXCHG && e->failure != HD_ORDER_SEQ_CST)))
      return true;
  }
  return false;
}

/* Of all that has been done by others this thread knows. */
bool hd_joint_is_alone(const mach *m, uint32_t t) {
  for (uint32_t u = 0; u < m->threads.size; u++) {
    status s = (status)m->threads.data[u].status;
    if (u != t && s != T_FREE && s != T_JOINED)
      return false;
  }
  return true;
}

/* --- traces --- */

static bool conflicts(const trace *x, uint64_t lo, uint64_t hi, bool write,
                      bool atomic) {
  return x->lo < hi && lo < x->hi && (x->write || write) &&
         !(x->atomic && atomic);
}

void hd_joint_trace(joint *j, mach *m, uint32_t t, const deed *d) {
  if (!j->weak)
    return;
  if (hd_joint_is_alone(m, t)) {
    m->traces.size = m->weak_size = 0;
    m->weak_at = (spot){0};
    return;
  }
  size_t kept = 0;
  for (hd_vec_each(const trace, x, &m->traces)) {
    bool here = x->base == d->base, known = x->known & bit(t);
    if (here && !known && !j->raced &&
        conflicts(x, d->lo, d->hi, d->write, d->atomic)) {
      j->raced = true;
      j->race_a = x->edge;
      j->race_b = d->edge;
    }
    /* Who does not know of it does not know of the new one either. */
    bool covered = here && known && d->lo <= x->lo && x->hi <= d->hi &&
                   (d->write || !x->write) && (!d->atomic || x->atomic);
    if (!covered)
      m->traces.data[kept++] = *x;
  }
  m->traces.size = kept;
  hd_vec_push(&m->traces, ((trace){.base = d->base,
                                   .lo = d->lo,
                                   .hi = d->hi,
                                   .write = d->write,
                                   .atomic = d->atomic,
                                   .edge = d->edge,
                                   .known = bit(t)}));
}

/* --- what is handed on --- */

static uint64_t below(uint32_t i) {
  return ((uint64_t)1 << i) - 1;
}

/* The number of a place that hands on knowledge; by place. */
static uint32_t order_of(joint *j, mach *m, spot at) {
  uint32_t i = 0;
  while (i < m->orders.size && (m->orders.data[i].base < at.base ||
                                (m->orders.data[i].base == at.base &&
                                 m->orders.data[i].offset < at.offset)))
    i++;
  if (i < m->orders.size && m->orders.data[i].base == at.base &&
      m->orders.data[i].offset == at.offset)
    return i;
  if (m->orders.size == MOST_ORDERS) {
    hd_joint_refuse(j, HD_NO_ID, "too many locks beside weak orders");
    return 0;
  }
  hd_vec_push(&m->orders, at);
  for (size_t k = m->orders.size - 1; k > i; k--)
    m->orders.data[k] = m->orders.data[k - 1];
  m->orders.data[i] = at;
  for (hd_vec_each(trace, x, &m->traces))
    x->orders = (x->orders & below(i)) | (x->orders & ~below(i)) << 1;
  return i;
}

void hd_joint_acquire(joint *j, mach *m, uint32_t t, spot at) {
  if (!j->weak)
    return;
  uint32_t i = order_of(j, m, at);
  for (hd_vec_each(trace, x, &m->traces))
    if (x->orders >> i & 1)
      x->known |= bit(t);
}

void hd_joint_release(joint *j, mach *m, uint32_t t, spot at, bool adds,
                      bool tells) {
  if (!j->weak)
    return;
  uint32_t i = order_of(j, m, at);
  for (hd_vec_each(trace, x, &m->traces)) {
    if (!adds)
      x->orders &= ~((uint64_t)1 << i);
    if (tells && x->known & bit(t))
      x->orders |= (uint64_t)1 << i;
  }
}

void hd_joint_forget_order(mach *m, spot at) {
  for (uint32_t i = 0; i < m->orders.size; i++)
    if (m->orders.data[i].base == at.base &&
        m->orders.data[i].offset == at.offset)
      for (hd_vec_each(trace, x, &m->traces))
        x->orders &= ~((uint64_t)1 << i);
}

void hd_joint_begins(mach *m, uint32_t t, uint32_t u) {
  for (hd_vec_each(trace, x, &m->traces))
    x->known = x->known & bit(t) ? x->known | bit(u) : x->known & ~bit(u);
}

void hd_joint_joined(mach *m, uint32_t t, uint32_t u) {
  for (hd_vec_each(trace, x, &m->traces))
    if (x->known & bit(u))
      x->known |= bit(t);
}

/* --- the atomic place --- */

static bool acquires(hd_order o) {
  return o == HD_ORDER_ACQUIRE || o == HD_ORDER_ACQ_REL ||
         o == HD_ORDER_SEQ_CST;
}

static bool releases(hd_order o) {
  return o == HD_ORDER_RELEASE || o == HD_ORDER_ACQ_REL ||
         o == HD_ORDER_SEQ_CST;
}

bool hd_joint_weak_place(joint *j, mach *m, uint32_t t, const val *at,
                         uint32_t bytes, hd_edge_id edge) {
  if (!j->weak)
    return true;
  if (hd_joint_is_alone(m, t))
    return true;
  if (m->weak_size && (m->weak_size != bytes || m->weak_at.base != at->base ||
                       m->weak_at.offset != at->a)) {
    hd_joint_refuse(j, edge, "several atomic places beside a weak order");
    return false;
  }
  m->weak_size = bytes;
  m->weak_at = (spot){at->base, at->a};
  return true;
}

void hd_joint_after_access(joint *j, mach *m, uint32_t t, const val *at,
                           hd_order order, bool reads, bool writes) {
  spot s = {at->base, at->a};
  if (!j->weak || hd_joint_is_alone(m, t))
    return;
  if (reads && acquires(order))
    hd_joint_acquire(j, m, t, s);
  if (writes)
    hd_joint_release(j, m, t, s, reads, releases(order));
}

/* --- one form --- */

static int by_place(const void *a, const void *b) {
  const trace *x = a, *y = b;
  if (x->base != y->base)
    return x->base < y->base ? -1 : 1;
  if (x->lo != y->lo)
    return x->lo < y->lo ? -1 : 1;
  if (x->hi != y->hi)
    return x->hi < y->hi ? -1 : 1;
  if (x->write != y->write || x->atomic != y->atomic)
    return x->write * 2 + x->atomic < y->write * 2 + y->atomic ? -1 : 1;
  if (x->known != y->known)
    return x->known < y->known ? -1 : 1;
  return x->orders < y->orders ? -1 : x->orders > y->orders;
}

void hd_joint_tidy_traces(mach *m) {
  uint64_t there = 0, named = 0, used = 0;
  for (uint32_t t = 0; t < m->threads.size; t++) {
    status s = (status)m->threads.data[t].status;
    there |= s != T_FREE && s != T_ENDED && s != T_JOINED ? bit(t) : 0;
    named |= s != T_FREE && s != T_JOINED ? bit(t) : 0;
  }
  size_t kept = 0;
  for (hd_vec_each(const trace, x, &m->traces))
    if (there & ~x->known) {
      m->traces.data[kept] = *x;
      m->traces.data[kept++].known &= named;
      used |= x->orders;
    }
  m->traces.size = kept;
  for (uint32_t i = (uint32_t)m->orders.size; i-- > 0;) {
    if (used >> i & 1)
      continue;
    for (size_t k = i; k + 1 < m->orders.size; k++)
      m->orders.data[k] = m->orders.data[k + 1];
    m->orders.size--;
    for (hd_vec_each(trace, x, &m->traces))
      x->orders = (x->orders & below(i)) | (x->orders >> 1 & ~below(i));
  }
  if (kept)
    qsort(m->traces.data, kept, sizeof *m->traces.data, by_place);
}

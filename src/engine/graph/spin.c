/* SPDX-License-Identifier: MIT */
/* Loops that only wait. A thread that comes to a read or a lock in a state it was
 * in before, and has changed nothing since, is blocked: without that round there
 * is an execution of the same program in which all others do the same.
 *
 * The same holds if a read has the state that an earlier read R of the same place,
 * with the same order, would have led to with what was read later: without R, and
 * what followed it up to that later read, all is as it was. So a compare-exchange
 * that failed is like the load before it: `r = x; while (!cas(&x, &r, 1));` */
#include "base/hash.h"
#include "engine/graph/state.h"

static uint64_t hash_of(const hd_machine *m, hd_tid thread) {
  hd_bytes bytes = {0};
  hd_machine_encode_thread(m, thread, &bytes);
  uint64_t hash = hd_hash_bytes(bytes.data, bytes.size);
  hd_vec_free(&bytes);
  return hash;
}

bool play_was_here(play *p, hd_tid thread) {
  const play_thread *t = &p->threads.data[thread];
  if (!t->points.size)
    return false;
  uint64_t hash = hash_of(p->machine, thread);
  hd_edge_id edge = hd_machine_access(p->machine, thread).edge;
  bool round = false, imagined = false;
  for (hd_vec_each(const play_point, point, &t->points)) {
    if (point->hash == hash && point->edge != HD_NO_ID)
      return true;
    imagined = imagined || point->hash == hash;
    round = round || point->edge == edge;
  }
  return round && imagined;
}

void play_remember(play *p, hd_tid thread) {
  hd_access a = hd_machine_access(p->machine, thread);
  const hd_cedge *edge = &p->search->code->edges.data[a.edge];
  play_point point = {.hash = hash_of(p->machine, thread),
                      .address = a.memory ? a.address : 0,
                      .edge = a.edge,
                      .order = edge->order};
  hd_vec_push(&p->threads.data[thread].points, point);
}

void play_forget(play_thread *t) {
  hd_vec_clear(&t->points);
  for (hd_vec_each(play_held, h, &t->held))
    h->points = 0;
}

/* --- what would have been --- */

/* The state behind an earlier read, if it had read what is there now. Between it
 * and the next event there must be nothing that others could have changed. */
static bool imagine(const play *p, hd_tid thread, const play_point *point,
                    play_point *out) {
  enum { MOST = 16 };
  hd_machine *m = hd_machine_copy(p->machine);
  bool good = hd_machine_rewind(m, thread, point->edge) &&
              hash_of(m, thread) == point->hash &&
              hd_machine_access(m, thread).address == point->address;
  for (int i = 0; good && i < MOST; i++) {
    if (i && (hd_machine_at_atomic(m, thread) || !hd_machine_alive(m, thread)))
      break;
    good = hd_machine_enabled(m, thread) &&
           (!i || hd_machine_access(m, thread).local) &&
           hd_machine_choices(m, thread) == 1 &&
           hd_machine_move(m, (hd_turn){.thread = thread}) ==
               HD_MACHINE_RUNNING;
  }
  if (good)
    *out = (play_point){.hash = hash_of(m, thread), .edge = HD_NO_ID};
  hd_machine_delete(m);
  return good;
}

void play_imagine(play *p, hd_tid thread, uint8_t order) {
  play_thread *t = &p->threads.data[thread];
  hd_access a = hd_machine_access(p->machine, thread);
  size_t size = t->points.size;
  for (size_t i = 0; i < size; i++) {
    play_point point = t->points.data[i], other;
    if (point.edge == HD_NO_ID || point.edge == a.edge || !point.address ||
        point.address != a.address || point.order != order ||
        p->search->code->edges.data[point.edge].act != HD_CODE_LOAD)
      continue;
    if (imagine(p, thread, &point, &other))
      hd_vec_push(&t->points, other);
  }
}

/* --- locks --- */

void play_owned(const play *p, hd_tid thread, hd_addresses *out) {
  hd_machine_owned(p->machine, thread, out);
}

static bool has(const hd_addresses *all, uint64_t address) {
  for (hd_vec_each(const uint64_t, a, all))
    if (*a == address)
      return true;
  return false;
}

/* What it gave up: the points since it got it are not to come back to. */
static void give_up(play_thread *t, uint64_t address) {
  size_t i = t->held.size;
  while (i && t->held.data[i - 1].address != address)
    i--;
  if (!i) {
    play_forget(t);
    return;
  }
  if (t->points.size > t->held.data[i - 1].points)
    t->points.size = t->held.data[i - 1].points;
  for (size_t k = i; k < t->held.size; k++)
    t->held.data[k - 1] = t->held.data[k];
  t->held.size--;
  for (hd_vec_each(play_held, h, &t->held))
    if (h->points > t->points.size)
      h->points = (uint32_t)t->points.size;
}

void play_locked(play *p, hd_tid thread, const hd_addresses *before,
                 bool tries) {
  play_thread *t = &p->threads.data[thread];
  hd_addresses now = {0};
  play_owned(p, thread, &now);
  bool same = true;
  for (hd_vec_each(const uint64_t, a, &now))
    if (!has(before, *a)) {
      play_held held = {.address = *a, .points = (uint32_t)t->points.size};
      hd_vec_push(&t->held, held);
      same = false;
    }
  for (hd_vec_each(const uint64_t, a, before))
    if (!has(&now, *a)) {
      give_up(t, *a);
      same = false;
    }
  if (same && !tries)
    play_forget(t);
  hd_vec_free(&now);
}

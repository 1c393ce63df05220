/* SPDX-License-Identifier: MIT */
/* Loops that only wait. A thread that comes to a read or a lock in a state it was
 * in before, and has changed nothing since, is blocked: without that round there
 * is an execution of the same program in which all others do the same.
 *
 * The same holds if a read leads to the state that an earlier read R of the same
 * place, with the same order, would have led to with what was read later: without
 * R, and what followed it up to that later read, all is as it was. So a
 * compare-exchange that failed is like the load before it:
 * `r = x; while (!cas(&x, &r, 1));` */
#include "base/hash.h"
#include "engine/graph/state.h"

static uint64_t hash_of(const hd_machine *m, hd_tid thread) {
  hd_bytes bytes = {0};
  hd_machine_encode_thread(m, thread, &bytes);
  uint64_t hash = hd_hash_bytes(bytes.data, bytes.size);
  hd_vec_free(&bytes);
  return hash;
}

bool hd_play_was_here(play *p, hd_tid thread) {
  const play_thread *t = &p->threads.data[thread];
  if (!t->points.size)
    return false;
  uint64_t hash = hash_of(p->machine, thread);
  for (hd_vec_each(const play_point, point, &t->points))
    if (point->hash == hash && !point->behind)
      return true;
  return false;
}

void hd_play_remember(play *p, hd_tid thread) {
  hd_access a = hd_machine_access(p->machine, thread);
  const hd_cedge *edge = &p->search->code->edges.data[a.edge];
  play_point point = {.hash = hash_of(p->machine, thread),
                      .address = a.memory ? a.address : 0,
                      .edge = a.edge,
                      .order = edge->order};
  hd_vec_push(&p->threads.data[thread].points, point);
}

void hd_play_forget(play_thread *t) {
  hd_vec_clear(&t->points);
  for (hd_vec_each(play_held, h, &t->held))
    h->points = 0;
}

/* --- what would have been --- */

/* Has the thread been before this read, or stands it there? */
static bool is_old(const play_thread *t, hd_edge_id now, hd_edge_id next) {
  bool old = now == next;
  for (hd_vec_each(const play_point, point, &t->points))
    old = old || (!point->behind && point->edge == next);
  return old;
}

/* Its state when it has made its next move. */
static bool state_behind(hd_machine *m, hd_tid thread, uint64_t *hash) {
  bool good =
      hd_machine_enabled(m, thread) &&
      hd_machine_move(m, (hd_turn){.thread = thread}) == HD_MACHINE_RUNNING &&
      !hd_machine_violations(m);
  if (good)
    *hash = hash_of(m, thread);
  return good;
}

/* The state behind an earlier read, if it had read what is there now. */
static bool imagine(const play *p, hd_tid thread, const play_point *point,
                    play_point *out) {
  hd_machine *m = hd_machine_copy(p->machine);
  *out = (play_point){.edge = point->edge, .behind = true};
  bool good = hd_machine_rewind(m, thread, point->edge) &&
              hash_of(m, thread) == point->hash &&
              hd_machine_access(m, thread).address == point->address &&
              state_behind(m, thread, &out->hash);
  hd_machine_delete(m);
  return good;
}

bool hd_play_repeats(play *p, hd_tid thread, uint8_t order) {
  const hd_code *code = p->search->code;
  play_thread *t = &p->threads.data[thread];
  hd_access a = hd_machine_access(p->machine, thread);
  size_t size = t->points.size;
  bool any = false, repeats = false;
  for (size_t i = 0; i < size; i++) {
    play_point point = t->points.data[i], other;
    any = any || point.behind;
    if (point.behind || point.edge == a.edge || !point.address ||
        point.address != a.address || point.order != order ||
        code->edges.data[point.edge].act != HD_CODE_LOAD ||
        !imagine(p, thread, &point, &other))
      continue;
    hd_vec_push(&t->points, other);
    any = true;
  }
  uint64_t hash;
  hd_machine *m = any ? hd_machine_copy(p->machine) : NULL;
  if (any && state_behind(m, thread, &hash) && hd_machine_alive(m, thread) &&
      is_old(t, a.edge, hd_machine_access(m, thread).edge))
    for (hd_vec_each(const play_point, point, &t->points))
      repeats = repeats || (point->behind && point->hash == hash);
  hd_machine_delete(m);
  return repeats;
}

/* --- locks --- */

void hd_play_owned(const play *p, hd_tid thread, hd_addresses *out) {
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
    hd_play_forget(t);
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

void hd_play_locked(play *p, hd_tid thread, const hd_addresses *before,
                    bool tries) {
  play_thread *t = &p->threads.data[thread];
  hd_addresses now = {0};
  hd_play_owned(p, thread, &now);
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
    hd_play_forget(t);
  hd_vec_free(&now);
}

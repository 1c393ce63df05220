/* SPDX-License-Identifier: MIT */
/* Barriers that do not open before one of a set of threads has moved.
 *
 * Let P be the set, B a barrier that L threads open, always the same L. Who of the
 * others waits at B, or was ever seen to come there from where it is, is counted:
 * if that are less than L, the others alone do not open B, as long as none of them
 * makes or destroys it or writes where it is. For if w were the shortest run of
 * others that opens it, L of them would have come to B in w, and all shorter runs
 * are among what was seen (search.c). So what the others do before P moves is what
 * can be seen from where they are without going past an arrival at B: links between
 * controls are followed up to there. Each single move of such a run is made
 * somewhere in the search, so the links it goes along are known.
 *
 * Who comes to B first makes no difference then: all but the last wait, and the
 * last one is let go on together with them (check/interp/lib_wait.c), if nobody
 * looks at what pthread_barrier_wait returns. With t of P before w, or behind it,
 * the same threads have come to B in the end; nobody of w has gone on from there,
 * and w does not come to B again after it is open, since at most L come to it in
 * all.
 *
 * Threads that can still be born, and atomic sections whose footprints are learned,
 * are not counted: no barrier is held then. */
#include "base/bitset.h"
#include "engine/explore/future_impl.h"

#include <string.h>

enum { BARRIER_SIZE = 40 }; /* at most, in bytes */

uint32_t hd_future_none(hd_future *f) {
  hd_vec_clear(&f->addresses);
  return hd_future_put_owned(f);
}

/* --- parts of futures --- */

static bool is_held(const hd_future *f, uint32_t held, const sight *s) {
  assert(held < f->owned.items.size);
  return s->arrives && hd_future_owns(f, held, s->sync);
}

/* Does the thread wait there, whenever it comes there? */
static bool ends_at(const hd_future *f, uint32_t at, uint32_t held) {
  assert(at < f->at.size);
  bool any = false;
  for (hd_vec_each(const uint32_t, s, &f->at.data[at].own)) {
    const sight *x = sight_at(f, *s);
    if (x->kind != SIGHT_ACTION || x->local)
      continue;
    if (!is_held(f, held, x))
      return false;
    any = true;
  }
  return any;
}

static void collect(hd_future *f, part p, hd_u32s *out) {
  hd_u32s list = {0};
  uint8_t *met = hd_calloc(f->at.size + 1, 1);
  hd_vec_clear(out);
  hd_vec_push(&list, p.control);
  met[p.control] = 1;
  for (size_t i = 0; i < list.size; i++) {
    const control *c = &f->at.data[list.data[i]];
    for (hd_vec_each(const uint32_t, s, &c->own))
      hd_vec_push(out, *s);
    if (!(p.beyond && !i) && ends_at(f, list.data[i], p.held))
      continue;
    for (hd_vec_each(const uint32_t, to, &c->targets))
      if (!met[*to]) {
        met[*to] = 1;
        hd_vec_push(&list, *to);
      }
  }
  hd_free(met);
  hd_vec_free(&list);
}

const hd_u32s *hd_future_part(hd_future *f, const hd_pose *pose,
                              uint32_t held) {
  part p = {.control = pose->control,
            .held = held,
            .beyond = !is_held(f, held, sight_at(f, pose->sight))};
  bool fresh;
  uint32_t i =
      *part_map_put(&f->parts, p, (uint32_t)f->part_lists.size, &fresh);
  if (fresh)
    hd_vec_push(&f->part_lists, (part_sights){.version = UINT64_MAX});
  if (f->part_lists.data[i].version != f->version) {
    collect(f, p, &f->part_lists.data[i].sights);
    f->part_lists.data[i].version = f->version;
  }
  return &f->part_lists.data[i].sights;
}

/* --- which barriers --- */

/* Outside of the set, and can do something before the set has moved. */
static bool counts(const choice *c, size_t t, bool awaited) {
  return c->poses[t] != HD_NO_POSE && !hd_bits_test(c->threads, t) &&
         !hd_future_blocked(c, t, awaited);
}

static bool can_be_born(const choice *c, bool awaited) {
  for (hd_vec_each(const birth, b, &c->f->births))
    if (b->child >= c->n &&
        (b->parent >= c->n || counts(c, b->parent, awaited)))
      return true;
  return false;
}

/* May a thread at the control come to barrier number `i`? */
static bool may_come(const hd_future *f, uint32_t at, uint32_t i) {
  assert(at < f->at.size && i < f->barriers.size);
  for (hd_vec_each(const uint32_t, known, &f->at.data[at].barriers))
    if (*known == i)
      return true;
  return false;
}

static size_t comers(const choice *c, uint32_t i, bool awaited) {
  size_t n = 0;
  for (size_t t = 0; t < c->n; t++)
    n += counts(c, t, awaited) && may_come(c->f, pose_of(c, t)->control, i);
  return n;
}

static bool overlaps(uint64_t a, uint64_t n, uint64_t place) {
  assert(a + n >= a); /* no access goes round */
  return n && a < place + BARRIER_SIZE && place < a + n;
}

/* Does it make, destroy or overwrite one of the barriers? Or is it not known? */
static bool spoils(const hd_future *f, const sight *s, uint32_t held) {
  if (s->kind == SIGHT_ALL)
    return true;
  if (s->kind != SIGHT_ACTION || s->local || is_held(f, held, s))
    return false;
  if (!s->memory && !s->sync)
    return true;
  const hd_pool_item *set = &f->owned.items.data[held];
  for (size_t i = 0; i < set->size / sizeof(uint64_t); i++) {
    uint64_t at;
    memcpy(&at, set->bytes + i * sizeof at, sizeof at);
    if (s->sync == at || (s->writes && overlaps(s->address, s->size, at)))
      return true;
  }
  return false;
}

static bool anyone_spoils(const choice *c, uint32_t held, bool awaited) {
  hd_future_round(c->f);
  for (size_t t = 0; t < c->n; t++) {
    if (!counts(c, t, awaited) || hd_future_asked(c->f, c->poses[t]))
      continue;
    for (hd_vec_each(const uint32_t, s,
                     hd_future_part(c->f, pose_of(c, t), held)))
      if (spoils(c->f, sight_at(c->f, *s), held))
        return true;
  }
  return false;
}

uint32_t hd_future_held(const choice *c) {
  hd_future *f = c->f;
  uint32_t none = hd_future_none(f);
  bool awaited = f->barriers.size && hd_future_awaited(c);
  if (f->feet || !f->barriers.size || can_be_born(c, awaited))
    return none;
  hd_addresses held = {0};
  for (uint32_t i = 0; i < f->barriers.size; i++)
    if (comers(c, i, awaited) < f->barriers.data[i].limit)
      hd_vec_push(&held, f->barriers.data[i].address);
  hd_vec_clear(&f->addresses);
  for (hd_vec_each(const uint64_t, address, &held))
    hd_vec_push(&f->addresses, *address);
  hd_vec_free(&held);
  uint32_t found = hd_future_put_owned(f);
  return found == none || anyone_spoils(c, found, awaited) ? none : found;
}

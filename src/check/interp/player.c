/* SPDX-License-Identifier: MIT */
#include "check/interp/player.h"

typedef struct {
  uint64_t address;
  uint32_t size;
  uint32_t turn; /* from 1; HD_TURN_INITIAL */
  uint32_t rank; /* in the order of the place; 0 = initial */
  hd_tid thread;
  hd_edge_id edge;
  bool atomic;
  hd_message *message;
} written;

struct hd_player {
  hd_machine *machine;
  const hd_turns *turns; /* NULL: interleavings */
  uint32_t *ranks;       /* of each turn that writes */
  hd_vec(written) writes;
  hd_recorder *recorder; /* may be NULL */
};

bool hd_turns_weak(const hd_turns *turns) {
  for (size_t i = 0; turns && i < turns->size; i++)
    if (turns->data[i].from || turns->data[i].after)
      return true;
  return false;
}

/* A turn comes behind the one it names, which may be made later. Names that go
 * round in a circle, or nowhere, have the rank they got last. */
static uint32_t rank_of(const hd_turns *turns, uint32_t *ranks, size_t i,
                        size_t depth) {
  uint32_t after = turns->data[i].after;
  if (ranks[i] || !after)
    return ranks[i];
  if (after == HD_TURN_INITIAL || after > turns->size || depth > turns->size)
    return ranks[i] = 1;
  return ranks[i] = rank_of(turns, ranks, after - 1, depth + 1) + 1;
}

hd_player *hd_player_new(hd_machine *machine, const hd_turns *turns) {
  hd_player *p = hd_calloc(1, sizeof *p);
  p->machine = machine;
  if (!hd_turns_weak(turns))
    return p;
  p->turns = turns;
  p->ranks = hd_calloc(turns->size + 1, sizeof *p->ranks);
  for (size_t i = 0; i < turns->size; i++)
    rank_of(turns, p->ranks, i, 0);
  return p;
}

void hd_player_delete(hd_player *p) {
  if (!p)
    return;
  for (hd_vec_each(written, w, &p->writes))
    hd_message_drop(w->message);
  hd_vec_free(&p->writes);
  hd_free(p->ranks);
  hd_free(p);
}

void hd_player_record(hd_player *p, hd_recorder *recorder) {
  p->recorder = recorder;
}

static const written *find(const hd_player *p, const hd_access *a,
                           uint32_t turn) {
  for (hd_vec_each(const written, w, &p->writes))
    if (w->address == a->address && w->size == a->size && w->turn == turn)
      return w;
  return NULL;
}

/* Stands the thread of the i-th turn before an atomic access to memory that can
 * be made, or a plain one of which the turn says what it reads or where it
 * writes? */
static bool accesses(const hd_player *p, size_t i, hd_tid thread,
                     hd_access *a) {
  if (!p->turns)
    return false;
  const hd_turn *said = &p->turns->data[i];
  if (!hd_machine_at_atomic(p->machine, thread) &&
      !((said->from || said->after) && hd_machine_at_plain(p->machine, thread)))
    return false;
  *a = hd_machine_access(p->machine, thread);
  return a->memory &&
         hd_machine_readable(p->machine, a->address, (uint32_t)a->size);
}

bool hd_player_possible(const hd_player *p, size_t i) {
  hd_access a;
  hd_turn turn = p->turns ? p->turns->data[i] : (hd_turn){0};
  return !turn.from || turn.from == HD_TURN_INITIAL ||
         !accesses(p, i, turn.thread, &a) || find(p, &a, turn.from) != NULL;
}

/* Plain writes, and objects that begin and end, make places new. */
static void forget(hd_player *p, hd_tid thread) {
  size_t n, kept = 0;
  const hd_touch *touched = hd_machine_touched(p->machine, &n);
  uint64_t reached = hd_machine_reached(p->machine);
  for (hd_vec_each(written, w, &p->writes)) {
    bool gone = reached && w->address >= reached &&
                hd_machine_stack_of(p->machine, w->address) == thread;
    for (size_t k = 0; k < n && !gone; k++)
      gone = touched[k].written && touched[k].address < w->address + w->size &&
             w->address < touched[k].address + touched[k].size;
    if (gone)
      hd_message_drop(w->message);
    else
      p->writes.data[kept++] = *w;
  }
  p->writes.size = kept;
}

static void keep(hd_player *p, const hd_access *a, hd_tid thread, uint32_t turn,
                 uint32_t rank) {
  written w = {
      .address = a->address,
      .size = (uint32_t)a->size,
      .turn = turn,
      .rank = rank,
      .thread = thread,
      .edge = a->edge,
      .atomic = a->atomic,
      .message = hd_machine_message(p->machine, a->address, (uint32_t)a->size)};
  hd_vec_push(&p->writes, w);
}

static void put(hd_player *p, const hd_access *a, const written *w) {
  hd_machine_put(p->machine, a->address, (uint32_t)a->size,
                 w ? w->message : NULL);
}

static const written *last_of(const hd_player *p, const hd_access *a,
                              hd_tid thread) {
  const written *last = NULL;
  for (hd_vec_each(const written, w, &p->writes))
    if (w->address == a->address && w->size == a->size && w->thread == thread &&
        w->turn != HD_TURN_INITIAL && w->atomic)
      last = w;
  return last;
}

static const written *newest_of(const hd_player *p, const hd_access *a) {
  const written *newest = NULL;
  for (hd_vec_each(const written, w, &p->writes))
    if (w->address == a->address && w->size == a->size &&
        (!newest || w->rank > newest->rank))
      newest = w;
  return newest;
}

static hd_machine_status make(hd_player *p, size_t i, hd_turn turn,
                              const hd_access *access) {
  if (p->recorder)
    hd_recorder_before(p->recorder, p->machine, i, access);
  hd_machine_status status = hd_machine_move(p->machine, turn);
  if (p->recorder)
    hd_recorder_after(p->recorder, p->machine);
  return status;
}

hd_machine_status hd_player_move(hd_player *p, size_t i, hd_turn turn) {
  hd_access a;
  if (!accesses(p, i, turn.thread, &a)) {
    hd_machine_status status = make(p, i, turn, NULL);
    if (p->turns)
      forget(p, turn.thread);
    return status;
  }
  const hd_turn *said = &p->turns->data[i];
  if (!find(p, &a, HD_TURN_INITIAL))
    keep(p, &a, turn.thread, HD_TURN_INITIAL, 0);
  if (said->from)
    put(p, &a, find(p, &a, said->from));
  else if (said->after)
    put(p, &a, a.atomic ? last_of(p, &a, turn.thread) : NULL);
  hd_machine_status status = make(p, i, turn, &a);
  if (!hd_machine_readable(p->machine, a.address, (uint32_t)a.size))
    return status;
  if (said->after)
    keep(p, &a, turn.thread, (uint32_t)i + 1, p->ranks[i]);
  put(p, &a, newest_of(p, &a));
  return status;
}

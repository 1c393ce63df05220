/* SPDX-License-Identifier: MIT */
#include "engine/explore/weak.h"

#include "model/calls.h"
#include "model/weak.h"

#include <string.h>

typedef struct {
  uint32_t turn; /* HD_TURN_INITIAL: what was there */
  bool update;   /* it reads the one before it */
  hd_tid thread;
  bool atomic;
  hd_message *message;
} written;

/* Somebody has read or written this, or something newer: those who know of it
 * read nothing older. */
typedef struct {
  hd_tid thread;
  uint64_t time;
  uint32_t turn; /* of the write */
} mark;

typedef struct {
  uint64_t address;
  uint32_t size;
  bool ended; /* a plain write made a new variable of it */
  hd_vec(written) order;
  hd_vec(mark) marks;
  uint32_t strong; /* seq_cst: nothing older is read by what is seq_cst, or
                      behind a fence that is; a turn, 0 = none */
} place;

/* What a seq_cst fence of a thread makes too old for it. */
typedef struct {
  hd_tid thread;
  size_t place;
  uint32_t turn;
} floor_;

struct hd_weak {
  const hd_code *code;
  hd_rng *rng;
  hd_vec(place) places;
  hd_vec(floor_) floors;
};

/* --- making --- */

static bool calls_what_is_not_done(const hd_code *code) {
  for (hd_vec_each(const hd_func, f, &code->funcs)) {
    hd_library_fn fn = f->defined ? HD_LIB_NONE : hd_library_find(f->name);
    if (fn == HD_LIB___VERIFIER_atomic_begin ||
        fn == HD_LIB_heddle_atomic_begin || hd_func_is_section(f) ||
        (fn != HD_LIB_NONE && fn != HD_LIB___atomic_is_lock_free &&
         hd_library_kind_of(fn) == HD_LIBRARY_LIBATOMIC))
      return true;
  }
  return false;
}

bool hd_weak_wanted(const hd_code *code, const hd_machine_options *options) {
  return options->memory != HD_MEMORY_SC && !options->reuse &&
         hd_code_weakness(code).robust == HD_ROBUST_NOT &&
         !calls_what_is_not_done(code);
}

hd_weak *hd_weak_new(const hd_code *code, hd_rng *rng) {
  hd_weak *w = hd_calloc(1, sizeof *w);
  w->code = code;
  w->rng = rng;
  return w;
}

void hd_weak_start(hd_weak *w) {
  for (hd_vec_each(place, p, &w->places)) {
    for (hd_vec_each(written, x, &p->order))
      hd_message_drop(x->message);
    hd_vec_free(&p->order);
    hd_vec_free(&p->marks);
  }
  hd_vec_clear(&w->places);
  hd_vec_clear(&w->floors);
}

void hd_weak_delete(hd_weak *w) {
  if (!w)
    return;
  hd_weak_start(w);
  hd_vec_free(&w->places);
  hd_vec_free(&w->floors);
  hd_free(w);
}

/* --- places --- */

static size_t find_place(hd_weak *w, const hd_machine *m, const hd_access *a) {
  assert(a->memory && a->size > 0);
  size_t i = w->places.size;
  while (i-- > 0) {
    const place *p = &w->places.data[i];
    if (!p->ended && p->address == a->address && p->size == a->size)
      return i;
  }
  place fresh = {.address = a->address, .size = (uint32_t)a->size};
  written first = {.turn = HD_TURN_INITIAL, .thread = HD_NO_ID};
  first.message = hd_machine_message(m, a->address, (uint32_t)a->size);
  hd_vec_push(&fresh.order, first);
  hd_vec_push(&w->places, fresh);
  return w->places.size - 1;
}

/* Accesses of another size overlap: what these runs do not do. */
static bool overlaps(const hd_weak *w, const hd_access *a) {
  for (hd_vec_each(const place, p, &w->places))
    if (!p->ended && p->address < a->address + a->size &&
        a->address < p->address + p->size &&
        (p->address != a->address || p->size != a->size))
      return true;
  return false;
}

static void end_places(hd_weak *w, const hd_machine *m, hd_tid thread) {
  size_t n;
  const hd_touch *touched = hd_machine_touched(m, &n);
  uint64_t reached = hd_machine_reached(m);
  for (hd_vec_each(place, p, &w->places)) {
    if (reached && p->address >= reached &&
        hd_machine_stack_of(m, p->address) == thread)
      p->ended = true;
    for (size_t i = 0; i < n && !p->ended; i++)
      p->ended = touched[i].written &&
                 touched[i].address < p->address + p->size &&
                 p->address < touched[i].address + touched[i].size;
  }
}

static size_t position(const place *p, uint32_t turn) {
  for (size_t i = p->order.size; i-- > 0;)
    if (p->order.data[i].turn == turn)
      return i;
  assert(false); /* what was written stays in the order */
  return 0;
}

/* --- what is allowed --- */

static size_t least(const hd_weak *w, const hd_machine *m, hd_tid thread,
                    size_t at, bool strong) {
  const place *p = &w->places.data[at];
  size_t most = strong && p->strong ? position(p, p->strong) : 0;
  for (hd_vec_each(const mark, x, &p->marks)) {
    if (x->thread != thread && x->time > hd_machine_knows(m, thread, x->thread))
      continue;
    size_t k = position(p, x->turn);
    most = k > most ? k : most;
  }
  for (hd_vec_each(const floor_, f, &w->floors))
    if (f->thread == thread && f->place == at) {
      size_t k = position(p, f->turn);
      most = k > most ? k : most;
    }
  return most;
}

static bool is_taken(const place *p, size_t i) {
  assert(i < p->order.size);
  return i + 1 < p->order.size && p->order.data[i + 1].update;
}

/* The newest as often as not, else any. */
static size_t draw(hd_weak *w, const place *p, size_t from) {
  size_t n = p->order.size;
  assert(from < n);
  if (from + 1 >= n || hd_rng_once_in(w->rng, 2))
    return n - 1;
  return from + (size_t)hd_rng_below(w->rng, n - from);
}

static void remember(place *p, hd_tid thread, uint64_t time, uint32_t turn) {
  mark now = {.thread = thread, .time = time, .turn = turn};
  for (hd_vec_each(mark, x, &p->marks))
    if (x->thread == thread && x->time == time) {
      *x = now; /* the last of a thread is the newest */
      return;
    }
  hd_vec_push(&p->marks, now);
}

/* --- fences --- */

static void fence(hd_weak *w, const hd_machine *m, hd_tid thread) {
  for (size_t i = 0; i < w->places.size; i++) {
    place *p = &w->places.data[i];
    if (p->ended)
      continue;
    size_t mine = least(w, m, thread, i, true);
    uint32_t turn = p->order.data[mine].turn;
    p->strong = turn;
    floor_ f = {.thread = thread, .place = i, .turn = turn};
    hd_vec_push(&w->floors, f);
  }
}

/* --- moves --- */

static void put(hd_machine *m, const place *p, const hd_message *message) {
  hd_machine_put(m, p->address, p->size, message);
}

/* What a store of the thread continues: its own last atomic one. */
static const hd_message *own_last(const place *p, hd_tid thread) {
  const written *last = NULL;
  for (hd_vec_each(const written, x, &p->order))
    if (x->thread == thread && x->atomic && (!last || x->turn > last->turn))
      last = x;
  return last ? last->message : NULL;
}

static void insert(place *p, size_t at, written x) {
  assert(at > 0 && at <= p->order.size); /* behind what was there first */
  hd_vec_push(&p->order, x);
  memmove(&p->order.data[at + 1], &p->order.data[at],
          (p->order.size - 1 - at) * sizeof x);
  p->order.data[at] = x;
}

static size_t read_from(hd_weak *w, hd_machine *m, const hd_cedge *edge,
                        size_t at, hd_turn *turn, bool *fails) {
  const place *p = &w->places.data[at];
  bool strong = edge->order == HD_ORDER_SEQ_CST;
  size_t source = draw(w, p, least(w, m, turn->thread, at, strong));
  if (edge->act == HD_CODE_RMW && is_taken(p, source))
    source = p->order.size - 1;
  put(m, p, p->order.data[source].message);
  if (turn->choice >= hd_machine_choices(m, turn->thread))
    turn->choice = 0;
  *fails = edge->act == HD_CODE_CMPXCHG &&
           (hd_machine_access(m, turn->thread).fails || turn->choice);
  if (edge->act == HD_CODE_CMPXCHG && !*fails && is_taken(p, source)) {
    source = p->order.size - 1;
    put(m, p, p->order.data[source].message);
    turn->choice = 0;
    *fails = hd_machine_access(m, turn->thread).fails;
  }
  turn->from = p->order.data[source].turn;
  return source;
}

static size_t write_behind(hd_weak *w, const hd_machine *m,
                           const hd_cedge *edge, size_t at, hd_tid thread) {
  const place *p = &w->places.data[at];
  size_t behind = p->order.size - 1;
  if (edge->order != HD_ORDER_SEQ_CST && hd_rng_once_in(w->rng, 4))
    behind = draw(w, p, least(w, m, thread, at, false));
  return is_taken(p, behind) ? p->order.size - 1 : behind;
}

static void make_access(hd_weak *w, hd_machine *m, const hd_access *a,
                        hd_turn *turn, uint32_t number) {
  const hd_cedge *edge = &w->code->edges.data[a->edge];
  size_t at = find_place(w, m, a), behind = 0;
  uint64_t time = hd_machine_knows(m, turn->thread, turn->thread);
  bool reads = edge->act != HD_CODE_STORE, fails = false;
  if (reads) {
    behind = read_from(w, m, edge, at, turn, &fails);
  } else {
    behind = write_behind(w, m, edge, at, turn->thread);
    put(m, &w->places.data[at], own_last(&w->places.data[at], turn->thread));
  }
  bool writes = edge->act != HD_CODE_LOAD && !fails;
  uint32_t source = w->places.data[at].order.data[behind].turn;
  hd_machine_move(m, *turn);
  place *p = &w->places.data[at];
  if (!hd_machine_readable(m, a->address, (uint32_t)a->size)) {
    p->ended = true;
    return;
  }
  if (writes) {
    written x = {.turn = number,
                 .update = reads,
                 .thread = turn->thread,
                 .atomic = true,
                 .message =
                     hd_machine_message(m, a->address, (uint32_t)a->size)};
    insert(p, behind + 1, x);
  }
  remember(p, turn->thread, time, writes ? number : source);
  if ((fails ? edge->failure : edge->order) == HD_ORDER_SEQ_CST) {
    uint32_t seen = writes ? number : source;
    if (!p->strong || position(p, seen) > position(p, p->strong))
      p->strong = seen;
  }
  put(m, p, hd_vec_last(&p->order).message);
}

void hd_weak_move(hd_weak *w, hd_machine *m, hd_turn *turn, uint32_t number) {
  hd_access a = hd_machine_access(m, turn->thread);
  bool atomic = hd_machine_at_atomic(m, turn->thread);
  const hd_cedge *edge = &w->code->edges.data[a.edge];
  if (atomic && edge->act == HD_CODE_FENCE && edge->order == HD_ORDER_SEQ_CST)
    fence(w, m, turn->thread);
  if (atomic && a.memory && !overlaps(w, &a) &&
      hd_machine_readable(m, a.address, (uint32_t)a.size)) {
    make_access(w, m, &a, turn, number);
    return;
  }
  hd_machine_move(m, *turn);
  end_places(w, m, turn->thread);
}

void hd_weak_tell(const hd_weak *w, hd_turns *turns, size_t n) {
  for (hd_vec_each(const place, p, &w->places)) {
    uint32_t before = HD_TURN_INITIAL;
    for (hd_vec_each(const written, x, &p->order)) {
      if (x->turn == HD_TURN_INITIAL || x->turn > n)
        continue;
      assert(x->turn > 0 && x->turn <= turns->size);
      turns->data[x->turn - 1].after = before;
      before = x->turn;
    }
  }
}

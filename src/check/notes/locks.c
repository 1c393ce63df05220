/* SPDX-License-Identifier: MIT */
/* Locks and whatever else one waits with. */
#include "check/notes/state.h"

enum { NONE_KNOWN = MOST };

/* --- which one --- */

static uint32_t new_lock(library_call *c, mutex l) {
  assert(l.size > 0 && l.object < c->w->notes->objects.size);
  hd_annotation *n = c->w->notes;
  if (!c->w->finding || n->locks.size >= MOST)
    return NONE_KNOWN;
  hd_vec_push(&n->locks, l);
  c->w->changed = true; /* reads and writes of its bytes so far */
  return (uint32_t)n->locks.size - 1;
}

/* Nothing else may be in its bytes. */
static bool lies_alone(const hd_annotation *n, uint32_t id) {
  assert(id < n->locks.size);
  const mutex *l = &n->locks.data[id];
  for (uint32_t i = 1; i < n->locks.size; i++) {
    const mutex *x = &n->locks.data[i];
    if (i != id && x->object == l->object && x->offset < l->offset + l->size &&
        l->offset < x->offset + x->size)
      return false;
  }
  return true;
}

/* The lock at this argument; NONE_KNOWN: it may be another one. */
static uint32_t lock_at(library_call *c, uint32_t arg, hd_note_sort sort) {
  hd_annotation *n = c->w->notes;
  const hd_code *code = c->w->code;
  value v = hd_note_call_arg(c, arg);
  hd_note_elem e;
  if (!hd_note_single(&v, &e) || e.base == HD_NO_ID)
    return NONE_KNOWN;
  const object *o = &n->objects.data[e.base];
  bool slot = hd_note_is_main_slot(o);
  if (!slot &&
      (o->kind != OBJ_GLOBAL || code->globals.data[o->index].thread_local ||
       code->globals.data[o->index].external ||
       code->globals.data[o->index].constant))
    return NONE_KNOWN;
  uint32_t size = hd_note_size_of(sort, code->pointer_width);
  assert(size > 0);
  uint64_t whole = hd_note_object_size(n, e.base);
  if (e.bits > whole || size > whole - e.bits)
    return NONE_KNOWN;
  if (c->s.thread && slot)
    c->w->main_shared = true;
  uint32_t id = hd_note_lock_of(n, e.base, e.bits);
  if (id >= MOST)
    id = new_lock(c, (mutex){e.base, e.bits, size, (uint8_t)sort});
  if (id >= MOST)
    return NONE_KNOWN;
  mutex *l = &n->locks.data[id];
  if (l->sort == HD_NOTE_NO_SORT)
    l->sort = (uint8_t)sort;
  return l->sort == sort && l->size == size && lies_alone(n, id) ? id
                                                                 : NONE_KNOWN;
}

/* Zero, but for the kind of a mutex: locked by nobody. */
static bool starts_free(const hd_annotation *n, const mutex *l) {
  assert(l->object < n->objects.size); /* it is not that of sections */
  const object *o = &n->objects.data[l->object];
  bool wide = n->code->pointer_width == 64;
  if (o->kind != OBJ_GLOBAL ||
      (l->sort != HD_NOTE_MUTEX && l->sort != HD_NOTE_RWLOCK &&
       l->sort != HD_NOTE_COND))
    return false;
  const hd_global *g = &n->code->globals.data[o->index];
  uint64_t kind = l->sort == HD_NOTE_MUTEX ? (wide ? 16 : 12) : UINT64_MAX;
  for (uint32_t i = 0; i < g->n_relocs; i++) {
    uint64_t at = n->code->relocs.data[g->relocs + i].offset;
    if (at < l->offset + l->size && l->offset < at + 8)
      return false;
  }
  for (uint64_t i = 0; g->bytes && i < l->size; i++)
    if (g->bytes[l->offset + i] > (i == kind ? 3 : 0))
      return false;
  return true;
}

static bool is_ready(const library_call *c, uint32_t lock) {
  assert(lock < c->w->notes->locks.size);
  if (c->s.ready >> lock & 1)
    return true;
  return !(c->s.dead >> lock & 1) &&
         starts_free(c->w->notes, &c->w->notes->locks.data[lock]);
}

/* --- taking and giving back --- */

static void wait_for(library_call *c, uint32_t lock) {
  assert(lock < MOST && c->s.thread < MOST);
  for (uint32_t l = 0; l < MOST; l++)
    if ((c->s.ex | c->s.rd) >> l & 1)
      c->w->order[l] |= (uint64_t)1 << lock;
  c->w->takes[c->s.thread] |= (uint64_t)1 << lock;
}

static void acquire(library_call *c, uint32_t lock, bool waits, bool reading) {
  if (waits)
    wait_for(c, lock);
  hd_note_take(c->w, &c->s, lock, reading, c->edge);
  hd_note_call_return(c, hd_note_number(0));
}

/* It may fail: then with some number that is not 0. */
static void attempt(library_call *c, uint32_t lock, bool reading) {
  library_call other = *c;
  other.s = hd_note_state_copy(c->w->code, &c->s);
  value v = hd_note_call_any(c);
  if (v.kind == HD_NOTE_RANGE)
    v = hd_note_range(32, 1, INT32_MAX);
  hd_note_call_return(&other, v);
  acquire(c, lock, false, reading);
}

static void release(library_call *c, uint32_t lock) {
  assert(lock < MOST);
  if (!((c->s.ex | c->s.rd) >> lock & 1)) {
    hd_note_call_refuse(c, "a lock that the thread does not hold");
    return;
  }
  hd_note_give(c->w, &c->s, lock);
  hd_note_call_return(c, hd_note_number(0));
}

/* Is it made by this call, whatever is asked of it? Those of C11 have four kinds,
 * others attributes. */
static bool can_make(library_call *c) {
  hd_note_sort sort = (hd_note_sort)c->call.sort;
  bool detached;
  value kind = hd_note_call_arg(c, 1);
  hd_note_elem k;
  if (sort == HD_NOTE_MTX)
    return hd_note_single(&kind, &k) && k.base == HD_NO_ID && k.bits < 4;
  return !hd_note_attribute_size(sort, c->w->code->pointer_width) ||
         hd_note_attribute_ok(c, 1, &detached);
}

/* Made new, or given up, where nobody else can be using it. */
static void renew(library_call *c, uint32_t lock, bool init) {
  assert(lock > ATOMIC && lock < MOST); /* nobody makes sections */
  hd_note_sort sort = (hd_note_sort)c->call.sort;
  bool open = sort == HD_NOTE_SEM || sort == HD_NOTE_BARRIER;
  uint64_t bit = (uint64_t)1 << lock;
  if (!hd_note_is_alone(&c->s) || (c->s.ex | c->s.rd) & bit) {
    hd_note_call_refuse(c, "while others may use the lock");
    return;
  }
  if (init && !can_make(c)) {
    hd_note_call_refuse(c, "with an attribute that is not known");
    return;
  }
  if (!init && !is_ready(c, lock)) {
    hd_note_call_refuse(c, "a lock that was not made");
    return;
  }
  c->s.ready = init ? c->s.ready | bit : c->s.ready & ~bit;
  c->s.dead = init ? c->s.dead & ~bit : c->s.dead | bit;
  hd_note_call_return(c,
                      init && open ? hd_note_call_any(c) : hd_note_number(0));
}

/* Nothing is known of who wakes whom. */
static void wait_condition(library_call *c) {
  bool timed = c->call.action == HD_NOTE_WAIT_TIMED;
  uint32_t lock =
      lock_at(c, 1, c->call.sort == HD_NOTE_COND ? HD_NOTE_MUTEX : HD_NOTE_MTX);
  c->w->blocks = true;
  if (lock == NONE_KNOWN || !(c->s.ex >> lock & 1)) {
    hd_note_call_refuse(c, "which lock is meant is not known");
    return;
  }
  if (timed) {
    value until = hd_note_call_arg(c, 2);
    hd_note_touch(c->w, &c->s, &until, c->w->code->pointer_width / 4u, c->edge);
  }
  hd_note_give(c->w, &c->s, lock);
  hd_note_take(c->w, &c->s, lock, false, c->edge);
  hd_note_call_return(c, timed ? hd_note_call_any(c) : hd_note_number(0));
}

void hd_note_call_locks(library_call *c) {
  hd_note_action action = (hd_note_action)c->call.action;
  if (action == HD_NOTE_ENTER) {
    acquire(c, ATOMIC, true, false);
    return;
  }
  if (action == HD_NOTE_EXIT) {
    release(c, ATOMIC);
    return;
  }
  uint32_t lock = lock_at(c, 0, (hd_note_sort)c->call.sort);
  if (lock == NONE_KNOWN) {
    hd_note_call_refuse(c, "which lock is meant is not known");
    return;
  }
  if (action == HD_NOTE_LOCK_INIT || action == HD_NOTE_LOCK_DESTROY) {
    renew(c, lock, action == HD_NOTE_LOCK_INIT);
    return;
  }
  if (!is_ready(c, lock)) {
    hd_note_call_refuse(c,
                        "a lock that may be none, or held from the beginning");
    return;
  }
  if (action == HD_NOTE_LOCK || action == HD_NOTE_LOCK_READ) {
    acquire(c, lock, true, action == HD_NOTE_LOCK_READ);
  } else if (action == HD_NOTE_LOCK_TRY || action == HD_NOTE_LOCK_TRY_READ) {
    attempt(c, lock, action == HD_NOTE_LOCK_TRY_READ);
  } else if (action == HD_NOTE_UNLOCK) {
    release(c, lock);
  } else if (action == HD_NOTE_WAIT || action == HD_NOTE_WAIT_TIMED) {
    wait_condition(c);
  } else if (action == HD_NOTE_PASS) {
    c->w->blocks = true;
    hd_note_call_return(c, c->call.sort == HD_NOTE_SEM ? hd_note_number(0)
                                                       : hd_note_call_any(c));
  } else if (action == HD_NOTE_SIGNAL || action == HD_NOTE_BROADCAST ||
             action == HD_NOTE_PASS_TRY) {
    hd_note_call_return(c, c->call.sort == HD_NOTE_SEM ? hd_note_call_any(c)
                                                       : hd_note_number(0));
  } else {
    hd_note_call_refuse(c, "what the call does with its lock is not known");
  }
}

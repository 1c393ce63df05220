/* SPDX-License-Identifier: MIT */
/* What functions of the library do. What is not here is not followed. */
#include "check/notes/state.h"

#include <string.h>

typedef struct {
  walk *w;
  state s;
  hd_edge_id edge;
  const hd_cedge *e;
  hd_library_fn fn;
  const char *name;
} library_call;

static value arg(const library_call *c, uint32_t i) {
  if (i + 1 >= c->e->n_operands)
    return hd_note_any();
  return eval(c->w, &c->s, c->w->code->operands.data[c->e->operands + 1 + i]);
}

static void end_path(library_call *c) {
  state_free(&c->s);
}

static void refuse(library_call *c, const char *what) {
  hd_str text = {0};
  hd_str_printf(&text, "%s: %s", c->name, what);
  give_up_at(c->w, c->edge, hd_str_text(&text));
  hd_str_free(&text);
  end_path(c);
}

static void give_back(library_call *c, value v) {
  go_on(c->w, c->s, c->edge, v);
}

static value of_target(const library_call *c) {
  const hd_code *code = c->w->code;
  if (!c->e->n_targets)
    return hd_note_any();
  const hd_func *f = &code->funcs.data[top(&c->s)->func];
  return hd_note_full(
      code->regs.data[f->regs + code->targets.data[c->e->targets]].type);
}

static bool is_null(const value *v) {
  hd_note_elem e;
  return hd_note_single(v, &e) && e.base == HD_NO_ID && !e.bits;
}

/* --- threads --- */

static uint32_t thread_of(library_call *c, hd_func_id func, int32_t nr) {
  hd_notes *n = c->w->notes;
  uint32_t stack = top(&c->s)->stack;
  for (uint32_t i = 1; i < n->threads.size; i++) {
    const thread *t = &n->threads.data[i];
    if (t->stack == stack && t->edge == c->edge && t->nr == nr &&
        t->func == func)
      return i;
  }
  if (!c->w->finding || n->threads.size == MOST)
    return 0;
  thread new = {.stack = stack,
                .edge = c->edge,
                .nr = nr,
                .func = func,
                .arg = hd_note_none(),
                .gone = UINT64_MAX,
                .pending = true};
  hd_vec_push(&n->threads, new);
  c->w->changed = true;
  return (uint32_t)n->threads.size - 1;
}

static int32_t count_creation(state *s, uint32_t stack, hd_edge_id edge) {
  enum { COUNTED = 8 };
  for (hd_vec_each(made, m, &s->made))
    if (m->stack == stack && m->edge == edge) {
      int32_t nr = m->count;
      m->count = nr == MANY || nr + 1 > COUNTED ? MANY : nr + 1;
      return nr;
    }
  hd_vec_push(&s->made, ((made){stack, edge, 1}));
  return 0;
}

static void start_thread(library_call *c, uint32_t id, const value *argument) {
  walk *w = c->w;
  thread *t = &w->notes->threads.data[id];
  if (!may_tell(w, argument))
    give_up_at(w, c->edge, "a variable of a function that others get to know");
  if (hd_note_within(64, argument, &t->arg) && !(t->gone & ~c->s.gone))
    return;
  if (!w->finding) {
    give_up_at(w, c->edge,
               "a thread starts otherwise than the annotation says");
    return;
  }
  t->arg = hd_note_join(64, &t->arg, argument);
  t->gone &= c->s.gone;
  w->changed = true;
}

static void create(library_call *c) {
  value to = arg(c, 0), start = arg(c, 2), argument = arg(c, 3);
  if (c->fn == HD_LIB_thrd_create) {
    start = arg(c, 1);
    argument = arg(c, 2);
  }
  hd_note_elem f;
  if (c->s.thread || !hd_note_single(&start, &f) || f.base == HD_NO_ID ||
      c->w->notes->objects.data[f.base].kind != OBJ_FUNC) {
    refuse(c, c->s.thread ? "threads that create threads are not followed"
                          : "which function starts is not known");
    return;
  }
  hd_func_id func = c->w->notes->objects.data[f.base].index;
  const hd_func *fn = &c->w->code->funcs.data[func];
  if (!fn->defined || fn->n_params > 1 ||
      strncmp(fn->name, "__VERIFIER_atomic_", 18) == 0) {
    refuse(c, "a start function that is not followed");
    return;
  }
  int32_t nr = count_creation(&c->s, top(&c->s)->stack, c->edge);
  uint32_t id = thread_of(c, func, nr);
  if (!id) {
    refuse(c, "a thread that the annotation does not speak of");
    return;
  }
  if (is_alone(&c->s))
    publish(c->w, &c->s);
  c->s.live |= (uint64_t)1 << id;
  c->s.virgin = false;
  start_thread(c, id, &argument);
  value handle = hd_note_any(); /* of one of many: which one is not known */
  if (nr != MANY)
    handle = hd_note_address(
        object_of(c->w->notes, (object){OBJ_THREAD, id, 0, 0}), 0);
  store(c->w, &c->s, &to, c->w->code->pointer_width / 8u, &handle, false,
        c->edge);
  give_back(c, hd_note_number(0));
}

static void join(library_call *c) {
  value who = arg(c, 0), to = arg(c, 1);
  hd_note_elem e;
  if (c->s.thread) {
    refuse(c, "only main is followed when it joins");
    return;
  }
  bool known =
      hd_note_single(&who, &e) && e.base != HD_NO_ID &&
      c->w->notes->objects.data[e.base].kind == OBJ_THREAD &&
      c->w->notes->objects.data[e.base].index < c->w->notes->threads.size;
  if (!known) {
    c->w->blocks = true;
  } else {
    uint32_t id = c->w->notes->objects.data[e.base].index;
    for (uint32_t l = 0; l < MOST; l++)
      if ((c->s.ex | c->s.rd) >> l & 1)
        c->w->joins[l] |= (uint64_t)1 << id;
    if (c->w->notes->threads.data[id].nr != MANY) {
      c->s.live &= ~((uint64_t)1 << id);
      c->s.gone |= (uint64_t)1 << id;
    }
  }
  value any = hd_note_any();
  if (!is_null(&to))
    store(c->w, &c->s, &to,
          c->fn == HD_LIB_thrd_join ? 4 : c->w->code->pointer_width / 8u, &any,
          false, c->edge);
  give_back(c, hd_note_number(0));
}

static void threads(library_call *c) {
  switch (c->fn) {
  case HD_LIB_pthread_create:
  case HD_LIB_thrd_create:
    create(c);
    return;
  case HD_LIB_pthread_join:
  case HD_LIB_thrd_join:
    join(c);
    return;
  case HD_LIB_pthread_exit:
  case HD_LIB_thrd_exit:
    if (!c->s.thread)
      c->w->main_leaves = true;
    finish(c->w, &c->s, c->edge);
    end_path(c);
    return;
  case HD_LIB_pthread_self:
  case HD_LIB_thrd_current:
  case HD_LIB_pthread_equal:
  case HD_LIB_thrd_equal:
    give_back(c, of_target(c));
    return;
  case HD_LIB_pthread_detach:
  case HD_LIB_thrd_detach:
    give_back(c, hd_note_number(0));
    return;
  default:
    refuse(c, "not followed by annotations");
  }
}

/* --- locks --- */

static uint32_t size_of_lock(const library_call *c) {
  bool wide = c->w->code->pointer_width == 64;
  switch (hd_library_kind_of(c->fn)) {
  case HD_LIBRARY_RWLOCK:
    return wide ? 56 : 32;
  case HD_LIBRARY_SPIN:
    return 4;
  default:
    return wide ? 40 : 24;
  }
}

/* The lock at this argument; MOST: not known. */
static uint32_t lock_at(library_call *c, uint32_t i) {
  value v = arg(c, i);
  hd_note_elem e;
  if (!hd_note_single(&v, &e) || e.base == HD_NO_ID)
    return MOST;
  const object *o = &c->w->notes->objects.data[e.base];
  if (o->kind != OBJ_GLOBAL && !is_main_slot(o))
    return MOST;
  if (o->kind == OBJ_GLOBAL &&
      (c->w->code->globals.data[o->index].thread_local ||
       c->w->code->globals.data[o->index].external))
    return MOST;
  if (e.bits + size_of_lock(c) > object_size(c->w->notes, e.base))
    return MOST;
  if (c->s.thread && o->kind == OBJ_SLOT)
    c->w->main_shared = true;
  uint32_t id = lock_of(c->w->notes, e.base, e.bits, size_of_lock(c));
  return id < MOST ? id : MOST;
}

static void wait_for(library_call *c, uint32_t lock) {
  for (uint32_t l = 0; l < MOST; l++)
    if ((c->s.ex | c->s.rd) >> l & 1)
      c->w->order[l] |= (uint64_t)1 << lock;
  c->w->takes[c->s.thread] |= (uint64_t)1 << lock;
}

static void acquire(library_call *c, uint32_t lock, bool waits, bool reading) {
  if (waits)
    wait_for(c, lock);
  take(c->w, &c->s, lock, reading, c->edge);
  give_back(c, hd_note_number(0));
}

/* It may fail: then with some number that is not 0. */
static void attempt(library_call *c, uint32_t lock, bool reading) {
  library_call other = *c;
  other.s = state_copy(c->w->code, &c->s);
  value v = of_target(c);
  if (v.kind == HD_NOTE_RANGE)
    v = hd_note_range(32, 1, INT32_MAX);
  give_back(&other, v);
  acquire(c, lock, false, reading);
}

static void release(library_call *c, uint32_t lock) {
  if (!((c->s.ex | c->s.rd) >> lock & 1)) {
    refuse(c, "a lock that the thread does not hold");
    return;
  }
  give(c->w, &c->s, lock);
  give_back(c, hd_note_number(0));
}

/* Made new, or given up for good. */
static void renew(library_call *c, uint32_t lock) {
  if (!is_alone(&c->s) || (c->s.ex | c->s.rd) >> lock & 1)
    refuse(c, "while others may use the lock");
  else
    give_back(c, hd_note_number(0));
}

/* A lock that nobody uses any more does not matter. */
static void destroy(library_call *c, uint32_t lock) {
  if ((c->s.ex | c->s.rd) >> lock & 1)
    refuse(c, "a lock that is held");
  else
    give_back(c, hd_note_number(0));
}

static void locks(library_call *c) {
  uint32_t lock = lock_at(c, 0);
  if (lock == MOST) {
    refuse(c, "which lock is meant is not known");
    return;
  }
  switch (c->fn) {
  case HD_LIB_pthread_mutex_lock:
  case HD_LIB_mtx_lock:
  case HD_LIB_pthread_spin_lock:
  case HD_LIB_pthread_rwlock_wrlock:
    acquire(c, lock, true, false);
    return;
  case HD_LIB_pthread_rwlock_rdlock:
    acquire(c, lock, true, true);
    return;
  case HD_LIB_pthread_mutex_trylock:
  case HD_LIB_mtx_trylock:
  case HD_LIB_pthread_spin_trylock:
  case HD_LIB_pthread_rwlock_trywrlock:
    attempt(c, lock, false);
    return;
  case HD_LIB_pthread_rwlock_tryrdlock:
    attempt(c, lock, true);
    return;
  case HD_LIB_pthread_mutex_unlock:
  case HD_LIB_mtx_unlock:
  case HD_LIB_pthread_spin_unlock:
  case HD_LIB_pthread_rwlock_unlock:
    release(c, lock);
    return;
  case HD_LIB_pthread_mutex_init:
  case HD_LIB_mtx_init:
  case HD_LIB_pthread_spin_init:
  case HD_LIB_pthread_rwlock_init:
    renew(c, lock);
    return;
  case HD_LIB_pthread_mutex_destroy:
  case HD_LIB_mtx_destroy:
  case HD_LIB_pthread_spin_destroy:
  case HD_LIB_pthread_rwlock_destroy:
    destroy(c, lock);
    return;
  default:
    refuse(c, "not followed by annotations");
  }
}

/* Nothing is known of who wakes whom. */
static void conditions(library_call *c) {
  bool timed = c->fn == HD_LIB_pthread_cond_timedwait ||
               c->fn == HD_LIB_cnd_timedwait ||
               c->fn == HD_LIB_pthread_cond_clockwait;
  if (c->fn != HD_LIB_pthread_cond_wait && c->fn != HD_LIB_cnd_wait && !timed) {
    give_back(c, hd_note_number(0));
    return;
  }
  c->w->blocks = true;
  uint32_t lock = lock_at(c, 1);
  if (lock == MOST || !(c->s.ex >> lock & 1)) {
    refuse(c, "which lock is meant is not known");
    return;
  }
  give(c->w, &c->s, lock);
  take(c->w, &c->s, lock, false, c->edge);
  give_back(c, timed ? of_target(c) : hd_note_number(0));
}

static void semaphores(library_call *c) {
  switch (c->fn) {
  case HD_LIB_sem_wait:
    c->w->blocks = true;
    give_back(c, hd_note_number(0));
    return;
  case HD_LIB_sem_destroy:
    give_back(c, hd_note_number(0));
    return;
  case HD_LIB_sem_init: /* they may overflow */
  case HD_LIB_sem_post:
  case HD_LIB_sem_trywait:
    give_back(c, of_target(c));
    return;
  default:
    refuse(c, "not followed by annotations");
  }
}

static void barriers(library_call *c) {
  if (c->fn == HD_LIB_pthread_barrier_wait)
    c->w->blocks = true;
  give_back(c, of_target(c));
}

/* --- the rest --- */

static void violation(library_call *c) {
  if (!c->w->violated)
    hd_code_print_pos(&c->w->violation, c->w->code, c->e->pos);
  c->w->violated = true;
  end_path(c);
}

static void verification(library_call *c) {
  value v = arg(c, 0);
  hd_cexpr_id condition = c->e->n_operands > 1
                              ? c->w->code->operands.data[c->e->operands + 1]
                              : HD_NO_ID;
  bool assume =
      c->fn == HD_LIB___VERIFIER_assume || c->fn == HD_LIB_heddle_assume;
  bool check =
      c->fn == HD_LIB___VERIFIER_assert || c->fn == HD_LIB_heddle_assert;
  if ((!assume && !check) || condition == HD_NO_ID) {
    violation(c);
    return;
  }
  bool zero = v.kind == HD_NOTE_ANY || v.kind == HD_NOTE_SPAN ||
              (v.kind == HD_NOTE_RANGE && v.lo <= 0 && v.hi >= 0);
  bool other = v.kind != HD_NOTE_SET;
  for (int i = 0; v.kind == HD_NOTE_SET && i < v.n; i++) {
    bool none = v.elems[i].base == HD_NO_ID && !v.elems[i].bits;
    zero = zero || none;
    other = other || !none;
  }
  if (check && zero) {
    library_call bad = *c;
    bad.s = state_copy(c->w->code, &c->s);
    violation(&bad);
  }
  if (!other) {
    end_path(c);
    return;
  }
  refine(c->w, &c->s, condition, true);
  give_back(c, hd_note_any());
}

static void input(library_call *c) {
  value v = of_target(c);
  hd_note_elem at;
  if (hd_library_stores_input(c->fn) && c->e->n_operands == 2) {
    value to = arg(c, 0);
    if (!hd_note_single(&to, &at) || at.base != HD_NO_ID || at.bits) {
      refuse(c, "it writes to memory");
      return;
    }
  }
  if (c->e->n_operands == 3) {
    value lo = arg(c, 0), hi = arg(c, 1);
    hd_note_elem a, b;
    const hd_cexpr *x =
        &c->w->code->exprs.data[c->w->code->operands.data[c->e->operands + 1]];
    if (v.kind == HD_NOTE_RANGE && hd_note_single(&lo, &a) &&
        hd_note_single(&hi, &b) && a.base == HD_NO_ID && b.base == HD_NO_ID &&
        x->type.width == 32) {
      int64_t from = (int32_t)(uint32_t)a.bits, to = (int32_t)(uint32_t)b.bits;
      value cut = hd_note_cut(32, &v, from, to);
      bool sign = strstr(c->name, "nondet_int") != NULL;
      v = sign ? cut : v;
    }
  }
  if (hd_note_empty(&v))
    end_path(c);
  else
    give_back(c, v);
}

/* Functions that do nothing to memory, if they get none. */
static void harmless(library_call *c) {
  for (uint32_t i = 0; i + 1 < c->e->n_operands; i++) {
    value v = arg(c, i);
    for (int k = 0; v.kind == HD_NOTE_SET && k < v.n; k++) {
      if (v.elems[k].base == HD_NO_ID)
        continue;
      const object *o = &c->w->notes->objects.data[v.elems[k].base];
      if (o->kind != OBJ_GLOBAL ||
          !c->w->code->globals.data[o->index].constant) {
        refuse(c, "with memory that may change");
        return;
      }
    }
    hd_cexpr_id e = c->w->code->operands.data[c->e->operands + 1 + i];
    if (v.kind == HD_NOTE_SPAN ||
        (v.kind == HD_NOTE_ANY &&
         c->w->code->exprs.data[e].type.kind == HD_TYPE_PTR)) {
      refuse(c, "with memory that is not known");
      return;
    }
  }
  give_back(c, of_target(c));
}

/* Of attributes nobody reads anything but the library. */
static void attribute(library_call *c) {
  value to = arg(c, 0);
  hd_note_elem e;
  if (!hd_note_single(&to, &e) || e.base == HD_NO_ID ||
      e.bits > object_size(c->w->notes, e.base)) {
    refuse(c, "not followed by annotations");
    return;
  }
  havoc(c->w, &c->s, &to, object_size(c->w->notes, e.base) - e.bits, c->edge);
  give_back(c, of_target(c));
}

static void blocks_of_memory(library_call *c) {
  value to = arg(c, 0), from = arg(c, 1), n = arg(c, 2);
  hd_note_elem size;
  bool copy = c->fn == HD_LIB_memcpy || c->fn == HD_LIB_memmove;
  if ((!copy && c->fn != HD_LIB_memset) || !hd_note_single(&n, &size) ||
      size.base != HD_NO_ID) {
    refuse(c, "not followed by annotations");
    return;
  }
  if (copy)
    touch(c->w, &c->s, &from, size.bits, c->edge);
  havoc(c->w, &c->s, &to, size.bits, c->edge);
  give_back(c, to);
}

static void section(library_call *c) {
  bool begin = c->fn == HD_LIB___VERIFIER_atomic_begin ||
               c->fn == HD_LIB_heddle_atomic_begin;
  if (begin) {
    acquire(c, ATOMIC, true, false);
  } else {
    release(c, ATOMIC);
  }
}

static bool may_block(hd_library_fn fn) {
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_MUTEX:
  case HD_LIBRARY_RWLOCK:
  case HD_LIBRARY_SPIN:
  case HD_LIBRARY_COND:
  case HD_LIBRARY_SEM:
  case HD_LIBRARY_BARRIER:
    return true;
  default:
    return fn == HD_LIB_pthread_join || fn == HD_LIB_thrd_join;
  }
}

void call_library(walk *w, state s, hd_edge_id edge, hd_library_fn fn,
                  const char *name) {
  library_call c = {w, s, edge, &w->code->edges.data[edge], fn, name};
  if (s.ex >> ATOMIC & 1 && may_block(fn)) {
    refuse(&c, "waits in an atomic section, which lets others in");
    return;
  }
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_INPUT:
    input(&c);
    return;
  case HD_LIBRARY_VERIFY:
    verification(&c);
    return;
  case HD_LIBRARY_ATOMIC:
    section(&c);
    return;
  case HD_LIBRARY_THREAD:
    threads(&c);
    return;
  case HD_LIBRARY_MUTEX:
  case HD_LIBRARY_RWLOCK:
  case HD_LIBRARY_SPIN:
    locks(&c);
    return;
  case HD_LIBRARY_COND:
    conditions(&c);
    return;
  case HD_LIBRARY_SEM:
    semaphores(&c);
    return;
  case HD_LIBRARY_BARRIER:
    barriers(&c);
    return;
  case HD_LIBRARY_ATTR:
    attribute(&c);
    return;
  case HD_LIBRARY_MEMORY:
    blocks_of_memory(&c);
    return;
  case HD_LIBRARY_SLEEP:
  case HD_LIBRARY_MATH:
  case HD_LIBRARY_OUTPUT:
    harmless(&c);
    return;
  case HD_LIBRARY_EXIT:
    if (fn == HD_LIB_abort || fn == HD_LIB_exit || fn == HD_LIB__exit ||
        fn == HD_LIB__Exit)
      end_path(&c);
    else
      refuse(&c, "not followed by annotations");
    return;
  default:
    refuse(&c, "not followed by annotations");
  }
}

/* SPDX-License-Identifier: MIT */
/* What the next visible action of a thread touches, for partial-order reduction.
 *
 * Sound means: what is not said to conflict commutes. Memory accesses are
 * described by the ranges they read and write. Calls that work on a lock touch
 * that lock, and read the bytes it consists of (`from`); a lock is known by its
 * address, so two calls work on the same one when the addresses are equal.
 * Whatever is not described here
 * (`memory`, `local` and `sync` all unset) conflicts with everything that is not
 * local. */
#include "check/interp/interp.h"

#include "check/interp/heap.h"
#include "check/interp/lib.h"
#include "check/interp/locks.h"
#include "check/interp/memory.h"
#include "check/interp/sync.h"
#include "check/interp/symbolic.h"

#include <string.h>

/* Creating threads: their numbers depend on the order. */
#define SYNC_THREADS 1
/* Thread-specific keys: likewise. */
#define SYNC_KEYS 2
/* With `reuse`: which addresses may come again. */
#define SYNC_HEAP 3

/* Memory nobody else can reach: only constant objects are known to be so. */
static bool constant(const hd_machine *m, uint64_t address) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  return object && object->constant;
}

static void range(hd_access *a, uint64_t address, uint64_t size, bool writes) {
  a->memory = true;
  a->address = address;
  a->size = size;
  a->writes = writes;
  if (!size)
    a->local = true;
}

/* With inputs as variables: what is there, and the value that is expected. */
static bool differs(const hd_machine *m, hd_type type, const uint8_t *bytes,
                    const uint8_t *shadow, hd_machine_value expected) {
  uint32_t size = hd_type_bytes(type);
  hd_machine_value old = {0, 0}, same;
  memcpy(&old.bits, bytes, size);
  if (shadow)
    memcpy(&old.undef, shadow, size);
  if (!hd_symbolic(m, old) && !hd_symbolic(m, expected))
    return old.bits != expected.bits;
  if (!hd_symbolic_hooks(m)->binary(m, HD_CODE_EQ, (uint8_t)(8 * size), &old,
                                    &expected, &same))
    return !old.undef && !expected.undef && old.bits != expected.bits;
  hd_symbolic_need(m, HD_NEED_TRUTH, 1, &same);
  return !same.undef && !same.bits;
}

/* Would the compare-and-exchange find something else than it expects? Bits that
 * were never set may be anything. */
static bool fails(const hd_machine *m, const hd_thread *t, const hd_cedge *edge,
                  uint64_t address, uint32_t size) {
  hd_machine_value expected;
  hd_trouble trouble;
  hd_cexpr_id expr = hd_code_operand(m->plan->code, edge, 1);
  if (!hd_eval_open(m, t, expr, &expected, &trouble) ||
      hd_ram_wrong(m, address, size, false))
    return false;
  const uint8_t *shadow, *bytes = hd_ram_bytes(m, address, &shadow);
  if (m->plan->options->symbols)
    return differs(m, m->plan->code->exprs.data[expr].type, bytes, shadow,
                   expected);
  if (expected.undef)
    return false;
  for (uint32_t i = 0; i < size; i++)
    if (bytes[i] != (uint8_t)(expected.bits >> 8 * i) && !(shadow && shadow[i]))
      return true;
  return false;
}

static void edge_access(const hd_machine *m, const hd_thread *t,
                        const hd_cedge *edge, hd_access *a) {
  const hd_code *code = m->plan->code;
  if (edge->act == HD_CODE_FENCE) {
    a->local = true;
    return;
  }
  if (edge->act == HD_CODE_RETURN || edge->act == HD_CODE_UNSUPPORTED) {
    a->local = true; /* ends the run */
    return;
  }
  hd_machine_value address;
  hd_trouble trouble;
  if (!hd_eval(m, t, hd_code_operand(code, edge, 0), &address, &trouble))
    return; /* ends the run: conflicts with everything */
  hd_type type;
  if (edge->act == HD_CODE_LOAD) {
    const hd_func *func = &code->funcs.data[code->locs.data[edge->from].func];
    type = code->regs.data[func->regs + hd_code_target(code, edge, 0)].type;
  } else {
    type = code->exprs.data[hd_code_operand(code, edge, 1)].type;
  }
  range(a, address.bits, hd_type_bytes(type), edge->act != HD_CODE_LOAD);
  a->atomic = edge->order != HD_ORDER_NONE || edge->act == HD_CODE_RMW ||
              edge->act == HD_CODE_CMPXCHG;
  a->fails = edge->act == HD_CODE_CMPXCHG &&
             fails(m, t, edge, address.bits, hd_type_bytes(type));
  if ((edge->act == HD_CODE_LOAD && constant(m, address.bits)) ||
      hd_heap_private(m, t->id, address.bits))
    a->local = true;
}

static bool initialises(hd_library_fn fn) {
  return fn == HD_LIB_pthread_mutex_init || fn == HD_LIB_mtx_init ||
         fn == HD_LIB_pthread_spin_init || fn == HD_LIB_pthread_rwlock_init ||
         fn == HD_LIB_pthread_cond_init || fn == HD_LIB_cnd_init ||
         fn == HD_LIB_pthread_barrier_init || fn == HD_LIB_sem_init;
}

static bool destroys(hd_library_fn fn) {
  return fn == HD_LIB_pthread_mutex_destroy || fn == HD_LIB_mtx_destroy ||
         fn == HD_LIB_pthread_spin_destroy ||
         fn == HD_LIB_pthread_rwlock_destroy ||
         fn == HD_LIB_pthread_cond_destroy || fn == HD_LIB_cnd_destroy ||
         fn == HD_LIB_pthread_barrier_destroy || fn == HD_LIB_sem_destroy;
}

/* The time until which the call waits; a place that cannot be told ends the
 * run. */
static void time_access(const hd_machine *m, const hd_thread *t,
                        hd_library_fn fn, hd_access *a) {
  int i = hd_time_arg(fn);
  if (i < 0)
    return;
  if (hd_lib_arg(m, t, (uint32_t)i, &a->also))
    a->also_size = 2 * hd_word(m);
  else
    *a = (hd_access){.edge = a->edge};
}

/* The first argument is the address of what the call works on. Its bytes are
 * written: atomically, but for those that make it or destroy it, which write it
 * as anybody writes. */
static void sync_access(const hd_machine *m, const hd_thread *t,
                        hd_library_fn fn, hd_sync_kind kind, hd_access *a) {
  uint64_t address, attributes = 0;
  if (!hd_lib_arg(m, t, 0, &address) || !address)
    return;
  bool plain = initialises(fn) || destroys(fn);
  a->sync = address;
  range(a, address, hd_sync_size(m, kind), true);
  a->atomic = !plain;
  if (initialises(fn) && kind != HD_SYNC_SEM && kind != HD_SYNC_SPIN &&
      fn != HD_LIB_mtx_init && fn != HD_LIB_cnd_init &&
      hd_lib_arg(m, t, 1, &attributes)) {
    a->from = attributes;
    a->from_size = attributes ? 4 : 0;
  }
  time_access(m, t, fn, a);
}

static uint32_t arrives(const hd_machine *m, const hd_thread *t,
                        uint64_t barrier) {
  const hd_sync *sync = hd_sync_find(m, barrier, HD_SYNC_BARRIER);
  return sync && !sync->destroyed && hd_barrier_all_same(m, t) ? sync->limit
                                                               : 0;
}

/* Who waits for a condition variable is state of that variable: as if its bytes
 * were written. Waiting also gives up the mutex. */
static void cond_access(const hd_machine *m, const hd_thread *t,
                        hd_library_fn fn, hd_access *a) {
  uint64_t condition, mutex;
  if (!hd_lib_arg(m, t, 0, &condition))
    return;
  range(a, condition, hd_sync_size(m, HD_SYNC_COND), true);
  a->atomic = !initialises(fn) && !destroys(fn);
  if (fn != HD_LIB_pthread_cond_wait && fn != HD_LIB_cnd_wait &&
      fn != HD_LIB_pthread_cond_timedwait && fn != HD_LIB_cnd_timedwait &&
      fn != HD_LIB_pthread_cond_clockwait)
    return;
  if (hd_lib_arg(m, t, 1, &mutex) && mutex) {
    a->sync = a->from = mutex;
    a->from_size = hd_sync_size(m, HD_SYNC_MUTEX);
    time_access(m, t, fn, a);
  } else {
    *a = (hd_access){.edge = a->edge};
  }
}

static bool waits_for_lock(hd_library_fn fn) {
  return fn == HD_LIB_pthread_mutex_lock || fn == HD_LIB_mtx_lock ||
         fn == HD_LIB_pthread_spin_lock || fn == HD_LIB_pthread_rwlock_rdlock ||
         fn == HD_LIB_pthread_rwlock_wrlock;
}

static void memory_call(const hd_machine *m, const hd_thread *t,
                        hd_library_fn fn, hd_access *a) {
  uint64_t first, second, size;
  switch (fn) {
  case HD_LIB_memset:
    if (hd_lib_arg(m, t, 0, &first) && hd_lib_arg(m, t, 2, &size))
      range(a, first, size, true);
    break;
  case HD_LIB_bzero:
  case HD_LIB_explicit_bzero:
    if (hd_lib_arg(m, t, 0, &first) && hd_lib_arg(m, t, 1, &size))
      range(a, first, size, true);
    break;
  case HD_LIB_memcpy:
  case HD_LIB_mempcpy:
  case HD_LIB_memmove:
    if (!hd_lib_arg(m, t, 0, &first) || !hd_lib_arg(m, t, 1, &second) ||
        !hd_lib_arg(m, t, 2, &size))
      break;
    range(a, first, size, true);
    if (!constant(m, second)) {
      a->from = second;
      a->from_size = size;
    }
    break;
  default:
    break;
  }
}

static void thread_call(const hd_machine *m, const hd_thread *t,
                        hd_library_fn fn, hd_access *a) {
  uint64_t place;
  switch (fn) {
  case HD_LIB_pthread_self:
  case HD_LIB_thrd_current:
  case HD_LIB_pthread_equal:
  case HD_LIB_thrd_equal:
    a->local = true;
    break;
  case HD_LIB_pthread_create:
  case HD_LIB_thrd_create:
    a->sync = SYNC_THREADS; /* the id is stored by the next action */
    if (fn == HD_LIB_pthread_create && hd_lib_arg(m, t, 1, &place) && place) {
      a->from = place;
      a->from_size = 4;
    }
    break;
  case HD_LIB_pthread_join:
  case HD_LIB_thrd_join:
    a->sync = SYNC_THREADS;
    if (hd_lib_arg(m, t, 1, &place) && place)
      range(a, place, hd_word(m), true);
    break;
  case HD_LIB_pthread_detach:
  case HD_LIB_thrd_detach:
    a->sync = SYNC_THREADS;
    break;
  case HD_LIB_pthread_exit:
  case HD_LIB_thrd_exit:
    a->local = true; /* as returning from the thread's function is */
    break;
  default:
    break;
  }
}

/* Output is no part of the state; reading what it prints is. */
static bool prints_only_values(const hd_machine *m, const hd_thread *t,
                               hd_library_fn fn) {
  uint32_t at = 0;
  switch (fn) {
  case HD_LIB_putchar:
  case HD_LIB_fputc:
  case HD_LIB_putc:
  case HD_LIB_fflush:
    return true;
  case HD_LIB_printf:
  case HD_LIB_puts:
  case HD_LIB_fputs:
    break;
  case HD_LIB_fprintf:
  case HD_LIB_dprintf:
    at = 1;
    break;
  default:
    return false;
  }
  uint64_t text;
  int64_t offset;
  if (!hd_lib_arg(m, t, at, &text) || !constant(m, text))
    return false;
  const hd_object *object = hd_ram_find(m, text, &offset);
  return fn == HD_LIB_puts || fn == HD_LIB_fputs || offset < 0 ||
         (uint64_t)offset >= object->size ||
         hd_library_format(object->block->bytes + offset,
                           object->size - (uint64_t)offset,
                           SIZE_MAX) == HD_PRINTS_VALUES;
}

void hd_lib_access(const hd_machine *m, const hd_thread *t, hd_access *a) {
  hd_library_fn fn = hd_thread_callee(m, t, NULL);
  if (fn == HD_LIB_NONE)
    return;
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_INPUT: {
    uint64_t place = 0;
    a->local =
        !hd_library_stores_input(fn) || (hd_lib_arg(m, t, 0, &place) && !place);
    break;
  }
  case HD_LIBRARY_MATH:
    a->local = true;
    break;
  case HD_LIBRARY_SLEEP:
    a->local = fn != HD_LIB_clock_gettime && fn != HD_LIB_gettimeofday &&
               fn != HD_LIB_timespec_get && hd_time_arg(fn) < 0;
    if (hd_time_arg(fn) >= 0) {
      uint64_t time;
      if (hd_lib_arg(m, t, (uint32_t)hd_time_arg(fn), &time))
        range(a, time, 2 * hd_word(m), false);
    } else if (!a->local) {
      uint64_t place;
      if (hd_lib_arg(m, t, fn == HD_LIB_clock_gettime ? 1 : 0, &place))
        range(a, place, 2 * hd_word(m), true);
    }
    break;
  case HD_LIBRARY_MUTEX:
    sync_access(m, t, fn, HD_SYNC_MUTEX, a);
    a->acquires = waits_for_lock(fn);
    break;
  case HD_LIBRARY_SPIN:
    sync_access(m, t, fn, HD_SYNC_SPIN, a);
    a->acquires = waits_for_lock(fn);
    break;
  case HD_LIBRARY_RWLOCK:
    sync_access(m, t, fn, HD_SYNC_RWLOCK, a);
    a->acquires = waits_for_lock(fn);
    break;
  case HD_LIBRARY_SEM:
    if (fn != HD_LIB_sem_getvalue)
      sync_access(m, t, fn, HD_SYNC_SEM, a);
    a->open = true;
    break;
  case HD_LIBRARY_BARRIER:
    sync_access(m, t, fn, HD_SYNC_BARRIER, a);
    if (fn == HD_LIB_pthread_barrier_wait && a->sync)
      a->arrives = arrives(m, t, a->sync);
    break;
  case HD_LIBRARY_COND:
    cond_access(m, t, fn, a);
    break;
  case HD_LIBRARY_MEMORY:
    memory_call(m, t, fn, a);
    break;
  case HD_LIBRARY_THREAD:
    thread_call(m, t, fn, a);
    break;
  case HD_LIBRARY_KEY: {
    uint64_t place;
    a->sync = SYNC_KEYS;
    if ((fn == HD_LIB_pthread_key_create || fn == HD_LIB_tss_create) &&
        hd_lib_arg(m, t, 0, &place))
      range(a, place, 4, true);
    break;
  }
  case HD_LIBRARY_VERIFY:
    /* Ends the run, or nothing. */
    a->local = true;
    break;
  case HD_LIBRARY_EXIT:
    a->local = fn != HD_LIB_atexit;
    break;
  case HD_LIBRARY_ONCE:
    sync_access(m, t, fn, HD_SYNC_ONCE, a);
    break;
  case HD_LIBRARY_CLEANUP:
    a->local = true; /* its own handlers */
    break;
  case HD_LIBRARY_OUTPUT:
    a->local = prints_only_values(m, t, fn);
    break;
  case HD_LIBRARY_HEAP:
    /* Fresh memory is the thread's own; max_memory is not counted. */
    a->local = fn == HD_LIB_malloc || fn == HD_LIB_calloc ||
               fn == HD_LIB_aligned_alloc || fn == HD_LIB_memalign ||
               fn == HD_LIB_valloc;
    if (m->plan->options->reuse || m->plan->options->orders) {
      a->sync = a->local || fn == HD_LIB_free ? SYNC_HEAP : 0;
      a->local = false;
    }
    if (fn == HD_LIB_free) {
      uint64_t address;
      int64_t offset;
      const hd_object *object;
      if (hd_lib_arg(m, t, 0, &address) && !address)
        a->local = true;
      else if (hd_lib_arg(m, t, 0, &address) &&
               (object = hd_ram_find(m, address, &offset)) && !offset)
        range(a, address, object->size ? object->size : 1, true);
    }
    break;
  default:
    break;
  }
}

hd_access hd_machine_access(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  hd_access a = {.edge = t->next};
  if (t->wait != HD_WAIT_NONE) {
    a.edge = hd_thread_edge(t);
    a.spurious = t->wait == HD_WAIT_COND && !t->timed;
    a.open = t->wait == HD_WAIT_COND || t->wait == HD_WAIT_BARRIER;
    if (t->wait == HD_WAIT_RELOCK) {
      a.sync = t->mutex;
      a.acquires = true;
      a.also = t->object; /* whoever makes or destroys it finds it in use */
      a.also_size = hd_sync_size(m, HD_SYNC_COND);
    } else if (t->wait == HD_WAIT_COND) {
      /* whom a signal finds waiting */
      range(&a, t->object, hd_sync_size(m, HD_SYNC_COND), true);
      a.atomic = true;
    } else if (t->wait == HD_WAIT_PASSED) {
      a.local = true;
    } else if (t->wait == HD_WAIT_CREATED) {
      range(&a, t->object, hd_word(m), true);
    } else {
      a.sync = t->object;
      a.arrives = t->wait == HD_WAIT_BARRIER ? arrives(m, t, a.sync) : 0;
    }
    return a;
  }
  if (t->next == HD_NO_ID)
    return a;
  const hd_cedge *edge = &m->plan->code->edges.data[t->next];
  if (edge->act == HD_CODE_CALL)
    hd_lib_access(m, t, &a);
  else
    edge_access(m, t, edge, &a);
  if (t->atomic) /* moves on through the section */
    a = (hd_access){.edge = t->next, .open = a.open};
  return a;
}

static bool overlap(uint64_t a, uint64_t n, uint64_t b, uint64_t k) {
  return n && k && a < b + k && b < a + n;
}

/* What `a` writes and `b` reads or writes. */
static bool writes_into(const hd_access *a, const hd_access *b) {
  if (!a->memory || !a->writes)
    return false;
  return (b->memory && overlap(a->address, a->size, b->address, b->size)) ||
         overlap(a->address, a->size, b->from, b->from_size) ||
         overlap(a->address, a->size, b->also, b->also_size);
}

static bool described(const hd_access *a) {
  return a->memory || a->sync;
}

bool hd_access_conflicts(const hd_access *a, const hd_access *b) {
  if (a->local || b->local)
    return false;
  if (!described(a) || !described(b))
    return true;
  if (a->sync && a->sync == b->sync)
    return true;
  return writes_into(a, b) || writes_into(b, a);
}

/* `a` changes what `b` looks at. */
static bool races_into(const hd_access *a, const hd_access *b) {
  return a->writes && !a->fails &&
         ((overlap(a->address, a->size, b->address, b->size) &&
           !(a->atomic && b->atomic)) ||
          (overlap(a->address, a->size, b->from, b->from_size) &&
           !(a->atomic && b->atomic)) ||
          overlap(a->address, a->size, b->also, b->also_size));
}

bool hd_access_races(const hd_access *a, const hd_access *b) {
  return a->memory && b->memory && (races_into(a, b) || races_into(b, a));
}

void hd_machine_owned(const hd_machine *m, hd_tid tid, hd_addresses *out) {
  for (hd_vec_each(hd_sync, sync, &m->syncs->items))
    if (sync->owner == tid && sync->kind != HD_SYNC_ONCE)
      hd_vec_push(out, sync->address);
}

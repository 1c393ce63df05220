/* SPDX-License-Identifier: MIT */
/* Threads, thread-specific values, cleanup handlers. A thread's handle is its
 * number + 1, so that 0 is none. */
#include "check/interp/lib.h"

#include "check/interp/clocks.h"
#include "check/interp/heap.h"

#include <errno.h>
#include <string.h>

static bool is_c11(const hd_call *c) {
  return strncmp(hd_library_name(c->fn), "thrd_", 5) == 0 ||
         strncmp(hd_library_name(c->fn), "tss_", 4) == 0;
}

/* The thread a handle means; HD_NO_ID after a violation. */
static hd_tid target(hd_call *c) {
  hd_tid tid = hd_lib_thread_of(c->m, hd_arg(c, 0));
  if (tid != HD_NO_ID)
    return tid;
  hd_machine_violate(c->m, c->tid, HD_PROPERTY_SYNC,
                     "%s of something that is no thread",
                     hd_library_name(c->fn));
  if (hd_machine_runs(c->m))
    hd_return_int(c, is_c11(c) ? 2 : ESRCH);
  return HD_NO_ID;
}

/* What glibc says then: a thread that has been joined is not there any more. */
static void misuse(hd_call *c, hd_tid other, const char *what) {
  hd_machine_violate(c->m, c->tid, HD_PROPERTY_SYNC, "%s of thread %u, %s",
                     hd_library_name(c->fn), other, what);
  int code = hd_thread_of(c->m, other)->joined ? ESRCH : EINVAL;
  if (hd_machine_runs(c->m))
    hd_return_int(c, is_c11(c) ? 2 : code);
}

/* One more than the bound on threads that are alive? Then the run ends. */
static bool too_many(hd_call *c) {
  uint32_t most = c->m->plan->options->max_threads, alive = 0;
  for (hd_tid t = 0; most && t < c->m->threads.size; t++)
    alive += hd_machine_alive(c->m, t);
  if (!most || alive < most)
    return false;
  hd_machine_stop(c->m, c->tid, HD_MACHINE_UNSUPPORTED,
                  "more than %u threads at a time", most);
  return true;
}

/* Has nobody the id of this thread any more? */
static bool is_free(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  return t->ended && t->joined && hd_lib_thread_of(m, t->handle) == tid;
}

uint64_t hd_lib_free_ids(const hd_machine *m) {
  uint64_t n = 0;
  for (hd_tid t = 0; m->plan->ids && t < m->threads.size; t++)
    n += is_free(m, t);
  return n;
}

static uint64_t free_id(const hd_machine *m, uint64_t which) {
  hd_tid t = 0;
  while (!is_free(m, t) || which--)
    t++;
  return hd_thread_of(m, t)->handle;
}

static void create(hd_call *c) {
  bool c11 = is_c11(c);
  uint64_t place = hd_arg(c, 0), start = hd_arg(c, c11 ? 1 : 2);
  hd_machine_value arg =
      c->n > (c11 ? 2u : 3u) ? c->args[c11 ? 2 : 3] : (hd_machine_value){0, 0};
  uint64_t detached = 0;
  if (!c11 && !hd_attr_read(c, hd_arg(c, 1), &detached))
    return;
  hd_func_id func = hd_ram_func_at(c->m, start);
  if (func == HD_NO_ID) {
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_MEMORY,
                       "a thread is to start at something that is no function");
    return;
  }
  if (!c->m->plan->code->funcs.data[func].defined) {
    hd_call_unsupported(c, "the thread's function is not defined");
    return;
  }
  if (too_many(c))
    return;
  uint64_t handle = c->choice ? free_id(c->m, c->choice - 1)
                              : (uint64_t)c->m->threads.size + 1;
  bool seen = c->m->plan->sights[hd_thread_edge(c->t)] != HD_SIGHT_CREATE;
  if (!seen && !hd_put(c, place, hd_word(c->m), handle))
    return;
  hd_tid child = hd_thread_new(c->m, func, &arg, 1, HD_FRAME_THREAD);
  if (child == HD_NO_ID)
    return;
  hd_ram_keep(c->m, arg);
  hd_heap_publish(c->m, arg.bits);
  c->m->threads.data[child]->detached = detached & 1;
  c->m->threads.data[child]->c11 = c11;
  c->m->threads.data[child]->handle = handle;
  hd_clock_fork(c->m, c->tid, child);
  hd_machine_tell(c->m, HD_EVENT_CREATE, c->tid, child, 0, NULL);
  if (c->choice)
    hd_machine_tell(c->m, HD_EVENT_STEP, c->tid, HD_NO_ID, 0,
                    "the id of a thread that is gone comes again");
  hd_thread_run(c->m, child);
  hd_return_int(c, 0);
  if (!seen)
    return;
  /* It may run before its creator knows its id. */
  c->t->wait = HD_WAIT_CREATED;
  c->t->object = place;
  c->t->mutex = handle;
  c->stay = true;
}

void hd_thread_created(hd_call *c) {
  uint64_t place = c->t->object, handle = c->t->mutex;
  c->t->wait = HD_WAIT_NONE;
  c->t->object = c->t->mutex = 0;
  if (!hd_put(c, place, hd_word(c->m), handle))
    return;
  hd_return_int(c, 0);
  hd_thread_finish_call(c->m, c->t, &c->result, 1);
}

static void join(hd_call *c) {
  hd_tid other = target(c);
  if (other == HD_NO_ID)
    return;
  const hd_thread *t = hd_thread_of(c->m, other);
  if (t->detached || t->joined) {
    misuse(c, other,
           t->detached ? "which is detached" : "which has been joined");
    return;
  }
  if (other == c->tid) {
    hd_machine_violate(c->m, c->tid,
                       hd_plan_checks(c->m->plan, HD_PROPERTY_DEADLOCK)
                           ? HD_PROPERTY_DEADLOCK
                           : HD_PROPERTY_SYNC,
                       "the thread waits for its own end");
    if (hd_machine_runs(c->m)) /* POSIX leaves it open; so glibc */
      hd_return_int(c, is_c11(c) ? 2 : EDEADLK);
    return;
  }
  assert(t->ended);
  uint64_t place = hd_arg(c, 1);
  uint32_t size = is_c11(c) ? 4 : hd_word(c->m);
  if (place && !hd_ram_store(c->m, c->tid, place, size, false, t->result))
    return;
  if (place && hd_machine_watched(c->m))
    hd_machine_tell_write(c->m, c->tid, place, size);
  hd_thread_own(c->m, other)->joined = true;
  hd_clock_join(c->m, c->tid, other);
  hd_machine_tell(c->m, HD_EVENT_JOIN, c->tid, other, 0, NULL);
  hd_return_int(c, 0);
}

static void detach(hd_call *c) {
  hd_tid other = target(c);
  if (other == HD_NO_ID)
    return;
  const hd_thread *t = hd_thread_of(c->m, other);
  if (t->detached || t->joined) {
    misuse(c, other,
           t->detached ? "which is detached already" : "which has been joined");
    return;
  }
  hd_thread_own(c->m, other)->detached = true;
  hd_return_int(c, 0);
}

/* Enabled and deferred are 0, disabled and asynchronous are 1. */
static void set_cancel(hd_call *c, bool *now) {
  uint64_t wanted = (uint32_t)hd_arg(c, 0);
  if (wanted > 1) {
    hd_return_int(c, EINVAL);
    return;
  }
  if (hd_arg(c, 1) && !hd_put(c, hd_arg(c, 1), 4, *now))
    return;
  *now = wanted;
  if (!hd_cancel_refused(c, c->t))
    hd_return_int(c, 0);
}

void hd_lib_thread(hd_call *c) {
  switch (c->fn) {
  case HD_LIB_pthread_create:
  case HD_LIB_thrd_create:
    create(c);
    break;
  case HD_LIB_pthread_join:
  case HD_LIB_thrd_join:
    join(c);
    break;
  case HD_LIB_pthread_detach:
  case HD_LIB_thrd_detach:
    detach(c);
    break;
  case HD_LIB_pthread_exit:
  case HD_LIB_thrd_exit:
    c->stay = true;
    hd_thread_exit(
        c->m, c->t,
        c->n ? hd_thread_result(
                   c->m, c->m->plan->code->operands.data[c->edge->operands + 1],
                   c->args[0])
             : (hd_machine_value){0, 0});
    break;
  case HD_LIB_pthread_self:
  case HD_LIB_thrd_current:
    hd_return(c, c->t->handle);
    break;
  case HD_LIB_pthread_equal:
  case HD_LIB_thrd_equal:
    hd_return_int(c, hd_arg(c, 0) == hd_arg(c, 1));
    break;
  case HD_LIB_pthread_setcancelstate:
    set_cancel(c, &c->t->cancel[0]);
    break;
  case HD_LIB_pthread_setcanceltype:
    set_cancel(c, &c->t->cancel[1]);
    break;
  default: /* pthread_testcancel: nothing to do */
    hd_return_int(c, 0);
  }
}

/* --- thread-specific values --- */

static hd_pair *find_value(hd_thread *t, uint64_t key) {
  for (hd_vec_each(hd_pair, pair, &t->keys))
    if (pair->key == key)
      return pair;
  return NULL;
}

static void set_value(hd_thread *t, uint64_t key, uint64_t value) {
  hd_pair *pair = find_value(t, key);
  if (pair) {
    pair->value = value;
    return;
  }
  hd_pair fresh = {key, value};
  size_t at = t->keys.size;
  hd_vec_push(&t->keys, fresh);
  for (; at && t->keys.data[at - 1].key > key; at--)
    t->keys.data[at] = t->keys.data[at - 1];
  t->keys.data[at] = fresh;
}

static bool known_key(hd_call *c, uint64_t key) {
  if (key < c->m->keys.size && c->m->keys.data[key].used)
    return true;
  hd_machine_violate(c->m, c->tid, HD_PROPERTY_SYNC,
                     "%s with a key that does not exist",
                     hd_library_name(c->fn));
  bool get = c->fn == HD_LIB_pthread_getspecific || c->fn == HD_LIB_tss_get;
  if (hd_machine_runs(c->m) && get)
    hd_return(c, 0);
  else if (hd_machine_runs(c->m))
    hd_return_int(c, is_c11(c) ? 2 : EINVAL);
  return false;
}

static bool destroys(const hd_tls_key *key) {
  return key->used && key->destructor;
}

static uint32_t destructors(const hd_machine *m) {
  uint32_t n = 0;
  for (hd_vec_each(const hd_tls_key, key, &m->keys))
    n += destroys(key);
  return n;
}

/* In which order a thread that ends calls destructors is not specified: each new
 * one may be the last (choice 0) or stand before any other. */
uint64_t hd_lib_key_choices(const hd_machine *m, const hd_thread *t) {
  uint64_t destructor;
  return hd_lib_arg(m, t, 1, &destructor) && destructor ? destructors(m) + 1
                                                        : 1;
}

/* The others stay in their order. */
static uint32_t find_rank(hd_machine *m, uint64_t choice) {
  uint32_t n = destructors(m), at = choice ? (uint32_t)choice - 1 : n;
  assert(at <= n);
  for (hd_vec_each(hd_tls_key, key, &m->keys))
    key->rank += destroys(key) && key->rank >= at;
  return at;
}

/* It is called no more: those behind it move up. */
static void end_key(hd_machine *m, uint64_t key) {
  hd_tls_key *gone = &m->keys.data[key];
  for (hd_vec_each(hd_tls_key, other, &m->keys))
    other->rank -=
        destroys(gone) && destroys(other) && other->rank > gone->rank;
  *gone = (hd_tls_key){0};
}

/* The lowest that is free, as glibc does; no thread has a value for it. */
static uint64_t make_key(hd_machine *m, uint64_t destructor, uint64_t choice) {
  hd_tls_key fresh = {.destructor = destructor,
                      .rank = destructor ? find_rank(m, choice) : 0,
                      .used = true};
  uint64_t key = 0;
  while (key < m->keys.size && m->keys.data[key].used)
    key++;
  if (key == m->keys.size)
    hd_vec_push(&m->keys, fresh);
  m->keys.data[key] = fresh;
  for (hd_tid t = 0; t < m->threads.size; t++)
    if (hd_thread_of(m, t)->keys.size)
      set_value(hd_thread_own(m, t), key, 0);
  return key;
}

void hd_lib_key(hd_call *c) {
  uint64_t key = (uint32_t)hd_arg(c, 0);
  switch (c->fn) {
  case HD_LIB_pthread_key_create:
  case HD_LIB_tss_create: {
    if (hd_put(c, hd_arg(c, 0), 4, make_key(c->m, hd_arg(c, 1), c->choice)))
      hd_return_int(c, 0);
    break;
  }
  case HD_LIB_pthread_key_delete:
  case HD_LIB_tss_delete:
    if (known_key(c, key)) {
      end_key(c->m, key);
      hd_return_int(c, 0);
    }
    break;
  case HD_LIB_pthread_setspecific:
  case HD_LIB_tss_set:
    if (known_key(c, key)) {
      set_value(c->t, key, hd_arg(c, 1));
      hd_ram_keep(c->m, (hd_machine_value){hd_arg(c, 1), 0});
      hd_return_int(c, 0);
    }
    break;
  default: {
    if (!known_key(c, key))
      return;
    const hd_pair *pair = find_value(c->t, key);
    hd_return(c, pair ? pair->value : 0);
  }
  }
}

#define DESTRUCTOR_ROUNDS 4

/* Calls a handler: true when a function of the program was entered. */
static bool enter(hd_machine *m, hd_thread *t, uint64_t address, uint64_t value,
                  hd_frame_kind kind) {
  hd_func_id func = hd_ram_func_at(m, address);
  hd_machine_value arg = {value, 0};
  if (func == HD_NO_ID) {
    hd_machine_violate(m, t->id, HD_PROPERTY_MEMORY,
                       "a handler is to be called that is no function");
    return false;
  }
  if (m->plan->code->funcs.data[func].defined)
    return hd_thread_push(m, t, func, &arg, 1, kind);
  hd_lib_invoke(m, t, func, arg);
  return false;
}

static hd_pair *value_of_rank(const hd_machine *m, hd_thread *t,
                              uint64_t rank) {
  for (hd_vec_each(hd_pair, pair, &t->keys)) {
    const hd_tls_key *key = &m->keys.data[pair->key];
    if (pair->value && destroys(key) && key->rank == rank)
      return pair;
  }
  return NULL;
}

/* The next value with a destructor. `round` counts the destructors that have been
 * looked at, in all rounds. */
static hd_pair *next_value(hd_machine *m, hd_thread *t) {
  uint32_t n = destructors(m);
  hd_pair *pair = NULL;
  while (!pair && t->round < DESTRUCTOR_ROUNDS * n)
    pair = value_of_rank(m, t, t->round++ % n);
  return pair;
}

/* Enters the next cleanup handler or destructor of an ending thread. Values are
 * set to null before their destructor is called; what it sets is destroyed in
 * the next round. */
bool hd_lib_thread_ends(hd_machine *m, hd_thread *t) {
  while (t->cleanups.size && hd_machine_runs(m)) {
    hd_pair cleanup = hd_vec_pop(&t->cleanups);
    if (enter(m, t, cleanup.key, cleanup.value, HD_FRAME_KEY))
      return true;
  }
  hd_pair *pair;
  while (hd_machine_runs(m) && (pair = next_value(m, t))) {
    uint64_t value = pair->value;
    pair->value = 0;
    if (enter(m, t, m->keys.data[pair->key].destructor, value, HD_FRAME_KEY))
      return true;
  }
  return false;
}

/* --- cleanup handlers --- */

void hd_lib_cleanup(hd_call *c) {
  switch (c->fn) {
  case HD_LIB__pthread_cleanup_push:
  case HD_LIB___heddle_cleanup_push: {
    size_t skip = c->fn == HD_LIB__pthread_cleanup_push ? 1 : 0;
    hd_pair cleanup = {hd_arg(c, skip), hd_arg(c, skip + 1)};
    hd_vec_push(&c->t->cleanups, cleanup);
    hd_ram_keep(c->m, (hd_machine_value){cleanup.value, 0});
    break;
  }
  case HD_LIB__pthread_cleanup_pop:
  case HD_LIB___heddle_cleanup_pop: {
    bool run = hd_arg(c, c->fn == HD_LIB__pthread_cleanup_pop ? 1 : 0) != 0;
    if (!c->t->cleanups.size) {
      hd_call_unsupported(c, "without a handler");
      return;
    }
    hd_pair cleanup = hd_vec_pop(&c->t->cleanups);
    if (run)
      c->stay = enter(c->m, c->t, cleanup.key, cleanup.value, HD_FRAME_CLEANUP);
    break;
  }
  case HD_LIB___pthread_unwind_next:
    hd_call_unsupported(c, "threads are not cancelled");
    break;
  default: /* registering */
    hd_return_int(c, 0);
  }
}

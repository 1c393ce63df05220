/* SPDX-License-Identifier: MIT */
/* Small random concurrent programs in the text form of code graphs. */
#ifndef HD_TESTS_EXPLORE_UTIL_H
#define HD_TESTS_EXPLORE_UTIL_H

#include "base/diag.h"
#include "base/str.h"
#include "front/code/code.h"

#include "rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static inline hd_code *read_code(const char *text) {
  hd_source source = hd_source_from_text("test.code", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  if (!code) {
    hd_diag_print(diag, stderr, false);
    fputs(text, stderr);
  }
  assert_non_null(code);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return code;
}

/* --- functions, location by location --- */

typedef struct {
  hd_str out;
  rng r;
  int loc;       /* the open location: its edges have not been written */
  bool used[12]; /* which kinds of synchronisation may be used */
} writer;

HD_PRINTF(2, 3)
static inline void put(writer *w, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_str_puts(&w->out, text);
}

static inline void put_location(writer *w, int loc) {
  put(w, "  location %d -\n", loc);
}

/* One action, then the next location. */
HD_PRINTF(2, 3)
static inline void act(writer *w, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  put_location(w, w->loc);
  put(w, "    -> %d - %s\n", w->loc + 1, text);
  w->loc++;
}

/* Goes to `skip` locations behind the next one when the condition holds. */
static inline void branch(writer *w, const char *condition,
                          const char *otherwise, int skip) {
  put_location(w, w->loc);
  put(w, "    -> %d - when %s\n", w->loc + 1 + skip, condition);
  put(w, "    -> %d - when %s\n", w->loc + 1, otherwise);
  w->loc++;
}

static inline const char *variable(writer *w) {
  static const char *const names[] = {"@x", "@y", "@z", "@u", "@v"};
  return names[draw(&w->r, 5)];
}

static inline const char *lock_name(writer *w) {
  return draw(&w->r, 2) ? "@m" : "@n";
}

static inline void put_access(writer *w) {
  const char *g = variable(w);
  uint32_t k = draw(&w->r, 3);
  switch (draw(&w->r, 9)) {
  case 0:
  case 1:
    act(w, "load %%a = %s", g);
    break;
  case 2:
    act(w, "store %s = %u:i32", g, k);
    break;
  case 3:
    act(w, "store %s = add.i32(%%a, %u:i32)", g, k);
    break;
  case 4:
    act(w, "load.seq_cst %%a = %s", g);
    break;
  case 5:
    act(w, "store.seq_cst %s = %u:i32", g, k);
    break;
  case 6:
    act(w, "rmw.add.seq_cst %%a = %s, 1:i32", g);
    break;
  case 7:
    act(w, "cmpxchg.seq_cst %%a, %%ok = %s, %u:i32, %u:i32", g, k, k + 1);
    break;
  default:
    act(w, "load %%b = &l");
  }
}

static inline void put_error(writer *w) {
  char yes[60], no[60];
  uint32_t k = draw(&w->r, 4);
  snprintf(yes, sizeof yes, "ne.i1(%%a, %u:i32)", k);
  snprintf(no, sizeof no, "eq.i1(%%a, %u:i32)", k);
  branch(w, yes, no, 1);
  act(w, draw(&w->r, 4) ? "call @reach_error()" : "call @exit(3:i32)");
}

/* A value goes from one thread to another, perhaps. */
static inline void put_exchange(writer *w) {
  const char *g = variable(w);
  switch (draw(&w->r, 4)) {
  case 0:
  case 1:
    act(w, "call %%a = @heddle_nondet_int(0:i32, 2:i32)");
    act(w, "store.seq_cst %s = %%a", g);
    break;
  case 2:
    act(w, "load.seq_cst %%a = %s", g);
    put_error(w);
    break;
  default:
    act(w, "rmw.add.seq_cst %%a = %s, 1:i32", g);
    put_error(w);
  }
}

static inline void put_spin(writer *w) {
  const char *g = variable(w);
  put_location(w, w->loc);
  put(w, "    -> %d - load.seq_cst %%b = %s\n", w->loc + 1, g);
  put_location(w, w->loc + 1);
  put(w, "    -> %d - when eq.i1(%%b, 0:i32)\n", w->loc);
  put(w, "    -> %d - when ne.i1(%%b, 0:i32)\n", w->loc + 2);
  w->loc += 2;
}

static inline void put_critical(writer *w) {
  const char *m = lock_name(w);
  act(w, "call %%k = @pthread_mutex_lock(%s)", m);
  put_access(w);
  if (!draw(&w->r, 3)) {
    const char *n = lock_name(w);
    if (n != m) {
      act(w, "call %%k = @pthread_mutex_lock(%s)", n);
      put_access(w);
      act(w, "call %%k = @pthread_mutex_unlock(%s)", n);
    }
  }
  if (draw(&w->r, 12))
    act(w, "call %%k = @pthread_mutex_unlock(%s)", m);
}

static inline void put_try(writer *w) {
  const char *m = lock_name(w);
  act(w, "call %%k = @pthread_mutex_trylock(%s)", m);
  branch(w, "ne.i1(%k, 0:i32)", "eq.i1(%k, 0:i32)", 2);
  put_access(w);
  act(w, "call %%k = @pthread_mutex_unlock(%s)", m);
}

static inline void put_condition(writer *w) {
  act(w, "call %%k = @pthread_mutex_lock(@m)");
  if (draw(&w->r, 2)) {
    act(w, "load %%a = @x");
    branch(w, "ne.i1(%a, 0:i32)", "eq.i1(%a, 0:i32)", 1);
    act(w, "call %%k = @pthread_cond_wait(@c, @m)");
  } else {
    act(w, "store @x = 1:i32");
    act(w, draw(&w->r, 2) ? "call %%k = @pthread_cond_signal(@c)"
                          : "call %%k = @pthread_cond_broadcast(@c)");
  }
  act(w, "call %%k = @pthread_mutex_unlock(@m)");
}

static inline void put_pointer(writer *w) {
  switch (draw(&w->r, 5)) {
  case 0:
    act(w, "call @publish()");
    break;
  case 1:
    act(w, "store @p = &l");
    break;
  case 2:
    act(w, "call %%q = @malloc(4:i64)");
    act(w, "store %%q = 1:i32");
    act(w, "store @p = %%q");
    break;
  case 3:
    act(w, "load %%q = @p");
    branch(w, "eq.i1(%q, null)", "ne.i1(%q, null)", 1);
    act(w, "load %%a = %%q");
    break;
  default:
    act(w, "load %%q = @p");
    branch(w, "eq.i1(%q, null)", "ne.i1(%q, null)", 1);
    act(w, "call @free(%%q)");
  }
}

static inline void put_rwlock(writer *w) {
  bool writes = draw(&w->r, 2);
  act(w, writes ? "call %%k = @pthread_rwlock_wrlock(@rw)"
                : "call %%k = @pthread_rwlock_rdlock(@rw)");
  if (writes)
    put_access(w);
  else
    act(w, "load %%a = %s", variable(w));
  act(w, "call %%k = @pthread_rwlock_unlock(@rw)");
}

/* Waits at most a while; the time does not matter. */
static inline void put_timed(writer *w) {
  act(w, "call %%k = @pthread_mutex_lock(@m)");
  act(w, "call %%k = @pthread_cond_timedwait(@c, @m, @ts)");
  branch(w, "eq.i1(%k, 0:i32)", "ne.i1(%k, 0:i32)", 1);
  put_access(w);
  act(w, "call %%k = @pthread_mutex_unlock(@m)");
}

static inline void put_more(writer *w) {
  switch (draw(&w->r, 6)) {
  case 0:
    if (w->used[8])
      put_rwlock(w);
    break;
  case 1:
    if (w->used[9])
      put_timed(w);
    break;
  case 2:
    if (w->used[10])
      act(w, "call %%k = @pthread_once(@o, @init)");
    break;
  case 3:
    if (w->used[10])
      act(w, "call @pthread_exit(null)");
    break;
  case 4:
    if (w->used[11])
      act(w, "call %%q = @memcpy(%s, %s, 4:i64)", variable(w), variable(w));
    break;
  default:
    if (w->used[11])
      act(w, "call %%k = @pthread_create(ptradd.ptr(@th, 24:i64), null, @leaf, "
             "null)");
  }
}

static inline void put_action(writer *w) {
  switch (draw(&w->r, 26)) {
  case 22:
  case 23:
  case 24:
    put_exchange(w);
    break;
  case 20:
  case 21:
    put_more(w);
    break;
  case 0:
  case 1:
    put_error(w);
    break;
  case 2:
    if (w->used[0])
      put_spin(w);
    break;
  case 3:
  case 4:
  case 5:
    put_critical(w);
    break;
  case 6:
    if (w->used[1])
      put_try(w);
    break;
  case 7:
    if (w->used[2])
      put_condition(w);
    break;
  case 8:
    if (w->used[3])
      act(w, draw(&w->r, 2) ? "call %%k = @sem_wait(@s)"
                            : "call %%k = @sem_post(@s)");
    break;
  case 9:
    if (w->used[4])
      put_pointer(w);
    break;
  case 10:
    if (w->used[5]) {
      act(w, "call @__VERIFIER_atomic_begin()");
      put_access(w);
      put_access(w);
      act(w, "call @__VERIFIER_atomic_end()");
    }
    break;
  case 11:
    act(w, "call %%a = @heddle_nondet_int(0:i32, 1:i32)");
    break;
  case 12:
    if (w->used[6])
      act(w, "call @__VERIFIER_assume(zext.i32(ne.i1(%%a, 1:i32)))");
    break;
  case 13:
    if (w->used[7])
      act(w, "call %%k = @pthread_barrier_wait(@b)");
    break;
  default:
    put_access(w);
  }
}

static inline void put_registers(writer *w) {
  put(w, "  reg %%a i32\n  reg %%b i32\n  reg %%k i32\n  reg %%q ptr\n"
         "  reg %%ok i1\n  reg %%h i64\n  slot &l size 4 align 4\n");
  w->loc = 0;
  act(w, "set %%a, %%b = 0:i32, 0:i32");
  act(w, "store &l = 2:i32");
}

/* A thread's function, up to its registers; and what is behind its last location. */
static inline void put_head(writer *w, int number) {
  put(w, "function @t%d (%%arg) -> ptr {\n  reg %%arg ptr\n", number);
}

static inline void put_end(writer *w, const char *result) {
  put_location(w, w->loc);
  put(w, "    -> %d - return %s\n}\n", w->loc, result);
}

/* Thread `number`, in function `t`. */
static inline void put_start(writer *w, int number, int t) {
  act(w,
      "call %%k = @pthread_create(ptradd.ptr(@th, %d:i64), null, @t%d, null)",
      8 * number, t);
}

static inline void put_creation(writer *w, int number) {
  put_start(w, number, number);
}

static inline void put_join(writer *w, int number) {
  act(w, "load %%h = ptradd.ptr(@th, %d:i64)", 8 * number);
  act(w, "call %%k = @pthread_join(%%h, null)");
}

static inline void put_thread(writer *w, int number, int actions) {
  put_head(w, number);
  put_registers(w);
  for (int i = 0; i < actions; i++)
    put_action(w);
  put_end(w, "null");
}

static inline void put_main(writer *w, int threads, int actions) {
  put(w, "function @main () -> i32 {\n");
  put_registers(w);
  act(w, "call %%k = @sem_init(@s, 0:i32, %u:i32)", draw(&w->r, 2));
  act(w, "call %%k = @pthread_barrier_init(@b, null, 2:i32)");
  for (int i = 0; i < threads; i++) {
    put_creation(w, i);
    for (int k = 0; k < actions && draw(&w->r, 2); k++)
      put_action(w);
  }
  for (int i = 0; i < threads; i++) {
    if (!draw(&w->r, 6))
      continue;
    put_join(w, i);
  }
  /* What nobody reads at the end can be dead before. */
  if (draw(&w->r, 2))
    act(w, "load %%a = %s", variable(w));
  if (draw(&w->r, 2))
    act(w, "load %%b = %s", variable(w));
  put_location(w, w->loc);
  put(w, "    -> %d - return add.i32(%%a, mul.i32(%%b, 8:i32))\n}\n", w->loc);
}

/* Some threads in the first function, the others in the second; nearly always all
 * are joined, in any order. */
static inline void put_alike(writer *w, int threads, int functions) {
  int order[6];
  put(w, "function @main () -> i32 {\n");
  put_registers(w);
  act(w, "call %%k = @sem_init(@s, 0:i32, %u:i32)", draw(&w->r, 3));
  act(w, "call %%k = @pthread_barrier_init(@b, null, %u:i32)",
      2 + draw(&w->r, 2));
  for (int i = 0; i < threads; i++) {
    put_start(w, i, i && functions > 1 ? (int)draw(&w->r, 2) : 0);
    if (!draw(&w->r, 4))
      put_action(w);
    int k = (int)draw(&w->r, (uint32_t)i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  for (int i = 0; i < threads; i++)
    if (draw(&w->r, 20))
      put_join(w, order[i]);
  act(w, "load %%a = %s", variable(w));
  act(w, "load %%b = %s", variable(w));
  put_location(w, w->loc);
  put(w, "    -> %d - return add.i32(%%a, mul.i32(%%b, 8:i32))\n}\n", w->loc);
}

static const char declarations[] =
    "heddle code 1\ntarget 64\n"
    "global @x \"x\" size 4 align 4\nglobal @y \"y\" size 4 align 4\n"
    "global @z \"z\" size 4 align 4\nglobal @u \"u\" size 4 align 4\n"
    "global @v \"v\" size 4 align 4\nglobal @p \"p\" size 8 align 8\n"
    "global @m \"m\" size 40 align 8\nglobal @n \"n\" size 40 align 8\n"
    "global @c \"c\" size 48 align 8\nglobal @s \"s\" size 32 align 8\n"
    "global @b \"b\" size 32 align 8\nglobal @th \"th\" size 64 align 8\n"
    "function @pthread_create (ptr, ptr, ptr, ptr) -> i32 external\n"
    "function @pthread_join (i64, ptr) -> i32 external\n"
    "function @pthread_mutex_lock (ptr) -> i32 external\n"
    "function @pthread_mutex_trylock (ptr) -> i32 external\n"
    "function @pthread_mutex_unlock (ptr) -> i32 external\n"
    "function @pthread_cond_wait (ptr, ptr) -> i32 external\n"
    "function @pthread_cond_signal (ptr) -> i32 external\n"
    "function @pthread_cond_broadcast (ptr) -> i32 external\n"
    "function @sem_init (ptr, i32, i32) -> i32 external\n"
    "function @sem_wait (ptr) -> i32 external\n"
    "function @sem_post (ptr) -> i32 external\n"
    "function @pthread_barrier_init (ptr, ptr, i32) -> i32 external\n"
    "function @pthread_barrier_wait (ptr) -> i32 external\n"
    "function @malloc (i64) -> ptr external\n"
    "function @free (ptr) -> void external\n"
    "function @exit (i32) -> void external\n"
    "function @reach_error () -> void external\n"
    "function @heddle_nondet_int (i32, i32) -> i32 external\n"
    "function @__VERIFIER_atomic_begin () -> void external\n"
    "function @__VERIFIER_atomic_end () -> void external\n"
    "function @__VERIFIER_assume (i32) -> void external\n"
    "global @rw \"rw\" size 56 align 8\nglobal @o \"o\" size 4 align 4\n"
    "global @ts \"ts\" size 16 align 8\n"
    "function @pthread_rwlock_rdlock (ptr) -> i32 external\n"
    "function @pthread_rwlock_wrlock (ptr) -> i32 external\n"
    "function @pthread_rwlock_unlock (ptr) -> i32 external\n"
    "function @pthread_cond_timedwait (ptr, ptr, ptr) -> i32 external\n"
    "function @pthread_once (ptr, ptr) -> i32 external\n"
    "function @pthread_exit (ptr) -> void external\n"
    "function @pthread_mutex_init (ptr, ptr) -> i32 external\n"
    "function @pthread_rwlock_init (ptr, ptr) -> i32 external\n"
    "function @pthread_cond_init (ptr, ptr) -> i32 external\n"
    "function @memcpy (ptr, ptr, i64) -> ptr external\n"
    "function @init () -> void {\n  reg %a i32\n"
    "  location 0 -\n    -> 1 - load %a = @z\n"
    "  location 1 -\n    -> 2 - store @y = add.i32(%a, 1:i32)\n"
    "  location 2 -\n    -> 2 - return\n}\n"
    "function @leaf (%arg) -> ptr {\n  reg %arg ptr\n  reg %a i32\n"
    "  location 0 -\n    -> 1 - rmw.add.seq_cst %a = @z, 1:i32\n"
    "  location 1 -\n    -> 2 - load %a = @y\n"
    "  location 2 -\n    -> 2 - return null\n}\n"
    "function @publish () -> void {\n  slot &v size 4 align 4\n"
    "  location 0 -\n    -> 1 - store &v = 1:i32\n"
    "  location 1 -\n    -> 2 - store @p = &v\n"
    "  location 2 -\n    -> 2 - return\n}\n";

/* Threads that do the same. */
static inline hd_str alike_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  for (int i = 0; i < 12; i++)
    w.used[i] = i != 5 && i != 6 && !draw(&w.r, 3);
  int threads = 3 + (draw(&w.r, 3) ? 0 : 1 + (int)draw(&w.r, 2));
  int functions = threads > 4 || draw(&w.r, 2) ? 1 : 2;
  int actions = threads == 3 ? 1 + (int)draw(&w.r, 3) : 1;
  hd_str_puts(&w.out, declarations);
  for (int i = 0; i < functions; i++)
    put_thread(&w, i, actions);
  put_alike(&w, threads, functions);
  return w.out;
}

/* --- threads that meet at barriers --- */

/* Two barriers: the second one is where a read-write lock would be. */
static inline void put_arrival(writer *w) {
  const char *b = draw(&w->r, 4) ? "@b" : "@rw";
  switch (draw(&w->r, 8)) {
  case 0: /* who is last decides something */
    act(w, "call %%a = @pthread_barrier_wait(%s)", b);
    break;
  case 1:
    if (draw(&w->r, 4) == 0) {
      act(w, "call %%k = @pthread_barrier_init(%s, null, %u:i32)", b,
          2 + draw(&w->r, 2));
      break;
    }
    branch(w, "eq.i1(%a, 0:i32)", "ne.i1(%a, 0:i32)", 1);
    act(w, "call %%k = @pthread_barrier_wait(%s)", b);
    break;
  default:
    act(w, "call %%k = @pthread_barrier_wait(%s)", b);
  }
}

static inline void put_phase(writer *w) {
  switch (draw(&w->r, 12)) {
  case 0:
    put_error(w);
    break;
  case 1:
    put_critical(w);
    break;
  case 2:
    act(w, draw(&w->r, 2) ? "call %%k = @sem_wait(@s)"
                          : "call %%k = @sem_post(@s)");
    break;
  case 3:
  case 4:
  case 5:
  case 6:
    put_arrival(w);
    break;
  default:
    put_access(w);
  }
}

static inline void put_phases(writer *w, int number, int actions) {
  put_head(w, number);
  put_registers(w);
  for (int i = 0; i < actions; i++)
    put_phase(w);
  put_arrival(w);
  if (draw(&w->r, 2))
    put_access(w);
  put_end(w, "null");
}

/* Main makes the barriers, comes to them itself sometimes, and joins. */
static inline void put_barriers(writer *w, int threads, int functions) {
  uint32_t limit = (uint32_t)threads + draw(&w->r, 3) - draw(&w->r, 3);
  bool late = !draw(&w->r, 6);
  put(w, "function @main () -> i32 {\n");
  put_registers(w);
  act(w, "call %%k = @sem_init(@s, 0:i32, %u:i32)", draw(&w->r, 3));
  act(w, "call %%k = @pthread_barrier_init(@b, null, %u:i32)",
      limit ? limit : 1);
  act(w, "call %%k = @pthread_barrier_init(@rw, null, %u:i32)",
      1 + draw(&w->r, (uint32_t)threads));
  for (int i = 0; i < threads; i++) {
    put_start(w, i, i && functions > 1 ? (int)draw(&w->r, 2) : 0);
    if (late)
      put_phase(w);
  }
  for (int i = 0; i < 2 && !draw(&w->r, 3); i++)
    put_phase(w);
  for (int i = 0; i < threads; i++)
    if (draw(&w->r, 20))
      put_join(w, i);
  if (!draw(&w->r, 4))
    act(w, "call %%k = @pthread_barrier_init(@b, null, 2:i32)");
  act(w, "load %%a = %s", variable(w));
  act(w, "load %%b = %s", variable(w));
  put_location(w, w->loc);
  put(w, "    -> %d - return add.i32(%%a, mul.i32(%%b, 8:i32))\n}\n", w->loc);
}

static inline hd_str phased_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  int threads = 2 + (int)draw(&w.r, 3);
  int functions = threads == 4 || draw(&w.r, 2) ? 1 : 2;
  int actions = threads == 2   ? 2 + (int)draw(&w.r, 4)
                : threads == 3 ? 1 + (int)draw(&w.r, 3)
                               : 1 + (int)draw(&w.r, 2);
  hd_str_puts(&w.out, declarations);
  for (int i = 0; i < functions; i++)
    put_phases(&w, i, actions);
  put_barriers(&w, threads, functions);
  return w.out;
}

/* The text of program number `seed`, to be freed. */
static inline hd_str random_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  for (int i = 0; i < 12; i++)
    w.used[i] = !draw(&w.r, 3);
  int threads = draw(&w.r, 3) ? 2 : 3;
  int actions = threads == 2 ? 2 + (int)draw(&w.r, 4) : 1 + (int)draw(&w.r, 3);
  hd_str_puts(&w.out, declarations);
  for (int i = 0; i < threads; i++)
    put_thread(&w, i, actions);
  put_main(&w, threads, 2);
  return w.out;
}

#endif

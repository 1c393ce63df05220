/* SPDX-License-Identifier: MIT */
/* Random programs of threads that nobody can tell apart: one function, no handle
 * is used, no variables of their own but registers. They go through states of
 * shared variables in steps under locks, and wait for each other. */
#ifndef HD_TESTS_UNFOLD_CREW_H
#define HD_TESTS_UNFOLD_CREW_H

#include "unfold_random.h"

/* If @x (or @y) has one value it gets another; what was read stays in %a. */
static inline void put_crew_step(writer *w) {
  bool x = !one_in(w, 3);
  const char *g = x ? "@x" : "@y", *lock = one_in(w, 30) || x ? "@m" : "@n";
  char yes[60], no[60];
  uint32_t from = draw(&w->r, 4), to = draw(&w->r, 5);
  snprintf(yes, sizeof yes, "ne.i1(%%a, %u:i32)", from);
  snprintf(no, sizeof no, "eq.i1(%%a, %u:i32)", from);
  act(w, "call %%k = @pthread_mutex_lock(%s)", lock);
  act(w, "load %%a = %s", g);
  branch(w, yes, no, 1);
  if (one_in(w, 3))
    act(w, "store %s = add.i32(%%b, %u:i32)", g, to);
  else
    act(w, "store %s = %u:i32", g, to);
  if (one_in(w, 3))
    act(w, "set %%b = add.i32(%%b, 1:i32)");
  act(w, "call %%k = @pthread_mutex_unlock(%s)", lock);
  act(w, "set %%k = 0:i32");
}

/* Compares what the thread remembers with what is there now. */
static inline void put_crew_check(writer *w) {
  static const char *const holds[] = {"sge", "sle", "ne", "eq"};
  static const char *const fails[] = {"slt", "sgt", "eq", "ne"};
  char yes[60], no[60];
  uint32_t i = draw(&w->r, 4), k = draw(&w->r, 4);
  act(w, "call %%k = @pthread_mutex_lock(@m)");
  act(w, "load %%a = @x");
  act(w, "call %%k = @pthread_mutex_unlock(@m)");
  const char *right = one_in(w, 2) ? "%b" : NULL;
  char number[20];
  snprintf(number, sizeof number, "%u:i32", k);
  right = right ? right : number;
  snprintf(yes, sizeof yes, "%s.i1(%%a, %s)", holds[i], right);
  snprintf(no, sizeof no, "%s.i1(%%a, %s)", fails[i], right);
  branch(w, yes, no, 1);
  act(w, "call @reach_error()");
}

/* A lock inside of another; the order is not always the same. */
static inline void put_crew_nest(writer *w) {
  bool m = !one_in(w, 5);
  act(w, "call %%k = @pthread_mutex_lock(%s)", m ? "@m" : "@n");
  act(w, "load %%a = @x");
  char yes[60], no[60];
  uint32_t k = draw(&w->r, 3);
  snprintf(yes, sizeof yes, "ne.i1(%%a, %u:i32)", k);
  snprintf(no, sizeof no, "eq.i1(%%a, %u:i32)", k);
  branch(w, yes, no, 3);
  act(w, "call %%k = @pthread_mutex_lock(%s)", m ? "@n" : "@m");
  act(w, "store @y = %u:i32", draw(&w->r, 4));
  act(w, "call %%k = @pthread_mutex_unlock(%s)", m ? "@n" : "@m");
  act(w, "call %%k = @pthread_mutex_unlock(%s)", m ? "@m" : "@n");
}

static inline void put_crew_rwlock(writer *w) {
  bool writes = one_in(w, 2);
  act(w, "call %%k = @pthread_rwlock_%s(@rw)", writes ? "wrlock" : "rdlock");
  if (writes)
    act(w, "store @y = %u:i32", draw(&w->r, 3));
  else
    act(w, "load %%b = @y");
  if (!one_in(w, 12))
    act(w, "call %%k = @pthread_rwlock_unlock(@rw)");
}

static inline void put_crew_wait(writer *w) {
  act(w, "call %%k = @pthread_mutex_lock(@m)");
  if (one_in(w, 2)) {
    act(w, "load %%a = @x");
    branch(w, "ne.i1(%a, 0:i32)", "eq.i1(%a, 0:i32)", 1);
    act(w, "call %%k = @pthread_cond_wait(@c, @m)");
    act(w, "load %%a = @x");
  } else {
    act(w, "store @x = 1:i32");
    act(w, "call %%k = @pthread_cond_%s(@c)",
        one_in(w, 3) ? "broadcast" : "signal");
  }
  act(w, "call %%k = @pthread_mutex_unlock(@m)");
}

static inline void put_crew_block(writer *w, int depth) {
  switch (draw(&w->r, 14)) {
  case 0:
  case 1:
    put_crew_check(w);
    break;
  case 2:
    put_atomic(w);
    break;
  case 3:
    if (depth)
      put_loop_of(w, put_crew_block);
    break;
  case 4:
    put_crew_nest(w);
    break;
  case 5:
    if (w->used[1])
      put_trylock(w);
    break;
  case 6:
    if (w->used[2])
      put_crew_wait(w);
    break;
  case 7:
    if (w->used[4])
      put_sem(w);
    else if (w->used[5])
      put_crew_rwlock(w);
    break;
  case 8:
    put_meeting(w);
    break;
  case 9:
    if (w->used[8]) /* races */
      act(w, one_in(w, 2) ? "store @y = 1:i32" : "load %%b = @y");
    break;
  default:
    put_crew_step(w);
  }
}

/* Registers without a variable in memory. */
static inline void put_crew_registers(writer *w) {
  put(w, "  reg %%a i32\n  reg %%b i32\n  reg %%k i32\n  reg %%q ptr\n"
         "  reg %%ok i1\n  reg %%h i64\n");
  w->loc = 0;
  act(w, "set %%a, %%b = 0:i32, 0:i32");
}

static inline hd_str crew_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  for (int i = 0; i < 12; i++)
    w.used[i] = one_in(&w, 4);
  int threads = one_in(&w, 6) ? 4 : one_in(&w, 4) ? 2 : 3;
  int blocks = 1 + (int)draw(&w.r, threads == 4 ? 2 : threads == 3 ? 3 : 4);
  int kinds = one_in(&w, 3) ? 2 : 1;
  hd_str_puts(&w.out, declarations);
  for (int i = 0; i < kinds; i++) {
    put_head(&w, i);
    put(&w, "  reg %%i i32\n");
    put_crew_registers(&w);
    for (int k = 0; k < blocks; k++)
      put_crew_block(&w, 1);
    put_end(&w, "null");
  }
  put(&w, "function @main () -> i32 {\n  reg %%i i32\n");
  put_crew_registers(&w);
  act(&w, "call %%k = @sem_init(@s, 0:i32, %u:i32)", draw(&w.r, 3));
  act(&w, "call %%k = @pthread_barrier_init(@b, null, %u:i32)",
      1 + draw(&w.r, 3));
  put_inits(&w);
  if (one_in(&w, 2))
    act(&w, "store @x = %u:i32", draw(&w.r, 3));
  for (int i = 0; i < threads; i++) {
    act(&w,
        "call %%k = @pthread_create(ptradd.ptr(@th, %d:i64), null, @t%u, "
        "null)",
        one_in(&w, 2) ? 0 : 8 * (i % 3), draw(&w.r, (uint32_t)kinds));
    if (one_in(&w, 6))
      put_crew_block(&w, 0);
  }
  if (one_in(&w, 2))
    put_crew_block(&w, 0);
  if (!one_in(&w, 4))
    act(&w, "call @pthread_exit(null)");
  put_end(&w, "0:i32");
  return w.out;
}

#endif

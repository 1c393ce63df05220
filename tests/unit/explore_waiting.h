/* SPDX-License-Identifier: MIT */
/* Random programs whose threads wait for each other: for locks, one inside another,
 * and for the end of others, with something done between the joins; now and then a
 * lock is opened by somebody else, or a thread detached while it is waited for. */
#ifndef HD_TESTS_EXPLORE_WAITING_H
#define HD_TESTS_EXPLORE_WAITING_H

#include "explore_util.h"

static const char waiting_declarations[] =
    "function @pthread_detach (i64) -> i32 external\n";

static inline void put_join_of(writer *w, int number) {
  act(w, "load %%h = ptradd.ptr(@th, %d:i64)", 8 * number);
  branch(w, "eq.i1(%h, 0:i64)", "ne.i1(%h, 0:i64)", 1);
  act(w, "call %%k = @pthread_join(%%h, null)");
}

/* Something is added to a variable, in a register that serves for nothing else; now
 * and then for something else, too. */
static inline void put_update(writer *w, int *number) {
  const char *g = draw(&w->r, 3) ? "@x" : variable(w);
  static const char *const ops[] = {"add", "add", "add", "sub", "or", "xor"};
  int c = (*number)++;
  if (draw(&w->r, 3) == 0) {
    act(w, "rmw.%s.seq_cst %%c%d = %s, %u:i32", draw(&w->r, 4) ? "add" : "or",
        c, g, 1 + draw(&w->r, 3));
  } else {
    act(w, "load %%c%d = %s", c, g);
    if (!draw(&w->r, 10))
      put_access(w);
    const char *to = draw(&w->r, 12) ? g : variable(w);
    if (draw(&w->r, 12))
      act(w, "store %s = %s.i32(%%c%d, %u:i32)", to, ops[draw(&w->r, 6)], c,
          1 + draw(&w->r, 3));
    else
      act(w, "store %s = sub.i32(%u:i32, %%c%d)", to, draw(&w->r, 3), c);
  }
  if (!draw(&w->r, 12))
    act(w, "set %%a = %%c%d", c);
}

/* A section that adds up. */
static inline void put_adding(writer *w, int *number) {
  const char *m = draw(&w->r, 4) ? "@m" : "@n";
  bool locks = draw(&w->r, 8);
  if (locks)
    act(w, "call %%k = @pthread_mutex_lock(%s)", m);
  for (int i = 0; i == 0 || (i < 2 && !draw(&w->r, 3)); i++)
    put_update(w, number);
  if (!draw(&w->r, 8))
    put_access(w);
  if (!draw(&w->r, 12))
    put_error(w);
  if (locks)
    act(w, "call %%k = @pthread_mutex_unlock(%s)", m);
}

static inline void put_nested(writer *w) {
  const char *m = lock_name(w), *n = draw(&w->r, 2) ? "@rw" : "@s";
  act(w, "call %%k = @pthread_mutex_lock(%s)", m);
  put_access(w);
  if (draw(&w->r, 2)) {
    if (n[1] == 'r')
      act(w, draw(&w->r, 2) ? "call %%k = @pthread_rwlock_wrlock(@rw)"
                            : "call %%k = @pthread_rwlock_rdlock(@rw)");
    else
      act(w, "call %%k = @sem_wait(@s)");
    put_access(w);
    if (n[1] == 'r')
      act(w, "call %%k = @pthread_rwlock_unlock(@rw)");
    else if (draw(&w->r, 8))
      act(w, "call %%k = @sem_post(@s)");
  }
  if (draw(&w->r, 20))
    act(w, "call %%k = @pthread_mutex_unlock(%s)",
        draw(&w->r, 25) ? m : lock_name(w));
}

static inline void put_waiting(writer *w, int number, int *updates) {
  if (w->used[3] && draw(&w->r, 3) && *updates < 14) {
    put_adding(w, updates);
    return;
  }
  switch (draw(&w->r, 12)) {
  case 0:
    put_error(w);
    break;
  case 1:
  case 2:
  case 3:
    put_nested(w);
    break;
  case 4:
    put_critical(w);
    break;
  case 5:
    if (w->used[0] && number >= 0)
      put_join_of(w, (int)draw(&w->r, 3));
    break;
  case 6:
    if (w->used[1])
      put_condition(w);
    break;
  case 7:
    if (w->used[2] && !draw(&w->r, 3)) {
      act(w, "load %%h = ptradd.ptr(@th, %u:i64)", 8 * draw(&w->r, 3));
      branch(w, "eq.i1(%h, 0:i64)", "ne.i1(%h, 0:i64)", 1);
      act(w, "call %%k = @pthread_detach(%%h)");
    }
    break;
  default:
    put_access(w);
  }
}

static inline void put_summands(writer *w) {
  for (int i = 0; i < 16; i++)
    put(w, "  reg %%c%d i32\n", i);
}

static inline void put_waits(writer *w, int number, int actions) {
  int updates = 0;
  put_head(w, number);
  put_summands(w);
  put_registers(w);
  for (int i = 0; i < actions; i++)
    put_waiting(w, number, &updates);
  put_end(w, "null");
}

/* Main joins one by one, and does something in between. */
static inline void put_waits_of_main(writer *w, int threads, int functions) {
  bool between = draw(&w->r, 4);
  int updates = 0;
  put(w, "function @main () -> i32 {\n");
  put_summands(w);
  put_registers(w);
  act(w, "call %%k = @sem_init(@s, 0:i32, %u:i32)", draw(&w->r, 3));
  for (int i = 0; i < threads; i++) {
    put_start(w, i, i && functions > 1 ? (int)draw(&w->r, 2) : 0);
    if (!draw(&w->r, 5))
      put_waiting(w, -1, &updates);
  }
  for (int i = 0; i < threads; i++) {
    if (!draw(&w->r, 15))
      continue;
    put_join(w, i);
    if (between && draw(&w->r, 2))
      put_waiting(w, -1, &updates);
  }
  act(w, "load %%a = %s", variable(w));
  act(w, "load %%b = %s", variable(w));
  put_location(w, w->loc);
  put(w, "    -> %d - return add.i32(%%a, mul.i32(%%b, 8:i32))\n}\n", w->loc);
}

static inline hd_str waiting_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  for (int i = 0; i < 12; i++)
    w.used[i] = i == 3 ? draw(&w.r, 2) : !draw(&w.r, 3);
  int threads = 3 + (draw(&w.r, 3) ? 0 : 1 + (int)draw(&w.r, 3));
  int functions = threads > 4 || draw(&w.r, 2) ? 1 : 2;
  int actions = threads == 3 ? 1 + (int)draw(&w.r, 3) : 1;
  hd_str_puts(&w.out, declarations);
  hd_str_puts(&w.out, waiting_declarations);
  for (int i = 0; i < functions; i++)
    put_waits(&w, i, actions);
  put_waits_of_main(&w, threads, functions);
  return w.out;
}

#endif

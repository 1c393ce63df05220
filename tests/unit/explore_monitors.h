/* SPDX-License-Identifier: MIT */
/* Small random programs whose threads wait for signals, in all the ways that can
 * go wrong: without a loop, without the mutex held by who signals, for two things
 * at one condition variable, with time, and while somebody takes it away. */
#ifndef HD_TESTS_EXPLORE_MONITORS_H
#define HD_TESTS_EXPLORE_MONITORS_H

#include "explore_util.h"

static inline const char *condition(writer *w) {
  return draw(&w->r, 4) ? "@c" : "@b"; /* no barriers here */
}

/* With the mutex: waits for `x` or `y`, again and again or once. */
static inline void put_wait(writer *w) {
  const char *g = draw(&w->r, 4) ? "@x" : "@y", *c = condition(w);
  bool again = draw(&w->r, 4) != 0, timed = !draw(&w->r, 8);
  bool other = !draw(&w->r, 16);
  int head = w->loc;
  act(w, "load %%a = %s", g);
  branch(w, "ne.i1(%a, 0:i32)", "eq.i1(%a, 0:i32)", again ? 2 : 1);
  if (timed)
    act(w, "call %%k = @pthread_cond_timedwait(%s, @m, @ts)", c);
  else
    act(w, "call %%k = @pthread_cond_wait(%s, %s)", c, other ? "@n" : "@m");
  if (!again)
    return;
  put_location(w, w->loc);
  put(w, "    -> %d - when eq.i1(0:i32, 0:i32)\n", head);
  w->loc++;
}

static inline void put_wakening(writer *w) {
  act(w,
      draw(&w->r, 3) ? "call %%k = @pthread_cond_signal(%s)"
                     : "call %%k = @pthread_cond_broadcast(%s)",
      condition(w));
}

/* Somebody may be waiting. */
static inline void put_harm(writer *w) {
  switch (draw(&w->r, 5)) {
  case 0:
    act(w, "call %%k = @pthread_cond_destroy(@c)");
    break;
  case 1:
    act(w, "call %%k = @pthread_cond_init(@c, null)");
    break;
  case 2:
    act(w, "store ptradd.ptr(@c, 8:i64) = 0:i32");
    break;
  case 3:
    act(w, "call %%k = @pthread_mutex_destroy(@m)");
    break;
  default:
    put_error(w);
  }
}

/* One round: takes something, or brings it. */
static inline void put_round(writer *w) {
  const char *g = draw(&w->r, 4) ? "@x" : "@y";
  bool brings = draw(&w->r, 2), outside = !draw(&w->r, 4);
  act(w, "call %%k = @pthread_mutex_lock(@m)");
  if (!brings)
    put_wait(w);
  act(w, "load %%a = %s", g);
  if (!brings && !draw(&w->r, 3))
    put_error(w);
  act(w,
      brings ? "store %s = add.i32(%%a, 1:i32)"
             : "store %s = add.i32(%%a, -1:i32)",
      g);
  if (!draw(&w->r, 12))
    put_harm(w);
  if (!outside && draw(&w->r, 4))
    put_wakening(w);
  act(w, "call %%k = @pthread_mutex_unlock(@m)");
  if (outside)
    put_wakening(w);
  if (!draw(&w->r, 12))
    put_harm(w);
}

static inline void put_rounds(writer *w, int number, int rounds) {
  put_head(w, number);
  put_registers(w);
  for (int i = 0; i < rounds; i++)
    put_round(w);
  put_end(w, "null");
}

static inline hd_str monitor_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  int threads = 2 + (int)draw(&w.r, 3);
  int functions = draw(&w.r, 3) ? 2 : 1;
  hd_str_puts(&w.out, declarations);
  put(&w, "function @pthread_cond_destroy (ptr) -> i32 external\n"
          "function @pthread_mutex_destroy (ptr) -> i32 external\n");
  for (int i = 0; i < functions; i++)
    put_rounds(&w, i, threads < 4 && draw(&w.r, 2) ? 2 : 1);
  put(&w, "function @main () -> i32 {\n");
  put_registers(&w);
  for (int i = 0; i < threads; i++)
    put_start(&w, i, i % functions);
  if (!draw(&w.r, 3))
    put_round(&w);
  for (int i = 0; i < threads; i++)
    put_join(&w, i);
  if (!draw(&w.r, 3))
    act(&w, "call %%k = @pthread_cond_destroy(@c)");
  act(&w, "load %%a = @x");
  act(&w, "load %%b = @y");
  put_location(&w, w.loc);
  put(&w, "    -> %d - return add.i32(%%a, mul.i32(%%b, 8:i32))\n}\n", w.loc);
  return w.out;
}

#endif

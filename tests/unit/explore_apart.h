/* SPDX-License-Identifier: MIT */
/* Random programs whose threads mostly keep to variables of their own, add to shared
 * ones, and meet at barriers: one run often stands for all. */
#ifndef HD_TESTS_EXPLORE_APART_H
#define HD_TESTS_EXPLORE_APART_H

#include "explore_util.h"

static const char *const apart_names[] = {"@x", "@y", "@z"};

static inline void put_apart(writer *w, int number) {
  const char *own = apart_names[draw(&w->r, 14) ? number : 2];
  const char *sum = draw(&w->r, 9) ? "@u" : "@v";
  uint32_t k = draw(&w->r, 3);
  switch (draw(&w->r, 9)) {
  case 0:
    act(w, "load %%a = %s", own);
    if (!draw(&w->r, 3))
      put_error(w);
    break;
  case 1:
    act(w, "store %s = add.i32(%%a, %u:i32)", own, k);
    break;
  case 2:
    act(w, "store.seq_cst %s = %u:i32", own, k);
    break;
  case 3:
  case 4:
    act(w, "call %%k = @pthread_mutex_lock(%s)", draw(&w->r, 9) ? "@m" : "@n");
    act(w, "load %%d = %s", sum);
    act(w,
        draw(&w->r, 9) ? "store %s = add.i32(%%d, %u:i32)"
                       : "store %s = xor.i32(%%d, %u:i32)",
        sum, k);
    if (!draw(&w->r, 9))
      put_apart(w, number);
    act(w, "call %%k = @pthread_mutex_unlock(@m)");
    break;
  case 5:
    act(w,
        draw(&w->r, 9) ? "rmw.add.relaxed %%e = @v, %u:i32"
                       : "rmw.or.seq_cst %%e = @v, %u:i32",
        k);
    break;
  case 6:
    if (w->used[7])
      act(w, "call %%k = @pthread_barrier_wait(@b)");
    break;
  case 7:
    if (!draw(&w->r, 3))
      act(w, "load %%a = %s", sum);
    break;
  default:
    act(w, "store &l = %u:i32", k);
    act(w, "load %%a = &l");
  }
}

static inline hd_str apart_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  const int threads = 2 + (int)draw(&w.r, 2), actions = 2 + (int)draw(&w.r, 3);
  w.used[7] = draw(&w.r, 2);
  hd_str_puts(&w.out, declarations);
  for (int i = 0; i < threads; i++) {
    put_head(&w, i);
    put(&w, "  reg %%d i32\n  reg %%e i32\n");
    put_registers(&w);
    for (int k = 0; k < actions; k++)
      put_apart(&w, i);
    if (w.used[7]) { /* mostly as often as the others */
      act(&w, "call %%k = @pthread_barrier_wait(@b)");
      act(&w, "load %%a = %s", apart_names[draw(&w.r, 3)]);
    }
    put_end(&w, "null");
  }
  put(&w, "function @main () -> i32 {\n");
  put_registers(&w);
  act(&w, "call %%k = @pthread_barrier_init(@b, null, %u:i32)",
      (uint32_t)threads - !draw(&w.r, 8));
  for (int i = 0; i < threads; i++)
    put_creation(&w, i);
  for (int i = 0; i < threads; i++)
    if (draw(&w.r, 12))
      put_join(&w, i);
  act(&w, "load %%a = %s", draw(&w.r, 2) ? "@u" : "@v");
  put_error(&w);
  act(&w, "load %%b = %s", apart_names[draw(&w.r, 3)]);
  put_location(&w, w.loc);
  put(&w, "    -> %d - return add.i32(%%a, mul.i32(%%b, 8:i32))\n}\n", w.loc);
  return w.out;
}

#endif

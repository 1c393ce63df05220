/* SPDX-License-Identifier: MIT */
/* Random programs with mutexes of all kinds, which are taken again by those who
 * have them already: that counts, fails or waits for ever. */
#ifndef HD_TESTS_UNFOLD_KINDS_H
#define HD_TESTS_UNFOLD_KINDS_H

#include "unfold_random.h"

/* Something about @x, which is what the locks protect. */
static inline void put_kinds_access(writer *w) {
  switch (draw(&w->r, 4)) {
  case 0:
    act(w, "load %%a = @x");
    break;
  case 1:
    act(w, "load %%a = @x");
    put_claim(w);
    break;
  default:
    act(w, "load %%a = @x");
    act(w, "store @x = add.i32(%%a, 1:i32)");
  }
}

/* Takes the lock; the result is in %k or %b. */
static inline void put_take(writer *w, int lock, char result) {
  static const char *const locks[] = {"mutex_lock(@m)", "mutex_lock(@n)",
                                      "rwlock_wrlock(@rw)",
                                      "rwlock_rdlock(@rw)"};
  static const char *const tries[] = {"mutex_trylock(@m)", "mutex_lock(@n)"};
  if (lock == 2 && one_in(w, 3))
    lock = 3;
  const char *what = lock < 2 && one_in(w, 5) ? tries[lock] : locks[lock];
  act(w, "call %%%c = @pthread_%s", result, what);
}

static inline void put_release(writer *w, int lock) {
  static const char *const locks[] = {"mutex_unlock(@m)", "mutex_unlock(@n)",
                                      "rwlock_unlock(@rw)"};
  act(w, "call %%k = @pthread_%s", locks[lock]);
}

static inline void put_kinds_block(writer *w, int depth) {
  int lock = (int)draw(&w->r, 3);
  (void)depth;
  if (one_in(w, 6)) {
    put_perhaps(w);
    return;
  }
  put_take(w, lock, 'k');
  if (one_in(w, 4)) { /* did it work? */
    branch(w, "eq.i1(%k, 0:i32)", "ne.i1(%k, 0:i32)", 1);
    act(w, "call @reach_error()");
  }
  if (one_in(w, 2)) {
    put_take(w, lock, 'b');
    if (one_in(w, 2))
      put_kinds_access(w);
    if (!one_in(w, 3)) /* back, if it was got */
      branch(w, "ne.i1(%b, 0:i32)", "eq.i1(%b, 0:i32)", 1);
    put_release(w, lock);
  }
  put_kinds_access(w);
  if (!one_in(w, 10))
    put_release(w, lock);
  act(w, "set %%b, %%k = 0:i32, 0:i32");
}

static inline hd_str kinds_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  int threads = 2;
  hd_str_puts(&w.out, declarations);
  for (int i = 0; i < threads; i++) {
    put_head(&w, i);
    put(&w, "  reg %%i i32\n");
    put_registers(&w);
    for (uint32_t k = 1 + draw(&w.r, 3); k; k--)
      if (one_in(&w, 6))
        put_loop_of(&w, put_kinds_block);
      else
        put_kinds_block(&w, 0);
    put_end(&w, "null");
  }
  put(&w, "function @main () -> i32 {\n  reg %%i i32\n");
  put_registers(&w);
  act(&w, "call %%k = @sem_init(@s, 0:i32, %u:i32)", draw(&w.r, 3));
  act(&w, "call %%k = @pthread_barrier_init(@b, null, %u:i32)",
      1 + draw(&w.r, 2));
  /* As static initialisers do it. */
  act(&w, "store ptradd.ptr(@m, 16:i64) = %u:i32", draw(&w.r, 3));
  act(&w, "store ptradd.ptr(@n, 16:i64) = %u:i32", draw(&w.r, 3));
  for (int i = 0; i < threads; i++)
    put_creation(&w, i);
  for (int i = 0; i < threads; i++)
    put_join(&w, i);
  if (one_in(&w, 2)) {
    act(&w, "load %%a = @x");
    put_claim(&w);
  }
  put_end(&w, "0:i32");
  return w.out;
}

#endif

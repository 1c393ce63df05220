/* SPDX-License-Identifier: MIT */
/* Random programs that keep the rules most of the time: variables have locks,
 * locks have an order, what is asserted often holds. So that there is something
 * to prove, and something that only just cannot be. */
#ifndef HD_TESTS_UNFOLD_RANDOM_H
#define HD_TESTS_UNFOLD_RANDOM_H

#include "explore_util.h"

static inline bool one_in(writer *w, uint32_t n) {
  return draw(&w->r, n) == 0;
}

static inline const char *memory_order(writer *w, bool load) {
  switch (draw(&w->r, 4)) {
  case 0:
    return "relaxed";
  case 1:
    return load ? "acquire" : "release";
  default:
    return "seq_cst";
  }
}

static inline void put_block(writer *w, int depth);

/* The text of a block that starts at w->loc; w->loc is behind it then. */
static inline hd_str block_text(writer *w, int depth) {
  hd_str before = w->out;
  w->out = (hd_str){0};
  put_block(w, depth);
  hd_str text = w->out;
  w->out = before;
  return text;
}

static inline void put_either(writer *w, const char *yes, const char *no,
                              int depth) {
  int at = w->loc++;
  hd_str first = block_text(w, depth);
  int skip = w->loc++;
  hd_str second = one_in(w, 2) ? block_text(w, depth) : (hd_str){0};
  put_location(w, at);
  put(w, "    -> %d - when %s\n    -> %d - when %s\n", at + 1, yes, skip + 1,
      no);
  hd_str_puts(&w->out, hd_str_text(&first));
  put_location(w, skip);
  put(w, "    -> %d - set %%k = 0:i32\n", w->loc);
  hd_str_puts(&w->out, hd_str_text(&second));
  hd_str_free(&first);
  hd_str_free(&second);
}

static inline void put_branch(writer *w, int depth) {
  char yes[60], no[60];
  uint32_t k = draw(&w->r, 3);
  if (one_in(w, 3))
    act(w, "call %%a = @heddle_nondet_int(0:i32, %u:i32)", 1 + draw(&w->r, 3));
  bool less = one_in(w, 2);
  snprintf(yes, sizeof yes, "%s.i1(%%a, %u:i32)", less ? "slt" : "eq", k);
  snprintf(no, sizeof no, "%s.i1(%%a, %u:i32)", less ? "sge" : "ne", k);
  put_either(w, yes, no, depth);
}

static inline void put_loop_of(writer *w, void (*put_body)(writer *, int)) {
  uint32_t n = 1 + draw(&w->r, 3);
  act(w, "set %%i = 0:i32");
  int head = w->loc++;
  hd_str before = w->out;
  w->out = (hd_str){0};
  put_body(w, 0);
  hd_str body = w->out;
  w->out = before;
  put_location(w, head);
  put(w, "    -> %d - when slt.i1(%%i, %u:i32)\n", head + 1, n);
  put(w, "    -> %d - when sge.i1(%%i, %u:i32)\n", w->loc + 1, n);
  hd_str_puts(&w->out, hd_str_text(&body));
  hd_str_free(&body);
  put_location(w, w->loc);
  put(w, "    -> %d - set %%i = add.i32(%%i, 1:i32)\n", head);
  w->loc++;
}

/* Something about %a or %b that is likely to be true. */
static inline void put_claim(writer *w) {
  static const char *const holds[] = {"ne", "sle", "sle", "sge", "eq"};
  static const char *const fails[] = {"eq", "sgt", "sgt", "slt", "ne"};
  static const uint32_t most[] = {8, 6, 6, 2, 3};
  char yes[60], no[60];
  uint32_t i = draw(&w->r, 5), k = draw(&w->r, most[i]);
  const char *reg = one_in(w, 3) ? "%b" : "%a";
  snprintf(yes, sizeof yes, "%s.i1(%s, %u:i32)", holds[i], reg, k);
  snprintf(no, sizeof no, "%s.i1(%s, %u:i32)", fails[i], reg, k);
  branch(w, yes, no, 1);
  act(w, "call @reach_error()");
}

/* One access to what `lock` guards: @x by @m, @y by @n. */
static inline void put_guarded(writer *w, bool m) {
  const char *g = m ? "@x" : "@y";
  if (one_in(w, 40))
    g = m ? "@y" : "@x";
  uint32_t k = draw(&w->r, 4);
  switch (draw(&w->r, 6)) {
  case 0:
  case 1:
    act(w, "load %%%s = %s", one_in(w, 2) ? "a" : "b", g);
    break;
  case 2:
    act(w, "store %s = %u:i32", g, k);
    break;
  case 3:
    act(w, "load %%a = %s", g);
    put_claim(w);
    break;
  case 4:
    act(w, "store ptradd.ptr(@th, 24:i64) = %u:i32", k);
    break;
  default:
    act(w, "load %%a = %s", g);
    act(w, "store %s = add.i32.nsw(%%a, %u:i32)", g, k);
  }
}

static inline void put_locked(writer *w, int depth) {
  bool m = one_in(w, 2), both = one_in(w, 5), bare = one_in(w, 25);
  const char *outer = m ? "@m" : "@n", *inner = m ? "@n" : "@m";
  if (both && !m && !one_in(w, 4))
    both = false; /* against the order */
  if (!bare)
    act(w, "call %%k = @pthread_mutex_lock(%s)", outer);
  for (uint32_t i = 1 + draw(&w->r, 2); i; i--)
    put_guarded(w, m);
  if (both) {
    act(w, "call %%k = @pthread_mutex_lock(%s)", inner);
    put_guarded(w, !m);
    act(w, "call %%k = @pthread_mutex_unlock(%s)", inner);
  } else if (depth > 1 && one_in(w, 6)) {
    put_branch(w, 0);
  }
  if (!bare && !one_in(w, 60))
    act(w, "call %%k = @pthread_mutex_unlock(%s)", outer);
}

/* From one value to another, if it is that one: what happens depends on the order
 * in which threads come. Then maybe a claim that one value never comes up. */
static inline void put_transition(writer *w) {
  bool m = one_in(w, 3);
  const char *g = m ? "@x" : "@y", *lock = m ? "@m" : "@n";
  char yes[60], no[60];
  uint32_t from = draw(&w->r, 4), to = draw(&w->r, 5);
  snprintf(yes, sizeof yes, "ne.i1(%%a, %u:i32)", from);
  snprintf(no, sizeof no, "eq.i1(%%a, %u:i32)", from);
  act(w, "call %%k = @pthread_mutex_lock(%s)", lock);
  act(w, "load %%a = %s", g);
  branch(w, yes, no, 1);
  act(w, "store %s = %u:i32", g, to);
  act(w, "call %%k = @pthread_mutex_unlock(%s)", lock);
  if (!one_in(w, 3))
    return;
  uint32_t never = 1 + draw(&w->r, 4);
  snprintf(yes, sizeof yes, "ne.i1(%%a, %u:i32)", never);
  snprintf(no, sizeof no, "eq.i1(%%a, %u:i32)", never);
  branch(w, yes, no, 1);
  act(w, "call @reach_error()");
}

static inline void put_atomic(writer *w) {
  uint32_t k = draw(&w->r, 3);
  switch (draw(&w->r, 6)) {
  case 0:
    act(w, "store.%s @z = %u:i32", memory_order(w, false), k);
    break;
  case 1:
    act(w, "rmw.add.%s %%a = @z, 1:i32", memory_order(w, true));
    break;
  case 2:
    act(w, "cmpxchg.seq_cst %%a, %%ok = @z, %u:i32, %u:i32", k, k + 1);
    break;
  case 3:
    if (w->used[0]) {
      put_spin(w);
      break;
    }
    /* fall through */
  default:
    act(w, "load.%s %%a = @z", memory_order(w, true));
  }
}

/* What was written before the flag was set may be read after it was seen. */
static inline void put_flag(writer *w) {
  if (one_in(w, 2)) {
    act(w, "store @p = @x");
    act(w, "store.%s @z = 2:i32", memory_order(w, false));
    return;
  }
  act(w, "load.%s %%a = @z", memory_order(w, true));
  branch(w, "ne.i1(%a, 2:i32)", "eq.i1(%a, 2:i32)", 1);
  act(w, "load %%q = @p");
}

static inline void put_trylock(writer *w) {
  act(w, "call %%k = @pthread_mutex_trylock(@m)");
  branch(w, "ne.i1(%k, 0:i32)", "eq.i1(%k, 0:i32)", 2);
  act(w, "store @x = %u:i32", draw(&w->r, 3));
  act(w, "call %%k = @pthread_mutex_unlock(@m)");
}

static inline void put_sem(writer *w) {
  act(w,
      one_in(w, 2) ? "call %%k = @sem_wait(@s)" : "call %%k = @sem_post(@s)");
}

static inline void put_meeting(writer *w) {
  if (w->used[6])
    act(w, "call %%k = @pthread_barrier_wait(@b)");
  else if (w->used[7])
    act(w, "call %%k = @pthread_once(@o, @init)");
}

static inline void put_block(writer *w, int depth) {
  if (w->used[9] && !one_in(w, 4)) {
    put_transition(w);
    return;
  }
  switch (draw(&w->r, 16)) {
  case 0:
  case 1:
    if (depth > 0)
      put_branch(w, depth - 1);
    else
      put_claim(w);
    break;
  case 2:
    if (depth > 1)
      put_loop_of(w, put_block);
    break;
  case 3:
  case 4:
    put_atomic(w);
    break;
  case 5:
    if (w->used[3])
      put_flag(w);
    break;
  case 6:
    put_claim(w);
    break;
  case 7:
    if (w->used[1])
      put_trylock(w);
    break;
  case 8:
    if (w->used[2])
      put_condition(w);
    break;
  case 9:
    if (w->used[4])
      put_sem(w);
    else if (w->used[5])
      put_rwlock(w);
    break;
  case 10:
    put_meeting(w);
    break;
  case 11:
    if (w->used[8]) {
      act(w, "call @__VERIFIER_atomic_begin()");
      put_access(w);
      put_guarded(w, true);
      act(w, "call @__VERIFIER_atomic_end()");
    }
    break;
  default:
    put_locked(w, depth);
  }
}

/* Locks are initialised, or static. */
static inline void put_inits(writer *w) {
  static const char *const what[] = {"mutex_init(@m", "mutex_init(@n",
                                     "rwlock_init(@rw", "cond_init(@c"};
  for (int i = 0; i < 4; i++)
    if (one_in(w, 2))
      act(w, "call %%k = @pthread_%s, null)", what[i]);
}

static inline void put_rules_main(writer *w, int threads) {
  put(w, "function @main () -> i32 {\n  reg %%i i32\n");
  put_registers(w);
  act(w, "call %%k = @sem_init(@s, 0:i32, %u:i32)", draw(&w->r, 2));
  act(w, "call %%k = @pthread_barrier_init(@b, null, 2:i32)");
  put_inits(w);
  if (one_in(w, 2))
    act(w, "call %%a = @heddle_nondet_int(0:i32, %u:i32)", 1 + draw(&w->r, 3));
  if (one_in(w, 2))
    act(w, "store @x = %%a");
  for (int i = 0; i < threads; i++) {
    put_creation(w, i);
    if (one_in(w, 3))
      put_block(w, 1);
  }
  bool all = true;
  for (int i = 0; i < threads; i++) {
    if (one_in(w, 8)) {
      all = false;
      continue;
    }
    put_join(w, i);
  }
  for (uint32_t i = draw(&w->r, 3); i && (all || one_in(w, 4)); i--) {
    act(w, "load %%a = %s", one_in(w, 2) ? "@x" : one_in(w, 2) ? "@y" : "@z");
    put_claim(w);
  }
  put_end(w, "0:i32");
}

/* The text of program number `seed`, to be freed. */
static inline hd_str orderly_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  for (int i = 0; i < 12; i++)
    w.used[i] = one_in(&w, 4);
  w.used[9] = one_in(&w, 2);
  int threads = one_in(&w, 5) ? 3 : 2;
  int blocks = threads == 2 ? 1 + (int)draw(&w.r, 4) : 1 + (int)draw(&w.r, 2);
  hd_str_puts(&w.out, declarations);
  for (int i = 0; i < threads; i++) {
    put_head(&w, i);
    put(&w, "  reg %%i i32\n");
    put_registers(&w);
    for (int k = 0; k < blocks; k++)
      put_block(&w, 2);
    put_end(&w, "null");
  }
  put_rules_main(&w, threads);
  return w.out;
}

/* --- programs that only wait for each other --- */

/* Something that is done or not, which nobody knows afterwards: the same places
 * of all threads with different states of locks. */
static inline void put_perhaps(writer *w) {
  static const char *const what[] = {
      "@pthread_mutex_lock(@m)",
      "@pthread_mutex_lock(@m)",
      "@pthread_mutex_lock(@n)",
      "@sem_wait(@s)",
      "@sem_post(@s)",
      "@pthread_rwlock_rdlock(@rw)",
      "@pthread_rwlock_wrlock(@rw)",
      "@pthread_cond_signal(@c)",
      "@pthread_once(@o, @init)",
      "@pthread_barrier_wait(@b)",
      "@pthread_mutex_trylock(@m)",
  };
  act(w, "call %%a = @heddle_nondet_int(0:i32, 1:i32)");
  branch(w, "eq.i1(%a, 0:i32)", "ne.i1(%a, 0:i32)", 1);
  act(w, "call %%k = %s", what[draw(&w->r, 11)]);
  act(w, "set %%a, %%k = 0:i32, 0:i32");
  for (uint32_t i = draw(&w->r, 3); i; i--)
    act(w, "store.seq_cst @z = 1:i32");
}

/* One wait, or what ends one; or a lock with that inside. */
static inline void put_wait_block(writer *w, int depth) {
  static const char *const locks[] = {"@m", "@n"};
  const char *lock = locks[draw(&w->r, 2)];
  switch (draw(&w->r, 11)) {
  case 9:
  case 10:
    put_perhaps(w);
    break;
  case 0:
    act(w, "call %%k = @sem_wait(@s)");
    break;
  case 1:
    act(w, "call %%k = @sem_post(@s)");
    break;
  case 2:
    act(w, "call %%k = @pthread_barrier_wait(@b)");
    break;
  case 3:
    act(w, "call %%k = @pthread_cond_%s(@c)",
        one_in(w, 3) ? "broadcast" : "signal");
    break;
  case 4:
  case 5:
    act(w, "call %%k = @pthread_mutex_lock(@m)");
    if (one_in(w, 6))
      act(w, "call %%k = @pthread_cond_timedwait(@c, @m, @ts)");
    else
      act(w, "call %%k = @pthread_cond_wait(@c, @m)");
    act(w, "call %%k = @pthread_mutex_unlock(@m)");
    break;
  case 6:
    act(w, "call %%k = @pthread_rwlock_%s(@rw)",
        one_in(w, 2) ? "rdlock" : "wrlock");
    if (depth && one_in(w, 2))
      put_wait_block(w, 0);
    act(w, "call %%k = @pthread_rwlock_unlock(@rw)");
    break;
  default:
    act(w, "call %%k = @pthread_mutex_lock(%s)", lock);
    if (depth)
      put_wait_block(w, depth - 1);
    if (!one_in(w, 20))
      act(w, "call %%k = @pthread_mutex_unlock(%s)", lock);
  }
}

/* To a barrier once or more often, and nothing tells how often. */
static inline void put_again(writer *w) {
  int head = w->loc;
  act(w, "call %%k = @pthread_barrier_wait(@b)");
  act(w, "call %%a = @heddle_nondet_int(0:i32, 1:i32)");
  put_location(w, w->loc);
  put(w, "    -> %d - when eq.i1(%%a, 1:i32)\n", head);
  put(w, "    -> %d - when ne.i1(%%a, 1:i32)\n", w->loc + 1);
  w->loc++;
  act(w, "set %%a, %%k = 0:i32, 0:i32");
}

static inline hd_str waiting_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  int threads = one_in(&w, 3) ? 3 : 2;
  int blocks = threads == 2 ? 1 + (int)draw(&w.r, 3) : 1 + (int)draw(&w.r, 2);
  hd_str_puts(&w.out, declarations);
  for (int i = 0; i < threads; i++) {
    put_head(&w, i);
    put(&w, "  reg %%i i32\n");
    put_registers(&w);
    for (int k = 0; k < blocks; k++)
      if (one_in(&w, 5))
        put_loop_of(&w, put_wait_block);
      else if (threads == 2 && one_in(&w, 8))
        put_again(&w);
      else
        put_wait_block(&w, 2);
    put_end(&w, "null");
  }
  put(&w, "function @main () -> i32 {\n  reg %%i i32\n");
  put_registers(&w);
  act(&w, "call %%k = @sem_init(@s, 0:i32, %u:i32)", draw(&w.r, 3));
  act(&w, "call %%k = @pthread_barrier_init(@b, null, %u:i32)",
      1 + draw(&w.r, 3));
  put_inits(&w);
  for (int i = 0; i < threads; i++)
    put_creation(&w, i);
  if (one_in(&w, 3))
    put_wait_block(&w, 1);
  for (int i = 0; i < threads; i++)
    if (!one_in(&w, 6)) {
      put_join(&w, i);
    }
  if (one_in(&w, 6))
    act(&w, "call @pthread_exit(null)");
  put_end(&w, "0:i32");
  return w.out;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Random programs about memory: objects on the heap that are handed over and
 * freed, arrays of locks by index, bytes that wrap around, pointers to the elements
 * of arrays that threads get when they are created, some of them in a loop. */
#ifndef HD_TESTS_UNFOLD_MIXED_H
#define HD_TESTS_UNFOLD_MIXED_H

#include "unfold_random.h"

static const char mixed_globals[] = "global @ms \"ms\" size 120 align 8\n"
                                    "global @cells \"cells\" size 16 align 4\n"
                                    "global @bytes \"bytes\" size 4 align 1\n";

static inline void put_mixed_registers(writer *w) {
  put(w, "  reg %%a i32\n  reg %%b i32\n  reg %%k i32\n  reg %%q ptr\n"
         "  reg %%i i32\n  reg %%u i8\n  reg %%at i64\n  reg %%ok i1\n"
         "  reg %%h i64\n  reg %%own ptr\n");
  w->loc = 0;
  act(w, "set %%a, %%b, %%u = 0:i32, 0:i32, 0:i8");
}

/* Adds to a byte, mostly under its lock. */
static inline void put_byte(writer *w) {
  uint32_t at = draw(&w->r, 2), k = draw(&w->r, 256);
  bool bare = one_in(w, 20);
  if (!bare)
    act(w, "call %%k = @pthread_mutex_lock(@n)");
  act(w, "load %%u = ptradd.ptr(@bytes, %u:i64)", at);
  switch (draw(&w->r, 4)) {
  case 0:
    act(w, "set %%u = add.i8(%%u, %u:i8)", k);
    break;
  case 1:
    act(w, "set %%u = sub.i8(%%u, %u:i8)", k % 4);
    break;
  case 2:
    act(w, "set %%u = mul.i8(%%u, %u:i8)", 1 + k % 5);
    break;
  default:
    act(w, "set %%u = xor.i8(%%u, %u:i8)", k);
  }
  act(w, "store ptradd.ptr(@bytes, %u:i64) = %%u", at);
  if (!bare)
    act(w, "call %%k = @pthread_mutex_unlock(@n)");
  act(w, "set %%a = %s.i32(%%u)", one_in(w, 2) ? "zext" : "sext");
}

/* What is known about the byte in %a: which values came up is likely to be seen. */
static inline void put_byte_claim(writer *w) {
  static const char *const holds[] = {"ne", "slt", "sge"};
  static const char *const fails[] = {"eq", "sge", "slt"};
  char yes[60], no[60];
  uint32_t i = draw(&w->r, 3), k = draw(&w->r, 256);
  snprintf(yes, sizeof yes, "%s.i1(%%a, %u:i32)", holds[i], k);
  snprintf(no, sizeof no, "%s.i1(%%a, %u:i32)", fails[i], k);
  branch(w, yes, no, 1);
  act(w, "call @reach_error()");
}

/* One of three locks, by a number that may come from shared memory; the same one
 * guards the element of that number. */
static inline void put_element(writer *w) {
  bool by_value = one_in(w, 3), wrong = one_in(w, 20);
  uint32_t k = draw(&w->r, 3);
  if (by_value) {
    act(w, "load.seq_cst %%b = @z");
    act(w, "set %%at = zext.i64(urem.i32(%%b, 3:i32))");
  } else {
    act(w, "set %%at = %u:i64", k);
  }
  bool attempt = one_in(w, 4);
  act(w, "call %%k = @pthread_mutex_%s(ptradd.ptr(@ms, mul.i64(%%at, 40:i64)))",
      attempt ? "trylock" : "lock");
  if (attempt)
    branch(w, "ne.i1(%k, 0:i32)", "eq.i1(%k, 0:i32)", 3);
  if (wrong)
    act(w, "set %%at = 0:i64");
  act(w, "load %%a = ptradd.ptr(@cells, mul.i64(%%at, 4:i64))");
  act(w,
      "store ptradd.ptr(@cells, mul.i64(%%at, 4:i64)) = "
      "and.i32(add.i32(%%a, %u:i32), 3:i32)",
      1 + draw(&w->r, 3));
  act(w, "call %%k = @pthread_mutex_unlock(ptradd.ptr(@ms, mul.i64(%%at, "
         "40:i64)))");
  if (one_in(w, 2))
    put_claim(w);
}

/* Makes an object and hands it over, or takes what is there, or its own. */
static inline void put_heap(writer *w) {
  uint32_t k = draw(&w->r, 4);
  bool bare = one_in(w, 20);
  switch (draw(&w->r, 3)) {
  case 0:
    act(w, "call %%q = @malloc(8:i64)");
    act(w, "store %%q = %u:i32", k);
    if (!one_in(w, 10))
      act(w, "store ptradd.ptr(%%q, 4:i64) = %%a");
    if (!bare)
      act(w, "call %%k = @pthread_mutex_lock(@m)");
    act(w, "store @p = %%q");
    if (!bare)
      act(w, "call %%k = @pthread_mutex_unlock(@m)");
    break;
  case 1: { /* reads it, and perhaps takes it away */
    bool frees = one_in(w, 3), late = one_in(w, 8);
    act(w, "call %%k = @pthread_mutex_lock(@m)");
    act(w, "load %%q = @p");
    branch(w, "eq.i1(%q, null)", "ne.i1(%q, null)", frees ? 3 : 1);
    act(w, "load %%a = ptradd.ptr(%%q, %u:i64)", 4 * (k & 1));
    if (frees && !late)
      act(w, "store @p = null");
    else if (frees)
      act(w, "set %%k = 0:i32");
    if (frees)
      act(w, "call @free(%%q)");
    act(w, "call %%k = @pthread_mutex_unlock(@m)");
    put_claim(w);
    break;
  }
  default:
    act(w, "call %%q = @malloc(4:i64)");
    act(w, "store %%q = %%a");
    act(w, "load %%b = %%q");
    act(w, "call @free(%%q)");
  }
}

/* Through the pointer that the thread got, or to that of somebody else. */
static inline void put_own(writer *w) {
  uint32_t k = draw(&w->r, 4);
  branch(w, "eq.i1(%own, null)", "ne.i1(%own, null)", 2);
  act(w, "load %%a = %%own");
  act(w, "store %%own = add.i32(%%a, %u:i32)", k);
  if (one_in(w, 10))
    act(w, "store ptradd.ptr(@cells, %u:i64) = %u:i32", 4 * draw(&w->r, 4), k);
}

static inline void put_mixed_block(writer *w, int depth) {
  switch (draw(&w->r, 12)) {
  case 0:
  case 1:
    put_byte(w);
    if (one_in(w, 2))
      put_byte_claim(w);
    break;
  case 2:
  case 3:
  case 4:
    if (w->used[0])
      put_element(w);
    else
      put_byte(w);
    break;
  case 5:
  case 6:
    if (w->used[1])
      put_heap(w);
    break;
  case 7:
    if (w->used[2])
      put_own(w);
    break;
  case 8:
    if (depth)
      put_loop_of(w, put_mixed_block);
    break;
  case 9:
    if (w->used[3])
      act(w, one_in(w, 2) ? "call %%k = @sem_wait(@s)"
                          : "call %%k = @sem_post(@s)");
    else if (w->used[4])
      put_condition(w);
    break;
  case 10:
    act(w, "rmw.add.seq_cst %%b = @z, %u:i32", draw(&w->r, 3));
    break;
  default:
    put_locked(w, 0);
  }
}

static inline void put_mixed_create(writer *w, const char *offset,
                                    uint32_t kinds) {
  char arg[80] = "null";
  if (w->used[2] && !one_in(w, 4))
    snprintf(arg, sizeof arg, "ptradd.ptr(@cells, mul.i64(%s, 4:i64))", offset);
  act(w,
      "call %%k = @pthread_create(ptradd.ptr(@th, mul.i64(%s, 8:i64)), null, "
      "@t%u, %s)",
      offset, draw(&w->r, kinds), arg);
}

static inline hd_str mixed_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  for (int i = 0; i < 12; i++)
    w.used[i] = one_in(&w, i < 3 ? 2 : 4);
  uint32_t threads = one_in(&w, 4) ? 3 : 2, kinds = 1 + draw(&w.r, 2);
  int blocks = 1 + (int)draw(&w.r, threads == 3 ? 2 : 3);
  hd_str_puts(&w.out, declarations);
  hd_str_puts(&w.out, mixed_globals);
  for (uint32_t i = 0; i < kinds; i++) {
    put_head(&w, (int)i);
    put_mixed_registers(&w);
    act(&w, "set %%own = %%arg");
    for (int k = 0; k < blocks; k++)
      put_mixed_block(&w, 1);
    put_end(&w, "null");
  }
  put(&w, "function @main () -> i32 {\n");
  put_mixed_registers(&w);
  act(&w, "set %%own = null");
  act(&w, "call %%k = @sem_init(@s, 0:i32, %u:i32)", draw(&w.r, 3));
  if (one_in(&w, 2)) { /* in a loop */
    act(&w, "set %%i = 0:i32");
    int head = w.loc;
    act(&w, "set %%at = zext.i64(%%i)");
    put_mixed_create(&w, "%at", kinds);
    act(&w, "set %%i = add.i32(%%i, 1:i32)");
    put_location(&w, w.loc);
    put(&w, "    -> %d - when slt.i1(%%i, %u:i32)\n", head, threads);
    put(&w, "    -> %d - when sge.i1(%%i, %u:i32)\n", w.loc + 1, threads);
    w.loc++;
  } else {
    for (uint32_t i = 0; i < threads; i++) {
      char offset[20];
      snprintf(offset, sizeof offset, "%u:i64", i);
      put_mixed_create(&w, offset, kinds);
    }
  }
  if (one_in(&w, 3))
    put_mixed_block(&w, 0);
  bool joins = !one_in(&w, 4);
  for (uint32_t i = 0; joins && i < threads; i++) {
    put_join(&w, (int)i);
  }
  if (joins) {
    act(&w, "load %%a = ptradd.ptr(@cells, %u:i64)", 4 * draw(&w.r, 3));
    put_claim(&w);
  }
  put_end(&w, "0:i32");
  return w.out;
}

#endif

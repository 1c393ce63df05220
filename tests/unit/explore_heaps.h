/* SPDX-License-Identifier: MIT */
/* Random programs whose threads make blocks, link them, keep their addresses in
 * variables, hand them on by every way there is, free them, and now and then take an
 * address apart and put it together again. */
#ifndef HD_TESTS_EXPLORE_HEAPS_H
#define HD_TESTS_EXPLORE_HEAPS_H

#include "explore_util.h"

static const char heap_declarations[] =
    "global @g \"g\" size 8 align 8\nglobal @h \"h\" size 8 align 8\n"
    "global @res \"res\" size 8 align 8\n";

static inline void put_heap_registers(writer *w) {
  put(w, "  reg %%a i32\n  reg %%b i32\n  reg %%k i32\n  reg %%q ptr\n"
         "  reg %%r ptr\n  reg %%w i64\n  reg %%ok i1\n  reg %%h i64\n"
         "  slot &s size 8 align 8\n  slot &l size 4 align 4\n");
  w->loc = 0;
  act(w, "set %%a, %%b, %%q, %%r = 0:i32, 0:i32, null, null");
  act(w, "store &s = null");
}

static inline const char *pointer_name(writer *w) {
  return draw(&w->r, 2) ? "q" : "r";
}

static inline const char *place_name(writer *w) {
  return draw(&w->r, 6) ? "@p" : "@g";
}

/* What follows is left out where the pointer is null. */
static inline void unless_null(writer *w, const char *p, int actions) {
  char yes[60], no[60];
  snprintf(yes, sizeof yes, "eq.i1(%%%s, null)", p);
  snprintf(no, sizeof no, "ne.i1(%%%s, null)", p);
  branch(w, yes, no, actions);
}

/* An address in pieces. */
static inline void put_pieces(writer *w) {
  switch (draw(&w->r, 7)) {
  case 0:
    act(w, "store.seq_cst @h = xor.i64(ptrtoint.i64(%%q), "
           "1311768467463790320:i64)");
    break;
  case 1:
    act(w, "load.seq_cst %%w = @h");
    branch(w, "eq.i1(%w, 0:i64)", "ne.i1(%w, 0:i64)", 1);
    act(w, "set %%q = inttoptr.ptr(xor.i64(%%w, 1311768467463790320:i64))");
    break;
  case 2:
    act(w, "store &s = %%q");
    act(w, "call %%r = @memcpy(@h, &s, 4:i64)");
    act(w, "call %%r = @memcpy(ptradd.ptr(@h, 4:i64), ptradd.ptr(&s, 4:i64), "
           "4:i64)");
    break;
  case 3:
    act(w, "store &s = %%q");
    act(w, "load %%b = ptradd.ptr(&s, 4:i64)");
    act(w, "store @h = 0:i64");
    act(w, "store ptradd.ptr(@h, 4:i64) = %%b");
    break;
  case 4:
    act(w, "load.seq_cst %%q = @h");
    break;
  case 5: /* the same bits, as a number */
    act(w, "store &s = %%q");
    act(w, "load %%w = &s");
    act(w, "store.seq_cst @g = %%w");
    break;
  default:
    act(w, "set %%w = ptrtoint.i64(%%q)");
    act(w, "set %%r = inttoptr.ptr(or.i64(%%w, 1:i64))");
    act(w, "set %%r = inttoptr.ptr(sub.i64(ptrtoint.i64(%%r), 1:i64))");
  }
}

/* What a block has in it decides something. */
static inline void put_heap_use(writer *w) {
  const char *p = pointer_name(w);
  uint32_t k = draw(&w->r, 3);
  bool shows = true;
  switch (draw(&w->r, 8)) {
  case 0:
  case 1:
    unless_null(w, p, 1);
    act(w, "load.seq_cst %%a = %%%s", p);
    break;
  case 2:
    unless_null(w, p, 1);
    act(w, "store.seq_cst %%%s = %u:i32", p, k);
    shows = false;
    break;
  case 3:
  case 6:
    unless_null(w, p, 1);
    act(w, "rmw.add.seq_cst %%a = %%%s, 1:i32", p);
    break;
  case 4:
    unless_null(w, "q", 1);
    act(w, "store.seq_cst ptradd.ptr(%%q, 8:i64) = %%r");
    shows = false;
    break;
  case 5:
    unless_null(w, "q", 1);
    act(w, "load.seq_cst %%r = ptradd.ptr(%%q, 8:i64)");
    unless_null(w, "r", 1);
    act(w, "load.seq_cst %%a = %%r");
    break;
  default:
    unless_null(w, p, 1);
    act(w, "store %%%s = %u:i32", p, k);
    shows = false;
  }
  if (shows && draw(&w->r, 2))
    put_error(w);
  else if (shows)
    act(w, "rmw.add.seq_cst %%b = @y, mul.i32(%%a, add.i32(%%b, 1:i32))");
}

static inline void put_block(writer *w) {
  act(w, "call %%q = @malloc(16:i64)");
  act(w, "store %%q = %u:i32", draw(&w->r, 3));
  act(w, "store ptradd.ptr(%%q, 8:i64) = %s", draw(&w->r, 2) ? "%r" : "null");
}

static inline void put_heap_action(writer *w) {
  switch (draw(&w->r, 20)) {
  case 0:
    put_block(w);
    break;
  case 1:
  case 2:
  case 3:
    act(w, "store.seq_cst %s = %%q", place_name(w));
    break;
  case 4:
  case 5:
  case 6:
    act(w, "load.seq_cst %%%s = %s", pointer_name(w), place_name(w));
    break;
  case 7:
    act(w, "cmpxchg.seq_cst %%r, %%ok = %s, %%r, %%q", place_name(w));
    break;
  case 8:
    act(w, draw(&w->r, 2) ? "store.seq_cst &s = %%q" : "load.seq_cst %%r = &s");
    break;
  case 9: /* a variable that others find, and what is in it */
    if (w->used[0] && draw(&w->r, 2)) {
      act(w, "store.seq_cst &s = %%q");
      act(w, "store.seq_cst @h = &s");
    } else {
      act(w, "set %%r = %%q");
    }
    break;
  case 10:
    if (w->used[0]) {
      act(w, "load.seq_cst %%r = @h");
      unless_null(w, "r", 1);
      act(w, "load.seq_cst %%q = %%r");
    }
    break;
  case 11:
    if (w->used[1]) {
      unless_null(w, "q", 1);
      act(w, "call @free(%%q)");
    }
    break;
  case 12:
    branch(w, "ne.i1(%q, %r)", "eq.i1(%q, %r)", 1);
    act(w, "rmw.add.seq_cst %%b = @y, 3:i32");
    break;
  case 13:
    if (w->used[2])
      put_pieces(w);
    break;
  default:
    put_heap_use(w);
  }
}

/* Main may give a block of its own to its threads, which may give one back. */
static inline hd_str heap_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  for (int i = 0; i < 3; i++)
    w.used[i] = !draw(&w.r, 3);
  int threads = draw(&w.r, 2) ? 2 : 3;
  int functions = threads == 3 || draw(&w.r, 2) ? 1 : 2;
  int actions = threads == 2 ? 3 + (int)draw(&w.r, 4) : 1 + (int)draw(&w.r, 3);
  bool given = !draw(&w.r, 3), back = !draw(&w.r, 4);
  hd_str_puts(&w.out, declarations);
  hd_str_puts(&w.out, heap_declarations);
  for (int i = 0; i < functions; i++) {
    put_head(&w, i);
    put_heap_registers(&w);
    act(&w, "set %%r = %%arg");
    if (draw(&w.r, 4))
      put_block(&w);
    if (draw(&w.r, 2))
      act(&w, "store.seq_cst %s = %%q", place_name(&w));
    if (draw(&w.r, 2))
      act(&w, "load.seq_cst %%r = %s", place_name(&w));
    if (draw(&w.r, 2))
      put_heap_use(&w);
    for (int k = 0; k < actions; k++)
      put_heap_action(&w);
    put_end(&w, back ? "%q" : "null");
  }
  put(&w, "function @main () -> i32 {\n");
  put_heap_registers(&w);
  if (given) {
    act(&w, "call %%q = @malloc(16:i64)");
    act(&w, "store %%q = 0:i32");
    act(&w, "store ptradd.ptr(%%q, 8:i64) = null");
  }
  for (int i = 0; i < threads; i++)
    act(&w,
        "call %%k = @pthread_create(ptradd.ptr(@th, %d:i64), null, @t%d, %%q)",
        8 * i, i && functions > 1 ? (int)draw(&w.r, 2) : 0);
  for (int i = 0; i < threads; i++) {
    act(&w, "load %%h = ptradd.ptr(@th, %d:i64)", 8 * i);
    act(&w, "call %%k = @pthread_join(%%h, %s)", back ? "@res" : "null");
  }
  for (int k = 0; k < 2; k++)
    put_heap_action(&w);
  if (back) {
    act(&w, "load %%q = @res");
    put_heap_use(&w);
  }
  act(&w, "load %%b = @y");
  put_location(&w, w.loc);
  put(&w, "    -> %d - return add.i32(%%a, mul.i32(%%b, 8:i32))\n}\n", w.loc);
  return w.out;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Random programs about sums and differences of numbers of eight bits, which wrap
 * around soon: two threads and main, some of the numbers under a lock; and an
 * array for each of them. */
#ifndef HD_TESTS_RELATION_RANDOM_H
#define HD_TESTS_RELATION_RANDOM_H

#include "explore_util.h"

static const char related_declarations[] =
    "heddle code 1\ntarget 64\n"
    "global @x \"x\" size 1 align 1\nglobal @y \"y\" size 1 align 1\n"
    "global @s \"s\" size 4 align 1\n"
    "global @v0 \"v0\" size 40 align 1\nglobal @v1 \"v1\" size 40 align 1\n"
    "global @v2 \"v2\" size 40 align 1\n"
    "global @m \"m\" size 40 align 8\nglobal @th \"th\" size 16 align 8\n"
    "function @pthread_create (ptr, ptr, ptr, ptr) -> i32 external\n"
    "function @pthread_join (i64, ptr) -> i32 external\n"
    "function @pthread_mutex_lock (ptr) -> i32 external\n"
    "function @pthread_mutex_unlock (ptr) -> i32 external\n"
    "function @reach_error () -> void external\n"
    "function @heddle_nondet_int (i32, i32) -> i32 external\n";

static inline const char *some_reg(writer *w) {
  static const char *const names[] = {"%a", "%b", "%c", "%d"};
  return names[draw(&w->r, 4)];
}

static inline const char *some_cell(writer *w) {
  static const char *const names[] = {"@x", "@y", "ptradd.ptr(@s, 2:i64)"};
  return names[draw(&w->r, 3)];
}

static inline int some_number(writer *w) {
  static const int numbers[] = {0, 1, 1, 1, -1, -1, 2, 3, 100, -128, 127};
  return numbers[draw(&w->r, 11)];
}

/* A sum of registers, of eight bits. */
static inline void some_sum(writer *w, char *out, size_t size) {
  const char *r = some_reg(w), *s = some_reg(w);
  int k = some_number(w);
  switch (draw(&w->r, 6)) {
  case 0:
    snprintf(out, size, "%s", r);
    break;
  case 1:
    snprintf(out, size, "sub.i8(%s, %s)", r, s);
    break;
  case 2:
    snprintf(out, size, "add.i8(%s, %s)", r, s);
    break;
  case 3:
    snprintf(out, size, "trunc.i8(add.i32(sext.i32(%s), %d:i32))", r, k);
    break;
  default:
    snprintf(out, size, "add.i8(%s, %d:i8)", r, k);
  }
}

/* A comparison and its opposite. */
static inline void some_comparison(writer *w, char *yes, char *no,
                                   size_t size) {
  static const char *const ops[] = {"eq",  "slt", "sle", "ult", "ule",
                                    "sgt", "ne",  "sge", "uge"};
  static const char *const opposites[] = {"ne",  "sge", "sgt", "uge", "ugt",
                                          "sle", "eq",  "slt", "ult"};
  uint32_t op = draw(&w->r, 9);
  char left[120], right[120];
  if (draw(&w->r, 5) == 0) {
    static const char *const casts[] = {"sext", "zext"};
    const char *cast = casts[draw(&w->r, 2)];
    snprintf(left, sizeof left, "%s.i32(%s)", cast, some_reg(w));
    snprintf(right, sizeof right, "add.i32(%s.i32(%s), %d:i32)", cast,
             some_reg(w), some_number(w));
  } else {
    some_sum(w, left, sizeof left);
    if (draw(&w->r, 4))
      snprintf(right, sizeof right, "%s", some_reg(w));
    else
      snprintf(right, sizeof right, "%d:i8", some_number(w));
  }
  snprintf(yes, size, "%s.i1(%s, %s)", ops[op], left, right);
  snprintf(no, size, "%s.i1(%s, %s)", opposites[op], left, right);
}

static inline void put_related(writer *w, int depth);

/* An element of the function's array; there are others through the pointer. */
static inline void some_element(writer *w, char *out, size_t size) {
  static const char *const indices[] = {"%i0", "%i0", "%i1", "%a", "%d"};
  const char *i = indices[draw(&w->r, 5)];
  int array = w->used[2] ? 0 : w->used[3] ? 1 : 2;
  int add = (int)draw(&w->r, 4) - 1;
  if (add > 0)
    snprintf(out, size, "ptradd.ptr(@v%d, sext.i64(%s))", array, i);
  else
    snprintf(out, size, "ptradd.ptr(@v%d, sext.i64(add.i8(%s, %d:i8)))", array,
             i, add);
}

static inline void put_array(writer *w) {
  char element[120], sum[120];
  some_element(w, element, sizeof element);
  some_sum(w, sum, sizeof sum);
  if (draw(&w->r, 3) == 0)
    act(w, "load %s = %s", some_reg(w), element);
  else if (draw(&w->r, 2))
    act(w, "store %s = %d:i8", element, some_number(w));
  else
    act(w, "store %s = %s", element, sum);
}

/* Fills a part of the array, reads one element and says something about it. */
static inline void put_filling(writer *w) {
  char element[120];
  int n = 2 + (int)draw(&w->r, 10), x = some_number(w);
  bool down = draw(&w->r, 2), by_input = !draw(&w->r, 3);
  some_element(w, element, sizeof element);
  act(w, "set %%i0 = %d:i8", down ? n : (int)draw(&w->r, 2));
  int at = w->loc;
  put_location(w, at);
  if (by_input)
    put(w,
        "    -> %d - when s%s.i1(%%i0, %%b)\n    -> %d - when s%s.i1(%%i0, "
        "%%b)\n",
        at + 1, down ? "gt" : "lt", at + 3, down ? "le" : "ge");
  else
    put(w,
        "    -> %d - when s%s.i1(%%i0, %d:i8)\n    -> %d - when "
        "s%s.i1(%%i0, %d:i8)\n",
        at + 1, down ? "gt" : "lt", down ? 0 : n, at + 3, down ? "le" : "ge",
        down ? 0 : n);
  w->loc++;
  act(w, "store %s = %d:i8", element, x);
  put_location(w, w->loc);
  put(w, "    -> %d - set %%i0 = add.i8(%%i0, %d:i8)\n", at, down ? -1 : 1);
  w->loc++;
  if (draw(&w->r, 3) == 0)
    put_array(w);
  act(w, "call %%k = @heddle_nondet_int(0:i32, %d:i32)",
      n - (int)draw(&w->r, 2));
  act(w, "set %%c = trunc.i8(%%k)");
  int array = w->used[2] ? 0 : w->used[3] ? 1 : 2;
  if (by_input)
    branch(w, "sge.i1(%c, %b)", "slt.i1(%c, %b)", 3);
  act(w, "load %%c = ptradd.ptr(@v%d, sext.i64(%%c))", array);
  char yes[60], no[60];
  snprintf(yes, sizeof yes, "eq.i1(%%c, %d:i8)", x);
  snprintf(no, sizeof no, "ne.i1(%%c, %d:i8)", x);
  branch(w, yes, no, 1);
  act(w, "call @reach_error()");
}

/* Two counters that keep their distance or their sum, most of the time. */
static inline void put_pair(writer *w) {
  static const char *const ops[] = {"sub", "add"};
  static const char *const limits[] = {"%b", "7:i8", "50:i8"};
  char yes[120], no[120];
  bool sum = draw(&w->r, 2);
  int start = some_number(w), step = draw(&w->r, 8) ? 1 : 2;
  const char *limit = limits[draw(&w->r, 3)];
  act(w, "set %%c, %%d = 0:i8, %d:i8", start);
  int at = w->loc++;
  put_location(w, at);
  put(w, "    -> %d - when slt.i1(%%c, %s)\n    -> %d - when sge.i1(%%c, %s)\n",
      at + 1, limit, at + 3, limit);
  act(w, "set %%c = add.i8(%%c, 1:i8)");
  put_location(w, w->loc);
  put(w, "    -> %d - set %%d = add.i8(%%d, %d:i8)\n", at, sum ? -step : step);
  w->loc++;
  int d = sum ? start : -start;
  snprintf(yes, sizeof yes, "eq.i1(%s.i8(%%c, %%d), %d:i8)", ops[sum], d);
  snprintf(no, sizeof no, "ne.i1(%s.i8(%%c, %%d), %d:i8)", ops[sum], d);
  branch(w, yes, no, 1);
  act(w, "call @reach_error()");
}

static inline hd_str related_text(writer *w, int depth, int n) {
  hd_str before = w->out;
  w->out = (hd_str){0};
  for (int i = 0; i < n; i++)
    put_related(w, depth);
  hd_str text = w->out;
  w->out = before;
  return text;
}

/* An if, or a loop with a bound. */
static inline void put_control(writer *w, int depth) {
  char yes[300], no[300];
  some_comparison(w, yes, no, sizeof yes);
  bool loop = draw(&w->r, 2);
  if (loop)
    act(w, "set %%i%d = 0:i8", depth);
  int at = w->loc++;
  hd_str body = related_text(w, depth, 1 + (int)draw(&w->r, 2));
  int last = w->loc;
  w->loc += loop ? 3 : 1;
  put_location(w, at);
  put(w, "    -> %d - when %s\n    -> %d - when %s\n", at + 1, yes, w->loc, no);
  hd_str_puts(&w->out, hd_str_text(&body));
  hd_str_free(&body);
  put_location(w, last);
  if (!loop) {
    put(w, "    -> %d - set %%d = %%a\n", last + 1);
    return;
  }
  uint32_t most = draw(&w->r, 3) ? 3 : 60;
  put(w, "    -> %d - set %%a = add.i8(%%a, 1:i8)\n", last + 1);
  put_location(w, last + 1);
  put(w, "    -> %d - set %%i%d = add.i8(%%i%d, 1:i8)\n", last + 2, depth,
      depth);
  put_location(w, last + 2);
  put(w, "    -> %d - when ult.i1(%%i%d, %u:i8)\n", at, depth, most);
  put(w, "    -> %d - when uge.i1(%%i%d, %u:i8)\n", last + 3, depth, most);
}

static inline void put_guarded_cells(writer *w) {
  char sum[120];
  act(w, "call %%k = @pthread_mutex_lock(@m)");
  for (uint32_t i = 1 + draw(&w->r, 3); i; i--) {
    if (draw(&w->r, 2))
      act(w, "load %s = %s", some_reg(w), some_cell(w));
    some_sum(w, sum, sizeof sum);
    if (draw(&w->r, 2))
      act(w, "store %s = %s", some_cell(w), sum);
    if (!draw(&w->r, 3))
      put_related(w, 0);
  }
  act(w, "call %%k = @pthread_mutex_unlock(@m)");
}

static inline void put_related(writer *w, int depth) {
  char yes[300], no[300];
  if (w->used[1] && !draw(&w->r, 3)) {
    if (depth > 0 && draw(&w->r, 2))
      put_filling(w);
    else
      put_array(w);
    return;
  }
  switch (draw(&w->r, 9)) {
  case 0:
  case 1:
  case 2:
    some_sum(w, yes, sizeof yes);
    act(w, "set %s = %s", some_reg(w), yes);
    break;
  case 3:
    if (draw(&w->r, 2))
      put_pair(w);
    break;
  case 4:
    if (draw(&w->r, 3))
      break;
    some_comparison(w, yes, no, sizeof yes);
    branch(w, yes, no, 1);
    act(w, "call @reach_error()");
    break;
  case 5:
    if (depth > 0 && w->used[0])
      put_guarded_cells(w);
    break;
  case 6:
    if (!draw(&w->r, 3)) {
      int low = some_number(w);
      act(w, "call %%k = @heddle_nondet_int(%d:i32, %d:i32)", low, low + 2);
      act(w, "set %s = trunc.i8(%%k)", some_reg(w));
    }
    break;
  default:
    if (depth > 0)
      put_control(w, depth - 1);
  }
}

static inline void put_related_start(writer *w) {
  put(w, "  reg %%a i8\n  reg %%b i8\n  reg %%c i8\n  reg %%d i8\n"
         "  reg %%k i32\n  reg %%h i64\n  reg %%i0 i8\n  reg %%i1 i8\n");
  w->loc = 0;
  act(w, "set %%a, %%b, %%c, %%d = 0:i8, 0:i8, %d:i8, 0:i8", some_number(w));
  int low = some_number(w);
  act(w, "call %%k = @heddle_nondet_int(%d:i32, %d:i32)", low,
      low + 1 + (int)draw(&w->r, 4));
  act(w, "set %%b = trunc.i8(%%k)");
  act(w, "set %%i0, %%i1 = 0:i8, 0:i8");
}

/* The text of program number `seed`, to be freed. */
static inline hd_str related_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  w.used[0] = draw(&w.r, 2);  /* with cells */
  w.used[1] = !draw(&w.r, 3); /* with arrays */
  int threads = w.used[0] ? 1 + (int)draw(&w.r, 2) : 0;
  hd_str_puts(&w.out, related_declarations);
  for (int i = 0; i < threads; i++) {
    w.used[2] = i == 0;
    w.used[3] = i == 1;
    put_head(&w, i);
    put_related_start(&w);
    for (int k = 1 + (int)draw(&w.r, 3); k; k--)
      put_related(&w, 1);
    put_guarded_cells(&w);
    put_end(&w, "null");
  }
  w.used[2] = w.used[3] = false;
  put(&w, "function @main () -> i32 {\n");
  put_related_start(&w);
  for (int i = 0; i < threads; i++)
    put_creation(&w, i);
  for (int k = threads ? 2 : 4 + (int)draw(&w.r, 5); k; k--)
    put_related(&w, 2);
  for (int i = 0; i < threads; i++) {
    put_join(&w, i);
  }
  act(&w, "load %%a = @x");
  act(&w, "load %%b = @y");
  put_related(&w, 0);
  put_related(&w, 0);
  put_end(&w, "0:i32");
  return w.out;
}

#endif

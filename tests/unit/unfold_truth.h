/* SPDX-License-Identifier: MIT */
/* Random programs that keep the truth of conditions in registers and test them
 * later, as `assume (0 <= n && n < 3)` is compiled. */
#ifndef HD_TESTS_UNFOLD_TRUTH_H
#define HD_TESTS_UNFOLD_TRUTH_H

#include "unfold_mixed.h"

static inline void comparison(writer *w, char *out, size_t size) {
  static const char *const ops[] = {"slt", "sle", "sgt", "sge",
                                    "eq",  "ne",  "ult", "uge"};
  snprintf(out, size, "%s.i1(%%%c, %u:i32)", ops[draw(&w->r, 8)],
           one_in(w, 3) ? 'b' : 'a', draw(&w->r, 6));
}

/* %k or %ok gets the truth of one or two comparisons. */
static inline void put_truth(writer *w) {
  static const char *const joins[] = {"and", "or", "xor"};
  char one[40], two[40], both[120];
  comparison(w, one, sizeof one);
  comparison(w, two, sizeof two);
  if (one_in(w, 2))
    snprintf(both, sizeof both, "%s", one);
  else
    snprintf(both, sizeof both, "%s.i1(%s, %s)", joins[draw(&w->r, 3)], one,
             two);
  if (one_in(w, 2))
    act(w, "set %%k = zext.i32(%s)", both);
  else
    act(w, "set %%ok = %s", both);
}

static inline void put_truth_block(writer *w) {
  switch (draw(&w->r, 5)) {
  case 0:
    act(w, "call %%a = @heddle_nondet_int(0:i32, %u:i32)", 1 + draw(&w->r, 5));
    break;
  case 1:
    act(w, "load.seq_cst %%%c = @z", one_in(w, 2) ? 'a' : 'b');
    break;
  case 2:
    if (one_in(w, 2))
      branch(w, "eq.i1(%k, 0:i32)", "ne.i1(%k, 0:i32)", 1);
    else
      branch(w, "ne.i1(%k, 0:i32)", "eq.i1(%k, 0:i32)", 1);
    act(w, "store.seq_cst @z = and.i32(add.i32(%%a, %u:i32), 7:i32)",
        draw(&w->r, 4));
    break;
  default:
    put_truth(w);
  }
}

/* An assertion, where the truth is one or the other. */
static inline void put_judgement(writer *w) {
  char text[40];
  comparison(w, text, sizeof text);
  if (one_in(w, 2))
    branch(w, "eq.i1(%ok, 0:i1)", "ne.i1(%ok, 0:i1)", 3);
  else
    branch(w, "ne.i1(%ok, 0:i1)", "eq.i1(%ok, 0:i1)", 3);
  act(w, "set %%k = zext.i32(%s)", text);
  branch(w, "ne.i1(%k, 0:i32)", "eq.i1(%k, 0:i32)", 1);
  act(w, "call @reach_error()");
}

static inline hd_str truth_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  hd_str_puts(&w.out, declarations);
  hd_str_puts(&w.out, mixed_globals);
  int blocks = (int)draw(&w.r, 4);
  put(&w, "function @t (%%arg) -> ptr {\n  reg %%arg ptr\n");
  put_mixed_registers(&w);
  act(&w, "set %%k, %%ok = 0:i32, 1:i1");
  act(&w, "call %%a = @heddle_nondet_int(0:i32, 5:i32)");
  put_truth(&w);
  for (int i = 0; i < blocks; i++)
    put_truth_block(&w);
  put_judgement(&w);
  put_location(&w, w.loc);
  put(&w, "    -> %d - return null\n}\n", w.loc);
  put(&w, "function @main () -> i32 {\n");
  put_mixed_registers(&w);
  act(&w, "set %%k, %%ok = 0:i32, 1:i1");
  for (uint32_t i = 0; i < 2; i++)
    act(&w,
        "call %%i = @pthread_create(ptradd.ptr(@th, %u:i64), null, @t, null)",
        8 * i);
  for (int i = 0; i < 2; i++)
    put_truth_block(&w);
  put_location(&w, w.loc);
  put(&w, "    -> %d - return 0:i32\n}\n", w.loc);
  return w.out;
}

#endif

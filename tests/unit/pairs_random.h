/* SPDX-License-Identifier: MIT */
/* Random programs about relations: counters of one byte that start anywhere,
 * also just before they wrap around; copies of them, tickets, and locks made of
 * a variable. main creates threads for ever or a given number of times. */
#ifndef HD_TEST_PAIRS_RANDOM_H
#define HD_TEST_PAIRS_RANDOM_H

#include "small_random.h"

static const char *a_byte(generator *g) {
  return chance(&g->c, 2) ? "@x" : "@y";
}

static const char *a_step(generator *g) {
  static const char *const steps[] = {"1", "1", "-1", "2", "3"};
  return steps[chance(&g->c, 5)];
}

/* An operand: a register, with something added, or a number. */
static const char *an_operand(generator *g, char *text, size_t size) {
  if (chance(&g->c, 3))
    snprintf(text, size, "%s", a_reg(g));
  else if (chance(&g->c, 2))
    snprintf(text, size, "add.i8(%s, %s:i8)", a_reg(g), a_step(g));
  else
    snprintf(text, size, "%d:i8", (int)chance(&g->c, 5) - 2);
  return text;
}

static void relation(generator *g, char *text, size_t size) {
  static const char *const ops[] = {"eq", "ne", "ult", "ule", "slt", "sle"};
  char one[60], two[60];
  snprintf(text, size, "%s.i1(%s, %s)", ops[chance(&g->c, 6)], a_reg(g),
           an_operand(g, two, sizeof two));
  if (chance(&g->c, 4))
    return;
  snprintf(one, sizeof one, "%s", text);
  snprintf(text, size, "or.i1(%s, %s.i1(%s, %s))", one, ops[chance(&g->c, 6)],
           a_reg(g), an_operand(g, two, sizeof two));
}

static void byte_action(generator *g) {
  char text[200], operand[60];
  switch (chance(&g->c, 9)) {
  case 0:
  case 1:
  case 2:
    edge(g, "load %s = %s", a_reg(g), a_byte(g));
    break;
  case 3:
    edge(g, "store %s = %s", a_byte(g), an_operand(g, operand, sizeof operand));
    break;
  case 4:
    edge(g, "rmw.add.seq_cst %s = %s, %s:i8", a_reg(g), a_byte(g), a_step(g));
    break;
  case 5:
    edge(g, "set %s = %s", a_reg(g), an_operand(g, operand, sizeof operand));
    break;
  case 6: /* goes on only if */
    relation(g, text, sizeof text);
    edge(g, "call @heddle_assume(zext.i32(%s))", text);
    break;
  case 7:
    edge(g, "cmpxchg.seq_cst %s, %%ok = %s, %s, add.i8(%s, 1:i8)", a_reg(g),
         a_byte(g), "%a", "%a");
    break;
  default:
    edge(g, "store &s = %s", a_reg(g));
    edge(g, "load %s = &s", a_reg(g));
  }
}

/* Takes a lock of one kind or another; gives it back. */
static void byte_lock(generator *g, bool take) {
  if (take)
    g->held = 1 + (int)chance(&g->c, 3);
  switch (g->held) {
  case 1:
    edge(g, "call @pthread_mutex_%slock(@m)", take ? "" : "un");
    break;
  case 2: /* made of a variable, which is set and tested at once */
    if (take) {
      edge(g, "rmw.xchg.seq_cst %%got = @k, 1:i8");
      edge(g, "call @heddle_assume(zext.i32(eq.i1(%%got, 0:i8)))");
    } else {
      edge(g, "store @k = 0:i8");
    }
    break;
  default:
    edge(g, "call @__VERIFIER_atomic_%s()", take ? "begin" : "end");
  }
  if (!take)
    g->held = 0;
}

static void byte_worker(generator *g, int number) {
  char text[200];
  hd_str_printf(&g->out,
                "function @w%d \"w%d\" (%%arg) -> ptr {\n  reg %%arg ptr\n"
                "  reg %%a i8\n  reg %%b i8\n  reg %%got i8\n  reg %%ok i1\n"
                "  slot &s size 1 align 1\n",
                number, number);
  g->loc = 0;
  g->held = 0;
  edge(g, "set %%a, %%b = %u:i8, %u:i8", (unsigned)chance(&g->c, 3),
       (unsigned)chance(&g->c, 3));
  unsigned n = 2 + (unsigned)chance(&g->c, 5);
  for (unsigned i = 0; i < n; i++) {
    if (!g->held && !chance(&g->c, 2))
      byte_lock(g, true);
    byte_action(g);
    if (!chance(&g->c, 4)) {
      relation(g, text, sizeof text);
      edge(g, "call @heddle_assert(zext.i32(%s))", text);
    }
    if (g->held && !chance(&g->c, 3))
      byte_lock(g, false);
  }
  if (g->held)
    byte_lock(g, false);
  relation(g, text, sizeof text);
  edge(g, "call @heddle_assert(zext.i32(%s))", text);
  hd_str_printf(&g->out, "  location %u -\n    -> %u - return null\n}\n",
                g->loc, g->loc);
}

/* As random_program. */
static char *relation_program(uint64_t seed, int threads) {
  static const char *const starts[] = {"00", "00", "01", "ff",
                                       "fe", "7f", "80"};
  generator g = {.c = {.state = seed * 2654435761u + 88172645463325252u}};
  for (int i = 0; i < 8; i++)
    chance(&g.c, 2);
  int workers = 1 + (int)chance(&g.c, 2);
  const char *x = starts[chance(&g.c, 7)], *y = starts[chance(&g.c, 7)];
  hd_str_printf(&g.out,
                "heddle code 1\ntarget 64\n"
                "global @x \"x\" size 1 align 1 bytes %s\n"
                "global @y \"y\" size 1 align 1 bytes %s\n"
                "global @k \"k\" size 1 align 1\n"
                "global @m size 40 align 8\n",
                x, y);
  for (int i = 0; i < workers; i++)
    byte_worker(&g, i);
  main_function(&g, workers, threads);
  hd_str_puts(
      &g.out,
      "function @heddle_assert \"heddle_assert\" (i32) -> void external\n"
      "function @heddle_assume \"heddle_assume\" (i32) -> void external\n"
      "function @pthread_create \"c\" (ptr, ptr, ptr, ptr) -> i32 external\n"
      "function @pthread_exit \"e\" (ptr) -> void external\n"
      "function @pthread_mutex_lock \"l\" (ptr) -> i32 external\n"
      "function @pthread_mutex_unlock \"u\" (ptr) -> i32 external\n"
      "function @__VERIFIER_atomic_begin \"b\" () -> void external\n"
      "function @__VERIFIER_atomic_end \"e\" () -> void external\n");
  return hd_str_take(&g.out);
}

#endif

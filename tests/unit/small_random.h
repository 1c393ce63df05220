/* SPDX-License-Identifier: MIT */
/* Random C-like programs in the text form: a few shared variables with a few
 * values, locks of all kinds, and main, which creates threads for ever or a
 * given number of times. */
#ifndef HD_TEST_SMALL_RANDOM_H
#define HD_TEST_SMALL_RANDOM_H

#include "base/str.h"

typedef struct {
  uint64_t state;
} hd_chance;

static uint64_t chance(hd_chance *c, uint64_t n) {
  c->state ^= c->state << 13;
  c->state ^= c->state >> 7;
  c->state ^= c->state << 17;
  return (c->state * 0x2545F4914F6CDD1Du >> 33) % n;
}

typedef struct {
  hd_chance c;
  hd_str out;
  unsigned loc;  /* next location */
  unsigned kind; /* features, as a set */
  int held;      /* 0 nothing, 1 mutex, 2 read, 3 write, 4 spin, 5 atomic */
} generator;

enum {
  HD_WITH_COND = 1,
  HD_WITH_RWLOCK = 2,
  HD_WITH_SEM = 4,
  HD_WITH_ATOMIC = 8,
  HD_WITH_CALL = 16,
  HD_WITH_INPUT = 32,
  HD_WITH_TLS = 64,
  HD_WITH_ONCE = 128,
};

static const char *a_global(generator *g) {
  static const char *const names[] = {"@x", "@y", "@z"};
  return names[chance(&g->c, 3)];
}

static const char *a_reg(generator *g) {
  return chance(&g->c, 2) ? "%a" : "%b";
}

/* One edge from the next location to the one behind it. */
__attribute__((format(printf, 2, 3))) static void
edge(generator *g, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_str_printf(&g->out, "  location %u -\n    -> %u - %s\n", g->loc,
                g->loc + 1, text);
  g->loc++;
}

static void branch(generator *g, unsigned back) {
  const char *r = a_reg(g);
  unsigned c = (unsigned)chance(&g->c, 3);
  /* Around the next action, or back. */
  unsigned to = chance(&g->c, 5) && !back ? g->loc + 2 : back;
  if (!to)
    to = g->loc + 2;
  hd_str_printf(&g->out,
                "  location %u -\n    -> %u - when eq.i1(%s, %u:i32)\n"
                "    -> %u - when ne.i1(%s, %u:i32)\n",
                g->loc, g->loc + 1, r, c, to, r, c);
  g->loc++;
}

static void fails_if(generator *g) {
  unsigned c = 1 + (unsigned)chance(&g->c, 2), d = (unsigned)chance(&g->c, 3);
  if (chance(&g->c, 2)) {
    edge(g,
         "call @heddle_assert(zext.i32(or.i1(ne.i1(%%a, %u:i32), "
         "ne.i1(%%b, %u:i32))))",
         c, d);
    return;
  }
  hd_str_printf(&g->out,
                "  location %u -\n"
                "    -> %u - when and.i1(eq.i1(%%a, %u:i32), eq.i1(%%b, "
                "%u:i32))\n"
                "    -> %u - when or.i1(ne.i1(%%a, %u:i32), ne.i1(%%b, "
                "%u:i32))\n",
                g->loc, g->loc + 1, c, d, g->loc + 2, c, d);
  g->loc++;
  edge(g, "call @reach_error()");
}

static void plain_action(generator *g) {
  const char *r = a_reg(g), *v = a_global(g);
  switch (chance(&g->c, 9)) {
  case 0:
  case 1:
  case 2:
    edge(g, "load %s = %s", r, v);
    break;
  case 3:
    edge(g, "store %s = %u:i32", v, (unsigned)chance(&g->c, 2));
    break;
  case 4:
    edge(g, "store %s = urem.i32(add.i32.nsw(%s, 1:i32), 3:i32)", v, r);
    break;
  case 5:
    edge(g, "rmw.xchg.seq_cst %s = %s, %u:i32", r, v,
         (unsigned)chance(&g->c, 3));
    break;
  case 6:
    edge(g, "cmpxchg%s.seq_cst %s, %%ok = %s, %u:i32, %u:i32",
         chance(&g->c, 3) ? "" : ".weak", r, v, (unsigned)chance(&g->c, 3),
         (unsigned)chance(&g->c, 3));
    break;
  case 7:
    edge(g, "set %s = %u:i32", r, (unsigned)chance(&g->c, 3));
    break;
  default:
    edge(g, "store &s = %s", r);
    edge(g, "load %s = &s", a_reg(g));
  }
}

static bool special(generator *g, unsigned which) {
  const char *r = a_reg(g);
  switch (which) {
  case HD_WITH_COND: {
    static const char *const calls[] = {"pthread_cond_wait(@c, @m)",
                                        "pthread_cond_signal(@c)",
                                        "pthread_cond_broadcast(@c)"};
    if (g->held == 1)
      edge(g, "call @%s", calls[chance(&g->c, 3)]);
    return g->held == 1;
  }
  case HD_WITH_SEM:
    if (!g->held)
      edge(g, "call @%s(@sem)", chance(&g->c, 2) ? "sem_wait" : "sem_post");
    return !g->held;
  case HD_WITH_CALL:
    edge(g, "call %s = @helper(%s)", r, a_reg(g));
    return true;
  case HD_WITH_INPUT:
    if (chance(&g->c, 2)) {
      edge(g, "call %s = @heddle_nondet_int(0:i32, %u:i32)", r,
           (unsigned)chance(&g->c, 3));
    } else {
      edge(g, "call %s = @__VERIFIER_nondet_int()", r);
      edge(g, "set %s = select.i32(slt.i1(%s, 7:i32), 1:i32, 0:i32)", r, r);
    }
    return true;
  case HD_WITH_TLS:
    edge(g, "store @own = %s", r);
    edge(g, "load %s = @own", a_reg(g));
    return true;
  case HD_WITH_ONCE:
    if (!g->held)
      edge(g, "call @pthread_once(@o, @init)");
    return !g->held;
  default:
    return false;
  }
}

/* One of those that the program is to have, where it is possible. */
static void special_action(generator *g) {
  for (int i = 0; i < 12; i++) {
    unsigned which = 1u << chance(&g->c, 8);
    if (g->kind & which && special(g, which))
      return;
  }
  if (!chance(&g->c, 4))
    edge(g, "call %s = @pthread_mutex_trylock(@m2)", a_reg(g));
}

static void begin_block(generator *g) {
  unsigned k = g->kind;
  switch (chance(&g->c, 5)) {
  case 0:
    if (k & HD_WITH_RWLOCK) {
      g->held = chance(&g->c, 3) ? 2 : 3;
      edge(g, "call @pthread_rwlock_%slock(@l)", g->held == 2 ? "rd" : "wr");
    }
    break;
  case 1:
    if (k & HD_WITH_ATOMIC) {
      g->held = 5;
      edge(g, "call @__VERIFIER_atomic_begin()");
    }
    break;
  case 2:
    g->held = 4;
    edge(g, "call @pthread_spin_lock(@p)");
    break;
  default:
    g->held = 1;
    edge(g, "call @pthread_mutex_lock(@m)");
  }
}

static void end_block(generator *g) {
  static const char *const calls[] = {"",
                                      "pthread_mutex_unlock(@m)",
                                      "pthread_rwlock_unlock(@l)",
                                      "pthread_rwlock_unlock(@l)",
                                      "pthread_spin_unlock(@p)",
                                      "__VERIFIER_atomic_end()"};
  edge(g, "call @%s", calls[g->held]);
  g->held = 0;
}

static void worker(generator *g, int number) {
  hd_str_printf(&g->out,
                "function @w%d \"w%d\" (%%arg) -> ptr {\n  reg %%arg ptr\n"
                "  reg %%a i32\n  reg %%b i32\n  reg %%ok i1\n"
                "  slot &s size 4 align 4\n",
                number, number);
  g->loc = 0;
  g->held = 0;
  edge(g, "set %%a, %%b = %u:i32, %u:i32", (unsigned)chance(&g->c, 3),
       (unsigned)chance(&g->c, 3));
  unsigned back = 0, n = 3 + (unsigned)chance(&g->c, 6);
  for (unsigned i = 0; i < n; i++) {
    if (!g->held && !chance(&g->c, 3))
      begin_block(g);
    if (!chance(&g->c, 4) && g->held != 5)
      branch(g, g->held || chance(&g->c, 4) ? 0 : back);
    if (!chance(&g->c, 3))
      special_action(g);
    plain_action(g);
    if (g->held && chance(&g->c, 2))
      end_block(g);
    if (!g->held && !chance(&g->c, 4)) {
      if (!chance(&g->c, 4))
        fails_if(g);
      /* Loops have something visible in them. */
      back = g->loc;
      edge(g, "load %s = %s", a_reg(g), a_global(g));
    }
  }
  if (g->held)
    end_block(g);
  fails_if(g);
  /* Where jumps around the last action lead to. */
  edge(g, "skip");
  edge(g, "skip");
  hd_str_printf(&g->out, "  location %u -\n    -> %u - return null\n}\n",
                g->loc, g->loc);
}

static void main_function(generator *g, int workers, int threads) {
  hd_str_puts(&g->out, "function @main \"main\" () -> i32 {\n"
                       "  slot &t size 8 align 8\n");
  g->loc = 0;
  if (g->kind & HD_WITH_SEM)
    edge(g, "call @sem_init(@sem, 0:i32, 1:i32)");
  unsigned first = g->loc;
  /* In turn, so that a prefix of the infinite main is the finite one. */
  int n = threads < 0 ? workers : threads;
  for (int i = 0; i < n; i++)
    edge(g, "call @pthread_create(&t, null, @w%d, null)", i % workers);
  if (threads < 0) {
    hd_str_printf(&g->out, "  location %u -\n    -> %u - skip\n}\n", g->loc,
                  first);
    return;
  }
  edge(g, "call @pthread_exit(null)");
  hd_str_printf(&g->out, "  location %u -\n    -> %u - return 0:i32\n}\n",
                g->loc, g->loc);
}

/* The program of a seed; `threads` created, or without end when negative. */
static char *random_program(uint64_t seed, unsigned kind, int threads) {
  generator g = {.c = {.state = seed * 2654435761u + 88172645463325252u},
                 .kind = kind};
  for (int i = 0; i < 8; i++)
    chance(&g.c, 2);
  int workers = 1 + (int)chance(&g.c, 2);
  hd_str_puts(
      &g.out,
      "heddle code 1\ntarget 64\n"
      "global @x \"x\" size 4 align 4\nglobal @y \"y\" size 4 align 4\n"
      "global @z \"z\" size 4 align 4\nglobal @own \"own\" size 4 align 4 tls\n"
      "global @m size 40 align 8\nglobal @m2 size 40 align 8\n"
      "global @c size 48 align 8\nglobal @l size 56 align 8\n"
      "global @p size 4 align 4\nglobal @sem size 32 align 8\n"
      "global @o size 4 align 4\n");
  for (int i = 0; i < workers; i++)
    worker(&g, i);
  hd_str_puts(&g.out,
              "function @helper \"helper\" (%v) -> i32 {\n  reg %v i32\n"
              "  reg %r i32\n  location 0 -\n    -> 1 - load %r = @x\n"
              "  location 1 -\n"
              "    -> 1 - return urem.i32(add.i32(%v, %r), 3:i32)\n}\n"
              "function @init \"init\" () -> void {\n  location 0 -\n"
              "    -> 1 - store @z = 1:i32\n  location 1 -\n    -> 1 - return\n"
              "}\n");
  main_function(&g, workers, threads);
  hd_str_puts(
      &g.out,
      "function @heddle_assert \"heddle_assert\" (i32) -> void external\n"
      "function @reach_error \"reach_error\" () -> void external\n"
      "function @heddle_nondet_int \"heddle_nondet_int\" (i32, i32) -> i32 "
      "external\n"
      "function @__VERIFIER_nondet_int \"n\" () -> i32 external\n"
      "function @pthread_create \"c\" (ptr, ptr, ptr, ptr) -> i32 external\n"
      "function @pthread_exit \"e\" (ptr) -> void external\n"
      "function @pthread_mutex_lock \"l\" (ptr) -> i32 external\n"
      "function @pthread_mutex_trylock \"l\" (ptr) -> i32 external\n"
      "function @pthread_mutex_unlock \"u\" (ptr) -> i32 external\n"
      "function @pthread_spin_lock \"l\" (ptr) -> i32 external\n"
      "function @pthread_spin_unlock \"u\" (ptr) -> i32 external\n"
      "function @pthread_rwlock_rdlock \"l\" (ptr) -> i32 external\n"
      "function @pthread_rwlock_wrlock \"l\" (ptr) -> i32 external\n"
      "function @pthread_rwlock_unlock \"u\" (ptr) -> i32 external\n"
      "function @pthread_cond_wait \"w\" (ptr, ptr) -> i32 external\n"
      "function @pthread_cond_signal \"s\" (ptr) -> i32 external\n"
      "function @pthread_cond_broadcast \"b\" (ptr) -> i32 external\n"
      "function @pthread_once \"o\" (ptr, ptr) -> i32 external\n"
      "function @sem_init \"i\" (ptr, i32, i32) -> i32 external\n"
      "function @sem_wait \"w\" (ptr) -> i32 external\n"
      "function @sem_post \"p\" (ptr) -> i32 external\n"
      "function @__VERIFIER_atomic_begin \"b\" () -> void external\n"
      "function @__VERIFIER_atomic_end \"e\" () -> void external\n");
  return hd_str_take(&g.out);
}

#endif

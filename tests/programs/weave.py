#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Few threads with data of any size: programs that weave has to prove, or must not,
and random ones of two to four threads, right and wrong (weave_random.py); what weave
calls safe must not fail in any interleaving.

    tests/programs/weave.py [--count=N] [--seed=N] [--own]

HEDDLE names the program. --own: the programs below only. Prints TAP."""

import os
import random
import subprocess
import sys
import tempfile

import weave_random

HEDDLE = os.environ.get("HEDDLE", "build/heddle")

HEAD = """#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);
#define A __VERIFIER_atomic_begin()
#define E __VERIFIER_atomic_end()
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, x, y, z, done, lim = 1000000;
static int plus(int a, int b) {
  __VERIFIER_assume(b >= 0 || a >= -2147483647 - 1 - b);
  __VERIFIER_assume(b <= 0 || a <= 2147483647 - b);
  return a + b;
}
"""


def program(threads, before, after, decl=""):
    text = HEAD + decl
    for i, body in enumerate(threads):
        text += "static void *t%d(void *p) { %s return 0; }\n" % (i, body)
    text += "int main(void) {\n  pthread_t " + ", ".join("h%d" % i for i in range(len(threads))) + ";\n"
    text += "  " + before + "\n"
    for i in range(len(threads)):
        text += "  pthread_create(&h%d, 0, t%d, 0);\n" % (i, i)
    for i in range(len(threads)):
        text += "  pthread_join(h%d, 0);\n" % i
    return text + "  " + after + "\n  return 0;\n}\n"


FOR = "for (int i = 0; i < n; i++) "
# (name, safe, text): what is not safe must not be called so.
OWN = []


def own(name, safe, *args, **more):
    OWN.append((name, safe, program(*args, **more)))


N = "n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 1000000);"
own("two-counts", True, [FOR + "x++;", FOR + "y++;"], N, "assert(x == y);")
own("two-counts-off", False, [FOR + "x++;", FOR + "y++;"], "n = 5;", "assert(x == y + 1);")
own("up-and-down", True, [FOR + "{ A; x++; E; }", FOR + "{ A; x--; E; }"], N, "assert(x == 0);")
own("up-and-down-plain", False, [FOR + "x++;", FOR + "x--;"], "n = 2;", "assert(x == 0);")
own("plus", True, [FOR + "x = plus(x, 2);", FOR + "y = plus(y, 2);"], "n = __VERIFIER_nondet_int();", "assert(x == y);")
own("plus-off", False, [FOR + "x = plus(x, 2);", FOR + "y = plus(y, 3);"], "n = 3;", "assert(x == y);")
own("sum-one-variable", True, [FOR + "{ LOCK; x++; UNLOCK; }", FOR + "{ LOCK; x++; UNLOCK; }"], N, "assert(x == 2 * n);")
own("sum-no-lock", False, [FOR + "{ x++; }", FOR + "{ LOCK; x++; UNLOCK; }"], "n = 2;", "assert(x == 2 * n);")
own("sum-three", True, [FOR + "{ A; x++; E; }"] * 3, N, "assert(x == 3 * n);")
own("two-under-lock", True, [FOR + "{ LOCK; x++; y++; UNLOCK; }", "for (int k = 0; k < n; k++) { LOCK; assert(x == y); UNLOCK; }"], N, "assert(x == y);")
own("two-not-under-lock", False, [FOR + "{ LOCK; x++; UNLOCK; LOCK; y++; UNLOCK; }", "LOCK; assert(x == y); UNLOCK;"], "n = 2;", ";")
own("produce", True, [FOR + "{ A; x++; E; }", FOR + "{ A; __VERIFIER_assume(x > y); y++; E; }"], N, "assert(x == y);")
own("produce-ahead", True, [FOR + "{ A; x++; E; }", "for (int i = 0; i < n; i++) { A; __VERIFIER_assume(x > y); y++; assert(y <= x); E; }"], N, ";")
own("produce-behind", False, [FOR + "{ A; x++; E; }", FOR + "{ A; y++; assert(y <= x); E; }"], "n = 2;", ";")
own("flag", True, ["x = 7; A; done = 1; E;", "int d; A; d = done; E; if (d) assert(x == 7);"], ";", ";")
own("flag-late", False, ["A; done = 1; E; x = 7;", "int d; A; d = done; E; if (d) assert(x == 7);"], ";", ";")
own("flag-loop", True, ["while (1) { LOCK; if (x < lim) x++; UNLOCK; }", "LOCK; assert(x <= lim); UNLOCK;"], ";", ";")
own("bounded", True, ["while (1) { LOCK; if (x < 1000) x++; UNLOCK; }", "while (1) { LOCK; if (x > 0) x--; assert(x >= 0 && x < 1000); UNLOCK; }"], ";", ";")
own("bounded-off", False, ["while (1) { LOCK; if (x <= 3) x++; UNLOCK; }", "while (1) { LOCK; assert(x <= 3); UNLOCK; }"], ";", ";")
own("monotone", True, ["while (1) { A; if (x < lim) x++; E; }", "int a, b; A; a = x; E; A; b = x; E; assert(a <= b);"], ";", ";")
own("monotone-off", False, ["while (1) { A; if (x < lim) x++; else x = 0; E; }", "int a, b; A; a = x; E; A; b = x; E; assert(a <= b);"], "lim = 1;", ";")
own("swap", True, ["LOCK; int v = x; x = y; y = v; UNLOCK;", "LOCK; int v = x; x = y; y = v; UNLOCK;"], "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); x = a; y = b;", "assert(x == a && y == b);")
own("max", True, [FOR + "{ int v = __VERIFIER_nondet_int(); A; if (v > x) x = v; E; }"] * 2, N + " x = 5;", "assert(x >= 5);")
own("max-off", False, ["int v = __VERIFIER_nondet_int(); A; x = v; E;"] * 2, "x = 5;", "assert(x >= 5);")
own("steps", True, [FOR + "x = plus(x, 3);", FOR + "{ y = plus(y, 1); y = plus(y, 2); }"], "n = __VERIFIER_nondet_int();", "assert(x == y);")
own("difference", True, [FOR + "{ A; x++; y++; E; }", FOR + "{ A; x--; y--; E; }"], N, "assert(x == y);")
own("ticket", True, ["LOCK; x++; z = z + x; y = y + x; UNLOCK;"] * 2, ";", "assert(z == y);")
own("race-inside", False, ["int v = x; x = v + 1;"] * 2, ";", "assert(x == 2);")
own("join-order", True, ["x = 1;", "y = 1;"], ";", "assert(x + y == 2);")
own("wrap", False, ["A; x++; E;", "A; x++; E;"], "x = 2147483646;", "assert(x > 0);")
own("assumed-away", True, ["A; __VERIFIER_assume(x == 0); x = 1; E;", "A; __VERIFIER_assume(x == 1); x = 2; E;"], ";", "assert(x == 2);")
own("stops", False, ["A; __VERIFIER_assume(y == 1); E; x = 1;", "A; y = 1; E; assert(x == 0);"], ";", ";")
own("assume-first", False, ["__VERIFIER_assume(n == 7);", "assert(n == 7);"], ";", ";")
own("abort-first", False, ["if (n != 7) abort();", "assert(n == 7);"], ";", ";")
own("main-ends", False, ["n = 3;", "assert(n == 3);"], ";", ";")
own("spinner", False, ["while (1) { }", "assert(x == 1);"], ";", ";")
# A multiple that is too large for the equations, beside one that is not.
own("large", False, ["set(u << 30, v);", ";"], ";", "assert(g == 5);",
    decl="static unsigned long u = 1ul << 40, v = 1, g, h;\n"
         "static void set(unsigned long a, unsigned long b) { g = a; h = b; }\n")
# In lock-step, though main reads both behind the joins; and not quite.
for name, safe, by in (("same-sum", True, "i"), ("other-sum", False, "i + (i == 4242)")):
    own(name, safe, ["for (unsigned i = 0; i < k; i++) u += i;", "for (unsigned i = 0; i < k; i++) v += %s;" % by],
        "k = __VERIFIER_nondet_uint();", "assert(u == v);", decl="static unsigned u, v, k;\n")
# Sums that may wrap round, beside comparisons of what is part of them.
BANK = ["for (int i = 0; i < n; i++) { LOCK; if (u > 0) { u--; v++; } UNLOCK; }",
        "for (int i = 0; i < n; i++) { LOCK; if (v > 0) { v--; u += %s; } UNLOCK; }"]
for name, safe, by in (("bank", True, "1"), ("bank-more", False, "1 + (v == 77)")):
    own(name, safe, [BANK[0], BANK[1] % by],
        "n = __VERIFIER_nondet_int(); u = __VERIFIER_nondet_uint(); v = __VERIFIER_nondet_uint();\n"
        "  unsigned all = u + v;", "assert(u + v == all);", decl="static unsigned u, v;\n")
# Memory that is allocated, and pointers in memory.
BOX = """#include <stdlib.h>
struct box { unsigned v; struct box *next; };
static struct box *a, *b;
static unsigned k;
extern _Bool __VERIFIER_nondet_bool(void);
static struct box *fresh(void) { struct box *p = calloc(1, sizeof *p); return p; }
"""
UP = "for (unsigned i = 0; i < k; i++) %s->v++;"
own("heap", True, [UP % "a", UP % "b"], "k = __VERIFIER_nondet_uint(); a = fresh(); b = fresh();",
    "assert(a->v + b->v == 2 * k); free(a); free(b);", decl=BOX)
own("heap-same", False, [UP % "a", UP % "b"], "k = __VERIFIER_nondet_uint(); a = fresh(); b = a;",
    "assert(a->v + b->v == 2 * k);", decl=BOX)
own("heap-lost", False, [UP % "a", UP % "a"], "k = __VERIFIER_nondet_uint(); a = fresh(); b = fresh();",
    "assert(a->v + b->v == 2 * k);", decl=BOX)
own("heap-linked", True, [UP % "a", UP % "a->next"],
    "k = __VERIFIER_nondet_uint(); a = fresh(); a->next = fresh();", "assert(a->v == a->next->v);", decl=BOX)
own("heap-dirty", False, [";", ";"], "a = malloc(sizeof *a);", "assert(a->v == 0);", decl=BOX)
own("heap-either", False, ["a->v = 1;", ";"], "b = fresh(); a = __VERIFIER_nondet_bool() ? fresh() : b;",
    "assert(b->v == 0);", decl=BOX)
own("heap-swapped", False, [UP % "a", "struct box *q = a; a = b; b = q;"],
    "k = __VERIFIER_nondet_uint(); a = fresh(); b = fresh();", "assert(a->v == k);", decl=BOX)
own("heap-early", False, ["if (a) n = a->v;", "a = fresh(); a->v = 7;"], ";", "assert(n != 7);", decl=BOX)
own("heap-loop", False, [";", ";"], "k = __VERIFIER_nondet_uint(); a = fresh();\n"
    "  for (unsigned i = 0; i < k; i++) { struct box *p = fresh(); p->v = 1; if (i == 5) a = p; }",
    "assert(a->v == 0);", decl=BOX)
own("heap-again", False, [";", ";"], "for (int i = 0; i < 2; i++) { b = a; a = fresh(); a->v = (unsigned)i; }",
    "assert(b->v == a->v);", decl=BOX)
own("heap-local", False, ["struct box *r; for (int i = 0; i < 2; i++) { struct box *q[1]; if (i == n) q[0] = a; "
    "else q[0] = b; r = q[0]; } r->v = 1;", ";"], "a = fresh(); b = fresh(); n = __VERIFIER_nondet_int();",
    "assert(b->v == 0);", decl=BOX)
own("heap-freed", False, ["free(a);", ";"], "a = fresh();", "a = fresh(); a->v = 3; assert(a->v == 0);", decl=BOX)
own("heap-ids", True, [";", ";"], "pthread_t *t = malloc(2 * sizeof *t);\n"
    "  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, t0, 0);\n"
    "  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);\n  free(t);", "assert(n == 0);", decl=BOX)
own("ended-main", True, ["x = 1;", "x = 1;"], "x = 1;", "assert(x == 1);")


# Any number of rounds: these have to be proved, and their neighbours must not be.
SHAPE_HEAD = """#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned k;
"""
CREATE = """  pthread_t t[N];
  k = __VERIFIER_nondet_uint();
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, %s, %s);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
"""


def shape(name, safe, threads, text):
    OWN.append((name, safe, SHAPE_HEAD + "#define N %d\n" % threads + text))


COUNTER = """struct s { pthread_mutex_t m; unsigned c; };
static void *work(void *arg) {
  struct s *s = arg;
  for (unsigned i = 0; i < k; i++) {
    pthread_mutex_lock(&s->m);
    s->c++;
    pthread_mutex_unlock(&s->m);
  }
  return 0;
}
int main(void) {
  struct s s;
  pthread_mutex_init(&s.m, 0);
  s.c = 0;
""" + CREATE % ("work", "&s")
SLOTS = """static unsigned slot[N];
static void *work(void *arg) {
  unsigned *own = arg;
  for (unsigned i = 0; i < k; i++)
    (*own)++;
  return 0;
}
int main(void) {
""" + CREATE % ("work", "&slot[i]") + """  unsigned sum = 0;
  for (int i = 0; i < N; i++)
    sum += slot[i];
"""
READERS = """static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static unsigned x, y;
static void *write(void *arg) {
  for (unsigned i = 0; i < k; i++) {
    pthread_rwlock_wrlock(&l);
    x += 3;
    y += 3;
    pthread_rwlock_unlock(&l);
  }
  return arg;
}
static void *read(void *arg) {
  for (unsigned i = 0; i < k; i++) {
    pthread_rwlock_rdlock(&l);
    assert(%s);
    pthread_rwlock_unlock(&l);
  }
  return arg;
}
int main(void) {
""" + CREATE % ("i & 1 ? read : write", "0") + "  return 0;\n}\n"
BUFFER = """static unsigned buffer[4], in, out, count, sent, got;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, some = PTHREAD_COND_INITIALIZER;
static void *produce(void *arg) {
  for (unsigned i = 0; i < k; i++) {
    unsigned v = __VERIFIER_nondet_uint();
    pthread_mutex_lock(&m);
    while (count == 4)
      pthread_cond_wait(&room, &m);
    buffer[in] = v;
    in = (in + 1) % SIZE;
    count++;
    sent += v;
    pthread_cond_signal(&some);
    pthread_mutex_unlock(&m);
  }
  return arg;
}
static void *consume(void *arg) {
  for (unsigned i = 0; i < k; i++) {
    pthread_mutex_lock(&m);
    while (count == 0)
      pthread_cond_wait(&some, &m);
    got += buffer[out];
    out = (out + 1) % 4;
    count--;
    pthread_cond_signal(&room);
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
""" + (CREATE % ("i ? produce : consume", "0")) + "  assert(sent == got);\n  return 0;\n}\n"
for n in (2, 4):
    shape("counter-%d" % n, True, n, COUNTER + "  assert(s.c == N * k);\n  return 0;\n}\n")
    shape("slots-%d" % n, True, n, SLOTS + "  assert(sum == N * k);\n  return 0;\n}\n")
shape("counter-off", False, 2, COUNTER + "  assert(s.c >= k);\n  return 0;\n}\n")  # 2 * k wraps
shape("slots-off", False, 2, SLOTS + "  assert(sum == N * k || k == 7);\n  assert(sum != 8);\n  return 0;\n}\n")
shape("readers", True, 3, READERS.replace("%s", "x == y"))
shape("readers-off", False, 3, READERS.replace("%s", "x % 3 == 0"))  # which it is not behind 2^32
shape("buffer", True, 2, "#define SIZE 4\n" + BUFFER)
shape("buffer-off", False, 2, "#define SIZE 3\n" + BUFFER)
# Found wrong, or nearly, once.
shape("never-created", False, 1, """static void *work(void *arg) { return arg; }
int main(void) {
  pthread_t t;
  if (__VERIFIER_nondet_uint())
    pthread_create(&t, 0, work, 0);
  assert(k == 1);
  pthread_join(t, 0);
  return 0;
}
""")
shape("joined-by-array", False, 2, """static void *work(void *arg) { k = 1; return arg; }
static void *other(void *arg) { return arg; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, work, 0);
  pthread_create(&t[1], 0, other, 0);
  for (int i = 1; i < 2; i++)
    pthread_join(t[i], 0);
  assert(k == 1);
  return 0;
}
""")
MUST = {"counter-2", "counter-4", "slots-2", "slots-4", "readers", "buffer", "two-counts", "plus", "sum-three", "flag-loop", "bounded", "swap",
        "same-sum", "bank", "heap", "heap-linked", "heap-ids"}


def ask(text, folder, engine, seconds):
    path = os.path.join(folder, "w.c")
    with open(path, "w", encoding="ascii") as f:
        f.write(text)
    run = subprocess.run([HEDDLE, "verify", path, "--property=assert", "-q", "--no-check", "--engine=" + engine,
                          f"--timeout={seconds}"], capture_output=True, text=True, check=False)
    said = [line for line in run.stdout.splitlines() if line.startswith("verdict:")]
    return said[-1].split()[1] if said else "error: " + (run.stdout + run.stderr)[-300:]


def main():
    count, seed, only_own = 20, 1, False
    for arg in sys.argv[1:]:
        if arg.startswith("--count="):
            count = int(arg[8:])
        elif arg.startswith("--seed="):
            seed = int(arg[7:])
        elif arg == "--own":
            only_own = True
    wrong = decided = number = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, safe, text in OWN:
            number += 1
            said = ask(text, folder, "weave", 20 if name in MUST else 2)
            good = said == "safe" if name in MUST else said == "unknown" or (said == "safe" and safe)
            decided += said == "safe"
            wrong += not good
            print(f"{'ok' if good else 'not ok'} {number} - {name}: {said}")
        right = sum(1 for o in OWN if o[1])
        print(f"# {decided} of {right} right programs proved")
        made = proved = fails = 0
        while not only_own and made < count:
            rng = random.Random(seed)
            seed += 1
            got = weave_random.random_program(rng, rng.random() < 0.75)
            if not got:
                continue
            text, bad = got
            made += 1
            number += 1
            said = ask(text, folder, "weave", 2)
            good = said == "unknown" or (said == "safe" and not bad)
            proved += said == "safe"
            fails += bad
            if made <= 4 or not good:  # does the interpreter know what C is?
                truth = ask(text, folder, "explore", 20)
                good = good and truth in ("unknown", "unsafe" if bad else "safe")
                said += ", " + truth
            wrong += not good
            print(f"{'ok' if good else 'not ok'} {number} - random {seed - 1}: {said}, {'wrong' if bad else 'right'}")
            if not good:
                print("# " + text.replace("\n", "\n# "))
        print(f"# {made} random programs, {fails} of them wrong; {proved} proved")
        print(f"1..{number}")
    return 1 if wrong else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Few threads with data of any size: random programs of two and three threads, right
and wrong; what weave calls safe must not fail in any interleaving.

    tests/programs/weave.py [--count=N] [--seed=N] [--own]

HEDDLE names the program. --own: the programs below only, with what is expected, and
how many weave decides. Prints TAP."""

import os
import random
import subprocess
import sys
import tempfile

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
own("spinner", False, ["while (1) { }", "assert(x == 1);"], ";", ";")
own("ended-main", True, ["x = 1;", "x = 1;"], "x = 1;", "assert(x == 1);")


def statement(rng, deep):
    v, w = rng.choice("xyz"), rng.choice("xyz")
    k = rng.randrange(3)
    kinds = [f"{v} = {w} + {k};", f"{v}++;", f"{v} = {k};", f"{v} -= {k};", f"if ({v} > {k}) {w}++;",
             f"if ({v} == {w}) {v} = {k}; else {w}--;", f"l = {v}; {w} = l;", f"{v} = {v} + {w};", f"l = {v};", f"{v} = l + {k};"]
    if deep:
        return rng.choice(kinds)
    inner = " ".join(statement(rng, True) for _ in range(rng.randrange(1, 3)))
    kinds += [f"LOCK; {inner} UNLOCK;"] * 4 + [f"A; {inner} E;"] * 4
    kinds += [f"for (int i = 0; i < {rng.choice(['n', '2'])}; i++) {{ {inner} }}",
              f"for (int i = 0; i < {rng.choice(['n', '2'])}; i++) {{ LOCK; {inner} UNLOCK; }}",
              f"for (int i = 0; i < n; i++) {{ A; {inner} E; }}",
              f"A; __VERIFIER_assume({v} >= {w}); {inner} E;", f"__VERIFIER_assume({v} <= {k});",
              f"if ({v} > 3) abort();", f"while (1) {{ A; if ({v} > {k}) {{ E; break; }} {inner} E; }}" if rng.random() < 0.3 else ";"]
    if rng.random() < 0.2:
        kinds += [f"assert({v} <= {w} + {k});"] * 3
    return rng.choice(kinds)


CHECKS = ["x == y", "x <= y + {k}", "x + y == z", "x >= {k}", "x == {k}", "x == y + z", "x <= 2 * n + {k}", "x >= 0", "x != y + {k}", "y <= x"]


def random_program(rng):
    split = rng.random() < 0.5  # threads that do not meet
    threads = []
    for i in range(rng.choice([2, 2, 3])):
        body = "int l = 0; " + " ".join(statement(rng, False) for _ in range(rng.randrange(1, 4)))
        if split:
            body = body.replace("y", "x").replace("z", "x").replace("x", "xyz"[i]).replace("VERIFIERxassume", "VERIFIER_assume")
            for bad, good in (("ma" + "xyz"[i], "max"),):
                body = body.replace(bad, good)
        threads.append(body)
    before = "n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 2);"
    if rng.random() < 0.4:
        before += " x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x <= 1);"
    check = rng.choice(CHECKS).format(k=rng.randrange(4))
    after = rng.choice(["assert(%s);" % check, "if (x > 0) assert(%s);" % check, "__VERIFIER_assume(y <= 1); assert(%s);" % check])
    return program(threads, before, after)


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
            said = ask(text, folder, "weave", 10)
            good = said == "unknown" or (said == "safe" and safe)
            decided += said == "safe"
            wrong += not good
            print(f"{'ok' if good else 'not ok'} {number} - {name}: {said}")
        right = sum(1 for o in OWN if o[1])
        print(f"# {decided} of {right} right programs proved")
        proved = compared = 0
        for i in range(0 if only_own else count):
            text = random_program(random.Random(seed + i))
            number += 1
            said = ask(text, folder, "weave", 2)
            good = said in ("safe", "unknown")
            if said == "safe":
                proved += 1
                truth = ask(text, folder, "explore", 20)
                compared += truth == "safe"
                good = truth != "unsafe"
            wrong += not good
            print(f"{'ok' if good else 'not ok'} {number} - random {seed + i}: {said}")
            if not good:
                print("# " + text.replace("\n", "\n# "))
        print(f"# {proved} random programs proved, {compared} confirmed by all interleavings")
        print(f"1..{number}")
    return 1 if wrong else 0


sys.exit(main())

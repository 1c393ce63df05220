#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Races that pairs excludes: random programs whose threads have elements of their
own, of arrays everywhere, locks of all kinds, and mistakes; what pairs calls safe
must be so in all interleavings.

    tests/programs/apart.py [--count=N] [--seed=N] [--verbose]

HEDDLE names the program. Prints TAP."""

import os
import random
import subprocess
import sys
import tempfile

HEDDLE = os.environ.get("HEDDLE", "build/heddle")

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static unsigned c, d;
"""


class Maker:
    """`any_number`: for proofs; else for two threads, so that all is explored."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def program(self, n):
        self.r = random.Random(self.seed)
        return self.text(n)

    seed = 0

    def text(self, n):
        r = self.r
        chance = lambda p: r.random() < p  # noqa: E731
        where = r.choice(["global", "local", "heap", "pointer", "none"])
        where = "global" if n == 0 and where == "local" else where
        by_index = where in ("global", "pointer") and chance(0.4)
        lock = r.choice(["mutex", "rw", "none", "mixed", "none"])
        use_c = chance(0.6)
        if where == "none":
            use_c = True
        rounds = r.choice([1, 1, 2])
        size = "N"
        text = HEAD
        count = "n" if n == 0 else str(n)
        if where == "global":
            text += "static unsigned slot[1000];\n" if n == 0 else f"static unsigned slot[{n + 1}];\n"
        if where == "pointer":
            text += "static unsigned *slot;\n"
        body = []
        if where != "none":
            mine = "slot[(unsigned long)p]" if by_index else "*(unsigned *)p"
            if chance(0.15) and where in ("global", "pointer"):
                mine = r.choice(["slot[0]", mine])
            body.append(r.choice([f"{mine}++;", f"{mine} = {mine} + 1;", f"{mine} = 7;"]))
        if use_c:
            take = {"mutex": "pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m);",
                    "rw": "pthread_rwlock_wrlock(&rw); c++; pthread_rwlock_unlock(&rw);",
                    "none": "pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m);" if chance(0.6) else "c++;",
                    "mixed": "pthread_rwlock_rdlock(&rw); d = c; pthread_rwlock_unlock(&rw);" if chance(0.5)
                             else "pthread_rwlock_wrlock(&rw); c++; pthread_mutex_lock(&m); d++; "
                                  "pthread_mutex_unlock(&m); pthread_rwlock_unlock(&rw);"}[lock]
            if chance(0.15):
                take = take.replace("pthread_rwlock_wrlock", "pthread_rwlock_rdlock")
            body.insert(r.randrange(len(body) + 1), take)
        loop = " ".join(body)
        if rounds > 1:
            loop = f"for (int k = 0; k < {rounds}; k++) {{ {loop} }}"
        text += f"static void *w(void *p) {{ {loop} return 0; }}\n"
        two = chance(0.3)
        if two:
            other = r.choice(["pthread_rwlock_rdlock(&rw); unsigned v = c; (void)v; pthread_rwlock_unlock(&rw);",
                              "pthread_mutex_lock(&m); c += 2; pthread_mutex_unlock(&m);",
                              "pthread_mutex_lock(&m); unsigned v = c; (void)v; pthread_mutex_unlock(&m);"])
            text += f"static void *v(void *p) {{ {other} return 0; }}\n"
        text += "int main(void) {\n"
        if n == 0:
            text += "  unsigned n = __VERIFIER_nondet_uint();\n  if (n < 1 || n > 1000) return 0;\n"
            count = "n"
        ids = r.choice(["heap", "local"])
        ids = "heap" if n == 0 else ids
        text += f"  pthread_t *t = malloc({count} * sizeof *t);\n" if ids == "heap" else f"  pthread_t t[{count}];\n"
        if where == "local":
            text += f"  unsigned slot[{n + 1}];\n"
        if where == "heap":
            text += f"  unsigned *slot = calloc({count}, sizeof *slot);\n"
        if where == "pointer":
            text += f"  slot = calloc({count}, sizeof *slot);\n"
        clear = where == "local" and chance(0.8)
        if clear:
            text += f"  for (unsigned i = 0; i < {count}; i++) slot[i] = 0;\n"
        index = "i"
        if chance(0.15):
            index = r.choice(["i / 2", "0", "i & 1"])
        given = "0" if where == "none" else \
            (f"(void *)(unsigned long)({index})" if by_index else f"&slot[{index}]")
        start = "i % 2 ? w : v" if two and chance(0.6) else "w"
        text += f"  for (unsigned i = 0; i < {count}; i++) {{\n"
        text += f"    pthread_create(&t[i], 0, {start}, {given});\n"
        if chance(0.1) and where != "none":
            text += "    slot[i] = 3;\n"
        elif chance(0.1) and where != "none":
            text += f"    if (i + 1 < {count}) slot[i + 1] = 3;\n"
        text += "  }\n"
        early = chance(0.12)
        if early:
            text += "  free(slot);\n" if where in ("heap", "pointer") else "  c = 0;\n"
        last = r.random()
        join = f"for (unsigned i = 0; i < {count}; i++) pthread_join(t[i], 0);"
        if last < 0.1:
            join = join.replace("i = 0", "i = 1")
        elif last < 0.15:
            join = ""
        text += f"  {join}\n"
        after = []
        if where != "none" and not (early and where in ("heap", "pointer")):
            after.append(f"unsigned sum = 0; for (unsigned i = 0; i < {count}; i++) sum += slot[i]; assert(sum < 5000 || sum);")
        if use_c:
            after.append("assert(c <= 1000000);" if chance(0.5) else "c = 0;")
        r.shuffle(after)
        text += "".join(f"  {a}\n" for a in after)
        if where in ("heap", "pointer") and not early and chance(0.6):
            text += "  free(slot);\n"
        return text + "  return 0;\n}\n"


def verdicts(path, engine, timeout):
    done = subprocess.run(
        [HEDDLE, "verify", path, f"--engine={engine}", "--property=race,assert",
         f"--timeout={timeout}", "--no-check"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = {}
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] in ("race:", "assert:"):
            said[words[0][:-1]] = words[1]
    return said or {"race": "error: " + done.stderr.strip()}


def main():
    count, seed, verbose = 12, 1, False
    for argument in sys.argv[1:]:
        if argument.startswith("--count="):
            count = int(argument[8:])
        elif argument.startswith("--seed="):
            seed = int(argument[7:])
        elif argument == "--verbose":
            verbose = True
        else:
            sys.exit(__doc__)
    print(f"1..{count + 1}", flush=True)
    failed, proved, violated = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "apart.c")
        for i in range(count):
            maker = Maker(seed + i)
            maker.seed = seed + i
            said = {}
            # The same program for two threads, for three, and for any number.
            for n in (2, 3, 0):
                text = maker.program(n)
                with open(path, "w") as file:
                    file.write(text)
                pairs = verdicts(path, "pairs", 20)
                truth = verdicts(path, "explore", 20) if n else said
                said = {p: "unsafe" if "unsafe" in (said.get(p), truth.get(p)) else truth.get(p)
                        for p in ("race", "assert")}
                bad = [p for p in ("race", "assert")
                       if pairs.get(p, "error") not in ("safe", "unknown", "unsafe") or
                       (pairs[p] == "safe" and truth.get(p) == "unsafe")]
                proved += pairs.get("race") == "safe"
                violated += truth.get("race") == "unsafe"
                if verbose:
                    print(f"# {seed + i} n={n}: pairs {pairs}, explore {truth}", flush=True)
                if bad:
                    break
            failed += bool(bad)
            print(f"{'not ok' if bad else 'ok'} - random program {seed + i}", flush=True)
            if bad:
                print(f"# n={n} pairs: {pairs} explore: {truth}")
                for line in text.splitlines():
                    print("#   " + line)
    good = count < 12 or (proved > count // 3 and violated > count // 6)
    failed += not good
    print(f"{'ok' if good else 'not ok'} - {proved} of {3 * count} proved, {violated} with races")
    sys.exit(failed > 0)


main()

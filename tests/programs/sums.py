#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums over threads: random programs that count under locks and join, right and
wrong; what pairs calls safe must not fail in any interleaving.

    tests/programs/sums.py [--count=N] [--seed=N]

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
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned x, y;
"""


# For any number of threads, as an input; and with one mistake each.
ANY = HEAD + """extern unsigned __VERIFIER_nondet_uint(void);
static void *add(void *p) {
  for (int k = 0; k < 3; k++) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 1 || n > 1000000)
    return 0;
  pthread_t *t = malloc(n * sizeof *t);
  for (unsigned i = 0; i < n; i++)
    pthread_create(&t[i], 0, add, 0);
  for (unsigned i = 0; i < n; i++)
    pthread_join(t[i], 0);
  assert(x == 3 * n);
  return 0;
}
"""
MISTAKES = [
    ("pthread_mutex_lock(&m);\n", ""),
    ("  for (unsigned i = 0; i < n; i++)\n    pthread_join(t[i], 0);\n", ""),
    ("i = 0; i < n; i++)\n    pthread_join", "i = 1; i < n; i++)\n    pthread_join"),
    ("pthread_join(t[i], 0)", "pthread_join(t[0], 0)"),
    ("x == 3 * n", "x == 2 * n"),
]


# As often as an input says; and with one mistake each.
ROUNDS = HEAD + """extern unsigned __VERIFIER_nondet_uint(void);
static unsigned k;
static void *add(void *p) {
  for (unsigned i = 0; i < k; i++) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  k = __VERIFIER_nondet_uint();
  pthread_t t[3];
  for (unsigned i = 0; i < 3; i++)
    pthread_create(&t[i], 0, add, 0);
  for (unsigned i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(x == 3 * k);
  return 0;
}
"""
ROUNDS_MISTAKES = [  # so rare that no run shows them
    ("i < k;", "i < k + (k == 1000003);"),
    ("  return p;\n", "  if (k == 1000003)\n    k = 1;\n  return p;\n"),
    ("  for (unsigned i = 0; i < 3; i++)\n    pthread_join",
     "  if (k == 1000003)\n    k = 7;\n"
     "  for (unsigned i = 0; i < 3; i++)\n    pthread_join"),
    ("i < 3; i++)\n    pthread_join",
     "i < 3 - (k == 1000003); i++)\n    pthread_join"),
    ("    x++;\n", "    x++;\n    if (i == 1000003)\n      x++;\n"),
]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.wrong = None

    def may_break(self, what, chance):
        if self.wrong is None and self.r.random() < chance:
            self.wrong = what
        return self.wrong == what

    def worker(self, name, k, a, b):
        """Adds k*a to x and k*b to y."""
        parts = []
        for var, by in (("x", a), ("y", b)):
            if by == 0:
                continue
            part = [f"{var} += {by}u;", f"{var} = {var} + {by}u;"][self.r.randrange(2)]
            if self.r.random() < 0.4:
                part = f"unsigned {var}s = {var}; {var} = {var}s + {by}u;"
            parts.append(part)
        if self.may_break("lock", 0.15) and parts:
            i = self.r.randrange(len(parts))
            inside = " ".join(p for j, p in enumerate(parts) if j != i)
            body = f"pthread_mutex_lock(&m); {inside} pthread_mutex_unlock(&m); {{ {parts[i]} }}"
        else:
            body = f"pthread_mutex_lock(&m); {' '.join(parts)} pthread_mutex_unlock(&m);"
        if self.r.random() < 0.5:
            k_text = f"for (int k = 0; k < {k}; k++) {{ {body} }}"
        else:
            k_text = " ".join("{ " + body + " }" for _ in range(k))
        return f"static void *{name}(void *p) {{ {k_text} return p; }}\n"

    def phase(self, name, n, array):
        last = n - 1 if self.may_break("join", 0.12) else n
        if self.may_break("same", 0.08):
            return (f"  for (int i = 0; i < {n}; i++) pthread_create(&{array}[i], 0, {name}, 0);\n"
                    f"  for (int i = 0; i < {n}; i++) pthread_join({array}[0], 0);\n")
        if n <= 2 and self.r.random() < 0.4:
            text = f"  pthread_t {', '.join(f'{array}{i}' for i in range(n))};\n"
            text += "".join(f"  pthread_create(&{array}{i}, 0, {name}, 0);\n" for i in range(n))
            return text + "".join(f"  pthread_join({array}{i}, 0);\n" for i in range(last))
        index = self.r.choice(["int", "unsigned"])
        return (f"  for ({index} i = 0; i < {n}; i++) pthread_create(&{array}[i], 0, {name}, 0);\n"
                f"  for ({index} i = 0; i < {last}; i++) pthread_join({array}[i], 0);\n")

    def program(self):
        r = self.r
        n, k = r.randint(1, 2), r.randint(1, 2)
        a, b = r.randint(0, 2), r.randint(1, 2)
        other = r.random() < 0.3
        text = HEAD + self.worker("one", k, a, b)
        if other:
            text += self.worker("two", 1, 1, 0)
        text += "int main(void) {\n"
        storage = f"  pthread_t t[{n}];\n" if r.random() < 0.6 else \
            f"  pthread_t *t = malloc({n} * sizeof *t);\n"
        body = self.phase("one", n, "t")
        if other:
            body = f"  pthread_t u[1];\n" + body + self.phase("two", 1, "u")
        off = 1 if self.may_break("expect", 0.2) else 0
        text += storage + body
        text += f"  assert(x == {n * k * a + (1 if other else 0)});\n"
        text += f"  assert(y == {n * k * b + off});\n  return 0;\n}}\n"
        return text


def verdict(path, engine):
    done = subprocess.run(
        [HEDDLE, "verify", path, f"--engine={engine}", "--property=assert", "-q",
         "--timeout=60", "--no-check"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    words = [line for line in done.stdout.splitlines() if line.startswith("verdict:")]
    return words[-1].split()[1] if words else "error: " + done.stderr.strip()


def main():
    count, seed = 12, 1
    for argument in sys.argv[1:]:
        if argument.startswith("--count="):
            count = int(argument[8:])
        elif argument.startswith("--seed="):
            seed = int(argument[7:])
        else:
            sys.exit(__doc__)
    failed, proved, wrong = 0, 0, 0
    rounds = ROUNDS_MISTAKES if count >= 6 else ROUNDS_MISTAKES[:1]  # 10 s each
    print(f"1..{count + 3 + len(MISTAKES) + len(rounds)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sums.c")
        programs = [(ANY, "safe")] + \
            [(ANY.replace(old, new, 1), "unknown") for old, new in MISTAKES] + \
            [(ROUNDS, "safe")] + \
            [(ROUNDS.replace(old, new, 1), "unknown") for old, new in rounds]
        for i, (text, expected) in enumerate(programs):
            with open(path, "w") as file:
                file.write(text)
            said = verdict(path, "pairs")
            good = said == expected and (expected == "safe" or text not in (ANY, ROUNDS))
            failed += not good
            print(f"{'ok' if good else 'not ok'} - any number, {i}: {said}",
                  flush=True)
        for i in range(count):
            text = Maker(seed + i).program()
            with open(path, "w") as file:
                file.write(text)
            pairs, explore = verdict(path, "pairs"), verdict(path, "explore")
            good = pairs in ("safe", "unknown") and explore in ("safe", "unsafe", "unknown") \
                and (pairs, explore) != ("safe", "unsafe")
            proved += pairs == "safe"
            wrong += explore == "unsafe"
            print(f"{'ok' if good else 'not ok'} - seed {seed + i}: pairs {pairs}, "
                  f"explore {explore}", flush=True)
            if not good:
                failed += 1
                print("".join(f"# {line}\n" for line in text.splitlines()), end="")
    enough = seed != 1 or count < 6 or (proved >= 2 and wrong >= 1)
    print(f"{'ok' if enough else 'not ok'} - {proved} proved, {wrong} fail")
    return 1 if failed or not enough else 0


if __name__ == "__main__":
    sys.exit(main())

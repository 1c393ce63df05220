#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the interpreter with native execution; speaks TAP.

    tests/programs/differential.py [--jobs=N] [--count=N] [--seed=N] [KIND...]

KINDs, all without one:
  csmith     programs of csmith (Debian's package; skipped without it)
  generated  programs of generate.py
  threads    small programs with threads, every other one by generate.py

csmith, generated: `heddle run` prints the same and returns the same as the
program compiled by gcc; and it sees no undefined behaviour. threads: what the
native program does in many runs is among what `heddle verify --outcomes` says
it can do, where the list is complete. A program that fails is kept in the
folder $HEDDLE_KEEP, if that is set. $HEDDLE is the program, build/heddle if
unset. --count=N programs of each kind (20); they depend on --seed (1) only."""

import concurrent.futures
import glob
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.path.abspath(os.environ.get("HEDDLE") or
                         os.path.join(ROOT, "build", "heddle"))
GENERATE = os.path.join(HERE, "generate.py")
CHECKS = "assert,overflow,arith,memory,uninit,unreachable,sync"
NATIVE = 2.0  # seconds a native program may take: longer ones are not used
SECONDS = 20  # for heddle run
STRESS = 150  # native runs of a program with threads
CSMITH = ["--max-funcs", "4", "--max-block-depth", "3", "--max-block-size", "3",
          "--max-expr-complexity", "5", "--max-array-dim", "2",
          "--max-array-len-per-dim", "5", "--no-packed-struct", "--no-argc"]


class Problem(Exception):
    """Why a test failed."""


class Skip(Exception):
    """Why there is nothing to compare."""


def run(command, limit):
    """(status, output); status None = it takes too long."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return None, "", ""
    status = done.returncode
    return (status if status >= 0 else 128 - status), done.stdout, done.stderr


def compile_native(source, exe, flags):
    status, _, err = run([os.environ.get("CC", "gcc"), "-w", "-O0", "-pthread",
                          *flags, source, "-o", exe, "-lm"], 60)
    if status != 0:
        raise Problem(f"{source} does not compile natively\n{err[:2000]}")


def compare_run(source, folder, flags):
    """The interpreter prints and returns what the native program does."""
    exe = source[:-2] + ".exe"
    compile_native(source, exe, flags)
    status, out, _ = run([exe], NATIVE)
    os.remove(exe)
    if status is None:
        raise Skip("the native program takes too long")
    command = [HEDDLE, "run", source, *flags, f"--property={CHECKS}",
               f"--timeout={SECONDS}"]
    ended, found, err = run(command, 4 * SECONDS + 20)
    if ended is None:
        raise Problem(f"{' '.join(command)}\ndoes not end")
    if ended == 5 and "time limit" in err:
        raise Skip("heddle run takes too long")
    if ended != 0:
        raise Problem(f"{' '.join(command)}\nexits with {ended}\n{err[:3000]}")
    if found != out:
        raise Problem(f"{' '.join(command)}\nprints\n{found[:1000]}\nthe native "
                      f"program\n{out[:1000]}")
    if f"exited with {status}\n" not in err:
        raise Problem(f"{' '.join(command)}\n{err[-200:]}the native program "
                      f"exits with {status}")


# ------------------------------------------------------------------ csmith


def csmith_flags():
    if not shutil.which("csmith"):
        return None
    places = ["/usr/include/csmith", *sorted(glob.glob("/usr/include/csmith-*"))]
    return [f"-I{p}" for p in places if os.path.exists(p + "/csmith.h")][:1]


def test_csmith(seed, folder):
    source = os.path.join(folder, f"csmith{seed}.c")
    status, _, err = run(["csmith", "--seed", str(seed), *CSMITH, "-o", source],
                         30)
    if status != 0:
        raise Problem(f"csmith --seed {seed} exits with {status}\n{err}")
    compare_run(source, folder, csmith_flags())
    return source


# --------------------------------------------------------------- generate.py


def test_generated(seed, folder):
    source = os.path.join(folder, f"generated{seed}.c")
    status, out, err = run([sys.executable, GENERATE, str(seed)], 30)
    if status != 0:
        raise Problem(f"generate.py {seed} exits with {status}\n{err}")
    with open(source, "w", encoding="utf-8") as file:
        file.write(out)
    compare_run(source, folder, [])
    return source


# ------------------------------------------------------------------- threads


class Maker:
    """A program with two or three threads over a few shared variables. All of
    them are atomic or under the lock, for what a machine may do to others is
    not what is compared."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.atomics = [f"a{i}" for i in range(self.random.randint(1, 3))]
        self.locked = [f"v{i}" for i in range(self.random.randint(1, 2))]
        self.budget = 0

    def value(self):
        return self.random.choice([*self.atomics, "r", str(self.random.randint(0, 3))])

    def atomic(self):
        x = self.random.choice(self.atomics)
        return self.random.choice([
            f"r = {x};", f"{x} = {self.value()};", f"{x}++;",
            f"{x} = {x} + {self.random.randint(1, 2)};",
            f"r = atomic_fetch_add(&{x}, {self.random.randint(1, 3)});",
            f"r = atomic_exchange(&{x}, {self.value()});",
            f"{{ int e = {self.random.randint(0, 1)}; "
            f"r = atomic_compare_exchange_strong(&{x}, &e, {self.value()}); }}"])

    def section(self):
        v = self.random.choice(self.locked)
        w = self.random.choice(self.locked)
        inner = self.random.choice([f"{v} = {w} + 1;", f"{v} = 2 * {v} + r;",
                                    f"r = {v}; {w} = r - 1;", f"{v}++; {w}--;"])
        enter = self.random.choice(
            ["pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);",
             "if (pthread_mutex_trylock(&m) != 0) { r = -1; "
             "pthread_mutex_lock(&m); }"])
        return f"{enter} {inner} pthread_mutex_unlock(&m);"

    def statement(self):
        kind = self.random.randint(0, 9)
        if kind < 5:
            return self.atomic()
        if kind < 7:
            return self.section()
        if kind == 7:
            return f"if ({self.value()} > {self.random.randint(0, 2)}) " \
                f"{{ {self.atomic()} }} else {{ {self.atomic()} }}"
        if kind == 8:
            return f"for (int i = 0; i < 2; i++) {{ {self.atomic()} }}"
        return f'printf("{self.random.choice("xyz")}");'

    def program(self):
        threads = self.random.randint(2, 3)
        most = 3 if threads == 2 else 2
        lines = ["#include <pthread.h>", "#include <stdatomic.h>",
                 "#include <stdio.h>", "#ifdef STRESS", "void stress(void);",
                 "#else", "#define stress()", "#endif",
                 "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"]
        lines += [f"atomic_int {a};" for a in self.atomics]
        lines += [f"int {v};" for v in self.locked]
        for t in range(threads):
            lines += [f"void *t{t}(void *arg) {{", "  int r = 0;"]
            for _ in range(self.random.randint(1, most)):
                lines += ["  stress();", f"  {self.statement()}"]
            lines += ["  return (void *)(long)r;", "}"]
        lines += ["int main(void) {", f"  pthread_t t[{threads}];",
                  f"  void *r[{threads}];"]
        lines += [f"  pthread_create(&t[{i}], 0, t{i}, 0);"
                  for i in range(threads)]
        lines += [f"  pthread_join(t[{i}], &r[{i}]);" for i in range(threads)]
        shown = [f"(int){a}" for a in self.atomics] + self.locked + \
            [f"(int)(long)r[{i}]" for i in range(threads)]
        lines += [f'  printf("{" ".join(["%d"] * len(shown))}\\n", '
                  f'{", ".join(shown)});', "  return 0;", "}"]
        return "\n".join(lines) + "\n"


STRESS_SOURCE = """#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <time.h>
/* Waits a random moment, so that threads meet everywhere. */
void stress(void) {
  static _Thread_local unsigned long state;
  struct timespec now;
  if (!state) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    state = (unsigned long)now.tv_nsec ^ (unsigned long)&state;
  }
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  unsigned long n = state >> 33;
  if (n % 4 == 0)
    sched_yield();
  else
    for (volatile unsigned long i = n % 2000; i > 0; i--)
      ;
}
"""


def test_threads(seed, folder):
    source = os.path.join(folder, f"threads{seed}.c")
    exe = source[:-2] + ".exe"
    helper = os.path.join(folder, f"stress{seed}.c")
    text = Maker(seed).program()
    if seed % 2 and os.path.exists(GENERATE):
        status, text, err = run([sys.executable, GENERATE, "--threads",
                                 str(seed)], 30)
        if status != 0:
            raise Problem(f"generate.py --threads {seed} exits with {status}\n"
                          f"{err}")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    with open(helper, "w", encoding="utf-8") as file:
        file.write(STRESS_SOURCE)
    command = [HEDDLE, "verify", source, "--outcomes", "--property=assert",
               f"--timeout={SECONDS}"]
    status, out, err = run(command, 4 * SECONDS + 20)
    if status == 5:
        raise Skip("too many outcomes")
    if status != 0 or not out.splitlines()[-1].endswith("complete"):
        raise Problem(f"{' '.join(command)}\nexits with {status}\n{out}{err}")
    possible = set(out.splitlines()[:-1])
    compile_native(source, exe, ["-DSTRESS", helper])
    seen = set()
    for _ in range(STRESS):
        status, printed, _ = run([exe], 20)
        text = printed.replace("\\", "\\\\").replace("\n", "\\n")
        outcome = f"exit {status}: {text}"
        seen.add(outcome)
        if outcome not in possible:
            raise Problem(f"{' '.join(command)}\nlists {len(possible)} outcomes "
                          f"without the native one\n{outcome}")
    os.remove(exe)
    return f"{len(seen)} of {len(possible)}"


# ----------------------------------------------------------------------- TAP

KINDS = {"csmith": test_csmith, "generated": test_generated,
         "threads": test_threads}


def why_not(kind):
    beside = os.path.join(os.path.dirname(HEDDLE), "heddle-cc")
    if not os.path.exists(os.environ.get("HEDDLE_CC") or beside) or \
            not shutil.which("clang-19"):
        return "there is no heddle-cc or no clang-19"
    if kind == "csmith" and not csmith_flags():
        return "csmith is not installed"
    if kind == "generated" and not os.path.exists(GENERATE):
        return "there is no generate.py"
    return None


def keep(folder, kind, seed):
    place = os.environ.get("HEDDLE_KEEP")
    if place:
        os.makedirs(place, exist_ok=True)
        for file in glob.glob(os.path.join(folder, f"{kind}{seed}.c")):
            shutil.copy(file, place)


def main():
    jobs, count, seed, kinds = min(2, os.cpu_count() or 1), 20, 1, []
    for argument in sys.argv[1:]:
        if argument.startswith("--jobs="):
            jobs = max(1, int(argument[7:]))
        elif argument.startswith("--count="):
            count = int(argument[8:])
        elif argument.startswith("--seed="):
            seed = int(argument[7:])
        elif argument in KINDS:
            kinds.append(argument)
        else:
            sys.exit(__doc__)
    work = [(kind, seed * 1000 + i) for kind in (kinds or KINDS)
            for i in range(1 if why_not(kind) else count)]
    sums = {kind: [0, 0, 0] for kind in KINDS}  # same, skipped, failed
    seen = possible = 0
    start = time.time()
    print(f"1..{len(work)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="heddle-diff.") as folder, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        def one(item):
            kind, number = item
            try:
                if why_not(kind):
                    raise Skip(why_not(kind))
                return KINDS[kind](number, folder)
            except (Problem, Skip) as problem:
                if isinstance(problem, Problem):
                    keep(folder, kind, number)
                return problem
        for i, ((kind, number), result) in enumerate(
                zip(work, pool.map(one, work)), 1):
            name = f"{kind} {number}"
            if isinstance(result, Problem):
                sums[kind][2] += 1
                print(f"not ok {i} - {name}")
                for line in str(result).splitlines():
                    print(f"#   {line}")
            elif isinstance(result, Skip):
                sums[kind][1] += 1
                installed = not why_not(kind)
                print(f"ok {i} - {name} # {'' if installed else 'SKIP '}{result}")
            else:
                sums[kind][0] += 1
                print(f"ok {i} - {name}")
                if kind == "threads":
                    a, b = result.split(" of ")
                    seen, possible = seen + int(a), possible + int(b)
            sys.stdout.flush()
    failed = 0
    for kind in kinds or KINDS:
        same, skipped, bad = sums[kind]
        failed += bad
        print(f"# {kind}: {same} the same, {skipped} not compared, {bad} failed")
    if possible:
        print(f"# threads: {seen} of {possible} possible outcomes seen natively")
    print(f"# {time.time() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

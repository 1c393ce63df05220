#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The same few computations, written in many ways, right and with a bug; speaks TAP.

    tests/openmp/spellings.py [--seconds=S] [--keep=FOLDER] [--native] [PATTERN...]

A right program must be proved free of races for any team; of a wrong one it must be
shown, whatever is looked for by default. --native: the right ones are run by libomp with 1 to 8 threads, too: all runs
end, with status 0."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HEDDLE = os.environ.get("HEDDLE") or os.path.join(HERE, "../../build/heddle")

HEAD = """#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""

# --- a tree of tasks: Fibonacci numbers ---

FIB_MAIN = """int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8;
  long r = 0;
#pragma omp parallel
#pragma omp single
  r = fib(n);
  return n == 8 && r != 21;
}
"""

FIB = {
    "int": """static long fib(int n) {
  long a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
""",
    "one_task": """static long fib(int n) {
  long a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a) firstprivate(n)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
""",
    "cut_if": """static long fib(int n) {
  long a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a) if (n > 4)
  a = fib(n - 1);
#pragma omp task shared(b) if (n > 4)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
""",
    "cut_final": """static long fib(int n) {
  long a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a) final(n <= 4) mergeable
  a = fib(n - 1);
#pragma omp task shared(b) final(n <= 4) mergeable
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
""",
    "cut_by_hand": """static long serial(int n) {
  return n < 2 ? n : serial(n - 1) + serial(n - 2);
}
static long fib(int n) {
  long a, b;
  if (n < 5)
    return serial(n);
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
""",
    "array": """static long fib(int n) {
  long part[2];
  if (n < 2)
    return n;
  for (int k = 0; k < 2; k++) {
#pragma omp task shared(part) firstprivate(k)
    part[k] = fib(n - 1 - k);
  }
#pragma omp taskwait
  return part[0] + part[1];
}
""",
    "pointer": """static void compute(int n, long *result) {
  long a, b;
  if (n < 2) {
    *result = n;
    return;
  }
#pragma omp task shared(a)
  compute(n - 1, &a);
#pragma omp task shared(b)
  compute(n - 2, &b);
#pragma omp taskwait
  *result = a + b;
}
static long fib(int n) {
  long r;
  compute(n, &r);
  return r;
}
""",
    "heap": """static long fib(int n) {
  if (n < 2)
    return n;
  long *part = malloc(2 * sizeof *part);
#pragma omp task firstprivate(part)
  part[0] = fib(n - 1);
#pragma omp task firstprivate(part)
  part[1] = fib(n - 2);
#pragma omp taskwait
  long sum = part[0] + part[1];
  free(part);
  return sum;
}
""",
    "struct": """struct node {
  int n;
  long value;
};
static void compute(struct node *at) {
  if (at->n < 2) {
    at->value = at->n;
    return;
  }
  struct node left = {at->n - 1, 0}, right = {at->n - 2, 0};
#pragma omp task shared(left)
  compute(&left);
#pragma omp task shared(right)
  compute(&right);
#pragma omp taskwait
  at->value = left.value + right.value;
}
static long fib(int n) {
  struct node root = {n, 0};
  compute(&root);
  return root.value;
}
""",
    "group": """static long fib(int n) {
  long a, b;
  if (n < 2)
    return n;
#pragma omp taskgroup
  {
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
  }
  return a + b;
}
""",
    "depend": """static long fib(int n) {
  long a, b, s;
  if (n < 2)
    return n;
#pragma omp task shared(a) depend(out : a)
  a = fib(n - 1);
#pragma omp task shared(b) depend(out : b)
  b = fib(n - 2);
#pragma omp task shared(a, b, s) depend(in : a, b)
  s = a + b;
#pragma omp taskwait
  return s;
}
""",
    "atomic": """static long total;
static void walk(int n) {
  if (n < 2) {
#pragma omp atomic
    total += n;
    return;
  }
#pragma omp task
  walk(n - 1);
#pragma omp task
  walk(n - 2);
}
static long fib(int n) {
#pragma omp taskgroup
  walk(n);
  return total;
}
""",
}

FIB_BUGS = [
    ("int", "no_wait", "#pragma omp taskwait\n", ""),
    ("one_task", "no_wait", "#pragma omp taskwait\n", ""),
    ("cut_if", "no_wait", "#pragma omp taskwait\n", ""),
    ("cut_final", "no_wait", "#pragma omp taskwait\n", ""),
    ("cut_by_hand", "no_wait", "#pragma omp taskwait\n", ""),
    ("array", "same", "part[k] = fib(n - 1 - k)", "part[0] = fib(n - 1 - k)"),
    ("array", "shared", "firstprivate(k)", "shared(k)"),
    ("pointer", "same", "compute(n - 2, &b)", "compute(n - 2, &a)"),
    ("pointer", "no_wait", "#pragma omp taskwait\n", ""),
    ("heap", "freed", "#pragma omp taskwait\n  long sum = part[0] + part[1];\n",
     "  long sum = part[0];\n"),
    ("struct", "no_wait", "#pragma omp taskwait\n", ""),
    ("group", "no_group", "#pragma omp taskgroup\n", ""),
    ("depend", "no_dependence", "depend(in : a, b)", "depend(in : a)"),
    ("atomic", "no_atomic", "#pragma omp atomic\n", ""),
    ("atomic", "no_group", "#pragma omp taskgroup\n", ""),
]

# --- a tree of tasks: queens ---

QUEENS_MAIN = """int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5;
  if (n < 1 || n > MOST)
    return 1;
  long r = queens(n);
  return n == 5 && r != 10;
}
"""

FITS = """enum { MOST = 12 };
static int fits(const char *board, int row, int column) {
  for (int i = 0; i < row; i++)
    if (board[i] == column || board[i] - column == row - i ||
        column - board[i] == row - i)
      return 0;
  return 1;
}
static long count;
"""

START = """static long queens(int n) {
  char board[MOST];
#pragma omp parallel
#pragma omp single
  place(n, 0, board);
  return count;
}
"""

QUEENS = {
    "copy": FITS + """static void place(int n, int row, const char *board) {
  if (row == n) {
#pragma omp atomic
    count++;
    return;
  }
  for (int column = 0; column < n; column++) {
    if (!fits(board, row, column))
      continue;
#pragma omp task firstprivate(column)
    {
      char next[MOST];
      memcpy(next, board, MOST);
      next[row] = (char)column;
      place(n, row + 1, next);
    }
  }
#pragma omp taskwait
}
""" + START,
    "copy_part": FITS + """static void place(int n, int row, const char *board) {
  if (row == n) {
#pragma omp atomic
    count += 1;
    return;
  }
  for (int column = 0; column < n; column++) {
#pragma omp task untied
    {
      char next[MOST];
      memcpy(next, board, (size_t)row * sizeof(char));
      next[row] = (char)column;
      if (fits(next, row, column))
        place(n, row + 1, next);
    }
  }
#pragma omp taskwait
}
""" + START,
    "vla": FITS + """static void place(int n, int row, const char *board) {
  if (row == n) {
#pragma omp atomic
    count++;
    return;
  }
  for (int column = 0; column < n; column++) {
#pragma omp task firstprivate(column)
    {
      char next[n];
      for (int i = 0; i < row; i++)
        next[i] = board[i];
      next[row] = (char)column;
      if (fits(next, row, column))
        place(n, row + 1, next);
    }
  }
#pragma omp taskwait
}
""" + START,
    "heap": FITS + """static void place(int n, int row, const char *board) {
  if (row == n) {
#pragma omp atomic
    count++;
    return;
  }
  for (int column = 0; column < n; column++) {
    if (!fits(board, row, column))
      continue;
    char *next = malloc((size_t)n);
    memcpy(next, board, (size_t)row);
    next[row] = (char)column;
#pragma omp task firstprivate(next)
    {
      place(n, row + 1, next);
      free(next);
    }
  }
#pragma omp taskwait
}
""" + START,
    "heap_in_task": FITS + """static void place(int n, int row, const char *board) {
  if (row == n) {
#pragma omp critical
    count++;
    return;
  }
  for (int column = 0; column < n; column++) {
    if (!fits(board, row, column))
      continue;
#pragma omp task
    {
      char *next = malloc((size_t)n);
      memcpy(next, board, (size_t)row);
      next[row] = (char)column;
      place(n, row + 1, next);
      free(next);
    }
  }
#pragma omp taskwait
}
""" + START,
    "struct": """enum { MOST = 12 };
typedef struct {
  int row;
  char at[MOST];
} board;
static long count;
static int fits(const board *b, int column) {
  for (int i = 0; i < b->row; i++)
    if (b->at[i] == column || b->at[i] - column == b->row - i ||
        column - b->at[i] == b->row - i)
      return 0;
  return 1;
}
static void place(int n, board b) {
  if (b.row == n) {
#pragma omp atomic
    count++;
    return;
  }
  for (int column = 0; column < n; column++) {
    if (!fits(&b, column))
      continue;
    board next = b;
    next.at[next.row++] = (char)column;
#pragma omp task firstprivate(next)
    place(n, next);
  }
#pragma omp taskwait
}
static long queens(int n) {
  board b = {0};
#pragma omp parallel
#pragma omp single
  place(n, b);
  return count;
}
""",
    "mask": """enum { MOST = 12 };
static long count;
static void place(unsigned all, unsigned columns, unsigned left, unsigned right) {
  if (columns == all) {
#pragma omp atomic
    count++;
    return;
  }
  unsigned free_places = all & ~(columns | left | right);
  while (free_places) {
    unsigned place_at = free_places & -free_places;
    free_places &= free_places - 1;
#pragma omp task firstprivate(place_at)
    place(all, columns | place_at, (left | place_at) << 1, (right | place_at) >> 1);
  }
#pragma omp taskwait
}
static long queens(int n) {
#pragma omp parallel
#pragma omp single
  place((1u << n) - 1, 0, 0, 0);
  return count;
}
""",
    "result": """enum { MOST = 12 };
static long place(unsigned all, unsigned columns, unsigned left, unsigned right) {
  if (columns == all)
    return 1;
  long sum = 0;
  for (unsigned bit = 1; bit <= all; bit <<= 1) {
    if ((columns | left | right) & bit)
      continue;
#pragma omp task shared(sum) firstprivate(bit)
    {
      long part = place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
#pragma omp atomic
      sum += part;
    }
  }
#pragma omp taskwait
  return sum;
}
static long queens(int n) {
  long r = 0;
#pragma omp parallel
#pragma omp single
  r = place((1u << n) - 1, 0, 0, 0);
  return r;
}
""",
    "slots": """enum { MOST = 12 };
static long place(int n, unsigned columns, unsigned left, unsigned right) {
  long parts[MOST] = {0}, sum = 0;
  if (columns == (1u << n) - 1)
    return 1;
  for (int k = 0; k < n; k++) {
    unsigned bit = 1u << k;
    if ((columns | left | right) & bit)
      continue;
#pragma omp task shared(parts) firstprivate(k, bit)
    parts[k] = place(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
#pragma omp taskwait
  for (int k = 0; k < n; k++)
    sum += parts[k];
  return sum;
}
static long queens(int n) {
  long r = 0;
#pragma omp parallel
#pragma omp single
  r = place(n, 0, 0, 0);
  return r;
}
""",
    "reduction": """enum { MOST = 12 };
static long count;
static void place(unsigned all, unsigned columns, unsigned left, unsigned right,
                  long *found) {
  if (columns == all) {
    ++*found;
    return;
  }
  for (unsigned bit = 1; bit <= all; bit <<= 1)
    if (!((columns | left | right) & bit))
      place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1, found);
}
static long queens(int n) {
  unsigned all = (1u << n) - 1;
#pragma omp parallel for reduction(+ : count) schedule(dynamic)
  for (int k = 0; k < n; k++) {
    long found = 0;
    unsigned bit = 1u << k;
    place(all, bit, bit << 1, bit >> 1, &found);
    count += found;
  }
  return count;
}
""",
    "depth": FITS + """static void place(int n, int row, const char *board, int depth) {
  if (row == n) {
#pragma omp atomic
    count++;
    return;
  }
  for (int column = 0; column < n; column++) {
    if (!fits(board, row, column))
      continue;
#pragma omp task firstprivate(column) if (depth < 3) final(depth >= 6) mergeable
    {
      char next[MOST];
      memcpy(next, board, sizeof next);
      next[row] = (char)column;
      place(n, row + 1, next, depth + 1);
    }
  }
#pragma omp taskwait
}
static long queens(int n) {
  char board[MOST];
#pragma omp parallel
#pragma omp single nowait
  place(n, 0, board, 0);
  return count;
}
""",
    "threads": FITS + """static long counts[256][16];
static void place(int n, int row, const char *board) {
  if (row == n) {
    counts[omp_get_thread_num()][0]++;
    return;
  }
  for (int column = 0; column < n; column++) {
    if (!fits(board, row, column))
      continue;
    char next[MOST];
    memcpy(next, board, MOST);
    next[row] = (char)column;
    place(n, row + 1, next);
  }
}
static long queens(int n) {
  omp_set_num_threads(4);
#pragma omp parallel for schedule(dynamic, 1)
  for (int column = 0; column < n; column++) {
    char board[MOST];
    board[0] = (char)column;
    place(n, 1, board);
  }
  for (int i = 0; i < 256; i++)
    count += counts[i][0];
  return count;
}
""",
}

NO_WAIT = ("#pragma omp taskwait\n", "")
QUEENS_BUGS = [
    ("copy", "no_atomic", "#pragma omp atomic\n", ""),
    ("copy", "no_wait", *NO_WAIT),
    ("copy_part", "no_wait", *NO_WAIT),
    ("copy_part", "no_atomic", "#pragma omp atomic\n", ""),
    ("vla", "no_wait", *NO_WAIT),
    ("heap", "freed", "#pragma omp task firstprivate(next)\n    {\n      place(n, row + 1, "
     "next);\n      free(next);\n    }\n", "#pragma omp task firstprivate(next)\n    place(n, "
     "row + 1, next);\n    free(next);\n"),
    ("heap", "one_board", "  for (int column = 0; column < n; column++) {\n    if (!fits",
     "  char *next = malloc((size_t)n);\n  for (int column = 0; column < n; column++) {\n"
     "    if (!fits"),
    ("heap_in_task", "no_critical", "#pragma omp critical\n", ""),
    ("heap_in_task", "no_wait", *NO_WAIT),
    ("struct", "no_atomic", "#pragma omp atomic\n", ""),
    ("struct", "shared", "firstprivate(next)", "shared(next)"),
    ("mask", "no_atomic", "#pragma omp atomic\n", ""),
    ("mask", "shared", "firstprivate(place_at)", "shared(place_at)"),
    ("result", "no_atomic", "#pragma omp atomic\n", ""),
    ("result", "no_wait", *NO_WAIT),
    ("slots", "same", "parts[k] = place", "parts[0] = place"),
    ("slots", "no_wait", *NO_WAIT),
    ("reduction", "no_reduction", "reduction(+ : count)", ""),
    ("depth", "no_atomic", "#pragma omp atomic\n", ""),
    ("depth", "no_wait", *NO_WAIT),
    ("threads", "one_count", "counts[omp_get_thread_num()][0]++", "counts[0][0]++"),
]
# The bug of this one is gone when all is inside.
MOVED = {("heap", "one_board"): ("    char *next = malloc((size_t)n);\n    memcpy",
                                 "    memcpy")}


def trees():
    for kind, spellings, bugs, end in (("fib", FIB, FIB_BUGS, FIB_MAIN),
                                       ("queens", QUEENS, QUEENS_BUGS, QUEENS_MAIN)):
        for name, text in spellings.items():
            yield f"{kind}_{name}", HEAD + text + end, True
        for name, bug, old, new in bugs:
            text = spellings[name]
            if (name, bug) in MOVED:
                text = text.replace(*MOVED[name, bug], 1)
            assert old in text, (name, bug)
            yield f"{kind}_{name}_{bug}", HEAD + text.replace(old, new) + end, False


def programs():
    yield from trees()


def runs_natively(path, folder):
    program = os.path.join(folder, "program")
    done = subprocess.run(["clang-19", "-w", "-O1", "-fopenmp", path, "-lm", "-o", program],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    if done.returncode:
        return "does not compile: " + done.stdout[:300]
    for n in range(1, 9):
        try:
            done = subprocess.run([program], env=dict(os.environ, OMP_NUM_THREADS=str(n)),
                                  stdout=subprocess.DEVNULL, timeout=60)
        except subprocess.TimeoutExpired:
            return f"{n} threads: does not end"
        if done.returncode:
            return f"{n} threads: {done.returncode}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--keep")
    parser.add_argument("--native", action="store_true")
    parser.add_argument("patterns", nargs="*")
    args = parser.parse_args()
    beside = os.path.join(os.path.dirname(os.path.abspath(HEDDLE)), "heddle-cc")
    if not shutil.which("clang-19") or not os.path.exists(beside):
        print("1..1\nok 1 - spellings # SKIP there is no heddle-cc or no clang-19")
        return 0
    todo = [p for p in programs()
            if not args.patterns or any(x in p[0] for x in args.patterns)]
    print(f"1..{len(todo)}")
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or temporary
        for i, (name, text, right) in enumerate(todo, 1):
            path = os.path.join(folder, name + ".c")
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            begin = time.monotonic()
            done = subprocess.run(
                [HEDDLE, "verify", path, *(["--property=race"] if right else []),
                 f"--timeout={args.seconds}", "-q"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            took = time.monotonic() - begin
            good = done.returncode == (0 if right else 10)
            why = done.stdout.strip().splitlines()[-1:] if not good else []
            if right and args.native and good:
                wrong = runs_natively(path, temporary)
                good = wrong is None
                why = [wrong] if wrong else []
            failed += not good
            print(f"{'ok' if good else 'not ok'} {i} - {name} ({took:.1f} s)"
                  + "".join(f"\n#   {line}" for line in why), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

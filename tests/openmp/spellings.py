#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The same few computations, written in many ways, right and with a bug; speaks TAP.

    tests/openmp/spellings.py [--seconds=S] [--some=N] [--keep=FOLDER] [--native]
                              [PATTERN...]

A right program must be proved free of races for any team; of a wrong one it must be
shown, whatever is looked for by default. --native: the right ones are run by libomp with 1 to 8 threads, too: all runs
end, with status 0. --some=N: each N-th."""

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


# --- loops: (name, text, [(bug, what is replaced, by what), …]) ---

LOOPS = [
    ("matrix_static", """enum { N = 24 };
static double a[N][N], b[N][N], c[N][N];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  return c[0][0] != 0;
}
""", [("in_place", "c[i][j] = sum", "b[i][j] = sum")]),
    ("matrix_vla", """static void multiply(int n, double a[n][n], double b[n][n], double c[n][n]) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  if (n < 1 || n > 100)
    return 1;
  double(*a)[n] = calloc((size_t)n, sizeof *a), (*b)[n] = calloc((size_t)n, sizeof *b);
  double(*c)[n] = calloc((size_t)n, sizeof *c);
  multiply(n, a, b, c);
  return c[0][0] != 0;
}
""", [("column", "c[i][j] += a[i][k]", "c[i][0] += a[i][k]")]),
    ("matrix_flat", """static void multiply(long n, const float *a, const float *b, float *c) {
#pragma omp parallel for schedule(dynamic, 4)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
int main(void) {
  long n = 20;
  float *a = calloc((size_t)(n * n), sizeof *a), *b = calloc((size_t)(n * n), sizeof *b);
  float *c = calloc((size_t)(n * n), sizeof *c);
  multiply(n, a, b, c);
  return c[3] != 0;
}
""", [("next_row", "c[i * n + j] = sum", "c[i * n + j + n / 2] = sum"),
      ("same", "multiply(n, a, b, c)", "multiply(n, a, c, c)")]),
    ("matrix_struct", """struct matrix {
  long rows, columns;
  double at[30][30];
};
static struct matrix a, b, c;
static void multiply(const struct matrix *x, const struct matrix *y, struct matrix *z) {
#pragma omp parallel
  {
#pragma omp for
    for (long i = 0; i < x->rows; i++)
      for (long j = 0; j < y->columns; j++) {
        double sum = 0;
        for (long k = 0; k < x->columns; k++)
          sum += x->at[i][k] * y->at[k][j];
        z->at[i][j] = sum;
      }
  }
}
int main(void) {
  a.rows = a.columns = b.rows = b.columns = c.rows = c.columns = 20;
  multiply(&a, &b, &c);
  return c.at[0][0] != 0;
}
""", [("in_place", "multiply(&a, &b, &c)", "multiply(&a, &b, &b)")]),
    ("matrix_macro", """enum { N = 16 };
static int a[N * N], b[N * N], c[N * N];
#define A(i, j) a[(i) * N + (j)]
#define B(i, j) b[(i) * N + (j)]
#define C(i, j) c[(i) * N + (j)]
int main(void) {
  int i, j, k;
#pragma omp parallel for private(j, k)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      for (k = 0; k < N; k++)
        C(i, j) += A(i, k) * B(k, j);
  return C(1, 1) != 0;
}
""", [("shared_index", "private(j, k)", "private(j)"), ("turned", "C(i, j) +=", "C(k, j) +=")]),
    ("stencil_two", """enum { N = 66, ROUNDS = 4 };
static double a[N], b[N];
int main(void) {
  for (int t = 0; t < ROUNDS; t++) {
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
      b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
      a[i] = b[i];
  }
  return a[1] != 0;
}
""", [("in_place", "b[i] = (a", "a[i] = (a")]),
    ("stencil_swap", """int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 50;
  if (n < 3 || n > 10000)
    return 1;
  double *from = calloc((size_t)n, sizeof *from), *to = calloc((size_t)n, sizeof *to);
  for (int t = 0; t < 4; t++) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
      to[i] = (from[i - 1] + from[i + 1]) / 2;
    double *swap = from;
    from = to;
    to = swap;
  }
  int wrong = from[1] != 0;
  free(from);
  free(to);
  return wrong;
}
""", [("no_swap", "    from = to;\n", ""), ("in_place", "to[i] = (from", "from[i] = (from")]),
    ("stencil_region", """enum { N = 40 };
static float grid[2][N][N];
int main(void) {
#pragma omp parallel
  for (int t = 0; t < 3; t++) {
#pragma omp for
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        grid[1][i][j] = grid[0][i - 1][j] + grid[0][i + 1][j] + grid[0][i][j - 1];
#pragma omp for
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        grid[0][i][j] = grid[1][i][j];
  }
  return grid[0][1][1] != 0;
}
""", [("nowait", "#pragma omp for\n    for (int i = 1; i < N - 1; i++)\n      for (int j = 1; "
       "j < N - 1; j++)\n        grid[0]", "#pragma omp for nowait\n    for (int i = 1; i < N "
       "- 1; i++)\n      for (int j = 1; j < N - 1; j++)\n        grid[0]")]),
    ("stencil_rows", """enum { N = 30 };
static double *make_rows(double **rows) {
  double *all = calloc(N * N, sizeof *all);
  for (int i = 0; i < N; i++)
    rows[i] = all + i * N;
  return all;
}
int main(void) {
  double *a[N], *b[N];
  double *p = make_rows(a), *q = make_rows(b);
#pragma omp parallel for
  for (int i = 1; i < N - 1; i++)
    for (int j = 0; j < N; j++)
      q[i * N + j] = p[(i - 1) * N + j] + p[(i + 1) * N + j];
  return b[1][1] != 0;
}
""", [("in_place", "q[i * N + j] = p", "p[i * N + j] = p")]),
    ("stencil_struct", """struct field {
  size_t n;
  double now[100], next[100];
};
static void step(struct field *f) {
  size_t n = f->n;
#pragma omp parallel for
  for (size_t i = 1; i < n - 1; i++)
    f->next[i] = 0.5 * (f->now[i - 1] + f->now[i + 1]);
  memcpy(f->now, f->next, sizeof f->now);
}
int main(void) {
  static struct field f = {.n = 80};
  for (int t = 0; t < 3; t++)
    step(&f);
  return f.now[1] != 0;
}
""", [("in_place", "f->next[i] = 0.5", "f->now[i] = 0.5")]),
    ("sum_for", """static int a[100];
int main(void) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += a[i];
  return sum != 0;
}
""", [("no_reduction", " reduction(+ : sum)", "")]),
    ("sum_local", """static double a[100];
int main(void) {
  double sum = 0;
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for nowait
    for (int i = 0; i < 100; i++)
      mine += a[i];
#pragma omp critical
    sum += mine;
  }
  return sum != 0;
}
""", [("no_critical", "#pragma omp critical\n", "")]),
    ("sum_atomic", """static size_t total(const int *p, size_t n) {
  size_t sum = 0;
#pragma omp parallel for schedule(guided)
  for (size_t i = 0; i < n; i++) {
#pragma omp atomic
    sum += (size_t)p[i];
  }
  return sum;
}
int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 60;
  if (n > 1000)
    return 1;
  int *p = calloc(n + 1, sizeof *p);
  return total(p, n) != 0;
}
""", [("no_atomic", "#pragma omp atomic\n", "")]),
    ("sum_parts", """enum { PARTS = 4 };
static int a[100];
int main(void) {
  long parts[PARTS] = {0}, sum = 0;
  omp_set_num_threads(PARTS);
#pragma omp parallel for
  for (int k = 0; k < PARTS; k++)
    for (int i = 25 * k; i < 25 * (k + 1); i++)
      parts[k] += a[i];
  for (int k = 0; k < PARTS; k++)
    sum += parts[k];
  return sum != 0;
}
""", [("one_part", "parts[k] += a[i]", "parts[k / 2] += a[i]")]),
    ("sum_most", """static long a[100];
int main(void) {
  long most = 0, where = 0;
  for (long i = 0; i < 100; i++)
    a[i] = i / 50;
#pragma omp parallel for reduction(max : most)
  for (long i = 0; i < 100; i++)
    if (a[i] > most)
      most = a[i];
#pragma omp parallel for
  for (long i = 0; i < 100; i++)
    if (a[i] == most) {
#pragma omp critical
      where = where > i ? where : i;
    }
  return where != 99;
}
""", [("no_critical", "#pragma omp critical\n", ""),
      ("no_reduction", " reduction(max : most)", "")]),
    ("histogram_atomic", """static unsigned char text[200];
static int counts[256];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 200; i++) {
#pragma omp atomic
    counts[text[i]]++;
  }
  return counts[0] != 200;
}
""", [("no_atomic", "#pragma omp atomic\n", "")]),
    ("histogram_update", """enum { BINS = 16 };
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  if (n < 0 || n > 5000)
    return 1;
  int *data = calloc((size_t)n + 1, sizeof *data), *bins = calloc(BINS, sizeof *bins);
#pragma omp parallel for schedule(static, 8)
  for (int i = 0; i < n; i++) {
    int bin = data[i] % BINS;
#pragma omp atomic update
    bins[bin] = bins[bin] + 1;
  }
  return bins[0] != n;
}
""", [("no_atomic", "#pragma omp atomic update\n", "")]),
    ("histogram_private", """enum { BINS = 8 };
static int data[100], bins[BINS];
int main(void) {
#pragma omp parallel
  {
    int mine[BINS] = {0};
#pragma omp for nowait
    for (int i = 0; i < 100; i++)
      mine[data[i] & (BINS - 1)]++;
#pragma omp critical
    for (int k = 0; k < BINS; k++)
      bins[k] += mine[k];
  }
  return bins[0] != 100;
}
""", [("no_critical", "#pragma omp critical\n", ""),
      ("shared", "    int mine[BINS] = {0};\n", "    static int mine[BINS];\n")]),
    ("histogram_reduction", """enum { BINS = 8 };
static int data[100];
int main(void) {
  int bins[BINS] = {0};
#pragma omp parallel for reduction(+ : bins[:BINS])
  for (int i = 0; i < 100; i++)
    bins[data[i] & (BINS - 1)] += 1;
  return bins[0] != 100;
}
""", [("no_reduction", " reduction(+ : bins[:BINS])", "")]),
    ("histogram_struct", """struct histogram {
  size_t n;
  struct {
    long count, last;
  } bins[10];
};
static struct histogram h = {.n = 10};
static int data[60];
int main(void) {
#pragma omp parallel for
  for (size_t i = 0; i < 60; i++) {
    size_t k = (size_t)data[i] % h.n;
#pragma omp atomic
    h.bins[k].count++;
  }
  return h.bins[0].count != 60;
}
""", [("no_atomic", "#pragma omp atomic\n", ""),
      ("last", "h.bins[k].count++;", "h.bins[k].count++;\n    h.bins[k].last = (long)i;")]),
]


def programs():
    yield from trees()
    for name, text, bugs in LOOPS:
        yield name, HEAD + text, True
        for bug, old, new in bugs:
            assert old in text, (name, bug)
            yield f"{name}_{bug}", HEAD + text.replace(old, new, 1), False


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
    parser.add_argument("--some", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--native", action="store_true")
    parser.add_argument("patterns", nargs="*")
    args = parser.parse_args()
    beside = os.path.join(os.path.dirname(os.path.abspath(HEDDLE)), "heddle-cc")
    if not shutil.which("clang-19") or not os.path.exists(beside):
        print("1..1\nok 1 - spellings # SKIP there is no heddle-cc or no clang-19")
        return 0
    todo = [p for p in programs()
            if not args.patterns or any(x in p[0] for x in args.patterns)][::args.some]
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

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small programs about what each construct of OpenMP orders, and what not; speaks TAP.

    tests/openmp/constructs.py [--seconds=S] [--some=N] [--keep=FOLDER] [--native]
                               [NAME...]

Each has what is true of its races, and why, by the OpenMP API specification 5.2. OPEN
stands behind a truth that heddle need not find: UNKNOWN is right, too. --native: those
without a race are run by libomp with 1 to 8 threads: they end, with status 0. --some=N: each N-th."""

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
#include <stdlib.h>
enum { N = 20 };
int a[N + 2], b[N + 2], c[N + 2], x, y, z;
"""

# (name, truth, why, what stands before main, the body of main)
PROGRAMS = [
    ("sections_nowait", "UNSAFE", "nowait: no barrier behind sections (11.3)", "", """
#pragma omp parallel
{
#pragma omp sections nowait
  {
#pragma omp section
    x = 1;
#pragma omp section
    y = 1;
  }
#pragma omp single
  z = x + y;
}"""),
    ("sections_wait", "SAFE", "a barrier behind sections", "", """
#pragma omp parallel
{
#pragma omp sections
  {
#pragma omp section
    x = 1;
#pragma omp section
    y = 1;
  }
#pragma omp single
  z = x + y;
}
return z != 2;"""),
    ("sections_same", "UNSAFE", "two sections, two threads", "", """
#pragma omp parallel sections
{
#pragma omp section
  x++;
#pragma omp section
  x++;
}"""),
    ("sections_lastprivate", "SAFE", "the last section's value is assigned once, and the "
     "end of parallel is a barrier", "", """
#pragma omp parallel sections lastprivate(x)
{
#pragma omp section
  x = 1;
#pragma omp section
  x = 2;
}
return x != 2;"""),
    ("lastprivate_nowait", "UNSAFE OPEN", "the original is assigned when the loop ends, "
     "nobody waits for it (5.4.5)", "", """
#pragma omp parallel
{
#pragma omp for lastprivate(x) nowait
  for (int i = 0; i < N; i++)
    x = i;
#pragma omp critical
  a[omp_get_thread_num() % N] = x;
}"""),
    ("lastprivate_barrier", "SAFE OPEN", "an explicit barrier is enough", "", """
#pragma omp parallel
{
#pragma omp for lastprivate(x) nowait
  for (int i = 0; i < N; i++)
    x = i;
#pragma omp barrier
#pragma omp single
  y = x;
}
return y != N - 1;"""),
    ("lastprivate_reads_original", "SAFE", "x in the loop is private", "", """
#pragma omp parallel for lastprivate(x)
for (int i = 0; i < N; i++) {
  x = i;
  a[i] = x;
}
return x != N - 1;"""),
    ("firstprivate_lastprivate", "SAFE", "copies are made before the last value is "
     "written (5.4.5)", "", """
x = 3;
#pragma omp parallel for firstprivate(x) lastprivate(x)
for (int i = 0; i < N; i++) {
  a[i] = x;
  if (i == N - 1)
    x = i;
}
return x != N - 1;"""),
    ("copyin", "SAFE", "a copy for each thread, made before the region is executed (5.7.1)",
     "int t;\n#pragma omp threadprivate(t)\n", """
t = 5;
int wrong = 0;
#pragma omp parallel copyin(t) reduction(| : wrong)
{
  wrong |= t != 5;
  t += omp_get_thread_num();
}
return wrong;"""),
    ("threadprivate_static", "SAFE", "one for each thread", "static int next(void) {\n"
     "  static int t;\n#pragma omp threadprivate(t)\n  return ++t;\n}\n", """
#pragma omp parallel for
for (int i = 0; i < N; i++)
  a[i] = next();"""),
    ("static_local", "UNSAFE", "a static variable is shared (5.1.1)",
     "static int next(void) {\n  static int t;\n  return ++t;\n}\n", """
#pragma omp parallel for
for (int i = 0; i < N; i++)
  a[i] = next();"""),
    ("threadprivate_address", "UNSAFE", "through its address others use one thread's",
     "int t;\n#pragma omp threadprivate(t)\nint *p;\n", """
p = &t;
#pragma omp parallel
(*p)++;"""),
    ("copyprivate", "SAFE", "the others copy before anybody leaves single (5.7.2)", "", """
int wrong = 0;
#pragma omp parallel reduction(| : wrong)
{
  int k;
#pragma omp single copyprivate(k)
  k = 7;
  wrong |= k != 7;
  k++;
}
return wrong;"""),
    ("single_nowait", "UNSAFE", "nobody waits for who executes it (11.1)", "", """
#pragma omp parallel num_threads(4)
{
#pragma omp single nowait
  x = 1;
#pragma omp critical
  y += x;
}"""),
    ("single_wait", "SAFE", "a barrier behind single", "", """
#pragma omp parallel
{
#pragma omp single
  x = 1;
#pragma omp critical
  y += x;
}
return y < 1;"""),
    ("master_no_barrier", "UNSAFE", "masked has no barrier (10.5)", "", """
#pragma omp parallel
{
#pragma omp master
  x = 1;
#pragma omp critical
  y += x;
}"""),
    ("master_barrier", "SAFE", "a barrier", "", """
#pragma omp parallel
{
#pragma omp master
  x = 1;
#pragma omp barrier
#pragma omp critical
  y += x;
}
return y < 1;"""),
    ("masked_filter", "UNSAFE", "two threads, two masked regions", "", """
#pragma omp parallel num_threads(2)
{
#pragma omp masked filter(0)
  x = 1;
#pragma omp masked filter(1)
  x = 2;
}"""),
    ("two_singles_nowait", "UNSAFE", "two singles may have two threads", "", """
#pragma omp parallel
{
#pragma omp single nowait
  x = 1;
#pragma omp single
  x = 2;
}"""),
    ("masters_twice", "SAFE", "the same thread", "", """
#pragma omp parallel
{
#pragma omp master
  x = 1;
#pragma omp master
  x = 2;
}
return x != 2;"""),
    ("static_nowait", "SAFE", "the same schedule, number of iterations and region: the same "
     "thread has the same iteration (11.5.3)", "", """
#pragma omp parallel
{
#pragma omp for schedule(static) nowait
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp for schedule(static)
  for (int i = 0; i < N; i++)
    b[i] = a[i];
}
return b[N - 1] != N - 1;"""),
    ("static_nowait_shifted", "UNSAFE", "the neighbour's iteration", "", """
#pragma omp parallel
{
#pragma omp for schedule(static) nowait
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp for schedule(static)
  for (int i = 1; i <= N; i++)
    b[i] = a[i];
}"""),
    ("static_nowait_chunks", "UNSAFE", "other chunks, other threads", "", """
#pragma omp parallel
{
#pragma omp for schedule(static, 2) nowait
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp for schedule(static, 3)
  for (int i = 0; i < N; i++)
    b[i] = a[i];
}"""),
    ("dynamic_nowait", "UNSAFE", "any thread has any iteration", "", """
#pragma omp parallel
{
#pragma omp for schedule(dynamic) nowait
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp for schedule(dynamic)
  for (int i = 0; i < N; i++)
    b[i] = a[i];
}"""),
    ("taskloop_each", "SAFE", "taskloop waits for its tasks; other elements", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp taskloop grainsize(3)
  for (int i = 0; i < N; i++)
    a[i] = i;
  x = a[N - 1];
}
return x != N - 1;"""),
    ("taskloop_nogroup", "UNSAFE", "nogroup: nobody waits (12.6)", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp taskloop grainsize(3) nogroup
  for (int i = 0; i < N; i++)
    a[i] = i;
  x = a[N - 1];
}"""),
    ("taskloop_many", "UNSAFE", "each thread executes it: all iterations, each time", "", """
#pragma omp parallel num_threads(2)
{
#pragma omp taskloop
  for (int i = 0; i < N; i++)
    a[i] = i;
}"""),
    ("depend_chain", "SAFE", "out before in before out (15.9.5)", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp task depend(out : x)
  x = 1;
#pragma omp task depend(in : x) depend(out : y)
  y = x;
#pragma omp task depend(inout : y)
  y++;
}
return y != 2;"""),
    ("depend_two_readers", "UNSAFE", "in and in are not ordered", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp task depend(out : x)
  x = 1;
#pragma omp task depend(in : x)
  y += x;
#pragma omp task depend(in : x)
  y += x;
}"""),
    ("depend_mutexinoutset", "SAFE", "they exclude each other (15.9.5)", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp task depend(out : x)
  x = 1;
#pragma omp task depend(mutexinoutset : x)
  x += 2;
#pragma omp task depend(mutexinoutset : x)
  x += 3;
#pragma omp task depend(in : x)
  y = x;
}
return y != 6;"""),
    ("depend_inoutset", "UNSAFE", "inoutset tasks are not ordered among each other", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp task depend(inoutset : x)
  x += 2;
#pragma omp task depend(inoutset : x)
  x += 3;
}"""),
    ("depend_part", "UNSAFE", "dependences are about one address, not about what is used", "",
     """
#pragma omp parallel
#pragma omp single
{
#pragma omp task depend(out : a[0])
  a[1] = 1;
#pragma omp task depend(in : a[1])
  b[1] = a[1];
}"""),
    ("depend_creator", "UNSAFE", "the creator is not ordered by dependences", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp task depend(out : x)
  x = 1;
  y = x;
}"""),
    ("depend_child", "UNSAFE", "dependences are about siblings only (15.9.5)", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp task
  {
#pragma omp task depend(out : x)
    x = 1;
  }
#pragma omp task depend(in : x)
  y = x;
}"""),
    ("taskwait_grandchild", "UNSAFE", "taskwait waits for children only (15.5)", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp task
  {
#pragma omp task
    x = 1;
  }
#pragma omp taskwait
  y = x;
}"""),
    ("taskgroup_grandchild", "SAFE", "taskgroup waits for descendants (15.4)", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp taskgroup
  {
#pragma omp task
    {
#pragma omp task
      x = 1;
    }
  }
  y = x;
}
return y != 1;"""),
    ("taskgroup_before", "UNSAFE", "a task from before the group is not in it", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp task
  x = 1;
#pragma omp taskgroup
  {
#pragma omp task
    y = 1;
  }
  z = x;
}"""),
    ("task_if0", "SAFE", "undeferred: the creator waits (12.5)", "", """
#pragma omp parallel
#pragma omp single
{
#pragma omp task if (0)
  x = 1;
  y = x;
}
return y != 1;"""),
    ("task_barrier", "SAFE", "all tasks are done behind a barrier (15.3)", "", """
#pragma omp parallel
{
#pragma omp single nowait
  {
#pragma omp task
    x = 1;
  }
#pragma omp barrier
#pragma omp single
  y = x;
}
return y != 1;"""),
    ("task_from_all", "UNSAFE", "one task from each thread", "", """
#pragma omp parallel
{
#pragma omp task
  x++;
}"""),
    ("task_detach", "SAFE", "taskwait waits for the event, too (12.5.2)", "", """
#pragma omp parallel
#pragma omp single
{
  omp_event_handle_t event;
#pragma omp task detach(event)
  x = 1;
#pragma omp task
  {
    y = 1;
    omp_fulfill_event(event);
  }
#pragma omp taskwait
  z = x + y;
}
return z != 2;"""),
    ("task_firstprivate_pointer", "UNSAFE", "the pointer is copied, not what it points to",
     "", """
int *p = &x;
#pragma omp parallel
#pragma omp single
for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(p)
  (*p)++;
}"""),
    ("firstprivate_alias", "UNSAFE", "two pointers, one array", "", """
int *p = a, *q = a + 1;
#pragma omp parallel for firstprivate(p, q)
for (int i = 0; i < N; i++)
  p[i] = q[i];"""),
    ("firstprivate_array", "SAFE", "each thread has its own array", "", """
int t[N] = {0};
#pragma omp parallel for firstprivate(t)
for (int i = 0; i < N; i++) {
  t[0] = i;
  a[i] = t[0];
}
return a[N - 1] != N - 1;"""),
    ("doacross", "SAFE OPEN", "sink waits for source (15.9.6)", "", """
#pragma omp parallel for ordered(1)
for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
  a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
}
return a[N - 1] != N - 1;"""),
    ("doacross_early", "UNSAFE", "the source stands before the write", "", """
#pragma omp parallel for ordered(1) schedule(dynamic)
for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
  a[i] = a[i - 1] + 1;
}"""),
    ("doacross_two", "SAFE OPEN", "two dimensions, both neighbours", "int d[6][6];\n", """
#pragma omp parallel for ordered(2)
for (int i = 1; i < 6; i++)
  for (int j = 1; j < 6; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
    d[i][j] = d[i - 1][j] + d[i][j - 1] + 1;
#pragma omp ordered depend(source)
  }"""),
    ("ordered", "SAFE", "ordered regions of a loop are executed one after the other (15.10)",
     "", """
#pragma omp parallel for ordered schedule(dynamic)
for (int i = 0; i < N; i++) {
#pragma omp ordered
  x = 2 * x + i;
}"""),
    ("ordered_outside", "UNSAFE", "what stands outside of ordered is not ordered", "", """
#pragma omp parallel for ordered schedule(dynamic)
for (int i = 0; i < N; i++) {
  x++;
#pragma omp ordered
  y++;
}"""),
    ("cancel_for", "SAFE", "other elements, cancelled or not", "", """
#pragma omp parallel for
for (int i = 0; i < N; i++) {
  a[i] = i;
  if (i == 3) {
#pragma omp cancel for
  }
}"""),
    ("cancel_flag", "UNSAFE", "the flag is read and written at once", "", """
#pragma omp parallel for
for (int i = 0; i < N; i++) {
  if (i == 3)
    x = 1;
  if (x) {
#pragma omp cancel for
  }
  a[i] = i;
}"""),
    ("locks_two", "UNSAFE", "two locks do not exclude each other", "omp_lock_t k, l;\n", """
omp_init_lock(&k);
omp_init_lock(&l);
#pragma omp parallel sections
{
#pragma omp section
  {
    omp_set_lock(&k);
    x++;
    omp_unset_lock(&k);
  }
#pragma omp section
  {
    omp_set_lock(&l);
    x++;
    omp_unset_lock(&l);
  }
}"""),
    ("nest_lock", "SAFE", "a nestable lock may be set twice by its owner",
     "omp_nest_lock_t k;\nstatic void add(int n) {\n  omp_set_nest_lock(&k);\n  x += n;\n"
     "  omp_unset_nest_lock(&k);\n}\n", """
omp_init_nest_lock(&k);
#pragma omp parallel for
for (int i = 0; i < N; i++) {
  omp_set_nest_lock(&k);
  add(i);
  x++;
  omp_unset_nest_lock(&k);
}
return x != N * (N - 1) / 2 + N;"""),
    ("critical_names", "UNSAFE", "other names, other regions (15.2)", "", """
#pragma omp parallel sections
{
#pragma omp section
  {
#pragma omp critical(one)
    x++;
  }
#pragma omp section
  {
#pragma omp critical(other)
    x++;
  }
}"""),
    ("critical_function", "SAFE", "one name in the whole program",
     "static void add(void) {\n#pragma omp critical(one)\n  x++;\n}\n", """
#pragma omp parallel
{
  add();
#pragma omp critical(one)
  x++;
}
return x < 2;"""),
    ("declared_reduction", "SAFE", "parts are private, and combined one at a time (5.5)",
     "struct pair {\n  int sum, most;\n};\n"
     "#pragma omp declare reduction(join : struct pair : omp_out.sum += omp_in.sum, \\\n"
     "    omp_out.most = omp_in.most > omp_out.most ? omp_in.most : omp_out.most) \\\n"
     "    initializer(omp_priv = (struct pair){0, 0})\n", """
struct pair p = {0, 0};
#pragma omp parallel for reduction(join : p)
for (int i = 0; i < N; i++) {
  p.sum += i;
  p.most = i > p.most ? i : p.most;
}
return p.most != N - 1 || p.sum != N * (N - 1) / 2;"""),
    ("reduction_array", "SAFE", "each thread has its part of the array", "", """
int t[N] = {0};
#pragma omp parallel for reduction(+ : t[:N])
for (int i = 0; i < 3 * N; i++)
  t[i % N] += i;
return t[0] != N + 2 * N;"""),
    ("reduction_read", "UNSAFE", "behind nowait the result is not there (5.5.8)", "", """
#pragma omp parallel
{
#pragma omp for reduction(+ : x) nowait
  for (int i = 0; i < N; i++)
    x += i;
#pragma omp single
  y = x;
}"""),
    ("simd_safelen", "SAFE", "at most 4 iterations at once (10.4.1)", "", """
#pragma omp simd safelen(4)
for (int i = 4; i < N; i++)
  a[i] = a[i - 4] + 1;"""),
    ("simd_too_near", "UNSAFE", "iterations that are less than safelen apart", "", """
#pragma omp simd safelen(4)
for (int i = 3; i < N; i++)
  a[i] = a[i - 3] + 1;"""),
    ("flush_handshake", "UNSAFE", "flush does not make plain accesses atomic (15.8.5, 1.4.1)",
     "", """
#pragma omp parallel num_threads(2)
{
  if (omp_get_thread_num() == 0) {
    x = 1;
#pragma omp flush
    y = 1;
  } else {
    int seen = 0;
    for (int k = 0; k < 3 && !seen; k++) {
#pragma omp flush
      seen = y;
    }
    if (seen)
      z = x;
  }
}"""),
    ("atomic_handshake", "SAFE", "release and acquire (1.4.5)", "", """
#pragma omp parallel num_threads(2)
{
  if (omp_get_thread_num() == 0) {
    x = 1;
#pragma omp atomic write release
    y = 1;
  } else {
    int seen;
#pragma omp atomic read acquire
    seen = y;
    if (seen)
      z = x;
  }
}"""),
    ("atomic_handshake_relaxed", "UNSAFE", "relaxed accesses order nothing", "", """
#pragma omp parallel num_threads(2)
{
  if (omp_get_thread_num() == 0) {
    x = 1;
#pragma omp atomic write relaxed
    y = 1;
  } else {
    int seen;
#pragma omp atomic read relaxed
    seen = y;
    if (seen)
      z = x;
  }
}"""),
    ("atomic_capture", "SAFE", "each thread gets another number", "", """
#pragma omp parallel for
for (int i = 0; i < N; i++) {
  int mine;
#pragma omp atomic capture
  mine = x++;
  (void)mine;
}
return x != N;"""),
    ("atomic_capture_slots", "SAFE OPEN", "the slots differ, as the numbers do", "", """
#pragma omp parallel for
for (int i = 0; i < N; i++) {
  int mine;
#pragma omp atomic capture
  mine = x++;
  a[mine] = i;
}
return x != N;"""),
    ("atomic_and_plain", "UNSAFE", "a plain read beside an atomic update", "", """
#pragma omp parallel
{
#pragma omp atomic
  x++;
  a[omp_get_thread_num() % N] = x;
}"""),
    ("atomic_compare", "SAFE", "the largest, by an atomic conditional update (15.8.4)", "", """
#pragma omp parallel for
for (int i = 0; i < N; i++) {
#pragma omp atomic compare
  if (x < i) { x = i; }
}
return x != N - 1;"""),
    ("atomic_part", "UNSAFE", "atomic is about the update, not about the subscript's index",
     "", """
#pragma omp parallel for
for (int i = 0; i < N; i++) {
#pragma omp atomic
  a[x] += 1;
  x = 0;
}"""),
    ("nested_inner", "UNSAFE", "the inner teams share x", "", """
omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
{
#pragma omp parallel num_threads(2)
  x++;
}"""),
    ("nested_shared_row", "SAFE", "outer iterations have rows of their own", "int d[8][8];\n",
     """
omp_set_max_active_levels(2);
#pragma omp parallel for
for (int i = 0; i < 8; i++) {
#pragma omp parallel for
  for (int j = 0; j < 8; j++)
    d[i][j] = i + j;
}
return d[7][7] != 14;"""),
    ("nested_barrier", "UNSAFE", "a barrier is about its own team (15.3)", "", """
omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
{
  if (omp_get_thread_num() == 0)
    x = 1;
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
  }
  if (omp_get_thread_num() == 1)
    y = x;
}"""),
    ("num_threads_1", "SAFE", "one thread", "", """
#pragma omp parallel num_threads(1)
x++;
return x != 1;"""),
    ("if_0", "SAFE", "one thread (10.1)", "", """
#pragma omp parallel if (0)
x++;
return x != 1;"""),
    ("if_argument", "UNSAFE", "with an argument there are several", "", """
#pragma omp parallel if (argc > 0)
x++;"""),
    ("by_number", "SAFE", "equal parts by number, the last one with the rest", "", """
#pragma omp parallel
{
  int t = omp_get_thread_num(), n = omp_get_num_threads();
  int from = t * (N / n), to = t == n - 1 ? N : from + N / n;
  for (int i = from; i < to; i++)
    a[i] = i;
}
return a[N - 1] != N - 1;"""),
    ("by_number_overlap", "UNSAFE", "one element more than the part has", "", """
#pragma omp parallel
{
  int t = omp_get_thread_num(), n = omp_get_num_threads();
  int from = t * (N / n), to = t == n - 1 ? N : from + N / n;
  for (int i = from; i <= to; i++)
    a[i] = i;
}"""),
    ("by_number_cyclic", "SAFE", "each n-th element", "", """
#pragma omp parallel
for (int i = omp_get_thread_num(); i < N; i += omp_get_num_threads())
  a[i] = i;
return a[N - 1] != N - 1;"""),
    ("set_num_threads", "SAFE", "one element for each thread", "", """
omp_set_num_threads(4);
#pragma omp parallel
a[omp_get_thread_num()] = omp_get_thread_num();"""),
    ("orphaned_for", "SAFE", "a loop of the team that calls (11.5)",
     "static void fill(int *p) {\n#pragma omp for\n  for (int i = 0; i < N; i++)\n"
     "    p[i] = i;\n}\n", """
#pragma omp parallel
{
  fill(a);
  fill(b);
}
return b[N - 1] != N - 1;"""),
    ("orphaned_single", "UNSAFE", "nowait in a function",
     "static void first(void) {\n#pragma omp single nowait\n  x++;\n}\n", """
#pragma omp parallel
{
  first();
  first();
}"""),
    ("barrier_both_ways", "SAFE OPEN", "the same for all threads: they come to one barrier", "",
     """
#pragma omp parallel
{
#pragma omp single
  x = 1;
  if (x) {
#pragma omp barrier
  }
#pragma omp single
  y = x;
}
return y != 1;"""),
    ("default_none", "SAFE", "what is listed is private or shared", "", """
int k = 2;
#pragma omp parallel for default(none) shared(a) firstprivate(k)
for (int i = 0; i < N; i++)
  a[i] = k * i;
return a[1] != 2;"""),
    ("default_none_shared", "UNSAFE", "it is listed, as shared", "", """
int k = 2;
#pragma omp parallel for default(none) shared(a, k)
for (int i = 0; i < N; i++) {
  k = i;
  a[i] = k;
}"""),
    ("loop_variable_outer", "SAFE", "the variable of the loop is private (5.1.1)", "", """
int i;
#pragma omp parallel for
for (i = 0; i < N; i++)
  a[i] = i;
return a[N - 1] != N - 1;"""),
    ("inner_variable", "UNSAFE", "an inner loop's variable from outside is shared",
     "int d[8][8];\n", """
int i, j;
#pragma omp parallel for
for (i = 0; i < 8; i++)
  for (j = 0; j < 8; j++)
    d[i][j] = i;"""),
    ("inner_private", "SAFE", "private(j)", "int d[8][8];\n", """
int i, j;
#pragma omp parallel for private(j)
for (i = 0; i < 8; i++)
  for (j = 0; j < 8; j++)
    d[i][j] = i;
return d[7][0] != 7;"""),
    ("collapse_triangle", "SAFE", "other elements", "int d[8][8];\n", """
#pragma omp parallel for collapse(2)
for (int i = 0; i < 8; i++)
  for (int j = 0; j < 8; j++)
    if (j <= i)
      d[i][j] = d[i][j] + 1;
return d[7][7] != 1;"""),
    ("collapse_transpose", "UNSAFE", "d[i][j] and d[j][i] are iterations of their own",
     "int d[8][8];\n", """
#pragma omp parallel for collapse(2)
for (int i = 0; i < 8; i++)
  for (int j = 0; j < 8; j++)
    d[i][j] = d[j][i];"""),
    ("transpose_half", "SAFE", "pairs are of one iteration each", "int d[8][8];\n", """
#pragma omp parallel for
for (int i = 0; i < 8; i++)
  for (int j = 0; j < i; j++) {
    int t = d[i][j];
    d[i][j] = d[j][i];
    d[j][i] = t;
  }"""),
    ("target_host", "SAFE", "executed by the host, and waited for (13.8)", "", """
#pragma omp target map(tofrom : x)
x = 1;
y = x;
return y != 1;"""),
    ("barrier_interval", "SAFE", "even and odd elements take turns", "", """
#pragma omp parallel
for (int k = 0; k < 3; k++) {
#pragma omp for
  for (int i = 2; i < N; i += 2)
    a[i] = b[i - 1] + b[i + 1];
#pragma omp for
  for (int i = 1; i < N; i += 2)
    b[i] = a[i - 1] + a[i + 1];
}"""),
    ("barrier_interval_nowait", "UNSAFE", "one of the two barriers is missing", "", """
#pragma omp parallel
for (int k = 0; k < 3; k++) {
#pragma omp for
  for (int i = 2; i < N; i += 2)
    a[i] = b[i - 1] + b[i + 1];
#pragma omp for nowait
  for (int i = 1; i < N; i += 2)
    b[i] = a[i - 1] + a[i + 1];
}"""),
]


def text_of(truth, why, before, body):
    return (f"/* {truth}: {why} */\n{HEAD}{before}int main(int argc, char **argv) {{\n"
            f"{body.strip()}\nreturn 0;\n}}\n")


def runs_natively(path, folder):
    program = os.path.join(folder, "program")
    done = subprocess.run(["clang-19", "-w", "-O1", "-fopenmp", "-fopenmp-version=51", path,
                           "-o", program],
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
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    beside = os.path.join(os.path.dirname(os.path.abspath(HEDDLE)), "heddle-cc")
    if not shutil.which("clang-19") or not os.path.exists(beside):
        print("1..1\nok 1 - constructs # SKIP there is no heddle-cc or no clang-19")
        return 0
    todo = [p for p in PROGRAMS if not args.names or p[0] in args.names][::args.some]
    print(f"1..{len(todo)}")
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        for i, (name, truth, why, before, body) in enumerate(todo, 1):
            path = os.path.join(args.keep or temporary, name + ".c")
            with open(path, "w", encoding="utf-8") as out:
                out.write(text_of(truth, why, before, body))
            begin = time.monotonic()
            done = subprocess.run(
                [HEDDLE, "verify", path, "--property=race", f"--timeout={args.seconds}", "-q"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            took = time.monotonic() - begin
            said = {0: "SAFE", 10: "UNSAFE", 5: "UNKNOWN"}.get(done.returncode, "failed")
            expected, is_open = truth.split()[0], "OPEN" in truth
            good = said == expected or (is_open and said == "UNKNOWN")
            lines = [] if good else [f"{truth}, heddle says"] + done.stdout.splitlines()[-1:]
            if good and args.native and expected == "SAFE":
                wrong = runs_natively(path, temporary)
                good, lines = wrong is None, [wrong] if wrong else []
            failed += not good
            note = f", {said}" if said != expected else ""
            print(f"{'ok' if good else 'not ok'} {i} - {name} ({took:.1f} s{note})"
                  + "".join(f"\n#   {line}" for line in lines), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

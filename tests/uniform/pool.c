/* SPDX-License-Identifier: MIT */
/* any: SAFE
 * any: SAFE -DCOUNTED
 * any: SAFE -DASKED
 * any: SAFE -DONCE
 * any: UNSAFE deadlock|mpi 5 -DNO_STOP
 * any: UNSAFE deadlock|mpi 5 -DTWICE
 * any: UNSAFE deadlock|mpi 6 -DASKED -DEARLY
 * any: UNSAFE assert 3 -DONCE -DORDER
 * any: OPEN -DCOUNTED -DLATE
 * what: a master gives tasks to whoever answers, and stops everybody in the end;
 * workers that ask for tasks; one task for each. Wrong ones forget to stop those
 * without a task, stop too early, rely on an order; LATE is wrong from 26
 * processes on, which no search shows: then it must not be called safe. */
#include <assert.h>
#include <mpi.h>
#define TASKS 3
enum { WORK = 1, STOP, RESULT };

static int rank, size;

static void give(int to, int task, int tag) {
  MPI_Send(&task, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static int take(MPI_Status *status) {
  int x;
  MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, status);
  return x;
}

static void master(void) {
  int next = 0, active = 0, done = 0, w = 1, last = TASKS;
  MPI_Status s;
#ifdef LATE
  last += size > 25;
#endif
  for (; w < size && next < TASKS; w++, active++)
    give(w, next++, WORK);
#ifdef NO_STOP
  if (size < 5)
#endif
    for (; w < size; w++)
      give(w, 0, STOP);
#ifdef COUNTED
  while (done < last) {
#else
  while (active > 0) {
#endif
    take(&s);
    done++;
    if (next < TASKS) {
      give(s.MPI_SOURCE, next++, WORK);
    } else {
      give(s.MPI_SOURCE, 0, STOP);
      active--;
#ifdef TWICE
      if (size > 4)
        active--;
#endif
    }
  }
  assert(next == TASKS);
  (void)last;
}

static void worker(void) {
  int task, answer;
  MPI_Status s;
  for (;;) {
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
    if (s.MPI_TAG == STOP)
      return;
    answer = 2 * task;
    MPI_Send(&answer, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
  }
}

/* Workers ask. */
static void answers(void) {
  int next = 0, stopped = 0, all = size - 1;
  MPI_Status s;
#ifdef EARLY
  all -= size == 6;
#endif
  while (stopped < all) {
    take(&s);
    if (next < TASKS) {
      give(s.MPI_SOURCE, next++, WORK);
    } else {
      give(s.MPI_SOURCE, 0, STOP);
      stopped++;
    }
  }
}

static void asks(void) {
  int x = rank;
  MPI_Status s;
  for (;;) {
    MPI_Send(&x, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
    if (s.MPI_TAG == STOP)
      return;
  }
}

/* One task for each, answers in any order, then all are stopped. */
static void once(void) {
  MPI_Status s;
  for (int i = 1; i < size; i++)
    give(i, i, WORK);
  for (int i = 1; i < size; i++) {
    int x = take(&s);
#ifdef ORDER
    assert(x == 2 * i);
#else
    (void)x;
#endif
  }
  for (int i = 1; i < size; i++)
    give(i, 0, STOP);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef ASKED
  if (rank == 0)
    answers();
  else
    asks();
#else
  if (rank > 0)
    worker();
#ifdef ONCE
  else
    once();
#else
  else
    master();
#endif
#endif
  (void)once, (void)asks, (void)answers, (void)worker, (void)master;
  MPI_Finalize();
  return 0;
}

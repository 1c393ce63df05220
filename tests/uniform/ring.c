/* SPDX-License-Identifier: MIT */
/* any: SAFE
 * any: SAFE -DSHIFT
 * any: SAFE -DPARITY
 * any: SAFE -DROUNDS=3
 * any: SAFE -DALL
 * any: UNSAFE deadlock 2 -DSHIFT -DSEND_FIRST
 * any: UNSAFE mpi|deadlock 4 -DTAG
 * any: UNSAFE mpi|deadlock 6 -DNEIGHBOUR
 * any: UNSAFE deadlock|mpi 7 -DSHIFT -DODD
 * any: UNSAFE mpi|deadlock 5 -DLEFT_OVER
 * any: UNSAFE assert 7 -DSHIFT -DVALUE
 * what: a token around a ring, everybody to the right (Sendrecv, or even ranks
 * first), all to all in rounds; wrong for some ranks or numbers only. */
#include <assert.h>
#include <mpi.h>
#ifndef ROUNDS
#define ROUNDS 1
#endif

static int rank, size, left, right;

static void token(void) {
  int x = 0, tag = 0, from = left;
#ifdef TAG
  tag = rank == 3;
#endif
#ifdef NEIGHBOUR
  from = rank > 4 ? rank - 2 : left;
#endif
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&x, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, right, tag, MPI_COMM_WORLD);
  }
#ifdef LEFT_OVER
  if (rank == 0 && size > 4)
    MPI_Send(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
#endif
}

static void shift(void) {
  int got = 0, tag = 7;
#ifdef ODD
  tag = size > 5 && size % 2 ? 8 : 7;
#endif
#ifdef SEND_FIRST
  MPI_Send(&rank, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
  MPI_Recv(&got, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 7, &got, 1, MPI_INT, left, tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
#ifdef VALUE
  assert(got != 6);
#endif
  assert(got == left);
}

static void parity(void) {
  int got;
  if (rank % 2 == 0) {
    MPI_Send(&rank, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&got, 1, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
  }
  assert(got == left);
}

static void all(void) {
  int x = rank, y;
  for (int i = 0; i < size - 1; i++) {
    MPI_Sendrecv(&x, 1, MPI_INT, right, 0, &y, 1, MPI_INT, left, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    x = y;
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
#if defined SHIFT
  shift();
#elif defined PARITY
  parity();
#elif defined ALL
  all();
#else
  for (int i = 0; i < ROUNDS; i++)
    token();
#endif
  (void)shift, (void)parity, (void)all, (void)token;
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* any: SAFE
 * any: SAFE -DLINE
 * any: SAFE -DLINE -DFAR=2
 * any: SAFE -DDUP
 * any: SAFE -DDUP -DLINE -DSENDS
 * any: UNSAFE deadlock 2 -DSENDS
 * any: UNSAFE leak 2 -DKEPT
 * any: UNSAFE deadlock|mpi 2 -DOTHER
 * any: UNSAFE mpi|deadlock 4 -DABSENT
 * any: UNSAFE mpi 4 -DSMALL
 * any: UNSAFE assert 5 -DLINE -DVALUE
 * any: UNSAFE assert 3 -DREORDER
 * what: a grid of one dimension, periodic or a line, everybody to the right. DUP: in
 * a duplicate. Wrong: sends in a circle, a communicator that is kept, a message in
 * another communicator, a process that does not come, a grid with room for three, a
 * neighbour that is not there. REORDER: an MPI numbers the processes anew. */
#include <assert.h>
#include <mpi.h>
#ifndef FAR
#define FAR 1
#endif
#ifdef REORDER
#define ORDER 1
#else
#define ORDER 0
#endif
#ifdef LINE
#define AROUND 0
#else
#define AROUND 1
#endif

int main(int argc, char **argv) {
  int rank, size, left, right, at, got = -FAR;
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int places = 0, around = AROUND;
  MPI_Dims_create(size, 1, &places);
#ifdef SMALL
  if (size > 3)
    places = 3;
#endif
#ifdef ABSENT
  if (rank == 3) {
    MPI_Finalize();
    return 0;
  }
#endif
  MPI_Cart_create(MPI_COMM_WORLD, 1, &places, &around, ORDER, &grid);
#ifdef DUP
  MPI_Comm first = grid;
  MPI_Comm_dup(first, &grid);
  MPI_Comm_free(&first);
#endif
  MPI_Cart_shift(grid, 0, FAR, &left, &right);
#ifdef SENDS
  MPI_Ssend(&rank, 1, MPI_INT, right, 0, grid);
  MPI_Recv(&got, 1, MPI_INT, left, 0, grid, MPI_STATUS_IGNORE);
#elif defined OTHER
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &got, 0, MPI_INT, MPI_PROC_NULL, 0,
               grid, MPI_STATUS_IGNORE);
  MPI_Recv(&got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, grid,
               MPI_STATUS_IGNORE);
#endif
  MPI_Cart_coords(grid, rank, 1, &at);
#ifdef LINE
  assert(got == (rank < FAR ? -FAR : at - FAR));
#else
  assert(got == (at + size - 1) % size);
#endif
#ifdef VALUE
  assert(got < 3);
#endif
  MPI_Barrier(grid);
#ifndef KEPT
  MPI_Comm_free(&grid);
#endif
  MPI_Finalize();
  return 0;
}

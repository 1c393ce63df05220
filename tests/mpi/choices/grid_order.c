/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=4
 * expect: SAFE --procs=4 -DKEEP -DOLD
 * expect: UNSAFE assert --procs=4 -DOLD
 * native: none
 * what: the order of the processes in a grid is MPI's, unless KEEP forbids it. OLD:
 * a neighbour is taken for the one of that number in the world. */
#include <assert.h>
#include <mpi.h>
#ifdef KEEP
#define REORDER 0
#else
#define REORDER 1
#endif

int main(int argc, char **argv) {
  int dims[2] = {2, 2}, around[2] = {1, 1}, me, world, from, to, got;
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, around, REORDER, &grid);
  MPI_Comm_rank(grid, &me);
  MPI_Cart_shift(grid, 0, 1, &from, &to);
#ifdef OLD
  me = world;
#endif
  MPI_Sendrecv(&me, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, grid,
               MPI_STATUS_IGNORE);
  assert(got == from);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}

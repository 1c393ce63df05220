/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: the receive is posted before the barrier, the ready send comes behind it */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, y = 5;
  MPI_Request r;
  if (rank == 1)
    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Rsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  else {
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    assert(y == 0);
  }
  MPI_Finalize();
  return 0;
}

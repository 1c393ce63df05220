/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE mpi --procs=2 -DEARLY
 * native: exit=0 procs=2
 * what: a message says that the receive is posted; with EARLY it is sent before */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, y;
  MPI_Request r;
  if (rank == 1) {
#ifdef EARLY
    MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
#ifndef EARLY
    MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Rsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE deadlock --procs=2
 * native: none
 * what: sent in one communicator, received in another. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1;
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  if (rank == 0)
    MPI_Send(&x, 1, MPI_INT, 1, 0, own);
  else if (rank == 1)
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_free(&own);
  MPI_Finalize();
  return 0;
}

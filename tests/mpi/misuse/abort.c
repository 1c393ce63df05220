/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: none
 * what: whoever waits for the one that ends all waits for nothing. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
  else
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3 -DR=1
 * expect: UNSAFE mpi --procs=2 -DR=2
 * native: none
 * what: sent to a rank that there is not. */
#include <mpi.h>

#ifndef R
#define R 1
#endif

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1;
  if (rank == 0)
    MPI_Send(&x, 1, MPI_INT, R, 0, MPI_COMM_WORLD);
  else if (rank == R)
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}

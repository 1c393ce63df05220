/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * native: none
 * what: begins two operations in different order. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, y = rank;
  MPI_Request one, two;
  if (rank == 0) {
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &one);
    MPI_Ibarrier(MPI_COMM_WORLD, &two);
  } else {
    MPI_Ibarrier(MPI_COMM_WORLD, &two);
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &one);
  }
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  MPI_Wait(&two, MPI_STATUS_IGNORE);
  (void)y;
  MPI_Finalize();
  return 0;
}

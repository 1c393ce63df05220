/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * native: none
 * what: MPI_Sendrecv with one buffer */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank;
  MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 0, &x, 1, MPI_INT, 1 - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}

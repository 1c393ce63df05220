/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi|memory --procs=2
 * native: none
 * what: MPI_IN_PLACE as the receive buffer of MPI_Scatter, but not at the root */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2] = {1, 2};
  MPI_Scatter(x, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

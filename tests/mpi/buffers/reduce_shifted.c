/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * native: none
 * what: the buffers of a reduction lie partly on each other */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[3] = {1, 2, 3};
  MPI_Allreduce(x, x + 1, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

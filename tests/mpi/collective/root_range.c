/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * expect: SAFE --procs=3
 * native: none
 * what: there must be a rank 2. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank;
  MPI_Bcast(&x, 1, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

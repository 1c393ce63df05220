/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=3
 * native: none
 * what: two ranks write the same element of the root */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int all[3], counts[3] = {1, 1, 1}, at[3] = {0, 1, 1};
  MPI_Gatherv(&rank, 1, MPI_INT, all, counts, at, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

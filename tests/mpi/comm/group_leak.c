/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE leak --procs=2
 * native: none
 * what: a group that is never freed. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Finalize();
  return 0;
}

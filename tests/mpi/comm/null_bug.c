/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * native: none
 * what: … but uses the communicator all the same. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1, sum = 0;
  MPI_Comm rest;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &rest);
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, rest);
  MPI_Comm_free(&rest);
  MPI_Finalize();
  return 0;
}

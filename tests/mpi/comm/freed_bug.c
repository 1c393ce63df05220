/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * native: none
 * what: uses a communicator after it was freed. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm copy, old;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  old = copy;
  MPI_Comm_free(&copy);
  MPI_Barrier(old);
  MPI_Finalize();
  return 0;
}

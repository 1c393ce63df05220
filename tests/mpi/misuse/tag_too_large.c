/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * native: none
 * what: a tag beyond MPI_TAG_UB, which is 32767 at least */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0;
  if (rank == 0)
    MPI_Send(&x, 1, MPI_INT, 1, 32768, MPI_COMM_WORLD);
  else
    MPI_Recv(&x, 1, MPI_INT, 0, 32768, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2 --deadlock=absolute
 * expect: UNSAFE deadlock|mpi --procs=2 --deadlock=potential
 * native: none
 * what: nobody receives the message. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1;
  if (rank == 0)
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

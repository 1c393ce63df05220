/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE deadlock|mpi --procs=3 --deadlock=potential
 * expect: UNSAFE mpi --procs=3 --deadlock=absolute
 * native: none
 * what: two send, one receives: one message stays. Without buffers its
 *   sender waits for ever. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank;
  if (rank == 1)
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  else
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

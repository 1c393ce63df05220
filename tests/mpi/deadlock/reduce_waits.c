/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=4 --deadlock=absolute
 * expect: UNSAFE deadlock --procs=4 --deadlock=potential
 * native: none
 * what: rank 0 comes to the reduction after a message that rank 2 sends
 *   behind it. Rank 2 is not the root, but may have to wait for rank 0; with
 *   Open MPI it does, for ever. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, max = 0;
  if (rank == 0)
    MPI_Recv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Reduce(&x, &max, 1, MPI_INT, MPI_MAX, 1, MPI_COMM_WORLD);
  if (rank == 2)
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2 --deadlock=absolute
 * expect: UNSAFE deadlock --procs=2 --deadlock=potential
 * native: exit=0 procs=2
 * what: rank 0 sends two messages before it looks at what comes, and so does
 *   rank 1: one buffer is not enough. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i, x = rank, y;
  for (i = 0; i < 2; i++)
    MPI_Send(&x, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
  for (i = 0; i < 2; i++)
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}

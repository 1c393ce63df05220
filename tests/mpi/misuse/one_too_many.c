/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2 --deadlock=absolute
 * expect: UNSAFE deadlock|mpi --procs=2 --deadlock=potential
 * native: none
 * what: four are sent, three are received. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i, x = 0;
  for (i = 0; i < 4; i++)
    if (rank == 0)
      MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1 && i < 3)
      MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}

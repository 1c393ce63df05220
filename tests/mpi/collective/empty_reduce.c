/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=3
 * native: none
 * what: a collective call with no data orders nothing */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank;
  int y = 0, z = 1;
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    assert(x == 1);
    MPI_Allreduce(&z, &y, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  } else {
    if (rank == 1)
      MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&z, &y, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 2)
      MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=3
 * native: none
 * what: MPI_Allgatherv: who brings nothing need not have come */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, all[3], counts[3] = {1, 0, 1}, at[3] = {0, 1, 1};
  if (rank == 2) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    assert(x == 1);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Send(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(&rank, 0, MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
  } else {
    MPI_Send(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}

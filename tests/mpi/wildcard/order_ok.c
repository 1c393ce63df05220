/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: the status says who it was. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i, x;
  MPI_Status status;
  if (rank == 0) {
    for (i = 1; i < size; i++) {
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
               &status);
      assert(x == status.MPI_SOURCE && status.MPI_TAG == x + 10);
    }
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, rank + 10, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}

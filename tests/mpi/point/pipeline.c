/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * native: exit=0 procs=3
 * what: four numbers through a pipeline, each process adds one. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i, x;
  for (i = 0; i < 4; i++) {
    if (rank == 0)
      x = 100 * i;
    else
      MPI_Recv(&x, 1, MPI_INT, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    x++;
    if (rank < size - 1)
      MPI_Send(&x, 1, MPI_INT, rank + 1, i, MPI_COMM_WORLD);
    else
      assert(x == 100 * i + size);
  }
  MPI_Finalize();
  return 0;
}

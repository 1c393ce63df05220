/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=3
 * native: none
 * what: two rounds without a barrier: a fast process is counted twice in the
 *   first. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int r, i, x, sum;
  for (r = 0; r < 2; r++) {
    if (rank == 0) {
      sum = 0;
      for (i = 1; i < size; i++) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        sum += x;
      }
      assert(sum == size * (size - 1) / 2);
    } else {
      MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* Process 0 collects a number from each of the others, in two rounds. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, round, i, x, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (round = 0; round < 2; round++) {
    if (rank > 0) {
      MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
      continue;
    }
    sum = 0;
    for (i = 1; i < size; i++) {
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      sum += x;
    }
    assert(sum == size * (size - 1) / 2);
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: SAFE --procs=3
 * native: exit=0 procs=2 output="got 42"
 * what: one message from 0 to 1. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 42;
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else if (rank == 1) {
    x = 0;
    MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(x == 42);
    printf("got %d\n", x);
  }
  MPI_Finalize();
  return 0;
}

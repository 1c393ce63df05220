/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=8
 * expect: SAFE --procs=10
 * native: exit=0 procs=6
 * what: a ring of many processes: even ranks send first. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i, x = rank, y, right = (rank + 1) % size;
  int left = (rank + size - 1) % size;
  for (i = 0; i < 3; i++) {
    if (rank % 2 == 0) {
      MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
      MPI_Recv(&y, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&y, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    }
    x = y;
  }
  assert(x == (rank + size - 3) % size);
  MPI_Finalize();
  return 0;
}

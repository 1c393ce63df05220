/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE uninit --procs=2
 * native: none
 * what: two are sent, three are used. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[3], i, sum = 0;
  if (rank == 0) {
    int y[2] = {1, 2};
    MPI_Send(y, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (i = 0; i < 3; i++)
      sum += x[i];
    if (sum > 3)
      sum = 3;
  }
  MPI_Finalize();
  return 0;
}

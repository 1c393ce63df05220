/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: asks a few times, then waits. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 7, flag = 0, i;
  MPI_Request request;
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    x = 0;
    MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    for (i = 0; i < 2 && !flag; i++)
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (!flag)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(x == 7);
  }
  MPI_Finalize();
  return 0;
}

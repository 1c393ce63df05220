/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: one pair of requests, started three times. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0, y = -1, i;
  MPI_Request request;
  if (rank == 0)
    MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  else if (rank == 1)
    MPI_Recv_init(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  for (i = 0; i < 3 && rank < 2; i++) {
    x = 10 + i;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(rank == 0 || y == 10 + i);
  }
  if (rank < 2)
    MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert|mpi --procs=2
 * native: none
 * what: … but here the message may have come before. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0, cancelled = 0;
  MPI_Request request;
  MPI_Status status;
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Irecv(&x, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (cancelled)
      MPI_Recv(&x, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(cancelled);
  }
  MPI_Finalize();
  return 0;
}

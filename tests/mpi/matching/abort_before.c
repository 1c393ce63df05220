/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: none
 * what: MPI_Abort comes before the message: nobody gets further */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank;
  if (rank == 0) {
    MPI_Abort(MPI_COMM_WORLD, 0);
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(0);
  }
  MPI_Finalize();
  return 0;
}

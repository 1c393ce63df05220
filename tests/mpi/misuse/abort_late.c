/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=2 --deadlock=absolute
 * native: none
 * what: the first process ends all, but the other one may be quicker. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Abort(MPI_COMM_WORLD, 1);
  } else if (rank == 1) {
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    assert(x);
  }
  MPI_Finalize();
  return 0;
}

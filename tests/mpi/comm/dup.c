/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: a library has its own communicator: its messages are not mixed up
 *   with those of the program. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a = 1, b = 2, x = 0;
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  if (rank == 0) {
    MPI_Send(&b, 1, MPI_INT, 1, 0, own);
    MPI_Send(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, own,
             MPI_STATUS_IGNORE);
    assert(x == 2);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(x == 1);
  }
  MPI_Comm_free(&own);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: with MPI_ANY_TAG the messages of one sender come in order, whatever
 *   their tags. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i, x;
  MPI_Status status;
  if (rank == 0) {
    for (i = 0; i < 3; i++)
      MPI_Send(&i, 1, MPI_INT, 1, 5 - i, MPI_COMM_WORLD);
  } else if (rank == 1) {
    for (i = 0; i < 3; i++) {
      MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      assert(x == i && status.MPI_TAG == 5 - i);
    }
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: source, tag and length of a message, from the status. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int buffer[8], n;
  if (rank == 0) {
    for (n = 0; n < 5; n++)
      buffer[n] = n * n;
    MPI_Send(buffer, 5, MPI_INT, 1, 9, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Status status;
    MPI_Recv(buffer, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
             &status);
    MPI_Get_count(&status, MPI_INT, &n);
    assert(status.MPI_SOURCE == 0 && status.MPI_TAG == 9 && n == 5);
    assert(buffer[4] == 16);
  }
  MPI_Finalize();
  return 0;
}

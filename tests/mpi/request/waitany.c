/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: whichever comes first, and then the other. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int in[2] = {0, 0}, i, index, seen = 0;
  MPI_Request requests[2];
  if (rank == 0) {
    for (i = 0; i < 2; i++)
      MPI_Irecv(&in[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    for (i = 0; i < 2; i++) {
      MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
      assert(in[index] == index + 1);
      seen += index + 1;
    }
    assert(seen == 3);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}

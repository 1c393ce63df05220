/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: takes messages as they come, until all are there. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int got[2] = {0, 0}, indices[2], n, left = 2;
  MPI_Request requests[2];
  if (rank) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(&got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
    while (left > 0) {
      MPI_Waitsome(2, requests, &n, indices, MPI_STATUSES_IGNORE);
      left -= n;
    }
    assert(got[0] == 1 && got[1] == 2);
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: both directions at a time; synchronous sends need no buffers either. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine = rank, other = -1;
  MPI_Request requests[2];
  if (rank < 2) {
    MPI_Recv_init(&other, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD,
                  &requests[0]);
    MPI_Ssend_init(&mine, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD,
                   &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    assert(other == 1 - rank);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
  }
  MPI_Finalize();
  return 0;
}

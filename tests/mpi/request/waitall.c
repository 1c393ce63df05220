/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * native: exit=0 procs=3
 * what: all four messages of a halo at once. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int out[2] = {rank, rank + 100}, in[2] = {-1, -1};
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  MPI_Irecv(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&out[0], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&out[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, statuses);
  assert(in[0] == left && in[1] == right + 100);
  assert(statuses[0].MPI_SOURCE == left && statuses[1].MPI_TAG == 2);
  assert(requests[0] == MPI_REQUEST_NULL);
  MPI_Finalize();
  return 0;
}

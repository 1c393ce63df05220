/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: a halo on both sides: two posted receives, two synchronous requests */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int in[2], left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Request r[4];
  MPI_Irecv(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &r[1]);
  MPI_Issend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &r[2]);
  MPI_Issend(&rank, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &r[3]);
  MPI_Waitall(2, r + 2, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  assert(in[0] == left && in[1] == right);
  MPI_Finalize();
  return 0;
}

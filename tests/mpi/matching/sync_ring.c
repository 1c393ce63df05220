/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..4
 * native: exit=0 procs=3
 * what: receives posted first, then synchronous sends around a ring */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int in, left = (rank + size - 1) % size;
  MPI_Request r;
  MPI_Irecv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &r);
  MPI_Ssend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  assert(in == left);
  MPI_Finalize();
  return 0;
}

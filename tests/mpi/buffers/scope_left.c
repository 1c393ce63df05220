/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE memory --procs=2
 * native: none
 * what: the buffer of a receive is a variable of a function that has returned */
#include <mpi.h>

static void begin(int from, MPI_Request *r) {
  int x;
  MPI_Irecv(&x, 1, MPI_INT, from, 0, MPI_COMM_WORLD, r);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request r;
  int x = rank;
  begin(1 - rank, &r);
  MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE memory --procs=2
 * native: none
 * what: frees what is being sent */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int y, *x = malloc(sizeof *x);
  MPI_Request r;
  if (!x)
    MPI_Abort(MPI_COMM_WORLD, 1);
  *x = rank;
  MPI_Isend(x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
  free(x);
  MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}

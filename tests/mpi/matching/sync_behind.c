/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: the synchronous message is behind another one that a posted receive takes */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1, z = 2, y = 0, w = 0;
  MPI_Request r[2], s;
  if (rank == 0) {
    MPI_Irecv(&y, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&w, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &r[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    assert(y == 1 && w == 2);
  } else {
    MPI_Isend(&x, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &s);
    MPI_Ssend(&z, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&s, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}

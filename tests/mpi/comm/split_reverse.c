/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: the key turns the order around. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int sub, x, y = -1;
  MPI_Comm turned;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  MPI_Comm_rank(turned, &sub);
  assert(sub == size - 1 - rank);
  x = rank;
  if (sub == 0)
    MPI_Send(&x, 1, MPI_INT, 1, 0, turned);
  else if (sub == 1) {
    MPI_Recv(&y, 1, MPI_INT, 0, 0, turned, MPI_STATUS_IGNORE);
    assert(y == size - 1);
  }
  MPI_Comm_free(&turned);
  MPI_Finalize();
  return 0;
}

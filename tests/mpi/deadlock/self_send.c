/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1 --deadlock=absolute
 * expect: UNSAFE deadlock --procs=1 --deadlock=potential
 * native: exit=0 procs=1
 * what: a message to oneself must be buffered. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 5, y = 0;
  MPI_Send(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Recv(&y, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(x == y);
  MPI_Finalize();
  return 0;
}

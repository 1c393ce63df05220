/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2 --deadlock=absolute
 * expect: UNSAFE deadlock --procs=2 --deadlock=potential
 * native: exit=0 procs=2
 * what: the second message is received first, by its tag: the first must be
 *   buffered. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a = 1, b = 2;
  if (rank == 0) {
    MPI_Send(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Send(&b, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(a == 1 && b == 2);
  }
  MPI_Finalize();
  return 0;
}

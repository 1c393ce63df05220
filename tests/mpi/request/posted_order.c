/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: messages go to the receives in the order in which those were posted,
 *   whatever is waited for first. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a = 1, b = 2;
  MPI_Request first, second;
  if (rank == 0) {
    MPI_Send(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    a = b = 0;
    MPI_Irecv(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &first);
    MPI_Irecv(&b, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &second);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    assert(a == 1 && b == 2);
  }
  MPI_Finalize();
  return 0;
}

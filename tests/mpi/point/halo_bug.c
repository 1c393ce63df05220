/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=2
 * expect: UNSAFE assert --procs=3
 * native: none
 * what: the two sides of a process are mixed up: the left border goes to the
 *   right. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int u[4] = {0, 10 * rank + 1, 10 * rank + 2, 0}, left, right;
  left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&u[1], 1, MPI_INT, right, 0, &u[0], 1, MPI_INT, left, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank > 0)
    assert(u[0] == 10 * (rank - 1) + 2);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1
 * expect: UNSAFE assert --procs=2
 * native: none
 * what: only the root has the result of MPI_Reduce. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1, sum = 0;
  MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  assert(sum == size);
  MPI_Finalize();
  return 0;
}

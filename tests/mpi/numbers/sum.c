/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=2
 * native: none
 * what: the sum of a reduction wraps */
#include <limits.h>
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = INT_MAX - rank, y;
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(y > 0);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=2
 * native: none
 * what: 0.1 as a float is another number */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double x = 0.1;
  float y = (float)x;
  MPI_Bcast(&y, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
  assert(y == x);
  MPI_Finalize();
  return 0;
}

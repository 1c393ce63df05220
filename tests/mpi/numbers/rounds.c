/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: sums of floats round */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double x = rank ? 0.2 : 0.1, y;
  MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  assert(y != 0.3 && y > 0.3);
  MPI_Finalize();
  return 0;
}

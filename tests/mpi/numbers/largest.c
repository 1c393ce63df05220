/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: the largest of numbers without sign */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  unsigned x = rank ? 4000000000u : 1u, y;
  MPI_Allreduce(&x, &y, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
  assert(y == 4000000000u);
  MPI_Finalize();
  return 0;
}

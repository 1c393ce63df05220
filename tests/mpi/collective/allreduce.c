/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..4
 * native: exit=0 procs=3
 * what: everybody gets the sum, the product and the smallest. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank + 1, sum, product, min, ok;
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&x, &product, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
  MPI_Allreduce(&x, &min, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  ok = sum == size * (size + 1) / 2 && min == 1;
  MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  assert(ok);
  assert(size > 3 || product == (size == 3 ? 6 : size));
  MPI_Finalize();
  return 0;
}

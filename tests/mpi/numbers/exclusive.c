/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: none
 * what: x ^ y ^ y is x */
#include <heddle.h>
#include <limits.h>
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = heddle_nondet_int(INT_MIN, INT_MAX),
      y = heddle_nondet_int(INT_MIN, INT_MAX);
  int z = x ^ y;
  assert((z ^ y) == x);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=2
 * native: none
 * what: a product without sign wraps */
#include <heddle.h>
#include <limits.h>
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  unsigned x = (unsigned)heddle_nondet_int(INT_MIN, INT_MAX);
  assert(x * 3u >= x);
  MPI_Finalize();
  return 0;
}

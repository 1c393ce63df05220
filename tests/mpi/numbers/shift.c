/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE arith --procs=2
 * expect: SAFE --procs=2 -DLESS
 * native: none
 * what: a shift by an input, up to 32 */
#include <heddle.h>
#include <limits.h>
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = heddle_nondet_int(INT_MIN, INT_MAX);
#ifdef LESS
  heddle_assume(n >= 0 && n < 31);
#else
  heddle_assume(n >= 0 && n < 33);
#endif
  int x = 1 << n;
  assert(x > 0);
  MPI_Finalize();
  return 0;
}

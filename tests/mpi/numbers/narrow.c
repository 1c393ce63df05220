/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=2
 * expect: SAFE --procs=2 -DSMALL
 * native: none
 * what: what does not fit into an unsigned char wraps */
#include <heddle.h>
#include <limits.h>
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = heddle_nondet_int(INT_MIN, INT_MAX);
#ifdef SMALL
  heddle_assume(x >= 0 && x < 256);
#else
  heddle_assume(x >= 0 && x < 400);
#endif
  unsigned char c = (unsigned char)x;
  assert(c == x);
  MPI_Finalize();
  return 0;
}

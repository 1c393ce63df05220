/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE overflow --procs=2 --check=overflow
 * expect: SAFE --procs=2 --check=overflow -DEXCEPT
 * expect: UNSAFE assert --procs=2 -DLARGE
 * native: none
 * what: the least int has no opposite; what only large numbers show */
#include <assert.h>
#include <heddle.h>
#include <limits.h>
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
#ifdef LARGE
  long long x = heddle_nondet_longlong(LLONG_MIN, LLONG_MAX);
  assert(x < 5000000000);
#else
  int x = heddle_nondet_int(INT_MIN, INT_MAX);
#ifdef EXCEPT
  if (x != INT_MIN)
#endif
    x = x < 0 ? -x : x;
#endif
  (void)x;
  MPI_Finalize();
  return 0;
}

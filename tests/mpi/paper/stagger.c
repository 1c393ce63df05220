/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNPROVED --procs=2 -DWEAK
 * native: exit=0 procs=2
 * what: what is sent in an odd round is received in the even round before it, so
 *   rank 1 is always ahead of rank 0. Without the bounds of i (WEAK) the
 *   invariant is inductive but too weak for the assertion. */
#include <assert.h>
#include <mpi.h>

#pragma TASS input {n >= 0}
int n = 5;

int main(void) {
  int myrank, i = 0, x = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &myrank);
#ifdef WEAK
#pragma TASS collective invariant I i == PROC[1-myrank]@main.i && \
  x == 2*((i+1-myrank)/2);
#else
#pragma TASS collective invariant I i == PROC[1-myrank]@main.i && \
  x == 2*((i+1-myrank)/2) && 0 <= i && i <= 2*n;
#endif
  while (i < 2 * n) {
    if (myrank == 0 && i % 2 == 0) {
      MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (myrank == 1 && i % 2 == 1) {
      x = i + 1;
      MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    i++;
  }
  assert(x == 2 * n);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=10
 * expect: UNPROVED --procs=3 -DALONE
 * expect: UNPROVED --procs=3 -DUNBOUNDED
 * native: exit=0 procs=3
 * what: every process counts to N, without a message. If the counters are not
 *   said to be equal (ALONE) one process seems to leave the loop in a round in
 *   which another stays; without i <= N (UNBOUNDED) too little is known at the
 *   end. */
#include <assert.h>
#include <mpi.h>

#pragma TASS input {N >= 0}
int N = 100;

int main(void) {
  int myrank, nprocs, i = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &myrank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
#if defined ALONE
#pragma TASS collective invariant I 0 <= i && i <= N;
#elif defined UNBOUNDED
#pragma TASS collective invariant I 0 <= i && \
  i == PROC[(myrank+1)%nprocs]@main.i;
#else
#pragma TASS collective invariant I 0 <= i && i <= N && \
  i == PROC[(myrank+1)%nprocs]@main.i;
#endif
  while (i < N)
    i++;
  assert(i == N);
  MPI_Finalize();
  return 0;
}

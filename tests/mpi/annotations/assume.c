/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * expect: UNSAFE assert --procs=3 -DALL
 * native: none
 * what: a collective assertion is about the processes as they were when each came
 *   there, and an assumption about what follows it: x + 1 of the right neighbour is
 *   never 11. ALL does not assume that. */
#include <mpi.h>

#pragma heddle input
int limit = 4;

int main(void) {
  int rank, nprocs, x;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
  x = limit + rank;
#ifndef ALL
#pragma heddle assume x < 10
#endif
#pragma heddle collective assert A PROC[(rank + 1) % nprocs].x + 1 != 11
  x = 0;
  MPI_Finalize();
  return x;
}

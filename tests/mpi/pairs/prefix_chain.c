/* SPDX-License-Identifier: MIT */
/* spec: prefix_spec.c
 * expect: SAFE --procs=2
 * expect: SAFE --procs=4
 * expect: UNSAFE assert --procs=4 -DBROKEN
 * native: exit=0 procs=4
 * what: prefix sums of a part in each process; what comes before it is handed on
 *   from rank to rank. In BROKEN a process hands on its own sum only. */
#include <mpi.h>

#ifndef N
#define N 8
#endif

#pragma heddle input
int a[N];
#pragma heddle output
int sums[N];

int main(void) {
  int rank, nprocs, mine[N], before = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
  int n = N / nprocs, s = 0;
  for (int i = 0; i < n; i++) {
    s += a[rank * n + i];
    mine[i] = s;
  }
  if (rank > 0)
    MPI_Recv(&before, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  if (rank < nprocs - 1) {
#ifdef BROKEN
    int next = s;
#else
    int next = before + s;
#endif
    MPI_Send(&next, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; i < n; i++)
    mine[i] += before;
  MPI_Gather(mine, n, MPI_INT, sums, n, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

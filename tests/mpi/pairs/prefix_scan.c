/* SPDX-License-Identifier: MIT */
/* spec: prefix_spec.c
 * expect: SAFE --procs=4
 * expect: UNSAFE assert --procs=4 -DBROKEN
 * native: exit=0 procs=4
 * what: the same by MPI_Scan, which includes the process itself. BROKEN forgets
 *   that. */
#include <mpi.h>

#ifndef N
#define N 8
#endif

#pragma heddle input
int a[N];
#pragma heddle output
int sums[N];

int main(void) {
  int rank, nprocs, mine[N], upto;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
  int n = N / nprocs, s = 0;
  for (int i = 0; i < n; i++) {
    s += a[rank * n + i];
    mine[i] = s;
  }
  MPI_Scan(&s, &upto, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
#ifdef BROKEN
    mine[i] += upto;
#else
    mine[i] += upto - s;
#endif
  MPI_Gather(mine, n, MPI_INT, sums, n, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

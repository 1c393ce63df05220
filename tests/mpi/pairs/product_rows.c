/* SPDX-License-Identifier: MIT */
/* spec: product_spec.c
 * expect: SAFE --procs=2
 * expect: SAFE --procs=4
 * expect: UNSAFE assert --procs=2 -DBROKEN
 * native: exit=0 procs=4
 * what: every process computes some rows, rank 0 collects them. In BROKEN all
 *   rows but those of rank 0 are those of the transposed matrix. */
#include <mpi.h>

#ifndef N
#define N 4
#endif

#pragma heddle input
double A[N][N];
#pragma heddle input
double B[N][N];
#pragma heddle output
double C[N][N];

int main(void) {
  int rank, nprocs;
  double mine[N][N];
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
  int rows = N / nprocs;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int k = 0; k < N; k++)
#ifdef BROKEN
        s += rank ? A[k][rank * rows + i] * B[k][j]
                  : A[rank * rows + i][k] * B[k][j];
#else
        s += A[rank * rows + i][k] * B[k][j];
#endif
      mine[i][j] = s;
    }
  MPI_Gather(mine, rows * N, MPI_DOUBLE, C, rows * N, MPI_DOUBLE, 0,
             MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

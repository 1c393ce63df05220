/* SPDX-License-Identifier: MIT */
/* A stencil in parts: the ends go to the neighbours, the rest is shared out, in place.
 * procs: 2
 * expect: race UNSAFE 27 */
#include <mpi.h>
#include <stdlib.h>
enum { N = 8, ROUNDS = 2 };
int main(int argc, char **argv) {
  int provided, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *a = malloc((N + 2) * sizeof *a), *b = malloc((N + 2) * sizeof *b);
  for (int i = 0; i < N + 2; i++)
    a[i] = b[i] = rank;
  int left = rank ? rank - 1 : MPI_PROC_NULL;
  int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  for (int k = 0; k < ROUNDS; k++) {
    MPI_Sendrecv(&a[1], 1, MPI_DOUBLE, left, 0, &a[N + 1], 1, MPI_DOUBLE, right, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&a[N], 1, MPI_DOUBLE, right, 1, &a[0], 1, MPI_DOUBLE, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp parallel for
    for (int i = 1; i <= N; i++)
      a[i] = (a[i - 1] + a[i + 1]) / 2;
    double *c = a;
    a = b;
    b = c;
  }
  free(a);
  free(b);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* MPI_THREAD_FUNNELED: the first thread sends and receives, between two barriers.
 * procs: 2
 * expect: mpi SAFE */
#include <mpi.h>
int main(int argc, char **argv) {
  int provided, rank, got = 0;
  double a[8];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
  {
#pragma omp master
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &got, 1, MPI_INT, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 8; i++)
      a[i] = i + got;
  }
  MPI_Finalize();
  return a[1] < 0;
}

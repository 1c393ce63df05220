/* SPDX-License-Identifier: MIT */
/* MPI_THREAD_FUNNELED, and `single` lets any thread send.
 * procs: 2
 * expect: mpi UNSAFE 13 */
#include <mpi.h>
int main(int argc, char **argv) {
  int provided, rank, got;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
  {
#pragma omp single
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &got, 1, MPI_INT, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return got == rank;
}

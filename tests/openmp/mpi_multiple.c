/* SPDX-License-Identifier: MIT */
/* MPI_THREAD_MULTIPLE: each thread sends.
 * procs: 2
 * expect: race SAFE */
#include <mpi.h>
int main(int argc, char **argv) {
  int provided, rank, got;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!rank) {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 4; i++) {
      MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    }
  } else {
    for (int i = 0; i < 4; i++)
      MPI_Recv(&got, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}

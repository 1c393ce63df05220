/* SPDX-License-Identifier: MIT */
/* MPI_Init: there is one thread. The first one calls MPI while others compute.
 * procs: 1
 * expect: mpi UNSAFE 12 */
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, a[4];
  MPI_Init(&argc, &argv);
#pragma omp parallel
  {
#pragma omp master
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp for
    for (int i = 0; i < 4; i++)
      a[i] = i;
  }
  MPI_Finalize();
  return a[0] + rank;
}

/* SPDX-License-Identifier: MIT */
/* MPI_Finalize by another thread than the one that has initialized MPI.
 * procs: 1
 * expect: mpi UNSAFE 11 */
#include <mpi.h>
int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
#pragma omp parallel num_threads(2)
#pragma omp single
  MPI_Finalize();
  return 0;
}

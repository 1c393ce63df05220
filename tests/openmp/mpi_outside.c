/* SPDX-License-Identifier: MIT */
/* MPI_Init, regions that do not call MPI, and a sum over all processes.
 * procs: 3
 * expect: race SAFE */
#include <assert.h>
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, size, sum = 0, total;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    sum += rank;
  MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(total == 5 * size * (size - 1));
  MPI_Finalize();
  return 0;
}

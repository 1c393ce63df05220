/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..3
 * native: exit=0 procs=3
 * what: an integral by rectangles, each process some of them; doubles. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i;
  double h = 1.0 / 8, sum = 0, all = 0;
  for (i = rank; i < 8; i += size)
    sum += h;
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    assert(all == 1.0);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..4
 * native: exit=0 procs=3
 * what: an array from the last rank to all. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i, a[4] = {0};
  if (rank == size - 1)
    for (i = 0; i < 4; i++)
      a[i] = i + 1;
  MPI_Bcast(a, 4, MPI_INT, size - 1, MPI_COMM_WORLD);
  for (i = 0; i < 4; i++)
    assert(a[i] == i + 1);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..3
 * native: exit=0 procs=3
 * what: the root shares out an array. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int all[6], mine[2], i;
  if (rank == 0)
    for (i = 0; i < 6; i++)
      all[i] = i * i;
  MPI_Scatter(all, 2, MPI_INT, mine, 2, MPI_INT, 0, MPI_COMM_WORLD);
  assert(mine[0] == 4 * rank * rank);
  assert(mine[1] == (2 * rank + 1) * (2 * rank + 1));
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..3
 * native: exit=0 procs=3
 * what: two numbers of everybody at the root; the others pass no buffer. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine[2] = {rank, 10 * rank}, *all = NULL, i;
  if (rank == 0)
    all = malloc(2 * size * sizeof *all);
  MPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (i = 0; i < size; i++)
      assert(all[2 * i] == i && all[2 * i + 1] == 10 * i);
    free(all);
  }
  MPI_Finalize();
  return 0;
}

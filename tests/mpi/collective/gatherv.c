/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..3
 * native: exit=0 procs=3
 * what: rank r brings r + 1 numbers. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine[3] = {rank, rank, rank}, all[6] = {0};
  int counts[3] = {1, 2, 3}, starts[3] = {0, 1, 3};
  MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, starts, MPI_INT, 0,
              MPI_COMM_WORLD);
  if (rank == 0 && size == 3)
    assert(all[0] == 0 && all[1] == 1 && all[2] == 1 && all[5] == 2);
  MPI_Finalize();
  return 0;
}

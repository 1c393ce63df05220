/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..4
 * native: exit=0 procs=4
 * what: everybody has everything. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int all[4], i;
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (i = 0; i < size; i++)
    assert(all[i] == i);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * native: exit=0 procs=3
 * what: with MPI_IN_PLACE count and type of what is sent mean nothing. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int all[4] = {0, 0, 0, 0}, i;
  all[rank] = rank + 1;
  MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT,
                MPI_COMM_WORLD);
  for (i = 0; i < size; i++)
    assert(all[i] == i + 1);
  MPI_Finalize();
  return 0;
}

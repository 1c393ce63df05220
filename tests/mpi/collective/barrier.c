/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..4
 * native: exit=0 procs=4
 * what: three barriers. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i;
  for (i = 0; i < 3; i++)
    MPI_Barrier(MPI_COMM_WORLD);
  assert(i == 3);
  MPI_Finalize();
  return 0;
}

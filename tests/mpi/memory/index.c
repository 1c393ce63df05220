/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..3
 * expect: UNSAFE memory --procs=4
 * native: exit=0 procs=3
 * what: room for three processes. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int all[3], i;
  for (i = 0; i < size; i++)
    all[i] = i;
  MPI_Bcast(all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  assert(all[0] == 0);
  MPI_Finalize();
  return 0;
}

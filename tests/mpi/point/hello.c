/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..4
 * native: exit=0 procs=2
 * what: every process knows its rank and how many there are. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  assert(size >= 1);
  assert(0 <= rank && rank < size);
  MPI_Finalize();
  return 0;
}

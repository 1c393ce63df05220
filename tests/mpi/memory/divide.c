/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * expect: UNSAFE arith --procs=1
 * native: exit=0 procs=3
 * what: work is shared among the others; there must be some. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int share = 12 / (size - 1);
  assert(share * (size - 1) <= 12);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * expect: UNSAFE memory --procs=3 -DSHORT
 * native: exit=0 procs=3
 * what: an array of variable length in a block, which only MPI writes. SHORT: an element is missing */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef SHORT
  size--;
#endif
  {
    int all[size];
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}

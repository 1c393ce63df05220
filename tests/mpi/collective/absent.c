/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=3 --deadlock=absolute
 * expect: UNSAFE deadlock|mpi --procs=3 --deadlock=potential
 * expect: SAFE --procs=2
 * native: none
 * what: rank 2 does not take part in the broadcast. Nobody needs it, but it
 *   is wrong. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank;
  if (rank < 2)
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

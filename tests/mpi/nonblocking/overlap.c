/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: a broadcast and a reduction are under way together, and are completed in the other order. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank == 0 ? 5 : -1, mine = rank + 1, sum = 0;
  MPI_Request bcast, reduce;
  MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &bcast);
  MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &reduce);
  MPI_Wait(&reduce, MPI_STATUS_IGNORE);
  MPI_Wait(&bcast, MPI_STATUS_IGNORE);
  assert(x == 5 && sum == size * (size + 1) / 2);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3 --deadlock=absolute
 * native: exit=0 procs=3
 * what: collective calls with no data; a barrier orders */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, y = 0, all[3];
  MPI_Bcast(&x, 0, MPI_INT, 0, MPI_COMM_WORLD);
  assert(x == rank);
  MPI_Allgather(&x, 0, MPI_INT, all, 0, MPI_INT, MPI_COMM_WORLD);
  if (rank == 1)
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2)
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Reduce(&x, &y, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    assert(y == 2);
  MPI_Finalize();
  return 0;
}

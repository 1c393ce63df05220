/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3 --deadlock=absolute
 * expect: UNSAFE deadlock --procs=3 --deadlock=potential
 * native: none
 * what: three send around a circle before they receive; what comes later
 *   needs no buffers. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, y;
  MPI_Send(&x, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
  MPI_Recv(&y, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}

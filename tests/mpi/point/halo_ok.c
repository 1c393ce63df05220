/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: three steps of a stencil; ghost cells are exchanged with
 *   MPI_PROC_NULL at the ends. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int u[4], i, t, old, left, right;
  left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  for (i = 0; i < 4; i++)
    u[i] = 0;
  if (rank == 0)
    u[1] = 64;
  for (t = 0; t < 3; t++) {
    MPI_Sendrecv(&u[2], 1, MPI_INT, right, 0, &u[0], 1, MPI_INT, left, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[1], 1, MPI_INT, left, 1, &u[3], 1, MPI_INT, right, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    old = u[1];
    u[1] = (u[0] + u[2]) / 2;
    u[2] = (old + u[3]) / 2;
  }
  assert(u[1] >= 0 && u[1] <= 64 && u[2] >= 0 && u[2] <= 64);
  if (rank == 0)
    assert(u[1] == 0 && u[2] == 16);
  MPI_Finalize();
  return 0;
}

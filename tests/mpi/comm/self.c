/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..2
 * native: exit=0 procs=2
 * what: MPI_COMM_SELF has one process. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int r, n, x = 3, y = 0;
  MPI_Comm_rank(MPI_COMM_SELF, &r);
  MPI_Comm_size(MPI_COMM_SELF, &n);
  assert(r == 0 && n == 1);
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  assert(y == 3);
  MPI_Finalize();
  return 0;
}

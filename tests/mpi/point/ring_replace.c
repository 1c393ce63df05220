/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * native: exit=0 procs=3
 * what: the same in one buffer, until everybody has its own number again. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int i, x = rank;
  for (i = 0; i < size; i++)
    MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % size, 0,
                         (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
  assert(x == rank);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1..3
 * native: exit=0 procs=3
 * what: a transposition. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int to[4], from[4], i;
  for (i = 0; i < size; i++)
    to[i] = 10 * rank + i;
  MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
  for (i = 0; i < size; i++)
    assert(from[i] == 10 * i + rank);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: rank 0 does not take part. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1, sum = 0;
  MPI_Comm rest;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &rest);
  if (rank == 0) {
    assert(rest == MPI_COMM_NULL);
  } else {
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, rest);
    assert(sum == size - 1);
    MPI_Comm_free(&rest);
  }
  MPI_Finalize();
  return 0;
}

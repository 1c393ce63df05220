/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..4
 * native: exit=0 procs=4
 * what: even and odd ranks add up among themselves. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int sub, n, sum;
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_rank(half, &sub);
  MPI_Comm_size(half, &n);
  assert(sub == rank / 2);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
  assert(sum == n * (n - 1) + (rank % 2) * n);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3..4
 * native: exit=0 procs=4
 * what: a communicator of a group: all but the first. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int first = 0, mine = 1, sum = 0, n;
  MPI_Group world, rest;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_excl(world, 1, &first, &rest);
  MPI_Group_size(rest, &n);
  assert(n == size - 1);
  MPI_Comm_create(MPI_COMM_WORLD, rest, &comm);
  assert((comm == MPI_COMM_NULL) == (rank == 0));
  if (comm != MPI_COMM_NULL) {
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    assert(sum == size - 1);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&rest);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}

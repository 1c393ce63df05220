/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: many communicators of groups and copies, one after the other. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int n, i;
  MPI_Init(&argc, &argv);
  for (i = 0; i < 20; i++) {
    MPI_Group group;
    MPI_Comm some, copy;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &some);
    MPI_Comm_dup(some, &copy);
    MPI_Comm_size(copy, &n);
    assert(n == 2);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&some);
    MPI_Group_free(&group);
  }
  MPI_Finalize();
  return 0;
}

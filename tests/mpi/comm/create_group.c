/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3..4
 * expect: UNSAFE deadlock --procs=3 -DTAG=rank
 * expect: UNSAFE mpi --procs=3 -DALL
 * expect: UNSAFE leak --procs=3 -DKEPT
 * native: exit=0 procs=4
 * what: only those with an even number make a communicator of their own. TAG:
 * with different tags they do not meet; ALL: others call it, too; KEPT: it is
 * never freed. */
#include <assert.h>
#include <mpi.h>
#ifndef TAG
#define TAG 5
#endif

int main(int argc, char **argv) {
  int rank, size, even[8], n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size && i < 16; i += 2)
    even[n++] = i;
  MPI_Group all, some;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, n, even, &some);
#ifndef ALL
  if (rank % 2 == 0)
#endif
  {
    MPI_Comm comm;
    int sum, mine;
    MPI_Comm_create_group(MPI_COMM_WORLD, some, TAG, &comm);
    MPI_Comm_rank(comm, &mine);
    assert(mine == rank / 2);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    assert(sum == 2);
#ifndef KEPT
    MPI_Comm_free(&comm);
#endif
  }
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=4
 * expect: UNSAFE mpi --procs=4 -DROOT
 * expect: UNSAFE mpi --procs=4 -DSIDE
 * expect: UNSAFE mpi --procs=4 -DIN_PLACE
 * expect: UNSAFE mpi --procs=4 -DSCAN
 * expect: UNSAFE mpi --procs=4 -DCOUNT
 * native: exit=0 procs=4
 * what: collective calls between two groups. ROOT: nobody says that it is the root; SIDE: somebody of the other group says that the root is beside it; IN_PLACE: between groups; SCAN: likewise; COUNT: of other lengths */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm half, inter;
  int low = rank < 2, other = low ? 2 : 0, x = -1, y = -1, two[2] = {-1, -1};
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other, 7, &inter);
  x = rank == 1 ? 42 : -1;
  int root = rank == 1 ? MPI_ROOT : low ? MPI_PROC_NULL : 1, count = 1;
#ifdef ROOT
  root = 1;
#elif defined SIDE
  root = rank == 3 ? MPI_PROC_NULL : root;
#elif defined COUNT
  count = rank == 3 ? 0 : 1;
#endif
  MPI_Bcast(&x, count, MPI_INT, root, inter);
  assert(x == (rank ? 42 : -1));
#ifdef IN_PLACE
  MPI_Allreduce(MPI_IN_PLACE, &y, 1, MPI_INT, MPI_SUM, inter);
#elif defined SCAN
  MPI_Scan(&rank, &y, 1, MPI_INT, MPI_SUM, inter);
#endif
  MPI_Allreduce(&rank, &y, 1, MPI_INT, MPI_SUM, inter);
  assert(y == (low ? 5 : 1));
  MPI_Allgather(&rank, 1, MPI_INT, two, 1, MPI_INT, inter);
  assert(two[0] == other && two[1] == other + 1);
  int to[2] = {10 * rank, 10 * rank + 1};
  MPI_Alltoall(to, 1, MPI_INT, two, 1, MPI_INT, inter);
  assert(two[0] == 10 * other + rank % 2);
  assert(two[1] == 10 * (other + 1) + rank % 2);
  two[0] = -1;
  MPI_Gather(&rank, 1, MPI_INT, two, 1, MPI_INT, root, inter);
  assert(two[0] == (rank == 1 ? 2 : -1));
  y = -1;
  MPI_Scatter(to, 1, MPI_INT, &y, 1, MPI_INT, root, inter);
  assert(y == (low ? -1 : 10 + rank - 2));
  MPI_Reduce(&rank, &y, 1, MPI_INT, MPI_MAX, root, inter);
  assert(rank != 1 || y == 3);
  MPI_Barrier(inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}

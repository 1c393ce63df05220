/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE mpi --procs=2 -DALLGATHER
 * expect: UNSAFE mpi --procs=2 -DSCAN
 * expect: UNSAFE mpi --procs=2 -DSCATTER
 * expect: UNSAFE mpi --procs=2 -DSENDRECV
 * native: none
 * what: buffers of one call that lie on each other, in a program with an input */
#include <assert.h>
#include <mpi.h>
#pragma heddle input{0 <= n &&n <= 1000000 }
int n;

int main(int argc, char **argv) {
  int rank, a[4] = {1, 2, 3, 4}, b[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if defined ALLGATHER
  MPI_Allgather(&a[rank], 1, MPI_INT, a, 1, MPI_INT, MPI_COMM_WORLD);
#elif defined SCAN
  MPI_Scan(a, a + 1, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#elif defined SCATTER
  MPI_Scatter(a, 2, MPI_INT, a + 3, 1, MPI_INT, 0, MPI_COMM_WORLD);
#elif defined SENDRECV
  MPI_Sendrecv(a, 3, MPI_INT, 1 - rank, 0, a + 2, 2, MPI_INT, 1 - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  MPI_Scan(a, a + 2, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(a[2] == rank + 1);
  MPI_Allgather(&a[0], 1, MPI_INT, &a[1], 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Sendrecv(a, 2, MPI_INT, 1 - rank, 0, b, 2, MPI_INT, 1 - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  /* what only the root looks at may be anything elsewhere */
  MPI_Reduce(a, rank == 0 ? b : a, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
#endif
  MPI_Finalize();
  return 0;
}

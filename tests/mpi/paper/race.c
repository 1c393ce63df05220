/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE invariant --procs=3
 * expect: UNSAFE invariant --procs=10
 * expect: SAFE --procs=3 -DBARRIER
 * native: none
 * what: rank 0 adds the ranks that the others send, again and again. Nothing
 *   keeps a fast process from sending twice before a slow one sends once: the sum
 *   may be made of messages of different rounds. With a barrier at the end of a
 *   round it cannot. */
#include <mpi.h>

int main(void) {
  int myrank, nprocs, s, t, x, j;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &myrank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
  s = nprocs * (nprocs - 1) / 2;
  t = s;
#pragma TASS collective invariant I s == t;
  while (1) {
    if (myrank == 0) {
      s = 0;
      for (j = 1; j < nprocs; j++) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        s += x;
      }
    } else {
      MPI_Send(&myrank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
#ifdef BARRIER
    MPI_Barrier(MPI_COMM_WORLD);
#endif
  }
}

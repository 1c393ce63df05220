/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=10
 * expect: SAFE --procs=2..5
 * expect: SAFE --procs=3 -DSEND_FIRST --deadlock=absolute
 * expect: UNSAFE deadlock --procs=3 -DSEND_FIRST --deadlock=potential
 * expect: UNSAFE deadlock --procs=3 -DRECV_FIRST
 * expect: UNSAFE deadlock --procs=1 --deadlock=potential
 * expect: SAFE --procs=1 --deadlock=absolute
 * native: exit=0 procs=4
 * what: messages go around a ring, N times. Even ranks send first, odd ranks
 *   receive first. When all send first it needs buffers; when all receive first
 *   nothing moves; a process alone sends to itself. */
#include <mpi.h>

#pragma TASS input {N >= 0}
int N = 5;

int main(void) {
  int myrank, nprocs, left, right, x, y, i = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &myrank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
  left = (myrank + nprocs - 1) % nprocs;
  right = (myrank + 1) % nprocs;
  x = myrank;
#pragma TASS collective invariant I i == PROC[right]@main.i;
  while (i < N) {
#if defined RECV_FIRST
    int first = 0;
#elif defined SEND_FIRST
    int first = 1;
#else
    int first = myrank % 2 == 0;
#endif
    if (first) {
      MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
      MPI_Recv(&y, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&y, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    }
    i++;
  }
  MPI_Finalize();
  return 0;
}

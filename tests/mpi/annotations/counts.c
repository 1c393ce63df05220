/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE invariant --procs=2 -DWRONG
 * native: exit=0 procs=2
 * what: rank 1 sends in every second round, rank 0 receives one round before; the
 *   numbers of messages so far are part of the invariant. WRONG says that one is
 *   sent in every round. */
#include <assert.h>
#include <mpi.h>

#pragma heddle input {n >= 0}
int n = 5;

int main(void) {
  int rank, i = 0, x = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
#pragma heddle collective invariant I i == PROC[1 - rank].i && \
  (rank == 0 || sent(0) == i)
#else
#pragma heddle collective invariant I i == PROC[1 - rank].i && \
  0 <= i && i <= 2 * n && x == 2 * ((i + 1 - rank) / 2) && \
  (rank == 0 ? received(1) == (i + 1) / 2 : sent(0) == i / 2)
#endif
  while (i < 2 * n) {
    if (rank == 0 && i % 2 == 0) {
      MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1 && i % 2 == 1) {
      x = i + 1;
      MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    i++;
  }
  assert(x == 2 * n);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE mpi --procs=2 -DCOPIED
 * expect: UNSAFE mpi --procs=2 -DCOPIED -DTEST
 * native: none
 * what: MPI_Waitall waits for each of its requests: a persistent one, which is there
 * also when it is complete, may stand there twice. COPIED: one that is gone with its
 * first wait; TEST: MPI_Testall. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 5, done = 0;
  MPI_Request r[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
#ifdef COPIED
    MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
#else
    MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Start(&r[0]);
#endif
    r[1] = r[0];
#ifdef TEST
    while (!done)
      MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);
#else
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#endif
#ifndef COPIED
    MPI_Request_free(&r[0]);
#endif
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(x == 5);
  }
  (void)done;
  MPI_Finalize();
  return 0;
}

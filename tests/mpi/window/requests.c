/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE mpi --procs=2 -DREUSED
 * expect: UNSAFE mpi --procs=2 -DNO_LOCK
 * expect: UNSAFE mpi --procs=2 -DNEVER
 * native: exit=0 procs=2
 * what: accesses with requests; the buffer is free when the request is complete.
 * REUSED: it is changed before that; NO_LOCK: they need a lock, a fence is not
 * enough; NEVER: nobody waits. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, mine[2] = {5, 6}, x = 3, y = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window;
  MPI_Request request;
  MPI_Win_create(mine, sizeof mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  if (rank == 0) {
#ifndef NO_LOCK
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
#endif
    MPI_Rput(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &request);
#ifdef REUSED
    x = 4;
#endif
#ifndef NEVER
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    x = 10;
    MPI_Win_flush(1, window);
    MPI_Rget(&y, 1, MPI_INT, 1, 1, 1, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(y == 6);
    MPI_Raccumulate(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, window,
                    &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef NO_LOCK
    MPI_Win_unlock(1, window);
#endif
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    assert(mine[0] == 13 && mine[1] == 6);
    MPI_Win_unlock(1, window);
  }
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}

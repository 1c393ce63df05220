/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * expect: SAFE --procs=2 -DFIRST=MPI_MODE_NOSUCCEED
 * expect: SAFE --procs=2 -DSECOND=MPI_MODE_NOPRECEDE
 * expect: SAFE --procs=2 -DNO_ACCESS
 * expect: UNSAFE mpi --procs=2 -DHELD
 * native: none
 * what: a lock between two fences that are an epoch, for there is an access
 * between them. They are none if they say so, or without the access. HELD: the
 * lock is still held at the second fence. */
#include <mpi.h>
#ifndef FIRST
#define FIRST 0
#endif
#ifndef SECOND
#define SECOND 0
#endif

int main(int argc, char **argv) {
  int rank, mine = 0, x = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window;
  MPI_Win_create(&mine, sizeof mine, sizeof mine, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  MPI_Win_fence(FIRST, window);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
#ifndef NO_ACCESS
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
#endif
#ifndef HELD
    MPI_Win_unlock(1, window);
#endif
  }
  MPI_Win_fence(SECOND, window);
#ifdef HELD
  if (rank == 0)
    MPI_Win_unlock(1, window);
#endif
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}

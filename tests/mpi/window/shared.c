/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * expect: SAFE --procs=2 -DFENCE
 * expect: UNSAFE mpi|uninit --procs=2..3 -DNO_BARRIER
 * expect: UNSAFE memory --procs=3 -DBEYOND
 * expect: UNSAFE assert --procs=2 -DCOUNT=1
 * native: exit=0 procs=3
 * what: memory that processes share: each part is behind the one before it */
#include <assert.h>
#include <mpi.h>

#ifndef COUNT
#define COUNT 0
#endif

static void together(MPI_Win window) {
#ifdef FENCE
  MPI_Win_fence(0, window);
#else
  MPI_Win_sync(window);
#ifndef NO_BARRIER
  MPI_Barrier(MPI_COMM_WORLD);
#endif
  MPI_Win_sync(window);
#endif
}

int main(int argc, char **argv) {
  int rank, size, unit, sum = 0, *mine, *theirs;
  MPI_Aint bytes;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL,
                          MPI_COMM_WORLD, &mine, &window);
#ifndef FENCE
  MPI_Win_lock_all(0, window);
#endif
  *mine = rank + 1;
#ifdef BEYOND
  if (rank == size - 1)
    mine[1] = 0;
#endif
  together(window);
  for (int i = 0; i < size; i++) {
    MPI_Win_shared_query(window, i, &bytes, &unit, &theirs);
    assert(bytes == sizeof(int) && unit == sizeof(int));
    assert(theirs == mine + i - rank);
    sum += *theirs;
  }
  assert(sum == size * (size + 1) / 2 + COUNT);
  together(window);
  if (rank == 0)
    mine[1] = 7; /* of the next process */
  together(window);
  assert(rank != 1 || *mine == 7);
#ifndef FENCE
  MPI_Win_unlock_all(window);
#endif
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}

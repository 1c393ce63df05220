/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2 -DPLAIN
 * expect: SAFE --procs=2..3
 * native: exit=0 procs=3
 * what: a counter in shared memory: added to by all at a time, or one after the
 *       other with MPI_Win_lock; who has none of the memory uses another's */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, unit, *mine, *counter;
  MPI_Aint bytes;
  MPI_Win window;
  MPI_Comm near;
  MPI_Init(&argc, &argv);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &near);
  MPI_Comm_rank(near, &rank);
  MPI_Comm_size(near, &size);
  MPI_Win_allocate_shared(rank ? 0 : sizeof(int), sizeof(int), MPI_INFO_NULL,
                          near, &mine, &window);
  MPI_Win_shared_query(window, MPI_PROC_NULL, &bytes, &unit, &counter);
  if (rank == 0)
    *counter = 0;
  MPI_Win_fence(0, window);
#ifdef PLAIN
  *counter += 1;
#else
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  *counter += 1;
  MPI_Win_unlock(0, window);
#endif
  MPI_Win_fence(0, window);
  assert(*counter == size);
  MPI_Win_free(&window);
  MPI_Comm_free(&near);
  MPI_Finalize();
  return 0;
}

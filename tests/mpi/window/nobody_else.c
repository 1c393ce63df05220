/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=3
 * expect: SAFE --procs=2
 * native: none
 * what: MPI_MODE_NOCHECK says that nobody else wants the lock meanwhile */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, part = 0;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(&part, sizeof part, sizeof part, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  if (rank > 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, window);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
  }
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}

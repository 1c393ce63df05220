/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * native: exit=0 procs=3
 * what: one of all processes gets the place, and nobody else. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, place = -1, nobody = -1, was, winner;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win window;
  MPI_Win_create(&place, sizeof place, sizeof place, MPI_INFO_NULL,
                 MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  MPI_Compare_and_swap(&rank, &nobody, &was, MPI_INT, 0, 0, window);
  MPI_Win_unlock_all(window);
  int won = was == -1, winners;
  MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(winners == 1);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  MPI_Get(&winner, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_unlock(0, window);
  assert(won == (winner == rank));
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}

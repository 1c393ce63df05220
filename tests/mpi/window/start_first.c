/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE deadlock --procs=2 --deadlock=potential
 * expect: SAFE --procs=2 --deadlock=absolute
 * expect: UNSAFE deadlock --procs=2 --deadlock=potential -DPUT_FIRST
 * expect: UNSAFE mpi --procs=2 --deadlock=absolute -DNOCHECK
 * native: none
 * what: both start before they post; MPI_Win_start may wait for MPI_Win_post of
 * the other one. PUT_FIRST: and put, which goes on only if it is kept somewhere;
 * NOCHECK: and say that the other one has posted. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = -1, other = 1 - rank;
  MPI_Win window;
  MPI_Group all, peer;
  MPI_Win_create(&mine, sizeof mine, sizeof mine, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &other, &peer);
#ifdef NOCHECK
  MPI_Win_start(peer, MPI_MODE_NOCHECK, window);
#else
  MPI_Win_start(peer, 0, window);
#endif
#ifdef PUT_FIRST
  MPI_Put(&rank, 1, MPI_INT, other, 0, 1, MPI_INT, window);
#endif
  MPI_Win_post(peer, 0, window);
#ifndef PUT_FIRST
  MPI_Put(&rank, 1, MPI_INT, other, 0, 1, MPI_INT, window);
#endif
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  assert(mine == other);
  MPI_Group_free(&all);
  MPI_Group_free(&peer);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}

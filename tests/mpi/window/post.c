/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * expect: UNSAFE mpi --procs=2 -DEARLY
 * expect: UNSAFE mpi --procs=2 -DNO_WAIT
 * expect: UNSAFE mpi --procs=2 -DNO_START
 * expect: UNSAFE mpi --procs=2 -DNO_COMPLETE
 * native: exit=0 procs=3
 * what: everybody opens its window to its left neighbour, which puts a number
 * into it. EARLY: the owner looks before it has waited; NO_WAIT: never waits;
 * NO_START: the access is in no epoch; NO_COMPLETE: the epoch is still
 * open when the window is freed. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine = -1, x = 10 + rank;
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Win window;
  MPI_Group all, from, to;
  MPI_Win_create(&mine, sizeof mine, sizeof mine, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  MPI_Win_get_group(window, &all);
  MPI_Group_incl(all, 1, &left, &from);
  MPI_Group_incl(all, 1, &right, &to);
  MPI_Win_post(from, 0, window);
#ifndef NO_START
  MPI_Win_start(to, 0, window);
#endif
  MPI_Put(&x, 1, MPI_INT, right, 0, 1, MPI_INT, window);
#ifdef EARLY
  assert(mine == -1 || mine == 10 + left);
#endif
#ifdef NO_COMPLETE
  if (rank == 0)
#endif
    MPI_Win_complete(window);
#ifndef NO_WAIT
  MPI_Win_wait(window);
  assert(mine == 10 + left);
#endif
  MPI_Group_free(&all);
  MPI_Group_free(&from);
  MPI_Group_free(&to);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE leak --procs=2 -DKEPT
 * expect: UNSAFE mpi --procs=2 -DTWICE
 * native: exit=0 procs=2
 * what: hints for a window. KEPT: they are never freed; TWICE: freed twice. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, mine = 0;
  MPI_Info info, copy;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Info_create(&info);
  copy = info;
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win_create(&mine, sizeof mine, 1, info, MPI_COMM_WORLD, &window);
#ifndef KEPT
  MPI_Info_free(&info);
#endif
#ifdef TWICE
  MPI_Info_free(&copy);
#endif
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return copy == MPI_INFO_NULL;
}

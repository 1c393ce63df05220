/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE mpi --procs=2 -DPRECEDE
 * expect: UNSAFE mpi --procs=2 -DSTORE
 * expect: UNSAFE mpi --procs=2 -DPUT
 * expect: UNSAFE mpi --procs=2 -DALONE
 * native: exit=0 procs=2
 * what: what the assertions of a fence say must be so */
#include <assert.h>
#include <mpi.h>

#ifdef STORE
#define BEFORE MPI_MODE_NOSTORE
#else
#define BEFORE 0
#endif
#ifdef PRECEDE
#define BEHIND MPI_MODE_NOPRECEDE
#else
#define BEHIND 0
#endif

int main(int argc, char **argv) {
  int rank, part = 1, got = 0;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(&part, sizeof part, sizeof part, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
#ifdef ALONE
  MPI_Win_fence(rank ? MPI_MODE_NOPRECEDE : 0, window);
#else
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
#endif
  part = rank + 1;
  MPI_Win_fence(MPI_MODE_NOPUT | BEFORE, window);
#ifdef PUT
  MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
#else
  MPI_Get(&got, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
#endif
  MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE | BEHIND, window);
#ifndef PUT
  assert(got == 2 - rank);
#endif
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * expect: UNSAFE mpi --procs=2 -DBCAST
 * expect: UNSAFE mpi --procs=2 -DORIGIN
 * expect: SAFE --procs=2 -DLATER
 * native: none
 * what: a message is received into memory of a window while another process
 *       changes it; what MPI reads and writes for a process counts like loads
 *       and stores: buffers of accesses that lie in the own window, too */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, part[2] = {0, 0}, value = 5;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(part, sizeof part, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  MPI_Win_fence(0, window);
#ifdef ORIGIN
  MPI_Put(&part[0], 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
#else
  if (rank == 1)
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
#endif
#ifdef LATER
  MPI_Win_fence(0, window);
  value = 7;
#endif
#ifdef BCAST
  MPI_Bcast(rank ? &value : part, 1, MPI_INT, 1, MPI_COMM_WORLD);
#elif !defined ORIGIN
  if (rank == 1)
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(part, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
#ifdef LATER
  assert(rank || part[0] == 7);
#endif
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * native: exit=0 procs=3
 * what: gathers and scatters, asked about until they are complete. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine = 10 + rank, all[8] = {0}, part = 0, done = 0, i;
  MPI_Request request;
  MPI_Igather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  while (!done)
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  for (i = 0; rank == 0 && i < size; i++)
    assert(all[i] == 10 + i);
  MPI_Iscatter(all, 1, MPI_INT, &part, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert(part == 10 + rank);
  MPI_Finalize();
  return 0;
}

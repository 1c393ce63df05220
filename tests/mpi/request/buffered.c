/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: buffers of the program: both send first, and nobody waits. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static char room[2 * (sizeof(int) + MPI_BSEND_OVERHEAD)];
  int x = rank, y = -1, bytes;
  void *back;
  MPI_Buffer_attach(room, sizeof room);
  if (rank < 2) {
    MPI_Bsend(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(y == 1 - rank);
  }
  MPI_Buffer_detach(&back, &bytes);
  assert(back == room && bytes == (int)sizeof room);
  MPI_Finalize();
  return 0;
}

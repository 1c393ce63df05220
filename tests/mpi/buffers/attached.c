/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE memory --procs=2 -DFREED
 * expect: UNSAFE mpi --procs=2 -DWRITTEN
 * expect: UNSAFE mpi --procs=2 -DREAD
 * expect: UNSAFE memory --procs=2 -DLESS
 * native: exit=0 procs=2
 * what: the buffer of MPI_Buffer_attach is MPI's until it is detached. FREED: it is
 * given back before. WRITTEN, READ: it is used. LESS: it is smaller than was said. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, x, y, size, room;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size);
  room = size + MPI_BSEND_OVERHEAD;
#ifdef LESS
  char *buffer = malloc(room - 1);
#else
  char *buffer = malloc(room);
#endif
  buffer[0] = 1;
  MPI_Buffer_attach(buffer, room);
  x = rank;
  MPI_Bsend(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  x = 77;
#ifdef FREED
  free(buffer);
#endif
#ifdef WRITTEN
  buffer[room / 2] = 5;
#endif
#ifdef READ
  y = buffer[0];
  if (y > 3)
    x = 78;
#endif
  MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(y == 1 - rank);
  void *back;
  int n;
  MPI_Buffer_detach(&back, &n);
  assert(back == buffer && n == room);
#ifndef FREED
  free(buffer);
#endif
  MPI_Finalize();
  return 0;
}

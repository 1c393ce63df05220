/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE mpi --procs=2 -DROOM=8
 * expect: UNSAFE mpi --procs=2 -DSHORT
 * expect: UNSAFE assert --procs=2 -DSWAPPED
 * expect: SAFE --procs=2 -DDIRECT
 * native: exit=0 procs=2
 * what: an int and a double in one buffer. ROOM: too small for both; SHORT: more
 * is unpacked than there is; SWAPPED: in the wrong order; DIRECT: what was packed
 * is received as what it is. */
#include <assert.h>
#include <mpi.h>
#ifndef ROOM
#define ROOM 64
#endif

int main(int argc, char **argv) {
  int rank, position = 0, n = 7, size;
  double d = 2.5;
  char buffer[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size);
  assert(size >= 4);
#ifdef DIRECT
  if (rank == 0) {
    MPI_Pack(&n, 1, MPI_INT, buffer, ROOM, &position, MPI_COMM_WORLD);
    MPI_Send(buffer, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
  } else {
    n = 0;
    MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(n == 7);
  }
#else
  if (rank == 0) {
    MPI_Pack(&n, 1, MPI_INT, buffer, ROOM, &position, MPI_COMM_WORLD);
    MPI_Pack(&d, 1, MPI_DOUBLE, buffer, ROOM, &position, MPI_COMM_WORLD);
    MPI_Send(buffer, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Status status;
    n = 0;
    d = 0;
    MPI_Recv(buffer, sizeof buffer, MPI_PACKED, 0, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_PACKED, &size);
#ifdef SHORT
    size -= 1;
#endif
#ifdef SWAPPED
    MPI_Unpack(buffer, size, &position, &d, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(buffer, size, &position, &n, 1, MPI_INT, MPI_COMM_WORLD);
#else
    MPI_Unpack(buffer, size, &position, &n, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(buffer, size, &position, &d, 1, MPI_DOUBLE, MPI_COMM_WORLD);
#endif
    assert(n == 7 && d == 2.5);
  }
#endif
  MPI_Finalize();
  return 0;
}

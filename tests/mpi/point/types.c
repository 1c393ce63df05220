/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: messages of different basic types. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char c = 'x';
  short s = -3;
  long l = 1L << 20;
  double d = 0.5;
  float f = 0.25f;
  unsigned char u = 200;
  if (rank == 0) {
    MPI_Send(&c, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&s, 1, MPI_SHORT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&l, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&d, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&f, 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&u, 1, MPI_UNSIGNED_CHAR, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    c = 0, s = 0, l = 0, d = 0, f = 0, u = 0;
    MPI_Recv(&c, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&s, 1, MPI_SHORT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&l, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&d, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&f, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&u, 1, MPI_UNSIGNED_CHAR, 0, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    assert(c == 'x' && s == -3 && l == 1L << 20 && u == 200);
    assert(d == 0.5 && f == 0.25f);
  }
  MPI_Finalize();
  return 0;
}

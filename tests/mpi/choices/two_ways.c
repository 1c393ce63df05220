/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE assert --procs=2 -DFOUR
 * expect: UNSAFE assert --procs=2 -DTHREE
 * native: exit=0 procs=2
 * what: in a ring of two, MPI 3 and MPI 4 let blocks for the left and the right go different ways. FOUR, THREE: one of them is expected */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm ring;
  int sizes[1] = {2}, periods[1] = {1}, other = 10 * (1 - rank);
  int to[2] = {10 * rank, 10 * rank + 1}, from[2];
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &ring);
  MPI_Neighbor_alltoall(to, 1, MPI_INT, from, 1, MPI_INT, ring);
#ifdef FOUR
  assert(from[0] == other + 1 && from[1] == other);
#elif defined THREE
  assert(from[0] == other && from[1] == other + 1);
#else
  assert(from[0] + from[1] == 2 * other + 1);
#endif
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}

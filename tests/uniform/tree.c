/* SPDX-License-Identifier: MIT */
/* any: SAFE
 * any: SAFE -DBITS
 * any: SAFE -DHEAP
 * any: UNSAFE deadlock|mpi 3 -DNO_END
 * any: UNSAFE deadlock|mpi 6 -DBITS -DFAR
 * any: UNSAFE deadlock|mpi 4 -DHEAP -DONE_CHILD
 * what: sums to rank 0 by a binomial tree, by remainders or bits, or by a heap;
 * wrong ones ask who is not there (right for powers of two), send too far,
 * forget the second child of some. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, sum, x;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  sum = rank;
#ifdef HEAP
  for (int i = 1; i <= 2; i++) {
#ifdef ONE_CHILD
    if (i == 2 && rank == 0 && size > 3)
      continue;
#endif
    if (2 * rank + i < size) {
      MPI_Recv(&x, 1, MPI_INT, 2 * rank + i, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      sum += x;
    }
  }
  if (rank > 0)
    MPI_Send(&sum, 1, MPI_INT, (rank - 1) / 2, 0, MPI_COMM_WORLD);
#else
  for (int s = 1; s < size; s *= 2) {
    int to = rank - s;
#ifdef FAR
    if (size > 5 && rank == 5)
      to = 2;
#endif
#ifdef BITS
    if (rank & s) {
#else
    if (rank % (2 * s) != 0) {
#endif
      MPI_Send(&sum, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
      break;
    }
#ifndef NO_END
    if (rank + s >= size)
      continue;
#else
    if (rank + s >= size && size % 2 == 0)
      continue;
#endif
    MPI_Recv(&x, 1, MPI_INT, rank + s, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += x;
  }
#endif
  MPI_Finalize();
  return 0;
}

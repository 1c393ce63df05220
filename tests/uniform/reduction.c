/* SPDX-License-Identifier: MIT */
/* any: SAFE
 * any: UNSAFE assert 5 -DSOME
 * any: UNSAFE assert 20 -DFAR
 * any: UNSAFE assert 3 -DROOT
 * any: SAFE -DLARGEST
 * any: UNSAFE assert 16 -DLARGEST -DFAR
 * any: UNSAFE memory 65 -DTABLE
 * any: UNKNOWN -DBIG --check=overflow */
/* Sums over all processes are those of arithmetic series; the largest is one of
 * them. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, mine, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  mine = rank;
#if defined LARGEST
  mine = 2 * rank;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  assert(all >= mine && all <= 2 * size - 2);
#ifdef FAR
  assert(all != 30);
#endif
#elif defined TABLE
  int table[64] = {0};
  table[rank] = 1;
  MPI_Barrier(MPI_COMM_WORLD);
#elif defined BIG
  mine = 50000000;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#elif defined ROOT
  mine = rank ? 1 : 3;
  MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  assert(rank || all != 5);
#elif defined FAR
  mine = 2;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(all != 40);
#else
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(all == size * (size - 1) / 2);
#ifdef SOME
  assert(all != 10);
#endif
#endif
  MPI_Finalize();
  return 0;
}

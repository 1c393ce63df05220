/* SPDX-License-Identifier: MIT */
/* spec: order_spec.c
 * expect: SAFE --procs=3
 * expect: UNSAFE assert --procs=3 -DLAST
 * expect: UNSAFE assert --procs=3 -DNARROW
 * native: exit=0 procs=3
 * what: rank 0 adds up what comes from anybody. LAST: the last one counts double,
 *   which depends on the order. NARROW: an int holds fewer powers. */
#include <mpi.h>

#pragma heddle input{0 <= n &&n <= 40 }
int n = 3;
#pragma heddle output
int sum;
#pragma heddle output
long power;

int main(int argc, char **argv) {
  int rank, size, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  sum = 0;
  if (rank != 0)
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; i++) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    sum += x;
  }
#ifdef LAST
  sum += x - 2;
#endif
#ifdef NARROW
  power = n < 31 ? 1 << n : (int)(1u << (n & 31));
#else
  power = 1l << n;
#endif
  MPI_Finalize();
  return 0;
}

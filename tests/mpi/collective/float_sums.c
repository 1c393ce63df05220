/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=3
 * expect: SAFE --procs=3 -DNEAR
 * expect: SAFE --procs=4 -DNEAR
 * expect: SAFE --procs=3..5 -DWHOLE
 * expect: SAFE --procs=3 -DALL
 * expect: UNSAFE assert --procs=3 -DSCAN
 * expect: UNSAFE assert --procs=4 -DPAIRS
 * expect: SAFE --procs=3..4 -DLARGEST
 * native: none
 * what: MPI adds up floats in any order, so that three tenths are not always what C makes of them. NEAR: about; WHOLE: nothing is rounded; ALL: who gets the sum gets the same; SCAN: of the last process; PAIRS: two sums of two; LARGEST: needs no order */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double x = 0.1 * (rank + 1), sum = 0;
#ifdef NEAR
  double expected = 0.05 * size * (size + 1);
  MPI_Reduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  assert(rank || (sum > expected - 1e-9 && sum < expected + 1e-9));
#elif defined WHOLE
  x = rank + 0.5;
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  assert(sum == size * size / 2.0);
#elif defined ALL
  double all[3];
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(&sum, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  assert(all[0] == all[1] && all[1] == all[2]);
#elif defined SCAN
  MPI_Scan(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  assert(rank < 2 || sum == 0.1 * 1 + 0.1 * 2 + 0.1 * 3);
#elif defined PAIRS
  double big = 9007199254740992.0; /* 2^53: the next one is 2 away */
  x = rank == 0 ? big : 1;
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  assert(sum != big + 2);
#elif defined LARGEST
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  assert(sum == 0.1 * size);
#else
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  assert(sum == 0.1 * 1 + 0.1 * 2 + 0.1 * 3);
#endif
  MPI_Finalize();
  return 0;
}

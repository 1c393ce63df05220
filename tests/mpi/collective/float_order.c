/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * expect: UNSAFE assert --procs=3 -DINEXACT
 * expect: SAFE --procs=3 -DINEXACT -DUNUSED
 * native: none
 * what: MPI may add up floats in any order, which only matters where sums are
 * rounded and somebody looks */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef INEXACT
  float x = rank == 0 ? 1e8f : rank == 1 ? 1.0f : -1e8f, sum;
#else
  float x = rank == 0 ? 4.0f : rank == 1 ? 1.0f : -5.0f, sum;
#endif
  MPI_Allreduce(&x, &sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
#ifndef UNUSED
  assert(sum == 0.0f);
#endif
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: none
 * what: the condition of an input excludes the value that C gives it; runs by
 * chance honour it. */
#include <assert.h>
#include <mpi.h>

#pragma heddle input {k > 0 && k < 100}
int k;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  assert(100 / k >= 1);
  MPI_Finalize();
  return 0;
}

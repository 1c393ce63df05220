/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=1
 * native: none
 * what: twice is too often. */
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}

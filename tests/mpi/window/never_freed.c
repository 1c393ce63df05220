/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE leak --procs=2
 * native: none
 * what: a window that is never freed. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine = 0;
  MPI_Win window;
  MPI_Win_create(&mine, sizeof mine, sizeof mine, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * native: none
 * what: a datatype that was not committed. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2] = {1, 2};
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  if (rank == 0)
    MPI_Send(x, 1, type, 1, 0, MPI_COMM_WORLD);
  else if (rank == 1)
    MPI_Recv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}

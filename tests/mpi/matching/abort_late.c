/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE assert --procs=2
 * native: none
 * what: MPI_Abort of another process may come after what is wrong here */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank;
  MPI_Datatype t;
  MPI_Type_contiguous(2, MPI_INT, &t);
  MPI_Type_free(&t);
  if (rank == 0)
    MPI_Abort(MPI_COMM_WORLD, 3);
  x++;
  assert(x != 2);
  MPI_Finalize();
  return 0;
}

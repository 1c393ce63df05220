/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: a datatype may be freed while an operation uses it. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2] = {1, 2};
  MPI_Datatype type;
  MPI_Request request;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  if (rank == 0) {
    MPI_Send(x, 1, type, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    x[0] = x[1] = 0;
    MPI_Irecv(x, 1, type, 0, 0, MPI_COMM_WORLD, &request);
  }
  MPI_Type_free(&type);
  if (rank == 1) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(x[0] == 1 && x[1] == 2);
  }
  MPI_Finalize();
  return 0;
}

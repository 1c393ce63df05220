/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: a column of a matrix, several of them one after the other. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2][2] = {{1, 2}, {3, 4}}, y[4] = {0, 0, 0, 0};
  MPI_Datatype column, narrow;
  MPI_Aint low, extent;
  MPI_Type_vector(2, 1, 2, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
  MPI_Type_commit(&narrow);
  MPI_Type_get_extent(narrow, &low, &extent);
  assert(low == 0 && extent == sizeof(int));
  if (rank == 0) {
    MPI_Send(x, 2, narrow, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(y, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(y[0] == 1 && y[1] == 3 && y[2] == 2 && y[3] == 4);
  }
  MPI_Type_free(&column);
  MPI_Type_free(&narrow);
  MPI_Finalize();
  return 0;
}

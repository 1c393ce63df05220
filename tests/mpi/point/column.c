/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: a column of a matrix, as a vector type. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int m[3][4], column[3], i, j;
  MPI_Datatype type;
  MPI_Type_vector(3, 1, 4, MPI_INT, &type);
  MPI_Type_commit(&type);
  if (rank == 0) {
    for (i = 0; i < 3; i++)
      for (j = 0; j < 4; j++)
        m[i][j] = 10 * i + j;
    MPI_Send(&m[0][1], 1, type, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(column, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(column[0] == 1 && column[1] == 11 && column[2] == 21);
  }
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}

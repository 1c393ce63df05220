/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: some elements of an array, as they lie on the other side. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[6] = {0, 1, 2, 3, 4, 5}, i;
  int lengths[2] = {1, 2}, places[2] = {5, 1};
  MPI_Datatype type;
  MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
  MPI_Type_commit(&type);
  if (rank == 0) {
    MPI_Send(x, 1, type, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    for (i = 0; i < 6; i++)
      x[i] = -1;
    MPI_Recv(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(x[0] == 5 && x[1] == 1 && x[2] == 2 && x[3] == -1);
  }
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}

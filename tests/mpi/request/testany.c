/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: asks which of two is complete. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a = 0, b = 0, index, flag = 0, n = 0;
  MPI_Request requests[2];
  if (rank == 0) {
    a = 3;
    b = 4;
    MPI_Send(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&b, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Irecv(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    while (n < 2) {
      MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
      n += flag;
    }
    assert(a == 3 && b == 4);
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * expect: SAFE --procs=2 -DANSWER
 * native: none
 * what: writes what is being sent after MPI_Request_free; an answer says that it was received */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, y;
  MPI_Request r;
  if (rank == 0) {
    MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
    MPI_Request_free(&r);
#ifdef ANSWER
    MPI_Recv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    x = 7;
  } else {
    MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef ANSWER
    MPI_Send(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * expect: SAFE --procs=2 -DANSWER
 * native: none
 * what: there is room for one buffered message; with ANSWER the second comes when the first was received */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1, y;
  char room[MPI_BSEND_OVERHEAD + 4];
  void *at;
  int n;
  if (rank == 0) {
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef ANSWER
    MPI_Recv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Buffer_detach(&at, &n);
  } else {
    MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef ANSWER
    MPI_Send(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
    MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}

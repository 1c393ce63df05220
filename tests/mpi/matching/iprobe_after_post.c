/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: MPI_Iprobe never sees what the posted receive takes */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1, flag = 0;
  MPI_Request r;
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
    for (int i = 0; i < 3; i++) {
      MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
      assert(!flag);
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

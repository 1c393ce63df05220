/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2 --deadlock=absolute
 * native: exit=0 procs=2
 * what: the first message is for the posted receive, MPI_Probe sees the second */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1, y = 2, n;
  MPI_Request r;
  MPI_Status s;
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, MPI_INT, &n);
    assert(n == 2);
    int z[2];
    MPI_Recv(z, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    assert(x == 1 && z[1] == 2);
  } else {
    int z[2] = {x, y};
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(z, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3 --deadlock=absolute
 * expect: UNSAFE assert --procs=3 -DWHO
 * native: exit=0 procs=3
 * what: two senders, one posted receive: MPI_Probe sees the message of the other one */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, y = 0;
  MPI_Request r;
  MPI_Status s, t;
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
    MPI_Recv(&y, 1, MPI_INT, s.MPI_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&r, &t);
    assert(x + y == 3 && t.MPI_SOURCE != s.MPI_SOURCE);
#ifdef WHO
    assert(x == 1);
#endif
  } else
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

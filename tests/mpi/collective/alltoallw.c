/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE mpi --procs=2 -DWRONG
 * expect: SAFE --procs=2 -DBEGUN
 * native: exit=0 procs=2
 * what: an int to rank 0 and a double to rank 1, places in bytes. WRONG: rank 1
 * expects ints; BEGUN: the call only begins it. */
#include <assert.h>
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, n;
  double d;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char out[16], in[16];
  n = 10 + rank;
  d = 0.5 + rank;
  memset(out, 0, sizeof out);
  memcpy(out, &n, sizeof n);
  memcpy(out + 8, &d, sizeof d);
  int ones[2] = {1, 1}, places[2] = {0, 8};
  MPI_Datatype sent[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype mine = rank == 0 ? MPI_INT : MPI_DOUBLE;
#ifdef WRONG
  mine = MPI_INT;
#endif
  MPI_Datatype got[2] = {mine, mine};
#ifdef BEGUN
  MPI_Request request;
  MPI_Ialltoallw(out, ones, places, sent, in, ones, places, got, MPI_COMM_WORLD,
                 &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
  MPI_Alltoallw(out, ones, places, sent, in, ones, places, got, MPI_COMM_WORLD);
#endif
  for (int i = 0; i < 2; i++) {
    if (rank == 0) {
      memcpy(&n, in + 8 * i, sizeof n);
      assert(n == 10 + i);
    } else {
      memcpy(&d, in + 8 * i, sizeof d);
      assert(d == 0.5 + i);
    }
  }
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE assert --procs=2 -DRECEIVES
 * expect: UNSAFE assert --procs=2 -DSENDS
 * expect: SAFE --procs=2 -DEACH
 * native: exit=0 procs=2
 * what: MPI_Startall begins its requests in any order. RECEIVES: two that wait for the same message; SENDS: two with the same tag; EACH: one MPI_Start after the other says which is first */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2] = {1, 2}, y[2] = {0, 0}, other = 1 - rank;
  MPI_Request r[4];
  int tag = 1;
#if defined RECEIVES || defined SENDS || defined EACH
  tag = 0;
#endif
#ifdef RECEIVES
  if (rank == 0) {
    MPI_Send(&x[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Send(&x[1], 1, MPI_INT, other, tag, MPI_COMM_WORLD);
  } else {
    MPI_Recv_init(&y[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_init(&y[1], 1, MPI_INT, other, tag, MPI_COMM_WORLD, &r[1]);
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    assert(y[0] == 1 && y[1] == 2);
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
  }
#elif defined SENDS
  if (rank == 0) {
    MPI_Send_init(&x[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(&x[1], 1, MPI_INT, other, tag, MPI_COMM_WORLD, &r[1]);
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
  } else {
    MPI_Recv(&y[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&y[1], 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(y[0] == 1 && y[1] == 2);
  }
#else
  MPI_Recv_init(&y[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(&y[1], 1, MPI_INT, other, tag, MPI_COMM_WORLD, &r[1]);
  MPI_Send_init(&x[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[2]);
  MPI_Send_init(&x[1], 1, MPI_INT, other, tag, MPI_COMM_WORLD, &r[3]);
#ifdef EACH
  for (int i = 0; i < 4; i++)
    MPI_Start(&r[i]);
#else
  MPI_Startall(4, r);
#endif
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  assert(y[0] == 1 && y[1] == 2);
  for (int i = 0; i < 4; i++)
    MPI_Request_free(&r[i]);
#endif
  MPI_Finalize();
  return 0;
}

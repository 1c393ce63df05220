/* SPDX-License-Identifier: MIT */
/* any: SAFE --numbers=ideal
 * any: SAFE --numbers=ideal -DSENDS
 * any: SAFE -DREQUESTS
 * any: SAFE -DWHOLE
 * any: UNSAFE deadlock 2 -DSENDS -DPERIODIC --numbers=ideal
 * any: UNSAFE mpi|deadlock 6 -DSENDS -DHOLE --numbers=ideal
 * any: UNSAFE mpi 4 -DREQUESTS -DEARLY
 * what: one-dimensional diffusion, a strip for each process: halos by Sendrecv,
 * by sends in order, by requests; whole numbers; wrong ones wait in a circle,
 * forget a receive, or use a halo too early. */
#include <mpi.h>
#define NX 4
#define STEPS 3
#ifdef WHOLE
typedef int cell;
#define CELL MPI_INT
#define NEXT(a, b, c) (((a) + 2 * (b) + (c)) / 4)
#else
typedef double cell;
#define CELL MPI_DOUBLE
#define NEXT(a, b, c) ((b) + 0.25 * ((a)-2 * (b) + (c)))
#endif

static int rank, size, left, right;
static cell u[NX + 2], v[NX + 2];

static void sendrecvs(void) {
  MPI_Sendrecv(&u[1], 1, CELL, left, 0, &u[NX + 1], 1, CELL, right, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[NX], 1, CELL, right, 1, &u[0], 1, CELL, left, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sends(void) {
  MPI_Send(&u[1], 1, CELL, left, 0, MPI_COMM_WORLD);
#ifdef HOLE
  if (rank != 4)
#endif
    MPI_Recv(&u[NX + 1], 1, CELL, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&u[NX], 1, CELL, right, 1, MPI_COMM_WORLD);
  MPI_Recv(&u[0], 1, CELL, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void requests(void) {
  MPI_Request q[4];
  MPI_Irecv(&u[0], 1, CELL, left, 1, MPI_COMM_WORLD, &q[0]);
  MPI_Irecv(&u[NX + 1], 1, CELL, right, 0, MPI_COMM_WORLD, &q[1]);
  MPI_Isend(&u[1], 1, CELL, left, 0, MPI_COMM_WORLD, &q[2]);
  MPI_Isend(&u[NX], 1, CELL, right, 1, MPI_COMM_WORLD, &q[3]);
#ifdef EARLY
  if (rank == 2 && size > 3)
    u[NX + 1] = 0;
#endif
  MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#ifdef PERIODIC
  if (rank == 0)
    left = size - 1;
  if (rank == size - 1)
    right = 0;
#endif
  if (rank == 0)
    u[1] = 64;
  for (int t = 0; t < STEPS; t++) {
#if defined SENDS
    sends();
#elif defined REQUESTS
    requests();
    continue;
#else
    sendrecvs();
#endif
    for (int i = 1; i <= NX; i++)
      v[i] = NEXT(u[i - 1], u[i], u[i + 1]);
    for (int i = 1; i <= NX; i++)
      u[i] = v[i];
  }
  (void)sends, (void)requests, (void)sendrecvs;
  MPI_Finalize();
  return 0;
}

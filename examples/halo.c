/* SPDX-License-Identifier: MIT */
/* A field is spread over the processes, two cells each; cells 0 and 3 are copies
 * of the neighbours' borders, the halo. With -DSEND_FIRST everybody sends before
 * anybody receives. */
#include <assert.h>
#include <mpi.h>

enum { CELLS = 2 };

static int rank, size;

static int value_at(int process, int cell) {
  return 10 * process + cell;
}

static void exchange(int *u, int left, int right) {
#ifdef SEND_FIRST
  if (left >= 0)
    MPI_Send(&u[1], 1, MPI_INT, left, 0, MPI_COMM_WORLD);
  if (right < size)
    MPI_Send(&u[CELLS], 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  if (left >= 0)
    MPI_Recv(&u[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (right < size)
    MPI_Recv(&u[CELLS + 1], 1, MPI_INT, right, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
#else
  int l = left >= 0 ? left : MPI_PROC_NULL;
  int r = right < size ? right : MPI_PROC_NULL;
  MPI_Sendrecv(&u[CELLS], 1, MPI_INT, r, 0, &u[0], 1, MPI_INT, l, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[1], 1, MPI_INT, l, 0, &u[CELLS + 1], 1, MPI_INT, r, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
}

int main(int argc, char **argv) {
  int u[CELLS + 2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; i <= CELLS; i++)
    u[i] = value_at(rank, i);
  exchange(u, rank - 1, rank + 1);
  if (rank > 0)
    assert(u[0] == value_at(rank - 1, CELLS));
  if (rank < size - 1)
    assert(u[CELLS + 1] == value_at(rank + 1, 1));
  MPI_Finalize();
  return 0;
}

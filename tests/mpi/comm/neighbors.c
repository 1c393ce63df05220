/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..4
 * expect: UNSAFE mpi --procs=3 -DNONE
 * expect: UNSAFE mpi --procs=3 -DCOUNTS
 * expect: UNSAFE mpi --procs=3 -DEARLY
 * expect: UNSAFE assert --procs=3 -DWAITS
 * native: exit=0 procs=4
 * what: neighbours in a line send each other what they have. NONE: a communicator without a topology; COUNTS: of other lengths; EARLY: what is received is read before the end; WAITS: as if all waited for all */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm line;
  MPI_Request request;
  int sizes[1], periods[1] = {0}, got[2] = {-1, -1}, parts[4] = {-1, -1, -1, -1};
  sizes[0] = size;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &line);
  int left = rank ? rank - 1 : -1, right = rank < size - 1 ? rank + 1 : -1;
#ifdef NONE
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
#endif
#ifdef WAITS
  int x = rank, y = 0;
  if (rank == 2)
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, line);
  assert(got[0] == left && got[1] == right);
#ifdef WAITS
  if (rank == 1)
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 2 && !rank; i++) {
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    assert(y == 2 - i);
  }
#endif
  int both[2] = {10 * rank, 10 * rank + 1}, from[2] = {-1, -1};
  int count = 1;
#ifdef COUNTS
  count += rank == 1;
  int more[4] = {0};
  MPI_Neighbor_alltoall(more, count, MPI_INT, parts, 1, MPI_INT, line);
#endif
  MPI_Neighbor_alltoall(both, count, MPI_INT, from, 1, MPI_INT, line);
  assert(from[0] == (left < 0 ? -1 : 10 * left + 1));
  assert(from[1] == (right < 0 ? -1 : 10 * right));
  int counts[2] = {1, 1}, displacements[2] = {2, 0};
  MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, parts, counts, displacements,
                           MPI_INT, line, &request);
#ifdef EARLY
  assert(parts[2] < 9);
#endif
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert(parts[2] == left && parts[0] == right && parts[1] == -1);
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}

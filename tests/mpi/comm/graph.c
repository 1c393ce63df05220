/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * expect: UNSAFE mpi --procs=3 -DONE_END
 * expect: UNSAFE mpi --procs=3 -DOUTSIDE
 * expect: SAFE --procs=3 -DTWICE
 * native: exit=0 procs=3
 * what: a ring as a distributed graph. ONE_END: who sends is not whom the other receives from; OUTSIDE: a neighbour that is no rank; TWICE: two edges between two processes */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm ring;
  int before[2], after[2], n = 1, got[2] = {-1, -1}, kind;
  before[0] = before[1] = (rank + size - 1) % size;
  after[0] = after[1] = (rank + 1) % size;
#ifdef ONE_END
  after[0] = before[0];
#elif defined OUTSIDE
  after[0] = rank + 1;
#elif defined TWICE
  n = 2;
#endif
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, before, MPI_UNWEIGHTED, n,
                                 after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  MPI_Topo_test(ring, &kind);
  assert(kind == MPI_DIST_GRAPH);
  int sources[2] = {-1, -1}, destinations[2] = {-1, -1}, to[2] = {rank, 7};
  MPI_Dist_graph_neighbors(ring, n, sources, MPI_UNWEIGHTED, n, destinations,
                           MPI_UNWEIGHTED);
  assert(sources[0] == before[0] && destinations[0] == after[0]);
  MPI_Neighbor_alltoall(to, 1, MPI_INT, got, 1, MPI_INT, ring);
  assert(got[0] == before[0] && got[1] == (n == 2 ? 7 : -1));
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}

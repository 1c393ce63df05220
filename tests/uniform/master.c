/* SPDX-License-Identifier: MIT */
/* any: SAFE
 * any: SAFE -DBCAST
 * any: UNSAFE assert 2 -DVALUE
 * any: UNSAFE deadlock|mpi 6 -DONE_LESS
 * any: UNSAFE deadlock|mpi 6 -DBCAST -DABSENT
 * what: rank 0 asks each of the others in turn, or everybody by a collective call;
 * wrong ones expect another answer, forget one, or leave one out. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, x = 5, y = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef BCAST
  x += rank;
#ifdef ABSENT
  if (rank != 5)
#endif
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  assert(x == 5);
  MPI_Allreduce(&rank, &y, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
#else
  int last = size;
#ifdef ONE_LESS
  last -= size > 5;
#endif
  if (rank == 0) {
    for (int i = 1; i < size; i++)
      MPI_Send(&i, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
    for (int i = 1; i < last; i++) {
      MPI_Recv(&x, 1, MPI_INT, i, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef VALUE
      assert(x == i);
#endif
    }
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    y = x + 1;
    MPI_Send(&y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }
#endif
  MPI_Finalize();
  return 0;
}

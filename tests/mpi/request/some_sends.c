/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE assert --procs=2 -DONE
 * expect: UNSAFE assert --procs=2 -DBOTH
 * expect: UNSAFE assert --procs=2 -DCOLLECTIVE
 * native: exit=0 procs=2
 * what: MPI_Waitsome ends any of those that can be complete, one or several. ONE, BOTH, COLLECTIVE: just so many are expected */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2] = {1, 2}, y = 0, k, which[2], over = 0;
  MPI_Request r[2];
#ifdef COLLECTIVE
  MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
  MPI_Ibcast(&y, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Waitsome(2, r, &k, which, MPI_STATUSES_IGNORE);
  assert(k == 1);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#else
  if (rank == 0) {
    MPI_Isend(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&x[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &r[1]);
    while (over < 2) {
      MPI_Waitsome(2, r, &k, which, MPI_STATUSES_IGNORE);
      assert(k >= 1 && k <= 2 - over);
#ifdef ONE
      assert(k == 1);
#elif defined BOTH
      assert(k == 2);
#endif
      over += k;
    }
    assert(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
  } else {
    MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(y == 2);
  }
#endif
  (void)over;
  (void)x;
  MPI_Finalize();
  return 0;
}

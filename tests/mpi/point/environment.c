/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE memory --procs=2 -DSURE
 * native: none
 * what: what the environment says can be missing. SURE: nobody looks whether it
 * is. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, n = 1, got;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *text = getenv("HEDDLE_TEST_ROUNDS");
#ifdef SURE
  n = *text;
#else
  if (text)
    n = 2;
#endif
  if (rank == 0) {
    MPI_Send(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(got == 1 || got == 2);
  }
  MPI_Finalize();
  return 0;
}

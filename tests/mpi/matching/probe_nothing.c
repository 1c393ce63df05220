/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * native: exit=0 procs=2
 * what: MPI_Probe of MPI_PROC_NULL is over at once, and so are MPI_Testall and MPI_Testany of nothing */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int flag = 0, at = 7;
  MPI_Status s;
  MPI_Request none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &s);
  assert(s.MPI_SOURCE == MPI_PROC_NULL && s.MPI_TAG == MPI_ANY_TAG);
  MPI_Testall(0, none, &flag, MPI_STATUSES_IGNORE);
  assert(flag);
  flag = 0;
  MPI_Testany(2, none, &at, &flag, &s);
  assert(flag && at == MPI_UNDEFINED);
  MPI_Test(&none[0], &flag, &s);
  assert(flag && s.MPI_TAG == MPI_ANY_TAG && s.MPI_SOURCE == MPI_ANY_SOURCE);
  MPI_Finalize();
  return 0;
}

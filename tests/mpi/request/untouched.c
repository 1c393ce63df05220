/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE uninit --procs=2 -DLOOK
 * native: none
 * what: MPI_Wait leaves MPI_ERROR of the status alone, and gives an empty status
 * for a null request; in a program with an input */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#pragma heddle input{0 <= n &&n <= 1000000 }
int n;

int main(int argc, char **argv) {
  int rank, x = 1, flag = 0, index;
  MPI_Status status;
  MPI_Request request, none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifndef LOOK
  status.MPI_ERROR = 7;
#endif
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    if (status.MPI_ERROR != 7)
      abort();
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Testany(2, none, &index, &flag, &status);
  assert(flag && index == MPI_UNDEFINED && status.MPI_TAG == MPI_ANY_TAG);
  MPI_Testall(2, none, &flag, MPI_STATUSES_IGNORE);
  assert(flag);
  MPI_Wait(&none[0], &status);
  assert(status.MPI_SOURCE == MPI_ANY_SOURCE);
  MPI_Finalize();
  return 0;
}

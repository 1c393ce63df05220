/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE uninit --procs=2 -DWAIT
 * expect: UNSAFE uninit --procs=2 -DWAIT -DCOLLECTIVE
 * expect: UNSAFE uninit --procs=2 -DWAITALL
 * native: none
 * what: the status of a send (COLLECTIVE: of MPI_Ibarrier) does not say from whom or
 * with which tag, also when it said so before. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Request r[2];
  MPI_Status s[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &r[1]);
#ifdef WAITALL
  MPI_Waitall(2, r, s);
  if (s[0].MPI_TAG == 3 && s[1].MPI_TAG == 3)
    abort();
#else
  MPI_Wait(&r[0], &s[0]);
  if (s[0].MPI_TAG != 3)
    abort();
  MPI_Wait(&r[1], &s[0]);
#ifdef COLLECTIVE
  MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
  MPI_Wait(&r[0], &s[0]);
#endif
#ifdef WAIT
  if (s[0].MPI_SOURCE == 7)
    abort();
#endif
#endif
  MPI_Finalize();
  return 0;
}

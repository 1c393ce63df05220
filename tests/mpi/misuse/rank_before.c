/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * expect: UNSAFE mpi --procs=2..3 -DMINUS_ONE
 * expect: UNSAFE mpi --procs=2 -DPROBED
 * expect: UNSAFE mpi --procs=2 -DTAG
 * expect: UNSAFE mpi --procs=2 -DTAG -DINPUT
 * native: none
 * what: a line of processes. MINUS_ONE: the first one's neighbour is computed; -1 is
 * MPI_ANY_SOURCE for some MPIs, MPI_PROC_NULL for others, and no rank. PROBED: a probe
 * of a rank that there is not. TAG: larger than the tags that every MPI has; INPUT:
 * with annotations, so that no run is executed. */
#include <assert.h>
#include <mpi.h>

#ifdef INPUT
#pragma heddle input {0 <= n && n <= 1}
int n;
#else
static int n;
#endif

int main(int argc, char **argv) {
  int rank, size, got = -1, tag = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = rank - 1, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
#ifndef MINUS_ONE
  if (left < 0)
    left = MPI_PROC_NULL;
#endif
#ifdef PROBED
  MPI_Probe(size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
#ifdef TAG
  tag = 40000 + n;
#endif
  MPI_Sendrecv(&rank, 1, MPI_INT, right, tag, &got, 1, MPI_INT, left, tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(got == rank - 1);
  MPI_Finalize();
  return n && 0;
}

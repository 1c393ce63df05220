/* SPDX-License-Identifier: MIT */
/* spec: diffusion_spec.c
 * expect: SAFE --procs=10
 * expect: SAFE --procs=1
 * expect: SAFE --procs=4
 * expect: UNSAFE invariant --procs=4 -DWRONG
 * native: exit=0 procs=4
 * what: the cells are shared out; in each step neighbours exchange what is at
 *   their border. In WRONG the last rank uses the wrong cell. */
#include <mpi.h>

#ifndef NX
#define NX 10
#endif

#pragma TASS input {N >= 0}
int N = 20;
#pragma TASS input
double k = 0.25;
#pragma TASS input
double start[NX + 2];
#pragma TASS output
double result[NX + 2];

int main(void) {
  double u[NX + 2], old, next;
  int rank, nprocs, first, nl, left, right, i, p, t = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
  first = rank * NX / nprocs;
  nl = (rank + 1) * NX / nprocs - first;
  left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  right = rank < nprocs - 1 ? rank + 1 : MPI_PROC_NULL;
  for (i = 0; i < nl + 2; i++)
    u[i] = start[first + i];
#pragma TASS joint invariant STEP t == spec.t && \
  (forall {int c | 1 <= c && c <= nl} u[c] == spec.u[first + c]) && \
  (rank > 0 || u[0] == spec.u[0]) && \
  (rank < nprocs - 1 || u[nl + 1] == spec.u[NX + 1]);
  while (t < N) {
    if (rank % 2 == 0) {
      MPI_Send(&u[nl], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
      MPI_Recv(&u[nl + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      MPI_Send(&u[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
      MPI_Recv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      MPI_Send(&u[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
      MPI_Recv(&u[nl + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      MPI_Send(&u[nl], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
    }
    old = u[0];
    for (i = 1; i <= nl; i++) {
#ifdef WRONG
      if (rank == nprocs - 1)
        old = u[i];
#endif
      next = u[i] + k * (old + u[i + 1] - 2 * u[i]);
      old = u[i];
      u[i] = next;
    }
    t++;
  }
  if (rank == 0) {
    for (i = 0; i <= nl; i++)
      result[i] = u[i];
    for (p = 1; p < nprocs; p++) {
      first = p * NX / nprocs;
      nl = (p + 1) * NX / nprocs - first;
      MPI_Recv(&result[first + 1], nl, MPI_DOUBLE, p, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    result[NX + 1] = start[NX + 1];
  } else {
    MPI_Send(&u[1], nl, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}

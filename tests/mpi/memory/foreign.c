/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE memory --procs=2 -DLOCAL
 * expect: UNSAFE memory --procs=2 -DGLOBAL
 * expect: UNSAFE memory --procs=2 -DLIST
 * expect: UNSAFE memory --procs=2 -DNUMBER
 * expect: UNSAFE assert --procs=2 -DSAME
 * native: none
 * what: a pointer of another process points nowhere; one that comes home again does
 */
#include <assert.h>
#include <mpi.h>
#include <stdint.h>
#include <stddef.h>

static int global = 3;
struct node {
  int value;
  struct node *next;
};

int main(int argc, char **argv) {
  int rank, local = 3, got = 0;
  struct node last = {2, NULL}, first = {1, &last};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if defined LIST
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  got = first.next->value + 1;
#elif defined NUMBER
  long at = (long)(intptr_t)&local;
  MPI_Bcast(&at, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  got = *(int *)(intptr_t)at;
#else
  int *pointer = &local;
#if defined GLOBAL || defined SAME
  pointer = &global;
#endif
  if (rank == 0) {
    MPI_Send(&pointer, sizeof pointer, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    pointer = NULL;
    MPI_Recv(&pointer, sizeof pointer, MPI_BYTE, 1, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    got = *pointer;
  } else {
    MPI_Recv(&pointer, sizeof pointer, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    got = 3;
#if defined LOCAL || defined GLOBAL
    got = *pointer;
#elif defined SAME
    assert(pointer == &global);
#endif
    MPI_Send(&pointer, sizeof pointer, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
#endif
  assert(got == 3);
  (void)first, (void)global;
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * expect: UNSAFE memory --procs=2 -DROOM=16
 * expect: UNSAFE assert --procs=2 -DSAME
 * native: exit=0 procs=2
 * what: a computer's name can be as long as MPI_MAX_PROCESSOR_NAME says. SAME: the
 * processes may be on different ones. */
#include <assert.h>
#include <mpi.h>
#include <string.h>
#ifndef ROOM
#define ROOM MPI_MAX_PROCESSOR_NAME
#endif

int main(int argc, char **argv) {
  int length, longest;
  char name[ROOM];
  MPI_Init(&argc, &argv);
  MPI_Get_processor_name(name, &length);
  assert(length < MPI_MAX_PROCESSOR_NAME && strlen(name) == (size_t)length);
  MPI_Allreduce(&length, &longest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
#ifdef SAME
  assert(longest == length);
#else
  assert(longest >= length);
#endif
  MPI_Finalize();
  return 0;
}

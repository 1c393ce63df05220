/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * expect: UNSAFE assert --procs=2 -DTRUSTED
 * expect: UNSAFE assert --procs=2 -DPLAIN
 * native: none
 * what: an MPI may give less than the level of threads that is asked for, or more.
 * TRUSTED: nobody looks. PLAIN: the level after MPI_Init is an MPI's own. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int given, again;
#ifdef PLAIN
  MPI_Init(&argc, &argv);
  MPI_Query_thread(&given);
  assert(given == MPI_THREAD_SINGLE);
#else
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given);
#ifdef TRUSTED
  assert(given >= MPI_THREAD_SERIALIZED);
#else
  MPI_Query_thread(&again);
  assert(again == given);
  if (given < MPI_THREAD_SERIALIZED)
    MPI_Abort(MPI_COMM_WORLD, 1);
  assert(given == MPI_THREAD_SERIALIZED || given == MPI_THREAD_MULTIPLE);
#endif
#endif
  (void)again;
  MPI_Finalize();
  return 0;
}

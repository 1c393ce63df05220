/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE assert --procs=2 -DEQUAL
 * expect: UNSAFE assert --procs=2 -DVERSION
 * native: exit=0 procs=2
 * what: the largest tag is 32767 or more. EQUAL: just that. VERSION: what an MPI says
 * it is. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int *most, set, major = 3, minor;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &set);
  assert(set);
#ifdef EQUAL
  assert(*most == 32767);
#else
  assert(*most >= 32767);
#endif
  MPI_Get_version(&major, &minor);
#ifdef VERSION
  assert(major == 3);
#else
  assert(major >= 1);
#endif
  MPI_Finalize();
  return 0;
}

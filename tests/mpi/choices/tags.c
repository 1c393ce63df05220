/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE assert --procs=2 -DEQUAL
 * expect: UNSAFE assert --procs=2 -DVERSION
 * expect: SAFE --procs=2 -DUSED
 * expect: UNSAFE mpi --procs=2 -DUSED -DBEYOND
 * native: exit=0 procs=2
 * what: the largest tag is 32767 or more. EQUAL: just that. VERSION: what an MPI says
 * it is, also before MPI_Init. USED: the largest is a tag; BEYOND: one more, where
 * that is one. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int *most, set, major = 3, minor;
  MPI_Get_version(&major, &minor);
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
#ifdef USED
  int rank, tag = *most, got;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef BEYOND
  tag += tag == 32767;
#endif
  if (rank == 0)
    MPI_Send(&rank, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  else
    MPI_Recv(&got, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  MPI_Finalize();
  return 0;
}

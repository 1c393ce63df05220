/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * expect: UNSAFE assert --procs=3 -DTOGETHER
 * expect: UNSAFE assert --procs=3 -DAPART
 * native: exit=0 procs=3
 * what: who shares memory with whom (MPI_Comm_split_type) is open. TOGETHER: all do; APART: nobody does */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm near, none;
  int there, own;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &near);
  MPI_Comm_size(near, &there);
  MPI_Comm_rank(near, &own);
  assert(own < there && there <= size);
  MPI_Comm_free(&near);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none);
  assert(none == MPI_COMM_NULL);
#ifdef TOGETHER
  assert(there == size);
#elif defined APART
  assert(there == 1);
#endif
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE leak --procs=2
 * native: none
 * what: an operation that is never freed. */
#include <mpi.h>

static void nothing(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)in, (void)inout, (void)length, (void)type;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Op op;
  MPI_Op_create(nothing, 1, &op);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: an operation of the program that does not commute: the last one wins. */
#include <assert.h>
#include <mpi.h>

static void last(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)in, (void)inout, (void)length;
  assert(*type == MPI_INT);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine[2] = {rank, -rank}, result[2] = {9, 9};
  MPI_Op op;
  MPI_Op_create(last, 0, &op);
  MPI_Allreduce(mine, result, 2, MPI_INT, op, MPI_COMM_WORLD);
  assert(result[0] == size - 1 && result[1] == 1 - size);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=3
 * expect: SAFE --procs=3 -DSUM
 * native: none
 * what: an operation that is not associative, or said to commute */
#include <mpi.h>

static void combine(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *n; i++)
#ifdef SUM
    ((int *)inout)[i] += ((int *)in)[i];
#else
    ((int *)inout)[i] = ((int *)in)[i] - ((int *)inout)[i];
#endif
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank + 1, y;
  MPI_Op op;
  MPI_Op_create(combine, 0, &op);
  MPI_Allreduce(&x, &y, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1
 * expect: UNSAFE mpi --procs=1 -DSAME
 * expect: UNSAFE mpi --procs=1 -DBITS
 * expect: UNSAFE assert --procs=1 -DOTHER
 * native: exit=0 procs=1
 * what: MPI_Reduce_local, with an operation of the program, too. SAME: the two buffers are one; BITS: of doubles; OTHER: the operands are taken for the other way round */
#include <assert.h>
#include <mpi.h>

static void digits(void *in, void *inout, int *n, MPI_Datatype *type) {
  int *x = in, *y = inout;
  (void)type;
  for (int i = 0; i < *n; i++)
    y[i] += 10 * x[i];
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[2] = {1, 5}, b[2] = {4, 2};
  double c = 1, d = 2;
  MPI_Op op;
  MPI_Op_create(digits, 0, &op);
#ifdef SAME
  MPI_Reduce_local(a, a, 2, MPI_INT, MPI_SUM);
#elif defined BITS
  MPI_Reduce_local(&c, &d, 1, MPI_DOUBLE, MPI_BAND);
#endif
  MPI_Reduce_local(a, b, 2, MPI_INT, MPI_MAX);
  assert(b[0] == 4 && b[1] == 5 && a[0] == 1);
  MPI_Reduce_local(&c, &d, 1, MPI_DOUBLE, MPI_SUM);
  assert(d == 3);
  MPI_Reduce_local(a, b, 2, MPI_INT, op);
#ifdef OTHER
  assert(b[0] == 41);
#else
  assert(b[0] == 14 && b[1] == 55);
#endif
  MPI_Op_free(&op);
  (void)rank;
  (void)size;
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE assert --procs=2 -DWHOLE
 * native: exit=0 procs=2
 * what: MPI_Get_elements counts ints where MPI_Get_count finds no whole number of pairs. WHOLE: it is taken for the number of pairs */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[4] = {1, 2, 3, 4}, k, n;
  MPI_Count long_count;
  MPI_Status s;
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  if (rank == 0) {
    MPI_Send(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(x, 2, pair, 0, 0, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, pair, &n);
    MPI_Get_elements(&s, pair, &k);
    MPI_Get_elements_x(&s, pair, &long_count);
    assert(n == MPI_UNDEFINED && long_count == 3);
#ifdef WHOLE
    assert(k == 1);
#else
    assert(k == 3);
#endif
  }
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}

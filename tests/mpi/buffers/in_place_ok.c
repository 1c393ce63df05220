/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3
 * native: exit=0 procs=3
 * what: MPI_IN_PLACE where it may stand */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[3] = {rank, rank, rank}, all[3] = {0, 0, 0}, y = rank;
  all[rank] = rank + 1;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT,
                MPI_COMM_WORLD);
  assert(all[0] == 1 && all[2] == 3);
  MPI_Allreduce(MPI_IN_PLACE, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(y == 3);
  if (rank == 0)
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, 1, MPI_INT, 0,
               MPI_COMM_WORLD);
  else
    MPI_Gather(&x[1], 1, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    assert(x[0] == 0 && x[1] == 1 && x[2] == 2);
  MPI_Finalize();
  return 0;
}

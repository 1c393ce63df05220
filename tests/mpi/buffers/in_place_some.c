/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE mpi --procs=2
 * expect: SAFE --procs=2 -DALL
 * expect: UNSAFE mpi --procs=2 -DSUM
 * expect: SAFE --procs=2 -DPREFIX
 * expect: SAFE --procs=2 -DNOTHING
 * native: none
 * what: MPI_IN_PLACE is for all processes or for none where all get the same, but
 *       not in MPI_Scan; two buffers without a byte do not lie on each other */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, mine, all[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine = all[0] = all[1] = rank;
#if defined NOTHING
  MPI_Allreduce(&mine, &mine, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#elif defined SUM
  MPI_Allreduce(rank ? MPI_IN_PLACE : &mine, all, 1, MPI_INT, MPI_SUM,
                MPI_COMM_WORLD);
#elif defined PREFIX
  MPI_Scan(rank ? MPI_IN_PLACE : &mine, all, 1, MPI_INT, MPI_SUM,
           MPI_COMM_WORLD);
  assert(all[0] == rank);
#elif defined ALL
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  assert(all[0] == 0 && all[1] == 1);
#else
  MPI_Allgather(rank ? MPI_IN_PLACE : &mine, 1, MPI_INT, all, 1, MPI_INT,
                MPI_COMM_WORLD);
#endif
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE mpi --procs=2 -DTYPE=MPI_CHAR
 * expect: UNSAFE mpi --procs=2 -DTYPE=MPI_BYTE
 * expect: UNSAFE mpi --procs=2 -DTYPE=MPI_CHAR -DINPUT
 * expect: SAFE --procs=2 -DTYPE=MPI_BYTE -DOP=MPI_BXOR -DINPUT
 * native: none
 * what: MPI_CHAR stands for characters, which have no sum; nor have bytes */
#include <mpi.h>
#ifdef INPUT
#pragma heddle input{0 <= n &&n <= 1000000 }
int n;
#endif
#ifndef TYPE
#define TYPE MPI_SIGNED_CHAR
#endif
#ifndef OP
#define OP MPI_SUM
#endif

int main(int argc, char **argv) {
  signed char x = 3, y;
  MPI_Init(&argc, &argv);
  MPI_Allreduce(&x, &y, 1, TYPE, OP, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

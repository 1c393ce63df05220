/* SPDX-License-Identifier: MIT */
/* Every process counts the rounds; nothing is said about the loop. */
#include <assert.h>
#include <mpi.h>

#pragma heddle input {rounds >= 0}
int rounds = 10;

int main(void) {
  int i = 0, points = 1;
  MPI_Init(NULL, NULL);
  while (i < rounds) {
    i++;
    points += 2;
  }
  assert(points == 2 * rounds + 1);
  MPI_Finalize();
  return 0;
}

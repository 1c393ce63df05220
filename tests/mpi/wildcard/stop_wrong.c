/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE deadlock --procs=3
 * native: none
 * what: the master tells the wrong worker to stop: always rank 1. */
#include <assert.h>
#include <mpi.h>

#define TASKS 4
enum { WORK = 1, STOP = 2 };

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int task, result, sent = 0, done = 0, i, total = 0;
  MPI_Status status;
  if (rank == 0) {
    for (i = 1; i < size; i++) {
      if (sent < TASKS) {
        MPI_Send(&sent, 1, MPI_INT, i, WORK, MPI_COMM_WORLD);
        sent++;
      } else {
        MPI_Send(&sent, 1, MPI_INT, i, STOP, MPI_COMM_WORLD);
      }
    }
    while (done < TASKS) {
      MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD,
               &status);
      total += result;
      done++;
      if (sent < TASKS) {
        MPI_Send(&sent, 1, MPI_INT, status.MPI_SOURCE, WORK, MPI_COMM_WORLD);
        sent++;
      } else {
        MPI_Send(&sent, 1, MPI_INT, 1, STOP, MPI_COMM_WORLD);
      }
    }
    assert(total == 0 + 1 + 4 + 9);
  } else {
    for (;;) {
      MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == STOP)
        break;
      result = task * task;
      MPI_Send(&result, 1, MPI_INT, 0, WORK, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}

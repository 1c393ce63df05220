/* SPDX-License-Identifier: MIT */
/* expect: UNSAFE deadlock --procs=2 --deadlock=potential
 * expect: SAFE --procs=2 --deadlock=absolute
 * expect: SAFE --procs=2 -DPOSTED
 * expect: SAFE --procs=2 -DPOSTED -DAGAIN
 * native: exit=0 procs=2
 * what: MPI_Buffer_detach waits until the messages are transmitted, which may be into buffers of MPI. POSTED: to receives that are there; AGAIN: the buffer is used for a second message */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int size_of, y[2] = {-1, -1}, n = 0;
  MPI_Request r[2];
  MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size_of);
  size_of += MPI_BSEND_OVERHEAD;
  char *room = malloc((size_t)size_of);
#ifdef AGAIN
  n = 1;
#endif
#ifdef POSTED
  for (int i = 0; i <= n; i++)
    MPI_Irecv(&y[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &r[i]);
#endif
  for (int i = 0; i <= n; i++) {
    MPI_Buffer_attach(room, size_of);
    MPI_Bsend(&rank, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    MPI_Buffer_detach(&room, &size_of);
  }
  free(room);
#ifdef POSTED
  MPI_Waitall(n + 1, r, MPI_STATUSES_IGNORE);
#else
  (void)r;
  MPI_Recv(&y[0], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  assert(y[n] == 1 - rank);
  MPI_Finalize();
  return 0;
}

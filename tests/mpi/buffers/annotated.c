/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2
 * expect: UNSAFE memory --procs=2 -DFREE
 * expect: UNSAFE memory --procs=2 -DREALLOC
 * expect: UNSAFE memory --procs=2 -DSCOPE
 * expect: UNSAFE mpi --procs=2 -DGIVEN_UP
 * expect: UNSAFE mpi --procs=2 -DTEXT
 * native: none
 * what: buffers of operations that are not complete, where inputs keep the search
 * of all interleavings from looking: one is freed, moved, left, written after the
 * request was given up, printed while it is received */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#pragma heddle input{0 <= n &&n <= 1000000 }
int n;

static void start(char *heap, char *own, MPI_Request *request) {
  char local[4] = "abc";
#ifdef SCOPE
  (void)heap, (void)own;
  MPI_Isend(local, 4, MPI_CHAR, 1, 0, MPI_COMM_WORLD, request);
#else
  (void)local, (void)own;
  MPI_Isend(heap, 4, MPI_CHAR, 1, 0, MPI_COMM_WORLD, request);
#endif
}

int main(int argc, char **argv) {
  int rank;
  char text[4] = "xyz";
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    char *heap = malloc(4);
    for (int i = 0; i < 4; i++)
      heap[i] = i < 3 ? 'a' : 0;
    start(heap, text, &request);
#ifdef FREE
    free(heap);
    heap = NULL;
#endif
#ifdef REALLOC
    heap = realloc(heap, 400);
#endif
#ifdef GIVEN_UP
    MPI_Request_free(&request);
    heap[0] = 'b';
#else
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    free(heap);
  } else {
    MPI_Irecv(text, 4, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
#ifdef TEXT
    printf("%s\n", text);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(text[0] == 'a');
    printf("%s\n", text);
  }
  MPI_Finalize();
  return 0;
}

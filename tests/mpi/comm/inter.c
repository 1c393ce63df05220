/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=3..4
 * expect: UNSAFE mpi --procs=3 -DOUTSIDE
 * expect: UNSAFE deadlock --procs=3 -DTAGS
 * expect: UNSAFE leak --procs=3 -DKEPT
 * expect: UNSAFE mpi --procs=4 -DDISAGREE
 * expect: UNSAFE deadlock --procs=3 -DALONE
 * native: exit=0 procs=4
 * what: two groups talk to each other, and become one with the odd ones first.
 * OUTSIDE: a rank that the other group does not have; TAGS: the leaders do not
 * find each other; KEPT: the communicator is never freed; DISAGREE: on which group
 * comes first; ALONE: one group does not call. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, odd, own, others, is_inter, got = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  odd = rank % 2;
  MPI_Comm half, inter, all;
  MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &half);
  int tag = 3;
#ifdef TAGS
  tag += odd;
#endif
#ifdef ALONE
  if (odd)
#endif
  {
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - odd, tag, &inter);
    MPI_Comm_test_inter(inter, &is_inter);
    MPI_Comm_rank(inter, &own);
    MPI_Comm_remote_size(inter, &others);
    assert(is_inter && own == rank / 2);
    assert(others == (odd ? (size + 1) / 2 : size / 2));
    if (own == 0) {
      int to = 0;
#ifdef OUTSIDE
      to = others;
#endif
      MPI_Status status;
      MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, 0, 0, inter,
                   &status);
      assert(got == 1 - odd && status.MPI_SOURCE == 0);
    }
    int high = !odd;
#ifdef DISAGREE
    high = rank == 0;
#endif
    MPI_Intercomm_merge(inter, high, &all);
    MPI_Comm_rank(all, &own);
    assert(own == (odd ? rank / 2 : size / 2 + rank / 2));
    MPI_Comm_free(&all);
#ifndef KEPT
    MPI_Comm_free(&inter);
#endif
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}

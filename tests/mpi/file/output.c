/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=2..3
 * expect: UNSAFE mpi --procs=2 -DREADS
 * expect: UNSAFE mpi --procs=2 -DMODE
 * expect: UNSAFE leak --procs=2 -DKEPT
 * expect: UNSAFE mpi --procs=2 -DCLOSED
 * expect: UNSAFE mpi --procs=2 -DORDER
 * expect: UNSAFE memory --procs=2 -DBEYOND
 * expect: UNSAFE mpi|deadlock --procs=2 -DONE
 * expect: UNSAFE uninit --procs=2 -DUNSET
 * native: exit=0 procs=2
 * what: processes write into one file. READS: it is open for writing only; MODE: none is given; KEPT: it is never closed; CLOSED: it is used when it is closed; ORDER: collective calls cross; BEYOND: more than there is; ONE: somebody does not close it; UNSET: what was never set */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, x[2] = {1, 2}, k;
  MPI_File file;
  MPI_Status s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
#ifdef MODE
  mode = MPI_MODE_CREATE;
#endif
  MPI_File_open(MPI_COMM_WORLD, "heddle-test-file.out", mode, MPI_INFO_NULL,
                &file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  int count = 2;
#ifdef BEYOND
  count += rank;
#endif
#ifdef UNSET
  int y[2];
  y[0] = 1;
  if (y[1] < 3)
    x[0] = 0;
#endif
#ifdef ORDER
  if (rank)
    MPI_File_sync(file);
#endif
  MPI_File_write_at_all(file, 2 * rank, x, count, MPI_INT, &s);
#ifdef ORDER
  if (!rank)
    MPI_File_sync(file);
#endif
  MPI_Get_count(&s, MPI_INT, &k);
  assert(k == count);
#ifdef READS
  MPI_File_read_at(file, 0, x, 1, MPI_INT, MPI_STATUS_IGNORE);
#endif
  MPI_File_write_at(file, 2 * rank + 1, &x[0], 1, MPI_INT, MPI_STATUS_IGNORE);
#ifdef ONE
  if (rank)
#endif
#ifndef KEPT
    MPI_File_close(&file);
#endif
#ifdef CLOSED
  assert(file == MPI_FILE_NULL);
  MPI_File_sync(file);
#endif
  MPI_Finalize();
  return 0;
}

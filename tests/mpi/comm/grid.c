/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=4
 * native: exit=0 procs=4
 * what: a torus of two dimensions: what goes right comes from the left. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int dims[2] = {0, 0}, round[2] = {1, 1}, at[2], left, right, got = -1, me;
  MPI_Comm grid, row;
  MPI_Dims_create(size, 2, dims);
  assert(dims[0] == 2 && dims[1] == 2);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, round, 0, &grid);
  MPI_Comm_rank(grid, &me);
  MPI_Cart_coords(grid, me, 2, at);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  MPI_Sendrecv(&me, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, grid,
               MPI_STATUS_IGNORE);
  assert(got == left && got / 2 == at[0]);
  MPI_Cart_sub(grid, (int[2]){0, 1}, &row);
  MPI_Comm_size(row, &got);
  assert(got == 2);
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}

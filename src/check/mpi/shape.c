/* SPDX-License-Identifier: MIT */
/* What collective calls look like: their arguments, who sends, who receives. */
#include "check/mpi/collective.h"

static const hd_mpi_shape shapes[] = {
    {HD_LIB_MPI_Barrier, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     HD_TOGETHER},
    {HD_LIB_MPI_Comm_dup, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     HD_TOGETHER},
    {HD_LIB_MPI_Comm_split, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     HD_TOGETHER},
    {HD_LIB_MPI_Comm_split_type, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     HD_TOGETHER},
    {HD_LIB_MPI_Comm_create, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     HD_TOGETHER},
    /* Its communicator is one of the group's own. */
    {HD_LIB_MPI_Comm_create_group, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_TOGETHER},
    {HD_LIB_MPI_Intercomm_create, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0,
     HD_TOGETHER},
    {HD_LIB_MPI_Intercomm_merge, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     HD_TOGETHER},
    {HD_LIB_MPI_Cart_create, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     HD_TOGETHER},
    {HD_LIB_MPI_Win_create, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 4,
     HD_TOGETHER},
    {HD_LIB_MPI_Win_allocate, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 3,
     HD_TOGETHER},
    {HD_LIB_MPI_Win_allocate_shared, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 3,
     HD_TOGETHER},
    /* Their communicator is that of the window. */
    {HD_LIB_MPI_Win_fence, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_TOGETHER},
    {HD_LIB_MPI_Win_free, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_TOGETHER},
    {HD_LIB_MPI_Dist_graph_create_adjacent, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     -1, 0, HD_TOGETHER},
    {HD_LIB_MPI_File_open, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     HD_TOGETHER},
    {HD_LIB_MPI_File_close, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_set_view, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_set_size, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_preallocate, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_sync, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_write_all, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_write_ordered, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_write_at_all, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_read_all, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_read_ordered, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_File_read_at_all, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     HD_EACH_ALONE},
    {HD_LIB_MPI_Cart_sub, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     HD_TOGETHER},
    {HD_LIB_MPI_Bcast, 0, 1, -1, 2, 0, 1, -1, 2, -1, 3, 4, HD_FROM_ROOT},
    {HD_LIB_MPI_Scatter, 0, 1, -1, 2, 3, 4, -1, 5, -1, 6, 7, HD_SHARED_OUT},
    {HD_LIB_MPI_Scatterv, 0, 1, 2, 3, 4, 5, -1, 6, -1, 7, 8, HD_SHARED_OUT},
    {HD_LIB_MPI_Gather, 0, 1, -1, 2, 3, 4, -1, 5, -1, 6, 7, HD_TO_ROOT},
    {HD_LIB_MPI_Gatherv, 0, 1, -1, 2, 3, 4, 5, 6, -1, 7, 8, HD_TO_ROOT},
    {HD_LIB_MPI_Allgather, 0, 1, -1, 2, 3, 4, -1, 5, -1, -1, 6, HD_TO_ALL},
    {HD_LIB_MPI_Allgatherv, 0, 1, -1, 2, 3, 4, 5, 6, -1, -1, 7, HD_TO_ALL},
    {HD_LIB_MPI_Alltoall, 0, 1, -1, 2, 3, 4, -1, 5, -1, -1, 6, HD_EACH_TO_EACH},
    {HD_LIB_MPI_Alltoallv, 0, 1, 2, 3, 4, 5, 6, 7, -1, -1, 8, HD_EACH_TO_EACH},
    {HD_LIB_MPI_Alltoallw, 0, 1, 2, 3, 4, 5, 6, 7, -1, -1, 8, HD_EACH_TO_EACH},
    {HD_LIB_MPI_Neighbor_allgather, 0, 1, -1, 2, 3, 4, -1, 5, -1, -1, 6,
     HD_TO_NEIGHBORS},
    {HD_LIB_MPI_Neighbor_allgatherv, 0, 1, -1, 2, 3, 4, 5, 6, -1, -1, 7,
     HD_TO_NEIGHBORS},
    {HD_LIB_MPI_Neighbor_alltoall, 0, 1, -1, 2, 3, 4, -1, 5, -1, -1, 6,
     HD_EACH_TO_NEIGHBORS},
    {HD_LIB_MPI_Neighbor_alltoallv, 0, 1, 2, 3, 4, 5, 6, 7, -1, -1, 8,
     HD_EACH_TO_NEIGHBORS},
    {HD_LIB_MPI_Neighbor_alltoallw, 0, 1, 2, 3, 4, 5, 6, 7, -1, -1, 8,
     HD_EACH_TO_NEIGHBORS},
    {HD_LIB_MPI_Reduce, 0, 2, -1, 3, 1, 2, -1, 3, 4, 5, 6, HD_REDUCED_TO_ROOT},
    {HD_LIB_MPI_Allreduce, 0, 2, -1, 3, 1, 2, -1, 3, 4, -1, 5,
     HD_REDUCED_TO_ALL},
    {HD_LIB_MPI_Scan, 0, 2, -1, 3, 1, 2, -1, 3, 4, -1, 5, HD_REDUCED_BEFORE},
    {HD_LIB_MPI_Exscan, 0, 2, -1, 3, 1, 2, -1, 3, 4, -1, 5,
     HD_REDUCED_STRICTLY_BEFORE},
    {HD_LIB_MPI_Reduce_scatter, 0, -1, -1, 3, 1, 2, -1, 3, 4, -1, 5,
     HD_REDUCED_SHARED_OUT},
    {HD_LIB_MPI_Reduce_scatter_block, 0, -1, -1, 3, 1, 2, -1, 3, 4, -1, 5,
     HD_REDUCED_SHARED_OUT},
};

/* Those that begin an operation have the same arguments, and a request behind
 * the communicator. */
static const struct {
  hd_library_fn fn, blocking;
} beginners[] = {
    {HD_LIB_MPI_Ibarrier, HD_LIB_MPI_Barrier},
    {HD_LIB_MPI_Ibcast, HD_LIB_MPI_Bcast},
    {HD_LIB_MPI_Iscatter, HD_LIB_MPI_Scatter},
    {HD_LIB_MPI_Iscatterv, HD_LIB_MPI_Scatterv},
    {HD_LIB_MPI_Igather, HD_LIB_MPI_Gather},
    {HD_LIB_MPI_Igatherv, HD_LIB_MPI_Gatherv},
    {HD_LIB_MPI_Iallgather, HD_LIB_MPI_Allgather},
    {HD_LIB_MPI_Iallgatherv, HD_LIB_MPI_Allgatherv},
    {HD_LIB_MPI_Ialltoall, HD_LIB_MPI_Alltoall},
    {HD_LIB_MPI_Ialltoallv, HD_LIB_MPI_Alltoallv},
    {HD_LIB_MPI_Ialltoallw, HD_LIB_MPI_Alltoallw},
    {HD_LIB_MPI_Ineighbor_allgather, HD_LIB_MPI_Neighbor_allgather},
    {HD_LIB_MPI_Ineighbor_allgatherv, HD_LIB_MPI_Neighbor_allgatherv},
    {HD_LIB_MPI_Ineighbor_alltoall, HD_LIB_MPI_Neighbor_alltoall},
    {HD_LIB_MPI_Ineighbor_alltoallv, HD_LIB_MPI_Neighbor_alltoallv},
    {HD_LIB_MPI_Ineighbor_alltoallw, HD_LIB_MPI_Neighbor_alltoallw},
    {HD_LIB_MPI_Ireduce, HD_LIB_MPI_Reduce},
    {HD_LIB_MPI_Iallreduce, HD_LIB_MPI_Allreduce},
    {HD_LIB_MPI_Iscan, HD_LIB_MPI_Scan},
    {HD_LIB_MPI_Iexscan, HD_LIB_MPI_Exscan},
    {HD_LIB_MPI_Ireduce_scatter, HD_LIB_MPI_Reduce_scatter},
    {HD_LIB_MPI_Ireduce_scatter_block, HD_LIB_MPI_Reduce_scatter_block},
};

hd_library_fn hd_mpi_blocking(hd_library_fn fn) {
  for (size_t i = 0; i < sizeof beginners / sizeof *beginners; i++)
    if (beginners[i].fn == fn)
      return beginners[i].blocking;
  return fn;
}

const hd_mpi_shape *hd_mpi_shape_of(hd_library_fn fn) {
  fn = hd_mpi_blocking(fn);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (shapes[i].fn == fn)
      return &shapes[i];
  return NULL;
}

bool hd_mpi_is_collective(hd_library_fn fn) {
  return hd_mpi_shape_of(fn) != NULL;
}

int64_t hd_mpi_operation_of(const hd_mpi_call *c, uint64_t handle) {
  int64_t op = (int32_t)(uint32_t)handle;
  uint64_t made = (uint64_t)op - HD_MPI_FIRST_OP;
  if (op >= HD_MPI_FIRST_OP && made < c->process->ops.size &&
      (c->ends || c->process->ops.data[made].what != HD_NO_ID))
    return HD_MPI_OWN_OPERATION +
           hd_host_function(c->m, c->process->ops.data[made].function);
  return op;
}

/* In an intercommunicator the root says so, others of its group that it is none
 * of them, and the other group which rank it has. */
static int64_t root_of(const hd_mpi_view *v, int32_t given) {
  if (v->inter && given == HD_MPI_ROOT)
    return v->me;
  if (v->inter && given == HD_MPI_PROC_NULL)
    return -1;
  return given >= 0 && (uint32_t)given < v->to - v->from
             ? (int64_t)v->from + given
             : HD_MPI_NO_ROOT;
}

hd_mpi_view hd_mpi_view_of(const hd_mpi_call *c, uint32_t comm) {
  const hd_mpi_shape *s = hd_mpi_shape_of(c->call->fn);
  hd_mpi_view v = {.c = c, .shape = s, .comm = comm, .root = -1, .op = -1};
  v.me = hd_mpi_comm_rank(c->mpi, comm, c->p);
  v.n = (uint32_t)c->mpi->comms.data[comm].members.size;
  v.inter = c->mpi->comms.data[comm].side != 0;
  hd_mpi_places(c->mpi, comm, c->p, &v.from, &v.to);
  v.own = hd_mpi_own_rank(c->mpi, comm, c->p);
  if (s->root >= 0)
    v.root = root_of(&v, hd_mpi_int(c, (uint32_t)s->root));
  if (s->op >= 0)
    v.op = hd_mpi_operation_of(c, c->call->args[s->op]);
  return v;
}

bool hd_mpi_is_root(const hd_mpi_view *v) {
  return v->root == (int64_t)v->me;
}

bool hd_mpi_sends(const hd_mpi_view *v) {
  switch ((hd_mpi_pattern)v->shape->pattern) {
  case HD_TOGETHER:
  case HD_EACH_ALONE:
    return false;
  case HD_FROM_ROOT:
  case HD_SHARED_OUT:
    return hd_mpi_is_root(v);
  case HD_TO_ROOT:
  case HD_REDUCED_TO_ROOT:
    return !v->inter || (v->root >= 0 && !hd_mpi_is_root(v));
  default:
    return true;
  }
}

bool hd_mpi_receives(const hd_mpi_view *v) {
  switch ((hd_mpi_pattern)v->shape->pattern) {
  case HD_TOGETHER:
  case HD_EACH_ALONE:
    return false;
  case HD_FROM_ROOT:
    return v->root >= 0 && !hd_mpi_is_root(v);
  case HD_SHARED_OUT:
    return v->root >= 0 && !(v->inter && hd_mpi_is_root(v));
  case HD_TO_ROOT:
  case HD_REDUCED_TO_ROOT:
    return hd_mpi_is_root(v);
  case HD_REDUCED_STRICTLY_BEFORE:
    return v->me > 0;
  default:
    return true;
  }
}

bool hd_mpi_in_place(const hd_mpi_view *v, int8_t argument) {
  return argument >= 0 && v->c->call->args[argument] == HD_MPI_IN_PLACE;
}

static bool of_neighbors(const hd_mpi_view *v) {
  return v->shape->pattern == HD_TO_NEIGHBORS ||
         v->shape->pattern == HD_EACH_TO_NEIGHBORS;
}

uint32_t hd_mpi_partners(const hd_mpi_view *v, bool receive) {
  return of_neighbors(v) ? hd_mpi_neighbors(v->c->mpi, v->comm, v->me, receive)
                         : v->to - v->from;
}

uint32_t hd_mpi_partner(const hd_mpi_view *v, bool receive, uint32_t i) {
  assert(i < hd_mpi_partners(v, receive));
  return of_neighbors(v)
             ? hd_mpi_neighbor(v->c->mpi, v->comm, v->me, receive, i)
             : v->from + i;
}

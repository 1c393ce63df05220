/* SPDX-License-Identifier: MIT */
/* Communicators of all processes: duplicates, and grids of one dimension with as
 * many places as there are processes, in which everybody keeps its rank. They are
 * numbered as the process makes them; making one is a call that all come to in
 * the same order, so the numbers are the same for all. In comm_handles of the
 * state a handle has the kind of its communicator. */
#include "engine/uniform/parts.h"

#include "engine/lise/mpi.h"

enum { PLAIN = 1, LINE, RING, FIRST_HANDLE = 3 };

hd_going hd_uni_comm_arg(hd_lise *l, hd_term arg, uint32_t *comm) {
  int64_t handle;
  const hd_lise_proc *me = hd_lise_seen(l);
  *comm = 0;
  if (hd_term_is_undef(l->terms, arg))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "the communicator was never set");
  if (!hd_term_is_int(l->terms, arg, &handle) || handle == FIRST_HANDLE - 1)
    return hd_lise_refuse(l, "a communicator that is not one of all processes, "
                             "with any number of processes");
  if (handle < 1 || handle >= (int64_t)me->comm_handles.size ||
      !me->comm_handles.data[handle])
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "there is no communicator with this handle");
  *comm = handle == 1 ? 0 : (uint32_t)handle - FIRST_HANDLE + 1;
  assert(*comm == 0 || hd_uni_of(l)->role == HD_UNI_EACH);
  return HD_GO_ON;
}

static uint32_t kind_of(const hd_lise *l, uint32_t comm) {
  return comm ? hd_lise_seen(l)->comm_handles.data[comm + FIRST_HANDLE - 1]
              : PLAIN;
}

/* All come to the call and get the communicator. */
static hd_going make(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                     uint32_t of, uint32_t kind, hd_term pointer) {
  hd_uni *u = hd_uni_of(l);
  if (u->frame)
    return hd_lise_refuse(l, "a communicator that is made in a loop of unknown "
                             "length");
  hd_lise_proc *me = hd_lise_me(l);
  while (me->comm_handles.size < FIRST_HANDLE)
    hd_vec_push(&me->comm_handles, 0);
  int64_t handle = (int64_t)me->comm_handles.size;
  hd_vec_push(&me->comm_handles, kind);
  hd_uni_op op = {.kind = HD_UNI_ALL,
                  .fn = fn,
                  .comm = of,
                  .op = kind,
                  .edge = (hd_edge_id)(edge - hd_lise_code(l)->edges.data)};
  hd_uni_joined(u, op);
  hd_going g = hd_lise_put_int(l, pointer, 0, 4, handle);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

/* Element 0 of an array of ints. */
static hd_going first_of(hd_lise *l, hd_term pointer, const char *what,
                         hd_term *out) {
  hd_going g = hd_lise_load(l, pointer, (hd_type){HD_TYPE_INT, 32}, out);
  if (g == HD_GO_ON && hd_term_is_undef(l->terms, *out))
    g = hd_lise_violate(l, HD_PROPERTY_UNINIT, "%s was never set", what);
  return g;
}

static hd_going one_dimension(hd_lise *l, hd_term n) {
  int64_t dimensions;
  if (!hd_term_is_int(l->terms, n, &dimensions) || dimensions != 1)
    return hd_lise_refuse(l, "a grid that has not one dimension, with any "
                             "number of processes");
  return HD_GO_ON;
}

/* (comm, ndims, dims, periods, reorder, &new) */
static hd_going grid_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                          const hd_term *a) {
  hd_terms *t = l->terms;
  uint32_t comm;
  hd_term places = 0, around = 0;
  int64_t periodic, reorder;
  hd_going g = hd_uni_comm_arg(l, a[0], &comm);
  if (g == HD_GO_ON)
    g = one_dimension(l, a[1]);
  if (g == HD_GO_ON)
    g = first_of(l, a[2], "the size of the grid", &places);
  if (g == HD_GO_ON)
    g = first_of(l, a[3], "whether the grid is periodic", &around);
  if (g != HD_GO_ON)
    return g;
  if (!hd_term_is_int(t, around, &periodic) ||
      !hd_term_is_int(t, a[4], &reorder) || reorder)
    return hd_lise_refuse(l,
                          "a grid whose ranks an MPI may order anew, or that "
                          "is periodic or not, with any number of "
                          "processes");
  if (hd_lise_valid(l, hd_term_eq(t, places, hd_uni_of(l)->size)) != HD_VALID)
    return hd_lise_refuse(l, "a grid that has not as many places as there are "
                             "processes");
  return make(l, edge, fn, comm, periodic ? RING : LINE, a[5]);
}

/* (comm, &new) */
static hd_going dup_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                         const hd_term *a) {
  uint32_t comm;
  hd_going g = hd_uni_comm_arg(l, a[0], &comm);
  return g == HD_GO_ON ? make(l, edge, fn, comm, kind_of(l, comm), a[1]) : g;
}

static hd_going grid_arg(hd_lise *l, hd_term arg, bool *ring) {
  uint32_t comm;
  hd_going g = hd_uni_comm_arg(l, arg, &comm);
  if (g != HD_GO_ON)
    return g;
  uint32_t kind = kind_of(l, comm);
  *ring = kind == RING;
  return kind == PLAIN ? hd_lise_violate(l, HD_PROPERTY_MPI,
                                         "the communicator has no grid")
                       : HD_GO_ON;
}

/* The process so many places further on. */
static hd_going neighbour(hd_lise *l, bool ring, int64_t distance,
                          hd_term *out) {
  const hd_uni *u = hd_uni_of(l);
  hd_terms *t = l->terms;
  hd_term there = hd_term_add(t, u->rank, hd_term_int(t, distance));
  bool inside = true;
  hd_going g =
      hd_lise_decide(l,
                     distance > 0 ? hd_term_lt(t, there, u->size)
                                  : hd_term_le(t, hd_term_int(t, 0), there),
                     &inside);
  hd_term turned = distance > 0 ? hd_term_sub(t, there, u->size)
                                : hd_term_add(t, there, u->size);
  *out = inside ? there : ring ? turned : hd_term_int(t, HD_MPI_PROC_NULL);
  return g;
}

/* (comm, direction, displacement, &source, &destination) */
static hd_going shift_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *a) {
  (void)edge, (void)fn;
  hd_terms *t = l->terms;
  bool ring = false;
  int64_t direction, distance;
  hd_term source, destination;
  hd_going g = grid_arg(l, a[0], &ring);
  if (g != HD_GO_ON)
    return g;
  if (!hd_term_is_int(t, a[1], &direction) ||
      !hd_term_is_int(t, a[2], &distance) ||
      (ring && (distance > 1 || distance < -1)) || distance > INT16_MAX ||
      distance < INT16_MIN)
    return hd_lise_refuse(l, "a shift in a ring by more than one place, or by "
                             "a number that is not constant");
  if (direction)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the grid has no direction %lld",
                           (long long)direction);
  g = neighbour(l, ring, -distance, &source);
  if (g == HD_GO_ON)
    g = neighbour(l, ring, distance, &destination);
  if (g == HD_GO_ON)
    g = hd_uni_store(l, a[3], 0, 4, source);
  if (g == HD_GO_ON)
    g = hd_uni_store(l, a[4], 0, 4, destination);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

/* (comm, rank, maxdims, coords) */
static hd_going coords_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                            const hd_term *a) {
  (void)edge, (void)fn;
  hd_terms *t = l->terms;
  bool ring;
  hd_going g = grid_arg(l, a[0], &ring);
  if (g == HD_GO_ON)
    g = one_dimension(l, a[2]);
  if (g == HD_GO_ON)
    g = hd_lise_check(l,
                      hd_term_and(t, hd_term_le(t, hd_term_int(t, 0), a[1]),
                                  hd_term_lt(t, a[1], hd_uni_of(l)->size)),
                      HD_PROPERTY_MPI, "there is no such rank");
  if (g == HD_GO_ON)
    g = hd_uni_store(l, a[3], 0, 4, a[1]);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

/* (processes, ndims, dims): one that is open gets all. */
static hd_going dims_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                          const hd_term *a) {
  (void)edge, (void)fn;
  hd_terms *t = l->terms;
  hd_term given = 0, zero = hd_term_int(t, 0);
  hd_going g = one_dimension(l, a[1]);
  if (g == HD_GO_ON)
    g = first_of(l, a[2], "the size of the grid", &given);
  if (g == HD_GO_ON)
    g = hd_lise_check(l, hd_term_lt(t, zero, a[0]), HD_PROPERTY_MPI,
                      "there are no processes for the grid");
  if (g == HD_GO_ON && given != zero)
    g = hd_lise_refuse(l, "MPI_Dims_create of a grid that is not open, with "
                          "any number of processes");
  if (g == HD_GO_ON)
    g = hd_uni_store(l, a[2], 0, 4, a[0]);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

hd_uni_caller *hd_uni_grid_caller(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Cart_create:
    return grid_call;
  case HD_LIB_MPI_Comm_dup:
    return dup_call;
  case HD_LIB_MPI_Cart_shift:
    return shift_call;
  case HD_LIB_MPI_Cart_coords:
    return coords_call;
  case HD_LIB_MPI_Dims_create:
    return dims_call;
  default:
    return NULL;
  }
}

/* SPDX-License-Identifier: MIT */
/* Cartesian topologies: questions about one, and what their makers bring to the
 * call. */
#include "check/mpi/collective.h"

#include <string.h>

enum { CART = 2, DIST_GRAPH = 3, UNWEIGHTED = 2 }; /* of mpi.h */

/* The topology of a communicator; NULL after a violation. */
static const hd_mpi_cart *cart_of(const hd_mpi_call *c, uint32_t *comm) {
  *comm = hd_mpi_comm_of(c, c->call->args[0]);
  if (*comm == HD_NO_ID)
    return NULL;
  const hd_mpi_cart *cart = &c->mpi->comms.data[*comm].cart;
  if (cart->n)
    return cart;
  hd_mpi_misuse(c, "the communicator has no Cartesian topology");
  return NULL;
}

static void coords_of(const hd_mpi_cart *cart, uint32_t rank, int32_t *out) {
  for (uint32_t i = cart->n; i-- > 0;) {
    out[i] = (int32_t)rank % cart->dims[i];
    rank /= (uint32_t)cart->dims[i];
  }
}

/* The rank at coordinates; -1: outside. */
static int64_t rank_at(const hd_mpi_cart *cart, const int32_t *coords) {
  int64_t rank = 0;
  for (uint32_t i = 0; i < cart->n; i++) {
    int32_t at = coords[i];
    if (cart->periodic[i])
      at = (at % cart->dims[i] + cart->dims[i]) % cart->dims[i];
    if (at < 0 || at >= cart->dims[i])
      return -1;
    rank = rank * cart->dims[i] + at;
  }
  return rank;
}

/* (comm, n, dims, periods, reorder, &new) */
static bool read_cart(const hd_mpi_call *c, uint32_t comm, hd_mpi_cart *cart) {
  int32_t n = hd_mpi_int(c, 1);
  int64_t cells = 1;
  if (n < 1) {
    hd_mpi_misuse(c, "the number of dimensions is %d", n);
    return false;
  }
  if (n > HD_MPI_DIMS) {
    hd_mpi_refuse(c, "more than %d dimensions", HD_MPI_DIMS);
    return false;
  }
  cart->n = (uint32_t)n;
  for (uint32_t i = 0; i < cart->n; i++) {
    if (!hd_mpi_get(c, c->call->args[2] + 4 * i, "a dimension",
                    &cart->dims[i]) ||
        !hd_mpi_get(c, c->call->args[3] + 4 * i, "a period",
                    &cart->periodic[i]))
      return false;
    if (cart->dims[i] < 1) {
      hd_mpi_misuse(c, "dimension %u is %d", i, cart->dims[i]);
      return false;
    }
    cart->periodic[i] = cart->periodic[i] != 0;
    cells *= cart->dims[i];
  }
  if (cells <= (int64_t)c->mpi->comms.data[comm].members.size)
    return true;
  hd_mpi_misuse(c, "a topology of %lld processes, but there are only %zu",
                (long long)cells, c->mpi->comms.data[comm].members.size);
  return false;
}

/* (comm, remain, &new): who has the same coordinates in the dimensions that
 * are dropped stays together. */
static bool read_sub(const hd_mpi_call *c, uint32_t me, hd_mpi_joiner *joiner) {
  uint32_t comm;
  const hd_mpi_cart *cart = cart_of(c, &comm);
  int32_t coords[HD_MPI_DIMS];
  if (!cart)
    return false;
  coords_of(cart, me, coords);
  joiner->key = me;
  joiner->color = 0;
  for (uint32_t i = 0; i < cart->n; i++) {
    int32_t remains;
    if (!hd_mpi_get(c, c->call->args[1] + 4 * i, "a dimension", &remains))
      return false;
    if (remains) {
      joiner->cart.dims[joiner->cart.n] = cart->dims[i];
      joiner->cart.periodic[joiner->cart.n++] = cart->periodic[i];
    } else {
      joiner->color = joiner->color * cart->dims[i] + coords[i];
    }
  }
  if (joiner->cart.n)
    return true;
  hd_mpi_refuse(c, "a topology without dimensions");
  return false;
}

/* --- graphs --- */

/* What a rank of a graph says of itself. */
static const uint32_t *node_of(const hd_mpi_comm *of, uint32_t rank) {
  const uint32_t *at = of->graph.data;
  for (uint32_t i = 0; i < rank; i++)
    at += 2 + at[0] + at[1];
  return at;
}

static bool read_ranks(const hd_mpi_call *c, uint32_t comm, uint32_t count,
                       uint32_t list, hd_u32s *out) {
  size_t n = c->mpi->comms.data[comm].members.size;
  for (int32_t i = 0; i < hd_mpi_int(c, count); i++) {
    int32_t rank;
    if (!hd_mpi_get(c, c->call->args[list] + 4 * (uint64_t)i, "a neighbour",
                    &rank))
      return false;
    if (rank < 0 || (size_t)rank >= n) {
      hd_mpi_misuse(c, "there is no rank %d among %zu processes", rank, n);
      return false;
    }
    hd_vec_push(out, (uint32_t)rank);
  }
  return true;
}

/* (comm, indegree, sources, weights, outdegree, destinations, weights, info,
 * reorder, &new) */
static bool read_graph(const hd_mpi_call *c, uint32_t comm,
                       hd_mpi_joiner *joiner) {
  if (hd_mpi_int(c, 1) < 0 || hd_mpi_int(c, 4) < 0) {
    hd_mpi_misuse(c, "the number of neighbours is negative");
    return false;
  }
  if (hd_mpi_int(c, 8)) {
    hd_mpi_refuse(c, "with another order of the processes");
    return false;
  }
  hd_vec_push(&joiner->edges, (uint32_t)hd_mpi_int(c, 1));
  hd_vec_push(&joiner->edges, (uint32_t)hd_mpi_int(c, 4));
  return read_ranks(c, comm, 1, 2, &joiner->edges) &&
         read_ranks(c, comm, 4, 5, &joiner->edges);
}

uint32_t hd_mpi_neighbors(const hd_mpi *mpi, uint32_t comm, uint32_t rank,
                          bool receive) {
  const hd_mpi_comm *of = &mpi->comms.data[comm];
  return of->graph.size ? node_of(of, rank)[!receive] : 2 * of->cart.n;
}

uint32_t hd_mpi_neighbor(const hd_mpi *mpi, uint32_t comm, uint32_t rank,
                         bool receive, uint32_t i) {
  const hd_mpi_comm *of = &mpi->comms.data[comm];
  if (of->graph.size) {
    const uint32_t *node = node_of(of, rank);
    return node[2 + (receive ? 0 : node[0]) + i];
  }
  int32_t coords[HD_MPI_DIMS];
  coords_of(&of->cart, rank, coords);
  coords[i / 2] += i % 2 ? 1 : -1;
  int64_t at = rank_at(&of->cart, coords);
  return at < 0 ? HD_NO_ID : (uint32_t)at;
}

/* MPI 4: what goes to the left comes from the right. By the text of MPI 3, which
 * sends all with one tag, the first block for a process is the first from it. */
uint32_t hd_mpi_neighbor_block(const hd_mpi *mpi, uint32_t comm, uint32_t rank,
                               uint32_t i) {
  bool grid = mpi->comms.data[comm].cart.n != 0;
  if (grid && mpi->facts[HD_MPI_NEIGHBORS] != 2)
    return i ^ 1;
  uint32_t source = hd_mpi_neighbor(mpi, comm, rank, true, i), before = 0;
  for (uint32_t k = 0; k < i; k++)
    before += hd_mpi_neighbor(mpi, comm, rank, true, k) == source;
  uint32_t n = hd_mpi_neighbors(mpi, comm, source, false);
  for (uint32_t k = 0; k < n; k++)
    if (hd_mpi_neighbor(mpi, comm, source, false, k) == rank && !before--)
      return k;
  hd_bug("an edge of a topology has one end only");
}

bool hd_mpi_two_ways(const hd_mpi *mpi, uint32_t p) {
  const hd_mpi_process *process = &mpi->processes[p];
  const hd_mpi_shape *shape = hd_mpi_shape_of(process->call.fn);
  uint64_t handle = (uint32_t)process->call.args[shape->comm];
  uint64_t made = handle - HD_MPI_FIRST_COMM;
  if (handle < HD_MPI_FIRST_COMM || made >= process->comms.size ||
      process->comms.data[made].what == HD_NO_ID)
    return false;
  const hd_mpi_cart *cart =
      &mpi->comms.data[process->comms.data[made].what].cart;
  for (uint32_t i = 0; i < cart->n; i++)
    if (cart->periodic[i] && cart->dims[i] <= 2)
      return true;
  return false;
}

/* --- what is brought to a call --- */

/* A call with neighbours: are there any? */
static bool check_neighbors(const hd_mpi_call *c, uint32_t comm) {
  const hd_mpi_comm *of = &c->mpi->comms.data[comm];
  if (of->cart.n || of->graph.size)
    return true;
  hd_mpi_misuse(c, "the communicator has no topology");
  return false;
}

bool hd_mpi_bring_topology(const hd_mpi_call *c, uint32_t comm, uint32_t me,
                           hd_mpi_joiner *joiner) {
  const hd_mpi_group *group;
  switch (c->call->fn) {
  case HD_LIB_MPI_Comm_create:
    group = hd_mpi_group_of(c, c->call->args[1]);
    if (!group)
      return false;
    for (hd_vec_each(uint32_t, p, &group->members))
      hd_vec_push(&joiner->group, *p);
    return true;
  case HD_LIB_MPI_Cart_create:
    joiner->color = hd_mpi_int(c, 4) != 0; /* may be in another order */
    if (joiner->color)
      (void)hd_mpi_variant(c);
    return read_cart(c, comm, &joiner->cart);
  case HD_LIB_MPI_Cart_sub:
    return read_sub(c, me, joiner);
  case HD_LIB_MPI_Dist_graph_create_adjacent:
    return read_graph(c, comm, joiner);
  default:
    break;
  }
  hd_mpi_pattern pattern =
      (hd_mpi_pattern)hd_mpi_shape_of(c->call->fn)->pattern;
  if (pattern == HD_EACH_TO_NEIGHBORS)
    (void)hd_mpi_variant(c);
  return (pattern != HD_TO_NEIGHBORS && pattern != HD_EACH_TO_NEIGHBORS) ||
         check_neighbors(c, comm);
}

/* An array of ints at an address, as far as there is room for it. */
static bool put_list(const hd_mpi_call *c, uint64_t address, int32_t room,
                     const int32_t *values, uint32_t n) {
  for (uint32_t i = 0; i < n && (int64_t)i < room; i++)
    if (!hd_mpi_put(c, address + 4 * i, values[i]))
      return false;
  return true;
}

/* (comm, coords, &rank) */
static void cart_rank(const hd_mpi_call *c, const hd_mpi_cart *cart) {
  int32_t coords[HD_MPI_DIMS];
  for (uint32_t i = 0; i < cart->n; i++)
    if (!hd_mpi_get(c, c->call->args[1] + 4 * i, "a coordinate", &coords[i]))
      return;
  int64_t rank = rank_at(cart, coords);
  if (rank < 0)
    hd_mpi_misuse(c, "there is no process at these coordinates");
  else if (hd_mpi_put(c, c->call->args[2], rank))
    hd_mpi_return(c);
}

/* (comm, rank, room, coords) */
static void cart_coords(const hd_mpi_call *c, const hd_mpi_cart *cart,
                        uint32_t comm) {
  int32_t coords[HD_MPI_DIMS], rank = hd_mpi_int(c, 1);
  size_t n = c->mpi->comms.data[comm].members.size;
  if (rank < 0 || (size_t)rank >= n) {
    hd_mpi_misuse(c, "there is no rank %d among %zu processes", rank, n);
    return;
  }
  coords_of(cart, (uint32_t)rank, coords);
  if (put_list(c, c->call->args[3], hd_mpi_int(c, 2), coords, cart->n))
    hd_mpi_return(c);
}

/* (comm, direction, displacement, &source, &destination) */
static void cart_shift(const hd_mpi_call *c, const hd_mpi_cart *cart,
                       uint32_t comm) {
  int32_t direction = hd_mpi_int(c, 1), by = hd_mpi_int(c, 2);
  if (direction < 0 || direction >= (int32_t)cart->n) {
    hd_mpi_misuse(c, "there is no dimension %d of %u", direction, cart->n);
    return;
  }
  int64_t ends[2];
  for (int i = 0; i < 2; i++) {
    int32_t coords[HD_MPI_DIMS];
    coords_of(cart, hd_mpi_comm_rank(c->mpi, comm, c->p), coords);
    coords[direction] += i ? by : -by;
    ends[i] = rank_at(cart, coords);
    ends[i] = ends[i] < 0 ? HD_MPI_PROC_NULL : ends[i];
  }
  if (hd_mpi_put(c, c->call->args[3], ends[0]) &&
      hd_mpi_put(c, c->call->args[4], ends[1]))
    hd_mpi_return(c);
}

/* (comm, room, dims, periods, coords) */
static void cart_get(const hd_mpi_call *c, const hd_mpi_cart *cart,
                     uint32_t comm) {
  int32_t coords[HD_MPI_DIMS], room = hd_mpi_int(c, 1);
  coords_of(cart, hd_mpi_comm_rank(c->mpi, comm, c->p), coords);
  if (put_list(c, c->call->args[2], room, cart->dims, cart->n) &&
      put_list(c, c->call->args[3], room, cart->periodic, cart->n) &&
      put_list(c, c->call->args[4], room, coords, cart->n))
    hd_mpi_return(c);
}

/* (n, number, dims): dims that are 0 get factors of n, as equal as possible,
 * the greater ones first. */
static void dims_create(const hd_mpi_call *c) {
  int32_t n = hd_mpi_int(c, 0), count = hd_mpi_int(c, 1);
  int32_t dims[HD_MPI_DIMS], open = 0, rest = n;
  if (n < 1 || count < 1) {
    hd_mpi_misuse(c, "%d processes in %d dimensions", n, count);
    return;
  }
  if (count > HD_MPI_DIMS) {
    hd_mpi_refuse(c, "more than %d dimensions", HD_MPI_DIMS);
    return;
  }
  for (int32_t i = 0; i < count; i++) {
    if (!hd_mpi_get(c, c->call->args[2] + 4 * (uint64_t)i, "a dimension",
                    &dims[i]))
      return;
    if (dims[i] < 0 || (dims[i] && rest % dims[i])) {
      hd_mpi_misuse(c, "dimension %d is %d, with %d processes", i, dims[i], n);
      return;
    }
    open += !dims[i];
    rest /= dims[i] ? dims[i] : 1;
  }
  int32_t factors[HD_MPI_DIMS];
  for (int32_t i = 0; i < open; i++) { /* the smallest that is large enough */
    int32_t left = open - i, best = rest;
    for (int32_t f = rest; f >= 1; f--) {
      int64_t power = 1;
      for (int32_t k = 0; k < left; k++)
        power = power > rest ? power : power * f;
      if (rest % f == 0 && power >= rest)
        best = f;
    }
    factors[i] = best;
    rest /= best;
  }
  for (int32_t i = 0, k = 0; i < count; i++)
    if (!dims[i] &&
        !hd_mpi_put(c, c->call->args[2] + 4 * (uint64_t)i, factors[k++]))
      return;
  hd_mpi_return(c);
}

/* MPI_Dist_graph_neighbors_count (comm, &in, &out, &weighted),
 * MPI_Dist_graph_neighbors (comm, room, sources, weights, room, destinations,
 * weights) */
static void ask_graph(const hd_mpi_call *c) {
  uint32_t comm = hd_mpi_comm_of(c, c->call->args[0]);
  if (comm == HD_NO_ID)
    return;
  const hd_mpi_comm *of = &c->mpi->comms.data[comm];
  if (!of->graph.size) {
    hd_mpi_misuse(c, "the communicator has no such topology");
    return;
  }
  const uint32_t *node = node_of(of, hd_mpi_comm_rank(c->mpi, comm, c->p));
  const int32_t *ranks = (const int32_t *)node + 2;
  bool ok;
  if (c->call->fn == HD_LIB_MPI_Dist_graph_neighbors_count) {
    if (hd_host_leaves_open(c->m))
      hd_mpi_refuse(c, "with weights or without: this is not supported");
    ok = hd_mpi_put(c, c->call->args[1], node[0]) &&
         hd_mpi_put(c, c->call->args[2], node[1]) &&
         hd_mpi_put(c, c->call->args[3], 0);
  } else {
    ok = put_list(c, c->call->args[2], hd_mpi_int(c, 1), ranks, node[0]) &&
         put_list(c, c->call->args[5], hd_mpi_int(c, 4), ranks + node[0],
                  node[1]);
  }
  if (ok)
    hd_mpi_return(c);
}

bool hd_mpi_topology_call(const hd_mpi_call *c) {
  uint32_t comm;
  const hd_mpi_cart *cart;
  switch (c->call->fn) {
  case HD_LIB_MPI_Dist_graph_neighbors:
  case HD_LIB_MPI_Dist_graph_neighbors_count:
    ask_graph(c);
    return true;
  case HD_LIB_MPI_Cart_rank:
  case HD_LIB_MPI_Cart_coords:
  case HD_LIB_MPI_Cart_shift:
  case HD_LIB_MPI_Cart_get:
  case HD_LIB_MPI_Cartdim_get:
    break;
  case HD_LIB_MPI_Dims_create:
    dims_create(c);
    return true;
  case HD_LIB_MPI_Topo_test:
    comm = hd_mpi_comm_of(c, c->call->args[0]);
    if (comm != HD_NO_ID)
      hd_mpi_put_and_return(c, 1,
                            c->mpi->comms.data[comm].cart.n ? CART
                            : c->mpi->comms.data[comm].graph.size
                                ? DIST_GRAPH
                                : HD_MPI_UNDEFINED);
    return true;
  default:
    return false;
  }
  cart = cart_of(c, &comm);
  if (!cart)
    return true;
  switch (c->call->fn) {
  case HD_LIB_MPI_Cart_rank:
    cart_rank(c, cart);
    break;
  case HD_LIB_MPI_Cart_coords:
    cart_coords(c, cart, comm);
    break;
  case HD_LIB_MPI_Cart_shift:
    cart_shift(c, cart, comm);
    break;
  case HD_LIB_MPI_Cart_get:
    cart_get(c, cart, comm);
    break;
  default:
    hd_mpi_put_and_return(c, 1, cart->n);
  }
  return true;
}

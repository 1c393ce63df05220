/* SPDX-License-Identifier: MIT */
/* Groups, Cartesian topologies, and the small functions around communicators.
 * All of them concern their process only; what makes communicators is
 * collective.c's. */
#include "check/mpi/state.h"

#include <string.h>

enum { IDENT, CONGRUENT, SIMILAR, UNEQUAL };
enum { CART = 2, TAG_UB = 1 }; /* values of mpi.h */

/* --- groups --- */

const hd_mpi_group *hd_mpi_group_of(const hd_mpi_call *c, uint64_t handle) {
  static const hd_mpi_group empty;
  handle = (uint32_t)handle;
  if (handle == HD_MPI_GROUP_EMPTY)
    return &empty;
  uint64_t i = handle - HD_MPI_FIRST_GROUP;
  if (handle >= HD_MPI_FIRST_GROUP && i < c->process->groups.size &&
      !c->process->groups.data[i].freed)
    return &c->process->groups.data[i];
  if (handle)
    hd_mpi_misuse(c, "%lld is no group (any more)", (long long)(int32_t)handle);
  else
    hd_mpi_misuse(c, "the group is MPI_GROUP_NULL");
  return NULL;
}

void hd_mpi_group_leaks(const hd_mpi_call *c) {
  for (hd_vec_each(hd_mpi_group, group, &c->process->groups))
    if (!group->freed)
      hd_mpi_leak(c, group->edge, "the group is never freed");
}

static uint32_t rank_in(const hd_mpi_group *group, uint32_t p) {
  for (uint32_t i = 0; i < group->members.size; i++)
    if (group->members.data[i] == p)
      return i;
  return HD_NO_ID;
}

/* The program gets a new group, at argument `out`; takes the members. */
static void give_group(const hd_mpi_call *c, hd_u32s members, uint32_t out) {
  int64_t handle = HD_MPI_GROUP_EMPTY;
  if (members.size) {
    hd_mpi_group group = {.members = members, .edge = c->call->edge};
    hd_vec_push(&c->process->groups, group);
    handle = HD_MPI_FIRST_GROUP + (int64_t)c->process->groups.size - 1;
  }
  if (hd_mpi_put(c, c->call->args[out], handle))
    hd_mpi_return(c);
}

static void comm_group(const hd_mpi_call *c) {
  uint32_t comm = hd_mpi_comm_of(c, c->call->args[0]);
  if (comm == HD_NO_ID)
    return;
  hd_u32s members = {0};
  for (hd_vec_each(uint32_t, p, &c->mpi->comms.data[comm].members))
    hd_vec_push(&members, *p);
  give_group(c, members, 1);
}

/* Ranks of the group that are named, in the order in which they are: one after
 * the other, or as (first, last, stride). False after a violation. */
static bool read_ranks(const hd_mpi_call *c, const hd_mpi_group *group,
                       bool ranges, hd_u32s *out) {
  int32_t n = hd_mpi_int(c, 1);
  uint64_t at = c->call->args[2];
  if (n < 0) {
    hd_mpi_misuse(c, "the number of ranks is %d", n);
    return false;
  }
  for (int32_t i = 0; i < n; i++) {
    int32_t part[3] = {0, 0, 1};
    for (uint32_t k = 0; k < (ranges ? 3u : 1u); k++, at += 4)
      if (!hd_mpi_get(c, at, "a rank", &part[k]))
        return false;
    if (!ranges)
      part[1] = part[0];
    if (!part[2]) {
      hd_mpi_misuse(c, "the stride is 0");
      return false;
    }
    for (int32_t r = part[0]; part[2] > 0 ? r <= part[1] : r >= part[1];
         r += part[2]) {
      if (r < 0 || (size_t)r >= group->members.size) {
        hd_mpi_misuse(c, "there is no rank %d in a group of %zu", r,
                      group->members.size);
        return false;
      }
      for (hd_vec_each(uint32_t, other, out))
        if (*other == (uint32_t)r) {
          hd_mpi_misuse(c, "rank %d is named twice", r);
          return false;
        }
      hd_vec_push(out, (uint32_t)r);
    }
  }
  return true;
}

/* (group, n, ranks, &new) */
static void choose(const hd_mpi_call *c, bool ranges, bool exclude) {
  const hd_mpi_group *group = hd_mpi_group_of(c, c->call->args[0]);
  hd_u32s ranks = {0}, members = {0};
  if (!group || !read_ranks(c, group, ranges, &ranks)) {
    hd_vec_free(&ranks);
    return;
  }
  for (uint32_t i = 0; !exclude && i < ranks.size; i++)
    hd_vec_push(&members, group->members.data[ranks.data[i]]);
  for (uint32_t i = 0; exclude && i < group->members.size; i++) {
    bool named = false;
    for (hd_vec_each(uint32_t, r, &ranks))
      named = named || *r == i;
    if (!named)
      hd_vec_push(&members, group->members.data[i]);
  }
  hd_vec_free(&ranks);
  give_group(c, members, 3);
}

/* (group, group, &new) */
static void combine(const hd_mpi_call *c) {
  const hd_mpi_group *a = hd_mpi_group_of(c, c->call->args[0]);
  const hd_mpi_group *b = a ? hd_mpi_group_of(c, c->call->args[1]) : NULL;
  if (!b)
    return;
  hd_u32s members = {0};
  hd_library_fn fn = c->call->fn;
  for (hd_vec_each(uint32_t, p, &a->members)) {
    bool both = rank_in(b, *p) != HD_NO_ID;
    if (fn == HD_LIB_MPI_Group_union ||
        both == (fn == HD_LIB_MPI_Group_intersection))
      hd_vec_push(&members, *p);
  }
  for (hd_vec_each(uint32_t, p, &b->members))
    if (fn == HD_LIB_MPI_Group_union && rank_in(a, *p) == HD_NO_ID)
      hd_vec_push(&members, *p);
  give_group(c, members, 2);
}

static void free_group(const hd_mpi_call *c) {
  int32_t handle;
  if (!hd_mpi_get(c, c->call->args[0], "the group", &handle) ||
      !hd_mpi_group_of(c, (uint32_t)handle))
    return;
  if (handle != HD_MPI_GROUP_EMPTY)
    c->process->groups.data[handle - HD_MPI_FIRST_GROUP].freed = true;
  if (hd_mpi_put(c, c->call->args[0], 0))
    hd_mpi_return(c);
}

static int64_t or_undefined(uint32_t rank) {
  return rank == HD_NO_ID ? HD_MPI_UNDEFINED : (int64_t)rank;
}

static void ask_group(const hd_mpi_call *c) {
  const hd_mpi_group *group = hd_mpi_group_of(c, c->call->args[0]);
  if (!group)
    return;
  int64_t value = c->call->fn == HD_LIB_MPI_Group_size
                      ? (int64_t)group->members.size
                      : or_undefined(rank_in(group, c->p));
  if (hd_mpi_put(c, c->call->args[1], value))
    hd_mpi_return(c);
}

/* (group, n, ranks, group, ranks) */
static void translate(const hd_mpi_call *c) {
  const hd_mpi_group *a = hd_mpi_group_of(c, c->call->args[0]);
  const hd_mpi_group *b = a ? hd_mpi_group_of(c, c->call->args[3]) : NULL;
  for (int32_t i = 0; b && i < hd_mpi_int(c, 1); i++) {
    int32_t rank;
    uint64_t at = 4 * (uint64_t)i;
    if (!hd_mpi_get(c, c->call->args[2] + at, "a rank", &rank))
      return;
    if (rank != HD_MPI_PROC_NULL &&
        (rank < 0 || (size_t)rank >= a->members.size)) {
      hd_mpi_misuse(c, "there is no rank %d in a group of %zu", rank,
                    a->members.size);
      return;
    }
    int64_t value = rank == HD_MPI_PROC_NULL
                        ? rank
                        : or_undefined(rank_in(b, a->members.data[rank]));
    if (!hd_mpi_put(c, c->call->args[4] + at, value))
      return;
  }
  if (b)
    hd_mpi_return(c);
}

/* How alike are two lists of processes? */
static int64_t likeness(const hd_u32s *a, const hd_u32s *b, int64_t same) {
  if (a->size != b->size)
    return UNEQUAL;
  if (!a->size || !memcmp(a->data, b->data, a->size * sizeof *a->data))
    return same;
  for (hd_vec_each(uint32_t, p, a)) {
    bool there = false;
    for (hd_vec_each(uint32_t, q, b))
      there = there || *p == *q;
    if (!there)
      return UNEQUAL;
  }
  return SIMILAR;
}

static void compare(const hd_mpi_call *c) {
  int64_t result;
  if (c->call->fn == HD_LIB_MPI_Group_compare) {
    const hd_mpi_group *a = hd_mpi_group_of(c, c->call->args[0]);
    const hd_mpi_group *b = a ? hd_mpi_group_of(c, c->call->args[1]) : NULL;
    if (!b)
      return;
    result = likeness(&a->members, &b->members, IDENT);
  } else {
    uint32_t a = hd_mpi_comm_of(c, c->call->args[0]);
    uint32_t b = a == HD_NO_ID ? a : hd_mpi_comm_of(c, c->call->args[1]);
    if (b == HD_NO_ID)
      return;
    result = a == b ? IDENT
                    : likeness(&c->mpi->comms.data[a].members,
                               &c->mpi->comms.data[b].members, CONGRUENT);
  }
  if (hd_mpi_put(c, c->call->args[2], result))
    hd_mpi_return(c);
}

/* --- Cartesian topologies --- */

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
    return read_cart(c, comm, &joiner->cart);
  case HD_LIB_MPI_Cart_sub:
    return read_sub(c, me, joiner);
  default:
    return true;
  }
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

/* --- operations of the program --- */

/* (function, commutes, &op) */
static void make_op(const hd_mpi_call *c) {
  hd_mpi_handle op = {.function = c->call->args[0],
                      .commutes = hd_mpi_int(c, 1) != 0,
                      .edge = c->call->edge};
  hd_vec_push(&c->process->ops, op);
  if (hd_mpi_put(c, c->call->args[2],
                 HD_MPI_FIRST_OP + (int64_t)c->process->ops.size - 1))
    hd_mpi_return(c);
}

static void free_op(const hd_mpi_call *c) {
  int32_t handle;
  if (!hd_mpi_get(c, c->call->args[0], "the operation", &handle))
    return;
  uint32_t i = (uint32_t)handle - HD_MPI_FIRST_OP;
  if (handle < HD_MPI_FIRST_OP || i >= c->process->ops.size ||
      c->process->ops.data[i].what == HD_NO_ID) {
    hd_mpi_misuse(c, "%d is no operation of the program", handle);
    return;
  }
  c->process->ops.data[i].what = HD_NO_ID;
  if (hd_mpi_put(c, c->call->args[0], 0))
    hd_mpi_return(c);
}

/* --- other questions --- */

/* (comm, key, &pointer, &flag): only the largest tag is known. */
static void get_attribute(const hd_mpi_call *c) {
  if (hd_mpi_comm_of(c, c->call->args[0]) == HD_NO_ID)
    return;
  if (hd_mpi_int(c, 1) != TAG_UB) {
    hd_mpi_refuse(c, "this attribute is not supported");
    return;
  }
  int32_t most = HD_MPI_TAG_MAX;
  uint64_t at = hd_host_constant(c->m, &most, sizeof most);
  if (hd_host_write(c->m, c->call->args[2], c->mpi->code->pointer_width / 8,
                    (const uint8_t *)&at, NULL) &&
      hd_mpi_put(c, c->call->args[3], 1))
    hd_mpi_return(c);
}

static void put_one(const hd_mpi_call *c, uint32_t argument, int64_t value) {
  if (hd_mpi_put(c, c->call->args[argument], value))
    hd_mpi_return(c);
}

/* (size, info, &pointer); (pointer) */
static void allocate(const hd_mpi_call *c) {
  uint64_t at = hd_host_alloc(c->m, c->call->args[0]);
  if (at &&
      hd_host_write(c->m, c->call->args[2], c->mpi->code->pointer_width / 8,
                    (const uint8_t *)&at, NULL))
    hd_mpi_return(c);
}

static bool cart_call(const hd_mpi_call *c) {
  uint32_t comm;
  const hd_mpi_cart *cart;
  switch (c->call->fn) {
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
      put_one(c, 1, c->mpi->comms.data[comm].cart.n ? CART : HD_MPI_UNDEFINED);
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
    put_one(c, 1, cart->n);
  }
  return true;
}

bool hd_mpi_group_call(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Comm_group:
    comm_group(c);
    return true;
  case HD_LIB_MPI_Group_incl:
  case HD_LIB_MPI_Group_excl:
    choose(c, false, c->call->fn == HD_LIB_MPI_Group_excl);
    return true;
  case HD_LIB_MPI_Group_range_incl:
  case HD_LIB_MPI_Group_range_excl:
    choose(c, true, c->call->fn == HD_LIB_MPI_Group_range_excl);
    return true;
  case HD_LIB_MPI_Group_union:
  case HD_LIB_MPI_Group_intersection:
  case HD_LIB_MPI_Group_difference:
    combine(c);
    return true;
  case HD_LIB_MPI_Group_free:
    free_group(c);
    return true;
  case HD_LIB_MPI_Group_size:
  case HD_LIB_MPI_Group_rank:
    ask_group(c);
    return true;
  case HD_LIB_MPI_Group_translate_ranks:
    translate(c);
    return true;
  case HD_LIB_MPI_Group_compare:
  case HD_LIB_MPI_Comm_compare:
    compare(c);
    return true;
  case HD_LIB_MPI_Op_create:
    make_op(c);
    return true;
  case HD_LIB_MPI_Op_free:
    free_op(c);
    return true;
  case HD_LIB_MPI_Comm_get_attr:
  case HD_LIB_MPI_Attr_get:
    get_attribute(c);
    return true;
  case HD_LIB_MPI_Comm_test_inter:
    if (hd_mpi_comm_of(c, c->call->args[0]) != HD_NO_ID)
      put_one(c, 1, 0);
    return true;
  /* Errors end the run, whatever is set here. */
  case HD_LIB_MPI_Comm_set_errhandler:
  case HD_LIB_MPI_Errhandler_set:
  case HD_LIB_MPI_Comm_set_name:
    if (hd_mpi_comm_of(c, c->call->args[0]) != HD_NO_ID)
      hd_mpi_return(c);
    return true;
  case HD_LIB_MPI_Errhandler_free:
    put_one(c, 0, 0);
    return true;
  case HD_LIB_MPI_Test_cancelled: {
    int32_t cancelled;
    if (hd_mpi_get(c, c->call->args[0] + 12, "the status", &cancelled))
      put_one(c, 1, cancelled);
    return true;
  }
  case HD_LIB_MPI_Query_thread:
    put_one(c, 0, c->process->thread_level);
    return true;
  case HD_LIB_MPI_Is_thread_main:
    put_one(c, 0, 1);
    return true;
  case HD_LIB_MPI_Get_version:
    if (hd_mpi_put(c, c->call->args[0], 3))
      put_one(c, 1, 1);
    return true;
  case HD_LIB_MPI_Alloc_mem:
    allocate(c);
    return true;
  case HD_LIB_MPI_Free_mem:
    if (hd_host_free(c->m, c->call->args[0]))
      hd_mpi_return(c);
    return true;
  default:
    return cart_call(c);
  }
}

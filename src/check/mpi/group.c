/* SPDX-License-Identifier: MIT */
/* Groups. They concern their process only; what makes communicators of them is
 * newcomm.c's. */
#include "check/mpi/parts.h"

#include <string.h>

enum { IDENT, CONGRUENT, SIMILAR, UNEQUAL }; /* values of mpi.h */

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
  uint32_t comm = c->call->fn == HD_LIB_MPI_Win_get_group
                      ? hd_mpi_window_comm(c)
                      : hd_mpi_comm_of(c, c->call->args[0]);
  if (comm == HD_NO_ID)
    return;
  hd_u32s members = {0};
  hd_mpi_side(c->mpi, comm, c->p, c->call->fn == HD_LIB_MPI_Comm_remote_group,
              &members);
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
    if (c->mpi->comms.data[a].side || c->mpi->comms.data[b].side) {
      hd_mpi_refuse(c, "of an intercommunicator: this is not supported");
      return;
    }
    result = a == b ? IDENT
                    : likeness(&c->mpi->comms.data[a].members,
                               &c->mpi->comms.data[b].members, CONGRUENT);
  }
  if (hd_mpi_put(c, c->call->args[2], result))
    hd_mpi_return(c);
}

bool hd_mpi_group_call(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Comm_group:
  case HD_LIB_MPI_Comm_remote_group:
  case HD_LIB_MPI_Win_get_group:
    comm_group(c);
    break;
  case HD_LIB_MPI_Group_incl:
  case HD_LIB_MPI_Group_excl:
    choose(c, false, c->call->fn == HD_LIB_MPI_Group_excl);
    break;
  case HD_LIB_MPI_Group_range_incl:
  case HD_LIB_MPI_Group_range_excl:
    choose(c, true, c->call->fn == HD_LIB_MPI_Group_range_excl);
    break;
  case HD_LIB_MPI_Group_union:
  case HD_LIB_MPI_Group_intersection:
  case HD_LIB_MPI_Group_difference:
    combine(c);
    break;
  case HD_LIB_MPI_Group_free:
    free_group(c);
    break;
  case HD_LIB_MPI_Group_size:
  case HD_LIB_MPI_Group_rank:
    ask_group(c);
    break;
  case HD_LIB_MPI_Group_translate_ranks:
    translate(c);
    break;
  case HD_LIB_MPI_Group_compare:
  case HD_LIB_MPI_Comm_compare:
    compare(c);
    break;
  default:
    return false;
  }
  return true;
}

/* SPDX-License-Identifier: MIT */
/* Collective calls that make communicators: MPI_Comm_dup, MPI_Comm_split, … */
#include "check/mpi/collective.h"

#include <string.h>

static uint32_t make_comm(hd_mpi *mpi, const hd_u32s *members) {
  uint32_t comm = hd_mpi_comm_new(mpi);
  for (hd_vec_each(uint32_t, p, members)) {
    hd_vec_push(&mpi->comms.data[comm].members, *p);
    hd_vec_push(&mpi->comms.data[comm].calls, 0);
  }
  return comm;
}

/* The calls of MPI_Comm_create_group (comm, group, tag, &new) with one group and
 * one tag meet in a communicator that has no handle. */
uint32_t hd_mpi_comm_of_group(const hd_mpi_call *c) {
  hd_mpi *mpi = c->mpi;
  uint32_t of = hd_mpi_comm_of(c, c->call->args[0]);
  const hd_mpi_group *group =
      of == HD_NO_ID ? NULL : hd_mpi_group_of(c, c->call->args[1]);
  if (!group)
    return HD_NO_ID;
  bool member = false, inside = true;
  for (hd_vec_each(uint32_t, p, &group->members)) {
    member = member || *p == c->p;
    inside = inside && hd_mpi_comm_rank(mpi, of, *p) != HD_NO_ID;
  }
  if (!member || !inside) {
    hd_mpi_misuse(c, member ? "the group is not part of the communicator"
                            : "the process is not in the group");
    return HD_NO_ID;
  }
  int32_t tag = hd_mpi_int(c, 2);
  for (uint32_t i = 0; i < mpi->comms.size; i++) {
    const hd_mpi_comm *comm = &mpi->comms.data[i];
    if (comm->parent == of + 1 && comm->tag == tag &&
        comm->members.size == group->members.size &&
        !memcmp(comm->members.data, group->members.data,
                group->members.size * sizeof *group->members.data))
      return i;
  }
  uint32_t made = make_comm(mpi, &group->members);
  mpi->comms.data[made].parent = of + 1;
  mpi->comms.data[made].tag = tag;
  return made;
}

/* Those of one color, by key and then by rank. */
static void split_color(hd_mpi *mpi, uint32_t old, hd_mpi_meeting *meeting,
                        int64_t color) {
  hd_u32s members = {0}, ranks = {0};
  size_t n = meeting->joiners.size;
  for (;;) {
    uint32_t next = HD_NO_ID;
    for (uint32_t i = 0; i < n; i++) {
      const hd_mpi_joiner *joiner = &meeting->joiners.data[i];
      bool there = joiner->color != color;
      for (hd_vec_each(uint32_t, r, &ranks))
        there = there || *r == i;
      if (!there &&
          (next == HD_NO_ID || joiner->key < meeting->joiners.data[next].key))
        next = i;
    }
    if (next == HD_NO_ID)
      break;
    hd_vec_push(&ranks, next);
    hd_vec_push(&members, mpi->comms.data[old].members.data[next]);
  }
  uint32_t comm = make_comm(mpi, &members);
  for (hd_vec_each(uint32_t, r, &ranks))
    meeting->joiners.data[*r].result = comm;
  hd_vec_free(&members);
  hd_vec_free(&ranks);
}

/* All of the old one, or with a Cartesian one as many as fit; `turned`: the last
 * is the first. */
static void make_same(hd_mpi *mpi, uint32_t old, hd_mpi_meeting *meeting,
                      hd_mpi_cart cart, bool turned) {
  hd_u32s members = {0};
  uint32_t n = (uint32_t)mpi->comms.data[old].members.size;
  uint32_t most = cart.n ? 1 : n;
  for (uint32_t i = 0; i < cart.n; i++)
    most *= (uint32_t)cart.dims[i];
  for (uint32_t i = 0; i < n && i < most; i++)
    hd_vec_push(&members,
                mpi->comms.data[old].members.data[turned ? n - 1 - i : i]);
  uint32_t comm = make_comm(mpi, &members);
  mpi->comms.data[comm].cart = cart;
  mpi->comms.data[comm].side = mpi->comms.data[old].side;
  if (meeting->fn == HD_LIB_MPI_Comm_dup)
    for (size_t i = 0; i < mpi->comms.data[old].graph.size; i++)
      hd_vec_push(&mpi->comms.data[comm].graph,
                  mpi->comms.data[old].graph.data[i]);
  for (uint32_t i = 0; i < n && i < most; i++)
    meeting->joiners.data[turned ? n - 1 - i : i].result = comm;
  hd_vec_free(&members);
}

/* MPI_Comm_create: who is in the group that it names, and they all name the
 * same. */
static bool make_group(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  hd_mpi *mpi = v->c->mpi;
  for (uint32_t i = 0; i < meeting->joiners.size; i++) {
    hd_mpi_joiner *joiner = &meeting->joiners.data[i];
    bool member = false;
    for (hd_vec_each(uint32_t, p, &joiner->group))
      member = member || *p == mpi->comms.data[v->comm].members.data[i];
    if (!member || joiner->result != HD_NO_ID)
      continue;
    hd_u32s members = {0};
    for (hd_vec_each(uint32_t, p, &joiner->group))
      hd_vec_push(&members, *p);
    uint32_t comm = make_comm(mpi, &members);
    for (hd_vec_each(uint32_t, p, &members)) {
      uint32_t rank = hd_mpi_comm_rank(mpi, v->comm, *p);
      hd_mpi_joiner *other =
          rank == HD_NO_ID ? NULL : &meeting->joiners.data[rank];
      bool same = other && other->result == HD_NO_ID &&
                  other->group.size == members.size &&
                  !memcmp(other->group.data, members.data,
                          members.size * sizeof *members.data);
      if (!same) {
        hd_vec_free(&members);
        hd_mpi_misuse(v->c, "the processes of the group name other groups, or "
                            "are not in the communicator");
        return false;
      }
      other->result = comm;
    }
    hd_vec_free(&members);
  }
  return true;
}

/* Gives every part of MPI_Cart_sub the dimensions that are kept. */
static void make_sub(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  hd_mpi *mpi = v->c->mpi;
  hd_mpi_cart cart = meeting->joiners.data[0].cart;
  for (size_t i = 0; i < meeting->joiners.size; i++) {
    const hd_mpi_joiner *joiner = &meeting->joiners.data[i];
    if (joiner->result != HD_NO_ID)
      continue;
    split_color(mpi, v->comm, meeting, joiner->color);
    mpi->comms.data[meeting->joiners.data[i].result].cart = cart;
  }
}

/* Who says that it sends to another is one that the other receives from, as
 * often. */
static bool make_graph(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  const hd_mpi_cart none = {0};
  uint32_t n = (uint32_t)meeting->joiners.size;
  make_same(v->c->mpi, v->comm, meeting, none, false);
  uint32_t made = meeting->joiners.data[0].result;
  hd_mpi_comm *comm = &v->c->mpi->comms.data[made];
  for (uint32_t i = 0; i < n; i++)
    for (hd_vec_each(uint32_t, e, &meeting->joiners.data[i].edges))
      hd_vec_push(&comm->graph, *e);
  for (uint32_t i = 0; i < n * n; i++) {
    uint32_t from = i / n, to = i % n, sent = 0, received = 0;
    for (uint32_t k = 0; k < hd_mpi_neighbors(v->c->mpi, made, from, false);
         k++)
      sent += hd_mpi_neighbor(v->c->mpi, made, from, false, k) == to;
    for (uint32_t k = 0; k < hd_mpi_neighbors(v->c->mpi, made, to, true); k++)
      received += hd_mpi_neighbor(v->c->mpi, made, to, true, k) == from;
    if (sent != received) {
      hd_mpi_misuse(v->c,
                    "rank %u sends %u times to %u, which receives %u "
                    "times from it",
                    from, sent, to, received);
      return false;
    }
  }
  return true;
}

bool hd_mpi_make_comms(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  hd_mpi *mpi = v->c->mpi;
  switch (meeting->fn) {
  case HD_LIB_MPI_Comm_dup:
  case HD_LIB_MPI_Comm_create_group:
    make_same(mpi, v->comm, meeting, mpi->comms.data[v->comm].cart, false);
    return true;
  case HD_LIB_MPI_Cart_create:
    make_same(mpi, v->comm, meeting, meeting->joiners.data[0].cart,
              meeting->joiners.data[0].color && hd_mpi_grids_turned(mpi));
    return true;
  case HD_LIB_MPI_Cart_sub:
    make_sub(v, meeting);
    return true;
  case HD_LIB_MPI_Dist_graph_create_adjacent:
    return make_graph(v, meeting);
  case HD_LIB_MPI_Comm_create:
    return make_group(v, meeting);
  case HD_LIB_MPI_Intercomm_create:
    return hd_mpi_connect(v, meeting);
  case HD_LIB_MPI_Intercomm_merge:
    return hd_mpi_merge(v, meeting);
  case HD_LIB_MPI_File_open: {
    const hd_mpi_cart none = {0};
    make_same(mpi, v->comm, meeting, none, false);
    return true;
  }
  case HD_LIB_MPI_Win_fence:
    hd_mpi_window_all_here(v->c);
    return true;
  case HD_LIB_MPI_Win_create:
  case HD_LIB_MPI_Win_allocate:
  case HD_LIB_MPI_Win_allocate_shared: {
    const hd_mpi_cart none = {0};
    make_same(mpi, v->comm, meeting, none, false);
    hd_mpi_make_window(mpi, meeting->joiners.data[0].result, meeting);
    return true;
  }
  case HD_LIB_MPI_Comm_split:
  case HD_LIB_MPI_Comm_split_type:
    for (size_t i = 0; i < meeting->joiners.size; i++) {
      const hd_mpi_joiner *joiner = &meeting->joiners.data[i];
      if (joiner->result == HD_NO_ID && joiner->color != HD_MPI_UNDEFINED)
        split_color(mpi, v->comm, meeting, joiner->color);
    }
    return true;
  default:
    return true;
  }
}

/* The argument that gets a new communicator; 0 = none does. */
static uint32_t made_at(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Comm_dup:
    return 1;
  case HD_LIB_MPI_Comm_create:
  case HD_LIB_MPI_Cart_sub:
  case HD_LIB_MPI_Intercomm_merge:
    return 2;
  case HD_LIB_MPI_Comm_split:
  case HD_LIB_MPI_Comm_create_group:
    return 3;
  case HD_LIB_MPI_Comm_split_type:
    return 4;
  case HD_LIB_MPI_Cart_create:
  case HD_LIB_MPI_Intercomm_create:
    return 5;
  case HD_LIB_MPI_Dist_graph_create_adjacent:
    return 9;
  default:
    return 0;
  }
}

bool hd_mpi_give_comm(const hd_mpi_view *v, const hd_mpi_joiner *joiner) {
  uint32_t at = made_at(v->c->call->fn);
  if (!at)
    return true;
  uint64_t handle =
      joiner->result == HD_NO_ID
          ? 0
          : hd_mpi_comm_handle(v->c->process, joiner->result, v->c->call->edge);
  return hd_mpi_put(v->c, v->c->call->args[at], (int64_t)handle);
}

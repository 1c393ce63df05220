/* SPDX-License-Identifier: MIT */
/* Intercommunicators: two groups, whose members address each other.
 *
 * Such a communicator has the members of both groups one after the other; `side`
 * is the size of the first, which is the one of the leader with the lower rank in
 * MPI_COMM_WORLD. The program sees ranks of its own group, and sends to ranks of
 * the other. MPI_Intercomm_create is a meeting of each group in its own
 * communicator; when all have come to both, and the leaders name each other, the
 * two are connected. In collective calls a process exchanges data with the other
 * group. */
#include "check/mpi/collective.h"

/* --- ranks --- */

/* The members of the own group of p, or of the other one: [from, to). */
static void side_of(const hd_mpi *mpi, uint32_t comm, uint32_t p, bool other,
                    uint32_t *from, uint32_t *to) {
  const hd_mpi_comm *of = &mpi->comms.data[comm];
  bool first = hd_mpi_comm_rank(mpi, comm, p) < of->side;
  *from = 0;
  *to = (uint32_t)of->members.size;
  if (!of->side)
    return;
  if (first != other)
    *to = of->side;
  else
    *from = of->side;
}

uint32_t hd_mpi_own_rank(const hd_mpi *mpi, uint32_t comm, uint32_t p) {
  uint32_t from, to;
  side_of(mpi, comm, p, false, &from, &to);
  return hd_mpi_comm_rank(mpi, comm, p) - from;
}

void hd_mpi_side(const hd_mpi *mpi, uint32_t comm, uint32_t p, bool other,
                 hd_u32s *out) {
  uint32_t from, to;
  side_of(mpi, comm, p, other, &from, &to);
  for (uint32_t i = from; i < to; i++)
    hd_vec_push(out, mpi->comms.data[comm].members.data[i]);
}

/* --- questions --- */

void hd_mpi_places(const hd_mpi *mpi, uint32_t comm, uint32_t p, uint32_t *from,
                   uint32_t *to) {
  side_of(mpi, comm, p, true, from, to);
}

bool hd_mpi_inter_call(const hd_mpi_call *c) {
  hd_library_fn fn = c->call->fn;
  if (fn != HD_LIB_MPI_Comm_remote_size && fn != HD_LIB_MPI_Comm_test_inter)
    return false;
  uint32_t comm = hd_mpi_comm_of(c, c->call->args[0]);
  if (comm == HD_NO_ID)
    return true;
  uint32_t from, to, side = c->mpi->comms.data[comm].side;
  side_of(c->mpi, comm, c->p, true, &from, &to);
  if (fn == HD_LIB_MPI_Comm_test_inter)
    hd_mpi_put_and_return(c, 1, side != 0);
  else if (side)
    hd_mpi_put_and_return(c, 1, to - from);
  else
    hd_mpi_misuse(c, "this is not an intercommunicator");
  return true;
}

/* --- making --- */

bool hd_mpi_bring_inter(const hd_mpi_view *v, hd_mpi_joiner *joiner) {
  const hd_mpi_call *c = v->c;
  bool inter = c->mpi->comms.data[v->comm].side != 0;
  switch (hd_mpi_blocking(c->call->fn)) {
  case HD_LIB_MPI_Intercomm_merge:
    joiner->color = hd_mpi_int(c, 1) != 0;
    if (!inter)
      hd_mpi_misuse(c, "this is not an intercommunicator");
    return inter;
  case HD_LIB_MPI_Barrier:
  case HD_LIB_MPI_Comm_dup:
    return true;
  case HD_LIB_MPI_Scan:
  case HD_LIB_MPI_Exscan:
    if (inter)
      hd_mpi_misuse(c, "this is an intercommunicator");
    return !inter;
  case HD_LIB_MPI_Intercomm_create: /* (comm, leader, peers, remote, tag, &new) */
    if (inter || !hd_mpi_is_root(v))
      break;
    joiner->peers = hd_mpi_comm_of(c, c->call->args[2]);
    if (joiner->peers == HD_NO_ID)
      return false;
    joiner->tag = hd_mpi_int(c, 4);
    hd_u32s others = {0};
    hd_mpi_side(c->mpi, joiner->peers, c->p, true, &others);
    uint32_t remote = (uint32_t)hd_mpi_int(c, 3);
    bool there = remote < others.size;
    if (there)
      joiner->remote = others.data[remote];
    else
      hd_mpi_misuse(c, "there is no rank %d among %zu processes",
                    (int32_t)remote, others.size);
    hd_vec_free(&others);
    return there;
  case HD_LIB_MPI_Reduce_scatter:
  case HD_LIB_MPI_Reduce_scatter_block:
    break;
  default:
    if (v->shape->pattern != HD_TOGETHER)
      return true;
  }
  if (inter)
    hd_mpi_refuse(c, "of an intercommunicator: this is not supported");
  return !inter;
}

static const hd_mpi_joiner *leader_of(const hd_mpi_meeting *meeting) {
  return &meeting->joiners.data[meeting->root];
}

static uint32_t leading(const hd_mpi *mpi, uint32_t comm,
                        const hd_mpi_meeting *meeting) {
  return mpi->comms.data[comm].members.data[meeting->root];
}

/* The meeting of the other group, if all have come and it waits for this one. */
static hd_mpi_meeting *partner(const hd_mpi_view *v, const hd_mpi_meeting *mine,
                               uint32_t *comm) {
  const hd_mpi *mpi = v->c->mpi;
  const hd_mpi_joiner *me = leader_of(mine);
  for (*comm = 0; *comm < mpi->comms.size; ++*comm)
    for (size_t i = 0; i < mpi->comms.data[*comm].meetings.size; i++) {
      hd_mpi_meeting *m = mpi->comms.data[*comm].meetings.data[i];
      if (m == mine || m->fn != HD_LIB_MPI_Intercomm_create ||
          m->arrived != m->joiners.size)
        continue;
      const hd_mpi_joiner *it = leader_of(m);
      if (it->result == HD_NO_ID && it->peers == me->peers &&
          it->tag == me->tag && it->remote == leading(mpi, v->comm, mine) &&
          me->remote == leading(mpi, *comm, m))
        return m;
    }
  return NULL;
}

static uint32_t make(hd_mpi *mpi, const hd_u32s *members, uint32_t side) {
  uint32_t comm = hd_mpi_comm_new(mpi);
  mpi->comms.data[comm].side = side;
  for (hd_vec_each(uint32_t, p, members)) {
    hd_vec_push(&mpi->comms.data[comm].members, *p);
    hd_vec_push(&mpi->comms.data[comm].calls, 0);
  }
  return comm;
}

bool hd_mpi_connect(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  hd_mpi *mpi = v->c->mpi;
  uint32_t there;
  hd_mpi_meeting *other = partner(v, meeting, &there);
  if (!other)
    return true; /* they come later */
  hd_u32s members = {0};
  bool first = leading(mpi, v->comm, meeting) < leading(mpi, there, other);
  uint32_t comms[2] = {first ? v->comm : there, first ? there : v->comm};
  for (int i = 0; i < 2; i++)
    for (hd_vec_each(uint32_t, p, &mpi->comms.data[comms[i]].members)) {
      for (hd_vec_each(uint32_t, q, &members))
        if (*q == *p) {
          hd_vec_free(&members);
          hd_mpi_misuse(v->c, "process %u is in both groups", *p);
          return false;
        }
      hd_vec_push(&members, *p);
    }
  uint32_t side = (uint32_t)mpi->comms.data[comms[0]].members.size;
  uint32_t made = make(mpi, &members, side);
  hd_vec_free(&members);
  for (hd_vec_each(hd_mpi_joiner, joiner, &meeting->joiners))
    joiner->result = made;
  for (hd_vec_each(hd_mpi_joiner, joiner, &other->joiners))
    joiner->result = made;
  return true;
}

bool hd_mpi_merge(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  hd_mpi *mpi = v->c->mpi;
  uint32_t side = mpi->comms.data[v->comm].side;
  const hd_mpi_joiner *joiners = meeting->joiners.data;
  for (uint32_t i = 0; i < v->n; i++)
    if (joiners[i].color != joiners[i < side ? 0 : side].color) {
      hd_mpi_misuse(v->c, "processes of one group disagree on which is first");
      return false;
    }
  if (joiners[0].color == joiners[side].color) {
    hd_mpi_refuse(v->c,
                  "both groups want to be %s, and MPI leaves the order "
                  "open: this is not supported",
                  joiners[0].color ? "last" : "first");
    return false;
  }
  hd_u32s members = {0};
  uint32_t start = joiners[0].color ? side : 0;
  for (uint32_t i = 0; i < v->n; i++)
    hd_vec_push(&members,
                mpi->comms.data[v->comm].members.data[(start + i) % v->n]);
  uint32_t made = make(mpi, &members, 0);
  hd_vec_free(&members);
  for (hd_vec_each(hd_mpi_joiner, joiner, &meeting->joiners))
    joiner->result = made;
  return true;
}

/* SPDX-License-Identifier: MIT */
/* Collective calls.
 *
 * The i-th collective call of every process on a communicator is one *meeting*.
 * A process that comes to the call has arrived: what it brings is read then, and
 * compared with what the others say about the call. It can leave when its result
 * is known: after a broadcast when the root has come, after a barrier when all
 * have. MPI lets a call wait for more than that, so leaving before all have come
 * is a move that a potential deadlock does not count on. */
#include "check/mpi/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a call looks like: numbers of its arguments, -1 = has none. */
typedef struct {
  hd_library_fn fn;
  int8_t sbuf, scount, sdispl, stype;
  int8_t rbuf, rcount, rdispl, rtype;
  int8_t op, root, comm;
  uint8_t pattern;
} shape;

typedef enum {
  TOGETHER, /* no data: all wait for all */
  FROM_ROOT,
  SHARED_OUT, /* from the root, another block to each */
  TO_ROOT,
  TO_ALL,
  EACH_TO_EACH,
  REDUCED_TO_ROOT,
  REDUCED_TO_ALL,
  REDUCED_BEFORE, /* of those with a lower rank, and the own */
  REDUCED_STRICTLY_BEFORE,
  REDUCED_SHARED_OUT,
} pattern;

static const shape shapes[] = {
    {HD_LIB_MPI_Barrier, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, TOGETHER},
    {HD_LIB_MPI_Comm_dup, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, TOGETHER},
    {HD_LIB_MPI_Comm_split, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     TOGETHER},
    {HD_LIB_MPI_Comm_create, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     TOGETHER},
    {HD_LIB_MPI_Cart_create, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
     TOGETHER},
    {HD_LIB_MPI_Win_create, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 4,
     TOGETHER},
    {HD_LIB_MPI_Win_allocate, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 3,
     TOGETHER},
    /* Their communicator is that of the window. */
    {HD_LIB_MPI_Win_fence, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
     TOGETHER},
    {HD_LIB_MPI_Win_free, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, TOGETHER},
    {HD_LIB_MPI_Cart_sub, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, TOGETHER},
    {HD_LIB_MPI_Bcast, 0, 1, -1, 2, 0, 1, -1, 2, -1, 3, 4, FROM_ROOT},
    {HD_LIB_MPI_Scatter, 0, 1, -1, 2, 3, 4, -1, 5, -1, 6, 7, SHARED_OUT},
    {HD_LIB_MPI_Scatterv, 0, 1, 2, 3, 4, 5, -1, 6, -1, 7, 8, SHARED_OUT},
    {HD_LIB_MPI_Gather, 0, 1, -1, 2, 3, 4, -1, 5, -1, 6, 7, TO_ROOT},
    {HD_LIB_MPI_Gatherv, 0, 1, -1, 2, 3, 4, 5, 6, -1, 7, 8, TO_ROOT},
    {HD_LIB_MPI_Allgather, 0, 1, -1, 2, 3, 4, -1, 5, -1, -1, 6, TO_ALL},
    {HD_LIB_MPI_Allgatherv, 0, 1, -1, 2, 3, 4, 5, 6, -1, -1, 7, TO_ALL},
    {HD_LIB_MPI_Alltoall, 0, 1, -1, 2, 3, 4, -1, 5, -1, -1, 6, EACH_TO_EACH},
    {HD_LIB_MPI_Alltoallv, 0, 1, 2, 3, 4, 5, 6, 7, -1, -1, 8, EACH_TO_EACH},
    {HD_LIB_MPI_Reduce, 0, 2, -1, 3, 1, 2, -1, 3, 4, 5, 6, REDUCED_TO_ROOT},
    {HD_LIB_MPI_Allreduce, 0, 2, -1, 3, 1, 2, -1, 3, 4, -1, 5, REDUCED_TO_ALL},
    {HD_LIB_MPI_Scan, 0, 2, -1, 3, 1, 2, -1, 3, 4, -1, 5, REDUCED_BEFORE},
    {HD_LIB_MPI_Exscan, 0, 2, -1, 3, 1, 2, -1, 3, 4, -1, 5,
     REDUCED_STRICTLY_BEFORE},
    {HD_LIB_MPI_Reduce_scatter, 0, -1, -1, 3, 1, 2, -1, 3, 4, -1, 5,
     REDUCED_SHARED_OUT},
    {HD_LIB_MPI_Reduce_scatter_block, 0, -1, -1, 3, 1, 2, -1, 3, 4, -1, 5,
     REDUCED_SHARED_OUT},
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

static const shape *shape_of(hd_library_fn fn) {
  fn = hd_mpi_blocking(fn);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (shapes[i].fn == fn)
      return &shapes[i];
  return NULL;
}

bool hd_mpi_is_collective(hd_library_fn fn) {
  return shape_of(fn) != NULL;
}

/* --- meetings --- */

void hd_mpi_meeting_delete(hd_mpi_meeting *meeting) {
  for (hd_vec_each(hd_mpi_joiner, joiner, &meeting->joiners)) {
    for (size_t i = 0; i < joiner->blocks.size; i++)
      hd_mpi_data_drop(joiner->blocks.data[i]);
    hd_vec_free(&joiner->blocks);
    hd_vec_free(&joiner->group);
  }
  hd_vec_free(&meeting->joiners);
  hd_vec_free(&meeting->signature);
  hd_free(meeting);
}

hd_mpi_meeting *hd_mpi_meeting_copy(const hd_mpi_meeting *from) {
  hd_mpi_meeting *to = hd_alloc(sizeof *to);
  *to = *from;
  memset(&to->joiners, 0, sizeof to->joiners);
  memset(&to->signature, 0, sizeof to->signature);
  for (hd_vec_each(hd_mpi_part, part, &from->signature))
    hd_vec_push(&to->signature, *part);
  for (hd_vec_each(hd_mpi_joiner, joiner, &from->joiners)) {
    hd_mpi_joiner copy = *joiner;
    memset(&copy.blocks, 0, sizeof copy.blocks);
    memset(&copy.group, 0, sizeof copy.group);
    for (hd_vec_each(uint32_t, p, &joiner->group))
      hd_vec_push(&copy.group, *p);
    for (size_t i = 0; i < joiner->blocks.size; i++)
      hd_vec_push(&copy.blocks, hd_mpi_data_keep(joiner->blocks.data[i]));
    hd_vec_push(&to->joiners, copy);
  }
  return to;
}

/* A call of one process at a meeting. */
typedef struct {
  const hd_mpi_call *c;
  const shape *shape;
  uint32_t comm;
  uint32_t me, n;   /* ranks in the communicator */
  int64_t root, op; /* -1 = none */
} view;

/* Operations of the program are known by their functions. */
#define OWN_OPERATION ((int64_t)1 << 48)

static view view_of(const hd_mpi_call *c, uint32_t comm) {
  const shape *s = shape_of(c->call->fn);
  view v = {.c = c, .shape = s, .comm = comm, .root = -1, .op = -1};
  v.me = hd_mpi_comm_rank(c->mpi, comm, c->p);
  v.n = (uint32_t)c->mpi->comms.data[comm].members.size;
  if (s->root >= 0)
    v.root = hd_mpi_int(c, (uint32_t)s->root);
  if (s->op >= 0)
    v.op = hd_mpi_int(c, (uint32_t)s->op);
  uint64_t made = (uint64_t)v.op - HD_MPI_FIRST_OP;
  if (v.op >= HD_MPI_FIRST_OP && made < c->process->ops.size &&
      c->process->ops.data[made].what != HD_NO_ID)
    v.op = OWN_OPERATION + (int64_t)c->process->ops.data[made].function;
  return v;
}

static hd_mpi_meeting *meeting_number(const hd_mpi *mpi, uint32_t comm,
                                      uint64_t number) {
  const hd_mpi_comm *of = &mpi->comms.data[comm];
  uint64_t i = number - of->gone;
  return i < of->meetings.size ? of->meetings.data[i] : NULL;
}

/* The one that a process stands in: the last it has come to. */
static hd_mpi_meeting *meeting_at(const hd_mpi *mpi, uint32_t comm,
                                  uint32_t rank) {
  return meeting_number(mpi, comm, mpi->comms.data[comm].calls.data[rank] - 1);
}

static hd_mpi_meeting *open_meeting(const view *v) {
  hd_mpi_meeting *meeting = hd_calloc(1, sizeof *meeting);
  meeting->fn = v->c->call->fn;
  meeting->root = v->root;
  meeting->op = v->op;
  meeting->first = v->me;
  for (uint32_t i = 0; i < v->n; i++) {
    hd_mpi_joiner nobody = {.edge = HD_NO_ID, .result = HD_NO_ID};
    hd_vec_push(&meeting->joiners, nobody);
  }
  hd_vec_push(&v->c->mpi->comms.data[v->comm].meetings, meeting);
  return meeting;
}

/* --- what a process brings --- */

static bool is_root(const view *v) {
  return v->root == (int64_t)v->me;
}

static bool sends(const view *v) {
  switch ((pattern)v->shape->pattern) {
  case TOGETHER:
    return false;
  case FROM_ROOT:
  case SHARED_OUT:
    return is_root(v);
  default:
    return true;
  }
}

static bool receives(const view *v) {
  switch ((pattern)v->shape->pattern) {
  case TOGETHER:
    return false;
  case FROM_ROOT:
    return !is_root(v);
  case TO_ROOT:
  case REDUCED_TO_ROOT:
    return is_root(v);
  case REDUCED_STRICTLY_BEFORE:
    return v->me > 0;
  default:
    return true;
  }
}

static bool in_place(const view *v, int8_t argument) {
  return argument >= 0 && v->c->call->args[argument] == HD_MPI_IN_PLACE;
}

static bool read_int(const hd_mpi_call *c, uint64_t address, int32_t *out) {
  uint8_t unset[4];
  return hd_host_read(c->m, address, 4, (uint8_t *)out, unset);
}

/* Where the i-th block is, and how many elements it has; false after a
 * violation. */
static bool block_at(const view *v, bool receive, uint32_t i, uint64_t *address,
                     uint64_t *count) {
  const uint64_t *args = v->c->call->args;
  const shape *s = v->shape;
  int8_t buf = receive ? s->rbuf : s->sbuf;
  int8_t number = receive ? s->rcount : s->scount;
  int8_t displ = receive ? s->rdispl : s->sdispl;
  int8_t type = receive ? s->rtype : s->stype;
  int32_t n = hd_mpi_int(v->c, (uint32_t)number);
  int64_t skip = n * (int64_t)i;
  hd_mpi_type scratch;
  hd_mpi_block one;
  const hd_mpi_type *of = hd_mpi_type_of(v->c, args[type], &scratch, &one);
  if (!of)
    return false;
  if (displ >= 0) {
    int32_t at;
    if (!read_int(v->c, args[number] + 4 * (uint64_t)i, &n) ||
        !read_int(v->c, args[displ] + 4 * (uint64_t)i, &at))
      return false;
    skip = at;
  }
  if (n < 0) {
    hd_mpi_misuse(v->c, "the count is %d", n);
    return false;
  }
  *address = args[buf] + (uint64_t)(skip * of->extent);
  *count = (uint64_t)n;
  return true;
}

/* Elements of MPI_Reduce_scatter up to rank i. */
static bool share_of(const view *v, uint32_t i, uint64_t *before,
                     uint64_t *count) {
  *before = *count = 0;
  for (uint32_t k = 0; k <= i; k++) {
    int32_t n = hd_mpi_int(v->c, 2);
    if (v->shape->fn != HD_LIB_MPI_Reduce_scatter_block &&
        !read_int(v->c, v->c->call->args[2] + 4 * (uint64_t)k, &n))
      return false;
    if (n < 0) {
      hd_mpi_misuse(v->c, "the count is %d", n);
      return false;
    }
    *before += *count;
    *count = (uint64_t)n;
  }
  return true;
}

/* Reads one block that is sent; NULL after a violation. */
static hd_mpi_data *read_block(const view *v, uint32_t i) {
  const shape *s = v->shape;
  const uint64_t *args = v->c->call->args;
  uint64_t address, count, more;
  bool here = in_place(v, s->sbuf);
  if (s->pattern == REDUCED_SHARED_OUT) {
    if (!share_of(v, v->n - 1, &count, &more))
      return NULL;
    return hd_mpi_pack(v->c, args[here ? s->rbuf : s->sbuf], count + more,
                       args[s->stype]);
  }
  if (here && s->op >= 0) /* a reduction in place */
    return hd_mpi_pack(v->c, args[s->rbuf], args[s->scount] & UINT32_MAX,
                       args[s->stype]);
  if (here) { /* MPI_Allgather, MPI_Gather: its own block; MPI_Alltoall */
    uint32_t own = s->pattern == EACH_TO_EACH ? i : v->me;
    if (!block_at(v, true, own, &address, &count))
      return NULL;
    return hd_mpi_pack(v->c, address, count, args[s->rtype]);
  }
  if (!block_at(v, false, i, &address, &count))
    return NULL;
  return hd_mpi_pack(v->c, address, count, args[s->stype]);
}

static bool bring(const view *v, hd_mpi_joiner *joiner) {
  if (v->c->call->fn == HD_LIB_MPI_Comm_split) {
    joiner->color = hd_mpi_int(v->c, 1);
    joiner->key = hd_mpi_int(v->c, 2);
    if (joiner->color < 0 && joiner->color != HD_MPI_UNDEFINED) {
      hd_mpi_misuse(v->c, "the color is %lld", (long long)joiner->color);
      return false;
    }
  }
  if (!hd_mpi_bring_topology(v->c, v->comm, v->me, joiner) ||
      !hd_mpi_bring_window(v->c, joiner))
    return false;
  if (!sends(v))
    return true;
  bool many =
      v->shape->pattern == SHARED_OUT || v->shape->pattern == EACH_TO_EACH;
  for (uint32_t i = 0; i < (many ? v->n : 1); i++) {
    hd_mpi_data *data = read_block(v, i);
    if (!data)
      return false;
    hd_vec_push(&joiner->blocks, data);
  }
  return true;
}

/* --- do they agree? --- */

/* The elements that all must agree on; false when there are none, or after a
 * violation. */
static bool agreed(const view *v, hd_mpi_signature *out) {
  const shape *s = v->shape;
  const uint64_t *args = v->c->call->args;
  bool as_sender;
  switch ((pattern)s->pattern) {
  case TOGETHER:
  case REDUCED_SHARED_OUT:
    return false;
  case SHARED_OUT:
    as_sender = is_root(v);
    break;
  case TO_ROOT:
    as_sender = !is_root(v);
    break;
  default:
    as_sender = !in_place(v, s->sbuf);
  }
  if (s->sdispl >= 0 || s->rdispl >= 0) /* other numbers for each rank */
    return false;
  int8_t count = as_sender ? s->scount : s->rcount;
  int8_t type = as_sender ? s->stype : s->rtype;
  return hd_mpi_signature_of(v->c, args[count] & UINT32_MAX, args[type], out);
}

static void print_place(hd_str *out, const hd_mpi *mpi, hd_edge_id edge) {
  hd_code_print_pos(out, mpi->code, mpi->code->edges.data[edge].pos);
}

/* "rank 0 calls MPI_Bcast at a.c:12:3" */
HD_PRINTF(3, 4)
static void disagree(const view *v, const hd_mpi_meeting *meeting,
                     const char *format, ...) {
  char text[200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_str place = {0};
  print_place(&place, v->c->mpi, meeting->joiners.data[meeting->first].edge);
  hd_mpi_misuse(v->c, "%s rank %u at %s", text,
                v->c->mpi->comms.data[v->comm].members.data[meeting->first],
                hd_str_text(&place));
  hd_str_free(&place);
}

static const char *op_name(int64_t op) {
  return op >= OWN_OPERATION ? "one of the program" : hd_mpi_op_name(op);
}

static bool fits_meeting(const view *v, hd_mpi_meeting *meeting) {
  if (meeting->fn != v->c->call->fn) {
    disagree(v, meeting, "does not go with %s of",
             hd_library_name(meeting->fn));
    return false;
  }
  if (meeting->root != v->root) {
    disagree(v, meeting, "the root is %lld here, %lld in the call of",
             (long long)v->root, (long long)meeting->root);
    return false;
  }
  if (meeting->op != v->op) {
    disagree(v, meeting, "the operation is %s here, %s in the call of",
             op_name(v->op), op_name(meeting->op));
    return false;
  }
  hd_mpi_signature mine = {0};
  bool ok = true;
  if (agreed(v, &mine)) {
    if (!meeting->known) {
      meeting->signature = mine;
      meeting->known = true;
      return true;
    }
    ok = hd_mpi_signature_same(&mine, &meeting->signature);
    if (!ok) {
      hd_str here = {0}, there = {0};
      hd_mpi_print_signature(&here, v->c->mpi, &mine);
      hd_mpi_print_signature(&there, v->c->mpi, &meeting->signature);
      disagree(v, meeting, "%s here, %s in the call of", hd_str_text(&here),
               hd_str_text(&there));
      hd_str_free(&here);
      hd_str_free(&there);
    }
  }
  hd_vec_free(&mine);
  return ok && hd_mpi_runs(v->c->mpi);
}

static bool arguments_fine(const view *v) {
  const shape *s = v->shape;
  const hd_mpi_call *c = v->c;
  if (s->root >= 0 && (v->root < 0 || v->root >= (int64_t)v->n)) {
    hd_mpi_misuse(c, "there is no root %lld among %u processes",
                  (long long)v->root, v->n);
    return false;
  }
  if (s->scount >= 0 && s->sdispl < 0 && sends(v) &&
      (s->op >= 0 || !in_place(v, s->sbuf)) &&
      hd_mpi_int(c, (uint32_t)s->scount) < 0) {
    hd_mpi_misuse(c, "the count is %d", hd_mpi_int(c, (uint32_t)s->scount));
    return false;
  }
  if (s->op < 0)
    return true;
  if (v->op < 1 || v->op > 12) {
    if (v->op >= OWN_OPERATION)
      return true;
    if (v->op)
      hd_mpi_misuse(c, "%lld is no operation for this", (long long)v->op);
    else
      hd_mpi_misuse(c, "the operation is MPI_OP_NULL");
    return false;
  }
  hd_mpi_signature one = {0};
  bool ok = hd_mpi_signature_of(c, 1, c->call->args[s->stype], &one);
  if (ok && !hd_mpi_op_fits(c->mpi, v->op, &one)) {
    hd_str text = {0};
    hd_mpi_print_signature(&text, c->mpi, &one);
    hd_mpi_misuse(c, "%s is not defined for %s", hd_mpi_op_name(v->op),
                  hd_str_text(&text));
    hd_str_free(&text);
    ok = false;
  }
  hd_vec_free(&one);
  if (ok && c->call->args[s->sbuf] == c->call->args[s->rbuf] &&
      c->call->args[s->sbuf] && receives(v) && sends(v)) {
    hd_mpi_misuse(c, "the two buffers are the same");
    ok = false;
  }
  return ok;
}

/* --- communicators that are made --- */

static uint32_t make_comm(hd_mpi *mpi, const hd_u32s *members) {
  uint32_t comm = hd_mpi_comm_new(mpi);
  for (hd_vec_each(uint32_t, p, members)) {
    hd_vec_push(&mpi->comms.data[comm].members, *p);
    hd_vec_push(&mpi->comms.data[comm].calls, 0);
  }
  return comm;
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

/* All of the old one, or with a Cartesian one as many as fit. */
static void make_same(hd_mpi *mpi, uint32_t old, hd_mpi_meeting *meeting,
                      hd_mpi_cart cart) {
  hd_u32s members = {0};
  uint32_t most = cart.n ? 1 : UINT32_MAX;
  for (uint32_t i = 0; i < cart.n; i++)
    most *= (uint32_t)cart.dims[i];
  for (hd_vec_each(uint32_t, p, &mpi->comms.data[old].members))
    if (members.size < most)
      hd_vec_push(&members, *p);
  uint32_t comm = make_comm(mpi, &members);
  mpi->comms.data[comm].cart = cart;
  for (size_t i = 0; i < members.size; i++)
    meeting->joiners.data[i].result = comm;
  hd_vec_free(&members);
}

/* MPI_Comm_create: who is in the group that it names, and they all name the
 * same. */
static bool make_group(const view *v, hd_mpi_meeting *meeting) {
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
static void make_sub(const view *v, hd_mpi_meeting *meeting) {
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

/* False after a violation. */
static bool make_comms(const view *v, hd_mpi_meeting *meeting) {
  hd_mpi *mpi = v->c->mpi;
  switch (meeting->fn) {
  case HD_LIB_MPI_Comm_dup:
    make_same(mpi, v->comm, meeting, mpi->comms.data[v->comm].cart);
    return true;
  case HD_LIB_MPI_Cart_create:
    make_same(mpi, v->comm, meeting, meeting->joiners.data[0].cart);
    return true;
  case HD_LIB_MPI_Cart_sub:
    make_sub(v, meeting);
    return true;
  case HD_LIB_MPI_Comm_create:
    return make_group(v, meeting);
  case HD_LIB_MPI_Win_create:
  case HD_LIB_MPI_Win_allocate: {
    const hd_mpi_cart none = {0};
    make_same(mpi, v->comm, meeting, none);
    hd_mpi_make_window(mpi, meeting->joiners.data[0].result, meeting);
    return true;
  }
  case HD_LIB_MPI_Comm_split:
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

/* --- coming --- */

static void tell_join(const view *v, const hd_mpi_joiner *joiner) {
  if (!v->c->mpi->options->observe)
    return;
  hd_str text = {0};
  hd_str_puts(&text, v->c->call->name);
  if (v->root >= 0)
    hd_str_printf(&text, ", root %lld", (long long)v->root);
  if (joiner->blocks.size) {
    hd_str_puts(&text, ", brings ");
    hd_mpi_print_data(&text, v->c->mpi, joiner->blocks.data[0]);
    if (joiner->blocks.size > 1)
      hd_str_puts(&text, " ...");
  }
  hd_mpi_tell(v->c->mpi, HD_MPI_JOINS, v->c->p, HD_NO_ID, "%s",
              hd_str_text(&text));
  hd_str_free(&text);
}

static bool can_leave(const hd_mpi_meeting *meeting, uint32_t me);
static bool part(const view *v, hd_mpi_meeting *meeting);
static void leave(const view *v, hd_mpi_meeting *meeting);

/* The buffers of a call belong to it while it is not complete; `owner` HD_NO_ID:
 * they must not belong to others. */
static bool claim(const view *v, uint32_t owner, bool receive) {
  const shape *s = v->shape;
  const uint64_t *args = v->c->call->args;
  if (!(receive ? receives(v) : sends(v)) ||
      in_place(v, receive ? s->rbuf : s->sbuf))
    return true;
  if (s->op >= 0) {
    uint64_t before = 0, count = 0;
    if (s->pattern != REDUCED_SHARED_OUT)
      count = args[s->scount] & UINT32_MAX;
    else if (!share_of(v, receive ? v->me : v->n - 1, &before, &count))
      return false;
    return hd_mpi_claim(v->c, args[receive ? s->rbuf : s->sbuf],
                        receive ? count : before + count, args[s->stype],
                        receive, owner);
  }
  bool many = receive ? s->pattern == TO_ROOT || s->pattern == TO_ALL ||
                            s->pattern == EACH_TO_EACH
                      : s->pattern == SHARED_OUT || s->pattern == EACH_TO_EACH;
  for (uint32_t i = 0; i < (many ? v->n : 1); i++) {
    uint64_t address, count;
    if (!block_at(v, receive, i, &address, &count) ||
        !hd_mpi_claim(v->c, address, count, args[receive ? s->rtype : s->stype],
                      receive, owner))
      return false;
  }
  return true;
}

static void begin(const view *v, uint64_t number) {
  hd_mpi_request request = {.kind = HD_REQUEST_COLLECTIVE,
                            .begun = *v->c->call,
                            .edge = v->c->call->edge,
                            .meeting = number,
                            .post = {.comm = v->comm},
                            .source = HD_MPI_ANY,
                            .tag = HD_MPI_ANY};
  uint32_t at = hd_mpi_request_new(v->c->process);
  v->c->process->requests.data[at] = request;
  if (claim(v, at, false) && claim(v, at, true) &&
      hd_mpi_put(v->c, v->c->call->args[v->shape->comm + 1], at + 1))
    hd_mpi_return(v->c);
}

void hd_mpi_collective_arrive(const hd_mpi_call *c) {
  const shape *s = shape_of(c->call->fn);
  uint32_t comm = s->comm < 0 ? hd_mpi_window_comm(c)
                              : hd_mpi_comm_of(c, c->call->args[s->comm]);
  if (comm == HD_NO_ID)
    return;
  view v = view_of(c, comm);
  if (!arguments_fine(&v))
    return;
  uint64_t number = c->mpi->comms.data[comm].calls.data[v.me];
  hd_mpi_meeting *meeting = meeting_number(c->mpi, comm, number);
  bool fresh = !meeting;
  if (fresh)
    meeting = open_meeting(&v);
  hd_mpi_joiner *joiner = &meeting->joiners.data[v.me];
  joiner->edge = c->call->edge;
  if (!fits_meeting(&v, meeting) || !bring(&v, joiner) ||
      !claim(&v, HD_NO_ID, true) || (s->comm < 0 && !hd_mpi_window_join(c)))
    return;
  joiner->known = c->process->known;
  c->mpi->comms.data[comm].calls.data[v.me]++;
  joiner->arrived = true;
  meeting->arrived++;
  tell_join(&v, joiner);
  if (meeting->arrived == v.n && !make_comms(&v, meeting))
    return;
  if (hd_mpi_blocking(c->call->fn) != c->call->fn) {
    begin(&v, number);
    return;
  }
  c->process->at_call = true;
  /* What it does next can be too early for an access to its window. */
  if (meeting->arrived == v.n && !c->mpi->exposes)
    leave(&v, meeting);
}

/* --- operations that are only begun --- */

static hd_mpi_call as_begun(const hd_mpi_call *c, const hd_host_call *begun) {
  hd_mpi_call call = *c;
  call.call = begun;
  call.ends = true;
  return call;
}

bool hd_mpi_collective_ready(const hd_mpi *mpi, uint32_t p,
                             const hd_mpi_request *request, bool *all) {
  uint32_t comm = request->post.comm;
  const hd_mpi_meeting *meeting = meeting_number(mpi, comm, request->meeting);
  *all = meeting->arrived == meeting->joiners.size;
  return can_leave(meeting, hd_mpi_comm_rank(mpi, comm, p));
}

bool hd_mpi_collective_end(const hd_mpi_call *c, uint32_t request) {
  const hd_mpi_request *r = &c->process->requests.data[request];
  hd_host_call begun = r->begun;
  hd_mpi_call call = as_begun(c, &begun);
  view v = view_of(&call, r->post.comm);
  return part(&v, meeting_number(c->mpi, r->post.comm, r->meeting));
}

/* --- leaving --- */

/* Has everybody come whose part the result of `me` needs? */
static bool can_leave(const hd_mpi_meeting *meeting, uint32_t me) {
  uint32_t n = (uint32_t)meeting->joiners.size;
  bool root = meeting->root == (int64_t)me;
  switch ((pattern)shape_of(meeting->fn)->pattern) {
  case FROM_ROOT:
  case SHARED_OUT:
    return meeting->joiners.data[meeting->root].arrived;
  case TO_ROOT:
  case REDUCED_TO_ROOT:
    return !root || meeting->arrived == n;
  case REDUCED_BEFORE:
  case REDUCED_STRICTLY_BEFORE:
    for (uint32_t i = 0; i < me; i++)
      if (!meeting->joiners.data[i].arrived)
        return false;
    return true;
  default:
    return meeting->arrived == n;
  }
}

/* The block of rank i for me, into the i-th place. It must have just the right
 * length. */
static bool put_block(const view *v, uint32_t i, uint32_t place,
                      const hd_mpi_data *data) {
  uint64_t address, count;
  if (!block_at(v, true, place, &address, &count))
    return false;
  uint64_t type = v->c->call->args[v->shape->rtype];
  hd_mpi_signature room = {0};
  bool ok = hd_mpi_signature_of(v->c, count, type, &room);
  if (ok && !hd_mpi_signature_same(&room, &data->signature)) {
    hd_str is = {0}, expected = {0};
    hd_mpi_print_signature(&is, v->c->mpi, &data->signature);
    hd_mpi_print_signature(&expected, v->c->mpi, &room);
    hd_mpi_misuse(v->c, "rank %u sends %s, expected %s", i, hd_str_text(&is),
                  hd_str_text(&expected));
    hd_str_free(&is);
    hd_str_free(&expected);
    ok = false;
  }
  hd_vec_free(&room);
  return ok && hd_mpi_unpack(v->c, address, count, type, data);
}

/* The operation of the program (in, inout, &length, &type) on two operands that
 * get memory for the time of the call; takes `a`. NULL after a violation. */
static hd_mpi_data *apply(const view *v, hd_mpi_data *a, const hd_mpi_data *b) {
  const hd_mpi_call *c = v->c;
  uint64_t type = (uint32_t)c->call->args[v->shape->stype];
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *of = hd_mpi_type_of(c, type, &scratch, &block);
  uint64_t count = of && of->size ? a->bytes.size / of->size : 0;
  hd_mpi_data *result = NULL;
  if (!count) { /* nothing to combine */
    return of ? a : (hd_mpi_data_drop(a), NULL);
  }
  if (of->low < 0)
    hd_mpi_refuse(c, "a datatype with a negative lower bound");
  uint64_t room = count * (uint64_t)of->extent + (uint64_t)of->low + of->size;
  uint64_t args[4];
  bool ok = hd_machine_status_of(c->m) == HD_MACHINE_RUNNING;
  for (int i = 0; i < 4 && ok; i++) {
    args[i] = hd_host_alloc(c->m, i < 2 ? room : 4);
    ok = args[i] != 0;
  }
  ok = ok && hd_mpi_unpack(c, args[0], count, type, a) &&
       hd_mpi_unpack(c, args[1], count, type, b) &&
       hd_mpi_put(c, args[2], (int64_t)count) &&
       hd_mpi_put(c, args[3], (int64_t)type) &&
       hd_host_run(c->m, (uint64_t)(v->op - OWN_OPERATION), args, 4);
  if (ok)
    result = hd_mpi_pack(c, args[1], count, type);
  for (int i = 0; i < 4 && ok; i++)
    ok = hd_host_free(c->m, args[i]);
  hd_mpi_data_drop(a);
  return result;
}

/* All of the ranks from 0 to last, combined; NULL after a violation. */
static hd_mpi_data *fold(const view *v, const hd_mpi_meeting *meeting,
                         uint32_t last) {
  const hd_mpi_data *first = meeting->joiners.data[0].blocks.data[0];
  hd_mpi_data *sum = hd_mpi_data_part(v->c->mpi, first, 0, first->bytes.size);
  for (uint32_t i = 1; sum && i <= last; i++) {
    const hd_mpi_data *next = meeting->joiners.data[i].blocks.data[0];
    if (v->op >= OWN_OPERATION)
      sum = apply(v, sum, next);
    else
      hd_mpi_reduce(v->c->mpi, v->op, sum, next);
  }
  return sum;
}

static bool put_reduced(const view *v, const hd_mpi_meeting *meeting) {
  const shape *s = v->shape;
  uint32_t last = s->pattern == REDUCED_BEFORE            ? v->me
                  : s->pattern == REDUCED_STRICTLY_BEFORE ? v->me - 1
                                                          : v->n - 1;
  hd_mpi_data *sum = fold(v, meeting, last);
  if (!sum)
    return false;
  const uint64_t *args = v->c->call->args;
  uint64_t count = s->scount >= 0 ? args[s->scount] & UINT32_MAX : 0;
  bool ok = true;
  if (s->pattern == REDUCED_SHARED_OUT) {
    uint64_t before;
    hd_mpi_signature one = {0};
    ok = share_of(v, v->me, &before, &count) &&
         hd_mpi_signature_of(v->c, 1, args[s->stype], &one);
    uint64_t size = hd_mpi_signature_size(v->c->mpi, &one);
    hd_vec_free(&one);
    if (ok && (before + count) * size > sum->bytes.size) {
      hd_mpi_misuse(v->c, "the counts are not the same for all");
      ok = false;
    }
    if (ok) {
      hd_mpi_data *part =
          hd_mpi_data_part(v->c->mpi, sum, before * size, count * size);
      hd_mpi_data_drop(sum);
      sum = part;
    }
  }
  ok = ok && hd_mpi_unpack(v->c, args[s->rbuf], count, args[s->rtype], sum);
  hd_mpi_data_drop(sum);
  return ok;
}

/* Contributions to MPI_Reduce_scatter may differ in length. */
static bool same_lengths(const view *v, const hd_mpi_meeting *meeting) {
  const hd_mpi_data *first = meeting->joiners.data[0].blocks.data[0];
  if (v->shape->pattern != REDUCED_SHARED_OUT)
    return true;
  for (hd_vec_each(hd_mpi_joiner, joiner, &meeting->joiners))
    if (!hd_mpi_signature_same(&first->signature,
                               &joiner->blocks.data[0]->signature)) {
      hd_mpi_misuse(v->c, "the counts are not the same for all");
      return false;
    }
  return true;
}

static bool take_away(const view *v, const hd_mpi_meeting *meeting) {
  const shape *s = v->shape;
  switch ((pattern)s->pattern) {
  case TOGETHER:
    return true;
  case FROM_ROOT:
    return put_block(v, (uint32_t)v->root, 0,
                     meeting->joiners.data[v->root].blocks.data[0]);
  case SHARED_OUT:
    return (is_root(v) && in_place(v, s->rbuf)) ||
           put_block(v, (uint32_t)v->root, 0,
                     meeting->joiners.data[v->root].blocks.data[v->me]);
  case TO_ROOT:
  case TO_ALL:
  case EACH_TO_EACH:
    for (uint32_t i = 0; i < v->n; i++) {
      uint32_t block = s->pattern == EACH_TO_EACH ? v->me : 0;
      if (!put_block(v, i, i, meeting->joiners.data[i].blocks.data[block]))
        return false;
    }
    return true;
  default:
    return same_lengths(v, meeting) && put_reduced(v, meeting);
  }
}

/* The argument that gets a new communicator; 0 = none does. */
static uint32_t made_at(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Comm_dup:
    return 1;
  case HD_LIB_MPI_Comm_create:
  case HD_LIB_MPI_Cart_sub:
    return 2;
  case HD_LIB_MPI_Comm_split:
    return 3;
  case HD_LIB_MPI_Cart_create:
    return 5;
  default:
    return 0;
  }
}

static bool put_comm(const view *v, const hd_mpi_joiner *joiner) {
  uint32_t at = made_at(v->c->call->fn);
  if (!at)
    return true;
  uint64_t handle =
      joiner->result == HD_NO_ID
          ? 0
          : hd_mpi_comm_handle(v->c->process, joiner->result, v->c->call->edge);
  return hd_mpi_put(v->c, v->c->call->args[at], (int64_t)handle);
}

/* Meetings that all have left are over. */
static void tidy(hd_mpi *mpi, uint32_t comm) {
  hd_mpi_comm *of = &mpi->comms.data[comm];
  while (of->meetings.size && of->meetings.data[0]->left == of->members.size) {
    hd_mpi_meeting_delete(of->meetings.data[0]);
    for (size_t i = 0; i + 1 < of->meetings.size; i++)
      of->meetings.data[i] = of->meetings.data[i + 1];
    of->meetings.size--;
    of->gone++;
  }
}

/* Does what this process gets depend on rank i having come? */
static bool tells(const view *v, uint32_t i) {
  switch ((pattern)v->shape->pattern) {
  case FROM_ROOT:
  case SHARED_OUT:
    return (int64_t)i == v->root;
  case TO_ROOT:
  case REDUCED_TO_ROOT:
    return is_root(v);
  case REDUCED_BEFORE:
  case REDUCED_STRICTLY_BEFORE:
    return i < v->me;
  default:
    return true;
  }
}

/* Takes what it gets; false after a violation. */
static bool part(const view *v, hd_mpi_meeting *meeting) {
  hd_mpi *mpi = v->c->mpi;
  hd_mpi_joiner *joiner = &meeting->joiners.data[v->me];
  assert(joiner->arrived && !joiner->left);
  if ((receives(v) && !take_away(v, meeting)) || !put_comm(v, joiner))
    return false;
  if ((v->c->call->fn == HD_LIB_MPI_Win_create ||
       v->c->call->fn == HD_LIB_MPI_Win_allocate) &&
      !hd_mpi_give_window(v->c, joiner))
    return false;
  if (v->shape->comm < 0 && !hd_mpi_window_leave(v->c))
    return false;
  for (uint32_t i = 0; i < v->n; i++)
    if (tells(v, i))
      v->c->process->known |= meeting->joiners.data[i].known;
  joiner->left = true;
  meeting->left++;
  hd_mpi_tell(mpi, HD_MPI_LEAVES, v->c->p, HD_NO_ID, "%s", v->c->call->name);
  tidy(mpi, v->comm);
  return true;
}

static void leave(const view *v, hd_mpi_meeting *meeting) {
  if (part(v, meeting))
    hd_mpi_return(v->c);
}

/* The communicator of the call a process stands in. */
static uint32_t comm_at(const hd_mpi *mpi, uint32_t p) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  if (shape_of(c.call->fn)->comm < 0)
    return hd_mpi_window_comm(&c);
  return hd_mpi_comm_of(&c, c.call->args[shape_of(c.call->fn)->comm]);
}

void hd_mpi_collective_enabled(const hd_mpi *mpi, uint32_t p,
                               hd_mpi_enabled *out) {
  uint32_t comm = comm_at(mpi, p);
  uint32_t me = hd_mpi_comm_rank(mpi, comm, p);
  const hd_mpi_meeting *meeting = meeting_at(mpi, comm, me);
  if (!can_leave(meeting, me))
    return;
  hd_vec_push(&out->choices, 0);
  out->free = meeting->arrived == meeting->joiners.size;
}

void hd_mpi_collective_move(const hd_mpi_call *c) {
  uint32_t comm = comm_at(c->mpi, c->p);
  view v = view_of(c, comm);
  leave(&v, meeting_at(c->mpi, comm, v.me));
}

static void print_missing(hd_str *out, const hd_mpi *mpi, uint32_t comm,
                          const hd_mpi_meeting *meeting) {
  const char *separator = "";
  for (uint32_t i = 0; i < meeting->joiners.size; i++)
    if (!meeting->joiners.data[i].arrived) {
      hd_str_printf(out, "%s%u", separator,
                    mpi->comms.data[comm].members.data[i]);
      separator = ", ";
    }
}

void hd_mpi_collective_wait(hd_str *out, const hd_mpi *mpi, uint32_t p) {
  uint32_t comm = comm_at(mpi, p);
  uint32_t me = hd_mpi_comm_rank(mpi, comm, p);
  hd_str_puts(out, "other processes in this call: ");
  print_missing(out, mpi, comm, meeting_at(mpi, comm, me));
}

void hd_mpi_collective_rest(hd_mpi *mpi) {
  for (uint32_t comm = 0; comm < mpi->comms.size; comm++)
    for (size_t i = 0; i < mpi->comms.data[comm].meetings.size; i++) {
      const hd_mpi_meeting *meeting = mpi->comms.data[comm].meetings.data[i];
      hd_str text = {0};
      print_missing(&text, mpi, comm, meeting);
      hd_mpi_violate(mpi, mpi->comms.data[comm].members.data[meeting->first],
                     HD_PROPERTY_MPI,
                     meeting->joiners.data[meeting->first].edge,
                     "%s: not all processes take part: %s",
                     hd_library_name(meeting->fn), hd_str_text(&text));
      hd_str_free(&text);
    }
}

/* SPDX-License-Identifier: MIT */
/* Collective calls. A process *enters* with what it brings, which commutes with
 * everything, and *leaves* when what it gets is there: that is as little
 * synchronisation as MPI promises. Leaving while others have not entered counts
 * like a buffered send. The k-th call of each member of a communicator belong
 * together and must agree in kind, root, operation and type. */
#include "engine/lise/mpi.h"

#include "base/order.h"
#include "base/rounding.h"

#include <string.h>

/* Where the arguments of each are. */
typedef struct {
  hd_library_fn fn;
  int8_t send, send_count, send_type; /* argument numbers; -1 = none */
  int8_t recv, recv_count, recv_type;
  int8_t op, root, comm;
  bool rooted_in;  /* every process sends to the root */
  bool rooted_out; /* only the root sends */
} shape;

static const shape shapes[] = {
    {HD_LIB_MPI_Barrier, -1, -1, -1, -1, -1, -1, -1, -1, 0, false, false},
    {HD_LIB_MPI_Bcast, 0, 1, 2, 0, 1, 2, -1, 3, 4, false, true},
    {HD_LIB_MPI_Reduce, 0, 2, 3, 1, 2, 3, 4, 5, 6, true, false},
    {HD_LIB_MPI_Allreduce, 0, 2, 3, 1, 2, 3, 4, -1, 5, false, false},
    {HD_LIB_MPI_Scan, 0, 2, 3, 1, 2, 3, 4, -1, 5, false, false},
    {HD_LIB_MPI_Exscan, 0, 2, 3, 1, 2, 3, 4, -1, 5, false, false},
    {HD_LIB_MPI_Gather, 0, 1, 2, 3, 4, 5, -1, 6, 7, true, false},
    {HD_LIB_MPI_Scatter, 0, 1, 2, 3, 4, 5, -1, 6, 7, false, true},
    {HD_LIB_MPI_Allgather, 0, 1, 2, 3, 4, 5, -1, -1, 6, false, false},
    {HD_LIB_MPI_Alltoall, 0, 1, 2, 3, 4, 5, -1, -1, 6, false, false},
    {HD_LIB_MPI_Comm_dup, -1, -1, -1, -1, -1, -1, -1, -1, 0, false, false},
    {HD_LIB_MPI_Comm_split, -1, -1, -1, -1, -1, -1, -1, -1, 0, false, false},
};

static const shape *shape_of(uint32_t fn) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (shapes[i].fn == fn)
      return &shapes[i];
  return NULL;
}

/* --- entering --- */

/* The instance this call belongs to: the first of the communicator that the
 * process has not entered; made if there is none. */
static size_t instance_of(hd_lise *l, uint32_t comm, int32_t rank) {
  hd_lise_state *s = l->state;
  size_t at = s->collectives.size;
  for (size_t i = 0; i < s->collectives.size; i++) {
    const hd_lise_collective *c = s->collectives.data[i];
    if (c->comm == comm && c->left.data[rank] == 0)
      return i;
    if (c->comm > comm && at == s->collectives.size)
      at = i;
  }
  hd_lise_collective *c = hd_calloc(1, sizeof *c);
  c->refs = 1;
  c->comm = comm;
  c->fn = HD_LIB_NONE;
  for (size_t i = 0; i < s->comms.data[comm]->members.size; i++) {
    hd_vec_push(&c->parts, NULL);
    hd_vec_push(&c->left, 0);
  }
  hd_vec_push(&s->collectives, c);
  memmove(s->collectives.data + at + 1, s->collectives.data + at,
          (s->collectives.size - 1 - at) * sizeof *s->collectives.data);
  s->collectives.data[at] = c;
  return at;
}

static hd_going disagree(hd_lise *l, const hd_lise_collective *c,
                         const char *what) {
  hd_str where = {0};
  hd_code_print_pos(&where, hd_lise_code(l),
                    hd_lise_code(l)->edges.data[c->edge].pos);
  hd_going g = hd_lise_violate(
      l, HD_PROPERTY_MPI,
      "collective calls do not fit: process %d has called %s at %s with "
      "another %s",
      (int)l->state->procs.data[c->first]->rank,
      hd_library_name((hd_library_fn)c->fn), hd_str_text(&where), what);
  hd_str_free(&where);
  return g;
}

typedef struct {
  uint32_t comm, type, bytes, op;
  hd_type unit;
  int64_t count, root;
  int32_t rank;
  bool in_place; /* its own data are where the result will be */
} call;

static hd_going agree(hd_lise *l, size_t i, hd_library_fn fn, const call *a,
                      hd_edge_id edge) {
  hd_lise_collective *c = hd_lise_collective_own(l->state, i);
  const shape *s = shape_of(fn);
  if (c->fn == HD_LIB_NONE) {
    c->fn = fn;
    c->root = (int32_t)a->root;
    c->op = a->op;
    c->type = a->type;
    c->count = a->count;
    c->in_place = a->in_place;
    c->edge = edge;
    c->first = l->proc;
    return HD_GO_ON;
  }
  if (c->fn != fn)
    return disagree(l, c, "function");
  if (s->root >= 0 && c->root != a->root)
    return disagree(l, c, "root");
  if (s->op >= 0 && c->op != a->op)
    return disagree(l, c, "operation");
  if (s->send >= 0 && c->type != a->type)
    return disagree(l, c, "datatype");
  if (s->send >= 0 && c->count != a->count)
    return disagree(l, c, "count");
  bool all = !s->rooted_in && !s->rooted_out && fn != HD_LIB_MPI_Scan &&
             fn != HD_LIB_MPI_Exscan;
  if (all && c->in_place != a->in_place)
    return disagree(l, c, "send buffer: MPI_IN_PLACE is for all or for none");
  return HD_GO_ON;
}

/* Is the send side, the receive side of this call looked at? */
static bool sends(const shape *s, const call *a) {
  return s->send >= 0 && (!s->rooted_out || a->rank == a->root);
}
static bool receives(const shape *s, const call *a) {
  return s->recv >= 0 && (!s->rooted_in || a->rank == a->root);
}

static bool in_place(hd_lise *l, hd_term pointer) {
  return pointer == hd_term_ptr(l->terms, 0, hd_term_int(l->terms, 1));
}

/* MPI_C_BOOL: true or false, not a number; MPI_CHAR and MPI_WCHAR are no numbers
 * either, MPI_BYTE has bits. */
enum { CHARACTER = 1, BYTE = 4, WIDE_CHARACTER = 5, C_BOOL = 17 };

static hd_going read_call(hd_lise *l, const shape *s, const hd_term *args,
                          call *a) {
  hd_going g = hd_lise_comm_arg(l, args[s->comm], &a->comm);
  if (g != HD_GO_ON)
    return g;
  a->rank = hd_lise_rank_in(l->state, a->comm, l->proc);
  int64_t size = (int64_t)l->state->comms.data[a->comm]->members.size;
  int64_t op = 0;
  a->root = -1;
  if (s->root >= 0)
    g = hd_lise_number_arg(l, args[s->root], "the root", &a->root);
  if (g == HD_GO_ON && s->root >= 0 && (a->root < 0 || a->root >= size))
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "the root %lld is no rank among %lld processes",
                           (long long)a->root, (long long)size);
  if (g == HD_GO_ON && s->op >= 0)
    g = hd_lise_number_arg(l, args[s->op], "the operation", &op);
  a->op = (uint32_t)op;
  if (g != HD_GO_ON || s->send < 0)
    return g;
  bool by_recv =
      s->fn == HD_LIB_MPI_Scatter
          ? !in_place(l, args[s->recv])
          : in_place(l, args[s->send]) && s->send_count != s->recv_count;
  /* What both sides have in common is on the side that all look at. */
  g = hd_lise_type_arg(l, args[by_recv ? s->recv_type : s->send_type], &a->type,
                       &a->unit, &a->bytes);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, args[by_recv ? s->recv_count : s->send_count],
                           "the count", &a->count);
  if (g == HD_GO_ON && a->count < 0)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the count is negative");
  if (g == HD_GO_ON && !a->count) /* waits for nobody */
    return hd_lise_refuse(l, "a collective call without data");
  bool root = s->root < 0 || a->rank == a->root;
  a->in_place = in_place(l, args[s->send]);
  if (g == HD_GO_ON && ((in_place(l, args[s->send]) && sends(s, a) &&
                         (s->rooted_out || !root)) ||
                        (s->recv >= 0 && in_place(l, args[s->recv]) &&
                         receives(s, a) && !(s->rooted_out && root))))
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "MPI_IN_PLACE may not stand here");
  if (g != HD_GO_ON || s->op < 0)
    return g;
  /* MPI_LAND … MPI_BXOR are for integers, MPI_MINLOC and on for pairs */
  bool real = a->unit.kind == HD_TYPE_FLOAT;
  bool logical = op == 5 || op == 7 || op == 9;
  bool of_bits = op == 6 || op == 8 || op == 10;
  bool fine = real                                                ? op <= 4
              : a->type == C_BOOL                                 ? logical
              : a->type == BYTE                                   ? of_bits
              : a->type == CHARACTER || a->type == WIDE_CHARACTER ? false
                                                                  : op <= 10;
  if (op < 1 || (op <= 12 && !fine))
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "this operation is not for elements of %s",
                           hd_lise_type_name(a->type));
  return g;
}

/* The other side's count and type, where it matters, must be the same. */
static hd_going other_side(hd_lise *l, const shape *s, const hd_term *args,
                           const call *a) {
  bool scatter = s->fn == HD_LIB_MPI_Scatter;
  if (s->send_count == s->recv_count)
    return HD_GO_ON;
  if (scatter ? a->rank != a->root : !receives(s, a))
    return HD_GO_ON;
  if (in_place(l, args[s->send]) || in_place(l, args[s->recv]))
    return HD_GO_ON;
  uint32_t type, bytes;
  hd_type unit;
  int64_t count;
  hd_going g = hd_lise_type_arg(l, args[scatter ? s->send_type : s->recv_type],
                                &type, &unit, &bytes);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, args[scatter ? s->send_count : s->recv_count],
                           "the count", &count);
  if (g != HD_GO_ON)
    return g;
  if (type != a->type || count != a->count)
    return hd_lise_violate(
        l, HD_PROPERTY_MPI,
        "%s sends %lld elements of %s to each process but receives %lld of %s",
        hd_library_name(s->fn), (long long)(scatter ? count : a->count),
        hd_lise_type_name(scatter ? type : a->type),
        (long long)(scatter ? a->count : count),
        hd_lise_type_name(scatter ? a->type : type));
  return HD_GO_ON;
}

static int64_t pieces(const hd_lise *l, const shape *s, const call *a,
                      bool receiving) {
  int64_t n = (int64_t)l->state->comms.data[a->comm]->members.size;
  switch (s->fn) {
  case HD_LIB_MPI_Alltoall:
    return n;
  case HD_LIB_MPI_Scatter:
    return receiving ? 1 : n;
  case HD_LIB_MPI_Gather:
  case HD_LIB_MPI_Allgather:
    return receiving ? n : 1;
  default:
    return 1;
  }
}

static hd_term shifted(hd_lise *l, hd_term pointer, int64_t by) {
  hd_terms *t = l->terms;
  if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
    return pointer;
  return hd_term_ptr(
      t, hd_term_args(t, pointer)[0],
      hd_term_add(t, hd_term_args(t, pointer)[1], hd_term_int(t, by)));
}

/* What the process brings. */
static hd_going bring(hd_lise *l, const shape *s, const hd_term *args,
                      const call *a, hd_lise_message *m) {
  m->type = a->type;
  m->count = a->count;
  if (!sends(s, a))
    return HD_GO_ON;
  int64_t bytes = a->count * a->bytes * pieces(l, s, a, false);
  hd_term from = args[s->send];
  if (in_place(l, from)) {
    from = args[s->recv];
    if (s->fn == HD_LIB_MPI_Gather || s->fn == HD_LIB_MPI_Allgather)
      from = shifted(l, from, a->rank * a->count * a->bytes);
    if (s->fn == HD_LIB_MPI_Alltoall)
      return hd_lise_refuse(l, "MPI_IN_PLACE of MPI_Alltoall");
  }
  hd_going g = hd_lise_read(l, from, bytes, a->unit, hd_library_name(s->fn), m);
  hd_lise_travel(l, m, true);
  return g;
}

/* Both sides of one call, where this process has both. */
static hd_going sides_apart(hd_lise *l, const shape *s, const hd_term *args,
                            const call *a) {
  if (!sends(s, a) || !receives(s, a) || s->send == s->recv ||
      in_place(l, args[s->send]) || in_place(l, args[s->recv]))
    return HD_GO_ON;
  int64_t piece = a->count * a->bytes;
  return hd_lise_apart(l, s->fn, args[s->send], piece * pieces(l, s, a, false),
                       args[s->recv], piece * pieces(l, s, a, true));
}

/* Comm_split: colour and key as two cells. */
static hd_going bring_colour(hd_lise *l, const hd_term *args,
                             hd_lise_message *m) {
  for (int i = 0; i < 2; i++) {
    int64_t value;
    hd_going g = hd_lise_number_arg(l, args[1 + i],
                                    i ? "the key" : "the colour", &value);
    if (g != HD_GO_ON)
      return g;
    if (!i && value < 0 && value != HD_MPI_UNDEFINED)
      return hd_lise_violate(l, HD_PROPERTY_MPI, "the colour is negative");
    hd_vec_push(&m->cells,
                ((hd_lise_cell){4 * i, 4, hd_term_int(l->terms, value)}));
  }
  return HD_GO_ON;
}

hd_going hd_lise_enter(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                       const hd_term *given, size_t n) {
  const shape *s = shape_of(fn);
  hd_term args[12];
  if (!s || n > 12)
    return hd_lise_refuse(l, "a call of '%s'", hd_library_name(fn));
  memcpy(args, given, n * sizeof *args);
  call a = {0};
  hd_edge_id id = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  hd_going g = s->send >= 0 ? hd_lise_one_buffer(l, &args[s->send]) : HD_GO_ON;
  if (g == HD_GO_ON && s->recv >= 0)
    g = hd_lise_one_buffer(l, &args[s->recv]);
  if (g == HD_GO_ON)
    g = read_call(l, s, args, &a);
  if (g == HD_GO_ON)
    g = other_side(l, s, args, &a);
  if (g != HD_GO_ON)
    return g;
  hd_lise_message *m = hd_lise_message_new();
  m->edge = id;
  g = fn == HD_LIB_MPI_Comm_split ? bring_colour(l, args, m)
                                  : bring(l, s, args, &a, m);
  uint32_t object;
  hd_term offset;
  bool own = fn == HD_LIB_MPI_Bcast && a.rank == a.root;
  bool gets = receives(s, &a) && !own && !in_place(l, args[s->recv]);
  if (g == HD_GO_ON)
    g = sides_apart(l, s, args, &a);
  if (g == HD_GO_ON && gets && a.count)
    g = hd_lise_access(
        l, args[s->recv],
        hd_term_int(l->terms, a.count * a.bytes * pieces(l, s, &a, true)), true,
        hd_library_name(fn), &object, &offset);
  if (g != HD_GO_ON) {
    hd_lise_message_drop(m);
    return g;
  }
  size_t i = instance_of(l, a.comm, a.rank);
  g = agree(l, i, fn, &a, id);
  if (g != HD_GO_ON) {
    hd_lise_message_drop(m);
    return g;
  }
  hd_lise_collective *c = hd_lise_collective_own(l->state, i);
  c->parts.data[a.rank] = m;
  c->left.data[a.rank] = 1;
  hd_lise_proc *me = hd_lise_me(l);
  me->op.kind = HD_LISE_OP_COLLECTIVE;
  me->op.fn = fn;
  me->op.edge = id;
  me->op.comm = a.comm;
  me->op.status = gets                          ? args[s->recv]
                  : fn == HD_LIB_MPI_Comm_dup   ? args[1]
                  : fn == HD_LIB_MPI_Comm_split ? args[3]
                                                : 0;
  return HD_STOPPED;
}

/* --- leaving --- */

/* The instance a process is in. */
static size_t inside(const hd_lise_state *s, hd_proc p) {
  const hd_lise_proc *me = s->procs.data[p];
  int32_t rank = hd_lise_rank_in(s, me->op.comm, p);
  for (size_t i = 0; i < s->collectives.size; i++) {
    const hd_lise_collective *c = s->collectives.data[i];
    if (c->comm == me->op.comm && c->left.data[rank] == 1)
      return i;
  }
  hd_bug("a process is in no collective call");
}

bool hd_lise_can_leave(const hd_lise_state *s, hd_proc p, bool all) {
  const hd_lise_collective *c = s->collectives.data[inside(s, p)];
  int32_t rank = hd_lise_rank_in(s, c->comm, p);
  const shape *form = shape_of(c->fn);
  for (int32_t q = 0; q < (int32_t)c->left.size; q++) {
    if (c->left.data[q])
      continue;
    bool needed = true;
    if (form->rooted_in)
      needed = rank == c->root;
    else if (form->rooted_out)
      needed = q == c->root;
    else if (c->fn == HD_LIB_MPI_Scan || c->fn == HD_LIB_MPI_Exscan)
      needed = q < rank;
    if (needed || all)
      return false;
  }
  return true;
}

/* x op y, elementwise; 0 = not known. */
static hd_term combine(hd_lise *l, uint32_t op, hd_type unit, bool with_sign,
                       hd_term x, hd_term y) {
  hd_terms *t = l->terms;
  bool real = unit.kind == HD_TYPE_FLOAT;
  hd_term z;
  if (real && (op == 3 || op == 4) &&
      hd_lise_float_op(l, op == 3 ? HD_CODE_FADD : HD_CODE_FMUL, unit.width, x,
                       y, &z))
    return z;
  if (real && l->options->c_numbers && !hd_term_is_undef(t, x) &&
      !hd_term_is_undef(t, y))
    l->result->ideal = true;
  if (!real && !with_sign && op <= 2) {
    x = hd_lise_unsigned(l, x, unit.width);
    y = hd_lise_unsigned(l, y, unit.width);
  }
  switch (op) {
  case 1:
    return hd_term_max(t, x, y);
  case 2:
    return hd_term_min(t, x, y);
  case 3:
    return hd_term_add(t, x, y);
  case 4:
    return hd_term_mul(t, x, y);
  case 5:
    return hd_term_from_bool(
        t, hd_term_and(t, hd_term_to_bool(t, x), hd_term_to_bool(t, y)));
  case 7:
    return hd_term_from_bool(
        t, hd_term_or(t, hd_term_to_bool(t, x), hd_term_to_bool(t, y)));
  case 9:
    return hd_term_from_bool(
        t, hd_term_ne(t, hd_term_to_bool(t, x), hd_term_to_bool(t, y)));
  case 6:
  case 8:
  case 10: {
    int64_t a, b;
    if (hd_term_is_int(t, x, &a) && hd_term_is_int(t, y, &b))
      return hd_term_int(t, op == 6 ? (a & b) : op == 8 ? (a | b) : (a ^ b));
    static const char *const names[] = {"and", "or", "xor"};
    return hd_term_fn(t, names[op / 2 - 3], HD_OF_INT, (hd_term[]){x, y}, 2);
  }
  default:
    return 0;
  }
}

/* Element k of a part; UNDEF when it was never set. */
static hd_term element(hd_lise *l, const hd_lise_message *m, int64_t offset) {
  for (size_t i = 0; i < m->cells.size; i++)
    if (m->cells.data[i].offset == offset)
      return m->cells.data[i].value;
  return hd_term_undef(l->terms);
}

/* MPI may add up floats in any order: do constants come out the same? */
static bool any_order(hd_lise *l, const hd_lise_collective *c, int32_t n,
                      hd_type unit, int64_t offset, hd_term sum) {
  double value;
  if (n < 3 || !l->options->c_numbers || (c->op != 3 && c->op != 4) ||
      !hd_lise_double(l, sum, &value))
    return true;
  if (n > 3) { /* there are more ways than orders */
    double *x = hd_calloc((size_t)n, sizeof *x);
    bool exact = c->op == 3;
    for (int32_t q = 0; exact && q < n; q++)
      exact = hd_lise_double(l, element(l, c->parts.data[q], offset), &x[q]);
    exact = exact && hd_never_rounds(x, (size_t)n, (uint8_t)(unit.width / 8));
    hd_free(x);
    return exact;
  }
  uint32_t *order = hd_calloc((size_t)n, sizeof *order);
  bool same = true;
  for (size_t k = 0; same && hd_order_step(order, (size_t)n, k); k++) {
    hd_term other = element(l, c->parts.data[order[0]], offset);
    for (int32_t q = 1; q < n; q++)
      other = combine(l, c->op, unit, true, other,
                      element(l, c->parts.data[order[q]], offset));
    same = other == sum;
  }
  hd_free(order);
  return same;
}

/* Of ranks [0, n) reduced. */
static hd_going reduce(hd_lise *l, const hd_lise_collective *c, int32_t n,
                       hd_lise_message *out) {
  hd_type unit;
  uint32_t bytes = 0;
  (void)hd_lise_datatype(c->type, &unit, &bytes);
  bool with_sign = !strstr(hd_lise_type_name(c->type), "_U") &&
                   strcmp(hd_lise_type_name(c->type), "MPI_C_BOOL");
  for (int64_t k = 0; k < c->count; k++) {
    hd_term value = element(l, c->parts.data[0], k * bytes);
    for (int32_t q = 1; q < n; q++) {
      value = combine(l, c->op, unit, with_sign, value,
                      element(l, c->parts.data[q], k * bytes));
      if (!value)
        return hd_lise_refuse(l, "this MPI operation in a reduction");
      bool counts = (c->op == 3 || c->op == 4) && with_sign &&
                    l->options->checks >> HD_PROPERTY_OVERFLOW & 1 &&
                    hd_term_sort_of(l->terms, value) == HD_OF_INT;
      hd_going g =
          counts ? hd_lise_check(l, hd_lise_range(l, value, unit.width, true),
                                 HD_PROPERTY_OVERFLOW,
                                 "signed overflow in a reduction")
                 : HD_GO_ON;
      if (g != HD_GO_ON)
        return g;
      value = hd_lise_fit(l, value, unit.width, true);
    }
    if (unit.kind == HD_TYPE_FLOAT &&
        !any_order(l, c, n, unit, k * bytes, value))
      return hd_lise_refuse(l, "a sum of floats that depends on the order");
    if (!hd_term_is_undef(l->terms, value))
      hd_vec_push(&out->cells, ((hd_lise_cell){k * bytes, bytes, value}));
  }
  return HD_GO_ON;
}

/* Bytes [from, from + size) of a part, put at `to`. */
static void copy_piece(const hd_lise_message *part, int64_t from, int64_t size,
                       int64_t to, hd_lise_message *out) {
  for (size_t i = 0; i < part->cells.size; i++) {
    hd_lise_cell c = part->cells.data[i];
    if (c.offset < from || c.offset + c.bytes > from + size)
      continue;
    c.offset += to - from;
    hd_vec_push(&out->cells, c);
  }
}

static hd_going gather(hd_lise *l, const hd_lise_collective *c, int32_t rank,
                       hd_lise_message *out, int64_t *bytes) {
  hd_type unit;
  uint32_t width = 0;
  (void)hd_lise_datatype(c->type, &unit, &width);
  int64_t size = c->count * width, n = (int64_t)c->parts.size;
  *bytes = size;
  switch (c->fn) {
  case HD_LIB_MPI_Bcast:
    copy_piece(c->parts.data[c->root], 0, size, 0, out);
    return HD_GO_ON;
  case HD_LIB_MPI_Scatter:
    copy_piece(c->parts.data[c->root], rank * size, size, 0, out);
    return HD_GO_ON;
  case HD_LIB_MPI_Reduce:
  case HD_LIB_MPI_Allreduce:
    return reduce(l, c, (int32_t)n, out);
  case HD_LIB_MPI_Scan:
    return reduce(l, c, rank + 1, out);
  case HD_LIB_MPI_Exscan:
    *bytes = rank ? size : 0;
    return rank ? reduce(l, c, rank, out) : HD_GO_ON;
  case HD_LIB_MPI_Alltoall:
    *bytes = n * size;
    for (int64_t q = 0; q < n; q++)
      copy_piece(c->parts.data[q], rank * size, size, q * size, out);
    return HD_GO_ON;
  default: /* Gather, Allgather */
    *bytes = n * size;
    for (int64_t q = 0; q < n; q++)
      copy_piece(c->parts.data[q], 0, size, q * size, out);
    return HD_GO_ON;
  }
}

/* --- communicators --- */

static uint32_t comm_new(hd_lise_state *s, uint32_t like) {
  hd_lise_comm *c = hd_calloc(1, sizeof *c);
  c->refs = 1;
  c->program = s->comms.data[like]->program;
  hd_vec_push(&s->comms, c);
  return (uint32_t)s->comms.size - 1;
}

static int64_t part_number(hd_lise *l, const hd_lise_collective *c, size_t q,
                           int64_t offset) {
  int64_t value = 0;
  (void)hd_term_is_int(l->terms, element(l, c->parts.data[q], offset), &value);
  return value;
}

/* The new communicators of a call, made by who leaves first. */
static void make_comms(hd_lise *l, size_t instance) {
  hd_lise_collective *c = hd_lise_collective_own(l->state, instance);
  hd_lise_state *s = l->state;
  if (c->made)
    return;
  c->made = (uint32_t)s->comms.size + 1;
  size_t n = c->parts.size;
  if (c->fn == HD_LIB_MPI_Comm_dup) {
    uint32_t new = comm_new(s, c->comm);
    for (size_t q = 0; q < n; q++) {
      hd_proc p = s->comms.data[c->comm]->members.data[q];
      hd_vec_push(&s->comms.data[new]->members, p);
    }
    return;
  }
  for (size_t q = 0; q < n; q++) {
    int64_t colour = part_number(l, c, q, 0);
    bool first = colour != HD_MPI_UNDEFINED;
    for (size_t k = 0; k < q && first; k++)
      first = part_number(l, c, k, 0) != colour;
    if (!first)
      continue;
    uint32_t new = comm_new(s, c->comm);
    hd_vec(uint32_t) ranks = {0}; /* by key, then rank */
    for (uint32_t k = 0; k < n; k++) {
      if (part_number(l, c, k, 0) != colour)
        continue;
      size_t at = ranks.size;
      hd_vec_push(&ranks, k);
      for (; at > 0 &&
             part_number(l, c, ranks.data[at - 1], 4) > part_number(l, c, k, 4);
           at--)
        ranks.data[at] = ranks.data[at - 1];
      ranks.data[at] = k;
    }
    for (size_t k = 0; k < ranks.size; k++)
      hd_vec_push(&s->comms.data[new]->members,
                  s->comms.data[c->comm]->members.data[ranks.data[k]]);
    hd_vec_free(&ranks);
  }
}

static hd_going give_comm(hd_lise *l, size_t instance) {
  make_comms(l, instance);
  const hd_lise_collective *c = l->state->collectives.data[instance];
  hd_lise_proc *me = hd_lise_me(l);
  uint32_t handle = 0;
  for (uint32_t i = c->made - 1; i < l->state->comms.size && !handle; i++) {
    if (hd_lise_rank_in(l->state, i, l->proc) < 0)
      continue;
    handle = 3;
    while (handle < me->comm_handles.size && me->comm_handles.data[handle])
      handle++;
    if (handle == me->comm_handles.size)
      hd_vec_push(&me->comm_handles, 0);
    me->comm_handles.data[handle] = i + 1;
  }
  return hd_lise_put_int(l, me->op.status, 0, 4, handle);
}

hd_going hd_lise_leave(hd_lise *l) {
  size_t i = inside(l->state, l->proc);
  const hd_lise_collective *c = l->state->collectives.data[i];
  const hd_lise_proc *me = hd_lise_seen(l);
  int32_t rank = hd_lise_rank_in(l->state, c->comm, l->proc);
  hd_going g = HD_GO_ON;
  if (c->fn == HD_LIB_MPI_Comm_dup || c->fn == HD_LIB_MPI_Comm_split) {
    g = give_comm(l, i);
  } else if (c->fn != HD_LIB_MPI_Barrier && me->op.status) {
    hd_lise_message *m = hd_lise_message_new();
    int64_t bytes = 0;
    g = gather(l, c, rank, m, &bytes);
    hd_lise_travel(l, m, false);
    if (g == HD_GO_ON)
      g = hd_lise_write(l, me->op.status, bytes, m,
                        hd_library_name((hd_library_fn)c->fn));
    hd_lise_message_drop(m);
  }
  if (g != HD_GO_ON)
    return g;
  hd_lise_collective *mine = hd_lise_collective_own(l->state, i);
  mine->left.data[rank] = 2;
  bool over = true;
  for (size_t q = 0; q < mine->left.size; q++)
    over = over && mine->left.data[q] == 2;
  if (over) {
    for (size_t q = 0; q < mine->parts.size; q++)
      hd_lise_message_drop(mine->parts.data[q]);
    hd_vec_free(&mine->parts);
    hd_vec_free(&mine->left);
    hd_free(mine);
    memmove(l->state->collectives.data + i, l->state->collectives.data + i + 1,
            (l->state->collectives.size - i - 1) *
                sizeof *l->state->collectives.data);
    l->state->collectives.size--;
  }
  hd_lise_op_clear(&hd_lise_me(l)->op);
  hd_term zero = hd_term_int(l->terms, 0);
  hd_lise_call_done(l, &zero, 1);
  return HD_GO_ON;
}

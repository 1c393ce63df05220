/* SPDX-License-Identifier: MIT */
/* MPI calls of the symbolic process: what it starts and what it waits for is
 * written down; what it receives are new symbols. Nothing may happen before all
 * arguments are known: an open condition makes the call again. */
#include "engine/uniform/parts.h"

#include "engine/lise/mpi.h"

#include <string.h>

enum { TAGS = 1 << 16 }; /* more than there are */

/* --- writing down --- */

static uint32_t add_item(hd_uni *u) {
  hd_vec_push(&u->path->items, ((hd_uni_item){0}));
  return (uint32_t)u->path->items.size - 1;
}

static uint32_t add_op(hd_uni *u, hd_uni_op op) {
  op.post = add_item(u);
  op.wait = HD_NO_ID;
  hd_vec_push(&u->path->ops, op);
  return (uint32_t)u->path->ops.size - 1;
}

void hd_uni_joined(hd_uni *u, hd_uni_op op) {
  assert(op.kind == HD_UNI_ALL);
  uint32_t number = add_op(u, op);
  u->path->ops.data[number].wait = add_item(u);
}

/* --- arguments --- */

static hd_going fixed_arg(hd_lise *l, hd_term arg, const char *what,
                          int64_t *out) {
  if (hd_term_is_undef(l->terms, arg))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT, "%s was never set", what);
  if (!hd_term_is_int(l->terms, arg, out))
    return hd_lise_refuse(l, "%s depends on the rank or on what was received",
                          what);
  return HD_GO_ON;
}

typedef struct {
  hd_uni_op op;
  hd_term buffer;
  uint32_t bytes;
  hd_type unit;
  bool none; /* MPI_PROC_NULL */
} envelope;

/* Is it this special value? While variables have any value, only if nothing else
 * is possible. */
static hd_going is_special(hd_lise *l, hd_term value, int64_t special,
                           bool *out) {
  hd_term same = hd_term_eq(l->terms, value, hd_term_int(l->terms, special));
  if (!hd_uni_of(l)->rough)
    return hd_lise_decide(l, same, out);
  *out = hd_lise_valid(l, same) == HD_VALID;
  return HD_GO_ON;
}

/* Communicators are told apart by tags that there are not. */
static int64_t shift_of(const hd_uni_op *op) {
  return (int64_t)TAGS * op->comm;
}

static hd_going check_tag(hd_lise *l, const hd_uni_op *op) {
  hd_terms *t = l->terms;
  if (!op->tag)
    return HD_GO_ON;
  return hd_lise_check(
      l,
      hd_term_and(t, hd_term_le(t, hd_term_int(t, 0), op->tag),
                  hd_term_le(t, op->tag, hd_term_int(t, 32767))),
      HD_PROPERTY_MPI, "the tag is not allowed everywhere");
}

/* (buffer, count, type, peer, tag, comm) */
static hd_going read_envelope(hd_lise *l, const hd_cedge *edge,
                              hd_library_fn fn, const hd_term *a, bool receive,
                              envelope *e) {
  hd_uni *u = hd_uni_of(l);
  hd_terms *t = l->terms;
  *e = (envelope){.buffer = a[0]};
  e->op.kind = receive ? HD_UNI_RECV : HD_UNI_SEND;
  e->op.fn = fn;
  e->op.edge = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  hd_going g = hd_lise_one_buffer(l, &e->buffer);
  if (g == HD_GO_ON)
    g = fixed_arg(l, a[1], "the count", &e->op.count);
  if (g == HD_GO_ON)
    g = hd_lise_type_arg(l, a[2], &e->op.type, &e->unit, &e->bytes);
  if (g == HD_GO_ON)
    g = hd_uni_comm_arg(l, a[5], &e->op.comm);
  if (g != HD_GO_ON)
    return g;
  if (e->op.count < 0)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the count %lld is negative",
                           (long long)e->op.count);
  if (hd_term_is_undef(t, a[3]) || hd_term_is_undef(t, a[4]))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "a rank or a tag was never set");
  g = is_special(l, a[3], HD_MPI_PROC_NULL, &e->none);
  if (g != HD_GO_ON || e->none)
    return g;
  bool any = false;
  if (receive)
    g = is_special(l, a[3], HD_MPI_ANY_SOURCE, &any);
  if (g == HD_GO_ON && any && u->role != HD_UNI_MASTER) {
    u->wildcard = true;
    return hd_lise_refuse(l, "a receive from any source");
  }
  bool any_tag = false;
  if (g == HD_GO_ON && receive)
    g = is_special(l, a[4], HD_MPI_ANY_TAG, &any_tag);
  if (g != HD_GO_ON)
    return g;
  e->op.peer = any ? 0 : a[3];
  e->op.tag = any_tag ? 0 : a[4];
  if (any_tag && e->op.comm)
    return hd_lise_refuse(l, "any tag in a communicator of the program, with "
                             "any number of processes");
  hd_term zero = hd_term_int(t, 0);
  if (any)
    return check_tag(l, &e->op);
  g = hd_lise_check(
      l,
      hd_term_and(t, hd_term_le(t, zero, a[3]), hd_term_lt(t, a[3], u->size)),
      HD_PROPERTY_MPI, "there is no such rank");
  if (g == HD_GO_ON && u->role == HD_UNI_WORKER &&
      hd_lise_valid(l, hd_term_eq(t, a[3], zero)) != HD_VALID)
    return hd_lise_refuse(l, "a worker that talks to others than process 0");
  if (g == HD_GO_ON)
    g = check_tag(l, &e->op);
  if (e->op.comm)
    e->op.tag = hd_term_add(t, e->op.tag, hd_term_int(t, shift_of(&e->op)));
  return g;
}

static hd_going read_cells(hd_lise *l, hd_library_fn fn, hd_term buffer,
                           int64_t bytes, hd_type unit, hd_lise_message **out) {
  hd_lise_message *m = hd_lise_message_new();
  hd_going g = hd_lise_read(l, buffer, bytes, unit, hd_library_name(fn), m);
  for (size_t i = 0; g == HD_GO_ON && i < m->cells.size; i++)
    if (hd_term_sort_of(l->terms, m->cells.data[i].value) == HD_OF_PTR)
      g = hd_lise_refuse(l, "a message with pointers");
  if (g != HD_GO_ON) {
    hd_lise_message_drop(m);
    return g;
  }
  *out = m;
  return HD_GO_ON;
}

static hd_lise_message *new_cells(hd_lise *l, int64_t count, uint32_t bytes,
                                  hd_type unit) {
  hd_lise_message *m = hd_lise_message_new();
  for (int64_t i = 0; i < count; i++) {
    hd_term y =
        hd_lise_fresh(l, unit.kind == HD_TYPE_FLOAT ? HD_OF_REAL : HD_OF_INT);
    hd_lise_typed(l, y, unit);
    hd_lise_cell cell = {i * bytes, bytes, y};
    hd_vec_push(&m->cells, cell);
  }
  return m;
}

static hd_going check_room(hd_lise *l, hd_library_fn fn, hd_term buffer,
                           int64_t bytes) {
  uint32_t object;
  hd_term offset;
  if (!bytes)
    return HD_GO_ON;
  return hd_lise_access(l, buffer, hd_term_int(l->terms, bytes), true,
                        hd_library_name(fn), &object, &offset);
}

static hd_going put_cells(hd_lise *l, hd_library_fn fn, hd_term buffer,
                          int64_t bytes, const hd_lise_message *m) {
  l->delivers = true;
  hd_going g = hd_lise_write(l, buffer, bytes, m, hd_library_name(fn));
  l->delivers = false;
  return g;
}

hd_going hd_uni_store(hd_lise *l, hd_term pointer, int64_t offset,
                      unsigned bytes, hd_term value) {
  hd_terms *t = l->terms;
  if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
    return hd_lise_refuse(l, "a symbolic pointer as argument");
  hd_term to = hd_term_ptr(
      t, hd_term_args(t, pointer)[0],
      hd_term_add(t, hd_term_args(t, pointer)[1], hd_term_int(t, offset)));
  return hd_lise_store(l, to, (hd_type){HD_TYPE_INT, (uint8_t)(8 * bytes)},
                       value);
}

/* A tag that any message could have is a new symbol. */
static void open_tag(hd_lise *l, hd_uni_op *op) {
  if (op->tag)
    return;
  op->got = hd_lise_fresh(l, HD_OF_INT);
  hd_lise_typed(l, op->got, (hd_type){HD_TYPE_INT, 32});
}

/* MPI_Status of a receive. */
static hd_going put_status(hd_lise *l, hd_term status, int64_t index,
                           const hd_uni_op *op, uint32_t bytes) {
  hd_terms *t = l->terms;
  if (!status || status == hd_lise_null(l))
    return HD_GO_ON;
  int64_t at = index * 24;
  hd_term tag =
      op->tag ? hd_term_sub(t, op->tag, hd_term_int(t, shift_of(op))) : op->got;
  hd_going g = hd_uni_store(l, status, at, 4, op->peer);
  if (g == HD_GO_ON)
    g = hd_uni_store(l, status, at + 4, 4, tag);
  if (g == HD_GO_ON)
    g = hd_uni_store(l, status, at + 16, 8, hd_term_int(t, op->count * bytes));
  return g;
}

/* --- messages --- */

/* What was received is there. */
static hd_going arrive(hd_lise *l, envelope *e, hd_term status) {
  hd_lise_message *m = new_cells(l, e->op.count, e->bytes, e->unit);
  open_tag(l, &e->op);
  hd_going g = put_cells(l, e->op.fn, e->buffer, e->op.count * e->bytes, m);
  e->op.cells = m;
  return g == HD_GO_ON ? put_status(l, status, 0, &e->op, e->bytes) : g;
}

static hd_going no_status(hd_lise *l, hd_term status) {
  return hd_lise_put_status(l, status, 0, HD_MPI_PROC_NULL, HD_MPI_ANY_TAG, 0);
}

static hd_going send_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                          const hd_term *a) {
  hd_uni *u = hd_uni_of(l);
  envelope e;
  hd_going g = read_envelope(l, edge, fn, a, false, &e);
  if (g != HD_GO_ON)
    return g;
  if (e.none)
    return hd_lise_success(l);
  g = read_cells(l, fn, e.buffer, e.op.count * e.bytes, e.unit, &e.op.cells);
  if (g != HD_GO_ON)
    return g;
  if (u->role == HD_UNI_MASTER) {
    g = hd_uni_star_send(l, &e.op);
    hd_lise_message_drop(e.op.cells);
    (void)add_item(u);
    return g == HD_GO_ON ? hd_lise_success(l) : g;
  }
  uint32_t op = add_op(u, e.op);
  u->path->ops.data[op].wait = add_item(u);
  return hd_lise_success(l);
}

static hd_going recv_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                          const hd_term *a) {
  hd_uni *u = hd_uni_of(l);
  envelope e;
  hd_going g = read_envelope(l, edge, fn, a, true, &e);
  if (g == HD_GO_ON && !e.none)
    g = check_room(l, fn, e.buffer, e.op.count * e.bytes);
  if (g != HD_GO_ON)
    return g;
  if (e.none) {
    g = no_status(l, a[6]);
    return g == HD_GO_ON ? hd_lise_success(l) : g;
  }
  if (u->role == HD_UNI_MASTER) {
    if (e.op.peer)
      return hd_lise_refuse(l,
                            "a master that receives from one of its workers");
    g = hd_uni_star_receive(l, &e.op);
    if (g != HD_GO_ON)
      return g;
    g = arrive(l, &e, a[6]);
    hd_lise_message_drop(e.op.cells);
    (void)add_item(u);
    return g == HD_GO_ON ? hd_lise_success(l) : g;
  }
  g = arrive(l, &e, a[6]);
  uint32_t op = add_op(u, e.op);
  u->path->ops.data[op].wait = add_item(u);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

static hd_going sendrecv_call(hd_lise *l, const hd_cedge *edge,
                              hd_library_fn fn, const hd_term *a) {
  hd_uni *u = hd_uni_of(l);
  bool replace = fn == HD_LIB_MPI_Sendrecv_replace;
  hd_term comm = a[replace ? 7 : 10], status = a[replace ? 8 : 11];
  hd_term out[6] = {a[0], a[1], a[2], a[3], a[4], comm};
  hd_term in[6] = {replace ? a[0] : a[5], replace ? a[1] : a[6],
                   replace ? a[2] : a[7], replace ? a[5] : a[8],
                   replace ? a[6] : a[9], comm};
  envelope s, r;
  hd_going g = read_envelope(l, edge, fn, out, false, &s);
  if (g == HD_GO_ON)
    g = read_envelope(l, edge, fn, in, true, &r);
  if (g == HD_GO_ON && !r.none)
    g = check_room(l, fn, r.buffer, r.op.count * r.bytes);
  if (g == HD_GO_ON && !s.none && !r.none && !replace)
    g = hd_lise_apart(l, fn, s.buffer, s.op.count * s.bytes, r.buffer,
                      r.op.count * r.bytes);
  if (g == HD_GO_ON && !s.none)
    g = read_cells(l, fn, s.buffer, s.op.count * s.bytes, s.unit, &s.op.cells);
  if (g != HD_GO_ON)
    return g;
  uint32_t first = (uint32_t)u->path->ops.size;
  if (!s.none)
    (void)add_op(u, s.op);
  if (!r.none) {
    g = arrive(l, &r, status);
    (void)add_op(u, r.op);
  } else {
    g = no_status(l, status);
  }
  uint32_t wait = s.none && r.none ? 0 : add_item(u);
  for (uint32_t i = first; i < u->path->ops.size; i++)
    u->path->ops.data[i].wait = wait;
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

/* --- requests: `order` of one is the number of its operation --- */

static hd_going start_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *a) {
  hd_uni *u = hd_uni_of(l);
  bool receive = fn == HD_LIB_MPI_Irecv;
  envelope e;
  hd_going g = read_envelope(l, edge, fn, a, receive, &e);
  if (g == HD_GO_ON && receive && !e.none)
    g = check_room(l, fn, e.buffer, e.op.count * e.bytes);
  if (g == HD_GO_ON && !receive && !e.none)
    g = read_cells(l, fn, e.buffer, e.op.count * e.bytes, e.unit, &e.op.cells);
  if (g != HD_GO_ON)
    return g;
  hd_lise_request r = {.is_send = !receive,
                       .done = e.none,
                       .peer = e.none ? HD_MPI_PROC_NULL : 0,
                       .type = e.op.type,
                       .count = e.op.count,
                       .buffer = e.buffer};
  uint32_t number = hd_lise_request_new(l, r);
  if (!e.none) {
    uint32_t op = add_op(u, e.op);
    hd_lise_me(l)->requests.data[number].order = op;
  }
  g = hd_lise_put_int(l, a[6], 0, 4, hd_lise_request_handle(number));
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

static hd_going read_handle(hd_lise *l, hd_term handles, int64_t i,
                            uint32_t *out) {
  hd_terms *t = l->terms;
  if (hd_term_op_of(t, handles) != HD_TERM_PTR)
    return hd_lise_refuse(l, "a symbolic pointer to a request");
  hd_term at = hd_term_ptr(
      t, hd_term_args(t, handles)[0],
      hd_term_add(t, hd_term_args(t, handles)[1], hd_term_int(t, 4 * i)));
  hd_term value;
  int64_t handle;
  hd_going g = hd_lise_load(l, at, (hd_type){HD_TYPE_INT, 32}, &value);
  if (g == HD_GO_ON)
    g = fixed_arg(l, value, "the request", &handle);
  if (g != HD_GO_ON)
    return g;
  return hd_lise_request_at(hd_lise_seen(l), handle, out)
             ? HD_GO_ON
             : hd_lise_violate(l, HD_PROPERTY_MPI,
                               "there is no request with this handle");
}

/* One of the requests is complete. */
static hd_going complete(hd_lise *l, hd_term handles, int64_t i,
                         uint32_t number, hd_term status, uint32_t wait) {
  hd_uni *u = hd_uni_of(l);
  if (number == HD_NO_ID)
    return hd_lise_put_status(l, status, i, HD_MPI_ANY_SOURCE, HD_MPI_ANY_TAG,
                              0);
  hd_lise_request r = hd_lise_seen(l)->requests.data[number];
  hd_going g = HD_GO_ON;
  if (r.is_send)
    g = hd_lise_leave_status(l, status, i);
  else if (r.done)
    g = hd_lise_put_status(l, status, i, HD_MPI_PROC_NULL, HD_MPI_ANY_TAG, 0);
  if (!r.done) {
    hd_uni_op *op = &u->path->ops.data[r.order];
    hd_type unit;
    uint32_t bytes = 0;
    (void)hd_lise_datatype(op->type, &unit, &bytes);
    op->wait = wait;
    if (!r.is_send) {
      op->cells = new_cells(l, op->count, bytes, unit);
      open_tag(l, op);
      g = put_cells(l, op->fn, r.buffer, op->count * bytes, op->cells);
      if (g == HD_GO_ON)
        g = put_status(l, status, i, op, bytes);
    }
  }
  if (g == HD_GO_ON)
    g = hd_lise_put_int(l, handles, 4 * i, 4, 0);
  if (g == HD_GO_ON)
    hd_lise_request_free(l, number);
  return g;
}

static hd_going wait_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                          const hd_term *a) {
  hd_uni *u = hd_uni_of(l);
  (void)edge;
  bool one = fn == HD_LIB_MPI_Wait;
  int64_t n = 1;
  hd_going g = HD_GO_ON;
  if (!one)
    g = fixed_arg(l, a[0], "the number of requests", &n);
  hd_term handles = a[one ? 0 : 1], status = a[one ? 1 : 2];
  hd_u32s numbers = {0};
  for (int64_t i = 0; i < n && g == HD_GO_ON; i++) {
    uint32_t number = HD_NO_ID;
    g = read_handle(l, handles, i, &number);
    for (size_t k = 0; k < numbers.size && g == HD_GO_ON; k++)
      if (number != HD_NO_ID && numbers.data[k] == number)
        g = hd_lise_violate(l, HD_PROPERTY_MPI,
                            "a request is waited for twice");
    hd_vec_push(&numbers, number);
  }
  uint32_t wait = g == HD_GO_ON ? add_item(u) : 0;
  for (int64_t i = 0; i < n && g == HD_GO_ON; i++)
    g = complete(l, handles, i, numbers.data[i], status, wait);
  hd_vec_free(&numbers);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

/* --- collective calls --- */

typedef struct {
  hd_term send, recv, count, type, op, root, comm;
} joint;

static joint joint_args(hd_library_fn fn, const hd_term *a) {
  if (fn == HD_LIB_MPI_Bcast)
    return (joint){a[0], a[0], a[1], a[2], 0, a[3], a[4]};
  if (fn == HD_LIB_MPI_Reduce)
    return (joint){a[0], a[1], a[2], a[3], a[4], a[5], a[6]};
  if (fn == HD_LIB_MPI_Allreduce)
    return (joint){a[0], a[1], a[2], a[3], a[4], 0, a[5]};
  return (joint){.comm = a[0]};
}

static bool in_place(const hd_lise *l, hd_term pointer) {
  const hd_terms *t = l->terms;
  return hd_term_op_of(t, pointer) == HD_TERM_PTR &&
         !hd_term_args(t, pointer)[0];
}

static hd_going joint_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *args) {
  hd_uni *u = hd_uni_of(l);
  hd_terms *t = l->terms;
  joint a = joint_args(fn, args);
  hd_uni_op op = {.kind = HD_UNI_ALL, .fn = fn, .peer = a.root};
  op.edge = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  hd_type unit = {0};
  uint32_t bytes = 0;
  hd_going g = hd_uni_comm_arg(l, a.comm, &op.comm);
  if (g == HD_GO_ON && a.count)
    g = fixed_arg(l, a.count, "the count", &op.count);
  if (g == HD_GO_ON && a.count)
    g = hd_lise_type_arg(l, a.type, &op.type, &unit, &bytes);
  if (g == HD_GO_ON && a.op)
    g = fixed_arg(l, a.op, "the operation", &op.op);
  if (g != HD_GO_ON)
    return g;
  if (op.count < 0)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the count is negative");
  if (a.op && l->options->checks >> HD_PROPERTY_OVERFLOW & 1)
    return hd_lise_refuse(l, "whether a reduction with any number of processes "
                             "overflows");
  bool root = true;
  if (a.root) {
    hd_term zero = hd_term_int(t, 0);
    g = hd_lise_check(l,
                      hd_term_and(t, hd_term_le(t, zero, a.root),
                                  hd_term_lt(t, a.root, u->size)),
                      HD_PROPERTY_MPI, "there is no such root");
    if (g == HD_GO_ON)
      g = hd_lise_decide(l, hd_term_eq(t, a.root, u->rank), &root);
  }
  bool gives = a.count && (fn != HD_LIB_MPI_Bcast || root);
  bool takes = a.count && (fn == HD_LIB_MPI_Bcast ? !root : root);
  int64_t size = op.count * bytes;
  if (g == HD_GO_ON && a.count && fn != HD_LIB_MPI_Bcast &&
      (in_place(l, a.send) || (takes && in_place(l, a.recv))))
    return hd_lise_refuse(l, "MPI_IN_PLACE, or no buffer, with any number of "
                             "processes");
  if (g == HD_GO_ON && takes)
    g = check_room(l, fn, a.recv, size);
  if (g == HD_GO_ON && gives && takes)
    g = hd_lise_apart(l, fn, a.send, size, a.recv, size);
  if (g == HD_GO_ON && gives)
    g = read_cells(l, fn, a.send, size, unit, &op.cells);
  if (g == HD_GO_ON && takes) {
    op.result = new_cells(l, op.count, bytes, unit);
    g = put_cells(l, fn, a.recv, size, op.result);
  }
  if (g != HD_GO_ON)
    return g;
  hd_uni_joined(u, op);
  return hd_lise_success(l);
}

/* --- all --- */

static hd_going number_call(hd_lise *l, hd_term comm, hd_term pointer,
                            hd_term value) {
  uint32_t which;
  hd_going g = hd_uni_comm_arg(l, comm, &which);
  if (g == HD_GO_ON)
    g = hd_uni_store(l, pointer, 0, 4, value);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

static hd_going rank_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                          const hd_term *a) {
  hd_uni *u = hd_uni_of(l);
  (void)edge;
  return number_call(l, a[0], a[1],
                     fn == HD_LIB_MPI_Comm_rank ? u->rank : u->size);
}

static const struct {
  hd_library_fn fn;
  hd_uni_caller *call; /* NULL: nobody else can notice it */
} calls[] = {
    {HD_LIB_MPI_Init, NULL},
    {HD_LIB_MPI_Init_thread, NULL},
    {HD_LIB_MPI_Initialized, NULL},
    {HD_LIB_MPI_Finalized, NULL},
    {HD_LIB_MPI_Finalize, NULL},
    {HD_LIB_MPI_Comm_free, NULL},
    {HD_LIB_MPI_Get_count, NULL},
    {HD_LIB_MPI_Wtime, NULL},
    {HD_LIB_MPI_Wtick, NULL},
    {HD_LIB_MPI_Comm_rank, rank_call},
    {HD_LIB_MPI_Comm_size, rank_call},
    {HD_LIB_MPI_Send, send_call},
    {HD_LIB_MPI_Ssend, send_call},
    {HD_LIB_MPI_Recv, recv_call},
    {HD_LIB_MPI_Sendrecv, sendrecv_call},
    {HD_LIB_MPI_Sendrecv_replace, sendrecv_call},
    {HD_LIB_MPI_Isend, start_call},
    {HD_LIB_MPI_Issend, start_call},
    {HD_LIB_MPI_Irecv, start_call},
    {HD_LIB_MPI_Wait, wait_call},
    {HD_LIB_MPI_Waitall, wait_call},
    {HD_LIB_MPI_Barrier, joint_call},
    {HD_LIB_MPI_Bcast, joint_call},
    {HD_LIB_MPI_Reduce, joint_call},
    {HD_LIB_MPI_Allreduce, joint_call},
};

bool hd_uni_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                 const hd_term *args, hd_going *out) {
  hd_uni_caller *grid = hd_uni_grid_caller(fn);
  if (grid && hd_uni_of(l)->role == HD_UNI_EACH) {
    *out = grid(l, edge, fn, args);
    return true;
  }
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i].fn == fn &&
        (hd_uni_of(l)->role == HD_UNI_EACH || !calls[i].call ||
         calls[i].call == rank_call || calls[i].call == send_call ||
         calls[i].call == recv_call)) {
      if (calls[i].call)
        *out = calls[i].call(l, edge, fn, args);
      return calls[i].call != NULL;
    }
  *out =
      hd_lise_refuse(l, "%s with any number of processes", hd_library_name(fn));
  return true;
}

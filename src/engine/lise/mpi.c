/* SPDX-License-Identifier: MIT */
/* MPI calls as a process reaches them: arguments are evaluated and checked,
 * receives posted, messages made; then it either goes on or stands before an
 * operation (hd_lise_op) that is a transition of its own (operate.c).
 *
 * Messages keep their order for each pair of processes and communicator; a
 * receive takes the first that fits. Sends may always go on (their message is
 * buffered): what only works because of that is a potential deadlock. */
#include "engine/lise/mpi.h"

#include <string.h>

/* --- datatypes --- */

static const struct {
  uint8_t kind, bytes;
  const char *name;
} datatypes[] = {
    [1] = {HD_TYPE_INT, 1, "MPI_CHAR"},
    [2] = {HD_TYPE_INT, 1, "MPI_SIGNED_CHAR"},
    [3] = {HD_TYPE_INT, 1, "MPI_UNSIGNED_CHAR"},
    [4] = {HD_TYPE_INT, 1, "MPI_BYTE"},
    [5] = {HD_TYPE_INT, 4, "MPI_WCHAR"},
    [6] = {HD_TYPE_INT, 2, "MPI_SHORT"},
    [7] = {HD_TYPE_INT, 2, "MPI_UNSIGNED_SHORT"},
    [8] = {HD_TYPE_INT, 4, "MPI_INT"},
    [9] = {HD_TYPE_INT, 4, "MPI_UNSIGNED"},
    [10] = {HD_TYPE_INT, 8, "MPI_LONG"},
    [11] = {HD_TYPE_INT, 8, "MPI_UNSIGNED_LONG"},
    [12] = {HD_TYPE_INT, 8, "MPI_LONG_LONG_INT"},
    [13] = {HD_TYPE_INT, 8, "MPI_UNSIGNED_LONG_LONG"},
    [14] = {HD_TYPE_FLOAT, 4, "MPI_FLOAT"},
    [15] = {HD_TYPE_FLOAT, 8, "MPI_DOUBLE"},
    [17] = {HD_TYPE_INT, 1, "MPI_C_BOOL"},
    [18] = {HD_TYPE_INT, 1, "MPI_INT8_T"},
    [19] = {HD_TYPE_INT, 2, "MPI_INT16_T"},
    [20] = {HD_TYPE_INT, 4, "MPI_INT32_T"},
    [21] = {HD_TYPE_INT, 8, "MPI_INT64_T"},
    [22] = {HD_TYPE_INT, 1, "MPI_UINT8_T"},
    [23] = {HD_TYPE_INT, 2, "MPI_UINT16_T"},
    [24] = {HD_TYPE_INT, 4, "MPI_UINT32_T"},
    [25] = {HD_TYPE_INT, 8, "MPI_UINT64_T"},
    [26] = {HD_TYPE_INT, 8, "MPI_AINT"},
    [27] = {HD_TYPE_INT, 8, "MPI_COUNT"},
    [28] = {HD_TYPE_INT, 8, "MPI_OFFSET"},
};

bool hd_lise_datatype(uint32_t type, hd_type *unit, uint32_t *bytes) {
  if (type >= sizeof datatypes / sizeof *datatypes || !datatypes[type].bytes)
    return false;
  *bytes = datatypes[type].bytes;
  *unit = (hd_type){datatypes[type].kind, (uint8_t)(8 * datatypes[type].bytes)};
  return true;
}

const char *hd_lise_type_name(uint32_t type) {
  hd_type unit;
  uint32_t bytes;
  return hd_lise_datatype(type, &unit, &bytes) ? datatypes[type].name
                                               : "another datatype";
}

/* --- arguments --- */

hd_term hd_lise_null(hd_lise *l) {
  return hd_term_ptr(l->terms, 0, hd_term_int(l->terms, 0));
}

hd_going hd_lise_number_arg(hd_lise *l, hd_term arg, const char *what,
                            int64_t *out) {
  if (hd_term_is_undef(l->terms, arg))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT, "%s was never set", what);
  return hd_lise_concrete(l, arg, out, what);
}

hd_going hd_lise_comm_arg(hd_lise *l, hd_term arg, uint32_t *comm) {
  int64_t handle;
  hd_going g = hd_lise_number_arg(l, arg, "the communicator", &handle);
  if (g != HD_GO_ON)
    return g;
  const hd_lise_proc *me = hd_lise_seen(l);
  if (handle < 1 || handle >= (int64_t)me->comm_handles.size ||
      !me->comm_handles.data[handle])
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "there is no communicator with this handle");
  *comm = me->comm_handles.data[handle] - 1;
  return HD_GO_ON;
}

hd_going hd_lise_type_arg(hd_lise *l, hd_term arg, uint32_t *type,
                          hd_type *unit, uint32_t *bytes) {
  int64_t handle;
  hd_going g = hd_lise_number_arg(l, arg, "the datatype", &handle);
  if (g != HD_GO_ON)
    return g;
  *type = (uint32_t)handle;
  if (!handle)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the datatype is null");
  if (!hd_lise_datatype(*type, unit, bytes))
    return hd_lise_refuse(l, "this MPI datatype");
  return HD_GO_ON;
}

int32_t hd_lise_rank_in(const hd_lise_state *state, uint32_t comm, hd_proc p) {
  const hd_lise_comm *c = state->comms.data[comm];
  for (size_t i = 0; i < c->members.size; i++)
    if (c->members.data[i] == p)
      return (int32_t)i;
  return -1;
}

hd_going hd_lise_put_int(hd_lise *l, hd_term pointer, int64_t offset,
                         unsigned bytes, int64_t value) {
  hd_terms *t = l->terms;
  if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
    return hd_lise_refuse(l, "a symbolic pointer as argument");
  hd_term to = hd_term_ptr(
      t, hd_term_args(t, pointer)[0],
      hd_term_add(t, hd_term_args(t, pointer)[1], hd_term_int(t, offset)));
  return hd_lise_store(l, to, (hd_type){HD_TYPE_INT, (uint8_t)(8 * bytes)},
                       hd_term_int(t, value));
}

hd_going hd_lise_put_status(hd_lise *l, hd_term status, int64_t index,
                            int32_t source, int32_t tag, int64_t received) {
  if (!status || status == hd_lise_null(l))
    return HD_GO_ON;
  int64_t at = index * 24; /* struct MPI_Status of models/include/mpi.h */
  hd_going g = hd_lise_put_int(l, status, at, 4, source);
  if (g == HD_GO_ON)
    g = hd_lise_put_int(l, status, at + 4, 4, tag);
  if (g == HD_GO_ON)
    g = hd_lise_put_int(l, status, at + 8, 4, 0);
  if (g == HD_GO_ON)
    g = hd_lise_put_int(l, status, at + 16, 8, received);
  return g;
}

static hd_going success(hd_lise *l) {
  hd_term zero = hd_term_int(l->terms, 0);
  hd_lise_call_done(l, &zero, 1);
  return HD_GO_ON;
}

/* --- requests --- */

uint32_t hd_lise_request_new(hd_lise *l, hd_lise_request request) {
  hd_lise_proc *me = hd_lise_me(l);
  uint32_t order = 0, at = HD_NO_ID;
  for (uint32_t i = 0; i < me->requests.size; i++) {
    const hd_lise_request *r = &me->requests.data[i];
    if (!r->code && at == HD_NO_ID)
      at = i;
    if (r->code && !r->is_send && !r->done && r->order >= order)
      order = r->order + 1;
  }
  request.code = 1;
  request.order = order;
  if (at == HD_NO_ID) {
    at = (uint32_t)me->requests.size;
    hd_vec_push(&me->requests, request);
  } else {
    me->requests.data[at] = request;
  }
  return at;
}

void hd_lise_request_free(hd_lise_proc *me, uint32_t number) {
  me->requests.data[number] = (hd_lise_request){0};
  while (me->requests.size && !hd_vec_last(&me->requests).code)
    me->requests.size--;
}

/* --- sends and receives --- */

typedef struct {
  hd_term buffer;
  int64_t count, peer, tag;
  uint32_t comm, type, bytes;
  hd_type unit;
} envelope;

/* (buffer, count, type, peer, tag, comm) */
static hd_going read_envelope(hd_lise *l, const hd_term *a, bool receive,
                              envelope *e) {
  e->buffer = a[0];
  hd_going g = hd_lise_number_arg(l, a[1], "the count", &e->count);
  if (g == HD_GO_ON)
    g = hd_lise_type_arg(l, a[2], &e->type, &e->unit, &e->bytes);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, a[3], "the rank", &e->peer);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, a[4], "the tag", &e->tag);
  if (g == HD_GO_ON)
    g = hd_lise_comm_arg(l, a[5], &e->comm);
  if (g != HD_GO_ON)
    return g;
  int64_t size = (int64_t)l->state->comms.data[e->comm]->members.size;
  if (e->count < 0)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the count %lld is negative",
                           (long long)e->count);
  if (e->peer >= size || e->peer < HD_MPI_PROC_NULL ||
      (e->peer == HD_MPI_ANY_SOURCE && !receive))
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "there is no rank %lld among %lld processes",
                           (long long)e->peer, (long long)size);
  if (e->tag < (receive ? HD_MPI_ANY_TAG : 0))
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the tag %lld is not allowed",
                           (long long)e->tag);
  return HD_GO_ON;
}

static hd_going make_message(hd_lise *l, hd_library_fn fn, const hd_cedge *edge,
                             const envelope *e, hd_lise_message **out) {
  hd_lise_message *m = hd_lise_message_new();
  m->comm = e->comm;
  m->source = (int32_t)l->proc;
  m->source_rank = hd_lise_rank_in(l->state, e->comm, l->proc);
  m->dest = (int32_t)l->state->comms.data[e->comm]->members.data[e->peer];
  m->tag = (int32_t)e->tag;
  m->type = e->type;
  m->count = e->count;
  m->edge = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  hd_going g = hd_lise_read(l, e->buffer, e->count * e->bytes, e->unit,
                            hd_library_name(fn), m);
  if (g != HD_GO_ON) {
    hd_lise_message_drop(m);
    return g;
  }
  *out = m;
  return HD_GO_ON;
}

static void stand_before(hd_lise *l, hd_lise_op_kind kind, hd_library_fn fn,
                         const hd_cedge *edge) {
  hd_lise_proc *me = hd_lise_me(l);
  me->op.kind = (uint8_t)kind;
  me->op.fn = fn;
  me->op.edge = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
}

static hd_lise_request receive_request(const envelope *e) {
  return (hd_lise_request){.peer = (int32_t)e->peer,
                           .tag = (int32_t)e->tag,
                           .comm = e->comm,
                           .type = e->type,
                           .count = e->count,
                           .buffer = e->buffer};
}

static hd_going check_room(hd_lise *l, hd_library_fn fn, const envelope *e) {
  uint32_t object;
  hd_term offset;
  if (!e->count || e->peer == HD_MPI_PROC_NULL)
    return HD_GO_ON;
  return hd_lise_access(l, e->buffer,
                        hd_term_int(l->terms, e->count * e->bytes), true,
                        hd_library_name(fn), &object, &offset);
}

/* Does the program look at messages before it receives them? Then they are to be
 * seen while their sender still waits. */
static bool probes(const hd_lise *l) {
  const hd_lise_program *program = &l->programs[hd_lise_seen(l)->program];
  for (size_t f = 0; f < program->code->funcs.size; f++)
    if (program->library[f] == HD_LIB_MPI_Probe ||
        program->library[f] == HD_LIB_MPI_Iprobe)
      return true;
  return false;
}

static hd_going send_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                          const hd_term *args) {
  envelope e;
  hd_going g = read_envelope(l, args, false, &e);
  if (g != HD_GO_ON)
    return g;
  if (e.peer == HD_MPI_PROC_NULL)
    return success(l);
  hd_lise_message *m;
  g = make_message(l, fn, edge, &e, &m);
  if (g != HD_GO_ON)
    return g;
  bool sync = fn == HD_LIB_MPI_Ssend;
  bool waits = sync || probes(l);
  uint32_t number = HD_NO_ID;
  if (waits) { /* deliver, then wait until it is received */
    number = hd_lise_request_new(l, (hd_lise_request){.is_send = true,
                                                      .sync = sync,
                                                      .hidden = true,
                                                      .comm = e.comm,
                                                      .peer = (int32_t)e.peer,
                                                      .tag = (int32_t)e.tag});
    m->request = number + 1;
  }
  stand_before(l, waits ? HD_LISE_OP_ISEND : HD_LISE_OP_SEND, fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  me->op.message = m;
  if (waits)
    hd_vec_push(&me->op.requests, number);
  return HD_STOPPED;
}

static hd_going recv_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                          const hd_term *args) {
  envelope e;
  hd_going g = read_envelope(l, args, true, &e);
  if (g == HD_GO_ON)
    g = check_room(l, fn, &e);
  if (g != HD_GO_ON)
    return g;
  if (e.peer == HD_MPI_PROC_NULL) {
    g = hd_lise_put_status(l, args[6], 0, HD_MPI_PROC_NULL, HD_MPI_ANY_TAG, 0);
    return g == HD_GO_ON ? success(l) : g;
  }
  hd_lise_request r = receive_request(&e);
  r.hidden = true;
  uint32_t number = hd_lise_request_new(l, r);
  stand_before(l, HD_LISE_OP_WAIT, fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  hd_vec_push(&me->op.requests, number);
  me->op.status = args[6];
  return HD_STOPPED;
}

static hd_going isend_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *args) {
  envelope e;
  hd_going g = read_envelope(l, args, false, &e);
  if (g != HD_GO_ON)
    return g;
  hd_lise_message *m = NULL;
  bool none = e.peer == HD_MPI_PROC_NULL;
  if (!none)
    g = make_message(l, fn, edge, &e, &m);
  if (g != HD_GO_ON)
    return g;
  bool sync = fn == HD_LIB_MPI_Issend;
  uint32_t number =
      hd_lise_request_new(l, (hd_lise_request){.is_send = true,
                                               .sync = sync,
                                               .done = none,
                                               .peer = (int32_t)e.peer,
                                               .tag = (int32_t)e.tag,
                                               .source = HD_MPI_ANY_SOURCE,
                                               .got_tag = HD_MPI_ANY_TAG,
                                               .comm = e.comm,
                                               .type = e.type,
                                               .count = e.count,
                                               .buffer = e.buffer});
  g = hd_lise_put_int(l, args[6], 0, 4, number + 1);
  if (g != HD_GO_ON) {
    hd_lise_message_drop(m);
    return g;
  }
  if (none)
    return success(l);
  m->request = number + 1;
  stand_before(l, HD_LISE_OP_ISEND, fn, edge);
  hd_lise_me(l)->op.message = m;
  return HD_STOPPED;
}

static hd_going irecv_call(hd_lise *l, hd_library_fn fn, const hd_term *args) {
  envelope e;
  hd_going g = read_envelope(l, args, true, &e);
  if (g == HD_GO_ON)
    g = check_room(l, fn, &e);
  if (g != HD_GO_ON)
    return g;
  hd_lise_request r = receive_request(&e);
  if (e.peer == HD_MPI_PROC_NULL) {
    r.done = true;
    r.source = HD_MPI_PROC_NULL;
    r.got_tag = HD_MPI_ANY_TAG;
  }
  uint32_t number = hd_lise_request_new(l, r);
  g = hd_lise_put_int(l, args[6], 0, 4, number + 1);
  return g == HD_GO_ON ? success(l) : g;
}

/* A send and a receive, in any order: neither waits for the other to start. */
static hd_going sendrecv_call(hd_lise *l, const hd_cedge *edge,
                              hd_library_fn fn, const hd_term *a) {
  bool replace = fn == HD_LIB_MPI_Sendrecv_replace;
  /* replace: buf, count, type, dest, stag, source, rtag, comm, status */
  hd_term comm = a[replace ? 7 : 10], status = a[replace ? 8 : 11];
  hd_term out[6] = {a[0], a[1], a[2], a[3], a[4], comm};
  hd_term in[6] = {replace ? a[0] : a[5], replace ? a[1] : a[6],
                   replace ? a[2] : a[7], replace ? a[5] : a[8],
                   replace ? a[6] : a[9], comm};
  envelope s, r;
  hd_going g = read_envelope(l, out, false, &s);
  if (g == HD_GO_ON)
    g = read_envelope(l, in, true, &r);
  if (g == HD_GO_ON)
    g = check_room(l, fn, &r);
  hd_lise_message *m = NULL;
  if (g == HD_GO_ON && s.peer != HD_MPI_PROC_NULL)
    g = make_message(l, fn, edge, &s, &m);
  if (g != HD_GO_ON)
    return g;
  hd_u32s requests = {0};
  if (r.peer != HD_MPI_PROC_NULL) {
    hd_lise_request q = receive_request(&r);
    q.hidden = true;
    uint32_t number = hd_lise_request_new(l, q);
    hd_vec_push(&requests, number);
  } else {
    g = hd_lise_put_status(l, status, 0, HD_MPI_PROC_NULL, HD_MPI_ANY_TAG, 0);
    status = hd_lise_null(l);
  }
  if (m) {
    uint32_t number =
        hd_lise_request_new(l, (hd_lise_request){.is_send = true,
                                                 .hidden = true,
                                                 .comm = s.comm,
                                                 .peer = (int32_t)s.peer,
                                                 .tag = (int32_t)s.tag});
    m->request = number + 1;
    hd_vec_push(&requests, number);
  }
  if (g != HD_GO_ON || !requests.size) {
    hd_vec_free(&requests);
    hd_lise_message_drop(m);
    return g == HD_GO_ON ? success(l) : g;
  }
  stand_before(l, m ? HD_LISE_OP_ISEND : HD_LISE_OP_WAIT, fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  me->op.message = m;
  me->op.requests = requests;
  me->op.status = status;
  return HD_STOPPED;
}

/* --- completion --- */

/* Handles at an address, `n` of them; null ones are left out. */
static hd_going read_handles(hd_lise *l, hd_term pointer, int64_t n,
                             hd_u32s *out) {
  hd_terms *t = l->terms;
  for (int64_t i = 0; i < n; i++) {
    if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
      return hd_lise_refuse(l, "a symbolic pointer to a request");
    hd_term at = hd_term_ptr(
        t, hd_term_args(t, pointer)[0],
        hd_term_add(t, hd_term_args(t, pointer)[1], hd_term_int(t, 4 * i)));
    hd_term value;
    int64_t handle;
    hd_going g = hd_lise_load(l, at, (hd_type){HD_TYPE_INT, 32}, &value);
    if (g == HD_GO_ON)
      g = hd_lise_number_arg(l, value, "the request", &handle);
    if (g != HD_GO_ON)
      return g;
    const hd_lise_proc *me = hd_lise_seen(l);
    if (handle < 0 || handle > (int64_t)me->requests.size ||
        (handle && !me->requests.data[handle - 1].code))
      return hd_lise_violate(l, HD_PROPERTY_MPI,
                             "there is no request with this handle");
    hd_vec_push(out, handle ? (uint32_t)handle - 1 : HD_NO_ID);
  }
  return HD_GO_ON;
}

/* Wait, Waitall, Waitany, Test, Testall, Testany */
static hd_going wait_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                          const hd_term *a) {
  bool one = fn == HD_LIB_MPI_Wait || fn == HD_LIB_MPI_Test;
  bool any = fn == HD_LIB_MPI_Waitany || fn == HD_LIB_MPI_Testany;
  bool test = fn == HD_LIB_MPI_Test || fn == HD_LIB_MPI_Testall ||
              fn == HD_LIB_MPI_Testany;
  int64_t n = 1;
  hd_going g = HD_GO_ON;
  if (!one)
    g = hd_lise_number_arg(l, a[0], "the number of requests", &n);
  if (g != HD_GO_ON)
    return g;
  hd_term handles = a[one ? 0 : 1];
  size_t next = one ? 1 : 2;
  hd_u32s requests = {0};
  g = read_handles(l, handles, n, &requests);
  if (g != HD_GO_ON) {
    hd_vec_free(&requests);
    return g;
  }
  stand_before(l,
               any && test ? HD_LISE_OP_TESTANY
               : any       ? HD_LISE_OP_WAITANY
               : test      ? HD_LISE_OP_TEST
                           : HD_LISE_OP_WAIT,
               fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  me->op.requests = requests;
  me->op.handles = handles;
  if (any)
    me->op.index = a[next++];
  if (test)
    me->op.flag = a[next++];
  me->op.status = a[next];
  return HD_STOPPED;
}

static hd_going probe_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *a) {
  int64_t source, tag;
  uint32_t comm;
  hd_going g = hd_lise_number_arg(l, a[0], "the rank", &source);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, a[1], "the tag", &tag);
  if (g == HD_GO_ON)
    g = hd_lise_comm_arg(l, a[2], &comm);
  if (g != HD_GO_ON)
    return g;
  bool now = fn == HD_LIB_MPI_Iprobe;
  stand_before(l, now ? HD_LISE_OP_IPROBE : HD_LISE_OP_PROBE, fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  me->op.source = (int32_t)source;
  me->op.tag = (int32_t)tag;
  me->op.comm = comm;
  if (now)
    me->op.flag = a[3];
  me->op.status = a[now ? 4 : 3];
  return HD_STOPPED;
}

static hd_going request_free_call(hd_lise *l, hd_term pointer) {
  hd_u32s requests = {0};
  hd_going g = read_handles(l, pointer, 1, &requests);
  uint32_t number = requests.size ? requests.data[0] : HD_NO_ID;
  hd_vec_free(&requests);
  if (g != HD_GO_ON)
    return g;
  if (number != HD_NO_ID && !hd_lise_seen(l)->requests.data[number].is_send)
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "MPI_Request_free of a receive: nobody can know any "
                           "more when it is complete");
  if (number == HD_NO_ID)
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "MPI_Request_free of MPI_REQUEST_NULL");
  if (number != HD_NO_ID)
    hd_lise_me(l)->requests.data[number].hidden = true;
  g = hd_lise_put_int(l, pointer, 0, 4, 0);
  return g == HD_GO_ON ? success(l) : g;
}

/* --- environment --- */

static hd_going init_call(hd_lise *l) {
  hd_lise_proc *me = hd_lise_me(l);
  if (me->mpi)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "MPI_Init is called %s",
                           me->mpi == 1 ? "twice" : "after MPI_Finalize");
  me->mpi = 1;
  return success(l);
}

static hd_going count_call(hd_lise *l, const hd_term *args) {
  hd_terms *t = l->terms;
  uint32_t type, bytes;
  hd_type unit;
  hd_going g = hd_lise_type_arg(l, args[1], &type, &unit, &bytes);
  if (g != HD_GO_ON)
    return g;
  if (hd_term_op_of(t, args[0]) != HD_TERM_PTR)
    return hd_lise_refuse(l, "a symbolic pointer to a status");
  hd_term at = hd_term_ptr(
      t, hd_term_args(t, args[0])[0],
      hd_term_add(t, hd_term_args(t, args[0])[1], hd_term_int(t, 16)));
  hd_term value;
  int64_t received;
  g = hd_lise_load(l, at, (hd_type){HD_TYPE_INT, 64}, &value);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, value, "the status", &received);
  if (g == HD_GO_ON)
    g = hd_lise_put_int(l, args[2], 0, 4,
                        received % bytes ? -32766 : received / bytes);
  return g == HD_GO_ON ? success(l) : g;
}

static hd_going comm_call(hd_lise *l, hd_library_fn fn, const hd_term *args) {
  uint32_t comm;
  hd_going g = hd_lise_comm_arg(l, args[0], &comm);
  if (g != HD_GO_ON)
    return g;
  int64_t value = fn == HD_LIB_MPI_Comm_rank
                      ? hd_lise_rank_in(l->state, comm, l->proc)
                      : (int64_t)l->state->comms.data[comm]->members.size;
  g = hd_lise_put_int(l, args[1], 0, 4, value);
  return g == HD_GO_ON ? success(l) : g;
}

static hd_going comm_free_call(hd_lise *l, hd_term pointer) {
  hd_term value;
  int64_t handle;
  hd_going g = hd_lise_load(l, pointer, (hd_type){HD_TYPE_INT, 32}, &value);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, value, "the communicator", &handle);
  if (g != HD_GO_ON)
    return g;
  hd_lise_proc *me = hd_lise_me(l);
  if (handle < 3 || handle >= (int64_t)me->comm_handles.size ||
      !me->comm_handles.data[handle])
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "MPI_Comm_free of what is no communicator of the "
                           "program");
  me->comm_handles.data[handle] = 0;
  g = hd_lise_put_int(l, pointer, 0, 4, 0);
  return g == HD_GO_ON ? success(l) : g;
}

static hd_going flag_call(hd_lise *l, hd_term pointer, bool value) {
  hd_going g = hd_lise_put_int(l, pointer, 0, 4, value);
  return g == HD_GO_ON ? success(l) : g;
}

/* The name is the same for all: "node". */
static hd_going name_call(hd_lise *l, const hd_term *args) {
  static const char name[] = "node";
  hd_going g = HD_GO_ON;
  for (int64_t i = 0; i < (int64_t)sizeof name && g == HD_GO_ON; i++)
    g = hd_lise_put_int(l, args[0], i, 1, name[i]);
  if (g == HD_GO_ON)
    g = hd_lise_put_int(l, args[1], 0, 4, (int64_t)sizeof name - 1);
  return g == HD_GO_ON ? success(l) : g;
}

static hd_going time_call(hd_lise *l, hd_library_fn fn, const hd_cedge *edge) {
  hd_edge_id id = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  hd_term x =
      hd_lise_input_new(l, hd_library_name(fn), HD_OF_REAL, l->proc, id);
  hd_lise_call_done(l, &x, 1);
  return HD_GO_ON;
}

hd_going hd_lise_mpi(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                     const hd_term *args, size_t n) {
  uint8_t phase = hd_lise_seen(l)->mpi;
  bool always = fn == HD_LIB_MPI_Init || fn == HD_LIB_MPI_Init_thread ||
                fn == HD_LIB_MPI_Initialized || fn == HD_LIB_MPI_Finalized;
  if (phase != 1 && !always)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "%s is called %s",
                           hd_library_name(fn),
                           phase ? "after MPI_Finalize" : "before MPI_Init");
  if (hd_lise_seen(l)->in_guard)
    return hd_lise_refuse(l,
                          "MPI in the condition of a loop with an invariant");
  switch (fn) {
  case HD_LIB_MPI_Init:
    return init_call(l);
  case HD_LIB_MPI_Init_thread: {
    hd_going g = hd_lise_put_int(l, args[3], 0, 4, 0);
    return g == HD_GO_ON ? init_call(l) : g;
  }
  case HD_LIB_MPI_Initialized:
    return flag_call(l, args[0], phase > 0);
  case HD_LIB_MPI_Finalized:
    return flag_call(l, args[0], phase > 1);
  case HD_LIB_MPI_Comm_rank:
  case HD_LIB_MPI_Comm_size:
    return comm_call(l, fn, args);
  case HD_LIB_MPI_Comm_free:
    return comm_free_call(l, args[0]);
  case HD_LIB_MPI_Send:
  case HD_LIB_MPI_Ssend:
    return send_call(l, edge, fn, args);
  case HD_LIB_MPI_Recv:
    return recv_call(l, edge, fn, args);
  case HD_LIB_MPI_Isend:
  case HD_LIB_MPI_Issend:
    return isend_call(l, edge, fn, args);
  case HD_LIB_MPI_Irecv:
    return irecv_call(l, fn, args);
  case HD_LIB_MPI_Sendrecv:
  case HD_LIB_MPI_Sendrecv_replace:
    return sendrecv_call(l, edge, fn, args);
  case HD_LIB_MPI_Wait:
  case HD_LIB_MPI_Waitall:
  case HD_LIB_MPI_Waitany:
  case HD_LIB_MPI_Test:
  case HD_LIB_MPI_Testall:
  case HD_LIB_MPI_Testany:
    return wait_call(l, edge, fn, args);
  case HD_LIB_MPI_Probe:
  case HD_LIB_MPI_Iprobe:
    return probe_call(l, edge, fn, args);
  case HD_LIB_MPI_Request_free:
    return request_free_call(l, args[0]);
  case HD_LIB_MPI_Get_count:
    return count_call(l, args);
  case HD_LIB_MPI_Wtime:
  case HD_LIB_MPI_Wtick:
    return time_call(l, fn, edge);
  case HD_LIB_MPI_Get_processor_name:
    return name_call(l, args);
  case HD_LIB_MPI_Abort:
    hd_lise_me(l)->ended = true;
    l->state->aborted = true;
    return HD_STOPPED;
  case HD_LIB_MPI_Finalize: {
    hd_going g = hd_lise_finalize(l);
    return g == HD_GO_ON ? success(l) : g;
  }
  case HD_LIB_MPI_Barrier:
  case HD_LIB_MPI_Bcast:
  case HD_LIB_MPI_Reduce:
  case HD_LIB_MPI_Allreduce:
  case HD_LIB_MPI_Scatter:
  case HD_LIB_MPI_Scatterv:
  case HD_LIB_MPI_Gather:
  case HD_LIB_MPI_Gatherv:
  case HD_LIB_MPI_Allgather:
  case HD_LIB_MPI_Allgatherv:
  case HD_LIB_MPI_Alltoall:
  case HD_LIB_MPI_Scan:
  case HD_LIB_MPI_Exscan:
  case HD_LIB_MPI_Comm_dup:
  case HD_LIB_MPI_Comm_split:
    return hd_lise_enter(l, edge, fn, args, n);
  default:
    return hd_lise_refuse(l, "a call of '%s'", hd_library_name(fn));
  }
}

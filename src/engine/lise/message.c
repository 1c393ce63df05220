/* SPDX-License-Identifier: MIT */
/* Calls that send and receive: their arguments, and what the process then stands
 * before. */
#include "engine/lise/mpi.h"

typedef struct {
  hd_term buffer;
  int64_t count, peer, tag;
  uint32_t comm, type, bytes;
  hd_type unit;
} envelope;

hd_going hd_lise_check_peer(hd_lise *l, uint32_t comm, int64_t peer,
                            int64_t tag, bool receive) {
  int64_t size = (int64_t)l->state->comms.data[comm]->members.size;
  bool special =
      peer == HD_MPI_PROC_NULL || (receive && peer == HD_MPI_ANY_SOURCE);
  if (!special && (peer < 0 || peer >= size))
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "there is no rank %lld among %lld processes",
                           (long long)peer, (long long)size);
  bool any = receive && tag == HD_MPI_ANY_TAG;
  if (!any && (tag < 0 || tag > HD_MPI_TAG_MAX))
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the tag %lld is not allowed",
                           (long long)tag);
  return HD_GO_ON;
}

/* (buffer, count, type, peer, tag, comm) */
static hd_going read_envelope(hd_lise *l, const hd_term *a, bool receive,
                              envelope *e) {
  e->buffer = a[0];
  hd_going g = hd_lise_one_buffer(l, &e->buffer);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, a[1], "the count", &e->count);
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
  if (e->count < 0)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the count %lld is negative",
                           (long long)e->count);
  return hd_lise_check_peer(l, e->comm, e->peer, e->tag, receive);
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
  hd_lise_travel(l, m, true);
  *out = m;
  return HD_GO_ON;
}

void hd_lise_stand_before(hd_lise *l, hd_lise_op_kind kind, hd_library_fn fn,
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

static bool calls(const hd_lise *l, hd_library_fn fn) {
  const hd_lise_program *program = &l->programs[hd_lise_seen(l)->program];
  for (size_t f = 0; f < program->code->funcs.size; f++)
    if (program->library[f] == fn)
      return true;
  return false;
}

/* Does the program look at messages before it receives them? Then they are to be
 * seen while their sender still waits. */
static bool probes(const hd_lise *l) {
  return calls(l, HD_LIB_MPI_Probe) || calls(l, HD_LIB_MPI_Iprobe);
}

/* Receives are matched when their process waits for them (docs/engines/lise.md):
 * a synchronous send could go on before. */
static hd_going sync_is_known(hd_lise *l, bool sync) {
  return sync && calls(l, HD_LIB_MPI_Irecv)
             ? hd_lise_refuse(l, "a synchronous send beside MPI_Irecv")
             : HD_GO_ON;
}

hd_going hd_lise_send_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *args) {
  envelope e;
  hd_going g = read_envelope(l, args, false, &e);
  if (g == HD_GO_ON)
    g = sync_is_known(l, fn == HD_LIB_MPI_Ssend);
  if (g != HD_GO_ON)
    return g;
  if (e.peer == HD_MPI_PROC_NULL)
    return hd_lise_success(l);
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
  hd_lise_stand_before(l, waits ? HD_LISE_OP_ISEND : HD_LISE_OP_SEND, fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  me->op.message = m;
  if (waits)
    hd_vec_push(&me->op.requests, number);
  return HD_STOPPED;
}

hd_going hd_lise_recv_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *args) {
  envelope e;
  hd_going g = read_envelope(l, args, true, &e);
  if (g == HD_GO_ON)
    g = check_room(l, fn, &e);
  if (g != HD_GO_ON)
    return g;
  if (e.peer == HD_MPI_PROC_NULL) {
    g = hd_lise_put_status(l, args[6], 0, HD_MPI_PROC_NULL, HD_MPI_ANY_TAG, 0);
    return g == HD_GO_ON ? hd_lise_success(l) : g;
  }
  hd_lise_request r = receive_request(&e);
  r.hidden = true;
  uint32_t number = hd_lise_request_new(l, r);
  hd_lise_stand_before(l, HD_LISE_OP_WAIT, fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  hd_vec_push(&me->op.requests, number);
  me->op.status = args[6];
  return HD_STOPPED;
}

hd_going hd_lise_isend_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                            const hd_term *args) {
  envelope e;
  hd_going g = read_envelope(l, args, false, &e);
  if (g != HD_GO_ON)
    return g;
  hd_lise_message *m = NULL;
  bool none = e.peer == HD_MPI_PROC_NULL;
  g = sync_is_known(l, fn == HD_LIB_MPI_Issend);
  if (!none && g == HD_GO_ON)
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
  g = hd_lise_put_int(l, args[6], 0, 4, hd_lise_request_handle(number));
  if (g != HD_GO_ON) {
    hd_lise_message_drop(m);
    return g;
  }
  if (none)
    return hd_lise_success(l);
  m->request = number + 1;
  hd_lise_stand_before(l, HD_LISE_OP_ISEND, fn, edge);
  hd_lise_me(l)->op.message = m;
  return HD_STOPPED;
}

hd_going hd_lise_irecv_call(hd_lise *l, hd_library_fn fn, const hd_term *args) {
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
  g = hd_lise_put_int(l, args[6], 0, 4, hd_lise_request_handle(number));
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

/* A send and a receive, in any order: neither waits for the other to start. */
hd_going hd_lise_sendrecv_call(hd_lise *l, const hd_cedge *edge,
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
  bool both = s.peer != HD_MPI_PROC_NULL && r.peer != HD_MPI_PROC_NULL;
  if (g == HD_GO_ON && both && !replace)
    g = hd_lise_apart(l, fn, s.buffer, s.count * s.bytes, r.buffer,
                      r.count * r.bytes);
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
    return g == HD_GO_ON ? hd_lise_success(l) : g;
  }
  hd_lise_stand_before(l, m ? HD_LISE_OP_ISEND : HD_LISE_OP_WAIT, fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  me->op.message = m;
  me->op.requests = requests;
  me->op.status = status;
  return HD_STOPPED;
}

/* SPDX-License-Identifier: MIT */
/* Messages between two processes.
 *
 * MPI_Send puts its message into the queue and returns: one move; in a program
 * that calls MPI_Probe, which sees messages whose sender still waits, it is two.
 * MPI_Ssend and MPI_Sendrecv take several: the message is put into the queue (`sent`); the
 * call ends when the message has been taken, or, for MPI_Sendrecv, may end
 * before if it is buffered. A receive is posted when the process comes to it, and
 * the move takes a message. Whoever is called MPI_PROC_NULL gets and sends
 * nothing at once. */
#include "check/mpi/state.h"

bool hd_mpi_is_point(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Send:
  case HD_LIB_MPI_Ssend:
  case HD_LIB_MPI_Rsend:
  case HD_LIB_MPI_Recv:
  case HD_LIB_MPI_Sendrecv:
  case HD_LIB_MPI_Sendrecv_replace:
  case HD_LIB_MPI_Isend:
  case HD_LIB_MPI_Issend:
  case HD_LIB_MPI_Bsend:
  case HD_LIB_MPI_Ibsend:
  case HD_LIB_MPI_Irsend:
  case HD_LIB_MPI_Irecv:
  case HD_LIB_MPI_Probe:
  case HD_LIB_MPI_Iprobe:
  case HD_LIB_MPI_Mprobe:
  case HD_LIB_MPI_Improbe:
  case HD_LIB_MPI_Mrecv:
  case HD_LIB_MPI_Imrecv:
  case HD_LIB_MPI_Start:
  case HD_LIB_MPI_Startall:
  case HD_LIB_MPI_Cancel:
  case HD_LIB_MPI_Buffer_detach:
    return true;
  default:
    return false;
  }
}

/* --- arguments --- */

/* A rank of the communicator as one of the world. False after a violation. */
static bool read_rank(const hd_mpi_call *c, uint32_t comm, int32_t rank,
                      bool any, int32_t *out) {
  const hd_mpi_comm *of = &c->mpi->comms.data[comm];
  *out = rank;
  if (rank == HD_MPI_PROC_NULL || (any && rank == HD_MPI_ANY))
    return true;
  if (rank < 0 || (size_t)rank >= of->members.size) {
    hd_mpi_misuse(c, "there is no rank %d among %zu processes", rank,
                  of->members.size);
    return false;
  }
  *out = (int32_t)of->members.data[rank];
  return true;
}

static bool check_count(const hd_mpi_call *c, int32_t count) {
  if (count >= 0)
    return true;
  hd_mpi_misuse(c, "the count is %d", count);
  return false;
}

static bool check_type(const hd_mpi_call *c, uint64_t type) {
  hd_mpi_signature signature = {0};
  bool ok = hd_mpi_signature_of(c, 1, type, &signature);
  hd_vec_free(&signature);
  return ok;
}

bool hd_mpi_read_post(const hd_mpi_call *c, uint32_t at, uint32_t comm,
                      hd_mpi_post *out) {
  const uint64_t *args = c->call->args;
  int32_t count = hd_mpi_int(c, at + 1);
  *out = (hd_mpi_post){.address = args[at],
                       .count = (uint64_t)(int64_t)count,
                       .type = (uint32_t)args[at + 2],
                       .tag = hd_mpi_int(c, at + 4)};
  if (!check_count(c, count) || !check_type(c, out->type))
    return false;
  out->comm = hd_mpi_comm_of(c, args[comm]);
  if (out->comm == HD_NO_ID)
    return false;
  if (out->tag < 0 && out->tag != HD_MPI_ANY) {
    hd_mpi_misuse(c, "%d is no tag", out->tag);
    return false;
  }
  return read_rank(c, out->comm, hd_mpi_int(c, at + 3), true, &out->source);
}

/* What is sent: arguments from 0 on are buffer, count, type, destination, tag;
 * the communicator is argument `comm`. */
static bool read_envelope(const hd_mpi_call *c, uint32_t comm,
                          hd_mpi_message *out) {
  int32_t to;
  *out = (hd_mpi_message){.from = c->p,
                          .tag = hd_mpi_int(c, 4),
                          .edge = c->call->edge,
                          .request = HD_NO_ID,
                          .number = UINT64_MAX};
  if (!check_count(c, hd_mpi_int(c, 1)) || !check_type(c, c->call->args[2]))
    return false;
  out->comm = hd_mpi_comm_of(c, c->call->args[comm]);
  if (out->comm == HD_NO_ID)
    return false;
  if (out->tag < 0) {
    hd_mpi_misuse(c, "%d is no tag to send with", out->tag);
    return false;
  }
  if (!read_rank(c, out->comm, hd_mpi_int(c, 3), false, &to))
    return false;
  out->to = (uint32_t)to;
  return true;
}

static bool goes_nowhere(const hd_mpi_message *message) {
  return (int32_t)message->to == HD_MPI_PROC_NULL;
}

static uint32_t comm_argument(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Sendrecv           ? 10
         : fn == HD_LIB_MPI_Sendrecv_replace ? 7
                                             : 5;
}

/* The send of a call that has been checked. */
static hd_mpi_message envelope(const hd_mpi *mpi, uint32_t p) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  hd_mpi_message message;
  bool ok = read_envelope(&c, comm_argument(c.call->fn), &message);
  assert(ok);
  (void)ok;
  return message;
}

/* --- sending --- */

/* Is there room in the buffer of the program? */
static bool fits_buffer(const hd_mpi_call *c, uint64_t size) {
  uint64_t used = size + HD_MPI_BSEND_OVERHEAD;
  for (hd_vec_each(hd_mpi_message, m, &c->mpi->queue))
    if (m->from == c->p && m->buffered)
      used += m->data->bytes.size + HD_MPI_BSEND_OVERHEAD;
  if (c->process->attached && used <= c->process->buffer_size)
    return true;
  if (c->process->attached)
    hd_mpi_misuse(c, "the buffer of %llu bytes is too small",
                  (unsigned long long)c->process->buffer_size);
  else
    hd_mpi_misuse(c, "there is no buffer: MPI_Buffer_attach was not called");
  return false;
}

static bool is_buffered(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Bsend || fn == HD_LIB_MPI_Ibsend ||
         fn == HD_LIB_MPI_Bsend_init;
}

static bool is_ready(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Rsend || fn == HD_LIB_MPI_Irsend ||
         fn == HD_LIB_MPI_Rsend_init;
}

static bool is_sync(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Issend || fn == HD_LIB_MPI_Ssend_init;
}

static bool put_message(const hd_mpi_call *c, uint32_t request) {
  hd_mpi_message message;
  if (!read_envelope(c, comm_argument(c->call->fn), &message))
    return false;
  if (is_ready(c->call->fn) && !hd_mpi_expected(c->mpi, &message)) {
    hd_mpi_misuse(c, "the receive has not been posted");
    return false;
  }
  message.buffered = is_buffered(c->call->fn);
  message.data = hd_mpi_pack(c, c->call->args[0], c->call->args[1] & UINT32_MAX,
                             c->call->args[2]);
  if (!message.data)
    return false;
  if (message.buffered && !fits_buffer(c, message.data->bytes.size)) {
    hd_mpi_data_drop(message.data);
    return false;
  }
  message.known = c->process->known;
  message.number = ++c->mpi->messages;
  message.request = request;
  hd_vec_push(&c->mpi->queue, message);
  c->process->sent = true;
  c->process->number = message.number;
  hd_mpi_tell_message(c->mpi, HD_MPI_SENDS, &message, c->call->edge, 0);
  return true;
}

/* Is the message of the call still in the queue? */
static const hd_mpi_message *own_message(const hd_mpi *mpi, uint32_t p) {
  return hd_mpi_find(mpi, mpi->processes[p].number);
}

/* The message of a request is on its way; the buffer belongs to it. */
static bool begin_send(const hd_mpi_call *c, uint32_t request) {
  hd_mpi_message message;
  if (!read_envelope(c, 5, &message))
    return false;
  bool nowhere = goes_nowhere(&message);
  hd_mpi_request *r = &c->process->requests.data[request];
  r->done = nowhere || is_buffered(c->call->fn);
  if (nowhere)
    return true;
  uint32_t tells = is_buffered(c->call->fn) ? HD_NO_ID : request;
  return put_message(c, tells) &&
         hd_mpi_claim(c, c->call->args[0], c->call->args[1] & UINT32_MAX,
                      c->call->args[2], false, request);
}

static void start_request(const hd_mpi_call *c) {
  uint32_t request = hd_mpi_request_new(c->process);
  c->process->requests.data[request] = (hd_mpi_request){
      .kind = is_sync(c->call->fn) ? HD_REQUEST_SYNC : HD_REQUEST_SEND,
      .edge = c->call->edge,
      .source = HD_MPI_ANY,
      .tag = HD_MPI_ANY};
  if (begin_send(c, request) && hd_mpi_put(c, c->call->args[6], request + 1))
    hd_mpi_return(c);
}

/* --- coming to a call --- */

/* What is wrong with the buffer shows at once, not when it is sent. */
static bool can_read(const hd_mpi_call *c) {
  hd_mpi_data *data = hd_mpi_pack(
      c, c->call->args[0], c->call->args[1] & UINT32_MAX, c->call->args[2]);
  hd_mpi_data_drop(data);
  return data != NULL;
}

static void arrive_send(const hd_mpi_call *c) {
  hd_mpi_message message;
  if (!read_envelope(c, 5, &message))
    return;
  bool request = c->call->n == 7; /* MPI_Isend … */
  if (!goes_nowhere(&message) && !can_read(c))
    return;
  if (!goes_nowhere(&message))
    c->process->at_call = true;
  else if (request)
    start_request(c);
  else
    hd_mpi_return(c);
}

/* From nobody: at once. */
static void receive_nothing(hd_mpi_request *request) {
  request->done = true;
  request->source = HD_MPI_PROC_NULL;
  request->tag = HD_MPI_ANY;
  request->received = 0;
}

static void arrive_recv(const hd_mpi_call *c) {
  hd_mpi_request *receive = &c->process->receive;
  *receive = (hd_mpi_request){.kind = HD_REQUEST_RECV, .edge = c->call->edge};
  if (!hd_mpi_read_post(c, 0, 5, &receive->post))
    return;
  if (receive->post.source == HD_MPI_PROC_NULL) {
    if (hd_mpi_put_status(c, c->call->args[6], HD_MPI_PROC_NULL, HD_MPI_ANY, 0))
      hd_mpi_return(c);
    return;
  }
  if (!hd_mpi_claim(c, receive->post.address, receive->post.count,
                    receive->post.type, true, HD_NO_ID))
    return;
  c->process->posted = true;
  c->process->at_call = true;
}

static void arrive_irecv(const hd_mpi_call *c) {
  hd_mpi_request request = {.kind = HD_REQUEST_RECV,
                            .edge = c->call->edge,
                            .order = c->process->posts++};
  if (!hd_mpi_read_post(c, 0, 5, &request.post))
    return;
  if (request.post.source == HD_MPI_PROC_NULL)
    receive_nothing(&request);
  uint32_t at = hd_mpi_request_new(c->process);
  c->process->requests.data[at] = request;
  if (!request.done &&
      !hd_mpi_claim(c, request.post.address, request.post.count,
                    request.post.type, true, at))
    return;
  if (hd_mpi_put(c, c->call->args[6], at + 1))
    hd_mpi_return(c);
}

/* --- persistent requests --- */

static bool is_init(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Send_init || fn == HD_LIB_MPI_Bsend_init ||
         fn == HD_LIB_MPI_Ssend_init || fn == HD_LIB_MPI_Rsend_init ||
         fn == HD_LIB_MPI_Recv_init;
}

static void make_persistent(const hd_mpi_call *c) {
  hd_mpi_request request = {.persistent = true,
                            .begun = *c->call,
                            .edge = c->call->edge,
                            .source = HD_MPI_ANY,
                            .tag = HD_MPI_ANY};
  hd_mpi_message message;
  if (c->call->fn == HD_LIB_MPI_Recv_init) {
    request.kind = HD_REQUEST_RECV;
    if (!hd_mpi_read_post(c, 0, 5, &request.post))
      return;
  } else {
    request.kind = is_sync(c->call->fn) ? HD_REQUEST_SYNC : HD_REQUEST_SEND;
    if (!read_envelope(c, 5, &message))
      return;
  }
  uint32_t at = hd_mpi_request_new(c->process);
  c->process->requests.data[at] = request;
  if (hd_mpi_put(c, c->call->args[6], at + 1))
    hd_mpi_return(c);
}

/* Starts one; the call that made it is made as if it were an MPI_Isend or
 * MPI_Irecv now. */
static bool start_one(const hd_mpi_call *c, uint32_t request) {
  hd_mpi_request *r = &c->process->requests.data[request];
  if (!r->persistent || r->active) {
    hd_mpi_misuse(c, r->persistent ? "the request is active already"
                                   : "the request is not a persistent one");
    return false;
  }
  hd_host_call begun = r->begun;
  hd_mpi_call as_made = *c;
  as_made.call = &begun;
  r->active = true;
  r->done = r->cancelled = false;
  if (r->kind != HD_REQUEST_RECV)
    return begin_send(&as_made, request);
  if (!hd_mpi_read_post(&as_made, 0, 5, &r->post))
    return false;
  if (r->post.source == HD_MPI_PROC_NULL) {
    receive_nothing(r);
    return true;
  }
  r->order = c->process->posts++;
  return hd_mpi_claim(&as_made, r->post.address, r->post.count, r->post.type,
                      true, request);
}

void hd_mpi_start(const hd_mpi_call *c) {
  bool all = c->call->fn == HD_LIB_MPI_Startall;
  int32_t n = all ? hd_mpi_int(c, 0) : 1;
  for (int32_t i = 0; i < n; i++) {
    uint32_t at = hd_mpi_request_at(c, c->call->args[all] + 4 * (uint64_t)i);
    if (at == HD_NO_ID) {
      hd_mpi_misuse(c, "there is no request to start");
      return;
    }
    if (!start_one(c, at))
      return;
  }
  hd_mpi_return(c);
}

/* --- buffers --- */

static void attach(const hd_mpi_call *c) {
  int32_t size = hd_mpi_int(c, 1);
  if (c->process->attached || size < 0) {
    hd_mpi_misuse(c, size < 0 ? "the size is negative"
                              : "there is a buffer already");
    return;
  }
  c->process->attached = true;
  c->process->buffer = c->call->args[0];
  c->process->buffer_size = (uint64_t)size;
  hd_mpi_return(c);
}

static bool buffer_empty(const hd_mpi *mpi, uint32_t p) {
  for (hd_vec_each(hd_mpi_message, m, &mpi->queue))
    if (m->from == p && m->buffered)
      return false;
  return true;
}

static void detach(const hd_mpi_call *c) {
  uint64_t address = c->process->buffer;
  int64_t size = (int64_t)c->process->buffer_size;
  c->process->attached = false;
  c->process->buffer = c->process->buffer_size = 0;
  if (hd_host_write(c->m, c->call->args[0], c->mpi->code->pointer_width / 8,
                    (const uint8_t *)&address, NULL) &&
      hd_mpi_put(c, c->call->args[1], size))
    hd_mpi_return(c);
}

static uint64_t status_argument(const hd_mpi_call *c) {
  return c->call->args[c->call->fn == HD_LIB_MPI_Recv       ? 6
                       : c->call->fn == HD_LIB_MPI_Sendrecv ? 11
                                                            : 8];
}

/* The receive of the call is complete. */
static void end_receive(const hd_mpi_call *c) {
  const hd_mpi_request *r = &c->process->receive;
  if (hd_mpi_put_status(c, status_argument(c), r->source, r->tag, r->received))
    hd_mpi_return(c);
}

/* The receive of MPI_Sendrecv_replace has the buffer of the send. */
static bool read_replace(const hd_mpi_call *c, hd_mpi_post *out) {
  hd_host_call call = *c->call;
  hd_mpi_call shifted = *c;
  call.args[3] = c->call->args[5];
  call.args[4] = c->call->args[6];
  shifted.call = &call;
  return hd_mpi_read_post(&shifted, 0, 7, out);
}

static void arrive_sendrecv(const hd_mpi_call *c) {
  hd_mpi_request *receive = &c->process->receive;
  *receive = (hd_mpi_request){.kind = HD_REQUEST_RECV, .edge = c->call->edge};
  hd_mpi_message message;
  bool replace = c->call->fn == HD_LIB_MPI_Sendrecv_replace;
  if (!read_envelope(c, comm_argument(c->call->fn), &message) ||
      !(replace ? read_replace(c, &receive->post)
                : hd_mpi_read_post(c, 5, 10, &receive->post)) ||
      (!goes_nowhere(&message) && !can_read(c)))
    return;
  c->process->number = 0;
  c->process->sent = goes_nowhere(&message);
  c->process->received = receive->post.source == HD_MPI_PROC_NULL;
  if (c->process->received)
    receive_nothing(receive);
  if (c->process->sent && c->process->received) {
    end_receive(c);
    return;
  }
  if (!c->process->received &&
      !hd_mpi_claim(c, receive->post.address, receive->post.count,
                    receive->post.type, true, HD_NO_ID))
    return;
  c->process->posted = !c->process->received;
  c->process->at_call = true;
}

enum { NO_MESSAGE = 1 }; /* MPI_MESSAGE_NO_PROC; handles are greater */

/* The arguments of a probe behind the communicator: (&flag, &message, &status),
 * not all there. `handle`: of the message, for MPI_Mprobe. */
static bool end_probe(const hd_mpi_call *c, uint32_t handle, int32_t source,
                      int32_t tag, uint64_t size) {
  hd_library_fn fn = c->call->fn;
  uint32_t at = 3;
  if ((fn == HD_LIB_MPI_Iprobe || fn == HD_LIB_MPI_Improbe) &&
      !hd_mpi_put(c, c->call->args[at++], 1))
    return false;
  if ((fn == HD_LIB_MPI_Mprobe || fn == HD_LIB_MPI_Improbe) &&
      !hd_mpi_put(c, c->call->args[at++], handle))
    return false;
  return hd_mpi_put_status(c, c->call->args[at], source, tag, size);
}

static hd_mpi_post probe_post(const hd_mpi_call *c) {
  hd_mpi_post post = {.tag = hd_mpi_int(c, 1)};
  post.comm = hd_mpi_comm_of(c, c->call->args[2]);
  if (post.comm != HD_NO_ID &&
      !read_rank(c, post.comm, hd_mpi_int(c, 0), true, &post.source))
    post.comm = HD_NO_ID;
  return post;
}

static void arrive_probe(const hd_mpi_call *c) {
  hd_mpi_post post = probe_post(c);
  if (post.comm == HD_NO_ID)
    return;
  if (post.tag < 0 && post.tag != HD_MPI_ANY) {
    hd_mpi_misuse(c, "%d is no tag", post.tag);
    return;
  }
  if (post.source != HD_MPI_PROC_NULL)
    c->process->at_call = true;
  else if (end_probe(c, NO_MESSAGE, HD_MPI_PROC_NULL, HD_MPI_ANY, 0))
    hd_mpi_return(c);
}

/* --- messages that MPI_Mprobe took --- */

/* The message of the handle at an address, as a number in the queue; SIZE_MAX
 * for MPI_MESSAGE_NO_PROC. False after a violation. */
static bool held_at(const hd_mpi_call *c, uint64_t address, size_t *out) {
  int32_t handle;
  if (!hd_mpi_get(c, address, "the message", &handle))
    return false;
  *out = SIZE_MAX;
  if (handle == NO_MESSAGE)
    return true;
  for (size_t i = 0; i < c->mpi->queue.size; i++)
    if (handle && c->mpi->queue.data[i].to == c->p &&
        c->mpi->queue.data[i].held == (uint32_t)handle) {
      *out = i;
      return true;
    }
  hd_mpi_misuse(c, "%d is no message that a probe has taken", handle);
  return false;
}

/* MPI_Mrecv (buffer, count, type, &message, &status), MPI_Imrecv (…, &request) */
static void move_mrecv(const hd_mpi_call *c) {
  size_t at;
  hd_mpi_request request = {.kind = HD_REQUEST_RECV, .edge = c->call->edge};
  request.post = (hd_mpi_post){.address = c->call->args[0],
                               .count = c->call->args[1] & UINT32_MAX,
                               .type = (uint32_t)c->call->args[2]};
  if (!check_count(c, hd_mpi_int(c, 1)) || !check_type(c, c->call->args[2]) ||
      !held_at(c, c->call->args[3], &at) ||
      !hd_mpi_claim(c, request.post.address, request.post.count,
                    request.post.type, true, HD_NO_ID))
    return;
  bool here = c->call->fn == HD_LIB_MPI_Mrecv;
  uint32_t number = here ? HD_NO_ID : hd_mpi_request_new(c->process);
  if (here)
    c->process->receive = request;
  else
    c->process->requests.data[number] = request;
  if (at == SIZE_MAX)
    receive_nothing(here ? &c->process->receive
                         : &c->process->requests.data[number]);
  else
    hd_mpi_deliver(c->mpi, c->p, at, number);
  const hd_mpi_request *r =
      here ? &c->process->receive : &c->process->requests.data[number];
  if (!r->done || !hd_mpi_put(c, c->call->args[3], 0))
    return;
  c->process->received = false;
  if (here ? hd_mpi_put_status(c, c->call->args[4], r->source, r->tag,
                               r->received)
           : hd_mpi_put(c, c->call->args[4], number + 1))
    hd_mpi_return(c);
}

/* --- cancelling --- */

static void arrive_cancel(const hd_mpi_call *c) {
  uint32_t at = hd_mpi_request_at(c, c->call->args[0]);
  if (!hd_mpi_runs(c->mpi) || hd_machine_status_of(c->m) != HD_MACHINE_RUNNING)
    return;
  if (at == HD_NO_ID)
    hd_mpi_misuse(c, "the request is MPI_REQUEST_NULL");
  else if (c->process->requests.data[at].kind != HD_REQUEST_RECV)
    hd_mpi_refuse(c, "only receives can be cancelled here");
  else if (c->process->requests.data[at].done)
    hd_mpi_return(c);
  else
    c->process->at_call = true;
}

/* It is cancelled, or its message has just come. */
static void move_cancel(const hd_mpi_call *c, uint64_t choice) {
  hd_mpi_request *r =
      &c->process->requests.data[hd_mpi_request_at(c, c->call->args[0])];
  size_t message;
  uint32_t request;
  if (choice) {
    if (hd_mpi_next_match(c->mpi, c->p, (uint32_t)(choice - 1), &message,
                          &request))
      hd_mpi_deliver(c->mpi, c->p, message, request);
    if (!r->done)
      return;
  } else {
    r->done = r->cancelled = true;
    r->source = r->tag = HD_MPI_ANY;
    r->received = 0;
  }
  hd_mpi_return(c);
}

bool hd_mpi_point_arrive(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Send:
  case HD_LIB_MPI_Ssend:
  case HD_LIB_MPI_Rsend:
  case HD_LIB_MPI_Isend:
  case HD_LIB_MPI_Issend:
  case HD_LIB_MPI_Bsend:
  case HD_LIB_MPI_Ibsend:
  case HD_LIB_MPI_Irsend:
    arrive_send(c);
    return true;
  case HD_LIB_MPI_Recv:
    arrive_recv(c);
    return true;
  case HD_LIB_MPI_Irecv:
    arrive_irecv(c);
    return true;
  case HD_LIB_MPI_Sendrecv:
  case HD_LIB_MPI_Sendrecv_replace:
    arrive_sendrecv(c);
    return true;
  case HD_LIB_MPI_Probe:
  case HD_LIB_MPI_Iprobe:
  case HD_LIB_MPI_Mprobe:
  case HD_LIB_MPI_Improbe:
    arrive_probe(c);
    return true;
  case HD_LIB_MPI_Mrecv:
  case HD_LIB_MPI_Imrecv:
  case HD_LIB_MPI_Start:
  case HD_LIB_MPI_Startall:
    c->process->at_call = true;
    return true;
  case HD_LIB_MPI_Cancel:
    arrive_cancel(c);
    return true;
  case HD_LIB_MPI_Buffer_attach:
    attach(c);
    return true;
  case HD_LIB_MPI_Buffer_detach:
    if (c->process->attached)
      c->process->at_call = true;
    else
      hd_mpi_misuse(c, "there is no buffer");
    return true;
  default:
    if (!is_init(c->call->fn))
      return false;
    make_persistent(c);
    return true;
  }
}

/* --- moves --- */

static void add(hd_mpi_enabled *out, uint64_t choice, bool free) {
  hd_vec_push(&out->choices, choice);
  out->free = out->free || free;
}

/* Waiting for the own message to be taken; `buffers`: it need not be. */
static void enabled_sent(const hd_mpi *mpi, uint32_t p, bool buffers,
                         hd_mpi_enabled *out) {
  const hd_mpi_message *own = own_message(mpi, p);
  if (!own)
    add(out, 0, true);
  else if (buffers)
    add(out, 0, hd_mpi_expected(mpi, own));
}

static void enabled_send(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  if (mpi->processes[p].sent) {
    enabled_sent(mpi, p, true, out);
  } else if (mpi->probes) {
    add(out, 0, true);
  } else {
    hd_mpi_message message = envelope(mpi, p);
    add(out, 0, hd_mpi_expected(mpi, &message));
  }
}

static void enabled_probe(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  hd_mpi_post post = probe_post(&c);
  size_t message;
  for (uint32_t s = 0; s < mpi->n; s++)
    if (hd_mpi_unclaimed(mpi, p, s, &post, &message))
      add(out, (uint64_t)s + 1, true);
}

void hd_mpi_point_enabled(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  const hd_mpi_process *process = &mpi->processes[p];
  switch (process->call.fn) {
  case HD_LIB_MPI_Send:
    enabled_send(mpi, p, out);
    break;
  case HD_LIB_MPI_Rsend:
  case HD_LIB_MPI_Isend:
  case HD_LIB_MPI_Issend:
  case HD_LIB_MPI_Bsend:
  case HD_LIB_MPI_Ibsend:
  case HD_LIB_MPI_Irsend:
  case HD_LIB_MPI_Mrecv:
  case HD_LIB_MPI_Imrecv:
  case HD_LIB_MPI_Start:
  case HD_LIB_MPI_Startall:
    add(out, 0, true);
    break;
  case HD_LIB_MPI_Cancel:
    add(out, 0, true);
    hd_mpi_sources(mpi, p, &out->choices);
    break;
  case HD_LIB_MPI_Buffer_detach:
    if (buffer_empty(mpi, p))
      add(out, 0, true);
    break;
  case HD_LIB_MPI_Ssend:
    if (!process->sent)
      add(out, 0, true);
    else
      enabled_sent(mpi, p, false, out);
    break;
  case HD_LIB_MPI_Sendrecv:
  case HD_LIB_MPI_Sendrecv_replace:
    if (!process->sent)
      add(out, 0, true);
    else if (process->received)
      enabled_sent(mpi, p, true, out);
    else
      hd_mpi_sources(mpi, p, &out->choices);
    break;
  case HD_LIB_MPI_Iprobe:
  case HD_LIB_MPI_Improbe:
    add(out, 0, true);
    enabled_probe(mpi, p, out);
    break;
  case HD_LIB_MPI_Probe:
  case HD_LIB_MPI_Mprobe:
    enabled_probe(mpi, p, out);
    break;
  default:
    assert(process->call.fn == HD_LIB_MPI_Recv);
    hd_mpi_sources(mpi, p, &out->choices);
  }
  if (process->posted && out->choices.size)
    out->free = true;
}

/* The next message of the source arrives; true when the receive of the call has
 * got its message. */
static bool take(const hd_mpi_call *c, uint64_t choice) {
  size_t message;
  uint32_t request;
  bool found = hd_mpi_next_match(c->mpi, c->p, (uint32_t)(choice - 1), &message,
                                 &request);
  assert(found);
  (void)found;
  hd_mpi_deliver(c->mpi, c->p, message, request);
  return hd_mpi_runs(c->mpi) &&
         hd_machine_status_of(c->m) == HD_MACHINE_RUNNING &&
         c->process->received;
}

static void move_sendrecv(const hd_mpi_call *c, uint64_t choice) {
  if (!c->process->sent) {
    put_message(c, HD_NO_ID);
    return;
  }
  if (!c->process->received && !take(c, choice))
    return;
  /* The message that was sent may still wait in the queue. */
  if (choice && own_message(c->mpi, c->p))
    return;
  end_receive(c);
}

static void move_probe(const hd_mpi_call *c, uint64_t choice) {
  bool holds =
      c->call->fn == HD_LIB_MPI_Mprobe || c->call->fn == HD_LIB_MPI_Improbe;
  if (!choice && !hd_mpi_put(c, c->call->args[3], 0))
    return;
  if (choice) {
    hd_mpi_post post = probe_post(c);
    size_t at;
    bool found =
        hd_mpi_unclaimed(c->mpi, c->p, (uint32_t)(choice - 1), &post, &at);
    assert(found);
    (void)found;
    hd_mpi_message *m = &c->mpi->queue.data[at];
    if (holds) {
      uint32_t handle = NO_MESSAGE + 1;
      for (size_t i = 0; i < c->mpi->queue.size; i++)
        if (c->mpi->queue.data[i].to == c->p &&
            c->mpi->queue.data[i].held >= handle)
          handle = c->mpi->queue.data[i].held + 1;
      m->held = handle;
    }
    hd_mpi_tell(c->mpi, HD_MPI_CALLS, c->p, m->from,
                "sees a message from %u, tag %d", m->from, m->tag);
    if (!end_probe(c, m->held,
                   (int32_t)hd_mpi_comm_rank(c->mpi, m->comm, m->from), m->tag,
                   m->data->bytes.size))
      return;
  }
  hd_mpi_return(c);
}

void hd_mpi_point_move(const hd_mpi_call *c, uint64_t choice) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Send:
    if (c->process->sent || (put_message(c, HD_NO_ID) && !c->mpi->probes))
      hd_mpi_return(c);
    break;
  case HD_LIB_MPI_Rsend:
  case HD_LIB_MPI_Bsend:
    if (put_message(c, HD_NO_ID))
      hd_mpi_return(c);
    break;
  case HD_LIB_MPI_Isend:
  case HD_LIB_MPI_Issend:
  case HD_LIB_MPI_Ibsend:
  case HD_LIB_MPI_Irsend:
    start_request(c);
    break;
  case HD_LIB_MPI_Start:
  case HD_LIB_MPI_Startall:
    hd_mpi_start(c);
    break;
  case HD_LIB_MPI_Mrecv:
  case HD_LIB_MPI_Imrecv:
    move_mrecv(c);
    break;
  case HD_LIB_MPI_Cancel:
    move_cancel(c, choice);
    break;
  case HD_LIB_MPI_Buffer_detach:
    detach(c);
    break;
  case HD_LIB_MPI_Ssend:
    if (c->process->sent)
      hd_mpi_return(c);
    else
      put_message(c, HD_NO_ID);
    break;
  case HD_LIB_MPI_Sendrecv:
  case HD_LIB_MPI_Sendrecv_replace:
    move_sendrecv(c, choice);
    break;
  case HD_LIB_MPI_Probe:
  case HD_LIB_MPI_Iprobe:
  case HD_LIB_MPI_Mprobe:
  case HD_LIB_MPI_Improbe:
    move_probe(c, choice);
    break;
  default:
    if (take(c, choice))
      end_receive(c);
  }
}

/* --- text --- */

static void print_post(hd_str *out, const hd_mpi_post *post) {
  hd_str_puts(out, "a message from ");
  if (post->source == HD_MPI_ANY)
    hd_str_puts(out, "anybody");
  else
    hd_str_printf(out, "%d", post->source);
  if (post->tag != HD_MPI_ANY)
    hd_str_printf(out, ", tag %d", post->tag);
}

void hd_mpi_point_wait(hd_str *out, const hd_mpi *mpi, uint32_t p) {
  const hd_mpi_process *process = &mpi->processes[p];
  if (process->posted) {
    print_post(out, &process->receive.post);
  } else if (process->call.fn == HD_LIB_MPI_Buffer_detach) {
    hd_str_puts(out, "its buffered messages to be received");
  } else if (process->call.fn == HD_LIB_MPI_Probe ||
             process->call.fn == HD_LIB_MPI_Mprobe) {
    hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
    hd_mpi_post post = probe_post(&c);
    print_post(out, &post);
  } else {
    hd_mpi_message message = envelope(mpi, p);
    hd_str_printf(out, "%u to receive its message, tag %d", message.to,
                  message.tag);
  }
}

/* --- status --- */

bool hd_mpi_put_status(const hd_mpi_call *c, uint64_t address, int32_t source,
                       int32_t tag, uint64_t received) {
  if (!address)
    return true;
  int32_t ints[2] = {source, tag};
  int32_t cancelled = 0;
  int64_t bytes = (int64_t)received;
  return hd_host_write(c->m, address, 8, (const uint8_t *)ints, NULL) &&
         hd_host_write(c->m, address + 12, 4, (const uint8_t *)&cancelled,
                       NULL) &&
         hd_host_write(c->m, address + 16, 8, (const uint8_t *)&bytes, NULL);
}

/* (status, type, &count) */
void hd_mpi_get_count(const hd_mpi_call *c) {
  uint8_t bytes[8], unset[8];
  hd_mpi_signature one = {0};
  if (!hd_host_read(c->m, c->call->args[0] + 16, 8, bytes, unset) ||
      !hd_mpi_signature_of(c, 1, c->call->args[1], &one))
    return;
  int64_t received = 0;
  bool set = true;
  for (int i = 0; i < 8; i++) {
    received |= (int64_t)((uint64_t)bytes[i] << 8 * i);
    set = set && !unset[i];
  }
  uint64_t size = hd_mpi_signature_size(c->mpi, &one);
  hd_vec_free(&one);
  if (!set) {
    hd_mpi_misuse(c, "the status was never set");
    return;
  }
  int64_t count = !size                       ? 0
                  : (uint64_t)received % size ? HD_MPI_UNDEFINED
                                              : received / (int64_t)size;
  if (hd_mpi_put(c, c->call->args[2], count))
    hd_mpi_return(c);
}

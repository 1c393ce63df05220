/* SPDX-License-Identifier: MIT */
/* Messages between two processes.
 *
 * MPI_Send puts its message into the queue and returns: one move; in a program
 * that calls MPI_Probe, which sees messages whose sender still waits, it is two.
 * MPI_Ssend and MPI_Sendrecv take several: the message is put into the queue
 * (`sent`); the call ends when the message has been taken (a receive that is
 * posted takes it then), or, for MPI_Sendrecv, may end before if it is buffered. A receive is posted when the process comes to it, and
 * the move takes a message. Whoever is called MPI_PROC_NULL gets and sends
 * nothing at once. */
#include "check/mpi/point.h"

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
  if (!hd_mpi_read_envelope(c, 5, &message))
    return;
  bool request = c->call->n == 7; /* MPI_Isend … */
  if (!hd_mpi_goes_nowhere(&message) && !can_read(c))
    return;
  if (!hd_mpi_goes_nowhere(&message))
    c->process->at_call = true;
  else if (request)
    hd_mpi_send_request(c);
  else
    hd_mpi_return(c);
}

static void arrive_recv(const hd_mpi_call *c) {
  hd_mpi_request *receive = &c->process->receive;
  *receive = (hd_mpi_request){.kind = HD_REQUEST_RECV, .edge = c->call->edge};
  if (!hd_mpi_read_post(c, 0, 5, &receive->post))
    return;
  if (receive->post.source == HD_MPI_PROC_NULL) {
    if (hd_mpi_put_status(c, c->call->args[6], HD_MPI_PROC_NULL, HD_MPI_ANY_TAG,
                          0))
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
                            .begun = *c->call,
                            .order = c->process->posts++};
  if (!hd_mpi_read_post(c, 0, 5, &request.post))
    return;
  if (request.post.source == HD_MPI_PROC_NULL)
    hd_mpi_receive_nothing(&request);
  uint32_t at = hd_mpi_request_new(c->process);
  c->process->requests.data[at] = request;
  if (!request.done &&
      !hd_mpi_claim(c, request.post.address, request.post.count,
                    request.post.type, true, at))
    return;
  if (hd_mpi_put(c, c->call->args[6], hd_mpi_request_handle(c->process, at)))
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

/* The two buffers of MPI_Sendrecv. */
static bool apart(const hd_mpi_call *c) {
  const uint64_t *args = c->call->args;
  bool ok = hd_mpi_claim(c, args[0], args[1] & UINT32_MAX, args[2], false,
                         HD_MPI_OWNER_CALL) &&
            hd_mpi_claim(c, args[5], args[6] & UINT32_MAX, args[7], true,
                         HD_MPI_OWNER_CALL);
  hd_host_release(c->m, HD_MPI_OWNER_CALL);
  return ok;
}

static void arrive_sendrecv(const hd_mpi_call *c) {
  hd_mpi_request *receive = &c->process->receive;
  *receive = (hd_mpi_request){.kind = HD_REQUEST_RECV, .edge = c->call->edge};
  hd_mpi_message message;
  bool replace = c->call->fn == HD_LIB_MPI_Sendrecv_replace;
  if (!hd_mpi_read_envelope(c, hd_mpi_comm_argument(c->call->fn), &message) ||
      !(replace ? read_replace(c, &receive->post)
                : hd_mpi_read_post(c, 5, 10, &receive->post)) ||
      (!hd_mpi_goes_nowhere(&message) && !can_read(c)))
    return;
  c->process->number = 0;
  c->process->sent = hd_mpi_goes_nowhere(&message);
  c->process->received = receive->post.source == HD_MPI_PROC_NULL;
  if (c->process->received)
    hd_mpi_receive_nothing(receive);
  if (c->process->sent && c->process->received) {
    end_receive(c);
    return;
  }
  if (!c->process->received &&
      !hd_mpi_claim(c, receive->post.address, receive->post.count,
                    receive->post.type, true, HD_NO_ID))
    return;
  if (!replace && !c->process->sent && !c->process->received && !apart(c))
    return;
  c->process->posted = !c->process->received;
  c->process->at_call = true;
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
    hd_mpi_arrive_probe(c);
    return true;
  case HD_LIB_MPI_Mrecv:
  case HD_LIB_MPI_Imrecv:
    c->process->at_call = true;
    return true;
  case HD_LIB_MPI_Start:
  case HD_LIB_MPI_Startall:
    hd_mpi_arrive_start(c);
    return true;
  case HD_LIB_MPI_Cancel:
    hd_mpi_arrive_cancel(c);
    return true;
  case HD_LIB_MPI_Buffer_attach:
    hd_mpi_attach_buffer(c);
    return true;
  case HD_LIB_MPI_Buffer_detach:
    if (c->process->attached)
      c->process->at_call = true;
    else
      hd_mpi_misuse(c, "there is no buffer");
    return true;
  default:
    if (!hd_mpi_is_persistent(c->call->fn))
      return false;
    hd_mpi_make_persistent(c);
    return true;
  }
}

/* --- moves --- */

/* Waiting for the own message to be taken; `buffers`: it need not be. */
static void enabled_sent(const hd_mpi *mpi, uint32_t p, bool buffers,
                         hd_mpi_enabled *out) {
  const hd_mpi_message *own = hd_mpi_own_message(mpi, p);
  bool taken = !own || hd_mpi_expected(mpi, own);
  if (taken || buffers)
    hd_mpi_allow(out, 0, taken);
}

static void enabled_send(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  if (mpi->processes[p].sent) {
    enabled_sent(mpi, p, true, out);
  } else if (mpi->probes) {
    hd_mpi_allow(out, 0, true);
  } else {
    hd_mpi_message message = hd_mpi_envelope(mpi, p);
    hd_mpi_allow(out, 0, hd_mpi_expected(mpi, &message));
  }
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
    hd_mpi_allow(out, 0, true);
    break;
  case HD_LIB_MPI_Start:
  case HD_LIB_MPI_Startall:
    hd_mpi_enabled_start(mpi, p, out);
    break;
  case HD_LIB_MPI_Cancel:
    hd_mpi_allow(out, 0, true);
    hd_mpi_sources(mpi, p, &out->choices);
    break;
  case HD_LIB_MPI_Buffer_detach:
    hd_mpi_allow(out, 0, hd_mpi_buffer_empty(mpi, p));
    break;
  case HD_LIB_MPI_Ssend:
    if (!process->sent)
      hd_mpi_allow(out, 0, true);
    else
      enabled_sent(mpi, p, false, out);
    break;
  case HD_LIB_MPI_Sendrecv:
  case HD_LIB_MPI_Sendrecv_replace:
    if (!process->sent)
      hd_mpi_allow(out, 0, true);
    else if (process->received)
      enabled_sent(mpi, p, true, out);
    else
      hd_mpi_sources(mpi, p, &out->choices);
    break;
  case HD_LIB_MPI_Iprobe:
  case HD_LIB_MPI_Improbe:
    hd_mpi_allow(out, 0, true);
    hd_mpi_enabled_probe(mpi, p, out);
    break;
  case HD_LIB_MPI_Probe:
  case HD_LIB_MPI_Mprobe:
    hd_mpi_enabled_probe(mpi, p, out);
    break;
  default:
    assert(process->call.fn == HD_LIB_MPI_Recv);
    if (process->received)
      hd_mpi_allow(out, 0, true);
    else
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
  bool found = hd_mpi_next_match(c->mpi, c->p, choice, &message, &request);
  assert(found);
  (void)found;
  hd_mpi_deliver(c->mpi, c->p, message, request);
  return hd_mpi_runs(c->mpi) &&
         hd_machine_status_of(c->m) == HD_MACHINE_RUNNING &&
         c->process->received;
}

static void move_sendrecv(const hd_mpi_call *c, uint64_t choice) {
  if (!c->process->sent) {
    hd_mpi_put_message(c, HD_NO_ID);
    return;
  }
  if (!c->process->received && !take(c, choice))
    return;
  /* The message that was sent may still wait in the queue. */
  if (choice && hd_mpi_own_message(c->mpi, c->p))
    return;
  end_receive(c);
}

void hd_mpi_point_move(const hd_mpi_call *c, uint64_t choice) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Send:
    if (c->process->sent ||
        (hd_mpi_put_message(c, HD_NO_ID) && !c->mpi->probes))
      hd_mpi_return(c);
    break;
  case HD_LIB_MPI_Rsend:
  case HD_LIB_MPI_Bsend:
    if (hd_mpi_put_message(c, HD_NO_ID))
      hd_mpi_return(c);
    break;
  case HD_LIB_MPI_Isend:
  case HD_LIB_MPI_Issend:
  case HD_LIB_MPI_Ibsend:
  case HD_LIB_MPI_Irsend:
    hd_mpi_send_request(c);
    break;
  case HD_LIB_MPI_Start:
  case HD_LIB_MPI_Startall:
    hd_mpi_start(c, choice);
    break;
  case HD_LIB_MPI_Mrecv:
  case HD_LIB_MPI_Imrecv:
    hd_mpi_move_mrecv(c);
    break;
  case HD_LIB_MPI_Cancel:
    hd_mpi_move_cancel(c, choice);
    break;
  case HD_LIB_MPI_Buffer_detach:
    hd_mpi_detach_buffer(c);
    break;
  case HD_LIB_MPI_Ssend:
    if (!c->process->sent)
      hd_mpi_put_message(c, HD_NO_ID);
    else if (hd_mpi_match(c->mpi, c->process->number))
      hd_mpi_return(c);
    break;
  case HD_LIB_MPI_Sendrecv:
  case HD_LIB_MPI_Sendrecv_replace:
    move_sendrecv(c, choice);
    break;
  case HD_LIB_MPI_Probe:
  case HD_LIB_MPI_Iprobe:
  case HD_LIB_MPI_Mprobe:
  case HD_LIB_MPI_Improbe:
    hd_mpi_move_probe(c, choice);
    break;
  default:
    if (c->process->received || take(c, choice))
      end_receive(c);
  }
}

/* --- text --- */

static void print_post(hd_str *out, const hd_mpi_post *post) {
  hd_str_puts(out, "a message from ");
  if (post->source == HD_MPI_ANY_SOURCE)
    hd_str_puts(out, "anybody");
  else
    hd_str_printf(out, "%d", post->source);
  if (post->tag != HD_MPI_ANY_TAG)
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
    hd_mpi_post post = hd_mpi_probe_post(&c);
    print_post(out, &post);
  } else {
    hd_mpi_message message = hd_mpi_envelope(mpi, p);
    hd_str_printf(out, "%u to receive its message, tag %d", message.to,
                  message.tag);
  }
}

/* SPDX-License-Identifier: MIT */
/* Persistent requests, and requests that are cancelled. */
#include "check/mpi/point.h"

/* --- persistent requests --- */

bool hd_mpi_is_persistent(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Send_init || fn == HD_LIB_MPI_Bsend_init ||
         fn == HD_LIB_MPI_Ssend_init || fn == HD_LIB_MPI_Rsend_init ||
         fn == HD_LIB_MPI_Recv_init;
}

void hd_mpi_make_persistent(const hd_mpi_call *c) {
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
    request.kind =
        hd_mpi_is_sync(c->call->fn) ? HD_REQUEST_SYNC : HD_REQUEST_SEND;
    if (!hd_mpi_read_envelope(c, 5, &message))
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
    return hd_mpi_begin_send(&as_made, request);
  if (!hd_mpi_read_post(&as_made, 0, 5, &r->post))
    return false;
  if (r->post.source == HD_MPI_PROC_NULL) {
    hd_mpi_receive_nothing(r);
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

/* --- cancelling --- */

void hd_mpi_arrive_cancel(const hd_mpi_call *c) {
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
void hd_mpi_move_cancel(const hd_mpi_call *c, uint64_t choice) {
  hd_mpi_request *r =
      &c->process->requests.data[hd_mpi_request_at(c, c->call->args[0])];
  size_t message;
  uint32_t request;
  if (choice) {
    if (hd_mpi_next_match(c->mpi, c->p, choice, &message, &request))
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

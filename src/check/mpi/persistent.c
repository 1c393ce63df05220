/* SPDX-License-Identifier: MIT */
/* Persistent requests, and requests that are cancelled. */
#include "check/mpi/point.h"

#include "base/order.h"

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
                            .source = HD_MPI_ANY_SOURCE,
                            .tag = HD_MPI_ANY_TAG};
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
  if (hd_mpi_put(c, c->call->args[6], hd_mpi_request_handle(c->process, at)))
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

/* --- starting several: in some arbitrary order --- */

enum { MOST = 5 }; /* whose orders are all tried */

/* The requests of MPI_Start, _Startall; false after a violation. */
static bool read_started(const hd_mpi_call *c, hd_u32s *out) {
  bool all = c->call->fn == HD_LIB_MPI_Startall;
  int32_t n = all ? hd_mpi_int(c, 0) : 1;
  if (n < 0) {
    hd_mpi_misuse(c, "the count is %d", n);
    return false;
  }
  for (int32_t i = 0; i < n; i++) {
    uint32_t at = hd_mpi_request_at(c, c->call->args[all] + 4 * (uint64_t)i);
    if (at == HD_NO_ID && hd_mpi_runs(c->mpi))
      hd_mpi_misuse(c, "there is no request to start");
    if (at == HD_NO_ID || !hd_mpi_runs(c->mpi))
      return false;
    hd_vec_push(out, at);
  }
  return true;
}

void hd_mpi_arrive_start(const hd_mpi_call *c) {
  hd_u32s requests = {0};
  c->process->at_call = read_started(c, &requests);
  hd_vec_free(&requests);
}

static bool meet(int32_t a, int32_t b, int32_t any) {
  return a == b || a == any || b == any;
}

/* Can somebody see which of the two was started first? */
static bool order_shows(const hd_mpi_request *a, const hd_mpi_request *b) {
  bool receives = a->kind == HD_REQUEST_RECV;
  if (receives != (b->kind == HD_REQUEST_RECV))
    return (receives ? b : a)->begun.fn == HD_LIB_MPI_Rsend_init;
  if (receives)
    return a->post.comm == b->post.comm && a->post.source != HD_MPI_PROC_NULL &&
           meet(a->post.source, b->post.source, HD_MPI_ANY_SOURCE) &&
           meet(a->post.tag, b->post.tag, HD_MPI_ANY_TAG);
  int32_t to = (int32_t)(uint32_t)a->begun.args[3];
  return to != HD_MPI_PROC_NULL && to == (int32_t)(uint32_t)b->begun.args[3] &&
         a->begun.args[5] == b->begun.args[5];
}

/* Places in the list whose order shows. */
static void shown_places(const hd_mpi_process *process, const hd_u32s *requests,
                         hd_u32s *out) {
  for (uint32_t i = 0; i < requests->size; i++) {
    bool shows = false;
    for (uint32_t k = 0; k < requests->size; k++)
      shows =
          shows ||
          (k != i && order_shows(&process->requests.data[requests->data[i]],
                                 &process->requests.data[requests->data[k]]));
    if (shows)
      hd_vec_push(out, i);
  }
}

/* Puts the requests into order number `which`; false: there are no more. */
static bool arrange(const hd_mpi_process *process, uint64_t which,
                    hd_u32s *requests) {
  hd_u32s places = {0}, as_given = {0};
  shown_places(process, requests, &places);
  for (hd_vec_each(uint32_t, r, requests))
    hd_vec_push(&as_given, *r);
  uint32_t *order = hd_calloc(places.size + 1, sizeof *order);
  bool there = true;
  if (places.size > MOST && which)
    there = hd_order_some(order, places.size, which - 1);
  for (uint64_t k = 0; places.size <= MOST && there && k <= which; k++)
    there = hd_order_step(order, places.size, k);
  for (size_t i = 0; there && which && i < places.size; i++)
    requests->data[places.data[i]] = as_given.data[places.data[order[i]]];
  hd_free(order);
  hd_vec_free(&places);
  hd_vec_free(&as_given);
  return there;
}

void hd_mpi_enabled_start(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  hd_mpi_allow(out, 0, true);
  for (uint64_t which = 1; c.call->fn == HD_LIB_MPI_Startall; which++) {
    hd_u32s requests = {0};
    bool there =
        read_started(&c, &requests) && arrange(c.process, which, &requests);
    hd_vec_free(&requests);
    if (!there)
      break;
    hd_mpi_allow(out, mpi->n + which, true);
  }
}

void hd_mpi_start(const hd_mpi_call *c, uint64_t choice) {
  hd_u32s requests = {0}, places = {0};
  bool ok = read_started(c, &requests);
  if (ok)
    shown_places(c->process, &requests, &places);
  if (places.size > MOST && c->mpi->options->exact) {
    hd_mpi_refuse(c, "more than %d requests whose order shows", MOST);
    ok = false;
  }
  ok = ok && arrange(c->process, choice ? choice - c->mpi->n : 0, &requests);
  for (size_t i = 0; ok && i < requests.size; i++)
    ok = start_one(c, requests.data[i]);
  hd_vec_free(&requests);
  hd_vec_free(&places);
  if (ok)
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
    r->source = HD_MPI_ANY_SOURCE;
    r->tag = HD_MPI_ANY_TAG;
    r->received = 0;
  }
  hd_mpi_return(c);
}

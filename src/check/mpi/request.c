/* SPDX-License-Identifier: MIT */
/* Requests: waiting for them and asking about them.
 *
 * A receive is complete when a message was delivered to it; that happens when
 * the process waits for any request (queue.c). A send is complete when its
 * message was taken, or before, if the message is buffered; a synchronous one
 * only then. */
#include "check/mpi/state.h"

bool hd_mpi_is_completion(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Wait:
  case HD_LIB_MPI_Waitall:
  case HD_LIB_MPI_Waitany:
  case HD_LIB_MPI_Test:
  case HD_LIB_MPI_Testall:
  case HD_LIB_MPI_Request_free:
    return true;
  default:
    return false;
  }
}

uint32_t hd_mpi_request_new(hd_mpi_process *process) {
  for (uint32_t i = 0; i < process->requests.size; i++)
    if (process->requests.data[i].kind == HD_REQUEST_FREE)
      return i;
  hd_mpi_request none = {.kind = HD_REQUEST_FREE};
  hd_vec_push(&process->requests, none);
  return (uint32_t)process->requests.size - 1;
}

/* --- the requests of a call --- */

static bool is_list(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Waitall || fn == HD_LIB_MPI_Waitany ||
         fn == HD_LIB_MPI_Testall;
}

static uint64_t list_of(const hd_mpi_call *c) {
  return c->call->args[is_list(c->call->fn) ? 1 : 0];
}

/* Their numbers, HD_NO_ID for MPI_REQUEST_NULL. False after a violation. */
static bool read_requests(const hd_mpi_call *c, hd_u32s *out) {
  int32_t n = is_list(c->call->fn) ? hd_mpi_int(c, 0) : 1;
  if (n < 0) {
    hd_mpi_misuse(c, "the count is %d", n);
    return false;
  }
  for (int32_t i = 0; i < n; i++) {
    uint32_t handle = 0;
    uint8_t unset[4];
    if (!hd_host_read(c->m, list_of(c) + 4 * (uint64_t)i, 4, (uint8_t *)&handle,
                      unset))
      return false;
    if (unset[0] | unset[1] | unset[2] | unset[3]) {
      hd_mpi_violate(c->mpi, c->p, HD_PROPERTY_UNINIT, c->call->edge,
                     "the request was never set");
      return false;
    }
    if (handle &&
        (handle > c->process->requests.size ||
         c->process->requests.data[handle - 1].kind == HD_REQUEST_FREE)) {
      hd_mpi_misuse(c, "%d is no request (any more)", (int32_t)handle);
      return false;
    }
    hd_vec_push(out, handle ? handle - 1 : HD_NO_ID);
  }
  return true;
}

/* The requests of a call that a process stands in: they were fine when it came,
 * and the memory is its own. */
static void requests_of(const hd_mpi *mpi, uint32_t p, hd_u32s *out) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  bool ok = read_requests(&c, out);
  assert(ok);
  (void)ok;
}

static const hd_mpi_message *message_of(const hd_mpi *mpi, uint32_t p,
                                        uint32_t request) {
  for (hd_vec_each(hd_mpi_message, m, &mpi->queue))
    if (m->from == p && m->request == request)
      return m;
  return NULL;
}

static bool is_done(const hd_mpi_process *process, uint32_t request) {
  return request == HD_NO_ID || process->requests.data[request].done;
}

/* What is missing. */
typedef struct {
  bool receives, syncs, sends;
  bool expected; /* the messages of all sends that are missing */
} missing;

static missing look(const hd_mpi *mpi, uint32_t p, const hd_u32s *requests) {
  missing m = {.expected = true};
  const hd_mpi_process *process = &mpi->processes[p];
  for (hd_vec_each(uint32_t, r, requests)) {
    if (is_done(process, *r))
      continue;
    switch (process->requests.data[*r].kind) {
    case HD_REQUEST_RECV:
      m.receives = true;
      break;
    case HD_REQUEST_SYNC:
      m.syncs = true;
      break;
    default:
      m.sends = true;
      m.expected = m.expected && hd_mpi_expected(mpi, message_of(mpi, p, *r));
    }
  }
  return m;
}

/* --- ends --- */

/* The request is over: status, null handle. */
static bool retire(const hd_mpi_call *c, uint32_t i, uint32_t request,
                   uint64_t status) {
  if (request == HD_NO_ID)
    return hd_mpi_put_status(c, status, HD_MPI_ANY, HD_MPI_ANY, 0);
  hd_mpi_request *r = &c->process->requests.data[request];
  bool receive = r->kind == HD_REQUEST_RECV;
  if (!hd_mpi_put_status(c, status, receive ? r->source : HD_MPI_ANY,
                         receive ? r->tag : HD_MPI_ANY,
                         receive ? r->received : 0) ||
      !hd_mpi_put(c, list_of(c) + 4 * (uint64_t)i, 0))
    return false;
  for (hd_vec_each(hd_mpi_message, m, &c->mpi->queue))
    if (m->from == c->p && m->request == request)
      m->request = HD_NO_ID; /* buffered */
  r->kind = HD_REQUEST_FREE;
  return true;
}

static bool retire_all(const hd_mpi_call *c, const hd_u32s *requests,
                       uint64_t statuses) {
  for (uint32_t i = 0; i < requests->size; i++)
    if (!retire(c, i, requests->data[i],
                statuses ? statuses + (uint64_t)HD_MPI_STATUS_SIZE * i : 0))
      return false;
  return true;
}

/* All are complete, or given up as buffered. */
static void end_all(const hd_mpi_call *c, const hd_u32s *requests) {
  const uint64_t *args = c->call->args;
  bool ok;
  switch (c->call->fn) {
  case HD_LIB_MPI_Wait:
    ok = retire(c, 0, requests->data[0], args[1]);
    break;
  case HD_LIB_MPI_Test:
    ok = hd_mpi_put(c, args[1], 1) && retire(c, 0, requests->data[0], args[2]);
    break;
  case HD_LIB_MPI_Testall:
    ok = hd_mpi_put(c, args[2], 1) && retire_all(c, requests, args[3]);
    break;
  default:
    assert(c->call->fn == HD_LIB_MPI_Waitall);
    ok = retire_all(c, requests, args[2]);
  }
  if (ok)
    hd_mpi_return(c);
}

static bool none_left(const hd_mpi_process *process, const hd_u32s *requests) {
  for (hd_vec_each(uint32_t, r, requests))
    if (!is_done(process, *r))
      return false;
  return true;
}

static bool all_null(const hd_u32s *requests) {
  for (hd_vec_each(uint32_t, r, requests))
    if (*r != HD_NO_ID)
      return false;
  return true;
}

/* MPI_Request_free: a send goes on by itself. */
static void free_request(const hd_mpi_call *c, uint32_t request) {
  if (request == HD_NO_ID) {
    hd_mpi_misuse(c, "the request is MPI_REQUEST_NULL");
    return;
  }
  if (c->process->requests.data[request].kind == HD_REQUEST_RECV) {
    hd_mpi_refuse(c, "freeing the request of a receive is not supported");
    return;
  }
  if (retire(c, 0, request, 0))
    hd_mpi_return(c);
}

void hd_mpi_completion_arrive(const hd_mpi_call *c) {
  hd_u32s requests = {0};
  if (!read_requests(c, &requests)) {
    hd_vec_free(&requests);
    return;
  }
  if (c->call->fn == HD_LIB_MPI_Request_free)
    free_request(c, requests.data[0]);
  else if (c->call->fn == HD_LIB_MPI_Waitany && all_null(&requests)) {
    if (hd_mpi_put(c, c->call->args[2], HD_MPI_UNDEFINED) &&
        hd_mpi_put_status(c, c->call->args[3], HD_MPI_ANY, HD_MPI_ANY, 0))
      hd_mpi_return(c);
  } else if (c->call->fn != HD_LIB_MPI_Waitany &&
             none_left(c->process, &requests))
    end_all(c, &requests);
  else
    c->process->at_call = true;
  hd_vec_free(&requests);
}

/* --- moves --- */

static void add(hd_mpi_enabled *out, uint64_t choice, bool free) {
  hd_vec_push(&out->choices, choice);
  out->free = out->free || free;
}

static void enabled_any(const hd_mpi *mpi, uint32_t p, const hd_u32s *requests,
                        hd_mpi_enabled *out) {
  const hd_mpi_process *process = &mpi->processes[p];
  for (uint32_t i = 0; i < requests->size; i++) {
    uint32_t r = requests->data[i];
    if (r == HD_NO_ID)
      continue;
    if (is_done(process, r))
      add(out, (uint64_t)mpi->n + 1 + i, true);
    else if (process->requests.data[r].kind == HD_REQUEST_SEND)
      add(out, (uint64_t)mpi->n + 1 + i,
          hd_mpi_expected(mpi, message_of(mpi, p, r)));
  }
}

void hd_mpi_completion_enabled(const hd_mpi *mpi, uint32_t p,
                               hd_mpi_enabled *out) {
  hd_u32s requests = {0};
  requests_of(mpi, p, &requests);
  missing m = look(mpi, p, &requests);
  hd_library_fn fn = mpi->processes[p].call.fn;
  bool tests = fn == HD_LIB_MPI_Test || fn == HD_LIB_MPI_Testall;
  if (tests)
    add(out, 0, true);
  if (m.receives) {
    size_t before = out->choices.size;
    hd_mpi_sources(mpi, p, &out->choices);
    out->free = out->free || out->choices.size > before;
  }
  if (fn == HD_LIB_MPI_Waitany)
    enabled_any(mpi, p, &requests, out);
  else if (!m.receives && !m.syncs)
    add(out, tests ? (uint64_t)mpi->n + 1 : 0, m.expected);
  hd_vec_free(&requests);
}

/* One of several is complete. */
static void end_any(const hd_mpi_call *c, const hd_u32s *requests,
                    uint64_t choice) {
  uint32_t i = (uint32_t)(choice - c->mpi->n - 1);
  if (hd_mpi_put(c, c->call->args[2], i) &&
      retire(c, i, requests->data[i], c->call->args[3]))
    hd_mpi_return(c);
}

void hd_mpi_completion_move(const hd_mpi_call *c, uint64_t choice) {
  hd_u32s requests = {0};
  requests_of(c->mpi, c->p, &requests);
  hd_library_fn fn = c->call->fn;
  if (choice && choice <= c->mpi->n) { /* a message arrives */
    size_t message;
    uint32_t request;
    bool found = hd_mpi_next_match(c->mpi, c->p, (uint32_t)(choice - 1),
                                   &message, &request);
    assert(found && request != HD_NO_ID);
    (void)found;
    hd_mpi_deliver(c->mpi, c->p, message, request);
    if (hd_mpi_runs(c->mpi) &&
        hd_machine_status_of(c->m) == HD_MACHINE_RUNNING &&
        fn != HD_LIB_MPI_Waitany && none_left(c->process, &requests))
      end_all(c, &requests);
  } else if (fn == HD_LIB_MPI_Waitany) {
    end_any(c, &requests, choice);
  } else if (!choice && (fn == HD_LIB_MPI_Test || fn == HD_LIB_MPI_Testall)) {
    if (hd_mpi_put(c, c->call->args[fn == HD_LIB_MPI_Test ? 1 : 2], 0))
      hd_mpi_return(c);
  } else {
    end_all(c, &requests);
  }
  hd_vec_free(&requests);
}

void hd_mpi_completion_wait(hd_str *out, const hd_mpi *mpi, uint32_t p) {
  hd_u32s requests = {0};
  requests_of(mpi, p, &requests);
  const hd_mpi_process *process = &mpi->processes[p];
  const char *separator = "";
  for (hd_vec_each(uint32_t, r, &requests)) {
    if (is_done(process, *r))
      continue;
    const hd_mpi_request *request = &process->requests.data[*r];
    hd_str_puts(out, separator);
    separator = " and ";
    if (request->kind == HD_REQUEST_RECV) {
      if (request->post.source == HD_MPI_ANY)
        hd_str_puts(out, "a message from anybody");
      else
        hd_str_printf(out, "a message from %d", request->post.source);
    } else {
      const hd_mpi_message *message = message_of(mpi, p, *r);
      hd_str_printf(out, "%u to receive its message, tag %d", message->to,
                    message->tag);
    }
  }
  hd_vec_free(&requests);
}

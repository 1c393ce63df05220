/* SPDX-License-Identifier: MIT */
/* Requests: waiting for them and asking about them.
 *
 * A receive is complete when a message was delivered to it; that happens when
 * the process waits for any request (queue.c). A send is complete when its
 * message was taken, or before, if the message is buffered; a synchronous one
 * only then: a posted receive takes it at the latest when its sender asks. */
#include "check/mpi/parts.h"

bool hd_mpi_is_completion(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Wait:
  case HD_LIB_MPI_Waitall:
  case HD_LIB_MPI_Waitany:
  case HD_LIB_MPI_Waitsome:
  case HD_LIB_MPI_Test:
  case HD_LIB_MPI_Testall:
  case HD_LIB_MPI_Testany:
  case HD_LIB_MPI_Testsome:
  case HD_LIB_MPI_Request_free:
    return true;
  default:
    return false;
  }
}

enum { BITS = 64, RENEWED = 1 << 20 };

int64_t hd_mpi_request_handle(const hd_mpi_process *process, uint32_t request) {
  bool renewed = request < BITS && process->renewed >> request & 1;
  return (int64_t)request + 1 + (renewed ? RENEWED : 0);
}

uint32_t hd_mpi_request_new(hd_mpi_process *process) {
  for (uint32_t i = 0; i < process->requests.size; i++)
    if (process->requests.data[i].kind == HD_REQUEST_FREE) {
      process->renewed ^= i < BITS ? (uint64_t)1 << i : 0;
      return i;
    }
  hd_mpi_request none = {.kind = HD_REQUEST_FREE};
  hd_vec_push(&process->requests, none);
  return (uint32_t)process->requests.size - 1;
}

/* --- the requests of a call --- */

static bool is_list(hd_library_fn fn) {
  return fn != HD_LIB_MPI_Wait && fn != HD_LIB_MPI_Test &&
         fn != HD_LIB_MPI_Request_free;
}

/* One of several is enough. */
static bool is_any(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Waitany || fn == HD_LIB_MPI_Testany ||
         fn == HD_LIB_MPI_Waitsome || fn == HD_LIB_MPI_Testsome;
}

static bool is_test(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Test || fn == HD_LIB_MPI_Testall ||
         fn == HD_LIB_MPI_Testany || fn == HD_LIB_MPI_Testsome;
}

static uint64_t list_of(const hd_mpi_call *c) {
  return c->call->args[is_list(c->call->fn) ? 1 : 0];
}

uint32_t hd_mpi_request_at(const hd_mpi_call *c, uint64_t address) {
  int32_t handle;
  if (!hd_mpi_get(c, address, "the request", &handle))
    return HD_NO_ID;
  uint32_t at = handle ? (uint32_t)handle % RENEWED - 1 : HD_NO_ID;
  if (!handle || (at < c->process->requests.size &&
                  handle == hd_mpi_request_handle(c->process, at) &&
                  c->process->requests.data[at].kind != HD_REQUEST_FREE &&
                  c->process->requests.data[at].kind != HD_REQUEST_GIVEN_UP))
    return at;
  hd_mpi_misuse(c, "%d is no request (any more)", handle);
  return HD_NO_ID;
}

/* Their numbers, HD_NO_ID for MPI_REQUEST_NULL and what has not started. False after a violation. */
static bool read_requests(const hd_mpi_call *c, hd_u32s *out) {
  int32_t n = is_list(c->call->fn) ? hd_mpi_int(c, 0) : 1;
  if (n < 0) {
    hd_mpi_misuse(c, "the count is %d", n);
    return false;
  }
  bool frees = c->call->fn == HD_LIB_MPI_Request_free;
  for (int32_t i = 0; i < n; i++) {
    uint32_t at = hd_mpi_request_at(c, list_of(c) + 4 * (uint64_t)i);
    if (!hd_mpi_runs(c->mpi) ||
        hd_machine_status_of(c->m) != HD_MACHINE_RUNNING)
      return false;
    /* One that is not active counts as null. */
    if (at != HD_NO_ID && !frees && c->process->requests.data[at].persistent &&
        !c->process->requests.data[at].active)
      at = HD_NO_ID;
    hd_vec_push(out, at);
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
  bool receives, sends;
  bool syncs;    /* … that no receive waits for */
  bool meetings; /* … that others have to join first */
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
      m.syncs = m.syncs || !hd_mpi_expected(mpi, message_of(mpi, p, *r));
      break;
    case HD_REQUEST_COLLECTIVE: {
      bool all;
      if (!hd_mpi_collective_ready(mpi, p, &process->requests.data[*r], &all))
        m.meetings = true;
      m.expected = m.expected && all;
      break;
    }
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
    return hd_mpi_put_status(c, status, HD_MPI_ANY_SOURCE, HD_MPI_ANY_TAG, 0);
  hd_mpi_request *r = &c->process->requests.data[request];
  bool receive = r->kind == HD_REQUEST_RECV;
  bool frees = c->call->fn == HD_LIB_MPI_Request_free;
  if (r->kind == HD_REQUEST_COLLECTIVE && !hd_mpi_collective_end(c, request))
    return false;
  const hd_mpi_message *own = frees ? NULL : message_of(c->mpi, c->p, request);
  if (r->kind == HD_REQUEST_SYNC && own && !hd_mpi_match(c->mpi, own->number))
    return false;
  hd_host_release(c->m, request);
  for (hd_vec_each(hd_mpi_message, m, &c->mpi->queue))
    if (m->from == c->p && m->request == request)
      m->request = HD_NO_ID; /* buffered */
  bool keeps = r->persistent && !frees, cancelled = r->cancelled;
  bool got = receive && !cancelled;
  int32_t source = r->source, tag = r->tag;
  uint64_t received = r->received;
  r->active = r->done = r->cancelled = false;
  if (!keeps)
    r->kind = HD_REQUEST_FREE;
  if (!(got ? hd_mpi_put_status(c, status, source, tag, received)
            : hd_mpi_leave_status(c, status)))
    return false;
  if (cancelled && status && !hd_mpi_put(c, status + 12, 1))
    return false;
  return keeps || hd_mpi_put(c, list_of(c) + 4 * (uint64_t)i, 0);
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
  const hd_mpi_request *r = &c->process->requests.data[request];
  bool idle = r->persistent && !r->active;
  if (!idle &&
      (r->kind == HD_REQUEST_RECV || r->kind == HD_REQUEST_COLLECTIVE)) {
    hd_mpi_misuse(c, "nobody can know any more when the %s is complete",
                  r->kind == HD_REQUEST_RECV ? "receive" : "operation");
    return;
  }
  if (!idle && message_of(c->mpi, c->p, request)) {
    /* Nobody says when it is complete: until then the buffer is not ours. */
    hd_mpi_request *gone = &c->process->requests.data[request];
    gone->kind = HD_REQUEST_GIVEN_UP;
    gone->persistent = gone->active = false;
    if (hd_mpi_put(c, list_of(c), 0))
      hd_mpi_return(c);
  } else if (retire(c, 0, request, 0)) {
    hd_mpi_return(c);
  }
}

/* MPI_Waitany …: there is nothing to wait for. */
static void end_none(const hd_mpi_call *c) {
  const uint64_t *args = c->call->args;
  bool ok = hd_mpi_put(c, args[2], HD_MPI_UNDEFINED);
  if (c->call->fn == HD_LIB_MPI_Testany)
    ok = ok && hd_mpi_put(c, args[3], 1) &&
         hd_mpi_put_status(c, args[4], HD_MPI_ANY_SOURCE, HD_MPI_ANY_TAG, 0);
  else if (c->call->fn == HD_LIB_MPI_Waitany)
    ok = ok &&
         hd_mpi_put_status(c, args[3], HD_MPI_ANY_SOURCE, HD_MPI_ANY_TAG, 0);
  if (ok)
    hd_mpi_return(c);
}

/* A request that ends with its first wait is waited for again. */
static bool waits_twice(const hd_mpi_call *c, const hd_u32s *requests) {
  for (size_t i = 0; i < requests->size; i++)
    for (size_t k = 0; k < i; k++)
      if (requests->data[i] == requests->data[k] &&
          requests->data[i] != HD_NO_ID &&
          !c->process->requests.data[requests->data[i]].persistent) {
        hd_mpi_misuse(c, "requests %zu and %zu are the same", k, i);
        return true;
      }
  return false;
}

void hd_mpi_completion_arrive(const hd_mpi_call *c) {
  hd_u32s requests = {0};
  if (!read_requests(c, &requests) ||
      (!is_any(c->call->fn) && waits_twice(c, &requests))) {
    hd_vec_free(&requests);
    return;
  }
  if (c->call->fn == HD_LIB_MPI_Request_free)
    free_request(c, requests.data[0]);
  else if (is_any(c->call->fn) && all_null(&requests))
    end_none(c);
  else if (!is_any(c->call->fn) && none_left(c->process, &requests) &&
           (!is_test(c->call->fn) || all_null(&requests)))
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

/* Can the request be complete, although no message has come for it? `free`:
 * without buffers. */
static bool can_end(const hd_mpi *mpi, uint32_t p, uint32_t request,
                    bool *free) {
  const hd_mpi_request *r = &mpi->processes[p].requests.data[request];
  *free = true;
  if (r->done)
    return true;
  if (r->kind == HD_REQUEST_COLLECTIVE)
    return hd_mpi_collective_ready(mpi, p, r, free);
  if (r->kind == HD_REQUEST_RECV)
    return false;
  *free = hd_mpi_expected(mpi, message_of(mpi, p, request));
  return *free || r->kind == HD_REQUEST_SEND;
}

enum { FEW = 6 }; /* requests of which all subsets are tried */

/* The sends and collective calls of MPI_Waitsome that can be complete, as places
 * in the list; that they are need not be known yet. */
static void ready_places(const hd_mpi *mpi, uint32_t p, const hd_u32s *requests,
                         hd_u32s *out) {
  bool free;
  for (uint32_t i = 0; i < requests->size; i++)
    if (requests->data[i] != HD_NO_ID &&
        mpi->processes[p].requests.data[requests->data[i]].kind !=
            HD_REQUEST_RECV &&
        can_end(mpi, p, requests->data[i], &free))
      hd_vec_push(out, i);
}

static bool is_some(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Waitsome || fn == HD_LIB_MPI_Testsome;
}

/* n + 1 + i: request i is the one that is complete; behind these, of
 * MPI_Waitsome: a set of those that can be, as bits. */
static void enabled_any(const hd_mpi *mpi, uint32_t p, const hd_u32s *requests,
                        hd_mpi_enabled *out) {
  uint64_t first = (uint64_t)mpi->n + 1;
  bool free;
  for (uint32_t i = 0; i < requests->size; i++)
    if (requests->data[i] != HD_NO_ID &&
        can_end(mpi, p, requests->data[i], &free))
      add(out, first + i, free);
  if (!is_some(mpi->processes[p].call.fn))
    return;
  hd_u32s ready = {0};
  ready_places(mpi, p, requests, &ready);
  uint64_t all = ((uint64_t)1 << (ready.size < 31 ? ready.size : 31)) - 1;
  for (uint64_t set = ready.size <= FEW ? 3 : all; set <= all; set++)
    if (set & (set - 1)) /* two of them, or more */
      add(out, first + requests->size + set, false);
  hd_vec_free(&ready);
}

void hd_mpi_completion_enabled(const hd_mpi *mpi, uint32_t p,
                               hd_mpi_enabled *out) {
  hd_u32s requests = {0};
  requests_of(mpi, p, &requests);
  missing m = look(mpi, p, &requests);
  hd_library_fn fn = mpi->processes[p].call.fn;
  bool tests = is_test(fn);
  if (tests)
    add(out, 0, true);
  if (m.receives) {
    size_t before = out->choices.size;
    hd_mpi_sources(mpi, p, &out->choices);
    out->free = out->free || out->choices.size > before;
  }
  if (is_any(fn))
    enabled_any(mpi, p, &requests, out);
  else if (!m.receives && !m.syncs && !m.meetings)
    add(out, tests ? (uint64_t)mpi->n + 1 : 0, m.expected);
  hd_vec_free(&requests);
}

/* MPI_Waitsome, _Testsome: the one that was chosen, or the set, and those that
 * are complete without anybody's doing. */
static bool end_some(const hd_mpi_call *c, const hd_u32s *requests,
                     uint32_t chosen) {
  const uint64_t *args = c->call->args;
  uint32_t n = 0;
  hd_u32s ends = {0};
  uint64_t set = chosen > requests->size ? chosen - requests->size : 0;
  if (set) {
    hd_u32s ready = {0};
    ready_places(c->mpi, c->p, requests, &ready);
    for (uint32_t k = 0; k < ready.size; k++)
      if (set >> k & 1)
        hd_vec_push(&ends, ready.data[k]);
    hd_vec_free(&ready);
  }
  bool ok = true;
  for (uint32_t i = 0; ok && i < requests->size; i++) {
    bool over = i == chosen;
    for (hd_vec_each(uint32_t, e, &ends))
      over = over || *e == i;
    const hd_mpi_request *r =
        requests->data[i] == HD_NO_ID
            ? NULL
            : &c->process->requests.data[requests->data[i]];
    if (!r || (!over && !(r->done && r->kind == HD_REQUEST_RECV)))
      continue;
    ok = hd_mpi_put(c, args[3] + 4 * (uint64_t)n, i) &&
         retire(c, i, requests->data[i],
                args[4] ? args[4] + (uint64_t)HD_MPI_STATUS_SIZE * n : 0);
    n++;
  }
  hd_vec_free(&ends);
  return ok && hd_mpi_put(c, args[2], n);
}

/* One of several is complete. */
static void end_any(const hd_mpi_call *c, const hd_u32s *requests,
                    uint64_t choice) {
  uint32_t i = (uint32_t)(choice - c->mpi->n - 1);
  const uint64_t *args = c->call->args;
  bool ok;
  if (is_some(c->call->fn))
    ok = end_some(c, requests, i);
  else if (c->call->fn == HD_LIB_MPI_Testany)
    ok = hd_mpi_put(c, args[2], i) && hd_mpi_put(c, args[3], 1) &&
         retire(c, i, requests->data[i], args[4]);
  else
    ok = hd_mpi_put(c, args[2], i) && retire(c, i, requests->data[i], args[3]);
  if (ok)
    hd_mpi_return(c);
}

/* A test says no. */
static void end_not(const hd_mpi_call *c) {
  const uint64_t *args = c->call->args;
  bool ok = false;
  switch (c->call->fn) {
  case HD_LIB_MPI_Test:
    ok = hd_mpi_put(c, args[1], 0);
    break;
  case HD_LIB_MPI_Testall:
  case HD_LIB_MPI_Testsome: /* the number of those that are complete */
    ok = hd_mpi_put(c, args[2], 0);
    break;
  default:
    assert(c->call->fn == HD_LIB_MPI_Testany);
    ok = hd_mpi_put(c, args[2], HD_MPI_UNDEFINED) && hd_mpi_put(c, args[3], 0);
  }
  if (ok)
    hd_mpi_return(c);
}

void hd_mpi_completion_move(const hd_mpi_call *c, uint64_t choice) {
  hd_u32s requests = {0};
  requests_of(c->mpi, c->p, &requests);
  hd_library_fn fn = c->call->fn;
  if (choice && (uint32_t)choice <= c->mpi->n) { /* a message arrives */
    size_t message;
    uint32_t request;
    bool found = hd_mpi_next_match(c->mpi, c->p, choice, &message, &request);
    assert(found && request != HD_NO_ID);
    (void)found;
    hd_mpi_deliver(c->mpi, c->p, message, request);
    if (hd_mpi_runs(c->mpi) &&
        hd_machine_status_of(c->m) == HD_MACHINE_RUNNING && !is_any(fn) &&
        none_left(c->process, &requests))
      end_all(c, &requests);
  } else if (!choice && is_test(fn)) {
    end_not(c);
  } else if (is_any(fn)) {
    end_any(c, &requests, choice);
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
      if (request->post.source == HD_MPI_ANY_SOURCE)
        hd_str_puts(out, "a message from anybody");
      else
        hd_str_printf(out, "a message from %d", request->post.source);
    } else if (request->kind == HD_REQUEST_COLLECTIVE) {
      hd_str_printf(out, "others to join %s", request->begun.name);
    } else {
      const hd_mpi_message *message = message_of(mpi, p, *r);
      hd_str_printf(out, "%u to receive its message, tag %d", message->to,
                    message->tag);
    }
  }
  hd_vec_free(&requests);
}

/* SPDX-License-Identifier: MIT */
/* Sending: who, what, with which tag; the message goes into the queue. */
#include "check/mpi/point.h"

/* --- arguments --- */

bool hd_mpi_read_rank(const hd_mpi_call *c, uint32_t comm, int32_t rank,
                      bool any, int32_t *out) {
  *out = rank;
  if (rank == HD_MPI_PROC_NULL || (any && rank == HD_MPI_ANY_SOURCE))
    return true;
  hd_u32s others = {0};
  hd_mpi_side(c->mpi, comm, c->p, true, &others);
  bool there = rank >= 0 && (size_t)rank < others.size;
  if (there)
    *out = (int32_t)others.data[rank];
  else
    hd_mpi_misuse(c, "there is no rank %d among %zu processes", rank,
                  others.size);
  hd_vec_free(&others);
  return there;
}

bool hd_mpi_check_count(const hd_mpi_call *c, int32_t count) {
  if (count >= 0)
    return true;
  hd_mpi_misuse(c, "the count is %d", count);
  return false;
}

bool hd_mpi_check_type(const hd_mpi_call *c, uint64_t type) {
  hd_mpi_signature signature = {0};
  bool ok = hd_mpi_signature_of(c, 1, type, &signature);
  hd_vec_free(&signature);
  return ok;
}

bool hd_mpi_check_tag(const hd_mpi_call *c, int32_t tag) {
  /* The program has asked, and this MPI allows all. */
  bool all = c->mpi->facts[HD_MPI_LARGEST_TAG] == 2;
  if (tag >= 0 && (all || tag <= HD_MPI_TAG_MAX))
    return true;
  if (tag < 0)
    hd_mpi_misuse(c, "%d is no tag%s", tag,
                  tag == HD_MPI_ANY_TAG ? " to send with" : "");
  else
    hd_mpi_misuse(c,
                  "the tag %d is greater than %d, the MPI_TAG_UB that every "
                  "MPI has at least",
                  tag, HD_MPI_TAG_MAX);
  return false;
}

bool hd_mpi_read_post(const hd_mpi_call *c, uint32_t at, uint32_t comm,
                      hd_mpi_post *out) {
  const uint64_t *args = c->call->args;
  int32_t count = hd_mpi_int(c, at + 1);
  *out = (hd_mpi_post){.address = args[at],
                       .count = (uint64_t)(int64_t)count,
                       .type = (uint32_t)args[at + 2],
                       .tag = hd_mpi_int(c, at + 4)};
  if (!hd_mpi_check_count(c, count) || !hd_mpi_check_type(c, out->type))
    return false;
  out->comm = hd_mpi_comm_of(c, args[comm]);
  if (out->comm == HD_NO_ID)
    return false;
  if (out->tag != HD_MPI_ANY_TAG && !hd_mpi_check_tag(c, out->tag))
    return false;
  return hd_mpi_read_rank(c, out->comm, hd_mpi_int(c, at + 3), true,
                          &out->source);
}

bool hd_mpi_read_envelope(const hd_mpi_call *c, uint32_t comm,
                          hd_mpi_message *out) {
  int32_t to;
  *out = (hd_mpi_message){.from = c->p,
                          .tag = hd_mpi_int(c, 4),
                          .edge = c->call->edge,
                          .request = HD_NO_ID,
                          .number = UINT64_MAX};
  if (!hd_mpi_check_count(c, hd_mpi_int(c, 1)) ||
      !hd_mpi_check_type(c, c->call->args[2]))
    return false;
  out->comm = hd_mpi_comm_of(c, c->call->args[comm]);
  if (out->comm == HD_NO_ID)
    return false;
  if (!hd_mpi_check_tag(c, out->tag))
    return false;
  if (!hd_mpi_read_rank(c, out->comm, hd_mpi_int(c, 3), false, &to))
    return false;
  out->to = (uint32_t)to;
  return true;
}

bool hd_mpi_goes_nowhere(const hd_mpi_message *message) {
  return (int32_t)message->to == HD_MPI_PROC_NULL;
}

uint32_t hd_mpi_comm_argument(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Sendrecv           ? 10
         : fn == HD_LIB_MPI_Sendrecv_replace ? 7
                                             : 5;
}

hd_mpi_message hd_mpi_envelope(const hd_mpi *mpi, uint32_t p) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  hd_mpi_message message;
  bool ok =
      hd_mpi_read_envelope(&c, hd_mpi_comm_argument(c.call->fn), &message);
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

bool hd_mpi_is_sync(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Issend || fn == HD_LIB_MPI_Ssend_init;
}

bool hd_mpi_put_message(const hd_mpi_call *c, uint32_t request) {
  hd_mpi_message message;
  if (!hd_mpi_read_envelope(c, hd_mpi_comm_argument(c->call->fn), &message))
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

const hd_mpi_message *hd_mpi_own_message(const hd_mpi *mpi, uint32_t p) {
  return hd_mpi_find(mpi, mpi->processes[p].number);
}

bool hd_mpi_begin_send(const hd_mpi_call *c, uint32_t request) {
  hd_mpi_message message;
  if (!hd_mpi_read_envelope(c, 5, &message))
    return false;
  bool nowhere = hd_mpi_goes_nowhere(&message);
  hd_mpi_request *r = &c->process->requests.data[request];
  r->done = nowhere || is_buffered(c->call->fn);
  if (nowhere)
    return true;
  uint32_t tells = is_buffered(c->call->fn) ? HD_NO_ID : request;
  return hd_mpi_put_message(c, tells) &&
         hd_mpi_claim(c, c->call->args[0], c->call->args[1] & UINT32_MAX,
                      c->call->args[2], false, request);
}

void hd_mpi_send_request(const hd_mpi_call *c) {
  uint32_t request = hd_mpi_request_new(c->process);
  c->process->requests.data[request] = (hd_mpi_request){
      .kind = hd_mpi_is_sync(c->call->fn) ? HD_REQUEST_SYNC : HD_REQUEST_SEND,
      .edge = c->call->edge,
      .source = HD_MPI_ANY_SOURCE,
      .tag = HD_MPI_ANY_TAG};
  if (hd_mpi_begin_send(c, request) &&
      hd_mpi_put(c, c->call->args[6],
                 hd_mpi_request_handle(c->process, request)))
    hd_mpi_return(c);
}

/* --- buffers --- */

void hd_mpi_attach_buffer(const hd_mpi_call *c) {
  int32_t size = hd_mpi_int(c, 1);
  if (c->process->attached || size < 0) {
    hd_mpi_misuse(c, size < 0 ? "the size is negative"
                              : "there is a buffer already");
    return;
  }
  if (!hd_host_check(c->m, c->call->args[0], (uint64_t)size, true))
    return;
  c->process->attached = true;
  hd_host_claim(c->m, c->call->args[0], (uint64_t)size, true,
                HD_MPI_BUFFER_OWNER, c->call->edge);
  c->process->buffer = c->call->args[0];
  c->process->buffer_size = (uint64_t)size;
  hd_mpi_return(c);
}

bool hd_mpi_buffer_empty(const hd_mpi *mpi, uint32_t p) {
  for (hd_vec_each(hd_mpi_message, m, &mpi->queue))
    if (m->from == p && m->buffered && !hd_mpi_expected(mpi, m))
      return false;
  return true;
}

void hd_mpi_detach_buffer(const hd_mpi_call *c) {
  uint64_t address = c->process->buffer;
  int64_t size = (int64_t)c->process->buffer_size;
  c->process->attached = false;
  for (hd_vec_each(hd_mpi_message, m, &c->mpi->queue))
    if (m->from == c->p)
      m->buffered = false; /* transmitted: it is in buffers of MPI */
  hd_host_release(c->m, HD_MPI_BUFFER_OWNER);
  c->process->buffer = c->process->buffer_size = 0;
  if (hd_host_write(c->m, c->call->args[0], c->mpi->code->pointer_width / 8,
                    (const uint8_t *)&address, NULL) &&
      hd_mpi_put(c, c->call->args[1], size))
    hd_mpi_return(c);
}

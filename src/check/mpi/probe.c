/* SPDX-License-Identifier: MIT */
/* Looking for messages: MPI_Probe and the like, and receiving the message that
 * MPI_Mprobe has found. */
#include "check/mpi/point.h"

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

hd_mpi_post hd_mpi_probe_post(const hd_mpi_call *c) {
  hd_mpi_post post = {.tag = hd_mpi_int(c, 1)};
  post.comm = hd_mpi_comm_of(c, c->call->args[2]);
  if (post.comm != HD_NO_ID &&
      !hd_mpi_read_rank(c, post.comm, hd_mpi_int(c, 0), true, &post.source))
    post.comm = HD_NO_ID;
  return post;
}

void hd_mpi_arrive_probe(const hd_mpi_call *c) {
  hd_mpi_post post = hd_mpi_probe_post(c);
  if (post.comm == HD_NO_ID)
    return;
  if (post.tag != HD_MPI_ANY_TAG && !hd_mpi_check_tag(c, post.tag))
    return;
  if (post.source != HD_MPI_PROC_NULL)
    c->process->at_call = true;
  else if (end_probe(c, NO_MESSAGE, HD_MPI_PROC_NULL, HD_MPI_ANY_TAG, 0))
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
void hd_mpi_move_mrecv(const hd_mpi_call *c) {
  size_t at;
  hd_mpi_request request = {.kind = HD_REQUEST_RECV, .edge = c->call->edge};
  request.post = (hd_mpi_post){.address = c->call->args[0],
                               .count = c->call->args[1] & UINT32_MAX,
                               .type = (uint32_t)c->call->args[2]};
  if (!hd_mpi_check_count(c, hd_mpi_int(c, 1)) ||
      !hd_mpi_check_type(c, c->call->args[2]) ||
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
    hd_mpi_receive_nothing(here ? &c->process->receive
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
           : hd_mpi_put(c, c->call->args[4],
                        hd_mpi_request_handle(c->process, number)))
    hd_mpi_return(c);
}

void hd_mpi_enabled_probe(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  hd_mpi_post post = hd_mpi_probe_post(&c);
  size_t message;
  for (uint32_t s = 0; s < mpi->n; s++)
    if (hd_mpi_unclaimed(mpi, p, s, &post, &message))
      hd_mpi_allow(out, (uint64_t)s + 1, true);
}

void hd_mpi_move_probe(const hd_mpi_call *c, uint64_t choice) {
  bool holds =
      c->call->fn == HD_LIB_MPI_Mprobe || c->call->fn == HD_LIB_MPI_Improbe;
  if (!choice && !hd_mpi_put(c, c->call->args[3], 0))
    return;
  if (choice) {
    hd_mpi_post post = hd_mpi_probe_post(c);
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
                   (int32_t)hd_mpi_own_rank(c->mpi, m->comm, m->from), m->tag,
                   m->data->bytes.size))
      return;
  }
  hd_mpi_return(c);
}

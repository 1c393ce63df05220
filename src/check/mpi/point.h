/* SPDX-License-Identifier: MIT */
/* Inside of messages between two processes: what point.c uses of send.c,
 * persistent.c and probe.c. */
#ifndef HD_CHECK_MPI_POINT_H
#define HD_CHECK_MPI_POINT_H

#include "check/mpi/parts.h"

/* A move with this choice is possible; `free`: without buffers. */
static inline void hd_mpi_allow(hd_mpi_enabled *out, uint64_t choice,
                                bool free) {
  hd_vec_push(&out->choices, choice);
  out->free = out->free || free;
}

/* From MPI_PROC_NULL: at once. */
static inline void hd_mpi_receive_nothing(hd_mpi_request *request) {
  request->done = true;
  request->source = HD_MPI_PROC_NULL;
  request->tag = HD_MPI_ANY_TAG;
  request->received = 0;
}

/* --- send.c: arguments, sending, the buffer of MPI_Bsend --- */

/* A rank of the communicator as one of the world. False after a violation. */
HD_MUST_USE bool hd_mpi_read_rank(const hd_mpi_call *c, uint32_t comm,
                                  int32_t rank, bool any, int32_t *out);
HD_MUST_USE bool hd_mpi_check_count(const hd_mpi_call *c, int32_t count);
HD_MUST_USE bool hd_mpi_check_tag(const hd_mpi_call *c, int32_t tag);
HD_MUST_USE bool hd_mpi_check_type(const hd_mpi_call *c, uint64_t type);
/* What is sent: arguments from 0 on are buffer, count, type, destination, tag;
 * the communicator is argument `comm`. */
HD_MUST_USE bool hd_mpi_read_envelope(const hd_mpi_call *c, uint32_t comm,
                                      hd_mpi_message *out);
bool hd_mpi_goes_nowhere(const hd_mpi_message *message);
/* The argument of a call that names its communicator. */
uint32_t hd_mpi_comm_argument(hd_library_fn fn);
/* The send of a call that has been checked. */
hd_mpi_message hd_mpi_envelope(const hd_mpi *mpi, uint32_t p);
/* Sends the message of the call; false after a violation. */
bool hd_mpi_put_message(const hd_mpi_call *c, uint32_t request);
/* Is the message of the call still in the queue? NULL: no. */
const hd_mpi_message *hd_mpi_own_message(const hd_mpi *mpi, uint32_t p);
/* The message of a request is on its way; the buffer belongs to it. */
HD_MUST_USE bool hd_mpi_begin_send(const hd_mpi_call *c, uint32_t request);
/* MPI_Isend …: begins and returns. */
void hd_mpi_send_request(const hd_mpi_call *c);
bool hd_mpi_is_sync(hd_library_fn fn);
void hd_mpi_attach_buffer(const hd_mpi_call *c);
/* Can MPI_Buffer_detach return without other buffers than the program's? */
bool hd_mpi_buffer_empty(const hd_mpi *mpi, uint32_t p);
void hd_mpi_detach_buffer(const hd_mpi_call *c);

/* --- persistent.c: requests that are started, or cancelled --- */

bool hd_mpi_is_persistent(hd_library_fn fn);
void hd_mpi_make_persistent(const hd_mpi_call *c);
/* MPI_Start, _Startall: the requests of one call begin in any order, as far as
 * it shows; the choice says which. */
void hd_mpi_arrive_start(const hd_mpi_call *c);
void hd_mpi_enabled_start(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out);
void hd_mpi_start(const hd_mpi_call *c, uint64_t choice);
void hd_mpi_arrive_cancel(const hd_mpi_call *c);
void hd_mpi_move_cancel(const hd_mpi_call *c, uint64_t choice);

/* --- probe.c --- */

hd_mpi_post hd_mpi_probe_post(const hd_mpi_call *c);
void hd_mpi_arrive_probe(const hd_mpi_call *c);
void hd_mpi_enabled_probe(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out);
void hd_mpi_move_probe(const hd_mpi_call *c, uint64_t choice);
/* MPI_Mrecv, MPI_Imrecv. */
void hd_mpi_move_mrecv(const hd_mpi_call *c);

#endif

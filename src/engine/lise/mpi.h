/* SPDX-License-Identifier: MIT */
/* What the parts of MPI share: arguments, requests. */
#ifndef HD_ENGINE_LISE_MPI_H
#define HD_ENGINE_LISE_MPI_H

#include "engine/lise/engine.h"

/* As in models/include/mpi.h. */
enum {
  HD_MPI_ANY_SOURCE = -11,
  HD_MPI_ANY_TAG = -12,
  HD_MPI_PROC_NULL = -13,
  HD_MPI_TAG_MAX = 32767, /* that every MPI allows */
  HD_MPI_UNDEFINED = -32766,
};

/* Arguments as numbers; a violation or refusal when they are none. */
hd_going hd_lise_number_arg(hd_lise *l, hd_term arg, const char *what,
                            int64_t *out);
hd_going hd_lise_comm_arg(hd_lise *l, hd_term arg, uint32_t *comm);
hd_going hd_lise_type_arg(hd_lise *l, hd_term arg, uint32_t *type,
                          hd_type *unit, uint32_t *bytes);
/* -1: the process is not in it */
int32_t hd_lise_rank_in(const hd_lise_state *state, uint32_t comm, hd_proc p);

hd_going hd_lise_put_int(hd_lise *l, hd_term pointer, int64_t offset,
                         unsigned bytes, int64_t value);
/* Status number `index` of an array, unless it is MPI_STATUS_IGNORE. */
hd_going hd_lise_put_status(hd_lise *l, hd_term status, int64_t index,
                            int32_t source, int32_t tag, int64_t received);

/* That of a send: the standard leaves open what is in it. */
hd_going hd_lise_leave_status(hd_lise *l, hd_term status, int64_t index);

uint32_t hd_lise_request_new(hd_lise *l, hd_lise_request request);
void hd_lise_request_free(hd_lise *l, uint32_t number);
/* What the program has of a request; false: it is none (any more), HD_NO_ID is
 * MPI_REQUEST_NULL. */
int64_t hd_lise_request_handle(uint32_t number);
bool hd_lise_request_at(const hd_lise_proc *me, int64_t handle,
                        uint32_t *number);

/* The call returns MPI_SUCCESS. */
hd_going hd_lise_success(hd_lise *l);
void hd_lise_stand_before(hd_lise *l, hd_lise_op_kind kind, hd_library_fn fn,
                          const hd_cedge *edge);

/* --- message.c --- */

/* A rank and a tag to send to, or to receive from. */
hd_going hd_lise_check_peer(hd_lise *l, uint32_t comm, int64_t peer,
                            int64_t tag, bool receive);
hd_going hd_lise_send_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *args);
hd_going hd_lise_recv_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *args);
hd_going hd_lise_isend_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                            const hd_term *args);
hd_going hd_lise_irecv_call(hd_lise *l, hd_library_fn fn, const hd_term *args);
hd_going hd_lise_sendrecv_call(hd_lise *l, const hd_cedge *edge,
                               hd_library_fn fn, const hd_term *args);
hd_going hd_lise_probe_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                            const hd_term *args);

/* --- request.c --- */

hd_going hd_lise_wait_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *args);
hd_going hd_lise_request_free_call(hd_lise *l, hd_term pointer);

/* MPI_Finalize: nothing may be pending. */
hd_going hd_lise_finalize(hd_lise *l);

#endif

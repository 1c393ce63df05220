/* SPDX-License-Identifier: MIT */
/* MPI calls as a process reaches them: arguments are evaluated and checked,
 * receives posted, messages made; then it either goes on or stands before an
 * operation (hd_lise_op) that is a transition of its own (operate.c).
 *
 * Messages keep their order for each pair of processes and communicator; a
 * receive takes the first that fits. Sends may always go on (their message is
 * buffered): what only works because of that is a potential deadlock. */
#include "engine/lise/mpi.h"

#include <string.h>

/* --- datatypes --- */

static const struct {
  uint8_t kind, bytes;
  const char *name;
} datatypes[] = {
    [1] = {HD_TYPE_INT, 1, "MPI_CHAR"},
    [2] = {HD_TYPE_INT, 1, "MPI_SIGNED_CHAR"},
    [3] = {HD_TYPE_INT, 1, "MPI_UNSIGNED_CHAR"},
    [4] = {HD_TYPE_INT, 1, "MPI_BYTE"},
    [5] = {HD_TYPE_INT, 4, "MPI_WCHAR"},
    [6] = {HD_TYPE_INT, 2, "MPI_SHORT"},
    [7] = {HD_TYPE_INT, 2, "MPI_UNSIGNED_SHORT"},
    [8] = {HD_TYPE_INT, 4, "MPI_INT"},
    [9] = {HD_TYPE_INT, 4, "MPI_UNSIGNED"},
    [10] = {HD_TYPE_INT, 8, "MPI_LONG"},
    [11] = {HD_TYPE_INT, 8, "MPI_UNSIGNED_LONG"},
    [12] = {HD_TYPE_INT, 8, "MPI_LONG_LONG_INT"},
    [13] = {HD_TYPE_INT, 8, "MPI_UNSIGNED_LONG_LONG"},
    [14] = {HD_TYPE_FLOAT, 4, "MPI_FLOAT"},
    [15] = {HD_TYPE_FLOAT, 8, "MPI_DOUBLE"},
    [17] = {HD_TYPE_INT, 1, "MPI_C_BOOL"},
    [18] = {HD_TYPE_INT, 1, "MPI_INT8_T"},
    [19] = {HD_TYPE_INT, 2, "MPI_INT16_T"},
    [20] = {HD_TYPE_INT, 4, "MPI_INT32_T"},
    [21] = {HD_TYPE_INT, 8, "MPI_INT64_T"},
    [22] = {HD_TYPE_INT, 1, "MPI_UINT8_T"},
    [23] = {HD_TYPE_INT, 2, "MPI_UINT16_T"},
    [24] = {HD_TYPE_INT, 4, "MPI_UINT32_T"},
    [25] = {HD_TYPE_INT, 8, "MPI_UINT64_T"},
    [26] = {HD_TYPE_INT, 8, "MPI_AINT"},
    [27] = {HD_TYPE_INT, 8, "MPI_COUNT"},
    [28] = {HD_TYPE_INT, 8, "MPI_OFFSET"},
};

bool hd_lise_datatype(uint32_t type, hd_type *unit, uint32_t *bytes) {
  if (type >= sizeof datatypes / sizeof *datatypes || !datatypes[type].bytes)
    return false;
  *bytes = datatypes[type].bytes;
  *unit = (hd_type){datatypes[type].kind, (uint8_t)(8 * datatypes[type].bytes)};
  return true;
}

const char *hd_lise_type_name(uint32_t type) {
  hd_type unit;
  uint32_t bytes;
  return hd_lise_datatype(type, &unit, &bytes) ? datatypes[type].name
                                               : "another datatype";
}

/* --- arguments --- */

hd_term hd_lise_null(hd_lise *l) {
  return hd_term_ptr(l->terms, 0, hd_term_int(l->terms, 0));
}

hd_going hd_lise_number_arg(hd_lise *l, hd_term arg, const char *what,
                            int64_t *out) {
  if (hd_term_is_undef(l->terms, arg))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT, "%s was never set", what);
  return hd_lise_concrete(l, arg, out, what);
}

hd_going hd_lise_comm_arg(hd_lise *l, hd_term arg, uint32_t *comm) {
  int64_t handle;
  hd_going g = hd_lise_number_arg(l, arg, "the communicator", &handle);
  if (g != HD_GO_ON)
    return g;
  const hd_lise_proc *me = hd_lise_seen(l);
  if (handle < 1 || handle >= (int64_t)me->comm_handles.size ||
      !me->comm_handles.data[handle])
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "there is no communicator with this handle");
  *comm = me->comm_handles.data[handle] - 1;
  return HD_GO_ON;
}

hd_going hd_lise_type_arg(hd_lise *l, hd_term arg, uint32_t *type,
                          hd_type *unit, uint32_t *bytes) {
  int64_t handle;
  hd_going g = hd_lise_number_arg(l, arg, "the datatype", &handle);
  if (g != HD_GO_ON)
    return g;
  *type = (uint32_t)handle;
  if (!handle)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "the datatype is null");
  if (!hd_lise_datatype(*type, unit, bytes))
    return hd_lise_refuse(l, "this MPI datatype");
  return HD_GO_ON;
}

int32_t hd_lise_rank_in(const hd_lise_state *state, uint32_t comm, hd_proc p) {
  const hd_lise_comm *c = state->comms.data[comm];
  for (size_t i = 0; i < c->members.size; i++)
    if (c->members.data[i] == p)
      return (int32_t)i;
  return -1;
}

static hd_going put_term(hd_lise *l, hd_term pointer, int64_t offset,
                         unsigned bytes, hd_term value) {
  hd_terms *t = l->terms;
  if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
    return hd_lise_refuse(l, "a symbolic pointer as argument");
  hd_term to = hd_term_ptr(
      t, hd_term_args(t, pointer)[0],
      hd_term_add(t, hd_term_args(t, pointer)[1], hd_term_int(t, offset)));
  return hd_lise_store(l, to, (hd_type){HD_TYPE_INT, (uint8_t)(8 * bytes)},
                       value);
}

hd_going hd_lise_put_int(hd_lise *l, hd_term pointer, int64_t offset,
                         unsigned bytes, int64_t value) {
  return put_term(l, pointer, offset, bytes, hd_term_int(l->terms, value));
}

hd_going hd_lise_put_status(hd_lise *l, hd_term status, int64_t index,
                            int32_t source, int32_t tag, int64_t received) {
  if (!status || status == hd_lise_null(l))
    return HD_GO_ON;
  int64_t at = index * 24; /* struct MPI_Status of models/include/mpi.h */
  hd_going g = hd_lise_put_int(l, status, at, 4, source);
  if (g == HD_GO_ON)
    g = hd_lise_put_int(l, status, at + 4, 4, tag);
  if (g == HD_GO_ON) /* MPI_ERROR is left alone */
    g = hd_lise_put_int(l, status, at + 16, 8, received);
  return g;
}

hd_going hd_lise_leave_status(hd_lise *l, hd_term status, int64_t index) {
  if (!status || status == hd_lise_null(l))
    return HD_GO_ON;
  hd_term open = hd_term_undef(l->terms);
  hd_going g = put_term(l, status, 24 * index, 4, open);
  if (g == HD_GO_ON)
    g = put_term(l, status, 24 * index + 4, 4, open);
  return g == HD_GO_ON ? put_term(l, status, 24 * index + 16, 8, open) : g;
}

hd_going hd_lise_success(hd_lise *l) {
  hd_term zero = hd_term_int(l->terms, 0);
  hd_lise_call_done(l, &zero, 1);
  return HD_GO_ON;
}

/* --- environment --- */

static hd_going init_call(hd_lise *l) {
  hd_lise_proc *me = hd_lise_me(l);
  if (me->mpi)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "MPI_Init is called %s",
                           me->mpi == 1 ? "twice" : "after MPI_Finalize");
  me->mpi = 1;
  return hd_lise_success(l);
}

static hd_going count_call(hd_lise *l, const hd_term *args) {
  hd_terms *t = l->terms;
  uint32_t type, bytes;
  hd_type unit;
  hd_going g = hd_lise_type_arg(l, args[1], &type, &unit, &bytes);
  if (g != HD_GO_ON)
    return g;
  if (hd_term_op_of(t, args[0]) != HD_TERM_PTR)
    return hd_lise_refuse(l, "a symbolic pointer to a status");
  hd_term at = hd_term_ptr(
      t, hd_term_args(t, args[0])[0],
      hd_term_add(t, hd_term_args(t, args[0])[1], hd_term_int(t, 16)));
  hd_term value;
  int64_t received;
  g = hd_lise_load(l, at, (hd_type){HD_TYPE_INT, 64}, &value);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, value, "the status", &received);
  if (g == HD_GO_ON)
    g = hd_lise_put_int(l, args[2], 0, 4,
                        received % bytes ? -32766 : received / bytes);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

static hd_going comm_call(hd_lise *l, hd_library_fn fn, const hd_term *args) {
  uint32_t comm;
  hd_going g = hd_lise_comm_arg(l, args[0], &comm);
  if (g != HD_GO_ON)
    return g;
  int64_t value = fn == HD_LIB_MPI_Comm_rank
                      ? hd_lise_rank_in(l->state, comm, l->proc)
                      : (int64_t)l->state->comms.data[comm]->members.size;
  g = hd_lise_put_int(l, args[1], 0, 4, value);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

static hd_going comm_free_call(hd_lise *l, hd_term pointer) {
  hd_term value;
  int64_t handle;
  hd_going g = hd_lise_load(l, pointer, (hd_type){HD_TYPE_INT, 32}, &value);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, value, "the communicator", &handle);
  if (g != HD_GO_ON)
    return g;
  hd_lise_proc *me = hd_lise_me(l);
  if (handle < 3 || handle >= (int64_t)me->comm_handles.size ||
      !me->comm_handles.data[handle])
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "MPI_Comm_free of what is no communicator of the "
                           "program");
  me->comm_handles.data[handle] = 0;
  g = hd_lise_put_int(l, pointer, 0, 4, 0);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

static hd_going flag_call(hd_lise *l, hd_term pointer, bool value) {
  hd_going g = hd_lise_put_int(l, pointer, 0, 4, value);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}

/* The name is the same for all: "node". */
static hd_going time_call(hd_lise *l, hd_library_fn fn, const hd_cedge *edge) {
  hd_edge_id id = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  hd_term x =
      hd_lise_input_new(l, hd_library_name(fn), HD_OF_REAL, l->proc, id);
  hd_lise_call_done(l, &x, 1);
  return HD_GO_ON;
}

/* The level of threads that is given: any. */
static hd_going level_call(hd_lise *l, const hd_cedge *edge, hd_term address) {
  if (hd_term_op_of(l->terms, address) != HD_TERM_PTR)
    return hd_lise_refuse(l, "a symbolic pointer as argument");
  hd_edge_id id = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  hd_term x = hd_lise_input_new(l, "MPI_Init_thread", HD_OF_INT, l->proc, id);
  hd_lise_learn(l, hd_lise_range(l, x, 2, false));
  return hd_lise_store(l, address, (hd_type){HD_TYPE_INT, 32}, x);
}

hd_going hd_lise_mpi(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                     const hd_term *args, size_t n) {
  uint8_t phase = hd_lise_seen(l)->mpi;
  bool always = fn == HD_LIB_MPI_Init || fn == HD_LIB_MPI_Init_thread ||
                fn == HD_LIB_MPI_Initialized || fn == HD_LIB_MPI_Finalized ||
                fn == HD_LIB_MPI_Get_version ||
                fn == HD_LIB_MPI_Get_library_version;
  if (phase != 1 && !always)
    return hd_lise_violate(l, HD_PROPERTY_MPI, "%s is called %s",
                           hd_library_name(fn),
                           phase ? "after MPI_Finalize" : "before MPI_Init");
  if (hd_lise_seen(l)->in_guard)
    return hd_lise_refuse(l,
                          "MPI in the condition of a loop with an invariant");
  hd_going guest;
  if (l->guest && l->guest->call(l, edge, fn, args, &guest))
    return guest;
  switch (fn) {
  case HD_LIB_MPI_Init:
    return init_call(l);
  case HD_LIB_MPI_Init_thread: {
    hd_going g = level_call(l, edge, args[3]);
    return g == HD_GO_ON ? init_call(l) : g;
  }
  case HD_LIB_MPI_Initialized:
    return flag_call(l, args[0], phase > 0);
  case HD_LIB_MPI_Finalized:
    return flag_call(l, args[0], phase > 1);
  case HD_LIB_MPI_Comm_rank:
  case HD_LIB_MPI_Comm_size:
    return comm_call(l, fn, args);
  case HD_LIB_MPI_Comm_free:
    return comm_free_call(l, args[0]);
  case HD_LIB_MPI_Send:
  case HD_LIB_MPI_Ssend:
    return hd_lise_send_call(l, edge, fn, args);
  case HD_LIB_MPI_Recv:
    return hd_lise_recv_call(l, edge, fn, args);
  case HD_LIB_MPI_Isend:
  case HD_LIB_MPI_Issend:
    return hd_lise_isend_call(l, edge, fn, args);
  case HD_LIB_MPI_Irecv:
    return hd_lise_irecv_call(l, fn, args);
  case HD_LIB_MPI_Sendrecv:
  case HD_LIB_MPI_Sendrecv_replace:
    return hd_lise_sendrecv_call(l, edge, fn, args);
  case HD_LIB_MPI_Wait:
  case HD_LIB_MPI_Waitall:
  case HD_LIB_MPI_Waitany:
  case HD_LIB_MPI_Test:
  case HD_LIB_MPI_Testall:
  case HD_LIB_MPI_Testany:
    return hd_lise_wait_call(l, edge, fn, args);
  case HD_LIB_MPI_Probe:
  case HD_LIB_MPI_Iprobe:
    return hd_lise_probe_call(l, edge, fn, args);
  case HD_LIB_MPI_Request_free:
    return hd_lise_request_free_call(l, args[0]);
  case HD_LIB_MPI_Get_count:
    return count_call(l, args);
  case HD_LIB_MPI_Wtime:
  case HD_LIB_MPI_Wtick:
    return time_call(l, fn, edge);
  case HD_LIB_MPI_Abort:
    hd_lise_me(l)->ended = true;
    l->state->aborted = true;
    return HD_STOPPED;
  case HD_LIB_MPI_Finalize: {
    hd_going g = hd_lise_finalize(l);
    return g == HD_GO_ON ? hd_lise_success(l) : g;
  }
  case HD_LIB_MPI_Barrier:
  case HD_LIB_MPI_Bcast:
  case HD_LIB_MPI_Reduce:
  case HD_LIB_MPI_Allreduce:
  case HD_LIB_MPI_Scatter:
  case HD_LIB_MPI_Scatterv:
  case HD_LIB_MPI_Gather:
  case HD_LIB_MPI_Gatherv:
  case HD_LIB_MPI_Allgather:
  case HD_LIB_MPI_Allgatherv:
  case HD_LIB_MPI_Alltoall:
  case HD_LIB_MPI_Scan:
  case HD_LIB_MPI_Exscan:
  case HD_LIB_MPI_Comm_dup:
  case HD_LIB_MPI_Comm_split:
    return hd_lise_enter(l, edge, fn, args, n);
  default:
    return hd_lise_refuse(l, "a call of '%s'", hd_library_name(fn));
  }
}

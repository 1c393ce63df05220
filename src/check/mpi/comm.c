/* SPDX-License-Identifier: MIT */
/* Communicators, and the calls that no other process can notice. */
#include "check/mpi/parts.h"

#include <stdarg.h>
#include <stdio.h>

uint32_t hd_mpi_comm_new(hd_mpi *mpi) {
  hd_mpi_comm comm = {0};
  hd_vec_push(&mpi->comms, comm);
  return (uint32_t)mpi->comms.size - 1;
}

uint32_t hd_mpi_comm_rank(const hd_mpi *mpi, uint32_t comm, uint32_t p) {
  const hd_mpi_comm *of = &mpi->comms.data[comm];
  for (uint32_t i = 0; i < of->members.size; i++)
    if (of->members.data[i] == p)
      return i;
  return HD_NO_ID;
}

uint64_t hd_mpi_comm_handle(hd_mpi_process *process, uint32_t comm,
                            hd_edge_id edge) {
  hd_mpi_handle handle = {.what = comm, .edge = edge};
  hd_vec_push(&process->comms, handle);
  return HD_MPI_FIRST_COMM + process->comms.size - 1;
}

uint32_t hd_mpi_comm_of(const hd_mpi_call *c, uint64_t handle) {
  handle = (uint32_t)handle;
  if (handle == HD_MPI_COMM_WORLD)
    return 0;
  if (handle == HD_MPI_COMM_SELF)
    return 1 + c->p;
  uint64_t i = handle - HD_MPI_FIRST_COMM;
  bool made = handle >= HD_MPI_FIRST_COMM && i < c->process->comms.size;
  if (made && c->process->comms.data[i].what != HD_NO_ID)
    return c->process->comms.data[i].what;
  if (!handle)
    hd_mpi_misuse(c, "the communicator is MPI_COMM_NULL");
  else if (made)
    hd_mpi_misuse(c, "the communicator has been freed");
  else
    hd_mpi_misuse(c, "%lld is no communicator",
                  (long long)(int32_t)(uint32_t)handle);
  return HD_NO_ID;
}

static void put_rank(const hd_mpi_call *c, bool size) {
  uint32_t comm = hd_mpi_comm_of(c, c->call->args[0]);
  if (comm == HD_NO_ID)
    return;
  hd_u32s own = {0};
  hd_mpi_side(c->mpi, comm, c->p, false, &own);
  int64_t value =
      size ? (int64_t)own.size : (int64_t)hd_mpi_own_rank(c->mpi, comm, c->p);
  hd_vec_free(&own);
  if (hd_mpi_put(c, c->call->args[1], value))
    hd_mpi_return(c);
}

static void put_flag(const hd_mpi_call *c, bool flag) {
  if (hd_mpi_put(c, c->call->args[0], flag))
    hd_mpi_return(c);
}

static void initialize(const hd_mpi_call *c) {
  if (c->process->initialized) {
    hd_mpi_misuse(c, "MPI was initialized before");
    return;
  }
  c->process->initialized = true;
  bool asks = c->call->fn == HD_LIB_MPI_Init_thread;
  c->process->thread_level = asks ? hd_mpi_level(c, hd_mpi_int(c, 2)) : -1;
  c->process->asked_level = asks ? hd_mpi_int(c, 2) : 0;
  if (asks && !hd_mpi_put(c, c->call->args[3], c->process->thread_level))
    return;
  hd_mpi_return(c);
}

void hd_mpi_leak(const hd_mpi_call *c, hd_edge_id edge, const char *format,
                 ...) {
  char text[200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (c->mpi->options->checks >> HD_PROPERTY_LEAK & 1)
    hd_mpi_violate(c->mpi, c->p, HD_PROPERTY_LEAK, edge, "%s", text);
}

bool hd_mpi_get(const hd_mpi_call *c, uint64_t address, const char *what,
                int32_t *out) {
  uint8_t unset[4];
  if (!hd_host_read(c->m, address, 4, (uint8_t *)out, unset))
    return false;
  if (!(unset[0] | unset[1] | unset[2] | unset[3]))
    return true;
  if (hd_mpi_runs(c->mpi))
    hd_mpi_violate(c->mpi, c->p, HD_PROPERTY_UNINIT, c->call->edge,
                   "%s: %s was never set", c->call->name, what);
  return false;
}

/* What was made and is still there. */
static void look_for_leaks(const hd_mpi_call *c) {
  for (hd_vec_each(hd_mpi_request, request, &c->process->requests))
    if (request->kind != HD_REQUEST_FREE && request->persistent)
      hd_mpi_leak(c, request->edge, "the request is never freed");
  for (hd_vec_each(hd_mpi_handle, comm, &c->process->comms))
    if (comm->what != HD_NO_ID)
      hd_mpi_leak(c, comm->edge, "the communicator is never freed");
  for (hd_vec_each(hd_mpi_handle, op, &c->process->ops))
    if (op->what != HD_NO_ID)
      hd_mpi_leak(c, op->edge, "the operation is never freed");
  for (hd_vec_each(hd_mpi_handle, info, &c->process->infos))
    if (info->what != HD_NO_ID)
      hd_mpi_leak(c, info->edge, "the info is never freed");
  for (hd_vec_each(hd_mpi_handle, file, &c->process->files))
    if (file->what != HD_NO_ID)
      hd_mpi_leak(c, file->edge, "the file is never closed");
  for (hd_vec_each(hd_mpi_type, type, &c->process->types))
    if (!type->freed)
      hd_mpi_leak(c, type->edge, "the datatype is never freed");
  hd_mpi_group_leaks(c);
  hd_mpi_window_leaks(c);
}

/* Everything a process began must be complete. */
static void finalize(const hd_mpi_call *c) {
  for (hd_vec_each(hd_mpi_request, r, &c->process->requests))
    if (r->kind != HD_REQUEST_FREE && r->kind != HD_REQUEST_GIVEN_UP &&
        (!r->persistent || r->active)) {
      hd_mpi_violate(c->mpi, c->p, HD_PROPERTY_MPI, r->edge,
                     "the request of this call is never waited for");
      return;
    }
  look_for_leaks(c);
  if (!hd_mpi_runs(c->mpi))
    return;
  for (uint32_t i = 0; i < c->process->requests.size; i++)
    if (c->process->requests.data[i].kind == HD_REQUEST_GIVEN_UP)
      hd_host_release(c->m, i); /* the call waits for what was begun */
  hd_host_release(c->m, HD_MPI_BUFFER_OWNER);
  c->process->finalized = true;
  hd_mpi_return(c);
}

static void free_comm(const hd_mpi_call *c) {
  int32_t handle;
  if (!hd_mpi_get(c, c->call->args[0], "the communicator", &handle) ||
      hd_mpi_comm_of(c, (uint32_t)handle) == HD_NO_ID)
    return;
  if (handle < HD_MPI_FIRST_COMM) {
    hd_mpi_misuse(c, "a predefined communicator cannot be freed");
    return;
  }
  c->process->comms.data[handle - HD_MPI_FIRST_COMM].what = HD_NO_ID;
  if (hd_mpi_put(c, c->call->args[0], 0))
    hd_mpi_return(c);
}

static void abort_all(const hd_mpi_call *c) {
  hd_mpi_tell(c->mpi, HD_MPI_CALLS, c->p, HD_NO_ID, "ends all processes");
  c->mpi->exit_code = hd_mpi_int(c, 1) & 0xff;
  c->mpi->status = HD_MACHINE_EXITED;
}

bool hd_mpi_local(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Init:
  case HD_LIB_MPI_Init_thread:
    initialize(c);
    return true;
  case HD_LIB_MPI_Initialized:
    put_flag(c, c->process->initialized);
    return true;
  case HD_LIB_MPI_Finalized:
    put_flag(c, c->process->finalized);
    return true;
  default:
    break;
  }
  if (hd_mpi_any_time(c->call->fn))
    return hd_mpi_around_call(c);
  if (!c->process->initialized || c->process->finalized) {
    hd_mpi_misuse(c, "called %s",
                  c->process->finalized ? "after MPI_Finalize"
                                        : "before MPI_Init");
    return true;
  }
  switch (c->call->fn) {
  case HD_LIB_MPI_Finalize:
    finalize(c);
    return true;
  case HD_LIB_MPI_Comm_rank:
    put_rank(c, false);
    return true;
  case HD_LIB_MPI_Comm_size:
    put_rank(c, true);
    return true;
  case HD_LIB_MPI_Comm_free:
    free_comm(c);
    return true;
  case HD_LIB_MPI_Get_processor_name:
    hd_mpi_processor_name(c);
    return true;
  case HD_LIB_MPI_Abort:
    abort_all(c);
    return true;
  case HD_LIB_MPI_Wtime:
  case HD_LIB_MPI_Wtick:
    for (uint32_t p = 0; p < c->mpi->n; p++) /* it may travel */
      (void)hd_host_leaves_open(c->mpi->processes[p].machine);
    hd_host_return_time(c->m);
    return true;
  default:
    return hd_mpi_status_call(c) || hd_mpi_reduce_local(c) ||
           hd_mpi_inter_call(c) || hd_mpi_type_call(c) ||
           hd_mpi_group_call(c) || hd_mpi_topology_call(c) ||
           hd_mpi_pack_call(c) || hd_mpi_file_call(c) || hd_mpi_around_call(c);
  }
}

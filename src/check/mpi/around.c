/* SPDX-License-Identifier: MIT */
/* The small functions around the others: operations of the program, attributes,
 * error handlers, threads, memory. All of them concern their process only. */
#include "check/mpi/parts.h"

#include <string.h>

enum { TAG_UB = 1 }; /* of mpi.h */

void hd_mpi_put_and_return(const hd_mpi_call *c, uint32_t argument,
                           int64_t value) {
  if (hd_mpi_put(c, c->call->args[argument], value))
    hd_mpi_return(c);
}

/* --- operations of the program --- */

/* (function, commutes, &op) */
static void make_op(const hd_mpi_call *c) {
  hd_mpi_handle op = {.function = c->call->args[0],
                      .commutes = hd_mpi_int(c, 1) != 0,
                      .edge = c->call->edge};
  hd_vec_push(&c->process->ops, op);
  if (hd_mpi_put(c, c->call->args[2],
                 HD_MPI_FIRST_OP + (int64_t)c->process->ops.size - 1))
    hd_mpi_return(c);
}

static void free_op(const hd_mpi_call *c) {
  int32_t handle;
  if (!hd_mpi_get(c, c->call->args[0], "the operation", &handle))
    return;
  uint32_t i = (uint32_t)handle - HD_MPI_FIRST_OP;
  if (handle < HD_MPI_FIRST_OP || i >= c->process->ops.size ||
      c->process->ops.data[i].what == HD_NO_ID) {
    hd_mpi_misuse(c, "%d is no operation of the program", handle);
    return;
  }
  c->process->ops.data[i].what = HD_NO_ID;
  if (hd_mpi_put(c, c->call->args[0], 0))
    hd_mpi_return(c);
}

static void commutes(const hd_mpi_call *c) {
  uint32_t handle = (uint32_t)c->call->args[0], i = handle - HD_MPI_FIRST_OP;
  bool made = handle >= HD_MPI_FIRST_OP && i < c->process->ops.size &&
              c->process->ops.data[i].what != HD_NO_ID;
  if (made)
    hd_mpi_put_and_return(c, 1, c->process->ops.data[i].commutes);
  else if (handle && handle < HD_MPI_FIRST_OP)
    hd_mpi_put_and_return(c, 1, 1);
  else
    hd_mpi_misuse(c, "%d is no operation", (int32_t)handle);
}

/* --- hints: kept and not looked at --- */

static void make_info(const hd_mpi_call *c) {
  hd_mpi_handle info = {.edge = c->call->edge};
  hd_vec_push(&c->process->infos, info);
  hd_mpi_put_and_return(
      c, 0, HD_MPI_FIRST_INFO + (int64_t)c->process->infos.size - 1);
}

static hd_mpi_handle *info_of(const hd_mpi_call *c, int32_t handle) {
  uint32_t i = (uint32_t)handle - HD_MPI_FIRST_INFO;
  if (handle >= HD_MPI_FIRST_INFO && i < c->process->infos.size &&
      c->process->infos.data[i].what != HD_NO_ID)
    return &c->process->infos.data[i];
  hd_mpi_misuse(c, handle ? "%d is no info" : "the info is MPI_INFO_NULL (%d)",
                handle);
  return NULL;
}

static void free_info(const hd_mpi_call *c) {
  int32_t handle;
  if (!hd_mpi_get(c, c->call->args[0], "the info", &handle))
    return;
  hd_mpi_handle *info = info_of(c, handle);
  if (!info)
    return;
  info->what = HD_NO_ID;
  hd_mpi_put_and_return(c, 0, 0);
}

/* --- other questions --- */

bool hd_mpi_any_time(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Get_version || fn == HD_LIB_MPI_Get_library_version;
}

/* (comm, key, &pointer, &flag): only the largest tag is known. */
static void get_attribute(const hd_mpi_call *c) {
  if (hd_mpi_comm_of(c, c->call->args[0]) == HD_NO_ID)
    return;
  if (hd_mpi_int(c, 1) != TAG_UB) {
    hd_mpi_refuse(c, "this attribute is not supported");
    return;
  }
  int32_t most = hd_mpi_variant(c) ? INT32_MAX : HD_MPI_TAG_MAX;
  uint64_t at = hd_host_constant(c->m, &most, sizeof most);
  if (hd_host_write(c->m, c->call->args[2], c->mpi->code->pointer_width / 8,
                    (const uint8_t *)&at, NULL) &&
      hd_mpi_put(c, c->call->args[3], 1))
    hd_mpi_return(c);
}

/* (size, info, &pointer) */
static void allocate(const hd_mpi_call *c) {
  uint64_t at = hd_host_alloc(c->m, c->call->args[0]);
  if (at &&
      hd_host_write(c->m, c->call->args[2], c->mpi->code->pointer_width / 8,
                    (const uint8_t *)&at, NULL))
    hd_mpi_return(c);
}

static bool put_text(const hd_mpi_call *c, uint32_t text, const char *value) {
  return hd_host_write(c->m, c->call->args[text], strlen(value) + 1,
                       (const uint8_t *)value, NULL) &&
         hd_mpi_put(c, c->call->args[text + 1], (int64_t)strlen(value));
}

/* (what, text, &length) */
static void tell_name(const hd_mpi_call *c) {
  const char *name = NULL;
  if (c->call->fn == HD_LIB_MPI_Error_string)
    name = hd_mpi_int(c, 0) ? "an error of MPI" : "no error";
  else if (hd_mpi_int(c, 0) == HD_MPI_COMM_WORLD)
    name = "MPI_COMM_WORLD";
  else if (hd_mpi_int(c, 0) == HD_MPI_COMM_SELF)
    name = "MPI_COMM_SELF";
  if (!name)
    hd_mpi_refuse(c, "of a communicator of the program: this is not supported");
  else if (put_text(c, 1, name))
    hd_mpi_return(c);
}

bool hd_mpi_around_call(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Error_string:
  case HD_LIB_MPI_Comm_get_name:
    tell_name(c);
    break;
  case HD_LIB_MPI_Error_class:
    hd_mpi_put_and_return(c, 1, hd_mpi_int(c, 0));
    break;
  case HD_LIB_MPI_Get_library_version:
    if (put_text(c, 0, hd_mpi_variant(c) ? "an MPI" : "another MPI, 4.0"))
      hd_mpi_return(c);
    break;
  case HD_LIB_MPI_Op_create:
    make_op(c);
    break;
  case HD_LIB_MPI_Op_free:
    free_op(c);
    break;
  case HD_LIB_MPI_Op_commutative:
    commutes(c);
    break;
  case HD_LIB_MPI_Info_create:
    make_info(c);
    break;
  case HD_LIB_MPI_Info_set:
    if (info_of(c, hd_mpi_int(c, 0)))
      hd_mpi_return(c);
    break;
  case HD_LIB_MPI_Info_free:
    free_info(c);
    break;
  case HD_LIB_MPI_Comm_get_attr:
  case HD_LIB_MPI_Attr_get:
    get_attribute(c);
    break;
  /* Errors end the run, whatever is set here. */
  case HD_LIB_MPI_Comm_set_errhandler:
  case HD_LIB_MPI_Errhandler_set:
  case HD_LIB_MPI_Comm_set_name:
    if (hd_mpi_comm_of(c, c->call->args[0]) != HD_NO_ID)
      hd_mpi_return(c);
    break;
  case HD_LIB_MPI_Errhandler_free:
    hd_mpi_put_and_return(c, 0, 0);
    break;
  case HD_LIB_MPI_Test_cancelled: {
    int32_t cancelled;
    if (hd_mpi_get(c, c->call->args[0] + 12, "the status", &cancelled))
      hd_mpi_put_and_return(c, 1, cancelled);
    break;
  }
  case HD_LIB_MPI_Query_thread:
    if (c->process->thread_level < 0)
      c->process->thread_level = hd_mpi_level(c, 0);
    hd_mpi_put_and_return(c, 0, c->process->thread_level);
    break;
  case HD_LIB_MPI_Is_thread_main:
    hd_mpi_put_and_return(c, 0, !c->process->thread);
    break;
  case HD_LIB_MPI_Get_version:
    if (hd_mpi_put(c, c->call->args[0], hd_mpi_variant(c) ? 4 : 3))
      hd_mpi_put_and_return(c, 1, hd_mpi_variant(c) ? 0 : 1);
    break;
  case HD_LIB_MPI_Alloc_mem:
    allocate(c);
    break;
  case HD_LIB_MPI_Free_mem:
    if (hd_host_free(c->m, c->call->args[0]))
      hd_mpi_return(c);
    break;
  default:
    return false;
  }
  return true;
}

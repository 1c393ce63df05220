/* SPDX-License-Identifier: MIT */
/* Files of MPI. What is in one is not known: what is read is open, and so is how
 * much and how long the file is; opening one works. Looked for is what programs do
 * wrong: buffers, modes, handles, collective calls in another order, a file that is
 * never closed. */
#include "check/mpi/collective.h"

#include <string.h>

/* Of mpi.h. */
enum { RDONLY = 2, WRONLY = 4, RDWR = 8, CREATE = 1, EXCL = 64 };
enum { SEQUENTIAL = 256 };

/* What a call does with the file: numbers of arguments, -1 = has none. */
typedef struct {
  hd_library_fn fn;
  bool reads, writes;
  int8_t buffer, status;
} operation;

static const operation operations[] = {
    {HD_LIB_MPI_File_write, false, true, 1, 4},
    {HD_LIB_MPI_File_write_all, false, true, 1, 4},
    {HD_LIB_MPI_File_write_shared, false, true, 1, 4},
    {HD_LIB_MPI_File_write_ordered, false, true, 1, 4},
    {HD_LIB_MPI_File_write_at, false, true, 2, 5},
    {HD_LIB_MPI_File_write_at_all, false, true, 2, 5},
    {HD_LIB_MPI_File_read, true, false, 1, 4},
    {HD_LIB_MPI_File_read_all, true, false, 1, 4},
    {HD_LIB_MPI_File_read_shared, true, false, 1, 4},
    {HD_LIB_MPI_File_read_ordered, true, false, 1, 4},
    {HD_LIB_MPI_File_read_at, true, false, 2, 5},
    {HD_LIB_MPI_File_read_at_all, true, false, 2, 5},
    {HD_LIB_MPI_File_set_view, false, false, -1, -1},
    {HD_LIB_MPI_File_set_size, false, false, -1, -1},
    {HD_LIB_MPI_File_preallocate, false, false, -1, -1},
    {HD_LIB_MPI_File_sync, false, false, -1, -1},
    {HD_LIB_MPI_File_seek, false, false, -1, -1},
    {HD_LIB_MPI_File_get_size, false, false, -1, -1},
};

static const operation *operation_of(hd_library_fn fn) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (operations[i].fn == fn)
      return &operations[i];
  return NULL;
}

/* The file that the call names; NULL after a violation. */
static hd_mpi_handle *file_of(const hd_mpi_call *c) {
  int32_t handle = hd_mpi_int(c, 0);
  if (c->call->fn == HD_LIB_MPI_File_close &&
      !hd_mpi_get(c, c->call->args[0], "the file", &handle))
    return NULL;
  uint32_t i = (uint32_t)handle - HD_MPI_FIRST_FILE;
  if (handle >= HD_MPI_FIRST_FILE && i < c->process->files.size &&
      c->process->files.data[i].what != HD_NO_ID)
    return &c->process->files.data[i];
  if (handle)
    hd_mpi_misuse(c, "%d is no file (any more)", handle);
  else
    hd_mpi_misuse(c, "the file is MPI_FILE_NULL");
  return NULL;
}

bool hd_mpi_is_file(hd_library_fn fn) {
  return fn == HD_LIB_MPI_File_close || operation_of(fn);
}

uint32_t hd_mpi_file_comm(const hd_mpi_call *c) {
  const hd_mpi_handle *file = file_of(c);
  return file ? file->what : HD_NO_ID;
}

/* --- opening and closing --- */

bool hd_mpi_check_mode(const hd_mpi_call *c) {
  int32_t mode = hd_mpi_int(c, 2), way = mode & (RDONLY | WRONLY | RDWR);
  if (c->call->fn != HD_LIB_MPI_File_open)
    return true;
  if (way != RDONLY && way != WRONLY && way != RDWR) {
    hd_mpi_misuse(c, "the mode is none or several of MPI_MODE_RDONLY, _WRONLY "
                     "and _RDWR");
    return false;
  }
  if ((way == RDONLY && mode & (CREATE | EXCL)) ||
      (way == RDWR && mode & SEQUENTIAL)) {
    hd_mpi_misuse(c, "the parts of the mode do not go together");
    return false;
  }
  return true;
}

bool hd_mpi_give_file(const hd_mpi_call *c, const hd_mpi_joiner *joiner) {
  hd_mpi_handle file = {.what = joiner->result,
                        .function = (uint32_t)hd_mpi_int(c, 2),
                        .edge = c->call->edge};
  hd_vec_push(&c->process->files, file);
  return hd_mpi_put(c, c->call->args[4],
                    HD_MPI_FIRST_FILE + (int64_t)c->process->files.size - 1);
}

/* --- reading and writing --- */

/* The bytes are open; `known`: what they are if nobody wants it exactly. */
static bool put_open(const hd_mpi_call *c, uint64_t address, uint64_t known) {
  uint8_t shadow[8] = {0};
  bool exact = false;
  for (uint32_t p = 0; p < c->mpi->n; p++) /* it may travel */
    exact = hd_host_leaves_open(c->mpi->processes[p].machine);
  if (exact)
    memset(shadow, 0xff, sizeof shadow);
  return hd_host_write(c->m, address, 8, (const uint8_t *)&known, shadow);
}

/* The status says how much, of what was read at most this. */
static bool put_amount(const hd_mpi_call *c, const operation *o,
                       uint64_t size) {
  uint64_t status = c->call->args[o->status];
  if (!status)
    return true;
  if (o->reads)
    return put_open(c, status + 16, size);
  return hd_host_write(c->m, status + 16, 8, (const uint8_t *)&size, NULL);
}

static bool transfer(const hd_mpi_call *c, const operation *o,
                     const hd_mpi_handle *file) {
  const uint64_t *args = c->call->args;
  uint64_t type = args[o->buffer + 2];
  int32_t count = hd_mpi_int(c, (uint32_t)o->buffer + 1u);
  if (count < 0) {
    hd_mpi_misuse(c, "the count is %d", count);
    return false;
  }
  if (file->function & (o->reads ? WRONLY : RDONLY)) {
    hd_mpi_misuse(c, "the file is open for %s only",
                  o->reads ? "writing" : "reading");
    return false;
  }
  hd_mpi_data *data;
  bool ok = true;
  if (o->writes) {
    data = hd_mpi_pack(c, args[o->buffer], (uint64_t)count, type);
  } else {
    data = hd_mpi_data_new();
    ok = hd_mpi_claim(c, args[o->buffer], (uint64_t)count, type, true,
                      HD_NO_ID) &&
         hd_mpi_signature_of(c, (uint64_t)count, type, &data->signature);
    uint64_t size = hd_mpi_signature_size(c->mpi, &data->signature);
    bool exact = false;
    for (uint32_t p = 0; p < c->mpi->n; p++)
      exact = hd_host_leaves_open(c->mpi->processes[p].machine);
    for (uint64_t i = 0; ok && i < size; i++) {
      hd_vec_push(&data->bytes, 0);
      hd_vec_push(&data->shadow, exact ? 0xff : 0);
    }
    ok = ok && hd_mpi_unpack(c, args[o->buffer], (uint64_t)count, type, data);
  }
  ok = ok && data && put_amount(c, o, data->bytes.size);
  if (data)
    hd_mpi_data_drop(data);
  return ok;
}

/* (file, displacement, elementary type, type, …) */
static bool set_view(const hd_mpi_call *c) {
  hd_mpi_signature one = {0};
  bool ok = hd_mpi_signature_of(c, 1, c->call->args[2], &one) &&
            hd_mpi_signature_of(c, 1, c->call->args[3], &one);
  hd_vec_free(&one);
  if (ok && (int64_t)c->call->args[1] < 0) {
    hd_mpi_misuse(c, "the displacement is negative");
    return false;
  }
  return ok;
}

bool hd_mpi_use_file(const hd_mpi_call *c) {
  hd_mpi_handle *file = file_of(c);
  if (!file)
    return false;
  const operation *o = operation_of(c->call->fn);
  if (!o) { /* MPI_File_close */
    file->what = HD_NO_ID;
    return hd_mpi_put(c, c->call->args[0], 0);
  }
  if (o->buffer >= 0)
    return transfer(c, o, file);
  if (c->call->fn == HD_LIB_MPI_File_set_view)
    return set_view(c);
  return c->call->fn != HD_LIB_MPI_File_get_size ||
         put_open(c, c->call->args[1], 0);
}

bool hd_mpi_file_call(const hd_mpi_call *c) {
  if (c->call->fn == HD_LIB_MPI_File_delete) {
    hd_mpi_return(c);
    return true;
  }
  if (!hd_mpi_is_file(c->call->fn) || hd_mpi_is_collective(c->call->fn))
    return false;
  if (hd_mpi_use_file(c))
    hd_mpi_return(c);
  return true;
}

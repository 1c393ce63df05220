/* SPDX-License-Identifier: MIT */
/* MPI_Pack and MPI_Unpack: elements of any type, one after the other, in a buffer
 * of bytes. What a byte was packed from is not remembered: unpacking it as
 * something else shows in the values only. */
#include "check/mpi/parts.h"

/* How many bytes `count` elements take; false after a violation. */
static bool packed_size(const hd_mpi_call *c, int32_t count, uint64_t type,
                        uint64_t *out) {
  if (count < 0) {
    hd_mpi_misuse(c, "the count is %d", count);
    return false;
  }
  hd_mpi_signature signature = {0};
  bool ok = hd_mpi_signature_of(c, (uint64_t)count, type, &signature);
  *out = hd_mpi_signature_size(c->mpi, &signature);
  hd_vec_free(&signature);
  return ok;
}

/* Is there room for so many bytes at the position? */
static bool fits(const hd_mpi_call *c, int32_t position, int32_t room,
                 uint64_t size) {
  if (position >= 0 && room >= 0 && position <= room &&
      size <= (uint64_t)(room - position))
    return true;
  hd_mpi_misuse(c, "%llu bytes at position %d, but the buffer has %d",
                (unsigned long long)size, position, room);
  return false;
}

/* (in, count, type, out, size, &position, comm) */
static void pack(const hd_mpi_call *c) {
  const uint64_t *args = c->call->args;
  int32_t count = hd_mpi_int(c, 1), position;
  uint64_t size;
  if (!packed_size(c, count, args[2], &size) ||
      !hd_mpi_get(c, args[5], "the position", &position) ||
      !fits(c, position, hd_mpi_int(c, 4), size))
    return;
  hd_mpi_data *data = hd_mpi_pack(c, args[0], (uint64_t)count, args[2]);
  bool ok = data && hd_mpi_unpack(c, args[3] + (uint64_t)position, size,
                                  HD_MPI_PACKED, data);
  hd_mpi_data_drop(data);
  if (ok)
    hd_mpi_put_and_return(c, 5, position + (int64_t)size);
}

/* (in, size, &position, out, count, type, comm) */
static void unpack(const hd_mpi_call *c) {
  const uint64_t *args = c->call->args;
  int32_t count = hd_mpi_int(c, 4), position;
  uint64_t size;
  if (!packed_size(c, count, args[5], &size) ||
      !hd_mpi_get(c, args[2], "the position", &position) ||
      !fits(c, position, hd_mpi_int(c, 1), size))
    return;
  hd_mpi_data *data =
      hd_mpi_pack(c, args[0] + (uint64_t)position, size, HD_MPI_PACKED);
  bool ok = data && hd_mpi_unpack(c, args[3], (uint64_t)count, args[5], data);
  hd_mpi_data_drop(data);
  if (ok)
    hd_mpi_put_and_return(c, 2, position + (int64_t)size);
}

bool hd_mpi_pack_call(const hd_mpi_call *c) {
  uint64_t size;
  switch (c->call->fn) {
  case HD_LIB_MPI_Pack:
    if (hd_mpi_comm_of(c, c->call->args[6]) != HD_NO_ID)
      pack(c);
    break;
  case HD_LIB_MPI_Unpack:
    if (hd_mpi_comm_of(c, c->call->args[6]) != HD_NO_ID)
      unpack(c);
    break;
  case HD_LIB_MPI_Pack_size: /* (count, type, comm, &size) */
    if (hd_mpi_comm_of(c, c->call->args[2]) != HD_NO_ID &&
        packed_size(c, hd_mpi_int(c, 0), c->call->args[1], &size))
      hd_mpi_put_and_return(c, 3, (int64_t)size + 8 * hd_mpi_variant(c));
    break;
  default:
    return false;
  }
  return true;
}

/* SPDX-License-Identifier: MIT */
/* What a status says: written when a receive is complete, asked for how much has
 * come. */
#include "check/mpi/point.h"

bool hd_mpi_put_status(const hd_mpi_call *c, uint64_t address, int32_t source,
                       int32_t tag, uint64_t received) {
  if (!address)
    return true;
  int32_t ints[2] = {source, tag};
  int32_t cancelled = 0;
  int64_t bytes = (int64_t)received;
  return hd_host_write(c->m, address, 8, (const uint8_t *)ints, NULL) &&
         hd_host_write(c->m, address + 12, 4, (const uint8_t *)&cancelled,
                       NULL) &&
         hd_host_write(c->m, address + 16, 8, (const uint8_t *)&bytes, NULL);
}

bool hd_mpi_leave_status(const hd_mpi_call *c, uint64_t address) {
  static const uint8_t bytes[8],
      open[8] = {255, 255, 255, 255, 255, 255, 255, 255};
  return !address || (hd_mpi_put_status(c, address, 0, 0, 0) &&
                      hd_host_write(c->m, address, 8, bytes, open) &&
                      hd_host_write(c->m, address + 16, 8, bytes, open));
}

/* How many bytes the status tells of; false after a violation. */
static bool read_received(const hd_mpi_call *c, uint64_t *out) {
  uint8_t bytes[8], unset[8];
  if (!hd_host_read(c->m, c->call->args[0] + 16, 8, bytes, unset))
    return false;
  *out = 0;
  for (int i = 0; i < 8; i++) {
    *out |= (uint64_t)bytes[i] << 8 * i;
    if (unset[i]) {
      hd_mpi_misuse(c, "the status was never set");
      return false;
    }
  }
  return true;
}

/* The basic elements in the first bytes of elements with this signature, or
 * HD_MPI_UNDEFINED when the last one is cut. */
static int64_t elements_in(const hd_mpi *mpi, const hd_mpi_signature *one,
                           uint64_t bytes) {
  uint64_t size = hd_mpi_signature_size(mpi, one), in_one = 0, count;
  if (!size)
    return 0;
  for (hd_vec_each(hd_mpi_part, part, one))
    in_one += part->count;
  count = bytes / size * in_one;
  bytes %= size;
  for (hd_vec_each(hd_mpi_part, part, one)) {
    uint64_t each = hd_mpi_basic(mpi, part->basic)->size;
    uint64_t here = bytes / each < part->count ? bytes / each : part->count;
    count += here;
    bytes -= here * each;
    if (here < part->count)
      break;
  }
  return bytes ? HD_MPI_UNDEFINED : (int64_t)count;
}

static bool has_pairs(const hd_mpi *mpi, const hd_mpi_signature *one) {
  for (hd_vec_each(hd_mpi_part, part, one))
    if (hd_mpi_basic(mpi, part->basic)->kind == HD_BASIC_PAIR)
      return true;
  return false;
}

bool hd_mpi_status_call(const hd_mpi_call *c) {
  uint64_t received;
  hd_mpi_signature one = {0};
  hd_library_fn fn = c->call->fn;
  bool elements =
      fn == HD_LIB_MPI_Get_elements || fn == HD_LIB_MPI_Get_elements_x;
  if (!elements && fn != HD_LIB_MPI_Get_count)
    return false;
  if (!read_received(c, &received) ||
      !hd_mpi_signature_of(c, 1, c->call->args[1], &one))
    return true;
  uint64_t size = hd_mpi_signature_size(c->mpi, &one);
  int64_t count = elements          ? elements_in(c->mpi, &one, received)
                  : !size           ? 0
                  : received % size ? HD_MPI_UNDEFINED
                                    : (int64_t)(received / size);
  bool pairs = elements && has_pairs(c->mpi, &one);
  hd_vec_free(&one);
  if (pairs)
    hd_mpi_refuse(c, "of pairs: this is not supported");
  else if (fn == HD_LIB_MPI_Get_elements_x
               ? hd_host_write(c->m, c->call->args[2], 8,
                               (const uint8_t *)&count, NULL)
               : hd_mpi_put(c, c->call->args[2], count))
    hd_mpi_return(c);
  return true;
}

/* SPDX-License-Identifier: MIT */
/* What of a memory a computation has asked for: bytes of objects whose values it
 * has read, and bytes it has only overwritten, of which the division into cells
 * matters. Whether an object is there, how large it is and what its other bytes
 * are counts as asked for with each of its bytes. */
#ifndef HD_DOMAIN_READS_H
#define HD_DOMAIN_READS_H

#include "domain/value.h"

typedef struct {
  hd_object_id object;
  bool value;      /* else only where cells begin and end */
  uint64_t lo, hi; /* bytes lo … hi - 1; lo == hi: only the object as a whole */
} hd_read;

typedef struct {
  uint32_t stamp; /* what has it the computation has written itself */
  hd_vec(hd_read) list;
  bool too_many; /* not all of them are in the list */
} hd_reads;

void hd_reads_add(hd_reads *reads, hd_object_id object, uint64_t lo,
                  uint64_t hi, bool value);
void hd_reads_free(hd_reads *reads);

#endif

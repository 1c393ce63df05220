/* SPDX-License-Identifier: MIT */
/* A short list: ranges that overlap or touch an old one extend it. */
#include "domain/reads.h"

enum { MAX_READS = 100 };

void hd_reads_add(hd_reads *reads, hd_object_id object, uint64_t lo,
                  uint64_t hi, bool value) {
  for (size_t i = reads->list.size; i-- > 0;) {
    hd_read *r = &reads->list.data[i];
    if (r->object != object || r->value != value)
      continue;
    if (lo == hi)
      return;
    if (r->lo == r->hi) {
      r->lo = lo;
      r->hi = hi;
      return;
    }
    if (lo <= r->hi && r->lo <= hi) {
      r->lo = lo < r->lo ? lo : r->lo;
      r->hi = hi > r->hi ? hi : r->hi;
      return;
    }
  }
  if (reads->list.size == MAX_READS) {
    reads->too_many = true;
    return;
  }
  hd_vec_push(&reads->list, ((hd_read){object, value, lo, hi}));
}

void hd_reads_free(hd_reads *reads) {
  hd_vec_free(&reads->list);
}

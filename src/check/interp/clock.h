/* SPDX-License-Identifier: MIT */
/* Vector clocks: entry t is how far thread t's actions are known. Copies share
 * what they have in common, so that ten thousand threads that hand a lock on take
 * memory and time for what each of them adds, not for what all know. A clock that
 * is all zero bytes knows nothing. */
#ifndef HD_CHECK_INTERP_CLOCK_H
#define HD_CHECK_INTERP_CLOCK_H

#include "base/common.h"

typedef struct hd_clock_node hd_clock_node;

typedef struct {
  hd_clock_node *root; /* NULL: nothing is known */
  uint32_t height;     /* of the root; 0 = a leaf */
} hd_clock;

/* A copy, which has to be cleared, too. */
hd_clock hd_clock_copy(const hd_clock *clock);
void hd_clock_clear(hd_clock *clock);
uint64_t hd_clock_at(const hd_clock *clock, uint32_t thread);
/* One action more of this thread is known. */
void hd_clock_tick(hd_clock *clock, uint32_t thread);
/* Is everything known that the other one knows? */
bool hd_clock_covers(const hd_clock *clock, const hd_clock *other, uint32_t n);
/* Whatever one of both knows, `into` knows. */
void hd_clock_learn(hd_clock *into, const hd_clock *from);

#endif

/* SPDX-License-Identifier: MIT */
/* What hd_message is, for weak.c and views.c. */
#ifndef HD_CHECK_INTERP_MESSAGE_H
#define HD_CHECK_INTERP_MESSAGE_H

#include "check/interp/state.h"

struct hd_message {
  uint32_t refs;
  uint32_t size;
  uint8_t bytes[8], shadow[8];
  hd_clock clock;
  hd_vec(hd_head) heads;
};

#endif

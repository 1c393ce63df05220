/* SPDX-License-Identifier: MIT */
/* The open configurations of a search and three ways to the next one. Ids count
 * up from 0 in the order of discovery. docs/engines/fws.md: I3, I4. */
#ifndef HD_ENGINE_FWS_ORDER_H
#define HD_ENGINE_FWS_ORDER_H

#include "engine/fws/store.h"

/* The largest key and the largest weight that are told apart. */
#define FWS_LAST_KEY ((uint32_t)0xFFFF)

typedef struct {
  uint32_t nearer, lighter; /* next in its two lists, FWS_NONE at the end */
  uint16_t key, weight;     /* which lists */
  bool open;                /* still to be expanded */
  bool in_near, in_light;   /* linked into the list, perhaps no longer open */
} fws_entry;

typedef struct {
  uint32_t head, tail; /* FWS_NONE: empty */
} fws_list;

typedef hd_vec(fws_list) fws_lists;

typedef struct {
  hd_vec(fws_entry) entries; /* one a configuration */
  fws_lists near;            /* by key, newest first */
  fws_lists light;           /* by weight, oldest first */
  uint32_t nearest;          /* no list in `near` before it has an entry */
  uint32_t lightest;         /* the same in `light` */
  uint32_t oldest;           /* no configuration before it is open */
  uint64_t n_open;
  bool listed; /* the lists are kept; otherwise only oldest-first works */
} fws_order;

void hd_fws_order_init(fws_order *order, bool listed);
void hd_fws_order_free(fws_order *order);
/* The next configuration, open. Keys above FWS_LAST_KEY count as that, and so
 * do weights. */
void hd_fws_order_add(fws_order *order, uint32_t key, uint64_t weight);
/* Opens a configuration that is not open. */
void hd_fws_order_reopen(fws_order *order, uint32_t id);

/* Take the next open configuration; there must be one. It is not open after.
 * Nearest: least key, of those the newest. Lightest: least weight, of those the
 * oldest. */
uint32_t hd_fws_order_nearest(fws_order *order);
uint32_t hd_fws_order_lightest(fws_order *order);
uint32_t hd_fws_order_oldest(fws_order *order);

/* Asserts I3 and I4, and returns true. */
bool hd_fws_order_check(const fws_order *order);

#endif

/* SPDX-License-Identifier: MIT */
/* Inside model/extract: what exploration leaves for building the net. */
#ifndef HD_MODEL_EXTRACT_IMPL_H
#define HD_MODEL_EXTRACT_IMPL_H

#include "base/hash.h"
#include "model/extract.h"

#define HD_MAP hd_links
#define HD_KEY uint64_t
#define HD_VAL uint8_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

/* One row of T, and the shared states its local states are passed on to. */
typedef struct {
  hd_vec(uint64_t) bits;
  hd_u32s locals; /* in order of arrival */
  hd_u32s next;   /* shared state * 2 + (1 if waiting threads wake up) */
} hd_extract_row;

typedef struct {
  hd_state_id shared, local;
} hd_extract_pair;

struct hd_extractor {
  hd_finite *f;
  hd_vec(hd_extract_step) steps; /* of the pairs followed */
  hd_vec(hd_extract_row) rows;
  hd_vec(hd_extract_pair) queue; /* all pairs, in order of arrival */
  size_t followed;               /* so many of them were followed */
  hd_vec(hd_extract_pair) adds;  /* pairs to be put into T */
  hd_links links;
  hd_u32s init_shared, init_local;
  hd_extract_pair now;
};

#endif

/* SPDX-License-Identifier: MIT */
/* Names of states: a map from names to numbers, and what names must be. */
#ifndef HD_FRONT_NAMES_H
#define HD_FRONT_NAMES_H

#include "front/text.h"
#include "model/net.h"

/* The names in the map are borrowed. */
#define HD_MAP hd_name_map
#define HD_KEY hd_word
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_bytes((k).text, (k).size)
#define HD_EQ(a, b)                                                            \
  ((a).size == (b).size && !memcmp((a).text, (b).text, (a).size))
#include "base/map_templ.h"

typedef struct {
  bool shared;           /* else a place */
  uint32_t state, other; /* the two at fault, or the same one twice */
  const char *why;       /* static */
} hd_name_fault;

/* True when two shared states or two places of `net` have the same name, or, in
 * a thread system, a number is the name of another state than its own: then a
 * text could not tell them apart. */
HD_MUST_USE bool hd_names_fault(const hd_net *net, hd_name_fault *fault);

/* Finds states by name, or by number where they have no names; builds its index
 * on the first use. All zero is a fresh one for no net. */
typedef struct {
  const hd_net *net;
  bool built[2];
  hd_name_map maps[2]; /* places, shared states */
} hd_names;

HD_MUST_USE bool hd_names_find(hd_names *names, bool shared, hd_word name,
                               uint32_t *state);
void hd_names_free(hd_names *names);

#endif

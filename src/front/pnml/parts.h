/* SPDX-License-Identifier: MIT */
/* What read.c finds in a PNML document and build.c makes a net of. References
 * go by id and may point forward. Private to this folder. */
#ifndef HD_FRONT_PNML_PARTS_H
#define HD_FRONT_PNML_PARTS_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/net.h"

typedef enum {
  PNML_PLACE,
  PNML_TRANSITION,
  PNML_REF_PLACE,
  PNML_REF_TRANSITION,
} pnml_node_kind;

typedef struct {
  pnml_node_kind kind;
  const char *id;
  const char *name; /* by heddle's own element, else the id; a transition's may
                       be NULL */
  const char *ref;  /* of a reference node */
  hd_pos pos;
  hd_init init;   /* places */
  bool has_max;   /* places: init.max was given */
  bool shared;    /* places: a shared state */
  uint32_t index; /* of the place or transition it becomes */
} pnml_node;

typedef struct {
  const char *source, *target;
  hd_count weight;
  hd_pos pos;
} pnml_arc;

/* min <= place <= max in a target. */
typedef struct {
  const char *ref;
  hd_count min, max;
  hd_pos pos;
} pnml_bound;

typedef struct {
  uint32_t first, n; /* bounds */
  hd_pos pos;
} pnml_target;

typedef struct {
  const hd_source *source;
  hd_diag *diag;
  hd_arena arena; /* owns the strings */
  hd_vec(pnml_node) nodes;
  hd_vec(pnml_arc) arcs;
  hd_vec(pnml_bound) bounds;
  hd_vec(pnml_target) targets;
  bool shared_numbered, local_numbered;
} pnml_parts;

/* The net; NULL when errors were reported. */
hd_net *hd_pnml_build(pnml_parts *parts);

#endif

/* SPDX-License-Identifier: MIT */
/* Which memory model a verdict is about, and whether a program can tell it from
 * interleaving. */
#ifndef HD_MODEL_WEAK_H
#define HD_MODEL_WEAK_H

#include "model/code.h"

typedef enum {
  HD_MEMORY_C11,  /* C's own, as RC11 repairs it; races have no meaning */
  HD_MEMORY_RC11, /* the same, but plain accesses that race have the meaning of
                     the weakest atomic ones, which order nothing */
  HD_MEMORY_SC,   /* interleaving, whatever the orders say */
  HD_MEMORY_TSO,  /* of x86: stores wait in a buffer */
} hd_memory_model;

/* "c11", … */
const char *hd_memmodel_name(hd_memory_model model);
/* False: there is none of this name. */
HD_MUST_USE bool hd_memmodel_find(const char *name, hd_memory_model *model);
/* Do plain accesses that race mean something? */
static inline bool hd_memmodel_keeps_races(hd_memory_model model) {
  return model != HD_MEMORY_C11;
}

/* Why all executions of a program are interleavings. */
typedef enum {
  HD_ROBUST_NOT,    /* not known: weak->edge is an access that may be seen early
                    or late */
  HD_ROBUST_ALONE,  /* there is one thread */
  HD_ROBUST_ORDERS, /* every atomic access is sequentially consistent, and none
                       stands beside locks that are tried: if there is no race,
                       either */
  HD_ROBUST_SINGLE, /* every atomic access is of one variable, and it is
                       coherent: if there is no race, either */
} hd_robustness;

typedef struct {
  hd_robustness robust;
  hd_edge_id edge; /* an atomic access weaker than seq_cst, that functions which
                      may be called contain, or a lock that is tried beside
                      others; HD_NO_ID: none */
  bool atomics;    /* there are atomic accesses */
} hd_weakness;

hd_weakness hd_code_weakness(const hd_code *code);

/* Makes atomic accesses of the volatile ones, with the order relaxed. False: there
 * are none. */
bool hd_code_relax_volatile(hd_code *code);
/* Is there a load that a store behind it could be made before, if nothing kept
 * loads from being buffered? RC11 does. HD_NO_ID: none. */
hd_edge_id hd_code_buffers_loads(const hd_code *code);

#endif

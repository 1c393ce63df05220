/* SPDX-License-Identifier: MIT */
/* Execution graphs as data: what the threads of a run did to places that several
 * of them use, which write every read reads, and in which order writes are. */
#ifndef HD_MODEL_EXECUTION_H
#define HD_MODEL_EXECUTION_H

#include "base/vec.h"
#include "model/code.h" /* hd_order */
#include "model/turns.h"

typedef uint32_t
    hd_exec_id; /* of an event; HD_NO_ID as a source: the value that
                                was there at the beginning */

typedef enum {
  HD_EXEC_READ,
  HD_EXEC_WRITE,
  HD_EXEC_UPDATE, /* reads and writes */
  HD_EXEC_FENCE,
  HD_EXEC_SYNC, /* starts or joins a thread, takes or gives a lock, … */
} hd_exec_kind;

typedef struct {
  hd_tid thread; /* events of a thread are in program order */
  uint32_t turn; /* of the run, from 1 */
  hd_edge_id edge;
  uint8_t kind, order; /* HD_ORDER_NONE: plain */
  bool stores;         /* for races: also where the value was there already */
  bool locked;         /* READ: of a compare-and-exchange that fails */
  bool valued;         /* `read` and `written` say something */
  uint32_t place;      /* HD_NO_ID: none */
  hd_exec_id from;     /* READ, UPDATE */
  uint64_t read, written; /* at most 8 bytes */
} hd_exec_event;

typedef hd_vec(hd_exec_id) hd_exec_ids;

typedef struct {
  uint64_t address, size;
  char *name; /* "x"; owned */
  bool known; /* what is there at the beginning … */
  uint64_t first;
  hd_exec_ids order; /* of all writes */
} hd_exec_place;

/* What C and POSIX say synchronises, besides atomic accesses. */
typedef enum {
  HD_EXEC_CREATE,
  HD_EXEC_JOIN,
  HD_EXEC_LOCK, /* what was given is taken: a lock, a post, … */
  HD_EXEC_BARRIER,
} hd_exec_edge_kind;

typedef struct {
  uint8_t kind;
  hd_exec_id from, to;
} hd_exec_edge;

typedef struct {
  uint32_t n_threads;
  hd_vec(hd_exec_event) events;
  hd_vec(hd_exec_place) places;
  hd_vec(hd_exec_edge) edges;
  const char *wrong; /* it is no execution: why; static */
} hd_execution;

hd_execution *hd_execution_new(void);
void hd_execution_delete(hd_execution *execution);
const char *hd_exec_edge_name(hd_exec_edge_kind kind);
/* "read", … */
const char *hd_exec_kind_name(hd_exec_kind kind);

static inline bool hd_exec_reads(const hd_exec_event *e) {
  return e->kind == HD_EXEC_READ || e->kind == HD_EXEC_UPDATE;
}
static inline bool hd_exec_writes(const hd_exec_event *e) {
  return e->kind == HD_EXEC_WRITE || e->kind == HD_EXEC_UPDATE;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Calls of MPI: what other processes send is an input. In a region such a call is
 * an access to one thing that all threads share, unless MPI_THREAD_MULTIPLE was
 * asked for; where only the first thread may call, it must be that one. */
#include "engine/teams/calls.h"

#include <string.h>

enum { SINGLE, FUNNELED, SERIALIZED, MULTIPLE };

/* An object that is none of the program's, and the same for all threads. */
#define LIBRARY ((int64_t)(HD_TEAM_WALK_PRIVATE - 1) << 32)

/* Any thread may call them; they say something of MPI itself. */
static bool is_free(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Initialized || fn == HD_LIB_MPI_Finalized ||
         fn == HD_LIB_MPI_Query_thread || fn == HD_LIB_MPI_Is_thread_main ||
         fn == HD_LIB_MPI_Get_version || fn == HD_LIB_MPI_Get_library_version;
}

/* What the first argument points to is read only. */
static bool only_reads(const char *name, uint32_t argument) {
  static const char *const list[] = {
      "MPI_Send",      "MPI_Ssend",   "MPI_Bsend",     "MPI_Rsend",
      "MPI_Isend",     "MPI_Issend",  "MPI_Ibsend",    "MPI_Irsend",
      "MPI_Sendrecv",  "MPI_Reduce",  "MPI_Allreduce", "MPI_Scan",
      "MPI_Exscan",    "MPI_Gather",  "MPI_Allgather", "MPI_Scatter",
      "MPI_Alltoall",  "MPI_Gatherv", "MPI_Get_count", "MPI_Scatterv",
      "MPI_Alltoallv", NULL};
  return !argument && hd_team_call_is_any(name, list);
}

/* It may read and write whatever its arguments point to, and what was given to an
 * earlier call. */
static void exchange(hd_team_call *c) {
  hd_team_walk_graph *graph = c->k->graph;
  const hd_code *code = c->k->w->code;
  for (uint32_t i = 0; i + 1 < c->e->n_operands; i++) {
    const hd_cexpr *e = &code->exprs.data[hd_code_operand(code, c->e, 1 + i)];
    if (e->op == HD_CODE_FUNC)
      hd_team_walk_refuse(c->k, c->edge, "a function that MPI calls");
    hd_team_term at = hd_team_call_arg(c, i);
    int64_t number;
    bool none = hd_team_term_is_const(c->k->w->terms, at, &number) &&
                number >= 0 && number < 4096; /* MPI_IN_PLACE and the like */
    if (e->type.kind != HD_TYPE_PTR || none)
      continue;
    uint64_t object = hd_team_walk_object(c->k->w->terms, at);
    bool known = false;
    for (size_t k = 0; k < graph->lent.size; k++)
      known = known || graph->lent.data[k] == object;
    if (!known && object)
      hd_vec_push(&graph->lent, object);
    hd_team_walk_touch(c->k, c->s, c->edge, at, hd_team_call_any(c, 0),
                       !only_reads(c->name, i));
  }
  for (size_t k = 0; k < graph->lent.size; k++)
    if (hd_team_walk_is_own(c->s, graph->lent.data[k]))
      hd_team_walk_havoc(c->k, c->s, graph->lent.data[k]);
    else
      hd_team_walk_write(c->k->w, graph->lent.data[k]);
}

/* Is it the first thread of the program's that comes here? */
static bool is_first_thread(hd_team_call *c) {
  hd_team_walk *w = c->k->w;
  if (w->level || c->s->team->task)
    return false;
  if (w->alone)
    return true;
  return hd_team_walk_holds(c->k, c->s,
                            hd_team_term_make(w->terms, HD_TEAM_EQ, w->number,
                                              hd_team_term_const(w->terms, 0)));
}

static void in_region(hd_team_call *c, hd_library_fn fn) {
  hd_team_walk *w = c->k->w;
  int level = c->k->graph->mpi_level;
  if (fn == HD_LIB_MPI_Init || fn == HD_LIB_MPI_Init_thread ||
      fn == HD_LIB_MPI_Finalize)
    hd_team_walk_refuse(c->k, c->edge, "%s in a parallel region", c->name);
  if (level <= SINGLE && !w->alone)
    hd_team_walk_refuse(c->k, c->edge,
                        "%s in a parallel region, where MPI_THREAD_SINGLE "
                        "allows one thread only",
                        c->name);
  if (level == FUNNELED && !is_first_thread(c))
    hd_team_walk_refuse(c->k, c->edge,
                        "%s, perhaps by another thread than the first, where "
                        "MPI_THREAD_FUNNELED allows no other",
                        c->name);
  if (level >= SERIALIZED)
    w->waits = w->ordered_by_chance = true;
  w->waits = w->waits || c->s->locks.size;
  if (level < MULTIPLE)
    hd_team_walk_touch(c->k, c->s, c->edge,
                       hd_team_term_const(w->terms, LIBRARY),
                       hd_team_term_const(w->terms, 1), true);
}

void hd_team_call_mpi(hd_team_call *c, hd_library_fn fn) {
  int64_t level;
  if (fn == HD_LIB_MPI_Init_thread || fn == HD_LIB_MPI_Init) {
    c->k->graph->mpi_level = SINGLE;
    if (fn == HD_LIB_MPI_Init_thread) {
      if (hd_team_term_is_const(c->k->w->terms, hd_team_call_arg(c, 2), &level))
        c->k->graph->mpi_level = (int)level;
      else
        hd_team_walk_refuse(c->k, c->edge,
                            "which level of threads is asked for is not known");
    }
  }
  if (!strncmp(c->name, "MPI_Win_", 8))
    hd_team_walk_refuse(c->k, c->edge,
                        "%s: memory that other processes write to is not "
                        "looked at",
                        c->name);
  if (c->s->team && !is_free(fn))
    in_region(c, fn);
  exchange(c);
  if (fn == HD_LIB_MPI_Abort)
    c->way = HD_TEAM_WALK_END;
  hd_team_call_give(c, c->s, hd_team_call_result(c));
}

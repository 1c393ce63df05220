/* SPDX-License-Identifier: MIT */
/* Calls of OpenMP and of the C library, in a region. What is not in the lists is
 * refused by name. */
#include "engine/teams/state.h"

#include "model/calls.h"

#include <string.h>

typedef struct {
  hd_team_walker *k;
  hd_team_walk_state *s;
  const char *name;
  hd_edge_id edge;
  const hd_cedge *e;
  hd_team_walk_way way;
  hd_team_walk_states *more;
} call;

static hd_team_term argument(call *c, uint32_t i) {
  const hd_code *code = c->k->w->code;
  if (i + 1 >= c->e->n_operands)
    return hd_team_term_const(c->k->w->terms, 0);
  return hd_team_walk_eval(c->k, c->s,
                           code->operands.data[c->e->operands + 1 + i]);
}

static void give(call *c, hd_team_walk_state *s, hd_team_term value) {
  const hd_code *code = c->k->w->code;
  for (uint32_t i = 0; i < c->e->n_targets; i++)
    s->regs.data[hd_vec_last(&s->frames).regs +
                 code->targets.data[c->e->targets + i]] = value;
}

static void go_on(call *c, hd_team_walk_state *s) {
  hd_vec_last(&s->frames).loc = c->e->to;
}

/* Another way for the call to go. */
static hd_team_walk_state *branch(call *c) {
  hd_team_walk_state s = {0};
  hd_team_walk_copy(&s, c->s);
  go_on(c, &s);
  hd_vec_push(c->more, s);
  return &hd_vec_last(c->more);
}

static hd_team_term number(call *c, int64_t value) {
  return hd_team_term_const(c->k->w->terms, value);
}
static hd_team_term anything(call *c) {
  return hd_team_term_symbol(c->k->w->terms, false);
}

/* --- locks --- */

static void lock(call *c, hd_team_walk_state *s, hd_team_term which) {
  int64_t address;
  if (!hd_team_term_is_const(c->k->w->terms, which, &address)) {
    hd_team_walk_refuse(c->k, c->edge, "which lock is taken is not known");
    return;
  }
  if (s->locks.size)
    c->k->w->waits = true;
  hd_vec_push(&s->locks, (uint64_t)address);
}

static void unlock(call *c, hd_team_walk_state *s, hd_team_term which) {
  int64_t address;
  if (hd_team_term_is_const(c->k->w->terms, which, &address))
    for (size_t i = s->locks.size; i-- > 0;)
      if (s->locks.data[i] == (uint64_t)address) {
        s->locks.data[i] = hd_vec_last(&s->locks);
        s->locks.size--;
        return;
      }
  hd_team_walk_refuse(c->k, c->edge, "a lock is released that is not held");
}

/* --- what is shared out --- */

static void fact(call *c, hd_team_walk_state *s, hd_team_op op, hd_team_term a,
                 hd_team_term b) {
  hd_team_term f = hd_team_term_make(c->k->w->terms, op, a, b);
  hd_vec_push(&s->facts, f);
}

/* The thread alone does this encounter of the construct. */
static void alone(call *c, hd_team_walk_state *s, hd_edge_id edge,
                  size_t loops) {
  (void)c;
  hd_part part = {
      .edge = edge, .counters = s->counters.size, .n_counters = loops};
  for (size_t i = 0; i < loops; i++)
    hd_vec_push(&s->counters, s->loops.data[i].counter);
  hd_vec_push(&s->parts, part);
}

static void end_alone(call *c, hd_team_walk_state *s) {
  (void)c;
  for (size_t i = s->parts.size; i-- > 0;)
    if (!s->parts.data[i].part) {
      memmove(&s->parts.data[i], &s->parts.data[i + 1],
              (s->parts.size - i - 1) * sizeof *s->parts.data);
      s->parts.size--;
      return;
    }
}

static hd_type type_of_size(uint64_t size) {
  return (hd_type){HD_TYPE_INT, (uint8_t)(8 * size)};
}

/* Bounds of a part: anything between those of the whole. */
static void new_bounds(call *c, hd_team_walk_state *s, hd_team_term at_lower,
                       hd_team_term at_upper, uint64_t size) {
  hd_team_term lower = anything(c), upper = anything(c);
  fact(c, s, HD_TEAM_LE, s->share.lower, lower);
  fact(c, s, HD_TEAM_LE, lower,
       hd_team_term_make(c->k->w->terms, HD_TEAM_ADD, s->share.upper,
                         number(c, 1)));
  hd_team_walk_store(c->k, s, c->edge, at_lower, size, lower, false, false);
  hd_team_walk_store(c->k, s, c->edge, at_upper, size, upper, false, false);
}

/* Of the threads that have a part one has the last iteration. */
static void say_last(call *c, hd_team_term at) {
  int64_t address;
  if (hd_team_term_is_const(c->k->w->terms, at, &address) && !address)
    return;
  hd_team_walk_state *other = branch(c);
  hd_team_walk_store(c->k, other, c->edge, at, 4, number(c, 1), false, false);
  alone(c, other, c->s->share.edge, c->s->share.loops);
  hd_team_walk_store(c->k, c->s, c->edge, at, 4, number(c, 0), false, false);
}

/* (place, thread, schedule, &last, &lower, &upper, &stride, step, chunk) */
static void static_init(call *c, uint64_t size) {
  hd_team_walk_state *s = c->s;
  if (s->serial) {
    hd_team_walk_store(c->k, s, c->edge, argument(c, 3), 4, number(c, 1), false,
                       false);
    return; /* all of it */
  }
  hd_type type = type_of_size(size);
  hd_team_term at_lower = argument(c, 4), at_upper = argument(c, 5);
  s->share = (hd_team_walk_share){
      .edge = c->edge,
      .lower = hd_team_walk_load(c->k, s, c->edge, at_lower, size, type, false),
      .upper = hd_team_walk_load(c->k, s, c->edge, at_upper, size, type, false),
      .loops = s->loops.size,
  };
  new_bounds(c, s, at_lower, at_upper, size);
  hd_team_term stride = anything(c);
  fact(c, s, HD_TEAM_LE, number(c, 1), stride);
  hd_team_walk_store(c->k, s, c->edge, argument(c, 6), size, stride, false,
                     false);
  say_last(c, argument(c, 3));
}

/* (place, thread, schedule, lower, upper, step, chunk) */
static void dispatch_init(call *c) {
  c->s->share = (hd_team_walk_share){.edge = c->edge,
                                     .lower = argument(c, 3),
                                     .upper = argument(c, 4),
                                     .loops = c->s->loops.size};
}

/* (place, thread, &last, &lower, &upper, &stride): a part, or no more. */
static void dispatch_next(call *c, uint64_t size) {
  hd_team_walk_state *none = branch(c), *s = c->s;
  give(c, none, number(c, 0));
  hd_team_term at_lower = argument(c, 3), at_upper = argument(c, 4),
               at_last = argument(c, 2);
  if (s->serial) {
    hd_team_walk_store(c->k, s, c->edge, at_lower, size, s->share.lower, false,
                       false);
    hd_team_walk_store(c->k, s, c->edge, at_upper, size, s->share.upper, false,
                       false);
  } else {
    new_bounds(c, s, at_lower, at_upper, size);
  }
  give(c, s, number(c, 1));
  if (s->serial)
    hd_team_walk_store(c->k, s, c->edge, at_last, 4, number(c, 1), false,
                       false);
  else
    say_last(c, at_last);
}

static void end_share(call *c) {
  c->s->share = (hd_team_walk_share){0};
}

/* --- the team --- */

static void depends(call *c, hd_team_term value) {
  c->k->w->depends = true;
  give(c, c->s, value);
}

static bool is_any(const char *name, const char *const *list) {
  for (; *list; list++)
    if (!strcmp(name, *list))
      return true;
  return false;
}

static bool numbers(call *c) {
  const char *n = c->name;
  hd_team_walk *w = c->k->w;
  bool serial = c->s->serial > 0;
  static const char *const unknown[] = {
      "omp_get_max_threads", "omp_get_num_procs", "omp_get_thread_limit",
      "omp_get_num_teams",   "omp_get_team_num",  NULL};
  static const char *const free[] = {"omp_get_wtime", "omp_get_wtick", NULL};
  if (!strcmp(n, "omp_get_thread_num"))
    depends(c, serial ? number(c, 0) : w->number);
  else if (!strcmp(n, "omp_get_num_threads"))
    depends(c, serial ? number(c, 1) : w->size);
  else if (!strcmp(n, "__kmpc_global_thread_num"))
    give(c, c->s, w->number);
  else if (is_any(n, unknown))
    depends(c, hd_team_term_symbol(w->terms, true));
  else if (is_any(n, free))
    give(c, c->s, anything(c));
  else if (!strcmp(n, "omp_in_parallel"))
    depends(c, number(c, 1));
  else
    return false;
  return true;
}

/* --- OpenMP --- */

static void single(call *c) {
  hd_team_walk_state *s = c->s;
  if (s->serial) {
    give(c, s, number(c, 1));
    return;
  }
  hd_team_walk_state *other = branch(c);
  give(c, other, number(c, 0));
  alone(c, s, c->edge, s->loops.size);
  give(c, s, number(c, 1));
}

/* One thread of the team only, which one is known. */
static void masked(call *c, hd_team_term which) {
  hd_team_walk_state *s = c->s;
  hd_team_term number_ = s->serial ? number(c, 0) : c->k->w->number;
  hd_team_terms *t = c->k->w->terms;
  hd_team_walk_state *other = branch(c);
  give(c, other, number(c, 0));
  hd_team_term same = hd_team_term_make(t, HD_TEAM_EQ, number_, which);
  hd_vec_push(&other->facts, hd_team_term_not(t, same));
  hd_vec_push(&s->facts, same);
  give(c, s, number(c, 1));
}

/* The result goes into the shared variables under a lock. (Or by atomics, but all
 * threads do the same.) */
static void reduce(call *c) {
  lock(c, c->s, argument(c, 6));
  c->s->reduces = true;
  give(c, c->s, number(c, 1));
}

static void end_reduce(call *c) {
  hd_team_term name = argument(c, 2);
  int64_t address = 0;
  (void)hd_team_term_is_const(c->k->w->terms, name, &address);
  for (size_t i = 0; i < c->s->locks.size; i++)
    if (c->s->locks.data[i] == (uint64_t)address) {
      unlock(c, c->s, name);
      c->s->reduces = false;
      return;
    }
}

/* A region in the region: one thread, unless the program asks for more. */
static void inner(call *c) {
  const hd_code *code = c->k->w->code;
  hd_cexpr_id body = code->operands.data[c->e->operands + 1];
  const hd_cexpr *f = &code->exprs.data[body];
  if (c->k->w->nested || f->op != HD_CODE_FUNC) {
    hd_team_walk_refuse(c->k, c->edge,
                        "a parallel region inside a parallel region");
    return;
  }
  hd_team_terms *t = c->k->w->terms;
  uint64_t at = hd_team_walk_own(c->s);
  hd_team_walk_store(c->k, c->s, c->edge, hd_team_term_const(t, (int64_t)at), 4,
                     number(c, 0), false, false);
  hd_team_term args[] = {hd_team_term_const(t, (int64_t)at),
                         hd_team_term_const(t, (int64_t)at), argument(c, 1)};
  c->s->serial++;
  hd_vec_last(&c->s->frames).loc = c->e->to;
  hd_team_walk_enter(c->k, c->s, (hd_func_id)f->value, c->edge, args, 3);
}

static bool starts(const char *text, const char *with, const char **rest) {
  size_t n = strlen(with);
  *rest = text + n;
  return !strncmp(text, with, n);
}

static uint64_t width_of(const char *suffix) {
  return suffix[0] == '8' ? 8 : 4;
}

static bool openmp(call *c) {
  static const char *const nothing[] = {"__kmpc_end_master",
                                        "__kmpc_end_masked",
                                        "__kmpc_push_num_threads",
                                        "__kmpc_push_proc_bind",
                                        "__kmpc_flush",
                                        "__kmpc_dispatch_deinit",
                                        NULL};
  const char *n = c->name, *rest;
  if (is_any(n, nothing))
    return true;
  if (starts(n, "__kmpc_for_static_init_", &rest))
    static_init(c, width_of(rest));
  else if (!strcmp(n, "__kmpc_for_static_fini"))
    end_share(c);
  else if (starts(n, "__kmpc_dispatch_init_", &rest))
    dispatch_init(c);
  else if (starts(n, "__kmpc_dispatch_next_", &rest))
    dispatch_next(c, width_of(rest));
  else if (starts(n, "__kmpc_dispatch_fini_", &rest))
    ;
  else if (!strcmp(n, "__kmpc_barrier"))
    c->way = c->s->serial ? HD_TEAM_WALK_ON : HD_TEAM_WALK_BARRIER;
  else if (!strcmp(n, "__kmpc_critical") ||
           !strcmp(n, "__kmpc_critical_with_hint"))
    lock(c, c->s, argument(c, 2));
  else if (!strcmp(n, "__kmpc_end_critical"))
    unlock(c, c->s, argument(c, 2));
  else if (!strcmp(n, "__kmpc_ordered"))
    hd_vec_push(&c->s->locks, (uint64_t)1);
  else if (!strcmp(n, "__kmpc_end_ordered"))
    unlock(c, c->s, number(c, 1));
  else if (!strcmp(n, "omp_set_lock") || !strcmp(n, "omp_set_nest_lock"))
    lock(c, c->s, argument(c, 0));
  else if (!strcmp(n, "omp_unset_lock") || !strcmp(n, "omp_unset_nest_lock"))
    unlock(c, c->s, argument(c, 0));
  else if (!strcmp(n, "__kmpc_single"))
    single(c);
  else if (!strcmp(n, "__kmpc_end_single"))
    end_alone(c, c->s);
  else if (!strcmp(n, "__kmpc_master"))
    masked(c, number(c, 0));
  else if (!strcmp(n, "__kmpc_masked"))
    masked(c, argument(c, 2));
  else if (!strcmp(n, "__kmpc_reduce") || !strcmp(n, "__kmpc_reduce_nowait"))
    reduce(c);
  else if (!strcmp(n, "__kmpc_end_reduce_nowait"))
    end_reduce(c);
  else if (!strcmp(n, "__kmpc_end_reduce")) {
    end_reduce(c);
    c->way = c->s->serial ? HD_TEAM_WALK_ON : HD_TEAM_WALK_BARRIER;
  } else if (!strcmp(n, "openmp_fork"))
    inner(c);
  else if (!strcmp(n, "__kmpc_serialized_parallel"))
    c->s->serial++;
  else if (!strcmp(n, "__kmpc_end_serialized_parallel"))
    c->s->serial--;
  else if (!numbers(c) &&
           (starts(n, "__kmpc_", &rest) || starts(n, "omp_", &rest) ||
            starts(n, "openmp_", &rest)))
    hd_team_walk_refuse(c->k, c->edge, "%s is not understood here", n);
  else
    return numbers(c);
  return true;
}

/* --- the C library --- */

static bool fails(const char *name) {
  static const char *const list[] = {"__assert_fail",        "reach_error",
                                     "__VERIFIER_error",     "__assert",
                                     "__assert_perror_fail", NULL};
  return is_any(name, list);
}

/* memset and memcpy of so many bytes as is known. */
static bool block(call *c) {
  const char *rest;
  bool set =
      !strcmp(c->name, "memset") || starts(c->name, "llvm.memset.", &rest);
  bool copy = !strcmp(c->name, "memcpy") || !strcmp(c->name, "memmove") ||
              starts(c->name, "llvm.memcpy.", &rest);
  int64_t size;
  if ((!set && !copy) ||
      !hd_team_term_is_const(c->k->w->terms, argument(c, 2), &size) || size < 0)
    return false;
  if (!size)
    return true;
  if (copy)
    hd_team_walk_touch(c->k, c->s, c->edge, argument(c, 1), (uint64_t)size,
                       false, false);
  hd_team_walk_touch(c->k, c->s, c->edge, argument(c, 0), (uint64_t)size, true,
                     false);
  return true;
}

static void library(call *c) {
  hd_library_fn fn = hd_library_find(c->name);
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_MATH:
  case HD_LIBRARY_NUMBER:
    give(c, c->s, anything(c));
    return;
  case HD_LIBRARY_SLEEP:
    give(c, c->s, number(c, 0));
    return;
  case HD_LIBRARY_VERIFY:
    if (!fails(c->name))
      break;
    c->k->w->may_fail = true;
    c->k->w->failing = c->edge;
    c->way = HD_TEAM_WALK_END;
    return;
  default:
    break;
  }
  const char *rest;
  static const char *const harmless[] = {"fflush",

                                         "free", "sched_yield", "puts", NULL};
  if (is_any(c->name, harmless) || starts(c->name, "llvm.lifetime.", &rest))
    give(c, c->s, number(c, 0));
  else if (!strcmp(c->name, "malloc") || !strcmp(c->name, "calloc"))
    give(c, c->s, number(c, (int64_t)hd_team_walk_own(c->s)));
  else if (block(c))
    give(c, c->s, argument(c, 0));
  else if (!strcmp(c->name, "exit") || !strcmp(c->name, "abort"))
    c->way = HD_TEAM_WALK_END;
  else
    hd_team_walk_refuse(c->k, c->edge,
                        "%s is not understood in a parallel region", c->name);
}

/* Numbers only: what %s reads or %n writes is memory. */
static bool prints(call *c) {
  if (strcmp(c->name, "printf") && strcmp(c->name, "fprintf"))
    return false;
  const hd_code *code = c->k->w->code;
  bool is_f = c->name[0] == 'f';
  hd_cexpr_id id = code->operands.data[c->e->operands + 1 + is_f];
  const hd_cexpr *e = &code->exprs.data[id];
  const hd_global *g =
      e->op == HD_CODE_GLOBAL ? &code->globals.data[e->value] : NULL;
  for (uint64_t i = 0; g && g->bytes && i + 1 < g->size; i++)
    if (g->bytes[i] == '%' && g->bytes[i + 1] == '%')
      i++;
    else if (g->bytes[i] == '%' && strspn((const char *)g->bytes + i + 1,
                                          "0123456789.-+ #lhzjt") < 8) {
      char kind = (char)g->bytes[i + 1 +
                                 strspn((const char *)g->bytes + i + 1,
                                        "0123456789.-+ #lhzjt")];
      if (kind == 's' || kind == 'n' || kind == '*')
        return false;
    }
  give(c, c->s, anything(c));
  return g && g->bytes;
}

bool hd_team_walk_call(hd_team_walker *k, hd_team_walk_state *s,
                       const char *name, hd_edge_id edge, hd_team_walk_way *way,
                       hd_team_walk_states *more) {
  call c = {k,   s, name, edge, &k->w->code->edges.data[edge], HD_TEAM_WALK_ON,
            more};
  size_t depth = s->frames.size;
  bool known = openmp(&c);
  if (!known && !prints(&c)) {
    hd_func_id f = (hd_func_id)k->w->code->exprs
                       .data[k->w->code->operands.data[c.e->operands]]
                       .value;
    if (k->w->code->funcs.data[f].defined)
      return false;
    library(&c);
  }
  if (c.way == HD_TEAM_WALK_ON && s->frames.size == depth)
    go_on(&c, s);
  *way = c.way;
  return true;
}

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
static hd_team_term anything(call *c, uint8_t width) {
  return hd_team_walk_any(c->k, c->s, width);
}
static bool is_null(call *c, hd_team_term address) {
  int64_t value;
  return hd_team_term_is_const(c->k->w->terms, address, &value) && !value;
}

/* Of the type that the call has. */
static hd_team_term any_result(call *c) {
  const hd_code *code = c->k->w->code;
  if (!c->e->n_targets)
    return number(c, 0);
  const hd_func *f = &code->funcs.data[hd_vec_last(&c->s->frames).func];
  hd_type type =
      code->regs.data[f->regs + code->targets.data[c->e->targets]].type;
  return anything(c, type.kind == HD_TYPE_INT ? type.width : 0);
}

/* --- locks --- */

static void lock(call *c, hd_team_walk_state *s, hd_team_term which) {
  uint64_t object = hd_team_walk_object(c->k->w->terms, which);
  if (s->team && object && hd_team_walk_is_own(s, object))
    hd_team_walk_refuse(c->k, c->edge, "a lock that one thread has for itself");
  if (s->locks.size && s->team)
    c->k->w->waits = true;
  hd_vec_push(&s->locks, which);
}

static void unlock(call *c, hd_team_walk_state *s, hd_team_term which) {
  for (size_t i = s->locks.size; i-- > 0;)
    if (s->locks.data[i] == which) {
      s->locks.data[i] = hd_vec_last(&s->locks);
      s->locks.size--;
      return;
    }
  if (hd_team_walk_possible(c->k, s))
    hd_team_walk_refuse(c->k, c->edge, "a lock is released that is not held");
  c->way = HD_TEAM_WALK_END;
}

/* It is free, or it is not. */
static void test_lock(call *c) {
  hd_team_walk_state *other = branch(c);
  give(c, other, number(c, 0));
  hd_team_term count = anything(c, 32);
  hd_vec_push(&c->s->facts, hd_team_term_make(c->k->w->terms, HD_TEAM_LE,
                                              number(c, 1), count));
  bool waits = c->k->w->waits;
  lock(c, c->s, argument(c, 0));
  c->k->w->waits = waits;
  give(c, c->s, count);
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
  hd_part part = {.edge = edge,
                  .level = c->k->w->level,
                  .counters = s->counters.size,
                  .n_counters = loops};
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
  uint8_t bits = size < 8 ? (uint8_t)(8 * size) : 0;
  hd_team_term lower = anything(c, bits), upper = anything(c, bits);
  fact(c, s, HD_TEAM_LE, s->share.lower, lower);
  fact(c, s, HD_TEAM_LE, lower,
       hd_team_term_make(c->k->w->terms, HD_TEAM_ADD, s->share.upper,
                         number(c, 1)));
  hd_team_walk_store(c->k, s, c->edge, at_lower, size, lower, false, false);
  hd_team_walk_store(c->k, s, c->edge, at_upper, size, upper, false, false);
}

/* Of the threads that have a part one has the last iteration. */
static void say_last(call *c, hd_team_term at) {
  if (is_null(c, at))
    return;
  hd_team_walk_state *other = branch(c);
  hd_team_walk_store(c->k, other, c->edge, at, 4, number(c, 1), false, false);
  alone(c, other, c->s->share.edge, c->s->share.loops);
  hd_team_walk_store(c->k, c->s, c->edge, at, 4, number(c, 0), false, false);
}

/* Are the iterations those of a part that the team got? */
static void check_around(call *c) {
  hd_team_walk_state *s = c->s;
  if (!s->around.lower)
    return;
  bool same = true;
  hd_team_term at[] = {s->around.at_lower, s->around.at_upper},
               is[] = {s->share.lower, s->share.upper};
  for (size_t i = 0; i < 2; i++) {
    hd_team_term there = hd_team_walk_peek(c->k, s, at[i], 4);
    if (!there)
      there = hd_team_walk_peek(c->k, s, at[i], 8);
    same = same && there == is[i];
  }
  if (!same)
    s->around = (hd_team_walk_share){0};
}

/* (place, thread, schedule, &last, &lower, &upper, &stride, step, chunk) */
static void static_init(call *c, uint64_t size) {
  hd_team_walk_state *s = c->s;
  int64_t kind;
  bool distributed =
      s->team && c->k->w->league &&
      hd_team_term_is_const(c->k->w->terms, argument(c, 2), &kind) && kind > 68;
  if (s->serial && !distributed) {
    if (!is_null(c, argument(c, 3)))
      hd_team_walk_store(c->k, s, c->edge, argument(c, 3), 4, number(c, 1),
                         false, false);
    return; /* all of it */
  }
  hd_type type = type_of_size(size);
  hd_team_term at_lower = argument(c, 4), at_upper = argument(c, 5);
  s->share = (hd_team_walk_share){
      .edge = c->edge,
      .lower = hd_team_walk_load(c->k, s, c->edge, at_lower, size, type, false),
      .upper = hd_team_walk_load(c->k, s, c->edge, at_upper, size, type, false),
      .loops = s->loops.size,
      .distributed = distributed,
      .at_lower = at_lower,
      .at_upper = at_upper,
  };
  check_around(c);
  new_bounds(c, s, at_lower, at_upper, size);
  hd_team_term stride = anything(c, size < 8 ? (uint8_t)(8 * size) : 0);
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
  check_around(c);
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
  if (s->serial && !is_null(c, at_last))
    hd_team_walk_store(c->k, s, c->edge, at_last, 4, number(c, 1), false,
                       false);
  else if (!s->serial)
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

/* What has one value as long as the region lasts, or none that is known. */
static bool numbers(call *c) {
  const char *n = c->name;
  hd_team_walk *w = c->k->w;
  bool serial = c->s->serial > 0;
  static const char *const one[] = {"omp_get_max_threads",
                                    "omp_get_num_procs",
                                    "omp_get_thread_limit",
                                    "omp_get_num_teams",
                                    "omp_get_num_devices",
                                    "omp_get_dynamic",
                                    "omp_get_nested",
                                    "omp_get_level",
                                    "omp_get_active_level",
                                    "omp_get_proc_bind",
                                    "omp_get_max_active_levels",
                                    "omp_get_default_device",
                                    "omp_get_initial_device",
                                    "omp_is_initial_device",
                                    "omp_in_parallel",
                                    NULL};
  static const char *const any[] = {"omp_get_wtime", "omp_get_wtick",
                                    "omp_in_final", NULL};
  if (w->league && c->s->team && !strcmp(n, "omp_get_team_num"))
    depends(c, w->number);
  else if (!strcmp(n, "omp_get_thread_num"))
    depends(c, serial                           ? number(c, 0)
               : c->s->team && c->s->team->task ? anything(c, 32)
                                                : w->number);
  else if (!strcmp(n, "omp_get_num_threads"))
    depends(c, serial ? number(c, 1) : w->size);
  else if (!strcmp(n, "__kmpc_global_thread_num"))
    give(c, c->s, c->s->team ? w->number : number(c, 0));
  else if (is_any(n, one))
    depends(c, hd_team_term_symbol(w->terms, true, 32));
  else if (is_any(n, any))
    give(c, c->s, any_result(c));
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
  bool waits = c->k->w->waits;
  lock(c, c->s, argument(c, 6));
  c->k->w->waits = waits; /* nothing is taken inside */
  c->s->reduces = true;
  give(c, c->s, number(c, 1));
}

static void end_reduce(call *c) {
  hd_team_term name = argument(c, 2);
  for (size_t i = 0; i < c->s->locks.size; i++)
    if (c->s->locks.data[i] == name) {
      unlock(c, c->s, name);
      c->s->reduces = false;
      return;
    }
}

/* A region in the region: one thread, unless the program asks for more. */
static void inner(call *c, bool league) {
  const hd_code *code = c->k->w->code;
  hd_cexpr_id body = code->operands.data[c->e->operands + 1];
  const hd_cexpr *f = &code->exprs.data[body];
  bool several =
      !c->s->team || c->k->w->league || c->k->w->nested || c->k->graph->nested;
  if (f->op != HD_CODE_FUNC || (league && c->s->team)) {
    hd_team_walk_refuse(c->k, c->edge, "a region that is not known");
    return;
  }
  if (several) {
    hd_team_walk_fork(c->k, c->s, (hd_func_id)f->value, argument(c, 1), c->edge,
                      league);
    return;
  }
  c->k->graph->threads = 0;
  hd_team_term at = hd_team_walk_allocate(c->k, c->s);
  hd_team_walk_store(c->k, c->s, c->edge, at, 4, number(c, 0), false, false);
  hd_team_term args[] = {at, at, argument(c, 1)};
  c->s->serial++;
  hd_vec_last(&c->s->frames).loc = c->e->to;
  hd_team_walk_enter(c->k, c->s, (hd_func_id)f->value, c->edge, args, 3);
}

/* --- tasks --- */

/* Who executes it at once; nobody else is there. */
static void execute_task(call *c, hd_team_term task) {
  hd_func_id f = hd_team_walk_entry_of(c->k, c->s, task);
  hd_team_term args[] = {number(c, 0), task};
  if (f == HD_NO_ID)
    hd_team_walk_refuse(c->k, c->edge, "which task is created is not known");
  else
    hd_team_walk_enter(c->k, c->s, f, c->edge, args, 2);
}

static void create_task(call *c) {
  hd_team_term task = argument(c, 2);
  if (c->s->serial || !c->s->team) {
    execute_task(c, task);
    return;
  }
  if (c->e->n_operands > 4) {
    hd_team_walk_depend(c->k, c->s, argument(c, 4), argument(c, 3));
    hd_team_walk_depend(c->k, c->s, argument(c, 6), argument(c, 5));
  }
  hd_team_walk_create(c->k, c->s, task, c->edge, NULL);
  give(c, c->s, number(c, 0));
}

/* (place, thread, task, if, &lower, &upper, step, nogroup, …) */
static void create_taskloop(call *c) {
  hd_team_walk_state *s = c->s;
  hd_team_term task = argument(c, 2);
  if (s->serial || !s->team) {
    execute_task(c, task);
    return;
  }
  hd_type type = type_of_size(8);
  hd_team_walk_part_of loop = {
      .at_lower = argument(c, 4),
      .at_upper = argument(c, 5),
      .lower = anything(c, 0),
      .upper = anything(c, 0),
      .from =
          hd_team_walk_load(c->k, s, c->edge, argument(c, 4), 8, type, false),
      .to =
          hd_team_walk_load(c->k, s, c->edge, argument(c, 5), 8, type, false)};
  size_t pending = s->pending.size;
  hd_team_walk_create(c->k, s, task, c->edge, &loop);
  int64_t nogroup;
  if (hd_team_term_is_const(c->k->w->terms, argument(c, 7), &nogroup) &&
      !nogroup && s->pending.size > pending)
    s->pending.size = pending;
}

static bool tasks(call *c) {
  const char *n = c->name;
  hd_team_walk_state *s = c->s;
  static const char *const nothing[] = {"__kmpc_omp_wait_deps",
                                        "__kmpc_omp_taskwait_deps_51",
                                        "__kmpc_omp_taskyield", NULL};
  if (!strcmp(n, "__kmpc_omp_task_alloc"))
    give(c, s, hd_team_walk_new_task(c->k, s, c->edge, argument(c, 5)));
  else if (!strcmp(n, "__kmpc_omp_task") ||
           !strcmp(n, "__kmpc_omp_task_with_deps"))
    create_task(c);
  else if (!strcmp(n, "__kmpc_taskloop"))
    create_taskloop(c);
  else if (!strcmp(n, "__kmpc_omp_task_begin_if0")) {
    if (s->team && !s->serial)
      hd_team_walk_begin_task(c->k, s, c->edge);
  } else if (!strcmp(n, "__kmpc_omp_task_complete_if0")) {
    if (s->team && !s->serial)
      hd_team_walk_end_task(c->k, s);
  } else if (!strcmp(n, "__kmpc_omp_taskwait"))
    hd_team_walk_taskwait(c->k, s);
  else if (!strcmp(n, "__kmpc_taskgroup"))
    s->groups++;
  else if (!strcmp(n, "__kmpc_end_taskgroup"))
    hd_team_walk_end_group(s);
  else
    return is_any(n, nothing);
  return true;
}

/* Locks are what their address says; nothing of interest is in them. */
static bool sets_up(call *c) {
  static const char *const locks[] = {
      "omp_init_lock",    "omp_init_nest_lock",    "omp_init_lock_with_hint",
      "omp_destroy_lock", "omp_destroy_nest_lock", NULL};
  static const char *const settings[] = {"omp_set_num_threads",
                                         "omp_set_dynamic",
                                         "omp_set_schedule",
                                         "omp_set_nested",
                                         "omp_set_max_active_levels",
                                         "omp_set_default_device",
                                         NULL};
  if (is_any(c->name, locks)) {
    hd_team_walk_touch(c->k, c->s, c->edge, argument(c, 0), number(c, 8), true);
    return true;
  }
  int64_t levels;
  if (!is_any(c->name, settings))
    return false;
  if (strcmp(c->name, "omp_set_nested") &&
      strcmp(c->name, "omp_set_max_active_levels"))
    return true;
  if (!hd_team_term_is_const(c->k->w->terms, argument(c, 0), &levels) ||
      levels > (c->name[8] == 'n' ? 0 : 1))
    c->k->graph->nested = true;
  return true;
}

/* Critical regions exclude each other in one team of a league, not among them. */
static hd_team_term in_team(call *c, hd_team_term name) {
  hd_team_terms *t = c->k->w->terms;
  for (const hd_team_walk *w = c->k->w; w && c->s->team; w = w->outer)
    if (w->league)
      return hd_team_term_make(t, HD_TEAM_ADD, name,
                               hd_team_term_make(t, HD_TEAM_MUL, w->number,
                                                 number(c, (int64_t)1 << 16)));
  return name;
}

/* So many threads at most, as a clause says; 0: any number. */
static int64_t most_of(call *c, hd_team_term term) {
  int64_t n;
  return hd_team_term_is_const(c->k->w->terms, term, &n) && n > 0 ? n : 0;
}

/* (place, thread, size, list of addresses, function, did): what the one has goes
 * to the others. */
static void copyprivate(call *c) {
  hd_team_terms *t = c->k->w->terms;
  hd_team_term list = argument(c, 3);
  int64_t size;
  if (c->s->serial)
    return;
  c->way = HD_TEAM_WALK_BARRIER;
  if (!hd_team_term_is_const(t, argument(c, 2), &size))
    size = 0;
  for (int64_t i = 0; i + 8 <= size; i += 8) {
    hd_team_term at = hd_team_walk_peek(
        c->k, c->s, hd_team_term_make(t, HD_TEAM_ADD, list, number(c, i)), 8);
    uint64_t object = at ? hd_team_walk_object(t, at) : 0;
    if (!object || !hd_team_walk_is_own(c->s, object)) {
      hd_team_walk_refuse(c->k, c->edge,
                          "what copyprivate copies is not known");
      return;
    }
    hd_team_walk_havoc(c->k, c->s, object);
  }
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
  static const char *const nothing[] = {
      "__kmpc_end_master", "__kmpc_end_masked",      "__kmpc_push_proc_bind",
      "__kmpc_flush",      "__kmpc_dispatch_deinit", NULL};
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
    lock(c, c->s, in_team(c, argument(c, 2)));
  else if (!strcmp(n, "__kmpc_end_critical"))
    unlock(c, c->s, in_team(c, argument(c, 2)));
  else if (!strcmp(n, "__kmpc_ordered"))
    hd_vec_push(&c->s->locks, number(c, 1));
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
    inner(c, false);
  else if (!strcmp(n, "openmp_fork_teams"))
    inner(c, true);
  else if (!strcmp(n, "__kmpc_push_num_threads"))
    c->k->graph->threads = most_of(c, argument(c, 2));
  else if (!strcmp(n, "__kmpc_push_num_teams"))
    c->k->graph->teams = most_of(c, argument(c, 2));
  else if (!strcmp(n, "__kmpc_push_num_teams_51"))
    c->k->graph->teams = most_of(c, argument(c, 3));
  else if (!strcmp(n, "__kmpc_copyprivate"))
    copyprivate(c);
  else if (!strcmp(n, "__kmpc_serialized_parallel"))
    c->s->serial++;
  else if (!strcmp(n, "__kmpc_end_serialized_parallel"))
    c->s->serial--;
  else if (!strcmp(n, "omp_test_lock") || !strcmp(n, "omp_test_nest_lock"))
    test_lock(c);
  else if (!tasks(c) && !sets_up(c) && !numbers(c) &&
           (starts(n, "__kmpc_", &rest) || starts(n, "omp_", &rest) ||
            starts(n, "openmp_", &rest)))
    hd_team_walk_refuse(c->k, c->edge, "%s is not understood here", n);
  else
    return starts(n, "__kmpc_", &rest) || starts(n, "omp_", &rest);
  return true;
}

/* --- the C library --- */

static bool fails(const char *name) {
  static const char *const list[] = {"__assert_fail",        "reach_error",
                                     "__VERIFIER_error",     "__assert",
                                     "__assert_perror_fail", NULL};
  return is_any(name, list);
}

static bool block(call *c) {
  const char *rest;
  bool set =
      !strcmp(c->name, "memset") || starts(c->name, "llvm.memset.", &rest);
  bool copy = !strcmp(c->name, "memcpy") || !strcmp(c->name, "memmove") ||
              starts(c->name, "llvm.memcpy.", &rest) ||
              starts(c->name, "llvm.memmove.", &rest);
  int64_t size;
  if (!set && !copy)
    return false;
  if (hd_team_term_is_const(c->k->w->terms, argument(c, 2), &size) && !size)
    return true;
  if (copy)
    hd_team_walk_touch(c->k, c->s, c->edge, argument(c, 1), argument(c, 2),
                       false);
  hd_team_walk_touch(c->k, c->s, c->edge, argument(c, 0), argument(c, 2), true);
  if (copy && hd_team_term_is_const(c->k->w->terms, argument(c, 2), &size))
    hd_team_walk_move_cells(c->k, c->s, argument(c, 0), argument(c, 1),
                            (uint64_t)size);
  return true;
}

/* Functions that read what they are given, if at all, and write nothing that the
 * program can see; and those that write to what their arguments point to, which
 * only the thread outside of regions may call. */
static bool outside(call *c) {
  static const char *const reads[] = {
      "printf",  "fprintf", "puts",   "putchar", "fputs",    "fputc",
      "perror",  "atoi",    "atol",   "atoll",   "atof",     "strcmp",
      "strncmp", "strlen",  "getenv", "fopen",   "fclose",   "memcmp",
      "exit",    "abort",   "system", "vprintf", "vfprintf", "strchr",
      "strrchr", "strstr",  "isatty", "fwrite",  "getopt",   NULL};
  static const char *const writes[] = {"scanf",
                                       "fscanf",
                                       "sscanf",
                                       "__isoc99_scanf",
                                       "__isoc99_fscanf",
                                       "__isoc99_sscanf",
                                       "__isoc23_scanf",
                                       "__isoc23_sscanf",
                                       "__isoc23_fscanf",
                                       "time",
                                       "gettimeofday",
                                       "clock_gettime",
                                       "sprintf",
                                       "snprintf",
                                       "fgets",
                                       "fread",
                                       "strcpy",
                                       "strncpy",
                                       "strcat",
                                       "getline",
                                       "strtol",
                                       "strtoul",
                                       "strtoll",
                                       "strtoull",
                                       "strtod",
                                       "strtof",
                                       "__isoc23_strtol",
                                       "__isoc23_strtoul",
                                       "__isoc23_strtoll",
                                       "__isoc23_strtoull",
                                       "rand_r",
                                       "qsort",
                                       NULL};
  if (c->s->team)
    return false;
  bool writing = is_any(c->name, writes);
  if (!writing && !is_any(c->name, reads))
    return false;
  const hd_code *code = c->k->w->code;
  for (uint32_t i = 1; writing && i < c->e->n_operands; i++) {
    hd_cexpr_id e = code->operands.data[c->e->operands + i];
    if (code->exprs.data[e].type.kind == HD_TYPE_PTR &&
        !is_null(c, argument(c, i - 1)))
      hd_team_walk_touch(c->k, c->s, c->edge, argument(c, i - 1),
                         anything(c, 0), true);
  }
  if (!strcmp(c->name, "exit") || !strcmp(c->name, "abort"))
    c->way = HD_TEAM_WALK_END;
  give(c, c->s, any_result(c));
  return true;
}

static bool heap(call *c) {
  static const char *const list[] = {"malloc", "calloc",   "aligned_alloc",
                                     "valloc", "memalign", NULL};
  if (!strcmp(c->name, "realloc") && !c->s->team)
    give(c, c->s, hd_team_walk_allocate(c->k, c->s));
  else if (!strcmp(c->name, "posix_memalign")) {
    hd_team_walk_store(c->k, c->s, c->edge, argument(c, 0), 8,
                       hd_team_walk_allocate(c->k, c->s), false, false);
    give(c, c->s, number(c, 0));
  } else if (is_any(c->name, list))
    give(c, c->s, hd_team_walk_allocate(c->k, c->s));
  else
    return false;
  return true;
}

/* Only what the condition admits goes on. */
static void assume(call *c) {
  hd_team_terms *t = c->k->w->terms;
  hd_team_term given = argument(c, 0);
  int64_t value;
  if (hd_team_term_is_const(t, given, &value) && !value)
    c->way = HD_TEAM_WALK_END;
  hd_vec_push(&c->s->facts, given);
}

/* Is something written where an argument says? */
static bool writes_argument(call *c, hd_library_fn fn) {
  for (uint32_t i = 0; i + 1 < c->e->n_operands; i++)
    if (hd_library_arg(fn, i) & HD_ARG_WRITE && !is_null(c, argument(c, i)))
      return true;
  return false;
}

static void library(call *c) {
  hd_library_fn fn = hd_library_find(c->name);
  if (outside(c) || heap(c))
    return;
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_INPUT:
    if (c->s->team && strncmp(c->name, "__VERIFIER", 10) &&
        strncmp(c->name, "heddle", 6) && strcmp(c->name, "clock"))
      break; /* rand has a state */
    if (writes_argument(c, fn))
      break;
    give(c, c->s, any_result(c));
    return;
  case HD_LIBRARY_MATH:
  case HD_LIBRARY_NUMBER:
    if (writes_argument(c, fn))
      break;
    give(c, c->s, any_result(c));
    return;
  case HD_LIBRARY_SLEEP:
    if (writes_argument(c, fn))
      break;
    give(c, c->s, number(c, 0));
    return;
  case HD_LIBRARY_VERIFY:
    if (!strcmp(c->name, "__VERIFIER_assume") ||
        !strcmp(c->name, "heddle_assume")) {
      assume(c);
      return;
    }
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
                                         "free",
                                         "sched_yield",
                                         "puts",
                                         "putchar",
                                         "llvm.stacksave.p0",
                                         "llvm.stackrestore.p0",
                                         "llvm.stacksave",
                                         "llvm.stackrestore",
                                         "srand",
                                         "srandom",
                                         NULL};
  if (is_any(c->name, harmless) || starts(c->name, "llvm.lifetime.", &rest) ||
      starts(c->name, "llvm.dbg.", &rest))
    give(c, c->s, number(c, 0));
  else if (block(c))
    give(c, c->s, argument(c, 0));
  else if (!strcmp(c->name, "exit") || !strcmp(c->name, "abort"))
    c->way = HD_TEAM_WALK_END;
  else
    hd_team_walk_refuse(c->k, c->edge, "%s is not understood%s", c->name,
                        c->s->team ? " in a parallel region" : "");
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
  give(c, c->s, any_result(c));
  return g && g->bytes;
}

bool hd_team_walk_call(hd_team_walker *k, hd_team_walk_state *s,
                       hd_func_id func, hd_edge_id edge, hd_team_walk_way *way,
                       hd_team_walk_states *more) {
  const hd_func *f = &k->w->code->funcs.data[func];
  call c = {
      k,   s, f->name, edge, &k->w->code->edges.data[edge], HD_TEAM_WALK_ON,
      more};
  size_t depth = s->frames.size;
  bool known = openmp(&c);
  if (!known && (!s->team || !prints(&c))) {
    if (f->defined)
      return false;
    library(&c);
  }
  if (c.way == HD_TEAM_WALK_ON && s->frames.size == depth)
    go_on(&c, s);
  *way = c.way;
  return true;
}

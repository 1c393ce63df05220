/* SPDX-License-Identifier: MIT */
/* Calls of OpenMP, in a region. What is not in the lists is refused by name. */
#include "engine/teams/calls.h"

#include <string.h>

hd_team_term hd_team_call_arg(hd_team_call *c, uint32_t i) {
  const hd_code *code = c->k->w->code;
  if (i + 1 >= c->e->n_operands)
    return hd_team_term_const(c->k->w->terms, 0);
  return hd_team_walk_eval(c->k, c->s, hd_code_operand(code, c->e, 1 + i));
}

void hd_team_call_give(hd_team_call *c, hd_team_walk_state *s,
                       hd_team_term value) {
  const hd_code *code = c->k->w->code;
  for (uint32_t i = 0; i < c->e->n_targets; i++)
    s->regs.data[hd_vec_last(&s->frames).regs + hd_code_target(code, c->e, i)] =
        value;
}

static void go_on(hd_team_call *c, hd_team_walk_state *s) {
  hd_vec_last(&s->frames).loc = c->e->to;
}

/* Another way for the call to go. */
hd_team_walk_state *hd_team_call_branch(hd_team_call *c) {
  hd_team_walk_state s = {0};
  hd_team_walk_copy(&s, c->s);
  go_on(c, &s);
  hd_vec_push(c->more, s);
  return &hd_vec_last(c->more);
}

hd_team_term hd_team_call_number(hd_team_call *c, int64_t value) {
  return hd_team_term_const(c->k->w->terms, value);
}
hd_team_term hd_team_call_any(hd_team_call *c, uint8_t width) {
  return hd_team_walk_any(c->k, c->s, width);
}
bool hd_team_call_is_null(hd_team_call *c, hd_team_term address) {
  int64_t value;
  return hd_team_term_is_const(c->k->w->terms, address, &value) && !value;
}

/* Of the type that the call has. */
hd_team_term hd_team_call_result(hd_team_call *c) {
  const hd_code *code = c->k->w->code;
  if (!c->e->n_targets)
    return hd_team_call_number(c, 0);
  const hd_func *f = &code->funcs.data[hd_vec_last(&c->s->frames).func];
  hd_type type = code->regs.data[f->regs + hd_code_target(code, c->e, 0)].type;
  return hd_team_call_any(c, type.kind == HD_TYPE_INT ? type.width : 0);
}

bool hd_team_call_is_any(const char *name, const char *const *list) {
  for (; *list; list++)
    if (!strcmp(name, *list))
      return true;
  return false;
}

bool hd_team_call_starts(const char *text, const char *with,
                         const char **rest) {
  size_t n = strlen(with);
  *rest = text + n;
  return !strncmp(text, with, n);
}

/* --- locks --- */

static void lock(hd_team_call *c, hd_team_walk_state *s, hd_team_term which) {
  uint64_t object = hd_team_walk_object(c->k->w->terms, which);
  if (s->team && object && hd_team_walk_is_own(s, object))
    hd_team_walk_refuse(c->k, c->edge, "a lock that one thread has for itself");
  if (s->locks.size && s->team)
    c->k->w->waits = true;
  hd_vec_push(&s->locks, which);
}

static void unlock(hd_team_call *c, hd_team_walk_state *s, hd_team_term which) {
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

/* The ordered regions of one encounter of a loop exclude each other. */
static hd_team_term ordered(hd_team_call *c) {
  const hd_team_walk_share *share = &c->s->share;
  if (c->s->serial)
    return hd_team_call_number(c, 1);
  if (!share->site || share->loops > 1 || c->k->w->level)
    hd_team_walk_refuse(c->k, c->edge,
                        share->site ? "ordered regions of a loop inside others"
                                    : "an ordered region outside of its loop");
  hd_team_terms *t = c->k->w->terms;
  hd_team_term which =
      hd_team_term_const(t, (int64_t)share->site * 4096 + share->time);
  if (!share->loops)
    return which;
  return hd_team_term_make(
      t, HD_TEAM_ADD, which,
      hd_team_term_make(t, HD_TEAM_MUL, c->s->loops.data[0].counter,
                        hd_team_call_number(c, (int64_t)1 << 40)));
}

/* Locks and critical regions exclude each other in one team of a league, not among
 * its teams: these are contention groups of their own. */
static hd_team_term in_team(hd_team_call *c, hd_team_term name) {
  hd_team_terms *t = c->k->w->terms;
  for (const hd_team_walk *w = c->k->w; w && c->s->team; w = w->outer)
    if (w->league)
      return hd_team_term_make(
          t, HD_TEAM_ADD, name,
          hd_team_term_make(t, HD_TEAM_MUL, w->number,
                            hd_team_call_number(c, (int64_t)1 << 16)));
  return name;
}

/* It is free, or it is not. */
static void test_lock(hd_team_call *c) {
  hd_team_walk_state *other = hd_team_call_branch(c);
  hd_team_call_give(c, other, hd_team_call_number(c, 0));
  hd_team_term count = hd_team_call_any(c, 32);
  hd_vec_push(&c->s->facts,
              hd_team_term_make(c->k->w->terms, HD_TEAM_LE,
                                hd_team_call_number(c, 1), count));
  bool waits = c->k->w->waits;
  lock(c, c->s, in_team(c, hd_team_call_arg(c, 0)));
  c->k->w->waits = waits;
  hd_team_call_give(c, c->s, count);
}

/* --- the team --- */

static void depends(hd_team_call *c, hd_team_term value) {
  c->k->w->depends = true;
  hd_team_call_give(c, c->s, value);
}

/* What has one value as long as the region lasts, or none that is known. */
static bool numbers(hd_team_call *c) {
  const char *n = c->name;
  hd_team_walk *w = c->k->w;
  bool serial = c->s->serial > 0;
  static const char *const one[] = {"omp_get_num_procs",
                                    "omp_get_thread_limit",
                                    "omp_get_num_teams",
                                    "omp_get_num_devices",
                                    "omp_get_level",
                                    "omp_get_active_level",
                                    "omp_get_proc_bind",
                                    "omp_get_initial_device",
                                    "omp_is_initial_device",
                                    "omp_in_parallel",
                                    NULL};
  /* Each thread may have set its own. */
  static const char *const settings[] = {
      "omp_get_max_threads",       "omp_get_dynamic",        "omp_get_nested",
      "omp_get_max_active_levels", "omp_get_default_device", NULL};
  static const char *const any[] = {"omp_get_wtime", "omp_get_wtick",
                                    "omp_in_final", "omp_get_cancellation",
                                    NULL};
  if (w->league && c->s->team && !strcmp(n, "omp_get_team_num"))
    depends(c, w->number);
  else if (!strcmp(n, "omp_get_thread_num"))
    depends(c, serial                           ? hd_team_call_number(c, 0)
               : c->s->team && c->s->team->task ? hd_team_call_any(c, 32)
                                                : w->number);
  else if (!strcmp(n, "omp_get_num_threads"))
    depends(c, serial ? hd_team_call_number(c, 1) : w->size);
  else if (!strcmp(n, "__kmpc_global_thread_num"))
    hd_team_call_give(c, c->s,
                      c->s->team ? w->number : hd_team_call_number(c, 0));
  else if (hd_team_call_is_any(n, one))
    depends(c, hd_team_term_symbol(w->terms, true, 32));
  else if (hd_team_call_is_any(n, settings))
    depends(c, hd_team_call_result(c));
  else if (hd_team_call_is_any(n, any))
    hd_team_call_give(c, c->s, hd_team_call_result(c));
  else
    return false;
  return true;
}

/* --- OpenMP --- */

/* The parts of one encounter of a reduction exclude each other, and no others. */
static hd_team_term encounter_of_reduction(hd_team_call *c) {
  hd_team_terms *t = c->k->w->terms;
  uint32_t site = hd_team_walk_site_of(c->k, c->s, c->edge);
  uint32_t time = hd_team_walk_meet(c->s, site);
  hd_team_term which = hd_team_term_const(t, -(int64_t)(site * 4096u + time));
  if (c->s->loops.size == 1)
    which = hd_team_term_make(
        t, HD_TEAM_ADD, which,
        hd_team_term_make(t, HD_TEAM_MUL, c->s->loops.data[0].counter,
                          hd_team_call_number(c, -((int64_t)1 << 40))));
  else if (c->s->loops.size > 1)
    which = hd_team_call_any(c, 0);
  return which;
}

/* The result goes into the shared variables under a lock. (Or by atomics, but all
 * threads do the same.) */
static void reduce(hd_team_call *c) {
  bool waits = c->k->w->waits;
  c->s->reduces = encounter_of_reduction(c);
  lock(c, c->s, c->s->reduces);
  c->k->w->waits = waits; /* nothing is taken inside */
  hd_team_call_give(c, c->s, hd_team_call_number(c, 1));
}

static void end_reduce(hd_team_call *c) {
  if (c->s->reduces)
    unlock(c, c->s, c->s->reduces);
  c->s->reduces = 0;
}

/* A region in the region: one thread, unless the program asks for more. */
static void inner(hd_team_call *c, bool league) {
  const hd_code *code = c->k->w->code;
  hd_cexpr_id body = hd_code_operand(code, c->e, 1);
  const hd_cexpr *f = &code->exprs.data[body];
  bool lanes = c->k->graph->threads >= HD_TEAM_WALK_LANES;
  bool several = !c->s->team || c->k->w->league || c->k->w->nested ||
                 c->k->graph->nested || lanes;
  if (f->op != HD_CODE_FUNC || (league && c->s->team)) {
    hd_team_walk_refuse(c->k, c->edge, "a region that is not known");
    return;
  }
  if (several) {
    hd_team_walk_fork(c->k, c->s, (hd_func_id)f->value, hd_team_call_arg(c, 1),
                      c->edge, league);
    return;
  }
  c->k->graph->threads = 0;
  hd_team_term at = hd_team_walk_task_object(c->k, c->s);
  hd_team_walk_store(c->k, c->s, c->edge, at, 4, hd_team_call_number(c, 0),
                     false, false);
  hd_team_term args[] = {at, at, hd_team_call_arg(c, 1)};
  c->s->serial++;
  hd_vec_last(&c->s->frames).loc = c->e->to;
  hd_team_walk_enter(c->k, c->s, (hd_func_id)f->value, c->edge, args, 3);
}

/* --- tasks --- */

/* The thread may begin any task, with the locks that it has. */
static void may_help(hd_team_call *c) {
  c->k->w->waits = c->k->w->waits || (c->s->team && c->s->locks.size);
}

/* Who executes it at once; nobody else is there. */
static void execute_task(hd_team_call *c, hd_team_term task) {
  hd_func_id f = hd_team_walk_entry_of(c->k, c->s, task);
  hd_team_term args[] = {hd_team_call_number(c, 0), task};
  if (f == HD_NO_ID)
    hd_team_walk_refuse(c->k, c->edge, "which task is created is not known");
  else
    hd_team_walk_enter(c->k, c->s, f, c->edge, args, 2);
}

static void create_task(hd_team_call *c) {
  hd_team_term task = hd_team_call_arg(c, 2);
  if (c->s->serial || !c->s->team) {
    execute_task(c, task);
    return;
  }
  if (c->s->team->task && c->s->team->self == task) {
    hd_team_walk_next_part(c->k, c->s, c->edge);
    c->jumped = true;
    return;
  }
  if (c->e->n_operands > 4) {
    hd_team_walk_depend(c->k, c->s, hd_team_call_arg(c, 4),
                        hd_team_call_arg(c, 3));
    hd_team_walk_depend(c->k, c->s, hd_team_call_arg(c, 6),
                        hd_team_call_arg(c, 5));
  }
  hd_team_walk_create(c->k, c->s, task, c->edge, NULL);
  hd_team_call_give(c, c->s, hd_team_call_number(c, 0));
}

/* (place, thread, task, if, &lower, &upper, step, nogroup, …) */
static void create_taskloop(hd_team_call *c) {
  hd_team_walk_state *s = c->s;
  may_help(c);
  hd_team_term task = hd_team_call_arg(c, 2);
  if (s->serial || !s->team) {
    execute_task(c, task);
    return;
  }
  hd_type type = {HD_TYPE_INT, 64};
  hd_team_walk_part_of loop = {
      .at_lower = hd_team_call_arg(c, 4),
      .at_upper = hd_team_call_arg(c, 5),
      .lower = hd_team_call_any(c, 0),
      .upper = hd_team_call_any(c, 0),
      .from = hd_team_walk_load(c->k, s, c->edge, hd_team_call_arg(c, 4), 8,
                                type, false),
      .to = hd_team_walk_load(c->k, s, c->edge, hd_team_call_arg(c, 5), 8, type,
                              false)};
  size_t pending = s->pending.size;
  hd_team_walk_create(c->k, s, task, c->edge, &loop);
  int64_t nogroup;
  if (hd_team_term_is_const(c->k->w->terms, hd_team_call_arg(c, 7), &nogroup) &&
      !nogroup && s->pending.size > pending)
    s->pending.size = pending;
}

/* (place, thread, n, list, n, list, nowait): at once, or before a task that its
 * creator executes itself. */
static void wait_depend(hd_team_call *c) {
  int64_t nowait = 0;
  if (c->e->n_operands > 7 &&
      !hd_team_term_is_const(c->k->w->terms, hd_team_call_arg(c, 6), &nowait))
    nowait = 1;
  if (c->s->serial || !c->s->team || nowait)
    return;
  c->s->depends.size = 0;
  hd_team_walk_depend(c->k, c->s, hd_team_call_arg(c, 3),
                      hd_team_call_arg(c, 2));
  hd_team_walk_depend(c->k, c->s, hd_team_call_arg(c, 5),
                      hd_team_call_arg(c, 4));
  hd_team_walk_wait_depend(c->k, c->s);
}

static bool tasks(hd_team_call *c) {
  const char *n = c->name;
  hd_team_walk_state *s = c->s;
  const char *rest;
  if (hd_team_call_starts(n, "__kmpc_omp_task", &rest) ||
      !strcmp(n, "__kmpc_omp_wait_deps") || !strcmp(n, "__kmpc_end_taskgroup"))
    may_help(c);
  if (!strcmp(n, "__kmpc_omp_task_alloc") ||
      !strcmp(n, "__kmpc_omp_target_task_alloc"))
    hd_team_call_give(
        c, s, hd_team_walk_new_task(c->k, s, c->edge, hd_team_call_arg(c, 5)));
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
  else if (!strcmp(n, "__kmpc_omp_wait_deps") ||
           !strcmp(n, "__kmpc_omp_taskwait_deps_51"))
    wait_depend(c);
  else if (!strcmp(n, "__kmpc_taskgroup"))
    s->groups++;
  else if (!strcmp(n, "__kmpc_end_taskgroup"))
    hd_team_walk_end_group(s);
  else
    return !strcmp(n, "__kmpc_omp_taskyield");
  return true;
}

/* Locks are what their address says; nothing of interest is in them. */
static bool sets_up(hd_team_call *c) {
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
  if (hd_team_call_is_any(c->name, locks)) {
    hd_team_walk_touch(c->k, c->s, c->edge, hd_team_call_arg(c, 0),
                       hd_team_call_number(c, 8), true);
    return true;
  }
  int64_t levels;
  if (!hd_team_call_is_any(c->name, settings))
    return false;
  if (strcmp(c->name, "omp_set_nested") &&
      strcmp(c->name, "omp_set_max_active_levels"))
    return true;
  if (!hd_team_term_is_const(c->k->w->terms, hd_team_call_arg(c, 0), &levels) ||
      levels > (c->name[8] == 'n' ? 0 : 1))
    c->k->graph->nested = true;
  return true;
}

/* So many threads at most, as a clause says; 0: any number. */
static int64_t most_of(hd_team_call *c, hd_team_term term) {
  int64_t n;
  return hd_team_term_is_const(c->k->w->terms, term, &n) && n > 0 ? n : 0;
}

/* (place, thread, size, list of addresses, function, did): what the one has goes
 * to the others. */
static void copyprivate(hd_team_call *c) {
  hd_team_terms *t = c->k->w->terms;
  hd_team_term list = hd_team_call_arg(c, 3);
  int64_t size;
  if (c->s->serial)
    return;
  c->way = HD_TEAM_WALK_BARRIER;
  if (!hd_team_term_is_const(t, hd_team_call_arg(c, 2), &size))
    size = 0;
  for (int64_t i = 0; i + 8 <= size; i += 8) {
    hd_team_term at = hd_team_walk_peek(
        c->k, c->s,
        hd_team_term_make(t, HD_TEAM_ADD, list, hd_team_call_number(c, i)), 8);
    uint64_t object = at ? hd_team_walk_object(t, at) : 0;
    if (!object || !hd_team_walk_is_own(c->s, object)) {
      hd_team_walk_refuse(c->k, c->edge,
                          "what copyprivate copies is not known");
      return;
    }
    hd_team_walk_havoc(c->k, c->s, object);
  }
}

static uint64_t width_of(const char *suffix) {
  return suffix[0] == '8' ? 8 : 4;
}

/* (place, thread, what): it is so, or it is not. Who leaves the region does
 * nothing more in it, nor do the others when they see that. */
static void cancel(hd_team_call *c) {
  enum { PARALLEL = 1 };
  int64_t kind;
  if (hd_team_term_is_const(c->k->w->terms, hd_team_call_arg(c, 2), &kind) &&
      kind != PARALLEL)
    hd_team_call_give(c, hd_team_call_branch(c), hd_team_call_number(c, 1));
  c->k->w->ordered_by_chance = c->k->w->waits = true;
  hd_team_call_give(c, c->s, hd_team_call_number(c, 0));
}

/* (thread, n, list of 56 bytes each: address, address, size, …): tasks have copies
 * of these, which go there when their group ends. */
static void reduce_by_tasks(hd_team_call *c) {
  hd_team_terms *t = c->k->w->terms;
  hd_team_term list = hd_team_call_arg(c, 2);
  int64_t n = 0;
  bool known = hd_team_term_is_const(t, hd_team_call_arg(c, 1), &n) && n < 64;
  c->k->w->ordered_by_chance = true;
  for (int64_t i = 0; known && i < n; i++) {
    hd_team_term parts[2]; /* address, size */
    for (int64_t j = 0; j < 2; j++)
      parts[j] = hd_team_walk_peek(
          c->k, c->s,
          hd_team_term_make(t, HD_TEAM_ADD, list,
                            hd_team_call_number(c, 56 * i + 16 * j)),
          8);
    known = parts[0] && parts[1];
    if (known)
      hd_team_walk_touch(c->k, c->s, c->edge, parts[0], parts[1], true);
  }
  if (!known)
    hd_team_walk_refuse(c->k, c->edge, "what tasks reduce is not known");
  hd_team_call_give(c, c->s, hd_team_call_number(c, 0));
}

static bool more(hd_team_call *c) {
  const char *n = c->name;
  if (!strcmp(n, "__kmpc_cancel") || !strcmp(n, "__kmpc_cancellationpoint")) {
    cancel(c);
  } else if (!strcmp(n, "__kmpc_taskred_init")) {
    reduce_by_tasks(c);
  } else if (!strcmp(n, "__kmpc_task_reduction_get_th_data")) {
    hd_team_call_give(c, c->s, hd_team_walk_allocate(c->k, c->s));
  } else if (!strcmp(n, "__kmpc_alloc")) {
    hd_team_call_give(c, c->s, hd_team_walk_allocate(c->k, c->s));
  } else if (!strcmp(n, "__kmpc_free") || !strcmp(n, "omp_fulfill_event")) {
    return true;
  } else if (!strcmp(n, "__kmpc_task_allow_completion_event")) {
    c->k->w->waits = true; /* for the event */
    hd_team_call_give(c, c->s, hd_team_call_result(c));
  } else {
    return false;
  }
  return true;
}

static bool openmp(hd_team_call *c) {
  static const char *const nothing[] = {
      "__kmpc_end_master", "__kmpc_end_masked", "__kmpc_push_proc_bind",
      "__kmpc_flush", "__kmpc_dispatch_deinit",
      /* what they order is not made use of */
      "__kmpc_doacross_init", "__kmpc_doacross_post", "__kmpc_doacross_fini",
      NULL};
  const char *n = c->name, *rest;
  if (hd_team_call_is_any(n, nothing))
    return true;
  if (hd_team_call_starts(n, "__kmpc_for_static_init_", &rest))
    hd_team_call_static_init(c, width_of(rest));
  else if (!strcmp(n, "__kmpc_for_static_fini"))
    hd_team_call_end_share(c);
  else if (hd_team_call_starts(n, "__kmpc_dispatch_init_", &rest))
    hd_team_call_dispatch_init(c);
  else if (hd_team_call_starts(n, "__kmpc_dispatch_next_", &rest))
    hd_team_call_dispatch_next(c, width_of(rest));
  else if (hd_team_call_starts(n, "__kmpc_dispatch_fini_", &rest))
    ;
  else if (!strcmp(n, "__kmpc_barrier") ||
           !strcmp(n, "__kmpc_cancel_barrier")) {
    hd_team_call_give(c, c->s, hd_team_call_number(c, 0));
    c->way = c->s->serial ? HD_TEAM_WALK_ON : HD_TEAM_WALK_BARRIER;
  } else if (!strcmp(n, "__kmpc_critical") ||
             !strcmp(n, "__kmpc_critical_with_hint"))
    lock(c, c->s, in_team(c, hd_team_call_arg(c, 2)));
  else if (!strcmp(n, "__kmpc_end_critical"))
    unlock(c, c->s, in_team(c, hd_team_call_arg(c, 2)));
  else if (!strcmp(n, "__kmpc_ordered"))
    lock(c, c->s, ordered(c));
  else if (!strcmp(n, "__kmpc_end_ordered"))
    unlock(c, c->s, ordered(c));
  else if (!strcmp(n, "omp_set_lock") || !strcmp(n, "omp_set_nest_lock"))
    lock(c, c->s, in_team(c, hd_team_call_arg(c, 0)));
  else if (!strcmp(n, "omp_unset_lock") || !strcmp(n, "omp_unset_nest_lock"))
    unlock(c, c->s, in_team(c, hd_team_call_arg(c, 0)));
  else if (!strcmp(n, "__kmpc_doacross_wait"))
    c->k->w->waits = true;
  else if (!strcmp(n, "__kmpc_single"))
    hd_team_call_single(c);
  else if (!strcmp(n, "__kmpc_end_single"))
    hd_team_call_end_single(c, c->s);
  else if (!strcmp(n, "__kmpc_master"))
    hd_team_call_masked(c, hd_team_call_number(c, 0));
  else if (!strcmp(n, "__kmpc_masked"))
    hd_team_call_masked(c, hd_team_call_arg(c, 2));
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
    c->k->graph->threads = most_of(c, hd_team_call_arg(c, 2));
  else if (!strcmp(n, "__kmpc_push_num_teams"))
    c->k->graph->teams = most_of(c, hd_team_call_arg(c, 2));
  else if (!strcmp(n, "__kmpc_push_num_teams_51"))
    c->k->graph->teams = most_of(c, hd_team_call_arg(c, 3));
  else if (!strcmp(n, "__kmpc_copyprivate"))
    copyprivate(c);
  else if (!strcmp(n, "__kmpc_serialized_parallel"))
    c->s->serial++;
  else if (!strcmp(n, "__kmpc_end_serialized_parallel"))
    c->s->serial--;
  else if (!strcmp(n, "omp_test_lock") || !strcmp(n, "omp_test_nest_lock"))
    test_lock(c);
  else if (!tasks(c) && !sets_up(c) && !numbers(c) && !more(c) &&
           (hd_team_call_starts(n, "__kmpc_", &rest) ||
            hd_team_call_starts(n, "omp_", &rest) ||
            hd_team_call_starts(n, "openmp_", &rest)))
    hd_team_walk_refuse(c->k, c->edge, "%s is not understood here", n);
  else
    return hd_team_call_starts(n, "__kmpc_", &rest) ||
           hd_team_call_starts(n, "omp_", &rest);
  return true;
}

static bool is_output(const char *name) {
  static const char *const names[] = {"printf", "fprintf", "puts",    "putchar",
                                      "putc",   "fputs",   "fputc",   "fwrite",
                                      "write",  "perror",  "vprintf", NULL};
  return hd_team_call_is_any(name, names);
}

bool hd_team_walk_call(hd_team_walker *k, hd_team_walk_state *s,
                       hd_func_id func, hd_edge_id edge, hd_team_walk_way *way,
                       hd_team_walk_states *more) {
  const hd_func *f = &k->w->code->funcs.data[func];
  hd_team_call c = {
      k,    s,    f->name, edge, &k->w->code->edges.data[edge], HD_TEAM_WALK_ON,
      more, false};
  size_t depth = s->frames.size;
  k->w->prints = k->w->prints || (s->team && is_output(f->name));
  bool known = openmp(&c);
  if (!known && (!s->team || !hd_team_call_prints(&c))) {
    if (f->defined)
      return false;
    hd_team_call_library(&c);
  }
  if (c.way == HD_TEAM_WALK_ON && s->frames.size == depth && !c.jumped)
    go_on(&c, s);
  *way = c.way;
  return true;
}

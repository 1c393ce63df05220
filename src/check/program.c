/* SPDX-License-Identifier: MIT */
#include "check/program.h"

#include <string.h>

typedef struct {
  hd_loc_id loc;
  uint8_t *locals; /* one value a variable */
  bool ended, waiting;
} thread;

typedef struct {
  const hd_program *program;
  const hd_schedule *schedule;
  hd_vec(thread) threads;
  uint8_t *shared;
  uint32_t owner; /* thread inside an atomic section, or HD_NO_ID */
  hd_str *why;
} machine;

/* --- expressions --- */

static bool read_var(const machine *m, const thread *t, hd_var_id v) {
  return (m->program->vars.data[v].shared ? m->shared[v] : t->locals[v]) != 0;
}

/* Which values an expression may have. A choice occurs at one place only, so
 * what its neighbours are does not depend on it. */
typedef struct {
  bool zero, one;
} outcomes;

static outcomes only(bool value) {
  return (outcomes){.zero = !value, .one = value};
}

static bool combine(hd_op op, bool a, bool b) {
  switch (op) {
  case HD_OP_AND:
    return a && b;
  case HD_OP_OR:
    return a || b;
  case HD_OP_XOR:
  case HD_OP_NE:
    return a != b;
  case HD_OP_EQ:
    return a == b;
  default:
    hd_bug("operator %d has no meaning", (int)op);
  }
}

/* `next` holds the new value of each variable. */
static outcomes evaluate(const machine *m, const thread *t, const uint8_t *next,
                         hd_expr_id id) {
  const hd_expr *e = &m->program->exprs.data[id];
  switch (e->op) {
  case HD_OP_CONST:
    return only(e->value != 0);
  case HD_OP_CHOICE:
    return (outcomes){.zero = true, .one = true};
  case HD_OP_VAR:
    return only(read_var(m, t, (hd_var_id)e->value));
  case HD_OP_NEXT:
    return only(next[e->value] != 0);
  case HD_OP_NOT: {
    outcomes x = evaluate(m, t, next, e->args[0]);
    return (outcomes){.zero = x.one, .one = x.zero};
  }
  case HD_OP_ITE: {
    outcomes c = evaluate(m, t, next, e->args[0]), r = {0};
    outcomes x = evaluate(m, t, next, e->args[1]);
    outcomes y = evaluate(m, t, next, e->args[2]);
    r.zero = (c.one && x.zero) || (c.zero && y.zero);
    r.one = (c.one && x.one) || (c.zero && y.one);
    return r;
  }
  default:
    break;
  }
  outcomes x = evaluate(m, t, next, e->args[0]), r = {0};
  outcomes y = evaluate(m, t, next, e->args[1]);
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++)
      if ((a ? x.one : x.zero) && (b ? y.one : y.zero)) {
        if (combine(e->op, a, b))
          r.one = true;
        else
          r.zero = true;
      }
  return r;
}

/* --- steps --- */

static bool refuse(machine *m, size_t step, const char *what) {
  hd_str_printf(m->why, "step %zu: %s", step + 1, what);
  return false;
}

static thread *new_thread(machine *m, hd_loc_id loc) {
  thread t = {.loc = loc, .locals = hd_calloc(m->program->vars.size + 1, 1)};
  hd_vec_push(&m->threads, t);
  return &hd_vec_last(&m->threads);
}

/* Checks values and guard of a step and carries it out. */
static bool assign(machine *m, size_t number, const hd_sched_step *s,
                   const hd_edge *e) {
  const hd_program *p = m->program;
  thread *t = &m->threads.data[hd_schedule_index(m->schedule, s->thread)];
  if (s->values.size != e->n_assigns ||
      (size_t)s->values.start + s->values.size > m->schedule->values.size)
    return refuse(m, number, "it does not give a value to each variable");
  uint8_t *next = hd_calloc(p->vars.size + 1, 1);
  for (hd_var_id v = 0; v < p->vars.size; v++)
    next[v] = read_var(m, t, v);
  for (uint32_t i = 0; i < e->n_assigns; i++)
    next[p->assigns.data[e->assigns + i].var] =
        m->schedule->values.data[s->values.start + i] != 0;
  bool ok = true;
  for (uint32_t i = 0; ok && i < e->n_assigns; i++) {
    const hd_assign *a = &p->assigns.data[e->assigns + i];
    outcomes can = evaluate(m, t, next, a->value);
    ok = next[a->var] ? can.one : can.zero;
  }
  if (!ok)
    refuse(m, number, "a variable cannot get the value given");
  else if (e->guard != HD_NO_ID && !evaluate(m, t, next, e->guard).one)
    ok = refuse(m, number, "the condition of the statement does not hold");
  for (hd_var_id v = 0; ok && v < p->vars.size; v++)
    if (p->vars.data[v].shared)
      m->shared[v] = next[v];
    else
      t->locals[v] = next[v];
  hd_free(next);
  return ok;
}

static void leave_atomic(machine *m, uint32_t who) {
  if (m->owner == who)
    m->owner = HD_NO_ID;
}

static void spawn(machine *m, uint32_t who, const hd_edge *e) {
  thread *child = new_thread(m, e->other);
  memcpy(child->locals, m->threads.data[who].locals, m->program->vars.size);
}

static hd_loc_id after_wait(const machine *m, hd_loc_id loc) {
  for (hd_vec_each(const hd_edge, e, &m->program->edges))
    if (e->from == loc && e->act == HD_ACT_WAIT)
      return e->to;
  return loc;
}

static void broadcast(machine *m) {
  for (hd_vec_each(thread, t, &m->threads))
    if (t->waiting) {
      t->waiting = false;
      t->loc = after_wait(m, t->loc);
    }
}

/* One waiting thread goes on; the schedule says which. */
static bool signal_one(machine *m, size_t number, uint32_t woken) {
  if (woken == HD_NO_ID) {
    for (hd_vec_each(const thread, t, &m->threads))
      if (t->waiting)
        return refuse(m, number, "a thread waits, and the signal wakes none");
    return true;
  }
  uint32_t who = hd_schedule_index(m->schedule, woken);
  if (who >= m->threads.size || !m->threads.data[who].waiting)
    return refuse(m, number, "the signal wakes a thread that does not wait");
  m->threads.data[who].waiting = false;
  m->threads.data[who].loc = after_wait(m, m->threads.data[who].loc);
  return true;
}

static bool can_move(machine *m, uint32_t who) {
  return !m->threads.data[who].ended && !m->threads.data[who].waiting &&
         (m->owner == HD_NO_ID || m->owner == who);
}

static bool take(machine *m, size_t number, const hd_sched_step *s) {
  uint32_t who = hd_schedule_index(m->schedule, s->thread);
  if (who >= m->threads.size)
    return refuse(m, number, "there is no such thread");
  if (s->edge >= m->program->edges.size)
    return refuse(m, number, "there is no such edge");
  const hd_edge *e = &m->program->edges.data[s->edge];
  if (m->threads.data[who].loc != e->from)
    return refuse(m, number, "the thread is somewhere else");
  if (!can_move(m, who))
    return refuse(m, number,
                  "the thread cannot move: it has ended, waits, or "
                  "another is in an atomic section");
  if (!assign(m, number, s, e))
    return false;
  hd_loc_id to = e->to;
  switch (e->act) {
  case HD_ACT_STEP:
  case HD_ACT_ASSERT:
    break;
  case HD_ACT_SPAWN:
    spawn(m, who, e);
    break;
  case HD_ACT_END:
    m->threads.data[who].ended = true;
    leave_atomic(m, who);
    break;
  case HD_ACT_ATOMIC_BEGIN:
    m->owner = who;
    break;
  case HD_ACT_ATOMIC_END:
    leave_atomic(m, who);
    break;
  case HD_ACT_WAIT:
    m->threads.data[who].waiting = true;
    leave_atomic(m, who);
    to = e->from;
    break;
  case HD_ACT_BROADCAST:
    broadcast(m);
    break;
  case HD_ACT_SIGNAL:
    if (!signal_one(m, number, s->woken))
      return false;
    break;
  }
  m->threads.data[who].loc = to;
  return true;
}

static bool set_up(machine *m, hd_init threads) {
  const hd_program *p = m->program;
  const hd_schedule *s = m->schedule;
  size_t n = p->vars.size;
  if (s->n_threads < threads.min || s->n_threads > threads.max ||
      s->n_threads > HD_COUNT_MAX || s->n_active > s->n_threads) {
    hd_str_printf(m->why, "%u threads cannot start", s->n_threads);
    return false;
  }
  if (s->initial.size != (1 + (size_t)s->n_active) * n) {
    hd_str_puts(m->why, "there is not one initial value for each variable");
    return false;
  }
  for (uint32_t i = 0; i < s->n_active; i++)
    new_thread(m, p->entry);
  for (hd_var_id v = 0; v < n; v++) {
    const hd_var *var = &p->vars.data[v];
    for (uint32_t i = 0; i <= s->n_active; i++) {
      if (var->shared != (i == 0))
        continue;
      bool value = s->initial.data[i * n + v] != 0;
      if (!var->any && value != (var->init != 0)) {
        hd_str_printf(m->why,
                      "variable '%s' starts with a value it cannot "
                      "have",
                      var->name);
        return false;
      }
      if (i == 0)
        m->shared[v] = value;
      else
        m->threads.data[i - 1].locals[v] = value;
    }
  }
  return true;
}

static bool is_violated(machine *m) {
  const hd_schedule *s = m->schedule;
  uint32_t who = hd_schedule_index(s, s->thread);
  if (who >= m->threads.size || s->violated >= m->program->edges.size) {
    hd_str_puts(m->why, "it does not say which thread violates what");
    return false;
  }
  const hd_edge *e = &m->program->edges.data[s->violated];
  const thread *t = &m->threads.data[who];
  bool fails = e->act == HD_ACT_ASSERT && t->loc == e->from &&
               can_move(m, who) && e->guard != HD_NO_ID &&
               evaluate(m, t, t->locals, e->guard).zero;
  if (!fails)
    hd_str_printf(m->why, "the assertion in line %u is not violated at the end",
                  e->origin.line);
  return fails;
}

bool hd_check_schedule(const hd_program *program, hd_init threads,
                       const hd_schedule *schedule, hd_str *why) {
  machine m = {.program = program,
               .schedule = schedule,
               .shared = hd_calloc(program->vars.size + 1, 1),
               .owner = HD_NO_ID,
               .why = why};
  bool ok = set_up(&m, threads);
  for (size_t i = 0; ok && i < schedule->steps.size; i++)
    ok = take(&m, i, &schedule->steps.data[i]);
  ok = ok && is_violated(&m);
  for (hd_vec_each(thread, t, &m.threads))
    hd_free(t->locals);
  hd_vec_free(&m.threads);
  hd_free(m.shared);
  return ok;
}

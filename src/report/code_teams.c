/* SPDX-License-Identifier: MIT */
#include "report/code_teams.h"

#include "report/code_rows.h"

#include <string.h>

bool hd_code_has_teams(const hd_code *code) {
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (!strcmp(f->name, "openmp_region"))
      return true;
  return false;
}

bool hd_code_is_runtime(const hd_code *code, hd_func_id func) {
  return func < code->funcs.size && !code->funcs.data[func].pos.line &&
         hd_code_has_teams(code);
}

void hd_team_place_free(hd_team_place *place) {
  hd_str_free(&place->thread);
  hd_str_free(&place->iteration);
}

/* --- iterations --- */

static bool is_number_of_iteration(const char *name) {
  return name && (!strncmp(name, ".omp.iv", 7) ||
                  !strncmp(name, ".omp.sections.iv", 16));
}

/* Is the register loaded from the variable in which clang counts? */
static bool is_loaded(const hd_code *code, const hd_func *f, uint64_t reg) {
  for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++)
    for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      if (e->act != HD_CODE_LOAD || e->n_targets != 1 ||
          hd_code_target(code, e, 0) != reg)
        continue;
      const hd_cexpr *from = &code->exprs.data[hd_code_operand(code, e, 0)];
      if (from->op == HD_CODE_SLOT &&
          is_number_of_iteration(code->slots.data[f->slots + from->value].name))
        return true;
    }
  return false;
}

static bool mentions(const hd_code *code, const hd_func *f, hd_cexpr_id id) {
  if (id == HD_NO_ID)
    return false;
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_REG)
    return is_number_of_iteration(code->regs.data[f->regs + e->value].name) ||
           is_loaded(code, f, e->value);
  for (size_t i = 0; i < 3; i++)
    if (mentions(code, f, e->args[i]))
      return true;
  return false;
}

/* Does the edge set a variable of the program to what belongs to the iteration? */
static bool sets_iteration(const hd_code *code, hd_edge_id edge) {
  const hd_cedge *e = &code->edges.data[edge];
  const hd_func *f = &code->funcs.data[hd_code_func_of(code, edge)];
  if (e->act == HD_CODE_STORE)
    return mentions(code, f, hd_code_operand(code, e, 1));
  if (e->act != HD_CODE_STEP || e->n_targets != 1 || !e->n_operands)
    return false;
  const hd_reg *reg = &code->regs.data[f->regs + hd_code_target(code, e, 0)];
  return reg->cname && reg->cname[0] != '.' &&
         !is_number_of_iteration(reg->name) &&
         mentions(code, f, hd_code_operand(code, e, 0));
}

/* Does the edge end a loop that is shared out, or ask for another part of it? */
static bool ends_iteration(const hd_code *code, hd_edge_id edge) {
  const hd_cedge *e = &code->edges.data[edge];
  if (e->act != HD_CODE_CALL)
    return false;
  const hd_cexpr *f = &code->exprs.data[hd_code_operand(code, e, 0)];
  const char *name =
      f->op == HD_CODE_FUNC ? code->funcs.data[f->value].name : "";
  return !strncmp(name, "__kmpc_for_static_", 18) ||
         !strncmp(name, "__kmpc_dispatch_next", 20);
}

/* --- a run --- */

/* What a thread is in, at some time of the run. */
typedef struct {
  const char *number;     /* "number = 1", as the library has it */
  const hd_event *set[8]; /* the variables of the iteration */
  size_t n;
  bool setting; /* its last event was one of them */
} standing;

/* By edge: not known, no, sets, ends. */
typedef enum { UNKNOWN, OTHER, SETS, ENDS } edge_kind;

static edge_kind kind_of(const hd_code *code, uint8_t *kinds, hd_edge_id edge) {
  if (kinds[edge] == UNKNOWN)
    kinds[edge] = sets_iteration(code, edge)   ? SETS
                  : ends_iteration(code, edge) ? ENDS
                                               : OTHER;
  return kinds[edge];
}

static bool is_set(const standing *s, hd_edge_id edge) {
  for (size_t i = 0; i < s->n; i++)
    if (s->set[i]->edge == edge)
      return true;
  return false;
}

static void follow(const hd_code *code, uint8_t *kinds, standing *s,
                   const hd_event *e) {
  bool told = (e->kind == HD_EVENT_SET || e->kind == HD_EVENT_WRITE) && e->text;
  edge_kind kind = kind_of(code, kinds, e->edge);
  if (kind == ENDS)
    s->n = 0;
  if (kind == SETS && told) {
    if (!s->setting || is_set(s, e->edge))
      s->n = 0;
    if (s->n < sizeof s->set / sizeof *s->set)
      s->set[s->n++] = e;
  }
  s->setting = kind == SETS;
  if (told && !strncmp(e->text, "number = ", 9) &&
      !strcmp(code->funcs.data[hd_code_func_of(code, e->edge)].name,
              "execute")) {
    s->number = e->text + 9;
    s->n = 0;
  }
}

static void describe(hd_team_place *place, const standing *s) {
  hd_str_free(&place->thread);
  hd_str_free(&place->iteration);
  *place = (hd_team_place){0};
  if (s->number)
    hd_str_printf(&place->thread, "thread %s of the team", s->number);
  for (size_t i = 0; i < s->n; i++)
    hd_str_printf(&place->iteration, "%s%s", i ? ", " : "", s->set[i]->text);
}

/* The memory that the last access there was to; 0: not known. */
static uint64_t object_of(const hd_code_trace *trace, hd_tid thread,
                          hd_edge_id edge) {
  for (size_t i = trace->events.size; i-- > 0;) {
    const hd_event *e = &trace->events.data[i].event;
    if (e->thread == thread && e->edge == edge && e->object)
      return e->object;
  }
  return 0;
}

void hd_code_team_places(const hd_code_trace *trace, const hd_violation *v,
                         hd_team_place *at, hd_team_place *other) {
  const hd_code *code = trace->code;
  if (!hd_code_has_teams(code) || trace->processes)
    return;
  uint64_t object = object_of(trace, v->thread, v->edge);
  standing *all = hd_calloc(trace->n_threads + 1, sizeof *all);
  uint8_t *kinds = hd_calloc(code->edges.size + 1, 1);
  for (hd_vec_each(const hd_traced, traced, &trace->events)) {
    const hd_event *e = &traced->event;
    if (e->thread >= trace->n_threads || e->edge >= code->edges.size)
      continue;
    follow(code, kinds, &all[e->thread], e);
    if (e->thread == v->thread && e->edge == v->edge)
      describe(at, &all[e->thread]);
    if (e->thread == v->other && e->edge == v->other_edge &&
        (!object || !e->object || e->object == object))
      describe(other, &all[e->thread]);
  }
  hd_free(kinds);
  hd_free(all);
}

/* SPDX-License-Identifier: MIT */
#include "engine/teams/teams.h"

#include "check/interp/host.h"
#include "check/interp/memory.h"
#include "engine/teams/walk.h"

#include <string.h>

enum { MAIN = 0 };

typedef struct {
  const hd_code *code;
  hd_run *run;
  hd_machine *machine;
  hd_logic *logic;
  hd_team_terms *terms;
  hd_teams_result *result;
  bool waits, may_fail, stopped;
  bool varies; /* what regions do depends on the team, the schedule or chance */
  hd_edge_id failing;
} proof;

bool hd_teams_used(const hd_code *code) {
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (!strncmp(f->name, "__kmpc_", 7) || !strncmp(f->name, "openmp_", 7) ||
        !strncmp(f->name, "omp_", 4))
      return true;
  return false;
}

static void stop(proof *p, hd_str *why) {
  p->stopped = true;
  if (!p->result->reason)
    p->result->reason = hd_str_take(why);
  hd_str_free(why);
}

static void stop_with(proof *p, const char *text) {
  hd_str why = {0};
  hd_str_puts(&why, text);
  stop(p, &why);
}

/* What is in the objects that the region writes is open from now on. */
static void open_objects(proof *p, const hd_team_walk *w) {
  hd_machine *m = p->machine;
  for (size_t i = 0; i < w->written.size; i++) {
    int64_t offset;
    uint64_t base = w->written.data[i] << 32;
    hd_object *object = hd_ram_own(m, base, &offset);
    if (!object || !object->size ||
        hd_ram_wrong(m, base - (uint64_t)offset, object->size, true))
      continue;
    base -= (uint64_t)offset;
    hd_bytes bytes = {0}, unset = {0};
    const uint8_t *was, *from = hd_ram_bytes(m, base, &was);
    for (uint64_t k = 0; k < object->size; k++) {
      hd_vec_push(&bytes, from[k]);
      hd_vec_push(&unset, (uint8_t)0xff);
    }
    hd_ram_write(m, base, bytes.data, unset.data, bytes.size);
    hd_vec_free(&bytes);
    hd_vec_free(&unset);
  }
}

/* The objects to open when the region is over. */
typedef hd_vec(uint64_t) objects;

static void look_at(proof *p, const hd_host_call *call, hd_team_walk *w) {
  *w = (hd_team_walk){.machine = p->machine,
                      .code = p->code,
                      .run = p->run,
                      .logic = p->logic,
                      .terms = p->terms,
                      .nested = call->args[2] != 0};
  hd_edge_id one, other;
  p->result->regions++;
  if (call->args[2] == 2) {
    stop_with(p, "a league of teams is not looked at");
    return;
  }
  if (hd_team_walk_region(w, call->args[0], call->args[1]) &&
      hd_teams_conflict(w, &one, &other))
    hd_teams_tell_conflict(w, one, other);
  p->result->hint = p->result->hint ? p->result->hint : w->hint;
  if (w->why.size)
    stop_with(p, hd_str_text(&w->why));
  p->varies = p->varies || w->depends || w->ordered_by_chance || w->prints;
  p->waits = p->waits || w->waits;
  if (w->may_fail && !p->may_fail)
    p->failing = w->failing;
  p->may_fail = p->may_fail || w->may_fail;
}

/* Main when it can, else the others in their order; the size of a team that
 * nobody chose is 1. */
static bool move(proof *p) {
  hd_machine *m = p->machine;
  for (hd_tid t = 0; t < hd_machine_threads(m); t++) {
    if (!hd_machine_alive(m, t) || !hd_machine_enabled(m, t))
      continue;
    uint64_t choices = hd_machine_choices(m, t);
    if (choices > 2 && hd_machine_is_input(m, t)) {
      stop_with(p, "the program has inputs");
      return false;
    }
    hd_machine_move(m, (hd_turn){.thread = t, .choice = choices > 1});
    return true;
  }
  stop_with(p, "the program's own thread waits");
  return false;
}

static void execute(proof *p) {
  hd_machine *m = p->machine;
  hd_team_walk open = {0};
  bool has_open = false, opened = false;
  while (!p->stopped && hd_machine_status_of(m) == HD_MACHINE_RUNNING) {
    if (!hd_run_tick(p->run)) {
      stop_with(p, hd_run_why(p->run));
      break;
    }
    hd_host_call call;
    /* What is printed may be open, and decides nothing. */
    if (opened && (hd_host_before(m, HD_LIB_printf, &call) ||
                   hd_host_before(m, HD_LIB_fprintf, &call))) {
      hd_host_return(m, 0);
      continue;
    }
    if (!hd_host_before(m, HD_LIB_openmp_region, &call)) {
      if (!move(p))
        break;
      continue;
    }
    if (!hd_host_args(m, 0, &call))
      break;
    /* The end of a region: (0, 0, …). */
    if (!call.args[0]) {
      if (has_open)
        open_objects(p, &open);
      opened = opened || has_open;
      has_open = false;
      hd_team_walk_free(&open);
      open = (hd_team_walk){0};
      hd_host_return(m, 0);
      continue;
    }
    hd_team_walk w;
    look_at(p, &call, &w);
    if (!p->stopped && (w.ordered_by_chance || w.depends)) {
      hd_team_walk_free(&open);
      open = w;
      has_open = true;
    } else {
      hd_team_walk_free(&w);
    }
    if (!p->stopped)
      hd_host_return(m, 0);
  }
  hd_team_walk_free(&open);
}

/* For all arguments and inputs at once; what is left open may still be shown
 * with the values that the program has. */
static void walk_all(proof *p) {
  hd_team_walk w = {.machine = p->machine,
                    .code = p->code,
                    .run = p->run,
                    .logic = p->logic,
                    .terms = p->terms};
  bool good = hd_team_walk_program(&w);
  p->result->regions += w.regions;
  p->result->hint = w.hint;
  p->result->one = good && !w.depends && !w.ordered_by_chance && !w.prints;
  if (good) {
    p->result->safe |= 1u << HD_PROPERTY_RACE;
    if (!w.waits)
      p->result->safe |= 1u << HD_PROPERTY_DEADLOCK;
    if (!w.may_fail)
      p->result->safe |= 1u << HD_PROPERTY_ASSERT;
  } else {
    p->result->reason = hd_strdup(hd_str_text(&w.why));
  }
  hd_team_walk_free(&w);
}

static void conclude(proof *p) {
  hd_machine *m = p->machine;
  if (p->stopped)
    return;
  if (hd_machine_status_of(m) != HD_MACHINE_EXITED) {
    hd_str why = {0};
    hd_str_puts(&why, *hd_machine_why(m) ? hd_machine_why(m)
                                         : "the run does not come to its end");
    stop(p, &why);
    return;
  }
  p->result->safe |= 1u << HD_PROPERTY_RACE;
  p->result->one = !p->varies;
  if (!p->waits)
    p->result->safe |= 1u << HD_PROPERTY_DEADLOCK;
  else if (!p->result->reason)
    p->result->reason = hd_strdup(
        "threads of a team may wait for each other, as far as teams can tell");
  if (!p->may_fail)
    p->result->safe |= 1u << HD_PROPERTY_ASSERT;
  else if (!p->result->reason) {
    hd_str why = {0};
    hd_code_print_pos(&why, p->code, p->code->edges.data[p->failing].pos);
    hd_str_puts(&why, ": an assertion in a parallel region may fail, as far as "
                      "teams can tell");
    p->result->reason = hd_str_take(&why);
  }
}

static bool mentions(const hd_code *code, hd_cexpr_id id, uint32_t n_params) {
  if (id == HD_NO_ID)
    return false;
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_REG)
    return e->value < n_params;
  for (size_t i = 0; i < 3; i++)
    if (mentions(code, e->args[i], n_params))
      return true;
  return false;
}

bool hd_teams_use_arguments(const hd_code *code) {
  const hd_func *f = &code->funcs.data[code->main];
  for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++)
    for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      if (mentions(code, e->guard, f->n_params))
        return true;
      for (uint32_t k = 0; k < e->n_operands; k++)
        if (mentions(code, hd_code_operand(code, e, k), f->n_params))
          return true;
    }
  return false;
}

/* The machine has one answer to that, systems have others. */
bool hd_teams_ask_size(const hd_code *code) {
  static const char *const names[] = {
      "omp_get_max_threads", "omp_get_num_procs", "omp_get_thread_limit"};
  for (hd_vec_each(const hd_func, f, &code->funcs))
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (!strcmp(f->name, names[i]))
        return true;
  return false;
}

static bool calls_mpi(const hd_code *code) {
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (!f->defined &&
        hd_library_kind_of(hd_library_find(f->name)) == HD_LIBRARY_MPI)
      return true;
  return false;
}

void hd_teams_prove(const hd_code *code, const hd_machine_options *options,
                    hd_run *run, hd_teams_result *result) {
  hd_machine_options mine = *options;
  mine.exact = true;
  mine.clocks = false;
  mine.checks = 1u << HD_PROPERTY_ASSERT;
  proof p = {.code = code,
             .run = run,
             .machine = hd_machine_new(code, &mine),
             .logic = hd_logic_new(),
             .terms = hd_team_terms_new(),
             .result = result};
  walk_all(&p);
  const hd_properties all = 1u << HD_PROPERTY_RACE |
                            1u << HD_PROPERTY_DEADLOCK |
                            1u << HD_PROPERTY_ASSERT;
  hd_properties open = all & (hd_properties)options->checks & ~result->safe;
  if (!open && (!result->asks_one || result->one))
    p.stopped = true;
  else if (calls_mpi(code))
    p.stopped = true; /* what other processes send is an input */
  else if (hd_teams_ask_size(code))
    stop_with(&p, "what the program does depends on the number of threads that "
                  "there could be (omp_get_max_threads, omp_get_num_procs)");
  else if (hd_teams_use_arguments(code) && options->argc <= 1)
    stop_with(&p,
              "what the program does depends on its arguments, of which only "
              "none were looked at (--args)");
  else
    execute(&p);
  conclude(&p);
  hd_machine_delete(p.machine);
  hd_team_terms_delete(p.terms);
  hd_logic_delete(p.logic);
}

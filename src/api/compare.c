/* SPDX-License-Identifier: MIT */
#include "api/compare.h"

#include "api/mpi_side.h"
#include "check/mpi/mpi.h"

#include <math.h>
#include <string.h>

enum { MOST_MOVES = 1000000, ORDERS = 20 };

/* --- outputs --- */

/* Calls `each` for the outputs of a program, in the order of its text. */
typedef bool output_fn(void *context, hd_cvar var);
static bool each_output(const hd_notes *notes, output_fn *each, void *context) {
  for (size_t i = 0; i < notes->notes.size; i++) {
    const hd_note *n = &notes->notes.data[i];
    for (uint32_t k = 0; n->kind == HD_NOTE_OUTPUT && k < n->n_vars; k++)
      if (!each(context, notes->vars.data[n->vars + k]))
        return false;
  }
  return true;
}

typedef struct {
  const char *name;
  hd_cvar var;
  const hd_code *code;
} wanted;

static bool is_other(void *context, hd_cvar var) {
  wanted *w = context;
  if (strcmp(hd_cvar_name(w->code, var), w->name))
    return true;
  w->var = var;
  return false;
}

static bool find_output(const hd_notes *notes, const char *name, hd_cvar *var) {
  wanted w = {.name = name, .code = notes->code};
  bool found = !each_output(notes, is_other, &w);
  *var = w.var;
  return found;
}

/* The same values mean the same: kinds and sizes, through arrays and structs. */
static bool same_type(const hd_code *a, hd_ctype_id x, const hd_code *b,
                      hd_ctype_id y) {
  if (x >= a->ctypes.size || y >= b->ctypes.size)
    return false;
  const hd_ctype *s = &a->ctypes.data[x], *t = &b->ctypes.data[y];
  if (s->kind != t->kind || s->size != t->size || s->count != t->count ||
      s->n_fields != t->n_fields)
    return false;
  if (s->kind == HD_CTYPE_ARRAY)
    return same_type(a, s->base, b, t->base);
  for (uint32_t i = 0; s->kind == HD_CTYPE_STRUCT && i < s->n_fields; i++) {
    const hd_cfield *f = &a->fields.data[s->fields + i];
    const hd_cfield *g = &b->fields.data[t->fields + i];
    if (f->offset != g->offset || f->bits != g->bits ||
        !same_type(a, f->type, b, g->type))
      return false;
  }
  return s->kind != HD_CTYPE_POINTER && s->kind != HD_CTYPE_UNION;
}

typedef struct {
  const hd_notes *from, *to;
  const char *to_what;
  hd_diag *diag;
  size_t count;
  bool good;
} fitting;

static const char *file_of(const hd_code *code) {
  return code->files.size ? code->files.data[0] : "a program";
}

static bool check_fit(void *context, hd_cvar var) {
  fitting *f = context;
  f->count++;
  const char *name = hd_cvar_name(f->from->code, var);
  hd_cvar other;
  if (!find_output(f->to, name, &other)) {
    hd_diag_file_error(f->diag, file_of(f->to->code),
                       "the %s has no output '%s'", f->to_what, name);
    f->good = false;
  } else if (!same_type(f->from->code, hd_cvar_type(f->from->code, var),
                        f->to->code, hd_cvar_type(f->to->code, other))) {
    hd_diag_file_error(f->diag, file_of(f->to->code),
                       "the output '%s' has another type than that of the "
                       "other program, or one that cannot be compared",
                       name);
    f->good = false;
  }
  return true;
}

bool hd_compare_outputs_fit(const hd_notes *spec, const hd_notes *impl,
                            hd_diag *diag) {
  fitting there = {spec, impl, "implementation", diag, 0, true};
  fitting back = {impl, spec, "specification", diag, 0, true};
  each_output(spec, check_fit, &there);
  each_output(impl, check_fit, &back);
  if (!there.count) {
    hd_diag_file_error(diag, file_of(spec->code),
                       "there is nothing to compare: say '#pragma heddle "
                       "output' before the declaration of a global variable");
    return false;
  }
  return there.good && back.good;
}

/* --- execution --- */

static uint32_t draw(uint64_t *seed, uint32_t n) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33) % n;
}

/* The moves in an order by chance; 0: the first that can be made. */
static hd_mpi *execute(const hd_code *code, const hd_mpi_options *options,
                       uint64_t seed) {
  hd_mpi *mpi = hd_mpi_new(code, options);
  hd_mpi_choices moves = {0};
  for (int i = 0; i < MOST_MOVES && hd_mpi_status(mpi) == HD_MACHINE_RUNNING;
       i++) {
    uint32_t first = seed ? draw(&seed, options->procs) : 0, p = first, k = 0;
    hd_vec_clear(&moves);
    for (; k < options->procs && !moves.size; k++) {
      p = (first + k) % options->procs;
      hd_mpi_moves(mpi, p, &moves);
    }
    if (!moves.size)
      break;
    size_t which = seed ? draw(&seed, (uint32_t)moves.size) : 0;
    hd_mpi_move(mpi, (hd_turn){.thread = p, .choice = moves.data[which]});
  }
  hd_vec_free(&moves);
  return mpi;
}

typedef struct {
  const hd_notes *spec, *impl;
  hd_mpi *spec_run, *impl_run;
  hd_compare_run *out;
} comparison;

/* The scalar at `offset` of an object of this type: its type, and size. */
static hd_ctype_id scalar_at(const hd_code *code, hd_ctype_id id,
                             uint64_t offset, uint64_t *size) {
  for (;;) {
    const hd_ctype *t = id < code->ctypes.size ? &code->ctypes.data[id] : NULL;
    *size = t && t->size ? t->size : 1;
    if (!t || (t->kind != HD_CTYPE_ARRAY && t->kind != HD_CTYPE_STRUCT))
      return id;
    if (t->kind == HD_CTYPE_ARRAY) {
      const hd_ctype *base =
          t->base < code->ctypes.size ? &code->ctypes.data[t->base] : NULL;
      if (!base || !base->size)
        return HD_NO_ID;
      offset %= base->size;
      id = t->base;
      continue;
    }
    uint32_t i = 0;
    const hd_cfield *field = NULL;
    for (; i < t->n_fields; i++) {
      const hd_cfield *f = &code->fields.data[t->fields + i];
      if (f->offset / 8 <= offset && offset < (f->offset + f->bits) / 8)
        field = f;
    }
    *size = 1;
    if (!field || field->bits % 8)
      return HD_NO_ID; /* between fields */
    offset -= field->offset / 8;
    id = field->type;
  }
}

static char *show(const hd_code *code, hd_ctype_id type, bool known,
                  uint64_t bits) {
  hd_str out = {0};
  if (known)
    hd_inputs_print_value(&out, code, type, bits);
  else
    hd_str_puts(&out, "never set");
  return hd_str_take(&out);
}

/* Equal but for rounding: real numbers are what the programs are about. */
static bool near(const hd_code *code, hd_ctype_id id, uint64_t x, uint64_t y) {
  const hd_ctype *type = id < code->ctypes.size ? &code->ctypes.data[id] : NULL;
  if (!type || type->kind != HD_CTYPE_FLOAT)
    return false;
  double a = hd_value_number(code, id, x), b = hd_value_number(code, id, y);
  double larger = fmax(fabs(a), fabs(b));
  return fabs(a - b) <= larger * (type->size == 4 ? 1e-4 : 1e-9) ||
         (isnan(a) && isnan(b));
}

static bool same_output(void *context, hd_cvar var) {
  comparison *c = context;
  const hd_code *a = c->spec->code, *b = c->impl->code;
  hd_cvar other;
  const char *name = hd_cvar_name(a, var);
  if (!find_output(c->impl, name, &other))
    return true;
  hd_ctype_id whole = hd_cvar_type(a, var);
  uint64_t size = a->globals.data[var.index].size, step;
  for (uint64_t at = 0; at < size; at += step) {
    hd_ctype_id type = scalar_at(a, whole, at, &step);
    if (type == HD_NO_ID || step > 8)
      continue;
    uint64_t x = 0, y = 0;
    bool in_spec = hd_machine_look(hd_mpi_process_machine(c->spec_run, 0), var,
                                   at, (uint32_t)step, &x);
    bool in_impl = hd_machine_look(hd_mpi_process_machine(c->impl_run, 0),
                                   other, at, (uint32_t)step, &y);
    if (in_spec == in_impl && (x == y || near(a, type, x, y)))
      continue;
    hd_str place = {0};
    hd_code_print_place(&place, a, name, whole, at, step);
    c->out->differ = true;
    c->out->output = hd_str_take(&place);
    c->out->spec = show(a, type, in_spec, x);
    c->out->impl = show(b, type, in_impl, y);
    return false;
  }
  return true;
}

static void compare_status(comparison *c) {
  int a = hd_machine_exit_code(hd_mpi_process_machine(c->spec_run, 0)) & 0xff;
  int b = hd_machine_exit_code(hd_mpi_process_machine(c->impl_run, 0)) & 0xff;
  if (a == b || c->out->differ)
    return;
  hd_str texts[2] = {{0}};
  hd_str_printf(&texts[0], "%d", a);
  hd_str_printf(&texts[1], "%d", b);
  c->out->differ = true;
  c->out->output = hd_strdup("exit status");
  c->out->spec = hd_str_take(&texts[0]);
  c->out->impl = hd_str_take(&texts[1]);
}

static char *unfinished(const char *which, const hd_mpi *mpi) {
  hd_str why = {0};
  const char *reason = hd_mpi_why(mpi);
  hd_str_printf(&why, "the %s does not end%s%s", which, reason ? ": " : "",
                reason ? reason : "");
  return hd_str_take(&why);
}

void hd_compare_execute(const hd_notes *spec,
                        const hd_input_values *spec_inputs, uint32_t spec_procs,
                        const hd_notes *impl,
                        const hd_input_values *impl_inputs, uint32_t impl_procs,
                        uint64_t seed, hd_compare_run *out) {
  hd_mpi_options first = {.procs = spec_procs,
                          .given = spec_inputs->given.data,
                          .n_given = spec_inputs->given.size};
  hd_mpi_options second = {.procs = impl_procs,
                           .given = impl_inputs->given.data,
                           .n_given = impl_inputs->given.size};
  comparison c = {.spec = spec, .impl = impl, .out = out};
  c.spec_run = execute(spec->code, &first, seed);
  c.impl_run = execute(impl->code, &second, seed * 3);
  bool spec_ended = hd_mpi_status(c.spec_run) == HD_MACHINE_EXITED;
  bool impl_ended = hd_mpi_status(c.impl_run) == HD_MACHINE_EXITED;
  out->done = spec_ended && impl_ended;
  if (out->done)
    each_output(spec, same_output, &c);
  if (out->done)
    compare_status(&c);
  else
    out->why = spec_ended ? unfinished("implementation", c.impl_run)
                          : unfinished("specification", c.spec_run);
  hd_mpi_delete(c.spec_run);
  hd_mpi_delete(c.impl_run);
}

void hd_compare_run_free(hd_compare_run *run) {
  hd_free(run->output);
  hd_free(run->spec);
  hd_free(run->impl);
  hd_free(run->why);
  *run = (hd_compare_run){0};
}

/* --- all --- */

static void keep_inputs(hd_compare_result *result, const hd_input_values *spec,
                        const hd_input_values *impl) {
  hd_texts texts = {0};
  hd_input_values_describe(impl, &texts);
  size_t n = texts.size;
  hd_input_values_describe(spec, &texts);
  /* Those that only the specification has come behind. */
  for (size_t i = 0; i < texts.size; i++) {
    bool twice = false;
    for (size_t k = 0; k < n && i >= n && !twice; k++)
      twice = !strcmp(texts.data[i], texts.data[k]);
    if (twice)
      hd_free(texts.data[i]);
    else
      hd_vec_push(&result->given, texts.data[i]);
  }
  hd_vec_free(&texts);
}

/* One pair of runs; true when they end differently, which is kept. */
static bool differs(const hd_notes *spec, const hd_notes *impl,
                    const hd_compare_options *options, const hd_input_values *a,
                    const hd_input_values *b, uint64_t order,
                    hd_compare_result *result) {
  hd_compare_run_free(&result->run);
  hd_compare_execute(spec, a, options->spec_procs, impl, b, options->impl_procs,
                     order, &result->run);
  if (result->run.done && result->run.differ) {
    keep_inputs(result, a, b);
    return true;
  }
  return false;
}

/* Small inputs by chance: most differences show there. */
static bool try_inputs(const hd_notes *spec, const hd_notes *impl,
                       const hd_compare_options *options, hd_run *run,
                       hd_compare_result *result) {
  if (!hd_mpi_side_can(spec) || !hd_mpi_side_can(impl))
    return false;
  hd_input_values a, b;
  hd_input_values_start(&a, spec);
  hd_input_values_start(&b, impl);
  bool found = false;
  /* Annotated loops are about numbers of mathematics. */
  bool any = options->lise.c_numbers &&
             !hd_notes_have(spec, HD_NOTE_INVARIANT) &&
             !hd_notes_have(impl, HD_NOTE_INVARIANT);
  uint32_t tries = options->tries * (any ? 4 : 1);
  for (uint32_t i = 0; i < tries && !found && hd_run_check(run); i++) {
    bool extreme = i >= options->tries;
    if (!hd_input_values_choose(&b, options->seed + i, extreme))
      break;
    if (!hd_input_values_choose(&a, options->seed + i, extreme))
      break;
    hd_input_values_copy(&a, &b);
    if (!hd_input_values_allowed(&a))
      continue;
    result->runs++;
    found = differs(spec, impl, options, &a, &b, i / 2, result);
  }
  hd_input_values_drop(&a);
  hd_input_values_drop(&b);
  return found;
}

/* The inputs that the engine names, in both programs. */
static bool confirm(const hd_notes *spec, const hd_notes *impl,
                    const hd_compare_options *options,
                    hd_compare_result *result) {
  hd_input_values a, b;
  hd_input_values_start(&a, spec);
  hd_input_values_start(&b, impl);
  const hd_lise_finding *f = &result->lise.finding;
  for (size_t i = 0; i < f->inputs.size; i++) {
    const hd_lise_value *v = &f->inputs.data[i];
    bool used = hd_input_values_set(&a, v->name, v->value);
    used |= hd_input_values_set(&b, v->name, v->value);
    (void)used; /* values of calls (nondet) are no inputs of pragmas */
  }
  /* An alarm has no inputs: then all are 0, which may be forbidden. */
  bool found = false,
       allowed = hd_input_values_allowed(&a) && hd_input_values_allowed(&b);
  for (uint64_t order = 0; allowed && !found && order < ORDERS; order++)
    found = differs(spec, impl, options, &a, &b, order, result);
  hd_input_values_drop(&a);
  hd_input_values_drop(&b);
  return found;
}

static bool prints(const hd_code *code) {
  for (hd_vec_each(hd_func, func, &code->funcs))
    if (!func->defined &&
        (hd_library_action(hd_library_find(func->name)) == HD_DO_WRITE ||
         hd_library_action(hd_library_find(func->name)) == HD_DO_PRINT))
      return true;
  return false;
}

/* Only a run that is possible has inputs to try. */
static bool about_outputs(const hd_lise_result *lise) {
  return lise->finding.found && lise->finding.edge == HD_NO_ID &&
         lise->finding.property == HD_PROPERTY_ASSERT &&
         lise->finding.why == HD_LISE_REAL;
}

void hd_compare(const hd_notes *spec, const hd_notes *impl,
                const hd_compare_options *options, hd_run *run,
                hd_compare_result *result) {
  if (try_inputs(spec, impl, options, run, result)) {
    result->tried = true;
    result->verdict = HD_UNSAFE;
    return;
  }
  hd_compare_run_free(&result->run);
  const hd_lise_source sources[] = {
      {spec->code, spec, options->spec_procs},
      {impl->code, impl, options->impl_procs},
  };
  hd_lise_run(sources, 2, &options->lise, run, &result->lise);
  hd_lise_result *lise = &result->lise;
  bool c_numbers = options->lise.c_numbers;
  bool shown = about_outputs(lise) && confirm(spec, impl, options, result);
  if (!shown)
    hd_compare_run_free(&result->run);
  if (c_numbers && lise->verdict != HD_SAFE && !shown && hd_run_check(run) &&
      (hd_notes_have(spec, HD_NOTE_INVARIANT) ||
       hd_notes_have(impl, HD_NOTE_INVARIANT))) {
    /* Equal over the reals is less, and something. */
    hd_lise_options ideal = options->lise;
    hd_lise_result again = {0};
    ideal.c_numbers = false;
    hd_lise_run(sources, 2, &ideal, run, &again);
    bool better = again.verdict == HD_SAFE;
    if (better) {
      hd_lise_result_free(lise);
      *lise = again;
      lise->ideal = true;
    } else {
      hd_lise_result_free(&again);
    }
  }
  result->ideal =
      lise->verdict == HD_SAFE && (lise->ideal || !options->lise.c_numbers);
  result->verdict = lise->verdict;
  result->bounded = lise->bounded;
  if (lise->verdict == HD_SAFE && (prints(spec->code) || prints(impl->code)))
    hd_vec_push(&lise->notes, hd_strdup("what they print is not compared"));
  if (lise->reason)
    result->reason = hd_strdup(lise->reason);
  if (!about_outputs(lise))
    return;
  if (shown) {
    result->verdict = HD_UNSAFE;
  } else if (lise->verdict == HD_UNSAFE) {
    result->verdict = HD_UNKNOWN;
    hd_free(result->reason);
    result->reason =
        hd_strdup("the difference that was found does not show when both "
                  "programs are executed with these inputs");
  }
}

void hd_compare_result_free(hd_compare_result *result) {
  hd_lise_result_free(&result->lise);
  hd_compare_run_free(&result->run);
  for (size_t i = 0; i < result->given.size; i++)
    hd_free(result->given.data[i]);
  hd_vec_free(&result->given);
  hd_free(result->reason);
  *result = (hd_compare_result){0};
}

/* SPDX-License-Identifier: MIT */
/* The program is changed before it is executed: on the way to the head of every
 * loop it asks for an input that nobody uses. The machine stops before inputs,
 * and there the variables are looked at. */
#include "api/sample.h"

#include "api/inputs.h"
#include "check/mpi/mpi.h"
#include "front/code/code.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 20000, MOST_ROUNDS = 40 };

#define PROBE "__VERIFIER_nondet_bool"

/* --- probes --- */

typedef struct {
  const char *at, *end;
} lines;

static bool next_line(lines *l, const char **line, size_t *size) {
  if (l->at >= l->end)
    return false;
  const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
  *line = l->at;
  *size = stop ? (size_t)(stop - l->at) + 1 : (size_t)(l->end - l->at);
  l->at += *size;
  return true;
}

static bool begins(const char *line, size_t size, const char *with) {
  return size >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* The number of a probe for location `head`, or HD_NO_ID. */
static uint32_t probe_of(const hd_u32s *heads, uint32_t n_locs, uint32_t head) {
  for (size_t i = 0; i < heads->size; i++)
    if (heads->data[i] == head)
      return n_locs + (uint32_t)i;
  return HD_NO_ID;
}

/* An edge line, leading to the probe where it led to a head. */
static void put_edge(hd_str *out, const char *line, size_t size,
                     const hd_u32s *heads, uint32_t n_locs) {
  const char *number = memchr(line, '>', size);
  assert(number);
  char *behind;
  uint32_t to = (uint32_t)strtoul(number + 1, &behind, 10);
  uint32_t probe = probe_of(heads, n_locs, to);
  if (probe == HD_NO_ID) {
    hd_str_append(out, line, size);
    return;
  }
  hd_str_printf(out, "    -> %u", probe);
  hd_str_append(out, behind, (size_t)(line + size - behind));
}

/* One function, from the line behind its first to its `}`. */
static void put_function(hd_str *out, lines *l) {
  lines ahead = *l;
  const char *line;
  size_t size;
  hd_u32s heads = {0};
  uint32_t n_locs = 0;
  while (next_line(&ahead, &line, &size) && !begins(line, size, "}"))
    if (begins(line, size, "  location ")) {
      if (memmem(line, size, " loop ", 6))
        hd_vec_push(&heads, n_locs);
      n_locs++;
    }
  while (next_line(l, &line, &size) && !begins(line, size, "}"))
    if (begins(line, size, "    -> "))
      put_edge(out, line, size, &heads, n_locs);
    else
      hd_str_append(out, line, size);
  for (uint32_t i = 0; i < heads.size; i++)
    hd_str_printf(out, "  location %u -\n    -> %u - call @" PROBE "()\n",
                  n_locs + i, heads.data[i]);
  hd_str_puts(out, "}\n");
  hd_vec_free(&heads);
}

/* The program with probes; loops and variables have the same numbers. */
static hd_code *with_probes(const hd_code *code) {
  hd_str text = {0}, out = {0};
  hd_code_print(&text, code);
  lines l = {hd_str_text(&text), hd_str_text(&text) + text.size};
  const char *line;
  size_t size;
  while (next_line(&l, &line, &size)) {
    hd_str_append(&out, line, size);
    if (begins(line, size, "function ") && size > 2 && line[size - 2] == '{')
      put_function(&out, &l);
  }
  if (!memmem(hd_str_text(&out), out.size, "function @" PROBE " ",
              strlen("function @" PROBE " ")))
    hd_str_puts(&out, "function @" PROBE " \"" PROBE "\" () -> i1 external\n");
  hd_source source = hd_source_from_text("probes", hd_str_text(&out), out.size);
  hd_diag *diag = hd_diag_new();
  hd_code *probed = hd_code_read(&source, diag);
  hd_diag_delete(diag);
  hd_source_free(&source);
  hd_str_free(&text);
  hd_str_free(&out);
  return probed;
}

/* The loop that the edge is the probe of, or HD_NO_ID. */
static uint32_t loop_behind(const hd_code *code, hd_edge_id edge) {
  const hd_cedge *e = &code->edges.data[edge];
  if (e->act != HD_CODE_CALL || e->pos.file != HD_NO_ID || e->n_targets)
    return HD_NO_ID;
  return code->locs.data[e->to].loop;
}

/* --- variables --- */

static bool is_scalar(const hd_code *code, hd_cvar var) {
  hd_ctype_id id = hd_cvar_type(code, var);
  const char *name = hd_cvar_name(code, var);
  if (id >= code->ctypes.size || !name || begins(name, strlen(name), "__"))
    return false;
  hd_ctype_kind kind = code->ctypes.data[id].kind;
  return kind == HD_CTYPE_SIGNED || kind == HD_CTYPE_UNSIGNED ||
         kind == HD_CTYPE_FLOAT || kind == HD_CTYPE_BOOL;
}

/* A name that another variable of the loop has as well is left to the inner
 * one, which comes first. */
static void add_variable(const hd_code *code, hd_sampled_loop *loop,
                         hd_cvar var) {
  if (!is_scalar(code, var))
    return;
  for (size_t i = 0; i < loop->vars.size; i++)
    if (!strcmp(hd_cvar_name(code, loop->vars.data[i]),
                hd_cvar_name(code, var)))
      return;
  hd_vec_push(&loop->vars, var);
}

/* Declared before the loop, or by its own `for`. */
static bool is_before(const hd_code *code, const hd_loop *loop,
                      hd_scope_id scope, hd_cpos pos) {
  hd_cpos block = code->scopes.data[scope].pos;
  return pos.line < loop->pos.line ||
         (pos.line == loop->pos.line && pos.column < loop->pos.column) ||
         (scope == loop->scope && block.line == loop->pos.line &&
          block.column == loop->pos.column);
}

static void find_variables(const hd_code *code, uint32_t number,
                           hd_sampled_loop *out) {
  const hd_loop *loop = &code->loops.data[number];
  hd_func_id func = code->locs.data[loop->head].func;
  const hd_func *f = &code->funcs.data[func];
  hd_scope_id inner = loop->scope != HD_NO_ID ? loop->scope : f->scope;
  for (hd_scope_id s = inner; s < code->scopes.size;
       s = code->scopes.data[s].parent) {
    for (uint32_t i = 0; i < f->n_regs; i++)
      if (code->regs.data[f->regs + i].scope == s &&
          is_before(code, loop, s, code->regs.data[f->regs + i].pos))
        add_variable(code, out, (hd_cvar){HD_CVAR_REG, func, i});
    for (uint32_t i = 0; i < f->n_slots; i++)
      if (code->slots.data[f->slots + i].scope == s &&
          is_before(code, loop, s, code->slots.data[f->slots + i].pos))
        add_variable(code, out, (hd_cvar){HD_CVAR_SLOT, func, i});
  }
  for (uint32_t i = 0; i < code->globals.size; i++)
    if (code->globals.data[i].cname)
      add_variable(code, out, (hd_cvar){HD_CVAR_GLOBAL, HD_NO_ID, i});
}

/* --- runs --- */

typedef struct {
  hd_samples *out;
  const hd_code *code; /* with probes */
  hd_mpi *mpi;
  uint32_t run;
  uint32_t *rounds; /* of each loop and process */
  uint32_t procs;
} sampler;

static double look(const sampler *s, uint32_t p, hd_cvar var) {
  hd_ctype_id id = hd_cvar_type(s->code, var);
  uint64_t bits;
  uint32_t size = (uint32_t)s->code->ctypes.data[id].size;
  if (size > 8 ||
      !hd_machine_look(hd_mpi_process_machine(s->mpi, p), var, 0, size, &bits))
    return NAN;
  return hd_value_number(s->code, id, bits);
}

static void take(sampler *s, uint32_t p, uint32_t loop) {
  uint32_t *round = &s->rounds[loop * s->procs + p];
  if (*round >= MOST_ROUNDS)
    return;
  hd_sample sample = {.loop = loop,
                      .run = s->run,
                      .proc = p,
                      .round = (*round)++,
                      .values = (uint32_t)s->out->values.size};
  const hd_sampled_loop *l = &s->out->loops.data[loop];
  for (size_t i = 0; i < l->vars.size; i++)
    hd_vec_push(&s->out->values, look(s, p, l->vars.data[i]));
  hd_vec_push(&s->out->samples, sample);
}

/* The process goes on as far as it is free to: one move. */
static bool step(sampler *s, uint32_t p, uint64_t *seed) {
  int64_t low;
  uint64_t count, choice = 0;
  if (hd_mpi_input(s->mpi, p, &low, &count)) {
    uint32_t loop = loop_behind(s->code, hd_mpi_at(s->mpi, p));
    if (loop != HD_NO_ID) {
      take(s, p, loop);
    } else {
      *seed = *seed * 6364136223846793005u + 1442695040888963407u;
      uint64_t small = (*seed >> 40) % 7;
      choice = low < 0 && count > 8 ? (uint64_t)-low + small : small;
      choice = choice < count ? choice : 0;
    }
  } else {
    hd_mpi_choices moves = {0};
    hd_mpi_moves(s->mpi, p, &moves);
    bool any = moves.size;
    choice = any ? moves.data[0] : 0;
    hd_vec_free(&moves);
    if (!any)
      return false;
  }
  hd_mpi_move(s->mpi, (hd_turn){.thread = p, .choice = choice});
  return true;
}

static bool execute(sampler *s, uint64_t seed, hd_run *run) {
  for (int moves = 0; moves < MOST_MOVES && hd_run_tick(run);) {
    bool moved = false;
    for (uint32_t p = 0; p < s->procs; p++)
      if (hd_mpi_status(s->mpi) == HD_MACHINE_RUNNING && step(s, p, &seed)) {
        moved = true;
        moves++;
      }
    if (!moved)
      break;
  }
  return hd_mpi_status(s->mpi) == HD_MACHINE_EXITED;
}

void hd_samples_take(hd_samples *samples, const hd_notes *notes, uint32_t procs,
                     uint32_t runs, uint64_t seed, hd_run *run) {
  const hd_code *code = notes->code;
  *samples = (hd_samples){0};
  for (uint32_t i = 0; i < code->loops.size; i++) {
    hd_sampled_loop loop = {0};
    find_variables(code, i, &loop);
    hd_vec_push(&samples->loops, loop);
  }
  hd_code *probed = with_probes(code);
  if (!probed)
    return;
  /* Edges have other numbers there; those of inputs are looked up again. */
  hd_input_values inputs;
  hd_input_values_start(&inputs, notes);
  for (size_t i = 0; i < inputs.given.size; i++) {
    hd_given *g = &inputs.given.data[i];
    for (hd_edge_id e = 0; g->edge != HD_NO_ID && e < probed->edges.size; e++) {
      const hd_cedge *edge = &probed->edges.data[e];
      if (edge->act == HD_CODE_ALLOCA &&
          probed->locs.data[edge->from].func == g->var.func &&
          hd_code_target(probed, edge, 0) == g->var.index)
        g->edge = e;
    }
  }
  sampler s = {.out = samples, .code = probed, .procs = procs};
  for (uint32_t i = 0; i < runs && hd_run_check(run); i++) {
    if (!hd_input_values_choose(&inputs, seed + i, false))
      break;
    hd_mpi_options options = {.procs = procs,
                              .given = inputs.given.data,
                              .n_given = inputs.given.size};
    s.run = i;
    s.rounds = hd_calloc(code->loops.size * procs + 1, sizeof *s.rounds);
    s.mpi = hd_mpi_new(probed, &options);
    bool ended = execute(&s, seed + i, run);
    samples->runs += ended;
    hd_vec_push(&samples->ended, ended);
    hd_mpi_delete(s.mpi);
    hd_free(s.rounds);
  }
  hd_input_values_drop(&inputs);
  hd_code_delete(probed);
}

void hd_samples_free(hd_samples *samples) {
  for (size_t i = 0; i < samples->loops.size; i++)
    hd_vec_free(&samples->loops.data[i].vars);
  hd_vec_free(&samples->loops);
  hd_vec_free(&samples->samples);
  hd_vec_free(&samples->values);
  hd_vec_free(&samples->ended);
}

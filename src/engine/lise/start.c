/* SPDX-License-Identifier: MIT */
/* The engine before its search: programs, processes, what is in memory before
 * main. */
#include "engine/lise/loops.h"
#include "engine/lise/search.h"
#include "engine/lise/step.h"

static void make_globals(hd_lise *l, hd_lise_proc *proc, const hd_code *code) {
  hd_vec_push(&proc->objects, NULL);
  for (uint32_t i = 0; i < code->globals.size; i++) {
    const hd_global *g = &code->globals.data[i];
    hd_lise_object *o = hd_calloc(1, sizeof *o);
    o->refs = 1;
    o->kind = HD_LISE_GLOBAL;
    o->origin = i;
    o->size = hd_term_int(l->terms, (int64_t)g->size);
    o->constant = g->constant;
    o->external = g->external;
    o->zero = true;
    hd_vec_push(&proc->objects, o);
  }
}

static void add_comm(hd_lise_state *s, uint32_t program, hd_proc first,
                     uint32_t n) {
  hd_lise_comm *c = hd_calloc(1, sizeof *c);
  c->refs = 1;
  c->program = program;
  for (uint32_t i = 0; i < n; i++)
    hd_vec_push(&c->members, first + i);
  hd_vec_push(&s->comms, c);
}

/* argv: the program's name and a null pointer */
static hd_term make_argv(hd_lise *l) {
  hd_terms *t = l->terms;
  hd_term zero = hd_term_int(t, 0);
  uint32_t text = hd_lise_object_new(l, HD_LISE_HEAP, 0, hd_term_int(t, 2));
  uint32_t list = hd_lise_object_new(l, HD_LISE_HEAP, 0, hd_term_int(t, 16));
  hd_lise_proc *me = hd_lise_me(l);
  me->objects.data[text]->zero = true;
  me->objects.data[list]->zero = true;
  me->objects.data[text]->kind = HD_LISE_ALLOCA;
  me->objects.data[list]->kind = HD_LISE_ALLOCA;
  hd_vec_push(&me->objects.data[list]->cells,
              ((hd_lise_cell){0, 8, hd_term_ptr(t, text, zero)}));
  return hd_term_ptr(t, list, zero);
}

hd_lise_state *hd_lise_initial(hd_lise *l) {
  hd_lise_state *s = hd_calloc(1, sizeof *s);
  for (uint32_t k = 0; k < l->n_programs; k++) {
    const hd_lise_program *program = &l->programs[k];
    for (uint32_t i = 0; i < program->n_procs; i++) {
      hd_lise_proc *proc = hd_calloc(1, sizeof *proc);
      proc->refs = 1;
      proc->program = k;
      proc->rank = (int32_t)i;
      make_globals(l, proc, program->code);
      hd_vec_push(&s->procs, proc);
    }
    uint32_t world = (uint32_t)s->comms.size;
    add_comm(s, k, program->first, program->n_procs);
    for (uint32_t i = 0; i < program->n_procs; i++) {
      hd_lise_proc *proc = s->procs.data[program->first + i];
      hd_vec_push(&proc->comm_handles, 0);
      hd_vec_push(&proc->comm_handles, world + 1);
      hd_vec_push(&proc->comm_handles, (uint32_t)s->comms.size + 1);
      add_comm(s, k, program->first + i, 1);
    }
  }
  l->state = s;
  for (hd_proc p = 0; p < l->n_procs; p++) {
    l->proc = p;
    const hd_code *code = hd_lise_code(l);
    hd_term args[2] = {hd_term_int(l->terms, 1), 0};
    const hd_func *f = &code->funcs.data[code->main];
    args[1] = f->n_params > 1 ? make_argv(l) : 0;
    (void)hd_lise_push(l, code->main, args, f->n_params > 1 ? 2 : 1);
    hd_lise_inputs_at_start(l);
  }
  return s;
}

void hd_lise_begin(hd_lise *l, const hd_lise_source *sources, size_t n) {
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; sources[k].notes && i < sources[k].notes->formulas.size;
         i++) {
      uint8_t op = sources[k].notes->formulas.data[i].op;
      l->counting =
          l->counting || op == HD_FORMULA_SENT || op == HD_FORMULA_RECEIVED;
    }
  l->terms = hd_terms_new();
  double seconds = l->options->prover_seconds;
  l->prover =
      hd_prover_new(l->terms, seconds > 0 ? seconds : 5, l->run->deadline);
  l->programs = hd_calloc(n, sizeof *l->programs);
  l->first = hd_calloc(n, sizeof *l->first);
  l->sources = sources;
  l->n_programs = n;
  for (size_t k = 0; k < n; k++) {
    const hd_code *code = sources[k].code;
    hd_lise_program *p = &l->programs[k];
    p->code = code;
    p->live = hd_live_new(code);
    p->library = hd_calloc(code->funcs.size + 1, sizeof *p->library);
    for (size_t i = 0; i < code->funcs.size; i++)
      if (!code->funcs.data[i].defined)
        p->library[i] = hd_library_find(code->funcs.data[i].name);
    p->n_procs = sources[k].n_procs;
    p->first = l->first[k] = (hd_proc)l->n_procs;
    l->n_procs += p->n_procs;
    p->loops = hd_lise_loops_new(code, sources[k].notes);
  }
  for (size_t k = 0; k < n; k++)
    hd_lise_loops_mention(l->programs[k].loops,
                          n == 2 ? sources[1 - k].notes : NULL);
}

void hd_lise_end(hd_lise *l) {
  for (size_t k = 0; k < l->n_programs; k++) {
    hd_live_delete(l->programs[k].live);
    hd_free(l->programs[k].library);
    hd_lise_loops_delete(l->programs[k].loops);
  }
  hd_free(l->programs);
  hd_free(l->first);
  for (size_t i = 0; i < l->names.size; i++)
    hd_free(l->names.data[i]);
  hd_vec_free(&l->names);
  for (size_t i = 0; i < l->inputs.size; i++)
    hd_free(l->inputs.data[i].name);
  hd_vec_free(&l->inputs);
  hd_free(l->refusal);
  hd_prover_delete(l->prover);
  hd_terms_delete(l->terms);
}

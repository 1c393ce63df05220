/* SPDX-License-Identifier: MIT */
/* Is what was found a real run? The run is made again, and written down edge by
 * edge; then the same edges are executed plainly, without new symbols and
 * without forgetting. If the violation is there too and what was learnt on the
 * way can be satisfied, that run with those inputs is a counterexample. */
#include "engine/lise/loops.h"
#include "engine/lise/mpi.h"
#include "engine/lise/search.h"
#include "engine/lise/step.h"

#include <stdlib.h>
#include <string.h>

/* --- writing down --- */

void hd_lise_watch_edge(hd_lise *l, hd_edge_id edge) {
  hd_lise_event event = {.proc = l->proc, .kind = HD_WATCH_EDGE, .what = edge};
  hd_vec_push(&l->watch->events, event);
}

void hd_lise_watch_answer(hd_lise *l, uint32_t asked, int64_t value) {
  hd_lise_event event = {
      .proc = l->proc, .kind = HD_WATCH_ANSWER, .what = asked, .value = value};
  if (l->watch && l->watch->events.size)
    hd_vec_push(&l->watch->events, event);
}

bool hd_lise_recall(const hd_lise *l, uint32_t asked, int64_t *value) {
  for (size_t i = l->answers;
       l->recalls && i < l->recalls->events.size &&
       l->recalls->events.data[i].kind == HD_WATCH_ANSWER;
       i++)
    if (l->recalls->events.data[i].what == asked) {
      *value = l->recalls->events.data[i].value;
      return true;
    }
  return false;
}

void hd_lise_watch_undo(hd_lise *l) {
  bool edge = false;
  while (l->watch && l->watch->events.size && !edge) {
    edge = hd_vec_last(&l->watch->events).kind == HD_WATCH_EDGE;
    l->watch->events.size--;
  }
}

/* Makes the transitions of a finding again. False: it went another way. */
static bool write_down(hd_lise *l, const hd_lise_finding *f,
                       hd_lise_watch *watch) {
  hd_lise_state *state = hd_lise_initial(l);
  hd_lise_canonic(l->terms, state);
  l->watch = watch;
  bool ok = true;
  for (size_t i = 0; ok && i < f->turns.size; i++) {
    l->proc = f->turns.data[i].proc;
    const hd_lise_op *op = &hd_lise_seen(l)->op;
    if (op->kind == HD_LISE_OP_LOOP)
      hd_vec_push(&watch->events, ((hd_lise_event){l->proc, HD_WATCH_HEAD,
                                                   hd_lise_seen(l)->loop, 0}));
    else if (op->kind != HD_LISE_OP_NONE && op->kind != HD_LISE_OP_BRANCH)
      hd_vec_push(&watch->events,
                  ((hd_lise_event){l->proc, HD_WATCH_OPERATE,
                                   f->turns.data[i].choice, 0}));
    l->budget = 20000;
    hd_going g = hd_lise_operate(l, f->turns.data[i].choice);
    if (g == HD_GO_ON)
      g = hd_lise_advance(l);
    bool last = i + 1 == f->turns.size;
    ok = g == HD_STOPPED || g == HD_GO_ON || (last && g == HD_FAILED);
    if (g == HD_STOPPED || g == HD_GO_ON) {
      hd_lise_forget_dead(l, hd_lise_me(l));
      hd_lise_canonic(l->terms, l->state);
    }
  }
  hd_lise_state_delete(l->state);
  l->state = NULL;
  l->watch = NULL;
  return ok;
}

/* --- plain execution --- */

static void add_step(hd_lise_finding *f, hd_proc p, hd_edge_id edge,
                     char *text) {
  hd_lise_step step = {
      .proc = p, .edge = edge, .text = text, .source = HD_NO_ID};
  hd_vec_push(&f->steps, step);
}

/* What an operation does, in words; NULL = nothing worth it. */
static char *describe(hd_lise *l) {
  const hd_lise_proc *me = hd_lise_seen(l);
  hd_str text = {0};
  if (me->op.message) {
    const hd_lise_message *m = me->op.message;
    hd_str_printf(&text, "sends %lld %s (", (long long)m->count,
                  hd_lise_type_name(m->type));
    for (size_t i = 0; i < m->cells.size && i < 4; i++) {
      hd_str_puts(&text, i ? ", " : "");
      hd_term_print(&text, l->terms, m->cells.data[i].value);
    }
    hd_str_printf(&text, "%s) to process %d, tag %d",
                  m->cells.size > 4 ? ", ..." : "",
                  (int)l->state->procs.data[m->dest]->rank, m->tag);
  } else if (me->op.kind == HD_LISE_OP_COLLECTIVE) {
    hd_str_printf(&text, "leaves %s", hd_library_name(me->op.fn));
  } else {
    return NULL;
  }
  return hd_str_take(&text);
}

/* The newest message that a receive has taken: said after it happened. */
static char *received(hd_lise *l, size_t before, const hd_lise_message *gone) {
  if (l->state->messages.size >= before || !gone)
    return NULL;
  hd_str text = {0};
  hd_str_printf(&text, "receives %lld %s (", (long long)gone->count,
                hd_lise_type_name(gone->type));
  for (size_t i = 0; i < gone->cells.size && i < 4; i++) {
    hd_str_puts(&text, i ? ", " : "");
    hd_term_print(&text, l->terms, gone->cells.data[i].value);
  }
  hd_str_printf(&text, "%s) from process %d, tag %d",
                gone->cells.size > 4 ? ", ..." : "", (int)gone->source_rank,
                gone->tag);
  return hd_str_take(&text);
}

/* Values of source variables that an edge sets. */
static char *effect(hd_lise *l, const hd_lise_proc *me, const hd_cedge *edge) {
  const hd_code *code = hd_lise_code(l);
  hd_str text = {0};
  if (!me->frames.size)
    return NULL;
  hd_func_id func = me->frames.data[me->frames.size - 1].func;
  for (uint32_t i = 0; i < edge->n_targets; i++) {
    hd_reg_id reg = hd_code_target(code, edge, i);
    const hd_reg *r = &code->regs.data[code->funcs.data[func].regs + reg];
    hd_term value = hd_lise_reg(me, me->frames.size - 1, reg);
    if (!r->cname || !value)
      continue;
    hd_str_printf(&text, "%s%s = ", text.size ? ", " : "", r->cname);
    hd_term_print(&text, l->terms, value);
  }
  return text.size ? hd_str_take(&text) : NULL;
}

static hd_going plain_edge(hd_lise *l, hd_edge_id id, hd_lise_finding *f) {
  const hd_cedge *edge = &hd_lise_code(l)->edges.data[id];
  const hd_lise_proc *me = hd_lise_seen(l);
  if (me->ended || !me->frames.size ||
      me->frames.data[me->frames.size - 1].loc != edge->from)
    return HD_PRUNED;
  if (edge->act == HD_CODE_STEP && edge->guard != HD_NO_ID) {
    hd_term guard;
    hd_going g = hd_lise_eval_set(l, edge->guard, "a branch", &guard);
    if (g != HD_GO_ON)
      return g;
    guard = hd_term_to_bool(l->terms, guard);
    if (hd_term_is_false(l->terms, guard))
      return HD_PRUNED;
    hd_lise_learn(l, guard);
  }
  uint32_t used = me->n_inputs;
  size_t frames = me->frames.size;
  l->asked = 0;
  hd_going g = hd_lise_execute(l, id);
  me = hd_lise_seen(l);
  char *text = NULL;
  if (g == HD_GO_ON && me->frames.size == frames)
    text = effect(l, me, edge);
  add_step(f, l->proc, id, text);
  if (me->n_inputs > used)
    f->steps.data[f->steps.size - 1].input = me->n_inputs;
  return g;
}

static hd_going plain_operation(hd_lise *l, uint32_t choice,
                                hd_lise_finding *f) {
  const hd_lise_proc *me = hd_lise_seen(l);
  if (me->op.kind == HD_LISE_OP_NONE ||
      choice >= hd_lise_ready_of(l, l->state, l->proc).n)
    return HD_PRUNED;
  hd_edge_id edge = me->op.edge;
  char *text = describe(l);
  hd_lise_state *before = hd_lise_state_copy(l->state);
  hd_going g = hd_lise_operate(l, choice);
  const hd_lise_message *gone = NULL;
  size_t k = 0;
  for (size_t i = 0; i < before->messages.size && !gone; i++) {
    if (k < l->state->messages.size &&
        l->state->messages.data[k]->source ==
            before->messages.data[i]->source &&
        l->state->messages.data[k]->dest == before->messages.data[i]->dest &&
        l->state->messages.data[k]->tag == before->messages.data[i]->tag)
      k++;
    else
      gone = before->messages.data[i];
  }
  if (!text)
    text = received(l, before->messages.size, gone);
  add_step(f, l->proc, edge, text);
  hd_lise_step *step = &f->steps.data[f->steps.size - 1];
  step->operation = true;
  step->source = gone && l->state->messages.size < before->messages.size
                     ? (uint32_t)l->state->procs.data[gone->source]->rank
                     : HD_NO_ID;
  hd_lise_state_delete(before);
  return g == HD_STOPPED ? HD_GO_ON : g;
}

/* All events, plainly. HD_FAILED: the violation is there. */
static hd_going follow(hd_lise *l, const hd_lise_watch *watch,
                       hd_lise_finding *f) {
  hd_going g = HD_GO_ON;
  for (size_t i = 0; g == HD_GO_ON && i < watch->events.size; i++) {
    hd_lise_event e = watch->events.data[i];
    l->proc = e.proc;
    if (e.kind == HD_WATCH_ANSWER)
      continue;
    if (e.kind == HD_WATCH_EDGE) {
      l->recalls = watch;
      l->answers = i + 1;
      g = plain_edge(l, e.what, f);
      l->recalls = NULL;
      if (g == HD_STOPPED)
        g = HD_GO_ON;
    } else if (e.kind == HD_WATCH_OPERATE) {
      g = plain_operation(l, e.what, f);
    } else {
      g = hd_lise_head(l, e.what);
    }
  }
  if (g != HD_GO_ON)
    return g;
  /* What failed before an edge could be taken: a condition. */
  l->proc = f->proc;
  l->budget = 1;
  g = hd_lise_advance(l);
  if (g != HD_STOPPED)
    return g;
  hd_lise_ready *ready = hd_calloc(l->n_procs, sizeof *ready);
  hd_lise_ready_all(l, l->state, ready);
  g = hd_lise_at_rest(l, ready);
  hd_free(ready);
  return g;
}

/* --- inputs --- */

/* What an int of C can hold, for symbols of annotations too. */
static void add_ranges(hd_lise *l, hd_term x, hd_term_list *facts) {
  if (hd_term_sort_of(l->terms, x) != HD_OF_INT)
    return;
  hd_term most = hd_term_int(l->terms, INT32_MAX);
  hd_vec_push(facts, hd_term_le(l->terms, x, most));
  hd_vec_push(facts, hd_term_le(l->terms, hd_term_int(l->terms, INT32_MIN), x));
}

static void name_input(const hd_lise *l, const hd_lise_input *in, hd_str *out) {
  hd_str_puts(out, in->name);
  if (in->edge == HD_NO_ID)
    return;
  const hd_code *code =
      l->programs[l->state->procs.data[in->proc]->program].code;
  hd_str_puts(out, " at ");
  hd_code_print_pos(out, code, code->edges.data[in->edge].pos);
}

/* A value that is asked for: an input, or an element of one that is an array of
 * variable length. */
typedef struct {
  uint32_t input;
  int64_t element; /* or one of these */
} asked;
enum { ALL_OF_IT = -1, ITS_SIZE = -2 };
typedef hd_vec(asked) asked_list;

enum { ELEMENTS = 64 }; /* more are not shown */

static void ask(hd_term_list *terms, asked_list *what, hd_term term,
                uint32_t input, int64_t element) {
  asked a = {.input = input, .element = element};
  hd_vec_push(terms, term);
  hd_vec_push(what, a);
}

static void ask_inputs(hd_lise *l, hd_term_list *terms, asked_list *what) {
  for (uint32_t i = 0; i < l->inputs.size; i++) {
    const hd_lise_input *in = &l->inputs.data[i];
    hd_term x = hd_term_sym(l->terms, HD_SYM_X, i, in->sort);
    if (in->sort == HD_OF_INT || in->sort == HD_OF_REAL)
      ask(terms, what, x, i, ALL_OF_IT);
    if (!in->size)
      continue;
    ask(terms, what, in->size, i, ITS_SIZE);
    for (int64_t k = 0; k < ELEMENTS; k++)
      ask(terms, what, hd_term_select(l->terms, x, hd_term_int(l->terms, k)), i,
          k);
  }
}

/* `size` is that of the last array. */
static void keep_input(const hd_lise *l, asked a, const char *value,
                       double *size, hd_lise_finding *f) {
  const hd_lise_input *in = &l->inputs.data[a.input];
  if (a.element == ITS_SIZE)
    *size = strtod(value, NULL);
  bool dull = a.element > 0 && !strcmp(value, "0");
  if (a.element == ITS_SIZE || dull ||
      (a.element >= 0 && (double)(a.element + 1) * in->stride > *size))
    return;
  hd_str name = {0};
  name_input(l, in, &name);
  if (a.element >= 0)
    hd_str_printf(&name, "[%lld]", (long long)a.element);
  hd_lise_value v = {.name = hd_str_take(&name),
                     .value = hd_strdup(value),
                     .proc = in->proc,
                     .edge = in->edge};
  const char *mark = strrchr(in->name, '#');
  v.number =
      mark && in->edge != HD_NO_ID ? (uint32_t)strtoul(mark + 1, NULL, 10) : 0;
  hd_vec_push(&f->inputs, v);
}

static void drop_values(hd_prover_values *values) {
  for (size_t i = 0; i < values->size; i++)
    hd_free(values->data[i]);
  hd_vec_free(values);
}

/* Does what is known about it say what its type can hold? */
static bool of_its_type(const hd_lise *l, const asked *a) {
  return l->options->c_numbers && a->element == ALL_OF_IT;
}

static bool in_range(const hd_lise *l, const hd_term_list *terms,
                     const asked_list *what, const hd_prover_values *values) {
  for (size_t i = 0; i < values->size; i++) {
    double value = strtod(values->data[i], NULL);
    if (!of_its_type(l, &what->data[i]) &&
        hd_term_sort_of(l->terms, terms->data[i]) == HD_OF_INT &&
        (value > INT32_MAX || value < INT32_MIN))
      return false;
  }
  return true;
}

/* Inputs that lead there; false when there are none (or it cannot be said).
 * Elements that matter for nothing are 0, unless their range is asked for. */
static hd_proof find_inputs(hd_lise *l, hd_term denied, hd_lise_finding *f) {
  hd_term_list facts = {0}, terms = {0};
  asked_list what = {0};
  hd_lise_facts(l, &facts);
  if (denied)
    hd_vec_push(&facts, denied);
  ask_inputs(l, &terms, &what);
  hd_prover_values values = {0};
  hd_proof found = HD_UNPROVED;
  bool good = false;
  for (int round = 0; round < 2 && !good; round++) {
    for (size_t i = 0; i < terms.size; i++)
      if ((what.data[i].element == ALL_OF_IT) == !round &&
          !of_its_type(l, &what.data[i]))
        add_ranges(l, terms.data[i], &facts);
    drop_values(&values);
    found = hd_prover_model(l->prover, facts.data, facts.size, terms.data,
                            terms.size, &values);
    good = found != HD_VALID || in_range(l, &terms, &what, &values);
  }
  double size = 0;
  for (size_t i = 0; found == HD_VALID && i < terms.size; i++)
    keep_input(l, what.data[i], values.data[i], &size, f);
  drop_values(&values);
  hd_vec_free(&facts);
  hd_vec_free(&terms);
  hd_vec_free(&what);
  return found;
}

static bool uninterpreted(const hd_lise *l, hd_term denied) {
  hd_term_list facts = {0};
  hd_lise_facts(l, &facts);
  bool found = denied && hd_term_node_of(l->terms, denied)->marks & HD_MARK_FN;
  for (size_t i = 0; i < facts.size && !found; i++)
    found = hd_term_node_of(l->terms, facts.data[i])->marks & HD_MARK_FN;
  hd_vec_free(&facts);
  return found;
}

void hd_lise_confirm(hd_lise *l, hd_lise_finding *finding) {
  hd_lise_watch watch = {0};
  hd_lise_finding *was = l->finding;
  hd_lise_finding again = {.pragma = HD_NO_ID}, plain = {.pragma = HD_NO_ID};
  l->finding = &again;
  bool ok = write_down(l, finding, &watch);
  char *refusal = l->refusal;
  l->refusal = NULL;
  l->finding = &plain;
  l->plain = true;
  l->denied = 0;
  hd_going g = HD_PRUNED;
  if (ok) {
    (void)hd_lise_initial(l);
    g = follow(l, &watch, finding);
  }
  /* What cannot be executed must not rest on functions of unknown value. */
  bool doubtful =
      finding->pragma != HD_NO_ID || finding->property == HD_PROPERTY_INVARIANT;
  if (g == HD_FAILED && plain.property == finding->property &&
      !(doubtful && uninterpreted(l, l->denied))) {
    hd_proof proof = find_inputs(l, l->denied, finding);
    if (proof == HD_VALID) {
      if (finding->why == HD_LISE_ENTRY || finding->why == HD_LISE_STEP_FAILS ||
          finding->property == HD_PROPERTY_INVARIANT)
        finding->false_in_run = true;
      finding->why = HD_LISE_REAL;
      hd_free(finding->message);
      finding->message = hd_strdup(plain.message);
      finding->proc = plain.proc;
      finding->edge = plain.edge;
    }
  }
  hd_lise_state_delete(l->state);
  l->state = NULL;
  l->plain = false;
  hd_free(l->refusal);
  l->refusal = refusal;
  l->finding = was;
  hd_vec_free(&watch.events);
  hd_lise_finding_free(&again);
  hd_lise_finding_free(&plain);
}

/* --- states in words --- */

static void print_facts(hd_str *out, const hd_lise *l, const char *what,
                        const hd_term_list *facts) {
  if (!facts->size)
    return;
  hd_str_printf(out, "%s", what);
  for (size_t i = 0; i < facts->size; i++) {
    hd_str_puts(out, i ? " && " : "");
    hd_term_print(out, l->terms, facts->data[i]);
  }
  hd_str_puts(out, "\n");
}

static void print_variables(hd_str *out, const hd_lise *l,
                            const hd_lise_proc *p) {
  const hd_code *code = l->programs[p->program].code;
  bool any = false;
  for (size_t i = p->frames.size; i-- > 0;) {
    const hd_func *f = &code->funcs.data[p->frames.data[i].func];
    for (uint32_t r = 0; r < f->n_regs; r++) {
      const hd_reg *reg = &code->regs.data[f->regs + r];
      hd_term value = p->regs.data[p->frames.data[i].regs + r];
      if (!reg->cname || hd_term_is_undef(l->terms, value) ||
          hd_term_sort_of(l->terms, value) == HD_OF_PTR)
        continue;
      hd_str_printf(out, "%s%s = ", any ? ", " : "", reg->cname);
      hd_term_print(out, l->terms, value);
      any = true;
    }
  }
  for (size_t i = 1; i < p->objects.size; i++) {
    const hd_lise_object *o = p->objects.data[i];
    const char *name =
        !o                          ? NULL
        : o->kind == HD_LISE_GLOBAL ? code->globals.data[o->origin].cname
        : o->kind == HD_LISE_SLOT   ? code->slots.data[o->origin].cname
                                    : NULL;
    for (size_t k = 0; name && k < o->cells.size && k < 12; k++) {
      hd_lise_cell c = o->cells.data[k];
      if (hd_term_is_undef(l->terms, c.value) ||
          hd_term_sort_of(l->terms, c.value) == HD_OF_PTR)
        continue;
      hd_ctype_id type = o->kind == HD_LISE_GLOBAL
                             ? code->globals.data[o->origin].ctype
                             : code->slots.data[o->origin].ctype;
      hd_str_puts(out, any ? ", " : "");
      hd_code_print_place(out, code, name, type, (uint64_t)c.offset, c.bytes);
      hd_str_puts(out, " = ");
      hd_term_print(out, l->terms, c.value);
      any = true;
    }
  }
  hd_str_puts(out, any ? "\n" : "-\n");
}

static void print_record(hd_str *out, const hd_lise *l, const hd_lise_record *r,
                         const char *where) {
  hd_str_printf(out, "%s %s%s:", where, l->names.data[r->id],
                r->is_loop && !r->is_true ? " (exit)" : "");
  for (size_t q = 0; q < r->snapshots.size; q++)
    if (!r->snapshots.data[q])
      hd_str_printf(out, " process %zu not there;", q);
  hd_str_puts(out, "\n");
  print_facts(out, l, "  ppc: ", &r->ppc);
  print_facts(out, l, "  implied: ", &r->implied);
  print_facts(out, l, "  relation: ", &r->relation);
}

void hd_lise_print_state(hd_str *out, const hd_lise *l,
                         const hd_lise_state *s) {
  print_facts(out, l, "path condition: ", &s->pc);
  for (size_t i = 0; i < s->procs.size; i++) {
    const hd_lise_proc *p = s->procs.data[i];
    hd_str_printf(out, "%s %d: ",
                  l->n_programs > 1 ? (p->program ? "implementation process"
                                                  : "specification process")
                                    : "process",
                  (int)p->rank);
    print_variables(out, l, p);
  }
  for (size_t i = 0; i < s->stack.size; i++)
    print_record(out, l, s->stack.data[i], "stack");
  for (size_t i = 0; i < s->queue.size; i++)
    print_record(out, l, s->queue.data[i], "queue");
}

/* --- leaks --- */

static void mark(const hd_terms *t, const hd_lise_proc *p, hd_term value,
                 bool *seen) {
  if (!value || hd_term_sort_of(t, value) != HD_OF_PTR)
    return;
  const uint32_t *args = hd_term_args(t, value);
  if (hd_term_op_of(t, value) == HD_TERM_ITE) {
    mark(t, p, args[1], seen);
    mark(t, p, args[2], seen);
    return;
  }
  if (hd_term_op_of(t, value) != HD_TERM_PTR || !args[0] ||
      args[0] >= p->objects.size || !p->objects.data[args[0]] || seen[args[0]])
    return;
  seen[args[0]] = true;
  const hd_lise_object *o = p->objects.data[args[0]];
  for (size_t i = 0; i < o->cells.size; i++)
    mark(t, p, o->cells.data[i].value, seen);
}

/* Main's own variables are gone when it returns, but not at exit (). */
hd_going hd_lise_check_leaks(hd_lise *l) {
  const hd_lise_proc *p = hd_lise_seen(l);
  bool *seen = hd_calloc(p->objects.size + 1, sizeof *seen);
  for (size_t i = 1; i < p->objects.size; i++) {
    const hd_lise_object *o = p->objects.data[i];
    for (size_t k = 0; o && o->kind == HD_LISE_GLOBAL && k < o->cells.size; k++)
      mark(l->terms, p, o->cells.data[k].value, seen);
  }
  bool returns = p->frames.size == 1 && p->frames.data[0].call == HD_NO_ID;
  if (!returns) {
    for (size_t i = 0; i < p->regs.size; i++)
      mark(l->terms, p, p->regs.data[i], seen);
    for (size_t i = 1; i < p->objects.size; i++) {
      const hd_lise_object *o = p->objects.data[i];
      for (size_t k = 0; o && o->kind != HD_LISE_HEAP && k < o->cells.size; k++)
        mark(l->terms, p, o->cells.data[k].value, seen);
    }
  }
  hd_going g = HD_GO_ON;
  for (size_t i = 1; i < p->objects.size && g == HD_GO_ON; i++) {
    const hd_lise_object *o = p->objects.data[i];
    if (!o || o->kind != HD_LISE_HEAP || o->freed || seen[i])
      continue;
    if (!(l->options->checks >> HD_PROPERTY_LEAK & 1))
      break;
    hd_str where = {0};
    const hd_code *code = hd_lise_code(l);
    hd_code_print_pos(&where, code, code->edges.data[o->origin].pos);
    g = hd_lise_violate(l, HD_PROPERTY_LEAK,
                        "the memory allocated at %s is never freed",
                        hd_str_text(&where));
    hd_str_free(&where);
    if (g == HD_FAILED)
      l->finding->edge = o->origin;
  }
  hd_free(seen);
  return g;
}

/* SPDX-License-Identifier: MIT */
/* Walks over the program, and judging by one. */
#include "check/notes/state.h"

#include <string.h>

hd_annotation *hd_note_new(const hd_code *code) {
  hd_annotation *n = hd_calloc(1, sizeof *n);
  n->code = code;
  hd_note_stack_of(n, 0, HD_NO_ID);
  hd_vec_push(&n->locks, ((mutex){HD_NO_ID, 0, 0, 0}));
  thread main = {.edge = HD_NO_ID,
                 .func = code->main,
                 .arg = hd_note_any(),
                 .pending = true};
  hd_vec_push(&n->threads, main);
  return n;
}

void hd_annotation_delete(hd_annotation *n) {
  if (!n)
    return;
  for (hd_vec_each(place, p, &n->places))
    hd_note_state_free(&p->state);
  hd_vec_free(&n->places);
  hd_vec_free(&n->objects);
  hd_vec_free(&n->object_table);
  hd_vec_free(&n->stacks);
  hd_vec_free(&n->stack_table);
  hd_vec_free(&n->locks);
  hd_vec_free(&n->threads);
  hd_vec_free(&n->guards);
  hd_vec_free(&n->cells);
  hd_free(n);
}

hd_properties hd_annotation_claims(const hd_annotation *n) {
  return n->claims;
}

void hd_annotation_claim(hd_annotation *n, hd_properties claims) {
  n->claims = claims;
}

/* --- walks --- */

/* What is linked for OpenMP has teams of a few threads: the program has any. */
static void refuse_teams(walk *w) {
  for (hd_vec_each(const hd_func, f, &w->code->funcs))
    if (hd_note_is_foreign(f->name))
      hd_note_refuse(w, "%s: teams are not followed by annotations", f->name);
}

void hd_note_walk_init(walk *w, hd_annotation *n, hd_run *run, hd_str *why) {
  const hd_code *code = n->code;
  *w = (walk){.notes = n, .code = code, .run = run, .why = why};
  w->in_degree = hd_calloc(code->locs.size + 1, 1);
  w->seen = hd_calloc(code->locs.size + 1, 1);
  for (hd_vec_each(const hd_cedge, e, &code->edges))
    if (e->to != e->from && w->in_degree[e->to] < 2)
      w->in_degree[e->to]++;
  if (code->main == HD_NO_ID)
    hd_note_refuse(w, "there is no main");
  refuse_teams(w);
  if (code->pragmas.size) {
    hd_str where = {0};
    hd_code_print_pos(&where, code, code->pragmas.data[0].pos);
    hd_note_refuse(w,
                   "%s: what is said by #pragma is not followed by annotations",
                   hd_str_text(&where));
    hd_str_free(&where);
  }
}

void hd_note_walk_clear(walk *w) {
  while (w->todo.size) {
    state s = hd_vec_pop(&w->todo);
    hd_note_state_free(&s);
  }
  hd_vec_clear(&w->deeds);
  hd_vec_clear(&w->deed_table);
  memset(w->order, 0, sizeof w->order);
  memset(w->joins, 0, sizeof w->joins);
  memset(w->takes, 0, sizeof w->takes);
  hd_vec_clear(&w->violation);
  w->violated = w->blocks = w->main_leaves = w->main_shared = false;
  w->trusted = w->detached = 0;
  w->changed = false;
}

void hd_note_walk_free(walk *w) {
  hd_note_walk_clear(w);
  hd_vec_free(&w->todo);
  hd_vec_free(&w->deeds);
  hd_vec_free(&w->deed_table);
  hd_vec_free(&w->unguarded);
  hd_vec_free(&w->steps);
  hd_str_free(&w->violation);
  hd_free(w->in_degree);
  hd_free(w->seen);
}

/* Rounds of loops are counted, from anew for those behind an outer one. All that
 * are told apart were seen: `over`. */
static bool count_visit(const walk *w, state *s, bool *over) {
  assert(w->code->locs.data[top(s)->loc].func == top(s)->func);
  frame *f = top(s);
  uint32_t loop = w->code->locs.data[f->loc].loop;
  *over = false;
  if (loop == HD_NO_ID)
    return false;
  *over = f->visits[loop] >= w->notes->unroll;
  if (!*over)
    f->visits[loop]++;
  for (uint32_t i = 0; i < w->code->loops.size; i++) {
    hd_loc_id head = w->code->loops.data[i].head;
    if (head > f->loc && w->code->locs.data[head].func == f->func)
      f->visits[i] = 0;
  }
  return true;
}

/* Judging: what comes to a place of the annotation must be within it. False:
 * there is none, and the thread is followed further. */
static bool is_noted(walk *w, const state *s) {
  assert(!w->finding);
  bool fits = false;
  for (hd_vec_each(const place, p, &w->notes->places)) {
    if (!hd_note_state_fits(w, s, &p->state))
      continue;
    fits = true;
    if (hd_note_state_within(w, s, &p->state))
      return true;
  }
  if (fits) {
    hd_str where = {0};
    hd_code_print_pos(&where, w->code, w->code->locs.data[top(s)->loc].pos);
    hd_note_refuse(w, "%s: something may be there that the annotation excludes",
                   hd_str_text(&where));
    hd_str_free(&where);
  }
  return fits;
}

static void give_up_here(walk *w, const state *s, const char *what) {
  hd_str where = {0};
  hd_code_print_pos(&where, w->code, w->code->locs.data[top(s)->loc].pos);
  hd_note_refuse(w, "%s: %s", hd_str_text(&where), what);
  hd_str_free(&where);
}

/* Every circle goes through the head of a loop: that nobody goes round for ever
 * is asked here. */
static void arrive(walk *w, state s) {
  bool over, loop = count_visit(w, &s, &over);
  if (w->finding && (loop || (w->joints && w->in_degree[top(&s)->loc] > 1))) {
    w->finding->reach(w, &s);
    hd_note_state_free(&s);
  } else if (!w->finding && is_noted(w, &s)) {
    hd_note_state_free(&s);
  } else if (!w->finding && over) {
    give_up_here(w, &s, "a loop of which the annotation does not speak");
    hd_note_state_free(&s);
  } else {
    hd_note_step(w, s);
  }
}

static void drain(walk *w) {
  while (w->todo.size) {
    state s = hd_vec_pop(&w->todo);
    if (!w->failed && !hd_run_spend(w->run, 20))
      hd_note_refuse(w, "%s", hd_run_why(w->run));
    if (w->failed)
      hd_note_state_free(&s);
    else
      arrive(w, s);
  }
}

void hd_note_walk_thread(walk *w, uint32_t id) {
  assert(id < w->notes->threads.size);
  const thread *t = &w->notes->threads.data[id];
  state s = {
      .thread = id, .virgin = id == 0, .ready = t->ready, .dead = t->dead};
  /* One that is not created. Main is: it has no argument. */
  if (id && hd_note_empty(&t->arg))
    return;
  value argument = t->arg;
  hd_note_frame_push(w->notes, &s, t->func, HD_NO_ID);
  if (id && w->code->funcs.data[t->func].n_params)
    top(&s)->regs[0] = argument;
  hd_vec_push(&w->todo, s);
  drain(w);
}

void hd_note_walk_place(walk *w, size_t i) {
  assert(i < w->notes->places.size);
  hd_note_step(w, hd_note_state_copy(w->code, &w->notes->places.data[i].state));
  drain(w);
}

/* --- judging --- */

static bool at_once(const walk *w, const deed *a, const deed *b) {
  const thread *s = &w->notes->threads.data[a->thread];
  const thread *t = &w->notes->threads.data[b->thread];
  if (a->thread == b->thread)
    return a->thread && s->nr == MANY;
  if (!a->thread)
    return a->live >> b->thread & 1;
  if (!b->thread)
    return b->live >> a->thread & 1;
  return !(s->gone >> b->thread & 1) && !(t->gone >> a->thread & 1);
}

static bool is_race(const walk *w, const deed *a, const deed *b) {
  if (a->object != b->object || a->hi <= b->lo || b->hi <= a->lo ||
      !(a->write || b->write) || (a->atomic && b->atomic))
    return false;
  return !((a->ex & (b->ex | b->rd)) | (b->ex & a->rd)) && at_once(w, a, b);
}

/* One more of them. */
static void begin_reason(hd_str *why) {
  if (why->size)
    hd_str_puts(why, "; ");
}

static bool has_race(walk *w, hd_str *why) {
  for (hd_vec_each(const deed, a, &w->deeds)) {
    if (!hd_run_spend(w->run, w->deeds.size / 16)) {
      hd_note_refuse(w, "%s", hd_run_why(w->run));
      return true;
    }
    for (hd_vec_each(const deed, b, &w->deeds))
      if (is_race(w, a, b)) {
        begin_reason(why);
        hd_code_print_pos(why, w->code, w->code->edges.data[a->edge].pos);
        hd_str_puts(why, " may race with ");
        hd_code_print_pos(why, w->code, w->code->edges.data[b->edge].pos);
        return true;
      }
  }
  return false;
}

/* Locks are 0 … MOST - 1, threads behind them. */
static bool leads(const walk *w, uint32_t a, uint32_t b) {
  if (a < MOST)
    return (b < MOST ? w->order[a] >> b : w->joins[a] >> (b - MOST)) & 1;
  return b < MOST && w->takes[a - MOST] >> b & 1;
}

static bool in_circle(const walk *w, uint32_t start) {
  bool seen[2 * MOST] = {false}, grown = true;
  seen[start] = false;
  for (uint32_t b = 0; b < 2 * MOST; b++)
    seen[b] = leads(w, start, b);
  while (grown) {
    grown = false;
    for (uint32_t a = 0; a < 2 * MOST; a++)
      for (uint32_t b = 0; seen[a] && b < 2 * MOST; b++)
        if (!seen[b] && leads(w, a, b))
          seen[b] = grown = true;
  }
  return seen[start];
}

static bool may_wait(const walk *w, hd_str *why) {
  if (w->blocks) {
    begin_reason(why);
    hd_str_puts(why, "there is waiting that no order of locks explains");
    return true;
  }
  for (uint32_t x = 0; x < 2 * MOST; x++)
    if (in_circle(w, x)) {
      begin_reason(why);
      hd_str_puts(why, "locks are taken in a circle");
      return true;
    }
  return false;
}

/* Is it an annotation at all? */
static void judge_form(walk *w) {
  const hd_annotation *n = w->notes;
  for (size_t i = 0; i < n->guards.size; i++) {
    const guard *g = &n->guards.data[i];
    assert(hd_note_guard_of(n, g->object) == g);
    if (g->kind == GUARD_OWNER && n->threads.data[g->id].nr == MANY)
      hd_note_refuse(w, "an object belongs to several threads");
  }
}

/* Did somebody stand at the call, or before it in its function? */
static bool is_defended(const walk *w, const hd_cedge *call, uint8_t *before) {
  const hd_code *code = w->code;
  const hd_func *f = &code->funcs.data[code->locs.data[call->from].func];
  memset(before + f->locs, 0, f->n_locs);
  before[call->from] = 1;
  bool seen = w->seen[call->from];
  for (bool more = true; more && !seen;) {
    more = false;
    for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++)
      for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++)
        if (!before[l] && before[code->edges.data[code->out[i]].to]) {
          before[l] = more = true;
          seen = seen || w->seen[l];
        }
  }
  return seen;
}

static bool is_assertion(const hd_code *code, const hd_cedge *e) {
  if (e->act != HD_CODE_CALL)
    return false;
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, e, 0)];
  if (callee->op != HD_CODE_FUNC)
    return false;
  hd_note_call call = hd_note_find(code->funcs.data[callee->value].name);
  return call.action == HD_NOTE_FAIL || call.action == HD_NOTE_CHECK;
}

static void count_walk(const walk *w, hd_walked *out) {
  const hd_annotation *n = w->notes;
  uint8_t *before = hd_calloc(w->code->locs.size + 1, 1);
  *out = (hd_walked){.size = n->threads.size + n->cells.size + n->places.size,
                     .places = n->places.size,
                     .steps = w->steps_made,
                     .locations = w->code->locs.size};
  for (size_t t = 0; t < n->threads.size; t++)
    out->threads += !t || !hd_note_empty(&n->threads.data[t].arg);
  for (size_t l = 0; l < w->code->locs.size; l++)
    out->reached += w->seen[l];
  for (hd_vec_each(const hd_cedge, e, &w->code->edges))
    if (is_assertion(w->code, e)) {
      out->assertions++;
      out->defended += is_defended(w, e, before);
    }
  hd_free(before);
}

static void judge_all(walk *w) {
  hd_annotation *n = w->notes;
  judge_form(w);
  for (uint32_t t = 0; t < n->threads.size && !w->failed; t++)
    hd_note_walk_thread(w, t);
  for (size_t i = 0; i < n->places.size && !w->failed; i++)
    hd_note_walk_place(w, i);
  if (w->main_leaves && w->main_shared)
    hd_note_refuse(w, "main ends while others use its variables");
  if (w->trusted & w->detached)
    hd_note_refuse(w, "a thread is joined that may be detached");
  if (w->weak && w->sections)
    hd_note_refuse(w, "atomic sections beside accesses of a weak order");
}

hd_properties hd_annotation_judge(hd_annotation *notes, hd_properties asked,
                                  hd_run *run, hd_walked *walked, hd_str *why) {
  walk w;
  hd_properties proved = 0;
  hd_note_walk_init(&w, notes, run, why);
  judge_all(&w);
  if (!w.failed && asked & ~HD_ANNOTATION_KNOWN)
    hd_str_puts(why, "annotations speak of assert, race and deadlock only");
  if (!w.failed) {
    if (!w.violated)
      proved |= (hd_properties)1 << HD_PROPERTY_ASSERT;
    else if (asked >> HD_PROPERTY_ASSERT & 1) {
      begin_reason(why);
      hd_str_printf(why, "%s: the annotation leaves open whether this holds",
                    hd_str_text(&w.violation));
    }
    if (asked >> HD_PROPERTY_RACE & 1 && !has_race(&w, why))
      proved |= (hd_properties)1 << HD_PROPERTY_RACE;
    if (asked >> HD_PROPERTY_DEADLOCK & 1 && !may_wait(&w, why))
      proved |= (hd_properties)1 << HD_PROPERTY_DEADLOCK;
  }
  count_walk(&w, walked);
  hd_note_walk_free(&w);
  return w.failed ? 0 : proved & asked;
}

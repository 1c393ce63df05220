/* SPDX-License-Identifier: MIT */
/* Walks over the program: making an annotation, and judging one. */
#include "check/notes/state.h"

#include <string.h>

enum { ROUNDS = 400, JOINS = 3 };

hd_notes *notes_new(const hd_code *code) {
  hd_notes *n = hd_calloc(1, sizeof *n);
  n->code = code;
  stack_of(n, 0, HD_NO_ID);
  hd_vec_push(&n->locks, ((mutex){HD_NO_ID, 0, 0}));
  thread main = {.edge = HD_NO_ID,
                 .func = code->main,
                 .arg = hd_note_any(),
                 .pending = true};
  hd_vec_push(&n->threads, main);
  return n;
}

void hd_notes_delete(hd_notes *n) {
  if (!n)
    return;
  for (hd_vec_each(place, p, &n->places))
    state_free(&p->state);
  hd_vec_free(&n->places);
  hd_vec_free(&n->objects);
  hd_vec_free(&n->stacks);
  hd_vec_free(&n->locks);
  hd_vec_free(&n->threads);
  hd_vec_free(&n->guards);
  hd_vec_free(&n->cells);
  hd_free(n);
}

size_t hd_notes_size(const hd_notes *n) {
  return n->threads.size + n->cells.size + n->places.size;
}

hd_properties hd_notes_claims(const hd_notes *n) {
  return n->claims;
}

void hd_notes_claim(hd_notes *n, hd_properties claims) {
  n->claims = claims;
}

/* --- walks --- */

static void walk_init(walk *w, hd_notes *n, hd_run *run, hd_str *why) {
  *w = (walk){.notes = n, .code = n->code, .run = run, .why = why};
  w->in_degree = hd_calloc(n->code->locs.size + 1, 1);
  for (hd_vec_each(const hd_cedge, e, &n->code->edges))
    if (e->to != e->from && w->in_degree[e->to] < 2)
      w->in_degree[e->to]++;
}

static void walk_clear(walk *w) {
  while (w->todo.size) {
    state s = hd_vec_pop(&w->todo);
    state_free(&s);
  }
  hd_vec_clear(&w->deeds);
  hd_vec_clear(&w->stamps);
  memset(w->order, 0, sizeof w->order);
  memset(w->joins, 0, sizeof w->joins);
  memset(w->takes, 0, sizeof w->takes);
  hd_vec_clear(&w->violation);
  w->violated = w->blocks = w->main_leaves = w->main_shared = false;
  w->changed = false;
}

static void walk_free(walk *w) {
  walk_clear(w);
  hd_vec_free(&w->todo);
  hd_vec_free(&w->deeds);
  hd_vec_free(&w->stamps);
  hd_vec_free(&w->unguarded);
  hd_vec_free(&w->steps);
  hd_str_free(&w->violation);
  hd_free(w->in_degree);
}

/* Rounds of loops are counted, from anew for those behind an outer one. */
static bool count_visit(const walk *w, state *s) {
  frame *f = top(s);
  uint32_t loop = w->code->locs.data[f->loc].loop;
  if (loop == HD_NO_ID)
    return false;
  if (f->visits[loop] < w->notes->unroll)
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
  bool fits = false;
  for (hd_vec_each(const place, p, &w->notes->places)) {
    if (!state_fits(w, s, &p->state))
      continue;
    fits = true;
    if (state_within(w, s, &p->state))
      return true;
  }
  if (fits) {
    hd_str where = {0};
    hd_code_print_pos(&where, w->code, w->code->locs.data[top(s)->loc].pos);
    give_up(w, "%s: something may be there that the annotation excludes",
            hd_str_text(&where));
    hd_str_free(&where);
  }
  return fits;
}

static void note_place(walk *w, const state *s) {
  for (hd_vec_each(place, p, &w->notes->places)) {
    if (!state_fits(w, s, &p->state))
      continue;
    if (!state_within(w, s, &p->state)) {
      state_join(w, &p->state, s, ++p->joins > JOINS);
      p->pending = true;
    }
    return;
  }
  place new = {.state = state_copy(w->code, s), .pending = true};
  hd_vec_push(&w->notes->places, new);
}

static void arrive(walk *w, state s) {
  bool loop = count_visit(w, &s);
  bool cut = loop || (w->joints && w->in_degree[top(&s)->loc] > 1);
  if (w->finding && cut) {
    note_place(w, &s);
    state_free(&s);
  } else if (!w->finding && is_noted(w, &s)) {
    state_free(&s);
  } else {
    step(w, s);
  }
}

static void drain(walk *w) {
  while (w->todo.size) {
    state s = hd_vec_pop(&w->todo);
    if (!w->failed && !hd_run_spend(w->run, 20))
      give_up(w, "%s", hd_run_why(w->run));
    if (w->failed)
      state_free(&s);
    else
      arrive(w, s);
  }
}

static void walk_thread(walk *w, uint32_t id) {
  const thread *t = &w->notes->threads.data[id];
  state s = {.thread = id, .virgin = id == 0};
  if (hd_note_empty(&t->arg))
    return;
  value argument = t->arg;
  frame_push(w->notes, &s, t->func, HD_NO_ID);
  if (id && w->code->funcs.data[t->func].n_params)
    top(&s)->regs[0] = argument;
  hd_vec_push(&w->todo, s);
  drain(w);
}

static void walk_place(walk *w, size_t i) {
  step(w, state_copy(w->code, &w->notes->places.data[i].state));
  drain(w);
}

/* --- finding --- */

static void forget_all(hd_notes *n) {
  for (hd_vec_each(place, p, &n->places))
    state_free(&p->state);
  hd_vec_clear(&n->places);
  hd_vec_clear(&n->cells);
  n->threads.size = 1;
}

/* Until nothing is added. */
static bool settle(walk *w) {
  for (int round = 0; round < ROUNDS && !w->failed; round++) {
    w->changed = false;
    for (uint32_t t = 0; t < w->notes->threads.size && !w->failed; t++)
      walk_thread(w, t);
    bool more = false;
    for (size_t i = 0; i < w->notes->places.size && !w->failed; i++) {
      if (!w->notes->places.data[i].pending)
        continue;
      w->notes->places.data[i].pending = false;
      walk_place(w, i);
      more = true;
    }
    if (w->unguarded.size)
      return !w->failed;
    for (hd_vec_each(place, p, &w->notes->places))
      p->pending = p->pending || w->changed;
    for (hd_vec_each(const place, p, &w->notes->places))
      more = more || p->pending;
    if (!more && !w->changed)
      return !w->failed;
  }
  give_up(w, "no annotation was found in a reasonable time");
  return false;
}

/* What protects an object, as all accesses to it tell. */
static bool protection(const walk *w, uint32_t of, guard *g) {
  uint64_t common = UINT64_MAX;
  bool written = false, several = false;
  uint32_t first = HD_NO_ID;
  for (hd_vec_each(const deed, d, &w->deeds)) {
    if (d->object != of)
      continue;
    common &= d->write ? d->ex : d->ex | d->rd;
    written = written || d->write;
    several = several || (first != HD_NO_ID && first != d->thread);
    first = d->thread;
  }
  if (first == HD_NO_ID || !written)
    return false;
  *g = (guard){of, GUARD_OWNER, first};
  if (!several && w->notes->threads.data[first].nr != MANY)
    return true;
  for (uint32_t l = MOST; l-- > 0;)
    if (common >> l & 1) {
      *g = (guard){of, GUARD_LOCK, l};
      return true;
    }
  return false;
}

static void choose_guards(walk *w) {
  for (uint32_t o = 0; o < w->notes->objects.size; o++) {
    guard g;
    if (protection(w, o, &g))
      hd_vec_push(&w->notes->guards, g);
  }
}

static void drop_guards(walk *w) {
  size_t kept = 0;
  for (hd_vec_each(const guard, g, &w->notes->guards)) {
    bool drop = false;
    for (hd_vec_each(const uint32_t, o, &w->unguarded))
      drop = drop || *o == g->object;
    if (!drop)
      w->notes->guards.data[kept++] = *g;
  }
  w->notes->guards.size = kept;
  hd_vec_clear(&w->unguarded);
}

static void find_steps(walk *w) {
  for (hd_vec_each(const hd_cexpr, e, &w->code->exprs))
    if (e->op == HD_CODE_INT && e->type.kind == HD_TYPE_INT &&
        w->steps.size < 200) {
      unsigned shift = 64u - e->type.width;
      int64_t x = (int64_t)(e->value << shift) >> shift;
      hd_vec_push(&w->steps, x);
      if (x > INT64_MIN)
        hd_vec_push(&w->steps, x - 1);
      if (x < INT64_MAX)
        hd_vec_push(&w->steps, x + 1);
    }
}

static bool find(walk *w) {
  find_steps(w);
  w->finding = true;
  if (!settle(w))
    return false;
  choose_guards(w);
  for (;;) {
    forget_all(w->notes);
    walk_clear(w);
    if (!settle(w))
      return false;
    if (!w->unguarded.size)
      return true;
    drop_guards(w);
  }
}

/* --- judging --- */

static const hd_properties known = 1u << HD_PROPERTY_ASSERT |
                                   1u << HD_PROPERTY_RACE |
                                   1u << HD_PROPERTY_DEADLOCK;

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

static bool has_race(const walk *w, hd_str *why) {
  for (hd_vec_each(const deed, a, &w->deeds))
    for (hd_vec_each(const deed, b, &w->deeds))
      if (is_race(w, a, b)) {
        begin_reason(why);
        hd_code_print_pos(why, w->code, w->code->edges.data[a->edge].pos);
        hd_str_puts(why, " may race with ");
        hd_code_print_pos(why, w->code, w->code->edges.data[b->edge].pos);
        return true;
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

/* A lock whose bytes are written to is a new one. */
static void judge_locks(walk *w) {
  for (uint32_t i = 1; i < w->notes->locks.size; i++) {
    const mutex *l = &w->notes->locks.data[i];
    for (hd_vec_each(const stamp, x, &w->stamps))
      if (x->object == l->object && x->lo < l->offset + l->size &&
          l->offset < x->hi && (!x->alone || (i < MOST && x->ex >> i & 1)))
        give_up_at(w, x->edge, "a write to a lock");
  }
}

/* Is it an annotation at all? */
static void judge_form(walk *w) {
  const hd_notes *n = w->notes;
  for (size_t i = 0; i < n->guards.size; i++) {
    const guard *g = &n->guards.data[i];
    if (guard_of(n, g->object) != g)
      give_up(w, "an object has two guards");
    if (g->kind == GUARD_OWNER && n->threads.data[g->id].nr == MANY)
      give_up(w, "an object belongs to several threads");
  }
}

hd_properties hd_notes_judge(hd_notes *notes, hd_properties asked, hd_run *run,
                             hd_str *why) {
  walk w;
  hd_properties proved = 0;
  walk_init(&w, notes, run, why);
  judge_form(&w);
  for (uint32_t t = 0; t < notes->threads.size && !w.failed; t++)
    walk_thread(&w, t);
  for (size_t i = 0; i < notes->places.size && !w.failed; i++)
    walk_place(&w, i);
  judge_locks(&w);
  if (w.main_leaves && w.main_shared)
    give_up(&w, "main ends while others use its variables");
  if (!w.failed && asked & ~known)
    hd_str_puts(why, "annotations speak of assert, race and deadlock only");
  if (!w.failed) {
    if (!w.violated)
      proved |= 1u << HD_PROPERTY_ASSERT;
    else if (asked >> HD_PROPERTY_ASSERT & 1) {
      begin_reason(why);
      hd_str_printf(why, "%s: the annotation leaves open whether this holds",
                    hd_str_text(&w.violation));
    }
    if (asked >> HD_PROPERTY_RACE & 1 && !has_race(&w, why))
      proved |= 1u << HD_PROPERTY_RACE;
    if (asked >> HD_PROPERTY_DEADLOCK & 1 && !may_wait(&w, why))
      proved |= 1u << HD_PROPERTY_DEADLOCK;
  }
  walk_free(&w);
  return proved & asked;
}

/* --- ways to try --- */

static hd_notes *attempt(const hd_code *code, uint8_t unroll, bool joints,
                         hd_run *run, hd_str *why) {
  enum { STEPS = 400000 };
  hd_notes *n = notes_new(code);
  walk w;
  hd_run mine = *run;
  mine.steps = mine.ticks + STEPS;
  n->unroll = unroll;
  hd_vec_clear(why);
  walk_init(&w, n, &mine, why);
  w.joints = joints;
  bool ok = find(&w);
  walk_free(&w);
  if (ok)
    return n;
  hd_notes_delete(n);
  return NULL;
}

static int size_of(hd_properties set) {
  int n = 0;
  for (; set; set &= set - 1)
    n++;
  return n;
}

/* A short annotation if that is enough; one that keeps the rounds of loops
 * apart; one that keeps little apart. */
hd_notes *hd_notes_find(const hd_code *code, hd_properties wanted, hd_run *run,
                        hd_str *why) {
  static const struct {
    uint8_t unroll;
    bool joints;
  } ways[] = {{2, false}, {20, false}, {2, true}};
  hd_notes *best = NULL;
  hd_properties most = 0;
  hd_str reason = {0};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    if (best && most == (wanted & known))
      break;
    hd_notes *n = attempt(code, ways[i].unroll, ways[i].joints, run, why);
    hd_properties proved = n ? hd_notes_judge(n, wanted, run, why) : 0;
    if (n && (!best || size_of(proved) > size_of(most))) {
      hd_notes_delete(best);
      best = n;
      most = proved;
      hd_notes_claim(n, wanted);
    } else {
      hd_notes_delete(n);
    }
    if (why->size)
      hd_str_free(&reason), hd_str_puts(&reason, hd_str_text(why));
  }
  hd_vec_clear(why);
  hd_str_puts(why, hd_str_text(&reason));
  hd_str_free(&reason);
  return best;
}

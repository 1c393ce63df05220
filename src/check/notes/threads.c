/* SPDX-License-Identifier: MIT */
/* Threads: created by main alone, with what the annotation says. That a creation
 * works is supposed. */
#include "check/notes/rules.h"
#include "check/notes/state.h"

static uint32_t thread_of(library_call *c, hd_func_id func, int32_t nr) {
  hd_annotation *n = c->w->notes;
  uint32_t stack = top(&c->s)->stack;
  for (uint32_t i = 1; i < n->threads.size; i++) {
    const thread *t = &n->threads.data[i];
    if (t->stack == stack && t->edge == c->edge && t->nr == nr &&
        t->func == func)
      return i;
  }
  if (!c->w->finding || n->threads.size == MOST)
    return 0;
  thread new = {.stack = stack,
                .edge = c->edge,
                .nr = nr,
                .func = func,
                .arg = hd_note_none(),
                .gone = UINT64_MAX,
                .ready = UINT64_MAX,
                .pending = true};
  return c->w->finding->new_thread(c->w, &new);
}

static int32_t count_creation(state *s, uint32_t stack, hd_edge_id edge) {
  assert(!s->thread); /* only main creates threads */
  enum { COUNTED = 8 };
  for (hd_vec_each(made, m, &s->made))
    if (m->stack == stack && m->edge == edge) {
      int32_t nr = m->count;
      m->count = nr == MANY || nr + 1 > COUNTED ? MANY : nr + 1;
      return nr;
    }
  hd_vec_push(&s->made, ((made){stack, edge, 1}));
  return 0;
}

static void start_thread(library_call *c, uint32_t id, const value *argument) {
  assert(id > 0 && id < c->w->notes->threads.size);
  walk *w = c->w;
  const state *s = &c->s;
  thread *t = &w->notes->threads.data[id];
  uint8_t width = w->code->pointer_width;
  if (!hd_note_may_tell(w, argument))
    hd_note_refuse_at(w, c->edge,
                      "a variable of a function that others get to know");
  if (hd_note_within(width, argument, &t->arg) && !(t->gone & ~s->gone) &&
      !(t->ready & ~s->ready) && !(s->dead & ~t->dead))
    return;
  if (!w->finding) {
    hd_note_refuse_at(w, c->edge,
                      "a thread starts otherwise than the annotation says");
    return;
  }
  t->arg = hd_note_join(width, &t->arg, argument);
  t->gone &= s->gone;
  t->ready &= s->ready;
  t->dead |= s->dead;
  w->changed = true;
}

static void create(library_call *c) {
  bool c11 = c->call.sort == HD_NOTE_C11, detached = false;
  value to = hd_note_call_arg(c, 0), start = hd_note_call_arg(c, c11 ? 1 : 2);
  value argument = hd_note_call_arg(c, c11 ? 2 : 3);
  const hd_code *code = c->w->code;
  hd_note_elem f;
  if (c->e->n_operands != (c11 ? 4u : 5u) || c->s.thread ||
      !hd_note_single(&start, &f) || f.base == HD_NO_ID || f.bits ||
      c->w->notes->objects.data[f.base].kind != OBJ_FUNC) {
    hd_note_call_refuse(c, c->s.thread
                               ? "threads that create threads are not followed"
                               : "which function starts is not known");
    return;
  }
  hd_func_id func = c->w->notes->objects.data[f.base].index;
  if (!hd_note_can_start(code, func, c11)) {
    hd_note_call_refuse(c, "a start function that is not followed");
    return;
  }
  if (!c11 && !hd_note_attribute_ok(c, 1, &detached)) {
    hd_note_call_refuse(c, "with an attribute that is not known");
    return;
  }
  int32_t nr = count_creation(&c->s, top(&c->s)->stack, c->edge);
  uint32_t id = thread_of(c, func, nr);
  if (!id) {
    hd_note_call_refuse(c, "a thread that the annotation does not speak of");
    return;
  }
  if (hd_note_is_alone(&c->s))
    hd_note_publish(c->w, &c->s);
  assert(id < MOST);
  uint64_t bit = (uint64_t)1 << id;
  c->s.live |= bit;
  c->s.joined &= ~bit;
  c->s.virgin = false;
  c->w->detached |= detached ? bit : 0;
  start_thread(c, id, &argument);
  value handle = hd_note_any(); /* of one of many: which one is not known */
  if (nr != MANY)
    handle = hd_note_address(
        hd_note_object_of(c->w->notes, (object){OBJ_THREAD, id, 0, 0, 0}), 0);
  hd_note_store(c->w, &c->s, &to, code->pointer_width / 8u, &handle, false,
                c->edge);
  hd_note_call_return(c, hd_note_number(0));
}

/* The thread that a handle is of; 0: not known. */
static uint32_t thread_at(const library_call *c, const value *v) {
  const hd_annotation *n = c->w->notes;
  hd_note_elem e;
  if (!hd_note_single(v, &e) || e.base == HD_NO_ID ||
      n->objects.data[e.base].kind != OBJ_THREAD)
    return 0;
  uint32_t id = n->objects.data[e.base].index;
  return id < n->threads.size && n->threads.data[id].nr != MANY ? id : 0;
}

/* Behind it the thread has ended, whether this has waited for it or an earlier
 * join; unless it was detached (judged at the end). What is returned for one that
 * was joined before, and for whom that waits, is open. */
static void join(library_call *c) {
  value who = hd_note_call_arg(c, 0), to = hd_note_call_arg(c, 1);
  if (c->s.thread) {
    hd_note_call_refuse(c, "only main is followed when it joins");
    return;
  }
  uint32_t id = thread_at(c, &who);
  assert(id < MOST);
  uint64_t bit = (uint64_t)1 << id;
  bool fresh = id && !(c->s.joined & bit);
  if (id) {
    for (uint32_t l = 0; l < MOST; l++)
      if ((c->s.ex | c->s.rd) >> l & 1)
        c->w->joins[l] |= bit;
    c->s.live &= ~bit;
    c->s.gone |= bit;
    c->s.joined |= bit;
    c->w->trusted |= bit;
  } else {
    c->s.joined = UINT64_MAX;
  }
  c->w->blocks = c->w->blocks || !fresh;
  value any = hd_note_any();
  if (!hd_note_is_null(&to))
    hd_note_store(c->w, &c->s, &to,
                  c->call.sort == HD_NOTE_C11 ? 4
                                              : c->w->code->pointer_width / 8u,
                  &any, false, c->edge);
  hd_note_call_return(c, fresh ? hd_note_number(0) : hd_note_call_any(c));
}

/* It fails for one that is detached already, by whomever: what it returns is
 * open. */
static void detach(library_call *c) {
  value who = hd_note_call_arg(c, 0);
  uint32_t id = thread_at(c, &who);
  uint64_t bits = id ? (uint64_t)1 << id : UINT64_MAX;
  c->w->detached |= bits;
  c->s.joined |= bits;
  hd_note_call_return(c, hd_note_call_any(c));
}

static void leave(library_call *c) {
  if (!c->s.thread)
    c->w->main_leaves = true;
  hd_note_finish(c->w, &c->s, c->edge);
  hd_note_call_end(c);
}

void hd_note_call_threads(library_call *c) {
  hd_note_action action = (hd_note_action)c->call.action;
  if (action == HD_NOTE_CREATE)
    create(c);
  else if (action == HD_NOTE_JOIN)
    join(c);
  else if (action == HD_NOTE_LEAVE)
    leave(c);
  else if (action == HD_NOTE_DETACH)
    detach(c);
  else if (action == HD_NOTE_SELF || action == HD_NOTE_EQUAL)
    hd_note_call_return(c, hd_note_call_any(c));
  else
    hd_note_call_refuse(c, "what the call does with a thread is not known");
}

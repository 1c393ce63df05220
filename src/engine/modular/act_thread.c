/* SPDX-License-Identifier: MIT */
/* Creation, join and end of threads. */
#include "engine/modular/act.h"

#include <errno.h>

enum { STAMP = 1 };

/* May control come back to this place of the frame? */
static bool in_circle(const hd_code *code, hd_loc_id loc) {
  hd_u32s todo = {0}, seen = {0};
  bool back = false;
  hd_vec_push(&todo, loc);
  while (todo.size && !back) {
    hd_loc_id at = hd_vec_pop(&todo);
    for (uint32_t i = code->out_start[at]; i < code->out_start[at + 1]; i++) {
      hd_loc_id to = code->edges.data[code->out[i]].to;
      bool old = false;
      if (to == loc && code->edges.data[code->out[i]].act != HD_CODE_RETURN)
        back = true;
      for (hd_vec_each(const uint32_t, x, &seen))
        old = old || *x == to;
      if (!old) {
        hd_vec_push(&seen, to);
        hd_vec_push(&todo, to);
      }
    }
  }
  hd_vec_free(&todo);
  hd_vec_free(&seen);
  return back;
}

static bool happens_once(const action *c) {
  if (!c->m->classes.data[c->class].unique)
    return false;
  for (const frame *f = c->l.top; f; f = f->below)
    if (in_circle(c->m->a.code, f->loc))
      return false;
  return true;
}

static thread_id class_of(action *c, hd_func_id func) {
  assert(c->m->a.code->funcs.data[func].defined);
  modular *m = c->m;
  uint64_t control = hd_frame_hash_control(c->l.top);
  for (thread_id i = 1; i < m->classes.size; i++) {
    const thread_class *x = &m->classes.data[i];
    if (x->parent == c->class && x->edge == c->edge && x->func == func &&
        x->control == control)
      return i;
  }
  /* Threads that create threads like themselves are of one class. */
  for (thread_id i = c->class; i; i = m->classes.data[i].parent) {
    thread_class *x = &m->classes.data[i];
    if (x->edge != c->edge || x->func != func)
      continue;
    m->again = m->again || x->unique;
    x->unique = false;
    return i;
  }
  if (m->classes.size == MAX_CLASSES)
    return MAX_CLASSES;
  thread_class fresh = {.parent = c->class,
                        .edge = c->edge,
                        .control = control,
                        .func = func,
                        .unique = happens_once(c),
                        .result = hd_value_none(),
                        .gone = UINT64_MAX,
                        .after = UINT64_MAX};
  hd_vec_push(&m->classes, fresh);
  return (thread_id)m->classes.size - 1;
}

/* One more way for threads of the class to start. */
static void start_class(action *c, thread_id id, const hd_value *argument) {
  assert(id > 0 && id < c->m->classes.size); /* nobody starts main */
  modular *m = c->m;
  const hd_code *code = m->a.code;
  thread_class *x = &m->classes.data[id];
  local l = {hd_frame_new(code, x->func, NULL, HD_NO_ID),
             hd_memory_keep(c->l.memory), NULL};
  hd_analysis_enter_thread(&m->a, &l.memory, id, x->func, STAMP);
  if (l.top->n_regs && code->funcs.data[x->func].n_params)
    l.top->regs[0] = *argument;
  class_set gone = x->gone & c->k.gone;
  if (x->started && gone == x->gone &&
      hd_frame_within(code, l.top, x->start.top) &&
      hd_memory_within(l.memory, x->start.memory)) {
    hd_local_free(&l);
    return;
  }
  x->gone = gone;
  if (x->started) {
    const hd_widening *widen = ++x->joins > 4 ? &m->a.widening : NULL;
    local both = {hd_frame_join(code, x->start.top, l.top, widen),
                  hd_memory_join(x->start.memory, l.memory, widen), NULL};
    hd_local_free(&l);
    hd_local_free(&x->start);
    l = both;
  }
  x->start = l;
  x->started = true;
  hd_class_start(m, id);
}

void hd_modular_create(action *c) {
  modular *m = c->m;
  uint32_t third = 1 + (uint32_t)hd_library_arg_at(c->fn, HD_ARG_CALL);
  hd_value entry = hd_modular_operand(c, third),
           argument = hd_modular_operand(c, third + 1);
  if (entry.wild || entry.undef || hd_value_has_int(&entry) ||
      !entry.n_targets) {
    hd_modular_refuse(c, "which function a thread runs is not known");
    return;
  }
  hd_frame_forget_mirrors(&c->l.top); /* they may be of shared memory now */
  hd_class_share_memory(m, c->class, &c->k, &c->l);
  hd_class_let_escape(m, c->class, &c->k, &c->l, &argument);
  hd_value handle = hd_value_none();
  uint8_t width = m->a.code->pointer_width;
  class_set made = 0;
  for (int i = 0; i < entry.n_targets; i++) {
    const object_key *key = object_of(&m->a, entry.targets[i].object);
    if (key->kind != OBJ_FUNC || !m->a.code->funcs.data[key->what].defined) {
      hd_modular_refuse(c, "a thread runs a function that is not here");
      return;
    }
    thread_id id = class_of(c, key->what);
    if (id == MAX_CLASSES) {
      hd_modular_refuse(c, "threads are created in too many places");
      return;
    }
    hd_value number = m->classes.data[id].unique && entry.n_targets == 1
                          ? hd_value_const(width, id + 1)
                          : hd_value_any(width);
    handle = i ? hd_value_join(width, &handle, &number) : number;
    made |= bit(id);
  }
  c->k.created |= made;
  for (thread_id id = 1; id < MAX_CLASSES; id++)
    if (made & bit(id))
      start_class(c, id, &argument);
  hd_value to = hd_modular_operand(c, 1);
  /* The new one may run before its id is stored. */
  touches before = c->seen;
  c->seen = (touches){0};
  bool stored = hd_modular_write_to(c, &to, width / 8, &handle);
  hd_class_note_deeds(m, c->class, &c->k, &c->seen);
  hd_vec_free(&c->seen);
  c->seen = before;
  if (stored)
    hd_modular_give(c, 0);
}

void hd_modular_join(action *c) {
  modular *m = c->m;
  hd_value handle = hd_modular_operand(c, 1), to = hd_modular_operand(c, 2);
  uint64_t number;
  hd_value result = hd_value_none();
  uint8_t width = m->a.code->pointer_width;
  hd_modular_may_wait(c);
  if (m->names_itself && !hd_value_is_const(&handle, &number)) {
    hd_modular_blocks(c); /* for its own end, perhaps */
    hd_modular_fail(c, hd_library_error(c->fn, EDEADLK));
  }
  bool known = hd_value_is_const(&handle, &number) && number > 1 &&
               number - 1 < m->classes.size &&
               m->classes.data[number - 1].unique;
  for (thread_id i = 1; i < m->classes.size; i++) {
    if (known && i != number - 1)
      continue;
    hd_class_note_wait(m, c->class, &c->k, MAX_LOCKS + i, c->edge);
    const hd_value *r = &m->classes.data[i].result;
    result = hd_value_is_none(&result) ? *r
             : hd_value_is_none(r)     ? result
                                       : hd_value_join(width, &result, r);
  }
  if (known) {
    const thread_class *x = &m->classes.data[number - 1];
    if (hd_value_is_none(&x->result))
      return; /* it has not ended yet in any way: so far nothing comes behind */
    c->k.gone |= bit((uint32_t)number - 1) | x->after;
  } else if (hd_value_is_none(&result)) {
    result = hd_value_any(width);
  }
  hd_class_know_targets(m, c->class, &c->k, &c->l, &result);
  uint32_t bytes = width / 8;
  if (c->fn == HD_LIB_thrd_join) {
    bytes = 4;
    if (result.wild || result.n_targets)
      result = hd_value_any(32);
  }
  if (hd_modular_write_to(c, &to, bytes, &result))
    hd_modular_give(c, 0);
}

void hd_modular_finish(action *c, const node *n) {
  assert(!c->e);
  thread_class *x = &c->m->classes.data[c->class];
  hd_class_let_escape(c->m, c->class, &c->k, &c->l, &n->result);
  hd_value both = hd_value_is_none(&x->result)
                      ? n->result
                      : hd_value_join(64, &x->result, &n->result);
  class_set gone = x->after & c->k.gone;
  if (!hd_value_same(&both, &x->result) || gone != x->after)
    c->m->changes++;
  x->result = both;
  x->after = gone;
  for (uint32_t i = 0; i < c->m->locks.size; i++)
    if (c->k.held & bit(i))
      hd_class_give_guarded(c->m, c->class, &c->k, &c->l, i);
  if ((c->k.held | c->k.reads) && !c->m->blocked) {
    c->m->blocked = "a thread may end while it holds a lock";
    c->m->blocked_edge =
        n->state.top
            ? c->m->a.code->out[c->m->a.code->out_start[n->state.top->loc]]
            : 0;
  }
}

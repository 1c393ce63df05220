/* SPDX-License-Identifier: MIT */
/* Creating, joining and ending threads. */
#include "engine/unfold/sync.h"

/* The attributes say so. */
static bool is_detached(action *c, bool *detached) {
  hd_value attr = hd_sync_operand(c->s, c->thread, c->l, c->e, 2), valid;
  uint64_t bits;
  if (hd_value_is_const(&attr, &bits) && bits == 0)
    return true;
  if (!hd_access_targets(c->s->a, c->l, c->edge, &attr, 4, &valid))
    return false;
  hd_value v = hd_access_load(c->l, &valid, 4);
  if (v.undef)
    return hd_sync_misuse(c, "attributes are used that are not initialised");
  if (!hd_value_is_const(&v, &bits))
    return hd_sync_give_up(c->s, c->edge,
                           "whether a thread is detached is not known");
  *detached = bits & 1;
  return true;
}

bool hd_sync_create(action *c) {
  structure *s = c->s;
  const hd_code *code = s->a->code;
  /* thrd_create has no attributes. */
  uint32_t third = c->e->n_operands > 4 ? 3 : 2;
  hd_value entry = hd_sync_operand(s, c->thread, c->l, c->e, third);
  hd_value argument = hd_sync_operand(s, c->thread, c->l, c->e, third + 1);
  hd_value handle = hd_sync_operand(s, c->thread, c->l, c->e, 1), valid;
  hd_object_id object;
  int64_t offset;
  if (!hd_value_is_address(&entry, &object, &offset) ||
      object_of(s->a, object)->kind != OBJ_FUNC)
    return hd_sync_give_up(s, c->edge,
                           "which function a thread runs is not known");
  hd_func_id func = object_of(s->a, object)->what;
  if (!code->funcs.data[func].defined)
    return hd_sync_give_up(s, c->edge,
                           "a thread runs a function that is not here");
  bool detached = false;
  if (third == 3 && !is_detached(c, &detached))
    return false;
  uint32_t limit = s->a->options->max_threads;
  bool fresh;
  event *e = hd_sync_self(c);
  thread_key key = {c->thread, e->creates};
  thread_id child = *thread_map_put(&s->a->threads, key,
                                    (thread_id)s->a->threads.size + 1, &fresh);
  if (s->a->threads.size > (limit ? limit : 64))
    return hd_sync_give_up(s, c->edge, "the program creates too many threads");
  uint32_t bytes = code->pointer_width / 8;
  hd_access_pass(s->a, &argument);
  if (!hd_access_targets(s->a, c->l, c->edge, &handle, bytes, &valid))
    return false;
  size_t before = e->touches.size;
  hd_access_note(&e->touches, &valid, bytes, true, false, c->edge);
  for (size_t i = before; i < e->touches.size; i++)
    e->touches.data[i].id = true;
  hd_value number =
      s->a->anonymous
          ? hd_value_unsigned(code->pointer_width, 1,
                              hd_word_mask(code->pointer_width))
          : hd_value_const(code->pointer_width, (uint64_t)child + 1);
  hd_access_store(c->l, &valid, bytes, &number, stamp_of_action(c->id));
  hd_analysis_enter_thread(s->a, &c->l->memory, child, func,
                           stamp_of_action(c->id));
  e = hd_sync_self(c);
  assert(e->created == HD_NO_ID); /* one a call */
  e->created = child;
  if (detached)
    s->detached |= hd_sync_bit(child);
  e->creates++;
  e->child = hd_frame_new(code, func, NULL, HD_NO_ID);
  if (e->child->n_regs && code->funcs.data[func].n_params)
    e->child->regs[0] = argument;
  return hd_sync_give(c, 0);
}

/* By its creation, perhaps. */
static bool is_detached_already(const action *c) {
  resource_id life = hd_sync_self(c)->resources[0];
  thread_id other = c->s->resources.items[life].key.what;
  return (c->s->detached & hd_sync_bit(other)) != 0;
}

bool hd_sync_join(action *c) {
  resource_id life = hd_sync_self(c)->resources[0];
  if (c->s->resources.items[life].key.what == c->thread) {
    hd_analysis_alarm(c->s->a, HD_PROPERTY_DEADLOCK, c->edge, HD_NO_ID,
                      "a thread may wait for its own end");
    return hd_sync_misuse(c, "a thread joins itself");
  }
  if (c->x.joined || is_detached_already(c))
    return hd_sync_misuse(c, "a thread is joined that is joined or detached");
  assert(c->x.exited);
  c->x.joined = true;
  hd_sync_learn_clock(c);
  hd_value to = hd_sync_operand(c->s, c->thread, c->l, c->e, 2), valid;
  uint64_t null;
  if (!(hd_value_is_const(&to, &null) && null == 0)) {
    uint32_t bytes = c->s->a->code->pointer_width / 8;
    if (hd_sync_function(c->s, c->l, c->thread, c->e) == HD_LIB_thrd_join)
      bytes = 4; /* an int */
    if (!hd_access_targets(c->s->a, c->l, c->edge, &to, bytes, &valid))
      return false;
    hd_access_note(&hd_sync_self(c)->touches, &valid, bytes, true, false,
                   c->edge);
    hd_value result = c->x.result;
    if (bytes == 4 && (result.wild || result.n_targets))
      result = hd_value_any(32);
    hd_access_store(c->l, &valid, bytes, &result, stamp_of_action(c->id));
  }
  return hd_sync_give(c, 0);
}

bool hd_sync_detach(action *c) {
  if (c->x.joined || is_detached_already(c))
    return hd_sync_misuse(c, "a thread is detached that is joined or detached");
  c->x.joined = true;
  return hd_sync_give(c, 0);
}

bool hd_sync_finish(action *c) {
  assert(!c->x.exited); /* a thread ends once */
  const event *e = hd_sync_self(c);
  c->x.exited = true;
  c->x.started = true;
  c->x.result = c->s->events.data[e->prev].stops.data[e->stop].result;
  hd_access_pass(c->s->a, &c->x.result);
  hd_sync_publish(c);
  hd_frame_drop(c->l->top);
  c->l->top = NULL;
  return true;
}

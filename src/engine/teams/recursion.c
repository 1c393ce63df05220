/* SPDX-License-Identifier: MIT */
/* Functions that call themselves. The first activation is followed; what it
 * touches of what was there before, itself, through others and in its tasks, is
 * what any further activation touches: of variables of the program, and of what
 * its arguments point to. That is learnt until nothing is added any more. */
#include "engine/teams/state.h"

#include <string.h>

static hd_team_walk_habit *habit_of(hd_team_walk *w, hd_func_id func) {
  for (size_t i = 0; i < w->habits.size; i++)
    if (w->habits.data[i].func == func)
      return &w->habits.data[i];
  return NULL;
}

static bool same_locks(const hd_team_list *a, const hd_team_list *b) {
  return a->size == b->size &&
         (!a->size || !memcmp(a->data, b->data, a->size * sizeof *a->data));
}

static void learn(hd_team_walk *w, hd_team_walk_habit *h,
                  const hd_team_touch *touch) {
  for (size_t i = 0; i < h->touches.size; i++) {
    const hd_team_touch *t = &h->touches.data[i];
    if (t->edge == touch->edge && t->object == touch->object &&
        t->param == touch->param && t->address == touch->address &&
        t->size == touch->size && t->write == touch->write &&
        t->atomic == touch->atomic && same_locks(&t->locks, &touch->locks))
      return;
  }
  hd_team_touch copy = *touch;
  copy.locks = (hd_team_list){0};
  for (size_t i = 0; i < touch->locks.size; i++)
    hd_vec_push(&copy.locks, touch->locks.data[i]);
  hd_vec_push(&h->touches, copy);
  w->grown++;
}

/* Which argument of the activation points to the object; -1: none. */
static int param_of(hd_team_walker *k, const hd_team_walk_state *s,
                    const hd_team_walk_frame *f, uint64_t object) {
  const hd_func *func = &k->w->code->funcs.data[f->func];
  for (uint32_t i = 0; i < func->n_params; i++) {
    hd_team_term value = s->regs.data[f->regs + i];
    if (value && hd_team_walk_object(k->w->terms, value) == object)
      return (int)i;
  }
  return -1;
}

static bool is_first(const hd_team_walk_state *s, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (s->frames.data[j].func == s->frames.data[i].func)
      return false;
  return true;
}

/* Is it the same for all activations of a thread? Of the symbols only those of the
 * thread itself, and older ones. */
static bool is_of_thread(const hd_team_walk *w, hd_team_term term) {
  const hd_team_term_node *n = hd_team_term_at(w->terms, term);
  if (n->op == HD_TEAM_CONST)
    return true;
  if (n->op == HD_TEAM_SYMBOL)
    return n->value < w->common + 2;
  if (n->op != HD_TEAM_ADD && n->op != HD_TEAM_MUL)
    return false;
  return is_of_thread(w, n->args[0]) && is_of_thread(w, n->args[1]);
}

void hd_team_walk_note(hd_team_walker *k, const hd_team_walk_state *s,
                       hd_edge_id edge, uint64_t object, hd_team_term address,
                       hd_team_term size, bool write, bool atomic) {
  hd_team_walk *w = k->w;
  if (!w->habits.size || !s->team)
    return;
  for (size_t i = 0; i < s->frames.size; i++) {
    const hd_team_walk_frame *f = &s->frames.data[i];
    hd_team_walk_habit *h = habit_of(w, f->func);
    if (!h || !is_first(s, i) ||
        hd_team_walk_is_newer(object, f->slots, f->heap))
      continue;
    hd_team_touch touch = {.edge = edge,
                           .object = object,
                           .param = param_of(k, s, f, object),
                           .write = write,
                           .atomic = atomic,
                           .locks = s->locks};
    if (touch.param >= 0)
      touch.object = 0;
    else if (object >= HD_TEAM_WALK_PRIVATE || !object)
      hd_team_walk_refuse(k, edge,
                          "what a function that calls itself touches is not "
                          "known");
    else if (is_of_thread(w, address) && is_of_thread(w, size)) {
      touch.address = address;
      touch.size = size;
    }
    learn(w, h, &touch);
  }
}

/* The end of an activation: does it leave tasks behind? */
void hd_team_walk_note_end(hd_team_walker *k, const hd_team_walk_state *s) {
  hd_team_walk *w = k->w;
  hd_team_walk_habit *h = habit_of(w, hd_vec_last(&s->frames).func);
  for (size_t i = 0; h && !h->leaves && i < s->pending.size; i++)
    if (w->sites.data[s->pending.data[i].site - 1].stack.size >=
        s->frames.size) {
      h->leaves = true;
      w->grown++;
    }
}

static void repeat(hd_team_walker *k, hd_team_walk_state *s,
                   const hd_team_touch *t, const hd_team_term *args, size_t n,
                   hd_edge_id call) {
  hd_team_terms *terms = k->w->terms;
  uint64_t object = t->object;
  if (t->param >= 0 && (size_t)t->param < n)
    object = hd_team_walk_object(terms, args[t->param]);
  if (!object) {
    hd_team_walk_refuse(k, call,
                        "what a function that calls itself touches is not "
                        "known");
    return;
  }
  size_t locks = s->locks.size;
  for (size_t i = 0; i < t->locks.size; i++)
    hd_vec_push(&s->locks, t->locks.data[i]);
  hd_team_term at =
      t->address ? t->address
                 : hd_team_term_make(
                       terms, HD_TEAM_ADD,
                       hd_team_term_const(terms, (int64_t)(object << 32)),
                       hd_team_walk_any(k, s, 0));
  hd_team_term size = t->size ? t->size : hd_team_walk_any(k, s, 0);
  size_t facts = s->facts.size;
  if (t->param >= 0 && (size_t)t->param < n)
    hd_team_walk_stay_in_block(k, s, args[t->param], at, size);
  hd_team_walk_touch_as(k, s, t->edge, at, size, t->write, t->atomic);
  s->facts.size = facts;
  s->locks.size = locks;
}

bool hd_team_walk_recursion(hd_team_walker *k, hd_team_walk_state *s,
                            hd_func_id func, hd_edge_id call,
                            const hd_team_term *args, size_t n) {
  hd_team_walk *w = k->w;
  bool again = false;
  for (size_t i = 0; i < s->frames.size; i++)
    again = again || s->frames.data[i].func == func;
  if (!again)
    return false;
  hd_team_walk_habit *h = habit_of(w, func);
  if (!h) {
    hd_team_walk_habit fresh = {.func = func};
    hd_vec_push(&w->habits, fresh);
    h = &hd_vec_last(&w->habits);
    w->grown++;
  }
  for (size_t i = 0; i < h->touches.size; i++) {
    hd_team_touch touch = h->touches.data[i];
    repeat(k, s, &touch, args, n, call);
    h = habit_of(w, func);
  }
  if (!h->leaves)
    return true;
  for (size_t i = 0; i < n; i++)
    hd_team_walk_capture(k, s, args[i]);
  hd_team_pending rest = hd_team_walk_begin_rest(k, s, call);
  for (size_t i = 0; i < h->touches.size; i++) {
    hd_team_touch touch = h->touches.data[i];
    repeat(k, s, &touch, args, n, call);
    h = habit_of(w, func);
  }
  hd_team_walk_end_rest(k, s, rest);
  return true;
}

/* What the first activation is given stands for what any of them is given: an
 * argument is anything, or points anywhere into its object, in which anything is. */
void hd_team_walk_open_arguments(hd_team_walker *k, hd_team_walk_state *s,
                                 hd_func_id func, hd_team_term *args,
                                 size_t n) {
  const hd_code *code = k->w->code;
  hd_team_terms *t = k->w->terms;
  const hd_func *f = &code->funcs.data[func];
  if (!s->team || !habit_of(k->w, func))
    return;
  for (size_t i = 0; i < n && i < f->n_params; i++) {
    hd_type type = code->regs.data[f->regs + i].type;
    uint64_t object = args[i] ? hd_team_walk_object(t, args[i]) : 0;
    hd_team_term any =
        hd_team_walk_any(k, s, type.kind == HD_TYPE_INT ? type.width : 0);
    if (type.kind == HD_TYPE_PTR && object) {
      any = hd_team_term_make(
          t, HD_TEAM_ADD, hd_team_term_const(t, (int64_t)(object << 32)), any);
      hd_team_walk_stay_in_block(k, s, args[i], any, hd_team_term_const(t, 0));
      if (hd_team_walk_is_own(s, object))
        hd_team_walk_havoc(k, s, object);
    }
    args[i] = any;
  }
  hd_team_walk_forget_threads(k, s);
}

void hd_team_walk_free_habits(hd_team_walk *w) {
  for (size_t i = 0; i < w->habits.size; i++) {
    for (size_t j = 0; j < w->habits.data[i].touches.size; j++)
      hd_vec_free(&w->habits.data[i].touches.data[j].locks);
    hd_vec_free(&w->habits.data[i].touches);
  }
  hd_vec_free(&w->habits);
}

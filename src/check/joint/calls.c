/* SPDX-License-Identifier: MIT */
/* More functions of the library that wait for nobody. */
#include "check/joint/local.h"

#include <string.h>

void hd_joint_scribble(local *c, const val *to, uint32_t size) {
  val none = anything();
  if (hd_joint_use(c, to, size, true))
    hd_joint_fill(&c->p.m, to, &none, size);
}

/* A number, or a time: its seconds are open, and there are less than 10^9
 * nanoseconds, if the clock is one that there is (realtime, monotonic; UTC). */
static void clock_time(local *c) {
  uint32_t size, word = c->j->code->pointer_width / 8u,
                 i = hd_note_clock_arg(c->name, (uint8_t)(8 * word), &size);
  val to = arg(c, i), which = arg(c, 1 - i);
  hd_joint_scribble(c, &to, size);
  if (!c->j->failed && size == 2 * word && which.kind == V_NUMBER &&
      (i ? which.a <= 1 : which.a == 1))
    hd_joint_write(&c->p.m, to.base, to.a + word, word, &hd_joint_nanoseconds);
  done(c, unknown_result(c));
}

static void sleep_for(local *c) {
  val until = arg(c, 0), left = arg(c, 1);
  uint32_t size = c->j->code->pointer_width / 4u;
  if (hd_joint_use(c, &until, size, false) && (left.kind != V_NUMBER || left.a))
    hd_joint_scribble(c, &left, size);
  done(c, unknown_result(c));
}

/* Of the least number it is undefined. */
static void absolute(local *c) {
  val v = arg(c, 0);
  thread *th = &c->p.m.threads.data[c->j->t];
  uint8_t width =
      c->e->n_targets ? hd_joint_target_type(c->j, th, c->edge, 0).width : 32;
  uint64_t sign = (uint64_t)1 << (width - 1);
  if (v.kind != V_NUMBER || v.a == sign)
    done(c, unknown_result(c));
  else
    done(c, number(v.a & sign ? (0 - v.a) & hd_word_mask(width) : v.a));
}

static local fork_call(const local *c) {
  local other = *c;
  other.p.m = hd_joint_copy(&c->p.m);
  memset(&other.p.deeds, 0, sizeof other.p.deeds);
  for (hd_vec_each(const deed, d, &c->p.deeds))
    hd_vec_push(&other.p.deeds, *d);
  return other;
}

/* In its place, or in another one: then the old block is gone. */
static void make_again(local *c) {
  val old = arg(c, 0), n = arg(c, 1);
  bool fresh = old.kind == V_NUMBER && !old.a;
  made *o = old.kind == V_ADDRESS && !old.a
                ? hd_joint_made(c->j, &c->p.m, old.base)
                : NULL;
  if (n.kind != V_NUMBER || !n.a || n.a > LARGEST ||
      (!fresh && (!o || o->kind != O_HEAP))) {
    refuse(c, "of what may not be on the heap, or of a size that is not known");
    hd_joint_over(c);
    return;
  }
  for (hd_vec_each(const gate, s, &c->p.m.syncs))
    if (!fresh && s->base == old.base)
      refuse(c, "of a block with a lock in it");
  uint64_t kept = fresh ? 0 : o->size < n.a ? o->size : n.a;
  if (!fresh) {
    local same = fork_call(c);
    made *s = hd_joint_made(c->j, &same.p.m, old.base);
    uint64_t whole = s->size;
    val none = anything();
    /* The block ends, as for others, and there is another one in its place. */
    hd_joint_deed(c->j, &same.p, old.base, 0, whole, true, false, c->edge);
    if (n.a < whole)
      hd_joint_erase(&same.p.m, old.base, n.a, whole);
    s->size = n.a;
    if (s->zero && n.a > whole)
      hd_joint_fill(&same.p.m, &(val){V_ADDRESS, old.base, whole, 0}, &none,
                    n.a - whole);
    done(&same, old);
  }
  uint32_t base = hd_joint_make(c->j, &c->p.m, c->j->t,
                                (made){.kind = O_HEAP, .size = n.a});
  val new = address(base, 0);
  if (kept)
    hd_joint_move(c, &new, &old, kept);
  if (!fresh)
    hd_joint_end(c->j, &c->p, c->j->t, old.base, c->edge);
  done(c, new);
}

/* A number that says how much of it was used. */
static void stack(local *c) {
  done(c, number(hd_joint_stacked(&c->p.m, c->j->t)));
}

static void unstack(local *c) {
  val v = arg(c, 0);
  uint32_t used = hd_joint_stacked(&c->p.m, c->j->t), level = used >> 16;
  if (v.kind != V_NUMBER || v.a > used || v.a >> 16 != level)
    refuse(c, "to where is not known");
  else
    hd_joint_unstack(c->j, &c->p, c->j->t, v.a & 0xffff, c->edge);
  done(c, anything());
}

/* Its place is its thread's. */
static void errno_place(local *c) {
  thread *th = &c->p.m.threads.data[c->j->t];
  uint32_t first = hd_joint_first_made(c->j->code) + c->j->t * OBJECTS;
  for (uint32_t i = 0; i < th->made.size; i++)
    if (th->made.data[i].kind == O_LOCAL &&
        th->made.data[i].index == ERRNO_INDEX) {
      done(c, address(first + i, 0));
      return;
    }
  made o = {.kind = O_LOCAL, .index = ERRNO_INDEX, .size = 4};
  done(c, address(hd_joint_make(c->j, &c->p.m, c->j->t, o), 0));
}

/* Who registers one beside others is not followed. */
static void at_exit(local *c) {
  val f = arg(c, 0);
  const hd_code *code = c->j->code;
  hd_func_id func = f.base - (uint32_t)code->globals.size;
  bool good = f.kind == V_ADDRESS && !f.a && f.base >= code->globals.size &&
              f.base < thread_base(code, 0) && code->funcs.data[func].defined &&
              !code->funcs.data[func].n_params &&
              !hd_joint_is_section(&code->funcs.data[func]) && !c->p.m.ending;
  for (uint32_t u = 0; u < c->p.m.threads.size; u++)
    good = good && (u == c->j->t || c->p.m.threads.data[u].status == T_JOINED ||
                    c->p.m.threads.data[u].status == T_FREE);
  if (!good)
    refuse(c, "of what is not known, or beside other threads");
  else
    hd_vec_push(&c->p.m.handlers, func);
  done(c, number(0));
}

/* What is said of it is not looked at. */
static void attribute_get(local *c) {
  val at = arg(c, 0), to = arg(c, 1);
  gate *s = at.kind == V_ADDRESS ? hd_joint_sync(&c->p.m, (spot){at.base, at.a})
                                 : NULL;
  if (!s || !s->attribute || s->sort != c->call.sort) {
    refuse(c, "of an attribute that is not known");
  } else {
    hd_joint_deed(c->j, &c->p, s->base, s->offset, s->offset + s->size, false,
                  false, c->edge);
    hd_joint_scribble(c, &to, 4);
  }
  done(c, number(0));
}

bool hd_joint_more(local *c) {
  hd_note_action action = (hd_note_action)c->call.action;
  if (action == HD_NOTE_CLOCK)
    clock_time(c);
  else if (action == HD_NOTE_SLEEP)
    sleep_for(c);
  else if (action == HD_NOTE_ABS)
    absolute(c);
  else if (action == HD_NOTE_MAKE_AGAIN)
    make_again(c);
  else if (action == HD_NOTE_STACK)
    stack(c);
  else if (action == HD_NOTE_UNSTACK)
    unstack(c);
  else if (action == HD_NOTE_ERRNO)
    errno_place(c);
  else if (action == HD_NOTE_AT_EXIT)
    at_exit(c);
  else if (action == HD_NOTE_ATTRIBUTE_GET)
    attribute_get(c);
  else
    return false;
  return true;
}

/* SPDX-License-Identifier: MIT */
/* Threads, and atomic sections, in which the others do not move. */
#include "check/joint/op.h"
#include "check/notes/rules.h"

void hd_joint_write_later(op *o, const val *to, uint32_t bytes, val v) {
  thread *th = self(o);
  if (!hd_joint_there(o->j, &o->m, to, bytes, true, o->edge))
    return;
  th->late = bytes;
  th->late_at = (spot){to->base, to->a};
  th->late_value = v;
}

static uint32_t free_thread(op *o) {
  uint32_t u = 0;
  while (u < o->m.threads.size && o->m.threads.data[u].status != T_FREE)
    u++;
  if (u == THREADS)
    refuse(o, "too many threads");
  else if (u == o->m.threads.size)
    hd_vec_push(&o->m.threads,
                ((thread){.status = T_FREE, .once = {HD_NO_ID, 0}}));
  return u;
}

static bool is_detached(op *o, const val *attribute, bool *detached) {
  *detached = false;
  if (attribute->kind == V_NUMBER && !attribute->a)
    return true;
  const gate *s =
      attribute->kind == V_ADDRESS
          ? hd_joint_sync(&o->m, (spot){attribute->base, attribute->a})
          : NULL;
  *detached = s && s->kind;
  return s && s->attribute && s->sort == HD_NOTE_PTHREAD;
}

static void create(op *o) {
  const hd_code *code = o->j->code;
  bool c11 = o->call.sort == HD_NOTE_C11, detached = false;
  val to = arg(o, 0), start = arg(o, c11 ? 1 : 2), given = arg(o, c11 ? 2 : 3);
  val attribute = c11 ? number(0) : arg(o, 1);
  uint32_t func = start.base - (uint32_t)code->globals.size;
  if (start.kind != V_ADDRESS || start.a || start.base < code->globals.size ||
      start.base >= thread_base(code, 0) ||
      !hd_note_can_start(code, func, c11) ||
      !is_detached(o, &attribute, &detached)) {
    refuse(o, "which function starts, or how, is not known");
    return;
  }
  uint32_t u = free_thread(o);
  if (o->j->failed)
    return;
  thread *th = &o->m.threads.data[u];
  th->status = T_RUN;
  th->detached = detached;
  th->result = anything();
  hd_joint_push(o->j, &o->m, u, func, HD_NO_ID);
  if (code->funcs.data[func].n_params)
    th->regs.data[0] = given;
  hd_joint_begins(&o->m, o->t, u);
  hd_joint_write_later(o, &to, code->pointer_width / 8u,
                       address(thread_base(code, u), 0));
  go_on(o, number(0));
}

static void join(op *o) {
  val who = arg(o, 0), to = arg(o, 1);
  bool c11 = o->call.sort == HD_NOTE_C11;
  uint32_t u = hd_joint_named(o->j, &who);
  if (u >= o->m.threads.size || u == o->t || o->m.threads.data[u].detached ||
      o->m.threads.data[u].status == T_JOINED ||
      o->m.threads.data[u].status == T_FREE) {
    refuse(o, "a thread that cannot be joined, or is not known");
    return;
  }
  thread *th = &o->m.threads.data[u];
  if (th->status != T_ENDED) {
    o->j->waits_for |= (uint64_t)1 << u;
    o->j->joining |= (uint64_t)1 << o->t;
    return;
  }
  val result = th->result;
  hd_joint_joined(&o->m, o->t, u);
  uint32_t bytes = c11 ? 4 : o->j->code->pointer_width / 8u;
  th->status = T_JOINED;
  th->result = anything();
  if (result.kind == V_NUMBER)
    result.a &= hd_word_mask((uint8_t)(8 * bytes));
  else if (c11)
    result = anything();
  if (to.kind != V_NUMBER || to.a)
    hd_joint_write_later(o, &to, bytes, result);
  go_on(o, number(0));
}

static void detach(op *o) {
  val who = arg(o, 0);
  uint32_t u = hd_joint_named(o->j, &who);
  if (u >= o->m.threads.size || o->m.threads.data[u].detached ||
      o->m.threads.data[u].status == T_JOINED ||
      o->m.threads.data[u].status == T_FREE)
    refuse(o, "a thread that cannot be detached, or is not known");
  else
    o->m.threads.data[u].detached = true;
  go_on(o, number(0));
}

static void end_program(op *o) {
  hd_vec_push(&o->j->outcomes, ((outcome){.end = true}));
}

static bool all_ended(const mach *m) {
  for (hd_vec_each(const thread, th, &m->threads))
    if (th->status != T_ENDED && th->status != T_JOINED && th->status != T_FREE)
      return false;
  return true;
}

/* The thread has no frames any more. */
void hd_joint_op_end(op *o) {
  if (!o->t && o->e->act == HD_CODE_RETURN) {
    end_program(o);
    return;
  }
  if (o->m.section == o->t + 1)
    refuse(o, "a thread ends in an atomic section");
  self(o)->status = T_ENDED;
  bool last = all_ended(&o->m);
  if (last && o->m.handlers.size)
    refuse(o, "handlers that are called behind the last thread");
  if (last)
    end_program(o);
  else
    finish(o);
}

/* --- atomic sections --- */

static void enter(op *o) {
  if (o->j->weak)
    refuse(o, "atomic sections beside accesses of weak orders");
  if (o->m.section) {
    if (o->m.section == o->t + 1)
      refuse(o, "an atomic section in another one");
    return;
  }
  o->m.section = o->t + 1;
  go_on(o, anything());
}

void hd_joint_op_leave(op *o) {
  if (o->m.section != o->t + 1)
    refuse(o, "the end of an atomic section without its beginning");
  o->m.section = 0;
}

/* A function that is an atomic section: its parameters first. */
void hd_joint_op_enter(op *o, hd_func_id func) {
  const hd_func *f = &o->j->code->funcs.data[func];
  val args[8];
  if (f->n_params > 8 || f->variadic || o->e->n_operands - 1 != f->n_params) {
    refuse(o, "a call that does not fit its function");
    return;
  }
  if (o->j->weak)
    refuse(o, "atomic sections beside accesses of weak orders");
  if (o->m.section)
    return;
  for (uint32_t i = 0; i < f->n_params; i++)
    args[i] = arg(o, i);
  o->m.section = o->t + 1;
  hd_joint_push(o->j, &o->m, o->t, func, o->edge);
  for (uint32_t i = 0; i < f->n_params; i++)
    self(o)->regs.data[top(self(o))->regs + i] = args[i];
  finish(o);
}

void hd_joint_op_thread(op *o) {
  hd_note_action action = (hd_note_action)o->call.action;
  if (action == HD_NOTE_STOP || action == HD_NOTE_QUIT) {
    end_program(o);
  } else if (action == HD_NOTE_ENTER) {
    enter(o);
  } else if (action == HD_NOTE_EXIT) {
    hd_joint_op_leave(o);
    go_on(o, anything());
  } else if (action == HD_NOTE_CREATE) {
    create(o);
  } else if (action == HD_NOTE_JOIN) {
    join(o);
  } else if (action == HD_NOTE_DETACH) {
    detach(o);
  } else {
    refuse(o, "a call that is not followed");
  }
}

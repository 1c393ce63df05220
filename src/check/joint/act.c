/* SPDX-License-Identifier: MIT */
/* Visible actions: atomic accesses here, the others by name. */
#include "check/joint/op.h"
#include "check/notes/rules.h"

/* --- atomic accesses --- */

static val combined(op *o, hd_type type, const val *old, const val *v) {
  hd_cexpr x = {.op = (uint8_t)hd_note_update_op(o->e), .type = type};
  if (o->e->rmw == HD_RMW_XCHG)
    return *v;
  return x.op == HD_CODE_UNDEF
             ? hd_joint_full(type)
             : hd_joint_apply(o->j, &o->m, &x, type, old, v, o->edge);
}

static hd_type type_of(joint *j, thread *th, hd_edge_id edge) {
  const hd_cedge *e = &j->code->edges.data[edge];
  if (e->act == HD_CODE_STORE)
    return j->code->exprs.data[hd_code_operand(j->code, e, 1)].type;
  return hd_joint_target_type(j, th, edge, 0);
}

static void put_memory(op *o, const val *at, hd_type type, const val *v) {
  val bits = hd_joint_stored(type, v);
  hd_joint_write(&o->m, at->base, at->a, hd_type_bytes(type), &bits);
}

static void exchange(op *o, const val *at, hd_type type, const val *old) {
  const hd_cexpr_id *args = &o->j->code->operands.data[o->e->operands];
  val expected = hd_joint_eval(o->j, &o->m, o->t, args[1], o->edge);
  val new = hd_joint_eval(o->j, &o->m, o->t, args[2], o->edge);
  hd_cexpr x = {.op = HD_CODE_EQ, .type = {HD_TYPE_INT, 1}};
  val equal = hd_joint_apply(o->j, &o->m, &x, type, old, &expected, o->edge);
  bool yes = hd_joint_may(&equal, true), no = hd_joint_may(&equal, false);
  val truth = number(1), lie = number(0);
  if (no || o->e->weak) {
    mach m = hd_joint_copy(&o->m);
    hd_joint_after_access(o->j, &m, o->t, at, (hd_order)o->e->failure, true,
                          false);
    hd_joint_target(o->j, &m.threads.data[o->t], o->edge, 1, &lie);
    hd_joint_return(o->j, &m, o->t, o->edge, old);
    emit(o, m, !no);
  }
  if (!yes)
    return;
  put_memory(o, at, type, &new);
  hd_joint_after_access(o->j, &o->m, o->t, at, (hd_order)o->e->order, true,
                        true);
  hd_joint_target(o->j, self(o), o->edge, 1, &truth);
  go_on(o, *old);
}

static void access_memory(op *o) {
  const hd_cexpr_id *args = &o->j->code->operands.data[o->e->operands];
  val at = hd_joint_eval(o->j, &o->m, o->t, args[0], o->edge);
  hd_type type = type_of(o->j, self(o), o->edge);
  uint32_t bytes = hd_type_bytes(type);
  bool write = o->e->act != HD_CODE_LOAD;
  if (!hd_joint_there(o->j, &o->m, &at, bytes, write, o->edge) ||
      !hd_joint_weak_place(o->j, &o->m, o->t, &at, bytes, o->edge))
    return;
  hd_order order = (hd_order)o->e->order;
  if (o->e->act == HD_CODE_STORE) {
    val v = hd_joint_eval(o->j, &o->m, o->t, args[1], o->edge);
    put_memory(o, &at, type, &v);
    hd_joint_after_access(o->j, &o->m, o->t, &at, order, false, true);
    top(self(o))->loc = o->e->to;
    finish(o);
    return;
  }
  val old = hd_joint_read(o->j, &o->m, at.base, at.a, bytes);
  old = hd_joint_loaded(type, &old);
  if (o->e->act == HD_CODE_CMPXCHG) {
    exchange(o, &at, type, &old);
    return;
  }
  if (o->e->act == HD_CODE_RMW) {
    val v = hd_joint_eval(o->j, &o->m, o->t, args[1], o->edge);
    v = combined(o, type, &old, &v);
    put_memory(o, &at, type, &v);
  }
  hd_joint_after_access(o->j, &o->m, o->t, &at, order, true, write);
  go_on(o, old);
}

/* --- all --- */

static void by_name(op *o) {
  hd_note_action action = (hd_note_action)o->call.action;
  if (o->m.section == o->t + 1 && action != HD_NOTE_EXIT &&
      action != HD_NOTE_STOP && action != HD_NOTE_QUIT)
    refuse(o, "locks or threads in an atomic section");
  else if (action >= HD_NOTE_LOCK_INIT)
    hd_joint_op_lock(o);
  else
    hd_joint_op_thread(o);
}

static void perform(op *o, const path *p) {
  if (self(o)->status == T_BARRIER ||
      (o->m.section && o->m.section != o->t + 1))
    return; /* others have to come; nobody moves beside an atomic section */
  if (p->left) {
    hd_joint_op_end(o);
    return;
  }
  if (o->e->act == HD_CODE_RETURN && hd_joint_ends_section(o->j, &o->m, o->t)) {
    hd_joint_op_leave(o);
    finish(o);
    return;
  }
  if (o->e->act == HD_CODE_RETURN) {
    hd_joint_op_once(o);
    return;
  }
  if (o->e->act != HD_CODE_CALL) {
    access_memory(o);
    return;
  }
  hd_func_id func = hd_joint_callee(o->j, &o->m, o->t, o->edge);
  const hd_func *f = &o->j->code->funcs.data[func];
  o->call = o->j->known[func];
  if (hd_joint_is_section(f))
    hd_joint_op_enter(o, func);
  else if (o->e->n_targets > 1)
    refuse(o, "a call with several results");
  else if (self(o)->status == T_WAITING || self(o)->status == T_WOKEN)
    hd_joint_op_wait(o);
  else
    by_name(o);
}

void hd_joint_op(joint *j, const path *p, uint32_t t) {
  op o = {.j = j, .m = hd_joint_copy(&p->m), .t = t, .edge = p->stop};
  if (o.edge == HD_NO_ID)
    o.edge = call_of(j, &o.m.threads.data[t]);
  o.e = &j->code->edges.data[o.edge];
  perform(&o, p);
  if (!o.done)
    hd_joint_free(&o.m);
}

static void lock_deed(joint *j, path *p, uint32_t t, hd_edge_id edge,
                      uint32_t i, hd_note_sort sort) {
  val at = hd_joint_arg(j, &p->m, t, edge, i);
  uint32_t size = hd_note_size_of(sort, j->code->pointer_width);
  if (at.kind == V_ADDRESS && size)
    hd_joint_deed(j, p, at.base, at.a, at.a + size, true, true, edge);
}

/* What it reads besides. */
static void plain_deed(joint *j, path *p, uint32_t t, hd_edge_id edge,
                       uint32_t i, uint32_t size) {
  val at = hd_joint_arg(j, &p->m, t, edge, i);
  if (at.kind == V_ADDRESS)
    hd_joint_deed(j, p, at.base, at.a, at.a + size, false, false, edge);
}

void hd_joint_op_deeds(joint *j, path *p, uint32_t t) {
  thread *th = &p->m.threads.data[t];
  hd_edge_id edge = p->stop == HD_NO_ID ? call_of(j, th) : p->stop;
  const hd_cedge *e = &j->code->edges.data[edge];
  if (p->left || e->act == HD_CODE_RETURN)
    return;
  if (e->act != HD_CODE_CALL) {
    val at = hd_joint_eval(j, &p->m, t, hd_code_operand(j->code, e, 0), edge);
    if (at.kind == V_ADDRESS)
      hd_joint_deed(j, p, at.base, at.a,
                    at.a + hd_type_bytes(type_of(j, th, edge)),
                    e->act != HD_CODE_LOAD, true, edge);
    return;
  }
  hd_func_id func = hd_joint_callee(j, &p->m, t, edge);
  if (func == HD_NO_ID)
    return;
  hd_note_call call = j->known[func];
  if (call.action == HD_NOTE_CREATE && call.sort == HD_NOTE_PTHREAD)
    plain_deed(j, p, t, edge, 1,
               hd_note_attribute_size(HD_NOTE_PTHREAD, j->code->pointer_width));
  if (call.action == HD_NOTE_WAIT_TIMED)
    plain_deed(j, p, t, edge, 2, j->code->pointer_width / 4u);
  if (call.action == HD_NOTE_LOCK_TIMED || call.action == HD_NOTE_PASS_TIMED)
    plain_deed(j, p, t, edge, 1, j->code->pointer_width / 4u);
  if (call.action < HD_NOTE_LOCK_INIT)
    return;
  lock_deed(j, p, t, edge, 0, (hd_note_sort)call.sort);
  if (call.action == HD_NOTE_WAIT || call.action == HD_NOTE_WAIT_TIMED)
    lock_deed(j, p, t, edge, 1,
              call.sort == HD_NOTE_COND ? HD_NOTE_MUTEX : HD_NOTE_MTX);
}

/* SPDX-License-Identifier: MIT */
/* Private to this folder: one visible action. */
#ifndef HD_CHECK_JOINT_OP_H
#define HD_CHECK_JOINT_OP_H

#include "check/joint/machine.h"

typedef struct {
  joint *j;
  mach m; /* to be changed */
  uint32_t t;
  hd_edge_id edge;
  const hd_cedge *e;
  hd_note_call call;
  bool done; /* `m` was given away */
} op;

static inline thread *self(op *o) {
  return &o->m.threads.data[o->t];
}

static inline val arg(op *o, uint32_t i) {
  return hd_joint_arg(o->j, &o->m, o->t, o->edge, i);
}

static inline void refuse(op *o, const char *what) {
  hd_joint_refuse(o->j, o->edge, what);
}

static inline void emit(op *o, mach m, bool extra) {
  hd_vec_push(&o->j->outcomes, ((outcome){m, extra, false}));
}

static inline void finish(op *o) {
  emit(o, o->m, false);
  o->done = true;
}

static inline void go_on(op *o, val v) {
  hd_joint_return(o->j, &o->m, o->t, o->edge, &v);
  finish(o);
}

static inline hd_edge_id call_of(joint *j, thread *th) {
  return j->code->out[j->code->out_start[top(th)->loc]];
}

/* --- locks.c --- */

void hd_joint_op_lock(op *o);
/* Behind a wait for a condition that has begun. */
void hd_joint_op_wait(op *o);

/* --- threads.c --- */

void hd_joint_op_thread(op *o);
/* A function that is an atomic section; its end. */
void hd_joint_op_enter(op *o, hd_func_id func);
void hd_joint_op_leave(op *o);
/* The thread has no frames any more. */
void hd_joint_op_end(op *o);

#endif

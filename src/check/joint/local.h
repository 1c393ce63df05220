/* SPDX-License-Identifier: MIT */
/* Private to this folder: one call of the library that waits for nobody. */
#ifndef HD_CHECK_JOINT_LOCAL_H
#define HD_CHECK_JOINT_LOCAL_H

#include "check/joint/machine.h"

typedef struct {
  joint *j;
  path p;
  hd_edge_id edge;
  const hd_cedge *e;
  hd_note_call call;
  const char *name;
} local;

static inline val arg(local *c, uint32_t i) {
  return hd_joint_arg(c->j, &c->p.m, c->j->t, c->edge, i);
}

static inline void refuse(local *c, const char *what) {
  hd_str text = {0};
  hd_str_printf(&text, "%s: %s", c->name, what);
  hd_joint_refuse(c->j, c->edge, hd_str_text(&text));
  hd_str_free(&text);
}

/* The call is done, with this result. */
static inline void done(local *c, val v) {
  hd_joint_return(c->j, &c->p.m, c->j->t, c->edge, &v);
  hd_vec_push(&c->j->todo, c->p);
}

static inline val unknown_result(local *c) {
  thread *th = &c->p.m.threads.data[c->j->t];
  return c->e->n_targets
             ? hd_joint_full(hd_joint_target_type(c->j, th, c->edge, 0))
             : anything();
}

enum { LARGEST = 1 << 20 };

/* --- local.c --- */

/* There is nothing behind it. What was read so far may be different when others
 * come first: that must be seen as a race. */
void hd_joint_over(local *c);
/* A plain access to so many bytes; false: refused. */
bool hd_joint_use(local *c, const val *at, uint64_t size, bool write);
void hd_joint_move(local *c, const val *to, const val *from, uint64_t size);

/* --- calls.c --- */

/* So many bytes become anything. */
void hd_joint_scribble(local *c, const val *to, uint32_t size);
/* False: not known. */
bool hd_joint_more(local *c);

#endif

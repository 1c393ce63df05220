/* SPDX-License-Identifier: MIT */
/* Semaphores, barriers, once, atomic sections. */
#include "engine/modular/act.h"

#include <errno.h>

static void take_one(action *c, hd_value perhaps) {
  if (hd_library_is(c->fn, HD_CALL_TIMED)) {
    hd_modular_refuse_call(c);
  } else if (hd_library_is(c->fn, HD_CALL_TRIES)) {
    hd_modular_go_on_with(c, perhaps);
  } else {
    hd_modular_blocks(c);
    hd_modular_give(c, 0);
  }
}

/* Of a semaphore nothing is known. */
void hd_modular_semaphore(action *c) {
  assert(hd_library_kind_of(c->fn) == HD_LIBRARY_SEM);
  hd_value any = hd_value_signed(32, 0, INT32_MAX);
  hd_value perhaps = hd_value_signed(32, -1, 0);
  hd_action does = hd_library_action(c->fn);
  if (does == HD_DO_PEEK) {
    hd_value x = hd_modular_operand(c, 2);
    if (hd_modular_write_to(c, &x, 4, &any))
      hd_modular_give(c, 0);
  } else if (does == HD_DO_ACQUIRE) {
    take_one(c, perhaps);
  } else if (does == HD_DO_MAKE) {
    hd_value x = hd_modular_operand(c, 3);
    if (hd_modular_make(c))
      hd_modular_go_on_with(c, hd_value_within(&x, &any) ? hd_value_const(32, 0)
                                                         : perhaps);
  } else if (does == HD_DO_RELEASE) { /* it may overflow */
    hd_modular_go_on_with(c, perhaps);
  } else if (does == HD_DO_UNMAKE) {
    hd_modular_give(c, 0);
  } else {
    hd_modular_refuse_call(c);
  }
}

void hd_modular_barrier(action *c) {
  assert(hd_library_action(c->fn) == HD_DO_MAKE);
  hd_value count = hd_modular_operand(c, 3),
           usual = hd_value_signed(32, 1, INT32_MAX);
  if (count.undef || !hd_value_within(&count, &usual))
    hd_modular_fail(c, EINVAL);
  if (hd_modular_make(c))
    hd_modular_give(c, 0);
}

void hd_modular_meet(action *c) {
  hd_modular_blocks(c);
  hd_modular_go_on_with(c, hd_value_signed(32, -1, 0));
}

/* It runs now, or has run. */
void hd_modular_once(action *c) {
  hd_modular_blocks(c);
  action other = *c;
  other.l = hd_local_copy(&c->l);
  other.k = hd_class_known_copy(&c->k);
  hd_modular_give(&other, 0);
  hd_local_free(&other.l);
  hd_class_known_free(&other.k);
  hd_modular_set_phase(c, PHASE_ENTER);
}

void hd_modular_begin_atomic(action *c, bool enters) {
  hd_class_note_wait(c->m, c->class, &c->k, ATOMIC, c->edge);
  if (!(c->k.held & bit(ATOMIC)))
    hd_class_take_guarded(c->m, c->class, &c->k, &c->l, ATOMIC);
  c->k.held |= bit(ATOMIC);
  if (enters)
    hd_modular_set_phase(c, PHASE_ENTER);
  else
    hd_modular_go_on(c, false);
}

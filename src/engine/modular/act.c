/* SPDX-License-Identifier: MIT */
/* What visible actions do: which of them it is, and how a thread goes on. Where it
 * depends on others what happens, all of it does. */
#include "engine/modular/act.h"

hd_value hd_modular_operand(const action *c, uint32_t i) {
  assert(c->e); /* the end of a thread has none */
  hd_mays mays = 0;
  analysis *a = &c->m->a;
  return hd_eval_expr(a, c->class, &c->l, hd_code_operand(a->code, c->e, i),
                      &mays);
}

void hd_modular_set_target(action *c, uint32_t i, const hd_value *v) {
  assert(c->e);
  const hd_code *code = c->m->a.code;
  if (i >= c->e->n_targets)
    return;
  c->l.top = hd_frame_own(c->l.top);
  hd_frame_set(code, c->l.top, hd_code_target(code, c->e, i), v);
}

void hd_modular_refuse(action *c, const char *what) {
  hd_analysis_give_up(&c->m->a, c->edge, "%s", what);
}

void hd_modular_refuse_call(action *c) {
  hd_analysis_give_up(&c->m->a, c->edge, "%s is not modelled by this engine",
                      hd_library_name(c->fn));
}

void hd_modular_go_on(action *c, bool stay) {
  assert(is_consistent(&c->k));
  assert(c->l.top->loc == c->e->from);
  analysis *a = &c->m->a;
  after x = {hd_local_copy(&c->l), hd_class_known_copy(&c->k)};
  if (!stay) {
    x.state.top = hd_frame_own(x.state.top);
    hd_frame_go(x.state.top, c->e->to, a->code, a->bodies, a->unroll);
  }
  hd_vec_push(c->out, x);
}

void hd_modular_go_on_with(action *c, hd_value result) {
  hd_modular_set_target(c, 0, &result);
  hd_modular_go_on(c, false);
}

void hd_modular_give(action *c, uint64_t result) {
  hd_modular_go_on_with(c, hd_value_const(32, result));
}

void hd_modular_set_phase(action *c, phase next) {
  assert(next != PHASE_NONE);
  c->l.top = hd_frame_own(c->l.top);
  c->l.top->phase = (uint8_t)next;
  hd_modular_go_on(c, true);
}

void hd_modular_may_wait(action *c) {
  if (c->k.held & bit(ATOMIC))
    c->m->open |= bit(ATOMIC);
}

void hd_modular_blocks(action *c) {
  hd_modular_may_wait(c);
  if (c->m->blocked)
    return;
  c->m->blocked = "a thread may wait for ever";
  c->m->blocked_edge = c->edge;
}

void hd_modular_fail(action *c, uint64_t failure) {
  assert(failure != 0); /* that would be success */
  hd_value no = hd_value_const(32, failure);
  action other = *c;
  other.l = hd_local_copy(&c->l);
  other.k = hd_class_known_copy(&c->k);
  hd_modular_set_target(&other, 0, &no);
  hd_modular_go_on(&other, false);
  hd_local_free(&other.l);
  hd_class_known_free(&other.k);
}

/* What a lock and the like is in has to be memory, all of it. */
static void check_place(const action *c) {
  for (uint32_t i = 1; c->fn != HD_LIB_NONE && i < c->e->n_operands; i++) {
    hd_library_kind kind;
    if (hd_library_place(c->fn, i - 1, &kind) == HD_PLACE_NONE)
      continue;
    uint32_t bytes = hd_library_place_bytes(kind, c->m->a.code->pointer_width);
    assert(bytes > 0);
    hd_value place = hd_modular_operand(c, i), valid;
    if (place.wild ||
        !hd_access_targets(&c->m->a, &c->l, c->edge, &place, bytes, &valid))
      hd_analysis_alarm(&c->m->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID,
                        "what this is called with may be no memory");
  }
}

/* What is there is a lock, a semaphore …: made, ended, taken, given back. */
static void place(action *c) {
  hd_action does = hd_library_action(c->fn);
  switch (hd_library_kind_of(c->fn)) {
  case HD_LIBRARY_MUTEX:
  case HD_LIBRARY_SPIN:
  case HD_LIBRARY_RWLOCK:
    hd_modular_lock(c);
    return;
  case HD_LIBRARY_SEM:
    hd_modular_semaphore(c);
    return;
  case HD_LIBRARY_BARRIER:
    if (does == HD_DO_MAKE)
      hd_modular_barrier(c);
    else
      hd_modular_give(c, 0);
    return;
  default:
    assert(hd_library_kind_of(c->fn) == HD_LIBRARY_COND);
    if (does == HD_DO_MAKE && !hd_modular_make(c))
      return;
    hd_modular_give(c, 0);
  }
}

/* What library.c says is visible. */
static void call(action *c) {
  check_place(c);
  switch (hd_library_action(c->fn)) {
  case HD_DO_NONE: /* an atomic function */
    hd_modular_begin_atomic(c, true);
    return;
  case HD_DO_ENTER:
    hd_modular_begin_atomic(c, false);
    return;
  case HD_DO_LEAVE:
    hd_modular_let_go(c, ATOMIC);
    hd_modular_go_on(c, false);
    return;
  case HD_DO_COPY:
  case HD_DO_FILL:
    hd_modular_block(c);
    return;
  case HD_DO_SPAWN:
    hd_modular_create(c);
    return;
  case HD_DO_JOIN:
    hd_modular_join(c);
    return;
  case HD_DO_DETACH:
    hd_modular_give(c, 0);
    return;
  case HD_DO_MAKE:
  case HD_DO_UNMAKE:
  case HD_DO_ACQUIRE:
  case HD_DO_RELEASE:
  case HD_DO_PEEK:
    place(c);
    return;
  case HD_DO_PARK:
    hd_modular_condition(c);
    return;
  case HD_DO_MEET:
    hd_modular_meet(c);
    return;
  case HD_DO_ONCE:
    hd_modular_once(c);
    return;
  case HD_DO_WAKE: /* nobody notices */
  case HD_DO_REFUSED:
  case HD_DO_INPUT:
  case HD_DO_ASSUME:
  case HD_DO_ASSERT:
  case HD_DO_FAIL:
  case HD_DO_QUIT:
  case HD_DO_SELF:
  case HD_DO_SAME:
  case HD_DO_CANCEL:
  case HD_DO_MEND:
  case HD_DO_KEY:
  case HD_DO_CLEANUP:
  case HD_DO_ALLOC:
  case HD_DO_RESIZE:
  case HD_DO_FREE:
  case HD_DO_LOOK:
  case HD_DO_EDIT:
  case HD_DO_PARSE:
  case HD_DO_SORT:
  case HD_DO_COMPUTE:
  case HD_DO_PRINT:
  case HD_DO_WRITE:
  case HD_DO_ATOMIC:
  case HD_DO_ATTR_MAKE:
  case HD_DO_ATTR_END:
  case HD_DO_ATTR_SET:
  case HD_DO_ATTR_GET:
  case HD_DO_BIRTH:
  case HD_DO_DEATH:
  case HD_DO_JUMP:
  case HD_DO_STACK:
  case HD_DO_YIELD:
  case HD_DO_SLEEP:
  case HD_DO_CLOCK:
  case HD_DO_SEED:
  case HD_DO_HOST:
  case HD_DO_REGION:
  case HD_DO_END:
  case HD_DO_ABORT:
  case HD_DO_UNREACHABLE:
  case HD_DO_AT_END:
  case HD_DO_MPI:
    break;
  }
  hd_modular_refuse_call(c);
}

static hd_library_fn callee(const action *c) {
  hd_value v = hd_modular_operand(c, 0);
  hd_object_id object;
  int64_t offset;
  if (!hd_value_is_address(&v, &object, &offset))
    return HD_LIB_NONE;
  assert(object_of(&c->m->a, object)->kind == OBJ_FUNC);
  return c->m->a.library[object_of(&c->m->a, object)->what];
}

void hd_class_act(modular *m, const node *n, afters *out) {
  assert(n->class < m->classes.size);
  assert(n->edge == HD_NO_ID || n->state.top);
  action c = {.m = m,
              .class = n->class,
              .edge = n->edge,
              .e = n->edge == HD_NO_ID ? NULL : &m->a.code->edges.data[n->edge],
              .l = hd_local_copy(&n->state),
              .k = hd_class_known_copy(&n->known),
              .out = out};
  if (!c.e) {
    hd_modular_finish(&c, n);
  } else if (c.e->act == HD_CODE_RETURN) {
    if (c.l.top->guard == GUARD_ATOMIC)
      hd_modular_let_go(&c, ATOMIC);
    hd_modular_set_phase(&c, PHASE_LEAVE);
  } else if (c.e->act == HD_CODE_CALL) {
    c.fn = callee(&c);
    call(&c);
  } else {
    hd_modular_memory(&c);
  }
  hd_class_note_deeds(m, c.class, &n->known, &c.seen);
  hd_vec_free(&c.seen);
  hd_local_free(&c.l);
  hd_class_known_free(&c.k);
}

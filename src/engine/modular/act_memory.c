/* SPDX-License-Identifier: MIT */
/* Accesses to memory: of the thread's own, followed exactly, and of what is
 * shared. */
#include "engine/modular/act.h"

static hd_value load(action *c, const hd_value *valid, uint32_t bytes) {
  assert(valid->n_targets > 0);
  hd_value out = hd_value_none();
  for (int i = 0; i < valid->n_targets; i++) {
    const hd_pointee *t = &valid->targets[i];
    hd_value v = hd_class_is_own(c->m, c->class, &c->k, t->object)
                     ? hd_memory_load(c->l.memory, t, bytes)
                     : hd_class_shared_load(c->m, t, bytes, &c->l);
    out = i ? hd_value_join((uint8_t)(8 * bytes), &out, &v) : v;
  }
  hd_class_know_targets(c->m, c->class, &c->k, &c->l, &out);
  return out;
}

void hd_modular_store(action *c, const hd_value *valid, uint32_t bytes,
                      const hd_value *value) {
  assert(bytes > 0 && bytes <= 8);
  assert(valid->n_targets > 0 && !valid->wild);
  for (int i = 0; i < valid->n_targets; i++) {
    const hd_pointee *t = &valid->targets[i];
    bool weak = valid->n_targets > 1 ||
                !hd_class_is_exact(c->m, c->class, &c->k, t->object) ||
                hd_memory_life(c->l.memory, t->object) == HD_LIFE_MAYBE;
    if (hd_class_is_own(c->m, c->class, &c->k, t->object)) {
      hd_class_store_at(&c->l.memory, t, bytes, value, weak);
      hd_frame_written(&c->l.top, t->object, t->lo, t->hi + bytes);
      continue;
    }
    hd_class_let_escape(c->m, c->class, &c->k, &c->l, value);
    hd_class_shared_store(c->m, t, bytes, value, &c->l);
  }
}

bool hd_modular_write_to(action *c, const hd_value *address, uint32_t bytes,
                         const hd_value *value) {
  uint64_t null;
  hd_value valid;
  if (hd_value_is_const(address, &null) && null == 0)
    return true;
  if (!hd_access_targets(&c->m->a, &c->l, c->edge, address, bytes, &valid))
    return false;
  hd_access_note(&c->seen, &valid, bytes, true, false, c->edge);
  hd_access_check_write(&c->m->a, c->edge, &valid);
  hd_modular_store(c, &valid, bytes, value);
  return true;
}

static hd_value combined(hd_rmw rmw, hd_type type, const hd_value *old,
                         const hd_value *v) {
  if (rmw == HD_RMW_XCHG)
    return *v;
  static const hd_code_op ops[] = {
      [HD_RMW_ADD] = HD_CODE_ADD,   [HD_RMW_SUB] = HD_CODE_SUB,
      [HD_RMW_AND] = HD_CODE_AND,   [HD_RMW_OR] = HD_CODE_OR,
      [HD_RMW_XOR] = HD_CODE_XOR,   [HD_RMW_MAX] = HD_CODE_SMAX,
      [HD_RMW_MIN] = HD_CODE_SMIN,  [HD_RMW_UMAX] = HD_CODE_UMAX,
      [HD_RMW_UMIN] = HD_CODE_UMIN, [HD_RMW_FADD] = HD_CODE_FADD,
      [HD_RMW_FSUB] = HD_CODE_FSUB};
  hd_type types[2] = {type, type};
  hd_value args[2] = {*old, *v};
  hd_mays mays = 0;
  assert(rmw == HD_RMW_NAND ||
         (rmw < sizeof ops / sizeof *ops && ops[rmw] != HD_CODE_INT));
  if (rmw != HD_RMW_NAND)
    return hd_value_apply(ops[rmw], 0, type, types, args, &mays);
  hd_value any = hd_value_any(type.width);
  any.wild = old->wild || old->n_targets || v->wild || v->n_targets;
  return any;
}

static void exchange(action *c, hd_type type, const hd_value *valid,
                     const hd_value *old) {
  uint32_t bytes = hd_type_bytes(type);
  hd_value fresh = hd_modular_operand(c, 2);
  fresh = hd_access_fit(type, &fresh, true);
  hd_value either = hd_value_any(1), no = hd_value_const(1, 0);
  hd_value expected = hd_modular_operand(c, 1);
  hd_type types[2] = {type, type};
  hd_value args[2] = {*old, expected};
  hd_mays mays = 0;
  hd_eval_compared(&c->m->a, &c->l, &args[0], &args[1]);
  hd_value equal = hd_value_apply(HD_CODE_EQ, 0, (hd_type){HD_TYPE_INT, 1},
                                  types, args, &mays);
  bool can = equal.undef || hd_value_contains(&equal, 1, 1);
  if (can) {
    hd_value kept = hd_access_fit(type, old, true);
    fresh = hd_value_join((uint8_t)(8 * bytes), &fresh, &kept);
    hd_modular_store(c, valid, bytes, &fresh);
  }
  hd_modular_set_target(c, 1, can ? &either : &no);
  hd_modular_go_on_with(c, *old);
}

void hd_modular_memory(action *c) {
  const hd_code *code = c->m->a.code;
  uint8_t what = c->e->act;
  assert(what == HD_CODE_LOAD || what == HD_CODE_STORE || what == HD_CODE_RMW ||
         what == HD_CODE_CMPXCHG);
  hd_type type;
  if (what == HD_CODE_STORE) {
    type = code->exprs.data[hd_code_operand(code, c->e, 1)].type;
  } else {
    const hd_func *f = &code->funcs.data[c->l.top->func];
    type = code->regs.data[f->regs + hd_code_target(code, c->e, 0)].type;
  }
  uint32_t bytes = hd_type_bytes(type);
  hd_value address = hd_modular_operand(c, 0), valid;
  if (!hd_access_targets(&c->m->a, &c->l, c->edge, &address, bytes, &valid))
    return;
  hd_access_note(&c->seen, &valid, bytes, what != HD_CODE_LOAD,
                 c->e->order != HD_ORDER_NONE, c->edge);
  if (what != HD_CODE_LOAD)
    hd_access_check_write(&c->m->a, c->edge, &valid);
  if (what == HD_CODE_STORE) {
    hd_value v = hd_modular_operand(c, 1);
    v = hd_access_fit(type, &v, true);
    hd_modular_store(c, &valid, bytes, &v);
    if (valid.n_targets == 1 &&
        hd_class_is_exact(c->m, c->class, &c->k, valid.targets[0].object))
      hd_frame_deposit(code, &c->l, hd_code_operand(code, c->e, 1), &valid);
    hd_modular_go_on(c, false);
    return;
  }
  hd_value old = load(c, &valid, bytes);
  old = hd_access_loaded(code, type, &old);
  if (what == HD_CODE_CMPXCHG) {
    exchange(c, type, &valid, &old);
    return;
  }
  if (what == HD_CODE_RMW) {
    hd_value v = hd_modular_operand(c, 1);
    v = combined((hd_rmw)c->e->rmw, type, &old, &v);
    v = hd_access_fit(type, &v, true);
    hd_modular_store(c, &valid, bytes, &v);
  }
  hd_modular_set_target(c, 0, &old);
  /* What is found out about one is true of the other. */
  if (what == HD_CODE_LOAD && valid.n_targets == 1 &&
      hd_class_is_exact(c->m, c->class, &c->k, valid.targets[0].object))
    hd_frame_mirror(&c->l, hd_code_target(code, c->e, 0), type, &valid);
  hd_modular_go_on(c, false);
}

void hd_modular_block(action *c) {
  uint64_t bytes, byte;
  hd_value n = hd_modular_operand(c, 3), to = hd_modular_operand(c, 1),
           from = hd_value_none(), valid;
  bool set = hd_library_action(c->fn) == HD_DO_FILL;
  if (!hd_value_is_const(&n, &bytes)) {
    hd_modular_refuse(c, "the size of a copy is not known");
    return;
  }
  if (!hd_access_targets(&c->m->a, &c->l, c->edge, &to, bytes, &valid))
    return;
  to = valid;
  hd_access_note(&c->seen, &to, bytes, true, false, c->edge);
  hd_access_check_write(&c->m->a, c->edge, &to);
  if (!set) {
    from = hd_modular_operand(c, 2);
    if (!hd_access_targets(&c->m->a, &c->l, c->edge, &from, bytes, &valid))
      return;
    from = valid;
    hd_access_note(&c->seen, &from, bytes, false, false, c->edge);
  }
  if (to.n_targets != 1 || to.targets[0].stride ||
      (!set && (from.n_targets != 1 || from.targets[0].stride))) {
    hd_modular_refuse(c, "what is copied is not known");
    return;
  }
  hd_value v = hd_modular_operand(c, 2), whole = hd_modular_operand(c, 1);
  bool zero = set && hd_value_is_const(&v, &byte) && (byte & 0xff) == 0;
  if (set)
    hd_class_shared_fill(c->m, c->class, &c->k, &c->l, &to.targets[0], bytes,
                         zero ? HD_FILL_ZERO : HD_FILL_ANY);
  else
    hd_class_shared_copy(c->m, c->class, &c->k, &c->l, &to.targets[0],
                         &from.targets[0], bytes);
  hd_modular_go_on_with(c, whole);
}

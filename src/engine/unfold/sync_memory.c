/* SPDX-License-Identifier: MIT */
/* Accesses to memory that are events: atomic ones, and those to objects that are
 * raced on. */
#include "engine/unfold/sync.h"

static bool releases(uint8_t order) {
  return order == HD_ORDER_RELEASE || order == HD_ORDER_ACQ_REL ||
         order == HD_ORDER_SEQ_CST;
}

static bool acquires(uint8_t order) {
  return order == HD_ORDER_ACQUIRE || order == HD_ORDER_ACQ_REL ||
         order == HD_ORDER_SEQ_CST;
}

static hd_value combine(hd_rmw rmw, hd_type type, const hd_value *old,
                        const hd_value *v) {
  static const struct {
    hd_rmw rmw;
    hd_code_op op;
  } ops[] = {{HD_RMW_ADD, HD_CODE_ADD},   {HD_RMW_SUB, HD_CODE_SUB},
             {HD_RMW_AND, HD_CODE_AND},   {HD_RMW_OR, HD_CODE_OR},
             {HD_RMW_XOR, HD_CODE_XOR},   {HD_RMW_MAX, HD_CODE_SMAX},
             {HD_RMW_MIN, HD_CODE_SMIN},  {HD_RMW_UMAX, HD_CODE_UMAX},
             {HD_RMW_UMIN, HD_CODE_UMIN}, {HD_RMW_FADD, HD_CODE_FADD},
             {HD_RMW_FSUB, HD_CODE_FSUB}};
  if (rmw == HD_RMW_XCHG)
    return *v;
  hd_type types[2] = {type, type};
  hd_value args[2] = {*old, *v};
  hd_mays mays = 0;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (ops[i].rmw == rmw)
      return hd_value_apply(ops[i].op, 0, type, types, args, &mays);
  hd_value any = hd_value_any(type.width); /* NAND */
  any.wild = old->wild || old->n_targets || v->wild || v->n_targets;
  return any;
}

/* Compares and maybe exchanges; both outcomes are kept in one event, which orders
 * what both of them do. */
static void exchange(action *c, hd_type type, const hd_value *valid,
                     uint32_t bytes, const hd_value *old) {
  hd_type types[2] = {type, type};
  hd_value args[2] = {*old, hd_sync_operand(c->s, c->thread, c->l, c->e, 1)};
  hd_value fresh = hd_sync_operand(c->s, c->thread, c->l, c->e, 2);
  hd_mays mays = 0;
  hd_eval_compared(c->s->a, c->l, &args[0], &args[1]);
  hd_value equal = hd_value_apply(HD_CODE_EQ, 0, (hd_type){HD_TYPE_INT, 1},
                                  types, args, &mays);
  bool can = equal.undef || hd_value_contains(&equal, 1, 1);
  bool cannot = equal.undef || hd_value_contains(&equal, 1, 0);
  if (can) {
    hd_value written = hd_access_fit(type, &fresh, true);
    hd_value kept = hd_access_fit(type, old, true);
    if (cannot || c->e->weak)
      written = hd_value_join((uint8_t)(8 * bytes), &written, &kept);
    hd_access_store(c->l, valid, bytes, &written, stamp_of_action(c->id));
  }
  bool fails = cannot || c->e->weak;
  if ((!can || acquires(c->e->order)) && (!fails || acquires(c->e->failure)))
    hd_sync_learn_clock(c);
  if (!fails && releases(c->e->order))
    hd_sync_publish(c);
  if (c->e->weak && can) {
    hd_value either = hd_value_any(1);
    hd_sync_set_target(c, 1, &either);
  } else {
    hd_sync_set_target(c, 1, &equal);
  }
  hd_sync_set_target(c, 0, old);
}

bool hd_sync_memory(action *c) {
  const hd_code *code = c->s->a->code;
  const hd_cedge *e = c->e;
  uint8_t act = e->act;
  hd_type type;
  if (act == HD_CODE_LOAD || act == HD_CODE_RMW || act == HD_CODE_CMPXCHG) {
    const hd_func *f = &code->funcs.data[c->l->top->func];
    type = code->regs.data[f->regs + hd_code_target(code, e, 0)].type;
  } else {
    type = code->exprs.data[hd_code_operand(code, e, 1)].type;
  }
  uint32_t bytes = hd_type_bytes(type);
  hd_value address = hd_sync_operand(c->s, c->thread, c->l, e, 0), valid;
  if (!hd_access_targets(c->s->a, c->l, c->edge, &address, bytes, &valid))
    return false;
  bool atomic = e->order != HD_ORDER_NONE, writes = act != HD_CODE_LOAD;
  hd_access_note(&hd_sync_self(c)->touches, &valid, bytes, writes, atomic,
                 c->edge);
  if (writes)
    hd_access_check_write(c->s->a, c->edge, &valid);
  for (uint32_t i = 1; i < e->n_operands; i++) {
    hd_value passed = hd_sync_operand(c->s, c->thread, c->l, e, i);
    hd_access_pass(c->s->a, &passed);
  }
  hd_value raw = hd_access_load(c->l, &valid, bytes);
  if (raw.undef && act == HD_CODE_CMPXCHG)
    hd_analysis_alarm(c->s->a, HD_PROPERTY_UNINIT, c->edge, HD_NO_ID,
                      "an uninitialised value is compared");
  hd_value old = hd_access_loaded(code, type, &raw);
  if ((act == HD_CODE_LOAD || act == HD_CODE_RMW) && acquires(e->order))
    hd_sync_learn_clock(c);
  if (act == HD_CODE_LOAD) {
    hd_sync_set_target(c, 0, &old);
  } else if (act == HD_CODE_STORE) {
    hd_value v = hd_sync_operand(c->s, c->thread, c->l, e, 1);
    v = hd_access_fit(type, &v, true);
    hd_access_store(c->l, &valid, bytes, &v, stamp_of_action(c->id));
    /* A store ends what was published before it. */
    hd_sync_set_clock(
        c, releases(e->order) ? hd_clock_keep(hd_sync_self(c)->clock) : NULL);
  } else if (act == HD_CODE_RMW) {
    hd_value v = hd_sync_operand(c->s, c->thread, c->l, e, 1);
    v = combine((hd_rmw)e->rmw, type, &old, &v);
    v = hd_access_fit(type, &v, true);
    hd_access_store(c->l, &valid, bytes, &v, stamp_of_action(c->id));
    hd_sync_set_target(c, 0, &old);
  } else {
    exchange(c, type, &valid, bytes, &old);
  }
  if (act == HD_CODE_RMW && releases(e->order))
    hd_sync_publish(c);
  return true;
}

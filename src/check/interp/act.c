/* SPDX-License-Identifier: MIT */
/* The actions of edges but for calls and returns: assignments, accesses to
 * memory, alloca. Each leaves the thread behind the edge, or the machine ended. */
#include "check/interp/clocks.h"
#include "check/interp/eval.h"
#include "check/interp/heap.h"
#include "check/interp/lib.h"
#include "check/interp/memory.h"
#include "check/interp/state.h"
#include "check/interp/opaque.h"
#include "check/interp/symbolic.h"

static void set_target(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                       uint32_t i, hd_machine_value value) {
  if (i >= edge->n_targets)
    return;
  hd_reg_id reg = hd_code_target(m->plan->code, edge, i);
  t->regs.data[hd_thread_top(t)->regs + reg] = value;
  if (hd_machine_narrated(m))
    hd_machine_tell_set(m, t, reg);
}

static hd_type operand_type(const hd_machine *m, const hd_cedge *edge,
                            uint32_t i) {
  const hd_code *code = m->plan->code;
  return code->exprs.data[hd_code_operand(code, edge, i)].type;
}

static hd_type target_type(const hd_machine *m, const hd_cedge *edge) {
  const hd_code *code = m->plan->code;
  const hd_func *func = &code->funcs.data[code->locs.data[edge->from].func];
  return code->regs.data[func->regs + hd_code_target(code, edge, 0)].type;
}

static bool operand(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                    uint32_t i, bool decides, hd_machine_value *out) {
  return hd_eval_or_fail(m, t, hd_code_operand(m->plan->code, edge, i), decides,
                         out);
}

/* The operation on values that may depend on inputs. */
static bool combine(const hd_machine *m, hd_rmw rmw, uint8_t width,
                    hd_machine_value *old, hd_machine_value *value,
                    hd_machine_value *fresh) {
  static const uint8_t ops[] = {
      [HD_RMW_ADD] = HD_CODE_ADD,   [HD_RMW_SUB] = HD_CODE_SUB,
      [HD_RMW_AND] = HD_CODE_AND,   [HD_RMW_OR] = HD_CODE_OR,
      [HD_RMW_XOR] = HD_CODE_XOR,   [HD_RMW_MAX] = HD_CODE_SMAX,
      [HD_RMW_MIN] = HD_CODE_SMIN,  [HD_RMW_UMAX] = HD_CODE_UMAX,
      [HD_RMW_UMIN] = HD_CODE_UMIN, [HD_RMW_FADD] = HD_CODE_FADD,
      [HD_RMW_FSUB] = HD_CODE_FSUB};
  if (rmw == HD_RMW_XCHG || rmw == HD_RMW_NAND) {
    hd_symbolic_need(m, HD_NEED_VALUE, width, old);
    hd_symbolic_need(m, HD_NEED_VALUE, width, value);
    return false;
  }
  return hd_symbolic_hooks(m)->binary(m, (hd_code_op)ops[rmw], width, old,
                                      value, fresh);
}

/* What was read, as a value of the type. */
static hd_machine_value cut(const hd_machine *m, hd_type type,
                            hd_machine_value v) {
  uint64_t mask = hd_word_mask(type.width);
  if (hd_symbolic(m, v))
    return hd_symbolic_hooks(m)->fit(m->plan->options->symbols,
                                     (uint8_t)(8 * hd_type_bytes(type)),
                                     type.width, v);
  return (hd_machine_value){v.bits & mask, v.undef & mask};
}

static void do_load(hd_machine *m, hd_thread *t, const hd_cedge *edge) {
  hd_machine_value address, value;
  if (!operand(m, t, edge, 0, true, &address))
    return;
  hd_type type = target_type(m, edge);
  if (!hd_ram_load(m, t->id, address.bits, hd_type_bytes(type),
                   edge->order != HD_ORDER_NONE, &value))
    return;
  if (edge->order != HD_ORDER_NONE)
    hd_clock_atomic(m, t->id, address.bits, edge->order, true, false);
  hd_heap_cut(m, address.bits, hd_type_bytes(type));
  hd_layout_cut(m, address.bits, hd_type_bytes(type));
  set_target(m, t, edge, 0, cut(m, type, value));
}

static void do_store(hd_machine *m, hd_thread *t, const hd_cedge *edge) {
  hd_machine_value address, value;
  if (!operand(m, t, edge, 0, true, &address) ||
      !operand(m, t, edge, 1, false, &value))
    return;
  uint32_t size = hd_type_bytes(operand_type(m, edge, 1));
  bool atomic = edge->order != HD_ORDER_NONE;
  if (!hd_ram_store(m, t->id, address.bits, size, atomic, value))
    return;
  if (atomic)
    hd_clock_atomic(m, t->id, address.bits, edge->order, false, true);
  if (hd_machine_narrated(m))
    hd_machine_tell_write(m, t->id, address.bits, size);
}

static void do_rmw(hd_machine *m, hd_thread *t, const hd_cedge *edge) {
  hd_machine_value address, value, old;
  if (!operand(m, t, edge, 0, true, &address) ||
      !operand(m, t, edge, 1, false, &value))
    return;
  hd_type type = operand_type(m, edge, 1);
  uint32_t size = hd_type_bytes(type);
  if (!hd_ram_load(m, t->id, address.bits, size, true, &old))
    return;
  old = cut(m, type, old);
  if (edge->rmw != HD_RMW_XCHG)
    hd_opaque_modify(m->plan->options->opaque, old.bits, value.bits);
  hd_machine_value fresh = value, was = old;
  bool done = edge->rmw == HD_RMW_XCHG ||
              ((hd_symbolic(m, old) || hd_symbolic(m, value)) &&
               combine(m, edge->rmw, type.width, &was, &value, &fresh));
  if (!done)
    fresh = (hd_machine_value){
        hd_eval_rmw(edge->rmw, type.width, was.bits, value.bits),
        was.undef | value.undef ? hd_word_mask(type.width) : 0};
  hd_heap_cut(m, address.bits, size);
  if (edge->rmw != HD_RMW_XCHG)
    hd_heap_computed(m, HD_CODE_ADD, old.bits, value.bits, fresh.bits);
  if (!hd_ram_store(m, t->id, address.bits, size, true, fresh))
    return;
  hd_clock_atomic(m, t->id, address.bits, edge->order, true, true);
  set_target(m, t, edge, 0, old);
  if (hd_machine_narrated(m))
    hd_machine_tell_write(m, t->id, address.bits, size);
}

/* Of which one at least may depend on inputs: what is decided is whether they are
 * the same. */
static bool equals(hd_machine *m, uint8_t width, hd_machine_value *a,
                   hd_machine_value *b, hd_machine_value *same) {
  bool open = hd_symbolic_hooks(m)->binary(m, HD_CODE_EQ, width, a, b, same);
  if (open)
    hd_symbolic_need(m, HD_NEED_TRUTH, 1, same);
  else
    *same = (hd_machine_value){a->bits == b->bits, 0};
  return open && !same->undef;
}

static void do_cmpxchg(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                       uint64_t choice) {
  hd_machine_value address, expected, fresh, old;
  if (!operand(m, t, edge, 0, true, &address) ||
      !operand(m, t, edge, 1, !m->plan->options->symbols, &expected) ||
      !operand(m, t, edge, 2, false, &fresh))
    return;
  hd_type type = operand_type(m, edge, 1);
  uint32_t size = hd_type_bytes(type);
  if (!hd_ram_load(m, t->id, address.bits, size, true, &old))
    return;
  old = cut(m, type, old);
  hd_machine_value same = {old.bits == expected.bits, 0};
  bool open = (hd_symbolic(m, old) || hd_symbolic(m, expected)) &&
              equals(m, type.width, &old, &expected, &same);
  if (!open && (old.undef | expected.undef) &&
      hd_machine_undefined(m, t->id, "a value that was never set is compared"))
    return;
  if (!open)
    old.undef = 0;
  hd_opaque_compare(m->plan->options->opaque, old.bits, expected.bits);
  hd_heap_cut(m, address.bits, size);
  bool equal = same.bits && !choice;
  if (!open && old.bits != expected.bits && size == hd_word(m))
    hd_reuse_compared(m, old.bits, expected.bits);
  if (equal && !hd_ram_store(m, t->id, address.bits, size, true, fresh))
    return;
  hd_clock_atomic(m, t->id, address.bits, equal ? edge->order : edge->failure,
                  true, equal);
  set_target(m, t, edge, 0, old);
  set_target(m, t, edge, 1, (hd_machine_value){equal, 0});
  if (equal && hd_machine_narrated(m))
    hd_machine_tell_write(m, t->id, address.bits, size);
}

static void do_alloca(hd_machine *m, hd_thread *t, const hd_cedge *edge) {
  hd_machine_value size;
  if (!operand(m, t, edge, 0, true, &size))
    return;
  uint64_t base = hd_ram_push(m, t->id, HD_OBJECT_ALLOCA, hd_thread_edge(t),
                              size.bits, 16, false);
  if (!base)
    return;
  set_target(m, t, edge, 0, (hd_machine_value){base, 0});
  const hd_machine_options *options = m->plan->options;
  for (size_t i = 0; i < options->n_given; i++) {
    const hd_given *given = &options->given[i];
    if (given->edge == hd_thread_edge(t))
      hd_ram_write(m, base, given->bytes, NULL,
                   given->size < size.bits ? given->size : size.bits);
  }
}

/* Assigns all operands of a STEP at once. */
static void do_step(hd_machine *m, hd_thread *t, const hd_cedge *edge) {
  if (edge->n_operands == 1) {
    hd_machine_value value;
    if (operand(m, t, edge, 0, false, &value))
      set_target(m, t, edge, 0, value);
    return;
  }
  hd_machine_value few[8], *values = few;
  if (edge->n_operands > 8)
    values = hd_calloc(edge->n_operands, sizeof *values);
  bool ok = true;
  for (uint32_t i = 0; ok && i < edge->n_operands; i++)
    ok = operand(m, t, edge, i, false, &values[i]);
  for (uint32_t i = 0; ok && i < edge->n_operands; i++)
    set_target(m, t, edge, i, values[i]);
  if (values != few)
    hd_free(values);
}

void hd_thread_execute(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                       uint64_t choice) {
  switch ((hd_code_act)edge->act) {
  case HD_CODE_STEP:
    do_step(m, t, edge);
    break;
  case HD_CODE_LOAD:
    do_load(m, t, edge);
    break;
  case HD_CODE_STORE:
    do_store(m, t, edge);
    break;
  case HD_CODE_RMW:
    do_rmw(m, t, edge);
    break;
  case HD_CODE_CMPXCHG:
    do_cmpxchg(m, t, edge, choice);
    break;
  case HD_CODE_FENCE:
    hd_clock_fence(m, t->id, edge->order);
    break;
  case HD_CODE_ALLOCA:
    do_alloca(m, t, edge);
    break;
  case HD_CODE_RETURN:
    hd_thread_return(m, t, edge);
    return;
  case HD_CODE_UNREACHABLE:
    hd_machine_violate(m, t->id, HD_PROPERTY_UNREACHABLE,
                       "control gets where it must not");
    return;
  case HD_CODE_UNSUPPORTED:
    hd_machine_stop(m, t->id, HD_MACHINE_UNSUPPORTED, "%s",
                    edge->text ? edge->text : "not supported");
    return;
  case HD_CODE_CALL:
    hd_bug("a call is executed as a plain action");
  }
  hd_thread_top(t)->loc = edge->to;
}

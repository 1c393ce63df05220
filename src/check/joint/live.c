/* SPDX-License-Identifier: MIT */
/* Which registers are read again, and which slots are known by their address. Both
 * only make states alike: a register that is forgotten may have any value, and a slot
 * of which nobody has the address is nobody's concern. */
#include "check/joint/machine.h"

#include <string.h>

static void uses(const hd_code *code, hd_cexpr_id id, uint64_t *live) {
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_REG)
    live[e->value / 64] |= (uint64_t)1 << (e->value % 64);
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    uses(code, e->args[i], live);
}

static uint32_t words(const hd_func *f) {
  return f->n_regs / 64 + 1;
}

/* Registers alive before the edge, added to those at its start: true if new. */
static bool pull(joint *j, const hd_func *f, const hd_cedge *e,
                 uint64_t *scratch) {
  const hd_code *code = j->code;
  uint64_t *at = j->live + j->live_at[e->from];
  const uint64_t *behind = j->live + j->live_at[e->to];
  bool grown = false;
  for (uint32_t i = 0; i < words(f); i++)
    scratch[i] = e->to == e->from && e->act == HD_CODE_RETURN ? 0 : behind[i];
  for (uint32_t i = 0; i < e->n_targets; i++) {
    hd_reg_id r = hd_code_target(code, e, i);
    scratch[r / 64] &= ~((uint64_t)1 << (r % 64));
  }
  if (e->guard != HD_NO_ID)
    uses(code, e->guard, scratch);
  for (uint32_t i = 0; i < e->n_operands; i++)
    uses(code, hd_code_operand(code, e, i), scratch);
  for (uint32_t i = 0; i < words(f); i++) {
    grown = grown || (scratch[i] & ~at[i]);
    at[i] |= scratch[i];
  }
  return grown;
}

static void live_in(joint *j, const hd_func *f, uint64_t *scratch) {
  const hd_code *code = j->code;
  for (bool more = true; more;) {
    more = false;
    for (hd_loc_id l = f->locs + f->n_locs; l-- > f->locs;)
      for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++)
        more = pull(j, f, &code->edges.data[code->out[i]], scratch) || more;
  }
}

static void tell(joint *j, const hd_func *f, hd_cexpr_id id) {
  const hd_cexpr *e = &j->code->exprs.data[id];
  if (e->op == HD_CODE_SLOT)
    j->told[f->slots + e->value] = 1;
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    tell(j, f, e->args[i]);
}

static bool is_slot(const hd_code *code, hd_cexpr_id id) {
  return code->exprs.data[id].op == HD_CODE_SLOT;
}

static void find_told(joint *j) {
  const hd_code *code = j->code;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
    bool access = e->act == HD_CODE_LOAD || e->act == HD_CODE_STORE;
    if (e->guard != HD_NO_ID)
      tell(j, f, e->guard);
    for (uint32_t i = 0; i < e->n_operands; i++) {
      hd_cexpr_id x = hd_code_operand(code, e, i);
      if (i || !access || !is_slot(code, x))
        tell(j, f, x);
    }
  }
}

void hd_joint_live(joint *j) {
  const hd_code *code = j->code;
  uint32_t n = 0, most = 1;
  j->live_at = hd_calloc(code->locs.size + 1, sizeof *j->live_at);
  j->told = hd_calloc(code->slots.size + 1, 1);
  for (size_t l = 0; l < code->locs.size; l++) {
    const hd_func *f = &code->funcs.data[code->locs.data[l].func];
    j->live_at[l] = n;
    n += words(f);
    most = words(f) > most ? words(f) : most;
  }
  j->live = hd_calloc(n + 1, sizeof *j->live);
  uint64_t *scratch = hd_calloc(most, sizeof *scratch);
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (f->defined)
      live_in(j, f, scratch);
  hd_free(scratch);
  find_told(j);
}

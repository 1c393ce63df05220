/* SPDX-License-Identifier: MIT */
/* Names of operations, orders and positions: what readers and writers of code
 * graphs share. */
#include "model/code.h"

#include <string.h>

static const struct {
  const char *name;
  int arity;
} ops[] = {
#define X(name, text, arity) {text, arity},
    HD_CODE_OPS(X)
#undef X
};

const char *hd_code_op_name(hd_code_op op) {
  return ops[op].name;
}
int hd_code_op_arity(hd_code_op op) {
  return ops[op].arity;
}

hd_code_op hd_code_op_find(const char *name, size_t length) {
  for (hd_code_op op = HD_CODE_ADD; op < HD_CODE_OP_COUNT; op++)
    if (strlen(ops[op].name) == length &&
        memcmp(ops[op].name, name, length) == 0)
      return op;
  return HD_CODE_OP_COUNT;
}

const char *hd_order_name(hd_order order) {
  static const char *const names[] = {"",        "relaxed", "acquire",
                                      "release", "acq_rel", "seq_cst"};
  return order <= HD_ORDER_SEQ_CST ? names[order] : NULL;
}

hd_order hd_order_reading(hd_order order) {
  return order == HD_ORDER_ACQ_REL   ? HD_ORDER_ACQUIRE
         : order == HD_ORDER_RELEASE ? HD_ORDER_RELAXED
                                     : order;
}

const char *hd_rmw_name(hd_rmw rmw) {
  static const char *const names[] = {"xchg", "add",  "sub", "and", "nand",
                                      "or",   "xor",  "max", "min", "umax",
                                      "umin", "fadd", "fsub"};
  return rmw <= HD_RMW_FSUB ? names[rmw] : NULL;
}

void hd_code_print_pos(hd_str *out, const hd_code *code, hd_cpos pos) {
  if (pos.file == HD_NO_ID)
    hd_str_puts(out, "?");
  else
    hd_str_printf(out, "%s:%u:%u", code->files.data[pos.file], pos.line,
                  pos.column);
}

/* SPDX-License-Identifier: MIT */
/* Expressions: nodes, whether they can be undefined, their text. */
#include "cc/cc.h"

#include <ctype.h>
#include <inttypes.h>

static bool is_nonzero(const cc_expr *e) {
  return e->op == HD_CODE_INT && e->value != 0;
}

/* The divisor is a constant for which division is always defined. */
static bool divides(const cc_expr *b, bool is_signed) {
  return is_nonzero(b) &&
         !(is_signed && b->value == hd_word_mask(b->type.width));
}

/* Is the operation itself defined for all values of its operands? */
static bool is_total_op(const cc_expr *e) {
  if (e->flags)
    return false;
  switch (e->op) {
  case HD_CODE_UNDEF:
    return false;
  case HD_CODE_UDIV:
  case HD_CODE_UREM:
    return divides(e->args[1], false);
  case HD_CODE_SDIV:
  case HD_CODE_SREM:
    return divides(e->args[1], true);
  case HD_CODE_SHL:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    return e->args[1]->op == HD_CODE_INT && e->args[1]->value < e->type.width;
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI:
    return false;
  case HD_CODE_ULT:
  case HD_CODE_ULE:
  case HD_CODE_UGT:
  case HD_CODE_UGE:
  case HD_CODE_SLT:
  case HD_CODE_SLE:
  case HD_CODE_SGT:
  case HD_CODE_SGE: /* pointers into different objects have no order */
    return e->args[0]->type.kind != HD_TYPE_PTR;
  default:
    return true;
  }
}

static const cc_expr *node(hd_arena *arena, cc_expr e) {
  e.size = 1;
  e.total = is_total_op(&e);
  e.constant = true;
  for (int i = 0; i < 3 && e.args[i]; i++) {
    e.size += e.args[i]->size;
    e.total = e.total && e.args[i]->total;
    e.constant = e.constant && e.args[i]->constant;
  }
  cc_expr *copy = hd_arena_alloc(arena, sizeof *copy);
  *copy = e;
  return copy;
}

const cc_expr *hd_cc_int_expr(hd_arena *arena, hd_type type, uint64_t value) {
  return node(arena, (cc_expr){.op = HD_CODE_INT,
                               .type = type,
                               .value = value & hd_word_mask(type.width)});
}

const cc_expr *hd_cc_leaf(hd_arena *arena, hd_code_op op, hd_type type,
                          uint64_t value, const char *name, bool total) {
  cc_expr *e = hd_arena_alloc(arena, sizeof *e);
  *e = (cc_expr){.op = (uint8_t)op,
                 .type = type,
                 .value = value,
                 .name = name,
                 .size = 1,
                 .total = total,
                 .constant = op != HD_CODE_REG};
  return e;
}

const cc_expr *hd_cc_op1(hd_arena *arena, hd_code_op op, hd_type type,
                         uint8_t flags, const cc_expr *a) {
  return node(arena, (cc_expr){.op = (uint8_t)op,
                               .flags = flags,
                               .type = type,
                               .args = {a, NULL, NULL}});
}

const cc_expr *hd_cc_op2(hd_arena *arena, hd_code_op op, hd_type type,
                         uint8_t flags, const cc_expr *a, const cc_expr *b) {
  return node(arena, (cc_expr){.op = (uint8_t)op,
                               .flags = flags,
                               .type = type,
                               .args = {a, b, NULL}});
}

const cc_expr *hd_cc_select(hd_arena *arena, const cc_expr *c,
                            const cc_expr *yes, const cc_expr *no) {
  return node(
      arena,
      (cc_expr){.op = HD_CODE_SELECT, .type = yes->type, .args = {c, yes, no}});
}

/* The comparison that holds exactly when `op` does not; `op` if it is none. */
static hd_code_op negated(hd_code_op op) {
  static const uint8_t pairs[][2] = {
      {HD_CODE_EQ, HD_CODE_NE},     {HD_CODE_ULT, HD_CODE_UGE},
      {HD_CODE_ULE, HD_CODE_UGT},   {HD_CODE_SLT, HD_CODE_SGE},
      {HD_CODE_SLE, HD_CODE_SGT},   {HD_CODE_FOEQ, HD_CODE_FUNE},
      {HD_CODE_FOGT, HD_CODE_FULE}, {HD_CODE_FOGE, HD_CODE_FULT},
      {HD_CODE_FOLT, HD_CODE_FUGE}, {HD_CODE_FOLE, HD_CODE_FUGT},
      {HD_CODE_FONE, HD_CODE_FUEQ}, {HD_CODE_FORD, HD_CODE_FUNO},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (pairs[i][0] == op)
      return pairs[i][1];
    if (pairs[i][1] == op)
      return pairs[i][0];
  }
  return op;
}

const cc_expr *hd_cc_not(hd_arena *arena, const cc_expr *c) {
  hd_type bit = hd_cc_int(1);
  if (c->op == HD_CODE_INT)
    return hd_cc_int_expr(arena, bit, c->value ^ 1);
  if (c->op == HD_CODE_XOR && hd_cc_is_int(c->args[1], 1))
    return c->args[0];
  hd_code_op other = negated(c->op);
  if (other != (hd_code_op)c->op)
    return hd_cc_op2(arena, other, bit, 0, c->args[0], c->args[1]);
  return hd_cc_op2(arena, HD_CODE_XOR, bit, 0, c,
                   hd_cc_int_expr(arena, bit, 1));
}

const cc_expr *hd_cc_resize(hd_arena *arena, const cc_expr *a, hd_type type,
                            bool is_signed) {
  assert(a->type.kind == HD_TYPE_INT && type.kind == HD_TYPE_INT);
  if (a->type.width == type.width)
    return a;
  if (a->op == HD_CODE_INT)
    return hd_cc_int_expr(
        arena, type,
        is_signed ? (uint64_t)hd_word_signed(a->value, a->type.width)
                  : a->value);
  hd_code_op op = a->type.width > type.width ? HD_CODE_TRUNC
                  : is_signed                ? HD_CODE_SEXT
                                             : HD_CODE_ZEXT;
  return hd_cc_op1(arena, op, type, 0, a);
}

const cc_expr *hd_cc_ptradd(hd_arena *arena, const cc_expr *base,
                            const cc_expr *offset, bool inbounds) {
  if (hd_cc_is_int(offset, 0))
    return base;
  return hd_cc_op2(arena, HD_CODE_PTRADD, base->type,
                   inbounds ? HD_CODE_INBOUNDS : 0, base, offset);
}

bool hd_cc_is_leaf(const cc_expr *e) {
  return e->size == 1;
}

bool hd_cc_is_int(const cc_expr *e, uint64_t value) {
  return e->op == HD_CODE_INT && e->type.kind == HD_TYPE_INT &&
         e->value == value;
}

bool hd_cc_reads(const cc_expr *e, uint32_t reg) {
  if (e->constant)
    return false;
  if (e->op == HD_CODE_REG)
    return e->value == reg;
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (hd_cc_reads(e->args[i], reg))
      return true;
  return false;
}

/* --- text --- */

static const char *op_name(uint8_t op) {
  static const char *const names[] = {
#define X(name, text, arity) text,
      HD_CODE_OPS(X)
#undef X
  };
  assert(op < HD_CODE_OP_COUNT);
  return names[op];
}

void hd_cc_print_type(hd_str *out, hd_type type) {
  if (type.kind == HD_TYPE_PTR)
    hd_str_puts(out, "ptr");
  else
    hd_str_printf(out, "%c%u", type.kind == HD_TYPE_INT ? 'i' : 'f',
                  type.width);
}

static void print_int(hd_str *out, const cc_expr *e) {
  if (e->type.kind == HD_TYPE_FLOAT)
    hd_str_printf(out, "0x%0*" PRIx64, e->type.width / 4, e->value);
  else if (e->type.width == 1)
    hd_str_printf(out, "%" PRIu64, e->value);
  else
    hd_str_printf(out, "%" PRId64, hd_word_signed(e->value, e->type.width));
  hd_str_puts(out, ":");
  hd_cc_print_type(out, e->type);
}

static void print_flags(hd_str *out, uint8_t flags) {
  if (flags & HD_CODE_NSW)
    hd_str_puts(out, ".nsw");
  if (flags & HD_CODE_NUW)
    hd_str_puts(out, ".nuw");
  if (flags & HD_CODE_EXACT)
    hd_str_puts(out, ".exact");
  if (flags & HD_CODE_INBOUNDS)
    hd_str_puts(out, ".inbounds");
}

void hd_cc_print_expr(hd_str *out, const cc_expr *e) {
  switch (e->op) {
  case HD_CODE_INT:
    print_int(out, e);
    return;
  case HD_CODE_NULL:
    hd_str_puts(out, "null");
    return;
  case HD_CODE_UNDEF:
    hd_str_puts(out, "undef:");
    hd_cc_print_type(out, e->type);
    return;
  case HD_CODE_REG:
  case HD_CODE_GLOBAL:
  case HD_CODE_FUNC:
  case HD_CODE_SLOT:
    hd_str_puts(out, e->name);
    return;
  default:
    hd_str_printf(out, "%s.", op_name(e->op));
    hd_cc_print_type(out, e->type);
    print_flags(out, e->flags);
    for (int i = 0; i < 3 && e->args[i]; i++) {
      hd_str_puts(out, i ? ", " : "(");
      hd_cc_print_expr(out, e->args[i]);
    }
    hd_str_puts(out, ")");
  }
}

void hd_cc_print_string(hd_str *out, const char *text) {
  hd_str_puts(out, "\"");
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    if (*c == '"' || *c == '\\')
      hd_str_printf(out, "\\%c", *c);
    else if (*c == '\n')
      hd_str_puts(out, "\\n");
    else if (*c < ' ' || *c == 127)
      hd_str_printf(out, "\\x%02x", *c);
    else
      hd_str_append(out, (const char *)c, 1);
  hd_str_puts(out, "\"");
}

void hd_cc_print_name(hd_str *out, char sigil, const char *name) {
  hd_str_append(out, &sigil, 1);
  bool plain = *name != 0;
  for (const char *c = name; *c; c++)
    plain = plain && (isalnum((unsigned char)*c) || strchr("_.$-", *c));
  if (plain)
    hd_str_puts(out, name);
  else
    hd_cc_print_string(out, name);
}

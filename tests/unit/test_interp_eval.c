/* SPDX-License-Identifier: MIT */
/* The interpreter's operations against those of model/eval.h, which were written
 * independently: random operands of all widths. */
#include "interp_util.h"

#include "model/eval.h"

#define CASES 4000

/* --- random numbers --- */

typedef struct {
  uint64_t state;
} rng;

static uint64_t next(rng *r) {
  r->state ^= r->state << 13;
  r->state ^= r->state >> 7;
  r->state ^= r->state << 17;
  return r->state * 0x9E3779B97F4A7C15u;
}

static uint32_t draw(rng *r, uint32_t n) {
  return (uint32_t)((next(r) >> 33) % n);
}

/* --- operations --- */

typedef struct {
  hd_code_op op;
  hd_type type, from;
  uint64_t a, b;
  int64_t value; /* sign-extended */
} operation;

static hd_type integer(uint8_t width) {
  return (hd_type){HD_TYPE_INT, width};
}

static hd_type real(uint8_t width) {
  return (hd_type){HD_TYPE_FLOAT, width};
}

/* Small numbers, limits and any bits. */
static uint64_t operand(rng *r, hd_type type) {
  uint64_t any = next(r), mask = hd_word_mask(type.width);
  if (type.kind == HD_TYPE_FLOAT) {
    double value = (double)(int64_t)any / (double)(1 + draw(r, 1000));
    float narrow = (float)value;
    uint64_t bits = 0;
    if (draw(r, 8) == 0)
      return any & mask; /* also infinities and NaN */
    if (type.width == 32)
      memcpy(&bits, &narrow, 4);
    else
      memcpy(&bits, &value, 8);
    return bits;
  }
  switch (draw(r, 4)) {
  case 0:
    return any % 4 & mask;
  case 1:
    return (0 - any % 4) & mask;
  case 2:
    return ((uint64_t)1 << (type.width - 1)) - any % 2;
  default:
    return any & mask;
  }
}

static uint8_t some_width(rng *r) {
  static const uint8_t widths[] = {1, 8, 16, 32, 64, 7, 33, 63};
  return widths[draw(r, 8)];
}

/* An operation with operands for which it has an ordinary value. */
static bool choose(rng *r, operation *o) {
  o->op = (hd_code_op)draw(r, HD_CODE_OP_COUNT);
  int arity = hd_code_op_arity(o->op);
  if (!arity || o->op == HD_CODE_SELECT || o->op == HD_CODE_PTRADD ||
      o->op == HD_CODE_PTRTOINT || o->op == HD_CODE_INTTOPTR)
    return false;
  uint8_t width = some_width(r), other = some_width(r);
  uint8_t floats = draw(r, 2) ? 32 : 64;
  o->type = o->from = integer(width);
  if (o->op >= HD_CODE_EQ && o->op <= HD_CODE_UMUL_OVERFLOWS)
    o->type = integer(1);
  else if (o->op >= HD_CODE_FADD && o->op <= HD_CODE_FABS)
    o->type = o->from = real(floats);
  else if (o->op >= HD_CODE_FOEQ && o->op <= HD_CODE_FUNO)
    o->type = integer(1), o->from = real(floats);
  switch (o->op) {
  case HD_CODE_TRUNC:
    o->type = integer(width < other ? width : other);
    o->from = integer(width < other ? other : width);
    break;
  case HD_CODE_ZEXT:
  case HD_CODE_SEXT:
    o->from = integer(width < other ? width : other);
    o->type = integer(width < other ? other : width);
    break;
  case HD_CODE_FPTRUNC:
    o->from = real(64), o->type = real(32);
    break;
  case HD_CODE_FPEXT:
    o->from = real(32), o->type = real(64);
    break;
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI:
    o->from = real(floats);
    break;
  case HD_CODE_SITOFP:
  case HD_CODE_UITOFP:
    o->type = real(floats);
    break;
  case HD_CODE_BITCAST:
    o->from = integer(floats), o->type = real(floats);
    break;
  case HD_CODE_BSWAP:
    o->type = o->from = integer(draw(r, 2) ? 64 : 16);
    break;
  default:
    break;
  }
  if ((o->op == HD_CODE_TRUNC || o->op == HD_CODE_ZEXT ||
       o->op == HD_CODE_SEXT) &&
      o->type.width == o->from.width)
    return false;
  o->a = operand(r, o->from);
  o->b = arity > 1 ? operand(r, o->from) : 0;
  if (o->op >= HD_CODE_SHL && o->op <= HD_CODE_ASHR)
    o->b %= width;
  hd_evaluated e = hd_evaluate_op(o->op, 0, o->type, o->from, o->a, o->b);
  if (e.flags)
    return false;
  o->value = (int64_t)(e.bits << (64 - o->type.width)) >> (64 - o->type.width);
  return true;
}

static void print_operand(hd_str *out, hd_type type, uint64_t bits) {
  hd_str_printf(out, "0x%llx:", (unsigned long long)bits);
  hd_code_print_type(out, type);
}

static void print_operation(hd_str *out, const operation *o) {
  hd_str_printf(out, "%s.", hd_code_op_name(o->op));
  hd_code_print_type(out, o->type);
  hd_str_puts(out, "(");
  print_operand(out, o->from, o->a);
  if (hd_code_op_arity(o->op) > 1) {
    hd_str_puts(out, ", ");
    print_operand(out, o->from, o->b);
  }
  hd_str_puts(out, ")");
}

/* A main that assigns each to a variable; what the variables are is told. */
static void against_the_other_one(void **state) {
  rng random = {.state = 88172645463325252u};
  operation *all = hd_calloc(CASES, sizeof *all);
  hd_str text = {0}, edges = {0}, expected = {0};
  hd_str_puts(&text, "heddle code 1\ntarget 64\n"
                     "function @main \"main\" () -> i32 {\n");
  bool tried[HD_CODE_OP_COUNT] = {false};
  for (int i = 0; i < CASES;) {
    if (!choose(&random, &all[i]))
      continue;
    tried[all[i].op] = true;
    hd_str_printf(&text, "reg %%r%d ", i);
    hd_code_print_type(&text, all[i].type);
    hd_str_printf(&text, " \"r%d\"\n", i);
    hd_str_printf(&edges, "location %d -\n-> %d - set %%r%d = ", i, i + 1, i);
    print_operation(&edges, &all[i]);
    hd_str_puts(&edges, "\n");
    hd_str_printf(&expected, "0:r%d = %lld;", i, (long long)all[i].value);
    i++;
  }
  hd_str_append(&text, edges.data, edges.size);
  hd_str_printf(&text, "location %d -\n-> %d - return 0:i32\n}\n", CASES,
                CASES);
  run r = {0};
  start(&r, hd_str_text(&text), 0);
  assert_int_equal(hd_machine_status_of(r.m), HD_MACHINE_EXITED);
  assert_string_equal(hd_str_text(&r.events), hd_str_text(&expected));
  stop(&r);
  int n = 0;
  for (int op = 0; op < HD_CODE_OP_COUNT; op++)
    n += tried[op];
  assert_true(n >= 60);
  hd_str_free(&text);
  hd_str_free(&edges);
  hd_str_free(&expected);
  hd_free(all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(against_the_other_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* A clause for each move, with variables as integers of mathematics. A variable is
 * any number that has the same remainder as its bits, modulo 2^width: sums,
 * differences and multiples need no more, wrap round or not. Where it counts which
 * number it is (an order, a division, a wider type) it has to be the one that C
 * means, with a sign or without one. `strict`: if it is another it fails; else what
 * is within -2^(width-1) and 2^width is converted, and another fails. As long as
 * `false` does not follow all that was asked was asked of the right numbers.
 * Divisors and shifts are constants. */
#include "engine/weave/weave_impl.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  weave_program *p;
  bool strict;
  const weave_edge *e; /* NULL: there are no expressions */
  hd_str *needs;       /* what must hold */
} writer;

static void put_number(hd_str *out, hd_i128 n) {
  char digits[48];
  size_t i = sizeof digits;
  bool less = n < 0;
  digits[--i] = 0;
  if (less)
    n = -n;
  do
    digits[--i] = (char)('0' + (int)(n % 10));
  while (n /= 10);
  hd_str_puts(out, less ? "(- " : "");
  hd_str_puts(out, digits + i);
  hd_str_puts(out, less ? ")" : "");
}

static hd_i128 power(unsigned k) {
  return (hd_i128)1 << k;
}

bool hd_weave_initial(const weave_program *p, uint32_t cell, int64_t *value) {
  const weave_cell *c = &p->cells.data[cell];
  const weave_object *o = &p->objects.data[c->object];
  uint8_t width = p->vars.data[c->var].width;
  uint64_t bits = 0;
  if (o->frame != HD_NO_ID)
    return false;
  const hd_global *g = &p->code->globals.data[o->index];
  if (g->bytes)
    memcpy(&bits, g->bytes + c->offset, width / 8u);
  *value = hd_word_signed(bits, width);
  return true;
}

static void refuse(writer *w, const hd_cexpr *e) {
  hd_weave_refuse(w->p, w->e->edge, "the operation %s is not treated",
                  hd_code_op_name((hd_code_op)e->op));
}

static void put_between(hd_str *out, hd_i128 least, const char *text,
                        hd_i128 most) {
  hd_str_puts(out, " (<= ");
  put_number(out, least);
  hd_str_printf(out, " %s ", text);
  put_number(out, most);
  hd_str_puts(out, ")");
}

static char *number(hd_i128 n) {
  hd_str s = {0};
  put_number(&s, n);
  return hd_str_take(&s);
}

static char *two(const char *op, char *a, char *b) {
  hd_str s = {0};
  hd_str_printf(&s, "(%s %s %s)", op, a, b);
  hd_free(a);
  hd_free(b);
  return hd_str_take(&s);
}

static char *variable(uint32_t var) {
  hd_str s = {0};
  hd_str_printf(&s, "v%u", var);
  return hd_str_take(&s);
}

static char *expr(writer *w, hd_cexpr_id id);

static uint8_t width_of(const writer *w, hd_cexpr_id id) {
  return w->p->code->exprs.data[id].type.width;
}

static bool constant(const writer *w, hd_cexpr_id id, uint64_t *bits) {
  weave_known k = hd_weave_fold(w->p, w->e->frame, w->e->env, id);
  *bits = k.bits;
  return k.kind == WEAVE_NUMBER;
}

/* The number that C means, with a sign or without one. */
static char *meant(writer *w, char *text, uint8_t width, bool sign) {
  hd_i128 half = power(width - 1u), all = power(width);
  if (w->strict) {
    put_between(w->needs, sign ? -half : 0, text, (sign ? half : all) - 1);
    return text;
  }
  put_between(w->needs, -half, text, all - 1);
  hd_str s = {0};
  hd_str_printf(&s, sign ? "(ite (>= %s " : "(ite (< %s ", text);
  put_number(&s, sign ? half : 0);
  hd_str_printf(&s, sign ? ") (- %s " : ") (+ %s ", text);
  put_number(&s, all);
  hd_str_printf(&s, ") %s)", text);
  hd_free(text);
  return hd_str_take(&s);
}

static char *meaning(writer *w, hd_cexpr_id id, bool sign) {
  uint64_t bits;
  uint8_t width = width_of(w, id);
  assert(width > 1);
  if (constant(w, id, &bits))
    return number(sign ? (hd_i128)hd_word_signed(bits, width) : (hd_i128)bits);
  return meant(w, expr(w, id), width, sign);
}

/* --- truth --- */

static bool is_order(hd_code_op op) {
  return op >= HD_CODE_ULT && op <= HD_CODE_SGE;
}

static char *order(writer *w, const hd_cexpr *e) {
  hd_code_op op = (hd_code_op)e->op;
  bool sign = op >= HD_CODE_SLT;
  if (width_of(w, e->args[0]) == 1) {
    refuse(w, e);
    return hd_strdup("true");
  }
  char *a = meaning(w, e->args[0], sign), *b = meaning(w, e->args[1], sign);
  const char *text = op == HD_CODE_ULT || op == HD_CODE_SLT   ? "<"
                     : op == HD_CODE_ULE || op == HD_CODE_SLE ? "<="
                     : op == HD_CODE_UGT || op == HD_CODE_SGT ? ">"
                                                              : ">=";
  return two(text, a, b);
}

static void put_apart(hd_str *out, const char *a, const char *b, hd_i128 all) {
  hd_str_printf(out, "(< ");
  put_number(out, -all);
  hd_str_printf(out, " (- %s %s) ", a, b);
  put_number(out, all);
  hd_str_puts(out, ")");
}

/* Are these two the same, or not: true where they may be. Different numbers are
 * the same bits if they are 2^width apart. Both are freed. */
static char *may_equal(writer *w, char *a, char *b, uint8_t width, bool equal) {
  hd_str s = {0};
  if (!equal) {
    hd_str_printf(&s, "(distinct %s %s)", a, b);
  } else if (w->strict) {
    hd_str_puts(w->needs, " ");
    put_apart(w->needs, a, b, power(width));
    hd_str_printf(&s, "(= %s %s)", a, b);
  } else {
    hd_str_printf(&s, "(or (= %s %s) (not ", a, b);
    put_apart(&s, a, b, power(width));
    hd_str_puts(&s, "))");
  }
  hd_free(a);
  hd_free(b);
  return hd_str_take(&s);
}

/* Exactly. */
static char *same(writer *w, const hd_cexpr *e) {
  bool equal = e->op == HD_CODE_EQ;
  char *a = expr(w, e->args[0]), *b = expr(w, e->args[1]);
  uint8_t width = width_of(w, e->args[0]);
  if (width > 1) {
    hd_str_puts(w->needs, " ");
    put_apart(w->needs, a, b, power(width));
  }
  return two(equal ? "=" : "distinct", a, b);
}

static char *negated(char *text) {
  hd_str s = {0};
  hd_str_printf(&s, "(not %s)", text);
  hd_free(text);
  return hd_str_take(&s);
}

/* May the Boolean be `wanted`? */
static char *may(writer *w, hd_cexpr_id id, bool wanted) {
  const hd_cexpr *e = &w->p->code->exprs.data[id];
  uint64_t bits;
  assert(e->type.width == 1);
  if (constant(w, id, &bits))
    return hd_strdup((bits & 1) == wanted ? "true" : "false");
  switch ((hd_code_op)e->op) {
  case HD_CODE_EQ:
  case HD_CODE_NE:
    if (width_of(w, e->args[0]) == 1)
      break;
    {
      char *a = expr(w, e->args[0]);
      return may_equal(w, a, expr(w, e->args[1]), width_of(w, e->args[0]),
                       (e->op == HD_CODE_EQ) == wanted);
    }
  case HD_CODE_XOR:
    if (constant(w, e->args[1], &bits))
      return may(w, e->args[0], wanted != (bits & 1));
    break;
  case HD_CODE_AND:
  case HD_CODE_OR: {
    char *a = may(w, e->args[0], wanted);
    return two((e->op == HD_CODE_AND) == wanted ? "and" : "or", a,
               may(w, e->args[1], wanted));
  }
  case HD_CODE_SELECT: {
    char *then = may(w, e->args[0], true);
    then = two("and", then, may(w, e->args[1], wanted));
    char *other = may(w, e->args[0], false);
    other = two("and", other, may(w, e->args[2], wanted));
    return two("or", then, other);
  }
  default:
    break;
  }
  char *text = expr(w, id);
  return wanted ? text : negated(text);
}

/* --- expressions --- */

/* By a constant: shifts, divisions, masks. */
static char *scaled(writer *w, const hd_cexpr *e) {
  uint64_t c;
  uint8_t width = e->type.width;
  hd_code_op op = (hd_code_op)e->op;
  bool known = constant(w, e->args[1], &c);
  bool sign = op == HD_CODE_SDIV || op == HD_CODE_SREM || op == HD_CODE_ASHR;
  bool shifts = op == HD_CODE_SHL || op == HD_CODE_LSHR || op == HD_CODE_ASHR;
  bool masks = op == HD_CODE_AND;
  bool good = known && (shifts  ? c < width
                        : masks ? !(c & (c + 1)) && c < hd_word_mask(width) / 2
                                : c && c <= hd_word_mask(width) / 2);
  if (!good || width == 1) {
    refuse(w, e);
    return hd_strdup("0");
  }
  if (op == HD_CODE_SHL)
    return two("*", expr(w, e->args[0]), number(power((unsigned)c)));
  hd_i128 by = shifts  ? power((unsigned)c)
               : masks ? (hd_i128)c + 1
                       : (hd_i128)c;
  bool rest = masks || op == HD_CODE_SREM || op == HD_CODE_UREM;
  bool round = !(by & (by - 1));
  if (rest && !sign && round) /* the lower bits of any of them are the same */
    return two("mod", expr(w, e->args[0]), number(by));
  char *a = meaning(w, e->args[0], sign);
  if (sign) /* C rounds to 0: for what is not less the same */
    hd_str_printf(w->needs, " (>= %s 0)", a);
  return two(rest ? "mod" : "div", a, number(by));
}

static char *logic(writer *w, const hd_cexpr *e) {
  uint64_t c;
  uint8_t width = e->type.width;
  if (width == 1) {
    char *a = expr(w, e->args[0]);
    return two(e->op == HD_CODE_AND  ? "and"
               : e->op == HD_CODE_OR ? "or"
                                     : "xor",
               a, expr(w, e->args[1]));
  }
  bool known = constant(w, e->args[1], &c);
  if (e->op == HD_CODE_AND && known)
    return scaled(w, e);
  if (e->op == HD_CODE_XOR && known && c == hd_word_mask(width)) /* ~a */
    return two("-", number(-1), expr(w, e->args[0]));
  refuse(w, e);
  return hd_strdup("0");
}

static char *chosen(char *c, char *a, char *b) {
  hd_str s = {0};
  hd_str_printf(&s, "(ite %s %s %s)", c, a, b);
  hd_free(c);
  hd_free(a);
  hd_free(b);
  return hd_str_take(&s);
}

static char *cast(writer *w, const hd_cexpr *e) {
  uint8_t from = width_of(w, e->args[0]), width = e->type.width;
  if (from == width)
    return expr(w, e->args[0]);
  if (width == 1)
    return two("=", two("mod", expr(w, e->args[0]), number(2)), number(1));
  if (width < from)
    return expr(w, e->args[0]);
  bool sign = e->op == HD_CODE_SEXT;
  if (from == 1)
    return chosen(expr(w, e->args[0]), number(sign ? -1 : 1), number(0));
  return meaning(w, e->args[0], sign);
}

static char *extreme(writer *w, const hd_cexpr *e) {
  bool sign = e->op == HD_CODE_SMIN || e->op == HD_CODE_SMAX;
  bool least = e->op == HD_CODE_SMIN || e->op == HD_CODE_UMIN;
  char *a = meaning(w, e->args[0], sign), *b = meaning(w, e->args[1], sign);
  char *c = two(least ? "<=" : ">=", hd_strdup(a), hd_strdup(b));
  return chosen(c, a, b);
}

static char *sum(writer *w, const hd_cexpr *e) {
  uint64_t bits;
  if (e->op == HD_CODE_MUL && !constant(w, e->args[0], &bits) &&
      !constant(w, e->args[1], &bits)) {
    refuse(w, e);
    return hd_strdup("0");
  }
  char *a = expr(w, e->args[0]);
  return two(e->op == HD_CODE_ADD   ? "+"
             : e->op == HD_CODE_SUB ? "-"
                                    : "*",
             a, expr(w, e->args[1]));
}

/* A number that is right modulo 2^width, or a Boolean. */
static char *expr(writer *w, hd_cexpr_id id) {
  const hd_cexpr *e = &w->p->code->exprs.data[id];
  uint8_t width = e->type.width;
  uint64_t bits;
  if (constant(w, id, &bits))
    return width == 1 ? hd_strdup(bits & 1 ? "true" : "false")
                      : number(hd_word_signed(bits, width));
  bool real = e->type.kind == HD_TYPE_FLOAT;
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    real =
        real || w->p->code->exprs.data[e->args[i]].type.kind == HD_TYPE_FLOAT;
  if (real) {
    refuse(w, e);
    return hd_strdup(width == 1 ? "true" : "0");
  }
  switch ((hd_code_op)e->op) {
  case HD_CODE_REG:
    return variable(hd_weave_reg(w->p, w->e->frame, e->value));
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL:
    if (width == 1)
      break;
    return sum(w, e);
  case HD_CODE_UDIV:
  case HD_CODE_SDIV:
  case HD_CODE_UREM:
  case HD_CODE_SREM:
  case HD_CODE_SHL:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    if (width == 1)
      break;
    return scaled(w, e);
  case HD_CODE_AND:
  case HD_CODE_OR:
  case HD_CODE_XOR:
    return logic(w, e);
  case HD_CODE_EQ:
  case HD_CODE_NE:
    return same(w, e);
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_SEXT:
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    return cast(w, e);
  case HD_CODE_SELECT: {
    char *c = expr(w, e->args[0]), *a = expr(w, e->args[1]);
    return chosen(c, a, expr(w, e->args[2]));
  }
  case HD_CODE_SMIN:
  case HD_CODE_SMAX:
  case HD_CODE_UMIN:
  case HD_CODE_UMAX:
    if (width > 1)
      return extreme(w, e);
    break;
  default:
    if (is_order((hd_code_op)e->op))
      return order(w, e);
    break;
  }
  refuse(w, e);
  return hd_strdup(width == 1 ? "true" : "0");
}

/* --- clauses --- */

static const char *sort_of(const weave_program *p, uint32_t var) {
  return p->vars.data[var].width == 1 ? "Bool" : "Int";
}

static void put_tuple(const weave_program *p, hd_str *out, uint32_t tuple,
                      const uint64_t *set, char letter) {
  size_t n = p->vars.size;
  bool any = hd_bits_next(set, n, 0) < n;
  hd_str_printf(out, any ? "(p%u" : "p%u", tuple);
  for (size_t v = 0; (v = hd_bits_next(set, n, v)) < n; v++)
    hd_str_printf(out, " %c%zu", letter, v);
  hd_str_puts(out, any ? ")" : "");
}

static void put_relation(const weave_program *p, hd_str *out, uint32_t tuple,
                         const uint64_t *set) {
  hd_str_printf(out, "(declare-fun p%u (", tuple);
  for (size_t v = 0; (v = hd_bits_next(set, p->vars.size, v)) < p->vars.size;
       v++)
    hd_str_printf(out, "%s ", sort_of(p, (uint32_t)v));
  hd_str_puts(out, ") Bool)\n");
}

/* Values of their types. */
static void put_any(const weave_program *p, hd_str *out, uint32_t var,
                    const char *name, const weave_value *value) {
  uint8_t width = p->vars.data[var].width;
  if (width < 2)
    return;
  hd_i128 half = power(width - 1u);
  put_between(out, value ? value->least : -half, name,
              value ? value->most : half - 1);
}

static void put_first(const weave_program *p, hd_str *out,
                      const uint64_t *set) {
  hd_str_puts(out, "(assert (forall (");
  for (uint32_t v = 0; v < p->vars.size; v++)
    if (hd_bits_test(set, v))
      hd_str_printf(out, "(v%u %s)", v, sort_of(p, v));
  hd_str_puts(out, "(none Int)) (=> (and true");
  for (uint32_t v = 0; v < p->vars.size; v++) {
    if (!hd_bits_test(set, v))
      continue;
    char *name = variable(v);
    int64_t value;
    bool known = false;
    for (uint32_t c = 0; c < p->cells.size; c++)
      if (p->cells.data[c].var == v && hd_weave_initial(p, c, &value)) {
        hd_str_printf(out, " (= %s ", name);
        put_number(out, value);
        hd_str_puts(out, ")");
        known = true;
      }
    if (!known)
      put_any(p, out, v, name, NULL);
    hd_free(name);
  }
  hd_str_puts(out, ") ");
  put_tuple(p, out, 0, set, 'v');
  hd_str_puts(out, ")))\n");
}

typedef struct {
  weave_program *p;
  const weave_product *product;
  bool strict;
  bool query; /* only what fails, as one condition */
  uint64_t *from, *to;
  char *const *equations;
} maker;

/* What a value is, as a term; NULL: anything. */
static char *valued(writer *w, const weave_value *v, uint8_t width) {
  switch ((weave_value_kind)v->kind) {
  case WEAVE_ANY:
    return NULL;
  case WEAVE_COPY:
    return variable(v->var);
  case WEAVE_CONST:
    return width == 1 ? hd_strdup(v->bits & 1 ? "true" : "false")
                      : number(hd_word_signed(v->bits, width));
  case WEAVE_EXPR:
    return expr(w, v->expr);
  case WEAVE_MIXED:
    break;
  }
  if (v->rmw != HD_RMW_ADD && v->rmw != HD_RMW_SUB)
    hd_weave_refuse(w->p, w->e->edge, "atomic %s", hd_rmw_name((hd_rmw)v->rmw));
  char *old = variable(v->var);
  return two(v->rmw == HD_RMW_ADD ? "+" : "-", old, expr(w, v->expr));
}

/* May the guard hold, or not hold? */
static char *guarded(writer *w, const weave_guard *g, bool holds) {
  uint8_t width = width_of(w, g->expr);
  switch ((weave_guard_kind)g->kind) {
  case WEAVE_HOLDS:
    if (width == 1)
      return may(w, g->expr, holds);
    return may_equal(w, expr(w, g->expr), number(0), width, !holds);
  case WEAVE_IS:
    assert(holds);
    return may_equal(w, expr(w, g->expr), number(g->number), width, true);
  case WEAVE_OUTSIDE: {
    assert(holds);
    hd_str s = {0};
    char *at = meaning(w, g->expr, true);
    hd_str_puts(&s, "(not");
    put_between(&s, g->least, at, g->number);
    hd_str_puts(&s, ")");
    hd_free(at);
    return hd_str_take(&s);
  }
  case WEAVE_EQUALS:
  case WEAVE_DIFFERS:
    break;
  }
  assert(holds);
  return may_equal(w, variable(g->var), expr(w, g->expr), width,
                   g->kind == WEAVE_EQUALS);
}

static void begin(const maker *m, hd_str *out, const weave_move *move) {
  const weave_program *p = m->p;
  hd_str_puts(out, "(assert (forall (");
  for (uint32_t v = 0; v < p->vars.size; v++) {
    if (hd_bits_test(m->from, v) || hd_bits_test(m->to, v))
      hd_str_printf(out, "(v%u %s)", v, sort_of(p, v));
    if (hd_bits_test(m->to, v))
      hd_str_printf(out, "(w%u %s)", v, sort_of(p, v));
  }
  hd_str_puts(out, "(none Int)) (=> (and ");
  put_tuple(p, out, move->from, m->from, 'v');
  if (m->equations[move->from])
    hd_str_puts(out, m->equations[move->from]);
}

/* It fails where these conditions hold. */
static void fail_when(const maker *m, hd_str *out, const weave_move *move,
                      const char *first, const char *second) {
  if (m->query) {
    const char *known = m->equations[move->from];
    hd_str_printf(out, "(and true%s%s%s)\n", known ? known : "", first, second);
    return;
  }
  begin(m, out, move);
  hd_str_printf(out, "%s%s) false)))\n", first, second);
}

/* … or where not all that is needed does. */
static void fail_unless(const maker *m, hd_str *out, const weave_move *move,
                        const char *guard, const hd_str *needs) {
  if (!needs->size)
    return;
  hd_str none = {0};
  hd_str_printf(&none, " (not (and true%s))", hd_str_text(needs));
  fail_when(m, out, move, guard, hd_str_text(&none));
  hd_str_free(&none);
}

/* Variables behind the move, as w…; conditions go to `after`. */
static void put_values(const maker *m, writer *w, const weave_move *move,
                       hd_str *after) {
  const weave_program *p = m->p;
  for (uint32_t v = 0; v < p->vars.size; v++) {
    if (!hd_bits_test(m->to, v))
      continue;
    weave_value value;
    bool set = hd_weave_assigned(p, m->product, move, v, &value);
    char name[16];
    snprintf(name, sizeof name, "w%u", v);
    char *text = set ? valued(w, &value, p->vars.data[v].width)
                 : hd_bits_test(m->from, v) ? variable(v)
                                            : NULL;
    if (text)
      hd_str_printf(after, " (= %s %s)", name, text);
    else
      put_any(p, after, v, name, set ? &value : NULL);
    hd_free(text);
  }
}

/* Where numbers need not be the right ones, a guard may be either when they are
 * not. */
static void put_guards(writer *w, const weave_edge *e, bool holds,
                       hd_str *out) {
  hd_str needs = {0}, *all = w->needs;
  for (uint32_t i = 0; i < e->n_guards; i++) {
    if (!w->strict)
      w->needs = &needs;
    hd_vec_clear(&needs);
    char *text = guarded(w, &e->guards[i], holds);
    hd_str_printf(out, needs.size ? " (or %s (not (and true%s)))" : " %s", text,
                  hd_str_text(&needs));
    hd_free(text);
  }
  w->needs = all;
  hd_str_free(&needs);
}

/* What is asked for must be right, and then it may fail. */
static void put_failure(const maker *m, hd_str *out, const weave_move *move,
                        const weave_edge *e, bool holds) {
  hd_str needs = {0}, guard = {0};
  writer w = {.p = m->p, .strict = m->strict, .e = e, .needs = &needs};
  put_guards(&w, e, holds, &guard);
  fail_unless(m, out, move, "", &needs);
  fail_when(m, out, move, hd_str_text(&guard), "");
  hd_str_free(&needs);
  hd_str_free(&guard);
}

static void put_move(const maker *m, hd_str *out, const weave_move *move,
                     bool useful) {
  weave_program *p = m->p;
  const weave_edge *e = &p->threads[move->thread].edges.data[move->edge];
  if (e->kind == WEAVE_FAIL || e->kind == WEAVE_CHECK)
    put_failure(m, out, move, e, e->kind == WEAVE_FAIL);
  if (e->kind == WEAVE_FAIL || !useful)
    return;
  hd_str needs = {0}, guard = {0}, more = {0}, after = {0};
  writer w = {.p = p, .strict = m->strict, .e = e, .needs = &needs};
  put_guards(&w, e, true, &guard);
  fail_unless(m, out, move, "", &needs);
  w.needs = &more;
  put_values(m, &w, move, &after);
  fail_unless(m, out, move, hd_str_text(&guard), &more);
  if (!m->query) {
    begin(m, out, move);
    hd_str_puts(out, hd_str_text(&guard));
    hd_str_puts(out, hd_str_text(&after));
    hd_str_puts(out, ") ");
    put_tuple(p, out, move->to, m->to, 'w');
    hd_str_puts(out, ")))\n");
  }
  hd_str_free(&needs);
  hd_str_free(&guard);
  hd_str_free(&more);
  hd_str_free(&after);
}

static void put_moves(maker *m, hd_str *out) {
  weave_program *p = m->p;
  size_t words = hd_weave_words(p);
  const weave_product *product = m->product;
  for (size_t i = 0; i < product->moves.size && !p->failed; i++) {
    const weave_move *move = &product->moves.data[i];
    if (!product->useful[move->from])
      continue;
    hd_weave_live(p, &product->tuples.data[move->from], m->from);
    memset(m->to, 0, words * sizeof *m->to);
    bool useful = move->to != HD_NO_ID && product->useful[move->to];
    if (useful)
      hd_weave_live(p, &product->tuples.data[move->to], m->to);
    put_move(m, out, move, useful);
  }
}

static void put_relations(const maker *m, hd_str *out) {
  const weave_product *product = m->product;
  for (uint32_t i = 0; i < product->tuples.size; i++) {
    hd_weave_live(m->p, &product->tuples.data[i], m->from);
    if (product->useful[i])
      put_relation(m->p, out, i, m->from);
  }
  hd_weave_live(m->p, &product->tuples.data[0], m->from);
  if (product->useful[0])
    put_first(m->p, out, m->from);
}

bool hd_weave_clauses(weave_program *p, const weave_product *product,
                      bool strict, bool query, char *const *equations,
                      hd_str *out) {
  size_t words = hd_weave_words(p);
  maker m = {.p = p,
             .product = product,
             .strict = strict,
             .query = query,
             .from = hd_calloc(words, sizeof *m.from),
             .to = hd_calloc(words, sizeof *m.to),
             .equations = equations};
  if (query) {
    for (uint32_t v = 0; v < p->vars.size; v++)
      hd_str_printf(out, "(declare-const v%u %s)\n", v, sort_of(p, v));
    hd_str_puts(out, "(assert (or false\n");
  } else {
    put_relations(&m, out);
  }
  put_moves(&m, out);
  hd_str_puts(out, query ? "))\n" : "");
  hd_free(m.from);
  hd_free(m.to);
  return !p->failed;
}

/* SPDX-License-Identifier: MIT */
/* A clause for each move, with variables as integers of mathematics: a value is
 * what its bits mean with a sign, or (`plain`) without one. What would leave that
 * range is a failure, so as long as `false` does not follow all values are exact.
 * Divisors and shifts are constants. */
#include "engine/weave/weave_impl.h"

#include <string.h>

typedef struct {
  weave_program *p;
  bool plain;
  hd_edge_id edge;
  uint32_t frame;
  hd_str *needs; /* what must hold for the value to be exact */
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

static hd_i128 value_of(uint64_t bits, uint8_t width, bool plain) {
  return plain || width == 1 ? (hd_i128)(bits & hd_word_mask(width))
                             : (hd_i128)hd_word_signed(bits, width);
}

hd_i128 hd_weave_initial(const weave_program *p, uint32_t cell, bool plain) {
  const hd_global *g = &p->code->globals.data[p->cells.data[cell]];
  uint64_t bits = 0;
  if (g->bytes)
    memcpy(&bits, g->bytes, g->size);
  return value_of(bits, p->vars.data[cell].width, plain);
}

static void refuse(writer *w, const hd_cexpr *e) {
  hd_weave_refuse(w->p, w->edge, "the operation %s is not treated",
                  hd_code_op_name((hd_code_op)e->op));
}

/* The range of a width. */
static void put_range(writer *w, hd_str *out, const char *text, uint8_t width) {
  hd_i128 least = w->plain ? 0 : -power(width - 1u);
  hd_i128 most = (w->plain ? power(width) : power(width - 1u)) - 1;
  hd_str_puts(out, " (<= ");
  put_number(out, least);
  hd_str_printf(out, " %s ", text);
  put_number(out, most);
  hd_str_puts(out, ")");
}

static void need(writer *w, const char *text, uint8_t width) {
  put_range(w, w->needs, text, width);
}

static char *expr(writer *w, hd_cexpr_id id);

static char *take(hd_str *s) {
  return hd_str_take(s);
}

static bool constant(const writer *w, hd_cexpr_id id, uint64_t *bits) {
  const hd_cexpr *e = &w->p->code->exprs.data[id];
  *bits = e->value;
  return e->op == HD_CODE_INT;
}

/* With a sign, or without one. */
static char *seen_as(writer *w, char *text, uint8_t width, bool sign) {
  hd_str s = {0};
  if (width == 1 || sign != w->plain)
    return text;
  hd_str_printf(&s, sign ? "(ite (>= %s " : "(ite (< %s ", text);
  put_number(&s, sign ? power(width - 1u) : 0);
  hd_str_printf(&s, sign ? ") (- %s " : ") (+ %s ", text);
  put_number(&s, power(width));
  hd_str_printf(&s, ") %s)", text);
  hd_free(text);
  return take(&s);
}

static char *two(const char *op, char *a, char *b) {
  hd_str s = {0};
  hd_str_printf(&s, "(%s %s %s)", op, a, b);
  hd_free(a);
  hd_free(b);
  return take(&s);
}

static char *number(hd_i128 n) {
  hd_str s = {0};
  put_number(&s, n);
  return take(&s);
}

/* A Boolean as a number. */
static char *counted(writer *w, char *text, uint8_t width) {
  (void)w;
  if (width != 1)
    return text;
  hd_str s = {0};
  hd_str_printf(&s, "(ite %s 1 0)", text);
  hd_free(text);
  return take(&s);
}

static char *compare(writer *w, const hd_cexpr *e) {
  uint8_t width = w->p->code->exprs.data[e->args[0]].type.width;
  char *a = expr(w, e->args[0]), *b = expr(w, e->args[1]);
  bool equal = e->op == HD_CODE_EQ || e->op == HD_CODE_NE;
  bool sign = e->op >= HD_CODE_SLT && e->op <= HD_CODE_SGE;
  if (!equal && width == 1) {
    refuse(w, e);
  } else if (!equal) {
    a = seen_as(w, a, width, sign);
    b = seen_as(w, b, width, sign);
  }
  switch ((hd_code_op)e->op) {
  case HD_CODE_EQ:
    return two("=", a, b);
  case HD_CODE_NE:
    return two("distinct", a, b);
  case HD_CODE_ULT:
  case HD_CODE_SLT:
    return two("<", a, b);
  case HD_CODE_ULE:
  case HD_CODE_SLE:
    return two("<=", a, b);
  case HD_CODE_UGT:
  case HD_CODE_SGT:
    return two(">", a, b);
  default:
    return two(">=", a, b);
  }
}

static char *sum(writer *w, const hd_cexpr *e, char *a, char *b) {
  const char *op = e->op == HD_CODE_ADD   ? "+"
                   : e->op == HD_CODE_SUB ? "-"
                                          : "*";
  uint64_t bits;
  uint8_t width = e->type.width;
  if (e->op == HD_CODE_ADD && w->plain && constant(w, e->args[1], &bits) &&
      hd_word_signed(bits, width) < 0) { /* x - 1 */
    hd_free(b);
    b = number(-(hd_i128)hd_word_signed(bits, width));
    op = "-";
  }
  char *text = two(op, a, b);
  need(w, text, width);
  return text;
}

/* By a constant: shifts, divisions, masks. */
static char *scaled(writer *w, const hd_cexpr *e, char *a) {
  uint64_t c;
  uint8_t width = e->type.width;
  bool known = constant(w, e->args[1], &c);
  bool sign =
      e->op == HD_CODE_SDIV || e->op == HD_CODE_SREM || e->op == HD_CODE_ASHR;
  bool shifts =
      e->op == HD_CODE_SHL || e->op == HD_CODE_LSHR || e->op == HD_CODE_ASHR;
  bool masks = e->op == HD_CODE_AND;
  bool good = known && (shifts  ? c < width
                        : masks ? !(c & (c + 1)) && c < hd_word_mask(width) / 2
                                : c && c <= hd_word_mask(width) / 2);
  if (!good || width == 1) {
    refuse(w, e);
    return a;
  }
  if (e->op == HD_CODE_SHL) {
    char *text = two("*", a, number(power((unsigned)c)));
    need(w, text, width);
    return text;
  }
  a = seen_as(w, a, width, sign);
  if (sign) { /* C rounds to 0: for what is not less the same */
    hd_str_printf(w->needs, " (>= %s 0)", a);
  }
  char *by = number(shifts  ? power((unsigned)c)
                    : masks ? (hd_i128)c + 1
                            : (hd_i128)c);
  bool rest = masks || e->op == HD_CODE_SREM || e->op == HD_CODE_UREM;
  char *text = two(rest ? "mod" : "div", a, by);
  need(w, text, width);
  return text;
}

static char *logic(writer *w, const hd_cexpr *e) {
  uint64_t c;
  if (e->type.width == 1)
    return two(e->op == HD_CODE_AND  ? "and"
               : e->op == HD_CODE_OR ? "or"
                                     : "xor",
               expr(w, e->args[0]), expr(w, e->args[1]));
  if (e->op == HD_CODE_AND && constant(w, e->args[1], &c))
    return scaled(w, e, expr(w, e->args[0]));
  refuse(w, e);
  return hd_strdup("0");
}

static char *cast(writer *w, const hd_cexpr *e) {
  uint8_t from = w->p->code->exprs.data[e->args[0]].type.width;
  uint8_t width = e->type.width;
  char *a = expr(w, e->args[0]);
  if (from == width)
    return a;
  if (width < from) {
    if (width == 1)
      return two("=", two("mod", a, number(2)), number(1));
    need(w, a, width);
    return a;
  }
  if (e->op == HD_CODE_SEXT && from == 1) {
    hd_str s = {0};
    hd_str_printf(&s, "(ite %s ", a);
    put_number(&s, w->plain ? power(width) - 1 : -1);
    hd_str_puts(&s, " 0)");
    hd_free(a);
    return take(&s);
  }
  if (e->op == HD_CODE_SEXT && w->plain) {
    hd_str s = {0};
    hd_str_printf(&s, "(ite (>= %s ", a);
    put_number(&s, power(from - 1u));
    hd_str_printf(&s, ") (+ %s ", a);
    put_number(&s, power(width) - power(from));
    hd_str_printf(&s, ") %s)", a);
    hd_free(a);
    return take(&s);
  }
  a = counted(w, a, from);
  return from == 1 ? a : seen_as(w, a, from, e->op == HD_CODE_SEXT);
}

static char *choice(writer *w, const hd_cexpr *e) {
  char *c = expr(w, e->args[0]), *a = expr(w, e->args[1]),
       *b = expr(w, e->args[2]);
  hd_str s = {0};
  hd_str_printf(&s, "(ite %s %s %s)", c, a, b);
  hd_free(c);
  hd_free(a);
  hd_free(b);
  return take(&s);
}

static char *extreme(writer *w, const hd_cexpr *e) {
  bool sign = e->op == HD_CODE_SMIN || e->op == HD_CODE_SMAX;
  bool least = e->op == HD_CODE_SMIN || e->op == HD_CODE_UMIN;
  uint8_t width = e->type.width;
  char *a = expr(w, e->args[0]), *b = expr(w, e->args[1]);
  char *x = seen_as(w, hd_strdup(a), width, sign);
  char *y = seen_as(w, hd_strdup(b), width, sign);
  hd_str s = {0};
  hd_str_printf(&s, "(ite (%s %s %s) %s %s)", least ? "<=" : ">=", x, y, a, b);
  hd_free(a);
  hd_free(b);
  hd_free(x);
  hd_free(y);
  return take(&s);
}

static char *variable(uint32_t var) {
  hd_str s = {0};
  hd_str_printf(&s, "v%u", var);
  return take(&s);
}

static char *expr(writer *w, hd_cexpr_id id) {
  const hd_cexpr *e = &w->p->code->exprs.data[id];
  if (e->type.kind == HD_TYPE_FLOAT) {
    refuse(w, e);
    return hd_strdup("0");
  }
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    if (e->type.width == 1)
      return hd_strdup(e->value ? "true" : "false");
    return number(value_of(e->value, e->type.width, w->plain));
  case HD_CODE_NULL:
    return hd_strdup("0");
  case HD_CODE_REG:
    return variable(hd_weave_reg(w->p, w->frame, e->value));
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL:
    if (e->type.width == 1)
      break;
    {
      char *a = expr(w, e->args[0]);
      return sum(w, e, a, expr(w, e->args[1]));
    }
  case HD_CODE_UDIV:
  case HD_CODE_SDIV:
  case HD_CODE_UREM:
  case HD_CODE_SREM:
  case HD_CODE_SHL:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    return scaled(w, e, expr(w, e->args[0]));
  case HD_CODE_AND:
  case HD_CODE_OR:
  case HD_CODE_XOR:
    return logic(w, e);
  case HD_CODE_EQ:
  case HD_CODE_NE:
  case HD_CODE_ULT:
  case HD_CODE_ULE:
  case HD_CODE_UGT:
  case HD_CODE_UGE:
  case HD_CODE_SLT:
  case HD_CODE_SLE:
  case HD_CODE_SGT:
  case HD_CODE_SGE:
    return compare(w, e);
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_SEXT:
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    return cast(w, e);
  case HD_CODE_SELECT:
    return choice(w, e);
  case HD_CODE_SMIN:
  case HD_CODE_SMAX:
  case HD_CODE_UMIN:
  case HD_CODE_UMAX:
    if (e->type.width > 1)
      return extreme(w, e);
    break;
  default:
    break;
  }
  refuse(w, e);
  return hd_strdup("0");
}

/* --- clauses --- */

static const char *sort_of(const weave_program *p, uint32_t var) {
  return p->vars.data[var].width == 1 ? "Bool" : "Int";
}

static void put_tuple(const weave_program *p, hd_str *out, uint32_t tuple,
                      const uint64_t *set) {
  size_t n = p->vars.size;
  bool any = hd_bits_next(set, n, 0) < n;
  hd_str_printf(out, any ? "(p%u" : "p%u", tuple);
  for (size_t v = 0; (v = hd_bits_next(set, n, v)) < n; v++)
    hd_str_printf(out, " v%zu", v);
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

static void put_first(const weave_program *p, hd_str *out, const uint64_t *set,
                      bool plain) {
  hd_str_puts(out, "(assert (forall (");
  for (uint32_t v = 0; v < p->vars.size; v++)
    hd_str_printf(out, "(v%u %s)", v, sort_of(p, v));
  hd_str_puts(out, ") (=> (and true");
  for (uint32_t c = 0; c < p->cells.size; c++) {
    hd_str_printf(out, " (= v%u ", c);
    put_number(out, hd_weave_initial(p, c, plain));
    hd_str_puts(out, ")");
  }
  /* registers have values of their types */
  writer w = {.plain = plain};
  for (size_t v = p->cells.size; v < p->vars.size; v++)
    if (hd_bits_test(set, v) && p->vars.data[v].width > 1) {
      hd_str name = {0};
      hd_str_printf(&name, "v%zu", v);
      put_range(&w, out, hd_str_text(&name), p->vars.data[v].width);
      hd_str_free(&name);
    }
  hd_str_puts(out, ") ");
  put_tuple(p, out, 0, set);
  hd_str_puts(out, ")))\n");
}

typedef struct {
  weave_program *p;
  bool plain;
  uint64_t *from, *to;
  char *const *equations;
} maker;

/* What a value is, as a term; NULL: anything. */
static char *valued(writer *w, const weave_value *v, uint8_t width) {
  w->frame = v->frame;
  switch ((weave_value_kind)v->kind) {
  case WEAVE_ANY:
    return NULL;
  case WEAVE_COPY:
    return variable(v->var);
  case WEAVE_EXPR:
    return expr(w, v->expr);
  case WEAVE_MIXED:
    break;
  }
  char *old = variable(v->var), *by = expr(w, v->expr);
  if (v->rmw != HD_RMW_ADD && v->rmw != HD_RMW_SUB)
    hd_weave_refuse(w->p, w->edge, "atomic %s", hd_rmw_name((hd_rmw)v->rmw));
  char *text = two(v->rmw == HD_RMW_ADD ? "+" : "-", old, by);
  need(w, text, width);
  return text;
}

static void put_guard(writer *w, hd_str *out, const weave_edge *e,
                      bool negated) {
  if (!e->guarded)
    return;
  uint8_t width = w->p->code->exprs.data[e->guard.expr].type.width;
  w->frame = e->guard.frame;
  char *text = expr(w, e->guard.expr);
  hd_str_puts(out, negated ? " (not " : " ");
  if (width == 1)
    hd_str_puts(out, text);
  else
    hd_str_printf(out, "(distinct %s 0)", text);
  hd_str_puts(out, negated ? ")" : "");
  hd_free(text);
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
  if (!hd_bits_count(m->from, hd_weave_words(p)) &&
      !hd_bits_count(m->to, hd_weave_words(p)))
    hd_str_puts(out, "(v0 Int)");
  hd_str_puts(out, ") (=> (and ");
  put_tuple(p, out, move->from, m->from);
  if (m->equations[move->from])
    hd_str_puts(out, m->equations[move->from]);
}

static void fail_when(const maker *m, hd_str *out, const weave_move *move,
                      const hd_str *guard, const char *what) {
  begin(m, out, move);
  hd_str_puts(out, hd_str_text(guard));
  hd_str_printf(out, "%s) false)))\n", what);
}

static const weave_value *assigned(const weave_program *p, const weave_edge *e,
                                   uint32_t var) {
  for (uint32_t i = 0; i < e->n_assigns; i++)
    if (p->assigns.data[e->assigns + i].var == var)
      return &p->assigns.data[e->assigns + i].value;
  return NULL;
}

/* Variables behind the move, as w…; conditions go to `after`. */
static void put_values(const maker *m, writer *w, const weave_edge *e,
                       hd_str *after) {
  const weave_program *p = m->p;
  for (uint32_t v = 0; v < p->vars.size; v++) {
    if (!hd_bits_test(m->to, v))
      continue;
    const weave_value *value = assigned(p, e, v);
    uint8_t width = p->vars.data[v].width;
    hd_str name = {0};
    hd_str_printf(&name, "w%u", v);
    char *text = value                      ? valued(w, value, width)
                 : hd_bits_test(m->from, v) ? variable(v)
                                            : NULL;
    if (text)
      hd_str_printf(after, " (= %s %s)", hd_str_text(&name), text);
    else if (width > 1)
      put_range(w, after, hd_str_text(&name), width);
    hd_free(text);
    hd_str_free(&name);
  }
}

static void put_result(const weave_program *p, hd_str *out, uint32_t tuple,
                       const uint64_t *set) {
  bool any = hd_bits_count(set, hd_weave_words(p)) != 0;
  hd_str_printf(out, any ? "(p%u" : "p%u", tuple);
  for (size_t v = 0; (v = hd_bits_next(set, p->vars.size, v)) < p->vars.size;
       v++)
    hd_str_printf(out, " w%zu", v);
  hd_str_puts(out, any ? ")" : "");
}

static void put_move(const maker *m, hd_str *out, const weave_move *move) {
  weave_program *p = m->p;
  const weave_edge *e = &p->threads[move->thread].edges.data[move->edge];
  hd_str needs = {0}, guard = {0}, after = {0}, exact = {0};
  writer w = {.p = p, .plain = m->plain, .edge = e->edge, .needs = &needs};
  if (e->kind == WEAVE_FAIL) {
    fail_when(m, out, move, &guard, "");
    return;
  }
  if (e->kind == WEAVE_CHECK) {
    hd_str bad = {0};
    put_guard(&w, &bad, e, true);
    fail_when(m, out, move, &guard, hd_str_text(&bad));
    hd_str_free(&bad);
  }
  /* a guard that is not exact must not be asked */
  put_guard(&w, &guard, e, false);
  if (needs.size) {
    hd_str none = {0};
    hd_str_printf(&exact, " (not (and true%s))", hd_str_text(&needs));
    fail_when(m, out, move, &none, hd_str_text(&exact));
    hd_vec_clear(&exact);
    hd_vec_clear(&needs);
    hd_str_free(&none);
  }
  put_values(m, &w, e, &after);
  if (needs.size) {
    hd_str_printf(&exact, " (not (and true%s))", hd_str_text(&needs));
    fail_when(m, out, move, &guard, hd_str_text(&exact));
  }
  begin(m, out, move);
  hd_str_puts(out, hd_str_text(&guard));
  hd_str_puts(out, needs.size ? hd_str_text(&needs) : "");
  hd_str_puts(out, hd_str_text(&after));
  hd_str_puts(out, ") ");
  put_result(p, out, move->to, m->to);
  hd_str_puts(out, ")))\n");
  hd_str_free(&needs);
  hd_str_free(&guard);
  hd_str_free(&after);
  hd_str_free(&exact);
}

bool hd_weave_clauses(weave_program *p, const weave_product *product,
                      bool plain, char *const *equations, hd_str *out) {
  size_t words = hd_weave_words(p);
  maker m = {.p = p,
             .plain = plain,
             .from = hd_calloc(words + 1, sizeof *m.from),
             .to = hd_calloc(words + 1, sizeof *m.to),
             .equations = equations};
  for (uint32_t i = 0; i < product->tuples.size; i++) {
    hd_weave_live(p, &product->tuples.data[i], m.from);
    put_relation(p, out, i, m.from);
  }
  hd_weave_live(p, &product->tuples.data[0], m.from);
  put_first(p, out, m.from, plain);
  for (size_t i = 0; i < product->moves.size && !p->failed; i++) {
    const weave_move *move = &product->moves.data[i];
    hd_weave_live(p, &product->tuples.data[move->from], m.from);
    memset(m.to, 0, words * sizeof *m.to);
    if (move->to != HD_NO_ID)
      hd_weave_live(p, &product->tuples.data[move->to], m.to);
    put_move(&m, out, move);
  }
  hd_free(m.from);
  hd_free(m.to);
  return !p->failed;
}

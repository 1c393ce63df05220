/* SPDX-License-Identifier: MIT */
#include "engine/lise/translate.h"
#include "engine/lise/term_impl.h"

static hd_logic_sort sort_of(hd_term_sort sort) {
  switch (sort) {
  case HD_OF_BOOL:
    return HD_LOGIC_BOOL;
  case HD_OF_REAL:
    return HD_LOGIC_REAL;
  case HD_OF_INTS:
    return HD_LOGIC_INTS;
  case HD_OF_REALS:
    return HD_LOGIC_REALS;
  default: /* pointers occur below uninterpreted functions only */
    return HD_LOGIC_INT;
  }
}

static hd_logic_expr apply(hd_translator *p, hd_logic_op op, hd_logic_expr a,
                           hd_logic_expr b) {
  return hd_logic_apply(p->logic, op, (hd_logic_expr[]){a, b}, 2);
}

static hd_logic_expr negate(hd_translator *p, hd_logic_expr a,
                            hd_logic_sort sort) {
  return apply(p, HD_LOGIC_MUL, hd_logic_number(p->logic, sort, "-1"), a);
}

static hd_logic_expr arg(hd_translator *p, hd_term t, uint32_t i) {
  return hd_translator_express(p, hd_term_args(p->terms, t)[i]);
}

static hd_logic_expr number(hd_translator *p, hd_term t) {
  hd_str text = {0};
  hd_term_print(&text, p->terms, t);
  hd_logic_expr e = hd_logic_number(
      p->logic, sort_of(hd_term_sort_of(p->terms, t)), hd_str_text(&text));
  hd_str_free(&text);
  return e;
}

static hd_logic_expr symbol(hd_translator *p, hd_term t) {
  hd_str text = {0};
  hd_term_print(&text, p->terms, t);
  hd_term_sort sort = hd_term_sort_of(p->terms, t);
  hd_str_printf(&text, "!%d", (int)sort);
  hd_logic_expr e = hd_logic_const(p->logic, hd_str_text(&text), sort_of(sort));
  hd_str_free(&text);
  return e;
}

static hd_logic_expr unique(hd_translator *p, hd_term t) {
  hd_str text = {0};
  hd_str_printf(&text, "pointer!%u", t);
  hd_logic_expr e = hd_logic_const(p->logic, hd_str_text(&text), HD_LOGIC_INT);
  hd_str_free(&text);
  return e;
}

static hd_logic_expr sum(hd_translator *p, hd_term t) {
  hd_vec(hd_logic_expr) parts = {0};
  hd_logic_expr c = arg(p, t, 0);
  hd_vec_push(&parts, c);
  for (uint32_t i = 1; i < hd_term_node_of(p->terms, t)->n; i += 2) {
    hd_logic_expr f = arg(p, t, i), m = arg(p, t, i + 1);
    m = apply(p, HD_LOGIC_MUL, f, m);
    hd_vec_push(&parts, m);
  }
  hd_logic_expr e =
      hd_logic_apply(p->logic, HD_LOGIC_ADD, parts.data, parts.size);
  hd_vec_free(&parts);
  return e;
}

static hd_logic_expr call(hd_translator *p, hd_term t) {
  hd_vec(hd_logic_expr) args = {0};
  hd_vec(hd_logic_sort) sorts = {0};
  hd_str name = {0};
  hd_str_printf(&name, "%s", hd_term_fn_name(p->terms, t));
  for (uint32_t i = 1; i < hd_term_node_of(p->terms, t)->n; i++) {
    hd_term a = hd_term_args(p->terms, t)[i];
    hd_logic_sort s = sort_of(hd_term_sort_of(p->terms, a));
    hd_vec_push(&sorts, s);
    hd_logic_expr e = hd_translator_express(p, a);
    hd_vec_push(&args, e);
    hd_str_printf(&name, "!%d", (int)s);
  }
  hd_logic_expr e = hd_logic_call(p->logic, hd_str_text(&name),
                                  sort_of(hd_term_sort_of(p->terms, t)),
                                  args.data, sorts.data, args.size);
  hd_vec_free(&args);
  hd_vec_free(&sorts);
  hd_str_free(&name);
  return e;
}

/* C's division from the one whose remainder is not negative. */
static hd_logic_expr truncated(hd_translator *p, hd_term t) {
  hd_logic_expr a = arg(p, t, 0), b = arg(p, t, 1);
  hd_logic_expr zero = hd_logic_number(p->logic, HD_LOGIC_INT, "0");
  hd_logic_expr parts[] = {
      apply(p, HD_LOGIC_LE, zero, a), apply(p, HD_LOGIC_IDIV, a, b),
      negate(p, apply(p, HD_LOGIC_IDIV, negate(p, a, HD_LOGIC_INT), b),
             HD_LOGIC_INT)};
  hd_logic_expr q = hd_logic_apply(p->logic, HD_LOGIC_ITE, parts, 3);
  if (hd_term_op_of(p->terms, t) == HD_TERM_TDIV)
    return q;
  return apply(p, HD_LOGIC_ADD, a,
               negate(p, apply(p, HD_LOGIC_MUL, b, q), HD_LOGIC_INT));
}

static hd_logic_expr to_int(hd_translator *p, hd_term t) {
  hd_logic_expr a = arg(p, t, 0);
  hd_logic_expr minus = negate(p, a, HD_LOGIC_REAL);
  hd_logic_expr zero = hd_logic_number(p->logic, HD_LOGIC_REAL, "0");
  hd_logic_expr parts[] = {
      apply(p, HD_LOGIC_LE, zero, a),
      hd_logic_apply(p->logic, HD_LOGIC_FLOOR, &a, 1),
      negate(p, hd_logic_apply(p->logic, HD_LOGIC_FLOOR, &minus, 1),
             HD_LOGIC_INT)};
  return hd_logic_apply(p->logic, HD_LOGIC_ITE, parts, 3);
}

static hd_logic_expr plain(hd_translator *p, hd_term t, hd_logic_op op) {
  hd_vec(hd_logic_expr) args = {0};
  for (uint32_t i = 0; i < hd_term_node_of(p->terms, t)->n; i++) {
    hd_logic_expr e = arg(p, t, i);
    hd_vec_push(&args, e);
  }
  hd_logic_expr e = hd_logic_apply(p->logic, op, args.data, args.size);
  hd_vec_free(&args);
  return e;
}

static hd_logic_expr translate(hd_translator *p, hd_term t) {
  hd_terms *terms = p->terms;
  const uint32_t *args = hd_term_args(terms, t);
  hd_logic_expr e;
  switch (hd_term_op_of(terms, t)) {
  case HD_TERM_CONST:
    return hd_term_sort_of(terms, t) == HD_OF_BOOL
               ? hd_logic_bool(p->logic, hd_term_is_true(terms, t))
               : number(p, t);
  case HD_TERM_SYM:
    return symbol(p, t);
  case HD_TERM_UNDEF:
  case HD_TERM_PTR:
    return unique(p, t); /* below "same" only: some number */
  case HD_TERM_SUM:
    return sum(p, t);
  case HD_TERM_PROD:
  case HD_TERM_RAW_MUL:
    return plain(p, t, HD_LOGIC_MUL);
  case HD_TERM_RAW_ADD:
    return plain(p, t, HD_LOGIC_ADD);
  case HD_TERM_INV:
    e = hd_logic_number(p->logic, HD_LOGIC_REAL, "1");
    return apply(p, HD_LOGIC_RDIV, e, hd_translator_express(p, args[0]));
  case HD_TERM_TDIV:
  case HD_TERM_TREM:
    return truncated(p, t);
  case HD_TERM_EMOD:
    return plain(p, t, HD_LOGIC_MOD);
  case HD_TERM_TOREAL:
    return plain(p, t, HD_LOGIC_TOREAL);
  case HD_TERM_TOINT:
    return to_int(p, t);
  case HD_TERM_ITE:
    return plain(p, t, HD_LOGIC_ITE);
  case HD_TERM_FN:
    return call(p, t);
  case HD_TERM_SELECT:
    return plain(p, t, HD_LOGIC_SELECT);
  case HD_TERM_STORE:
    return plain(p, t, HD_LOGIC_STORE);
  case HD_TERM_FILL:
    return hd_logic_fill(p->logic, hd_translator_express(p, args[0]));
  case HD_TERM_EQ0:
  case HD_TERM_LE0:
  case HD_TERM_LT0: {
    hd_logic_op op = hd_term_op_of(terms, t) == HD_TERM_EQ0   ? HD_LOGIC_EQ
                     : hd_term_op_of(terms, t) == HD_TERM_LE0 ? HD_LOGIC_LE
                                                              : HD_LOGIC_LT;
    hd_logic_sort sort = sort_of(hd_term_sort_of(terms, args[0]));
    e = hd_translator_express(p, args[0]);
    return apply(p, op, e, hd_logic_number(p->logic, sort, "0"));
  }
  case HD_TERM_SAME:
    return plain(p, t, HD_LOGIC_EQ);
  case HD_TERM_NOT:
    return plain(p, t, HD_LOGIC_NOT);
  case HD_TERM_AND:
    return plain(p, t, HD_LOGIC_AND);
  case HD_TERM_OR:
    return plain(p, t, HD_LOGIC_OR);
  case HD_TERM_FORALL:
  case HD_TERM_EXISTS: {
    hd_term bound = args[0], body = args[1];
    e = hd_translator_express(p, body);
    return hd_logic_quantify(p->logic,
                             hd_term_op_of(terms, t) == HD_TERM_FORALL,
                             hd_translator_express(p, bound), e);
  }
  }
  hd_bug("a term of kind %d cannot be asked about",
         (int)hd_term_op_of(terms, t));
}

hd_logic_expr hd_translator_express(hd_translator *p, hd_term t) {
  while (p->exprs.size <= t)
    hd_vec_push(&p->exprs, 0);
  if (!p->exprs.data[t]) {
    hd_logic_expr e = translate(p, t);
    p->exprs.data[t] = e + 1;
  }
  return p->exprs.data[t] - 1;
}

/* SPDX-License-Identifier: MIT */
/* Substitution, symbols and printing. */
#include "engine/lise/term_impl.h"

#include <inttypes.h>

/* --- visiting --- */

void hd_term_visit_begin(hd_terms *terms) {
  terms->visit++;
}

void hd_term_visit(hd_terms *terms, hd_term term, hd_term_list *list) {
  const hd_term_node *node = node_of(terms, term);
  if (!node->marks)
    return;
  while (terms->seen.size < terms->nodes.size)
    hd_vec_push(&terms->seen, 0);
  if (terms->seen.data[term] == terms->visit)
    return;
  terms->seen.data[term] = terms->visit;
  if (node->op == HD_TERM_SYM) {
    hd_vec_push(list, term);
    return;
  }
  uint32_t from = node->op == HD_TERM_PTR || node->op == HD_TERM_FN ? 1 : 0;
  for (uint32_t i = from; i < node_of(terms, term)->n; i++)
    hd_term_visit(terms, args_of(terms, term)[i], list);
}

/* --- substitution --- */

void hd_term_subst_begin(hd_terms *terms, const hd_term_pair *map, size_t n) {
  terms->stamp++;
  while (terms->stamps.size < terms->nodes.size) {
    hd_vec_push(&terms->stamps, 0);
    hd_vec_push(&terms->results, 0);
  }
  for (size_t i = 0; i < n; i++) {
    terms->stamps.data[map[i].from] = terms->stamp;
    terms->results.data[map[i].from] = map[i].to;
  }
}

void hd_term_subst_end(hd_terms *terms) {
  terms->stamp++;
}

static hd_term rebuild(hd_terms *terms, hd_term term);

hd_term hd_term_subst_next(hd_terms *terms, hd_term term) {
  if (!node_of(terms, term)->marks)
    return term;
  if (term < terms->stamps.size && terms->stamps.data[term] == terms->stamp)
    return terms->results.data[term];
  hd_term made = rebuild(terms, term);
  while (terms->stamps.size <= term) {
    hd_vec_push(&terms->stamps, 0);
    hd_vec_push(&terms->results, 0);
  }
  terms->stamps.data[term] = terms->stamp;
  terms->results.data[term] = made;
  return made;
}

static hd_term arg(hd_terms *terms, hd_term term, uint32_t i) {
  return hd_term_subst_next(terms, args_of(terms, term)[i]);
}

static hd_term rebuild_sum(hd_terms *terms, hd_term term) {
  hd_term t = args_of(terms, term)[0];
  for (uint32_t i = 1; i < node_of(terms, term)->n; i += 2) {
    hd_term c = args_of(terms, term)[i];
    t = hd_term_add(terms, t, hd_term_mul(terms, c, arg(terms, term, i + 1)));
  }
  return t;
}

static hd_term rebuild_fn(hd_terms *terms, hd_term term) {
  uint32_t n = node_of(terms, term)->n;
  hd_u32s args = {0};
  for (uint32_t i = 1; i < n; i++) {
    hd_term a = arg(terms, term, i);
    hd_vec_push(&args, a);
  }
  hd_term t = hd_term_fn(terms, hd_term_fn_name(terms, term),
                         hd_term_sort_of(terms, term), args.data, args.size);
  hd_vec_free(&args);
  return t;
}

static hd_term rebuild_many(hd_terms *terms, hd_term term,
                            hd_term (*join)(hd_terms *, hd_term, hd_term)) {
  hd_term t = arg(terms, term, 0);
  for (uint32_t i = 1; i < node_of(terms, term)->n; i++)
    t = join(terms, t, arg(terms, term, i));
  return t;
}

static hd_term rebuild(hd_terms *terms, hd_term term) {
  hd_term a, b;
  switch (hd_term_op_of(terms, term)) {
  case HD_TERM_CONST:
  case HD_TERM_SYM:
  case HD_TERM_UNDEF:
    return term;
  case HD_TERM_PTR:
    a = arg(terms, term, 1);
    return hd_term_ptr(terms, args_of(terms, term)[0], a);
  case HD_TERM_SUM:
    return rebuild_sum(terms, term);
  case HD_TERM_PROD:
  case HD_TERM_RAW_MUL:
    return rebuild_many(terms, term, hd_term_mul);
  case HD_TERM_RAW_ADD:
    return rebuild_many(terms, term, hd_term_add);
  case HD_TERM_INV:
    a = arg(terms, term, 0);
    if (hd_term_is_const(terms, a) && !hd_term_ratio_of(terms, a).num)
      return hd_term_fn(terms, "1/0", HD_OF_REAL, NULL, 0);
    return hd_term_rdiv(terms, terms->one, a);
  case HD_TERM_TDIV:
    a = arg(terms, term, 0), b = arg(terms, term, 1);
    return hd_term_tdiv(terms, a, b);
  case HD_TERM_TREM:
    a = arg(terms, term, 0), b = arg(terms, term, 1);
    return hd_term_trem(terms, a, b);
  case HD_TERM_EMOD:
    a = arg(terms, term, 0), b = arg(terms, term, 1);
    return hd_term_emod(terms, a, b);
  case HD_TERM_TOREAL:
    return hd_term_toreal(terms, arg(terms, term, 0));
  case HD_TERM_TOINT:
    return hd_term_toint(terms, arg(terms, term, 0));
  case HD_TERM_ITE: {
    hd_term c = arg(terms, term, 0);
    a = arg(terms, term, 1), b = arg(terms, term, 2);
    return hd_term_ite(terms, c, a, b);
  }
  case HD_TERM_FN:
    return rebuild_fn(terms, term);
  case HD_TERM_SELECT:
    a = arg(terms, term, 0), b = arg(terms, term, 1);
    return hd_term_select(terms, a, b);
  case HD_TERM_STORE: {
    hd_term v = arg(terms, term, 2);
    a = arg(terms, term, 0), b = arg(terms, term, 1);
    return hd_term_store(terms, a, b, v);
  }
  case HD_TERM_FILL:
    return hd_term_fill(terms, hd_term_sort_of(terms, term),
                        arg(terms, term, 0));
  case HD_TERM_EQ0:
    return hd_term_eq0(terms, arg(terms, term, 0));
  case HD_TERM_LE0:
    return hd_term_le0(terms, arg(terms, term, 0));
  case HD_TERM_LT0:
    return hd_term_lt0(terms, arg(terms, term, 0));
  case HD_TERM_SAME:
    a = arg(terms, term, 0), b = arg(terms, term, 1);
    return hd_term_eq(terms, a, b);
  case HD_TERM_NOT:
    return hd_term_not(terms, arg(terms, term, 0));
  case HD_TERM_AND:
    return rebuild_many(terms, term, hd_term_and);
  case HD_TERM_OR:
    return rebuild_many(terms, term, hd_term_or);
  case HD_TERM_FORALL:
    b = arg(terms, term, 1);
    return hd_term_forall(terms, args_of(terms, term)[0], b);
  case HD_TERM_EXISTS:
    b = arg(terms, term, 1);
    return hd_term_exists(terms, args_of(terms, term)[0], b);
  }
  hd_bug("substitution in a term of kind %d", (int)hd_term_op_of(terms, term));
}

hd_term hd_term_subst(hd_terms *terms, hd_term term, const hd_term_pair *map,
                      size_t n) {
  hd_term_subst_begin(terms, map, n);
  hd_term t = hd_term_subst_next(terms, term);
  hd_term_subst_end(terms);
  return t;
}

/* --- printing --- */

static void print_number(hd_str *out, hd_ratio r) {
  char text[2][48];
  hd_i128 parts[2] = {r.num < 0 ? -r.num : r.num, r.den};
  for (int k = 0; k < 2; k++) {
    size_t n = sizeof text[k];
    text[k][--n] = 0;
    do
      text[k][--n] = (char)('0' + (int)(parts[k] % 10));
    while (parts[k] /= 10);
    for (size_t i = 0; (text[k][i] = text[k][n]); i++)
      n++;
  }
  hd_str_printf(out, "%s%s", r.num < 0 ? "-" : "", text[0]);
  if (r.den != 1)
    hd_str_printf(out, "/%s", text[1]);
}

static void print_sum(hd_str *out, const hd_terms *terms, hd_term term) {
  const uint32_t *args = args_of(terms, term);
  for (uint32_t i = 1; i < node_of(terms, term)->n; i += 2) {
    hd_ratio c = hd_term_ratio_of(terms, args[i]);
    if (i > 1)
      hd_str_puts(out, c.num < 0 ? " - " : " + ");
    else if (c.num < 0)
      hd_str_puts(out, "-");
    if (c.num < 0)
      c.num = -c.num;
    if (c.num != 1 || c.den != 1) {
      print_number(out, c);
      hd_str_puts(out, "*");
    }
    hd_term_print(out, terms, args[i + 1]);
  }
  hd_ratio c = hd_term_ratio_of(terms, args[0]);
  if (c.num) {
    hd_str_puts(out, c.num < 0 ? " - " : " + ");
    if (c.num < 0)
      c.num = -c.num;
    print_number(out, c);
  }
}

static void print_list(hd_str *out, const hd_terms *terms, hd_term term,
                       uint32_t from, const char *before, const char *between,
                       const char *after) {
  hd_str_puts(out, before);
  for (uint32_t i = from; i < node_of(terms, term)->n; i++) {
    if (i > from)
      hd_str_puts(out, between);
    hd_term_print(out, terms, args_of(terms, term)[i]);
  }
  hd_str_puts(out, after);
}

/* "i - 5 <= 0" reads better as "i <= 5". */
static void print_compare(hd_str *out, const hd_terms *terms, hd_term a,
                          const char *op) {
  if (node_of(terms, a)->op != HD_TERM_SUM) {
    hd_term_print(out, terms, a);
    hd_str_printf(out, " %s 0", op);
    return;
  }
  hd_monos m = {0};
  hd_poly_open(terms, a, &m);
  for (int side = 0; side < 2; side++) {
    bool any = false;
    for (size_t k = 1; k <= m.size; k++) {
      hd_mono x = m.data[k % m.size]; /* the constant last */
      if (!x.coef.num || (x.coef.num > 0) != (side == 0))
        continue;
      if (any)
        hd_str_puts(out, " + ");
      any = true;
      if (x.coef.num < 0)
        x.coef.num = -x.coef.num;
      if (!x.prod || x.coef.num != 1 || x.coef.den != 1) {
        print_number(out, x.coef);
        if (x.prod)
          hd_str_puts(out, "*");
      }
      if (x.prod)
        hd_term_print(out, terms, x.prod);
    }
    if (!any)
      hd_str_puts(out, "0");
    if (side == 0)
      hd_str_printf(out, " %s ", op);
  }
  hd_vec_free(&m);
}

static void print_atom(hd_str *out, const hd_terms *terms, hd_term term) {
  const uint32_t *args = args_of(terms, term);
  switch (hd_term_op_of(terms, term)) {
  case HD_TERM_SYM:
    hd_str_printf(out, "%c%" PRIu32, "XYk"[args[0]], args[1]);
    return;
  case HD_TERM_PTR:
    if (!args[0]) {
      hd_str_puts(out, "null");
      return;
    }
    hd_str_printf(out, "&%" PRIu32 "+", args[0]);
    hd_term_print(out, terms, args[1]);
    return;
  case HD_TERM_FN:
    hd_str_puts(out, hd_term_fn_name(terms, term));
    print_list(out, terms, term, 1, "(", ", ", ")");
    return;
  case HD_TERM_NOT:
    if (hd_term_op_of(terms, args[0]) == HD_TERM_EQ0) {
      print_compare(out, terms, args_of(terms, args[0])[0], "!=");
      return;
    }
    print_list(out, terms, term, 0, "!(", "", ")");
    return;
  case HD_TERM_FORALL:
  case HD_TERM_EXISTS:
    hd_str_puts(out, hd_term_op_of(terms, term) == HD_TERM_FORALL ? "(forall "
                                                                  : "(exists ");
    print_list(out, terms, term, 0, "", ". ", ")");
    return;
  default:
    hd_str_puts(out, "?");
  }
}

void hd_term_print(hd_str *out, const hd_terms *terms, hd_term term) {
  static const struct {
    const char *before, *between, *after;
  } forms[] = {
      [HD_TERM_PROD] = {"", "*", ""},
      [HD_TERM_INV] = {"1/(", "", ")"},
      [HD_TERM_TDIV] = {"((", ") / (", "))"},
      [HD_TERM_TREM] = {"((", ") % (", "))"},
      [HD_TERM_EMOD] = {"mod(", ", ", ")"},
      [HD_TERM_TOREAL] = {"", "", ""},
      [HD_TERM_TOINT] = {"(int)(", "", ")"},
      [HD_TERM_ITE] = {"(if ", ", ", ")"},
      [HD_TERM_SELECT] = {"", "[", "]"},
      [HD_TERM_STORE] = {"(", " with ", ")"},
      [HD_TERM_FILL] = {"all(", "", ")"},
      [HD_TERM_SAME] = {"", " == ", ""},
      [HD_TERM_AND] = {"(", " && ", ")"},
      [HD_TERM_OR] = {"(", " || ", ")"},
      [HD_TERM_RAW_ADD] = {"(", " + ", ")"},
      [HD_TERM_RAW_MUL] = {"(", ") * (", ")"},
  };
  const uint32_t *args = args_of(terms, term);
  hd_term_op op = hd_term_op_of(terms, term);
  if (op == HD_TERM_CONST && hd_term_sort_of(terms, term) == HD_OF_BOOL)
    hd_str_puts(out, hd_term_is_true(terms, term) ? "true" : "false");
  else if (op == HD_TERM_CONST)
    print_number(out, hd_term_ratio_of(terms, term));
  else if (op == HD_TERM_UNDEF)
    hd_str_puts(out, "(never set)");
  else if (op == HD_TERM_SUM)
    print_sum(out, terms, term);
  else if (op == HD_TERM_EQ0)
    print_compare(out, terms, args[0], "==");
  else if (op == HD_TERM_LE0)
    print_compare(out, terms, args[0], "<=");
  else if (op == HD_TERM_LT0)
    print_compare(out, terms, args[0], "<");
  else if (forms[op].between)
    print_list(out, terms, term, 0, forms[op].before, forms[op].between,
               forms[op].after);
  else
    print_atom(out, terms, term);
}

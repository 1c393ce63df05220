/* SPDX-License-Identifier: MIT */
#include "report/missing.h"

#include "model/library.h"
#include "report/code_rows.h"

#include <string.h>

/* NULL: it is defined or known. What models call to say that they leave something
 * out is nobody's to define. */
static const char *trouble(const hd_func *f) {
  if (f->defined || !strncmp(f->name, "__heddle_", 9))
    return NULL;
  switch (hd_library_kind_of(hd_library_find(f->name))) {
  case HD_LIBRARY_NONE:
    return strncmp(f->name, "llvm.", 5) ? "not known" : NULL;
  case HD_LIBRARY_REFUSED:
    return "not supported";
  default:
    return NULL;
  }
}

static const hd_cexpr *callee_of(const hd_code *code, const hd_cedge *edge) {
  return edge->act == HD_CODE_CALL
             ? &code->exprs.data[hd_code_operand(code, edge, 0)]
             : NULL;
}

/* Who calls it, at most three of them; how many there are. */
static size_t print_callers(hd_str *out, const hd_code *code, hd_func_id func) {
  size_t n = 0;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    const hd_cexpr *callee = callee_of(code, e);
    if (!callee || callee->op != HD_CODE_FUNC || callee->value != func ||
        n++ >= 3)
      continue;
    hd_str_puts(out, n > 1 ? ", " : "");
    hd_code_where(out, code, e->pos);
    hd_str_printf(out, " in %s",
                  hd_code_func_name(code, code->locs.data[e->from].func));
  }
  if (n > 3)
    hd_str_printf(out, ", and %zu more", n - 3);
  return n;
}

/* The library's streams are known, and defined nowhere. */
static bool is_stream(const char *name) {
  return !strcmp(name, "stdin") || !strcmp(name, "stdout") ||
         !strcmp(name, "stderr");
}

void hd_report_missing(hd_str *out, const hd_code *code) {
  size_t n = 0;
  for (hd_func_id i = 0; i < code->funcs.size; i++) {
    const char *why = trouble(&code->funcs.data[i]);
    if (!why)
      continue;
    if (!n++)
      hd_str_printf(out, "  %-24s %-14s %s\n", "function", "", "called at");
    hd_str_printf(out, "  %-24s %-14s ", hd_code_func_name(code, i), why);
    if (!print_callers(out, code, i))
      hd_str_puts(out, "nowhere: its address is used");
    hd_str_puts(out, "\n");
  }
  for (hd_vec_each(const hd_global, g, &code->globals))
    if (g->external && g->cname && !is_stream(g->cname)) {
      hd_str_printf(out, "  %-24s %-14s declared at ", g->cname, "not defined");
      hd_code_where(out, code, g->pos);
      hd_str_puts(out, "\n");
      n++;
    }
  hd_str_printf(out, n ? "missing: %zu\n" : "missing: nothing\n", n);
}

/* --- stubs --- */

static const char *type_name(hd_type type) {
  if (type.kind == HD_TYPE_PTR)
    return "void *";
  if (type.kind == HD_TYPE_FLOAT)
    return type.width == 32 ? "float " : "double ";
  return type.width == 1    ? "_Bool "
         : type.width <= 8  ? "char "
         : type.width <= 16 ? "short "
         : type.width <= 32 ? "int "
                            : "long long ";
}

static const char *any_value(hd_type type) {
  if (type.kind == HD_TYPE_PTR)
    return "0";
  if (type.kind == HD_TYPE_FLOAT)
    return type.width == 32 ? "__VERIFIER_nondet_float()"
                            : "__VERIFIER_nondet_double()";
  return type.width == 1    ? "heddle_nondet_bool()"
         : type.width <= 8  ? "heddle_nondet_char(CHAR_MIN, CHAR_MAX)"
         : type.width <= 16 ? "heddle_nondet_short(SHRT_MIN, SHRT_MAX)"
         : type.width <= 32 ? "heddle_nondet_int(INT_MIN, INT_MAX)"
                            : "heddle_nondet_longlong(LLONG_MIN, LLONG_MAX)";
}

static void print_stub(hd_str *out, const hd_code *code, hd_func_id func) {
  const hd_func *f = &code->funcs.data[func];
  hd_type result = {0};
  if (f->n_results)
    result = code->types.data[f->results];
  hd_str_puts(out, "\n/* called at ");
  if (!print_callers(out, code, func))
    hd_str_puts(out, "nowhere; its address is used");
  hd_str_puts(out, " */\n");
  hd_str_printf(out, "%s%s(", f->n_results ? type_name(result) : "void ",
                f->name);
  for (uint32_t i = 0; i < f->n_params; i++)
    hd_str_printf(out, "%s%sa%u", i ? ", " : "",
                  type_name(code->regs.data[f->regs + i].type), i + 1);
  if (f->variadic)
    hd_str_puts(out, f->n_params ? ", ..." : "");
  else if (!f->n_params)
    hd_str_puts(out, "void");
  hd_str_puts(out, ") {\n");
  if (f->n_results > 1)
    hd_str_puts(out, "  /* a struct, returned in pieces: write it anew */\n");
  if (f->n_results)
    hd_str_printf(out, "  return %s;\n", any_value(result));
  hd_str_puts(out, "}\n");
}

void hd_report_stubs(hd_str *out, const hd_code *code) {
  hd_str_puts(out, HD_STUBS_BEGIN
              " any number, no "
              "pointer, and nothing\n"
              " * else happens. Edit them until they do all that the functions "
              "may do, and give\n"
              " * this file to heddle with the others. */\n"
              "#include <heddle.h>\n"
              "#include <limits.h>\n"
              "\n"
              "double __VERIFIER_nondet_double(void);\n"
              "float __VERIFIER_nondet_float(void);\n");
  for (hd_func_id i = 0; i < code->funcs.size; i++)
    if (trouble(&code->funcs.data[i]))
      print_stub(out, code, i);
}

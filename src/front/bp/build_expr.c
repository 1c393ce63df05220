/* SPDX-License-Identifier: MIT */
/* Names, messages and expressions. */
#include "front/bp/build.h"

void hd_bp_complain(bp_builder *b, hd_pos pos, const char *what, hd_word word) {
  hd_diag_error(b->diag, b->source, pos, "%s '%s'", what, hd_quote(word).text);
}

char *hd_bp_word_text(hd_word word) {
  return hd_strndup(word.text, word.size);
}

void hd_bp_give_up(bp_builder *b, hd_pos pos, const char *what, int limit) {
  if (!b->full) {
    hd_str text = {0};
    hd_str_printf(&text, what, limit);
    hd_diag_error(b->diag, b->source, pos, "%s", hd_str_text(&text));
    hd_str_free(&text);
  }
  b->full = true;
}

/* --- expressions --- */

bool hd_bp_find_var(bp_builder *b, const bp_instance *in, hd_word name,
                    hd_pos pos, hd_var_id *var) {
  uint32_t *found = bp_words_find(&in->vars, name);
  if (!found)
    found = bp_words_find(&b->globals, name);
  if (!found) {
    hd_bp_complain(b, pos, "unknown variable", name);
    return false;
  }
  *var = *found;
  return true;
}

static hd_expr_id build_node(bp_builder *b, const bp_instance *in,
                             const bp_expr *x, hd_op op, bool next_allowed) {
  hd_expr_id args[3] = {HD_NO_ID, HD_NO_ID, HD_NO_ID};
  for (int i = 0; i < 3 && x->args[i]; i++)
    args[i] = hd_bp_build_expr(b, in, x->args[i], next_allowed);
  return hd_expr_make(b->program, op, args[0], args[1], args[2]);
}

/* 1 where a, else 0 where b, else any. */
static hd_expr_id build_schoose(bp_builder *b, const bp_instance *in,
                                const bp_expr *x, bool next_allowed) {
  hd_program *p = b->program;
  hd_expr_id yes = hd_bp_build_expr(b, in, x->args[0], next_allowed);
  hd_expr_id no = hd_bp_build_expr(b, in, x->args[1], next_allowed);
  hd_expr_id rest = hd_expr_make(p, HD_OP_ITE, no, hd_expr_const(p, 1, 0),
                                 hd_expr_choice(p, 1));
  return hd_expr_make(p, HD_OP_ITE, yes, hd_expr_const(p, 1, 1), rest);
}

/* Errors are reported and stand as 0; nothing is built after an error. */
hd_expr_id hd_bp_build_expr(bp_builder *b, const bp_instance *in,
                            const bp_expr *x, bool next_allowed) {
  hd_program *p = b->program;
  hd_var_id var;
  switch (x->kind) {
  case BP_X_CONST:
    return hd_expr_const(p, 1, x->value);
  case BP_X_CHOICE:
    return hd_expr_choice(p, 1);
  case BP_X_VAR:
    return hd_bp_find_var(b, in, x->name, x->pos, &var)
               ? hd_expr_var(p, var, false)
               : hd_expr_const(p, 1, 0);
  case BP_X_NEXT:
    if (!next_allowed)
      hd_diag_error(b->diag, b->source, x->pos,
                    "the value after the assignment can only be used in "
                    "'constrain'");
    return hd_bp_find_var(b, in, x->name, x->pos, &var)
               ? hd_expr_var(p, var, true)
               : hd_expr_const(p, 1, 0);
  case BP_X_NOT:
    return build_node(b, in, x, HD_OP_NOT, next_allowed);
  case BP_X_AND:
    return build_node(b, in, x, HD_OP_AND, next_allowed);
  case BP_X_OR:
    return build_node(b, in, x, HD_OP_OR, next_allowed);
  case BP_X_XOR:
    return build_node(b, in, x, HD_OP_XOR, next_allowed);
  case BP_X_EQ:
    return build_node(b, in, x, HD_OP_EQ, next_allowed);
  case BP_X_NE:
    return build_node(b, in, x, HD_OP_NE, next_allowed);
  case BP_X_ITE:
    return build_node(b, in, x, HD_OP_ITE, next_allowed);
  case BP_X_IMPLIES: {
    hd_expr_id left = hd_bp_build_expr(b, in, x->args[0], next_allowed);
    hd_expr_id right = hd_bp_build_expr(b, in, x->args[1], next_allowed);
    left = hd_expr_make(p, HD_OP_NOT, left, HD_NO_ID, HD_NO_ID);
    return hd_expr_make(p, HD_OP_OR, left, right, HD_NO_ID);
  }
  case BP_X_SCHOOSE:
    return build_schoose(b, in, x, next_allowed);
  }
  hd_bug("expression kind %d", (int)x->kind);
}

/* A guard that some choice always makes true is no guard. */
hd_expr_id hd_bp_guard(const hd_program *p, hd_expr_id expr) {
  const hd_expr *e = &p->exprs.data[expr];
  if (e->op == HD_OP_CHOICE || (e->op == HD_OP_CONST && e->value) ||
      (e->op == HD_OP_NOT && p->exprs.data[e->args[0]].op == HD_OP_CHOICE))
    return HD_NO_ID;
  return expr;
}

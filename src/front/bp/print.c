/* SPDX-License-Identifier: MIT */
/* The canonical form of a Boolean program: parsing it gives the same program,
 * and printing that the same text. */
#include "front/bp/ast.h"
#include "front/bp/bp.h"

static void put_word(hd_str *out, hd_word word) {
  hd_str_append(out, word.text, word.size);
}

static const char *sign_of(bp_xkind kind) {
  switch (kind) {
  case BP_X_AND:
    return "&";
  case BP_X_OR:
    return "|";
  case BP_X_XOR:
    return "^";
  case BP_X_EQ:
    return "=";
  case BP_X_NE:
    return "!=";
  case BP_X_IMPLIES:
    return "=>";
  default:
    return NULL;
  }
}

/* Everything but atoms and negations is put in parentheses when nested. */
static void print_operand(hd_str *out, const bp_expr *x) {
  bool wrap = sign_of(x->kind) || x->kind == BP_X_ITE;
  if (wrap)
    hd_str_puts(out, "(");
  hd_bp_print_expr(out, x);
  if (wrap)
    hd_str_puts(out, ")");
}

void hd_bp_print_expr(hd_str *out, const bp_expr *x) {
  switch (x->kind) {
  case BP_X_CONST:
    hd_str_puts(out, x->value ? "1" : "0");
    return;
  case BP_X_CHOICE:
    hd_str_puts(out, "*");
    return;
  case BP_X_NEXT:
    hd_str_puts(out, "'");
    put_word(out, x->name);
    return;
  case BP_X_VAR:
    put_word(out, x->name);
    return;
  case BP_X_NOT:
    hd_str_puts(out, "!");
    print_operand(out, x->args[0]);
    return;
  case BP_X_ITE:
    print_operand(out, x->args[0]);
    hd_str_puts(out, " ? ");
    print_operand(out, x->args[1]);
    hd_str_puts(out, " : ");
    print_operand(out, x->args[2]);
    return;
  case BP_X_SCHOOSE:
    hd_str_puts(out, "schoose[");
    hd_bp_print_expr(out, x->args[0]);
    hd_str_puts(out, ", ");
    hd_bp_print_expr(out, x->args[1]);
    hd_str_puts(out, "]");
    return;
  default:
    print_operand(out, x->args[0]);
    hd_str_printf(out, " %s ", sign_of(x->kind));
    print_operand(out, x->args[1]);
  }
}

static void print_exprs(hd_str *out, const bp_expr *x) {
  for (; x; x = x->next) {
    hd_bp_print_expr(out, x);
    if (x->next)
      hd_str_puts(out, ", ");
  }
}

static void print_names(hd_str *out, const bp_name *n) {
  for (; n; n = n->next) {
    put_word(out, n->name);
    if (n->next)
      hd_str_puts(out, ", ");
  }
}

static void indent(hd_str *out, int depth) {
  for (int i = 0; i < depth; i++)
    hd_str_puts(out, "  ");
}

static void print_list(hd_str *out, const bp_stmt *s, int depth);

static void print_block(hd_str *out, const bp_stmt *s, int depth) {
  bool loop = s->kind == BP_S_WHILE;
  hd_str_puts(out, loop ? "while (" : "if (");
  hd_bp_print_expr(out, s->cond);
  hd_str_puts(out, loop ? ") do\n" : ") then\n");
  print_list(out, s->body, depth + 1);
  if (s->orelse) {
    indent(out, depth);
    hd_str_puts(out, "else\n");
    print_list(out, s->orelse, depth + 1);
  }
  indent(out, depth);
  hd_str_puts(out, loop ? "od" : "fi");
}

static void print_assign(hd_str *out, const bp_stmt *s) {
  print_names(out, s->names);
  hd_str_puts(out, " := ");
  print_exprs(out, s->exprs);
  if (s->cond) {
    hd_str_puts(out, " constrain ");
    hd_bp_print_expr(out, s->cond);
  }
}

static void print_call(hd_str *out, const bp_stmt *s) {
  if (s->names) {
    print_names(out, s->names);
    hd_str_puts(out, " := ");
  }
  put_word(out, s->callee.name);
  hd_str_puts(out, "(");
  print_exprs(out, s->exprs);
  hd_str_puts(out, ")");
}

static void print_stmt(hd_str *out, const bp_stmt *s, int depth) {
  static const char *const words[] = {
      [BP_S_SKIP] = "skip",
      [BP_S_GOTO] = "goto ",
      [BP_S_RETURN] = "return ",
      [BP_S_ASSUME] = "assume ",
      [BP_S_ASSERT] = "assert ",
      [BP_S_START] = "start_thread ",
      [BP_S_END] = "end_thread",
      [BP_S_ATOMIC_BEGIN] = "atomic_begin",
      [BP_S_ATOMIC_END] = "atomic_end",
      [BP_S_WAIT] = "wait",
      [BP_S_SIGNAL] = "signal",
      [BP_S_BROADCAST] = "broadcast",
      [BP_S_DEAD] = "dead ",
  };
  if (s->kind == BP_S_IF || s->kind == BP_S_WHILE) {
    print_block(out, s, depth);
  } else if (s->kind == BP_S_ASSIGN) {
    print_assign(out, s);
  } else if (s->kind == BP_S_CALL) {
    print_call(out, s);
  } else {
    hd_str_puts(out, words[s->kind]);
    print_names(out, s->names);
    print_exprs(out, s->exprs);
    if (s->cond) {
      hd_str_puts(out, "(");
      hd_bp_print_expr(out, s->cond);
      hd_str_puts(out, ")");
    }
  }
  hd_str_puts(out, ";\n");
}

static void print_list(hd_str *out, const bp_stmt *s, int depth) {
  for (; s; s = s->next) {
    indent(out, depth);
    for (const bp_name *l = s->labels; l; l = l->next) {
      put_word(out, l->name);
      hd_str_puts(out, ": ");
    }
    print_stmt(out, s, depth);
  }
}

static void print_decls(hd_str *out, const bp_name *n, int depth) {
  for (; n; n = n->next) {
    indent(out, depth);
    hd_str_puts(out, "decl ");
    put_word(out, n->name);
    if (n->init) {
      hd_str_puts(out, " := ");
      hd_bp_print_expr(out, n->init);
    }
    hd_str_puts(out, ";\n");
  }
}

static void print_proc(hd_str *out, const bp_proc *p) {
  if (p->n_results)
    hd_str_printf(out, "bool<%u> ", p->n_results);
  else
    hd_str_puts(out, "void ");
  put_word(out, p->name.name);
  hd_str_puts(out, "(");
  print_names(out, p->params);
  hd_str_puts(out, ") begin\n");
  print_decls(out, p->locals, 1);
  print_list(out, p->body, 1);
  hd_str_puts(out, "end\n");
}

bool hd_bp_format(const hd_source *source, hd_str *out, hd_diag *diag) {
  hd_arena arena;
  hd_arena_init(&arena);
  bp_program ast;
  bool ok = hd_bp_parse_text(source, &arena, &ast, diag);
  if (ok) {
    print_decls(out, ast.globals, 0);
    for (const bp_proc *p = ast.procs; p; p = p->next)
      print_proc(out, p);
  }
  hd_arena_free(&arena);
  return ok;
}

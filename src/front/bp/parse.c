/* SPDX-License-Identifier: MIT */
/* Recursive descent. After an error the parser skips to the next semicolon and
 * goes on, so that one run reports several. Nesting of expressions and
 * statements is limited: input must not be able to exhaust the stack. */
#include "front/bp/ast.h"

#include <string.h>

enum { MAX_DEPTH = 500, MAX_EXPR_DEPTH = 2000 };

typedef struct {
  bp_lexer lex;
  hd_arena *arena;
  unsigned depth;
} parser;

static void *make(parser *p, size_t bytes) {
  void *node = hd_arena_alloc(p->arena, bytes);
  memset(node, 0, bytes);
  return node;
}

static bool accept(parser *p, bp_kind kind) {
  if (p->lex.kind != kind)
    return false;
  hd_bp_next(&p->lex);
  return true;
}

static bool expect(parser *p, bp_kind kind, const char *what) {
  if (accept(p, kind))
    return true;
  hd_bp_expected(&p->lex, what);
  return false;
}

static bool accept_word(parser *p, const char *word) {
  if (!hd_bp_is(&p->lex, word))
    return false;
  hd_bp_next(&p->lex);
  return true;
}

static bool expect_word(parser *p, const char *word) {
  if (accept_word(p, word))
    return true;
  hd_str what = {0};
  hd_str_printf(&what, "'%s'", word);
  hd_bp_expected(&p->lex, hd_str_text(&what));
  hd_str_free(&what);
  return false;
}

static bool enter(parser *p) {
  if (++p->depth <= MAX_DEPTH)
    return true;
  if (p->depth == MAX_DEPTH + 1)
    hd_diag_error(p->lex.diag, p->lex.region.source, p->lex.pos,
                  "nested more than %d deep", MAX_DEPTH);
  return false;
}

static bool is_name(const parser *p) {
  return p->lex.kind == BP_ID && !hd_bp_is_keyword(p->lex.word);
}

/* SATABS marks assigned variables with a trailing '$'. */
static hd_word without_mark(hd_word word) {
  if (word.size > 1 && word.text[word.size - 1] == '$')
    word.size--;
  return word;
}

static bool parse_name(parser *p, bp_name *name, const char *what) {
  if (!is_name(p)) {
    hd_bp_expected(&p->lex, what);
    return false;
  }
  *name = (bp_name){.name = without_mark(p->lex.word), .pos = p->lex.pos};
  hd_bp_next(&p->lex);
  return true;
}

/* --- expressions, loosest first --- */

static bp_expr *parse_expr(parser *p);

static bp_expr *node(parser *p, bp_xkind kind, hd_pos pos, bp_expr *a,
                     bp_expr *b, bp_expr *c) {
  bp_expr *x = make(p, sizeof *x);
  x->kind = kind;
  x->pos = pos;
  x->args[0] = a;
  x->args[1] = b;
  x->args[2] = c;
  for (int i = 0; i < 3; i++)
    if (x->args[i] && x->args[i]->depth >= x->depth)
      x->depth = x->args[i]->depth + 1;
  return x;
}

/* A chain of operators needs no nesting in the text to become a deep tree. */
static bool shallow(parser *p, const bp_expr *x) {
  if (x->depth <= MAX_EXPR_DEPTH)
    return true;
  hd_diag_error(p->lex.diag, p->lex.region.source, x->pos,
                "an expression of more than %d operators, one in the other",
                MAX_EXPR_DEPTH);
  return false;
}

static bp_expr *parse_schoose(parser *p, hd_pos pos) {
  hd_bp_next(&p->lex);
  bool square = accept(p, BP_LEFT);
  if (!square && !expect(p, BP_OPEN, "'[' after 'schoose'"))
    return NULL;
  bp_expr *a = parse_expr(p);
  if (!a || !expect(p, BP_COMMA, "',' between the two conditions"))
    return NULL;
  bp_expr *b = parse_expr(p);
  if (!b || !expect(p, square ? BP_RIGHT : BP_CLOSE, square ? "']'" : "')'"))
    return NULL;
  return node(p, BP_X_SCHOOSE, pos, a, b, NULL);
}

static bp_expr *parse_word(parser *p) {
  hd_pos pos = p->lex.pos;
  if (hd_bp_is(&p->lex, "schoose"))
    return parse_schoose(p, pos);
  bool yes = hd_bp_is(&p->lex, "true"), no = hd_bp_is(&p->lex, "false");
  if (yes || no) {
    hd_bp_next(&p->lex);
    bp_expr *x = node(p, BP_X_CONST, pos, NULL, NULL, NULL);
    x->value = yes;
    return x;
  }
  bp_name name;
  if (!parse_name(p, &name, "an expression"))
    return NULL;
  bp_expr *x = node(p, BP_X_VAR, pos, NULL, NULL, NULL);
  x->name = name.name;
  return x;
}

static bp_expr *parse_atom(parser *p) {
  hd_pos pos = p->lex.pos;
  bp_expr *x = NULL;
  bp_name name;
  switch (p->lex.kind) {
  case BP_OPEN:
    hd_bp_next(&p->lex);
    x = parse_expr(p);
    return x && expect(p, BP_CLOSE, "')'") ? x : NULL;
  case BP_STAR:
    hd_bp_next(&p->lex);
    return node(p, BP_X_CHOICE, pos, NULL, NULL, NULL);
  case BP_NUMBER:
    if (!hd_word_is(p->lex.word, "0") && !hd_word_is(p->lex.word, "1"))
      break;
    x = node(p, BP_X_CONST, pos, NULL, NULL, NULL);
    x->value = p->lex.word.text[0] == '1';
    hd_bp_next(&p->lex);
    return x;
  case BP_PRIME:
    hd_bp_next(&p->lex);
    if (!parse_name(p, &name, "a variable after '''"))
      return NULL;
    x = node(p, BP_X_NEXT, pos, NULL, NULL, NULL);
    x->name = name.name;
    return x;
  case BP_ID:
    return parse_word(p);
  default:
    break;
  }
  hd_bp_expected(&p->lex, "an expression (0, 1, *, a variable, '!' or '(')");
  return NULL;
}

static bp_expr *parse_unary(parser *p) {
  hd_pos pos = p->lex.pos;
  if (!enter(p))
    return NULL;
  bp_expr *x;
  if (accept(p, BP_NOT)) {
    x = parse_unary(p);
    x = x ? node(p, BP_X_NOT, pos, x, NULL, NULL) : NULL;
  } else {
    x = parse_atom(p);
  }
  p->depth--;
  return x;
}

/* The binary levels: equality, and, xor, or, implication. */
static const struct {
  bp_kind sign[2];
  bp_xkind kind[2];
} levels[] = {
    {{BP_IMPLIES, BP_IMPLIES}, {BP_X_IMPLIES, BP_X_IMPLIES}},
    {{BP_OR, BP_OR}, {BP_X_OR, BP_X_OR}},
    {{BP_XOR, BP_XOR}, {BP_X_XOR, BP_X_XOR}},
    {{BP_AND, BP_AND}, {BP_X_AND, BP_X_AND}},
    {{BP_EQUAL, BP_UNEQUAL}, {BP_X_EQ, BP_X_NE}},
};

static bp_expr *parse_binary(parser *p, size_t level) {
  if (level == sizeof levels / sizeof *levels)
    return parse_unary(p);
  bp_expr *x = parse_binary(p, level + 1);
  while (x && (p->lex.kind == levels[level].sign[0] ||
               p->lex.kind == levels[level].sign[1])) {
    int which = p->lex.kind == levels[level].sign[0] ? 0 : 1;
    hd_pos pos = p->lex.pos;
    hd_bp_next(&p->lex);
    bp_expr *y = parse_binary(p, level + 1);
    x = y ? node(p, levels[level].kind[which], pos, x, y, NULL) : NULL;
    if (x && !shallow(p, x))
      return NULL;
  }
  return x;
}

static bp_expr *parse_expr(parser *p) {
  if (!enter(p))
    return NULL;
  bp_expr *x = parse_binary(p, 0);
  hd_pos pos = p->lex.pos;
  if (x && accept(p, BP_QUESTION)) {
    bp_expr *y = parse_expr(p);
    bp_expr *z = y && expect(p, BP_COLON, "':' of '?:'") ? parse_expr(p) : NULL;
    x = z ? node(p, BP_X_ITE, pos, x, y, z) : NULL;
  }
  p->depth--;
  return x;
}

static bool parse_exprs(parser *p, bp_expr **list) {
  do {
    bp_expr *x = parse_expr(p);
    if (!x)
      return false;
    *list = x;
    list = &x->next;
  } while (accept(p, BP_COMMA));
  return true;
}

/* --- statements --- */

static bool parse_names(parser *p, bp_name **list, const char *what) {
  do {
    bp_name *name = make(p, sizeof *name);
    if (!parse_name(p, name, what))
      return false;
    *list = name;
    list = &name->next;
  } while (accept(p, BP_COMMA));
  return true;
}

/* A label is a name or, in .nbp files, a number. */
static bool parse_label_use(parser *p, bp_name *name) {
  if (p->lex.kind == BP_NUMBER) {
    *name = (bp_name){.name = p->lex.word, .pos = p->lex.pos};
    hd_bp_next(&p->lex);
    return true;
  }
  return parse_name(p, name, "a label");
}

static bool parse_label_uses(parser *p, bp_name **list) {
  do {
    bp_name *name = make(p, sizeof *name);
    if (!parse_label_use(p, name))
      return false;
    *list = name;
    list = &name->next;
  } while (accept(p, BP_COMMA));
  return true;
}

static bool end_statement(parser *p) {
  return expect(p, BP_SEMICOLON, "';' after the statement");
}

static bool parse_args(parser *p, bp_stmt *s) {
  if (!expect(p, BP_OPEN, "'(' after the procedure's name"))
    return false;
  if (p->lex.kind != BP_CLOSE && !parse_exprs(p, &s->exprs))
    return false;
  return expect(p, BP_CLOSE, "')' after the arguments");
}

static bool parse_call(parser *p, bp_stmt *s) {
  s->kind = BP_S_CALL;
  return parse_name(p, &s->callee, "a procedure") && parse_args(p, s) &&
         end_statement(p);
}

/* Is the name at the current token followed by '('? */
static bool at_call(const parser *p) {
  const hd_region *r = &p->lex.region;
  size_t at = r->at;
  while (at < r->end && (r->text[at] == ' ' || r->text[at] == '\t'))
    at++;
  return is_name(p) && at < r->end && r->text[at] == '(';
}

static bool parse_assignment(parser *p, bp_stmt *s) {
  if (at_call(p))
    return parse_call(p, s);
  if (!parse_names(p, &s->names, "a statement") ||
      !expect(p, BP_ASSIGN, "':=' after the variables"))
    return false;
  accept_word(p, "call");
  if (at_call(p))
    return parse_call(p, s);
  s->kind = BP_S_ASSIGN;
  if (!parse_exprs(p, &s->exprs))
    return false;
  if (accept_word(p, "constrain") && !(s->cond = parse_expr(p)))
    return false;
  return end_statement(p);
}

static bool parse_statements(parser *p, bp_stmt **list);

/* The text of a statement on one line, for people. */
static hd_word text_between(const char *from, const char *to) {
  while (to > from &&
         (to[-1] == ' ' || to[-1] == '\n' || to[-1] == '\t' || to[-1] == '\r'))
    to--;
  return (hd_word){.text = from, .size = (size_t)(to - from)};
}

/* The condition of a statement with a body, up to `word`; the statement's text
 * ends there. */
static bool parse_head(parser *p, bp_stmt *s, const char *from,
                       const char *word) {
  if (!(s->cond = parse_expr(p)) || !expect_word(p, word))
    return false;
  s->text = text_between(from, p->lex.last_end);
  return true;
}

/* if c then … [elsif c then …] [else …] fi; the first word is consumed. */
static bool parse_if(parser *p, bp_stmt *s, const char *from) {
  s->kind = BP_S_IF;
  if (!parse_head(p, s, from, "then") || !parse_statements(p, &s->body))
    return false;
  if (hd_bp_is(&p->lex, "elsif")) {
    bp_stmt *nested = make(p, sizeof *nested);
    nested->pos = p->lex.pos;
    const char *start = p->lex.word.text;
    hd_bp_next(&p->lex);
    s->orelse = nested;
    if (!enter(p))
      return false;
    bool ok = parse_if(p, nested, start);
    p->depth--;
    return ok;
  }
  if (accept_word(p, "else") && !parse_statements(p, &s->orelse))
    return false;
  if (!expect_word(p, "fi"))
    return false;
  accept(p, BP_SEMICOLON);
  return true;
}

static bool parse_while(parser *p, bp_stmt *s, const char *from) {
  s->kind = BP_S_WHILE;
  if (!parse_head(p, s, from, "do") || !parse_statements(p, &s->body) ||
      !expect_word(p, "od"))
    return false;
  accept(p, BP_SEMICOLON);
  return true;
}

static const struct {
  const char *word;
  bp_skind kind;
} plain[] = {
    {"skip", BP_S_SKIP},
    {"end_thread", BP_S_END},
    {"atomic_begin", BP_S_ATOMIC_BEGIN},
    {"atomic_end", BP_S_ATOMIC_END},
    {"wait", BP_S_WAIT},
    {"signal", BP_S_SIGNAL},
    {"broadcast", BP_S_BROADCAST},
};

static bool parse_condition(parser *p, bp_stmt *s, bp_skind kind) {
  s->kind = kind;
  return (s->cond = parse_expr(p)) && end_statement(p);
}

static bool parse_start(parser *p, bp_stmt *s) {
  s->kind = BP_S_START;
  accept_word(p, "goto");
  s->names = make(p, sizeof *s->names);
  if (!parse_label_use(p, s->names))
    return false;
  if (accept(p, BP_OPEN) && !expect(p, BP_CLOSE,
                                    "')': a thread takes no "
                                    "arguments"))
    return false;
  return end_statement(p);
}

static bool parse_return(parser *p, bp_stmt *s) {
  s->kind = BP_S_RETURN;
  if (p->lex.kind != BP_SEMICOLON && !parse_exprs(p, &s->exprs))
    return false;
  return end_statement(p);
}

static bool parse_plain(parser *p, bp_stmt *s) {
  const char *from = p->lex.word.text;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (accept_word(p, plain[i].word)) {
      s->kind = plain[i].kind;
      return end_statement(p);
    }
  if (accept_word(p, "goto")) {
    s->kind = BP_S_GOTO;
    return parse_label_uses(p, &s->names) && end_statement(p);
  }
  if (accept_word(p, "dead")) {
    s->kind = BP_S_DEAD;
    return parse_names(p, &s->names, "a variable") && end_statement(p);
  }
  if (accept_word(p, "return"))
    return parse_return(p, s);
  if (accept_word(p, "assume"))
    return parse_condition(p, s, BP_S_ASSUME);
  if (accept_word(p, "assert"))
    return parse_condition(p, s, BP_S_ASSERT);
  if (accept_word(p, "start_thread"))
    return parse_start(p, s);
  if (accept_word(p, "if"))
    return parse_if(p, s, from);
  if (accept_word(p, "while"))
    return parse_while(p, s, from);
  accept_word(p, "call");
  return parse_assignment(p, s);
}

/* Is the current token a label, that is, followed by ':' but not by ':='? */
static bool at_label(const parser *p) {
  const hd_region *r = &p->lex.region;
  size_t at = r->at;
  while (at < r->end && (r->text[at] == ' ' || r->text[at] == '\t'))
    at++;
  return (p->lex.kind == BP_NUMBER || is_name(p)) && at < r->end &&
         r->text[at] == ':' && (at + 1 == r->end || r->text[at + 1] != '=');
}

static void parse_labels(parser *p, bp_name **list) {
  while (at_label(p)) {
    bp_name *label = make(p, sizeof *label);
    *label = (bp_name){.name = without_mark(p->lex.word), .pos = p->lex.pos};
    *list = label;
    list = &label->next;
    hd_bp_next(&p->lex);
    hd_bp_next(&p->lex);
  }
}

static bool at_end_of_statements(const parser *p) {
  static const char *const closing[] = {"end", "fi", "else", "elsif", "od"};
  for (size_t i = 0; i < sizeof closing / sizeof *closing; i++)
    if (hd_bp_is(&p->lex, closing[i]))
      return true;
  return p->lex.kind == BP_END;
}

static void recover(parser *p) {
  while (p->lex.kind != BP_SEMICOLON && p->lex.kind != BP_END &&
         !hd_bp_is(&p->lex, "end"))
    hd_bp_next(&p->lex);
  accept(p, BP_SEMICOLON);
}

static bool parse_statement(parser *p, bp_stmt *s) {
  parse_labels(p, &s->labels);
  s->file = p->lex.file;
  s->function = p->lex.function;
  s->source_line = p->lex.source_line;
  s->pos = p->lex.pos;
  const char *from = p->lex.word.text;
  if (at_end_of_statements(p) && s->labels) {
    s->kind = BP_S_SKIP; /* a label before `end` */
    s->text = (hd_word){.text = "skip", .size = 4};
    return true;
  }
  if (accept(p, BP_SEMICOLON)) {
    s->kind = BP_S_SKIP;
    s->text = (hd_word){.text = "skip", .size = 4};
    return true;
  }
  bool ok = parse_plain(p, s);
  const char *to = p->lex.last_end;
  if (to > from && to[-1] == ';')
    to--;
  if (s->kind != BP_S_IF && s->kind != BP_S_WHILE)
    s->text = text_between(from, to > from ? to : from);
  return ok;
}

static bool parse_statements(parser *p, bp_stmt **list) {
  bool ok = enter(p);
  while (ok && !at_end_of_statements(p) && !hd_diag_full(p->lex.diag)) {
    bp_stmt *s = make(p, sizeof *s);
    *list = s;
    list = &s->next;
    if (!parse_statement(p, s))
      recover(p);
  }
  p->depth--;
  return ok;
}

/* --- declarations --- */

static bool parse_decl(parser *p, bp_name ***list) {
  do {
    bp_name *name = make(p, sizeof *name);
    if (!parse_name(p, name, "a variable"))
      return false;
    if (accept(p, BP_ASSIGN) && !(name->init = parse_expr(p)))
      return false;
    **list = name;
    *list = &name->next;
  } while (accept(p, BP_COMMA));
  return expect(p, BP_SEMICOLON, "';' after the declaration");
}

static void parse_decls(parser *p, bp_name **list) {
  while (accept_word(p, "decl"))
    if (!parse_decl(p, &list))
      recover(p);
}

static bool parse_result_type(parser *p, uint32_t *results) {
  if (accept_word(p, "void"))
    return true;
  if (!accept_word(p, "bool"))
    return true;
  *results = 1;
  if (!accept(p, BP_LESS))
    return true;
  if (p->lex.kind != BP_NUMBER || hd_word_number(p->lex.word) > 1000) {
    hd_bp_expected(&p->lex, "a number of results");
    return false;
  }
  *results = (uint32_t)hd_word_number(p->lex.word);
  hd_bp_next(&p->lex);
  return expect(p, BP_MORE, "'>'");
}

static bool parse_proc(parser *p, bp_proc *proc) {
  if (!parse_result_type(p, &proc->n_results) ||
      !parse_name(p, &proc->name, "'decl' or a procedure") ||
      !expect(p, BP_OPEN, "'(' after the procedure's name"))
    return false;
  if (p->lex.kind != BP_CLOSE && !parse_names(p, &proc->params, "a parameter"))
    return false;
  if (!expect(p, BP_CLOSE, "')' after the parameters") ||
      !expect_word(p, "begin"))
    return false;
  parse_decls(p, &proc->locals);
  if (!parse_statements(p, &proc->body))
    return false;
  return expect_word(p, "end");
}

bool hd_bp_parse_text(const hd_source *source, hd_arena *arena,
                      bp_program *program, hd_diag *diag) {
  if (!hd_text_check(source, "a Boolean program", diag))
    return false;
  parser p = {.arena = arena};
  p.lex.region = hd_region_all(source);
  p.lex.diag = diag;
  hd_bp_next(&p.lex);
  *program = (bp_program){0};
  parse_decls(&p, &program->globals);
  bp_proc **list = &program->procs;
  while (p.lex.kind != BP_END && !hd_diag_full(diag)) {
    bp_proc *proc = make(&p, sizeof *proc);
    if (!parse_proc(&p, proc))
      break;
    *list = proc;
    list = &proc->next;
  }
  if (!program->procs && !hd_diag_errors(diag))
    hd_diag_error(diag, source, p.lex.pos, "expected a procedure 'main'");
  return !hd_diag_errors(diag);
}

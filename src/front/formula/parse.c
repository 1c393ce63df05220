/* SPDX-License-Identifier: MIT */
/* Formulas: C's expressions without side effects, by precedence climbing, with
 * PROC[e].v, spec.v, quantifiers and implication in addition. Names are looked
 * up at once, so every message has its place. */
#include "front/formula/reader.h"

#include <string.h>

enum { MAX_DEPTH = 200 };

static hd_formula_id some(formula_reader *r) {
  return hd_formula_int(r, 0, r->token.at);
}

/* --- variables --- */

static hd_formula_id variable(formula_reader *r, hd_cvar var, uint8_t program,
                              uint32_t at) {
  hd_formula f = {.op = HD_FORMULA_VAR,
                  .program = program,
                  .args = {HD_NO_ID, HD_NO_ID, HD_NO_ID},
                  .var = var,
                  .at = at};
  return hd_formula_place(r, f, hd_cvar_type(hd_formula_code(r, program), var));
}

static hd_formula_id unknown_name(formula_reader *r, const formula_token *name,
                                  const hd_code *code) {
  const char *near = code == r->notes->code
                         ? hd_formula_nearest(code, &r->note, name->word)
                         : NULL;
  hd_formula_error(r, name->at, name->word.size,
                   "no variable '%s' is known here%s%s%s",
                   hd_quote(name->word).text, near ? "; did you mean '" : "",
                   near ? near : "", near ? "'?" : "");
  return some(r);
}

/* `@f`, if it is there: the function whose variable is meant. */
static bool read_function(formula_reader *r, const hd_code *code,
                          hd_func_id *func) {
  *func = HD_NO_ID;
  if (!hd_formula_take(r, "@"))
    return true;
  if (r->token.kind != FORMULA_NAME) {
    hd_formula_expected(r, "the name of a function");
    return false;
  }
  if (!hd_formula_find_function(code, r->token.word, func)) {
    hd_formula_error(r, r->token.at, r->token.word.size,
                     "the program has no function '%s'",
                     hd_quote(r->token.word).text);
    return false;
  }
  hd_formula_next(r);
  return true;
}

/* A variable of function `func`, whatever block it is in; its own block's if
 * the annotation stands in that function. */
static bool find_at(formula_reader *r, const hd_code *code, hd_func_id func,
                    const formula_token *name, hd_cvar *var) {
  bool several = false;
  if (code == r->notes->code && func == r->note.func)
    return hd_formula_find(code, &r->note, func, r->note.scope, name->word,
                           var);
  if (!hd_formula_find_in(code, func, name->word, var, &several))
    return hd_formula_find(code, NULL, HD_NO_ID, HD_NO_ID, name->word, var);
  if (several)
    hd_formula_error(r, name->at, name->word.size,
                     "there are several variables '%s' in '%s'",
                     hd_quote(name->word).text, code->funcs.data[func].cname);
  return true;
}

/* The annotation of the other program that this one meets: where `spec.v` is
 * looked for. NULL = none: in its main. */
static const hd_note *counterpart(const formula_reader *r) {
  const hd_notes *other = r->other;
  for (size_t i = 0; other && i < other->notes.size; i++) {
    const hd_note *n = &other->notes.data[i];
    if (n->reach == HD_NOTE_JOINT && n->id[0] && !strcmp(n->id, r->note.id))
      return n;
  }
  return NULL;
}

/* The variable behind `PROC[e]` or `spec`, which are read; `program` 0 or 1. */
static hd_formula_id remote(formula_reader *r, hd_formula_id rank,
                            uint8_t program, uint32_t at) {
  const hd_code *code = hd_formula_code(r, program);
  hd_func_id func;
  if (!read_function(r, code, &func) || !hd_formula_need(r, "."))
    return some(r);
  if (r->token.kind != FORMULA_NAME) {
    hd_formula_expected(r, "the name of a variable");
    return some(r);
  }
  formula_token name = r->token;
  hd_cvar var;
  bool found;
  const hd_note *there = program ? counterpart(r) : &r->note;
  if (func != HD_NO_ID)
    found = find_at(r, code, func, &name, &var);
  else if (there)
    found = hd_formula_find(code, there, there->func, there->scope, name.word,
                            &var);
  else
    found = code->main != HD_NO_ID && find_at(r, code, code->main, &name, &var);
  if (!found)
    return unknown_name(r, &name, code);
  hd_formula_next(r);
  hd_formula f = {.op = HD_FORMULA_REMOTE,
                  .program = program,
                  .args = {rank, HD_NO_ID, HD_NO_ID},
                  .var = var,
                  .at = at};
  return hd_formula_place(r, f, hd_cvar_type(code, var));
}

static bool may_look_around(formula_reader *r, uint32_t at, const char *what) {
  if (r->note.reach == HD_NOTE_OWN)
    hd_formula_error(r, at, strlen(what),
                     "%s stands in an annotation of one process; say "
                     "'collective' or 'joint'",
                     what);
  return !r->failed;
}

static hd_formula_id read_proc(formula_reader *r, uint8_t program,
                               uint32_t at) {
  hd_formula_next(r);
  if (!may_look_around(r, at, "PROC") || !hd_formula_need(r, "["))
    return some(r);
  hd_formula_id rank = hd_formula_integer(r, hd_formula_parse(r), "a rank");
  if (r->failed || !hd_formula_need(r, "]"))
    return some(r);
  return remote(r, rank, program, at);
}

/* `spec.v`, `spec@f.v`, `spec.PROC[e].v` */
static hd_formula_id read_other(formula_reader *r, uint32_t at) {
  const char *own = r->is_spec ? "impl" : "spec";
  if (!r->notes->other) {
    hd_formula_error(r, at, 4,
                     "there is no other program: '%s' has a meaning in 'heddle "
                     "compare' only",
                     own);
    return some(r);
  }
  if (r->note.reach != HD_NOTE_JOINT) {
    hd_formula_error(r, at, 4, "'%s' stands in an annotation that is not joint",
                     own);
    return some(r);
  }
  hd_formula_next(r);
  if (hd_formula_is(r, ".") && hd_word_is(hd_formula_peek(r).word, "PROC")) {
    hd_formula_next(r);
    return read_proc(r, 1, at);
  }
  return remote(r, HD_NO_ID, 1, at);
}

/* --- leaves --- */

static hd_formula_id builtin(formula_reader *r, hd_formula_op op, int n) {
  uint32_t at = r->token.at;
  hd_formula_next(r);
  hd_formula_id args[2] = {HD_NO_ID, HD_NO_ID};
  if (!hd_formula_need(r, "("))
    return some(r);
  for (int i = 0; i < n; i++) {
    if (i && !hd_formula_need(r, ","))
      return some(r);
    args[i] = hd_formula_parse(r);
    if (r->failed)
      return some(r);
  }
  if (!hd_formula_need(r, ")"))
    return some(r);
  if (n == 2)
    return hd_formula_binary(r, op, args[0], args[1], at);
  if (op == HD_FORMULA_ABS)
    return hd_formula_unary(r, op, args[0], at);
  hd_formula f = {
      .op = (uint8_t)op,
      .sort = HD_SORT_INT,
      .type = HD_NO_ID,
      .args = {hd_formula_integer(r, args[0], "a rank"), HD_NO_ID, HD_NO_ID},
      .at = at};
  return hd_formula_node(r, f);
}

static hd_formula_id leaf(formula_reader *r, hd_formula_op op, hd_sort sort) {
  hd_formula f = {.op = (uint8_t)op,
                  .sort = (uint8_t)sort,
                  .type = HD_NO_ID,
                  .args = {HD_NO_ID, HD_NO_ID, HD_NO_ID},
                  .at = r->token.at};
  hd_formula_next(r);
  return hd_formula_node(r, f);
}

static bool is_bound(const formula_reader *r, hd_word name, int64_t *number) {
  for (size_t i = r->bound.size; i-- > 0;)
    if (r->bound.data[i].name.size == name.size &&
        !memcmp(r->bound.data[i].name.text, name.text, name.size)) {
      *number = r->bound.data[i].number;
      return true;
    }
  return false;
}

/* Words with a meaning of their own; a variable of the program hides them. */
static hd_formula_id word(formula_reader *r) {
  formula_token name = r->token;
  const char *next = hd_formula_peek(r).kind == FORMULA_SIGN
                         ? hd_formula_peek(r).word.text
                         : "";
  if (hd_formula_is(r, "true") || hd_formula_is(r, "false")) {
    hd_formula_next(r);
    return hd_formula_int(r, hd_word_is(name.word, "true"), name.at);
  }
  if (hd_formula_is(r, "NULL"))
    return leaf(r, HD_FORMULA_NULL, HD_SORT_POINTER);
  if (hd_formula_is(r, "myrank"))
    return leaf(r, HD_FORMULA_RANK, HD_SORT_INT);
  if (hd_formula_is(r, "nprocs"))
    return leaf(r, HD_FORMULA_NPROCS, HD_SORT_INT);
  if (hd_formula_is(r, "PROC"))
    return read_proc(r, 0, name.at);
  if (hd_formula_is(r, r->is_spec ? "impl" : "spec"))
    return read_other(r, name.at);
  if (*next == '(') {
    if (hd_formula_is(r, "abs") || hd_formula_is(r, "fabs") ||
        hd_formula_is(r, "labs"))
      return builtin(r, HD_FORMULA_ABS, 1);
    if (hd_formula_is(r, "min") || hd_formula_is(r, "fmin"))
      return builtin(r, HD_FORMULA_MIN, 2);
    if (hd_formula_is(r, "max") || hd_formula_is(r, "fmax"))
      return builtin(r, HD_FORMULA_MAX, 2);
    if (hd_formula_is(r, "sent"))
      return builtin(r, HD_FORMULA_SENT, 1);
    if (hd_formula_is(r, "received"))
      return builtin(r, HD_FORMULA_RECEIVED, 1);
    hd_formula_error(
        r, name.at, name.word.size,
        "'%s' is no function that annotations know; there are abs, "
        "min, max, sent, received",
        hd_quote(name.word).text);
    return some(r);
  }
  return unknown_name(r, &name, r->notes->code);
}

static hd_formula_id name(formula_reader *r) {
  formula_token t = r->token;
  int64_t number;
  hd_cvar var;
  if (is_bound(r, t.word, &number)) {
    hd_formula_id id = leaf(r, HD_FORMULA_BOUND, HD_SORT_INT);
    r->notes->formulas.data[id].value = number;
    return id;
  }
  if (hd_formula_is(r, "forall") || hd_formula_is(r, "exists") ||
      t.word.text[0] == '\\') {
    if (t.word.text[0] == '\\' && !hd_formula_is(r, "\\forall") &&
        !hd_formula_is(r, "\\exists")) {
      hd_formula_expected(r, "'\\forall' or '\\exists'");
      return some(r);
    }
    return hd_formula_quantifier(r);
  }
  if (hd_formula_find(r->notes->code, &r->note, r->note.func, r->note.scope,
                      t.word, &var)) {
    hd_formula_next(r);
    return variable(r, var, 0, t.at);
  }
  if (hd_formula_find_constant(r->notes->code, t.word, &number)) {
    hd_formula_next(r);
    return hd_formula_int(r, number, t.at);
  }
  return word(r);
}

/* --- operators --- */

static hd_formula_id postfix(formula_reader *r, hd_formula_id id) {
  while (!r->failed) {
    uint32_t at = r->token.at;
    if (hd_formula_take(r, "[")) {
      hd_formula_id index = hd_formula_parse(r);
      if (r->failed || !hd_formula_need(r, "]"))
        break;
      id = hd_formula_index(r, id, index, at);
    } else if (hd_formula_is(r, ".") || hd_formula_is(r, "->")) {
      if (hd_formula_is(r, "->"))
        id = hd_formula_deref(r, id, at);
      hd_formula_next(r);
      if (r->token.kind != FORMULA_NAME) {
        hd_formula_expected(r, "the name of a field");
        break;
      }
      formula_token field = r->token;
      hd_formula_next(r);
      if (!r->failed)
        id = hd_formula_field(r, id, field.word, field.at);
    } else if (hd_formula_is(r, "(")) {
      hd_formula_error(r, at, 1, "an annotation cannot call a function");
    } else {
      break;
    }
  }
  return id;
}

static bool is_type_word(hd_word w) {
  static const char *const names[] = {"int",      "long",   "short", "char",
                                      "unsigned", "signed", "float", "double",
                                      "void",     "_Bool",  "bool",  "size_t"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hd_word_is(w, names[i]))
      return true;
  return false;
}

/* `(double) e`, `(int) e`; `(void *) 0` is what NULL expands to. */
static hd_formula_id cast(formula_reader *r,
                          hd_formula_id (*operand)(formula_reader *)) {
  uint32_t at = r->token.at;
  hd_formula_next(r);
  bool is_real = false, is_void = false, is_pointer = false;
  while (r->token.kind == FORMULA_NAME && is_type_word(r->token.word)) {
    is_real |= hd_formula_is(r, "float") || hd_formula_is(r, "double");
    is_void |= hd_formula_is(r, "void");
    hd_formula_next(r);
  }
  while (hd_formula_take(r, "*"))
    is_pointer = true;
  if (!hd_formula_need(r, ")"))
    return some(r);
  hd_formula_id id = operand(r);
  if (r->failed)
    return id;
  hd_formula f = *hd_formula_of(r, id);
  if (is_pointer || is_void) {
    if (f.op != HD_FORMULA_INT || f.value || !is_pointer) {
      hd_formula_error(r, at, 1, "annotations know casts to numbers only");
      return id;
    }
    hd_formula null = {.op = HD_FORMULA_NULL,
                       .sort = HD_SORT_POINTER,
                       .type = HD_NO_ID,
                       .args = {HD_NO_ID, HD_NO_ID, HD_NO_ID},
                       .at = at};
    return hd_formula_node(r, null);
  }
  id = hd_formula_number(r, id);
  bool was_real = hd_formula_of(r, id)->sort == HD_SORT_REAL;
  if (was_real == is_real)
    return id;
  hd_formula to = {.op = is_real ? HD_FORMULA_TO_REAL : HD_FORMULA_TO_INT,
                   .sort = is_real ? HD_SORT_REAL : HD_SORT_INT,
                   .type = HD_NO_ID,
                   .args = {id, HD_NO_ID, HD_NO_ID},
                   .at = at};
  return hd_formula_node(r, to);
}

static hd_formula_id primary(formula_reader *r) {
  formula_token t = r->token;
  hd_formula_id id;
  if (t.kind == FORMULA_INT) {
    hd_formula_next(r);
    return hd_formula_int(r, (int64_t)t.number, t.at);
  }
  if (t.kind == FORMULA_REAL) {
    id = leaf(r, HD_FORMULA_REAL, HD_SORT_REAL);
    r->notes->formulas.data[id].value = (int64_t)t.number;
    r->notes->formulas.data[id].scale = t.scale;
    return id;
  }
  if (t.kind == FORMULA_NAME) {
    id = name(r);
  } else if (hd_formula_take(r, "(")) {
    id = hd_formula_parse(r);
    if (!r->failed)
      (void)hd_formula_need(r, ")");
  } else {
    hd_formula_expected(r, "an expression");
    return some(r);
  }
  return postfix(r, id);
}

static hd_formula_id unary(formula_reader *r) {
  if (++r->depth > MAX_DEPTH) {
    hd_formula_error(r, r->token.at, 1, "this is nested too deeply");
    r->depth--;
    return some(r);
  }
  uint32_t at = r->token.at;
  hd_formula_id id;
  if (hd_formula_is(r, "(") && is_type_word(hd_formula_peek(r).word)) {
    id = cast(r, unary);
  } else if (hd_formula_take(r, "!")) {
    id = hd_formula_unary(r, HD_FORMULA_NOT, unary(r), at);
  } else if (hd_formula_take(r, "-")) {
    id = hd_formula_unary(r, HD_FORMULA_NEG, unary(r), at);
  } else if (hd_formula_take(r, "+")) {
    id = hd_formula_number(r, unary(r));
  } else if (hd_formula_take(r, "*")) {
    id = unary(r);
    id = r->failed ? id : hd_formula_deref(r, id, at);
  } else if (hd_formula_take(r, "&")) {
    id = hd_formula_unary(r, HD_FORMULA_ADDRESS, unary(r), at);
  } else if (hd_formula_is(r, "~")) {
    hd_formula_error(r, at, 1, "'~' has no meaning for mathematical integers");
    id = some(r);
  } else {
    id = primary(r);
  }
  r->depth--;
  return id;
}

typedef struct {
  const char *sign;
  int strength;
  hd_formula_op op; /* HD_FORMULA_OP_COUNT = bits, which are refused */
  bool swapped, negated;
} operator_row;

static const operator_row operators[] = {
    {"||", 3, HD_FORMULA_OR, false, false},
    {"&&", 4, HD_FORMULA_AND, false, false},
    {"|", 5, HD_FORMULA_OP_COUNT, false, false},
    {"^", 6, HD_FORMULA_OP_COUNT, false, false},
    {"&", 7, HD_FORMULA_OP_COUNT, false, false},
    {"==", 8, HD_FORMULA_EQ, false, false},
    {"!=", 8, HD_FORMULA_NE, false, false},
    {"<", 9, HD_FORMULA_LT, false, false},
    {"<=", 9, HD_FORMULA_LE, false, false},
    {">", 9, HD_FORMULA_LT, true, false},
    {">=", 9, HD_FORMULA_LE, true, false},
    {"<<", 10, HD_FORMULA_OP_COUNT, false, false},
    {">>", 10, HD_FORMULA_OP_COUNT, false, false},
    {"+", 11, HD_FORMULA_ADD, false, false},
    {"-", 11, HD_FORMULA_SUB, false, false},
    {"*", 12, HD_FORMULA_MUL, false, false},
    {"/", 12, HD_FORMULA_DIV, false, false},
    {"%", 12, HD_FORMULA_MOD, false, false},
};

static const operator_row *operator_of(const formula_reader *r) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (r->token.kind == FORMULA_SIGN && hd_formula_is(r, operators[i].sign))
      return &operators[i];
  return NULL;
}

static hd_formula_id combine(formula_reader *r, const operator_row *row,
                             hd_formula_id a, hd_formula_id b, uint32_t at) {
  if (r->failed)
    return a;
  if (row->op == HD_FORMULA_OP_COUNT) {
    hd_formula_error(r, at, strlen(row->sign),
                     "'%s' has no meaning for mathematical integers; '/', '%%' "
                     "and '*' do",
                     row->sign);
    return a;
  }
  return row->swapped ? hd_formula_binary(r, row->op, b, a, at)
                      : hd_formula_binary(r, row->op, a, b, at);
}

/* Operators of at least `least`; all of them are left-associative. */
static hd_formula_id climb(formula_reader *r, int least) {
  hd_formula_id left = unary(r);
  bool compared = false;
  const operator_row *row;
  while (!r->failed && (row = operator_of(r)) && row->strength >= least) {
    uint32_t at = r->token.at;
    hd_formula_next(r);
    if (row->strength == 9 && compared) {
      hd_formula_error(
          r, at, strlen(row->sign),
          "'a %s b %s c' compares a truth value with c; write 'a %s "
          "b && b %s c'",
          row->sign, row->sign, row->sign, row->sign);
      return left;
    }
    compared = row->strength == 9;
    left = combine(r, row, left, climb(r, row->strength + 1), at);
  }
  return left;
}

static hd_formula_id conditional(formula_reader *r) {
  hd_formula_id test = climb(r, 3);
  uint32_t at = r->token.at;
  if (r->failed || !hd_formula_take(r, "?"))
    return test;
  hd_formula_id then = hd_formula_parse(r);
  if (r->failed || !hd_formula_need(r, ":"))
    return test;
  hd_formula_id other = hd_formula_parse(r);
  if (r->failed)
    return test;
  /* The sorts are balanced by a sum that is not kept. */
  hd_sort sort = (hd_sort)hd_formula_of(r, then)->sort;
  if (sort != hd_formula_of(r, other)->sort) {
    hd_formula sum = *hd_formula_of(
        r, hd_formula_binary(r, HD_FORMULA_ADD, then, other, at));
    then = sum.args[0];
    other = sum.args[1];
    sort = (hd_sort)sum.sort;
  } else if (sort != HD_SORT_BOOL && sort != HD_SORT_POINTER) {
    then = hd_formula_number(r, then);
    other = hd_formula_number(r, other);
  }
  hd_formula f = {.op = HD_FORMULA_COND,
                  .sort = (uint8_t)sort,
                  .type = HD_NO_ID,
                  .args = {hd_formula_bool(r, test), then, other},
                  .at = at};
  return hd_formula_node(r, f);
}

hd_formula_id hd_formula_parse(formula_reader *r) {
  if (++r->depth > MAX_DEPTH) {
    hd_formula_error(r, r->token.at, 1, "this is nested too deeply");
    r->depth--;
    return some(r);
  }
  hd_formula_id left = conditional(r);
  uint32_t at = r->token.at;
  if (!r->failed && (hd_formula_take(r, "=>") || hd_formula_take(r, "==>"))) {
    hd_formula_id right = hd_formula_parse(r);
    if (!r->failed)
      left = hd_formula_binary(r, HD_FORMULA_IMPLIES, left, right, at);
  }
  r->depth--;
  return left;
}

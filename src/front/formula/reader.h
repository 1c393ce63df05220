/* SPDX-License-Identifier: MIT */
/* Inside of front/formula: one pragma at a time. */
#ifndef HD_FRONT_FORMULA_READER_H
#define HD_FRONT_FORMULA_READER_H

#include "front/formula/formula.h"
#include "front/text.h"

typedef enum {
  FORMULA_END,
  FORMULA_NAME,
  FORMULA_INT,  /* number */
  FORMULA_REAL, /* number / 10^scale */
  FORMULA_SIGN, /* word: an operator or bracket */
  FORMULA_JUNK, /* why */
} formula_kind;

typedef struct {
  formula_kind kind;
  hd_word word;
  uint32_t at; /* offset in the text */
  uint64_t number;
  uint8_t scale;
  const char *why; /* JUNK: what is wrong with it */
} formula_token;

/* A source file; read when the first message or question needs it. */
typedef struct {
  hd_source source;
  bool tried, there;
} formula_file;
typedef hd_vec(formula_file) formula_files;

typedef struct {
  hd_word name;
  int64_t number;
} formula_bound;

typedef struct formula_reader {
  hd_notes *notes;
  const hd_notes *other; /* of the other program, attached already; or NULL */
  bool is_spec;          /* the other program is `impl` */
  hd_diag *diag;
  formula_files *files; /* one for each of code->files */
  hd_note note;         /* the annotation that is being read */
  const char *text;     /* of the pragma */
  size_t size;
  formula_token token; /* the next one */
  size_t behind;       /* where the one after it begins */
  hd_vec(formula_bound) bound;
  int depth;
  bool failed; /* this pragma has had its message */
} formula_reader;

/* --- lex.c --- */

void hd_formula_begin(formula_reader *r, uint32_t pragma);
void hd_formula_next(formula_reader *r);
/* The token after the next one, without moving. */
formula_token hd_formula_peek(const formula_reader *r);
bool hd_formula_is(const formula_reader *r, const char *sign_or_name);
/* Moves on if the next token is this one. */
bool hd_formula_take(formula_reader *r, const char *sign_or_name);
bool hd_formula_need(formula_reader *r, const char *sign_or_name);
/* One message for a pragma, at an offset of its text. */
HD_PRINTF(4, 5)
void hd_formula_error(formula_reader *r, uint32_t at, size_t length,
                      const char *format, ...);
/* "expected WHAT, found '…'" at the next token. */
void hd_formula_expected(formula_reader *r, const char *what);

/* --- place.c --- */

/* A file's text, or NULL when it cannot be read. */
const hd_source *hd_formula_source(formula_reader *r, uint32_t file);
/* The position in the source of `offset` in the text of the pragma. The source
 * is `*from`, or `*made` (the caller's to free) when the file is not there. */
hd_pos hd_formula_pos(formula_reader *r, uint32_t pragma, uint32_t offset,
                      size_t length, const hd_source **from, hd_source *made);
/* Where the first thing behind the pragma begins that is no blank, comment,
 * label or directive. False when the source cannot tell. */
bool hd_formula_behind(formula_reader *r, uint32_t pragma, hd_cpos *pos);

/* --- attach.c --- */

/* Finds what the annotation is about: sets loop, edge, variables, func, scope.
 * False after a message. */
bool hd_formula_attach(formula_reader *r);

/* --- names.c --- */

/* A variable by its name, as seen from `func` and `scope` (HD_NO_ID: from
 * outside) at the place of the annotation. */
bool hd_formula_find(const hd_code *code, const hd_note *note, hd_func_id func,
                     hd_scope_id scope, hd_word name, hd_cvar *var);
/* A variable of function `func`, wherever it stands there; `*several` when more
 * than one has the name. */
bool hd_formula_find_in(const hd_code *code, hd_func_id func, hd_word name,
                        hd_cvar *var, bool *several);
bool hd_formula_find_function(const hd_code *code, hd_word name,
                              hd_func_id *func);
bool hd_formula_find_constant(const hd_code *code, hd_word name,
                              int64_t *value);
/* A name near to a wrong one, or NULL. */
const char *hd_formula_nearest(const hd_code *code, const hd_note *note,
                               hd_word name);
bool hd_cpos_before(hd_cpos a, hd_cpos b);

/* --- type.c: nodes --- */

hd_formula_id hd_formula_node(formula_reader *r, hd_formula f);
hd_formula_id hd_formula_int(formula_reader *r, int64_t value, uint32_t at);
const hd_formula *hd_formula_of(const formula_reader *r, hd_formula_id id);
/* The node for a place of C type `type`, with the sort that has. */
hd_formula_id hd_formula_place(formula_reader *r, hd_formula f,
                               hd_ctype_id type);
const hd_code *hd_formula_code(const formula_reader *r, uint8_t program);
hd_formula_id hd_formula_bool(formula_reader *r, hd_formula_id id);
hd_formula_id hd_formula_number(formula_reader *r, hd_formula_id id);
hd_formula_id hd_formula_integer(formula_reader *r, hd_formula_id id,
                                 const char *what);
/* A unary or binary operation with C's conversions, or a message. */
hd_formula_id hd_formula_unary(formula_reader *r, hd_formula_op op,
                               hd_formula_id a, uint32_t at);
hd_formula_id hd_formula_binary(formula_reader *r, hd_formula_op op,
                                hd_formula_id a, hd_formula_id b, uint32_t at);
hd_formula_id hd_formula_index(formula_reader *r, hd_formula_id a,
                               hd_formula_id i, uint32_t at);
hd_formula_id hd_formula_deref(formula_reader *r, hd_formula_id a, uint32_t at);
hd_formula_id hd_formula_field(formula_reader *r, hd_formula_id a, hd_word name,
                               uint32_t at);

/* --- quantify.c --- */

/* At `forall`, `exists` or their ACSL forms. */
hd_formula_id hd_formula_quantifier(formula_reader *r);

/* --- parse.c --- */

/* A whole formula (implications are weakest), and one of strength `least`. */
hd_formula_id hd_formula_parse(formula_reader *r);

#endif

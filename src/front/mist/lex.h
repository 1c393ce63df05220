/* SPDX-License-Identifier: MIT */
/* The words of .spec. Comments are skipped; structured ones are kept for the
 * reader. Private to this folder. */
#ifndef HD_FRONT_MIST_LEX_H
#define HD_FRONT_MIST_LEX_H

#include "front/text.h"

typedef enum {
  MIST_ID,
  MIST_NUMBER,
  MIST_GE,
  MIST_EQ,
  MIST_ARROW,
  MIST_COMMA,
  MIST_SEMICOLON,
  MIST_PLUS,
  MIST_MINUS,
  MIST_OPEN,
  MIST_CLOSE,
  MIST_QUOTE,
  MIST_JUNK,
  MIST_VARS, /* keywords from here … */
  MIST_RULES,
  MIST_INIT,
  MIST_TARGET,
  MIST_INVARIANTS,
  MIST_TRUE,
  MIST_IN, /* … to here */
  MIST_END,
} mist_kind;

typedef struct {
  hd_region region;
  hd_diag *diag;
  /* The current token. */
  mist_kind kind;
  hd_word word;
  hd_pos pos; /* at the end of the file: just behind the last token */
  bool ended; /* the end of the file was reported */
  /* Structured comments met so far, each after its keyword. */
  hd_vec(hd_region) shared, numbered, names;
  hd_region rule_name; /* the last `transition` comment, if has_rule_name */
  bool has_rule_name;
} mist_lexer;

/* Moves to the next token. */
void hd_mist_next(mist_lexer *lexer);
/* "expected …, found …" at the current token. */
void hd_mist_expected(mist_lexer *lexer, const char *what);

#endif

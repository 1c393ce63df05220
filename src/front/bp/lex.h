/* SPDX-License-Identifier: MIT */
/* The words of a Boolean program. Private to this folder. */
#ifndef HD_FRONT_BP_LEX_H
#define HD_FRONT_BP_LEX_H

#include "front/text.h"
#include "model/program.h"

typedef enum {
  BP_ID,
  BP_NUMBER,
  BP_COMMA,
  BP_SEMICOLON,
  BP_COLON,
  BP_ASSIGN,   /* := */
  BP_QUESTION, /* ? */
  BP_OR,       /* | or || */
  BP_XOR,      /* ^ */
  BP_AND,      /* & or && */
  BP_IMPLIES,  /* => or -> */
  BP_EQUAL,    /* = or == */
  BP_UNEQUAL,  /* != */
  BP_NOT,      /* ! or ~ */
  BP_STAR,
  BP_PRIME, /* ' */
  BP_OPEN,
  BP_CLOSE,
  BP_LEFT,  /* [ */
  BP_RIGHT, /* ] */
  BP_LESS,
  BP_MORE,
  BP_JUNK,
  BP_END,
} bp_kind;

typedef struct {
  hd_region region;
  hd_diag *diag;
  bp_kind kind; /* of the current token … */
  hd_word word;
  hd_pos pos;
  const char *last_end; /* of the token before it */
  /* The last comment `// file F line N function G` not yet used; offsets into
   * the source, size 0 = none. */
  hd_word file, function;
  uint32_t source_line;
} bp_lexer;

void hd_bp_next(bp_lexer *lexer);
/* True when the current token is the identifier `text`. */
bool hd_bp_is(const bp_lexer *lexer, const char *text);
/* "expected …, found …" at the current token. */
void hd_bp_expected(bp_lexer *lexer, const char *what);
bool hd_bp_is_keyword(hd_word word);

#endif

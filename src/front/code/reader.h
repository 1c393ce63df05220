/* SPDX-License-Identifier: MIT */
/* Private to this folder: the words of a line, and what is known while a code
 * graph is read. */
#ifndef HD_FRONT_CODE_READER_H
#define HD_FRONT_CODE_READER_H

#include "front/code/code.h"
#include "front/text.h"

#define HD_MAP name_map
#define HD_KEY hd_word
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_bytes((k).text, (k).size)
#define HD_EQ(a, b)                                                            \
  ((a).size == (b).size && memcmp((a).text, (b).text, (a).size) == 0)
#include "base/map_templ.h"

typedef enum {
  CODE_WORD,   /* letters, digits, _ and . */
  CODE_NUMBER, /* digits, 0x…, with an optional minus */
  CODE_STRING, /* without quotes, escapes done */
  CODE_NAME,   /* @name, %name or &name; `sigil` says which */
  CODE_SIGN,   /* one of ( ) , : = * { } */
  CODE_DOTS,   /* ... */
  CODE_ARROW,  /* -> */
  CODE_JUNK,
  CODE_END, /* of the line */
} code_kind;

typedef struct {
  const hd_source *source;
  hd_diag *diag;
  hd_code *code;
  size_t at, line_end; /* offsets into the source; `at` is behind the token */
  code_kind kind;      /* the current token … */
  size_t start;        /* … begins here */
  hd_word word;        /* its text; of a name without the sigil */
  char sigil;
  bool negative; /* NUMBER */
  uint64_t number;
  bool failed;          /* an error was reported in this line */
  name_map symbols;     /* globals, and functions with the top bit set */
  name_map regs, slots; /* of the current function */
  hd_func_id func;      /* HD_NO_ID outside of functions */
} code_reader;

#define CODE_IS_FUNC 0x80000000u

/* The next token of the line. */
void hd_code_next(code_reader *r);
/* Reports "expected …, found …" once a line. */
void hd_code_expected(code_reader *r, const char *what);
HD_PRINTF(2, 3) void hd_code_error(code_reader *r, const char *format, ...);

bool hd_code_is_sign(const code_reader *r, char sign);
bool hd_code_is_word(const code_reader *r, const char *text);
/* Skips the token if it is that. */
bool hd_code_take_sign(code_reader *r, char sign);
bool hd_code_take_word(code_reader *r, const char *text);
/* What must come next; reported if not. */
void hd_code_need_sign(code_reader *r, char sign);
uint64_t hd_code_need_number(code_reader *r);
uint32_t hd_code_need_below(code_reader *r, size_t limit, const char *what);
const char *hd_code_need_string(code_reader *r);
hd_type hd_code_need_type(code_reader *r);
/* `FILE:LINE:COLUMN` or `-` */
hd_cpos hd_code_need_pos(code_reader *r);
bool hd_code_type_of(const code_reader *r, hd_word word, hd_type *type);

/* An expression; on an error some valid number. */
hd_cexpr_id hd_code_read_expr(code_reader *r);
hd_reg_id hd_code_need_reg(code_reader *r);

#endif

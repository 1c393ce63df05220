/* SPDX-License-Identifier: MIT */
/* What the readers of the parts of a litmus test share: words with their places,
 * and the threads, places and registers that were met. */
#ifndef HD_FRONT_LITMUS_TOKENS_H
#define HD_FRONT_LITMUS_TOKENS_H

#include "front/litmus/litmus.h"
#include "front/text.h"

typedef struct {
  hd_word word; /* in the source; a name, a number, or one sign */
  uint32_t line;
  bool name;
} litmus_token;

typedef hd_vec(litmus_token) litmus_tokens;

typedef struct {
  hd_word name;
  char *type; /* "int", "int *"; NULL: nobody has said */
  char *value;
  hd_word elements; /* of an array; empty: it is none */
} litmus_place;

typedef struct {
  unsigned thread;
  hd_word name;
  char *type;
  char *value; /* NULL: 0 */
  bool asked;  /* by the condition */
} litmus_register;

typedef struct {
  unsigned number;
  size_t params, params_end, body, body_end; /* tokens */
} litmus_thread;

typedef struct {
  const hd_source *source;
  hd_diag *diag;
  litmus_tokens tokens;
  size_t at;
  hd_vec(litmus_place) places;
  hd_vec(litmus_register) registers;
  hd_vec(litmus_thread) threads;
} litmus_reader;

/* Without comments. False after an error. */
HD_MUST_USE bool hd_litmus_split(litmus_reader *r);
/* Is the next token this one? And past it, if so. */
bool hd_litmus_is(const litmus_reader *r, const char *text);
bool hd_litmus_skip(litmus_reader *r, const char *text);
/* Reports what was expected at the next token. False. */
bool hd_litmus_expected(litmus_reader *r, const char *what);
/* An error at a token. False. */
HD_PRINTF(3, 4)
bool hd_litmus_wrong(litmus_reader *r, size_t token, const char *format, ...);

litmus_place *hd_litmus_find_place(litmus_reader *r, hd_word name);
litmus_register *hd_litmus_find_register(litmus_reader *r, unsigned thread,
                                         hd_word name);

/* The condition from the next token on, as an expression of C. */
HD_MUST_USE bool hd_litmus_condition(litmus_reader *r, hd_str *out);

#endif

/* SPDX-License-Identifier: MIT */
/* Code graphs written one action a line, for tests:
 *
 *   :L                 a label: the next line's place
 *   ? eq.i1(%a, %b) L  to L when it holds, else on (eq, ne, slt, sge, sle, sgt)
 *   goto L
 *   store @x = 1:i32   any action, then on
 *
 * A function ends with its last line, which must be a return or a goto. */
#ifndef HD_TESTS_CODE_UTIL_H
#define HD_TESTS_CODE_UTIL_H

#include "explore_util.h"

#include <stdlib.h>

typedef struct {
  char *lines[100];
  size_t n;
  struct {
    const char *name;
    size_t at;
  } labels[20];
  size_t n_labels;
} listing;

static inline size_t label_of(const listing *l, const char *name) {
  for (size_t i = 0; i < l->n_labels; i++)
    if (!strcmp(l->labels[i].name, name))
      return l->labels[i].at;
  fail_msg("no label %s", name);
  return 0;
}

static inline const char *opposite(const char *op) {
  static const char *const pairs[][2] = {
      {"eq", "ne"}, {"slt", "sge"}, {"sle", "sgt"}};
  for (size_t i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++)
      if (!strcmp(op, pairs[i][k]))
        return pairs[i][1 - k];
  fail_msg("no opposite of %s", op);
  return NULL;
}

static inline void put_line(hd_str *out, const listing *l, size_t at) {
  char *text = l->lines[at];
  hd_str_printf(out, "  location %zu 0:%zu:1\n", at, at + 1);
  if (!strncmp(text, "goto ", 5)) {
    hd_str_printf(out, "    -> %zu 0:%zu:1 set %%k = 0:i32\n",
                  label_of(l, text + 5), at + 1);
  } else if (text[0] == '?') {
    char *label = strrchr(text, ' '), *dot = strchr(text, '.');
    *label = *dot = 0;
    hd_str_printf(out, "    -> %zu 0:%zu:1 when %s.%s\n",
                  label_of(l, label + 1), at + 1, text + 2, dot + 1);
    hd_str_printf(out, "    -> %zu 0:%zu:1 when %s.%s\n", at + 1, at + 1,
                  opposite(text + 2), dot + 1);
  } else {
    bool last = !strncmp(text, "return", 6);
    hd_str_printf(out, "    -> %zu 0:%zu:1 %s\n", last ? at : at + 1, at + 1,
                  text);
  }
}

/* Adds a function: head is "@t0 (%arg) -> ptr". */
static inline void put_function(hd_str *out, const char *head,
                                const char *body) {
  char *copy = strdup(body);
  listing l = {0};
  for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
    while (*line == ' ')
      line++;
    if (*line == ':') {
      l.labels[l.n_labels].name = line + 1;
      l.labels[l.n_labels++].at = l.n;
    } else {
      l.lines[l.n++] = line;
    }
  }
  hd_str_printf(out, "function %s {\n", head);
  if (strstr(head, "%arg"))
    hd_str_puts(out, "  reg %arg ptr\n");
  hd_str_puts(out, "  reg %a i32\n  reg %b i32\n  reg %i i32\n  reg %k i32\n"
                   "  reg %q ptr\n  reg %ok i1\n  reg %h i64\n");
  for (size_t i = 0; i < l.n; i++)
    put_line(out, &l, i);
  hd_str_puts(out, "}\n");
  free(copy);
}

static inline void put_thread_body(hd_str *out, int number, const char *body) {
  char head[40];
  snprintf(head, sizeof head, "@t%d (%%arg) -> ptr", number);
  put_function(out, head, body);
}

#define CREATE(n, offset)                                                      \
  "call %k = @pthread_create(ptradd.ptr(@th, " offset ":i64), null, @t" n      \
  ", null)\n"
#define JOIN(offset)                                                           \
  "load %h = ptradd.ptr(@th, " offset ":i64)\n"                                \
  "call %k = @pthread_join(%h, null)\n"
#define LOCK(m) "call %k = @pthread_mutex_lock(@" m ")\n"
#define UNLOCK(m) "call %k = @pthread_mutex_unlock(@" m ")\n"

/* Threads t0, t1 (NULL: none) and main, with the declarations. */
static inline hd_code *program_of(const char *t0, const char *t1,
                                  const char *main) {
  hd_str out = {0};
  hd_str_puts(&out, declarations);
  hd_str_puts(&out, "file 0 \"test.c\"\n"
                    "global @third \"third\" size 40 align 8\n");
  if (t0)
    put_thread_body(&out, 0, t0);
  if (t1)
    put_thread_body(&out, 1, t1);
  put_function(&out, "@main () -> i32", main);
  hd_code *code = read_code(hd_str_text(&out));
  hd_str_free(&out);
  return code;
}

#endif

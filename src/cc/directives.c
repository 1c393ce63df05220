/* SPDX-License-Identifier: MIT */
/* Directives of which clang leaves too little in what it emits are written in another
 * way, on the same lines; models/openmp/runtime.c knows how to read it.
 *
 * `simd`, on a loop of its own: iterations may be executed at once, by the lanes of
 * one thread. It becomes a directive that shares the loop among threads, with a number
 * of threads that says that they are lanes. What has no meaning there is left out;
 * `safelen` goes into the number.
 *
 * `for` without `schedule`: any schedule is right. It gets one that nobody writes. */
#include "cc/openmp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at, *end;
} text;

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static void skip_blank(text *t) {
  while (t->at < t->end) {
    if (*t->at == ' ' || *t->at == '\t')
      t->at++;
    else if (*t->at == '\\' && t->end - t->at > 1 && t->at[1] == '\n')
      t->at += 2;
    else
      return;
  }
}

static bool takes(text *t, const char *word) {
  size_t n = strlen(word);
  skip_blank(t);
  if ((size_t)(t->end - t->at) < n || strncmp(t->at, word, n) != 0 ||
      (t->at + n < t->end && is_word(word[n - 1]) && is_word(t->at[n])))
    return false;
  t->at += n;
  return true;
}

static text next_word(text *t) {
  skip_blank(t);
  text word = {t->at, t->at};
  while (word.end < t->end && is_word(*word.end))
    word.end++;
  t->at = word.end;
  return word;
}

static bool is(text word, const char *name) {
  return (size_t)(word.end - word.at) == strlen(name) &&
         !strncmp(word.at, name, strlen(name));
}

/* "( … )", or nothing. */
static text next_parentheses(text *t) {
  skip_blank(t);
  text found = {t->at, t->at};
  if (t->at == t->end || *t->at != '(')
    return found;
  int depth = 0;
  for (; t->at < t->end; t->at++) {
    depth += *t->at == '(';
    depth -= *t->at == ')';
    if (!depth)
      break;
  }
  t->at += t->at < t->end;
  found.end = t->at;
  return found;
}

/* The end of the line that a directive is on, with those that go on. */
static const char *end_of(const char *at, const char *end) {
  for (; at < end && *at != '\n'; at++)
    if (*at == '\\' && at + 1 < end && at[1] == '\n')
      at++;
  return at;
}

static void skip_space(text *t) {
  while (t->at < t->end) {
    if (isspace((unsigned char)*t->at)) {
      t->at++;
    } else if (t->end - t->at > 1 && t->at[0] == '/' && t->at[1] == '/') {
      while (t->at < t->end && *t->at != '\n')
        t->at++;
    } else if (t->end - t->at > 1 && t->at[0] == '/' && t->at[1] == '*') {
      const char *stop = memmem(t->at, (size_t)(t->end - t->at), "*/", 2);
      t->at = stop ? stop + 2 : t->end;
    } else {
      return;
    }
  }
}

/* The variable of a loop `for (i = …`, if it is none of the loop's own. */
static text variable_of(text t) {
  text none = {t.at, t.at};
  skip_space(&t);
  if (!takes(&t, "for"))
    return none;
  skip_space(&t);
  if (!takes(&t, "("))
    return none;
  skip_space(&t);
  text word = next_word(&t);
  skip_blank(&t);
  return t.at < t.end && *t.at == '=' && word.at < word.end ? word : none;
}

static bool mentions(text list, text word) {
  for (text t = list; t.at < t.end; t.at++)
    if (is_word(*t.at) && (t.at == list.at || !is_word(t.at[-1]))) {
      text here = next_word(&t);
      if (here.end - here.at == word.end - word.at &&
          !strncmp(here.at, word.at, (size_t)(word.end - word.at)))
        return true;
      t.at--;
    }
  return false;
}

static void put(hd_str *out, text t) {
  hd_str_append(out, t.at, (size_t)(t.end - t.at));
}

static void put_clauses(text clauses, text variable, hd_str *out) {
  static const char *const kept[] = {"private",  "lastprivate",  "reduction",
                                     "collapse", "firstprivate", "linear"};
  bool last = variable.at < variable.end;
  long safelen = 0;
  while (clauses.at < clauses.end) {
    text name = next_word(&clauses), args = next_parentheses(&clauses);
    if (is(name, "safelen") && args.at < args.end)
      safelen = strtol(args.at + 1, NULL, 0);
    bool own = last && mentions(args, variable);
    if (own && is(name, "linear"))
      continue;
    last = last && !own;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
      if (is(name, kept[i])) {
        hd_str_puts(out, " ");
        put(out, name);
        put(out, args);
      }
    if (name.at == name.end && args.at == args.end)
      clauses.at++;
  }
  if (last) {
    hd_str_puts(out, " lastprivate(");
    put(out, variable);
    hd_str_puts(out, ")");
  }
  hd_str_printf(out, " num_threads(%ld)%s", HD_CC_LANES + safelen,
                safelen ? " schedule(dynamic, 1)" : "");
}

/* Behind the words of a directive that shares a loop: is there no clause that says
 * how? What is written in capitals may be anything. */
static bool leaves_open(text clauses) {
  while (clauses.at < clauses.end) {
    text name = next_word(&clauses);
    (void)next_parentheses(&clauses);
    if (is(name, "schedule") || is(name, "ordered"))
      return false;
    for (const char *c = name.at; c < name.end; c++)
      if (isupper((unsigned char)*c))
        return false;
    if (clauses.end - clauses.at > 1 && clauses.at[0] == '/')
      return true; /* a comment */
    if (name.at == name.end)
      clauses.at += clauses.at < clauses.end;
  }
  return true;
}

/* `t` is behind "omp": goes behind the words of the directive. */
static bool shares_loop(text *t) {
  static const char *const words[] = {"parallel", "target", "teams",
                                      "distribute"};
  bool found = false, more = true;
  while (more) {
    more = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      more = more || takes(t, words[i]);
    if (takes(t, "for"))
      found = more = true;
  }
  (void)takes(t, "simd");
  return found;
}

bool hd_cc_rewrite_openmp(const char *source, size_t size, hd_str *out) {
  const char *end = source + size;
  bool found = false;
  for (const char *line = source; line < end;) {
    const char *stop = end_of(line, end);
    text t = {line, stop}, rest;
    bool directive = takes(&t, "#") && takes(&t, "pragma") && takes(&t, "omp");
    rest = t;
    if (directive && shares_loop(&rest) && leaves_open(rest)) {
      found = true;
      put(out, (text){line, rest.at});
      hd_str_puts(out, " schedule(monotonic: static)");
      put(out, (text){rest.at, stop});
    } else if (directive && takes(&t, "simd")) {
      found = true;
      hd_str_puts(out, "#pragma omp parallel for");
      put_clauses(t, variable_of((text){stop, end}), out);
      for (const char *c = line; c < stop; c++)
        if (*c == '\n')
          hd_str_puts(out, "\\\n");
    } else {
      put(out, (text){line, stop});
    }
    if (stop < end)
      hd_str_puts(out, "\n");
    line = stop + 1;
  }
  return found;
}

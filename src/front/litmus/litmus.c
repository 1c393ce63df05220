/* SPDX-License-Identifier: MIT */
#include "front/litmus/litmus.h"

#include "front/litmus/tokens.h"

#include <string.h>

/* --- types --- */

/* Atomic types are those of what they hold: accesses say themselves that they
 * are atomic, and "*x" is a plain one. */
static const char *const atomic_types[][2] = {
    {"atomic_int", "int"},
    {"atomic_uint", "unsigned"},
    {"atomic_bool", "_Bool"},
    {"atomic_char", "char"},
    {"atomic_schar", "signed char"},
    {"atomic_uchar", "unsigned char"},
    {"atomic_short", "short"},
    {"atomic_ushort", "unsigned short"},
    {"atomic_long", "long"},
    {"atomic_ulong", "unsigned long"},
    {"atomic_llong", "long long"},
    {"atomic_ullong", "unsigned long long"},
    {"_Atomic", ""},
};

/* What stands for the word in C, or NULL: itself. */
static const char *plain_type(hd_word word) {
  for (size_t i = 0; i < sizeof atomic_types / sizeof *atomic_types; i++)
    if (hd_word_is(word, atomic_types[i][0]))
      return atomic_types[i][1];
  return NULL;
}

static void print_word(hd_str *out, hd_word word) {
  const char *plain = plain_type(word);
  static const char prefix[] = "atomic_";
  size_t n = sizeof prefix - 1;
  bool sized = word.size > n + 2 && !memcmp(word.text, prefix, n) &&
               !memcmp(word.text + word.size - 2, "_t", 2);
  if (plain)
    hd_str_puts(out, plain);
  else if (sized)
    hd_str_append(out, word.text + n, word.size - n);
  else
    hd_str_append(out, word.text, word.size);
}

static bool is_type(hd_word word) {
  static const char *const words[] = {"int",      "long",   "short", "char",
                                      "unsigned", "signed", "bool",  "_Bool",
                                      "volatile", "const"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hd_word_is(word, words[i]))
      return true;
  return plain_type(word) ||
         (word.size > 2 && !memcmp(word.text + word.size - 2, "_t", 2));
}

/* --- what comes first --- */

/* Up to the end of the entry; names are addresses. */
static void read_value(litmus_reader *r, hd_str *out) {
  bool braces = hd_litmus_is(r, "{");
  while (r->at < r->tokens.size && !hd_litmus_is(r, ";") &&
         (braces || !hd_litmus_is(r, "}"))) {
    const litmus_token *t = &r->tokens.data[r->at++];
    if (t->name && !hd_word_is(t[-1].word, "&"))
      hd_str_puts(out, "&");
    hd_str_append(out, t->word.text, t->word.size);
    if (braces && hd_word_is(t->word, "}"))
      return;
  }
}

static bool init_entry(litmus_reader *r) {
  hd_str type = {0};
  size_t first = r->at;
  while (r->at + 1 < r->tokens.size && is_type(r->tokens.data[r->at].word)) {
    print_word(&type, r->tokens.data[r->at++].word);
    hd_str_puts(&type, " ");
  }
  while (hd_litmus_skip(r, "*"))
    hd_str_puts(&type, type.size ? "*" : "");
  bool thread = r->at + 1 < r->tokens.size &&
                hd_word_is(r->tokens.data[r->at + 1].word, ":");
  unsigned number = 0;
  if (thread) {
    number = (unsigned)hd_word_number(r->tokens.data[r->at].word);
    r->at += 2;
  }
  bool bracket = hd_litmus_skip(r, "[");
  if (r->at >= r->tokens.size || !r->tokens.data[r->at].name) {
    hd_str_free(&type);
    return hd_litmus_expected(r, "the name of a place");
  }
  hd_word name = r->tokens.data[r->at++].word;
  if (bracket && !hd_litmus_skip(r, "]")) {
    hd_str_free(&type);
    return hd_litmus_expected(r, "']'");
  }
  hd_word elements = {0};
  if (!bracket && hd_litmus_skip(r, "[")) {
    if (r->at < r->tokens.size)
      elements = r->tokens.data[r->at++].word;
    if (!hd_word_is_number(elements) || !hd_litmus_skip(r, "]")) {
      hd_str_free(&type);
      return hd_litmus_wrong(r, r->at - 1, "expected a number and ']'");
    }
  }
  hd_str value = {0};
  if (hd_litmus_skip(r, "="))
    read_value(r, &value);
  char *said = type.size ? hd_str_take(&type) : NULL;
  hd_str_free(&type);
  if (!thread && hd_litmus_find_place(r, name)) {
    hd_free(said);
    hd_str_free(&value);
    return hd_litmus_wrong(r, first, "'%s' has a first value already",
                           hd_quote(name).text);
  }
  if (thread) {
    litmus_register reg = {.thread = number,
                           .name = name,
                           .type = said,
                           .value = hd_str_take(&value)};
    hd_vec_push(&r->registers, reg);
  } else {
    litmus_place place = {.name = name,
                          .type = said,
                          .value = hd_str_take(&value),
                          .elements = elements};
    hd_vec_push(&r->places, place);
  }
  return true;
}

static bool read_head(litmus_reader *r) {
  if (!hd_litmus_skip(r, "C"))
    return hd_litmus_expected(r, "'C': litmus tests of C are read, no others");
  while (r->at < r->tokens.size && !hd_litmus_is(r, "{"))
    r->at++;
  if (!hd_litmus_skip(r, "{"))
    return hd_litmus_expected(r, "'{' and the first values");
  while (!hd_litmus_skip(r, "}"))
    if (!hd_litmus_skip(r, ";") && !init_entry(r))
      return false;
  return true;
}

/* --- threads --- */

/* Past the closing bracket of the one before. */
static bool skip_to(litmus_reader *r, const char *open, const char *close) {
  size_t start = r->at;
  for (size_t depth = 1; depth; r->at++) {
    if (r->at >= r->tokens.size)
      return hd_litmus_wrong(r, start, "'%s' is missing", close);
    depth += hd_litmus_is(r, open);
    depth -= hd_litmus_is(r, close);
  }
  return true;
}

/* "atomic_int *x": the place it points to. */
static bool read_param(litmus_reader *r, size_t from, size_t to) {
  hd_str type = {0};
  size_t stars = 0;
  const litmus_token *t = r->tokens.data;
  for (size_t i = from; i + 1 < to; i++) {
    bool star = hd_word_is(t[i].word, "*");
    stars += star;
    if ((star && stars == 1) || hd_word_is(t[i].word, "volatile") ||
        hd_word_is(t[i].word, "const") || hd_word_is(t[i].word, "_Atomic"))
      continue;
    print_word(&type, t[i].word);
    hd_str_puts(&type, " ");
  }
  bool good = to > from && t[to - 1].name && stars > 0;
  if (good) {
    hd_word name = t[to - 1].word;
    litmus_place *place = hd_litmus_find_place(r, name);
    if (!place) {
      litmus_place fresh = {.name = name};
      hd_vec_push(&r->places, fresh);
      place = &hd_vec_last(&r->places);
    }
    if (!place->type)
      place->type = hd_str_take(&type);
  }
  hd_str_free(&type);
  return good || hd_litmus_wrong(r, from,
                                 "expected a pointer to a place, such as "
                                 "'atomic_int *x'");
}

/* Registers are declared at the top, wherever their declaration is. */
static void find_registers(litmus_reader *r, const litmus_thread *t) {
  for (size_t i = t->body; i < t->body_end; i++) {
    const litmus_token *x = r->tokens.data;
    if (!is_type(x[i].word) || hd_word_is(x[i - 1].word, "("))
      continue;
    hd_str type = {0};
    while (i < t->body_end &&
           (is_type(x[i].word) || hd_word_is(x[i].word, "*"))) {
      print_word(&type, x[i++].word);
      hd_str_puts(&type, " ");
    }
    size_t depth = 0;
    for (bool next = true; i < t->body_end && !hd_word_is(x[i].word, ";");
         i++) {
      depth += hd_word_is(x[i].word, "(");
      depth -= hd_word_is(x[i].word, ")");
      litmus_register *known =
          next && x[i].name ? hd_litmus_find_register(r, t->number, x[i].word)
                            : NULL;
      if (known && !known->type)
        known->type = hd_strdup(hd_str_text(&type));
      if (next && x[i].name && !known) {
        litmus_register fresh = {.thread = t->number,
                                 .name = x[i].word,
                                 .type = hd_strdup(hd_str_text(&type))};
        hd_vec_push(&r->registers, fresh);
      }
      next = !depth && hd_word_is(x[i].word, ",");
    }
    hd_str_free(&type);
  }
}

static bool read_thread(litmus_reader *r) {
  hd_word name = r->tokens.data[r->at].word;
  litmus_thread t = {.number = (unsigned)r->threads.size};
  if (name.size < 2 || name.text[0] != 'P' ||
      hd_word_number((hd_word){name.text + 1, name.size - 1}) != t.number)
    return hd_litmus_wrong(
        r, r->at, "expected thread P%u, or what is asked for", t.number);
  r->at++;
  if (!hd_litmus_skip(r, "("))
    return hd_litmus_expected(r, "'('");
  t.params = r->at;
  if (!skip_to(r, "(", ")"))
    return false;
  t.params_end = r->at - 1;
  for (size_t i = t.params, start = i;
       i <= t.params_end && t.params_end > start; i++)
    if (i == t.params_end || hd_word_is(r->tokens.data[i].word, ",")) {
      if (!read_param(r, start, i))
        return false;
      start = i + 1;
    }
  if (!hd_litmus_skip(r, "{"))
    return hd_litmus_expected(r, "'{'");
  t.body = r->at;
  if (!skip_to(r, "{", "}"))
    return false;
  t.body_end = r->at - 1;
  find_registers(r, &t);
  hd_vec_push(&r->threads, t);
  return true;
}

/* --- the program --- */

static void print_line(hd_str *out, const litmus_reader *r, uint32_t line) {
  hd_str_printf(out, "\n#line %u \"", line);
  for (const char *c = r->source->name; *c; c++)
    hd_str_printf(out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
  hd_str_puts(out, "\"\n");
}

static void print_places(hd_str *out, const litmus_reader *r) {
  for (hd_vec_each(const litmus_place, p, &r->places))
    hd_str_printf(out, "static %s%.*s%s%.*s%s = %s;\n",
                  p->type ? p->type : "int ", (int)p->name.size, p->name.text,
                  p->elements.size ? "[" : "", (int)p->elements.size,
                  p->elements.size ? p->elements.text : "",
                  p->elements.size ? "]" : "",
                  p->value && *p->value ? p->value
                  : p->elements.size    ? "{0}"
                                        : "0");
  for (hd_vec_each(const litmus_register, x, &r->registers))
    if (x->asked)
      hd_str_printf(out, "static %sP%u_%.*s;\n", x->type, x->thread,
                    (int)x->name.size, x->name.text);
}

static void print_tokens(hd_str *out, const litmus_reader *r, size_t from,
                         size_t to) {
  uint32_t line = from < to ? r->tokens.data[from].line : 0;
  bool declares = false;
  for (size_t i = from; i < to; i++) {
    const litmus_token *t = &r->tokens.data[i];
    for (; line < t->line; line++)
      hd_str_puts(out, "\n");
    /* The declaration is at the top; its value is assigned here. */
    bool type = is_type(t->word) && !hd_word_is(t[-1].word, "(");
    declares = type || (declares && hd_word_is(t->word, "*"));
    if (declares)
      continue;
    print_word(out, t->word);
    bool tight = i + 1 < to && !t->name && !t[1].name && t[1].line == t->line &&
                 t->word.text + t->word.size == t[1].word.text;
    hd_str_puts(out, tight ? "" : " ");
  }
}

static void print_params(hd_str *out, const litmus_reader *r,
                         const litmus_thread *t) {
  for (size_t i = t->params; i < t->params_end; i++) {
    print_word(out, r->tokens.data[i].word);
    hd_str_puts(out, " ");
  }
  if (t->params == t->params_end)
    hd_str_puts(out, "void");
}

static void print_thread(hd_str *out, litmus_reader *r,
                         const litmus_thread *t) {
  hd_str_printf(out, "static void P%u(", t->number);
  print_params(out, r, t);
  hd_str_puts(out, ") {\n");
  for (hd_vec_each(const litmus_register, x, &r->registers))
    if (x->thread == t->number)
      hd_str_printf(out, "  %s%.*s = %s;\n", x->type ? x->type : "int ",
                    (int)x->name.size, x->name.text,
                    x->value && *x->value ? x->value : "0");
  if (t->body < t->body_end)
    print_line(out, r, r->tokens.data[t->body].line);
  print_tokens(out, r, t->body, t->body_end);
  hd_str_puts(out, "\n");
  for (hd_vec_each(const litmus_register, x, &r->registers))
    if (x->thread == t->number && x->asked)
      hd_str_printf(out, "  P%u_%.*s = %.*s;\n", x->thread, (int)x->name.size,
                    x->name.text, (int)x->name.size, x->name.text);
  hd_str_printf(out, "}\nstatic void *thread%u(void *argument) {\n  P%u(",
                t->number, t->number);
  for (size_t i = t->params; i < t->params_end; i++) {
    const litmus_token *x = &r->tokens.data[i];
    if (i + 1 == t->params_end || hd_word_is(x[1].word, ","))
      hd_str_printf(out, "%s%.*s%s",
                    hd_litmus_find_place(r, x->word)->elements.size ? "" : "&",
                    (int)x->word.size, x->word.text,
                    i + 1 == t->params_end ? "" : ", ");
  }
  hd_str_puts(out, ");\n  return argument;\n}\n");
}

static void print_main(hd_str *out, const litmus_reader *r, const char *filter,
                       const char *claim, uint32_t line) {
  hd_str_puts(out, "int main(void) {\n");
  for (size_t i = 0; i < r->threads.size; i++)
    hd_str_printf(out,
                  "  pthread_t t%zu;\n"
                  "  pthread_create(&t%zu, 0, thread%zu, 0);\n",
                  i, i, i);
  for (size_t i = 0; i < r->threads.size; i++)
    hd_str_printf(out, "  pthread_join(t%zu, 0);\n", i);
  if (*filter)
    hd_str_printf(out, "  __VERIFIER_assume(%s);\n", filter);
  print_line(out, r, line);
  hd_str_printf(out, "  assert(%s);\n  return 0;\n}\n", claim);
}

/* --- what is asked for --- */

static bool read_question(litmus_reader *r, hd_litmus_question *question) {
  bool negated = hd_litmus_skip(r, "~") || hd_litmus_skip(r, "not");
  if (hd_litmus_skip(r, "exists"))
    *question = negated ? HD_LITMUS_NOT_EXISTS : HD_LITMUS_EXISTS;
  else if (!negated && hd_litmus_skip(r, "forall"))
    *question = HD_LITMUS_FORALL;
  else
    return hd_litmus_expected(r, "exists, ~exists or forall");
  return true;
}

/* Past "locations [x; y;]", which only asks for a table. */
static bool skip_locations(litmus_reader *r) {
  if (!hd_litmus_skip(r, "locations"))
    return true;
  if (!hd_litmus_skip(r, "["))
    return hd_litmus_expected(r, "'['");
  return skip_to(r, "[", "]");
}

static bool write_program(litmus_reader *r, hd_str *out,
                          hd_litmus_question *question) {
  hd_str claim = {0}, filter = {0}, condition = {0};
  bool good = skip_locations(r);
  if (good && hd_litmus_skip(r, "filter"))
    good = hd_litmus_condition(r, &filter);
  uint32_t line = r->at < r->tokens.size ? r->tokens.data[r->at].line : 1;
  good =
      good && read_question(r, question) && hd_litmus_condition(r, &condition);
  if (good && r->at < r->tokens.size)
    good = hd_litmus_expected(r, "the end of the file");
  if (good) {
    hd_str_printf(&claim, *question == HD_LITMUS_FORALL ? "%s" : "!(%s)",
                  hd_str_text(&condition));
    hd_str_puts(out, "#include <assert.h>\n#include <pthread.h>\n"
                     "#include <stdatomic.h>\n#include <stdbool.h>\n"
                     "#include <stddef.h>\n#include <stdint.h>\n"
                     "extern void __VERIFIER_assume(int);\n");
    print_places(out, r);
    for (hd_vec_each(const litmus_thread, t, &r->threads))
      print_thread(out, r, t);
    print_main(out, r, hd_str_text(&filter), hd_str_text(&claim), line);
  }
  hd_str_free(&claim);
  hd_str_free(&filter);
  hd_str_free(&condition);
  return good;
}

static void reader_free(litmus_reader *r) {
  for (hd_vec_each(litmus_place, p, &r->places)) {
    hd_free(p->type);
    hd_free(p->value);
  }
  for (hd_vec_each(litmus_register, x, &r->registers)) {
    hd_free(x->type);
    hd_free(x->value);
  }
  hd_vec_free(&r->tokens);
  hd_vec_free(&r->places);
  hd_vec_free(&r->registers);
  hd_vec_free(&r->threads);
}

static bool at_thread(const litmus_reader *r) {
  return r->at < r->tokens.size && r->tokens.data[r->at].name &&
         r->tokens.data[r->at].word.text[0] == 'P';
}

bool hd_litmus_write(const hd_source *source, hd_str *out,
                     hd_litmus_question *question, hd_diag *diag) {
  litmus_reader r = {.source = source, .diag = diag};
  bool good = hd_litmus_split(&r) && read_head(&r);
  while (good && at_thread(&r))
    good = read_thread(&r);
  good = good && write_program(&r, out, question);
  reader_free(&r);
  return good;
}

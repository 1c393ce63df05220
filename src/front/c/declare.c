/* SPDX-License-Identifier: MIT */
/* clang prints one declaration behind the other, without macros and comments, each
 * ended by a semicolon or a body. */
#include "front/c/declare.h"

#include "base/vec.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const char *at;
  size_t size;
} span;

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static span trim(span s) {
  while (s.size && isspace((unsigned char)*s.at)) {
    s.at++;
    s.size--;
  }
  while (s.size && isspace((unsigned char)s.at[s.size - 1]))
    s.size--;
  return s;
}

static char *keep(span s) {
  s = trim(s);
  hd_str text = {0};
  hd_str_append(&text, s.at, s.size);
  return hd_str_take(&text);
}

/* Behind the literal that begins here. */
static const char *skip_literal(const char *at) {
  char quote = *at++;
  while (*at && *at != quote)
    at += *at == '\\' && at[1] ? 2 : 1;
  return *at ? at + 1 : at;
}

/* Behind the bracket that closes the one here. */
static const char *skip_brackets(const char *at) {
  int depth = 0;
  do {
    if (*at == '"' || *at == '\'') {
      at = skip_literal(at);
      continue;
    }
    depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
    at++;
  } while (*at && depth > 0);
  return at;
}

/* The next declaration, without its end; `body`: it has one. */
static span next_item(const char **text, bool *body) {
  const char *start = *text, *at = start;
  *body = false;
  bool closed = false; /* a parameter list came before */
  while (*at && *at != ';') {
    if (*at == '{' && closed) {
      span item = {start, (size_t)(at - start)};
      *body = true;
      *text = skip_brackets(at);
      return item;
    }
    if (*at == '"' || *at == '\'') {
      at = skip_literal(at);
    } else if (*at && strchr("([{", *at)) {
      closed = *at == '(';
      at = skip_brackets(at);
    } else {
      closed = closed && (isspace((unsigned char)*at) || is_word(*at));
      at++;
    }
  }
  span item = {start, (size_t)(at - start)};
  *text = *at ? at + 1 : at;
  return item;
}

/* Without attributes, storage classes and the like. */
static void clean(span item, hd_str *out) {
  static const char *const words[] = {"extern",   "static",    "inline",
                                      "__inline", "_Noreturn", "register"};
  const char *at = item.at, *end = item.at + item.size;
  while (at < end) {
    if (!is_word(*at)) {
      hd_str_append(out, at++, 1);
      continue;
    }
    size_t n = 0;
    while (at + n < end && is_word(at[n]))
      n++;
    bool drop = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      drop = drop || (strlen(words[i]) == n && !strncmp(at, words[i], n));
    if (n == 13 && !strncmp(at, "__attribute__", n)) {
      at = skip_brackets(at + n);
      continue;
    }
    if (!drop)
      hd_str_append(out, at, n);
    at += n;
  }
  hd_str_puts(out, "");
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* The last word of the span, if it ends with one. */
static span last_word(span s) {
  s = trim(s);
  size_t n = 0;
  while (n < s.size && is_word(s.at[s.size - 1 - n]))
    n++;
  return (span){s.at + s.size - n, n};
}

static bool is_one_of(span word, const char *const *list) {
  for (; *list; list++)
    if (strlen(*list) == word.size && !strncmp(word.at, *list, word.size))
      return true;
  return false;
}

static const char *const builtin[] = {"void",   "char",   "short",    "int",
                                      "long",   "signed", "unsigned", "float",
                                      "double", "_Bool",  "__int128", NULL};
static const char *const tags[] = {"struct", "union", "enum", NULL};
static const char *const qualifiers[] = {"const", "volatile", "restrict",
                                         "__restrict", NULL};

/* The type of a parameter that may have a name. */
static char *without_name(span param) {
  param = trim(param);
  span word = last_word(param);
  span before = trim((span){param.at, param.size - word.size});
  span other = last_word(before);
  /* `void (*f)(int)`: the name is inside. */
  const char *star = memmem(param.at, param.size, "(*", 2);
  if (star) {
    const char *name = star + 2;
    while (name < param.at + param.size && is_word(*name))
      name++;
    hd_str text = {0};
    hd_str_append(&text, param.at, (size_t)(star + 2 - param.at));
    hd_str_append(&text, name, (size_t)(param.at + param.size - name));
    return hd_str_take(&text);
  }
  if (param.size && param.at[param.size - 1] == ']') { /* an array */
    size_t n = 0;
    while (param.at[n] != '[')
      n++;
    char *element = without_name((span){param.at, n});
    hd_str text = {0};
    hd_str_printf(&text, "%s *", element);
    hd_free(element);
    return hd_str_take(&text);
  }
  bool named = word.size && before.size && !is_one_of(word, builtin) &&
               !is_one_of(word, qualifiers) && !is_one_of(other, tags);
  /* `const T`: the word is the type. */
  span rest = before;
  while (named && is_one_of(last_word(rest), qualifiers) &&
         rest.at[rest.size - 1] != '*')
    rest = trim((span){rest.at, rest.size - last_word(rest).size});
  return keep(named && rest.size ? before : param);
}

static void read_params(const char *open, hd_c_function *f) {
  const char *end = skip_brackets(open) - 1, *at = open + 1, *start = at;
  while (at <= end) {
    if (at == end || *at == ',') {
      span param = trim((span){start, (size_t)(at - start)});
      bool none = !param.size ||
                  (param.size == 4 && begins(param.at, "void")) ||
                  (param.size == 3 && begins(param.at, "..."));
      if (!none)
        hd_vec_push(&f->params, without_name(param));
      start = ++at;
    } else {
      at = strchr("([{", *at) ? skip_brackets(at) : at + 1;
    }
  }
}

static void read_function(const char *text, bool body, hd_c_declarations *out) {
  const char *open = strchr(text, '(');
  const char *equals = strchr(text, '=');
  if (!open || (equals && equals < open) || open[1] == '*')
    return;
  span name = last_word((span){text, (size_t)(open - text)});
  if (!name.size || name.at == text)
    return;
  hd_c_function f = {.name = keep(name),
                     .result = keep((span){text, (size_t)(name.at - text)}),
                     .defined = body};
  read_params(open, &f);
  hd_vec_push(&out->functions, f);
}

/* "struct pool" of "struct pool { … }" */
static void read_struct(const char *text, hd_c_declarations *out) {
  const char *brace = strchr(text, '{');
  if (brace)
    hd_vec_push(&out->structs, keep((span){text, (size_t)(brace - text)}));
}

static void read_typedef(const char *text, hd_c_declarations *out) {
  span whole = trim((span){text, strlen(text)});
  const char *star = strstr(text, "(*");
  hd_c_name name = {0};
  if (star && !strchr(text, '{')) {
    const char *end = star + 2;
    while (is_word(*end))
      end++;
    name.name = keep((span){star + 2, (size_t)(end - star - 2)});
    hd_str type = {0};
    hd_str_append(&type, text, (size_t)(star + 2 - text));
    hd_str_puts(&type, end);
    name.type = hd_str_take(&type);
  } else {
    span word = last_word(whole);
    if (!word.size || word.at == whole.at)
      return;
    name.name = keep(word);
    name.type = keep((span){whole.at, (size_t)(word.at - whole.at)});
  }
  hd_vec_push(&out->names, name);
}

void hd_c_declarations_read(const char *text, hd_c_declarations *out) {
  while (*text) {
    bool body;
    span item = trim(next_item(&text, &body));
    hd_str plain = {0};
    clean(item, &plain);
    const char *at = hd_str_text(&plain);
    while (isspace((unsigned char)*at))
      at++;
    if (begins(at, "typedef "))
      read_typedef(at + 8, out);
    else if ((begins(at, "struct ") || begins(at, "union ")) &&
             strchr(at, '{') && !strchr(at, '='))
      read_struct(at, out);
    else
      read_function(at, body, out);
    hd_str_free(&plain);
  }
}

void hd_c_declarations_free(hd_c_declarations *d) {
  for (hd_vec_each(hd_c_function, f, &d->functions)) {
    hd_free(f->name);
    hd_free(f->result);
    for (size_t i = 0; i < f->params.size; i++)
      hd_free(f->params.data[i]);
    hd_vec_free(&f->params);
  }
  for (hd_vec_each(hd_c_name, n, &d->names)) {
    hd_free(n->name);
    hd_free(n->type);
  }
  for (size_t i = 0; i < d->structs.size; i++)
    hd_free(d->structs.data[i]);
  hd_vec_free(&d->functions);
  hd_vec_free(&d->names);
  hd_vec_free(&d->structs);
}

const hd_c_function *hd_c_declared(const hd_c_declarations *d,
                                   const char *name) {
  const hd_c_function *found = NULL;
  for (hd_vec_each(const hd_c_function, f, &d->functions))
    if (!strcmp(f->name, name) && (!found || f->defined))
      found = f;
  return found;
}

/* --- types --- */

/* Without qualifiers, with single spaces. */
static void strip(span type, hd_str *out) {
  const char *at = type.at, *end = type.at + type.size;
  while (at < end) {
    size_t n = 0;
    while (at + n < end && is_word(at[n]))
      n++;
    bool word = n > 0;
    n = word ? n : 1;
    if (isspace((unsigned char)*at) || is_one_of((span){at, n}, qualifiers)) {
      at += n;
      continue;
    }
    if (word && out->size && is_word(out->data[out->size - 1]))
      hd_str_puts(out, " ");
    hd_str_append(out, at, n);
    at += n;
  }
}

static const char *named(const hd_c_declarations *d, const char *name) {
  for (hd_vec_each(const hd_c_name, n, &d->names))
    if (!strcmp(n->name, name))
      return n->type;
  return NULL;
}

static bool is_known(const hd_c_declarations *d, const char *record) {
  for (size_t i = 0; i < d->structs.size; i++)
    if (!strcmp(d->structs.data[i], record))
      return true;
  return false;
}

static hd_c_kind kind_of_plain(const hd_c_declarations *d, const char *type) {
  if (strchr(type, '{'))
    return HD_C_RECORD;
  if (begins(type, "struct ") || begins(type, "union "))
    return is_known(d, type) ? HD_C_RECORD : HD_C_OPAQUE;
  if (begins(type, "enum "))
    return HD_C_INT;
  if (!strcmp(type, "void"))
    return HD_C_VOID;
  span rest = {type, strlen(type)};
  bool real = false;
  while (rest.size) {
    span word = last_word(rest);
    if (!word.size || !is_one_of(word, builtin))
      return HD_C_OPAQUE;
    real = real || begins(word.at, "double") || begins(word.at, "float");
    rest = trim((span){rest.at, rest.size - word.size});
  }
  return real ? HD_C_REAL : HD_C_INT;
}

static void resolve(const hd_c_declarations *d, const char *type, hd_str *out) {
  enum { MOST = 32 };
  strip((span){type, strlen(type)}, out);
  for (int i = 0; i < MOST; i++) {
    const char *other = named(d, hd_str_text(out));
    if (!other)
      return;
    hd_vec_clear(out);
    strip((span){other, strlen(other)}, out);
  }
}

hd_c_kind hd_c_kind_of(const hd_c_declarations *d, const char *type,
                       hd_str *plain) {
  hd_str text = {0};
  resolve(d, type, &text);
  hd_c_kind kind;
  if (strstr(hd_str_text(&text), "(*)(")) {
    kind = HD_C_FUNCTION;
    hd_vec_clear(&text);
    hd_str_puts(&text, named(d, type) ? named(d, type) : type);
  } else if (text.size && text.data[text.size - 1] == '*') {
    kind = HD_C_POINTER;
    hd_str to = {0}, found = {0};
    hd_str_append(&to, text.data, text.size - 1);
    resolve(d, hd_str_text(&to), &found);
    hd_str_free(&text);
    hd_str_free(&to);
    text = found;
  } else {
    kind = kind_of_plain(d, hd_str_text(&text));
  }
  if (plain)
    hd_str_append(plain, hd_str_text(&text), text.size);
  hd_str_free(&text);
  return kind;
}

/* SPDX-License-Identifier: MIT */
/* Each argument has its own objects, so that threads share what the library shares
 * and nothing else: the object that is an argument of all calls, and what the library
 * keeps itself.
 *
 *   numbers                any of a small range
 *   char *                 a text of two characters, any
 *   void *                 16 bytes
 *   other pointers         an object of the type, all zero
 *   pointers to functions  a function that does nothing and returns 0
 *   structs                all zero */
#include "cli/driver.h"

#include "base/vec.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const hd_driver *driver;
  hd_str helpers; /* what calls need */
  size_t count;   /* of helpers */
  hd_str *why;
} writer;

/* Do both lead to the same type? */
static bool same_object(const hd_driver *d, const char *a, const char *b) {
  hd_str left = {0}, right = {0};
  bool same = hd_c_kind_of(d->declared, a, &left) == HD_C_POINTER &&
              hd_c_kind_of(d->declared, b, &right) == HD_C_POINTER &&
              !strcmp(hd_str_text(&left), hd_str_text(&right));
  hd_str_free(&left);
  hd_str_free(&right);
  return same;
}

bool hd_driver_takes_object(const hd_driver *d, const hd_c_function *f) {
  for (size_t i = 0; i < f->params.size && d->type; i++)
    if (same_object(d, f->params.data[i], d->type))
      return true;
  return false;
}

static bool put_callback(writer *w, const char *type, hd_str *out) {
  const char *star = strstr(type, "(*)");
  if (!star)
    return false;
  hd_str result = {0};
  hd_str_append(&result, type, (size_t)(star - type));
  while (result.size && isspace((unsigned char)result.data[result.size - 1]))
    result.data[--result.size] = 0;
  bool nothing = !strcmp(hd_str_text(&result), "void");
  hd_str_printf(&w->helpers, "static %s callback_%zu%s {\n",
                hd_str_text(&result), w->count, star + 3);
  if (!nothing)
    hd_str_printf(&w->helpers, "  static %s none;\n  return none;\n",
                  hd_str_text(&result));
  hd_str_puts(&w->helpers, "}\n");
  hd_str_printf(out, "callback_%zu", w->count++);
  hd_str_free(&result);
  return true;
}

static bool put_pointer(writer *w, const char *type, const char *to,
                        hd_str *out) {
  const hd_driver *d = w->driver;
  hd_c_kind kind = hd_c_kind_of(d->declared, to, NULL);
  if (d->type && same_object(d, type, d->type)) {
    hd_str_puts(out, "object");
  } else if (kind == HD_C_VOID) {
    hd_str_printf(&w->helpers, "static char block_%zu[16];\n", w->count);
    hd_str_printf(out, "block_%zu", w->count++);
  } else if (!strcmp(to, "char")) {
    hd_str_printf(&w->helpers, "static char text_%zu[3];\n", w->count);
    hd_str_printf(out, "any_text(text_%zu)", w->count++);
  } else if (kind != HD_C_OPAQUE) {
    hd_str_printf(&w->helpers, "static __typeof__(*(%s)0) value_%zu;\n", type,
                  w->count);
    hd_str_printf(out, "&value_%zu", w->count++);
  } else {
    return false;
  }
  return true;
}

/* Any number of the range, or of the type. */
static void put_number(const hd_driver *d, const char *type, const char *plain,
                       hd_str *out) {
  static const struct {
    const char *type, *input;
  } inputs[] = {
      {"char", "char"},
      {"signed char", "char"},
      {"unsigned char", "uchar"},
      {"short", "short"},
      {"unsigned short", "ushort"},
      {"int", "int"},
      {"unsigned int", "uint"},
      {"_Bool", "bool"},
      {"long", "long"},
      {"unsigned long", "ulong"},
  };
  if (d->low <= d->high) {
    hd_str_printf(out, "(%s)heddle_nondet_longlong(%lld, %lld)", type,
                  (long long)d->low, (long long)d->high);
    return;
  }
  const char *input = strncmp(plain, "enum ", 5) == 0 ? "int" : "longlong";
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    if (!strcmp(plain, inputs[i].type))
      input = inputs[i].input;
  hd_str_printf(out, "(%s)__VERIFIER_nondet_%s()", type, input);
}

static bool put_argument(writer *w, const char *type, hd_str *out) {
  const hd_driver *d = w->driver;
  hd_str plain = {0};
  hd_c_kind kind = hd_c_kind_of(d->declared, type, &plain);
  bool good = true;
  switch (kind) {
  case HD_C_INT:
    put_number(d, type, hd_str_text(&plain), out);
    break;
  case HD_C_REAL:
    hd_str_printf(out, "(%s)heddle_nondet_double()", type);
    break;
  case HD_C_RECORD:
    hd_str_printf(out, "(%s){0}", type);
    break;
  case HD_C_FUNCTION:
    good = put_callback(w, hd_str_text(&plain), out);
    break;
  case HD_C_POINTER:
    good = put_pointer(w, type, hd_str_text(&plain), out);
    break;
  case HD_C_VOID:
  case HD_C_OPAQUE:
    good = false;
  }
  hd_str_free(&plain);
  return good;
}

static bool put_call(writer *w, const hd_c_function *f, hd_str *out) {
  hd_str_printf(out, "%s(", f->name);
  for (size_t i = 0; i < f->params.size; i++) {
    hd_str_puts(out, i ? ", " : "");
    if (!put_argument(w, f->params.data[i], out)) {
      hd_str_printf(w->why, "%s: nothing can be made that is a '%s'", f->name,
                    f->params.data[i]);
      return false;
    }
  }
  hd_str_puts(out, ")");
  return true;
}

/* The function that a text names, or calls first; NULL: none that is declared. */
static const hd_c_function *callee(const hd_driver *d, const char *text) {
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_')
    n++;
  hd_str name = {0};
  hd_str_append(&name, text, n);
  const hd_c_function *f = hd_c_declared(d->declared, hd_str_text(&name));
  hd_str_free(&name);
  return f;
}

/* Is the object what `init` returns? Else it is what that is given. */
static bool returns_object(const hd_driver *d, const hd_c_function *f) {
  return f && hd_c_kind_of(d->declared, f->result, NULL) == HD_C_POINTER &&
         (!d->type || same_object(d, f->result, d->type));
}

void hd_driver_guess_type(const hd_driver *d, hd_str *type) {
  const hd_c_function *f = d->init ? callee(d, d->init) : NULL;
  if (returns_object(d, f))
    hd_str_puts(type, f->result);
  else if (f && f->params.size &&
           hd_c_kind_of(d->declared, f->params.data[0], NULL) == HD_C_POINTER)
    hd_str_puts(type, f->params.data[0]);
}

/* A call that was written by hand, or one with arguments of ours. */
static bool put_given(writer *w, const char *text, hd_str *out) {
  if (strchr(text, '(')) {
    hd_str_puts(out, text);
    return true;
  }
  const hd_c_function *f = callee(w->driver, text);
  if (f)
    return put_call(w, f, out);
  hd_str_printf(w->why, "'%s' is not declared in %s", text, w->driver->include);
  return false;
}

static bool put_beginning(writer *w, hd_str *out) {
  const hd_driver *d = w->driver;
  if (!d->init)
    return true;
  /* The program has to have something to work on. */
  hd_driver some = *d;
  some.low = d->low < 1 && d->high >= 1 ? 1 : d->low;
  w->driver = &some;
  bool returned = returns_object(d, callee(d, d->init));
  hd_str_puts(out, returned ? "  object = " : "  ");
  bool good = put_given(w, d->init, out);
  hd_str_puts(out, ";\n");
  if (returned)
    hd_str_puts(out, "  if (!object)\n    return 0;\n");
  w->driver = d;
  return good;
}

static bool put_end(writer *w, hd_str *out) {
  if (!w->driver->fini)
    return true;
  hd_str_puts(out, "  ");
  bool good = put_given(w, w->driver->fini, out);
  hd_str_puts(out, ";\n");
  return good;
}

/* The object; where nobody makes it there is one, all zero. */
static void put_object(const hd_driver *d, hd_str *out) {
  if (!d->type)
    return;
  if (d->init && returns_object(d, callee(d, d->init)))
    hd_str_printf(out, "static %s object;\n", d->type);
  else
    hd_str_printf(out,
                  "static __typeof__(*(%s)0) the_object;\n"
                  "static __typeof__(&the_object) object = &the_object;\n",
                  d->type);
}

static void put_head(const hd_driver *d, hd_str *out) {
  hd_str_puts(out, "/* Made by heddle; to be changed at will. */\n");
  if (d->source)
    hd_str_puts(out, "#define main main_of_the_program\n");
  hd_str_printf(out, "#include \"%s\"\n", d->include);
  if (d->source)
    hd_str_puts(out, "#undef main\n");
  hd_str_puts(out, "#include <heddle.h>\n#include <pthread.h>\n");
  static const char *const inputs[][2] = {
      {"char", "char"},   {"unsigned char", "uchar"},
      {"short", "short"}, {"unsigned short", "ushort"},
      {"int", "int"},     {"unsigned int", "uint"},
      {"_Bool", "bool"},  {"long long", "longlong"},
      {"long", "long"},   {"unsigned long", "ulong"},
  };
  for (size_t i = 0; d->low > d->high && i < sizeof inputs / sizeof *inputs;
       i++)
    hd_str_printf(out, "extern %s __VERIFIER_nondet_%s(void);\n", inputs[i][0],
                  inputs[i][1]);
  put_object(d, out);
  hd_str_puts(out, "__attribute__((unused)) static char *any_text(char *at) {\n"
                   "  at[0] = (char)heddle_nondet_int(-128, 127);\n"
                   "  at[1] = (char)heddle_nondet_int(-128, 127);\n"
                   "  return at;\n}\n");
}

static void put_main(const hd_str *begin, const hd_str *end, size_t n,
                     hd_str *out) {
  hd_str_puts(out, "int main(void) {\n");
  hd_str_puts(out, hd_str_text(begin));
  if (n == 1)
    hd_str_puts(out, "  call_0(0);\n");
  for (size_t i = 0; n > 1 && i < n; i++)
    hd_str_printf(out,
                  "  pthread_t thread_%zu;\n"
                  "  pthread_create(&thread_%zu, 0, call_%zu, 0);\n",
                  i, i, i);
  for (size_t i = 0; n > 1 && i < n; i++)
    hd_str_printf(out, "  pthread_join(thread_%zu, 0);\n", i);
  hd_str_puts(out, hd_str_text(end));
  hd_str_puts(out, "  return 0;\n}\n");
}

bool hd_driver_write(const hd_driver *d, const hd_c_function *const *calls,
                     size_t n_calls, hd_str *out, hd_str *why) {
  writer w = {.driver = d, .why = why};
  hd_str begin = {0}, end = {0}, threads = {0};
  bool good = put_beginning(&w, &begin) && put_end(&w, &end);
  for (size_t i = 0; i < n_calls && good; i++) {
    hd_str_printf(&threads, "static void *call_%zu(void *unused) {\n  ", i);
    good = put_call(&w, calls[i], &threads);
    hd_str_puts(&threads, ";\n  return unused;\n}\n");
  }
  put_head(d, out);
  hd_str_puts(out, hd_str_text(&w.helpers));
  hd_str_puts(out, hd_str_text(&threads));
  put_main(&begin, &end, n_calls, out);
  hd_str_free(&begin);
  hd_str_free(&end);
  hd_str_free(&threads);
  hd_str_free(&w.helpers);
  return good;
}

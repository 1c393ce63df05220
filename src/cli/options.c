/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "base/flags.h"

#include <elf.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const hd_command_info hd_command_infos[HD_COMMAND_COUNT] = {
#define COMMAND(id, ...) {__VA_ARGS__},
    HD_COMMANDS(COMMAND)
#undef COMMAND
};

const hd_option_info hd_option_infos[HD_OPTION_COUNT] = {
#define OPTION(kind, id, ...) {HD_##kind, __VA_ARGS__},
    HD_OPTIONS(OPTION)
#undef OPTION
};

static const size_t offsets[HD_OPTION_COUNT] = {
#define OPTION(kind, id, ...) offsetof(hd_options, id),
    HD_OPTIONS(OPTION)
#undef OPTION
};

typedef struct {
  hd_options *options;
  int argc, at; /* argv[at] is looked at */
  char **argv;
  FILE *err;
} parser;

/* Says what is wrong and where help is; always false. */
HD_PRINTF(2, 3)
static bool fail(const parser *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("heddle: ", p->err);
  vfprintf(p->err, format, args);
  va_end(args);
  const hd_command_info *command = &hd_command_infos[p->options->command];
  if (p->options->command == HD_COMMAND_HELP)
    fputs("\nTry 'heddle -h'.\n", p->err);
  else
    fprintf(p->err, "\nTry 'heddle %s -h'.\n", command->name);
  return false;
}

/* Edit distance with a small bound: more than `most` is all the same. Names
 * are short; rows past the end of the buffer count as far apart. */
static size_t distance(const char *a, const char *b, size_t most) {
  enum { LONGEST = 32 };
  size_t n = strlen(a), m = strlen(b);
  if (n >= LONGEST || m >= LONGEST || (n > m ? n - m : m - n) > most)
    return most + 1;
  size_t row[LONGEST];
  for (size_t j = 0; j <= m; j++)
    row[j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t best = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      if (row[j] + 1 < best)
        best = row[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[m];
}

const char *hd_options_nearest(const char *text, const char *const *words) {
  size_t most = strlen(text) > 5 ? 2 : 1;
  const char *best = NULL;
  for (const char *const *word = words; *word; word++) {
    size_t d = distance(text, *word, most);
    if (d > most && strlen(text) >= 3 && !strncmp(*word, text, strlen(text)))
      d = most;
    if (d <= most && (!best || d < distance(text, best, most)))
      best = *word;
  }
  return best;
}

/* The option `--name` of the command, or -1. */
static int find_option(hd_command command, const char *name, size_t length) {
  for (int i = 0; i < HD_OPTION_COUNT; i++) {
    const hd_option_info *info = &hd_option_infos[i];
    if (info->commands >> command & 1 && *info->name &&
        strlen(info->name) == length && !memcmp(info->name, name, length))
      return i;
  }
  return -1;
}

static int find_letter(hd_command command, char letter) {
  for (int i = 0; i < HD_OPTION_COUNT; i++)
    if (hd_option_infos[i].commands >> command & 1 &&
        hd_option_infos[i].letter == letter)
      return i;
  return -1;
}

/* "verify, reach": the commands that have an option of this name. */
static size_t owners(const char *name, char *text, size_t room) {
  size_t used = 0;
  text[0] = 0;
  for (int c = 0; c < HD_COMMAND_COUNT; c++)
    if (find_option((hd_command)c, name, strlen(name)) >= 0 && used < room)
      used += (size_t)snprintf(text + used, room - used, "%s%s",
                               used ? ", " : "", hd_command_infos[c].name);
  return used;
}

static bool fail_unknown(const parser *p, const char *name) {
  hd_command command = p->options->command;
  char others[128];
  if (owners(name, others, sizeof others)) {
    if (command == HD_COMMAND_HELP)
      return fail(p,
                  "--%s comes after the command: heddle COMMAND --%s "
                  "(commands that take it: %s)",
                  name, name, others);
    return fail(p, "--%s is not an option of '%s'; commands that take it: %s",
                name, hd_command_infos[command].name, others);
  }
  const char *words[HD_OPTION_COUNT + 1];
  size_t n = 0;
  for (int i = 0; i < HD_OPTION_COUNT; i++)
    if (hd_option_infos[i].commands >> command & 1 && *hd_option_infos[i].name)
      words[n++] = hd_option_infos[i].name;
  words[n] = NULL;
  const char *near = hd_options_nearest(name, words);
  if (near)
    return fail(p, "unknown option --%s; did you mean --%s?", name, near);
  return fail(p, "unknown option --%s", name);
}

/* True when `word` is one of the '|'-separated words of `list`. */
static bool in_list(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list;; at++) {
    size_t n = strcspn(at, "|");
    if (n == length && !memcmp(at, word, n))
      return true;
    at += n;
    if (!*at)
      return false;
  }
}

static bool set_number(parser *p, const hd_option_info *info, uint64_t *field,
                       const char *text) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end)
    return fail(p, "--%s: expected a whole number for %s, found '%s'",
                info->name, info->argument, text);
  if (errno || (double)value < info->least || (double)value > info->most)
    return fail(p, "--%s: %s must be from %.0f to %.0f, found '%s'", info->name,
                info->argument, info->least, info->most, text);
  *field = value;
  return true;
}

static bool set_real(parser *p, const hd_option_info *info, double *field,
                     const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (strspn(text, "0123456789.") == 0 || *end || !isfinite(value))
    return fail(p, "--%s: expected a number for %s, found '%s'", info->name,
                info->argument, text);
  if (value < info->least || value > info->most)
    return fail(p, "--%s: %s must be from %g to %g, found '%s'", info->name,
                info->argument, info->least, info->most, text);
  *field = value;
  return true;
}

static bool set_value(parser *p, int option, const char *text) {
  const hd_option_info *info = &hd_option_infos[option];
  void *field = (char *)p->options + offsets[option];
  switch (info->kind) {
  case HD_FLAG:
    *(bool *)field = true;
    return true;
  case HD_TEXT:
    *(const char **)field = text;
    return true;
  case HD_CHOICE:
    if (!in_list(info->argument, text))
      return fail(p, "--%s: expected %s, found '%s'", info->name,
                  info->argument, text);
    *(const char **)field = text;
    return true;
  case HD_NUMBER:
    return set_number(p, info, field, text);
  case HD_REAL:
    return set_real(p, info, field, text);
  case HD_LIST:
    if (p->options->n_listed == HD_LISTED_MOST)
      return fail(p, "more than %d values of options like %s", HD_LISTED_MOST,
                  hd_options_shown((hd_option)option));
    ++*(size_t *)field;
    p->options->listed[p->options->n_listed].option = (hd_option)option;
    p->options->listed[p->options->n_listed++].text = text;
    return true;
  }
  hd_bug("option kind %d", (int)info->kind);
}

/* Sets an option from the command line. `value` is what stood behind '=' or a
 * letter, or NULL: then the next argument is taken where one is needed.
 * `shown` is how the user wrote the option. */
static bool take(parser *p, int option, const char *shown, const char *value) {
  const hd_option_info *info = &hd_option_infos[option];
  if (p->options->given[option] && info->kind != HD_LIST)
    return fail(p, "%s is given twice", shown);
  p->options->given[option] = true;
  if (info->kind == HD_FLAG) {
    if (value)
      return fail(p, "%s takes no value", shown);
    return set_value(p, option, NULL);
  }
  if (!value && p->at + 1 < p->argc) {
    const char *next = p->argv[p->at + 1];
    if (next[0] != '-' || !next[1]) {
      value = next;
      p->at++;
    }
  }
  if ((!value || !*value) && !*info->name)
    return fail(p, "%s needs a value: %s%s", shown, shown, info->argument);
  if (!value || !*value)
    return fail(p, "%s needs a value: --%s=%s", shown, info->name,
                info->argument);
  return set_value(p, option, value);
}

/* A flag of compilers, with its value; they are handed on. */
static bool take_flag(parser *p, const char *argument) {
  hd_flag flag = hd_flag_find(argument);
  const char *value = p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;
  if (!take(p, HD_OPTION_cflag, argument, argument))
    return false;
  if (!flag.separate)
    return true;
  p->at++;
  if (!value)
    return fail(p, "%s needs a value", argument);
  return take(p, HD_OPTION_cflag, argument, value);
}

static bool is_flag(const parser *p, const char *argument) {
  return hd_option_infos[HD_OPTION_cflag].commands >> p->options->command & 1 &&
         hd_flag_find(argument).use != HD_FLAG_UNKNOWN;
}

static bool take_long(parser *p, const char *argument) {
  const char *name = argument + 2;
  size_t length = strcspn(name, "=");
  char shown[64];
  snprintf(shown, sizeof shown, "--%.*s", (int)(length < 60 ? length : 60),
           name);
  int option = find_option(p->options->command, name, length);
  if (option < 0)
    return is_flag(p, argument) ? take_flag(p, argument)
                                : fail_unknown(p, shown + 2);
  return take(p, option, shown, name[length] ? name + length + 1 : NULL);
}

static bool take_letters(parser *p, const char *argument) {
  for (const char *letter = argument + 1; *letter; letter++) {
    int option = find_letter(p->options->command, *letter);
    if (option < 0 && letter > argument + 1)
      return fail(p, "unknown option %s", argument);
    if (option < 0)
      return fail(p, "unknown option -%c", *letter);
    char shown[3] = {'-', *letter, 0};
    bool flag = hd_option_infos[option].kind == HD_FLAG;
    const char *rest = !flag && letter[1] ? letter + 1 : NULL;
    if (!take(p, option, shown, rest))
      return false;
    if (!flag)
      return true;
  }
  return true;
}

/* Options that compilers know under one dash: -include FILE, -std=c11. */
static int find_dashed(hd_command command, const char *argument) {
  static const hd_option dashed[] = {HD_OPTION_include, HD_OPTION_std};
  size_t length = strcspn(argument + 1, "=");
  for (size_t i = 0; i < sizeof dashed / sizeof *dashed; i++) {
    const hd_option_info *info = &hd_option_infos[dashed[i]];
    if (info->commands >> command & 1 && strlen(info->name) == length &&
        !memcmp(info->name, argument + 1, length))
      return (int)dashed[i];
  }
  return -1;
}

static bool take_short(parser *p, const char *argument) {
  int option = find_dashed(p->options->command, argument);
  bool own = find_letter(p->options->command, argument[1]) >= 0 &&
             (strchr("IDU", argument[1]) || !argument[2]);
  if (option < 0 && !own && is_flag(p, argument))
    return take_flag(p, argument);
  if (option < 0)
    return take_letters(p, argument);
  const char *value = strchr(argument, '=');
  char shown[16];
  snprintf(shown, sizeof shown, "-%s", hd_option_infos[option].name);
  return take(p, option, shown, value ? value + 1 : NULL);
}

static bool take_operand(parser *p, const char *argument) {
  hd_options *options = p->options;
  const hd_command_info *info = &hd_command_infos[options->command];
  if (options->n_operands == info->most) {
    if (!info->most)
      return fail(p, "'%s' takes no operand, found '%s'", info->name, argument);
    return fail(p, "'%s' takes %s only, found also '%s'", info->name,
                info->operands, argument);
  }
  options->operands[options->n_operands++] = argument;
  return true;
}

static bool take_arguments(parser *p) {
  bool only_operands = false;
  for (; p->at < p->argc; p->at++) {
    const char *argument = p->argv[p->at];
    bool ok;
    if (only_operands || argument[0] != '-' || !argument[1])
      ok = take_operand(p, argument);
    else if (!strcmp(argument, "--"))
      ok = only_operands = true;
    else if (argument[1] == '-')
      ok = take_long(p, argument);
    else
      ok = take_short(p, argument);
    if (!ok)
      return false;
  }
  return true;
}

static bool threads_ok(const parser *p) {
  const char *text = p->options->threads;
  bool code = hd_options_code(p->options);
  if (!text || in_list(code ? "unbounded" : "parametric|dynamic", text))
    return true;
  if (*text && strspn(text, "0123456789") == strlen(text))
    return true;
  if (code)
    return fail(p, "--threads: expected unbounded or a number, found '%s'",
                text);
  return fail(p,
              "--threads: expected parametric, dynamic or a number, found "
              "'%s'",
              text);
}

/* Pairs that cannot both be meant. */
static bool agree(const parser *p) {
  static const struct {
    hd_option a, b;
    const char *why;
  } against[] = {
      {HD_OPTION_target, HD_OPTION_prop, "both give the target"},
      {HD_OPTION_threads, HD_OPTION_init, "both give the initial state"},
      {HD_OPTION_quiet, HD_OPTION_verbose, "less and more to read"},
      {HD_OPTION_quiet, HD_OPTION_statistics, "less and more to read"},
      {HD_OPTION_quiet, HD_OPTION_explain, "less and more to read"},
      {HD_OPTION_ir, HD_OPTION_quotient, "two things to show"},
      {HD_OPTION_ir, HD_OPTION_unfolding, "two things to show"},
      {HD_OPTION_ir, HD_OPTION_missing, "two things to show"},
      {HD_OPTION_m32, HD_OPTION_m64, "two widths"},
      {HD_OPTION_entry, HD_OPTION_harness,
       "a native program begins with main (heddle api --keep writes one)"},
      {HD_OPTION_schedule, HD_OPTION_seed, "both choose the schedule"},
      {HD_OPTION_schedule, HD_OPTION_input, "the schedule has the inputs"},
  };
  for (size_t i = 0; i < sizeof against / sizeof *against; i++)
    if (hd_options_given(p->options, against[i].a) &&
        hd_options_given(p->options, against[i].b))
      return fail(p, "--%s and --%s contradict each other: %s",
                  hd_option_infos[against[i].a].name,
                  hd_option_infos[against[i].b].name, against[i].why);
  return true;
}

/* What is for C programs only, and what is not for them. */
static bool suits(const parser *p) {
  static const hd_option only_code[] = {
      HD_OPTION_harness,  HD_OPTION_include_dir, HD_OPTION_define,
      HD_OPTION_undefine, HD_OPTION_include,     HD_OPTION_std,
      HD_OPTION_m32,      HD_OPTION_m64,         HD_OPTION_property,
      HD_OPTION_cflag,    HD_OPTION_project,     HD_OPTION_checks,
      HD_OPTION_arg,      HD_OPTION_no_spurious, HD_OPTION_malloc_fails,
      HD_OPTION_diagram,  HD_OPTION_outcomes,    HD_OPTION_unwind,
      HD_OPTION_widen,    HD_OPTION_cutoffs,     HD_OPTION_unfolding,
      HD_OPTION_domain,   HD_OPTION_unreduced,   HD_OPTION_confirm,
      HD_OPTION_missing,  HD_OPTION_fail_fast,   HD_OPTION_undefined,
      HD_OPTION_entry,    HD_OPTION_volatiles,   HD_OPTION_memory_model,
  };
  static const hd_option never_code[] = {
      HD_OPTION_target,     HD_OPTION_prop,        HD_OPTION_init,
      HD_OPTION_assertion,  HD_OPTION_no_slice,    HD_OPTION_no_live,
      HD_OPTION_no_jump,    HD_OPTION_max_threads, HD_OPTION_no_reduce,
      HD_OPTION_invariants, HD_OPTION_quotient,
  };
  const hd_options *o = p->options;
  bool code = hd_options_code(o);
  const hd_option *list = code ? never_code : only_code;
  size_t n = code ? sizeof never_code / sizeof *never_code
                  : sizeof only_code / sizeof *only_code;
  for (size_t i = 0; i < n; i++)
    if (o->given[list[i]])
      return fail(
          p,
          code ? "%s does not go with C programs"
               : "%s is for C programs (.c, .i, .bc, .ll, .o, .a, .code)",
          hd_options_shown(list[i]));
  if (!code && !strcmp(o->code_format, "svg"))
    return fail(
        p, "--format=svg is for C programs (.c, .i, .bc, .ll, .o, .a, .code)");
  if (!code && ((HD_ON_PLAY | HD_ON(STUBS)) >> o->command & 1))
    return fail(
        p,
        "'%s' is for C programs (.c, .i, .bc, .ll, .o, .a, .code): '%s' is "
        "none",
        hd_command_infos[o->command].name, o->operands[0]);
  return true;
}

/* Options that mean nothing alone. */
static bool sense(const parser *p) {
  const hd_options *o = p->options;
  if (o->path && !o->quotient)
    return fail(p, "--path goes with --quotient");
  if (o->command == HD_COMMAND_SHOW && !o->unfolding &&
      (hd_options_given(o, HD_OPTION_widen) ||
       hd_options_given(o, HD_OPTION_domain) ||
       hd_options_given(o, HD_OPTION_cutoffs)))
    return fail(p, "--widen, --cutoffs and --domain go with --unfolding");
  if (o->unfolding && hd_options_given(o, HD_OPTION_show_format) &&
      !strcmp(o->show_format, "text"))
    return fail(p, "--unfolding and --format=text contradict each other: an "
                   "unfolding is drawn");
  if (o->quotient && hd_options_given(o, HD_OPTION_show_format) &&
      !strcmp(o->show_format, "text"))
    return fail(p, "--quotient and --format=text contradict each other: a "
                   "quotient is drawn");
  return true;
}

static bool is_stdio(const char *path) {
  return path && !strcmp(path, "-");
}

/* Standard input and output serve one purpose each. */
static bool streams_ok(const parser *p) {
  const hd_options *o = p->options;
  bool evidence = o->command == HD_COMMAND_CHECK;
  if (is_stdio(o->operands[0]) &&
      (is_stdio(o->prop) || (evidence && is_stdio(o->operands[1]))))
    return fail(p, "standard input ('-') can be read only once");
  if (evidence && is_stdio(o->operands[1]) && is_stdio(o->prop))
    return fail(p, "standard input ('-') can be read only once");
  const char *outputs[] = {o->output ? o->output : "-",
                           o->witness,
                           o->certificate,
                           o->record,
                           o->diagram,
                           o->html,
                           o->write_baseline};
  const char *names[] = {"the report (--output)",
                         "--witness",
                         "--certificate",
                         "--record",
                         "--diagram",
                         "--html",
                         "--write-baseline"};
  /* The witness and the certificate are never both written. */
  for (size_t i = 1; i < sizeof outputs / sizeof *outputs; i++)
    if (outputs[i] && !strcmp(outputs[0], outputs[i]))
      return fail(p, "%s and %s would both be written to '%s'", names[i],
                  names[0], outputs[i]);
  return true;
}

static bool operands_ok(const parser *p) {
  const hd_options *o = p->options;
  const hd_command_info *info = &hd_command_infos[o->command];
  if (o->n_operands < info->least)
    return fail(p, "'%s' needs %s%s", info->name, info->operands,
                o->n_operands ? ", and only the first is given" : "");
  for (size_t i = 0; i < o->n_operands; i++)
    if (!*o->operands[i])
      return fail(p, "'%s': an empty file name", info->name);
  /* Only C programs come in several files. */
  if (o->n_operands > info->least && info->most == HD_OPERANDS_MOST &&
      o->command != HD_COMMAND_SUITE && !hd_options_code(o))
    return fail(p, "'%s' takes %s only, found also '%s'", info->name,
                info->least == 1 ? "one FILE" : "MODEL and EVIDENCE",
                o->operands[info->least]);
  return true;
}

const char *hd_options_value(const hd_options *options, hd_option id) {
  static char text[64];
  const void *field = (const char *)options + offsets[id];
  switch (hd_option_infos[id].kind) {
  case HD_TEXT:
  case HD_CHOICE:
    return *(const char *const *)field ? *(const char *const *)field : "";
  case HD_NUMBER:
    snprintf(text, sizeof text, "%llu",
             (unsigned long long)*(const uint64_t *)field);
    return text;
  case HD_REAL:
    snprintf(text, sizeof text, "%.17g", *(const double *)field);
    return text;
  case HD_FLAG:
  case HD_LIST:
    break;
  }
  return "";
}

const char *hd_options_shown(hd_option id) {
  static char shown[64];
  const hd_option_info *info = &hd_option_infos[id];
  if (*info->name)
    snprintf(shown, sizeof shown, "--%s", info->name);
  else
    snprintf(shown, sizeof shown, "-%c", info->letter);
  return shown;
}

/* Objects, archives and programs are told by how they begin. */
static bool is_object(const char *path) {
  char start[8] = {0};
  FILE *file = is_stdio(path) ? NULL : fopen(path, "rb");
  size_t n = file ? fread(start, 1, sizeof start, file) : 0;
  if (file)
    fclose(file);
  return n == sizeof start &&
         (!memcmp(start, ELFMAG, SELFMAG) || !memcmp(start, "!<arch>\n", 8) ||
          !memcmp(start, "BC\xC0\xDE", 4));
}

bool hd_options_code(const hd_options *o) {
  static const char *const endings[] = {
      ".c", ".i",  ".bc",     ".ll", ".code", ".o",
      ".a", ".so", ".litmus", ".cc", ".cpp",  ".cxx"}; /* C++: with OpenMP */
  if (o->command == HD_COMMAND_SUITE)
    return false;
  if (o->command == HD_COMMAND_API) /* of a header */
    return true;
  if (o->input_format && strcmp(o->input_format, "auto"))
    return in_list("c|code", o->input_format);
  const char *name = o->n_operands ? o->operands[0] : "";
  const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
  if (dot && slash && dot < slash) /* of a folder */
    dot = NULL;
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (!strcmp(dot, endings[i]))
      return true;
  /* What is named like a model is meant to be one. */
  return o->project || (!dot && o->n_operands && is_object(o->operands[0]));
}

bool hd_options_litmus(const hd_options *o) {
  const char *dot = o->n_operands ? strrchr(o->operands[0], '.') : NULL;
  return dot && !strcmp(dot, ".litmus");
}

static void set_defaults(parser *p) {
  for (int i = 0; i < HD_OPTION_COUNT; i++) {
    const hd_option_info *info = &hd_option_infos[i];
    if (info->kind == HD_CHOICE && *info->fallback &&
        !set_value(p, i, info->fallback))
      hd_bug("bad default of --%s", info->name);
  }
}

/* The command called `name`, or HD_COMMAND_COUNT. */
static hd_command find_command(const char *name) {
  int c = 0;
  while (c < HD_COMMAND_COUNT && strcmp(name, hd_command_infos[c].name))
    c++;
  return (hd_command)c;
}

static bool fail_command(const parser *p, const char *name) {
  const char *words[HD_COMMAND_COUNT + 1];
  for (int c = 0; c < HD_COMMAND_COUNT; c++)
    words[c] = hd_command_infos[c].name;
  words[HD_COMMAND_COUNT] = NULL;
  const char *near = hd_options_nearest(name, words);
  if (near)
    return fail(p, "unknown command '%s'; did you mean '%s'?", name, near);
  if (strpbrk(name, "./"))
    return fail(p, "unknown command '%s'; did you mean 'heddle verify %s'?",
                name, name);
  return fail(p, "unknown command '%s'", name);
}

static bool parse_help(parser *p) {
  hd_options *o = p->options;
  if (!o->n_operands)
    return true;
  hd_command about = find_command(o->operands[0]);
  if (about == HD_COMMAND_COUNT)
    return fail_command(p, o->operands[0]);
  return true;
}

bool hd_options_parse(hd_options *options, int argc, char **argv, FILE *err) {
  *options = (hd_options){.command = HD_COMMAND_HELP};
  parser p = {.options = options, .argc = argc, .argv = argv, .err = err};
  if (argc < 2) {
    hd_help_print(err, HD_COMMAND_HELP, false);
    return false;
  }
  p.at = 1;
  if (argv[1][0] != '-') {
    hd_command command = find_command(argv[1]);
    if (command == HD_COMMAND_COUNT)
      return fail_command(&p, argv[1]);
    options->command = command;
    p.at = 2;
  }
  set_defaults(&p);
  if (!take_arguments(&p))
    return false;
  if (options->help || options->short_help)
    return true;
  if (options->command == HD_COMMAND_HELP)
    return parse_help(&p);
  /* The project alone: its name is that of the program. */
  if (options->project && !options->n_operands)
    options->operands[options->n_operands++] = options->project;
  return operands_ok(&p) && threads_ok(&p) && agree(&p) && sense(&p) &&
         suits(&p) && streams_ok(&p);
}

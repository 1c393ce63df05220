/* SPDX-License-Identifier: MIT */
/* Help texts, made from the tables of cli/options.h. */
#include "cli/options.h"

#include <string.h>

enum { WIDTH = 79, HELP_COLUMN = 30 };

/* Prints the words of `text`, which begins at column `indent`, broken before
 * WIDTH; ends the line. */
static void print_wrapped(FILE *out, const char *text, int indent) {
  int column = indent;
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (column > indent && column + 1 + length > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      fputc(' ', out);
      column++;
    }
    fprintf(out, "%.*s", length, text);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', out);
}

/* "  -o, --output=FILE"; returns its length. */
static int print_names(FILE *out, const hd_option_info *info) {
  int n = info->letter
              ? fprintf(out, "  -%c%s", info->letter, *info->name ? ", " : "")
              : fprintf(out, "      ");
  if (*info->name)
    n += fprintf(out, "--%s%s%s", info->name, *info->argument ? "=" : "",
                 info->argument);
  else if (*info->argument)
    n += fprintf(out, " %s", info->argument);
  return n;
}

/* Short help wants one line: the default is left out where it does not fit. */
static void print_option(FILE *out, const hd_option_info *info, bool all) {
  char text[512];
  size_t length = (size_t)snprintf(text, sizeof text, "%s", info->help);
  if (all && *info->more)
    length += (size_t)snprintf(text + length, sizeof text - length, ". %s",
                               info->more);
  int used = print_names(out, info);
  int column = used + 2 > HELP_COLUMN && !all ? used + 2 : HELP_COLUMN;
  size_t whole = (size_t)column + length + strlen(info->fallback) + 3;
  if (*info->fallback && (all || whole <= WIDTH))
    snprintf(text + length, sizeof text - length, " [%s]", info->fallback);
  if (used + 2 > column)
    fprintf(out, "\n%*s", column, "");
  else
    fprintf(out, "%*s", column - used, "");
  print_wrapped(out, text, column);
}

/* The length of "C" in "C: define a macro": what an option is for, where it is
 * for one kind of input or engine only. 0 = for all. */
static size_t only_for(const hd_option_info *info) {
  const char *colon = strstr(info->help, ": ");
  return colon ? (size_t)(colon - info->help) : 0;
}

static bool same_kind(const hd_option_info *a, const hd_option_info *b) {
  return only_for(a) == only_for(b) && !strncmp(a->help, b->help, only_for(a));
}

/* "  C: -I -D --std": all options for what option `first` is for. */
static void print_kind(FILE *out, hd_command command, int first) {
  const hd_option_info *info = &hd_option_infos[first];
  char text[512];
  size_t used = 0;
  for (int i = first; i < HD_OPTION_COUNT; i++) {
    const hd_option_info *other = &hd_option_infos[i];
    if (!(other->commands >> command & 1) || !same_kind(info, other))
      continue;
    used += (size_t)snprintf(text + used, sizeof text - used, " %s",
                             hd_options_shown((hd_option)i));
    assert(used < sizeof text);
  }
  int indent = fprintf(out, "  %.*s:", (int)only_for(info), info->help);
  fputc(' ', out);
  print_wrapped(out, text + 1, indent + 1);
}

/* What is for some inputs or engines only is named at the end; --help explains
 * it. */
static void print_kinds(FILE *out, hd_command command) {
  bool any = false;
  for (int i = 0; i < HD_OPTION_COUNT; i++) {
    const hd_option_info *info = &hd_option_infos[i];
    bool fresh = info->commands >> command & 1 && only_for(info);
    for (int j = 0; j < i && fresh; j++)
      fresh = !(hd_option_infos[j].commands >> command & 1) ||
              !same_kind(info, &hd_option_infos[j]);
    if (!fresh)
      continue;
    fputs(any ? "" : "\nFor some only (--help explains them):\n", out);
    any = true;
    print_kind(out, command, i);
  }
}

/* Commands that take C programs only have no other kind to tell apart. */
static bool is_plain(hd_command command, const hd_option_info *info) {
  return !only_for(info) || HD_ON_PLAY >> command & 1;
}

static void print_options(FILE *out, hd_command command, bool all) {
  for (int i = 0; i < HD_OPTION_COUNT; i++) {
    const hd_option_info *info = &hd_option_infos[i];
    if (info->commands >> command & 1 && (all || is_plain(command, info)))
      print_option(out, info, all);
  }
  if (!all && !(HD_ON_PLAY >> command & 1))
    print_kinds(out, command);
}

static const char exit_codes[] =
    "Exit status:\n"
    "   0  safe (verify), complete (reach), accepted (check), done (others)\n"
    "  10  unsafe (verify), refused (check)\n"
    "   5  unknown: a limit was reached, or interrupted\n"
    "   1  usage error\n"
    "   2  the input cannot be read, is wrong, or cannot be treated\n"
    "   6  internal error, out of memory, or the output could not be written\n";

static void print_command(FILE *out, hd_command command, bool all) {
  const hd_command_info *info = &hd_command_infos[command];
  fprintf(out, "Usage: heddle %s [OPTION]...%s%s\n\n", info->name,
          *info->operands ? " " : "", info->operands);
  fprintf(out, "%c%s.\n", info->summary[0] - 'a' + 'A', info->summary + 1);
  if (info->most)
    fputs("The file name '-' is standard input or output.\n", out);
  fputc('\n', out);
  print_options(out, command, all);
  if (all)
    fprintf(out, "\n%s", exit_codes);
}

static void print_overview(FILE *out) {
  fputs("heddle decides whether a bad state can be reached in a concurrent "
        "system,\nfor any number of threads, and proves its answer.\n\n"
        "Usage: heddle COMMAND [OPTION]... FILE...\n\n",
        out);
  for (int c = 0; c < HD_COMMAND_COUNT; c++) {
    const hd_command_info *info = &hd_command_infos[c];
    char left[64];
    snprintf(left, sizeof left, "%s %s", info->name, info->operands);
    fprintf(out, "  heddle %-24s %s\n", left, info->summary);
  }
  fputs("\nModels: C programs with threads or MPI (.c .i .bc .ll), Boolean "
        "programs (.bp),\nthread transition systems (.tts), mist nets (.spec), "
        "PNML nets (.pnml).\n\n"
        "  heddle verify lock.tts --target='0|2,2'    two threads in state 2?\n"
        "  heddle verify queue.c                      assertions, races, "
        "deadlocks\n"
        "  heddle verify net.spec --witness=way.txt   write the way there\n"
        "  heddle check net.spec way.txt              believe nobody\n\n"
        "'heddle COMMAND -h' lists a command's options, --help explains "
        "them,\n'heddle --version' prints the version.\n",
        out);
}

void hd_help_print(FILE *out, hd_command command, bool all) {
  if (command != HD_COMMAND_HELP) {
    print_command(out, command, all);
    return;
  }
  print_overview(out);
  if (!all)
    return;
  for (int c = 0; c < HD_COMMAND_COUNT; c++) {
    fprintf(out, "\nOptions of heddle %s:\n", hd_command_infos[c].name);
    print_options(out, (hd_command)c, true);
  }
  fprintf(out, "\n%s", exit_codes);
}

void hd_help_print_table(FILE *out) {
  for (int c = 0; c < HD_COMMAND_COUNT; c++)
    for (int i = 0; i < HD_OPTION_COUNT; i++) {
      const hd_option_info *info = &hd_option_infos[i];
      if (!(info->commands >> c & 1))
        continue;
      char letter[2] = {info->letter, 0};
      fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", hd_command_infos[c].name,
              letter, info->name, info->argument, info->fallback, info->help,
              info->more);
    }
}

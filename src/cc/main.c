/* SPDX-License-Identifier: MIT */
/* The command line of heddle-cc: C in, code graph out. */
#include "base/io.h"
#include "cc/driver.h"
#include "cc/translate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, USAGE = 1, INPUT = 2 };

static const char usage[] =
    "usage: heddle-cc [OPTION]... FILE...\n"
    "Translates C (.c, .i) or LLVM (.bc, .ll) files, linked together, into a\n"
    "code graph in its text form.\n"
    "\n"
    "  -I DIR, -isystem DIR   look for headers there\n"
    "  -D NAME[=VALUE]        define a macro\n"
    "  -U NAME                undefine one\n"
    "  -include FILE          read this file first\n"
    "  -std=STANDARD          version of C; gnu11 if not given\n"
    "  --32, --64             width of pointers; if not given 64, or 32 where "
    "the\n"
    "                         source itself says that size_t is unsigned int\n"
    "  -o FILE                write there, not to standard output\n"
    "  --help, --version      say so\n";

typedef struct {
  cc_job job;
  const char *output;
  hd_arena arena;
} command;

static bool is_input(const char *file) {
  const char *dot = strrchr(file, '.');
  return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".i") ||
                 !strcmp(dot, ".bc") || !strcmp(dot, ".ll"));
}

/* Options that go to clang, with their value behind them or beside them. */
static bool clang_option(command *c, char **argv, int *i, bool *good) {
  static const char *const separate[] = {"-isystem", "-include"};
  static const char letters[] = "IDU";
  const char *arg = argv[*i];
  bool takes = arg[0] == '-' && arg[1] && !arg[2] && strchr(letters, arg[1]);
  for (size_t k = 0; k < 2; k++)
    takes = takes || !strcmp(arg, separate[k]);
  if (takes) {
    if (!argv[*i + 1]) {
      fprintf(stderr, "heddle-cc: option '%s' needs a value\n", arg);
      *good = false;
      return true;
    }
    hd_vec_push(&c->job.flags, arg);
    hd_vec_push(&c->job.flags, argv[++*i]);
    return true;
  }
  if (arg[0] == '-' && arg[1] && strchr(letters, arg[1])) {
    hd_vec_push(&c->job.flags, arg);
    return true;
  }
  return false;
}

static bool own_option(command *c, char **argv, int *i, bool *good) {
  const char *arg = argv[*i];
  if (!strcmp(arg, "--32") || !strcmp(arg, "--64")) {
    c->job.narrow = arg[2] == '3';
    c->job.wide = !c->job.narrow;
  } else if (!strncmp(arg, "-std=", 5)) {
    c->job.standard = arg;
  } else if (!strncmp(arg, "-o", 2)) {
    c->output = arg[2] ? arg + 2 : argv[++*i];
    *good = c->output != NULL;
    if (!*good)
      fprintf(stderr, "heddle-cc: option '-o' needs a value\n");
  } else {
    return false;
  }
  return true;
}

static bool read_file_name(command *c, const char *arg) {
  if (is_input(arg)) {
    hd_vec_push(&c->job.files, arg);
    return true;
  }
  fprintf(stderr,
          "heddle-cc: '%s': expected a file that ends in .c, .i, .bc or .ll\n",
          arg);
  return false;
}

static bool read_options(command *c, int argc, char **argv) {
  bool good = true, files_only = false;
  for (int i = 1; i < argc && good; i++) {
    const char *arg = argv[i];
    if (files_only || arg[0] != '-')
      good = read_file_name(c, arg);
    else if (!strcmp(arg, "--"))
      files_only = true;
    else if (!clang_option(c, argv, &i, &good) &&
             !own_option(c, argv, &i, &good)) {
      fprintf(stderr, "heddle-cc: unknown option '%s'\n", arg);
      good = false;
    }
  }
  if (good && !c->job.files.size) {
    fprintf(stderr, "heddle-cc: no file given\n");
    good = false;
  }
  return good;
}

/* Heddle's own headers: where $HEDDLE_INCLUDE says, beside the program as it is
 * installed, or in the source it was built from. */
static const char *own_headers(hd_arena *arena) {
  const char *given = getenv("HEDDLE_INCLUDE");
  if (given)
    return given;
  char self[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  char *slash = NULL;
  if (n > 0) {
    self[n] = 0;
    slash = strrchr(self, '/');
  }
  if (slash) {
    *slash = 0;
    hd_str path = {0};
    hd_str_printf(&path, "%s/../share/heddle/include", self);
    const char *kept = hd_arena_strndup(arena, hd_str_text(&path), path.size);
    hd_str_free(&path);
    if (access(kept, R_OK) == 0)
      return kept;
  }
  return access(HD_CC_INCLUDE, R_OK) == 0 ? HD_CC_INCLUDE : NULL;
}

/* What LLVM has to say while it reads and links. */
static void on_message(LLVMDiagnosticInfoRef info, void *context) {
  (void)context;
  char *text = LLVMGetDiagInfoDescription(info);
  LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
  if (severity == LLVMDSError || severity == LLVMDSWarning)
    fprintf(stderr, "heddle-cc: %s: %s\n",
            severity == LLVMDSError ? "error" : "warning", text);
  LLVMDisposeMessage(text);
}

static bool write_text(const char *path, const hd_str *text) {
  hd_diag *diag = hd_diag_new();
  hd_output output;
  bool good = hd_output_open(&output, path ? path : "-", diag);
  if (good) {
    fwrite(hd_str_text(text), 1, text->size, output.file);
    good = hd_output_close(&output, diag);
  }
  hd_diag_print(diag, stderr, false);
  hd_diag_delete(diag);
  return good;
}

static int translate(command *c) {
  cc_pragmas pragmas = {0};
  hd_str text = {0};
  int status = INPUT;
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, on_message, NULL);
  LLVMModuleRef module = hd_cc_load(&c->job, context, &c->arena, &pragmas);
  if (module) {
    hd_cc_translate(context, module, &pragmas, &text);
    status = write_text(c->output, &text) ? GOOD : INPUT;
    LLVMDisposeModule(module);
  }
  LLVMContextDispose(context);
  hd_vec_free(&pragmas);
  hd_str_free(&text);
  return status;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "--version")) {
      if (argv[i][2] == 'h')
        fputs(usage, stdout);
      else
        printf("heddle-cc %s, LLVM %d\n", HD_VERSION, 19);
      return fflush(stdout) ? INPUT : GOOD;
    }
  command c = {0};
  hd_arena_init(&c.arena);
  int status = USAGE;
  if (read_options(&c, argc, argv)) {
    c.job.include = own_headers(&c.arena);
    c.job.narrow = c.job.narrow || (!c.job.wide && hd_cc_is_narrow(&c.job));
    status = translate(&c);
  }
  hd_vec_free(&c.job.flags);
  hd_vec_free(&c.job.files);
  hd_arena_free(&c.arena);
  return status;
}

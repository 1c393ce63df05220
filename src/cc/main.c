/* SPDX-License-Identifier: MIT */
/* The command line of heddle-cc: C in, code graph out; or a compiler's. */
#include "base/flags.h"
#include "base/io.h"
#include "cc/compiler.h"
#include "cc/havoc.h"
#include "cc/project.h"
#include "cc/translate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, USAGE = 1, INPUT = 2 };

static const char usage[] =
    "usage: heddle-cc --graph [OPTION]... FILE...\n"
    "       heddle-cc [FLAG OF A COMPILER]... FILE...\n"
    "With --graph, translates C (.c, .i), LLVM (.bc, .ll), and what heddle-cc\n"
    "has left in objects, archives and programs, linked together, into a code\n"
    "graph in its text form. Without it, compiles as a compiler does\n"
    "(make CC=heddle-cc), and keeps in every object what heddle needs.\n"
    "\n"
    "  -I DIR, -isystem DIR   look for headers there\n"
    "  -D NAME[=VALUE]        define a macro\n"
    "  -U NAME                undefine one\n"
    "  -include FILE          read this file first\n"
    "  -std=STANDARD          version of C; gnu11 if not given\n"
    "  -p DIR                 flags of the files as in "
    "DIR/compile_commands.json;\n"
    "                         files that are not named are linked as needed\n"
    "  --like=FILE            files that are not there are compiled as FILE "
    "is,\n"
    "                         which they include\n"
    "  --32, --64             width of pointers; if not given 64, or 32 where "
    "the\n"
    "                         source itself says that size_t is unsigned int\n"
    "  --undefined=havoc      functions that nobody knows return any value\n"
    "  --declarations         not the graph: what one file, or header, "
    "declares\n"
    "  -o FILE                write there, not to standard output\n"
    "  --help, --version      say so\n"
    "\n"
    "Other flags of compilers are taken; those that say how to build mean\n"
    "nothing to a graph. HEDDLE_BUILD_CC names the compiler that makes the\n"
    "objects, cc if it is not set.\n";

typedef struct {
  cc_job job, models;
  hd_vec(const char *) files;
  const char *output, *project;
  const char *like; /* files that are not in the project are compiled as this */
  bool havoc;       /* what nobody defines */
  hd_arena arena;
} command;

/* The value of an option, behind it or in the next argument. */
static const char *value_of(char **argv, int *i, size_t name, bool *good) {
  const char *arg = argv[*i];
  if (arg[name])
    return arg + name;
  if (!argv[*i + 1]) {
    fprintf(stderr, "heddle-cc: option '%s' needs a value\n", arg);
    *good = false;
    return NULL;
  }
  return argv[++*i];
}

/* Flags of compilers; false for what is none. */
static bool take_flag(command *c, char **argv, int *i, bool *good) {
  const char *arg = argv[*i];
  hd_flag flag = hd_flag_find(arg);
  const char *value =
      flag.separate ? value_of(argv, i, strlen(arg), good) : NULL;
  switch (flag.use) {
  case HD_FLAG_LANGUAGE:
    hd_vec_push(&c->job.flags, arg);
    if (value)
      hd_vec_push(&c->job.flags, value);
    break;
  case HD_FLAG_STANDARD:
    c->job.standard = arg;
    break;
  case HD_FLAG_WIDTH:
    c->job.narrow = !strcmp(arg, "-m32");
    c->job.wide = !c->job.narrow;
    break;
  case HD_FLAG_NOTHING:
  case HD_FLAG_COMPILE:
  case HD_FLAG_STOP:
    break;
  case HD_FLAG_UNKNOWN:
    return false;
  }
  return true;
}

static bool own_option(command *c, char **argv, int *i, bool *good) {
  const char *arg = argv[*i];
  if (!strcmp(arg, "--32") || !strcmp(arg, "--64")) {
    c->job.narrow = arg[2] == '3';
    c->job.wide = !c->job.narrow;
  } else if (!strncmp(arg, "-o", 2)) {
    c->output = value_of(argv, i, 2, good);
  } else if (!strcmp(arg, "-p")) {
    c->project = value_of(argv, i, 2, good);
  } else if (!strncmp(arg, "--like=", 7)) {
    c->like = arg + 7;
  } else if (!strcmp(arg, "--undefined=havoc")) {
    c->havoc = true;
  } else {
    return !strcmp(arg, "--graph") || !strcmp(arg, "--declarations");
  }
  return true;
}

static bool read_options(command *c, int argc, char **argv) {
  bool good = true, files_only = false;
  for (int i = 1; i < argc && good; i++) {
    const char *arg = argv[i];
    if (files_only || arg[0] != '-')
      hd_vec_push(&c->files, arg);
    else if (!strcmp(arg, "--"))
      files_only = true;
    else if (!own_option(c, argv, &i, &good) &&
             !take_flag(c, argv, &i, &good)) {
      fprintf(stderr, "heddle-cc: unknown option '%s'\n", arg);
      good = false;
    }
  }
  if (good && !c->files.size && !c->project) {
    fprintf(stderr, "heddle-cc: no file given\n");
    good = false;
  }
  return good;
}

/* The models are beside heddle's headers, and compiled as they ask for. */
static void add_models(command *c, cc_units *units) {
  if (!c->job.include)
    return;
  hd_str folder = {0};
  hd_str_printf(&folder, "%s/../library", c->job.include);
  c->models = (cc_job){.include = c->job.include, .narrow = c->job.narrow};
  hd_str map = {0}; /* where heddle is installed is of no interest */
  hd_str_printf(&map, "-fdebug-prefix-map=%s=heddle", hd_str_text(&folder));
  hd_vec_push(&c->models.flags,
              hd_arena_strndup(&c->arena, hd_str_text(&map), map.size));
  hd_str_free(&map);
  hd_cc_add_models(units, &c->models, hd_str_text(&folder), &c->arena);
  hd_str_free(&folder);
}

/* False after a message. */
static bool find_units(command *c, cc_units *units) {
  for (size_t i = 0; i < c->files.size && !c->job.wide; i++) {
    const char *file = c->files.data[i];
    if (hd_cc_ends_with(file, ".c") || hd_cc_ends_with(file, ".i"))
      c->job.narrow = c->job.narrow || hd_cc_is_narrow(file);
  }
  if (c->project)
    return hd_cc_add_project(units, c->project, c->files.data, c->files.size,
                             c->like, &c->job, &c->arena);
  bool good = true;
  for (size_t i = 0; i < c->files.size && good; i++)
    good = hd_cc_add_file(units, &c->job, c->files.data[i], &c->arena);
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

static int translate(command *c, cc_units *units) {
  cc_pragmas pragmas = {0};
  hd_str text = {0};
  int status = INPUT;
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, on_message, NULL);
  LLVMModuleRef module = hd_cc_link(units, context, &c->arena, &pragmas);
  if (module && c->havoc)
    hd_cc_havoc(module);
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

/* What was asked for instead of work: --graph, --help or --version. */
static const char *find_word(int argc, char **argv) {
  static const char *const words[] = {"--help", "--version", "--graph",
                                      "--declarations"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
      if (!strcmp(argv[i], words[k]))
        return words[k];
  return NULL;
}

static int make_graph(int argc, char **argv) {
  command c = {0};
  cc_units units = {0};
  hd_arena_init(&c.arena);
  int status = USAGE;
  if (read_options(&c, argc, argv)) {
    c.job.include = own_headers(&c.arena);
    status = INPUT;
    if (find_units(&c, &units)) {
      add_models(&c, &units);
      status = translate(&c, &units);
    }
  }
  hd_cc_units_free(&units);
  hd_vec_free(&c.job.flags);
  hd_vec_free(&c.models.flags);
  hd_vec_free(&c.files);
  hd_arena_free(&c.arena);
  return status;
}

/* Of one file, which is compiled as the project says, if there is one. */
static int declare(int argc, char **argv) {
  command c = {0};
  cc_units units = {0};
  hd_str text = {0};
  hd_arena_init(&c.arena);
  int status = USAGE;
  if (read_options(&c, argc, argv) && c.files.size == 1) {
    c.job.include = own_headers(&c.arena);
    bool good = !c.project || find_units(&c, &units);
    const cc_job *job = &c.job;
    for (size_t i = 0; i < units.size && good; i++)
      if (!units.data[i].lazy)
        job = units.data[i].job;
    good = good && hd_cc_declare(job, c.files.data[0], &text);
    status = good && write_text(c.output, &text) ? GOOD : INPUT;
  }
  hd_str_free(&text);
  hd_cc_units_free(&units);
  hd_vec_free(&c.job.flags);
  hd_vec_free(&c.files);
  hd_arena_free(&c.arena);
  return status;
}

/* Builds ask what compiler this is, and know the answer of the real one. */
static int say_version(int argc, char **argv) {
  printf("heddle-cc %s, LLVM %d\n", HD_VERSION, 19);
  if (fflush(stdout))
    return INPUT;
  return argc == 2 ? hd_cc_be_compiler(argc, argv, NULL) : GOOD;
}

int main(int argc, char **argv) {
  const char *word = find_word(argc, argv);
  if (word && !strcmp(word, "--help")) {
    fputs(usage, stdout);
    return fflush(stdout) ? INPUT : GOOD;
  }
  if (word && !strcmp(word, "--version"))
    return say_version(argc, argv);
  if (word && !strcmp(word, "--declarations"))
    return declare(argc, argv);
  if (word)
    return make_graph(argc, argv);
  if (argc == 1) {
    fprintf(stderr, "heddle-cc: no file given\n");
    return USAGE;
  }
  hd_arena arena;
  hd_arena_init(&arena);
  int status = hd_cc_be_compiler(argc, argv, own_headers(&arena));
  hd_arena_free(&arena);
  return status;
}

/* SPDX-License-Identifier: MIT */
/* The flags say what a verifier wants: no optimisation whatever, debug
 * information, names, and overflow marked where C has it. Passing -fwrapv or
 * any pass would erase undefined behaviour that heddle looks for. */
#include "cc/driver.h"

#include "cc/cc.h"
#include "cc/openmp.h"
#include "cc/unsequenced.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char compiler[] = HD_CC_CLANG;

typedef hd_vec(const char *) arguments;

/* --- running clang --- */

static bool read_all(int from, hd_str *out) {
  static const size_t chunk = 1 << 16;
  for (;;) {
    hd_vec_reserve(out, out->size + chunk + 1);
    ssize_t n = read(from, out->data + out->size, chunk);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      out->data[out->size] = 0;
      return n == 0;
    }
    out->size += (size_t)n;
  }
}

bool hd_cc_read_file(const char *file, hd_str *out) {
  int from = open(file, O_RDONLY | O_CLOEXEC);
  bool good = from >= 0 && read_all(from, out);
  if (from >= 0)
    close(from);
  return good;
}

bool hd_cc_ends_with(const char *text, const char *with) {
  size_t n = strlen(text), k = strlen(with);
  return n >= k && !strcmp(text + n - k, with);
}

/* Skips white space, then this word; NULL: something else is there. */
static const char *skip_word(const char *at, const char *word) {
  size_t n = strlen(word);
  at += strspn(at, " \t\n");
  return strncmp(at, word, n) == 0 ? at + n : NULL;
}

static bool says_narrow(const char *text) {
  static const char *const words[] = {"unsigned", "int", "size_t", ";"};
  for (const char *at = text; (at = strstr(at, "typedef")) != NULL;) {
    at += strlen("typedef");
    const char *next = at;
    for (size_t i = 0; i < sizeof words / sizeof *words && next; i++)
      next = skip_word(next, words[i]);
    if (next)
      return true;
  }
  return false;
}

bool hd_cc_is_narrow(const char *file) {
  hd_str text = {0};
  bool narrow = hd_cc_read_file(file, &text) && says_narrow(hd_str_text(&text));
  hd_str_free(&text);
  return narrow;
}

bool hd_cc_is_cpp(const char *file) {
  static const char *const endings[] = {".cc", ".cpp", ".cxx", ".C", ".c++"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (hd_cc_ends_with(file, endings[i]))
      return true;
  return false;
}

/* What a switch looks like, and exceptions, are no part of C++ here. */
static void language_flags(const cc_job *job, bool cpp, arguments *args) {
  hd_vec_push(args, job->standard ? job->standard
                    : cpp         ? "-std=gnu++17"
                                  : "-std=gnu11");
  /* A switch over a constant keeps its blocks. */
  hd_vec_push(args, cpp ? "-fno-exceptions"
                        : "-Dswitch(...)=switch "
                          "(__builtin_annotation(+(__VA_ARGS__), \"\"))");
}

/* Options of gcc that clang has refused: left out from then on. */
static arguments refused;

static bool is_refused(const char *flag) {
  for (size_t i = 0; i < refused.size; i++)
    if (!strcmp(refused.data[i], flag))
      return true;
  return false;
}

/* Did clang refuse some? */
static bool take_refused(const char *messages) {
  static const char before[] = "error: unknown argument";
  bool any = false;
  for (const char *at = messages; (at = strstr(at, before)) != NULL;) {
    at += sizeof before - 1;
    at += strspn(at, ": '");
    size_t n = strcspn(at, "'\n");
    char *flag = hd_strndup(at, n);
    if (at[n] == '\'' && !is_refused(flag)) {
      fprintf(stderr,
              "heddle-cc: warning: '%s' is left out: clang does not know it\n",
              flag);
      hd_vec_push(&refused, flag);
      any = true;
    } else {
      hd_free(flag);
    }
  }
  return any;
}

static void common_flags(const cc_job *job, bool cpp, arguments *args) {
  static const char *const fixed[] = {
      "-g",
      /* Without a pass. At -O0 clang forgets the bodies of inline functions
       * that have no external definition. */
      "-O1",
      "-Xclang",
      "-disable-llvm-passes",
      "-U__OPTIMIZE__",
      "-fno-discard-value-names",
      "-ffp-contract=off",
      "-fno-stack-protector",
      "-Wno-everything",
      /* The function is then called with whatever the arguments are. */
      "-Wimplicit-function-declaration",
      /* Not for the reader, but for us (unsequenced.h). */
      "-Wunsequenced",
      "-Winteger-overflow",
      "-Wshift-count-overflow",
      "-Wshift-count-negative",
      "-Wdivision-by-zero",
      "-fno-color-diagnostics",
      /* Only this: where the lifetime of variables starts and ends. */
      "-Xclang",
      "-fsanitize-address-use-after-scope",
      /* Each string literal is an object of its own: whether those that are alike
       * are one is left open (C17 6.4.5). They are constants nevertheless. */
      "-Xclang",
      "-fwritable-strings",
      "-Wno-error=implicit-function-declaration",
      "-Wno-error=implicit-int",
      "-Wno-error=int-conversion",
      "-Wno-error=return-mismatch",
      "-Wno-error=incompatible-function-pointer-types",
      /* Of these C says the sign only: clang shall not compute one. */
      "-fno-builtin-strcmp",
      "-fno-builtin-strncmp",
      "-fno-builtin-memcmp",
      "-fno-builtin-bcmp",
      /* A value made by a call stays one: in which order it comes is open. */
      "-fno-builtin-memcpy",
      "-fno-builtin-memmove",
      "-fno-builtin-memset",
      "-D__NO_CTYPE", /* isdigit (c) is a call, not a look into a table */
      "-D__heddle_text(...)=#__VA_ARGS__", /* pragma.h */
      "-D" HD_CC_SAID "(...)=__heddle_text(__VA_ARGS__)",
  };
  language_flags(job, cpp, args);
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    hd_vec_push(args, fixed[i]);
  if (job->narrow)
    hd_vec_push(args, "-m32");
  hd_vec_push(args, "-D__malloc__(...)="); /* gcc's attribute has arguments */
  if (job->openmp)
    hd_vec_push(args, "-fopenmp");
  for (size_t i = 0; i < job->flags.size; i++)
    if (!is_refused(job->flags.data[i]))
      hd_vec_push(args, job->flags.data[i]);
  if (job->include) {
    hd_vec_push(args, "-isystem");
    hd_vec_push(args, job->include);
  }
  /* Debian's headers of the C library know both widths, but clang looks for
   * them under another name. */
  if (job->narrow) {
    hd_vec_push(args, "-idirafter");
    hd_vec_push(args, "/usr/include/x86_64-linux-gnu");
  }
}

/* Preprocessed text, mostly made by gcc, whose headers use more than clang has.
 * Definitions can bridge that, when the text is read as plain C; but where it
 * defines the types itself it was not made for gcc. */
static void preprocessed_flags(const char *file, arguments *args) {
  static const char *const types[] = {
      "-D_Float32=float", "-D_Float64=double", "-D_Float32x=double",
      "-D_Float64x=long double", "-D_Float128=__float128"};
  hd_str text = {0};
  bool own = !hd_cc_read_file(file, &text) ||
             memmem(hd_str_text(&text), text.size, " _Float64;", 10);
  hd_str_free(&text);
  for (size_t i = 0; i < sizeof types / sizeof *types && !own; i++)
    hd_vec_push(args, types[i]);
}

/* Starts it with its standard output in a pipe; the reading end, or -1. Its
 * standard input is `input`, unless that is -1, its messages go to `messages`. */
static int start(const arguments *args, int input, int messages, pid_t *child) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) {
    fprintf(stderr, "heddle-cc: cannot make a pipe: %s\n", strerror(errno));
    return -1;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (input >= 0)
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (messages >= 0)
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
  int error = posix_spawnp(child, args->data[0], &actions, NULL,
                           (char *const *)(uintptr_t)args->data, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (!error)
    return ends[0];
  close(ends[0]);
  fprintf(stderr, "heddle-cc: cannot run %s: %s%s\n", compiler, strerror(error),
          error == ENOENT ? "; it comes with Debian's package clang-19" : "");
  return -1;
}

/* A file in memory with `text` behind a line that says where it comes from; -1
 * after a message. */
static int make_input(const char *file, const hd_str *text) {
  hd_str whole = {0};
  hd_str_puts(&whole, "# 1 ");
  hd_cc_print_string(&whole, file);
  hd_str_puts(&whole, "\n");
  hd_str_append(&whole, hd_str_text(text), text->size);
  int fd = memfd_create("heddle-cc", MFD_CLOEXEC);
  size_t done = 0;
  while (fd >= 0 && done < whole.size) {
    ssize_t n = write(fd, whole.data + done, whole.size - done);
    if (n <= 0 && errno != EINTR) {
      close(fd);
      fd = -1;
    }
    done += n > 0 ? (size_t)n : 0;
  }
  hd_str_free(&whole);
  if (fd < 0)
    fprintf(stderr, "heddle-cc: no file in memory: %s\n", strerror(errno));
  else
    lseek(fd, 0, SEEK_SET);
  return fd;
}

/* Where "…" is looked for, when the text comes from standard input. */
static const char *directory_of(const char *file, hd_str *out) {
  const char *slash = strrchr(file, '/');
  hd_str_append(out, slash ? file : ".",
                slash ? (size_t)(slash - file) + 1 : 1);
  return hd_str_text(out);
}

/* What clang makes of a file. */
typedef enum { BITCODE, TEXT, DECLARATIONS } product;

static void product_flags(product what, arguments *args) {
  static const char *const flags[][5] = {
      [BITCODE] = {"-emit-llvm", "-c", "-o", "-"},
      [TEXT] = {"-E", "-o", "-"},
      [DECLARATIONS] = {"-fsyntax-only", "-Xclang", "-ast-print"},
  };
  for (size_t i = 0; flags[what][i]; i++)
    hd_vec_push(args, flags[what][i]);
}

/* What clang said goes to stderr, but for what we want to know. True: there are
 * options to be left out. */
static bool pass_on(int messages, hd_arena *arena, cc_pragmas *pragmas) {
  hd_str text = {0};
  lseek(messages, 0, SEEK_SET);
  bool said = read_all(messages, &text) && text.size;
  bool again = said && take_refused(hd_str_text(&text));
  if (said && !again)
    hd_cc_take_unsequenced(hd_str_text(&text), arena, pragmas);
  hd_str_free(&text);
  close(messages);
  return again;
}

/* Runs clang on `file`, or on `text` in its place unless that is NULL; what it
 * writes goes to `out`. clang itself says what is wrong with the program. With
 * `pragmas` what it says about orders goes there. */
static bool run_clang(const cc_job *job, const char *file, const hd_str *text,
                      product what, hd_arena *arena, cc_pragmas *pragmas,
                      hd_str *out) {
  arguments args = {0};
  hd_vec_push(&args, compiler);
  hd_vec_push(&args, "-x");
  hd_vec_push(&args, hd_cc_is_cpp(file) ? "c++" : "c");
  common_flags(job, hd_cc_is_cpp(file), &args);
  if (hd_cc_ends_with(file, ".i"))
    preprocessed_flags(file, &args);
  product_flags(what, &args);
  hd_str directory = {0};
  if (text) {
    hd_vec_push(&args, "-iquote");
    hd_vec_push(&args, directory_of(file, &directory));
  }
  /* A name that begins with '-' would be an option; clang forgets "--". */
  hd_str named = {0};
  hd_str_printf(&named, "%s%s", file[0] == '-' ? "./" : "", file);
  hd_vec_push(&args, text ? "-" : hd_str_text(&named));
  hd_vec_push(&args, NULL);
  pid_t child;
  int input = text ? make_input(file, text) : -1;
  int messages = pragmas ? memfd_create("heddle-cc", MFD_CLOEXEC) : -1;
  int from = text && input < 0 ? -1 : start(&args, input, messages, &child);
  if (input >= 0)
    close(input);
  hd_vec_free(&args);
  hd_str_free(&directory);
  hd_str_free(&named);
  bool good = from >= 0 && read_all(from, out);
  int status = 0;
  if (from >= 0) {
    close(from);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  }
  if (messages >= 0 && pass_on(messages, arena, pragmas)) {
    hd_vec_clear(out);
    return run_clang(job, file, text, what, arena, pragmas, out);
  }
  if (from < 0)
    return false;
  if (WIFSIGNALED(status))
    fprintf(stderr, "heddle-cc: %s was ended by signal %d\n", compiler,
            WTERMSIG(status));
  return good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- pragmas --- */

/* clang -E costs as much as compiling: only when there seems to be one. */
static bool find_pragmas(const cc_job *job, const char *file,
                         const hd_str *source, hd_arena *arena,
                         cc_pragmas *pragmas) {
  bool preprocessed = hd_cc_ends_with(file, ".i");
  hd_str plain = {0}, text = {0};
  size_t first = pragmas->size;
  bool good =
      preprocessed ||
      (hd_cc_rewrite(hd_str_text(source), source->size, HD_CC_LINES, &plain) &&
       run_clang(job, file, &plain, TEXT, NULL, NULL, &text));
  const hd_str *from = preprocessed ? source : &text;
  if (good)
    hd_cc_read_pragmas(hd_str_text(from), from->size, file, arena, pragmas);
  if (good && !preprocessed)
    hd_cc_place_pragmas(hd_str_text(source), source->size, file, pragmas,
                        first);
  hd_str_free(&plain);
  hd_str_free(&text);
  return good;
}

/* Can the pragmas come out of the compiler itself? Only those of this text do:
 * those of headers have to be looked for. */
static bool only_here(const cc_job *job, const char *file,
                      const hd_str *source) {
  const char *text = hd_str_text(source);
  for (size_t i = 0; i < job->flags.size; i++)
    if (!strncmp(job->flags.data[i], "-i", 2) ||
        !strncmp(job->flags.data[i], "-I", 2))
      return false;
  return !hd_cc_ends_with(file, ".i") &&
         !memmem(text, source->size, "include \"", 9) &&
         !memmem(text, source->size, "include\"", 8) &&
         !memmem(text, source->size, "_Pragma", 7);
}

bool hd_cc_compile(const cc_job *given, const char *file, hd_arena *arena,
                   cc_pragmas *pragmas, hd_str *bits) {
  hd_str source = {0}, text = {0};
  bool read = hd_cc_read_file(file, &source);
  cc_job with = *given;
  const cc_job *job = &with;
  with.openmp = read && hd_cc_has_openmp(hd_str_text(&source), source.size);
  bool lanes = false;
  if (with.openmp) {
    hd_cc_find_doubts(hd_str_text(&source), source.size, file, arena, pragmas);
    hd_str shared = {0};
    lanes = hd_cc_rewrite_openmp(hd_str_text(&source), source.size, &shared);
    if (lanes) {
      hd_str_free(&source);
      source = shared;
    } else {
      hd_str_free(&shared);
    }
  }
  bool has = read && hd_cc_has_pragmas(hd_str_text(&source), source.size);
  bool said =
      has && only_here(job, file, &source) &&
      hd_cc_rewrite(hd_str_text(&source), source.size, HD_CC_NAMES, &text);
  if (has && !said) {
    hd_vec_clear(&text);
    has = hd_cc_rewrite(hd_str_text(&source), source.size, HD_CC_CALLS, &text);
  }
  bool good =
      run_clang(job, file,
                has     ? &text
                : lanes ? &source
                        : NULL,
                BITCODE, arena, pragmas, bits) &&
      (!has || said || find_pragmas(job, file, &source, arena, pragmas));
  hd_str_free(&source);
  hd_str_free(&text);
  return good;
}

bool hd_cc_declare(const cc_job *job, const char *file, hd_str *out) {
  return run_clang(job, file, NULL, DECLARATIONS, NULL, NULL, out);
}

/* SPDX-License-Identifier: MIT */
/* The build must go as it goes without heddle: what heddle cannot do is a
 * warning, and the status is the compiler's. */
#include "cc/compiler.h"

#include "base/flags.h"
#include "cc/object.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef hd_vec(const char *) words;

typedef struct {
  cc_job job;
  hd_arena arena;
  const char *real; /* the compiler */
  words all;        /* its arguments, as they came */
  words flags;      /* without sources, -c and -o */
  words sources;
  words others; /* objects, archives, -l: what is linked, in this order */
  const char *output;
  bool compile, stop;
} build;

static int run(const words *command) {
  pid_t child;
  int status = 0;
  int error = posix_spawnp(&child, command->data[0], NULL, NULL,
                           (char *const *)(uintptr_t)command->data, environ);
  if (error) {
    fprintf(stderr, "heddle-cc: cannot run %s: %s\n", command->data[0],
            strerror(error));
    return 127;
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void append(words *to, const words *from) {
  for (size_t i = 0; i < from->size; i++)
    hd_vec_push(to, from->data[i]);
}

/* --- arguments --- */

static void read_flag(build *b, const char *argument, const char *value) {
  hd_flag flag = hd_flag_find(argument);
  if (!flag.separate)
    value = NULL;
  words *to = !strncmp(argument, "-l", 2) ? &b->others : &b->flags;
  switch (flag.use) {
  case HD_FLAG_COMPILE:
    b->compile = true;
    return;
  case HD_FLAG_STOP:
    b->stop = true;
    return;
  case HD_FLAG_LANGUAGE:
    hd_vec_push(&b->job.flags, argument);
    if (value)
      hd_vec_push(&b->job.flags, value);
    break;
  case HD_FLAG_STANDARD:
    b->job.standard = argument;
    break;
  case HD_FLAG_WIDTH:
    b->job.narrow = !strcmp(argument, "-m32");
    break;
  case HD_FLAG_NOTHING:
    /* -x says what the files are, and they may be anything then. */
    b->stop = b->stop || !strncmp(argument, "-x", 2);
    break;
  case HD_FLAG_UNKNOWN:
    break;
  }
  hd_vec_push(to, argument);
  if (value)
    hd_vec_push(to, value);
}

static void read_arguments(build *b, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *argument = argv[i], *next = argv[i + 1];
    hd_vec_push(&b->all, argument);
    if (argument[0] != '-' || !argument[1]) {
      hd_vec_push(hd_cc_ends_with(argument, ".c") ? &b->sources : &b->others,
                  argument);
      continue;
    }
    if (!strncmp(argument, "-o", 2)) {
      b->output = argument[2] ? argument + 2 : next;
    } else {
      read_flag(b, argument, next);
    }
    if (next && (!strcmp(argument, "-o") || hd_flag_find(argument).separate)) {
      hd_vec_push(&b->all, next);
      i++;
    }
  }
}

/* --- objects --- */

/* The flags of the real compiler are clang's or gcc's; those that only matter
 * for linking are no mistake. */
static int make_object(build *b, const char *source, const char *object) {
  words command = {0};
  hd_vec_push(&command, b->real);
  append(&command, &b->flags);
  if (strstr(b->real, "clang"))
    hd_vec_push(&command, "-Qunused-arguments");
  hd_vec_push(&command, "-c");
  hd_vec_push(&command, source);
  hd_vec_push(&command, "-o");
  hd_vec_push(&command, object);
  hd_vec_push(&command, NULL);
  int status = run(&command);
  hd_vec_free(&command);
  return status;
}

/* Frees the text that is kept. */
static const char *keep(build *b, hd_str *text) {
  const char *kept = hd_arena_strndup(&b->arena, hd_str_text(text), text->size);
  hd_str_free(text);
  return kept;
}

static bool add_section(build *b, const char *object, const hd_str *content) {
  static const char *const tools[] = {"objcopy", "llvm-objcopy-19"};
  hd_str name = {0}, flag = {0};
  hd_str_printf(&name, "%s.heddle-part", object);
  const char *part = keep(b, &name);
  hd_str_printf(&flag, HD_CC_SECTION "=%s", part);
  const char *added = keep(b, &flag);
  FILE *file = fopen(part, "wb");
  bool good = file && fwrite(hd_str_text(content), 1, content->size, file) ==
                          content->size;
  good = file && fclose(file) == 0 && good;
  bool done = false;
  for (size_t i = 0; i < 2 && good && !done; i++) {
    words command = {0};
    hd_vec_push(&command, tools[i]);
    hd_vec_push(&command, "--add-section");
    hd_vec_push(&command, added);
    hd_vec_push(&command, object);
    hd_vec_push(&command, NULL);
    done = run(&command) == 0;
    hd_vec_free(&command);
  }
  unlink(part);
  return done;
}

/* Also where the sources cannot be found any more, their names should say
 * where they were. */
static void embed(build *b, const char *source, const char *object) {
  cc_pragmas pragmas = {0};
  hd_str bits = {0}, content = {0};
  char *real = realpath(source, NULL);
  if (!hd_cc_compile(&b->job, real ? real : source, &b->arena, &pragmas,
                     &bits)) {
    fprintf(stderr,
            "heddle-cc: warning: %s has no bitcode for heddle in it, since "
            "clang does not compile %s\n",
            object, source);
  } else {
    if (pragmas.size)
      fprintf(stderr,
              "heddle-cc: warning: annotations of %s that stand in headers, "
              "or beside them, and what is said about the order of operands, "
              "are not kept in %s\n",
              source, object);
    hd_cc_print_section(&content, real ? real : source, &bits);
    if (!add_section(b, object, &content))
      fprintf(stderr,
              "heddle-cc: warning: %s has no bitcode for heddle in it\n",
              object);
  }
  free(real);
  hd_vec_free(&pragmas);
  hd_str_free(&bits);
  hd_str_free(&content);
}

static const char *object_of(build *b, const char *source) {
  const char *slash = strrchr(source, '/');
  const char *name = slash ? slash + 1 : source;
  hd_str text = {0};
  hd_str_append(&text, name, strlen(name) - 1);
  hd_str_puts(&text, "o");
  return keep(b, &text);
}

static bool is_file(const char *output) {
  return !output ||
         (strcmp(output, "-") != 0 && strncmp(output, "/dev/", 5) != 0);
}

static int compile_only(build *b) {
  words command = {0};
  hd_vec_push(&command, b->real);
  append(&command, &b->all);
  hd_vec_push(&command, NULL);
  int status = run(&command);
  hd_vec_free(&command);
  for (size_t i = 0; i < b->sources.size && !status; i++) {
    const char *source = b->sources.data[i];
    if (is_file(b->output))
      embed(b, source, b->output ? b->output : object_of(b, source));
  }
  return status;
}

/* Objects are made, and gone when the program is there. */
static int compile_and_link(build *b) {
  words command = {0}, objects = {0};
  int status = 0;
  for (size_t i = 0; i < b->sources.size && !status; i++) {
    const char *source = b->sources.data[i];
    const char *folder = getenv("TMPDIR");
    hd_str path = {0};
    hd_str_printf(&path, "%s/heddle-%d-%zu-%s", folder ? folder : "/tmp",
                  (int)getpid(), i, object_of(b, source));
    const char *object = keep(b, &path);
    hd_vec_push(&objects, object);
    status = make_object(b, source, object);
    if (!status)
      embed(b, source, object);
  }
  hd_vec_push(&command, b->real);
  append(&command, &b->flags);
  append(&command, &objects);
  append(&command, &b->others);
  if (b->output) {
    hd_vec_push(&command, "-o");
    hd_vec_push(&command, b->output);
  }
  hd_vec_push(&command, NULL);
  if (!status)
    status = run(&command);
  for (size_t i = 0; i < objects.size; i++)
    unlink(objects.data[i]);
  hd_vec_free(&command);
  hd_vec_free(&objects);
  return status;
}

static int as_it_is(build *b) {
  words command = {0};
  hd_vec_push(&command, b->real);
  append(&command, &b->all);
  hd_vec_push(&command, NULL);
  int status = run(&command);
  hd_vec_free(&command);
  return status;
}

int hd_cc_be_compiler(int argc, char **argv, const char *include) {
  const char *real = getenv("HEDDLE_BUILD_CC");
  build b = {.job.include = include, .real = real ? real : "cc"};
  hd_arena_init(&b.arena);
  read_arguments(&b, argc, argv);
  int status = b.stop || !b.sources.size ? as_it_is(&b)
               : b.compile               ? compile_only(&b)
                                         : compile_and_link(&b);
  hd_vec_free(&b.job.flags);
  hd_vec_free(&b.all);
  hd_vec_free(&b.flags);
  hd_vec_free(&b.sources);
  hd_vec_free(&b.others);
  hd_arena_free(&b.arena);
  return status;
}

/* SPDX-License-Identifier: MIT */
#include "cli/suite/task.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && !strcmp(text + n - m, end);
}

static bool is_model(const char *path) {
  static const char *const ends[] = {".tts", ".spec", ".pnml", ".bp", ".nbp",
                                     ".c",   ".i",    ".bc",   ".ll", ".code"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (ends_with(path, ends[i]))
      return true;
  return false;
}

static bool is_definition(const char *path) {
  return ends_with(path, ".yml") || ends_with(path, ".yaml");
}

void hd_task_push(hd_tasks *tasks, hd_task *task) {
  hd_str name = {0};
  for (size_t i = 0; i < task->words.size; i++)
    hd_str_printf(&name, "%s%s", i ? " " : "", task->words.data[i]);
  task->name = hd_str_take(&name);
  hd_vec_push(&tasks->all, *task);
  *task = (hd_task){0};
}

static void free_task(hd_task *task) {
  for (size_t i = 0; i < task->words.size; i++)
    hd_free(task->words.data[i]);
  hd_vec_free(&task->words);
  hd_free(task->part);
  hd_free(task->name);
}

void hd_tasks_free(hd_tasks *tasks) {
  for (hd_vec_each(hd_task, task, &tasks->all))
    free_task(task);
  hd_vec_free(&tasks->all);
  for (hd_vec_each(hd_left_out, x, &tasks->left_out)) {
    hd_free(x->name);
    hd_free(x->why);
  }
  hd_vec_free(&tasks->left_out);
}

bool hd_task_expect(hd_task *task, const char *word) {
  static const struct {
    const char *word;
    hd_verdict verdict;
  } words[] = {{"safe", HD_SAFE},
               {"unsafe", HD_UNSAFE},
               {"unknown", HD_UNKNOWN},
               {"true", HD_SAFE},
               {"false", HD_UNSAFE}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(word, words[i].word)) {
      task->known = words[i].verdict != HD_UNKNOWN;
      task->expected = words[i].verdict;
      return true;
    }
  return false;
}

char *hd_task_path(const char *from, const char *path) {
  const char *slash = strrchr(from, '/');
  hd_str text = {0};
  if (slash && path[0] != '/')
    hd_str_append(&text, from, (size_t)(slash - from) + 1);
  else if (path[0] == '-')
    hd_str_puts(&text, "./"); /* it is no option */
  hd_str_puts(&text, path);
  return hd_str_take(&text);
}

/* --- files --- */

/* What a line of a comment says behind `key`; NULL: nothing. */
static const char *said(const char *line, const char *key) {
  const char *at = strstr(line, key);
  bool comment = at && strspn(line, " \t#/*-<!") == (size_t)(at - line);
  return comment ? at + strlen(key) : NULL;
}

/* A line `expected: safe` in the head of the file, behind whatever starts a
 * comment. With `options: …` it holds for those, which are not ours. */
static void expect_by_head(hd_task *task, const char *path) {
  FILE *file = fopen(path, "r");
  char line[256], word[16];
  bool others = false;
  for (int i = 0; file && i < 30 && fgets(line, sizeof line, file); i++) {
    const char *at = said(line, "expected: ");
    size_t n = at ? strcspn(at, " \t\r\n,;(#*") : 0;
    others = others || said(line, "options: ");
    if (n == 0 || n >= sizeof word || task->known)
      continue;
    memcpy(word, at, n);
    word[n] = 0;
    (void)hd_task_expect(task, word);
  }
  if (others)
    (void)hd_task_expect(task, "unknown");
  if (file)
    fclose(file);
}

static void add_file(hd_tasks *tasks, const char *path) {
  hd_task task = {0};
  hd_vec_push(&task.words, hd_task_path("", path));
  expect_by_head(&task, path);
  hd_task_push(tasks, &task);
}

/* The folders and lists that are being read, the innermost first: what is in
 * itself, by a link or by its name, would be read for ever. */
typedef struct inside {
  dev_t device;
  ino_t number;
  const struct inside *outer;
} inside;

static inside go_into(const inside *outer, const struct stat *st) {
  return (inside){st->st_dev, st->st_ino, outer};
}

static bool is_inside(const inside *in, const struct stat *st) {
  for (; in; in = in->outer)
    if (in->device == st->st_dev && in->number == st->st_ino)
      return true;
  return false;
}

/* --- folders --- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef hd_vec(char *) names;

static void free_names(names *list) {
  for (size_t i = 0; i < list->size; i++)
    hd_free(list->data[i]);
  hd_vec_free(list);
}

/* The paths in a folder, sorted. */
static bool list_folder(const char *path, names *list, hd_diag *diag) {
  DIR *folder = opendir(path);
  if (!folder) {
    hd_diag_file_error(diag, path, "cannot read: %s", strerror(errno));
    return false;
  }
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.')
      continue;
    hd_str full = {0};
    hd_str_printf(&full, "%s%s%s", path, ends_with(path, "/") ? "" : "/",
                  entry->d_name);
    hd_vec_push(list, hd_str_take(&full));
  }
  closedir(folder);
  if (list->size)
    qsort(list->data, list->size, sizeof *list->data, by_name);
  return true;
}

/* Where there are task definitions, the C files beside them are theirs. */
static bool add_folder(hd_tasks *tasks, const char *path, const inside *in,
                       hd_diag *diag) {
  names list = {0};
  bool ok = list_folder(path, &list, diag), defined = false;
  for (size_t i = 0; i < list.size; i++)
    defined = defined || is_definition(list.data[i]);
  for (size_t i = 0; i < list.size && ok; i++) {
    const char *one = list.data[i];
    struct stat st;
    bool c = ends_with(one, ".c") || ends_with(one, ".i");
    if (stat(one, &st) != 0 || is_inside(in, &st))
      continue;
    inside folder = go_into(in, &st);
    if (S_ISDIR(st.st_mode))
      ok = add_folder(tasks, one, &folder, diag);
    else if (is_definition(one))
      ok = hd_tasks_add_yml(tasks, one, true, diag);
    else if (is_model(one) && !(defined && c))
      add_file(tasks, one);
  }
  free_names(&list);
  return ok;
}

/* --- lists --- */

/* Words, separated by blanks; quotes keep blanks in a word. */
static void split(const char *line, names *words) {
  while (*line) {
    hd_str word = {0};
    bool any = false;
    line += strspn(line, " \t\r");
    if (!*line || *line == '#')
      return;
    for (char quote = 0; *line && (quote || !strchr(" \t\r", *line)); line++) {
      any = true;
      if (!quote && (*line == '\'' || *line == '"'))
        quote = *line;
      else if (quote && *line == quote)
        quote = 0;
      else
        hd_str_append(&word, line, 1);
    }
    if (any)
      hd_vec_push(words, hd_strdup(hd_str_text(&word)));
    hd_str_free(&word);
  }
}

static bool add_path(hd_tasks *tasks, const char *path, const inside *in,
                     hd_diag *diag);

/* Whatever a pattern of a list stands for. */
static bool add_pattern(hd_tasks *tasks, const char *pattern, const inside *in,
                        hd_diag *diag) {
  glob_t found;
  bool ok = glob(pattern, 0, NULL, &found) == 0;
  if (!ok)
    hd_diag_file_error(diag, pattern, "there is no such file");
  for (size_t i = 0; ok && i < found.gl_pathc; i++)
    ok = add_path(tasks, found.gl_pathv[i], in, diag);
  globfree(&found);
  return ok;
}

/* FILE [FILE | OPTION]... [EXPECTED] */
static bool add_line(hd_tasks *tasks, const char *list, names *words,
                     const inside *in, hd_diag *diag) {
  hd_task task = {0};
  size_t n = words->size;
  if (n > 1 && hd_task_expect(&task, words->data[n - 1]))
    n--;
  char *path = hd_task_path(list, words->data[0]);
  bool ok = true;
  if (n == 1 && !task.known && strpbrk(path, "*?[")) {
    ok = add_pattern(tasks, path, in, diag);
  } else if (n == 1 && !task.known) {
    ok = add_path(tasks, path, in, diag);
  } else {
    hd_vec_push(&task.words, hd_strdup(path));
    for (size_t i = 1; i < n; i++) {
      const char *word = words->data[i];
      hd_vec_push(&task.words,
                  word[0] == '-' ? hd_strdup(word) : hd_task_path(list, word));
    }
    hd_task_push(tasks, &task);
  }
  free_task(&task);
  hd_free(path);
  return ok;
}

/* The columns `file` and `expected` of a table with a line of titles. */
typedef struct {
  size_t file, expected;
  bool titles;
} columns;

static bool add_row(hd_tasks *tasks, const char *list, char *line,
                    columns *where, hd_diag *diag) {
  hd_task task = {0};
  char *path = NULL;
  size_t column = 0;
  for (char *at = line, *next; at; at = next, column++) {
    next = strchr(at, ',');
    if (next)
      *next++ = 0;
    at[strcspn(at, "\r")] = 0;
    if (!where->titles && !strcmp(at, "file"))
      where->file = column;
    else if (!where->titles && !strcmp(at, "expected"))
      where->expected = column;
    else if (where->titles && column == where->file && *at)
      path = hd_task_path(list, at);
    else if (where->titles && column == where->expected)
      hd_task_expect(&task, at);
  }
  if (!where->titles && where->file == SIZE_MAX) {
    hd_diag_file_error(diag, list, "the table has no column 'file'");
    return false;
  }
  if (path) {
    hd_vec_push(&task.words, path);
    hd_task_push(tasks, &task);
  }
  where->titles = true;
  return true;
}

static bool add_list(hd_tasks *tasks, const char *path, const inside *in,
                     hd_diag *diag) {
  hd_source source;
  columns where = {.file = SIZE_MAX, .expected = SIZE_MAX};
  if (!hd_source_read(path, &source, diag))
    return false;
  const char *at = source.text, *end = source.text + source.size;
  bool ok = true;
  while (at < end && ok) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    char *line = hd_strndup(at, (size_t)(stop - at));
    names words = {0};
    if (ends_with(path, ".csv")) {
      ok = !line[strspn(line, " \r")] ||
           add_row(tasks, path, line, &where, diag);
    } else {
      split(line, &words);
      ok = !words.size || add_line(tasks, path, &words, in, diag);
    }
    free_names(&words);
    hd_free(line);
    at = stop + 1;
  }
  hd_source_free(&source);
  return ok;
}

/* --- all --- */

static bool add_path(hd_tasks *tasks, const char *path, const inside *in,
                     hd_diag *diag) {
  struct stat st;
  if (stat(path, &st) != 0) {
    hd_diag_file_error(diag, path, "cannot read: %s", strerror(errno));
    return false;
  }
  if (is_inside(in, &st)) {
    hd_diag_file_error(diag, path, "is a list or folder that is in itself");
    return false;
  }
  inside next = go_into(in, &st);
  if (S_ISDIR(st.st_mode))
    return add_folder(tasks, path, &next, diag);
  if (is_definition(path))
    return hd_tasks_add_yml(tasks, path, false, diag);
  if (!is_model(path))
    return add_list(tasks, path, &next, diag);
  add_file(tasks, path);
  return true;
}

bool hd_tasks_add(hd_tasks *tasks, const char *path, hd_diag *diag) {
  return add_path(tasks, path, NULL, diag);
}

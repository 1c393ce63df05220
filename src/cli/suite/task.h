/* SPDX-License-Identifier: MIT */
/* Tasks: what to verify, with which options, and what is expected. They come
 * from files, folders, lists and SV-COMP's task definitions; docs/suite.md says
 * how. */
#ifndef HD_CLI_SUITE_TASK_H
#define HD_CLI_SUITE_TASK_H

#include "base/io.h"
#include "model/result.h"

typedef struct {
  char *name; /* all its words; two tasks are the same if their names are */
  hd_vec(char *) words; /* what stands behind `heddle verify` */
  bool known;           /* there is an expectation: */
  hd_verdict expected;
  char *part; /* of the property, that is violated; or NULL: "valid-free" */
} hd_task;

/* Properties of definitions that heddle has no word for, by their files. */
typedef struct {
  char *name, *why;
  size_t count;
} hd_left_out;

typedef struct {
  hd_vec(hd_task) all;
  size_t defined; /* so many are of definitions; of these were left out: */
  size_t skipped;
  hd_vec(hd_left_out) left_out;
} hd_tasks;

/* Adds the tasks of an operand. False, after a message, when it cannot be
 * read. */
HD_MUST_USE bool hd_tasks_add(hd_tasks *tasks, const char *path, hd_diag *diag);
void hd_tasks_free(hd_tasks *tasks);

/* Makes a task of words; takes them over. */
void hd_task_push(hd_tasks *tasks, hd_task *task);
/* "safe", "unsafe", "unknown", "true" … as an expectation. */
bool hd_task_expect(hd_task *task, const char *word);
/* `path`, which stands in the file `from`, from where heddle was started. */
char *hd_task_path(const char *from, const char *path);
/* An SV-COMP task definition. One that was `found` in a folder may be something
 * else, and is left out then. */
HD_MUST_USE bool hd_tasks_add_yml(hd_tasks *tasks, const char *path, bool found,
                                  hd_diag *diag);

#endif

/* SPDX-License-Identifier: MIT */
/* C source files become a code graph: heddle-cc, a program of its own and the
 * only one that links LLVM, compiles them; its output is read by front/code. */
#ifndef HD_FRONT_C_C_H
#define HD_FRONT_C_C_H

#include "base/diag.h"
#include "base/str.h"
#include "model/code.h"

typedef struct {
  /* Handed on as they are, in this order: "-DN=3", "-include", "x.h" … */
  const char *const *flags;
  size_t n_flags;
  const char *name; /* of the program, in messages about its graph */
  bool hold;     /* clang's messages wait until the job is finished: there are
                others that run */
  bool declares; /* not the graph is wanted but what the one file declares */
  hd_str *keep;  /* gets them instead of standard error; may be NULL, must stay
                   until then */
} hd_c_options;

/* A program that is being compiled, in a process of its own. */
typedef struct hd_c_job hd_c_job;

/* Starts to compile and link the files (.c, .i, .bc, .ll, objects); `files` must stay.
 * NULL after an error. */
HD_MUST_USE hd_c_job *hd_c_start(const char *const *files, size_t n_files,
                                 const hd_c_options *options, hd_diag *diag);
/* Waits for it and frees the job. NULL after an error: about the C text,
 * clang's messages are on standard error already; everything else is reported
 * to `diag`. */
HD_MUST_USE hd_code *hd_c_finish(hd_c_job *job, hd_diag *diag);

/* The same where it `declares`: clang's words for what the file and its headers
 * declare. */
HD_MUST_USE bool hd_c_finish_text(hd_c_job *job, hd_str *out, hd_diag *diag);

/* The path of heddle-cc: what $HEDDLE_CC says, else the first that exists of:
 * beside this program, in the folder of its build, in ../libexec/heddle, on the
 * PATH; NULL when there is none. The caller frees it. */
char *hd_c_find(void);

#endif

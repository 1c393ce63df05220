/* SPDX-License-Identifier: MIT */
/* What a report has to tell, whatever the input was: the verdict, what was
 * asked and found, and for what was found the run there as steps of threads.
 * The HTML, SARIF and compiler-style reports, and the diagram of the text
 * report, are made from this; only the functions that make stories know nets,
 * Boolean programs and C. All texts belong to the story's arena or to what it
 * was made from. */
#ifndef HD_REPORT_STORY_H
#define HD_REPORT_STORY_H

#include "base/arena.h"
#include "base/str.h"
#include "model/program.h" /* HD_NO_ID */
#include "model/result.h"

typedef enum {
  HD_ARROW_CREATE,
  HD_ARROW_JOIN, /* from a thread's last step */
  HD_ARROW_LOCK, /* from a release to the next acquisition by another thread */
  HD_ARROW_WAKE,
  HD_ARROW_RACE,    /* between the two accesses */
  HD_ARROW_MESSAGE, /* from a send to what received it */
  HD_ARROW_READ,    /* weak memory: from a write to who reads it */
  HD_ARROW_BEFORE,  /* … from a read to a write that it does not see */
  HD_ARROW_KINDS
} hd_arrow_kind;

/* "create", "join" … */
const char *hd_arrow_name(hd_arrow_kind kind);

typedef struct {
  hd_arrow_kind kind;
  size_t from, to; /* steps */
} hd_arrow;

typedef enum {
  HD_CHANGE_SHARED, /* `name` becomes `value` for everybody */
  HD_CHANGE_LOCAL,  /* … for its thread */
  HD_CHANGE_ACQUIRE,
  HD_CHANGE_RELEASE,
  HD_CHANGE_WAIT, /* the thread waits for `name` */
  HD_CHANGE_OUTPUT,
  HD_CHANGE_END, /* the thread has ended */
} hd_change_kind;

typedef struct {
  const char *file;      /* as it can be opened; NULL = nowhere */
  uint32_t line, column; /* from 1; 0 = not known */
} hd_spot;

typedef struct {
  uint32_t thread; /* into run->threads */
  uint32_t move;   /* number in the schedule or witness, from 1 */
  uint32_t depth;  /* calls below it */
  hd_spot spot;
  const char *function;  /* "" = none */
  const char *statement; /* on one line */
  const char *effect;    /* "x = 3; acquires m", or "" */
  const char *shared;    /* models: the new shared state; NULL = as it was */
  bool shows;            /* others can see it, or it is next to such */
  bool failed;           /* the violation is here */
} hd_story_step;

typedef struct {
  size_t step; /* SIZE_MAX: before the first */
  hd_change_kind kind;
  uint32_t thread; /* HD_NO_ID = nobody's own */
  const char *name, *value;
} hd_story_change;

/* Models: a thread's local state at the start and at the end; "" = none. */
typedef struct {
  const char *first, *last;
  size_t born; /* the step that made it; SIZE_MAX = it was there */
} hd_story_life;

/* Models: what a step of another thread does to this one. */
typedef struct {
  size_t step;
  uint32_t thread;
  const char *text;
} hd_story_mark;

typedef struct {
  hd_vec(const char *) threads;
  hd_vec(hd_story_step) steps;
  hd_vec(hd_arrow) arrows;
  hd_vec(hd_story_change) changes; /* in the order of their steps */
  size_t moves;                    /* length of the schedule or witness */
  /* Models, for the diagram: the shared state has a column if it has a title;
   * there are as many lives as threads, or none. */
  const char *shared_title, *shared_first, *shared_last;
  hd_vec(hd_story_life) lives;
  hd_vec(hd_story_mark) marks; /* in the order of their steps */
} hd_story_run;

/* One thing that was asked, and the answer. */
typedef struct {
  const char *name;  /* "race"; of a net the target, "2|1,1" */
  const char *title; /* one line: what happened, or what was shown */
  hd_verdict verdict;
  const char *engine, *reason;          /* may be NULL */
  hd_spot at, other;                    /* other: the second access of a race */
  const char *at_thread, *other_thread; /* names; may be NULL */
  bool checked;
  uint32_t number;         /* among the violations, from 1; 0 = it has none */
  const char *fingerprint; /* may be NULL */
  const char *standing;    /* "new", "ignored", "baseline"; may be NULL */
  const char *excuse;      /* ignored: why; may be NULL */
  hd_story_run *run;       /* NULL = there is none */
} hd_story_finding;

typedef struct hd_story {
  const char *command, *file, *kind; /* "verify", "bank.c", "C program" */
  const char *size;                  /* "3 functions, 22 locations" */
  bool judged;                       /* there is a verdict: not of `run` */
  hd_verdict verdict;
  const char *summary; /* a sentence or two */
  const char *hint;    /* may be NULL */
  hd_vec(hd_story_finding) findings;
  hd_vec(const char *) notes;
  hd_vec(const char *) files; /* that steps or findings are in */
  const char *output;         /* what the program printed; may be NULL */
  const char *proof;          /* in words, lines; may be NULL */
  const char *proof_summary;  /* may be NULL */
  bool certificate;           /* … and it is one that can be checked */
  const hd_result *figures;   /* only its statistics are used */
  double seconds, cpu;
  size_t memory, resident;
  int exit_code;
  /* A graph; may be NULL: what it is in one word ("model", "unfolding"), in a
   * heading, and how to read it. */
  const char *dot, *dot_kind, *dot_title, *dot_words;
  const char *svg; /* … as Graphviz draws it; may be NULL */
  hd_arena arena;
} hd_story;

/* An empty one; makers are hd_story_of_model (report/report.h) and
 * hd_story_of_code (report/code.h). */
hd_story *hd_story_new(void);
void hd_story_delete(hd_story *story);
/* Moves the text into the story. */
const char *hd_story_keep(hd_story *story, hd_str *text);
const char *hd_story_copy(hd_story *story, const char *text);
/* Notes that something is in `file`; each name is there once. */
void hd_story_file(hd_story *story, const char *file);
/* A fresh run, owned by the story once a finding has it; hd_story_add_run makes
 * one that only has the run. */
hd_story_run *hd_story_run_new(void);
void hd_story_add_run(hd_story *story, hd_story_run *run);

/* One self-contained page. */
void hd_story_html(hd_str *out, const hd_story *story);
/* SARIF 2.1.0. */
void hd_story_sarif(hd_str *out, const hd_story *story);
/* file:line:column: error: …, and a note a step. */
void hd_story_gcc(hd_str *out, const hd_story *story);

typedef struct {
  bool all; /* every step, nothing shortened */
  bool color;
  const char *more; /* the option for that; NULL = "-v" */
} hd_diagram_options;

/* The run in box characters, one column a thread, in 80 columns. */
void hd_story_diagram(hd_str *out, const hd_story_run *run,
                      const hd_diagram_options *options);

#endif

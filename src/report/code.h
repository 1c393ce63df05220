/* SPDX-License-Identifier: MIT */
/* Reports about C programs: verdicts a property, and runs at the level of the
 * source, as text, JSON and space-time diagram. */
#ifndef HD_REPORT_CODE_H
#define HD_REPORT_CODE_H

#include "check/interp/interp.h"
#include "check/joint/joint.h"
#include "check/notes/notes.h"
#include "model/execution.h"
#include "model/result.h"
#include "model/weak.h"
#include "report/json.h"
#include "report/story.h"

/* --- a run, recorded --- */

typedef struct {
  hd_event event; /* its text belongs to the trace */
  uint32_t move;  /* the number of the turn it belongs to, from 1 */
  bool shared;    /* the turn's action can be seen by other threads */
} hd_traced;

typedef struct {
  const hd_code *code;
  hd_vec(hd_traced) events;
  uint32_t moves;
  size_t n_threads;        /* that ever were */
  bool processes;          /* they are processes of MPI */
  hd_execution *execution; /* of a run of weak memory; else NULL */
  hd_arena arena;
} hd_code_trace;

hd_code_trace *hd_code_trace_new(const hd_code *code);
void hd_code_trace_delete(hd_code_trace *trace);
/* Copies the event's text. */
void hd_code_trace_add(hd_code_trace *trace, const hd_event *event,
                       uint32_t move, bool shared);

/* --- answers --- */

/* Who judged a SAFE again, besides the engine that says it. */
typedef enum {
  HD_PROOF_NONE,
  HD_PROOF_COUNTERS, /* a certificate about the counter system that was made of
                        the program, not about the program itself */
  HD_PROOF_ANNOTATION, /* of the program, judged by check/notes */
  HD_PROOF_STATES,     /* of all threads together, by check/joint */
  HD_PROOF_SEARCH, /* all states were searched once more, without reduction */
  HD_PROOF_INTERLEAVINGS, /* of MPI: all were executed, as few as are needed */
} hd_proof_kind;

/* Is a violation one that somebody has to look at? */
typedef enum {
  HD_STANDING_NEW,
  HD_STANDING_IGNORED,  /* a comment in the source says so, and why */
  HD_STANDING_BASELINE, /* it was there before */
} hd_standing;

typedef struct {
  bool asked;
  hd_verdict verdict;
  const char *engine; /* static; who decided, or tried last */
  char *reason;       /* HD_UNKNOWN: why */
  hd_why why;         /* … as a code */
  hd_proof_kind proof;
  uint64_t proof_size; /* SEARCH, STATES: states; ANNOTATION: places */
  char *unchecked;     /* why it was not checked, where that was tried */
  /* HD_UNSAFE: what happened, its message owned, and the run there. */
  hd_violation violation;
  hd_start start;
  hd_turns turns;
  hd_code_trace *trace; /* of a fresh machine that made the turns */
  bool not_executed; /* … or of the engine: annotations cannot be executed */
  uint64_t fingerprint; /* report/fingerprint.h; 0 = it has none */
  hd_standing standing;
  char *excuse; /* IGNORED: the reason that is given */
} hd_code_answer;

typedef struct {
  hd_code_answer answers[HD_PROPERTY_COUNT];
  /* Further violations, all UNSAFE; that of `answers` is the first of its
   * property. */
  hd_vec(hd_code_answer) more;
  hd_remarks notes;       /* see hd_explore_result */
  hd_result figures;      /* only its statistics are used */
  char *certificate;      /* an annotation that was judged; may be NULL */
  hd_memory_model memory; /* that the verdicts are about */
  bool interleaves;       /* it was seen that there are no other executions */
  bool ordered; /* … and that happens-before orders whatever conflicts */
  hd_vec(char *) assumes; /* what SAFE rests on, a phrase each */
  char *remark;           /* for the line of the verdict SAFE; may be NULL */
  bool ideal;             /* safe as far as numbers are ideal */
  bool inputs; /* answered with variables that were never set as inputs */
} hd_code_result;

/* All zero is a fresh result. */
void hd_code_result_free(hd_code_result *result);
/* What an answer owns. */
void hd_code_answer_free(hd_code_answer *answer);
/* All violations: by property, the first in front. The caller frees the list. */
typedef hd_vec(const hd_code_answer *) hd_code_answers;
void hd_code_violations(const hd_code_result *result, hd_code_answers *out);
/* How many of them have this standing. */
size_t hd_code_standing(const hd_code_result *result, hd_standing standing);
/* There are violations, and none is new. */
bool hd_code_suppressed(const hd_code_result *result);
/* UNSAFE before UNKNOWN before SAFE. */
hd_verdict hd_code_result_worst(const hd_code_result *result);

/* --- one execution: heddle run --- */

typedef struct {
  hd_machine_status status;
  const char *why; /* see hd_machine_why; may be NULL */
  int exit_code;   /* of the program */
  const hd_violation *violations;
  size_t n_violations;
  const char *output; /* what the program printed */
} hd_code_run;

/* --- reports --- */

typedef struct {
  const hd_code *code;
  const char *file; /* the first of `n_files` */
  size_t n_files;
  const char *command;          /* "verify", "fuzz", "run" */
  const hd_code_result *result; /* NULL for run */
  const hd_code_run *run;       /* run */
  const hd_code_trace *trace;   /* run; may be NULL */
  const char *hint;             /* UNKNOWN: what to try; may be NULL */
  bool unbounded;               /* asked for any number of threads */
  int exit_code;
  bool quiet, all, statistics, color;
  bool certify; /* also what has no certificate is said */
  double seconds, cpu;
  size_t memory, resident;
} hd_code_report;

void hd_report_code_text(hd_str *out, const hd_code_report *report);
void hd_report_code_json(hd_str *out, const hd_code_report *report);
/* The run to the first violation; with none, a picture that says so. */
void hd_report_code_svg(hd_str *out, const hd_code_report *report);
/* The execution graph of that run for Graphviz, if memory is weak. */
void hd_report_execution_dot(hd_str *out, const hd_code_report *report);

/* What verify, fuzz or run found out; the report must outlive it. */
hd_story *hd_story_of_code(const hd_code_report *report);
/* The run alone; `violation` may be NULL. Texts go into `story`. */
hd_story_run *hd_story_code_run(hd_story *story, const hd_code_trace *trace,
                                const hd_violation *violation);

/* The outcome of `heddle check`: a schedule leads to a violation or not; a
 * certificate is a proof or not. */
typedef struct {
  const hd_code *code;
  const char *file, *evidence;
  size_t n_files, turns;
  const hd_violation *violation; /* NULL = refused */
  const char *why;               /* … because of this */
  const hd_code_trace *trace;    /* names the threads; may be NULL */
  bool certificate;              /* … and what it proves, 0 = refused */
  hd_properties proved;
  hd_walked walked; /* by its annotation, if it has one */
  hd_joint_walked joint;
  bool unknown; /* a limit was reached */
  bool quiet, color;
  int exit_code;
} hd_code_judgement;

/* The last line is `check: accepted`, `check: refused (WHY)` or, at a limit,
 * `check: unknown (WHY)`. */
void hd_report_code_check_text(hd_str *out, const hd_code_judgement *judgement);
void hd_report_code_check_json(hd_str *out, const hd_code_judgement *judgement);

/* The graph of every function that is defined, for Graphviz. */
void hd_report_code_dot(hd_str *out, const hd_code *code);
/* … of those where `wanted` is true, a flag a function. */
void hd_report_code_part_dot(hd_str *out, const hd_code *code,
                             const bool *wanted);
/* `heddle show` of a C program: functions and global objects. */
void hd_report_code_listing(hd_str *out, const hd_code *code, const char *file,
                            size_t n_files);

#endif

/* SPDX-License-Identifier: MIT */
/* What a person or a script gets to see of a run. Every function appends to a
 * text in memory; the caller writes it out in one piece, so that a report is
 * complete or absent. A report knows the model and the result and no engine. */
#ifndef HD_REPORT_REPORT_H
#define HD_REPORT_REPORT_H

#include "model/result.h"
#include "model/schedule.h"
#include "report/story.h"

/* What the text and JSON reports of verify and reach are made from. */
typedef struct {
  const hd_net *net;
  const hd_result *result;
  /* When the model was made from a program: it, and its run if unsafe. */
  const hd_program *program;
  const hd_schedule *schedule;
  bool unbuilt; /* … and `net` is empty, because a limit came first */
  const char *explanation; /* --explain: the engine's own words; may be NULL */
  const char *hint;        /* UNKNOWN: what to try; may be NULL */
  int exit_code;           /* as the process will end, for JSON */
  bool checked;            /* the evidence was judged and accepted */
  bool quiet, explain, statistics, color;
  double seconds, cpu;     /* since the start of the process */
  size_t memory, resident; /* peaks in bytes: counted, and of the process */
} hd_report;

/* The last line is `verdict: safe`, `verdict: unsafe` or
 * `verdict: unknown (REASON)`. */
void hd_report_verify_text(hd_str *out, const hd_report *report);
void hd_report_verify_json(hd_str *out, const hd_report *report);

/* What verify found out about a net or Boolean program; the report must outlive
 * it. */
hd_story *hd_story_of_model(const hd_report *report);

/* `result->cert` is an HD_CERT_COVER when the verdict is HD_SAFE. The last
 * line is `reach: complete` or `reach: incomplete (REASON)`. */
void hd_report_reach_text(hd_str *out, const hd_report *report);
void hd_report_reach_json(hd_str *out, const hd_report *report);

/* The outcome of `heddle check`; one of `witness` and `cert` is set. */
typedef struct {
  const hd_net *net;
  const char *evidence; /* name of the file */
  const hd_witness *witness;
  const hd_cert *cert;
  bool accepted, quiet, color;
  const char *why; /* when refused */
  int exit_code;
} hd_judgement;

/* The last line is `check: accepted` or `check: refused (WHY)`. */
void hd_report_check_text(hd_str *out, const hd_judgement *judgement);
void hd_report_check_json(hd_str *out, const hd_judgement *judgement);

/* `heddle show`: size, initial state, targets and every transition. */
void hd_report_model_text(hd_str *out, const hd_net *net);
/* The model as a graph: thread states and edges, or places and transitions. */
void hd_report_model_dot(hd_str *out, const hd_net *net);
/* These transitions (ascending) alone, and what they touch. */
void hd_report_model_part_dot(hd_str *out, const hd_net *net,
                              const hd_trans_id *keep, size_t n);
/* A Boolean program as it was read: locations and statements. */
void hd_report_program_dot(hd_str *out, const hd_program *program);

/* Pieces that the reports share. */

typedef enum { HD_PLAIN, HD_GOOD, HD_BAD, HD_UNSURE } hd_paint;

/* File, kind and size of the model, and its initial state. */
void hd_report_model_head(hd_str *out, const hd_net *net);
/* The paragraph of a result without a verdict: why, and what to try. */
void hd_report_no_answer(hd_str *out, const hd_report *report);
/* `what: word` and, for what is not known, why in parentheses: the reason up to
 * its first semicolon. */
void hd_report_last_line(hd_str *out, const hd_report *report, const char *what,
                         const char *word, hd_paint paint);

/* One sentence on the kind of proof: "a backward basis of 12 configurations".
 */
void hd_report_cert_summary(hd_str *out, const hd_cert *cert);
/* The whole certificate in words, in the names of `net`. */
void hd_report_cert_explain(hd_str *out, const hd_net *net,
                            const hd_cert *cert);
/* The steps of a witness as a diagram of threads or places, long ones cut in
 * the middle unless `all`. */
void hd_report_steps(hd_str *out, const hd_net *net, const hd_witness *witness,
                     bool all, bool color);
/* Where asked for: the statistics of the result and of the process. */
void hd_report_statistics(hd_str *out, const hd_report *report);

/* `text`, coloured where `color`. */
void hd_report_painted(hd_str *out, bool color, hd_paint paint,
                       const char *text);
/* `text` with one ASCII character for each that is none: lines for lines, as
 * wide as before. */
void hd_report_ascii(hd_str *out, const char *text);
/* `text` on one line: control characters become blanks. */
void hd_report_one_line(hd_str *out, const char *text);

#endif

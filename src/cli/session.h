/* SPDX-License-Identifier: MIT */
/* One run of the program: its options, messages, limits, signals and outputs.
 * The commands are built on it. */
#ifndef HD_CLI_SESSION_H
#define HD_CLI_SESSION_H

#include "base/io.h"
#include "base/run.h"
#include "base/str.h"
#include "cli/options.h"
#include "api/program.h"
#include "front/litmus/litmus.h"
#include "model/code.h"

/* How a command ended; hd_exit_code maps it to the exit status. The zero value
 * is the worst one. */
typedef enum {
  HD_END_INTERNAL, /* heddle's own mistake, or no memory */
  HD_END_DONE,     /* what was asked for was done */
  HD_END_SAFE,
  HD_END_IDEAL, /* safe, but with ideal numbers, which nobody asked for */
  HD_END_UNSAFE,
  HD_END_UNKNOWN,
  HD_END_ACCEPTED,
  HD_END_REFUSED,
  HD_END_UNEXPECTED, /* --expect: another definite verdict */
  HD_END_USAGE,
  HD_END_INPUT,
  HD_END_OUTPUT, /* a result could not be written */
} hd_end;

/* The only place where exit statuses are made. */
int hd_exit_code(hd_end end);

struct hd_display;

typedef struct {
  hd_options options;
  hd_diag *diag;
  hd_run run;
  /* Made by hd_session_read. */
  hd_net *net;               /* owned, unless made from a program */
  hd_program *program;       /* NULL: the input is not a program */
  hd_program_options how;    /* … how it is executed */
  hd_program_run made;       /* … and what became of it */
  hd_str explanation;        /* --explain: what the engine has to say */
  char *unbuilt;             /* a limit came first: why; `net` is empty then */
  hd_code *code;             /* a C program; nothing of the above then */
  hd_litmus_question litmus; /* … what it asks for, if it is a litmus test */
  bool relaxed;   /* … it has volatile accesses, which were made atomic */
  hd_code *plain; /* what `code` was made of (model/unset.h), or NULL */
  hd_vec(const char *) argv; /* … what its main gets */
  bool zeroed; /* … functions called with --entry get objects that are zero */
  double start;
  bool color_out, color_err;
  struct hd_display *display; /* progress; may be NULL */
} hd_session;

/* Sets up limits, signals, colours and progress from session->options. */
void hd_session_start(hd_session *session);
/* Prints pending messages, frees everything. */
void hd_session_finish(hd_session *session);

/* --order */
hd_km_order hd_session_order(const hd_session *session);

/* Reads the model and applies --target, --prop, --init and --threads. With
 * `needs_target`, a model without a target is an error that says how to give
 * one; with `prop_beside`, x.prop beside x.tts is read. */
HD_MUST_USE bool hd_session_read(hd_session *session, bool prop_beside,
                                 bool needs_target);
/* The same for a C program, which becomes session->code. The first `n_files`
 * operands are its files. */
HD_MUST_USE bool hd_session_read_code(hd_session *session, size_t n_files);
/* Two programs of one file each, both read even if one is wrong. The caller
 * deletes what was read. */
HD_MUST_USE bool hd_session_read_pair(hd_session *session, hd_code *codes[2]);
/* Writes `text` to `path`, all or nothing. */
HD_MUST_USE bool hd_session_write(hd_session *session, const char *path,
                                  const char *text, size_t size);
/* Writes a report to --output, standard output by default. */
HD_MUST_USE bool hd_session_report(hd_session *session, const hd_str *text);
/* Finds out before a long run whether `path` (NULL: nothing) could be
 * written. */
HD_MUST_USE bool hd_session_probe(hd_session *session, const char *path);
/* Ends the live progress line, before anything else is printed. */
void hd_session_quiet(hd_session *session);
/* Prints what was reported so far, on standard error. */
void hd_session_messages(hd_session *session);

/* Prints lines on standard error, if there are any. */
void hd_session_say(hd_session *session, const hd_str *lines);
/* --jobs, or as many as there are cores for this process. */
unsigned hd_session_jobs(const hd_session *session);

/* Seconds since the start, and the largest resident size in bytes. */
double hd_session_seconds(const hd_session *session);
size_t hd_session_resident(void);

/* For show: the model, or with --quotient the quotient of its diagram, as DOT
 * or SVG. HD_END_DONE, or how the command ends after a message. */
HD_MUST_USE hd_end hd_graph_draw(hd_session *session, hd_str *text);
/* The graph of a C or Boolean program as it was read. */
HD_MUST_USE hd_end hd_graph_draw_ir(hd_session *session, hd_str *text);
/* For a page: the model, or the unfolding or the graph of a C program, where it
 * is small enough to be looked at. The texts must outlive the story. */
struct hd_story;
void hd_graph_for_page(hd_session *session, struct hd_story *story, hd_str *dot,
                       hd_str *svg);
/* The same for the unfolding of a C program. */
HD_MUST_USE hd_end hd_graph_draw_unfolding(hd_session *session, hd_str *text);

/* The commands. */
/* The time limit of `verify` for C programs, where none is given. */
#define HD_CODE_SECONDS 60

hd_end hd_cmd_verify(hd_session *session);
hd_end hd_cmd_reach(hd_session *session);
hd_end hd_cmd_check(hd_session *session);
hd_end hd_cmd_convert(hd_session *session);
hd_end hd_cmd_show(hd_session *session);
hd_end hd_cmd_stubs(hd_session *session);
hd_end hd_cmd_api(hd_session *session);
hd_end hd_cmd_cutoff(hd_session *session);
hd_end hd_cmd_engines(hd_session *session);
hd_end hd_cmd_suite(hd_session *session);

/* The same for C programs: cmd_code.c, cmd_run.c. */
hd_end hd_cmd_verify_code(hd_session *session);
hd_end hd_cmd_fuzz(hd_session *session);
hd_end hd_cmd_run(hd_session *session);
hd_end hd_cmd_check_code(hd_session *session);
hd_end hd_cmd_compare(hd_session *session);
/* What is unexpected about a verdict, with --expect, is said. */
hd_end hd_end_for(hd_session *session, hd_verdict verdict);
/* … that may hold for ideal numbers only. */
hd_end hd_end_for_numbers(hd_session *session, hd_verdict verdict, bool ideal);

#endif

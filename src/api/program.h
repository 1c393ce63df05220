/* SPDX-License-Identifier: MIT */
/* From a program graph to a checked verdict: finite-data execution, extraction
 * of a counter system, the engines on that, and for a violation the run of the
 * program itself, replayed by the interpreter of check/.
 *
 * The system is built by thread-modular exploration, or on the fly by km. What
 * is built depends on the options; net->built names those that are not the
 * default, so that evidence says what it is about:
 *   fly            on the fly; with dfs or bfs, in that order
 *   no-propagate no-slice no-live no-jump no-lazy
 *                  simplifications left out */
#ifndef HD_API_PROGRAM_H
#define HD_API_PROGRAM_H

#include "api/verify.h"
#include "model/schedule.h"

typedef struct {
  hd_init threads;          /* how many threads start in main */
  hd_edge_id assertion;     /* only this one; HD_NO_ID = all */
  hd_finite_options finite; /* simplifications to leave out */
  bool portable;            /* a system that a .tts file can say */
  bool fly;                 /* build it on the fly, whatever the engine */
  hd_verify_options verify;
} hd_program_options;

/* What was made of the program; kept for reports. */
typedef struct {
  hd_finite *finite;
  hd_extract *extract;   /* NULL when extraction did not finish */
  hd_schedule *schedule; /* HD_UNSAFE: the run, checked */
  hd_result flown;       /* built on the fly: the verdict that came with it */
  char *built;           /* of the net */
} hd_program_run;

/* The threads a program starts with when nobody says: one if it creates its
 * own, else any number. */
hd_init hd_program_threads(const hd_program *program);

/* Builds made->finite and made->extract: by thread-modular exploration, or when
 * that grows too large, or when the engine asked for is km, on the fly. False,
 * with a sentence in `why`, when the program has something that is not
 * supported or a limit is reached. */
HD_MUST_USE bool hd_program_open(const hd_program *program,
                                 const hd_program_options *options, hd_run *run,
                                 hd_program_run *made, hd_str *why);
/* Sets what the words after `built` in the head of evidence say. False for a
 * word that is none of them. */
HD_MUST_USE bool hd_program_built(const char *words,
                                  hd_program_options *options);
/* The verdict about made->extract->net, by the engine asked for; that of the
 * search that built it, if it has one. */
HD_MUST_USE hd_verify_status
hd_program_decide(const hd_program_options *options, hd_run *run,
                  hd_program_run *made, hd_result *result);
/* For a witness about made->extract->net: makes made->schedule, and checks it
 * unless options->verify.no_check; false, with a sentence in `why`, when it
 * does not replay. */
HD_MUST_USE bool hd_program_replay(const hd_program *program,
                                   const hd_program_options *options,
                                   const hd_witness *witness,
                                   hd_program_run *made, hd_str *why);
/* Appends what the simplifications did. */
void hd_program_report(const hd_program_run *made, hd_result *result);

/* All of it. `program` has at least one assertion. `result` and `*made` must be all zero;
 * the caller frees both. result->witness and result->cert speak about
 * made->extract->net. */
HD_MUST_USE hd_verify_status
hd_verify_program(const hd_program *program, const hd_program_options *options,
                  hd_run *run, hd_program_run *made, hd_result *result);
void hd_program_run_free(hd_program_run *made);

#endif

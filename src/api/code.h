/* SPDX-License-Identifier: MIT */
/* From a code graph and a set of properties to a checked verdict a property:
 * fuzz for a moment, then unfold, explore, fuzz and, where threads are created
 * in loops, the counter engines side by side. A violation counts when a fresh
 * machine, led by its schedule alone, comes to it again. */
#ifndef HD_API_CODE_H
#define HD_API_CODE_H

#include "api/verify.h"
#include "engine/explore/explore.h"
#include "engine/unfold/unfold.h"
#include "report/code.h"

typedef struct {
  /* Surroundings of the program, properties, seed, bounds. */
  hd_explore_options explore;
  const char *engine;     /* one of hd_code_engines; NULL = all */
  const hd_code *unwound; /* searched instead (model/unwind.h); NULL = none */
  /* The same with variables that were never set as inputs (model/unset.h):
   * tried where one decides something; NULL = none. */
  const hd_code *unset;
  hd_memory_model memory;
  bool unbounded; /* for any number of threads */
  uint32_t widen; /* unfold: see engine/unfold/unfold.h */
  bool no_cutoffs;
  hd_domain domain;
  unsigned jobs;  /* without `engine`: at most so many processes at once */
  hd_str *choice; /* gets what was chosen, in lines; may be NULL */
  bool fail_fast; /* without `engine`: the first violation is enough */
  bool patient;   /* all the time there is, also where runs are long */
  bool wider;     /* undefined behaviour that runs meet is reported, too */
  /* Called for each violation when it is found and has been replayed; may be
   * NULL. */
  void (*found)(void *context, const hd_violation *violation);
  void *context;
} hd_code_options;

/* `result` must be all zero; the caller frees it. REFUSED: there is no main;
 * INTERNAL: a violation did not replay; both with a sentence in `why`. */
HD_MUST_USE hd_verify_status hd_verify_code(const hd_code *code,
                                            const hd_code_options *options,
                                            hd_run *run, hd_code_result *result,
                                            hd_str *why);

/* Gives violations their fingerprints; with `more`, looks for others behind them,
 * which come into result->more, or where nobody has looked in result->answers. */
void hd_gather_code(const hd_code *code, const hd_code_options *options,
                    bool more, hd_run *run, hd_code_result *result);

/* How much is done about it. */
typedef enum {
  HD_CONFIRM_BRIEF,   /* all three, as far as a moment's work goes */
  HD_CONFIRM_CERTIFY, /* a certificate; the search as far as a moment goes */
  HD_CONFIRM_ALL,     /* all three */
} hd_confirm_effort;

/* Judges again what is SAFE in `result`: by an annotation or all states of all
 * threads together (check/notes and check/joint, which share the code graph with
 * the engines and no meaning of it): that is left in result->certificate. What they
 * do not prove by a search of all states on the machine (check/states), which explore
 * uses, too.
 * answers[].proof says what was confirmed, `unchecked` why not (not where it was
 * brief). INTERNAL: it is not SAFE, `why` says how to see that. */
HD_MUST_USE hd_verify_status hd_confirm_code(
    const hd_code *code, const hd_code_options *options,
    hd_confirm_effort effort, hd_run *run, hd_code_result *result, hd_str *why);

/* Is the text such a certificate, by its first line? */
bool hd_code_is_certificate(const char *text);

typedef struct {
  hd_machine_options machine;
  hd_memory_model memory;
  hd_properties asked; /* it must prove these; 0: what it claims */
} hd_judge_options;

typedef struct {
  bool readable;         /* else `why` says what is wrong with it */
  hd_properties proved;  /* all that it claims, or 0 */
  hd_walked walked;      /* by its annotation */
  hd_joint_walked joint; /* of all threads together */
} hd_certified;

/* Judges both parts, as far as they are there. Nothing proved: with a reason in
 * `why`; when a limit was reached, run->stop says which. */
void hd_judge_certificate(const hd_code *code, const hd_judge_options *options,
                          const char *text, hd_run *run, hd_certified *out,
                          hd_str *why);

/* Bounds of variables that hold in all runs, for a witness; not complete when
 * neither unfold nor modular comes to its end. `facts` must be all zero. */
void hd_code_facts(const hd_code *code, const hd_machine_options *machine,
                   hd_run *run, hd_facts *facts);

/* The same by an answer that was given before (api/answer.h) and decides every
 * property that is asked for: its violations are made again. False, with a
 * phrase in `why`, when it does not hold; `result` is then to be freed. */
HD_MUST_USE bool hd_recall_code(const hd_code *code,
                                const hd_code_options *options,
                                const hd_str *answer, hd_code_result *result,
                                hd_str *why);

struct hd_job; /* api/code_job.h */

/* The engines for code graphs: name, what it does, whether it can prove; the
 * properties that it knows. What is not among these it leaves open, whatever it
 * found: nobody is SAFE because nobody looked. */
typedef struct {
  const char *name, *summary;
  bool proves;
  hd_properties decides;
  /* Alone, on what is open; NULL: not here (lise: api/mpi.c). False when what it
   * found did not replay. */
  bool (*run)(struct hd_job *job);
} hd_code_engine;
/* Ends with a name that is NULL. */
extern const hd_code_engine hd_code_engines[];

/* Makes `turns` on a fresh machine and writes down what happens. */
hd_code_trace *hd_code_record(const hd_code *code,
                              const hd_machine_options *options,
                              const hd_turns *turns);

/* --- one execution --- */

typedef struct {
  hd_machine_options machine; /* `observe` is not used */
  const hd_turns *schedule;   /* NULL: by chance */
  uint64_t seed;
  const int64_t *inputs; /* values for the first inputs; the others by chance */
  size_t n_inputs;
  bool record; /* make play->trace: all that happens, in memory */
  /* What the program prints, as it does; may be NULL. */
  void (*output)(void *context, const char *text);
  void *context;
} hd_play_options;

typedef struct {
  hd_machine *machine;  /* at the end */
  hd_turns turns;       /* that were made */
  hd_code_trace *trace; /* NULL unless asked for */
  hd_str output;
  size_t inputs; /* how many of the given ones were used */
  /* Why it stopped before an end: a limit, or a turn of the schedule that is
   * not possible. NULL at an end. */
  char *why;
  bool bad_schedule;
} hd_play;

void hd_play_code(const hd_code *code, const hd_play_options *options,
                  hd_run *run, hd_play *play);
void hd_play_free(hd_play *play);

/* --- every outcome --- */

/* All the ways a program can end, over all interleavings and inputs: what it
 * printed, and how it ended, as "exit 0: TEXT", "deadlock: TEXT" …, sorted. */
typedef struct {
  hd_vec(char *) texts;
  bool complete;
  char *why; /* not complete: why */
} hd_outcomes;

void hd_outcomes_list(const hd_code *code, const hd_machine_options *options,
                      hd_run *run, hd_outcomes *outcomes);
void hd_outcomes_free(hd_outcomes *outcomes);

#endif

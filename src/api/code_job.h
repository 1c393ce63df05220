/* SPDX-License-Identifier: MIT */
/* The verification of one C program on its way: code.c leads it from
 * beginning to end, code_stage.c sets single engines to work, code_race.c chooses
 * them. */
#ifndef HD_API_CODE_JOB_H
#define HD_API_CODE_JOB_H

#include "api/code.h"

/* What the machine checks (check/interp). */
#define HD_MACHINE_DECIDES (HD_UNFOLD_DECIDES | 1u << HD_PROPERTY_LEAK)

typedef struct hd_job {
  const hd_code *code;
  const hd_code_options *options;
  hd_run *run;
  hd_code_result *result;
  hd_str *why;
  bool again;  /* a violation hid what others would have seen behind it */
  bool claims; /* violations are kept as they are reported, for somebody else to
                   judge */
  bool sampled;    /* explore leaves out values of an input */
  double slowness; /* seconds that pass for each that it works; 0: not known */
  bool began;      /* the first runs were made */
  bool meet;       /* no run stands for all: threads meet */
  bool long_runs;  /* most of the first runs did not come to their ends */
  bool plain; /* the plain run, which does not depend on chance, was made */
  /* Not asked for, and not looked for; asked about once a run violates it. */
  hd_properties also;
} hd_job;

/* The properties that are asked for and not decided. */
hd_properties hd_job_open(const hd_code_result *result);
/* Do runs end at something that nobody has asked for? */
bool hd_job_unasked(const hd_code_result *result, const hd_remark *note);
/* The property is asked about from now on. */
void hd_job_ask(hd_job *j, int property);
/* Judges a violation that an engine reports, and keeps it with its run. False,
 * with a sentence in j->why, when it is none. */
HD_MUST_USE bool hd_job_confirm(hd_job *j, int property, const hd_turns *turns);
/* What the engine that answered cannot see makes its SAFE unknown. */
void hd_job_doubt(hd_job *j);

/* Why properties are open, put aside while another engine works. */
typedef struct {
  char *text[HD_PROPERTY_COUNT];
  hd_why why[HD_PROPERTY_COUNT];
} hd_job_reasons;
void hd_job_take_reasons(hd_job *j, hd_job_reasons *reasons);
/* What is still open is so for the reason it had before, where it had one. */
void hd_job_give_reasons(hd_job *j, hd_job_reasons *reasons);

/* Of so many moves no search sees all orders. */
enum { HD_LONG_RUN = 1500 };
/* Moves of the longest random run. */
double hd_job_longest(const hd_job *j);
/* Have most runs met what is not known? */
bool hd_job_refused(const hd_job *j);
/* How many seconds the engines are waited for, without options->patient: the
 * longer the first runs were, the less likely it is that somebody proves anything. */
double hd_job_patience(const hd_job *j);
/* The properties that are violated. */
hd_properties hd_job_found(const hd_code_result *result);
static inline bool hd_job_violated(const hd_job *j) {
  return hd_job_found(j->result) != 0;
}

/* Is something open because a variable was never set that could be an input? */
bool hd_job_wants_inputs(const hd_job *j, const hd_code_result *result);

/* A few random runs, always the same ones, by which most bugs are found. Of a
 * program whose runs are long a few whole ones, for seconds at most. Once only. */
HD_MUST_USE bool hd_job_first_runs(hd_job *j);

/* One engine, on what is open, as long as j->run may take. False when what it
 * found did not replay. */
HD_MUST_USE bool hd_job_fuzz(hd_job *j, uint64_t seed, uint64_t runs);
/* Some runs whose inputs a solver finds. */
HD_MUST_USE bool hd_job_steer(hd_job *j);
/* Runs, until something is found. */
HD_MUST_USE bool hd_job_fuzz_once(hd_job *j, uint64_t seed, uint64_t runs);
HD_MUST_USE bool hd_job_unfold(hd_job *j);
HD_MUST_USE bool hd_job_modular(hd_job *j);
/* Does one run stand for all of them? For a moment; explore asks for longer. */
HD_MUST_USE bool hd_job_single(hd_job *j);
HD_MUST_USE bool hd_job_explore(hd_job *j);
/* `engine`, "unfold" or "modular", as if it executed: alarms are followed by runs. */
void hd_job_prove(const hd_code *code, const hd_code_options *options,
                  const char *engine, hd_properties checks, hd_run *run,
                  hd_explore_result *result);
/* OpenMP: random runs and engine/teams. */
HD_MUST_USE bool hd_job_teams(hd_job *j);
/* What others say of an OpenMP program is about small teams. */
void hd_job_doubt_teams(hd_job *j);
/* Under the memory model that is asked for. */
HD_MUST_USE bool hd_job_graph(hd_job *j);
HD_MUST_USE bool hd_job_views(hd_job *j);
/* Are there executions that are no interleavings, or races that no interleaving
 * has side by side? Then the engines that know the memory model begin. */
bool hd_job_is_weak(const hd_job *j);
HD_MUST_USE bool hd_job_weak(hd_job *j);
/* Only about assertions, and only SAFE. */
HD_MUST_USE bool hd_job_pairs(hd_job *j);
/* Only about races, and only SAFE: what modular fears, and pairs exclude. */
void hd_job_apart(hd_job *j);
/* Only about assertions, and only SAFE. */
HD_MUST_USE bool hd_job_weave(hd_job *j);
/* The counter engines, which decide assertions; `jobs` as in
 * hd_verify_options. Next to others (`also`) they add a note when they cannot.
 */
hd_verify_status hd_job_unbounded(hd_job *j, unsigned jobs, bool also);
/* Can they help where others work, too: are threads created in a loop? */
bool hd_job_unbounded_applies(const hd_job *j);

/* All of them, side by side. False as above. */
HD_MUST_USE bool hd_job_race(hd_job *j);

#endif

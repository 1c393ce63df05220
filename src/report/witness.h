/* SPDX-License-Identifier: MIT */
/* Witnesses as the competition on software verification (SV-COMP) exchanges
 * them: GraphML, format 1.0, and YAML, format 2.x. A violation witness is the run as
 * a sequence of points of the source, each with its thread, and the values of
 * inputs; a correctness witness has the bounds of variables at loops, as far as
 * the engine unfold or modular knows them.
 *
 * docs/reports.md describes what is written. */
#ifndef HD_REPORT_WITNESS_H
#define HD_REPORT_WITNESS_H

#include "engine/unfold/unfold.h"
#include "report/code.h"

typedef struct {
  const hd_code *code;
  const char *const *files; /* as given */
  size_t n_files;
  const hd_code_result *result;
  const hd_machine_options *machine; /* what the run was made with */
  const hd_facts *facts;             /* of the proof; may be NULL */
} hd_sv_witness;

/* What is written for an answer: the first violation in the order of the
 * properties, or that nothing asked for can happen. */
typedef enum { HD_SV_NOTHING, HD_SV_VIOLATION, HD_SV_CORRECTNESS } hd_sv_kind;
hd_sv_kind hd_sv_witness_kind(const hd_sv_witness *witness);

/* Does the name of the file say that it is one of these? */
bool hd_sv_is_graphml(const char *path);
bool hd_sv_is_yaml(const char *path);

/* The kind must not be HD_SV_NOTHING. */
void hd_sv_witness_graphml(hd_str *out, const hd_sv_witness *witness);
void hd_sv_witness_yaml(hd_str *out, const hd_sv_witness *witness);

/* --- what the two have in common --- */

/* One point of the run. Texts belong to the path. */
typedef struct {
  uint32_t thread;
  hd_spot spot;
  const char *function;
  const char *enters;  /* function that is called here; NULL */
  const char *returns; /* that is returned from; NULL */
  uint32_t creates;    /* thread; HD_NO_ID */
  const char *input;   /* function whose value is an input; NULL */
  const char *value;   /* … the value */
  const char *memory;  /* what no interleaving does, for a comment; NULL */
  bool shows, failed;
} hd_sv_point;

typedef struct {
  hd_vec(hd_sv_point) points;
  hd_story *story;
  size_t n_threads;
} hd_sv_path;

void hd_sv_path_init(hd_sv_path *path, const hd_sv_witness *witness,
                     const hd_code_answer *answer);
void hd_sv_path_free(hd_sv_path *path);

/* The first violation; NULL = none. */
const hd_code_answer *hd_sv_violation(const hd_sv_witness *witness);
/* A loop that a witness can have an invariant of: for or while. */
bool hd_sv_is_loop(const hd_code *code, const hd_loop *loop);
/* What holds at the head of a loop, as an expression of C; "1" = nothing. */
void hd_sv_invariant(hd_str *out, const hd_sv_witness *witness, uint32_t loop);
/* As property files say it, one line a property; what they have no formula for
 * is written as "G ! NAME". */
void hd_sv_specification(hd_str *out, const hd_sv_witness *witness);
/* SHA-256 of the file's content, 64 letters; zeros when it cannot be read. */
void hd_sv_hash(const char *file, char hash[65]);
/* Now, or SOURCE_DATE_EPOCH, in UTC: "2026-01-31T12:00:00Z". */
void hd_sv_time(char text[32]);

#endif

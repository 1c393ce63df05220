/* SPDX-License-Identifier: MIT */
/* Certificates of C programs: an annotation (check/notes), or how many states there
 * are when all threads are followed together (check/joint), or both, each with what
 * it proves. docs/evidence.md describes the text. */
#ifndef HD_CHECK_JOINT_CERTIFICATE_H
#define HD_CHECK_JOINT_CERTIFICATE_H

#include "check/joint/joint.h"
#include "check/notes/notes.h"

#define HD_STATES_FIRST_LINE "heddle states 1"

typedef struct {
  bool readable;                /* else `why` says what is wrong with it */
  hd_properties claims, proved; /* proved: all claims, or none */
  hd_walked walked;             /* by its annotation */
  hd_joint_walked joint;        /* states and moves; 0: it has no such part */
} hd_certificate_verdict;

/* By its first line. */
bool hd_certificate_is(const char *text);

/* `program` names the code graph. Nothing proved: with a reason in `why`; when a limit
 * was reached, run->stop says which. */
void hd_certificate_judge(const hd_code *code, uint64_t program,
                          const char *text, hd_run *run,
                          hd_certificate_verdict *out, hd_str *why);

/* The second part. */
void hd_certificate_print_states(hd_str *out, uint64_t program,
                                 hd_properties proved, uint64_t states);

#endif

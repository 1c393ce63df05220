/* SPDX-License-Identifier: MIT */
/* The text form of witnesses and certificates: docs/evidence.md, exact enough
 * to write another checker from. States are written in the model's own names,
 * transitions by number and line. */
#ifndef HD_FRONT_EVIDENCE_EVIDENCE_H
#define HD_FRONT_EVIDENCE_EVIDENCE_H

#include "base/diag.h"
#include "model/evidence.h"

/* Printing is safe for any evidence whose arrays have the sizes they claim;
 * states that do not exist are written as @number. What is well formed reads
 * back the same. */
void hd_evidence_print_witness(hd_str *out, const hd_net *net,
                               const hd_witness *witness);
void hd_evidence_print_cert(hd_str *out, const hd_net *net,
                            const hd_cert *cert);
/* Reads either; exactly one of the two results is set on success. Syntax errors
 * and names the net does not have are diagnostics with a position. Whether the
 * evidence proves anything is for check/ to say. */
HD_MUST_USE bool hd_evidence_parse(const hd_source *source, const hd_net *net,
                                   hd_witness **witness, hd_cert **cert,
                                   hd_diag *diag);

#endif

/* SPDX-License-Identifier: MIT */
/* Phrases about a model, in its own words: for reports, listings and JSON. */
#ifndef HD_REPORT_DESCRIBE_H
#define HD_REPORT_DESCRIBE_H

#include "model/evidence.h"

/* "1,234": thousands separated. */
void hd_describe_count(hd_str *out, uint64_t n);
/* "1 step", "1,234 steps"; `plural` is what is appended to the noun. */
void hd_describe_counted(hd_str *out, uint64_t n, const char *noun,
                         const char *plural);
/* "thread system", "mist net", "PNML net" */
const char *hd_describe_format(const hd_net *net);
/* "edge" for thread systems, "transition" for nets */
const char *hd_describe_trans_noun(const hd_net *net);
/* "2 shared states, 3 local states, 5 edges" or "3 places, 5 transitions" */
void hd_describe_size(hd_str *out, const hd_net *net);
/* "shared state 0, any number of threads in 0"; at most `most` places are
 * named, 0 = all. */
void hd_describe_init(hd_str *out, const hd_net *net, size_t most);
/* As --target takes it: "2|1,1" or "p>=1,q>=2"; upper bounds as "p<=3". */
void hd_describe_target(hd_str *out, const hd_net *net, size_t target);
/* The set of hd_feature as a list of phrases: "broadcasts, resets". */
void hd_describe_features(hd_str *out, const hd_net *net, unsigned features);
/* `text` cut in the middle to `most` columns. */
void hd_describe_shortened(hd_str *out, const char *text, size_t most);

#endif

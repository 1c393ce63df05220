/* SPDX-License-Identifier: MIT */
/* The plainest search there is: firing written once more, straight from the
 * words of model/net.h, on dense vectors of single tokens. It decides few
 * systems, but those with every feature. */
#ifndef HD_TESTS_FUZZ_ORACLE_H
#define HD_TESTS_FUZZ_ORACLE_H

#include "model/result.h"

/* Explores up to `most` configurations from the initial ones, taking at most
 * `extra` tokens above the least number in unbounded places. HD_UNSAFE when a
 * target was seen, HD_SAFE when everything was seen and no place is unbounded,
 * HD_UNKNOWN otherwise. */
hd_verdict hd_oracle(const hd_net *net, size_t most, uint32_t extra);

#endif

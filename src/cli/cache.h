/* SPDX-License-Identifier: MIT */
/* --cache: definite answers by the question they belong to. The name of an entry
 * is the SHA-256 of the program's version, the options that matter and the
 * content of the input (of a C program: of its code graph, in which its headers
 * are). An entry says again what it is about and has a sum over the answer;
 * whatever is not as it was written counts for nothing, and what is goes through
 * the same judges as a new answer. */
#ifndef HD_CLI_CACHE_H
#define HD_CLI_CACHE_H

#include "cli/session.h"

typedef struct {
  char key[65]; /* "" = there is no cache, or nothing to name the input by */
} hd_cache;

/* After the input was read. */
hd_cache hd_cache_open(const hd_session *session);
/* The text of an answer. False when there is none that is whole. */
HD_MUST_USE bool hd_cache_load(hd_session *session, const hd_cache *cache,
                               hd_str *answer);
/* Keeps it; when that is not possible, a warning says so. */
void hd_cache_store(hd_session *session, const hd_cache *cache,
                    const hd_str *answer);
/* An entry that turned out to prove nothing. */
void hd_cache_reject(hd_session *session, const hd_cache *cache,
                     const char *why);

#endif

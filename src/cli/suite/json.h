/* SPDX-License-Identifier: MIT */
/* Reading JSON, as far as a suite needs it: members of an object by name. */
#ifndef HD_CLI_SUITE_JSON_H
#define HD_CLI_SUITE_JSON_H

#include "base/str.h"

/* Looks for `key` in the object that `text` is. True when `text` is a JSON
 * object, and nothing else, up to its end; `value` is then the text of the
 * member, decoded if it is a string, else as it stands (numbers, true, null, and
 * whole objects and lists), or empty when there is none. */
HD_MUST_USE bool hd_json_find(const char *text, size_t size, const char *key,
                              hd_str *value);
/* The same as a number; `otherwise` when it is none. */
double hd_json_find_number(const char *text, size_t size, const char *key,
                           double otherwise);

#endif

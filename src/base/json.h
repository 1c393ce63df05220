/* SPDX-License-Identifier: MIT */
/* Reading JSON, as far as heddle needs it: members of an object by name, and the
 * elements of lists. */
#ifndef HD_BASE_JSON_H
#define HD_BASE_JSON_H

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

/* Is `text` one JSON value? Otherwise `wrong` is where it stops being one. */
HD_MUST_USE bool hd_json_check(const char *text, size_t size, size_t *wrong);
/* Calls `visit` for the elements of the list that `text` is, as `value` above;
 * `offset` is where the element begins. Nothing happens if it is no list. */
typedef void hd_json_visit(void *context, const hd_str *value, size_t offset);
void hd_json_each(const char *text, size_t size, hd_json_visit *visit,
                  void *context);

#endif

/* SPDX-License-Identifier: MIT */
/* Writes JSON: valid UTF-8 whatever bytes the names hold, members in the order
 * of the calls, indented by two. Inside an object every call has a key, inside
 * an array it is NULL. */
#ifndef HD_REPORT_JSON_H
#define HD_REPORT_JSON_H

#include "base/str.h"

typedef struct {
  hd_str *out;
  unsigned depth;
  bool empty; /* nothing was written yet at this depth */
} hd_json;

hd_json hd_json_start(hd_str *out);
/* Ends the text; every object and array must be closed. */
void hd_json_finish(hd_json *json);

void hd_json_object(hd_json *json, const char *key);
void hd_json_end_object(hd_json *json);
void hd_json_array(hd_json *json, const char *key);
void hd_json_end_array(hd_json *json);

/* NULL is written as null. Bytes that are not UTF-8 become U+FFFD. */
void hd_json_string(hd_json *json, const char *key, const char *text);
void hd_json_bool(hd_json *json, const char *key, bool value);
/* Whole numbers without a fraction; a number that is not finite as null. */
void hd_json_number(hd_json *json, const char *key, double value);
/* With `digits` decimals. */
void hd_json_fixed(hd_json *json, const char *key, double value, int digits);

#endif

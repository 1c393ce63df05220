/* SPDX-License-Identifier: MIT */
#include "model/property.h"

#include <string.h>

static const char *const names[] = {
#define X(name, text, what) text,
    HD_PROPERTIES(X)
#undef X
};

const char *hd_property_name(hd_property property) {
  assert(property < HD_PROPERTY_COUNT);
  return names[property];
}

hd_property hd_property_find(const char *name, size_t length) {
  int p = 0;
  while (p < HD_PROPERTY_COUNT &&
         (strlen(names[p]) != length || memcmp(names[p], name, length) != 0))
    p++;
  return (hd_property)p;
}

/* SPDX-License-Identifier: MIT */
/* Bitcode inside of objects, archives and programs. heddle-cc leaves it in a
 * section of its own, which linkers put one behind the other. */
#ifndef HD_CC_OBJECT_H
#define HD_CC_OBJECT_H

#include "cc/link.h"

#define HD_CC_SECTION ".heddle"

/* Does it begin as an object, archive or bitcode does? */
bool hd_cc_is_object(const char *file);
/* Appends a unit for each piece of bitcode. False after a message on stderr,
 * also when there is none. */
HD_MUST_USE bool hd_cc_add_object(cc_units *units, const char *file,
                                  hd_arena *arena);
/* What the section of an object has for one source file. */
void hd_cc_print_section(hd_str *out, const char *file, const hd_str *bits);

#endif

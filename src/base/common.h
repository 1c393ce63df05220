/* SPDX-License-Identifier: MIT */
/* Attributes and the two ways heddle ends on its own mistakes.
 *
 * Three kinds of trouble are never mixed: bad input goes through base/diag.h,
 * "no verdict" is a result with a reason, and a broken invariant of heddle
 * itself ends here, with exit status 6. */
#ifndef HD_BASE_COMMON_H
#define HD_BASE_COMMON_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_MUST_USE __attribute__((warn_unused_result))
#define HD_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define HD_NORETURN __attribute__((noreturn))

/* Wide enough for sums of products of 64-bit weights and 32-bit counts. */
__extension__ typedef __int128 hd_i128;

/* Reports a broken invariant of heddle and exits with status 6. */
HD_NORETURN HD_PRINTF(1, 2) void hd_bug(const char *format, ...);

/* Reports that memory ran out and exits with status 6. */
HD_NORETURN void hd_out_of_memory(size_t bytes);

#endif

/* SPDX-License-Identifier: MIT */
/* The C library's headers serve both widths of x86, but this one, a list of
 * functions that only fail, comes with its 32-bit package. It is not needed to
 * read a program. */

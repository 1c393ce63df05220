/* SPDX-License-Identifier: MIT */
/* What a program can say to heddle.
 *
 * The header is found by heddle itself; a program that is also compiled for real
 * brings definitions of the functions it uses. */
#ifndef HEDDLE_ANNOTATIONS_H
#define HEDDLE_ANNOTATIONS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Any value from lo to hi, both included; a run in which lo > hi is none. */
char heddle_nondet_char(char lo, char hi);
unsigned char heddle_nondet_uchar(unsigned char lo, unsigned char hi);
short heddle_nondet_short(short lo, short hi);
unsigned short heddle_nondet_ushort(unsigned short lo, unsigned short hi);
int heddle_nondet_int(int lo, int hi);
unsigned heddle_nondet_uint(unsigned lo, unsigned hi);
long heddle_nondet_long(long lo, long hi);
unsigned long heddle_nondet_ulong(unsigned long lo, unsigned long hi);
size_t heddle_nondet_size_t(size_t lo, size_t hi);
#if defined __GNUC__
__extension__ long long heddle_nondet_longlong(long long lo, long long hi);
__extension__ unsigned long long
heddle_nondet_ulonglong(unsigned long long lo, unsigned long long hi);
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L
long long heddle_nondet_longlong(long long lo, long long hi);
unsigned long long heddle_nondet_ulonglong(unsigned long long lo,
                                           unsigned long long hi);
#endif

/* 0 or 1. */
int heddle_nondet_bool(void);

/* Runs in which the condition does not hold are none. */
void heddle_assume(int condition);

/* The condition must hold, whatever the other threads do. Unlike assert (), it
 * is checked with NDEBUG too. */
void heddle_assert(int condition);

/* No other thread acts from begin to end. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

#ifdef __cplusplus
}
#endif

#endif

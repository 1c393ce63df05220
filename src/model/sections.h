/* SPDX-License-Identifier: MIT */
/* Globals that only serve inside of atomic sections. */
#ifndef HD_MODEL_SECTIONS_H
#define HD_MODEL_SECTIONS_H

#include "model/code.h"

/* A flag for each global, to be freed: its value is dead (live_globals.h)
 * whenever a thread is outside of atomic sections. So each section that reads it
 * has written it before, and nobody else can tell what was in it. */
uint8_t *hd_code_inner_globals(const hd_code *code);

#endif

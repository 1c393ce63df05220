/* SPDX-License-Identifier: MIT */
/* A violation of a C program as a program that can be run: the source, a
 * schedule and a scheduler (models/harness/replay.c) that forces it. This makes
 * the texts; cli/harness.c puts the folder together. */
#ifndef HD_REPORT_HARNESS_H
#define HD_REPORT_HARNESS_H

#include "check/interp/interp.h"
#include "check/mpi/mpi.h"

/* The files that are the same in every harness: name and text; ended by a NULL
 * name. */
typedef struct {
  const char *name, *text;
} hd_harness_file;
extern const hd_harness_file hd_harness_files[];

typedef struct {
  const hd_code *code;
  const hd_machine_options *machine; /* NULL for MPI programs … */
  const hd_mpi_options *mpi;         /* … which have this */
  const hd_turns *turns;
  const hd_violation *violation; /* that the turns lead to */
  const char *const *sources;    /* in the harness, "src/counter.c" */
  size_t n_sources;
  const char *flags; /* for the compiler: "-DN=3 -Isrc" */
  const char *std;   /* "gnu11" */
} hd_harness;

/* NULL, or why the violation cannot be shown by a native run. */
const char *hd_harness_trouble(const hd_harness *harness);
/* The files that differ. */
void hd_harness_schedule(hd_str *out, const hd_harness *harness);
void hd_harness_functions(hd_str *out, const hd_harness *harness);
void hd_harness_makefile(hd_str *out, const hd_harness *harness);
void hd_harness_readme(hd_str *out, const hd_harness *harness);
void hd_harness_mpi_schedule(hd_str *out, const hd_harness *harness);
void hd_harness_mpi_makefile(hd_str *out, const hd_harness *harness);

#endif

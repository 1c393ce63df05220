/* SPDX-License-Identifier: MIT */
/* compile_commands.json: how the files of a project are compiled. It does not
 * say which of them make a program. Those that are named do, or the one with
 * main; the others are taken as far as they define what is missing. */
#ifndef HD_CC_PROJECT_H
#define HD_CC_PROJECT_H

#include "cc/link.h"

/* Appends units for `files` (0 of them: the file with main) and, lazily, all
 * others of the database in the folder `where`, or that `where` itself is. The
 * flags of `job` apply to all, behind their own. Files that are not in the database
 * are compiled as `like` is, which they include (NULL: by `job` alone). False after
 * messages on stderr. */
HD_MUST_USE bool hd_cc_add_project(cc_units *units, const char *where,
                                   const char *const *files, size_t n_files,
                                   const char *like, const cc_job *job,
                                   hd_arena *arena);

#endif

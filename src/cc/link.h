/* SPDX-License-Identifier: MIT */
/* From files to one LLVM module. A unit is a source file, or bitcode that was
 * in an object or archive. As linkers do with archives, some units are taken
 * only when they define what is missing. */
#ifndef HD_CC_LINK_H
#define HD_CC_LINK_H

#include "cc/driver.h"

#include <llvm-c/Core.h>

typedef struct {
  const char *file;  /* for messages; the source, unless there are bits */
  const cc_job *job; /* how the source is compiled */
  hd_str bits;       /* bitcode */
  bool lazy;         /* only for what it defines */
  bool weak;         /* … and others' definitions win */
  bool done;
  LLVMModuleRef module; /* of lazy units that were looked at */
} cc_unit;

typedef hd_vec(cc_unit) cc_units;

/* Appends what is in the file: C, LLVM, an object, an archive (lazy). False
 * after a message on stderr. */
HD_MUST_USE bool hd_cc_add_file(cc_units *units, const cc_job *job,
                                const char *file, hd_arena *arena);
/* Appends the models of library functions that are in the folder; they serve
 * what nobody else defines and no engine knows. */
void hd_cc_add_models(cc_units *units, const cc_job *job, const char *folder,
                      hd_arena *arena);
/* All units as one module, or NULL after a message on stderr. */
LLVMModuleRef hd_cc_link(cc_units *units, LLVMContextRef context,
                         hd_arena *arena, cc_pragmas *pragmas);
void hd_cc_units_free(cc_units *units);

/* Could this text define the function or variable? */
bool hd_cc_may_define(const char *text, const char *name);

#endif

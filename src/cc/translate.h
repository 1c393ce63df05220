/* SPDX-License-Identifier: MIT */
/* What the translation is for everybody else. */
#ifndef HD_CC_TRANSLATE_H
#define HD_CC_TRANSLATE_H

#include "base/str.h"
#include "cc/pragma.h"

#include <llvm-c/Core.h>

/* The whole text form of `llvm`, whose debug information must be in the form of
 * calls (LLVMSetIsNewDbgInfoFormat 0), appended to `out`. */
void hd_cc_translate(LLVMContextRef context, LLVMModuleRef llvm,
                     const cc_pragmas *pragmas, hd_str *out);

#endif

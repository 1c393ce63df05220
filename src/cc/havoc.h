/* SPDX-License-Identifier: MIT */
/* --undefined=havoc: functions that nobody defines and no engine knows get a body
 * that returns any value. What else they do is not known: one outcome of each call
 * is `__heddle_not_modelled`, at which every engine gives up, so that violations
 * are found behind the call and nothing is proved. */
#ifndef HD_CC_HAVOC_H
#define HD_CC_HAVOC_H

#include <llvm-c/Core.h>

/* Defines them in the linked program. Those that return a struct stay as they
 * are. */
void hd_cc_havoc(LLVMModuleRef whole);

#endif

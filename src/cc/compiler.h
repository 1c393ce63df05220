/* SPDX-License-Identifier: MIT */
/* heddle-cc in the place of the compiler: make CC=heddle-cc. It runs the real
 * one, and puts the bitcode of every source file into its object. */
#ifndef HD_CC_COMPILER_H
#define HD_CC_COMPILER_H

#include "cc/driver.h"

/* Does what a compiler does with these arguments; its exit status. `include`
 * is the folder of heddle's own headers. */
int hd_cc_be_compiler(int argc, char **argv, const char *include);

#endif

/* SPDX-License-Identifier: MIT */
/* Integers of 128 bits, which a program may have and the graph has not. */
#ifndef HD_CC_WIDE_H
#define HD_CC_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

bool hd_cc_is_wide(LLVMTypeRef type);
/* The lower and the upper half of a constant; false: it is none of this type. */
bool hd_cc_wide_constant(LLVMValueRef c, uint64_t half[2]);
/* Before models are linked: what the halves of values do not do by themselves
 * (products, shifts by any amount, atomic accesses, signed sums, which may
 * overflow, assembler with cmpxchg16b) becomes calls of models/library/wide.c. */
void hd_cc_lower_wide(LLVMContextRef context, LLVMModuleRef module);
/* seeds.c: arguments that nobody looks at, made of inputs, become 0. */
void hd_cc_forget_seeds(LLVMModuleRef module);
/* wide_asm.c: puts what the assembler does into its place; false: it is not one
 * around cmpxchg16b, and nothing was done. */
bool hd_cc_lower_assembler(LLVMContextRef context, LLVMModuleRef module,
                           LLVMBuilderRef builder, LLVMValueRef call);

#endif

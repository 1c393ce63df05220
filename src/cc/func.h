/* SPDX-License-Identifier: MIT */
/* One function while it is translated: registers, slots, locations, edges, and
 * what its LLVM values have become. */
#ifndef HD_CC_FUNC_H
#define HD_CC_FUNC_H

#include "cc/cc.h"

/* The variable a register or slot stands for, as debug information has it. */
typedef struct {
  const char *cname; /* NULL = a temporary */
  uint32_t ctype, scope;
  hd_cpos pos;
} cc_variable;

typedef struct {
  const char *name; /* with its % */
  hd_type type;
  bool stable;     /* keeps its value as long as LLVM's value is in use */
  bool read_unset; /* is perhaps read before it has a value */
  cc_variable variable;
} cc_reg;

typedef struct {
  const char *name; /* with its & */
  uint64_t size;
  uint32_t align;
  cc_variable variable;
} cc_slot;

/* What a parameter passed by value is copied to. */
typedef struct {
  uint32_t slot;
  const cc_expr *from;
  uint64_t size;
} cc_copy;

/* What an instruction or an argument is. */
typedef enum {
  CC_VALUE,    /* its parts */
  CC_PROMOTED, /* an alloca that is a register: `reg` */
  CC_DEAD,     /* comes behind something unsupported */
} cc_value_kind;

typedef struct {
  cc_value_kind kind;
  cc_parts parts;
  uint32_t reg;
  uint32_t uses; /* still to come in its block */
  bool pending;
  hd_cpos pos; /* where it is computed */
} cc_value;

#define HD_MAP cc_value_map
#define HD_KEY LLVMValueRef
#define HD_VAL cc_value
#define HD_HASH(k) hd_hash_mix(0, (uint64_t)(uintptr_t)(k))
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef struct {
  LLVMBasicBlockRef llvm;
  uint32_t start;      /* location */
  uint32_t first_pred; /* into preds */
  uint32_t n_preds, n_succs, first_succ;
  bool done;          /* translated */
  bool reached;       /* some written edge leads to it */
  uint64_t *assigned; /* promoted registers that surely have a value here */
  /* loops.c */
  uint32_t order; /* in reverse postorder; HD_NO_ID: not reachable */
  uint32_t idom;  /* block */
  bool head, irreducible;
  hd_cpos loop_pos;
  uint32_t loop_scope;
} cc_block;

typedef struct {
  hd_cpos pos;
  uint32_t forward; /* location that this one is the same as, or HD_NO_ID */
  uint32_t block;   /* whose start it is, or HD_NO_ID */
  uint32_t number;  /* when written */
} cc_loc;

typedef struct {
  uint32_t from, to;
  hd_cpos pos;
  const char *text;
} cc_edge;

typedef struct {
  cc_module *m;
  LLVMValueRef llvm;
  hd_arena arena;
  hd_vec(cc_reg) regs;
  uint32_t n_params;
  uint32_t n_tracked; /* the first registers, in `assigned`; the others are
                         assigned before they are read */
  hd_vec(cc_slot) slots;
  hd_vec(struct cc_literal *) literals;
  hd_vec(cc_copy) copies;
  hd_vec(cc_loc) locs;
  hd_vec(cc_edge) edges;
  hd_vec(cc_block) blocks;
  hd_u32s preds, succs; /* blocks */
  hd_u32s order;        /* blocks in reverse postorder */
  cc_number_map block_numbers;
  cc_value_map values;
  cc_number_map variables; /* alloca or argument → index + 1 in `declared` */
  hd_vec(cc_variable) declared;
  cc_text_map names; /* of registers and slots, taken */
  hd_vec(LLVMValueRef) pending;
  LLVMValueRef skip;  /* a store that was done with the value it stores */
  uint64_t *assigned; /* as in the block, up to now */
  size_t assigned_words;
  uint32_t block, at; /* where we are; at = HD_NO_ID: the block has ended */
  uint32_t entry;     /* location */
  hd_cpos pos, start; /* of the instruction, of the function */
  uint32_t temporaries;
} cc_func;

/* setup.c: what the debug information says of a value's variable, if it does. */
void hd_cc_describe(cc_func *f, LLVMValueRef value, cc_variable *out);

/* func.c */
/* Writes the function with its body. */
void hd_cc_function(cc_module *m, LLVMValueRef function);

/* setup.c: registers, slots and names, before the blocks. */
/* NULL, or why the function cannot be translated at all. */
const char *hd_cc_setup(cc_func *f);
/* The promoted register behind an address, or HD_NO_ID. */
uint32_t hd_cc_promoted(const cc_func *f, LLVMValueRef address);
/* Does it say where the lifetime of a variable starts or ends? */
bool hd_cc_is_lifetime(LLVMValueRef inst);
/* intrinsic.c: can the address be known to anything but the accesses here? */
bool hd_cc_is_kept(LLVMValueRef address);
/* literal.c: compound literals that end before their function does. Where they
 * start and end is written by the other two: when a block is entered, and before
 * each of its instructions, with what the first one gave. */
void hd_cc_find_literals(cc_func *f);
bool *hd_cc_enter_literals(cc_func *f);
void hd_cc_literals(cc_func *f, LLVMValueRef inst, bool *inside);
/* A declaration is reached: llvm.dbg.declare. */
void hd_cc_declaration(cc_func *f, LLVMValueRef inst);
/* The type of a struct that is passed by value, behind a pointer; or NULL. */
LLVMTypeRef hd_cc_byval(const cc_module *m, LLVMValueRef function,
                        unsigned parameter);
uint32_t hd_cc_new_reg(cc_func *f, const char *name, hd_type type);
uint32_t hd_cc_new_temporary(cc_func *f, hd_type type);
bool hd_cc_is_assigned(const cc_func *f, uint32_t reg);
void hd_cc_mark_assigned(cc_func *f, uint32_t reg);

/* loops.c: order, dominators, loop heads. */
void hd_cc_find_loops(cc_func *f);

/* emit.c */
uint32_t hd_cc_new_loc(cc_func *f);
/* One edge from where we are to a new location, where we are then. */
void hd_cc_edge(cc_func *f, const char *text);
/* One edge to `to`; we stay. */
void hd_cc_edge_to(cc_func *f, uint32_t to, const char *text);
/* The block ends here, with an edge to itself. */
void hd_cc_end(cc_func *f, const char *text);
void hd_cc_unsupported(cc_func *f, const char *format, ...) HD_PRINTF(2, 3);
const cc_expr *hd_cc_reg_expr(cc_func *f, uint32_t reg);
/* The parts of an operand, which is used once more by this. False: it is of no
 * use, and the block was ended with a word about why. */
HD_MUST_USE bool hd_cc_use(cc_func *f, LLVMValueRef value, cc_parts *out);
/* The same for a value that has exactly one part. */
HD_MUST_USE bool hd_cc_use1(cc_func *f, LLVMValueRef value,
                            const cc_expr **out);
/* The value of an instruction: pending, or put into temporaries. */
void hd_cc_define(cc_func *f, LLVMValueRef inst, cc_parts parts);
void hd_cc_define1(cc_func *f, LLVMValueRef inst, const cc_expr *e);
/* Fresh registers for the parts of what an action gives; or the promoted
 * register it is stored to at once. To be called before the action is written:
 * flushes what reads that register. `n` results in `regs`. */
HD_MUST_USE bool hd_cc_targets(cc_func *f, LLVMValueRef inst, uint32_t *regs,
                               uint32_t *n);
void hd_cc_define_regs(cc_func *f, LLVMValueRef inst, const uint32_t *regs,
                       uint32_t n);
/* Puts what may be undefined into temporaries: before anything visible. */
void hd_cc_flush(cc_func *f);
/* Puts what reads `reg` into temporaries: before it is assigned. */
void hd_cc_flush_reg(cc_func *f, uint32_t reg);
/* `e`, or a temporary with its value. */
const cc_expr *hd_cc_as_leaf(cc_func *f, const cc_expr *e);
const cc_expr *hd_cc_in_register(cc_func *f, const cc_expr *e);
void hd_cc_assign(cc_func *f, uint32_t reg, const cc_expr *e);

/* inst.c, memory.c, call.c, intrinsic.c, flow.c */
void hd_cc_instruction(cc_func *f, LLVMValueRef inst);
void hd_cc_memory(cc_func *f, LLVMValueRef inst);
void hd_cc_call(cc_func *f, LLVMValueRef inst);
/* False: it is none of those known. */
bool hd_cc_intrinsic(cc_func *f, LLVMValueRef inst, const char *name);
/* pointer_input.c: a call that gives any pointer, if only its being null
 * matters, or nothing of it. False: it is none, or more of it matters. */
bool hd_cc_pointer_input(cc_func *f, LLVMValueRef inst, LLVMValueRef callee);
/* Is the operand such a pointer, which is an i1 then: is it not null? */
bool hd_cc_is_pointer_flag(LLVMValueRef operand, const cc_expr *e);
/* Does anybody use its value? */
bool hd_cc_is_used(LLVMValueRef inst);
typedef hd_vec(const cc_expr *) cc_args;
/* The parts of all arguments of a call. */
HD_MUST_USE bool hd_cc_read_arguments(cc_func *f, LLVMValueRef inst,
                                      cc_args *out);
/* wide.c: an operation on integers of 128 bits. False: it is none. */
bool hd_cc_wide(cc_func *f, LLVMValueRef inst);
/* asm.c: a call of assembler. */
void hd_cc_asm(cc_func *f, LLVMValueRef inst, LLVMValueRef callee);
void hd_cc_terminator(cc_func *f, LLVMValueRef inst);
/* The block ends and goes on at block `to`. */
void hd_cc_jump(cc_func *f, uint32_t to);
/* `call %a, %b = CALLEE(args)` as one edge. */
void hd_cc_call_edge(cc_func *f, const uint32_t *regs, uint32_t n_regs,
                     const char *callee, const cc_expr *const *args,
                     uint32_t n_args);
/* A call of `name` (with its @) with results for `inst` (may be NULL). */
void hd_cc_call_named(cc_func *f, LLVMValueRef inst, const char *name,
                      const cc_expr *const *args, uint32_t n);
/* "when C" leads on, its opposite to undefined behaviour. */
void hd_cc_require(cc_func *f, const cc_expr *c);

#endif

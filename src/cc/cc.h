/* SPDX-License-Identifier: MIT */
/* heddle-cc: an LLVM module becomes a code graph in its text form
 * (docs/code.md). What C programs turn into is told in docs/front-c.md.
 *
 * An LLVM value is a list of *parts*, one for every scalar in it: most have
 * one, a struct or a vector in a register has several. A part is an expression
 * over registers. Pure instructions only build expressions; they wait (are
 * *pending*) until the instruction that uses them is written as an edge. What
 * must not wait is put into a temporary register at its place:
 *   - what is used in another block, or several times and is no leaf;
 *   - what reads a register that is assigned now;
 *   - what can be undefined (not `total`), before anything is done that others
 *     can see, and before a branch: it is evaluated where the program does so.
 *
 * Debian's LLVM is built without assertions: a wrong cast is a crash. Kinds are
 * asked for before anything is cast. */
#ifndef HD_CC_H
#define HD_CC_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cc/translate.h"
#include "model/code.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

/* --- expressions --- */

typedef struct cc_expr cc_expr;
struct cc_expr {
  uint8_t op, flags; /* hd_code_op, HD_CODE_NSW … */
  hd_type type;
  bool total;    /* has a value in every state it can be evaluated in */
  bool constant; /* does not depend on registers */
  uint32_t size; /* nodes */
  const cc_expr *args[3];
  uint64_t value;   /* INT: masked; REG, SLOT: number in the function */
  const char *name; /* REG, SLOT, GLOBAL, FUNC: as written, with its sigil */
};

/* The parts of a value. */
typedef struct {
  const cc_expr **parts;
  uint32_t n;
} cc_parts;

/* --- module --- */

#define HD_MAP cc_number_map
#define HD_KEY const void *
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(0, (uint64_t)(uintptr_t)(k))
#define HD_EQ(a, b) ((a) == (b))
#include "base/hash.h"
#include "base/map_templ.h"

#define HD_MAP cc_text_map
#define HD_KEY const char *
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_bytes((k), strlen(k))
#define HD_EQ(a, b) (strcmp((a), (b)) == 0)
#include "base/map_templ.h"

typedef struct {
  LLVMValueRef value;
  const char *name; /* with its @ */
} cc_needed;

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef llvm;
  LLVMTargetDataRef layout;
  uint8_t pointer_width;
  hd_arena arena;
  hd_str files, scopes, globals, functions; /* sections of the output */
  hd_vec(const char *) types;               /* likewise, by number */
  cc_text_map file_numbers;
  cc_number_map type_numbers, scope_numbers; /* by metadata */
  hd_vec(uint32_t) scope_parents;
  hd_vec(cc_needed) needed; /* functions and globals, each once */
  cc_number_map is_needed;  /* value → index in it */
  cc_text_map builtins;     /* library functions that only the translation
                               calls, by name */
  cc_number_map labels;     /* blocks whose address is taken, numbered */
  LLVMValueRef main;
  hd_vec(LLVMValueRef) constructors; /* in the order they run before main */
  hd_vec(LLVMValueRef) destructors;  /* the last to run first */
  unsigned kind_dbg, kind_loop, attr_byval;
  struct {
    hd_cpos *data;
    size_t size, cap;
  } note_places;       /* pragmas between statements that were met … */
  hd_u32s note_scopes; /* … and the block each stands in */
  const cc_pragmas *pragmas;
} cc_module;

/* The scalars of a type, in the order of memory. */
typedef struct {
  hd_type type;
  uint64_t offset; /* in bytes */
} cc_scalar;
typedef hd_vec(cc_scalar) cc_scalars;

/* types.c */
bool hd_cc_scalar(const cc_module *m, LLVMTypeRef type, hd_type *out);
/* Appends the scalars of `type`; NULL, or what it holds that heddle has no
 * values for ("long double"). Nothing is appended for void. */
const char *hd_cc_flatten(const cc_module *m, LLVMTypeRef type,
                          cc_scalars *out);
/* As hd_cc_flatten, only the answer; void is fine. */
const char *hd_cc_type_trouble(const cc_module *m, LLVMTypeRef type);
uint64_t hd_cc_size(const cc_module *m, LLVMTypeRef type); /* 0: not sized */
hd_type hd_cc_int(unsigned width);
hd_type hd_cc_ptr(const cc_module *m);
hd_type hd_cc_size_type(const cc_module *m); /* integer, wide as a pointer */
bool hd_cc_same_type(hd_type a, hd_type b);

/* expr.c; nodes live in the arena that is given. Operations come folded where
 * that loses nothing. */
const cc_expr *hd_cc_int_expr(hd_arena *arena, hd_type type, uint64_t value);
const cc_expr *hd_cc_leaf(hd_arena *arena, hd_code_op op, hd_type type,
                          uint64_t value, const char *name, bool total);
const cc_expr *hd_cc_op1(hd_arena *arena, hd_code_op op, hd_type type,
                         uint8_t flags, const cc_expr *a);
const cc_expr *hd_cc_op2(hd_arena *arena, hd_code_op op, hd_type type,
                         uint8_t flags, const cc_expr *a, const cc_expr *b);
const cc_expr *hd_cc_select(hd_arena *arena, const cc_expr *c,
                            const cc_expr *yes, const cc_expr *no);
const cc_expr *hd_cc_not(hd_arena *arena, const cc_expr *c); /* of an i1 */
/* The integer `a` with another width. */
const cc_expr *hd_cc_resize(hd_arena *arena, const cc_expr *a, hd_type type,
                            bool is_signed);
/* base + offset bytes; offset has the width of a pointer. */
const cc_expr *hd_cc_ptradd(hd_arena *arena, const cc_expr *base,
                            const cc_expr *offset, bool inbounds);
bool hd_cc_is_leaf(const cc_expr *e);
bool hd_cc_is_int(const cc_expr *e, uint64_t value);
bool hd_cc_reads(const cc_expr *e, uint32_t reg);
void hd_cc_print_expr(hd_str *out, const cc_expr *e);
void hd_cc_print_type(hd_str *out, hd_type type);
/* A name behind @, % or &, in quotes if it must be; a string in quotes. */
void hd_cc_print_name(hd_str *out, char sigil, const char *name);
void hd_cc_print_string(hd_str *out, const char *text);

/* debug.c: positions, scopes and C types; HD_NO_ID where there is none. */
uint32_t hd_cc_file(cc_module *m, const char *name);
/* Without a line or a file: nowhere. */
hd_cpos hd_cc_position(cc_module *m, LLVMMetadataRef file, unsigned line,
                       unsigned column);
hd_cpos hd_cc_location(cc_module *m, LLVMMetadataRef location);
hd_cpos hd_cc_inst_pos(cc_module *m, LLVMValueRef inst);
hd_cpos hd_cc_function_pos(cc_module *m, LLVMValueRef function);
uint32_t hd_cc_scope(cc_module *m, LLVMMetadataRef scope);
uint32_t hd_cc_ctype(cc_module *m, LLVMMetadataRef type);
uint32_t hd_cc_result_ctype(cc_module *m, LLVMMetadataRef subprogram);
/* Operand i of a node: metadata or NULL; as a string or NULL. */
LLVMMetadataRef hd_cc_md_operand(cc_module *m, LLVMMetadataRef node,
                                 unsigned i);
const char *hd_cc_md_string(cc_module *m, LLVMMetadataRef node, unsigned i);
void hd_cc_print_pos(hd_str *out, hd_cpos pos);

/* constant.c */
/* The parts of a constant, of a type that hd_cc_flatten takes; NULL: done, else
 * what it is that cannot be said. */
const char *hd_cc_constant(cc_module *m, hd_arena *arena, LLVMValueRef constant,
                           cc_parts *out);
/* The address that `gep` (instruction or constant) computes from its base and
 * its indices. This and the next two: NULL, or what cannot be said. */
const char *hd_cc_gep(cc_module *m, hd_arena *arena, LLVMValueRef gep,
                      const cc_expr *base, const cc_expr **indices,
                      const cc_expr **out);
/* A binary operation or a cast, as LLVM calls it. */
const char *hd_cc_binary(hd_arena *arena, LLVMOpcode op, LLVMValueRef from,
                         hd_type type, const cc_expr *a, const cc_expr *b,
                         const cc_expr **out);
const char *hd_cc_cast(hd_arena *arena, LLVMOpcode op, hd_type type,
                       const cc_expr *a, const cc_expr **out);
const cc_expr *hd_cc_icmp(hd_arena *arena, LLVMIntPredicate p, const cc_expr *a,
                          const cc_expr *b);
/* Writes ` bytes … reloc …` of an initialiser; NULL, or what cannot be said,
 * and then nothing was written. */
const char *hd_cc_initialiser(cc_module *m, hd_str *out, LLVMValueRef init,
                              uint64_t size);

/* module.c */
/* The types of a function's results; void for none, or for one that heddle has
 * no values of. */
void hd_cc_print_results(cc_module *m, hd_str *out, LLVMTypeRef type);
/* The name for the linker, without the mark that LLVM puts in front of those
 * given in assembler. */
const char *hd_cc_symbol(LLVMValueRef value);
/* Function or global that is written because something mentions it; its name
 * with the sigil. Aliases must be resolved. */
const char *hd_cc_need(cc_module *m, LLVMValueRef value);
LLVMValueRef hd_cc_resolve(LLVMValueRef value);
/* A library function that LLVM knows as an intrinsic; declared once, as in
 * "(ptr, ptr, i64) -> ptr". Its name with the sigil. */
const char *hd_cc_need_builtin(cc_module *m, const char *name,
                               const char *signature);
/* The object that stands for the address of a label. */
const char *hd_cc_need_label(cc_module *m, LLVMBasicBlockRef block);

#endif

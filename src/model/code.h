/* SPDX-License-Identifier: MIT */
/* The code graph: the program graph of C programs.
 *
 * Functions with typed registers and memory with objects. A function is a graph
 * of locations; an edge is one atomic action of one thread. Boolean programs
 * have a form of their own (model/program.h): a few bits, parallel assignment
 * with choices, no memory. What is small enough in a C program is turned into
 * states and counted like those.
 *
 * Values are bit patterns of up to 64 bits: integers i1 … i64, f32 and f64
 * (IEEE), and ptr, as wide as the target's. Registers belong to a frame, nobody
 * else can see them: parameters, temporaries, and those source variables whose
 * address is never taken. All others are *objects* with a size in bytes: globals
 * and the slots of a frame, each frame with its own. A pointer points into an
 * object, or to a function, or is null.
 *
 * Actions, as `targets = ACT(operands)`:
 *
 *   STEP      can be taken when `guard` holds (HD_NO_ID = always); operand i goes
 *             to target i, all operands evaluated first. Moves, assignments,
 *             branches. The guards at a location exclude each other and, unless
 *             they are undefined, one holds.
 *   LOAD      reg = (address)
 *   STORE     (address, value)
 *   RMW       old = (address, value), with rmw saying how they combine
 *   CMPXCHG   old, swapped = (address, expected, new)
 *   FENCE     ()
 *   CALL      results = (callee, arguments…); the callee is a HD_CODE_FUNC or an
 *             expression of type ptr. A function that is not defined in the
 *             program is one of the library (model/library.h) or unknown.
 *   RETURN    (values…), as many as the function has results
 *   ALLOCA    pointer = (size in bytes): an object that lives as long as the frame
 *   UNREACHABLE  undefined behaviour: control never gets here
 *   UNSUPPORTED  `text` says what the front end could not translate; whoever
 *             gets here has to refuse
 *
 * Only LOAD, STORE, RMW, CMPXCHG, FENCE and calls of the library are visible to
 * other threads; all else commutes with whatever they do.
 *
 * Expressions are pure, nodes in one pool, equal ones shared. They can be
 * undefined (signed overflow with nsw, division by zero, a shift by the width or
 * more, a register that was never assigned, HD_CODE_UNDEF): whoever evaluates
 * says what that means.
 *
 * The text form is described in docs/code.md; front/code reads it. */
#ifndef HD_MODEL_CODE_H
#define HD_MODEL_CODE_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/word.h"
#include "model/program.h" /* hd_loc_id, hd_edge_id, HD_NO_ID */

typedef uint32_t hd_cexpr_id; /* expression */
typedef uint32_t hd_reg_id;   /* register: number in its function */
typedef uint32_t hd_func_id, hd_global_id, hd_ctype_id, hd_scope_id;

/* --- values --- */

typedef enum {
  HD_TYPE_INT,
  HD_TYPE_PTR,
  HD_TYPE_FLOAT, /* width 32 or 64 */
} hd_type_kind;

typedef struct {
  uint8_t kind;  /* hd_type_kind */
  uint8_t width; /* in bits, 1 … 64 */
} hd_type;

/* What an operation needs: number of operands, and which flags it may carry.
 * Comparisons give i1; casts have the type they cast to; all others the type of
 * their (last) operand. */
#define HD_CODE_OPS(X)                                                             \
  /* leaves */                                                                     \
  X(INT, "int", 0)     /* value; also of type FLOAT: the bit pattern */            \
  X(NULL, "null", 0)   /* the null pointer */                                      \
  X(UNDEF, "undef", 0) /* undefined or poison */                                   \
  X(REG, "reg", 0)     /* value = register of the function */                      \
  X(GLOBAL, "global", 0)                                                           \
  X(FUNC, "func", 0)                                                               \
  X(SLOT, "slot", 0) /* address of a slot of the frame */                          \
  /* integers; ADD SUB MUL SHL may carry nsw, nuw; DIV and SHR exact */            \
  X(ADD, "add", 2)                                                                 \
  X(SUB, "sub", 2)                                                                 \
  X(MUL, "mul", 2)                                                                 \
  X(UDIV, "udiv", 2)                                                               \
  X(SDIV, "sdiv", 2)                                                               \
  X(UREM, "urem", 2)                                                               \
  X(SREM, "srem", 2)                                                               \
  X(SHL, "shl", 2)                                                                 \
  X(LSHR, "lshr", 2)                                                               \
  X(ASHR, "ashr", 2)                                                               \
  X(AND, "and", 2)                                                                 \
  X(OR, "or", 2)                                                                   \
  X(XOR, "xor", 2)                                                                 \
  /* of two integers or two pointers */                                            \
  X(EQ, "eq", 2)                                                                   \
  X(NE, "ne", 2)                                                                   \
  X(ULT, "ult", 2)                                                                 \
  X(ULE, "ule", 2)                                                                 \
  X(UGT, "ugt", 2)                                                                 \
  X(UGE, "uge", 2)                                                                 \
  X(SLT, "slt", 2)                                                                 \
  X(SLE, "sle", 2)                                                                 \
  X(SGT, "sgt", 2)                                                                 \
  X(SGE, "sge", 2)                                                                 \
  /* does the exact result leave the type? */                                      \
  X(SADD_OVERFLOWS, "sadd_overflows", 2)                                           \
  X(UADD_OVERFLOWS, "uadd_overflows", 2)                                           \
  X(SSUB_OVERFLOWS, "ssub_overflows", 2)                                           \
  X(USUB_OVERFLOWS, "usub_overflows", 2)                                           \
  X(SMUL_OVERFLOWS, "smul_overflows", 2)                                           \
  X(UMUL_OVERFLOWS, "umul_overflows", 2)                                           \
  /* floats */                                                                     \
  X(FADD, "fadd", 2)                                                               \
  X(FSUB, "fsub", 2)                                                               \
  X(FMUL, "fmul", 2)                                                               \
  X(FDIV, "fdiv", 2)                                                               \
  X(FREM, "frem", 2)                                                               \
  X(FNEG, "fneg", 1)                                                               \
  X(FABS, "fabs", 1)                                                               \
  /* ordered: false with a NaN; unordered: true with one */                        \
  X(FOEQ, "foeq", 2)                                                               \
  X(FOGT, "fogt", 2)                                                               \
  X(FOGE, "foge", 2)                                                               \
  X(FOLT, "folt", 2)                                                               \
  X(FOLE, "fole", 2)                                                               \
  X(FONE, "fone", 2)                                                               \
  X(FORD, "ford", 2)                                                               \
  X(FUEQ, "fueq", 2)                                                               \
  X(FUGT, "fugt", 2)                                                               \
  X(FUGE, "fuge", 2)                                                               \
  X(FULT, "fult", 2)                                                               \
  X(FULE, "fule", 2)                                                               \
  X(FUNE, "fune", 2)                                                               \
  X(FUNO, "funo", 2)                                                               \
  /* casts */                                                                      \
  X(TRUNC, "trunc", 1)                                                             \
  X(ZEXT, "zext", 1)                                                               \
  X(SEXT, "sext", 1)                                                               \
  X(FPTRUNC, "fptrunc", 1)                                                         \
  X(FPEXT, "fpext", 1)                                                             \
  X(FPTOSI, "fptosi", 1)                                                           \
  X(FPTOUI, "fptoui", 1)                                                           \
  X(SITOFP, "sitofp", 1)                                                           \
  X(UITOFP, "uitofp", 1)                                                           \
  X(PTRTOINT, "ptrtoint", 1)                                                       \
  X(INTTOPTR, "inttoptr", 1)                                                       \
  X(BITCAST, "bitcast", 1) /* the same bits as another type */                     \
  /* (pointer, bytes as signed integer of the pointer's width); inbounds: the  \
   * result stays in the object or just behind it */   \
  X(PTRADD, "ptradd", 2)                                                           \
  X(SELECT, "select", 3) /* condition i1, then, else */                            \
  /* integers, one operand */                                                      \
  X(CTPOP, "ctpop", 1)                                                             \
  X(CTLZ, "ctlz", 1) /* the width for 0 */                                         \
  X(CTTZ, "cttz", 1)                                                               \
  X(BSWAP, "bswap", 1)                                                             \
  X(ABS, "abs", 1) /* may carry nsw */                                             \
  X(SMIN, "smin", 2)                                                               \
  X(SMAX, "smax", 2)                                                               \
  X(UMIN, "umin", 2)                                                               \
  X(UMAX, "umax", 2)                                                               \
  /* (index, count): the index; undefined unless it is below the count, both     \
   * unsigned: an element of an array that need not be the whole object */ \
  X(WITHIN, "within", 2)

typedef enum {
#define X(name, text, arity) HD_CODE_##name,
  HD_CODE_OPS(X)
#undef X
      HD_CODE_OP_COUNT
} hd_code_op;

enum {
  HD_CODE_NSW = 1,
  HD_CODE_NUW = 2,
  HD_CODE_EXACT = 4,
  HD_CODE_INBOUNDS = 8
};

typedef struct {
  uint8_t op;    /* hd_code_op */
  uint8_t flags; /* HD_CODE_NSW … */
  hd_type type;
  hd_cexpr_id args[3]; /* HD_NO_ID where unused */
  uint64_t value;      /* INT: masked to the width; REG, GLOBAL, FUNC, SLOT */
} hd_cexpr;

/* --- where things come from --- */

typedef struct {
  uint32_t file; /* into code->files; HD_NO_ID = nowhere */
  uint32_t line, column;
} hd_cpos;

/* A lexical block; the outermost one of a function has parent HD_NO_ID. */
typedef struct {
  hd_scope_id parent;
  hd_cpos pos;
} hd_scope;

/* C types, for people and for names in annotations. Typedefs and qualifiers are
 * resolved; `name` is the name that was written ("pthread_mutex_t"). */
typedef enum {
  HD_CTYPE_VOID,
  HD_CTYPE_BOOL,
  HD_CTYPE_SIGNED,
  HD_CTYPE_UNSIGNED,
  HD_CTYPE_FLOAT,
  HD_CTYPE_POINTER,  /* base */
  HD_CTYPE_ARRAY,    /* base, count (0 = not known) */
  HD_CTYPE_STRUCT,   /* fields */
  HD_CTYPE_UNION,    /* fields */
  HD_CTYPE_ENUM,     /* fields: name and offset = value */
  HD_CTYPE_FUNCTION, /* no further description */
} hd_ctype_kind;

typedef struct {
  const char *name;
  hd_ctype_id type; /* HD_NO_ID in an enum */
  uint64_t offset;  /* in bits; ENUM: the value */
  uint32_t bits;    /* size in bits */
} hd_cfield;

typedef struct {
  hd_ctype_kind kind;
  const char *name; /* NULL = none */
  uint64_t size;    /* in bytes */
  hd_ctype_id base; /* HD_NO_ID = none */
  uint64_t count;
  const char
      *bound; /* ARRAY of variable length: the local variable that has its
                        count, as in the debug information; else NULL */
  uint32_t fields, n_fields; /* into code->fields */
} hd_ctype;

/* --- objects, functions, graph --- */

/* At `offset` of an initial value: the address `expr` (GLOBAL, FUNC, PTRADD,
 * INTTOPTR …, constant), as wide as a pointer. */
typedef struct {
  uint64_t offset;
  hd_cexpr_id expr;
} hd_reloc;

typedef struct {
  const char *name;  /* unique; in the text form after @ */
  const char *cname; /* as in the source; NULL = none (a string literal, …) */
  uint64_t size;
  uint32_t align;
  bool thread_local, constant;
  bool external;        /* declared, not defined: contents not known */
  const uint8_t *bytes; /* `size` of them; NULL = all zero */
  uint32_t relocs, n_relocs;
  hd_ctype_id ctype; /* HD_NO_ID = not known */
  hd_cpos pos;
} hd_global;

typedef struct {
  const char *name;  /* unique in the function; in the text form after % */
  const char *cname; /* the source variable; NULL = a temporary */
  hd_type type;
  hd_ctype_id ctype;
  hd_scope_id scope;
  hd_cpos pos;
  bool rounds; /* counts those of a loop for a bound (model/unwind.h) */
} hd_reg;

/* An object in every frame of its function. */
typedef struct {
  const char *name; /* unique in the function; in the text form after & */
  const char *cname;
  uint64_t size;
  uint32_t align;
  hd_ctype_id ctype;
  hd_scope_id scope;
  hd_cpos pos;
} hd_slot;

typedef struct {
  const char *name;
  const char *cname;
  bool defined;
  bool variadic;
  uint32_t n_params;           /* the first registers */
  uint32_t results, n_results; /* into code->types */
  uint32_t regs, n_regs;       /* into code->regs */
  uint32_t slots, n_slots;     /* into code->slots */
  uint32_t locs, n_locs;       /* into code->locs: one after the other */
  hd_loc_id entry;
  hd_ctype_id ctype; /* of the result; HD_NO_ID = void or not known */
  hd_scope_id scope;
  hd_cpos pos;
} hd_func;

typedef struct {
  hd_func_id func;
  hd_cpos pos;
  uint32_t
      loop; /* into code->loops when it is the head of one, else HD_NO_ID */
} hd_cloc;

/* A natural loop, or what a back edge of an irreducible one leads to. */
typedef struct {
  hd_loc_id head;
  hd_cpos pos; /* of the loop statement; for a goto loop of the head */
  hd_scope_id scope;
  bool irreducible;
} hd_loop;

typedef enum {
  HD_CODE_STEP,
  HD_CODE_LOAD,
  HD_CODE_STORE,
  HD_CODE_RMW,
  HD_CODE_CMPXCHG,
  HD_CODE_FENCE,
  HD_CODE_CALL,
  HD_CODE_RETURN,
  HD_CODE_ALLOCA,
  HD_CODE_UNREACHABLE,
  HD_CODE_UNSUPPORTED,
} hd_code_act;

typedef enum {
  HD_ORDER_NONE, /* not atomic */
  HD_ORDER_RELAXED,
  HD_ORDER_ACQUIRE,
  HD_ORDER_RELEASE,
  HD_ORDER_ACQ_REL,
  HD_ORDER_SEQ_CST,
} hd_order;

typedef enum {
  HD_RMW_XCHG,
  HD_RMW_ADD,
  HD_RMW_SUB,
  HD_RMW_AND,
  HD_RMW_NAND,
  HD_RMW_OR,
  HD_RMW_XOR,
  HD_RMW_MAX, /* signed */
  HD_RMW_MIN,
  HD_RMW_UMAX,
  HD_RMW_UMIN,
  HD_RMW_FADD,
  HD_RMW_FSUB,
} hd_rmw;

typedef struct {
  hd_loc_id from, to; /* RETURN, UNREACHABLE, UNSUPPORTED: to == from */
  uint8_t act;        /* hd_code_act */
  uint8_t order;      /* hd_order */
  uint8_t failure;    /* CMPXCHG: hd_order of one that fails */
  uint8_t rmw;        /* hd_rmw */
  bool is_volatile, weak;
  hd_cexpr_id guard;             /* STEP */
  uint32_t operands, n_operands; /* into code->operands */
  uint32_t targets, n_targets;   /* into code->targets */
  hd_cpos pos;
  const char *text; /* UNSUPPORTED */
} hd_cedge;

/* An annotation of the source: `#pragma heddle …` or `#pragma TASS …`. */
typedef struct {
  hd_cpos pos;
  hd_scope_id scope; /* between statements: the block; else HD_NO_ID */
  const char *text;  /* behind #pragma */
} hd_pragma;

typedef struct hd_code {
  uint8_t pointer_width; /* 32 or 64; little endian */
  hd_vec(const char *) files;
  hd_vec(hd_ctype) ctypes;
  hd_vec(hd_cfield) fields;
  hd_vec(hd_scope) scopes;
  hd_vec(hd_global) globals;
  hd_vec(hd_reloc) relocs;
  hd_vec(hd_func) funcs;
  hd_vec(hd_type) types;
  hd_vec(hd_reg) regs;
  hd_vec(hd_slot) slots;
  hd_vec(hd_cloc) locs;
  hd_vec(hd_loop) loops;
  hd_vec(hd_cedge) edges;
  hd_vec(hd_cexpr) exprs;
  hd_vec(hd_cexpr_id) operands;
  hd_vec(hd_reg_id) targets;
  hd_vec(hd_pragma) pragmas;
  hd_func_id main; /* HD_NO_ID = there is none */
  hd_arena arena;
  /* Made by hd_code_finish: the edges out of location l are
   * out[out_start[l]] … out[out_start[l + 1] - 1], in the order of the file. */
  uint32_t *out_start;
  hd_edge_id *out;
  struct hd_cexpr_table *table;
} hd_code;

hd_code *hd_code_new(void);
void hd_code_delete(hd_code *code);
/* Copies a string (NULL stays NULL) to where it lives as long as `code`. */
const char *hd_code_keep(hd_code *code, const char *text);

/* The number of an expression; equal ones have the same. */
hd_cexpr_id hd_code_expr(hd_code *code, hd_cexpr expr);
hd_cexpr_id hd_code_int(hd_code *code, hd_type type, uint64_t value);

/* Builds the edge index. */
void hd_code_finish(hd_code *code);
/* What is wrong with it, if anything: numbers out of range, types that do not
 * fit, a location without a way out. False, with a sentence in `why`. */
HD_MUST_USE bool hd_code_valid(const hd_code *code, hd_str *why);

/* A string literal, or a constant compound literal of a file: C leaves open whether
 * two of them, or the end of one and another, are one object (C17 6.4.5, 6.5.2.5). */
bool hd_code_is_literal(const hd_code *code, hd_global_id global);
/* A compound literal of a block, whose type may be constant: the graph does not
 * tell. Then the same holds. `slot` counts those of all functions. */
bool hd_code_is_literal_slot(const hd_code *code, size_t slot);
/* May these two bytes of different literals be one? */
bool hd_code_may_share(const hd_code *code, hd_global_id a, int64_t at_a,
                       hd_global_id b, int64_t at_b);

/* Operand and target `i` of an edge; operand 0 of a call is who is called. */
static inline hd_cexpr_id hd_code_operand(const hd_code *code,
                                          const hd_cedge *edge, uint32_t i) {
  assert(i < edge->n_operands);
  return code->operands.data[edge->operands + i];
}

static inline hd_reg_id hd_code_target(const hd_code *code,
                                       const hd_cedge *edge, uint32_t i) {
  assert(i < edge->n_targets);
  return code->targets.data[edge->targets + i];
}

static inline uint32_t hd_type_bytes(hd_type type) {
  return ((uint32_t)type.width + 7) / 8;
}

/* --- text --- */

/* Table-driven names: of operations, actions, orders, rmw kinds; NULL or the
 * count when there is none. */
const char *hd_code_op_name(hd_code_op op);
int hd_code_op_arity(hd_code_op op);
hd_code_op hd_code_op_find(const char *name, size_t length);
const char *hd_order_name(hd_order order); /* "" for NONE */
/* What is left of an order for an access that only reads. */
hd_order hd_order_reading(hd_order order);
const char *hd_rmw_name(hd_rmw rmw);

void hd_code_print_type(hd_str *out, hd_type type);
void hd_code_print_expr(hd_str *out, const hd_code *code, hd_func_id func,
                        hd_cexpr_id expr);
void hd_code_print_edge(hd_str *out, const hd_code *code, hd_edge_id edge);
/* "a.c:12:3", or "?" */
void hd_code_print_pos(hd_str *out, const hd_code *code, hd_cpos pos);
/* The whole text form. */
void hd_code_print(hd_str *out, const hd_code *code);

/* What a C programmer calls the bytes from `offset` on of an object of type
 * `ctype` called `name`: "pool.slots[3].count"; falls back to "name+12". `size`
 * chooses between a struct and its first field. */
void hd_code_print_place(hd_str *out, const hd_code *code, const char *name,
                         hd_ctype_id ctype, uint64_t offset, uint64_t size);

#endif

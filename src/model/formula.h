/* SPDX-License-Identifier: MIT */
/* Annotations: what `#pragma heddle` and `#pragma TASS` say about a C program,
 * as formulas over its variables, each attached to the place in the code graph
 * it speaks about. docs/annotations.md is the reference for users; front/formula
 * reads them, engine/lise gives them a meaning (paper: Siegel and Zirkel, Loop
 * Invariant Symbolic Execution for Parallel Programs).
 *
 * A formula is a node in a pool. Integers are mathematical, floats real
 * numbers; `/` and `%` truncate as in C. A variable belongs to a process of a
 * program: its own one (the process whose annotation is evaluated), the one
 * with a given rank (PROC[e]), or a process of the other program (spec.v). An
 * access path (a[i].f, p->x, *p) is looked up in the memory of the process that
 * the variable at its root belongs to; indices are evaluated where the formula
 * stands. */
#ifndef HD_MODEL_FORMULA_H
#define HD_MODEL_FORMULA_H

#include "model/code.h"

typedef uint32_t hd_formula_id; /* HD_NO_ID = none: true */

/* name, text, number of operands */
#define HD_FORMULA_OPS(X)                                                        \
  /* leaves */                                                                   \
  X(INT, "int", 0)       /* value */                                             \
  X(REAL, "real", 0)     /* value / 10^scale */                                  \
  X(BOUND, "bound", 0)   /* value: number of the quantified variable */          \
  X(VAR, "var", 0)       /* a variable of the process of the annotation */       \
  X(RANK, "myrank", 0)   /* rank of the process of the annotation */             \
  X(NPROCS, "nprocs", 0) /* processes of its program */                          \
  X(NULL, "NULL", 0)                                                             \
  /* a variable of another process: (rank), or () of process 0 when `program`  \
   * is not the annotation's own */ \
  X(REMOTE, "PROC", 1)                                                           \
  /* places: (array or pointer, index), (struct), (pointer), (place) */          \
  X(INDEX, "[]", 2)                                                              \
  X(FIELD, ".", 1) /* value: the field, into code->fields */                     \
  X(DEREF, "*", 1)                                                               \
  X(ADDRESS, "&", 1)                                                             \
  /* values; C's usual conversions are already made (TO_REAL, TO_BOOL …) */    \
  X(NEG, "-", 1)                                                                 \
  X(ADD, "+", 2)                                                                 \
  X(SUB, "-", 2)                                                                 \
  X(MUL, "*", 2)                                                                 \
  X(DIV, "/", 2) /* of integers: truncates */                                    \
  X(MOD, "%", 2)                                                                 \
  X(ABS, "abs", 1)                                                               \
  X(MIN, "min", 2)                                                               \
  X(MAX, "max", 2)                                                               \
  X(LT, "<", 2)                                                                  \
  X(LE, "<=", 2)                                                                 \
  X(EQ, "==", 2)                                                                 \
  X(NE, "!=", 2)                                                                 \
  X(NOT, "!", 1)                                                                 \
  X(AND, "&&", 2)                                                                \
  X(OR, "||", 2)                                                                 \
  X(IMPLIES, "=>", 2)                                                            \
  X(COND, "?:", 3)                                                               \
  X(TO_REAL, "real", 1) /* of an integer */                                      \
  X(TO_INT, "int", 1)   /* of a real: truncates; of a truth value: 0 or 1 */     \
  X(TO_BOOL, "bool", 1) /* of an integer, real or pointer: is not 0 */           \
  /* (lower, upper, body): the variable `value` runs over the integers from    \
   * lower to upper, both included; HD_NO_ID: over all from or up to there.    \
   * The bounds do not mention the variable. */ \
  X(FORALL, "forall", 3)                                                         \
  X(EXISTS, "exists", 3)                                                         \
  /* messages of the annotation's process to, from rank (e), ever */             \
  X(SENT, "sent", 1)                                                             \
  X(RECEIVED, "received", 1)

typedef enum {
#define X(name, text, arity) HD_FORMULA_##name,
  HD_FORMULA_OPS(X)
#undef X
      HD_FORMULA_OP_COUNT
} hd_formula_op;

typedef enum {
  HD_SORT_BOOL,
  HD_SORT_INT,
  HD_SORT_REAL,
  HD_SORT_POINTER, /* ctype: the pointer type, or HD_NO_ID for NULL */
  HD_SORT_OBJECT,  /* an array, struct or union as a whole; only below INDEX,
                    * FIELD, ADDRESS */
} hd_sort;

/* A variable in the debug information of a program. */
typedef enum {
  HD_CVAR_REG,    /* in a frame of `func`; a register whose type is an array
                  * (variable length) holds its address */
  HD_CVAR_SLOT,   /* likewise */
  HD_CVAR_GLOBAL, /* func = HD_NO_ID */
} hd_cvar_kind;

typedef struct {
  hd_cvar_kind kind;
  hd_func_id func;
  uint32_t index; /* register or slot of the function; or global */
} hd_cvar;

typedef struct {
  uint8_t op;       /* hd_formula_op */
  uint8_t sort;     /* hd_sort */
  uint8_t program;  /* VAR, REMOTE: 0 = the annotation's own, 1 = the other */
  uint8_t scale;    /* REAL */
  hd_ctype_id type; /* of places and pointers, in `program`; else HD_NO_ID */
  hd_formula_id args[3];
  int64_t value;
  hd_cvar var; /* VAR, REMOTE */
  uint32_t at; /* offset in the text of the pragma */
} hd_formula;

typedef enum {
  HD_NOTE_INVARIANT, /* at a loop */
  HD_NOTE_ASSERT,    /* between two statements */
  HD_NOTE_ASSUME,    /* likewise */
  HD_NOTE_INPUT,     /* of variables: any value that satisfies the formula, the
                      * same in all processes and in both programs */
  HD_NOTE_OUTPUT,    /* of variables: compared at the end, in process 0 */
} hd_note_kind;

typedef enum {
  HD_NOTE_OWN,        /* speaks of one process, whenever it gets there */
  HD_NOTE_COLLECTIVE, /* of the processes of a program: snapshots */
  HD_NOTE_JOINT,      /* of the processes of both programs */
} hd_note_reach;

/* One annotation. Invariants: `loop` (several of one loop have the same id and
 * reach, and are conjoined). Assertions and assumptions: `edge`, a step without
 * effect that stands at the pragma. Inputs and outputs: global variables, inputs
 * also those of `main`. An input gets its value when `main` starts, an array of
 * variable length when `edge`, its ALLOCA, is taken. */
typedef struct {
  hd_note_kind kind;
  hd_note_reach reach;
  const char *id; /* "" = none */
  hd_formula_id formula;
  uint32_t pragma; /* into code->pragmas */
  uint32_t loop;   /* into code->loops, or HD_NO_ID */
  hd_edge_id edge; /* or HD_NO_ID */
  hd_func_id func; /* where it stands; HD_NO_ID = outside of functions */
  hd_scope_id scope;
  uint32_t vars, n_vars; /* into notes->vars */
} hd_note;

typedef struct hd_notes {
  const hd_code *code;  /* the program they are about */
  const hd_code *other; /* that of `spec.` or `impl.`; NULL = there is none */
  hd_vec(hd_note) notes;
  hd_vec(hd_formula) formulas;
  hd_vec(hd_cvar) vars;
  uint32_t n_bound; /* quantified variables: 0 … n_bound - 1 */
  hd_arena arena;
} hd_notes;

void hd_notes_init(hd_notes *notes, const hd_code *code, const hd_code *other);
void hd_notes_free(hd_notes *notes);
hd_formula_id hd_notes_add(hd_notes *notes, hd_formula formula);

/* The first annotation at a loop or edge from number `from` on, else the number
 * of notes. */
size_t hd_notes_at_loop(const hd_notes *notes, uint32_t loop, size_t from);
size_t hd_notes_at_edge(const hd_notes *notes, hd_edge_id edge, size_t from);
/* Is there an annotation of this kind? `notes` may be NULL. */
bool hd_notes_have(const hd_notes *notes, hd_note_kind kind);

const char *hd_cvar_name(const hd_code *code, hd_cvar var);
hd_ctype_id hd_cvar_type(const hd_code *code, hd_cvar var);
hd_cpos hd_cvar_pos(const hd_code *code, hd_cvar var);

/* As the user would write it, with the fewest parentheses. */
void hd_formula_print(hd_str *out, const hd_notes *notes, hd_formula_id id);

#endif

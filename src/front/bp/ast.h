/* SPDX-License-Identifier: MIT */
/* A Boolean program as written, before procedures are inlined. All of it lives
 * in one arena; lists are linked through `next`. Private to this folder. */
#ifndef HD_FRONT_BP_AST_H
#define HD_FRONT_BP_AST_H

#include "base/arena.h"
#include "front/bp/lex.h"

typedef struct bp_expr bp_expr;
typedef struct bp_name bp_name;
typedef struct bp_stmt bp_stmt;
typedef struct bp_proc bp_proc;

typedef enum {
  BP_X_CONST,  /* value */
  BP_X_CHOICE, /* * */
  BP_X_VAR,    /* name */
  BP_X_NEXT,   /* 'name */
  BP_X_NOT,
  BP_X_AND,
  BP_X_OR,
  BP_X_XOR,
  BP_X_EQ,
  BP_X_NE,
  BP_X_IMPLIES,
  BP_X_ITE,
  BP_X_SCHOOSE, /* schoose[a, b]: 1 if a, else 0 if b, else any */
} bp_xkind;

struct bp_expr {
  bp_xkind kind;
  bool value;
  uint32_t depth; /* of the tree; limited, as trees are walked recursively */
  hd_word name;
  hd_pos pos;
  bp_expr *args[3];
  bp_expr *next; /* in a list of expressions */
};

struct bp_name {
  hd_word name;
  hd_pos pos;
  bp_expr *init; /* declarations: `:= …`, or NULL */
  bp_name *next;
};

typedef enum {
  BP_S_SKIP,
  BP_S_GOTO,   /* names */
  BP_S_RETURN, /* exprs */
  BP_S_ASSIGN, /* names := exprs constrain cond */
  BP_S_CALL,   /* names := callee (exprs) */
  BP_S_IF,     /* cond, body, orelse */
  BP_S_WHILE,  /* cond, body */
  BP_S_ASSUME, /* cond */
  BP_S_ASSERT, /* cond */
  BP_S_START,  /* names: a label or a procedure */
  BP_S_END,
  BP_S_ATOMIC_BEGIN,
  BP_S_ATOMIC_END,
  BP_S_WAIT,
  BP_S_SIGNAL,
  BP_S_BROADCAST,
  BP_S_DEAD, /* names */
} bp_skind;

struct bp_stmt {
  bp_skind kind;
  bp_name *labels;
  bp_name *names;
  bp_name callee; /* CALL */
  bp_expr *exprs, *cond;
  bp_stmt *body, *orelse;
  hd_pos pos;
  hd_word text; /* as written, to the semicolon (or the condition) */
  hd_word file, function;
  uint32_t source_line;
  bp_stmt *next;
};

struct bp_proc {
  bp_name name, *params, *locals;
  bp_stmt *body;
  uint32_t n_results;
  bp_proc *next;
};

typedef struct {
  bp_name *globals;
  bp_proc *procs;
} bp_program;

/* Parses a whole file into `arena`; false after errors. */
HD_MUST_USE bool hd_bp_parse_text(const hd_source *source, hd_arena *arena,
                                  bp_program *program, hd_diag *diag);

void hd_bp_print_expr(hd_str *out, const bp_expr *expr);

#endif

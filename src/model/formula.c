/* SPDX-License-Identifier: MIT */
#include "model/formula.h"

#include <inttypes.h>

void hd_notes_init(hd_notes *notes, const hd_code *code, const hd_code *other) {
  *notes = (hd_notes){.code = code, .other = other};
  hd_arena_init(&notes->arena);
}

void hd_notes_free(hd_notes *notes) {
  hd_vec_free(&notes->notes);
  hd_vec_free(&notes->formulas);
  hd_vec_free(&notes->vars);
  hd_arena_free(&notes->arena);
}

hd_formula_id hd_notes_add(hd_notes *notes, hd_formula formula) {
  assert(formula.op < HD_FORMULA_OP_COUNT);
  hd_vec_push(&notes->formulas, formula);
  return (hd_formula_id)notes->formulas.size - 1;
}

size_t hd_notes_at_loop(const hd_notes *notes, uint32_t loop, size_t from) {
  while (from < notes->notes.size &&
         (notes->notes.data[from].kind != HD_NOTE_INVARIANT ||
          notes->notes.data[from].loop != loop))
    from++;
  return from;
}

size_t hd_notes_at_edge(const hd_notes *notes, hd_edge_id edge, size_t from) {
  while (from < notes->notes.size && notes->notes.data[from].edge != edge)
    from++;
  return from;
}

bool hd_notes_have(const hd_notes *notes, hd_note_kind kind) {
  for (size_t i = 0; notes && i < notes->notes.size; i++)
    if (notes->notes.data[i].kind == kind)
      return true;
  return false;
}

static const hd_reg *reg_of(const hd_code *code, hd_cvar var) {
  return &code->regs.data[code->funcs.data[var.func].regs + var.index];
}

static const hd_slot *slot_of(const hd_code *code, hd_cvar var) {
  return &code->slots.data[code->funcs.data[var.func].slots + var.index];
}

const char *hd_cvar_name(const hd_code *code, hd_cvar var) {
  return var.kind == HD_CVAR_REG    ? reg_of(code, var)->cname
         : var.kind == HD_CVAR_SLOT ? slot_of(code, var)->cname
                                    : code->globals.data[var.index].cname;
}

hd_ctype_id hd_cvar_type(const hd_code *code, hd_cvar var) {
  return var.kind == HD_CVAR_REG    ? reg_of(code, var)->ctype
         : var.kind == HD_CVAR_SLOT ? slot_of(code, var)->ctype
                                    : code->globals.data[var.index].ctype;
}

hd_cpos hd_cvar_pos(const hd_code *code, hd_cvar var) {
  return var.kind == HD_CVAR_REG    ? reg_of(code, var)->pos
         : var.kind == HD_CVAR_SLOT ? slot_of(code, var)->pos
                                    : code->globals.data[var.index].pos;
}

/* --- printing --- */

static const char *const op_texts[] = {
#define X(name, text, arity) [HD_FORMULA_##name] = text,
    HD_FORMULA_OPS(X)
#undef X
};

/* C's precedences, higher binds stronger; implication is weakest. */
static int strength(hd_formula_op op) {
  switch (op) {
  case HD_FORMULA_FORALL:
  case HD_FORMULA_EXISTS:
    return 0;
  case HD_FORMULA_IMPLIES:
    return 1;
  case HD_FORMULA_COND:
    return 2;
  case HD_FORMULA_OR:
    return 3;
  case HD_FORMULA_AND:
    return 4;
  case HD_FORMULA_EQ:
  case HD_FORMULA_NE:
    return 5;
  case HD_FORMULA_LT:
  case HD_FORMULA_LE:
    return 6;
  case HD_FORMULA_ADD:
  case HD_FORMULA_SUB:
    return 7;
  case HD_FORMULA_MUL:
  case HD_FORMULA_DIV:
  case HD_FORMULA_MOD:
    return 8;
  case HD_FORMULA_NEG:
  case HD_FORMULA_NOT:
  case HD_FORMULA_DEREF:
  case HD_FORMULA_ADDRESS:
    return 9;
  default:
    return 10;
  }
}

static void print(hd_str *out, const hd_notes *notes, hd_formula_id id,
                  int least);

static void print_call(hd_str *out, const hd_notes *notes,
                       const hd_formula *f) {
  hd_str_printf(out, "%s(", op_texts[f->op]);
  for (int i = 0; i < 3 && f->args[i] != HD_NO_ID; i++) {
    hd_str_puts(out, i ? ", " : "");
    print(out, notes, f->args[i], 0);
  }
  hd_str_puts(out, ")");
}

static void print_real(hd_str *out, const hd_formula *f) {
  uint64_t power = 1;
  for (int i = 0; i < f->scale; i++)
    power *= 10;
  uint64_t value = f->value < 0 ? 0 - (uint64_t)f->value : (uint64_t)f->value;
  hd_str_printf(out, "%s%" PRIu64 ".", f->value < 0 ? "-" : "", value / power);
  hd_str_printf(out, "%0*" PRIu64, f->scale ? f->scale : 1, value % power);
}

static void print_variable(hd_str *out, const hd_notes *notes,
                           const hd_formula *f) {
  const hd_code *code = f->program ? notes->other : notes->code;
  if (f->program)
    hd_str_puts(out, "spec.");
  if (f->op == HD_FORMULA_REMOTE && f->args[0] != HD_NO_ID) {
    hd_str_puts(out, "PROC[");
    print(out, notes, f->args[0], 0);
    hd_str_puts(out, "].");
  }
  hd_str_puts(out, hd_cvar_name(code, f->var));
}

static void print_quantifier(hd_str *out, const hd_notes *notes,
                             const hd_formula *f) {
  hd_formula_id from = f->args[0], to = f->args[1];
  bool range = from != HD_NO_ID && to != HD_NO_ID;
  hd_str_printf(out, "%s {%sk%" PRId64, op_texts[f->op], range ? "" : "int ",
                f->value);
  hd_str_puts(out, range ? " = " : from != to ? " | " : "");
  if (from != HD_NO_ID) {
    print(out, notes, from, 7);
    hd_str_puts(out, range ? " .. " : " <= ");
  }
  if (!range && from != to)
    hd_str_printf(out, "k%" PRId64, f->value);
  if (to != HD_NO_ID) {
    hd_str_puts(out, range ? "" : " <= ");
    print(out, notes, to, 7);
  }
  hd_str_puts(out, "} ");
  print(out, notes, f->args[2], 0);
}

static void print_binary(hd_str *out, const hd_notes *notes,
                         const hd_formula *f) {
  int own = strength((hd_formula_op)f->op);
  print(out, notes, f->args[0], f->op == HD_FORMULA_IMPLIES ? own + 1 : own);
  hd_str_printf(out, " %s ", op_texts[f->op]);
  print(out, notes, f->args[1], f->op == HD_FORMULA_IMPLIES ? own : own + 1);
}

static void print_place(hd_str *out, const hd_notes *notes,
                        const hd_formula *f) {
  print(out, notes, f->args[0], 10);
  if (f->op == HD_FORMULA_INDEX) {
    hd_str_puts(out, "[");
    print(out, notes, f->args[1], 0);
    hd_str_puts(out, "]");
  } else {
    const hd_code *code = f->program ? notes->other : notes->code;
    const char *name = code->fields.data[f->value].name;
    hd_str_printf(out, ".%s", name ? name : "?");
  }
}

static void print_bare(hd_str *out, const hd_notes *notes,
                       const hd_formula *f) {
  switch ((hd_formula_op)f->op) {
  case HD_FORMULA_INT:
    hd_str_printf(out, "%" PRId64, f->value);
    break;
  case HD_FORMULA_REAL:
    print_real(out, f);
    break;
  case HD_FORMULA_BOUND:
    hd_str_printf(out, "k%" PRId64, f->value);
    break;
  case HD_FORMULA_RANK:
  case HD_FORMULA_NPROCS:
  case HD_FORMULA_NULL:
    hd_str_puts(out, op_texts[f->op]);
    break;
  case HD_FORMULA_VAR:
  case HD_FORMULA_REMOTE:
    print_variable(out, notes, f);
    break;
  case HD_FORMULA_INDEX:
  case HD_FORMULA_FIELD:
    print_place(out, notes, f);
    break;
  case HD_FORMULA_NEG:
  case HD_FORMULA_NOT:
  case HD_FORMULA_DEREF:
  case HD_FORMULA_ADDRESS:
    hd_str_puts(out, op_texts[f->op]);
    print(out, notes, f->args[0], strength((hd_formula_op)f->op) + 1);
    break;
  case HD_FORMULA_COND:
    print(out, notes, f->args[0], 3);
    hd_str_puts(out, " ? ");
    print(out, notes, f->args[1], 2);
    hd_str_puts(out, " : ");
    print(out, notes, f->args[2], 2);
    break;
  case HD_FORMULA_FORALL:
  case HD_FORMULA_EXISTS:
    print_quantifier(out, notes, f);
    break;
  case HD_FORMULA_ABS:
  case HD_FORMULA_MIN:
  case HD_FORMULA_MAX:
  case HD_FORMULA_SENT:
  case HD_FORMULA_RECEIVED:
    print_call(out, notes, f);
    break;
  default:
    print_binary(out, notes, f);
  }
}

static void print(hd_str *out, const hd_notes *notes, hd_formula_id id,
                  int least) {
  const hd_formula *f = &notes->formulas.data[id];
  /* Conversions are made where C makes them, unless a cast was written. */
  while (f->op == HD_FORMULA_TO_REAL || f->op == HD_FORMULA_TO_BOOL ||
         (f->op == HD_FORMULA_TO_INT &&
          notes->formulas.data[f->args[0]].sort == HD_SORT_BOOL))
    f = &notes->formulas.data[f->args[0]];
  if (f->op == HD_FORMULA_TO_INT) {
    hd_str_puts(out, "(int)");
    print(out, notes, f->args[0], 9);
    return;
  }
  bool wrapped = strength((hd_formula_op)f->op) < least;
  hd_str_puts(out, wrapped ? "(" : "");
  print_bare(out, notes, f);
  hd_str_puts(out, wrapped ? ")" : "");
}

void hd_formula_print(hd_str *out, const hd_notes *notes, hd_formula_id id) {
  if (id == HD_NO_ID)
    hd_str_puts(out, "1");
  else
    print(out, notes, id, 0);
}

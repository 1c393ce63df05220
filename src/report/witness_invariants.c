/* SPDX-License-Identifier: MIT */
/* Invariants of loops for witnesses: bounds of variables as an expression of C,
 * over names that mean these variables where the loop is. */
#include "report/witness.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The text of the source at a position begins with this keyword? */
static bool begins_with(FILE *file, hd_cpos pos, const char *word) {
  rewind(file);
  uint32_t line = 1;
  int c = 0;
  while (line < pos.line && (c = getc(file)) != EOF)
    line += c == '\n';
  for (uint32_t i = 1; i < pos.column; i++)
    if (getc(file) == EOF)
      return false;
  for (; *word; word++)
    if (getc(file) != *word)
      return false;
  return !ferror(file) && line == pos.line;
}

/* The condition is evaluated where the invariant holds in loops of these kinds;
 * a do loop has its invariant elsewhere, one of gotos none. */
bool hd_sv_is_loop(const hd_code *code, const hd_loop *loop) {
  if (loop->pos.file >= code->files.size || !loop->pos.line ||
      !loop->pos.column || loop->irreducible)
    return false;
  FILE *file = fopen(code->files.data[loop->pos.file], "r");
  bool is = file && (begins_with(file, loop->pos, "for") ||
                     begins_with(file, loop->pos, "while"));
  if (file)
    fclose(file);
  return is;
}

static bool is_around(const hd_code *code, hd_scope_id scope,
                      hd_scope_id inner) {
  for (; inner < code->scopes.size; inner = code->scopes.data[inner].parent)
    if (inner == scope)
      return true;
  return false;
}

typedef struct {
  const hd_code *code;
  const hd_loop *loop;
  const hd_func *func;
} place;

/* Is there a local variable of this name that is not `except`, and that could be
 * meant at the loop? Those of inner blocks could not. */
static bool is_hidden(const place *at, const char *name, const hd_reg *except) {
  const hd_code *code = at->code;
  for (uint32_t i = 0; i < at->func->n_regs; i++) {
    const hd_reg *r = &code->regs.data[at->func->regs + i];
    if (r != except && r->cname && !strcmp(r->cname, name) &&
        (r->scope == HD_NO_ID || is_around(code, r->scope, at->loop->scope)))
      return true;
  }
  for (uint32_t i = 0; i < at->func->n_slots; i++) {
    const hd_slot *s = &code->slots.data[at->func->slots + i];
    if (s->cname && !strcmp(s->cname, name) &&
        (s->scope == HD_NO_ID || is_around(code, s->scope, at->loop->scope)))
      return true;
  }
  return false;
}

static bool is_before(hd_cpos a, hd_cpos b) {
  return a.file == b.file && a.line &&
         (a.line < b.line || (a.line == b.line && a.column < b.column));
}

/* The name that means the variable at the loop, and its type; NULL = none. */
static const char *name_of(const place *at, const hd_bound *b,
                           hd_ctype_id *type) {
  const hd_code *code = at->code;
  if (b->loop == HD_NO_ID) {
    const hd_global *g = &code->globals.data[b->what];
    *type = g->ctype;
    /* One of a block has another name than in the source. */
    return g->cname && !strcmp(g->name, g->cname) &&
                   is_before(g->pos, at->loop->pos) &&
                   !is_hidden(at, g->cname, NULL)
               ? g->cname
               : NULL;
  }
  const hd_reg *r = &code->regs.data[at->func->regs + b->what];
  *type = r->ctype;
  /* What is declared in the head of the loop stands behind its keyword. */
  bool there = is_before(r->pos, at->loop->pos) || r->scope == at->loop->scope;
  return r->cname && r->scope != HD_NO_ID && there &&
                 is_around(code, r->scope, at->loop->scope) &&
                 !is_hidden(at, r->cname, r)
             ? r->cname
             : NULL;
}

static void put_signed(hd_str *out, int64_t value) {
  if (value == INT64_MIN)
    hd_str_puts(out, "(-9223372036854775807LL - 1)");
  else if (value < -INT32_MAX || value > INT32_MAX)
    hd_str_printf(out, value < 0 ? "(%" PRId64 "LL)" : "%" PRId64 "LL", value);
  else
    hd_str_printf(out, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
}

/* One of the ends of a range; `bits` of a signed or unsigned type. */
typedef struct {
  bool is_signed;
  int64_t bits;
} end;

static void put_end(hd_str *out, end e) {
  if (e.is_signed)
    put_signed(out, e.bits);
  else if ((uint64_t)e.bits > INT32_MAX)
    hd_str_printf(out, "%" PRIu64 "ULL", (uint64_t)e.bits);
  else
    hd_str_printf(out, "%" PRId64, e.bits);
}

static void put_range(hd_str *out, const char *name, end lo, end least, end hi,
                      end most) {
  if (lo.bits == hi.bits) {
    hd_str_printf(out, "%s%s == ", out->size ? " && " : "", name);
    put_end(out, lo);
    return;
  }
  if (lo.bits != least.bits) {
    hd_str_puts(out, out->size ? " && " : "");
    put_end(out, lo);
    hd_str_printf(out, " <= %s", name);
  }
  if (hi.bits != most.bits) {
    hd_str_printf(out, "%s%s <= ", out->size ? " && " : "", name);
    put_end(out, hi);
  }
}

static void put_bound(hd_str *out, const char *name, const hd_ctype *type,
                      const hd_bound *b) {
  bool pos = b->plo <= b->phi, neg = b->nlo <= b->nhi;
  unsigned width = (unsigned)(8 * type->size);
  if (width > 64 || !width || (!pos && !neg))
    return;
  int64_t most = width == 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
  if (type->kind == HD_CTYPE_SIGNED) {
    put_range(out, name, (end){true, neg ? b->nlo : b->plo},
              (end){true, -most - 1}, (end){true, pos ? b->phi : b->nhi},
              (end){true, most});
  } else if (type->kind == HD_CTYPE_BOOL || type->kind == HD_CTYPE_ENUM) {
    if (!neg && (type->kind == HD_CTYPE_ENUM || b->plo == b->phi))
      put_range(out, name, (end){true, b->plo}, (end){true, -1},
                (end){true, b->phi}, (end){true, most});
  } else if (type->kind == HD_CTYPE_UNSIGNED) {
    /* The numbers with the sign bit are the large ones. */
    uint64_t mask = hd_word_mask(width);
    int64_t lo = pos ? b->plo : (int64_t)((uint64_t)b->nlo & mask);
    int64_t hi = neg ? (int64_t)((uint64_t)b->nhi & mask) : b->phi;
    put_range(out, name, (end){false, lo}, (end){false, 0}, (end){false, hi},
              (end){false, (int64_t)mask});
  }
}

void hd_sv_invariant(hd_str *out, const hd_sv_witness *witness, uint32_t loop) {
  const hd_code *code = witness->code;
  place at = {.code = code, .loop = &code->loops.data[loop]};
  at.func = &code->funcs.data[code->locs.data[at.loop->head].func];
  hd_str text = {0};
  if (witness->facts && witness->facts->complete)
    for (hd_vec_each(const hd_bound, b, &witness->facts->bounds)) {
      hd_ctype_id type = HD_NO_ID;
      if (b->loop != HD_NO_ID && b->loop != loop)
        continue;
      const char *name = name_of(&at, b, &type);
      if (name && type < code->ctypes.size)
        put_bound(&text, name, &code->ctypes.data[type], b);
    }
  hd_str_puts(out, text.size ? hd_str_text(&text) : "1");
  hd_str_free(&text);
}

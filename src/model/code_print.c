/* SPDX-License-Identifier: MIT */
/* The text form of code graphs, and names for people. */
#include "model/code.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

void hd_code_print_type(hd_str *out, hd_type type) {
  if (type.kind == HD_TYPE_PTR)
    hd_str_puts(out, "ptr");
  else
    hd_str_printf(out, "%c%u", type.kind == HD_TYPE_INT ? 'i' : 'f',
                  type.width);
}

static void print_string(hd_str *out, const char *text) {
  hd_str_puts(out, "\"");
  for (const char *p = text; *p; p++)
    if (*p == '"' || *p == '\\')
      hd_str_printf(out, "\\%c", *p);
    else if (*p == '\n')
      hd_str_puts(out, "\\n");
    else if ((unsigned char)*p < 32 || *p == 127)
      hd_str_printf(out, "\\x%02x", (unsigned char)*p);
    else
      hd_str_append(out, p, 1);
  hd_str_puts(out, "\"");
}

static void print_name(hd_str *out, char sigil, const char *name) {
  hd_str_append(out, &sigil, 1);
  bool plain = *name != 0;
  for (const char *p = name; *p; p++)
    plain = plain && (isalnum((unsigned char)*p) || strchr("_.$-", *p));
  if (plain)
    hd_str_puts(out, name);
  else
    print_string(out, name);
}

static void print_flags(hd_str *out, uint8_t flags) {
  static const char *const names[] = {".nsw", ".nuw", ".exact", ".inbounds"};
  for (int i = 0; i < 4; i++)
    if (flags >> i & 1)
      hd_str_puts(out, names[i]);
}

static void print_int(hd_str *out, const hd_cexpr *e) {
  if (e->type.kind == HD_TYPE_FLOAT)
    hd_str_printf(out, "0x%" PRIx64, e->value);
  else if (e->type.width > 1 && e->value >> (e->type.width - 1))
    hd_str_printf(out, "-%" PRIu64,
                  (0 - e->value) & hd_word_mask(e->type.width));
  else
    hd_str_printf(out, "%" PRIu64, e->value);
  hd_str_puts(out, ":");
  hd_code_print_type(out, e->type);
}

static void print_leaf(hd_str *out, const hd_code *code, hd_func_id func,
                       const hd_cexpr *e) {
  const hd_func *f = func == HD_NO_ID ? NULL : &code->funcs.data[func];
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    print_int(out, e);
    break;
  case HD_CODE_NULL:
    hd_str_puts(out, "null");
    break;
  case HD_CODE_UNDEF:
    hd_str_puts(out, "undef:");
    hd_code_print_type(out, e->type);
    break;
  case HD_CODE_REG:
    print_name(out, '%', code->regs.data[f->regs + e->value].name);
    break;
  case HD_CODE_SLOT:
    print_name(out, '&', code->slots.data[f->slots + e->value].name);
    break;
  case HD_CODE_GLOBAL:
    print_name(out, '@', code->globals.data[e->value].name);
    break;
  default:
    print_name(out, '@', code->funcs.data[e->value].name);
    break;
  }
}

void hd_code_print_expr(hd_str *out, const hd_code *code, hd_func_id func,
                        hd_cexpr_id expr) {
  const hd_cexpr *e = &code->exprs.data[expr];
  int arity = hd_code_op_arity(e->op);
  if (!arity) {
    print_leaf(out, code, func, e);
    return;
  }
  hd_str_printf(out, "%s.", hd_code_op_name(e->op));
  hd_code_print_type(out, e->type);
  print_flags(out, e->flags);
  for (int i = 0; i < arity; i++) {
    hd_str_puts(out, i ? ", " : "(");
    hd_code_print_expr(out, code, func, e->args[i]);
  }
  hd_str_puts(out, ")");
}

/* --- edges --- */

static void print_operands(hd_str *out, const hd_code *code, hd_func_id func,
                           const hd_cedge *e, uint32_t first) {
  for (uint32_t i = first; i < e->n_operands; i++) {
    if (i > first)
      hd_str_puts(out, ", ");
    hd_code_print_expr(out, code, func, hd_code_operand(code, e, i));
  }
}

static void print_targets(hd_str *out, const hd_code *code, hd_func_id func,
                          const hd_cedge *e) {
  const hd_func *f = &code->funcs.data[func];
  for (uint32_t i = 0; i < e->n_targets; i++) {
    hd_str_puts(out, i ? ", " : " ");
    hd_reg_id reg = hd_code_target(code, e, i);
    print_name(out, '%', code->regs.data[f->regs + reg].name);
  }
  if (e->n_targets)
    hd_str_puts(out, " =");
}

static void print_step(hd_str *out, const hd_code *code, hd_func_id func,
                       const hd_cedge *e) {
  if (e->n_targets) {
    hd_str_puts(out, "set");
    print_targets(out, code, func, e);
    hd_str_puts(out, " ");
    print_operands(out, code, func, e, 0);
  }
  if (e->guard != HD_NO_ID) {
    hd_str_puts(out, e->n_targets ? " when " : "when ");
    hd_code_print_expr(out, code, func, e->guard);
  } else if (!e->n_targets) {
    hd_str_puts(out, "skip");
  }
}

static void print_attributes(hd_str *out, const hd_cedge *e) {
  if (e->act == HD_CODE_RMW)
    hd_str_printf(out, ".%s", hd_rmw_name(e->rmw));
  if (e->weak)
    hd_str_puts(out, ".weak");
  if (e->order != HD_ORDER_NONE)
    hd_str_printf(out, ".%s", hd_order_name(e->order));
  if (e->act == HD_CODE_CMPXCHG && e->failure != hd_order_reading(e->order))
    hd_str_printf(out, ".%s", hd_order_name(e->failure));
  if (e->is_volatile)
    hd_str_puts(out, ".volatile");
}

static void print_call(hd_str *out, const hd_code *code, hd_func_id func,
                       const hd_cedge *e) {
  hd_cexpr_id callee = hd_code_operand(code, e, 0);
  hd_str_puts(out, "call");
  print_targets(out, code, func, e);
  hd_str_puts(out, code->exprs.data[callee].op == HD_CODE_FUNC ? " " : " *");
  hd_code_print_expr(out, code, func, callee);
  hd_str_puts(out, "(");
  print_operands(out, code, func, e, 1);
  hd_str_puts(out, ")");
}

void hd_code_print_edge(hd_str *out, const hd_code *code, hd_edge_id edge) {
  static const char *const words[] = {[HD_CODE_LOAD] = "load",
                                      [HD_CODE_STORE] = "store",
                                      [HD_CODE_RMW] = "rmw",
                                      [HD_CODE_CMPXCHG] = "cmpxchg",
                                      [HD_CODE_FENCE] = "fence",
                                      [HD_CODE_RETURN] = "return",
                                      [HD_CODE_ALLOCA] = "alloca",
                                      [HD_CODE_UNREACHABLE] = "unreachable",
                                      [HD_CODE_UNSUPPORTED] = "unsupported"};
  const hd_cedge *e = &code->edges.data[edge];
  hd_func_id func = code->locs.data[e->from].func;
  if (e->act == HD_CODE_STEP) {
    print_step(out, code, func, e);
    return;
  }
  if (e->act == HD_CODE_CALL) {
    print_call(out, code, func, e);
    return;
  }
  hd_str_puts(out, words[e->act]);
  print_attributes(out, e);
  print_targets(out, code, func, e);
  if (e->n_operands)
    hd_str_puts(out, " ");
  if (e->act == HD_CODE_STORE) {
    hd_code_print_expr(out, code, func, hd_code_operand(code, e, 0));
    hd_str_puts(out, " = ");
    print_operands(out, code, func, e, 1);
  } else {
    print_operands(out, code, func, e, 0);
  }
  if (e->act == HD_CODE_UNSUPPORTED) {
    hd_str_puts(out, " ");
    print_string(out, e->text);
  }
}

/* --- declarations --- */

static void print_at(hd_str *out, const char *word, hd_cpos pos) {
  if (pos.file == HD_NO_ID)
    hd_str_printf(out, "%s-", word);
  else
    hd_str_printf(out, "%s%u:%u:%u", word, pos.file, pos.line, pos.column);
}

static void print_cname(hd_str *out, const char *cname) {
  if (!cname)
    return;
  hd_str_puts(out, " ");
  print_string(out, cname);
}

/* type, scope and position, as far as they are known */
static void print_where(hd_str *out, hd_ctype_id ctype, hd_scope_id scope,
                        hd_cpos pos) {
  if (ctype != HD_NO_ID)
    hd_str_printf(out, " type %u", ctype);
  if (scope != HD_NO_ID)
    hd_str_printf(out, " scope %u", scope);
  if (pos.file != HD_NO_ID)
    print_at(out, " at ", pos);
}

static void print_id(hd_str *out, const char *word, uint32_t id) {
  if (id == HD_NO_ID)
    hd_str_printf(out, "%s-", word);
  else
    hd_str_printf(out, "%s%u", word, id);
}

static void print_ctype(hd_str *out, const hd_code *code, hd_ctype_id id) {
  static const char *const kinds[] = {
      [HD_CTYPE_VOID] = "void",         [HD_CTYPE_BOOL] = "bool",
      [HD_CTYPE_SIGNED] = "signed",     [HD_CTYPE_UNSIGNED] = "unsigned",
      [HD_CTYPE_FLOAT] = "float",       [HD_CTYPE_POINTER] = "pointer",
      [HD_CTYPE_ARRAY] = "array",       [HD_CTYPE_STRUCT] = "struct",
      [HD_CTYPE_UNION] = "union",       [HD_CTYPE_ENUM] = "enum",
      [HD_CTYPE_FUNCTION] = "function",
  };
  const hd_ctype *t = &code->ctypes.data[id];
  hd_str_printf(out, "type %u %s %" PRIu64, id, kinds[t->kind], t->size);
  print_cname(out, t->name);
  if (t->kind == HD_CTYPE_POINTER)
    print_id(out, " to ", t->base);
  if (t->kind == HD_CTYPE_ARRAY) {
    print_id(out, " of ", t->base);
    hd_str_puts(out, " count");
    if (t->bound)
      print_cname(out, t->bound);
    else
      hd_str_printf(out, " %" PRIu64, t->count);
  }
  for (uint32_t i = 0; i < t->n_fields; i++) {
    const hd_cfield *f = &code->fields.data[t->fields + i];
    hd_str_puts(out, i ? ", " : " fields ");
    print_string(out, f->name);
    print_id(out, " ", f->type);
    if (t->kind == HD_CTYPE_ENUM)
      hd_str_printf(out, " %" PRId64 " %u", (int64_t)f->offset, f->bits);
    else
      hd_str_printf(out, " %" PRIu64 " %u", f->offset, f->bits);
  }
  hd_str_puts(out, "\n");
}

static void print_global(hd_str *out, const hd_code *code, const hd_global *g) {
  hd_str_puts(out, "global ");
  print_name(out, '@', g->name);
  print_cname(out, g->cname);
  hd_str_printf(out, " size %" PRIu64 " align %u%s%s%s", g->size, g->align,
                g->thread_local ? " tls" : "", g->constant ? " const" : "",
                g->external ? " external" : "");
  print_where(out, g->ctype, HD_NO_ID, g->pos);
  if (g->bytes && g->size) {
    hd_str_puts(out, " bytes ");
    for (uint64_t i = 0; i < g->size; i++)
      hd_str_printf(out, "%02x", g->bytes[i]);
  }
  for (uint32_t i = 0; i < g->n_relocs; i++) {
    const hd_reloc *r = &code->relocs.data[g->relocs + i];
    hd_str_printf(out, " reloc %" PRIu64 " ", r->offset);
    hd_code_print_expr(out, code, HD_NO_ID, r->expr);
  }
  hd_str_puts(out, "\n");
}

static void print_signature(hd_str *out, const hd_code *code,
                            const hd_func *f) {
  hd_str_puts(out, "function ");
  print_name(out, '@', f->name);
  print_cname(out, f->cname);
  hd_str_puts(out, " (");
  for (uint32_t i = 0; i < f->n_params; i++) {
    const hd_reg *r = &code->regs.data[f->regs + i];
    hd_str_puts(out, i ? ", " : "");
    if (f->defined)
      print_name(out, '%', r->name);
    else
      hd_code_print_type(out, r->type);
  }
  if (f->variadic)
    hd_str_puts(out, f->n_params ? ", ..." : "...");
  hd_str_puts(out, ") -> ");
  for (uint32_t i = 0; i < f->n_results; i++) {
    hd_str_puts(out, i ? ", " : "");
    hd_code_print_type(out, code->types.data[f->results + i]);
  }
  if (!f->n_results)
    hd_str_puts(out, "void");
  if (!f->defined)
    hd_str_puts(out, " external");
  print_where(out, f->ctype, f->scope, f->pos);
  hd_str_puts(out, f->defined ? " {\n" : "\n");
}

static void print_location(hd_str *out, const hd_code *code, const hd_func *f,
                           hd_loc_id l) {
  const hd_cloc *loc = &code->locs.data[l];
  hd_str_printf(out, "  location %u", l - f->locs);
  print_at(out, " ", loc->pos);
  if (loc->loop != HD_NO_ID) {
    const hd_loop *loop = &code->loops.data[loc->loop];
    print_at(out, " loop ", loop->pos);
    if (loop->scope != HD_NO_ID)
      hd_str_printf(out, " scope %u", loop->scope);
    if (loop->irreducible)
      hd_str_puts(out, " irreducible");
  }
  hd_str_puts(out, "\n");
  for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
    const hd_cedge *e = &code->edges.data[code->out[i]];
    hd_str_printf(out, "    -> %u", e->to - f->locs);
    print_at(out, " ", e->pos);
    hd_str_puts(out, " ");
    hd_code_print_edge(out, code, code->out[i]);
    hd_str_puts(out, "\n");
  }
}

static void print_function(hd_str *out, const hd_code *code, const hd_func *f) {
  print_signature(out, code, f);
  if (!f->defined)
    return;
  for (uint32_t i = 0; i < f->n_regs; i++) {
    const hd_reg *r = &code->regs.data[f->regs + i];
    hd_str_puts(out, "  reg ");
    print_name(out, '%', r->name);
    hd_str_puts(out, " ");
    hd_code_print_type(out, r->type);
    print_cname(out, r->cname);
    print_where(out, r->ctype, r->scope, r->pos);
    hd_str_puts(out, "\n");
  }
  for (uint32_t i = 0; i < f->n_slots; i++) {
    const hd_slot *s = &code->slots.data[f->slots + i];
    hd_str_puts(out, "  slot ");
    print_name(out, '&', s->name);
    print_cname(out, s->cname);
    hd_str_printf(out, " size %" PRIu64 " align %u", s->size, s->align);
    print_where(out, s->ctype, s->scope, s->pos);
    hd_str_puts(out, "\n");
  }
  for (uint32_t i = 0; i < f->n_locs; i++)
    print_location(out, code, f, f->locs + i);
  hd_str_puts(out, "}\n");
}

void hd_code_print(hd_str *out, const hd_code *code) {
  hd_str_printf(out, "heddle code 1\ntarget %u\n", code->pointer_width);
  for (size_t i = 0; i < code->files.size; i++) {
    hd_str_printf(out, "file %zu ", i);
    print_string(out, code->files.data[i]);
    hd_str_puts(out, "\n");
  }
  for (hd_ctype_id i = 0; i < code->ctypes.size; i++)
    print_ctype(out, code, i);
  for (hd_scope_id i = 0; i < code->scopes.size; i++) {
    hd_str_printf(out, "scope %u", i);
    print_id(out, " ", code->scopes.data[i].parent);
    print_at(out, " ", code->scopes.data[i].pos);
    hd_str_puts(out, "\n");
  }
  for (hd_vec_each(const hd_pragma, p, &code->pragmas)) {
    print_at(out, "pragma ", p->pos);
    if (p->scope != HD_NO_ID)
      print_id(out, " scope ", p->scope);
    hd_str_puts(out, " ");
    print_string(out, p->text);
    hd_str_puts(out, "\n");
  }
  for (hd_vec_each(const hd_global, g, &code->globals))
    print_global(out, code, g);
  for (hd_vec_each(const hd_func, f, &code->funcs))
    print_function(out, code, f);
}

/* --- places --- */

/* The field of a struct or union that holds the bytes; NULL = none. */
static const hd_cfield *find_field(const hd_code *code, const hd_ctype *t,
                                   uint64_t offset, uint64_t size) {
  for (uint32_t i = 0; i < t->n_fields; i++) {
    const hd_cfield *f = &code->fields.data[t->fields + i];
    uint64_t first = f->offset / 8, end = (f->offset + f->bits + 7) / 8;
    if (offset >= first && offset + size <= end)
      return f;
  }
  return NULL;
}

void hd_code_print_place(hd_str *out, const hd_code *code, const char *name,
                         hd_ctype_id ctype, uint64_t offset, uint64_t size) {
  hd_str_puts(out, name);
  uint64_t at = offset;
  while (ctype != HD_NO_ID) {
    const hd_ctype *t = &code->ctypes.data[ctype];
    if (at == 0 && size >= t->size && t->size)
      return;
    if (t->kind == HD_CTYPE_ARRAY && t->base != HD_NO_ID) {
      uint64_t step = code->ctypes.data[t->base].size;
      if (!step || (t->count && at / step >= t->count))
        break;
      hd_str_printf(out, "[%" PRIu64 "]", at / step);
      at %= step;
      ctype = t->base;
    } else if (t->kind == HD_CTYPE_STRUCT || t->kind == HD_CTYPE_UNION) {
      const hd_cfield *f = find_field(code, t, at, size);
      if (!f)
        break;
      if (f->name && *f->name)
        hd_str_printf(out, ".%s", f->name);
      at -= f->offset / 8;
      ctype = f->type;
    } else {
      break;
    }
  }
  if (at)
    hd_str_printf(out, "+%" PRIu64, at);
}

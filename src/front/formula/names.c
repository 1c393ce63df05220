/* SPDX-License-Identifier: MIT */
/* Names in formulas are those of the debug information: the variables of the
 * blocks around the annotation, inside out, then the global ones. */
#include "front/formula/reader.h"

#include <string.h>

bool hd_cpos_before(hd_cpos a, hd_cpos b) {
  return a.file == b.file &&
         (a.line < b.line || (a.line == b.line && a.column < b.column));
}

static bool named(const char *cname, hd_word name) {
  return cname && strlen(cname) == name.size &&
         !memcmp(cname, name.text, name.size);
}

/* Is a variable declared at `pos` in block `scope` known where the note stands?
 * What follows it in the same block is not; but the variables of the `for` it
 * belongs to are, which stand in a block that begins with the loop. */
static bool visible(const hd_code *code, const hd_note *note, hd_scope_id scope,
                    hd_cpos pos) {
  hd_cpos here = code->pragmas.data[note->pragma].pos;
  return !hd_cpos_before(here, pos) ||
         (scope < code->scopes.size && note->scope == scope &&
          hd_cpos_before(here, code->scopes.data[scope].pos));
}

/* In block `scope` of the function, or in any block (HD_NO_ID); from number
 * `*from` on, registers before slots. */
static bool next_local(const hd_code *code, hd_func_id func, hd_scope_id scope,
                       hd_word name, uint32_t *from, hd_cvar *var) {
  const hd_func *f = &code->funcs.data[func];
  for (; *from < f->n_regs + f->n_slots; ++*from) {
    bool is_reg = *from < f->n_regs;
    uint32_t i = is_reg ? *from : *from - f->n_regs;
    const hd_reg *reg = is_reg ? &code->regs.data[f->regs + i] : NULL;
    const hd_slot *slot = is_reg ? NULL : &code->slots.data[f->slots + i];
    hd_scope_id own = is_reg ? reg->scope : slot->scope;
    if (named(is_reg ? reg->cname : slot->cname, name) &&
        (scope == HD_NO_ID || own == scope)) {
      *var = (hd_cvar){is_reg ? HD_CVAR_REG : HD_CVAR_SLOT, func, i};
      ++*from;
      return true;
    }
  }
  return false;
}

static bool find_local(const hd_code *code, const hd_note *note,
                       hd_func_id func, hd_scope_id scope, hd_word name,
                       hd_cvar *var) {
  while (scope < code->scopes.size) {
    uint32_t from = 0;
    while (next_local(code, func, scope, name, &from, var))
      if (!note || visible(code, note, scope, hd_cvar_pos(code, *var)))
        return true;
    scope = code->scopes.data[scope].parent;
  }
  return false;
}

/* Of several with one name (static ones) that of the pragma's own file. */
static bool find_global(const hd_code *code, const hd_note *note, hd_word name,
                        hd_cvar *var) {
  bool found = false;
  uint32_t file = note ? code->pragmas.data[note->pragma].pos.file : HD_NO_ID;
  for (uint32_t i = 0; i < code->globals.size; i++) {
    const hd_global *g = &code->globals.data[i];
    if (named(g->cname, name) && (!found || g->pos.file == file)) {
      *var = (hd_cvar){HD_CVAR_GLOBAL, HD_NO_ID, i};
      found = true;
    }
  }
  return found;
}

bool hd_formula_find(const hd_code *code, const hd_note *note, hd_func_id func,
                     hd_scope_id scope, hd_word name, hd_cvar *var) {
  return (func != HD_NO_ID && find_local(code, note, func, scope, name, var)) ||
         find_global(code, note, name, var);
}

bool hd_formula_find_in(const hd_code *code, hd_func_id func, hd_word name,
                        hd_cvar *var, bool *several) {
  *several = false;
  if (find_local(code, NULL, func, code->funcs.data[func].scope, name, var))
    return true;
  uint32_t from = 0;
  hd_cvar more;
  bool found = next_local(code, func, HD_NO_ID, name, &from, var);
  *several = found && next_local(code, func, HD_NO_ID, name, &from, &more);
  return found;
}

bool hd_formula_find_function(const hd_code *code, hd_word name,
                              hd_func_id *func) {
  for (uint32_t i = 0; i < code->funcs.size; i++)
    if (code->funcs.data[i].defined && named(code->funcs.data[i].cname, name)) {
      *func = i;
      return true;
    }
  return false;
}

bool hd_formula_find_constant(const hd_code *code, hd_word name,
                              int64_t *value) {
  for (size_t i = 0; i < code->ctypes.size; i++) {
    const hd_ctype *t = &code->ctypes.data[i];
    for (uint32_t k = 0; t->kind == HD_CTYPE_ENUM && k < t->n_fields; k++)
      if (named(code->fields.data[t->fields + k].name, name)) {
        *value = (int64_t)code->fields.data[t->fields + k].offset;
        return true;
      }
  }
  return false;
}

/* --- suggestions --- */

/* One letter more, less or other, or another case. */
static bool similar(const char *a, hd_word b) {
  size_t n = strlen(a), i = 0;
  if (n == b.size && !strncasecmp(a, b.text, n))
    return true;
  while (i < n && i < b.size && a[i] == b.text[i])
    i++;
  size_t rest_a = n - i, rest_b = b.size - i;
  if (n < 3 || b.size < 3 || !rest_a || !rest_b)
    return (n >= 2 && rest_a + rest_b == 1);
  return (rest_a == rest_b && !memcmp(a + i + 1, b.text + i + 1, rest_a - 1)) ||
         (rest_a == rest_b + 1 && !memcmp(a + i + 1, b.text + i, rest_b)) ||
         (rest_b == rest_a + 1 && !memcmp(a + i, b.text + i + 1, rest_a));
}

const char *hd_formula_nearest(const hd_code *code, const hd_note *note,
                               hd_word name) {
  if (note->func != HD_NO_ID) {
    const hd_func *f = &code->funcs.data[note->func];
    for (uint32_t i = 0; i < f->n_regs; i++) {
      const char *other = code->regs.data[f->regs + i].cname;
      if (other && similar(other, name))
        return other;
    }
    for (uint32_t i = 0; i < f->n_slots; i++) {
      const char *other = code->slots.data[f->slots + i].cname;
      if (other && similar(other, name))
        return other;
    }
  }
  for (size_t i = 0; i < code->globals.size; i++) {
    const char *other = code->globals.data[i].cname;
    if (other && similar(other, name))
      return other;
  }
  return NULL;
}

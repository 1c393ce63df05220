/* SPDX-License-Identifier: MIT */
/* Expressions of the text form: `OP.TYPE.flags(…)` and leaves. Types are only
 * read here; whether they fit is checked at the end (hd_code_valid). */
#include "front/code/reader.h"

enum { MAX_DEPTH = 2000 };

static hd_cexpr_id some(code_reader *r) {
  return hd_code_int(r->code, (hd_type){HD_TYPE_INT, 1}, 0);
}

static hd_type pointer(const code_reader *r) {
  return (hd_type){HD_TYPE_PTR, r->code->pointer_width};
}

static hd_cexpr_id leaf(code_reader *r, hd_code_op op, hd_type type,
                        uint64_t value) {
  return hd_code_expr(
      r->code, (hd_cexpr){.op = (uint8_t)op, .type = type, .value = value});
}

static hd_cexpr_id read_int(code_reader *r) {
  uint64_t value = r->negative ? 0 - r->number : r->number;
  hd_code_next(r);
  hd_code_need_sign(r, ':');
  hd_type type = hd_code_need_type(r);
  if (type.kind == HD_TYPE_PTR) {
    hd_code_error(r, "a number has no type ptr; write inttoptr.ptr(…)");
    return some(r);
  }
  return hd_code_int(r->code, type, value);
}

static hd_cexpr_id read_name(code_reader *r) {
  hd_word word = r->word;
  char sigil = r->sigil;
  const name_map *map = sigil == '@'   ? &r->symbols
                        : sigil == '%' ? &r->regs
                                       : &r->slots;
  /* Registers and slots are known within their function only. */
  bool here = sigil == '@' || r->func != HD_NO_ID;
  const uint32_t *id = here ? name_map_find(map, word) : NULL;
  if (!id) {
    hd_code_error(r, "%s %c%s is not declared",
                  sigil == '@'   ? "global or function"
                  : sigil == '%' ? "register"
                                 : "slot",
                  sigil, hd_quote(word).text);
    hd_code_next(r);
    return some(r);
  }
  hd_code_next(r);
  if (sigil == '%') {
    const hd_func *f = &r->code->funcs.data[r->func];
    return leaf(r, HD_CODE_REG, r->code->regs.data[f->regs + *id].type, *id);
  }
  if (sigil == '&')
    return leaf(r, HD_CODE_SLOT, pointer(r), *id);
  if (*id & CODE_IS_FUNC)
    return leaf(r, HD_CODE_FUNC, pointer(r), *id & ~CODE_IS_FUNC);
  return leaf(r, HD_CODE_GLOBAL, pointer(r), *id);
}

/* The part of `word` up to the next dot; moves on behind it. */
static hd_word part(hd_word *word) {
  size_t n = 0;
  while (n < word->size && word->text[n] != '.')
    n++;
  hd_word first = {word->text, n};
  size_t skip = n < word->size ? n + 1 : n;
  *word = (hd_word){word->text + skip, word->size - skip};
  return first;
}

static bool read_flags(hd_word rest, uint8_t *flags) {
  static const char *const names[] = {"nsw", "nuw", "exact", "inbounds"};
  while (rest.size) {
    hd_word flag = part(&rest);
    int i = 0;
    while (i < 4 && !hd_word_is(flag, names[i]))
      i++;
    if (i == 4)
      return false;
    *flags = (uint8_t)(*flags | 1u << i);
  }
  return true;
}

static hd_cexpr_id read(code_reader *r, int depth);

static hd_cexpr_id read_operation(code_reader *r, int depth) {
  hd_word rest = r->word, name = part(&rest), type = part(&rest);
  hd_cexpr e = {.op = (uint8_t)hd_code_op_find(name.text, name.size)};
  if (e.op == HD_CODE_OP_COUNT || !hd_code_type_of(r, type, &e.type) ||
      !read_flags(rest, &e.flags)) {
    hd_code_expected(r,
                     "an operation OP.TYPE with flags, as docs/code.md lists");
    return some(r);
  }
  hd_code_next(r);
  hd_code_need_sign(r, '(');
  for (int i = 0; i < hd_code_op_arity(e.op); i++) {
    if (i)
      hd_code_need_sign(r, ',');
    e.args[i] = read(r, depth + 1);
  }
  hd_code_need_sign(r, ')');
  return r->failed ? some(r) : hd_code_expr(r->code, e);
}

static hd_cexpr_id read(code_reader *r, int depth) {
  if (r->failed)
    return some(r);
  if (depth > MAX_DEPTH) {
    hd_code_error(r, "expression nested more than %d deep", MAX_DEPTH);
    return some(r);
  }
  if (r->kind == CODE_NUMBER)
    return read_int(r);
  if (r->kind == CODE_NAME)
    return read_name(r);
  if (hd_code_take_word(r, "null"))
    return leaf(r, HD_CODE_NULL, pointer(r), 0);
  if (hd_code_take_word(r, "undef")) {
    hd_code_need_sign(r, ':');
    return leaf(r, HD_CODE_UNDEF, hd_code_need_type(r), 0);
  }
  if (r->kind == CODE_WORD)
    return read_operation(r, depth);
  hd_code_expected(r, "an expression");
  return some(r);
}

hd_cexpr_id hd_code_read_expr(code_reader *r) {
  return read(r, 0);
}

hd_reg_id hd_code_need_reg(code_reader *r) {
  const uint32_t *id = r->kind == CODE_NAME && r->sigil == '%'
                           ? name_map_find(&r->regs, r->word)
                           : NULL;
  if (!id) {
    hd_code_expected(r, "a register that is declared");
    return 0;
  }
  hd_code_next(r);
  return *id;
}

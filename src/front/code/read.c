/* SPDX-License-Identifier: MIT */
/* The lines of a code graph. Names of globals and functions may be used before
 * they are declared, so a first pass over the text numbers them; the second
 * reads everything. An error costs its line, reading goes on with the next. */
#include "front/code/reader.h"

#include <ctype.h>

/* --- lines --- */

/* Moves to the next line with something in it; false at the end. */
static bool next_line(code_reader *r, size_t *offset) {
  const hd_source *s = r->source;
  while (*offset < s->size) {
    const char *end = memchr(s->text + *offset, '\n', s->size - *offset);
    r->at = *offset;
    r->line_end = end ? (size_t)(end - s->text) : s->size;
    *offset = r->line_end + 1;
    r->failed = false;
    hd_code_next(r);
    if (r->kind != CODE_END)
      return true;
  }
  return false;
}

static void need_end(code_reader *r) {
  if (r->kind != CODE_END)
    hd_code_expected(r, "the end of the line");
}

static const char *keep_word(code_reader *r, hd_word word) {
  return hd_arena_strndup(&r->code->arena, word.text, word.size);
}

/* --- the first pass --- */

static void declare(code_reader *r, bool is_func) {
  hd_code_next(r);
  if (r->kind != CODE_NAME || r->sigil != '@')
    return; /* the second pass says so */
  uint32_t id =
      (uint32_t)(is_func ? r->code->funcs.size : r->code->globals.size);
  bool fresh;
  name_map_put(&r->symbols, r->word, is_func ? id | CODE_IS_FUNC : id, &fresh);
  if (!fresh) {
    hd_code_error(r, "@%s is declared twice", hd_quote(r->word).text);
    return;
  }
  const char *name = keep_word(r, r->word);
  hd_cpos nowhere = {HD_NO_ID, 0, 0};
  if (is_func)
    hd_vec_push(&r->code->funcs, ((hd_func){.name = name,
                                            .ctype = HD_NO_ID,
                                            .scope = HD_NO_ID,
                                            .entry = HD_NO_ID,
                                            .pos = nowhere}));
  else
    hd_vec_push(&r->code->globals,
                ((hd_global){.name = name, .ctype = HD_NO_ID, .pos = nowhere}));
}

static void first_pass(code_reader *r) {
  for (size_t offset = 0; !hd_diag_full(r->diag) && next_line(r, &offset);) {
    if (hd_code_is_word(r, "global"))
      declare(r, false);
    else if (hd_code_is_word(r, "function"))
      declare(r, true);
  }
}

/* --- declarations --- */

/* `type N`, `scope N`, `at POS`, in any order; true when one was read. */
static bool take_where(code_reader *r, hd_ctype_id *ctype, hd_scope_id *scope,
                       hd_cpos *pos) {
  if (ctype && hd_code_take_word(r, "type"))
    *ctype =
        hd_code_need_below(r, r->code->ctypes.size, "the number of a type");
  else if (scope && hd_code_take_word(r, "scope"))
    *scope =
        hd_code_need_below(r, r->code->scopes.size, "the number of a scope");
  else if (pos && hd_code_take_word(r, "at"))
    *pos = hd_code_need_pos(r);
  else
    return false;
  return !r->failed;
}

static const char *take_cname(code_reader *r) {
  return r->kind == CODE_STRING ? hd_code_need_string(r) : NULL;
}

static uint32_t need_id_or_none(code_reader *r, size_t limit,
                                const char *what) {
  return hd_code_take_sign(r, '-') ? HD_NO_ID
                                   : hd_code_need_below(r, limit, what);
}

static void read_file(code_reader *r) {
  if (hd_code_need_number(r) != r->code->files.size)
    hd_code_error(r, "files are numbered from 0 on");
  const char *name = hd_code_need_string(r);
  hd_vec_push(&r->code->files, name);
}

static void read_fields(code_reader *r, hd_ctype *type) {
  hd_code *code = r->code;
  type->fields = (uint32_t)code->fields.size;
  do {
    hd_cfield field = {.name = hd_code_need_string(r), .type = HD_NO_ID};
    /* Types may be recursive: a field's type may come later. */
    field.type = need_id_or_none(r, HD_NO_ID, "the number of a type, or '-'");
    bool negative = r->kind == CODE_NUMBER && r->negative;
    if (negative && type->kind == HD_CTYPE_ENUM) {
      field.offset = 0 - r->number;
      hd_code_next(r);
    } else {
      field.offset = hd_code_need_number(r);
    }
    field.bits = hd_code_need_below(r, UINT32_MAX, "a number of bits");
    hd_vec_push(&code->fields, field);
  } while (!r->failed && hd_code_take_sign(r, ','));
  type->n_fields = (uint32_t)code->fields.size - type->fields;
}

static void read_ctype(code_reader *r) {
  static const char *const kinds[] = {"void",  "bool",    "signed",  "unsigned",
                                      "float", "pointer", "array",   "struct",
                                      "union", "enum",    "function"};
  if (hd_code_need_number(r) != r->code->ctypes.size)
    hd_code_error(r, "types are numbered from 0 on");
  hd_ctype type = {.base = HD_NO_ID};
  size_t kind = 0;
  while (kind < sizeof kinds / sizeof *kinds &&
         !hd_code_is_word(r, kinds[kind]))
    kind++;
  if (kind == sizeof kinds / sizeof *kinds)
    hd_code_expected(r, "a kind of type: void, bool, signed, unsigned, float, "
                        "pointer, array, struct, union, enum or function");
  else
    hd_code_next(r);
  type.kind = (hd_ctype_kind)kind;
  type.size = hd_code_need_number(r);
  type.name = take_cname(r);
  if (hd_code_take_word(r, "to") || hd_code_take_word(r, "of"))
    type.base = need_id_or_none(r, HD_NO_ID, "the number of a type, or '-'");
  bool counted = hd_code_take_word(r, "count");
  if (counted)
    type.bound = take_cname(r);
  if (!type.bound && counted)
    type.count = hd_code_need_number(r);
  if (hd_code_take_word(r, "fields"))
    read_fields(r, &type);
  hd_vec_push(&r->code->ctypes, type);
}

static void read_scope(code_reader *r) {
  if (hd_code_need_number(r) != r->code->scopes.size)
    hd_code_error(r, "scopes are numbered from 0 on");
  hd_scope scope = {.parent = need_id_or_none(r, r->code->scopes.size,
                                              "an earlier scope, or '-'")};
  scope.pos = hd_code_need_pos(r);
  hd_vec_push(&r->code->scopes, scope);
}

static int hex_digit(char c) {
  return isdigit((unsigned char)c) ? c - '0'
                                   : tolower((unsigned char)c) - 'a' + 10;
}

/* The bytes are not a token: they may look like a number. */
static const uint8_t *read_bytes(code_reader *r, uint64_t size) {
  const char *text = r->source->text;
  size_t from = r->start, to = from;
  while (to < r->line_end && isxdigit((unsigned char)text[to]))
    to++;
  r->at = to > from ? to : r->at;
  if ((to - from) % 2 || (to - from) / 2 != size) {
    hd_code_error(r, "expected %llu bytes, two digits each",
                  (unsigned long long)size);
    return NULL;
  }
  uint8_t *bytes = hd_arena_alloc(&r->code->arena, size ? size : 1);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)(hex_digit(text[from + 2 * i]) << 4 |
                         hex_digit(text[from + 2 * i + 1]));
  hd_code_next(r);
  return bytes;
}

/* `size S align A` */
static void read_extent(code_reader *r, uint64_t *size, uint32_t *align) {
  if (!hd_code_take_word(r, "size"))
    hd_code_expected(r, "'size'");
  *size = hd_code_need_number(r);
  if (*size > (uint64_t)1 << 31)
    hd_code_error(r, "an object has at most 2^31 bytes");
  if (!hd_code_take_word(r, "align"))
    hd_code_expected(r, "'align'");
  *align = hd_code_need_below(r, UINT32_MAX, "an alignment");
}

static void read_global(code_reader *r) {
  hd_code *code = r->code;
  const uint32_t *id = r->kind == CODE_NAME && r->sigil == '@'
                           ? name_map_find(&r->symbols, r->word)
                           : NULL;
  if (!id || *id & CODE_IS_FUNC) {
    hd_code_expected(r, "the name of a global, @name");
    return;
  }
  hd_code_next(r);
  hd_global g = code->globals.data[*id];
  g.cname = take_cname(r);
  read_extent(r, &g.size, &g.align);
  g.relocs = (uint32_t)code->relocs.size;
  while (!r->failed && r->kind != CODE_END) {
    if (hd_code_take_word(r, "tls"))
      g.thread_local = true;
    else if (hd_code_take_word(r, "const"))
      g.constant = true;
    else if (hd_code_take_word(r, "external"))
      g.external = true;
    else if (hd_code_is_word(r, "bytes")) {
      hd_code_next(r);
      g.bytes = read_bytes(r, g.size);
    } else if (hd_code_take_word(r, "reloc")) {
      hd_reloc reloc = {.offset = hd_code_need_number(r)};
      reloc.expr = hd_code_read_expr(r);
      hd_vec_push(&code->relocs, reloc);
    } else if (!take_where(r, &g.ctype, NULL, &g.pos))
      hd_code_expected(r, "tls, const, external, type, at, bytes or reloc");
  }
  g.n_relocs = (uint32_t)code->relocs.size - g.relocs;
  code->globals.data[*id] = g;
}

/* --- functions --- */

static void add_param(code_reader *r, hd_func *f) {
  hd_reg reg = {.ctype = HD_NO_ID,
                .scope = HD_NO_ID,
                .pos = {HD_NO_ID, 0, 0},
                .name = ""};
  if (r->kind == CODE_NAME && r->sigil == '%') {
    bool fresh;
    name_map_put(&r->regs, r->word, f->n_params, &fresh);
    if (!fresh)
      hd_code_error(r, "register %%%s is declared twice",
                    hd_quote(r->word).text);
    reg.name = keep_word(r, r->word);
    hd_code_next(r);
  } else {
    reg.type = hd_code_need_type(r);
  }
  hd_vec_push(&r->code->regs, reg);
  f->n_params++;
}

static void read_signature(code_reader *r, hd_func *f) {
  hd_code *code = r->code;
  f->cname = take_cname(r);
  f->regs = (uint32_t)code->regs.size;
  hd_code_need_sign(r, '(');
  while (!r->failed && !hd_code_is_sign(r, ')')) {
    if (f->n_params || f->variadic)
      hd_code_need_sign(r, ',');
    if (r->kind == CODE_DOTS) {
      f->variadic = true;
      hd_code_next(r);
      break;
    }
    add_param(r, f);
  }
  f->n_regs = f->n_params;
  hd_code_need_sign(r, ')');
  if (r->kind != CODE_ARROW)
    hd_code_expected(r, "'->'");
  else
    hd_code_next(r);
  f->results = (uint32_t)code->types.size;
  if (!hd_code_take_word(r, "void"))
    do {
      hd_vec_push(&code->types, hd_code_need_type(r));
      f->n_results++;
    } while (!r->failed && hd_code_take_sign(r, ','));
}

static void read_function(code_reader *r) {
  hd_code *code = r->code;
  const uint32_t *id = r->kind == CODE_NAME && r->sigil == '@'
                           ? name_map_find(&r->symbols, r->word)
                           : NULL;
  if (!id || !(*id & CODE_IS_FUNC)) {
    hd_code_expected(r, "the name of a function, @name");
    return;
  }
  hd_code_next(r);
  name_map_free(&r->regs);
  name_map_free(&r->slots);
  r->regs = r->slots = (name_map){0};
  hd_func_id number = *id & ~CODE_IS_FUNC;
  hd_func f = code->funcs.data[number];
  read_signature(r, &f);
  bool external = false;
  while (!r->failed && r->kind != CODE_END && !hd_code_is_sign(r, '{')) {
    if (hd_code_take_word(r, "external"))
      external = true;
    else if (!take_where(r, &f.ctype, &f.scope, &f.pos))
      hd_code_expected(r, "external, type, at, scope or '{'");
  }
  f.defined = !external;
  for (uint32_t i = 0; external && i < f.n_params; i++)
    if (!code->regs.data[f.regs + i].type.width)
      hd_code_error(r, "an external function has types for parameters");
  f.slots = (uint32_t)code->slots.size;
  f.locs = f.entry = (hd_loc_id)code->locs.size;
  if (!external) {
    hd_code_need_sign(r, '{');
    r->func = number;
  }
  code->funcs.data[number] = f;
}

static void read_reg(code_reader *r) {
  hd_func *f = &r->code->funcs.data[r->func];
  if (r->kind != CODE_NAME || r->sigil != '%' || f->n_locs || f->n_slots) {
    hd_code_expected(r, f->n_locs || f->n_slots
                            ? "registers before slots and locations"
                            : "a register, %name");
    return;
  }
  hd_reg reg = {.name = keep_word(r, r->word),
                .ctype = HD_NO_ID,
                .scope = HD_NO_ID,
                .pos = {HD_NO_ID, 0, 0}};
  bool fresh;
  uint32_t id = *name_map_put(&r->regs, r->word, f->n_regs, &fresh);
  if (!fresh &&
      (id >= f->n_params || r->code->regs.data[f->regs + id].type.width))
    hd_code_error(r, "register %%%s is declared twice", hd_quote(r->word).text);
  hd_code_next(r);
  reg.type = hd_code_need_type(r);
  reg.cname = take_cname(r);
  while (!r->failed && r->kind != CODE_END)
    if (!take_where(r, &reg.ctype, &reg.scope, &reg.pos))
      hd_code_expected(r, "type, scope or at");
  if (fresh) {
    hd_vec_push(&r->code->regs, reg);
    f->n_regs++;
  } else {
    r->code->regs.data[f->regs + id] = reg;
  }
}

static void read_slot(code_reader *r) {
  hd_func *f = &r->code->funcs.data[r->func];
  if (r->kind != CODE_NAME || r->sigil != '&' || f->n_locs) {
    hd_code_expected(r, f->n_locs ? "slots before locations" : "a slot, &name");
    return;
  }
  hd_slot slot = {.name = keep_word(r, r->word),
                  .ctype = HD_NO_ID,
                  .scope = HD_NO_ID,
                  .pos = {HD_NO_ID, 0, 0}};
  bool fresh;
  name_map_put(&r->slots, r->word, f->n_slots, &fresh);
  if (!fresh)
    hd_code_error(r, "slot &%s is declared twice", hd_quote(r->word).text);
  hd_code_next(r);
  slot.cname = take_cname(r);
  read_extent(r, &slot.size, &slot.align);
  while (!r->failed && r->kind != CODE_END)
    if (!take_where(r, &slot.ctype, &slot.scope, &slot.pos))
      hd_code_expected(r, "type, scope or at");
  hd_vec_push(&r->code->slots, slot);
  f->n_slots++;
}

static void read_location(code_reader *r) {
  hd_code *code = r->code;
  hd_func *f = &code->funcs.data[r->func];
  if (hd_code_need_number(r) != f->n_locs)
    hd_code_error(r, "locations of a function are numbered from 0 on");
  hd_cloc loc = {.func = r->func, .loop = HD_NO_ID};
  loc.pos = hd_code_need_pos(r);
  if (hd_code_take_word(r, "loop")) {
    hd_loop loop = {.head = (hd_loc_id)code->locs.size, .scope = HD_NO_ID};
    loop.pos = hd_code_need_pos(r);
    take_where(r, NULL, &loop.scope, NULL);
    loop.irreducible = hd_code_take_word(r, "irreducible");
    loc.loop = (uint32_t)code->loops.size;
    hd_vec_push(&code->loops, loop);
  }
  hd_vec_push(&code->locs, loc);
  f->n_locs++;
}

/* --- edges --- */

static void push_operand(code_reader *r, hd_cedge *e) {
  hd_cexpr_id expr = hd_code_read_expr(r);
  hd_vec_push(&r->code->operands, expr);
  e->n_operands++;
}

static void read_operands(code_reader *r, hd_cedge *e) {
  do
    push_operand(r, e);
  while (!r->failed && hd_code_take_sign(r, ','));
}

static void read_targets(code_reader *r, hd_cedge *e) {
  do {
    hd_vec_push(&r->code->targets, hd_code_need_reg(r));
    e->n_targets++;
  } while (!r->failed && hd_code_take_sign(r, ','));
  hd_code_need_sign(r, '=');
}

static bool attribute(hd_cedge *e, hd_word word) {
  for (hd_order o = HD_ORDER_RELAXED; o <= HD_ORDER_SEQ_CST; o++)
    if (hd_word_is(word, hd_order_name(o))) {
      if (e->act == HD_CODE_CMPXCHG && e->order != HD_ORDER_NONE)
        e->failure = (uint8_t)o;
      else
        e->order = (uint8_t)o;
      return true;
    }
  if (e->act == HD_CODE_RMW)
    for (hd_rmw m = HD_RMW_XCHG; m <= HD_RMW_FSUB; m++)
      if (hd_word_is(word, hd_rmw_name(m))) {
        e->rmw = (uint8_t)m;
        return true;
      }
  if (hd_word_is(word, "volatile"))
    e->is_volatile = true;
  else if (hd_word_is(word, "weak") && e->act == HD_CODE_CMPXCHG)
    e->weak = true;
  else
    return false;
  return true;
}

/* The action's word with its attributes: "load.acquire.volatile". */
static bool read_action(code_reader *r, hd_cedge *e) {
  static const struct {
    const char *word;
    hd_code_act act;
  } acts[] = {
      {"skip", HD_CODE_STEP},
      {"when", HD_CODE_STEP},
      {"set", HD_CODE_STEP},
      {"load", HD_CODE_LOAD},
      {"store", HD_CODE_STORE},
      {"rmw", HD_CODE_RMW},
      {"cmpxchg", HD_CODE_CMPXCHG},
      {"fence", HD_CODE_FENCE},
      {"call", HD_CODE_CALL},
      {"return", HD_CODE_RETURN},
      {"alloca", HD_CODE_ALLOCA},
      {"unreachable", HD_CODE_UNREACHABLE},
      {"unsupported", HD_CODE_UNSUPPORTED},
  };
  hd_word rest = r->word, name = {rest.text, 0};
  while (name.size < rest.size && rest.text[name.size] != '.')
    name.size++;
  size_t i = 0, n = sizeof acts / sizeof *acts;
  while (i < n && !(r->kind == CODE_WORD && hd_word_is(name, acts[i].word)))
    i++;
  if (i == n) {
    hd_code_expected(r, "an action");
    return false;
  }
  e->act = (uint8_t)acts[i].act;
  for (size_t at = name.size; at < rest.size;) {
    hd_word word = {rest.text + at + 1, 0};
    while (at + 1 + word.size < rest.size && word.text[word.size] != '.')
      word.size++;
    if (!attribute(e, word)) {
      hd_code_error(r, "'%s' is no attribute of this action",
                    hd_quote(word).text);
      return false;
    }
    at += 1 + word.size;
  }
  if (e->act == HD_CODE_CMPXCHG && e->failure == HD_ORDER_NONE)
    e->failure = (uint8_t)hd_order_reading((hd_order)e->order);
  return true;
}

static void read_call(code_reader *r, hd_cedge *e) {
  if (r->kind == CODE_NAME && r->sigil == '%')
    read_targets(r, e);
  hd_code_take_sign(r, '*');
  push_operand(r, e);
  hd_code_need_sign(r, '(');
  if (!hd_code_is_sign(r, ')'))
    read_operands(r, e);
  hd_code_need_sign(r, ')');
}

static void read_rest(code_reader *r, hd_cedge *e, bool set) {
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP:
    if (set) {
      read_targets(r, e);
      read_operands(r, e);
    }
    break;
  case HD_CODE_STORE:
    push_operand(r, e);
    hd_code_need_sign(r, '=');
    push_operand(r, e);
    break;
  case HD_CODE_LOAD:
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
  case HD_CODE_ALLOCA:
    read_targets(r, e);
    read_operands(r, e);
    break;
  case HD_CODE_CALL:
    read_call(r, e);
    break;
  case HD_CODE_RETURN:
    if (r->kind != CODE_END)
      read_operands(r, e);
    break;
  case HD_CODE_UNSUPPORTED:
    e->text = hd_code_need_string(r);
    break;
  case HD_CODE_FENCE:
  case HD_CODE_UNREACHABLE:
    break;
  }
}

static void read_edge(code_reader *r) {
  hd_code *code = r->code;
  const hd_func *f = &code->funcs.data[r->func];
  if (!f->n_locs) {
    hd_code_error(r, "an edge before the first location");
    return;
  }
  hd_cedge e = {.guard = HD_NO_ID,
                .from = f->locs + f->n_locs - 1,
                .operands = (uint32_t)code->operands.size,
                .targets = (uint32_t)code->targets.size};
  /* Checked at the end of the function. */
  e.to = f->locs + hd_code_need_below(r, UINT32_MAX / 2, "a location's number");
  e.pos = hd_code_need_pos(r);
  bool set = hd_code_is_word(r, "set"), when = hd_code_is_word(r, "when");
  if (r->failed || !read_action(r, &e))
    return;
  if (!when)
    hd_code_next(r);
  read_rest(r, &e, set);
  if (e.act == HD_CODE_STEP && hd_code_take_word(r, "when"))
    e.guard = hd_code_read_expr(r);
  if (!r->failed)
    hd_vec_push(&code->edges, e);
}

static void end_function(code_reader *r) {
  hd_code *code = r->code;
  const hd_func *f = &code->funcs.data[r->func];
  for (uint32_t i = 0; i < f->n_params; i++)
    if (!code->regs.data[f->regs + i].type.width)
      hd_code_error(r, "parameter %%%s of @%s has no 'reg' line",
                    code->regs.data[f->regs + i].name, f->name);
  for (size_t e = code->edges.size; e-- > 0;) {
    const hd_cedge *edge = &code->edges.data[e];
    if (edge->from < f->locs)
      break;
    if (edge->to >= f->locs + f->n_locs)
      hd_code_error(r, "@%s has no location %u", f->name, edge->to - f->locs);
  }
  r->func = HD_NO_ID;
}

static void read_line(code_reader *r) {
  static const struct {
    const char *word;
    void (*read)(code_reader *r);
    bool inside;
  } lines[] = {
      {"file", read_file, false},         {"type", read_ctype, false},
      {"scope", read_scope, false},       {"global", read_global, false},
      {"function", read_function, false}, {"reg", read_reg, true},
      {"slot", read_slot, true},          {"location", read_location, true},
  };
  bool inside = r->func != HD_NO_ID;
  if (inside && r->kind == CODE_ARROW) {
    hd_code_next(r);
    read_edge(r);
    return;
  }
  if (inside && hd_code_is_sign(r, '}')) {
    hd_code_next(r);
    end_function(r);
    return;
  }
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (lines[i].inside == inside && hd_code_is_word(r, lines[i].word)) {
      hd_code_next(r);
      lines[i].read(r);
      return;
    }
  if (!inside && hd_code_take_word(r, "pragma")) {
    hd_pragma pragma = {.pos = hd_code_need_pos(r), .scope = HD_NO_ID};
    if (hd_code_take_word(r, "scope"))
      pragma.scope =
          hd_code_need_below(r, r->code->scopes.size, "the number of a scope");
    pragma.text = hd_code_need_string(r);
    hd_vec_push(&r->code->pragmas, pragma);
    return;
  }
  hd_code_expected(r, inside ? "reg, slot, location, '->' or '}'"
                             : "file, type, scope, global, function or pragma");
}

/* `heddle code 1`, `target 64` */
static bool read_head(code_reader *r, size_t *offset) {
  if (!next_line(r, offset) || !hd_code_take_word(r, "heddle") ||
      !hd_code_take_word(r, "code") || r->kind != CODE_NUMBER ||
      r->number != 1) {
    hd_code_expected(r, "'heddle code 1'");
    return false;
  }
  if (!next_line(r, offset) || !hd_code_take_word(r, "target") ||
      r->kind != CODE_NUMBER || (r->number != 32 && r->number != 64)) {
    hd_code_expected(r, "'target 32' or 'target 64'");
    return false;
  }
  r->code->pointer_width = (uint8_t)r->number;
  return true;
}

static bool types_known(code_reader *r) {
  size_t n = r->code->ctypes.size;
  bool good = true;
  for (hd_vec_each(const hd_ctype, t, &r->code->ctypes))
    good = good && (t->base == HD_NO_ID || t->base < n);
  for (hd_vec_each(const hd_cfield, f, &r->code->fields))
    good = good && (f->type == HD_NO_ID || f->type < n);
  return good;
}

static void read_all(code_reader *r) {
  size_t offset = 0;
  size_t errors = hd_diag_errors(r->diag);
  if (!read_head(r, &offset))
    return;
  first_pass(r);
  if (hd_diag_errors(r->diag) > errors)
    return; /* the second pass would read a function twice */
  while (!hd_diag_full(r->diag) && next_line(r, &offset)) {
    read_line(r);
    if (!r->failed)
      need_end(r);
  }
  if (r->func != HD_NO_ID)
    hd_code_expected(r, "'}'");
}

hd_code *hd_code_read(const hd_source *source, hd_diag *diag) {
  if (!hd_text_check(source, "a code graph", diag))
    return NULL;
  size_t before = hd_diag_errors(diag);
  code_reader r = {
      .source = source, .diag = diag, .code = hd_code_new(), .func = HD_NO_ID};
  read_all(&r);
  hd_str why = {0};
  if (hd_diag_errors(diag) == before) {
    hd_code_finish(r.code);
    if (!types_known(&r))
      hd_diag_file_error(diag, source->name, "a type that is used has no line");
    else if (!hd_code_valid(r.code, &why))
      hd_diag_file_error(diag, source->name, "%s", hd_str_text(&why));
  }
  hd_str_free(&why);
  name_map_free(&r.symbols);
  name_map_free(&r.regs);
  name_map_free(&r.slots);
  if (hd_diag_errors(diag) == before)
    return r.code;
  hd_code_delete(r.code);
  return NULL;
}

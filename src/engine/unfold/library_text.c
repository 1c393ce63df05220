/* SPDX-License-Identifier: MIT */
/* Text: what is read of it may be written by others meanwhile; what it says is not
 * known. */
#include "engine/unfold/caller.h"

#include <stdlib.h>
#include <string.h>

/* The constant that an argument is, and where in it; NULL: none, or not known. */
static const hd_global *constant_at(const caller *c, uint32_t i,
                                    int64_t *offset) {
  hd_value p = arg(c, i);
  hd_object_id object;
  if (!hd_value_is_address(&p, &object, offset))
    return NULL;
  const object_key *key = object_of(c->a, object);
  const hd_global *g =
      key->kind == OBJ_GLOBAL ? &c->a->code->globals.data[key->what] : NULL;
  return g && g->constant && !g->external && *offset >= 0 &&
                 (uint64_t)*offset <= g->size
             ? g
             : NULL;
}

/* Some of what is there is read: what it is does not matter, but who may write
 * there meanwhile. */
static void read_text(caller *c, uint32_t i) {
  hd_value p = arg(c, i), valid;
  if (p.wild) {
    hd_analysis_alarm(c->a, HD_PROPERTY_RACE, c->edge, HD_NO_ID,
                      "what is printed is not looked at");
    return;
  }
  if (!hd_access_targets(c->a, c->l, c->edge, &p, 1, &valid))
    return;
  for (int t = 0; t < valid.n_targets; t++)
    valid.targets[t].hi =
        (int64_t)hd_memory_size(c->l->memory, valid.targets[t].object) - 1;
  hd_access_note(c->seen, &valid, 1, false, false, c->edge);
}

/* The text at an argument, if every byte of it is known; it is cut at `most`. */
static bool is_known_text(const caller *c, uint32_t i, char *text,
                          size_t most) {
  hd_value p = arg(c, i);
  hd_object_id object;
  int64_t at;
  if (!hd_value_is_address(&p, &object, &at) || at < 0 ||
      hd_analysis_is_shared(c->a, object) ||
      hd_memory_life(c->l->memory, object) != HD_LIFE_ALIVE)
    return false;
  uint64_t size = hd_memory_size(c->l->memory, object), byte = 1;
  for (size_t n = 0; byte; n++, at++) {
    hd_pointee t = {object, 0, at, at};
    hd_value v = (uint64_t)at < size ? hd_memory_load(c->l->memory, &t, 1)
                                     : hd_value_any(8);
    if (n >= most || v.undef || !hd_value_is_const(&v, &byte))
      return false;
    text[n] = (char)byte;
  }
  return true;
}

/* atoi and the like of a short decimal number that is known, and how long a short text
 * is. */
static bool is_known_number(const caller *c, uint64_t *number) {
  char text[256], *end;
  if (c->fn == HD_LIB_strlen && is_known_text(c, 0, text, sizeof text)) {
    *number = strlen(text);
    return true;
  }
  const bool atoi =
      c->fn == HD_LIB_atoi || c->fn == HD_LIB_atol || c->fn == HD_LIB_atoll;
  if (!atoi || !is_known_text(c, 0, text, 10))
    return false;
  *number = (uint64_t)strtoll(text, &end, 10);
  return true;
}

/* What is found out from text, or from memory that is compared, is not known; but
 * small numbers are that main is given. */
call_outcome hd_caller_look(caller *c) {
  uint64_t number;
  if (is_known_number(c, &number))
    return give_const(c, number & hd_word_mask(result_width(c)));
  for (uint32_t i = 0; i < n_args(c); i++) {
    unsigned does = hd_library_arg(c->fn, i);
    hd_value v = arg(c, i);
    uint64_t null;
    if (does & HD_ARG_NULL && hd_value_is_const(&v, &null) && !null)
      continue;
    if (does & HD_ARG_WRITE)
      return refuse(c, "it stores where it has stopped");
    if (does & HD_ARG_READ)
      read_text(c, i);
  }
  unlooked(c, "what is looked at may be no text");
  hd_value any = hd_value_any(result_width(c));
  any.wild = hd_library_gives(c->fn) == HD_GIVES_INSIDE;
  return give(c, any);
}

/* Text of any length is written there, up to `most` bytes. */
static bool write_text(caller *c, uint32_t i, uint64_t most) {
  hd_value p = arg(c, i);
  hd_object_id object;
  int64_t at;
  if (!hd_value_is_address(&p, &object, &at) || at < 0)
    return false;
  uint64_t size = hd_memory_size(c->l->memory, object);
  uint64_t room = (uint64_t)at < size ? size - (uint64_t)at : 0;
  uint64_t bytes = most < room ? most : room;
  if (!bytes || !hd_caller_place(c, i, bytes, true, &object, &at))
    return false;
  hd_memory *old = hd_memory_keep(c->l->memory);
  hd_memory_fill(&c->l->memory, object, (uint64_t)at, bytes, HD_FILL_ANY,
                 c->stamp);
  hd_caller_stay(c, object, old);
  unlooked(c, "the text may be longer than what it is written to");
  return true;
}

/* sprintf and the like: where to, and how much of it at most. */
static bool print_to(caller *c) {
  const char first = *hd_library_args(c->fn);
  uint64_t most = UINT64_MAX;
  if (first != 'w' && first != 'W')
    return true;
  hd_value n = first == 'W' ? arg(c, 1) : hd_value_const(64, UINT64_MAX);
  if (!hd_value_is_const(&n, &most))
    return false;
  return !most || write_text(c, 0, most);
}

/* Where va_start has been, all that was handed over are numbers and constants (see
 * hd_caller_arguments), which nobody writes: only the format is read. */
static call_outcome print_list(caller *c) {
  for (uint32_t i = 0; i < n_args(c); i++)
    if (hd_library_arg(c->fn, i) & HD_ARG_READ)
      read_text(c, i);
  if (!print_to(c))
    return refuse(c, "where it writes is not known");
  unlooked(c, "what is printed is not looked at");
  return give_any(c);
}

/* Are the further arguments with which this function was called such that whoever
 * prints them reads nothing that can change? */
static bool hands_on_constants(const caller *c) {
  const frame *f = c->l->top;
  if (!f->below || f->call == HD_NO_ID)
    return false;
  caller up = *c;
  local state = {.top = f->below, .memory = c->l->memory};
  up.l = &state;
  up.call = &c->a->code->edges.data[f->call];
  int64_t offset;
  for (uint32_t i = c->a->code->funcs.data[f->func].n_params; i < n_args(&up);
       i++)
    if (c->a->code->exprs.data[arg_expr(&up, i)].type.kind == HD_TYPE_PTR &&
        !constant_at(&up, i, &offset))
      return false;
  return true;
}

/* What a va_list holds is nobody's business: who takes arguments from it himself
 * follows an address that is not known. */
call_outcome hd_caller_arguments(caller *c) {
  const uint64_t bytes = c->a->code->pointer_width == 64 ? 24 : 4;
  hd_object_id object;
  int64_t at;
  if (c->fn == HD_LIB_llvm_va_start && !hands_on_constants(c))
    return refuse(c, "with pointers among them");
  if (!hd_caller_place(c, 0, bytes, true, &object, &at))
    return refuse(c, "the address is not known");
  hd_memory *old = hd_memory_keep(c->l->memory);
  hd_memory_fill(&c->l->memory, object, (uint64_t)at, bytes, HD_FILL_ANY,
                 c->stamp);
  hd_caller_stay(c, object, old);
  return CALL_DONE;
}

/* Formats that are constant say what is read. */
static call_outcome print_format(caller *c, uint32_t at) {
  int64_t offset = 0;
  const hd_global *g = at < n_args(c) ? constant_at(c, at, &offset) : NULL;
  if (!g)
    return refuse(c, "the format is not known");
  hd_prints prints =
      hd_library_format(g->bytes ? g->bytes + offset : NULL,
                        g->size - (uint64_t)offset, n_args(c) - at - 1);
  if (prints == HD_PRINTS_BACK)
    return refuse(c, "it writes to memory, or takes more than it is given");
  for (uint32_t i = at + 1; i < n_args(c); i++) {
    if (c->a->code->exprs.data[arg_expr(c, i)].type.kind != HD_TYPE_PTR)
      continue;
    if (prints == HD_PRINTS_TEXT && !constant_at(c, i, &offset))
      read_text(c, i);
    if (prints == HD_PRINTS_TEXT)
      unlooked(c, "what is printed is not looked at");
  }
  if (!print_to(c))
    return refuse(c, "where it writes is not known");
  return give_any(c);
}

/* Is a buffer kept that printing writes to? */
static bool keeps_buffer(const caller *c) {
  int i = hd_library_arg_at(c->fn, HD_ARG_KEEP);
  if (i < 0 || (uint32_t)i >= n_args(c))
    return false;
  hd_value v = arg(c, (uint32_t)i);
  uint64_t null;
  return !hd_value_is_const(&v, &null) || null;
}

call_outcome hd_caller_write(caller *c) {
  int text = hd_library_arg_at(c->fn, HD_ARG_READ);
  int64_t offset;
  bool reads = text >= 0 && (uint32_t)text < n_args(c);
  bool constant = reads && constant_at(c, (uint32_t)text, &offset);
  if (keeps_buffer(c))
    return refuse(c, "it is given a buffer");
  if (constant && n_args(c) == 1)
    return give_any(c);
  if (reads && !constant)
    read_text(c, (uint32_t)text);
  for (uint32_t i = 0; i < n_args(c); i++)
    if (c->a->code->exprs.data[arg_expr(c, i)].type.kind == HD_TYPE_PTR)
      unlooked(c, "what is printed is not looked at");
  return give_any(c);
}

call_outcome hd_caller_print(caller *c) {
  int format = hd_library_format_at(c->fn);
  return format < 0 ? print_list(c) : print_format(c, (uint32_t)format);
}

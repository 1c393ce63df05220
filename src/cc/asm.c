/* SPDX-License-Identifier: MIT */
/* Assembler. Nothing, hints to the processor and fences; and single instructions
 * of x86 whose meaning the graph has words for: atomic operations on memory (with
 * `lock`, and `xchg`, which needs none), reading ports and the time stamp, which
 * are inputs, writing to ports, moves to and from memory, and turning a value around.
 * All else is refused.
 *
 * LLVM has the text, in which $0, $1 … are operands, and one constraint for each
 * operand: first outputs, with `=`, then inputs; a digit says that an input is in
 * the same place as that output. An operand in memory has `*`. Outputs in
 * registers are the parts of the result, everything else is an argument. */
#include "cc/func.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_OPERANDS = 10, MAX_NAMES = 2 };

typedef struct {
  bool output, memory;
  char name; /* 'a' = eax, 'z' = the flag of equality, 0 = any place */
  int tied;  /* the number of the output it shares its place with; -1 */
  uint32_t arg, part;
} constraint;

typedef struct {
  enum { NUMBER, CONSTANT, OTHER } kind;
  uint64_t value;
} operand;

typedef struct {
  cc_func *f;
  LLVMValueRef inst;
  bool locked;
  char mnemonic[16];
  uint32_t n_operands;
  operand operands[MAX_NAMES];
  uint32_t n_constraints;
  constraint constraints[MAX_OPERANDS];
  cc_args args;
} assembler;

/* --- reading --- */

/* Without comments, with single spaces, in lower case. */
static void normalise(char *out, size_t size, const char *text, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length && n + 1 < size; i++) {
    char c = (char)tolower((unsigned char)text[i]);
    bool space = c == ' ' || c == '\t' || c == '\n' || c == ';';
    if (!space)
      out[n++] = c;
    else if (n && out[n - 1] != ' ')
      out[n++] = ' ';
  }
  while (n && out[n - 1] == ' ')
    n--;
  out[n] = 0;
}

static const char *skip_space(const char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\n')
    at++;
  return at;
}

/* $3, ${3:w}, $$8; others are registers, or addresses. */
static bool read_operand(const char **at, operand *out) {
  const char *p = skip_space(*at);
  char *end;
  *out = (operand){.kind = OTHER};
  if (p[0] == '$' && p[1] == '$') {
    out->kind = CONSTANT;
    out->value = strtoull(p + 2, &end, 0);
    if (end == p + 2)
      return false;
    p = end;
  } else if (p[0] == '$') {
    bool braces = p[1] == '{';
    out->kind = NUMBER;
    out->value = strtoull(p + 1 + braces, &end, 10);
    if (end == p + 1 + braces)
      return false;
    p = end;
    if (braces && *p == ':')
      for (p++; isalpha((unsigned char)*p);)
        p++;
    if (braces && *p++ != '}')
      return false;
  } else {
    while (*p && *p != ',' && *p != ' ' && *p != ';' && *p != '\n')
      p++;
  }
  *at = skip_space(p);
  return true;
}

/* One instruction, perhaps with `lock` before it. */
static bool read_text(assembler *a, const char *text) {
  const char *at = skip_space(text);
  if (!strncmp(at, "lock", 4) && strchr("; \t\n", at[4]) && at[4]) {
    at = skip_space(at + 4);
    at = skip_space(at + (*at == ';'));
    a->locked = true;
  }
  size_t n = 0;
  while (isalnum((unsigned char)*at) && n + 1 < sizeof a->mnemonic)
    a->mnemonic[n++] = *at++;
  at = skip_space(at);
  while (*at && *at != ';') {
    if (a->n_operands == MAX_NAMES ||
        !read_operand(&at, &a->operands[a->n_operands++]) ||
        (*at && *at != ',' && *at != ';'))
      return false;
    at += *at == ',';
  }
  at = skip_space(at + (*at == ';'));
  return n > 0 && !*at;
}

static bool read_constraints(assembler *a, const char *text) {
  uint32_t args = 0, parts = 0;
  for (const char *at = text; *at; at += *at == ',') {
    constraint c = {.tied = -1};
    if (*at == '=') {
      c.output = true;
      at++;
    }
    bool clobber = *at == '~';
    at += *at == '&';
    c.memory = *at == '*';
    if (isdigit((unsigned char)*at))
      c.tied = *at - '0';
    c.name = !strncmp(at, "{ax}", 4)                                  ? 'a'
             : !strncmp(at, "{@ccz}", 6) || !strncmp(at, "{@cce}", 6) ? 'z'
                                                                      : 0;
    while (*at && *at != ',')
      at += *at == '{' && strchr(at, '}') ? strchr(at, '}') - at : 1;
    if (clobber)
      continue;
    if (a->n_constraints == MAX_OPERANDS)
      return false;
    if (c.output && !c.memory)
      c.part = parts++;
    else
      c.arg = args++;
    a->constraints[a->n_constraints++] = c;
  }
  return args == LLVMGetNumArgOperands(a->inst) && args == a->args.size;
}

/* --- operands --- */

static const constraint *constraint_of(const assembler *a, uint32_t i) {
  return i < a->n_operands && a->operands[i].kind == NUMBER &&
                 a->operands[i].value < a->n_constraints
             ? &a->constraints[a->operands[i].value]
             : NULL;
}

/* The address of an operand in memory, or NULL. */
static const cc_expr *address(const assembler *a, uint32_t i) {
  const constraint *c = constraint_of(a, i);
  return c && c->memory ? a->args.data[c->arg] : NULL;
}

/* What an operand has before the instruction, or NULL. */
static const cc_expr *content(const assembler *a, uint32_t i, uint8_t width) {
  const constraint *c = constraint_of(a, i);
  if (i < a->n_operands && a->operands[i].kind == CONSTANT)
    return hd_cc_int_expr(&a->f->arena, hd_cc_int(width), a->operands[i].value);
  const cc_expr *e = NULL;
  if (c && !c->output && !c->memory)
    e = a->args.data[c->arg];
  for (uint32_t k = 0; c && c->output && !c->memory && k < a->n_constraints;
       k++)
    if (a->constraints[k].tied == (int)a->operands[i].value)
      e = a->args.data[a->constraints[k].arg];
  return e && e->type.width == width ? e : NULL;
}

/* The same, if it is a number. */
static const cc_expr *value(const assembler *a, uint32_t i, uint8_t width) {
  const cc_expr *e = content(a, i, width);
  return e && e->type.kind == HD_TYPE_INT ? e : NULL;
}

/* Is the operand the one result there is? */
static bool is_result(const assembler *a, uint32_t i) {
  const constraint *c = constraint_of(a, i);
  return c && c->output && !c->memory && c->part == 0;
}

static uint8_t result_width(const assembler *a) {
  hd_type type;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(a->inst));
  return (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind) &&
                 hd_cc_scalar(a->f->m, LLVMTypeOf(a->inst), &type)
             ? type.width
             : 0;
}

/* The width that the last letter says, if the rest is `name`; 0: it is not. */
static uint8_t is_named(const assembler *a, const char *name) {
  static const char letters[] = "bwlq";
  size_t n = strlen(name);
  if (strncmp(a->mnemonic, name, n) != 0)
    return 0;
  if (!a->mnemonic[n])
    return result_width(a);
  const char *letter = strchr(letters, a->mnemonic[n]);
  if (!letter || a->mnemonic[n + 1])
    return 0;
  return (uint8_t)(8u << (letter - letters));
}

/* --- what they do --- */

/* `what` puts the last argument to where the first one points; `tells`: and says
 * whether it did. The result is what was there before. */
static bool write_atomic(assembler *a, const char *what, bool tells,
                         const cc_expr *const *args, uint32_t n_args) {
  cc_func *f = a->f;
  uint32_t regs[64], n = 0;
  bool used = hd_cc_is_used(a->inst);
  hd_cc_flush(f);
  if (used && !hd_cc_targets(f, a->inst, regs, &n))
    return true;
  if (!used)
    regs[0] = hd_cc_new_temporary(f, args[n_args - 1]->type);
  hd_str text = {0};
  hd_str_printf(&text, "%s.seq_cst %s", what, f->regs.data[regs[0]].name);
  if (tells) {
    uint32_t done = hd_cc_new_temporary(f, hd_cc_int(1));
    hd_str_printf(&text, ", %s", f->regs.data[done].name);
  }
  for (uint32_t i = 0; i < n_args; i++) {
    hd_str_puts(&text, i ? ", " : " = ");
    hd_cc_print_expr(&text, args[i]);
  }
  hd_cc_edge(f, hd_str_text(&text));
  hd_str_free(&text);
  if (used)
    hd_cc_define_regs(f, a->inst, regs, n);
  return true;
}

static bool write_rmw(assembler *a, const char *how, const cc_expr *where,
                      const cc_expr *with) {
  char what[16];
  snprintf(what, sizeof what, "rmw.%s", how);
  return write_atomic(a, what, false, (const cc_expr *[]){where, with}, 2);
}

/* `lock add $1, $0` and the like, without a result. */
static bool update(assembler *a) {
  static const struct {
    const char *name, *how;
    uint32_t n;
  } table[] = {{"inc", "add", 1}, {"dec", "sub", 1}, {"add", "add", 2},
               {"sub", "sub", 2}, {"and", "and", 2}, {"or", "or", 2},
               {"xor", "xor", 2}};
  if (LLVMGetTypeKind(LLVMTypeOf(a->inst)) != LLVMVoidTypeKind)
    return false;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    uint8_t width = is_named(a, table[i].name);
    if (!width || a->n_operands != table[i].n)
      continue;
    const cc_expr *where = address(a, table[i].n - 1);
    const cc_expr *with =
        table[i].n == 1 ? hd_cc_int_expr(&a->f->arena, hd_cc_int(width), 1)
                        : value(a, 0, width);
    return where && with && write_rmw(a, table[i].how, where, with);
  }
  return false;
}

/* `xchg $0, $1` and `lock xadd $0, $1`: the old value is the result. */
static bool swap(assembler *a) {
  bool adds = strncmp(a->mnemonic, "xadd", 4) == 0;
  uint8_t width = is_named(a, adds ? "xadd" : "xchg");
  uint32_t reg = !adds && address(a, 0) ? 1 : 0;
  if (!width || width != result_width(a) || (adds && !a->locked) ||
      a->n_operands != 2 || !is_result(a, reg))
    return false;
  const cc_expr *where = address(a, 1 - reg), *with = content(a, reg, width);
  hd_type type;
  return where && with && hd_cc_scalar(a->f->m, LLVMTypeOf(a->inst), &type) &&
         hd_cc_same_type(type, with->type) &&
         !(adds && type.kind != HD_TYPE_INT) &&
         write_rmw(a, adds ? "add" : "xchg", where, with);
}

/* `lock cmpxchg $2, $1`, with the result, and what is expected, in eax. */
static bool compare(assembler *a) {
  uint8_t width = is_named(a, "cmpxchg");
  if (!width || !a->locked || width != result_width(a) || a->n_operands != 2 ||
      !a->constraints[0].output || a->constraints[0].memory)
    return false;
  const cc_expr *where = address(a, 1), *fresh = value(a, 0, width);
  const cc_expr *expected = NULL;
  for (uint32_t k = 0; k < a->n_constraints; k++)
    if (a->constraints[k].tied == 0)
      expected = a->args.data[a->constraints[k].arg];
  if (!where || !fresh || !expected || expected->type.width != width ||
      expected->type.kind != HD_TYPE_INT)
    return false;
  return write_atomic(a, "cmpxchg", true,
                      (const cc_expr *[]){where, expected, fresh}, 3);
}

static int output_named(const assembler *a, char name) {
  for (uint32_t k = 0; k < a->n_constraints; k++)
    if (a->constraints[k].output && a->constraints[k].name == name)
      return (int)k;
  return -1;
}

/* `lock cmpxchg $3, $0` with two results: what was in memory, in eax, and
 * whether it was what is expected, as a flag. */
static bool compare_and_tell(assembler *a) {
  cc_func *f = a->f;
  uint8_t width = is_named(a, "cmpxchg");
  int old = output_named(a, 'a'), flag = output_named(a, 'z');
  const constraint *c = constraint_of(a, 0);
  const cc_expr *where = address(a, 1), *expected = NULL;
  for (uint32_t k = 0; k < a->n_constraints; k++)
    if (old >= 0 && a->constraints[k].tied == old)
      expected = a->args.data[a->constraints[k].arg];
  if (!width || !a->locked || old < 0 || flag < 0 || a->n_operands != 2 ||
      !where || !expected || !c || c->output || c->memory || c->tied >= 0)
    return false;
  const cc_expr *fresh = a->args.data[c->arg];
  uint32_t regs[64], n = 0;
  if (fresh->type.width != width ||
      !hd_cc_same_type(fresh->type, expected->type) || !hd_cc_is_used(a->inst))
    return false;
  hd_cc_flush(f);
  if (!hd_cc_targets(f, a->inst, regs, &n))
    return true;
  uint32_t to = regs[a->constraints[old].part];
  uint32_t told = regs[a->constraints[flag].part];
  uint32_t done = hd_cc_new_temporary(f, hd_cc_int(1));
  hd_str text = {0};
  hd_str_printf(&text, "cmpxchg.seq_cst %s, %s = ", f->regs.data[to].name,
                f->regs.data[done].name);
  hd_cc_print_expr(&text, where);
  hd_str_puts(&text, ", ");
  hd_cc_print_expr(&text, expected);
  hd_str_puts(&text, ", ");
  hd_cc_print_expr(&text, fresh);
  hd_cc_edge(f, hd_str_text(&text));
  hd_vec_clear(&text);
  hd_str_printf(&text, "set %s = zext.i%u(%s)", f->regs.data[told].name,
                f->regs.data[told].type.width, f->regs.data[done].name);
  hd_cc_edge(f, hd_str_text(&text));
  hd_str_free(&text);
  hd_cc_define_regs(f, a->inst, regs, n);
  return true;
}

/* `mov $1, $0` to or from memory. On x86 every load acquires, and every store
 * releases. */
static bool move(assembler *a) {
  uint8_t width = is_named(a, "mov");
  cc_func *f = a->f;
  hd_type type;
  hd_str text = {0};
  bool result = hd_cc_scalar(f->m, LLVMTypeOf(a->inst), &type);
  if (!width || a->locked || a->n_operands != 2)
    return false;
  const cc_expr *from = address(a, 0), *to = address(a, 1);
  if (from && !to && result && type.width == width && is_result(a, 1)) {
    uint32_t regs[64], n = 0;
    hd_cc_flush(f);
    if (!hd_cc_is_used(a->inst))
      regs[0] = hd_cc_new_temporary(f, type);
    else if (!hd_cc_targets(f, a->inst, regs, &n))
      return true;
    hd_str_printf(&text,
                  "load.acquire.volatile %s = ", f->regs.data[regs[0]].name);
    hd_cc_print_expr(&text, from);
    hd_cc_edge(f, hd_str_text(&text));
    if (n)
      hd_cc_define_regs(f, a->inst, regs, n);
  } else if (to && !from && !hd_cc_is_used(a->inst)) {
    const constraint *c = constraint_of(a, 0);
    const cc_expr *what = c && !c->output && c->tied < 0 && !c->memory
                              ? a->args.data[c->arg]
                              : value(a, 0, width);
    if (!what || what->type.width != width)
      return false;
    hd_cc_flush(f);
    hd_str_puts(&text, "store.release.volatile ");
    hd_cc_print_expr(&text, to);
    hd_str_puts(&text, " = ");
    hd_cc_print_expr(&text, what);
    hd_cc_edge(f, hd_str_text(&text));
  } else {
    return false;
  }
  hd_str_free(&text);
  return true;
}

/* Every part of the result is an input. */
static void give_inputs(assembler *a) {
  static const struct {
    uint8_t width;
    const char *name, *signature;
  } inputs[] = {{8, "heddle_nondet_uchar", "() -> i8"},
                {16, "heddle_nondet_ushort", "() -> i16"},
                {32, "heddle_nondet_uint", "() -> i32"},
                {64, "heddle_nondet_ulonglong", "() -> i64"}};
  cc_func *f = a->f;
  uint32_t regs[64], n = 0;
  hd_cc_flush(f);
  if (!hd_cc_is_used(a->inst) || !hd_cc_targets(f, a->inst, regs, &n))
    return;
  for (uint32_t i = 0; i < n; i++)
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
      if (f->regs.data[regs[i]].type.width == inputs[k].width)
        hd_cc_call_edge(
            f, &regs[i], 1,
            hd_cc_need_builtin(f->m, inputs[k].name, inputs[k].signature), NULL,
            0);
  hd_cc_define_regs(f, a->inst, regs, n);
}

/* Ports and the time stamp. */
static bool ask(assembler *a) {
  if (a->locked || !(is_named(a, "in") || !strcmp(a->mnemonic, "rdtsc") ||
                     !strcmp(a->mnemonic, "rdtscp")))
    return false;
  for (uint32_t k = 0; k < a->n_constraints; k++)
    if (a->constraints[k].memory)
      return false;
  give_inputs(a);
  return true;
}

/* What the processor is: `cpuid`, perhaps with one of its results kept in another
 * register meanwhile. */
static bool asks_processor(const char *plain) {
  const char *at = plain;
  bool found = false;
  while (*at) {
    size_t n = strcspn(at, " ");
    if (n == 5 && !strncmp(at, "cpuid", n))
      found = true;
    else if (!strncmp(at, "xchg", 4) && at[n])
      n += 1 + strcspn(at + n + 1, " "); /* its operands */
    else
      return false;
    at += n;
    at += *at == ' ';
  }
  return found;
}

/* Writing to a port is seen by nobody. */
static bool tell(assembler *a) {
  if (a->locked || a->n_operands != 2 || a->mnemonic[0] != 'o' ||
      LLVMGetTypeKind(LLVMTypeOf(a->inst)) != LLVMVoidTypeKind ||
      !is_named(a, "out"))
    return false;
  hd_cc_flush(a->f);
  return true;
}

/* `bswap $0`; `ror $$8, $0`, and `rol`. */
static bool turn(assembler *a) {
  uint8_t width = result_width(a);
  bool swaps = !strncmp(a->mnemonic, "bswap", 5);
  bool right = is_named(a, "ror") == width, left = is_named(a, "rol") == width;
  uint32_t last = a->n_operands - 1;
  if (a->locked || !width || a->n_operands != (swaps ? 1u : 2u) ||
      !is_result(a, last) || (swaps && is_named(a, "bswap") != width) ||
      (!swaps && !right && !left))
    return false;
  hd_arena *arena = &a->f->arena;
  hd_type type = hd_cc_int(width);
  const cc_expr *x = value(a, last, width);
  if (!x)
    return false;
  if (swaps) {
    if (width < 32)
      return false;
    hd_cc_define1(a->f, a->inst, hd_cc_op1(arena, HD_CODE_BSWAP, type, 0, x));
    return true;
  }
  uint64_t by = a->operands[0].value;
  if (a->operands[0].kind != CONSTANT || by == 0 || by >= width)
    return false;
  x = hd_cc_as_leaf(a->f, x);
  const cc_expr *down =
      hd_cc_op2(arena, HD_CODE_LSHR, type, 0, x,
                hd_cc_int_expr(arena, type, right ? by : width - by));
  const cc_expr *up =
      hd_cc_op2(arena, HD_CODE_SHL, type, 0, x,
                hd_cc_int_expr(arena, type, right ? width - by : by));
  hd_cc_define1(a->f, a->inst, hd_cc_op2(arena, HD_CODE_OR, type, 0, down, up));
  return true;
}

/* An addition of nothing to the top of the stack, with a lock. */
static bool is_locked_nothing(const char *at) {
  if (strncmp(at, "lock ", 5) != 0)
    return false;
  at += 5;
  if (strncmp(at, "addl ", 5) != 0 && strncmp(at, "orl ", 4) != 0)
    return false;
  at = strchr(at, ' ') + 1;
  if (strncmp(at, "$$0,", 4) != 0)
    return false;
  at += 4;
  at += *at == ' ';
  at += *at == '0';
  return !strcmp(at, "(%rsp)") || !strcmp(at, "(%esp)");
}

/* The fence of C that it is, of x86, and of ARM and POWER in programs that were
 * written for those; NULL: it is none. */
static const char *fence_of(const char *plain) {
  static const struct {
    const char *text, *fence;
  } fences[] = {
      {"mfence", "fence.seq_cst"},  {"sync", "fence.seq_cst"},
      {"dmb ish", "fence.seq_cst"}, {"dmb sy", "fence.seq_cst"},
      {"lwsync", "fence.acq_rel"},  {"sfence", "fence.release"},
      {"lfence", "fence.acquire"},  {"dmb ishld", "fence.acquire"},
  };
  for (size_t i = 0; i < sizeof fences / sizeof *fences; i++)
    if (!strcmp(plain, fences[i].text))
      return fences[i].fence;
  return is_locked_nothing(plain) ? "fence.seq_cst" : NULL;
}

/* Also what orders less than any fence of C: stores alone, or nothing without a
 * branch before it. */
static bool is_idle(const char *plain) {
  static const char *const idle[] = {"",          "nop",   "pause", "eieio",
                                     "dmb ishst", "isync", "isb",   "rep nop"};
  for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
    if (!strcmp(plain, idle[i]))
      return true;
  return false;
}

/* No text, and a value that comes out as it went in: hidden from the compiler. */
static bool hide(assembler *a) {
  hd_type type;
  const cc_expr *e = NULL;
  for (uint32_t k = 0; k < a->n_constraints; k++)
    if (a->constraints[k].tied == 0)
      e = a->args.data[a->constraints[k].arg];
  if (!e || a->constraints[0].memory ||
      !hd_cc_scalar(a->f->m, LLVMTypeOf(a->inst), &type) ||
      !hd_cc_same_type(type, e->type))
    return false;
  hd_cc_define1(a->f, a->inst, e);
  return true;
}

/* True: it is written. */
static bool write_instruction(assembler *a, const char *text,
                              const char *constraints) {
  if (!*skip_space(text))
    return read_constraints(a, constraints) && hide(a);
  return read_text(a, text) && read_constraints(a, constraints) &&
         (((a->locked && update(a)) || swap(a) || compare(a)) ||
          compare_and_tell(a) || move(a) || ask(a) || tell(a) || turn(a));
}

void hd_cc_asm(cc_func *f, LLVMValueRef inst, LLVMValueRef callee) {
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(callee, &length);
  char plain[200];
  normalise(plain, sizeof plain, text, length);
  bool void_result = LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMVoidTypeKind ||
                     !hd_cc_is_used(inst);
  assembler a = {.f = f, .inst = inst};
  if (void_result && fence_of(plain)) {
    hd_cc_flush(f);
    hd_cc_edge(f, fence_of(plain));
    return;
  }
  if (!hd_cc_read_arguments(f, inst, &a.args)) {
    hd_vec_free(&a.args);
    return;
  }
  if (void_result && is_idle(plain)) {
    hd_cc_flush(f); /* what the arguments do is done */
  } else if (asks_processor(plain)) {
    give_inputs(&a);
  } else {
    size_t n;
    const char *constraints = LLVMGetInlineAsmConstraintString(callee, &n);
    char *line = hd_strndup(text, length), *kinds = hd_strndup(constraints, n);
    if (!write_instruction(&a, line, kinds))
      hd_cc_unsupported(f, "assembler '%s'", plain);
    hd_free(line);
    hd_free(kinds);
  }
  hd_vec_free(&a.args);
}

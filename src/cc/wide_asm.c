/* SPDX-License-Identifier: MIT */
/* Assembler around cmpxchg16b, as lock-free programs of x86-64 have it:
 *
 *   movq $4, %rax; movq 8($4), %rdx; lock; cmpxchg16b $0; setz $1
 *
 * Moves between its four registers and from memory, the instruction itself, and
 * its flag. They are done one after the other: a register has a value that is
 * known, or none, for which anything can be taken. */
#include "cc/wide.h"

#include "base/common.h"

#include <llvm-c/DebugInfo.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { RAX, RBX, RCX, RDX, REGISTERS, MOST_OPERANDS = 12 };

typedef struct {
  bool output, memory;
  int reg;  /* the register it is in; -1: any place */
  int tied; /* to the output with this number; -1 */
  unsigned arg, part;
} place;

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef call;
  LLVMTypeRef half;
  place places[MOST_OPERANDS];
  unsigned n_places, n_parts;
  LLVMValueRef regs[REGISTERS];
  LLVMValueRef flag;               /* is what was there what is expected? */
  LLVMValueRef out[MOST_OPERANDS]; /* operands that are set */
} reader;

static int register_named(const char *at, size_t n) {
  static const char *const names[][2] = {
      {"rax", "ax"}, {"rbx", "bx"}, {"rcx", "cx"}, {"rdx", "dx"}};
  for (int i = 0; i < REGISTERS; i++)
    for (int k = 0; k < 2; k++)
      if (strlen(names[i][k]) == n && !strncmp(at, names[i][k], n))
        return i;
  return -1;
}

/* --- operands --- */

static bool read_places(reader *r, const char *at) {
  unsigned args = 0;
  while (*at) {
    place p = {.reg = -1, .tied = -1};
    if (*at == '~') { /* what is overwritten */
      at += strcspn(at, ",");
      at += *at == ',';
      continue;
    }
    p.output = *at == '=';
    at += p.output;
    at += *at == '&';
    p.memory = *at == '*';
    if (isdigit((unsigned char)*at))
      p.tied = (int)strtol(at, NULL, 10);
    if (*at == '{')
      p.reg = register_named(at + 1, strcspn(at + 1, "}"));
    at += strcspn(at, ",");
    at += *at == ',';
    if (p.output && !p.memory)
      p.part = r->n_parts++;
    else
      p.arg = args++;
    if (r->n_places == MOST_OPERANDS)
      return false;
    r->places[r->n_places++] = p;
  }
  return args == LLVMGetNumArgOperands(r->call);
}

static LLVMValueRef argument(const reader *r, const place *p) {
  return LLVMGetArgOperand(r->call, p->arg);
}

static LLVMValueRef as_half(reader *r, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (type == r->half)
    return value;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(r->builder, value, r->half, "");
  return NULL;
}

/* What the registers have at the start; false: something else than 64 bits. */
static bool fill(reader *r) {
  for (unsigned i = 0; i < r->n_places; i++) {
    const place *p = &r->places[i];
    int reg = p->tied >= 0 && (unsigned)p->tied < r->n_places
                  ? r->places[p->tied].reg
                  : p->reg;
    if (p->output || p->memory || reg < 0)
      continue;
    r->regs[reg] = as_half(r, argument(r, p));
    if (!r->regs[reg])
      return false;
  }
  return true;
}

/* "$3", "${3:q}": the number; -1: it is none. */
static int operand_number(const char **at) {
  const char *p = *at;
  char *end;
  if (*p++ != '$')
    return -1;
  bool braces = *p == '{';
  long n = strtol(p + braces, &end, 10);
  if (end == p + braces)
    return -1;
  p = end;
  if (braces) {
    p += strcspn(p, "}");
    p += *p == '}';
  }
  *at = p;
  return (int)n;
}

static const place *place_of(const reader *r, int number) {
  return number >= 0 && (unsigned)number < r->n_places ? &r->places[number]
                                                       : NULL;
}

/* --- instructions --- */

/* movq from a register, or from memory where an operand points, to a register. */
static bool move(reader *r, const char *at) {
  LLVMValueRef value = NULL;
  at += strspn(at, " ");
  if (*at == '%') {
    size_t n = strcspn(++at, ", ");
    int from = register_named(at, n);
    if (from < 0)
      return false;
    value = r->regs[from];
    at += n;
  } else {
    char *end;
    long offset = strtol(at, &end, 10);
    if (*end != '(')
      return false;
    at = end + 1;
    const place *p = place_of(r, operand_number(&at));
    if (!p || p->output || p->memory || *at++ != ')' ||
        LLVMGetTypeKind(LLVMTypeOf(argument(r, p))) != LLVMPointerTypeKind)
      return false;
    LLVMTypeRef byte = LLVMInt8TypeInContext(r->context);
    LLVMValueRef by = LLVMConstInt(r->half, (unsigned long long)offset, 1);
    LLVMValueRef where =
        LLVMBuildGEP2(r->builder, byte, argument(r, p), &by, 1, "");
    value = LLVMBuildLoad2(r->builder, r->half, where, "");
    LLVMSetAlignment(value, 8);
  }
  at += strspn(at, ", ");
  int to = *at == '%' ? register_named(at + 1, strcspn(at + 1, " ")) : -1;
  if (to < 0)
    return false;
  r->regs[to] = value;
  return true;
}

static LLVMValueRef known(const reader *r, int reg) {
  return r->regs[reg] ? r->regs[reg] : LLVMConstInt(r->half, 0, 0);
}

static bool exchange(reader *r, const char *at) {
  at += strspn(at, " ");
  const place *p = place_of(r, operand_number(&at));
  if (!p || !p->memory)
    return false;
  LLVMTypeRef pointer = LLVMPointerTypeInContext(r->context, 0);
  LLVMTypeRef types[5] = {pointer, r->half, r->half, r->half, r->half};
  LLVMTypeRef pair[2] = {r->half, r->half};
  LLVMTypeRef type = LLVMFunctionType(
      LLVMStructTypeInContext(r->context, pair, 2, 0), types, 5, 0);
  LLVMValueRef args[5] = {argument(r, p), known(r, RAX), known(r, RDX),
                          known(r, RBX), known(r, RCX)};
  static const char name[] = "__heddle_wide_cmpxchg";
  LLVMValueRef function = LLVMGetNamedFunction(r->module, name);
  if (!function)
    function = LLVMAddFunction(r->module, name, type);
  LLVMValueRef old = LLVMBuildCall2(r->builder, type, function, args, 5, "");
  r->regs[RAX] = LLVMBuildExtractValue(r->builder, old, 0, "");
  r->regs[RDX] = LLVMBuildExtractValue(r->builder, old, 1, "");
  LLVMValueRef low =
      LLVMBuildICmp(r->builder, LLVMIntEQ, r->regs[RAX], args[1], "");
  LLVMValueRef high =
      LLVMBuildICmp(r->builder, LLVMIntEQ, r->regs[RDX], args[2], "");
  r->flag = LLVMBuildAnd(r->builder, low, high, "");
  return true;
}

/* setz, sete: to an operand in a register. */
static bool tell(reader *r, const char *at) {
  at += strspn(at, " ");
  int number = operand_number(&at);
  const place *p = place_of(r, number);
  if (!p || !p->output || p->memory || !r->flag)
    return false;
  r->out[number] = r->flag;
  return true;
}

static bool is(const char *at, size_t n, const char *word) {
  return strlen(word) == n && !strncmp(at, word, n);
}

static bool follow(reader *r, const char *at) {
  bool locked = false;
  while (*(at += strspn(at, " \t\n;"))) {
    char line[80];
    size_t word = strcspn(at, " \t\n;"), length = strcspn(at, ";\n");
    if (is(at, word, "lock")) {
      locked = true;
      at += word;
      continue;
    }
    if (length >= sizeof line)
      return false;
    memcpy(line, at, length);
    line[length] = 0;
    bool good =
        is(at, word, "movq")         ? move(r, line + word)
        : is(at, word, "cmpxchg16b") ? locked && exchange(r, line + word)
        : is(at, word, "setz") || is(at, word, "sete") ? tell(r, line + word)
                                                       : false;
    if (!good)
      return false;
    at += length;
  }
  return r->flag != NULL;
}

/* --- what comes out --- */

static LLVMValueRef part_value(reader *r, unsigned i, LLVMTypeRef type) {
  const place *p = &r->places[i];
  LLVMValueRef value = r->out[i];
  if (value)
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind
               ? LLVMBuildZExt(r->builder, value, type, "")
               : NULL;
  value = p->reg >= 0 ? r->regs[p->reg] : NULL;
  if (value && LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(r->builder, value, type, "");
  return value && type == r->half ? value : NULL;
}

/* The result of the whole; NULL: some part of it has none. */
static LLVMValueRef result(reader *r) {
  LLVMTypeRef type = LLVMTypeOf(r->call);
  LLVMValueRef whole = LLVMGetUndef(type);
  for (unsigned i = 0; i < r->n_places; i++) {
    if (!r->places[i].output || r->places[i].memory)
      continue;
    bool alone = r->n_parts == 1;
    LLVMTypeRef own =
        alone ? type : LLVMStructGetTypeAtIndex(type, r->places[i].part);
    LLVMValueRef value = part_value(r, i, own);
    if (!value)
      return NULL;
    whole = alone ? value
                  : LLVMBuildInsertValue(r->builder, whole, value,
                                         r->places[i].part, "");
  }
  return whole;
}

/* What was written for a text that is refused in the end. */
static void take_back(LLVMValueRef before, LLVMValueRef call) {
  LLVMValueRef at;
  while ((at = LLVMGetPreviousInstruction(call)) != before) {
    LLVMReplaceAllUsesWith(at, LLVMGetUndef(LLVMTypeOf(at)));
    LLVMInstructionEraseFromParent(at);
  }
}

bool hd_cc_lower_assembler(LLVMContextRef context, LLVMModuleRef module,
                           LLVMBuilderRef builder, LLVMValueRef call) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const char *text = LLVMGetInlineAsmAsmString(callee, &length);
  const char *places = LLVMGetInlineAsmConstraintString(callee, &length);
  if (!strstr(text, "cmpxchg16b"))
    return false;
  reader r = {.context = context,
              .module = module,
              .builder = builder,
              .call = call,
              .half = LLVMInt64TypeInContext(context)};
  LLVMValueRef before = LLVMGetPreviousInstruction(call), made = NULL;
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  bool good = read_places(&r, places) && fill(&r) && follow(&r, text);
  if (good && r.n_parts)
    good = (made = result(&r)) != NULL;
  if (!good) {
    take_back(before, call);
    return false;
  }
  if (made)
    LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
  return true;
}

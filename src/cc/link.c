/* SPDX-License-Identifier: MIT */
#include "cc/link.h"

#include "cc/object.h"
#include "model/library.h"
#include "cc/openmp.h"
#include "cc/wide.h"

#include <dirent.h>
#include <errno.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* --- modules --- */

static LLVMModuleRef parse_bitcode(LLVMContextRef context, const hd_str *bits,
                                   const char *file) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      hd_str_text(bits), bits->size, file, 0);
  LLVMModuleRef module = NULL;
  if (LLVMParseBitcodeInContext2(context, buffer, &module))
    module = NULL;
  LLVMDisposeMemoryBuffer(buffer);
  if (!module)
    fprintf(stderr, "%s: error: its bitcode cannot be read\n", file);
  return module;
}

/* See HD_CC_NAMES. They are in the order of the text. */
static void take_names(LLVMModuleRef module, hd_arena *arena,
                       cc_pragmas *pragmas) {
  static const char list[] = "llvm.dependent-libraries";
  unsigned n = LLVMGetNamedMetadataNumOperands(module, list);
  LLVMValueRef *nodes = hd_arena_alloc(arena, (n + 1) * sizeof *nodes);
  LLVMGetNamedMetadataOperands(module, list, nodes);
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef name;
    unsigned size;
    if (LLVMGetMDNodeNumOperands(nodes[i]) != 1)
      continue;
    LLVMGetMDNodeOperands(nodes[i], &name);
    const char *text = LLVMGetMDString(name, &size);
    /* Otherwise it is a library, which nobody links. */
    if (text)
      (void)!hd_cc_read_name(text, size, arena, pragmas);
  }
}

/* .ll; LLVM takes the buffer. */
static LLVMModuleRef parse_file(LLVMContextRef context, const char *file) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message)) {
    fprintf(stderr, "%s: error: %s\n", file, message);
    LLVMDisposeMessage(message);
    return NULL;
  }
  if (LLVMParseIRInContext(context, buffer, &module, &message)) {
    fprintf(stderr, "%s\n", message);
    LLVMDisposeMessage(message);
    return NULL;
  }
  return module;
}

static LLVMModuleRef load(cc_unit *unit, LLVMContextRef context,
                          hd_arena *arena, cc_pragmas *pragmas) {
  LLVMModuleRef module = unit->module;
  unit->module = NULL;
  if (module)
    return module;
  if (!unit->bits.size && (hd_cc_ends_with(unit->file, ".bc") ||
                           hd_cc_ends_with(unit->file, ".ll")))
    return parse_file(context, unit->file);
  if (unit->bits.size ||
      hd_cc_compile(unit->job, unit->file, arena, pragmas, &unit->bits))
    module = parse_bitcode(context, &unit->bits, unit->file);
  if (module)
    take_names(module, arena, pragmas);
  hd_str_free(&unit->bits);
  return module;
}

static bool same_target(LLVMModuleRef a, LLVMModuleRef b, const char *file) {
  if (!strcmp(LLVMGetDataLayoutStr(a), LLVMGetDataLayoutStr(b)))
    return true;
  fprintf(stderr, "%s: error: it is for another machine than the file before\n",
          file);
  return false;
}

/* --- what is missing --- */

static bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

/* Behind the parenthesis that closes this one; NULL: there is none. */
static const char *skip_parentheses(const char *at) {
  int depth = 0;
  do {
    depth += (*at == '(') - (*at == ')');
  } while (*at++ && depth);
  return at[-1] ? at : NULL;
}

/* A call is followed by an operator, a declaration by a semicolon. */
static bool is_definition(const char *behind) {
  behind += strspn(behind, " \t\n\r");
  if (*behind != '(')
    return *behind && strchr("=;,[", *behind);
  const char *next = skip_parentheses(behind);
  if (!next)
    return false;
  next += strspn(next, " \t\n\r");
  return *next == '{' || is_word(*next) || *next == '/' || *next == '#';
}

bool hd_cc_may_define(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at += n)
    if ((at == text || !is_word(at[-1])) && !is_word(at[n]) &&
        is_definition(at + n))
      return true;
  return false;
}

typedef hd_vec(const char *) names;

/* Functions that engines know need no model. */
static bool is_known(const char *name) {
  hd_library_kind kind = hd_library_kind_of(hd_library_find(name));
  return kind != HD_LIBRARY_NONE && kind != HD_LIBRARY_REFUSED;
}

/* --- models: what nobody wants of them goes away in the end --- */

static const char of_model[] = "heddle-model";

static bool is_of_model(LLVMValueRef f) {
  return LLVMGetStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex,
                                       of_model, sizeof of_model - 1) != NULL;
}

typedef hd_vec(LLVMValueRef) values;

static bool is_new(values *seen, LLVMValueRef value) {
  for (hd_vec_each(LLVMValueRef, p, seen))
    if (*p == value)
      return false;
  hd_vec_push(seen, value);
  return true;
}

/* Does the program use it, itself or by way of models that it wants? */
static bool is_wanted(LLVMValueRef value, values *seen) {
  for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef by = LLVMGetUser(u);
    if (LLVMIsAInstruction(by))
      by = LLVMGetBasicBlockParent(LLVMGetInstructionParent(by));
    bool way =
        LLVMIsAFunction(by) ? is_of_model(by) : !LLVMIsAGlobalVariable(by);
    if (!way || (is_new(seen, by) && is_wanted(by, seen)))
      return true;
  }
  return false;
}

static bool sweep_once(LLVMModuleRef whole) {
  bool any = false;
  LLVMValueRef next;
  for (LLVMValueRef f = LLVMGetFirstFunction(whole); f; f = next) {
    next = LLVMGetNextFunction(f);
    bool spare = is_of_model(f) && !LLVMGetFirstUse(f);
    if (spare)
      LLVMDeleteFunction(f);
    any = any || spare;
  }
  return any;
}

static void sweep_models(LLVMModuleRef whole) {
  bool any = false;
  while (sweep_once(whole))
    any = true;
  LLVMValueRef next;
  for (LLVMValueRef g = LLVMGetFirstGlobal(whole); g && any; g = next) {
    next = LLVMGetNextGlobal(g);
    if (LLVMGetLinkage(g) == LLVMInternalLinkage && !LLVMGetFirstUse(g))
      LLVMDeleteGlobal(g);
  }
}

/* Declarations that are used. Those of weak symbols may stay null. `models`:
 * without what engines know. */
static void collect(LLVMModuleRef whole, bool models, names *missing) {
  values seen = {0};
  hd_vec_clear(missing);
  for (LLVMValueRef f = LLVMGetFirstFunction(whole); f;
       f = LLVMGetNextFunction(f))
    if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && !LLVMGetIntrinsicID(f) &&
        LLVMGetLinkage(f) != LLVMExternalWeakLinkage) {
      size_t size;
      const char *name = LLVMGetValueName2(f, &size);
      hd_vec_clear(&seen);
      if (!models || (!is_known(name) && is_wanted(f, &seen)))
        hd_vec_push(missing, name);
    }
  for (LLVMValueRef g = LLVMGetFirstGlobal(whole); g; g = LLVMGetNextGlobal(g))
    if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g) &&
        LLVMGetLinkage(g) != LLVMExternalWeakLinkage) {
      size_t size;
      hd_vec_push(missing, LLVMGetValueName2(g, &size));
    }
  hd_vec_free(&seen);
}

static bool visible(LLVMValueRef value) {
  LLVMLinkage linkage = value ? LLVMGetLinkage(value) : LLVMPrivateLinkage;
  return value && !LLVMIsDeclaration(value) && linkage != LLVMInternalLinkage &&
         linkage != LLVMPrivateLinkage &&
         linkage != LLVMAvailableExternallyLinkage;
}

static bool defines(LLVMModuleRef module, const names *missing) {
  for (size_t i = 0; i < missing->size; i++)
    if (visible(LLVMGetNamedFunction(module, missing->data[i])) ||
        visible(LLVMGetNamedGlobal(module, missing->data[i])))
      return true;
  return false;
}

/* `pieces`: also what a macro may put a prefix to, lib_name from name. */
static bool promises(const cc_unit *unit, const names *missing, bool pieces) {
  enum { SHORTEST = 5 };
  hd_str text = {0};
  bool may = false;
  if (hd_cc_read_file(unit->file, &text))
    for (size_t i = 0; i < missing->size && !may; i++) {
      const char *name = missing->data[i];
      may = hd_cc_may_define(hd_str_text(&text), name);
      while (pieces && !may && (name = strchr(name, '_')) != NULL &&
             strlen(++name) >= SHORTEST)
        may = hd_cc_may_define(hd_str_text(&text), name);
    }
  hd_str_free(&text);
  return may;
}

/* Everything in it gives way to what others define. All of it stays for now: a
 * model that is linked later may want it. */
static void make_weak(LLVMModuleRef module) {
  LLVMAttributeRef mark = LLVMCreateStringAttribute(
      LLVMGetModuleContext(module), of_model, sizeof of_model - 1, "", 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    if (!LLVMIsDeclaration(f))
      LLVMAddAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, mark);
    if (visible(f))
      LLVMSetLinkage(f, LLVMWeakAnyLinkage);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (visible(g))
      LLVMSetLinkage(g, LLVMWeakAnyLinkage);
}

/* --- linking --- */

typedef struct {
  LLVMContextRef context;
  hd_arena *arena;
  cc_pragmas *pragmas;
  LLVMModuleRef whole;
} linker;

/* What has no name, as clang's notes of places for OpenMP, gets one. */
static void name_globals(LLVMModuleRef module) {
  size_t length;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!*LLVMGetValueName2(g, &length))
      LLVMSetValueName2(g, ".constant", 9);
}

/* Takes `module`. LLVM says what is wrong by the handler of messages. */
static bool take_module(linker *l, LLVMModuleRef module, const char *file) {
  if (!module)
    return false;
  name_globals(module);
  if (!l->whole) {
    l->whole = module;
    return true;
  }
  if (same_target(l->whole, module, file))
    return !LLVMLinkModules2(l->whole, module);
  LLVMDisposeModule(module);
  return false;
}

/* A file of a project that does not compile (yet: what is generated may not be
 * there) may not be needed either. */
static bool may_be_left_out(const cc_unit *unit) {
  if (unit->weak)
    return false;
  fprintf(stderr,
          "%s: warning: left out, since it does not compile (see "
          "above); what it defines is not known\n",
          unit->file);
  return true;
}

/* Links the unit if it has something of what is missing; -1 = error. */
static int try_unit(linker *l, cc_unit *unit, const names *missing,
                    bool pieces) {
  if (!unit->module) {
    if (!unit->bits.size && !promises(unit, missing, pieces))
      return 0;
    unit->module = load(unit, l->context, l->arena, l->pragmas);
    if (!unit->module) {
      unit->done = true;
      return may_be_left_out(unit) ? 0 : -1;
    }
  }
  if (!defines(unit->module, missing))
    return 0;
  if (unit->weak)
    make_weak(unit->module);
  LLVMModuleRef module = unit->module;
  unit->module = NULL;
  unit->done = true;
  return take_module(l, module, unit->file) ? 1 : -1;
}

/* Names are looked for as they are, and in pieces when nobody has them. */
static bool link_lazy(linker *l, cc_units *units, bool weak) {
  names missing = {0};
  bool good = true, more = true, pieces = false;
  while ((more || (!weak && !pieces)) && good) {
    pieces = !more;
    more = false;
    for (size_t i = 0; i < units->size && good; i++) {
      cc_unit *unit = &units->data[i];
      if (!unit->lazy || unit->done || unit->weak != weak)
        continue;
      collect(l->whole, weak || pieces, &missing);
      int taken = missing.size ? try_unit(l, unit, &missing, pieces) : 0;
      more = more || taken > 0;
      good = taken >= 0;
    }
  }
  hd_vec_free(&missing);
  return good;
}

/* C++ is read where it is C with OpenMP: what else there is in it is refused by
 * name when it is met. */
static bool is_openmp_cpp(const char *file) {
  hd_str source = {0};
  bool yes = hd_cc_is_cpp(file) && hd_cc_read_file(file, &source) &&
             hd_cc_has_openmp(hd_str_text(&source), source.size);
  hd_str_free(&source);
  return yes;
}

bool hd_cc_add_file(cc_units *units, const cc_job *job, const char *file,
                    hd_arena *arena) {
  static const char *const endings[] = {".c", ".i", ".bc", ".ll"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (hd_cc_ends_with(file, endings[i]) || is_openmp_cpp(file)) {
      hd_vec_push(units, ((cc_unit){.file = file, .job = job}));
      return true;
    }
  if (hd_cc_is_object(file))
    return hd_cc_add_object(units, file, arena);
  if (hd_cc_is_cpp(file)) {
    fprintf(stderr, "%s: error: this is C++, and only C is read\n", file);
    return false;
  }
  fprintf(stderr,
          "heddle-cc: '%s': expected C (.c, .i), LLVM (.bc, .ll), or an "
          "object, archive or program built with heddle-cc\n",
          file);
  return false;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const cc_unit *)a)->file, ((const cc_unit *)b)->file);
}

void hd_cc_add_models(cc_units *units, const cc_job *job, const char *folder,
                      hd_arena *arena) {
  size_t first = units->size;
  DIR *dir = opendir(folder);
  struct dirent *entry;
  while (dir && (entry = readdir(dir)) != NULL) {
    if (!hd_cc_ends_with(entry->d_name, ".c"))
      continue;
    hd_str path = {0};
    hd_str_printf(&path, "%s/%s", folder, entry->d_name);
    const char *file = hd_arena_strndup(arena, hd_str_text(&path), path.size);
    hd_str_free(&path);
    hd_vec_push(
        units,
        ((cc_unit){.file = file, .job = job, .lazy = true, .weak = true}));
  }
  if (dir)
    closedir(dir);
  if (units->size > first)
    qsort(units->data + first, units->size - first, sizeof *units->data,
          by_name);
}

/* The library of OpenMP, where it is called; without places in the source: it is
 * not the user's. */
static bool link_openmp(linker *l, const cc_job *like) {
  if (!like || !like->include || !hd_cc_calls_openmp(l->whole))
    return true;
  hd_str file = {0}, bits = {0};
  hd_str_printf(&file, "%s/../openmp/runtime.c", like->include);
  cc_job own = {.include = like->include, .narrow = like->narrow};
  hd_vec_push(&own.flags, "-g0");
  hd_cc_lower_regions(l->context, l->whole);
  const char *name = hd_str_text(&file);
  bool good = hd_cc_compile(&own, name, l->arena, l->pragmas, &bits) &&
              take_module(l, parse_bitcode(l->context, &bits, name), name);
  hd_vec_free(&own.flags);
  hd_str_free(&file);
  hd_str_free(&bits);
  return good;
}

/* --- system calls --- */

/* Calls with a number that is known get a function of their own: who asks for the
 * thread's number has nothing to do with futexes. */
static const struct {
  uint64_t number;
  const char *name;
} system_calls[] = {
    {SYS_gettid, "__heddle_syscall_gettid"},
    {SYS_sched_yield, "__heddle_syscall_yield"},
    {SYS_futex, "__heddle_syscall_futex"},
};

static const char *system_call(LLVMValueRef call) {
  LLVMValueRef number =
      LLVMGetNumArgOperands(call) > 0 ? LLVMGetArgOperand(call, 0) : NULL;
  for (size_t i = 0; i < sizeof system_calls / sizeof *system_calls; i++)
    if (number && LLVMIsAConstantInt(number) &&
        LLVMConstIntGetZExtValue(number) == system_calls[i].number)
      return system_calls[i].name;
  return NULL;
}

static void tell_system_calls(LLVMModuleRef whole) {
  LLVMValueRef syscall = LLVMGetNamedFunction(whole, "syscall");
  LLVMUseRef next, use = syscall && LLVMIsDeclaration(syscall)
                             ? LLVMGetFirstUse(syscall)
                             : NULL;
  for (; use; use = next) {
    LLVMValueRef call = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != syscall)
      continue;
    const char *name = system_call(call);
    LLVMValueRef own = name ? LLVMGetNamedFunction(whole, name) : NULL;
    if (name && !own)
      own = LLVMAddFunction(whole, name, LLVMGlobalGetValueType(syscall));
    if (name)
      LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, own);
  }
}

LLVMModuleRef hd_cc_link(cc_units *units, LLVMContextRef context,
                         hd_arena *arena, cc_pragmas *pragmas) {
  linker l = {.context = context, .arena = arena, .pragmas = pragmas};
  bool good = true, alone = true;
  for (size_t i = 0; i < units->size; i++)
    alone = alone && (units->data[i].lazy || units->data[i].weak);
  for (size_t i = 0; i < units->size && good; i++) {
    cc_unit *unit = &units->data[i];
    /* Archives alone: all that is in them. */
    if (unit->weak || (unit->lazy && !alone))
      continue;
    unit->done = true;
    good = take_module(&l, load(unit, context, arena, pragmas), unit->file);
  }
  good = good && l.whole && link_lazy(&l, units, false);
  if (good) {
    tell_system_calls(l.whole);
    hd_cc_lower_wide(context, l.whole);
    hd_cc_forget_seeds(l.whole);
  }
  good =
      good && link_lazy(&l, units, true) && link_openmp(&l, units->data[0].job);
  if (good)
    sweep_models(l.whole);
  for (size_t i = 0; i < units->size; i++)
    if (units->data[i].module) {
      LLVMDisposeModule(units->data[i].module);
      units->data[i].module = NULL;
    }
  if (!good && l.whole) {
    LLVMDisposeModule(l.whole);
    l.whole = NULL;
  }
  if (l.whole)
    LLVMSetIsNewDbgInfoFormat(l.whole, 0);
  return l.whole;
}

void hd_cc_units_free(cc_units *units) {
  for (size_t i = 0; i < units->size; i++)
    hd_str_free(&units->data[i].bits);
  hd_vec_free(units);
}

/* SPDX-License-Identifier: MIT */
/* The whole module: main and everything it can mention, in the order in which
 * it is met. Without a main, everything that is defined. */
#include "cc/func.h"
#include "cc/openmp.h"
#include "cc/unsequenced.h"
#include "model/library.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

/* --- names --- */

LLVMValueRef hd_cc_resolve(LLVMValueRef value) {
  while (value && LLVMIsAGlobalAlias(value))
    value = LLVMAliasGetAliasee(value);
  return value;
}

const char *hd_cc_symbol(LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  return name[0] == '\1' ? name + 1 : name;
}

static const char *with_sigil(cc_module *m, const char *name) {
  hd_str text = {0};
  hd_cc_print_name(&text, '@', name);
  const char *kept = hd_arena_strndup(&m->arena, hd_str_text(&text), text.size);
  hd_str_free(&text);
  return kept;
}

const char *hd_cc_need(cc_module *m, LLVMValueRef value) {
  uint32_t *known = cc_number_map_find(&m->is_needed, value);
  if (known)
    return m->needed.data[*known].name;
  cc_needed entry = {.value = value,
                     .name = with_sigil(m, hd_cc_symbol(value))};
  cc_number_map_put(&m->is_needed, value, (uint32_t)m->needed.size, NULL);
  hd_vec_push(&m->needed, entry);
  return entry.name;
}

/* A library function that the program declares too has one declaration, the
 * program's. */
const char *hd_cc_need_builtin(cc_module *m, const char *name,
                               const char *signature) {
  LLVMValueRef own = LLVMGetNamedFunction(m->llvm, name);
  if (own && !LLVMGetIntrinsicID(own))
    return hd_cc_need(m, own);
  const char *sigiled = with_sigil(m, name);
  bool fresh;
  cc_text_map_put(&m->builtins, sigiled, 0, &fresh);
  if (fresh)
    hd_str_printf(&m->functions, "function %s \"%s\" %s external\n", sigiled,
                  name, signature);
  return sigiled;
}

const char *hd_cc_need_label(cc_module *m, LLVMBasicBlockRef block) {
  LLVMValueRef function = LLVMGetBasicBlockParent(block);
  bool fresh;
  uint32_t number = (uint32_t)m->labels.size;
  number = *cc_number_map_put(&m->labels, block, number, &fresh);
  hd_str name = {0};
  hd_str_printf(&name, "%s.label.%u", hd_cc_symbol(function), number);
  const char *sigiled = with_sigil(m, hd_str_text(&name));
  if (fresh)
    hd_str_printf(&m->globals, "global %s \"label\" size 1 align 1 const\n",
                  sigiled);
  hd_str_free(&name);
  return sigiled;
}

/* --- declarations --- */

static void print_types(cc_module *m, hd_str *out, const cc_scalars *types) {
  (void)m;
  for (size_t i = 0; i < types->size; i++) {
    hd_str_puts(out, i ? ", " : "");
    hd_cc_print_type(out, types->data[i].type);
  }
}

void hd_cc_print_results(cc_module *m, hd_str *out, LLVMTypeRef type) {
  cc_scalars types = {0};
  if (hd_cc_flatten(m, type, &types) || !types.size)
    hd_str_puts(out, "void");
  else
    print_types(m, out, &types);
  hd_vec_free(&types);
}

static void declare(cc_module *m, LLVMValueRef function) {
  hd_str *out = &m->functions;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  cc_scalars types = {0};
  bool good = true;
  for (unsigned i = 0; i < LLVMCountParamTypes(type); i++)
    good = !hd_cc_flatten(m, LLVMTypeOf(LLVMGetParam(function, i)), &types) &&
           good;
  if (!good) /* a call of it is refused where it is */
    hd_vec_clear(&types);
  hd_str_printf(out, "function %s ", hd_cc_need(m, function));
  hd_cc_print_string(out, hd_cc_symbol(function));
  hd_str_puts(out, " (");
  print_types(m, out, &types);
  if (LLVMIsFunctionVarArg(type))
    hd_str_puts(out, types.size ? ", ..." : "...");
  hd_str_puts(out, ") -> ");
  hd_cc_print_results(m, out, LLVMGetReturnType(type));
  hd_str_puts(out, " external\n");
  hd_vec_free(&types);
}

/* The DIGlobalVariable of a global, or NULL. */
static LLVMMetadataRef variable_of(cc_module *m, LLVMValueRef global) {
  size_t n;
  LLVMMetadataRef found = NULL;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
  for (unsigned i = 0; i < n && !found; i++) {
    if (LLVMValueMetadataEntriesGetKind(entries, i) != m->kind_dbg)
      continue;
    LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(entries, i);
    if (LLVMGetMetadataKind(md) == LLVMDIGlobalVariableExpressionMetadataKind)
      found = LLVMDIGlobalVariableExpressionGetVariable(md);
  }
  LLVMDisposeValueMetadataEntries(entries);
  return found;
}

/* The type of what has no name says nothing: string literals. */
static void print_source(cc_module *m, hd_str *out, LLVMMetadataRef variable,
                         bool named) {
  if (named)
    hd_str_printf(out, " type %u",
                  hd_cc_ctype(m, hd_cc_md_operand(m, variable, 3)));
  LLVMMetadataRef file = LLVMDIVariableGetFile(variable);
  unsigned line = LLVMDIVariableGetLine(variable);
  if (!file || !line)
    return;
  hd_str_puts(out, " at ");
  hd_cc_print_pos(out, hd_cc_position(m, file, line, 1));
}

static bool is_private(LLVMValueRef global) {
  return LLVMGetLinkage(global) == LLVMPrivateLinkage;
}

/* Also string literals, which are said to be writable (driver.c). */
static bool is_constant(LLVMValueRef global) {
  return LLVMIsGlobalConstant(global) ||
         (is_private(global) &&
          LLVMGetUnnamedAddress(global) == LLVMGlobalUnnamedAddr);
}

static void write_global(cc_module *m, LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  uint64_t size = hd_cc_size(m, type);
  uint32_t align = LLVMGetAlignment(global);
  LLVMMetadataRef variable = variable_of(m, global);
  LLVMValueRef init = LLVMGetInitializer(global);
  const char *cname = variable ? hd_cc_md_string(m, variable, 1) : NULL;
  hd_str line = {0}, content = {0};
  const char *trouble =
      init ? hd_cc_initialiser(m, &content, init, size) : NULL;
  hd_str_printf(&line, "global %s ", hd_cc_need(m, global));
  if (cname || !is_private(global)) {
    hd_cc_print_string(&line, cname ? cname : hd_cc_symbol(global));
    hd_str_puts(&line, " ");
  }
  if (!align)
    align = size ? LLVMABIAlignmentOfType(m->layout, type) : 1;
  hd_str_printf(&line, "size %" PRIu64 " align %u", size, align);
  if (LLVMIsThreadLocal(global))
    hd_str_puts(&line, " tls");
  if (is_constant(global))
    hd_str_puts(&line, " const");
  if (!init || trouble) /* a content that cannot be said is not known */
    hd_str_puts(&line, " external");
  if (variable)
    print_source(m, &line, variable, cname != NULL);
  if (!trouble)
    hd_str_append(&line, hd_str_text(&content), content.size);
  hd_str_printf(&m->globals, "%s\n", hd_str_text(&line));
  hd_str_free(&line);
  hd_str_free(&content);
}

/* --- what runs without being called --- */

typedef struct {
  uint64_t priority;
  size_t number;
  LLVMValueRef function;
} constructor;

static int by_priority(const void *a, const void *b) {
  const constructor *x = a, *y = b;
  if (x->priority != y->priority)
    return x->priority < y->priority ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

typedef hd_vec(LLVMValueRef) function_list;

/* The functions of a table such as llvm.global_ctors, by their priorities. */
static void read_table(cc_module *m, const char *name, function_list *to) {
  LLVMValueRef table = LLVMGetNamedGlobal(m->llvm, name);
  LLVMValueRef init = table ? LLVMGetInitializer(table) : NULL;
  uint64_t n = init && LLVMGetTypeKind(LLVMTypeOf(init)) == LLVMArrayTypeKind
                   ? LLVMGetArrayLength2(LLVMTypeOf(init))
                   : 0;
  hd_vec(constructor) found = {0};
  for (uint64_t i = 0; i < n; i++) {
    LLVMValueRef entry = LLVMGetAggregateElement(init, (unsigned)i);
    LLVMValueRef priority = entry ? LLVMGetAggregateElement(entry, 0) : NULL;
    LLVMValueRef function =
        entry ? hd_cc_resolve(LLVMGetAggregateElement(entry, 1)) : NULL;
    if (priority && LLVMIsAConstantInt(priority) && function &&
        LLVMIsAFunction(function)) {
      constructor c = {LLVMConstIntGetZExtValue(priority), found.size,
                       function};
      hd_vec_push(&found, c);
    }
  }
  if (found.size)
    qsort(found.data, found.size, sizeof *found.data, by_priority);
  for (hd_vec_each(constructor, c, &found))
    hd_vec_push(to, c->function);
  hd_vec_free(&found);
}

/* Destructors run when the handlers of atexit have: they are the first of these,
 * and the one with the smallest number is the last to run. */
static void find_constructors(cc_module *m) {
  function_list before = {0}, after = {0};
  read_table(m, "llvm.global_ctors", &before);
  read_table(m, "llvm.global_dtors", &after);
  for (hd_vec_each(LLVMValueRef, f, &before))
    hd_vec_push(&m->constructors, *f);
  for (hd_vec_each(LLVMValueRef, f, &after))
    hd_vec_push(&m->destructors, *f);
  hd_vec_free(&before);
  hd_vec_free(&after);
}

/* --- all of it --- */

static bool is_internal(LLVMValueRef value) {
  return strncmp(hd_cc_symbol(value), "llvm.", 5) == 0;
}

static void need_all(cc_module *m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      (void)hd_cc_need(m, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(m->llvm); g;
       g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && !is_internal(g) && !is_private(g))
      (void)hd_cc_need(m, g);
}

static void write_needed(cc_module *m) {
  for (size_t i = 0; i < m->needed.size; i++) {
    LLVMValueRef value = m->needed.data[i].value;
    if (LLVMIsAGlobalVariable(value))
      write_global(m, value);
    else if (LLVMIsAFunction(value) && !LLVMIsDeclaration(value))
      hd_cc_function(m, value);
    else if (LLVMIsAFunction(value))
      declare(m, value);
  }
}

/* What is weak and nowhere defined is null, in a program that is complete. */
static void forget_weak(LLVMValueRef value) {
  if (LLVMGetLinkage(value) == LLVMExternalWeakLinkage &&
      LLVMIsDeclaration(value) &&
      hd_library_find(hd_cc_symbol(value)) == HD_LIB_NONE)
    LLVMReplaceAllUsesWith(value, LLVMConstNull(LLVMTypeOf(value)));
}

static void forget_all_weak(cc_module *m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f;
       f = LLVMGetNextFunction(f))
    forget_weak(f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(m->llvm); g;
       g = LLVMGetNextGlobal(g))
    forget_weak(g);
}

static void start(cc_module *m, LLVMContextRef context, LLVMModuleRef llvm) {
  m->context = context;
  m->llvm = llvm;
  m->layout = LLVMGetModuleDataLayout(llvm);
  m->pointer_width = (uint8_t)(8 * LLVMPointerSize(m->layout));
  hd_arena_init(&m->arena);
  m->kind_dbg = LLVMGetMDKindIDInContext(context, "dbg", 3);
  m->kind_loop = LLVMGetMDKindIDInContext(context, "llvm.loop", 9);
  m->attr_byval = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMValueRef main = LLVMGetNamedFunction(llvm, "main");
  m->main = main && !LLVMIsDeclaration(main) ? main : NULL;
  if (m->main)
    forget_all_weak(m);
}

static void release(cc_module *m) {
  hd_str_free(&m->files);
  hd_str_free(&m->scopes);
  hd_str_free(&m->globals);
  hd_str_free(&m->functions);
  hd_vec_free(&m->types);
  hd_vec_free(&m->needed);
  hd_vec_free(&m->constructors);
  hd_vec_free(&m->destructors);
  cc_text_map_free(&m->file_numbers);
  cc_text_map_free(&m->builtins);
  cc_number_map_free(&m->type_numbers);
  cc_number_map_free(&m->scope_numbers);
  hd_vec_free(&m->scope_parents);
  hd_vec_free(&m->note_places);
  hd_vec_free(&m->note_scopes);
  cc_number_map_free(&m->is_needed);
  cc_number_map_free(&m->labels);
  hd_arena_free(&m->arena);
}

static void print_pragmas(cc_module *m, hd_str *out, const cc_pragmas *list) {
  for (hd_vec_each(cc_pragma, p, list)) {
    if (hd_cc_is_undefined(p))
      continue; /* unsequenced.c */
    hd_cpos pos = {hd_cc_file(m, p->file), p->line, p->column};
    if (!strcmp(p->text, HD_CC_SIMD) || !strcmp(p->text, HD_CC_LAST)) {
      hd_str name = {0}; /* openmp.h */
      hd_str_printf(&name, "openmp_%s_%u", p->text + strlen("omp "), p->line);
      (void)hd_cc_need_builtin(m, hd_str_text(&name), "() -> void");
      hd_str_free(&name);
      continue;
    }
    hd_str_puts(out, "pragma ");
    hd_cc_print_pos(out, pos);
    for (size_t i = 0; i < m->note_places.size; i++) {
      hd_cpos at = m->note_places.data[i];
      if (at.file == pos.file && at.line == pos.line &&
          m->note_scopes.data[i] != HD_NO_ID) {
        hd_str_printf(out, " scope %u", m->note_scopes.data[i]);
        break;
      }
    }
    hd_str_puts(out, " ");
    hd_cc_print_string(out, p->text);
    hd_str_puts(out, "\n");
  }
}

/* The line of a global variable in the file of the pragma, if it is behind it;
 * else 0. */
static unsigned line_behind(cc_module *m, LLVMValueRef global,
                            const cc_pragma *pragma) {
  LLVMMetadataRef variable = variable_of(m, global);
  LLVMMetadataRef file = variable ? LLVMDIVariableGetFile(variable) : NULL;
  unsigned line = file ? LLVMDIVariableGetLine(variable) : 0;
  return line > pragma->line && hd_cc_position(m, file, line, 1).file ==
                                    hd_cc_file(m, pragma->file)
             ? line
             : 0;
}

/* The global variables on the first line behind a pragma that has some: perhaps
 * it is about those, and nothing else uses them. */
static void need_behind(cc_module *m, const cc_pragma *pragma) {
  unsigned first = 0;
  for (int round = 0; round < 2; round++)
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->llvm); g;
         g = LLVMGetNextGlobal(g)) {
      unsigned line = line_behind(m, g, pragma);
      if (!round && line && (!first || line < first))
        first = line;
      else if (round && line && line == first)
        (void)hd_cc_need(m, g);
    }
}

/* Global variables that only an annotation mentions. */
static void need_annotated(cc_module *m, const cc_pragmas *pragmas) {
  for (hd_vec_each(const cc_pragma, p, pragmas)) {
    if (strstr(p->text, " input") || strstr(p->text, " output"))
      need_behind(m, p);
    for (const char *at = p->text; *at;) {
      size_t n = 0;
      while (isalnum((unsigned char)at[n]) || at[n] == '_')
        n++;
      char *name = hd_strndup(at, n);
      LLVMValueRef global = n ? LLVMGetNamedGlobal(m->llvm, name) : NULL;
      if (global)
        (void)hd_cc_need(m, global);
      hd_free(name);
      at += n ? n : 1;
    }
  }
}

void hd_cc_translate(LLVMContextRef context, LLVMModuleRef llvm,
                     const cc_pragmas *pragmas, hd_str *out) {
  cc_module m = {0};
  hd_str notes = {0};
  start(&m, context, llvm);
  m.pragmas = pragmas;
  find_constructors(&m);
  if (m.main)
    (void)hd_cc_need(&m, m.main);
  else
    need_all(&m);
  need_annotated(&m, pragmas);
  write_needed(&m);
  print_pragmas(&m, &notes, pragmas);
  hd_str_printf(out, "heddle code 1\ntarget %u\n", m.pointer_width);
  hd_str_append(out, hd_str_text(&m.files), m.files.size);
  for (size_t i = 0; i < m.types.size; i++)
    hd_str_printf(out, "type %zu %s\n", i, m.types.data[i]);
  hd_str_append(out, hd_str_text(&m.scopes), m.scopes.size);
  hd_str_append(out, hd_str_text(&m.globals), m.globals.size);
  hd_str_append(out, hd_str_text(&m.functions), m.functions.size);
  hd_str_append(out, hd_str_text(&notes), notes.size);
  hd_str_free(&notes);
  release(&m);
}

/* SPDX-License-Identifier: MIT */
/* Debug information: where things are in the source, how they are called, and
 * their C types. LLVM 19 has no getters for some of it; those few are read from
 * the node's printed form. */
#include "cc/cc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  TAG_ARRAY = 0x01,
  TAG_ENUM = 0x04,
  TAG_POINTER = 0x0f,
  TAG_STRUCT = 0x13,
  TAG_TYPEDEF = 0x16,
  TAG_UNION = 0x17,
};

/* --- nodes --- */

static bool is_node(LLVMMetadataRef md) {
  if (!md)
    return false;
  LLVMMetadataKind kind = LLVMGetMetadataKind(md);
  return kind == LLVMMDTupleMetadataKind ||
         (kind >= LLVMDILocationMetadataKind &&
          kind < LLVMDIArgListMetadataKind);
}

/* Operand `i` as LLVM's value of it, or NULL. */
static LLVMValueRef raw_operand(cc_module *m, LLVMMetadataRef node,
                                unsigned i) {
  if (!is_node(node))
    return NULL;
  LLVMValueRef value = LLVMMetadataAsValue(m->context, node);
  unsigned n = LLVMGetMDNodeNumOperands(value);
  if (i >= n)
    return NULL;
  LLVMValueRef *operands = hd_calloc(n, sizeof *operands);
  LLVMGetMDNodeOperands(value, operands);
  LLVMValueRef operand = operands[i];
  hd_free(operands);
  return operand;
}

LLVMMetadataRef hd_cc_md_operand(cc_module *m, LLVMMetadataRef node,
                                 unsigned i) {
  LLVMValueRef operand = raw_operand(m, node, i);
  return operand ? LLVMValueAsMetadata(operand) : NULL;
}

const char *hd_cc_md_string(cc_module *m, LLVMMetadataRef node, unsigned i) {
  LLVMMetadataRef md = hd_cc_md_operand(m, node, i);
  if (!md || LLVMGetMetadataKind(md) != LLVMMDStringMetadataKind)
    return NULL;
  unsigned length;
  const char *text =
      LLVMGetMDString(LLVMMetadataAsValue(m->context, md), &length);
  return length ? hd_arena_strndup(&m->arena, text, length) : NULL;
}

static unsigned count_operands(cc_module *m, LLVMMetadataRef node) {
  return is_node(node)
             ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(m->context, node))
             : 0;
}

/* The number behind `key` ("line: ") in the node's printed form; 0 if none. */
static int64_t printed_number(cc_module *m, LLVMMetadataRef node,
                              const char *key) {
  char *text = LLVMPrintValueToString(LLVMMetadataAsValue(m->context, node));
  const char *at = strstr(text, key);
  int64_t number = at ? strtoll(at + strlen(key), NULL, 10) : 0;
  LLVMDisposeMessage(text);
  return number;
}

/* --- positions --- */

/* A file below the current folder is named from there: clang's debug information
 * does so whatever it was given, its preprocessor does not. */
static const char *below_here(const char *name) {
  char here[4096];
  if (name[0] != '/' || !getcwd(here, sizeof here))
    return name;
  size_t n = strlen(here);
  return n > 1 && !strncmp(name, here, n) && name[n] == '/' ? name + n + 1
                                                            : name;
}

uint32_t hd_cc_file(cc_module *m, const char *name) {
  name = below_here(name);
  uint32_t *known = cc_text_map_find(&m->file_numbers, name);
  if (known)
    return *known;
  uint32_t number = (uint32_t)m->file_numbers.size;
  cc_text_map_put(&m->file_numbers,
                  hd_arena_strndup(&m->arena, name, strlen(name)), number,
                  NULL);
  hd_str_printf(&m->files, "file %u ", number);
  hd_cc_print_string(&m->files, name);
  hd_str_puts(&m->files, "\n");
  return number;
}

static bool is_here(const char *folder, unsigned length) {
  char here[4096];
  return !length || !getcwd(here, sizeof here) ||
         (strlen(here) == length && !memcmp(folder, here, length));
}

static uint32_t file_of(cc_module *m, LLVMMetadataRef file) {
  if (!file || LLVMGetMetadataKind(file) != LLVMDIFileMetadataKind)
    return HD_NO_ID;
  unsigned length, folder_length;
  const char *text = LLVMDIFileGetFilename(file, &length);
  const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
  /* An absolute name comes in two parts, which need not meet at the current
   * folder. A relative one may stay so: its folder is the current one. */
  bool parted = length && text[0] != '/' && !is_here(folder, folder_length);
  const char *clean = text;
  hd_str name = {0};
  if (parted) {
    hd_str_append(&name, folder, folder_length);
    hd_str_puts(&name, "/");
  } else if (length > 2 && text[0] == '.' && text[1] == '/') {
    clean += 2;
  }
  hd_str_append(&name, clean, length - (size_t)(clean - text));
  uint32_t number = hd_cc_file(m, hd_str_text(&name));
  hd_str_free(&name);
  return number;
}

/* LLVM has no column for some things and column 0 for others: the first. */
hd_cpos hd_cc_position(cc_module *m, LLVMMetadataRef file, unsigned line,
                       unsigned column) {
  uint32_t number = line ? file_of(m, file) : HD_NO_ID;
  if (number == HD_NO_ID)
    return (hd_cpos){.file = HD_NO_ID};
  return (hd_cpos){.file = number, .line = line, .column = column ? column : 1};
}

hd_cpos hd_cc_location(cc_module *m, LLVMMetadataRef location) {
  if (!location || LLVMGetMetadataKind(location) != LLVMDILocationMetadataKind)
    return (hd_cpos){.file = HD_NO_ID};
  LLVMMetadataRef scope = LLVMDILocationGetScope(location);
  return hd_cc_position(m, scope ? LLVMDIScopeGetFile(scope) : NULL,
                        LLVMDILocationGetLine(location),
                        LLVMDILocationGetColumn(location));
}

hd_cpos hd_cc_inst_pos(cc_module *m, LLVMValueRef inst) {
  return hd_cc_location(m, LLVMInstructionGetDebugLoc(inst));
}

hd_cpos hd_cc_function_pos(cc_module *m, LLVMValueRef function) {
  LLVMMetadataRef program = LLVMGetSubprogram(function);
  if (!program)
    return (hd_cpos){.file = HD_NO_ID};
  return hd_cc_position(m, LLVMDIScopeGetFile(program),
                        LLVMDISubprogramGetLine(program), 1);
}

void hd_cc_print_pos(hd_str *out, hd_cpos pos) {
  if (pos.file == HD_NO_ID)
    hd_str_puts(out, "-");
  else
    hd_str_printf(out, "%u:%u:%u", pos.file, pos.line, pos.column);
}

/* --- scopes --- */

static hd_cpos scope_pos(cc_module *m, LLVMMetadataRef scope, bool block) {
  unsigned line = block ? (unsigned)printed_number(m, scope, "line: ")
                        : LLVMDISubprogramGetLine(scope);
  unsigned column = block ? (unsigned)printed_number(m, scope, "column: ") : 1;
  return hd_cc_position(m, LLVMDIScopeGetFile(scope), line, column);
}

uint32_t hd_cc_scope(cc_module *m, LLVMMetadataRef scope) {
  LLVMMetadataKind kind = scope ? LLVMGetMetadataKind(scope) : 0;
  while (scope && kind == LLVMDILexicalBlockFileMetadataKind) {
    scope = hd_cc_md_operand(m, scope, 1);
    kind = scope ? LLVMGetMetadataKind(scope) : 0;
  }
  bool block = kind == LLVMDILexicalBlockMetadataKind;
  if (!scope || (!block && kind != LLVMDISubprogramMetadataKind))
    return HD_NO_ID;
  uint32_t *known = cc_number_map_find(&m->scope_numbers, scope);
  if (known)
    return *known;
  uint32_t parent =
      block ? hd_cc_scope(m, hd_cc_md_operand(m, scope, 1)) : HD_NO_ID;
  uint32_t number = (uint32_t)m->scope_numbers.size;
  cc_number_map_put(&m->scope_numbers, scope, number, NULL);
  hd_vec_push(&m->scope_parents, parent);
  hd_str_printf(&m->scopes, "scope %u ", number);
  if (parent == HD_NO_ID)
    hd_str_puts(&m->scopes, "- ");
  else
    hd_str_printf(&m->scopes, "%u ", parent);
  hd_cc_print_pos(&m->scopes, scope_pos(m, scope, block));
  hd_str_puts(&m->scopes, "\n");
  return number;
}

/* --- C types --- */

static uint32_t new_type(cc_module *m) {
  hd_vec_push(&m->types, NULL);
  return (uint32_t)m->types.size - 1;
}

static const char *basic_kind(const char *name) {
  if (strstr(name, "Bool") || strcmp(name, "bool") == 0)
    return "bool";
  if (strstr(name, "float") || strstr(name, "double") || strstr(name, "Float"))
    return "float";
  return strstr(name, "unsigned") ? "unsigned" : "signed";
}

static const char *type_name(cc_module *m, LLVMMetadataRef type) {
  size_t length;
  const char *text = LLVMDITypeGetName(type, &length);
  return length ? hd_arena_strndup(&m->arena, text, length) : NULL;
}

/* Typedefs and qualifiers are gone through; `name` becomes the outermost
 * typedef's. NULL is void. */
static LLVMMetadataRef strip(cc_module *m, LLVMMetadataRef type,
                             const char **name) {
  while (type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind &&
         LLVMGetDINodeTag(type) != TAG_POINTER) {
    if (LLVMGetDINodeTag(type) == TAG_TYPEDEF && !*name)
      *name = type_name(m, type);
    type = hd_cc_md_operand(m, type, 3);
  }
  return type;
}

static void print_type_head(hd_str *out, const char *kind, uint64_t size,
                            const char *name) {
  hd_str_printf(out, "%s %" PRIu64, kind, size);
  if (name) {
    hd_str_puts(out, " ");
    hd_cc_print_string(out, name);
  }
}

static void print_id(hd_str *out, uint32_t id) {
  if (id == HD_NO_ID)
    hd_str_puts(out, "-");
  else
    hd_str_printf(out, "%u", id);
}

static void print_fields(cc_module *m, hd_str *out, LLVMMetadataRef elements,
                         bool is_enum) {
  unsigned n = count_operands(m, elements), printed = 0;
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef member = hd_cc_md_operand(m, elements, i);
    LLVMMetadataKind kind = member ? LLVMGetMetadataKind(member) : 0;
    if (!member || kind != (is_enum ? LLVMDIEnumeratorMetadataKind
                                    : LLVMDIDerivedTypeMetadataKind))
      continue;
    hd_str_puts(out, printed++ ? ", " : " fields ");
    const char *name =
        is_enum ? hd_cc_md_string(m, member, 0) : hd_cc_md_string(m, member, 2);
    hd_cc_print_string(out, name ? name : "");
    if (is_enum) {
      hd_str_printf(out, " - %" PRId64 " 32",
                    printed_number(m, member, "value: "));
    } else {
      hd_str_puts(out, " ");
      print_id(out, hd_cc_ctype(m, hd_cc_md_operand(m, member, 3)));
      hd_str_printf(out, " %" PRIu64 " %" PRIu64,
                    LLVMDITypeGetOffsetInBits(member),
                    LLVMDITypeGetSizeInBits(member));
    }
  }
}

/* Elements of one dimension; 0: not known. */
static uint64_t subrange_count(cc_module *m, LLVMMetadataRef subrange) {
  if (!subrange || LLVMGetMetadataKind(subrange) != LLVMDISubrangeMetadataKind)
    return 0;
  LLVMValueRef count = raw_operand(m, subrange, 0);
  if (!count || !LLVMIsAConstantInt(count))
    return 0;
  int64_t n = LLVMConstIntGetSExtValue(count);
  return n > 0 ? (uint64_t)n : 0;
}

/* ` count N`; of an array of variable length the variable that has it. */
static void print_count(cc_module *m, hd_str *out, LLVMMetadataRef subrange) {
  LLVMMetadataRef count = subrange ? hd_cc_md_operand(m, subrange, 0) : NULL;
  const char *name =
      count && LLVMGetMetadataKind(count) == LLVMDILocalVariableMetadataKind
          ? hd_cc_md_string(m, count, 1)
          : NULL;
  hd_str_puts(out, " count ");
  if (name)
    hd_cc_print_string(out, name);
  else
    hd_str_printf(out, "%" PRIu64, subrange_count(m, subrange));
}

/* An array of several dimensions is an array of arrays here: writes the inner
 * ones, from the last, and returns the number of the element's type. */
static uint32_t inner_dimensions(cc_module *m, uint32_t element,
                                 uint64_t *bytes, LLVMMetadataRef dimensions,
                                 unsigned n) {
  for (unsigned i = n; i-- > 1;) {
    LLVMMetadataRef dimension = hd_cc_md_operand(m, dimensions, i);
    uint64_t count = subrange_count(m, dimension);
    *bytes *= count;
    uint32_t number = new_type(m);
    hd_str line = {0};
    hd_str_printf(&line, "array %" PRIu64 " of %u", *bytes, element);
    print_count(m, &line, dimension);
    m->types.data[number] =
        hd_arena_strndup(&m->arena, hd_str_text(&line), line.size);
    hd_str_free(&line);
    element = number;
  }
  return element;
}

static void print_array(cc_module *m, hd_str *out, LLVMMetadataRef type,
                        const char *name) {
  uint64_t bytes = LLVMDITypeGetSizeInBits(type) / 8;
  LLVMMetadataRef base = hd_cc_md_operand(m, type, 3);
  LLVMMetadataRef dimensions = hd_cc_md_operand(m, type, 4);
  unsigned n = count_operands(m, dimensions);
  uint32_t element = hd_cc_ctype(m, base);
  if (n > 1) {
    uint64_t inner = 1;
    for (unsigned i = 0; i < n; i++)
      inner *= subrange_count(m, hd_cc_md_operand(m, dimensions, i));
    inner = inner ? bytes / inner : 0;
    element = inner_dimensions(m, element, &inner, dimensions, n);
  }
  print_type_head(out, "array", bytes, name);
  hd_str_puts(out, " of ");
  print_id(out, element);
  print_count(m, out, n ? hd_cc_md_operand(m, dimensions, 0) : NULL);
}

static void print_composite(cc_module *m, hd_str *out, LLVMMetadataRef type,
                            const char *name) {
  uint16_t tag = LLVMGetDINodeTag(type);
  if (tag == TAG_ARRAY) {
    print_array(m, out, type, name);
    return;
  }
  const char *kind = tag == TAG_ENUM    ? "enum"
                     : tag == TAG_UNION ? "union"
                                        : "struct";
  print_type_head(out, kind, LLVMDITypeGetSizeInBits(type) / 8, name);
  print_fields(m, out, hd_cc_md_operand(m, type, 4), tag == TAG_ENUM);
}

static void print_ctype(cc_module *m, hd_str *out, LLVMMetadataRef type,
                        const char *name) {
  LLVMMetadataKind kind = type ? LLVMGetMetadataKind(type) : 0;
  if (type && !name && kind != LLVMDISubroutineTypeMetadataKind)
    name = type_name(m, type);
  uint64_t bytes = type ? LLVMDITypeGetSizeInBits(type) / 8 : 0;
  if (!type)
    print_type_head(out, "void", 0, name);
  else if (kind == LLVMDIBasicTypeMetadataKind)
    print_type_head(out,
                    basic_kind(type_name(m, type) ? type_name(m, type) : ""),
                    bytes, name);
  else if (kind == LLVMDIDerivedTypeMetadataKind) {
    print_type_head(out, "pointer", bytes, name);
    hd_str_puts(out, " to ");
    print_id(out, hd_cc_ctype(m, hd_cc_md_operand(m, type, 3)));
  } else if (kind == LLVMDICompositeTypeMetadataKind)
    print_composite(m, out, type, name);
  else
    print_type_head(out, "function", 0, name);
}

/* A struct can mention itself, through a pointer. Types are numbered when they
 * are complete, so that a line mentions earlier ones only; but one that is
 * mentioned while it is looked at gets its number then, and the pointer to it
 * refers forward. */
static const uint32_t IN_PROGRESS = UINT32_MAX - 1;

uint32_t hd_cc_ctype(cc_module *m, LLVMMetadataRef type) {
  static const char void_key = 0;
  const char *name = NULL;
  const void *key = type ? (const void *)type : &void_key;
  uint32_t *known = cc_number_map_find(&m->type_numbers, key);
  if (known) {
    if (*known == IN_PROGRESS)
      *known = new_type(m);
    return *known;
  }
  LLVMMetadataRef stripped = strip(m, type, &name);
  if (!name && stripped != type) { /* only qualifiers: the type itself */
    uint32_t number = hd_cc_ctype(m, stripped);
    cc_number_map_put(&m->type_numbers, key, number, NULL);
    return number;
  }
  cc_number_map_put(&m->type_numbers, key, IN_PROGRESS, NULL);
  hd_str line = {0};
  print_ctype(m, &line, stripped, name);
  uint32_t *number = cc_number_map_find(&m->type_numbers, key);
  if (*number == IN_PROGRESS)
    *number = new_type(m);
  m->types.data[*number] =
      hd_arena_strndup(&m->arena, hd_str_text(&line), line.size);
  hd_str_free(&line);
  return *number;
}

uint32_t hd_cc_result_ctype(cc_module *m, LLVMMetadataRef subprogram) {
  LLVMMetadataRef type = subprogram ? hd_cc_md_operand(m, subprogram, 4) : NULL;
  if (!type || LLVMGetMetadataKind(type) != LLVMDISubroutineTypeMetadataKind)
    return HD_NO_ID;
  LLVMMetadataRef types = hd_cc_md_operand(m, type, 3);
  LLVMMetadataRef result = types ? hd_cc_md_operand(m, types, 0) : NULL;
  return result ? hd_cc_ctype(m, result) : HD_NO_ID;
}

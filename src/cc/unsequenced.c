/* SPDX-License-Identifier: MIT */
#include "cc/unsequenced.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the text of such a place begins among the pragmas; then comes the variable, or
 * what is wrong: with an expression that clang has computed, or with one that is in
 * the graph as an operation, unless it is a constant. */
#define UNSEQUENCED "unsequenced "
#define COMPUTED "computed "
#define FOLDED "folded "

/* What clang says, and the text of the place; NULL: the variable comes next. */
static const struct {
  const char *said, *text;
} texts[] = {
    {": warning: multiple unsequenced modifications to '", NULL},
    {": warning: unsequenced modification and access to '", NULL},
    {": warning: overflow in expression", COMPUTED "signed overflow"},
    {": warning: shift count >= width of type", FOLDED "shift by too much"},
    {": warning: shift count is negative", FOLDED "shift by too much"},
    {": warning: division by zero is undefined", FOLDED "division by zero"},
    {": warning: remainder by zero is undefined", FOLDED "division by zero"},
};

/* The number before `end`, and where it begins: behind a colon. */
static const char *number_before(const char *line, const char *end,
                                 uint32_t *number) {
  const char *at = end;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  *number = (uint32_t)strtoul(at, NULL, 10);
  return at > line && at < end && at[-1] == ':' ? at - 1 : NULL;
}

/* FILE:LINE:COLUMN: warning: … 'NAME' … */
static bool read_place(const char *line, hd_arena *arena, cc_pragma *place) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *found = strstr(line, texts[i].said), *end = strchr(line, '\n');
    if (!found || (end && found > end))
      continue;
    const char *name = found + strlen(texts[i].said);
    const char *at = number_before(line, found, &place->column);
    at = at ? number_before(line, at, &place->line) : NULL;
    if (!at)
      continue;
    hd_str text = {0};
    if (texts[i].text)
      hd_str_puts(&text, texts[i].text);
    else
      hd_str_printf(&text, UNSEQUENCED "%.*s", (int)strcspn(name, "'\n"), name);
    place->file = hd_arena_strndup(arena, line, (size_t)(at - line));
    place->text = hd_arena_strndup(arena, hd_str_text(&text), text.size);
    hd_str_free(&text);
    return true;
  }
  return false;
}

/* Source lines and carets below a message, and the sum at the end. */
static bool belongs_to_it(const char *line) {
  return *line == ' ' || strstr(line, " generated.") != NULL;
}

void hd_cc_take_unsequenced(const char *messages, hd_arena *arena,
                            cc_pragmas *out) {
  bool dropped = false;
  for (const char *line = messages; *line;) {
    size_t n = strcspn(line, "\n");
    n += line[n] == '\n';
    cc_pragma place;
    bool ours = read_place(line, arena, &place);
    if (ours)
      hd_vec_push(out, place);
    dropped = ours || (dropped && belongs_to_it(line));
    if (!dropped)
      fwrite(line, 1, n, stderr);
    line += n;
  }
}

static const char *behind(const cc_pragma *pragma, const char *beginning) {
  size_t n = strlen(beginning);
  return strncmp(pragma->text, beginning, n) ? NULL : pragma->text + n;
}

bool hd_cc_is_undefined(const cc_pragma *pragma) {
  return behind(pragma, UNSEQUENCED) || behind(pragma, COMPUTED) ||
         behind(pragma, FOLDED);
}

/* --- refusing them --- */

static void refuse_constant(cc_func *f, const char *what) {
  hd_cc_unsupported(f, "%s in a constant expression, which is undefined", what);
}

void hd_cc_refuse_undefined(cc_func *f, hd_cpos pos) {
  for (hd_vec_each(const cc_pragma, p, f->m->pragmas)) {
    const char *name = behind(p, UNSEQUENCED), *what = behind(p, COMPUTED);
    if ((!name && !what) || p->line != pos.line ||
        hd_cc_file(f->m, p->file) != pos.file)
      continue;
    if (name)
      hd_cc_unsupported(f, "'%s' is changed beside other uses, in no order",
                        name);
    else
      refuse_constant(f, what);
  }
}

/* The lines of a function, as far as it is known. */
typedef struct {
  uint32_t file, first, last;
} extent;

static extent extent_of(cc_module *m, LLVMValueRef function) {
  hd_cpos start = hd_cc_function_pos(m, function);
  extent x = {start.file, start.line, start.line};
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      hd_cpos pos = hd_cc_inst_pos(m, i);
      if (pos.file == x.file && pos.line > x.last)
        x.last = pos.line;
    }
  return x;
}

static bool is_within(cc_module *m, LLVMValueRef function, uint32_t file,
                      uint32_t line) {
  extent x = extent_of(m, function);
  return file != HD_NO_ID && x.file == file && x.first <= line &&
         line <= x.last;
}

static bool is_in_code(cc_func *f, uint32_t file, uint32_t line) {
  LLVMModuleRef module = LLVMGetGlobalParent(f->llvm);
  for (LLVMValueRef g = LLVMGetFirstFunction(module); g;
       g = LLVMGetNextFunction(g))
    if (!LLVMIsDeclaration(g) && is_within(f->m, g, file, line))
      return true;
  return false;
}

/* Has an instruction this line? Then it is refused there, or is an operation that
 * has no value. */
static bool has_line(cc_func *f, uint32_t file, uint32_t line) {
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f->llvm);
  for (; block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      hd_cpos pos = hd_cc_inst_pos(f->m, i);
      if (pos.file == file && pos.line == line)
        return true;
    }
  return false;
}

void hd_cc_refuse_constants(cc_func *f) {
  assert(f->at != HD_NO_ID);
  hd_cpos before = f->pos;
  for (hd_vec_each(const cc_pragma, p, f->m->pragmas)) {
    const char *computed = behind(p, COMPUTED);
    const char *what = computed ? computed : behind(p, FOLDED);
    if (!what)
      continue;
    uint32_t file = hd_cc_file(f->m, p->file);
    bool here = is_within(f->m, f->llvm, file, p->line)
                    ? !has_line(f, file, p->line)
                    : f->llvm == f->m->main && !is_in_code(f, file, p->line);
    if (!here)
      continue;
    f->pos = (hd_cpos){file, p->line, p->column};
    refuse_constant(f, what);
  }
  f->pos = before;
}

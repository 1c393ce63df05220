/* SPDX-License-Identifier: MIT */
#include "cli/assumes.h"

#include "engine/teams/teams.h"
#include "model/library.h"
#include "model/unordered.h"
#include "report/code_rows.h"
#include "report/missing.h"

#include <string.h>

static void add(hd_code_result *result, hd_str *text) {
  hd_vec_push(&result->assumes, hd_str_take(text));
}

static void add_words(hd_code_result *result, const char *words) {
  hd_vec_push(&result->assumes, hd_strdup(words));
}

static bool calls_kind(const hd_code *code, hd_library_kind kind) {
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (!f->defined && hd_library_kind_of(hd_library_find(f->name)) == kind)
      return true;
  return false;
}

static bool allocates(const hd_code *code) {
  for (hd_vec_each(const hd_func, f, &code->funcs)) {
    hd_library_fn fn = f->defined ? HD_LIB_NONE : hd_library_find(f->name);
    if (fn == HD_LIB_malloc || fn == HD_LIB_calloc || fn == HD_LIB_realloc)
      return true;
  }
  return false;
}

static void add_arguments(const hd_code *code,
                          const hd_machine_options *machine,
                          hd_code_result *result) {
  if (!code->funcs.data[code->main].n_params)
    return;
  hd_str text = {0};
  hd_str_puts(&text, machine->argc > 1 ? "main is called with the arguments"
                                       : "main is called without arguments");
  for (int i = 1; i < machine->argc; i++)
    hd_str_printf(&text, " '%s'", machine->argv[i]);
  add(result, &text);
}

/* Is the function from a file that `heddle stubs` wrote? */
static bool is_stub(const hd_code *code, const hd_func *f) {
  if (!f->defined || f->pos.file >= code->files.size)
    return false;
  FILE *file = fopen(code->files.data[f->pos.file], "r");
  char line[sizeof HD_STUBS_BEGIN] = "";
  bool read = file && fgets(line, sizeof line, file);
  if (file)
    (void)fclose(file);
  return read && !strcmp(line, HD_STUBS_BEGIN);
}

static void add_stubs(const hd_code *code, hd_code_result *result) {
  hd_str text = {0};
  for (hd_func_id i = 0; i < code->funcs.size; i++)
    if (is_stub(code, &code->funcs.data[i]))
      hd_str_printf(&text, "%s%s", text.size ? ", " : "",
                    hd_code_func_name(code, i));
  if (text.size) {
    hd_str_puts(&text, ": nothing else than the stubs do");
    add(result, &text);
  }
  hd_str_free(&text);
}

/* `top(m)->local = pop(m)`: nobody knows whether both use the same memory. */
static void add_order(const hd_code *code, hd_code_result *result) {
  hd_edge_id edge = hd_code_unordered_looks(code);
  hd_str text = {0};
  if (edge == HD_NO_ID)
    return;
  hd_str_puts(&text, "operands are evaluated in clang's order (");
  hd_code_print_pos(&text, code, code->edges.data[edge].pos);
  hd_str_puts(&text, ")");
  add(result, &text);
  hd_str_free(&text);
}

/* RC11 excludes it, C's text does not, and some processors do it. */
static void add_loads(const hd_code *code, const hd_machine_options *machine,
                      hd_code_result *result) {
  bool c =
      machine->memory == HD_MEMORY_C11 || machine->memory == HD_MEMORY_RC11;
  hd_edge_id edge = c && hd_code_weakness(code).robust == HD_ROBUST_NOT
                        ? hd_code_buffers_loads(code)
                        : HD_NO_ID;
  hd_str text = {0};
  if (edge == HD_NO_ID)
    return;
  hd_str_puts(&text, "relaxed loads are not delayed behind later stores (");
  hd_code_print_pos(&text, code, code->edges.data[edge].pos);
  hd_str_puts(&text, ")");
  add(result, &text);
  hd_str_free(&text);
}

static bool has_safe(const hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].asked && result->answers[p].verdict == HD_SAFE)
      return true;
  return false;
}

static bool exchanges_weakly(const hd_code *code) {
  for (hd_vec_each(const hd_cedge, e, &code->edges))
    if (e->act == HD_CODE_CMPXCHG && e->weak)
      return true;
  return false;
}

/* teams shows it for all arguments; the others look at teams of one size. */
static bool shown_by_teams(const hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *a = &result->answers[p];
    if (a->asked && a->verdict == HD_SAFE &&
        (!a->engine || strcmp(a->engine, "teams") != 0))
      return false;
  }
  return true;
}

void hd_assumes_list(const hd_session *session,
                     const hd_machine_options *machine,
                     hd_code_result *result) {
  const hd_code *code = session->code;
  if (!has_safe(result))
    return;
  if (!shown_by_teams(result)) {
    add_arguments(code, machine, result);
    if (hd_teams_used(code))
      add_words(result, "teams have as many threads as num_threads says");
  }
  if (!machine->malloc_fails && allocates(code))
    add_words(result, "malloc never fails (--malloc-fails: it may)");
  if (!machine->spurious && calls_kind(code, HD_LIBRARY_COND))
    add_words(result, "condition variables wake up by signals only");
  if (!machine->spurious && exchanges_weakly(code))
    add_words(result, "weak compare-exchanges do not fail without a reason");
  if (machine->max_threads) {
    hd_str text = {0};
    hd_str_printf(&text, "there are %u threads at most", machine->max_threads);
    add(result, &text);
  }
  if (session->zeroed)
    add_words(result, "pointers that are arguments of --entry lead to objects "
                      "of their own, all zero");
  if (session->relaxed)
    add_words(result, "volatile accesses are atomic (--volatile=plain: not)");
  add_loads(code, machine, result);
  add_order(code, result);
  add_stubs(code, result);
}

/* SPDX-License-Identifier: MIT */
/* Witnesses in YAML: a violation is a sequence of segments, each with one point
 * that is followed. Version 2.0 where there is one thread; with several, the
 * points have thread_id, which is version 2.2. */
#include "report/witness.h"

#include "report/code_rows.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

/* A string in double quotes, as YAML and JSON have it. */
static void put_string(hd_str *out, const char *text) {
  hd_str_puts(out, "\"");
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      hd_str_printf(out, "\\%c", *text);
    else if (*text == '\n')
      hd_str_puts(out, "\\n");
    else if ((unsigned char)*text < 32)
      hd_str_printf(out, "\\x%02x", (unsigned)(unsigned char)*text);
    else
      hd_str_append(out, text, 1);
  hd_str_puts(out, "\"");
}

static void put_uuid(hd_str *out) {
  unsigned char b[16] = {0};
  if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
    b[0] = 1;
  b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
  b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
  for (size_t i = 0; i < sizeof b; i++)
    hd_str_printf(out, "%s%02x",
                  i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                  (unsigned)b[i]);
}

static void put_metadata(hd_str *out, const hd_sv_witness *witness,
                         const char *version) {
  char time[32];
  hd_str specification = {0};
  hd_sv_specification(&specification, witness);
  hd_sv_time(time);
  hd_str_printf(out, "  metadata:\n    format_version: \"%s\"\n    uuid: \"",
                version);
  put_uuid(out);
  hd_str_printf(out,
                "\"\n    creation_time: \"%s\"\n    producer:\n"
                "      name: \"heddle\"\n      version: \"%s\"\n"
                "    task:\n      input_files:\n",
                time, HD_VERSION);
  for (size_t i = 0; i < witness->n_files; i++) {
    hd_str_puts(out, "        - ");
    put_string(out, witness->files[i]);
    hd_str_puts(out, "\n");
  }
  hd_str_puts(out, "      input_file_hashes:\n");
  for (size_t i = 0; i < witness->n_files; i++) {
    char hash[65];
    hd_sv_hash(witness->files[i], hash);
    hd_str_puts(out, "        ");
    put_string(out, witness->files[i]);
    hd_str_printf(out, ": \"%s\"\n", hash);
  }
  hd_str_puts(out, "      specification: ");
  put_string(out, hd_str_text(&specification));
  hd_str_printf(out, "\n      data_model: \"%s\"\n      language: \"C\"\n",
                witness->code->pointer_width == 32 ? "ILP32" : "LP64");
  hd_str_free(&specification);
}

static void put_location(hd_str *out, const char *indent, hd_spot spot,
                         const char *function) {
  hd_str_printf(out, "%slocation:\n%s  file_name: ", indent, indent);
  put_string(out, spot.file);
  hd_str_printf(out, "\n%s  line: %u\n", indent, spot.line);
  if (spot.column)
    hd_str_printf(out, "%s  column: %u\n", indent, spot.column);
  if (*function) {
    hd_str_printf(out, "%s  function: ", indent);
    put_string(out, function);
    hd_str_puts(out, "\n");
  }
}

/* The bracket that closes the call at `spot`: the format wants a return there.
 * False when the source is not as expected. */
static bool find_bracket(hd_spot *spot) {
  FILE *file = spot->file ? fopen(spot->file, "r") : NULL;
  uint32_t line = 1, column = 0, open = 0;
  bool found = false;
  for (int c; file && !found && (c = getc(file)) != EOF;) {
    column++;
    bool inside =
        line > spot->line || (line == spot->line && column >= spot->column);
    if (inside && c == '(')
      open++;
    else if (inside && c == ')' && open && !--open) {
      spot->line = line;
      spot->column = column;
      found = true;
    } else if (inside && c == ';')
      break;
    if (c == '\n') {
      line++;
      column = 0;
    }
  }
  if (file)
    fclose(file);
  return found;
}

typedef struct {
  hd_str *out;
  bool threads;
} writer;

static void put_waypoint(writer *w, const char *type, uint32_t thread,
                         hd_spot spot, const char *function,
                         const char *constraint) {
  const char *indent = "        ";
  hd_str_printf(w->out,
                "    - waypoint:\n%stype: \"%s\"\n%saction: \"follow\"\n",
                indent, type, indent);
  if (constraint) {
    hd_str_printf(w->out, "%sconstraint:\n%s  value: ", indent, indent);
    put_string(w->out, constraint);
    hd_str_printf(w->out, "\n%s  format: \"c_expression\"\n", indent);
  }
  put_location(w->out, indent, spot, function);
  if (w->threads)
    hd_str_printf(w->out, "%sthread_id: %u\n", indent, thread);
}

static void put_point(writer *w, const hd_sv_point *p) {
  if (!p->spot.file || !p->shows || p->failed)
    return;
  hd_spot spot = p->spot;
  if (p->memory)
    hd_str_printf(w->out, "  # %s\n", p->memory);
  hd_str_puts(w->out, "  - segment:\n");
  if (p->input && find_bracket(&spot)) {
    hd_str text = {0};
    hd_str_printf(&text, "\\result == %s", p->value);
    put_waypoint(w, "function_return", p->thread, spot, p->function,
                 hd_str_text(&text));
    hd_str_free(&text);
  } else
    put_waypoint(w, "assumption", p->thread, spot, p->function, "1");
}

static const char *function_of(const hd_code *code, hd_edge_id edge) {
  return hd_code_func_name(code, hd_code_func_of(code, edge));
}

/* A race has two points in its last segment, one of each thread. */
static void put_target(writer *w, const hd_code *code, const hd_violation *v) {
  const hd_edge_id edges[] = {v->other_edge, v->edge};
  const hd_tid threads[] = {v->other, v->thread};
  hd_str_puts(w->out, "  - segment:\n");
  for (size_t i = v->other == HD_NO_ID; i < 2; i++) {
    hd_edge_id e = edges[i] < code->edges.size ? edges[i] : 0;
    hd_cpos pos = code->edges.data[e].pos;
    hd_spot spot = {
        .file = pos.file < code->files.size ? code->files.data[pos.file] : "",
        .line = pos.line ? pos.line : 1,
        .column = pos.column};
    put_waypoint(w, "target", threads[i] == HD_NO_ID ? 0 : threads[i], spot,
                 function_of(code, e), NULL);
  }
}

static void put_violation(hd_str *out, const hd_sv_witness *witness) {
  const hd_code_answer *answer = hd_sv_violation(witness);
  hd_sv_path path;
  hd_sv_path_init(&path, witness, answer);
  writer w = {.out = out, .threads = path.n_threads > 1};
  hd_str_puts(out, "- entry_type: \"violation_sequence\"\n");
  put_metadata(out, witness, w.threads ? "2.2" : "2.0");
  hd_str_puts(out, "  content:\n");
  /* The thread with the first access of a race stays there. */
  bool raced = false;
  for (hd_vec_each(const hd_sv_point, p, &path.points)) {
    bool other = p->thread == answer->violation.other;
    if (!raced || !other)
      put_point(&w, p);
    raced |= other && p->failed;
  }
  put_target(&w, witness->code, &answer->violation);
  hd_sv_path_free(&path);
}

static void put_correctness(hd_str *out, const hd_sv_witness *witness) {
  const hd_code *code = witness->code;
  size_t loops = 0;
  hd_str_puts(out, "- entry_type: \"invariant_set\"\n");
  put_metadata(out, witness, "2.0");
  hd_str_puts(out, "  content:");
  for (uint32_t i = 0; i < code->loops.size; i++) {
    const hd_loop *loop = &code->loops.data[i];
    if (!hd_sv_is_loop(code, loop))
      continue;
    hd_spot spot = {.file = code->files.data[loop->pos.file],
                    .line = loop->pos.line,
                    .column = loop->pos.column};
    hd_str value = {0};
    hd_sv_invariant(&value, witness, i);
    hd_str_puts(out, loops++ ? "" : "\n");
    hd_str_puts(out, "  - invariant:\n      type: \"loop_invariant\"\n");
    put_location(out, "      ", spot,
                 hd_code_func_name(code, code->locs.data[loop->head].func));
    hd_str_puts(out, "      value: ");
    put_string(out, hd_str_text(&value));
    hd_str_puts(out, "\n      format: \"c_expression\"\n");
    hd_str_free(&value);
  }
  hd_str_puts(out, loops ? "" : " []\n");
}

void hd_sv_witness_yaml(hd_str *out, const hd_sv_witness *witness) {
  if (hd_sv_witness_kind(witness) == HD_SV_VIOLATION)
    put_violation(out, witness);
  else
    put_correctness(out, witness);
}

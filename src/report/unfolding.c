/* SPDX-License-Identifier: MIT */
/* An unfolding as a graph for Graphviz: causality solid, direct conflict dotted,
 * cutoffs striped, one colour a thread. */
#include "report/unfolding.h"

#include "report/code_lines.h"

static const char *const colours[] = {"#d9d9d9", "#a6cee3", "#b2df8a",
                                      "#fdbf6f", "#cab2d6", "#fb9a99"};

/* Escapes for a quoted DOT string. */
static void put_text(hd_str *out, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      hd_str_puts(out, "\\");
    hd_str_append(out, text, 1);
  }
}

static void put_place(hd_str *out, const hd_code *code, hd_code_lines *lines,
                      hd_edge_id edge) {
  hd_cpos pos = code->edges.data[edge].pos;
  hd_str place = {0}, statement = {0};
  uint32_t start;
  hd_code_print_pos(&place, code, pos);
  if (hd_code_lines_statement(lines, pos, &statement, &start)) {
    put_text(out, hd_str_text(&statement));
    hd_str_puts(out, "\\n");
  }
  put_text(out, hd_str_text(&place));
  hd_str_free(&place);
  hd_str_free(&statement);
}

static void put_event(hd_str *out, const hd_code *code, hd_code_lines *lines,
                      uint32_t id, const hd_unfold_event *e) {
  const char *colour = colours[e->thread % (sizeof colours / sizeof *colours)];
  hd_str_printf(out, "  e%u [group=t%u, label=\"%u  ", id, e->thread, id);
  if (e->thread == 0)
    hd_str_puts(out, "main");
  else
    hd_str_printf(out, "thread %u", e->thread);
  if (e->func != HD_NO_ID) {
    hd_str_puts(out, "\\nstarts ");
    put_text(out, code->funcs.data[e->func].name);
  } else if (e->ends) {
    hd_str_puts(out, "\\nends");
  } else if (e->edge != HD_NO_ID) {
    hd_str_puts(out, "\\n");
    put_place(out, code, lines, e->edge);
  }
  hd_str_puts(out, "\", ");
  if (e->cutoff)
    hd_str_printf(out,
                  "style=striped, fillcolor=\"%s:white:%s:white:%s:white:%s\", "
                  "tooltip=\"cutoff\"];\n",
                  colour, colour, colour, colour);
  else
    hd_str_printf(out, "fillcolor=\"%s\"];\n", colour);
}

void hd_report_unfolding_dot(hd_str *out, const hd_code *code,
                             const hd_unfold_shape *shape) {
  hd_code_lines *lines = hd_code_lines_new(code);
  hd_str_puts(out, "digraph unfolding {\n"
                   "  node [shape=box, style=filled, fontname=\"Helvetica\", "
                   "fontsize=10];\n"
                   "  edge [arrowsize=0.6];\n");
  for (uint32_t i = 0; i < shape->size; i++)
    put_event(out, code, lines, i, &shape->data[i]);
  for (uint32_t i = 0; i < shape->size; i++) {
    for (hd_vec_each(const uint32_t, c, &shape->data[i].causes))
      hd_str_printf(out, "  e%u -> e%u;\n", *c, i);
    for (hd_vec_each(const uint32_t, c, &shape->data[i].conflicts))
      hd_str_printf(out,
                    "  e%u -> e%u [style=dotted, dir=none, color=red, "
                    "constraint=false, penwidth=1.5];\n",
                    *c, i);
  }
  hd_str_puts(out, "}\n");
  hd_code_lines_delete(lines);
}

/* SPDX-License-Identifier: MIT */
/* The graph of a Boolean program for Graphviz. */
#include "report/report.h"

#include "report/describe.h"

static void put_text(hd_str *out, const char *text) {
  hd_str cut = {0};
  hd_describe_shortened(&cut, text, 48);
  for (const char *c = hd_str_text(&cut); *c; c++) {
    if (*c == '"' || *c == '\\')
      hd_str_puts(out, "\\");
    hd_str_append(out, (unsigned char)*c < 32 ? " " : c, 1);
  }
  hd_str_free(&cut);
}

static void put_location(hd_str *out, const hd_program *program,
                         hd_loc_id loc) {
  const hd_loc *l = &program->locs.data[loc];
  hd_str_printf(out, "  l%u [label=\"", loc);
  if (l->label)
    put_text(out, l->label);
  else if (l->origin.line)
    hd_str_printf(out, "%u", l->origin.line);
  hd_str_puts(out, loc == program->entry ? "\", style=bold];\n" : "\"];\n");
}

/* Assertions are red, threads that are started dashed. */
static void put_edge(hd_str *out, const hd_program *program, hd_edge_id e) {
  const hd_edge *edge = &program->edges.data[e];
  hd_str text = {0};
  if (edge->text)
    hd_str_puts(&text, edge->text);
  else
    hd_program_print_edge(&text, program, e);
  hd_str_printf(out, "  l%u -> l%u [label=\"", edge->from, edge->to);
  put_text(out, hd_str_text(&text));
  hd_str_puts(out, edge->act == HD_ACT_ASSERT ? "\", color=red];\n" : "\"];\n");
  if (edge->act == HD_ACT_SPAWN)
    hd_str_printf(out, "  l%u -> l%u [style=dashed];\n", edge->from,
                  edge->other);
  hd_str_free(&text);
}

void hd_report_program_dot(hd_str *out, const hd_program *program) {
  hd_str_puts(out, "digraph program {\n"
                   "  node [shape=circle, fontname=\"Helvetica\", "
                   "fontsize=10];\n"
                   "  edge [arrowsize=0.6, fontname=\"Helvetica\", "
                   "fontsize=9];\n");
  for (hd_loc_id l = 0; l < program->locs.size; l++)
    put_location(out, program, l);
  for (hd_edge_id e = 0; e < program->edges.size; e++)
    put_edge(out, program, e);
  hd_str_puts(out, "}\n");
}

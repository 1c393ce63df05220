/* SPDX-License-Identifier: MIT */
/* The graph of a C program for Graphviz: a cluster a function, a node a location,
 * an edge an action with its statement. */
#include "report/code.h"

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

static void put_location(hd_str *out, const hd_code *code, hd_loc_id loc,
                         const hd_func *func) {
  const hd_cloc *l = &code->locs.data[loc];
  hd_str_printf(out, "    l%u [label=\"", loc);
  if (l->pos.line)
    hd_str_printf(out, "%u", l->pos.line);
  hd_str_puts(out, loc == func->entry    ? "\", style=bold];\n"
                   : l->loop != HD_NO_ID ? "\", shape=doublecircle];\n"
                                         : "\"];\n");
}

void hd_report_code_dot(hd_str *out, const hd_code *code) {
  hd_report_code_part_dot(out, code, NULL);
}

void hd_report_code_part_dot(hd_str *out, const hd_code *code,
                             const bool *wanted) {
  hd_str_puts(out, "digraph code {\n"
                   "  node [shape=circle, fontname=\"Helvetica\", "
                   "fontsize=10];\n"
                   "  edge [arrowsize=0.6, fontname=\"Helvetica\", "
                   "fontsize=9];\n");
  for (size_t f = 0; f < code->funcs.size; f++) {
    const hd_func *func = &code->funcs.data[f];
    if (!func->defined || (wanted && !wanted[f]))
      continue;
    hd_str_printf(out, "  subgraph cluster_%zu {\n    label=\"", f);
    put_text(out, func->cname ? func->cname : func->name);
    hd_str_puts(out, "\";\n");
    for (uint32_t i = 0; i < func->n_locs; i++)
      put_location(out, code, func->locs + i, func);
    hd_str_puts(out, "  }\n");
  }
  for (hd_edge_id e = 0; e < code->edges.size; e++) {
    const hd_cedge *edge = &code->edges.data[e];
    if (edge->act == HD_CODE_RETURN || edge->act == HD_CODE_UNREACHABLE ||
        edge->to >= code->locs.size ||
        (wanted && !wanted[code->locs.data[edge->from].func]))
      continue;
    hd_str text = {0};
    hd_code_print_edge(&text, code, e);
    hd_str_printf(out, "  l%u -> l%u [label=\"", edge->from, edge->to);
    put_text(out, hd_str_text(&text));
    hd_str_puts(out, "\"];\n");
    hd_str_free(&text);
  }
  hd_str_puts(out, "}\n");
}

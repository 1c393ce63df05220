/* SPDX-License-Identifier: MIT */
#include "report/code_reads.h"

#include "report/code_rows.h"

#include <string.h>

bool hd_exec_shown(const hd_execution *x, hd_exec_id id) {
  const hd_exec_event *e = &x->events.data[id];
  return e->place != HD_NO_ID &&
         (e->order != HD_ORDER_NONE ||
          (e->kind == HD_EXEC_READ && e->valued)); /* the turn says what */
}

static size_t position(const hd_exec_place *place, hd_exec_id write) {
  for (size_t i = 0; i < place->order.size; i++)
    if (place->order.data[i] == write)
      return i + 1;
  return 0;
}

hd_exec_id hd_exec_overlooks(const hd_execution *x, hd_exec_id id) {
  const hd_exec_event *e = &x->events.data[id];
  if (!hd_exec_shown(x, id) || e->kind == HD_EXEC_UPDATE)
    return HD_NO_ID;
  const hd_exec_place *place = &x->places.data[e->place];
  bool reads = hd_exec_reads(e);
  for (size_t i = reads && e->from == HD_NO_ID
                      ? 0
                      : position(place, reads ? e->from : id);
       i < place->order.size; i++)
    if (place->order.data[i] < id)
      return place->order.data[i];
  return HD_NO_ID;
}

static void print_value(hd_str *out, const hd_exec_place *place,
                        uint64_t value) {
  unsigned unused = 64 - 8 * (unsigned)(place->size < 8 ? place->size : 8);
  hd_str_printf(out, "%lld", (long long)((int64_t)(value << unused) >> unused));
}

static void print_line(hd_str *out, const hd_code *code,
                       const hd_exec_event *of, const hd_exec_event *from) {
  hd_cpos pos = code->edges.data[of->edge].pos;
  if (from->edge < code->edges.size &&
      code->edges.data[from->edge].pos.file == pos.file)
    hd_str_printf(out, "line %u", pos.line);
  else
    hd_code_where(out, code, pos);
}

/* "x": what was allocated where is too long for this. */
static void print_name(hd_str *out, const hd_exec_place *place) {
  const char *name = place->name ? place->name : "?";
  const char *tail = strstr(name, " (allocated at ");
  hd_str_append(out, name, tail ? (size_t)(tail - name) : strlen(name));
}

void hd_exec_describe(hd_str *out, const hd_code *code, const hd_execution *x,
                      hd_exec_id id) {
  const hd_exec_event *e = &x->events.data[id];
  if (!hd_exec_shown(x, id))
    return;
  const hd_exec_place *place = &x->places.data[e->place];
  hd_exec_id over = hd_exec_overlooks(x, id);
  if (hd_exec_reads(e)) {
    hd_str_puts(out, over == HD_NO_ID ? "reads " : "reads the old ");
    print_value(out, place, e->read);
    hd_str_puts(out, " of ");
    print_name(out, place);
    if (e->from != HD_NO_ID &&
        x->events.data[e->from].edge < code->edges.size) {
      hd_str_puts(out, ", from ");
      print_line(out, code, &x->events.data[e->from], e);
    }
    if (over == HD_NO_ID)
      return;
    hd_str_puts(out, ": nothing orders it after ");
    print_line(out, code, &x->events.data[over], e);
  } else if (over != HD_NO_ID) {
    hd_str_puts(out, "goes before the ");
    print_value(out, place, x->events.data[over].written);
    hd_str_puts(out, " of ");
    print_line(out, code, &x->events.data[over], e);
    hd_str_puts(out, " in the order of ");
    print_name(out, place);
    hd_str_puts(out, ": nothing orders it after that");
  }
}

/* --- JSON --- */

static void write_id(hd_json *json, const char *key, hd_exec_id id) {
  if (id != HD_NO_ID)
    hd_json_number(json, key, id);
}

static void write_event(hd_json *json, const hd_code_trace *trace,
                        hd_exec_id id) {
  const hd_execution *x = trace->execution;
  const hd_exec_event *e = &x->events.data[id];
  hd_str why = {0}, value = {0};
  hd_json_object(json, NULL);
  hd_json_number(json, "id", id);
  hd_json_number(json, "thread", e->thread);
  hd_json_number(json, "move", e->turn);
  hd_json_string(json, "kind", hd_exec_kind_name((hd_exec_kind)e->kind));
  if (e->kind != HD_EXEC_SYNC)
    hd_json_string(json, "memory_order", hd_order_name((hd_order)e->order));
  write_id(json, "place", e->place);
  if (hd_exec_reads(e)) {
    hd_json_bool(json, "initial", e->from == HD_NO_ID);
    write_id(json, "from", e->from);
  }
  if (hd_exec_reads(e) && e->valued) {
    print_value(&value, &x->places.data[e->place], e->read);
    hd_json_string(json, "read", hd_str_text(&value));
  }
  if (hd_exec_writes(e) && e->valued) {
    hd_vec_clear(&value);
    print_value(&value, &x->places.data[e->place], e->written);
    hd_json_string(json, "written", hd_str_text(&value));
  }
  if (e->edge < trace->code->edges.size)
    hd_json_number(json, "line", trace->code->edges.data[e->edge].pos.line);
  hd_exec_id over = hd_exec_overlooks(x, id);
  write_id(json, "before", over);
  if (over != HD_NO_ID) {
    hd_exec_describe(&why, trace->code, x, id);
    hd_json_string(json, "why", hd_str_text(&why));
  }
  hd_json_end_object(json);
  hd_str_free(&why);
  hd_str_free(&value);
}

void hd_exec_json(hd_json *json, const hd_code_trace *trace) {
  const hd_execution *x = trace->execution;
  if (!x)
    return;
  hd_json_object(json, "execution");
  hd_json_array(json, "events");
  for (hd_exec_id i = 0; i < x->events.size; i++)
    write_event(json, trace, i);
  hd_json_end_array(json);
  hd_json_array(json, "places");
  for (hd_vec_each(const hd_exec_place, p, &x->places)) {
    hd_json_object(json, NULL);
    hd_json_string(json, "name", p->name);
    hd_json_number(json, "size", (double)p->size);
    hd_json_array(json, "order");
    for (size_t i = 0; i < p->order.size; i++)
      hd_json_number(json, NULL, p->order.data[i]);
    hd_json_end_array(json);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
  hd_json_array(json, "synchronises");
  for (hd_vec_each(const hd_exec_edge, e, &x->edges)) {
    hd_json_object(json, NULL);
    hd_json_string(json, "kind", hd_exec_edge_name((hd_exec_edge_kind)e->kind));
    hd_json_number(json, "from", e->from);
    hd_json_number(json, "to", e->to);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
  hd_json_end_object(json);
}

/* --- DOT --- */

static void print_quoted(hd_str *out, const char *text) {
  for (; *text; text++)
    if (*text == '\n')
      hd_str_puts(out, "\\n");
    else
      hd_str_printf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void print_label(hd_str *out, const hd_code_trace *trace,
                        hd_exec_id id) {
  static const char *const letters[] = {[HD_EXEC_READ] = "R",
                                        [HD_EXEC_WRITE] = "W",
                                        [HD_EXEC_UPDATE] = "U",
                                        [HD_EXEC_FENCE] = "F",
                                        [HD_EXEC_SYNC] = "sync"};
  const hd_execution *x = trace->execution;
  const hd_exec_event *e = &x->events.data[id];
  hd_str text = {0};
  /* what is there already is written, too, but makes no order */
  hd_str_puts(
      &text,
      letters[e->stores && e->kind == HD_EXEC_READ ? HD_EXEC_WRITE : e->kind]);
  if (e->place != HD_NO_ID) {
    const hd_exec_place *p = &x->places.data[e->place];
    hd_str_puts(&text, " ");
    print_name(&text, p);
    if (hd_exec_reads(e) && e->valued) {
      hd_str_puts(&text, " = ");
      print_value(&text, p, e->read);
    }
    if (hd_exec_writes(e) && e->valued) {
      hd_str_puts(&text, e->kind == HD_EXEC_UPDATE ? " → " : " := ");
      print_value(&text, p, e->written);
    }
  }
  if (e->kind != HD_EXEC_SYNC)
    hd_str_printf(&text, " %s",
                  e->order == HD_ORDER_NONE
                      ? "plain"
                      : hd_order_name((hd_order)e->order));
  print_quoted(out, hd_str_text(&text));
  if (e->edge < trace->code->edges.size &&
      trace->code->edges.data[e->edge].pos.line) {
    hd_str_puts(out, "\\n");
    hd_code_where(out, trace->code, trace->code->edges.data[e->edge].pos);
  }
  hd_str_free(&text);
}

static void draw_thread(hd_str *out, const hd_code_trace *trace, hd_tid thread,
                        const char *name) {
  const hd_execution *x = trace->execution;
  hd_exec_id last = HD_NO_ID;
  hd_str_printf(out, "  subgraph cluster%u {\n    label=\"", thread);
  print_quoted(out, name);
  hd_str_puts(out, "\"; color=\"#9aa5af\";\n");
  for (hd_exec_id i = 0; i < x->events.size; i++) {
    if (x->events.data[i].thread != thread)
      continue;
    hd_str_printf(out, "    e%u [label=\"", i);
    print_label(out, trace, i);
    hd_str_printf(out, "\"%s];\n",
                  hd_exec_overlooks(x, i) != HD_NO_ID ? ", color=\"#c62828\""
                                                      : "");
    if (last != HD_NO_ID)
      hd_str_printf(out, "    e%u -> e%u [weight=9];\n", last, i);
    last = i;
  }
  hd_str_puts(out, "  }\n");
}

static void draw_edge(hd_str *out, hd_exec_id from, hd_exec_id to,
                      const char *label, const char *color, const char *style) {
  hd_str_printf(out,
                "  e%u -> e%u [label=\"%s\", color=\"%s\", fontcolor=\"%s\", "
                "style=%s, constraint=false];\n",
                from, to, label, color, color, style);
}

/* The first write that a read comes before. */
static hd_exec_id next_write(const hd_execution *x, hd_exec_id id) {
  const hd_exec_event *e = &x->events.data[id];
  if (e->kind != HD_EXEC_READ)
    return HD_NO_ID;
  const hd_exec_place *place = &x->places.data[e->place];
  size_t at = e->from == HD_NO_ID ? 0 : position(place, e->from);
  return at < place->order.size ? place->order.data[at] : HD_NO_ID;
}

static void draw_edges(hd_str *out, const hd_execution *x) {
  for (hd_exec_id i = 0; i < x->events.size; i++) {
    const hd_exec_event *e = &x->events.data[i];
    if (hd_exec_reads(e) && e->from != HD_NO_ID)
      draw_edge(out, e->from, i, "rf", "#2e7d32", "solid");
    hd_exec_id next = next_write(x, i);
    if (next != HD_NO_ID && x->events.data[next].thread != e->thread)
      draw_edge(out, i, next, "rb", "#c62828", "dashed");
  }
  for (hd_vec_each(const hd_exec_place, p, &x->places))
    for (size_t i = 1; i < p->order.size; i++)
      draw_edge(out, p->order.data[i - 1], p->order.data[i], "mo", "#a8642a",
                "dotted");
  for (hd_vec_each(const hd_exec_edge, e, &x->edges))
    draw_edge(out, e->from, e->to,
              hd_exec_edge_name((hd_exec_edge_kind)e->kind), "#2563a8",
              "solid");
}

void hd_exec_dot(hd_str *out, const hd_code_trace *trace, const char *title) {
  const hd_execution *x = trace->execution;
  hd_code_rows *rows = hd_code_rows_new(trace, NULL);
  hd_str_puts(out, "digraph execution {\n  label=\"");
  print_quoted(out, title);
  hd_str_puts(out, "\"; labelloc=t; fontname=\"monospace\";\n"
                   "  node [shape=box, fontname=\"monospace\", fontsize=11];\n"
                   "  edge [fontname=\"monospace\", fontsize=10];\n");
  if (!x)
    hd_str_puts(out,
                "  no [label=\"every read reads the newest write: the run is "
                "an interleaving\"];\n");
  for (hd_tid t = 0; x && t < x->n_threads; t++)
    draw_thread(out, trace, t,
                t < rows->threads.size ? rows->threads.data[t] : "?");
  if (x)
    draw_edges(out, x);
  hd_str_puts(out, "}\n");
  hd_code_rows_delete(rows);
}

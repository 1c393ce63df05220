/* SPDX-License-Identifier: MIT */
/* Witnesses in GraphML: an automaton whose edges are the points of the run. */
#include "report/witness.h"

#include "report/code_rows.h"
#include "report/markup.h"

#include <string.h>

/* Every loop's node has an edge to every other. */
enum { MAX_LOOPS = 30 };

static const struct {
  const char *key, *type, *about, *fallback;
} keys[] = {
    {"witness-type", "string", "graph", NULL},
    {"sourcecodelang", "string", "graph", NULL},
    {"producer", "string", "graph", NULL},
    {"specification", "string", "graph", NULL},
    {"programfile", "string", "graph", NULL},
    {"programhash", "string", "graph", NULL},
    {"architecture", "string", "graph", NULL},
    {"creationtime", "string", "graph", NULL},
    {"entry", "boolean", "node", "false"},
    {"violation", "boolean", "node", "false"},
    {"invariant", "string", "node", NULL},
    {"invariant.scope", "string", "node", NULL},
    {"enterLoopHead", "boolean", "edge", "false"},
    {"assumption", "string", "edge", NULL},
    {"assumption.scope", "string", "edge", NULL},
    {"assumption.resultfunction", "string", "edge", NULL},
    {"startline", "int", "edge", NULL},
    {"threadId", "string", "edge", NULL},
    {"createThread", "string", "edge", NULL},
    {"enterFunction", "string", "edge", NULL},
    {"returnFromFunction", "string", "edge", NULL},
};

static void put_keys(hd_str *out) {
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    hd_str_printf(out,
                  " <key id=\"%s\" attr.name=\"%s\" attr.type=\"%s\" "
                  "for=\"%s\"",
                  keys[i].key, keys[i].key, keys[i].type, keys[i].about);
    if (keys[i].fallback)
      hd_str_printf(out, ">\n  <default>%s</default>\n </key>\n",
                    keys[i].fallback);
    else
      hd_str_puts(out, "/>\n");
  }
}

static void put_data(hd_str *out, const char *key, const char *value) {
  if (!value)
    return;
  hd_str_printf(out, "   <data key=\"%s\">", key);
  hd_markup_text(out, value);
  hd_str_puts(out, "</data>\n");
}

static void put_number(hd_str *out, const char *key, uint32_t value) {
  hd_str_printf(out, "   <data key=\"%s\">%u</data>\n", key, value);
}

static void put_head(hd_str *out, const hd_sv_witness *witness,
                     const char *type) {
  char hash[65], time[32];
  hd_str specification = {0};
  hd_sv_specification(&specification, witness);
  hd_sv_hash(witness->files[0], hash);
  hd_sv_time(time);
  put_data(out, "witness-type", type);
  put_data(out, "sourcecodelang", "C");
  put_data(out, "producer", "heddle " HD_VERSION);
  put_data(out, "specification", hd_str_text(&specification));
  put_data(out, "programfile", witness->files[0]);
  put_data(out, "programhash", hash);
  put_data(out, "architecture",
           witness->code->pointer_width == 32 ? "32bit" : "64bit");
  put_data(out, "creationtime", time);
  hd_str_free(&specification);
}

static void put_node(hd_str *out, size_t number, bool entry, bool violation) {
  hd_str_printf(out, "  <node id=\"N%zu\">\n", number);
  if (entry)
    put_data(out, "entry", "true");
  if (violation)
    put_data(out, "violation", "true");
  hd_str_puts(out, "  </node>\n");
}

/* There are no two hyphens in a comment. */
static void put_comment(hd_str *out, const char *text) {
  hd_str_puts(out, "  <!-- ");
  for (; *text; text++)
    hd_str_printf(out, text[0] == '-' && text[1] == '-' ? "- " : "%c", *text);
  hd_str_puts(out, " -->\n");
}

static void put_edge(hd_str *out, size_t number, const hd_sv_point *p) {
  if (p->memory)
    put_comment(out, p->memory);
  hd_str_printf(out, "  <edge source=\"N%zu\" target=\"N%zu\">\n", number,
                number + 1);
  if (p->spot.line)
    put_number(out, "startline", p->spot.line);
  put_number(out, "threadId", p->thread);
  if (p->creates != HD_NO_ID)
    put_number(out, "createThread", p->creates);
  put_data(out, "enterFunction", p->enters);
  put_data(out, "returnFromFunction", p->returns);
  if (p->input) {
    hd_str text = {0};
    hd_str_printf(&text, "\\result == %s", p->value);
    put_data(out, "assumption", hd_str_text(&text));
    put_data(out, "assumption.scope", p->function);
    put_data(out, "assumption.resultfunction", p->input);
    hd_str_free(&text);
  }
  hd_str_puts(out, "  </edge>\n");
}

/* The main thread is created by the edge that enters main. */
static void put_path(hd_str *out, const hd_sv_witness *witness) {
  hd_sv_path path;
  hd_sv_path_init(&path, witness, hd_sv_violation(witness));
  size_t n = path.points.size;
  for (size_t i = 0; i <= n; i++)
    put_node(out, i, i == 0, i == n);
  for (size_t i = 0; i < n; i++) {
    hd_sv_point point = path.points.data[i];
    if (i == 0)
      point.creates = point.thread;
    put_edge(out, i, &point);
  }
  hd_sv_path_free(&path);
}

/* One node a loop that something is known of; at its head, whichever loop was
 * before, the automaton goes there. */
static void put_invariants(hd_str *out, const hd_sv_witness *witness) {
  const hd_code *code = witness->code;
  hd_u32s loops = {0};
  put_node(out, 0, true, false);
  for (uint32_t i = 0; i < code->loops.size && loops.size < MAX_LOOPS; i++) {
    hd_str value = {0};
    hd_sv_invariant(&value, witness, i);
    if (strcmp(hd_str_text(&value), "1") &&
        hd_sv_is_loop(code, &code->loops.data[i])) {
      hd_vec_push(&loops, i);
      hd_loc_id head = code->loops.data[i].head;
      hd_str_printf(out, "  <node id=\"N%zu\">\n", loops.size);
      put_data(out, "invariant", hd_str_text(&value));
      put_data(out, "invariant.scope",
               hd_code_func_name(code, code->locs.data[head].func));
      hd_str_puts(out, "  </node>\n");
    }
    hd_str_free(&value);
  }
  for (size_t from = 0; from <= loops.size; from++)
    for (size_t to = 1; to <= loops.size; to++) {
      if (from == to)
        continue; /* it stays there */
      hd_str_printf(out, "  <edge source=\"N%zu\" target=\"N%zu\">\n", from,
                    to);
      put_number(out, "startline",
                 code->loops.data[loops.data[to - 1]].pos.line);
      put_data(out, "enterLoopHead", "true");
      hd_str_puts(out, "  </edge>\n");
    }
  hd_vec_free(&loops);
}

void hd_sv_witness_graphml(hd_str *out, const hd_sv_witness *witness) {
  bool violation = hd_sv_witness_kind(witness) == HD_SV_VIOLATION;
  hd_str_puts(out,
              "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
              "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
              "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
  put_keys(out);
  hd_str_puts(out, " <graph edgedefault=\"directed\">\n");
  put_head(out, witness,
           violation ? "violation_witness" : "correctness_witness");
  if (violation)
    put_path(out, witness);
  else
    put_invariants(out, witness);
  hd_str_puts(out, " </graph>\n</graphml>\n");
}

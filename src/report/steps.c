/* SPDX-License-Identifier: MIT */
/* The table of a witness's steps. Steps that fire one transition several times
 * in a row share a line; of very many lines the middle is left out. */
#include "report/report.h"

#include "report/describe.h"
#include "report/trace.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = 25, TAIL = 15, CONFIG_WIDTH = 44, TRANS_WIDTH = 60 };
/* So many equal steps share a line. */
enum { SHARED = 4 };

typedef struct {
  size_t first, last; /* steps, counted from 1; 0 is the initial state */
  char *config, *who, *trans;
  uint32_t line;
} row;

typedef hd_vec(row) rows;

/* How many steps from `at` on fire the same transition without a choice. */
static size_t run_length(const hd_witness *witness, size_t at) {
  const hd_step *steps = witness->steps.data;
  size_t end = at + 1;
  while (end < witness->steps.size && steps[end].trans == steps[at].trans &&
         !steps[end].choices.size)
    end++;
  return steps[at].choices.size ? 1 : end - at;
}

static rows group_steps(const hd_witness *witness) {
  rows list = {0};
  hd_vec_push(&list, (row){0});
  for (size_t i = 0; i < witness->steps.size;) {
    size_t n = run_length(witness, i);
    if (n < SHARED)
      n = 1;
    hd_vec_push(&list, ((row){.first = i + 1, .last = i + n}));
    i += n;
  }
  return list;
}

static char *shorten(hd_str *text, size_t most) {
  hd_str cut = {0};
  if (most)
    hd_describe_shortened(&cut, hd_str_text(text), most);
  else
    hd_str_puts(&cut, hd_str_text(text));
  hd_str_free(text);
  return hd_str_take(&cut);
}

static void fill_row(row *r, const hd_net *net, const hd_witness *witness,
                     hd_trace *trace, bool all) {
  hd_str text = {0};
  hd_net_print_config(&text, net, hd_trace_shared(trace),
                      hd_trace_tokens(trace));
  r->config = shorten(&text, all ? 0 : CONFIG_WIDTH);
  if (!r->first)
    return;
  hd_trans_id t = witness->steps.data[r->first - 1].trans;
  hd_net_print_trans(&text, net, t);
  r->trans = shorten(&text, all ? 0 : TRANS_WIDTH);
  r->line = net->trans.data[t].line;
  if (r->first < r->last)
    hd_str_printf(&text, "%zu times", r->last - r->first + 1);
  else if (hd_trace_thread(trace))
    hd_str_printf(&text, "%u", hd_trace_thread(trace));
  r->who = hd_str_take(&text);
}

/* The trace is walked once; only the rows that are shown get texts. */
static void fill(rows *list, const hd_net *net, const hd_witness *witness,
                 size_t head, size_t tail, bool all) {
  hd_trace *trace = hd_trace_new(net, witness);
  for (size_t i = 0; i < list->size; i++) {
    row *r = &list->data[i];
    while (hd_trace_step(trace) < r->last)
      if (!hd_trace_next(trace)) {
        hd_trace_delete(trace);
        return;
      }
    if (i < head || i >= list->size - tail)
      fill_row(r, net, witness, trace, all);
  }
  hd_trace_delete(trace);
}

typedef struct {
  size_t step, config, who, trans;
} widths;

static void widen(size_t *width, const char *text) {
  size_t n = text ? strlen(text) : 0;
  if (n > *width)
    *width = n;
}

static void print_step(char *text, size_t room, const row *r) {
  if (r->first == r->last)
    snprintf(text, room, "%zu", r->first);
  else
    snprintf(text, room, "%zu-%zu", r->first, r->last);
}

static widths measure(const rows *list, const hd_net *net) {
  widths w = {.step = 4, .config = strlen("configuration"), .trans = 4};
  w.who = net->format == HD_FORMAT_TTS ? strlen("thread") : 0;
  for (hd_vec_each(const row, r, list)) {
    char step[48];
    print_step(step, sizeof step, r);
    widen(&w.step, step);
    widen(&w.config, r->config);
    widen(&w.who, r->who);
    widen(&w.trans, r->trans);
  }
  return w;
}

static void print_line(hd_str *out, const widths *w, const char *step,
                       const char *config, const char *who, const char *trans,
                       const char *line) {
  hd_str_printf(out, "  %*s  %-*s", (int)w->step, step, (int)w->config, config);
  if (w->who)
    hd_str_printf(out, "  %-*s", (int)w->who, who);
  hd_str_printf(out, "  %-*s  %4s", (int)w->trans, trans, line);
  while (out->size && out->data[out->size - 1] == ' ')
    out->data[--out->size] = 0;
  hd_str_puts(out, "\n");
}

static void print_row(hd_str *out, const widths *w, const row *r) {
  char step[48], line[16] = "";
  print_step(step, sizeof step, r);
  if (r->line)
    snprintf(line, sizeof line, "%u", r->line);
  print_line(out, w, step, r->config ? r->config : "?", r->who ? r->who : "",
             r->trans ? r->trans : "", line);
}

void hd_report_steps(hd_str *out, const hd_net *net, const hd_witness *witness,
                     bool all) {
  rows list = group_steps(witness);
  size_t head = list.size, tail = 0;
  if (!all && list.size > HEAD + TAIL + 5) {
    head = HEAD;
    tail = TAIL;
  }
  fill(&list, net, witness, head, tail, all);
  widths w = measure(&list, net);
  print_line(out, &w, "step", "configuration",
             net->format == HD_FORMAT_TTS ? "thread" : "",
             hd_describe_trans_noun(net), "line");
  for (size_t i = 0; i < list.size; i++) {
    if (i == head && tail) {
      size_t left_out = list.size - head - tail;
      hd_str_puts(out, "  ... ");
      hd_describe_counted(out, left_out, "line", "s");
      hd_str_puts(out, " not shown: --explain prints, --witness=FILE writes "
                       "them all ...\n");
      i = list.size - tail;
    }
    print_row(out, &w, &list.data[i]);
  }
  for (hd_vec_each(row, r, &list)) {
    hd_free(r->config);
    hd_free(r->who);
    hd_free(r->trans);
  }
  hd_vec_free(&list);
}

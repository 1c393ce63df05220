/* SPDX-License-Identifier: MIT */
#include "report/cutoff.h"

#include "report/describe.h"
#include "report/document.h"
#include "report/json.h"
#include "report/markup.h"
#include "report/report.h"

enum { SHOWN = 10 };

static uint32_t most_threads(const hd_cutoff *cutoff) {
  uint32_t most = 0;
  for (hd_vec_each(const hd_cutoff_state, s, &cutoff->states))
    if (s->threads > most)
      most = s->threads;
  return most;
}

static void print_state(hd_str *out, const hd_net *net,
                        const hd_cutoff_state *s) {
  hd_token token = {.place = s->place, .count = 1};
  hd_net_print_config(out, net, s->shared,
                      (hd_tokens){.data = &token, .size = 1});
}

/* How many thread states need exactly n threads, and the first few of those
 * that need most: the interesting ones. */
static void print_needs(hd_str *out, const hd_net *net,
                        const hd_cutoff *cutoff) {
  uint32_t most = most_threads(cutoff);
  if (!most)
    return;
  hd_str_printf(out, "\nIt takes %u thread%s to reach", most,
                most == 1 ? "" : "s");
  size_t shown = 0, all = 0;
  for (hd_vec_each(const hd_cutoff_state, s, &cutoff->states)) {
    if (s->threads != most || all++ >= SHOWN)
      continue;
    hd_str_puts(out, shown++ ? ", " : " ");
    print_state(out, net, s);
  }
  if (all > shown)
    hd_str_printf(out, " and %zu more", all - shown);
  hd_str_puts(out, ".\n");
}

static void print_table(hd_str *out, const hd_cutoff *cutoff) {
  hd_str_printf(out, "\n  %7s  %13s  %14s  %8s\n", "threads", "thread states",
                "configurations", "seconds");
  for (hd_vec_each(const hd_cutoff_row, row, &cutoff->rows))
    hd_str_printf(out, "  %7u  %13llu  %14llu  %8.3f\n", row->threads,
                  (unsigned long long)row->states,
                  (unsigned long long)row->configs, row->seconds);
  hd_str_printf(out, "  %7s  %13zu  %14s  %8.3f\n", "any", cutoff->states.size,
                "km", cutoff->km_seconds);
}

void hd_report_cutoff_text(hd_str *out, const hd_net *net,
                           const hd_cutoff *cutoff, bool quiet) {
  if (!quiet) {
    hd_report_model_head(out, net);
    print_table(out, cutoff);
    print_needs(out, net, cutoff);
    if (cutoff->uniform)
      hd_str_printf(out,
                    "With %u thread%s every thread state is also reached in as "
                    "few steps as with any number (uniform cutoff).\n",
                    cutoff->uniform, cutoff->uniform == 1 ? "" : "s");
    else if (cutoff->reason)
      hd_str_printf(out, "Note: %s.\n", cutoff->reason);
  }
  if (cutoff->reachability)
    hd_str_printf(out, "cutoff: %u\n", cutoff->reachability);
  else
    hd_str_printf(out, "cutoff: unknown (%s)\n",
                  cutoff->reason ? cutoff->reason
                                 : "more threads than --max-threads");
}

void hd_report_cutoff_json(hd_str *out, const hd_net *net,
                           const hd_cutoff *cutoff, int exit_code) {
  hd_json json = hd_json_start(out);
  hd_json_object(&json, NULL);
  hd_document_head(&json, "cutoff", net);
  hd_json_number(&json, "exit_code", exit_code);
  hd_json_array(&json, "rows");
  for (hd_vec_each(const hd_cutoff_row, row, &cutoff->rows)) {
    hd_json_object(&json, NULL);
    hd_json_number(&json, "threads", row->threads);
    hd_json_number(&json, "thread_states", (double)row->states);
    hd_json_number(&json, "configurations", (double)row->configs);
    hd_json_fixed(&json, "seconds", row->seconds, 6);
    hd_json_end_object(&json);
  }
  hd_json_end_array(&json);
  if (cutoff->states.size || cutoff->rows.size)
    hd_json_number(&json, "reachable_thread_states",
                   (double)cutoff->states.size);
  else
    hd_json_string(&json, "reachable_thread_states", NULL);
  hd_json_fixed(&json, "km_seconds", cutoff->km_seconds, 6);
  if (cutoff->reachability)
    hd_json_number(&json, "cutoff", cutoff->reachability);
  else
    hd_json_string(&json, "cutoff", NULL);
  if (cutoff->uniform)
    hd_json_number(&json, "uniform_cutoff", cutoff->uniform);
  else
    hd_json_string(&json, "uniform_cutoff", NULL);
  hd_json_string(&json, "reason", cutoff->reason);
  hd_json_array(&json, "thread_states");
  for (hd_vec_each(const hd_cutoff_state, s, &cutoff->states)) {
    hd_str name = {0};
    print_state(&name, net, s);
    hd_json_object(&json, NULL);
    hd_json_string(&json, "state", hd_str_text(&name));
    if (s->threads)
      hd_json_number(&json, "threads", s->threads);
    if (s->steps != UINT32_MAX)
      hd_json_number(&json, "steps", s->steps);
    hd_json_end_object(&json);
    hd_str_free(&name);
  }
  hd_json_end_array(&json);
  hd_json_end_object(&json);
  hd_json_finish(&json);
}

/* --- the drawing: bars for R_n, a line for R --- */

enum { WIDTH = 640, HEIGHT = 360, LEFT = 70, RIGHT = 20, TOP = 50, FOOT = 60 };

static void draw_bars(hd_str *out, const hd_cutoff *cutoff, double scale) {
  size_t n = cutoff->rows.size;
  double step = (double)(WIDTH - LEFT - RIGHT) / (double)(n ? n : 1);
  for (size_t i = 0; i < n; i++) {
    const hd_cutoff_row *row = &cutoff->rows.data[i];
    double height = (double)row->states * scale;
    double x = LEFT + step * ((double)i + 0.15), y = HEIGHT - FOOT - height;
    bool meets = row->threads == cutoff->reachability;
    hd_str_printf(out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                  "fill=\"%s\"/>\n",
                  x, y, step * 0.7, height, meets ? "#2a7d4f" : "#5b8db8");
    hd_str_printf(out,
                  "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%llu"
                  "</text>\n",
                  x + step * 0.35, y - 6, (unsigned long long)row->states);
    hd_str_printf(out,
                  "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%u"
                  "</text>\n",
                  x + step * 0.35, HEIGHT - FOOT + 18, row->threads);
  }
}

void hd_report_cutoff_svg(hd_str *out, const hd_net *net,
                          const hd_cutoff *cutoff) {
  double most = cutoff->states.size ? (double)cutoff->states.size : 1;
  double scale = (HEIGHT - TOP - FOOT) / (most * 1.15);
  double level = HEIGHT - FOOT - most * scale;
  hd_str_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                "height=\"%d\" viewBox=\"0 0 %d %d\" "
                "font-family=\"sans-serif\" font-size=\"12\">\n"
                "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
  hd_str_puts(out, "<text x=\"20\" y=\"24\" font-size=\"14\">");
  hd_markup_text(out, net->file);
  if (cutoff->reachability)
    hd_str_printf(out, ": cutoff %u", cutoff->reachability);
  hd_str_puts(out, "</text>\n");
  draw_bars(out, cutoff, scale);
  hd_str_printf(out,
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" "
                "stroke=\"#333333\"/>\n",
                LEFT, HEIGHT - FOOT, WIDTH - RIGHT, HEIGHT - FOOT);
  hd_str_printf(out,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
                "stroke=\"#b03030\" stroke-dasharray=\"6 4\"/>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" "
                "fill=\"#b03030\">%zu</text>\n",
                LEFT, level, WIDTH - RIGHT, level, LEFT - 8, level + 4,
                cutoff->states.size);
  hd_str_printf(out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">number of "
                "threads; bars: thread states reachable with at most so many, "
                "line: with any number</text>\n</svg>\n",
                WIDTH / 2, HEIGHT - 16);
}

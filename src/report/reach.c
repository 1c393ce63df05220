/* SPDX-License-Identifier: MIT */
/* Reports of reach: what can be reached, by shared state or place, and the
 * maximal configurations it follows from. */
#include "report/report.h"

#include "report/describe.h"
#include "report/document.h"

/* The local states that occur with each shared state; a NULL row: none. */
static uint64_t **thread_states(const hd_net *net, const hd_cert *cover) {
  size_t words = hd_bits_words(net->n_places);
  uint64_t **rows = hd_calloc(net->n_shared, sizeof *rows);
  for (hd_vec_each(const hd_config, c, &cover->configs)) {
    uint64_t **row = &rows[c->shared];
    if (!*row)
      *row = hd_calloc(words, sizeof **row);
    hd_tokens tokens = hd_cert_view(cover, c);
    for (size_t i = 0; i < tokens.size; i++)
      hd_bits_set(*row, tokens.data[i].place);
  }
  return rows;
}

static void free_rows(uint64_t **rows, const hd_net *net) {
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    hd_free(rows[s]);
  hd_free(rows);
}

static void print_thread_states(hd_str *out, const hd_net *net,
                                const hd_cert *cover) {
  size_t words = hd_bits_words(net->n_places), reached = 0;
  uint64_t **rows = thread_states(net, cover);
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    reached += rows[s] ? hd_bits_count(rows[s], words) : 0;
  hd_str_puts(out, "\nReachable thread states: ");
  hd_describe_count(out, reached);
  hd_str_puts(out, " of ");
  hd_describe_count(out, (uint64_t)net->n_shared * net->n_places);
  hd_str_puts(out, "\n");
  for (hd_shared_id s = 0; s < net->n_shared; s++) {
    if (!rows[s])
      continue;
    hd_str_puts(out, "  ");
    hd_net_print_shared(out, net, s);
    hd_str_puts(out, " |");
    for (size_t p = hd_bits_next(rows[s], net->n_places, 0); p < net->n_places;
         p = hd_bits_next(rows[s], net->n_places, p + 1)) {
      hd_str_puts(out, " ");
      hd_net_print_place(out, net, (hd_place_id)p);
    }
    hd_str_puts(out, "\n");
  }
  free_rows(rows, net);
}

/* The largest number of tokens each place can hold. */
static hd_count *bounds(const hd_net *net, const hd_cert *cover) {
  hd_count *most = hd_calloc(net->n_places, sizeof *most);
  for (hd_vec_each(const hd_config, c, &cover->configs)) {
    hd_tokens tokens = hd_cert_view(cover, c);
    for (size_t i = 0; i < tokens.size; i++)
      if (tokens.data[i].count > most[tokens.data[i].place])
        most[tokens.data[i].place] = tokens.data[i].count;
  }
  return most;
}

static void print_bounds(hd_str *out, const hd_net *net, const hd_cert *cover) {
  hd_count *most = bounds(net, cover);
  hd_str_puts(out, "\nMost tokens each place can hold (w = any number)\n ");
  for (hd_place_id p = 0; p < net->n_places; p++) {
    hd_str_puts(out, " ");
    hd_net_print_place(out, net, p);
    if (most[p] == HD_OMEGA)
      hd_str_puts(out, "=w");
    else
      hd_str_printf(out, "=%u", most[p]);
  }
  hd_str_puts(out, "\n");
  hd_free(most);
}

static void print_reached(hd_str *out, const hd_report *report) {
  const hd_cert *cover = report->result->cert;
  if (report->net->format == HD_FORMAT_TTS)
    print_thread_states(out, report->net, cover);
  else
    print_bounds(out, report->net, cover);
  hd_str_puts(out, "\nMaximal configurations: ");
  hd_describe_count(out, cover->configs.size);
  hd_str_puts(out, " (w = any number)\n");
  for (hd_vec_each(const hd_config, c, &cover->configs)) {
    hd_str_puts(out, "  ");
    hd_net_print_config(out, report->net, c->shared, hd_cert_view(cover, c));
    hd_str_puts(out, "\n");
  }
  hd_str_puts(out, report->checked ? "\nChecked: nothing else can be reached.\n"
                                   : "\nNot checked (--no-check).\n");
}

void hd_report_reach_text(hd_str *out, const hd_report *report) {
  bool complete = report->result->verdict == HD_SAFE;
  if (!report->quiet) {
    hd_report_model_head(out, report->net);
    if (complete)
      print_reached(out, report);
    else
      hd_report_no_answer(out, report);
    hd_report_statistics(out, report);
  }
  hd_report_last_line(out, report, "reach",
                      complete ? "complete" : "incomplete",
                      complete ? HD_GOOD : HD_UNSURE);
}

static void write_thread_states(hd_json *json, const hd_net *net,
                                const hd_cert *cover) {
  uint64_t **rows = thread_states(net, cover);
  hd_json_array(json, "thread_states");
  for (hd_shared_id s = 0; s < net->n_shared; s++) {
    if (!rows[s])
      continue;
    hd_json_object(json, NULL);
    hd_str name = {0};
    hd_net_print_shared(&name, net, s);
    hd_json_string(json, "shared", hd_str_text(&name));
    hd_json_array(json, "locals");
    for (size_t p = hd_bits_next(rows[s], net->n_places, 0); p < net->n_places;
         p = hd_bits_next(rows[s], net->n_places, p + 1)) {
      hd_vec_clear(&name);
      hd_net_print_place(&name, net, (hd_place_id)p);
      hd_json_string(json, NULL, hd_str_text(&name));
    }
    hd_str_free(&name);
    hd_json_end_array(json);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
  free_rows(rows, net);
}

/* Unbounded places have null. */
static void write_bounds(hd_json *json, const hd_net *net,
                         const hd_cert *cover) {
  hd_count *most = bounds(net, cover);
  hd_str name = {0};
  hd_json_object(json, "bounds");
  for (hd_place_id p = 0; p < net->n_places; p++) {
    hd_vec_clear(&name);
    hd_net_print_place(&name, net, p);
    if (most[p] == HD_OMEGA)
      hd_json_string(json, hd_str_text(&name), NULL);
    else
      hd_json_number(json, hd_str_text(&name), most[p]);
  }
  hd_json_end_object(json);
  hd_str_free(&name);
  hd_free(most);
}

static void write_reached(hd_json *json, const hd_net *net,
                          const hd_cert *cover) {
  if (net->format == HD_FORMAT_TTS)
    write_thread_states(json, net, cover);
  else
    write_bounds(json, net, cover);
  hd_str text = {0};
  hd_json_array(json, "maximal");
  for (hd_vec_each(const hd_config, c, &cover->configs)) {
    hd_vec_clear(&text);
    hd_net_print_config(&text, net, c->shared, hd_cert_view(cover, c));
    hd_json_string(json, NULL, hd_str_text(&text));
  }
  hd_json_end_array(json);
  hd_str_free(&text);
}

void hd_report_reach_json(hd_str *out, const hd_report *report) {
  const hd_result *result = report->result;
  bool complete = result->verdict == HD_SAFE;
  hd_json json = hd_json_start(out);
  hd_json_object(&json, NULL);
  hd_document_head(&json, "reach", report->net);
  hd_json_bool(&json, "complete", complete);
  hd_json_string(&json, "reason", complete ? NULL : result->reason);
  hd_json_string(&json, "engine", result->engine);
  hd_json_bool(&json, "checked", report->checked);
  hd_json_number(&json, "exit_code", report->exit_code);
  if (complete)
    write_reached(&json, report->net, result->cert);
  hd_document_figures(&json, report);
  hd_json_end_object(&json);
  hd_json_finish(&json);
}

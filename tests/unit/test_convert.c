/* SPDX-License-Identifier: MIT */
/* Round trips between all formats: random systems, and every model of the
 * benchmark directory. */
#include "front_random.h"
#include "front_util.h"

#include "engine/bws/bws.h"
#include "front/tts/tts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#include "files_util.h"

/* --- round trips --- */

/* Whether a writer may refuse, from what docs/formats.md promises. */
static bool can_say(const hd_net *net, hd_format format) {
  unsigned caps = HD_HAS_CAPS | HD_HAS_TARGET_CAPS;
  switch (format) {
  case HD_FORMAT_TTS:
    return !(net->features & caps);
  case HD_FORMAT_MIST:
    return !(net->features & HD_HAS_CHOICE);
  case HD_FORMAT_PNML:
    return !(net->features & (HD_HAS_CAPS | HD_HAS_MOVES));
  }
  return false;
}

static void assert_same(const hd_net *a, const hd_net *b, const char *text) {
  const char *differs = difference(a, b);
  if (differs)
    print_error("%s differs:\n%s\n", differs, text);
  assert_null(differs);
}

/* Writes as `format` and reads back; NULL when the format cannot say it. */
static hd_net *through(const hd_net *net, hd_format format) {
  char *messages;
  char *text = write_text(net, format, &messages);
  assert_true(!text == (strstr(messages, "error:") != NULL));
  hd_free(messages);
  hd_net *back = NULL;
  if (text) {
    back = parse_bytes(text, strlen(text), format, &messages);
    if (!back || *messages)
      print_error("%s\n%s", messages, text);
    assert_non_null(back);
    assert_string_equal(messages, "");
    hd_free(messages);
    assert_same(net, back, text);
    hd_free(text);
  }
  return back;
}

/* net -> A -> B -> A for all A, B; returns how many pairs could be said. */
static int all_pairs(const hd_net *net) {
  int said = 0;
  for (int a = HD_FORMAT_TTS; a <= HD_FORMAT_PNML; a++) {
    hd_net *first = through(net, (hd_format)a);
    for (int b = HD_FORMAT_TTS; first && b <= HD_FORMAT_PNML; b++) {
      hd_net *second = through(first, (hd_format)b);
      hd_net *third = second ? through(second, (hd_format)a) : NULL;
      said += third != NULL;
      assert_true(!second == !third);
      hd_net_delete(second);
      hd_net_delete(third);
    }
    hd_net_delete(first);
  }
  return said;
}

static void random_thread_systems_survive(void **state) {
  dice d = {7};
  int said = 0;
  for (int i = 0; i < 800; i++) {
    hd_net *net = random_threads(&d);
    for (int f = HD_FORMAT_TTS; f <= HD_FORMAT_PNML; f++) {
      char *text = write_text(net, (hd_format)f, NULL);
      assert_int_equal(text != NULL, can_say(net, (hd_format)f));
      hd_free(text);
    }
    said += all_pairs(net);
    hd_net_delete(net);
  }
  assert_true(said > 800 * 4);
}

static void random_nets_survive(void **state) {
  dice d = {11};
  int said = 0;
  for (int i = 0; i < 800; i++) {
    net_style style = {.moves = i % 3 == 1, .caps = i % 5 == 1};
    hd_net *net = random_net(&d, style);
    for (int f = HD_FORMAT_TTS; f <= HD_FORMAT_PNML; f++) {
      char *text = write_text(net, (hd_format)f, NULL);
      assert_int_equal(text != NULL, can_say(net, (hd_format)f));
      hd_free(text);
    }
    said += all_pairs(net);
    hd_net_delete(net);
  }
  assert_true(said > 800 * 4);
}

static void huge_counts_survive(void **state) {
  dice d = {13};
  for (int i = 0; i < 500; i++) {
    net_style style = {.moves = i % 2, .caps = i % 3 == 1, .huge = true};
    hd_net *net = random_net(&d, style);
    hd_net *spec = through(net, HD_FORMAT_MIST);
    assert_non_null(spec);
    hd_net_delete(spec);
    hd_net_delete(through(net, HD_FORMAT_PNML));
    hd_net_delete(net);
  }
}

/* --- translations keep the answer --- */

static hd_verdict verdict_of(const hd_net *net) {
  hd_run run = {.steps = 2000};
  hd_result result = {0};
  hd_problem problem = {.net = net};
  hd_bws_engine.run(&problem, &run, &result);
  hd_verdict verdict = result.verdict;
  hd_result_free(&result);
  return verdict;
}

/* Drops the lines that begin with '#', so that nothing is folded back. */
static char *without_comments(const char *text) {
  hd_str out = {0};
  for (const char *nl; *text; text = nl + 1) {
    nl = strchr(text, '\n');
    if (*text != '#')
      hd_str_append(&out, text, (size_t)(nl + 1 - text));
  }
  return hd_str_take(&out);
}

static int counts[3]; /* unknown, safe, unsafe */

static void assert_same_answer(const hd_net *net, hd_format format) {
  char *text = write_text(net, format, NULL);
  if (!text)
    return;
  char *bare = without_comments(text);
  hd_net *other = parse_text(bare, format);
  assert_non_null(other);
  hd_verdict a = verdict_of(net), b = verdict_of(other);
  if (a != HD_UNKNOWN && b != HD_UNKNOWN && a != b)
    print_error("%s\n", text);
  assert_true(a == HD_UNKNOWN || b == HD_UNKNOWN || a == b);
  counts[a == HD_UNKNOWN ? b : a]++;
  hd_net_delete(other);
  hd_free(bare);
  hd_free(text);
}

static void chains_keep_the_answer(void **state) {
  dice d = {17};
  memset(counts, 0, sizeof counts);
  for (int i = 0; i < 400; i++) {
    hd_net *net = random_net(&d, (net_style){.moves = i % 2});
    if (net->targets.size)
      assert_same_answer(net, HD_FORMAT_TTS);
    hd_net_delete(net);
  }
  assert_true(counts[HD_SAFE] > 20 && counts[HD_UNSAFE] > 20);
}

/* Default initial states only: without comments, a .tts has no others. */
static void flat_forms_keep_the_answer(void **state) {
  dice d = {19};
  memset(counts, 0, sizeof counts);
  for (int i = 0; i < 600; i++) {
    hd_net *net = random_threads(&d);
    if (net->targets.size)
      assert_same_answer(net, HD_FORMAT_MIST);
    hd_net_delete(net);
  }
  assert_true(counts[HD_SAFE] > 20 && counts[HD_UNSAFE] > 20);
}

/* A model of the benchmark directory is read without an error and survives a
 * trip through every format that can say it. */
static void bench_file(void **state) {
  const char *path = *state;
  hd_diag *diag = hd_diag_new();
  hd_net *net = hd_front_read(path, NULL, true, diag);
  char *messages = take_messages(diag);
  if (!net)
    print_error("%s", messages);
  assert_non_null(net);
  assert_true(net->targets.size > 0);
  hd_free(messages);
  hd_diag_delete(diag);
  for (int f = HD_FORMAT_TTS; f <= HD_FORMAT_PNML; f++) {
    hd_net *back = through(net, (hd_format)f);
    assert_int_equal(back != NULL, can_say(net, (hd_format)f));
    hd_net_delete(back);
  }
  hd_net_delete(net);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The transitions of a net as sorted texts. */
static paths sorted_rules(const hd_net *net) {
  paths all = {0};
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_str text = {0};
    hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
    for (size_t i = 0; i < pre.size; i++)
      hd_str_printf(&text, "%u:%u ", pre.data[i].place, pre.data[i].count);
    hd_str_puts(&text, "-");
    for (size_t i = 0; i < post.size; i++)
      hd_str_printf(&text, " %u:%u", post.data[i].place, post.data[i].count);
    hd_vec_push(&all, hd_str_take(&text));
  }
  qsort(all.data, all.size, sizeof *all.data, by_text);
  return all;
}

/* A thread system and its published translation into a net, x.tts and x.spec,
 * have the same transitions once the first is flat. */
static void bench_pair(void **state) {
  const char *path = *state;
  hd_str other = {0};
  hd_str_append(&other, path, strlen(path) - 3);
  hd_str_puts(&other, "spec");
  hd_diag *diag = hd_diag_new();
  hd_net *tts = hd_front_read(path, NULL, true, diag);
  hd_net *spec = hd_front_read(other.data, NULL, true, diag);
  assert_true(tts && spec);
  hd_net *flat = hd_threads_unfold(tts);
  assert_int_equal(flat->n_places, spec->n_places);
  paths a = sorted_rules(flat), b = sorted_rules(spec);
  assert_int_equal(a.size, b.size);
  for (size_t i = 0; i < a.size; i++)
    assert_string_equal(a.data[i], b.data[i]);
  assert_true(same_target(flat, spec, 0));
  free_paths(&a);
  free_paths(&b);
  hd_net_delete(tts);
  hd_net_delete(spec);
  hd_net_delete(flat);
  hd_diag_delete(diag);
  hd_str_free(&other);
}

static bool has_spec_beside(const char *path) {
  hd_str other = {0};
  if (!ends_with(path, ".tts"))
    return false;
  hd_str_append(&other, path, strlen(path) - 3);
  hd_str_puts(&other, "spec");
  struct stat st;
  bool there = stat(other.data, &st) == 0;
  hd_str_free(&other);
  return there;
}

static void no_benchmarks(void **state) {
  print_message("no benchmark directory: set HEDDLE_BENCH\n");
  skip();
}

static char *bench_folder(void) {
  const char *given = getenv("HEDDLE_BENCH");
  return given ? hd_strdup(given)
               : hd_strdup(HD_SOURCE_ROOT "/../shared/bench");
}

int main(void) {
  tests all = {0};
#define ADD(f) add_test(&all, #f, f, NULL)
  ADD(random_thread_systems_survive);
  ADD(random_nets_survive);
  ADD(huge_counts_survive);
  ADD(chains_keep_the_answer);
  ADD(flat_forms_keep_the_answer);
  char *folder = bench_folder();
  paths bench = files_below(folder);
  hd_format format;
  for (hd_vec_each(heap_text, path, &bench))
    if (hd_format_of_path(*path, &format))
      add_test(&all, base_name(*path), bench_file, *path);
  for (hd_vec_each(heap_text, path, &bench))
    if (has_spec_beside(*path))
      add_test(&all, base_name(*path), bench_pair, *path);
  if (!bench.size)
    ADD(no_benchmarks);
  int failed =
      _cmocka_run_group_tests("convert", all.data, all.size, NULL, NULL);
  hd_vec_free(&all);
  hd_free(folder);
  free_paths(&bench);
  if (hd_mem_current())
    fprintf(stderr, "%zu bytes left\n", hd_mem_current());
  return failed || hd_mem_current();
}

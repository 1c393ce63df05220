/* SPDX-License-Identifier: MIT */
#include "cli/cache.h"

#include "base/sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const first_line = "heddle cache 1\n";

/* --- the question --- */

static void add_text(hd_sha256 *sha, const char *text) {
  hd_sha256_add(sha, text, strlen(text) + 1);
}

/* Two builds of one version may answer differently. */
static void add_program(hd_sha256 *sha) {
  struct stat st;
  char text[128];
  add_text(sha, HD_VERSION);
  if (stat("/proc/self/exe", &st) != 0)
    return;
  snprintf(text, sizeof text, "%lld %lld.%09ld", (long long)st.st_size,
           (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
  add_text(sha, text);
}

/* Options that change how an answer is found or shown, but not which answers
 * are right. All others count. */
static bool matters(hd_option id) {
  static const hd_option free_ones[] = {
      HD_OPTION_output,     HD_OPTION_format,         HD_OPTION_code_format,
      HD_OPTION_color,      HD_OPTION_quiet,          HD_OPTION_verbose,
      HD_OPTION_statistics, HD_OPTION_witness,        HD_OPTION_certificate,
      HD_OPTION_diagram,    HD_OPTION_record,         HD_OPTION_cache,
      HD_OPTION_jobs,       HD_OPTION_timeout,        HD_OPTION_memory,
      HD_OPTION_expect,     HD_OPTION_explain_choice, HD_OPTION_html,
      HD_OPTION_ascii,      HD_OPTION_confirm};
  for (size_t i = 0; i < sizeof free_ones / sizeof *free_ones; i++)
    if (id == free_ones[i])
      return false;
  return true;
}

/* A file the option names is part of the question by its content. */
static bool add_file(hd_sha256 *sha, const char *path) {
  hd_diag *diag = hd_diag_new();
  hd_source source;
  bool ok = strcmp(path, "-") != 0 && hd_source_read(path, &source, diag);
  if (ok) {
    hd_sha256_add(sha, source.text, source.size);
    hd_source_free(&source);
  }
  add_text(sha, "");
  hd_diag_delete(diag);
  return ok;
}

static void add_options(hd_sha256 *sha, const hd_options *o) {
  for (int i = 0; i < HD_OPTION_COUNT; i++)
    if (o->given[i] && matters((hd_option)i)) {
      add_text(sha, hd_options_shown((hd_option)i));
      add_text(sha, hd_options_value(o, (hd_option)i));
    }
  for (size_t i = 0; i < o->n_listed; i++) {
    add_text(sha, hd_options_shown(o->listed[i].option));
    add_text(sha, o->listed[i].text);
  }
}

/* x.prop beside x.tts; no file is a content, too. */
static void add_beside(hd_sha256 *sha, const char *path) {
  size_t n = strlen(path);
  if (n < 5 || strcmp(path + n - 4, ".tts") != 0)
    return;
  hd_str prop = {0};
  hd_str_append(&prop, path, n - 4);
  hd_str_puts(&prop, ".prop");
  bool there = add_file(sha, hd_str_text(&prop));
  add_text(sha, there ? "prop" : "no prop");
  hd_str_free(&prop);
}

static bool add_input(hd_sha256 *sha, const hd_session *session) {
  const hd_options *o = &session->options;
  bool ok = true;
  if (session->code) {
    hd_str text = {0};
    hd_code_print(&text, session->code);
    hd_sha256_add(sha, hd_str_text(&text), text.size);
    hd_str_free(&text);
  }
  for (size_t i = 0; i < o->n_operands && !session->code && ok; i++)
    ok = add_file(sha, o->operands[i]);
  if (!session->code)
    add_beside(sha, o->operands[0]);
  const char *files[] = {o->prop, o->property, o->checks};
  for (size_t i = 0; i < sizeof files / sizeof *files && ok; i++) {
    size_t n = files[i] ? strlen(files[i]) : 0;
    bool file = n && (i == 0 || (n > 4 && !strcmp(files[i] + n - 4, ".prp")));
    ok = !file || add_file(sha, files[i]);
  }
  return ok;
}

hd_cache hd_cache_open(const hd_session *session) {
  hd_cache cache = {.key = ""};
  hd_sha256 sha;
  if (!session->options.cache)
    return cache;
  hd_sha256_start(&sha);
  add_program(&sha);
  add_text(&sha, session->code ? "c" : session->program ? "program" : "net");
  add_text(&sha, session->options.operands[0]); /* reports name it */
  add_options(&sha, &session->options);
  if (add_input(&sha, session))
    hd_sha256_end(&sha, cache.key);
  return cache;
}

/* --- the answer --- */

static char *path_of(const hd_session *session, const hd_cache *cache) {
  hd_str path = {0};
  hd_str_printf(&path, "%s/%.2s/%s", session->options.cache, cache->key,
                cache->key + 2);
  return hd_str_take(&path);
}

static void sum_of(const char *text, size_t size, char sum[65]) {
  hd_sha256 sha;
  hd_sha256_start(&sha);
  hd_sha256_add(&sha, text, size);
  hd_sha256_end(&sha, sum);
}

void hd_cache_reject(hd_session *session, const hd_cache *cache,
                     const char *why) {
  char *path = path_of(session, cache);
  hd_diag_report(session->diag, HD_WARNING, NULL, (hd_pos){0},
                 "%s: this entry of the cache is not used: %s", path, why);
  hd_free(path);
}

/* first line, `key KEY`, `sum SUM`, then the answer to the end */
static bool take_entry(const hd_source *source, const hd_cache *cache,
                       hd_str *answer) {
  char head[256], sum[65];
  size_t n = (size_t)snprintf(head, sizeof head, "%skey %s\nsum ", first_line,
                              cache->key);
  if (source->size < n + 65 || memcmp(source->text, head, n) != 0 ||
      source->text[n + 64] != '\n')
    return false;
  const char *text = source->text + n + 65;
  size_t size = source->size - n - 65;
  sum_of(text, size, sum);
  if (memcmp(sum, source->text + n, 64) != 0)
    return false;
  hd_str_append(answer, text, size);
  return true;
}

bool hd_cache_load(hd_session *session, const hd_cache *cache, hd_str *answer) {
  if (!*cache->key)
    return false;
  char *path = path_of(session, cache);
  struct stat st;
  bool ok = false;
  if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
    hd_source source;
    hd_diag *diag = hd_diag_new();
    if (hd_source_read(path, &source, diag)) {
      ok = take_entry(&source, cache, answer);
      hd_source_free(&source);
    }
    hd_diag_delete(diag);
    if (!ok)
      hd_cache_reject(session, cache, "it is damaged");
  }
  hd_free(path);
  return ok;
}

static bool make_folder(const char *path) {
  return mkdir(path, 0777) == 0 || errno == EEXIST;
}

void hd_cache_store(hd_session *session, const hd_cache *cache,
                    const hd_str *answer) {
  const char *folder = session->options.cache;
  if (!*cache->key)
    return;
  char sum[65];
  char *path = path_of(session, cache);
  hd_str inner = {0}, text = {0};
  hd_str_printf(&inner, "%s/%.2s", folder, cache->key);
  sum_of(hd_str_text(answer), answer->size, sum);
  hd_str_printf(&text, "%skey %s\nsum %s\n", first_line, cache->key, sum);
  hd_str_append(&text, hd_str_text(answer), answer->size);
  hd_diag *diag = hd_diag_new();
  hd_output output;
  bool ok = make_folder(folder) && make_folder(hd_str_text(&inner)) &&
            hd_output_open(&output, path, diag);
  if (ok) {
    fwrite(hd_str_text(&text), 1, text.size, output.file);
    ok = hd_output_close(&output, diag);
  }
  if (!ok)
    hd_diag_report(session->diag, HD_WARNING, NULL, (hd_pos){0},
                   "--cache: cannot write in '%s': %s", folder,
                   strerror(errno));
  hd_diag_delete(diag);
  hd_str_free(&inner);
  hd_str_free(&text);
  hd_free(path);
}

/* SPDX-License-Identifier: MIT */
#include "front/front.h"

#include "front/mist/mist.h"
#include "front/pnml/pnml.h"
#include "front/targets.h"
#include "front/threads.h"
#include "front/tts/tts.h"

#include <string.h>
#include <unistd.h>

static const struct {
  const char *name;
  hd_format format;
} names[] = {
    {"tts", HD_FORMAT_TTS}, {"spec", HD_FORMAT_MIST}, {"pnml", HD_FORMAT_PNML},
    {"ttd", HD_FORMAT_TTS}, {"mist", HD_FORMAT_MIST}, {"xml", HD_FORMAT_PNML},
};

bool hd_format_find(const char *name, hd_format *format) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i].name)) {
      *format = names[i].format;
      return true;
    }
  return false;
}

/* What follows the last dot of the last part of the path, or NULL. */
static const char *extension(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash ? slash : path, '.');
  return dot ? dot + 1 : NULL;
}

bool hd_format_of_path(const char *path, hd_format *format) {
  const char *ending = extension(path);
  return ending && hd_format_find(ending, format);
}

const char *hd_format_name(hd_format format) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].format == format)
      return names[i].name;
  hd_bug("unknown format %d", (int)format);
}

/* By the first thing in the text that is neither blank nor a comment. */
static bool guess_format(const hd_source *source, hd_format *format) {
  hd_region at = hd_region_all(source);
  while (at.at < at.end) {
    char c = at.text[at.at];
    if (c == '#') {
      const char *nl = memchr(at.text + at.at, '\n', at.end - at.at);
      at.at = nl ? (size_t)(nl - at.text) : at.end;
    } else if (c == '<') {
      *format = HD_FORMAT_PNML;
      return true;
    } else if (c >= '0' && c <= '9') {
      *format = HD_FORMAT_TTS;
      return true;
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      at.at++;
    } else {
      hd_word word;
      *format = HD_FORMAT_MIST;
      return hd_region_word(&at, &word) && hd_word_is(word, "vars");
    }
  }
  return false;
}

hd_net *hd_front_parse(const hd_source *source, hd_format format,
                       hd_diag *diag) {
  switch (format) {
  case HD_FORMAT_TTS:
    return hd_tts_read(source, diag);
  case HD_FORMAT_MIST:
    return hd_mist_read(hd_region_all(source), diag);
  case HD_FORMAT_PNML:
    return hd_pnml_read(source, diag);
  }
  hd_bug("unknown format %d", (int)format);
}

/* x.prop, else x.tts.prop, for x.tts; NULL when there is neither. */
static char *find_prop(const char *path) {
  const char *ending = extension(path);
  hd_str prop = {0};
  if (ending) {
    hd_str_append(&prop, path, (size_t)(ending - path));
    hd_str_puts(&prop, "prop");
    if (access(hd_str_text(&prop), F_OK) == 0)
      return hd_str_take(&prop);
    hd_vec_clear(&prop);
  }
  hd_str_printf(&prop, "%s.prop", path);
  if (access(hd_str_text(&prop), F_OK) == 0)
    return hd_str_take(&prop);
  hd_str_free(&prop);
  return NULL;
}

/* Adds the target that lies beside a thread system's file. */
static bool add_prop(hd_net *net, const char *path, hd_diag *diag) {
  if (net->format != HD_FORMAT_TTS || net->targets.size || !strcmp(path, "-"))
    return true;
  char *prop = find_prop(path);
  bool ok = !prop || hd_front_read_prop(net, prop, diag);
  hd_free(prop);
  return ok;
}

hd_net *hd_front_read(const char *path, const hd_format *format, bool with_prop,
                      hd_diag *diag) {
  hd_source source;
  hd_format chosen = HD_FORMAT_TTS;
  if (!hd_source_read(path, &source, diag))
    return NULL;
  hd_net *net = NULL;
  if (format)
    chosen = *format;
  if (format || hd_format_of_path(path, &chosen) ||
      guess_format(&source, &chosen))
    net = hd_front_parse(&source, chosen, diag);
  else
    hd_diag_file_error(diag, source.name,
                       "cannot tell the format from the name or the content, "
                       "expected .tts, .spec or .pnml");
  hd_source_free(&source);
  if (net && with_prop && !add_prop(net, path, diag)) {
    hd_net_delete(net);
    net = NULL;
  }
  return net;
}

/* More is asked for than allowed: an empty interval, which readers refuse. */
static bool contradicts(const hd_net *net, hd_range least, hd_range most) {
  hd_tokens caps = hd_net_view(net, most);
  for (size_t i = 0; i < caps.size; i++)
    if (hd_tokens_at(hd_net_view(net, least), caps.data[i].place) >
        caps.data[i].count)
      return true;
  return false;
}

static bool has_contradiction(const hd_net *net) {
  for (hd_vec_each(const hd_trans, t, &net->trans))
    if (contradicts(net, t->pre, t->caps))
      return true;
  for (hd_vec_each(const hd_target, t, &net->targets))
    if (contradicts(net, t->need, t->caps))
      return true;
  return false;
}

/* Thread systems whose transitions are edges, and nets with one shared state,
 * are what readers make; anything else no format can say. */
static bool is_writable(const hd_net *net, hd_diag *diag) {
  bool threads = net->format == HD_FORMAT_TTS,
       ok = threads || net->n_shared == 1;
  for (hd_trans_id t = 0; ok && threads && t < net->trans.size; t++)
    ok = hd_tts_edge_of(net, t).kind != HD_TTS_NONE;
  ok = ok && (!threads || hd_threads_init_fits(net));
  if (!ok)
    hd_diag_file_error(diag, net->file,
                       "cannot be written: neither a thread system nor a net");
  if (ok && has_contradiction(net)) {
    hd_diag_file_error(diag, net->file,
                       "cannot be written: a guard or target asks for more "
                       "tokens than it allows");
    return false;
  }
  return ok;
}

bool hd_front_write(const hd_net *net, hd_format format, FILE *out,
                    hd_diag *diag) {
  hd_str text = {0};
  bool ok = is_writable(net, diag);
  if (ok && format == HD_FORMAT_TTS)
    ok = hd_tts_write(net, &text, diag);
  else if (ok && format == HD_FORMAT_MIST)
    ok = hd_mist_write(net, &text, diag);
  else if (ok)
    ok = hd_pnml_write(net, &text, diag);
  if (ok && text.size)
    fwrite(text.data, 1, text.size, out);
  hd_str_free(&text);
  return ok;
}

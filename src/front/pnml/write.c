/* SPDX-License-Identifier: MIT */
/* Writing PNML: one net, one page. A thread system is written in its flat form.
 * Names that are no XML ids, unbounded initial markings, targets and shared
 * states are in elements `toolspecific tool="heddle"`. */
#include "front/pnml/pnml.h"

#include "front/names.h"
#include "front/threads.h"

#include <string.h>

typedef struct {
  const hd_net *net;  /* as given */
  const hd_net *flat; /* what is written */
  bool threads;
  hd_str *out;
  hd_name_map used; /* ids */
  hd_arena arena;
  const char **places, **transitions; /* ids */
} writer;

static bool is_id(const char *name) {
  for (size_t i = 0; name[i]; i++) {
    char c = name[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool more = (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (!letter && (!more || !i))
      return false;
  }
  return *name;
}

/* Appends an id that no place or transition has. */
static void write_free_id(writer *w, hd_str *out, const char *prefix,
                          uint32_t number) {
  size_t start = out->size;
  hd_str_printf(out, "%s%u", prefix, number);
  while (hd_name_map_find(&w->used, (hd_word){.text = out->data + start,
                                              .size = out->size - start}))
    hd_str_puts(out, "_");
}

static const char *invent_id(writer *w, const char *prefix, uint32_t number) {
  hd_str id = {0};
  write_free_id(w, &id, prefix, number);
  const char *kept = hd_arena_strndup(&w->arena, id.data, id.size);
  hd_name_map_put(&w->used, (hd_word){.text = kept, .size = id.size}, 0, NULL);
  hd_str_free(&id);
  return kept;
}

/* `name` as an id if it can be one and is still free, else NULL. */
static const char *claim_id(writer *w, const char *name) {
  bool fresh = false;
  if (name && is_id(name))
    hd_name_map_put(&w->used, (hd_word){.text = name, .size = strlen(name)}, 0,
                    &fresh);
  return fresh ? name : NULL;
}

static bool is_shared(const writer *w, hd_place_id p) {
  return w->threads && p < w->net->n_shared;
}

static bool is_numbered(const writer *w, hd_place_id p) {
  return is_shared(w, p) ? !w->net->shared_names : !w->net->place_names;
}

static void choose_ids(writer *w) {
  uint32_t n = w->flat->n_places, m = (uint32_t)w->flat->trans.size;
  w->places = hd_calloc(n, sizeof *w->places);
  w->transitions = hd_calloc(m, sizeof *w->transitions);
  for (uint32_t p = 0; p < n; p++)
    if (!is_numbered(w, p))
      w->places[p] = claim_id(w, w->flat->place_names[p]);
  for (uint32_t t = 0; t < m; t++)
    w->transitions[t] = claim_id(w, w->flat->trans.data[t].name);
  for (uint32_t p = 0; p < n; p++) {
    uint32_t number = w->threads && !is_shared(w, p) ? p - w->net->n_shared : p;
    const char *prefix = !w->threads ? "p" : is_shared(w, p) ? "s" : "l";
    if (!w->places[p])
      w->places[p] = invent_id(w, prefix, number);
  }
  for (uint32_t t = 0; t < m; t++)
    if (!w->transitions[t])
      w->transitions[t] = invent_id(w, "t", t);
}

/* A name as percent-encoded text, safe in XML. */
static void write_encoded(hd_str *out, const char *name) {
  hd_str text = {0};
  hd_name_encode(&text, name);
  for (const char *c = hd_str_text(&text); *c; c++) {
    if (*c == '&')
      hd_str_puts(out, "&amp;");
    else if (*c == '"')
      hd_str_puts(out, "&quot;");
    else
      hd_str_append(out, c, 1);
  }
  hd_str_free(&text);
}

static void write_own_name(writer *w, const char *name) {
  hd_str_puts(w->out, "<name value=\"");
  write_encoded(w->out, name);
  hd_str_puts(w->out, "\"/>");
}

static const char ours[] = "<toolspecific tool=\"heddle\" version=\"1\">";

static void write_place(writer *w, hd_place_id p) {
  hd_init init = w->flat->init[p];
  const char *id = w->places[p];
  bool renamed = !is_numbered(w, p) && id != w->flat->place_names[p];
  hd_str_printf(w->out, "   <place id=\"%s\">", id);
  if (init.min)
    hd_str_printf(w->out, "<initialMarking><text>%u</text></initialMarking>",
                  init.min);
  if (renamed || is_shared(w, p) || init.max != init.min) {
    hd_str_puts(w->out, ours);
    if (is_shared(w, p))
      hd_str_puts(w->out, "<shared/>");
    if (init.max == HD_OMEGA)
      hd_str_puts(w->out, "<init max=\"unbounded\"/>");
    else if (init.max != init.min)
      hd_str_printf(w->out, "<init max=\"%u\"/>", init.max);
    if (renamed)
      write_own_name(w, w->flat->place_names[p]);
    hd_str_puts(w->out, "</toolspecific>");
  }
  hd_str_puts(w->out, "</place>\n");
}

static void write_transition(writer *w, hd_trans_id t) {
  const char *name = w->flat->trans.data[t].name, *id = w->transitions[t];
  hd_str_printf(w->out, "   <transition id=\"%s\">", id);
  if (name != id) {
    hd_str_puts(w->out, ours);
    if (name)
      write_own_name(w, name);
    else
      hd_str_puts(w->out, "<name/>");
    hd_str_puts(w->out, "</toolspecific>");
  }
  hd_str_puts(w->out, "</transition>\n");
}

static void write_arcs(writer *w, hd_trans_id t, hd_tokens v, bool in,
                       uint32_t *number) {
  for (size_t i = 0; i < v.size; i++) {
    const char *place = w->places[v.data[i].place];
    const char *transition = w->transitions[t];
    hd_str_puts(w->out, "   <arc id=\"");
    write_free_id(w, w->out, "a", (*number)++);
    hd_str_printf(w->out, "\" source=\"%s\" target=\"%s\">",
                  in ? place : transition, in ? transition : place);
    if (v.data[i].count > 1)
      hd_str_printf(w->out, "<inscription><text>%u</text></inscription>",
                    v.data[i].count);
    hd_str_puts(w->out, "</arc>\n");
  }
}

static void write_target(writer *w, const hd_target *target) {
  hd_tokens least = hd_net_view(w->flat, target->need);
  hd_tokens most = hd_net_view(w->flat, target->caps);
  size_t i = 0, j = 0;
  hd_str_puts(w->out, "   <target>");
  while (i < least.size || j < most.size) {
    bool low = i < least.size &&
               (j == most.size || least.data[i].place <= most.data[j].place);
    bool high = j < most.size &&
                (i == least.size || most.data[j].place <= least.data[i].place);
    hd_place_id place = low ? least.data[i].place : most.data[j].place;
    hd_str_printf(w->out, "<place ref=\"%s\"", w->places[place]);
    if (low)
      hd_str_printf(w->out, " min=\"%u\"", least.data[i++].count);
    if (high)
      hd_str_printf(w->out, " max=\"%u\"", most.data[j++].count);
    hd_str_puts(w->out, "/>");
  }
  hd_str_puts(w->out, "</target>\n");
}

static void write_ours(writer *w) {
  bool shared = w->threads && !w->net->shared_names;
  bool local = !w->net->place_names && w->net->n_places;
  if (!shared && !local && !w->flat->targets.size)
    return;
  hd_str_printf(w->out, "  %s\n", ours);
  if (shared || local)
    hd_str_printf(w->out, "   <numbered%s%s/>\n",
                  shared ? " shared=\"true\"" : "",
                  local ? " local=\"true\"" : "");
  for (hd_vec_each(const hd_target, target, &w->flat->targets))
    write_target(w, target);
  hd_str_puts(w->out, "  </toolspecific>\n");
}

static void write_document(writer *w) {
  hd_str_printf(
      w->out,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
      " <net id=\"%s\" "
      "type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n"
      "  <page id=\"%s\">\n",
      invent_id(w, "net", 0), invent_id(w, "page", 0));
  for (hd_place_id p = 0; p < w->flat->n_places; p++)
    write_place(w, p);
  for (hd_trans_id t = 0; t < w->flat->trans.size; t++)
    write_transition(w, t);
  uint32_t arcs = 0;
  for (hd_trans_id t = 0; t < w->flat->trans.size; t++) {
    write_arcs(w, t, hd_net_pre(w->flat, t), true, &arcs);
    write_arcs(w, t, hd_net_post(w->flat, t), false, &arcs);
  }
  hd_str_puts(w->out, "  </page>\n");
  write_ours(w);
  hd_str_puts(w->out, " </net>\n</pnml>\n");
}

static bool is_expressible(const hd_net *net, hd_diag *diag) {
  for (hd_vec_each(const hd_trans, t, &net->trans))
    if (t->caps.size || t->moves.size) {
      hd_diag_file_error(diag, net->file,
                         "the transition on line %u %s, which PNML's "
                         "place/transition nets cannot express",
                         t->line,
                         t->caps.size ? "has an upper bound"
                                      : "moves all tokens of a place");
      return false;
    }
  if (net->format == HD_FORMAT_TTS &&
      net->n_shared + net->n_places > HD_MAX_STATES) {
    hd_diag_file_error(diag, net->file,
                       "%u shared and %u local states are too many places, "
                       "the most is %u",
                       net->n_shared, net->n_places, HD_MAX_STATES);
    return false;
  }
  return true;
}

bool hd_pnml_write(const hd_net *net, hd_str *out, hd_diag *diag) {
  if (!is_expressible(net, diag))
    return false;
  bool threads = net->format == HD_FORMAT_TTS;
  hd_net *unfolded = threads ? hd_threads_unfold(net) : NULL;
  writer w = {.net = net,
              .flat = threads ? unfolded : net,
              .threads = threads,
              .out = out};
  hd_arena_init(&w.arena);
  choose_ids(&w);
  write_document(&w);
  hd_name_map_free(&w.used);
  hd_free(w.places);
  hd_free(w.transitions);
  hd_arena_free(&w.arena);
  hd_net_delete(unfolded);
  return true;
}

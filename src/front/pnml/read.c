/* SPDX-License-Identifier: MIT */
/* Reading PNML with expat: place/transition nets, also over several pages and
 * with reference nodes. What expat calls back is turned into parts (parts.h);
 * the net is built when the whole document is known.
 *
 * A stack remembers what each open element is. A subtree that is none of
 * heddle's business is counted and skipped: graphics and other tools' elements
 * silently, unknown ones with one warning, but a part of a net within those is
 * an error: it must not get lost. Elements that would change the meaning of the
 * net (inhibitor arcs, capacities, colours) are errors. Entity
 * declarations are refused, and with them external entities and entity bombs. */
#include "front/pnml/pnml.h"

#include "front/pnml/reader.h"

#include <string.h>

/* The position of the current event. Events come in document order, so that a
 * cursor that only goes forward is enough. */
hd_pos hd_pnml_pos(pnml_reader *r) {
  XML_Index index = XML_GetCurrentByteIndex(r->parser);
  size_t offset = index < 0 ? r->at : (size_t)index;
  if (offset > r->parts.source->size)
    offset = r->parts.source->size;
  for (; r->at < offset; r->at++)
    if (r->parts.source->text[r->at] == '\n') {
      r->line++;
      r->line_start = r->at + 1;
    }
  int length = XML_GetCurrentByteCount(r->parser);
  return (hd_pos){.line = r->line,
                  .column = (uint32_t)(r->at - r->line_start) + 1,
                  .length = length > 0 ? (uint32_t)length : 1};
}

void hd_pnml_fail_at(pnml_reader *r, hd_pos pos, const char *message,
                     const char *what) {
  hd_word word = {.text = what, .size = strlen(what)};
  hd_diag_error(r->parts.diag, r->parts.source, pos, "%s '%s'", message,
                hd_quote(word).text);
}

void hd_pnml_fail(pnml_reader *r, const char *message, const char *what) {
  hd_pnml_fail_at(r, hd_pnml_pos(r), message, what);
}

static void stop(pnml_reader *r) {
  r->stopped = true;
  XML_StopParser(r->parser, XML_FALSE);
}

const char *hd_pnml_attribute(const XML_Char **atts, const char *name) {
  for (; *atts; atts += 2)
    if (!strcmp(atts[0], name))
      return atts[1];
  return NULL;
}

static const char *keep(pnml_reader *r, const char *text) {
  return hd_arena_strndup(&r->parts.arena, text, strlen(text));
}

/* A copy of an attribute that must be there and not be empty; "" if not. */
const char *hd_pnml_need(pnml_reader *r, const XML_Char **atts,
                         const char *name) {
  const char *value = hd_pnml_attribute(atts, name);
  if (value && *value)
    return keep(r, value);
  hd_pnml_fail(r, "missing attribute", name);
  return "";
}

/* A count; blanks around it are allowed. False, reported, if it is none. */
bool hd_pnml_count(pnml_reader *r, hd_pos pos, const char *text,
                   hd_count *count) {
  hd_word word = {.text = text, .size = strlen(text)};
  while (word.size && (unsigned char)word.text[0] <= 32) {
    word.text++;
    word.size--;
  }
  while (word.size && (unsigned char)word.text[word.size - 1] <= 32)
    word.size--;
  uint64_t value = hd_word_is_number(word) ? hd_word_number(word) : HD_HUGE;
  *count = 0;
  if (value > HD_COUNT_MAX) {
    hd_pnml_fail_at(r, pos, "expected a number up to 1073741823, found", text);
    return false;
  }
  *count = (hd_count)value;
  return true;
}

static pnml_element top(const pnml_reader *r) {
  return r->stack.size ? hd_vec_last(&r->stack) : ROOT;
}

static void push(pnml_reader *r, pnml_element e) {
  hd_vec_push(&r->stack, e);
}

static void skip(pnml_reader *r) {
  r->skipping = 1;
  r->unknown = false;
}

/* Elements that tools add for their own ends, or labels without meaning for
 * the behaviour of the net. */
static bool is_harmless(const char *name) {
  static const char *const known[] = {"graphics", "toolspecific", "name",
                                      "text",     "value",        "structure",
                                      "offset",   "position",     "label"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i]))
      return true;
  return false;
}

/* Parts of high-level, timed and prioritised nets that are not understood as
 * something weaker by leaving them out. */
static bool is_foreign(const char *name) {
  static const char *const known[] = {
      "hlinitialMarking", "hlinscription", "condition", "type",  "declaration",
      "inhibitorArc",     "resetArc",      "readArc",   "guard", "priority"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i]))
      return true;
  return false;
}

/* Parts of a net, which must not get lost where nobody looks for them. */
static bool is_part(const char *name) {
  return !strcmp(name, "place") || !strcmp(name, "transition") ||
         !strcmp(name, "arc") || !strcmp(name, "page") || !strcmp(name, "net");
}

static void other_element(pnml_reader *r, const char *name) {
  if (is_part(name)) {
    hd_pnml_fail(r, "element in an unexpected place,", name);
  } else if (is_foreign(name)) {
    hd_pnml_fail(r, "heddle reads place/transition nets only, found element",
                 name);
  } else if (!is_harmless(name) && !r->warned) {
    hd_word word = {.text = name, .size = strlen(name)};
    r->warned = true;
    hd_diag_warning(r->parts.diag, r->parts.source, hd_pnml_pos(r),
                    "unknown element '%s', ignored here and elsewhere",
                    hd_quote(word).text);
  }
  skip(r);
  r->unknown = !is_harmless(name);
}

static bool is_pt_type(const char *type) {
  static const char *const high[] = {"highlevel", "symmetric", "hlpng",
                                     "pt-hlpng",  "coloured",  "colored"};
  for (size_t i = 0; type && i < sizeof high / sizeof *high; i++)
    if (strstr(type, high[i]))
      return false;
  return true;
}

static void open_net(pnml_reader *r, const XML_Char **atts) {
  const char *type = hd_pnml_attribute(atts, "type");
  if (r->seen_net)
    hd_pnml_fail(r, "expected one net in the file, found another", "net");
  else if (!is_pt_type(type))
    hd_pnml_fail(r, "heddle reads place/transition nets only, found type",
                 type);
  r->seen_net = true;
  push(r, NET);
}

static void open_node(pnml_reader *r, pnml_node_kind kind,
                      const XML_Char **atts) {
  pnml_node node = {.kind = kind, .pos = hd_pnml_pos(r)};
  node.id = node.name = hd_pnml_need(r, atts, "id");
  if (kind == PNML_REF_PLACE || kind == PNML_REF_TRANSITION)
    node.ref = hd_pnml_need(r, atts, "ref");
  hd_vec_push(&r->parts.nodes, node);
  push(r, kind == PNML_PLACE        ? PLACE
          : kind == PNML_TRANSITION ? TRANSITION
                                    : REFERENCE);
}

static void check_arc_type(pnml_reader *r, const char *type) {
  if (type && strcmp(type, "normal") != 0)
    hd_pnml_fail(r, "expected a normal arc, found arc of type", type);
}

static void open_arc(pnml_reader *r, const XML_Char **atts) {
  pnml_arc arc = {.weight = 1, .pos = hd_pnml_pos(r)};
  arc.source = hd_pnml_need(r, atts, "source");
  arc.target = hd_pnml_need(r, atts, "target");
  check_arc_type(r, hd_pnml_attribute(atts, "type"));
  hd_vec_push(&r->parts.arcs, arc);
  push(r, ARC);
}

static void open_ours_or_skip(pnml_reader *r, const XML_Char **atts) {
  const char *tool = hd_pnml_attribute(atts, "tool");
  if (tool && !strcmp(tool, "heddle"))
    push(r, OURS);
  else
    skip(r);
}

static void open_in_net(pnml_reader *r, const char *name,
                        const XML_Char **atts) {
  if (!strcmp(name, "page"))
    push(r, NET);
  else if (!strcmp(name, "place"))
    open_node(r, PNML_PLACE, atts);
  else if (!strcmp(name, "transition"))
    open_node(r, PNML_TRANSITION, atts);
  else if (!strcmp(name, "referencePlace"))
    open_node(r, PNML_REF_PLACE, atts);
  else if (!strcmp(name, "referenceTransition"))
    open_node(r, PNML_REF_TRANSITION, atts);
  else if (!strcmp(name, "arc"))
    open_arc(r, atts);
  else if (!strcmp(name, "toolspecific"))
    open_ours_or_skip(r, atts);
  else
    other_element(r, name);
}

static void open_label(pnml_reader *r, pnml_element e) {
  hd_vec_clear(&r->text);
  r->has_text = false;
  r->text_pos = hd_pnml_pos(r);
  push(r, e);
}

static void open_in_node(pnml_reader *r, const char *name,
                         const XML_Char **atts) {
  pnml_element parent = top(r);
  if (!strcmp(name, "toolspecific") && parent != REFERENCE)
    open_ours_or_skip(r, atts);
  else if (parent == PLACE && !strcmp(name, "initialMarking"))
    open_label(r, MARKING);
  else if (parent == PLACE && !strcmp(name, "capacity"))
    open_label(r, CAPACITY);
  else
    other_element(r, name);
}

static void open_in_arc(pnml_reader *r, const char *name,
                        const XML_Char **atts) {
  if (!strcmp(name, "inscription")) {
    open_label(r, INSCRIPTION);
  } else if (!strcmp(name, "type")) {
    check_arc_type(r, hd_pnml_attribute(atts, "value"));
    skip(r);
  } else {
    other_element(r, name);
  }
}

static void open_in_label(pnml_reader *r, const char *name) {
  if (!strcmp(name, "text") || !strcmp(name, "value"))
    push(r, TEXT);
  else
    other_element(r, name);
}

static void open_root(pnml_reader *r, const char *name) {
  if (!strcmp(name, "pnml")) {
    push(r, PNML);
    return;
  }
  hd_pnml_fail(r, "expected root element 'pnml', found", name);
  stop(r);
}

static void XMLCALL on_start(void *context, const XML_Char *full,
                             const XML_Char **atts) {
  pnml_reader *r = context;
  const char *colon = strrchr(full, ':');
  const char *name = colon ? colon + 1 : full;
  if (r->skipping) {
    r->skipping++;
    if (r->unknown && is_part(name))
      hd_pnml_fail(r, "element in an unexpected place,", name);
    return;
  }
  switch (top(r)) {
  case ROOT:
    open_root(r, name);
    break;
  case PNML:
    if (!strcmp(name, "net"))
      open_net(r, atts);
    else
      other_element(r, name);
    break;
  case NET:
    open_in_net(r, name, atts);
    break;
  case PLACE:
  case TRANSITION:
  case REFERENCE:
    open_in_node(r, name, atts);
    break;
  case ARC:
    open_in_arc(r, name, atts);
    break;
  case MARKING:
  case INSCRIPTION:
  case CAPACITY:
    open_in_label(r, name);
    break;
  case OURS:
    hd_pnml_open_ours(r, name, atts);
    break;
  case TARGET:
    hd_pnml_open_bound(r, name, atts);
    break;
  case TEXT:
  case LEAF:
    other_element(r, name);
    break;
  }
  if (hd_diag_full(r->parts.diag))
    stop(r);
}

/* A label's number has been read. */
static void close_label(pnml_reader *r, pnml_element e) {
  hd_count count;
  const char *text = hd_str_text(&r->text);
  if (!r->has_text) {
    hd_pnml_fail_at(r, r->text_pos, "expected a number in element",
                    e == MARKING       ? "initialMarking"
                    : e == INSCRIPTION ? "inscription"
                                       : "capacity");
    return;
  }
  if (!hd_pnml_count(r, r->text_pos, text, &count))
    return;
  if (e == MARKING) {
    hd_vec_last(&r->parts.nodes).init.min = count;
  } else if (e == INSCRIPTION) {
    if (!count)
      hd_pnml_fail_at(r, r->text_pos, "expected an arc weight above 0, found",
                      text);
    hd_vec_last(&r->parts.arcs).weight = count;
  } else if (count) {
    hd_pnml_fail_at(r, r->text_pos,
                    "places with a capacity are not supported, found", text);
  }
}

/* Without an element of ours, a place starts with exactly its marking. */
static void close_place(pnml_reader *r) {
  pnml_node *node = &hd_vec_last(&r->parts.nodes);
  if (!node->has_max)
    node->init.max = node->init.min;
  else if (node->init.max < node->init.min)
    hd_pnml_fail(r, "the largest initial marking is below the marking of place",
                 node->id);
}

static void XMLCALL on_end(void *context, const XML_Char *full) {
  pnml_reader *r = context;
  (void)full;
  if (r->skipping) {
    r->skipping--;
    return;
  }
  if (!r->stack.size)
    return; /* stopped at the root */
  pnml_element e = hd_vec_pop(&r->stack);
  if (e == MARKING || e == INSCRIPTION || e == CAPACITY)
    close_label(r, e);
  else if (e == PLACE)
    close_place(r);
  if (hd_diag_full(r->parts.diag))
    stop(r);
}

static void XMLCALL on_text(void *context, const XML_Char *text, int length) {
  pnml_reader *r = context;
  if (r->skipping || top(r) != TEXT)
    return;
  if (!r->has_text)
    r->text_pos = hd_pnml_pos(r);
  hd_str_append(&r->text, text, (size_t)length);
  r->has_text = true;
}

static void XMLCALL on_entity(void *context, const XML_Char *name,
                              int is_parameter, const XML_Char *value,
                              int length, const XML_Char *base,
                              const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation) {
  pnml_reader *r = context;
  (void)is_parameter, (void)value, (void)length, (void)base, (void)system,
      (void)public, (void)notation;
  hd_pnml_fail(r, "entity declarations are not allowed, found", name);
  stop(r);
}

static void XMLCALL on_skipped(void *context, const XML_Char *name,
                               int is_parameter) {
  pnml_reader *r = context;
  (void)is_parameter;
  hd_pnml_fail(r, "undefined entity", name);
  stop(r);
}

static void parse(pnml_reader *r) {
  static const XML_Memory_Handling_Suite memory = {hd_alloc, hd_realloc,
                                                   hd_free};
  const hd_source *source = r->parts.source;
  r->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, on_start, on_end);
  XML_SetCharacterDataHandler(r->parser, on_text);
  XML_SetEntityDeclHandler(r->parser, on_entity);
  XML_SetSkippedEntityHandler(r->parser, on_skipped);
  assert(source->size <= INT32_MAX);
  if (XML_Parse(r->parser, source->text, (int)source->size, 1) !=
          XML_STATUS_OK &&
      !r->stopped) {
    enum XML_Error code = XML_GetErrorCode(r->parser);
    hd_diag_error(r->parts.diag, source, hd_pnml_pos(r), "not XML: %s",
                  code == XML_ERROR_NO_ELEMENTS
                      ? "the file ends before the document does"
                      : XML_ErrorString(code));
  }
  XML_ParserFree(r->parser);
}

hd_net *hd_pnml_read(const hd_source *source, hd_diag *diag) {
  size_t before = hd_diag_errors(diag);
  pnml_reader r = {.parts = {.source = source, .diag = diag}, .line = 1};
  hd_arena_init(&r.parts.arena);
  if (!source->size)
    hd_diag_file_error(diag, source->name,
                       "empty file, expected a PNML document");
  else
    parse(&r);
  if (hd_diag_errors(diag) == before && !r.seen_net)
    hd_diag_file_error(diag, source->name, "the document has no net");
  hd_net *net = NULL;
  if (hd_diag_errors(diag) == before)
    net = hd_pnml_build(&r.parts);
  hd_vec_free(&r.stack);
  hd_str_free(&r.text);
  hd_vec_free(&r.parts.nodes);
  hd_vec_free(&r.parts.arcs);
  hd_vec_free(&r.parts.bounds);
  hd_vec_free(&r.parts.targets);
  hd_arena_free(&r.parts.arena);
  assert(!net == (hd_diag_errors(diag) > before));
  return net;
}

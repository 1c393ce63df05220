/* SPDX-License-Identifier: MIT */
/* Reading PNML with expat: place/transition nets, also over several pages and
 * with reference nodes. What expat calls back is turned into parts (parts.h);
 * the net is built when the whole document is known.
 *
 * A stack remembers what each open element is. A subtree that is none of
 * heddle's business is counted and skipped: graphics and other tools' elements
 * silently, unknown ones with one warning. Elements that would change the
 * meaning of the net (inhibitor arcs, capacities, colours) are errors. Entity
 * declarations are refused, and with them external entities and entity bombs. */
#include "front/pnml/pnml.h"

#include "front/pnml/parts.h"
#include "front/text.h"

#include <expat.h>
#include <string.h>

typedef enum {
  ROOT,
  PNML,
  NET, /* a net or one of its pages */
  PLACE,
  TRANSITION,
  REFERENCE,
  ARC,
  MARKING,
  INSCRIPTION,
  CAPACITY,
  TEXT,
  OURS,   /* <toolspecific tool="heddle"> */
  TARGET, /* within OURS of a net */
  LEAF,   /* an element of ours without children */
} element;

typedef struct {
  pnml_parts parts;
  XML_Parser parser;
  hd_vec(element) stack;
  size_t skipping; /* depth within a skipped subtree, 0 = none */
  hd_str text;     /* of the current TEXT */
  bool has_text;
  hd_pos text_pos; /* of the text, or of the label around it */
  bool seen_net, warned, stopped;
  size_t at, line_start; /* the cursor behind pos_here */
  uint32_t line;
} reader;

/* The position of the current event. Events come in document order, so that a
 * cursor that only goes forward is enough. */
static hd_pos pos_here(reader *r) {
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

static void fail_at(reader *r, hd_pos pos, const char *message,
                    const char *what) {
  hd_word word = {.text = what, .size = strlen(what)};
  hd_diag_error(r->parts.diag, r->parts.source, pos, "%s '%s'", message,
                hd_quote(word).text);
}

static void fail(reader *r, const char *message, const char *what) {
  fail_at(r, pos_here(r), message, what);
}

static void stop(reader *r) {
  r->stopped = true;
  XML_StopParser(r->parser, XML_FALSE);
}

static const char *attribute(const XML_Char **atts, const char *name) {
  for (; *atts; atts += 2)
    if (!strcmp(atts[0], name))
      return atts[1];
  return NULL;
}

static const char *keep(reader *r, const char *text) {
  return hd_arena_strndup(&r->parts.arena, text, strlen(text));
}

/* A copy of an attribute that must be there and not be empty; "" if not. */
static const char *need(reader *r, const XML_Char **atts, const char *name) {
  const char *value = attribute(atts, name);
  if (value && *value)
    return keep(r, value);
  fail(r, "missing attribute", name);
  return "";
}

/* A count; blanks around it are allowed. False, reported, if it is none. */
static bool parse_count(reader *r, hd_pos pos, const char *text,
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
    fail_at(r, pos, "expected a number up to 1073741823, found", text);
    return false;
  }
  *count = (hd_count)value;
  return true;
}

static element top(const reader *r) {
  return r->stack.size ? hd_vec_last(&r->stack) : ROOT;
}

static void push(reader *r, element e) {
  hd_vec_push(&r->stack, e);
}

static void skip(reader *r) {
  r->skipping = 1;
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

static void other_element(reader *r, const char *name) {
  if (is_foreign(name)) {
    fail(r, "heddle reads place/transition nets only, found element", name);
  } else if (!is_harmless(name) && !r->warned) {
    hd_word word = {.text = name, .size = strlen(name)};
    r->warned = true;
    hd_diag_warning(r->parts.diag, r->parts.source, pos_here(r),
                    "unknown element '%s', ignored here and elsewhere",
                    hd_quote(word).text);
  }
  skip(r);
}

static bool is_pt_type(const char *type) {
  static const char *const high[] = {"highlevel", "symmetric", "hlpng",
                                     "pt-hlpng",  "coloured",  "colored"};
  for (size_t i = 0; type && i < sizeof high / sizeof *high; i++)
    if (strstr(type, high[i]))
      return false;
  return true;
}

static void open_net(reader *r, const XML_Char **atts) {
  const char *type = attribute(atts, "type");
  if (r->seen_net)
    fail(r, "expected one net in the file, found another", "net");
  else if (!is_pt_type(type))
    fail(r, "heddle reads place/transition nets only, found type", type);
  r->seen_net = true;
  push(r, NET);
}

static void open_node(reader *r, pnml_node_kind kind, const XML_Char **atts) {
  pnml_node node = {.kind = kind, .pos = pos_here(r)};
  node.id = node.name = need(r, atts, "id");
  if (kind == PNML_REF_PLACE || kind == PNML_REF_TRANSITION)
    node.ref = need(r, atts, "ref");
  hd_vec_push(&r->parts.nodes, node);
  push(r, kind == PNML_PLACE        ? PLACE
          : kind == PNML_TRANSITION ? TRANSITION
                                    : REFERENCE);
}

static void check_arc_type(reader *r, const char *type) {
  if (type && strcmp(type, "normal") != 0)
    fail(r, "expected a normal arc, found arc of type", type);
}

static void open_arc(reader *r, const XML_Char **atts) {
  pnml_arc arc = {.weight = 1, .pos = pos_here(r)};
  arc.source = need(r, atts, "source");
  arc.target = need(r, atts, "target");
  check_arc_type(r, attribute(atts, "type"));
  hd_vec_push(&r->parts.arcs, arc);
  push(r, ARC);
}

static void open_ours_or_skip(reader *r, const XML_Char **atts) {
  const char *tool = attribute(atts, "tool");
  if (tool && !strcmp(tool, "heddle"))
    push(r, OURS);
  else
    skip(r);
}

static void open_in_net(reader *r, const char *name, const XML_Char **atts) {
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

static void open_label(reader *r, element e) {
  hd_vec_clear(&r->text);
  r->has_text = false;
  r->text_pos = pos_here(r);
  push(r, e);
}

static void open_in_node(reader *r, const char *name, const XML_Char **atts) {
  element parent = top(r);
  if (!strcmp(name, "toolspecific") && parent != REFERENCE)
    open_ours_or_skip(r, atts);
  else if (parent == PLACE && !strcmp(name, "initialMarking"))
    open_label(r, MARKING);
  else if (parent == PLACE && !strcmp(name, "capacity"))
    open_label(r, CAPACITY);
  else
    other_element(r, name);
}

static void open_in_arc(reader *r, const char *name, const XML_Char **atts) {
  if (!strcmp(name, "inscription")) {
    open_label(r, INSCRIPTION);
  } else if (!strcmp(name, "type")) {
    check_arc_type(r, attribute(atts, "value"));
    skip(r);
  } else {
    other_element(r, name);
  }
}

static void open_in_label(reader *r, const char *name) {
  if (!strcmp(name, "text") || !strcmp(name, "value"))
    push(r, TEXT);
  else
    other_element(r, name);
}

/* `max` of a place's initial or target bounds: a number or "unbounded". */
static bool parse_max(reader *r, const char *text, hd_count *max) {
  if (strcmp(text, "unbounded") != 0)
    return parse_count(r, pos_here(r), text, max);
  *max = HD_OMEGA;
  return true;
}

static bool is_true(const XML_Char **atts, const char *name) {
  const char *value = attribute(atts, name);
  return value && !strcmp(value, "true");
}

static void name_node(reader *r, pnml_node *node, const XML_Char **atts) {
  const char *value = attribute(atts, "value");
  hd_str name = {0};
  if (!value && node->kind == PNML_TRANSITION)
    node->name = NULL;
  else if (!value ||
           !hd_name_decode((hd_word){.text = value, .size = strlen(value)},
                           &name))
    fail(r, "malformed attribute", "value");
  else
    node->name = keep(r, hd_str_text(&name));
  hd_str_free(&name);
}

/* Children of our own element in a place or a transition. */
static void open_ours_in_node(reader *r, const char *name,
                              const XML_Char **atts) {
  pnml_node *node = &hd_vec_last(&r->parts.nodes);
  bool place = node->kind == PNML_PLACE;
  const char *max = attribute(atts, "max");
  if (!strcmp(name, "name")) {
    name_node(r, node, atts);
  } else if (place && !strcmp(name, "shared")) {
    node->shared = true;
  } else if (place && !strcmp(name, "init") && max) {
    node->has_max = parse_max(r, max, &node->init.max);
  } else {
    fail(r, "unexpected element in toolspecific of heddle,", name);
  }
  push(r, LEAF);
}

static void open_ours_in_net(reader *r, const char *name,
                             const XML_Char **atts) {
  if (!strcmp(name, "target")) {
    pnml_target target = {.first = (uint32_t)r->parts.bounds.size,
                          .pos = pos_here(r)};
    hd_vec_push(&r->parts.targets, target);
    push(r, TARGET);
    return;
  }
  if (!strcmp(name, "numbered")) {
    r->parts.shared_numbered = is_true(atts, "shared");
    r->parts.local_numbered = is_true(atts, "local");
  } else {
    fail(r, "unexpected element in toolspecific of heddle,", name);
  }
  push(r, LEAF);
}

static void open_bound(reader *r, const char *name, const XML_Char **atts) {
  pnml_bound bound = {.max = HD_OMEGA, .pos = pos_here(r)};
  const char *min = attribute(atts, "min"), *max = attribute(atts, "max");
  push(r, LEAF);
  if (strcmp(name, "place") != 0) {
    fail(r, "expected element 'place' in a target, found", name);
    return;
  }
  bound.ref = need(r, atts, "ref");
  if ((min && !parse_count(r, bound.pos, min, &bound.min)) ||
      (max && !parse_max(r, max, &bound.max)))
    return;
  if (bound.min > bound.max)
    fail(r, "no number is that large and that small, place", bound.ref);
  hd_vec_push(&r->parts.bounds, bound);
  hd_vec_last(&r->parts.targets).n++;
}

static void open_ours(reader *r, const char *name, const XML_Char **atts) {
  assert(r->stack.size >= 2);
  if (r->stack.data[r->stack.size - 2] == NET)
    open_ours_in_net(r, name, atts);
  else
    open_ours_in_node(r, name, atts);
}

static void open_root(reader *r, const char *name) {
  if (!strcmp(name, "pnml")) {
    push(r, PNML);
    return;
  }
  fail(r, "expected root element 'pnml', found", name);
  stop(r);
}

static void XMLCALL on_start(void *context, const XML_Char *full,
                             const XML_Char **atts) {
  reader *r = context;
  const char *colon = strrchr(full, ':');
  const char *name = colon ? colon + 1 : full;
  if (r->skipping) {
    r->skipping++;
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
    open_ours(r, name, atts);
    break;
  case TARGET:
    open_bound(r, name, atts);
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
static void close_label(reader *r, element e) {
  hd_count count;
  const char *text = hd_str_text(&r->text);
  if (!r->has_text) {
    fail_at(r, r->text_pos, "expected a number in element",
            e == MARKING       ? "initialMarking"
            : e == INSCRIPTION ? "inscription"
                               : "capacity");
    return;
  }
  if (!parse_count(r, r->text_pos, text, &count))
    return;
  if (e == MARKING) {
    hd_vec_last(&r->parts.nodes).init.min = count;
  } else if (e == INSCRIPTION) {
    if (!count)
      fail_at(r, r->text_pos, "expected an arc weight above 0, found", text);
    hd_vec_last(&r->parts.arcs).weight = count;
  } else if (count) {
    fail_at(r, r->text_pos, "places with a capacity are not supported, found",
            text);
  }
}

/* Without an element of ours, a place starts with exactly its marking. */
static void close_place(reader *r) {
  pnml_node *node = &hd_vec_last(&r->parts.nodes);
  if (!node->has_max)
    node->init.max = node->init.min;
  else if (node->init.max < node->init.min)
    fail(r, "the largest initial marking is below the marking of place",
         node->id);
}

static void XMLCALL on_end(void *context, const XML_Char *full) {
  reader *r = context;
  (void)full;
  if (r->skipping) {
    r->skipping--;
    return;
  }
  if (!r->stack.size)
    return; /* stopped at the root */
  element e = hd_vec_pop(&r->stack);
  if (e == MARKING || e == INSCRIPTION || e == CAPACITY)
    close_label(r, e);
  else if (e == PLACE)
    close_place(r);
  if (hd_diag_full(r->parts.diag))
    stop(r);
}

static void XMLCALL on_text(void *context, const XML_Char *text, int length) {
  reader *r = context;
  if (r->skipping || top(r) != TEXT)
    return;
  if (!r->has_text)
    r->text_pos = pos_here(r);
  hd_str_append(&r->text, text, (size_t)length);
  r->has_text = true;
}

static void XMLCALL on_entity(void *context, const XML_Char *name,
                              int is_parameter, const XML_Char *value,
                              int length, const XML_Char *base,
                              const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation) {
  reader *r = context;
  (void)is_parameter, (void)value, (void)length, (void)base, (void)system,
      (void)public, (void)notation;
  fail(r, "entity declarations are not allowed, found", name);
  stop(r);
}

static void XMLCALL on_skipped(void *context, const XML_Char *name,
                               int is_parameter) {
  reader *r = context;
  (void)is_parameter;
  fail(r, "undefined entity", name);
  stop(r);
}

static void parse(reader *r) {
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
    hd_diag_error(r->parts.diag, source, pos_here(r), "not XML: %s",
                  code == XML_ERROR_NO_ELEMENTS
                      ? "the file ends before the document does"
                      : XML_ErrorString(code));
  }
  XML_ParserFree(r->parser);
}

hd_net *hd_pnml_read(const hd_source *source, hd_diag *diag) {
  size_t before = hd_diag_errors(diag);
  reader r = {.parts = {.source = source, .diag = diag}, .line = 1};
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
    net = pnml_build(&r.parts);
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

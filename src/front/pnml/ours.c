/* SPDX-License-Identifier: MIT */
/* heddle's own elements in PNML: names, initial bounds, shared states, targets. */
#include "front/pnml/reader.h"

#include <string.h>

/* `max` of a place's initial or target bounds: a number or "unbounded". */
static bool parse_max(pnml_reader *r, const char *text, hd_count *max) {
  if (strcmp(text, "unbounded") != 0)
    return hd_pnml_count(r, hd_pnml_pos(r), text, max);
  *max = HD_OMEGA;
  return true;
}

static bool is_true(const XML_Char **atts, const char *name) {
  const char *value = hd_pnml_attribute(atts, name);
  return value && !strcmp(value, "true");
}

static void name_node(pnml_reader *r, pnml_node *node, const XML_Char **atts) {
  const char *value = hd_pnml_attribute(atts, "value");
  hd_str name = {0};
  if (!value && node->kind == PNML_TRANSITION)
    node->name = NULL;
  else if (!value ||
           !hd_name_decode((hd_word){.text = value, .size = strlen(value)},
                           &name))
    hd_pnml_fail(r, "malformed attribute", "value");
  else
    node->name = hd_arena_strndup(&r->parts.arena, name.data, name.size);
  hd_str_free(&name);
}

/* Children of our own element in a place or a transition. */
static void open_ours_in_node(pnml_reader *r, const char *name,
                              const XML_Char **atts) {
  pnml_node *node = &hd_vec_last(&r->parts.nodes);
  bool place = node->kind == PNML_PLACE;
  const char *max = hd_pnml_attribute(atts, "max");
  if (!strcmp(name, "name")) {
    name_node(r, node, atts);
  } else if (place && !strcmp(name, "shared")) {
    node->shared = true;
  } else if (place && !strcmp(name, "init") && max) {
    node->has_max = parse_max(r, max, &node->init.max);
  } else {
    hd_pnml_fail(r, "unexpected element in toolspecific of heddle,", name);
  }
  hd_vec_push(&r->stack, LEAF);
}

static void open_ours_in_net(pnml_reader *r, const char *name,
                             const XML_Char **atts) {
  if (!strcmp(name, "target")) {
    pnml_target target = {.first = (uint32_t)r->parts.bounds.size,
                          .pos = hd_pnml_pos(r)};
    hd_vec_push(&r->parts.targets, target);
    hd_vec_push(&r->stack, TARGET);
    return;
  }
  if (!strcmp(name, "numbered")) {
    r->parts.shared_numbered = is_true(atts, "shared");
    r->parts.local_numbered = is_true(atts, "local");
  } else {
    hd_pnml_fail(r, "unexpected element in toolspecific of heddle,", name);
  }
  hd_vec_push(&r->stack, LEAF);
}

void hd_pnml_open_bound(pnml_reader *r, const char *name,
                        const XML_Char **atts) {
  pnml_bound bound = {.max = HD_OMEGA, .pos = hd_pnml_pos(r)};
  const char *min = hd_pnml_attribute(atts, "min"),
             *max = hd_pnml_attribute(atts, "max");
  hd_vec_push(&r->stack, LEAF);
  if (strcmp(name, "place") != 0) {
    hd_pnml_fail(r, "expected element 'place' in a target, found", name);
    return;
  }
  bound.ref = hd_pnml_need(r, atts, "ref");
  if ((min && !hd_pnml_count(r, bound.pos, min, &bound.min)) ||
      (max && !parse_max(r, max, &bound.max)))
    return;
  if (bound.min > bound.max)
    hd_pnml_fail(r, "no number is that large and that small, place", bound.ref);
  hd_vec_push(&r->parts.bounds, bound);
  hd_vec_last(&r->parts.targets).n++;
}

void hd_pnml_open_ours(pnml_reader *r, const char *name,
                       const XML_Char **atts) {
  assert(r->stack.size >= 2);
  if (r->stack.data[r->stack.size - 2] == NET)
    open_ours_in_net(r, name, atts);
  else
    open_ours_in_node(r, name, atts);
}

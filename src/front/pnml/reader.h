/* SPDX-License-Identifier: MIT */
/* The state of a reader of PNML, and what its parts share. Private to this
 * folder. */
#ifndef HD_FRONT_PNML_READER_H
#define HD_FRONT_PNML_READER_H

#include "front/pnml/parts.h"
#include "front/text.h"

#include <expat.h>

/* What an open element is. */
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
} pnml_element;

typedef struct {
  pnml_parts parts;
  XML_Parser parser;
  hd_vec(pnml_element) stack;
  size_t skipping; /* depth within a skipped subtree, 0 = none */
  bool unknown;    /* its root is an element nobody knows */
  hd_str text;     /* of the current TEXT */
  bool has_text;
  hd_pos text_pos; /* of the text, or of the label around it */
  bool seen_net, warned, stopped;
  size_t at, line_start; /* the cursor of hd_pnml_pos */
  uint32_t line;
} pnml_reader;

/* The position of the current event. */
hd_pos hd_pnml_pos(pnml_reader *r);
/* An error: `message 'what'`. */
void hd_pnml_fail_at(pnml_reader *r, hd_pos pos, const char *message,
                     const char *what);
void hd_pnml_fail(pnml_reader *r, const char *message, const char *what);
/* NULL when there is no such attribute. */
const char *hd_pnml_attribute(const XML_Char **atts, const char *name);
/* A copy of an attribute that must be there and not be empty; "" if not. */
const char *hd_pnml_need(pnml_reader *r, const XML_Char **atts,
                         const char *name);
/* A count; blanks around it are allowed. False, reported, if it is none. */
bool hd_pnml_count(pnml_reader *r, hd_pos pos, const char *text,
                   hd_count *count);

/* An element within <toolspecific tool="heddle">, or within a target there;
 * pushes what it is. */
void hd_pnml_open_ours(pnml_reader *r, const char *name, const XML_Char **atts);
void hd_pnml_open_bound(pnml_reader *r, const char *name,
                        const XML_Char **atts);

#endif

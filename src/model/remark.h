/* SPDX-License-Identifier: MIT */
/* What an answer says beside its verdicts: why there is none, and remarks. The code
 * tells the rest of the program what is meant; the sentence is for people, and
 * nobody reads it to decide anything. */
#ifndef HD_MODEL_REMARK_H
#define HD_MODEL_REMARK_H

#include "base/run.h"
#include "base/vec.h"
#include "model/property.h"

/* name, what it is called where answers go from process to process */
#define HD_WHYS(X)                                                             \
  X(OTHER, "other")     /* only the sentence says it */                        \
  X(TIME, "time")       /* a limit was reached: of time, */                    \
  X(MEMORY, "memory")   /* of memory */                                        \
  X(UNASKED, "unasked") /* runs end at `property`, which was not asked for */  \
  X(UP_TO, "up-to")     /* the proof goes up to `property`, not asked for */   \
  X(PATIENCE, "patience") /* given up before the limit: runs are long */       \
  X(UNSET, "unset")       /* it depends on what was never set */               \
  X(REFUSED, "refused")   /* a run met what no machine knows */

typedef enum {
#define X(name, text) HD_WHY_##name,
  HD_WHYS(X)
#undef X
      HD_WHY_COUNT
} hd_why;

const char *hd_why_name(hd_why why);
/* HD_WHY_COUNT when nothing is called so. */
hd_why hd_why_find(const char *name);
/* TIME or MEMORY when it stopped there, else OTHER. */
hd_why hd_why_stopped(hd_stop stop);

typedef struct {
  hd_why why;
  hd_property property; /* UNASKED, UP_TO; else HD_PROPERTY_COUNT */
  char *text;           /* one line, no full stop; owned */
} hd_remark;

typedef hd_vec(hd_remark) hd_remarks; /* all zero: none */

/* How the text of UNASKED begins; then comes what ends the runs. */
#define HD_REMARK_UNASKED "runs end here, which was not asked for: "

/* Copies the text. The same text is not said twice. */
void hd_remarks_add(hd_remarks *remarks, hd_why why, hd_property property,
                    const char *text);
/* The same of a plain remark. */
void hd_remarks_say(hd_remarks *remarks, const char *text);
/* Those of `from` that are not there yet. */
void hd_remarks_add_all(hd_remarks *remarks, const hd_remarks *from);
/* Leaves out those with this code and, but for HD_PROPERTY_COUNT, property. */
void hd_remarks_drop(hd_remarks *remarks, hd_why why, hd_property property);
void hd_remarks_free(hd_remarks *remarks);

#endif

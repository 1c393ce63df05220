/* SPDX-License-Identifier: MIT */
/* What no engine, or not every one, looks at: what is safe but for that is
 * unknown, with the place. */
#include "api/code_job.h"

#include "model/escape.h"
#include "model/reuse.h"
#include "model/unordered.h"

#include <string.h>

static void open_again(hd_job *j, hd_code_answer *answer, const char *before,
                       hd_edge_id edge, const char *behind) {
  hd_str text = {0};
  hd_str_puts(&text, before);
  hd_code_print_pos(&text, j->code, j->code->edges.data[edge].pos);
  hd_str_puts(&text, behind);
  answer->verdict = HD_UNKNOWN;
  hd_free(answer->reason);
  answer->reason = hd_str_take(&text);
  answer->why = HD_WHY_OTHER;
}

static bool is_by(const hd_code_answer *answer, const char *engine) {
  return strcmp(answer->engine, engine) == 0;
}

static bool is_by_explore(const hd_code_answer *answer) {
  return is_by(answer, "explore");
}

/* explore and pairs see races of accesses that come next to each other. */
static void doubt_race(hd_job *j) {
  hd_code_answer *answer = &j->result->answers[HD_PROPERTY_RACE];
  hd_edge_id edge = hd_code_weak_order(j->code, j->options->explore.machine.sc);
  if (answer->verdict == HD_SAFE && edge != HD_NO_ID && !j->result->ordered &&
      (is_by_explore(answer) || is_by(answer, "pairs")))
    open_again(j, answer, "none between neighbours; but the action at ", edge,
               " may keep others apart without ordering them");
}

/* modular, whose fears pairs look at, takes who gets an address for ordered behind who gave it away. */
static void doubt_addresses(hd_job *j) {
  hd_code_answer *answer = &j->result->answers[HD_PROPERTY_RACE];
  hd_edge_id edge =
      hd_code_weak_address(j->code, j->options->explore.machine.sc);
  if (answer->verdict == HD_SAFE && edge != HD_NO_ID &&
      (is_by(answer, "modular") || is_by(answer, "pairs")))
    open_again(j, answer, "", edge,
               ": who gets an address here need not be ordered behind who made "
               "the object");
}

/* Only the machine gives ids of threads that were joined to others; systems use
 * them again, also those of threads that end by themselves. */
static void doubt_ids(hd_job *j) {
  hd_edge_id edge = hd_code_compares_ids(j->code);
  bool tried = edge == HD_NO_ID || !hd_code_detaches(j->code);
  for (int p = 0; edge != HD_NO_ID && p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (answer->verdict == HD_SAFE && !(tried && is_by_explore(answer)))
      open_again(j, answer, "", edge,
                 ": ids of threads are compared, and may come again");
  }
}

/* The compiler has put operands in an order that C leaves open. */
static void doubt_order(hd_job *j) {
  hd_edge_id edge = hd_code_unordered(j->code);
  for (int p = 0; edge != HD_NO_ID && p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (answer->verdict == HD_SAFE)
      open_again(j, answer, "", edge,
                 ": operands use the same variables in an order that C leaves "
                 "open");
  }
}

static bool any_safe(const hd_job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (j->result->answers[p].verdict == HD_SAFE)
      return true;
  return false;
}

void hd_job_doubt(hd_job *j) {
  if (!any_safe(j))
    return;
  doubt_ids(j);
  doubt_order(j);
  doubt_race(j);
  doubt_addresses(j);
}

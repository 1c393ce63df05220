/* SPDX-License-Identifier: MIT */
/* One line a finding, in the form that editors and CI know from compilers; the
 * steps of the run are notes. */
#include "report/describe.h"
#include "report/report.h"

#include <string.h>

static void put_spot(hd_str *out, const hd_story *story, hd_spot spot) {
  hd_report_one_line(out, spot.file ? spot.file : story->file);
  if (spot.file && spot.line)
    hd_str_printf(out, ":%u:%u", spot.line, spot.column ? spot.column : 1);
  hd_str_puts(out, ": ");
}

static void put_step(hd_str *out, const hd_story *story,
                     const hd_story_run *run, const hd_story_step *s) {
  put_spot(out, story, s->spot);
  hd_str_printf(out, "note: %s: ", run->threads.data[s->thread]);
  hd_report_one_line(out, s->statement);
  if (*s->effect) {
    hd_str_puts(out, " (");
    hd_report_one_line(out, s->effect);
    hd_str_puts(out, ")");
  }
  hd_str_puts(out, "\n");
}

static void put_finding(hd_str *out, const hd_story *story,
                        const hd_story_finding *f) {
  put_spot(out, story, f->at);
  bool known = f->standing && strcmp(f->standing, "new") != 0;
  hd_str_puts(out, known                     ? "note: "
                   : f->verdict == HD_UNSAFE ? "error: "
                                             : "warning: ");
  hd_report_one_line(out, f->title);
  if (f->verdict == HD_UNKNOWN && f->reason) {
    hd_str_puts(out, ": ");
    hd_report_one_line(out, f->reason);
  }
  if (f->at_thread)
    hd_str_printf(out, ", in %s", f->at_thread);
  hd_str_printf(out, " [%s]", f->name);
  if (known)
    hd_str_printf(out, " (%s%s%s)", f->standing, f->excuse ? ": " : "",
                  f->excuse ? f->excuse : "");
  hd_str_puts(out, "\n");
  if (known)
    return;
  if (f->other.file) {
    put_spot(out, story, f->other);
    hd_str_printf(out, "note: the other access%s%s\n",
                  f->other_thread ? ", in " : "",
                  f->other_thread ? f->other_thread : "");
  }
  for (size_t i = 0; f->run && i < f->run->steps.size; i++)
    if (f->run->steps.data[i].shows)
      put_step(out, story, f->run, &f->run->steps.data[i]);
}

void hd_story_gcc(hd_str *out, const hd_story *story) {
  for (hd_vec_each(const hd_story_finding, f, &story->findings))
    if (f->verdict == HD_UNSAFE || (f->verdict == HD_UNKNOWN && story->judged))
      put_finding(out, story, f);
}

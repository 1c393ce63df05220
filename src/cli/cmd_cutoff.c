/* SPDX-License-Identifier: MIT */
/* heddle cutoff: how many threads it takes to reach every thread state. */
#include "cli/session.h"

#include "report/cutoff.h"

#include <string.h>

/* Not even the thread states that can be reached are known. */
static hd_end unknown(hd_session *session, char *reason) {
  hd_str text = {0};
  if (!strcmp(session->options.format, "json"))
    hd_report_cutoff_json(&text, session->net, &(hd_cutoff){.reason = reason},
                          hd_exit_code(HD_END_UNKNOWN));
  else
    hd_str_printf(&text, "cutoff: unknown (%s)\n", reason);
  bool ok = hd_session_report(session, &text);
  hd_str_free(&text);
  return ok ? HD_END_UNKNOWN : HD_END_OUTPUT;
}

static hd_end report(hd_session *session, const hd_cutoff *cutoff) {
  const hd_options *o = &session->options;
  hd_end end = cutoff->reachability ? HD_END_DONE : HD_END_UNKNOWN;
  hd_str text = {0};
  if (o->plot) {
    hd_report_cutoff_svg(&text, session->net, cutoff);
    if (!hd_session_write(session, o->plot, hd_str_text(&text), text.size))
      end = HD_END_OUTPUT;
    hd_str_free(&text);
  }
  if (!strcmp(o->format, "json"))
    hd_report_cutoff_json(&text, session->net, cutoff, hd_exit_code(end));
  else
    hd_report_cutoff_text(&text, session->net, cutoff, o->quiet);
  if (!hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  return end;
}

static hd_end search(hd_session *session, hd_result *result) {
  double before = hd_now();
  switch (hd_reach(session->net, &session->run, session->options.no_check,
                   result)) {
  case HD_VERIFY_DONE:
    break;
  case HD_VERIFY_REFUSED:
    hd_diag_report(session->diag, HD_ERROR, NULL, (hd_pos){0}, "%s",
                   result->reason);
    return HD_END_INPUT;
  case HD_VERIFY_INTERNAL:
    hd_bug("%s", result->reason);
  }
  if (!result->cert)
    return unknown(session, result->reason);
  double km_seconds = hd_now() - before;
  hd_cutoff *cutoff =
      hd_cutoff_find(session->net, result->cert,
                     (uint32_t)session->options.max_threads, &session->run);
  cutoff->km_seconds = km_seconds;
  hd_end end = report(session, cutoff);
  hd_cutoff_delete(cutoff);
  return end;
}

hd_end hd_cmd_cutoff(hd_session *session) {
  const hd_options *o = &session->options;
  if (!hd_session_probe(session, o->output) ||
      !hd_session_probe(session, o->plot))
    return HD_END_OUTPUT;
  if (!hd_session_read(session, false, false))
    return HD_END_INPUT;
  hd_session_messages(session);
  if (session->unbuilt)
    return unknown(session, session->unbuilt);
  hd_result result = {0};
  hd_end end = search(session, &result);
  hd_result_free(&result);
  return end;
}

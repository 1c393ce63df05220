/* SPDX-License-Identifier: MIT */
#include "cli/findings.h"

bool hd_findings_read_baseline(hd_session *session, hd_baseline *baseline) {
  const char *path = session->options.baseline;
  hd_source source;
  if (!path)
    return true;
  if (!hd_source_read(path, &source, session->diag))
    return false;
  bool ok = hd_baseline_parse(&source, session->diag, baseline);
  hd_source_free(&source);
  return ok;
}

/* Does anybody look at more than the verdict, or does it depend on the others? */
static bool wants_more(const hd_session *session,
                       const hd_code_result *result) {
  const hd_options *o = &session->options;
  return !o->fail_fast && (!o->quiet || o->baseline || o->write_baseline ||
                           o->html || hd_code_suppressed(result));
}

void hd_findings_list(hd_session *session, const hd_code_options *options,
                      const hd_baseline *baseline, hd_code_result *result) {
  if (hd_code_result_worst(result) != HD_UNSAFE || options->unbounded)
    return;
  hd_gather_code(session->code, options, false, &session->run, result);
  hd_standing_excuse(session->code, result);
  hd_baseline_apply(baseline, result);
  if (wants_more(session, result)) {
    hd_gather_code(session->code, options, true, &session->run, result);
    hd_standing_excuse(session->code, result);
    hd_baseline_apply(baseline, result);
  }
  hd_standing_sort(result);
}

bool hd_findings_write_baseline(hd_session *session,
                                const hd_code_result *result) {
  const char *path = session->options.write_baseline;
  hd_str text = {0};
  if (!path)
    return true;
  hd_baseline_print(&text, session->code, result);
  bool ok = hd_session_write(session, path, hd_str_text(&text), text.size);
  hd_str_free(&text);
  return ok;
}

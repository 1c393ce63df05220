/* SPDX-License-Identifier: MIT */
#include "cli/hints.h"

#include <string.h>

/* What helps where the program has something that heddle does not do. */
static const char *hint_by_reason(const char *reason) {
  static const struct {
    const char *part, *hint;
  } table[] = {
      {"neither defined nor known",
       "--undefined=havoc, which looks behind it, or a definition of that "
       "function in a further file (heddle stubs)"},
      {"is declared but not defined",
       "with a definition of that object in a further file"},
      {"this library function is not supported",
       "with a definition of your own of that function in a further file"},
      {"which --property=memory reports",
       "--property=memory, which shows the run that ends there"},
      {"a value that was never set",
       "--property=uninit, which shows where it is used, or a program that "
       "sets it"},
      {"can be any pointer",
       "a pointer to something of the program instead of any pointer"},
      {" allows more under ",
       "--memory-model=sc, if the program is for nothing weaker, or stronger "
       "orders"},
      {" values, of which only ",
       "inputs from smaller ranges: heddle_nondet_int(least, largest)"},
  };
  for (size_t i = 0; reason && i < sizeof table / sizeof *table; i++)
    if (strstr(reason, table[i].part))
      return table[i].hint;
  return NULL;
}

const char *hd_hint_for(const hd_session *session,
                        const hd_code_result *result) {
  const hd_options *o = &session->options;
  if (hd_code_result_worst(result) != HD_UNKNOWN)
    return NULL;
  const char *reason = NULL;
  hd_why why = HD_WHY_OTHER;
  for (int p = 0; p < HD_PROPERTY_COUNT && !reason; p++)
    if (result->answers[p].asked && result->answers[p].verdict == HD_UNKNOWN) {
      reason = result->answers[p].reason;
      why = result->answers[p].why;
    }
  if (o->command == HD_COMMAND_FUZZ)
    return "a longer --time or another --seed; 'heddle verify' can prove that "
           "there is no violation";
  if (o->threads && !strcmp(o->threads, "unbounded"))
    return "a bounded number of threads: leave --threads=unbounded out";
  if (o->engine && !strcmp(o->engine, "fuzz"))
    return "--engine=explore: fuzz finds violations and proves nothing";
  if (o->unwind && reason && strstr(reason, "--unwind"))
    return "a larger --unwind, or none";
  if (why == HD_WHY_TIME)
    return "a longer --timeout, fewer threads or iterations, or smaller inputs";
  if (why == HD_WHY_PATIENCE)
    return "--timeout=SECONDS, which takes all of them, fewer threads or "
           "iterations (-D, --arg), or smaller inputs";
  if (why == HD_WHY_MEMORY)
    return "a larger --memory, fewer threads or iterations, or smaller inputs";
  if (hint_by_reason(reason))
    return hint_by_reason(reason);
  if (o->engine)
    return "all engines: leave --engine out";
  if (result->notes.size)
    return "a program without what the notes say, or one property at a time "
           "(--property)";
  return "fewer threads or iterations, smaller ranges of inputs, or one "
         "property at a time (--property)";
}

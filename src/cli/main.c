/* SPDX-License-Identifier: MIT */
/* heddle's command line. */
#include "cli/session.h"

#include <string.h>

static hd_end say_help(const hd_options *options) {
  hd_command about = options->command;
  if (options->version)
    printf("heddle %s\n", HD_VERSION);
  else if (options->print_options)
    hd_help_print_table(stdout);
  else {
    for (int c = 0; about == HD_COMMAND_HELP && options->n_operands &&
                    c < HD_COMMAND_COUNT;
         c++)
      if (!strcmp(options->operands[0], hd_command_infos[c].name))
        about = (hd_command)c;
    bool all = options->help || options->n_operands;
    hd_help_print(stdout, about, all);
  }
  if (fflush(stdout) == 0 && !ferror(stdout))
    return HD_END_DONE;
  perror("heddle: <stdout>: cannot write");
  return HD_END_OUTPUT;
}

static hd_end run_command(hd_session *session) {
  bool code = hd_options_code(&session->options);
  switch (session->options.command) {
  case HD_COMMAND_VERIFY:
    return code ? hd_cmd_verify_code(session) : hd_cmd_verify(session);
  case HD_COMMAND_RUN:
    return hd_cmd_run(session);
  case HD_COMMAND_FUZZ:
    return hd_cmd_fuzz(session);
  case HD_COMMAND_COMPARE:
    return hd_cmd_compare(session);
  case HD_COMMAND_REACH:
    return hd_cmd_reach(session);
  case HD_COMMAND_CHECK:
    return code ? hd_cmd_check_code(session) : hd_cmd_check(session);
  case HD_COMMAND_CONVERT:
    return hd_cmd_convert(session);
  case HD_COMMAND_SHOW:
    return hd_cmd_show(session);
  case HD_COMMAND_STUBS:
    return hd_cmd_stubs(session);
  case HD_COMMAND_API:
    return hd_cmd_api(session);
  case HD_COMMAND_CUTOFF:
    return hd_cmd_cutoff(session);
  case HD_COMMAND_SUITE:
    return hd_cmd_suite(session);
  case HD_COMMAND_ENGINES:
    return hd_cmd_engines(session);
  case HD_COMMAND_HELP:
  case HD_COMMAND_COUNT:
    break;
  }
  hd_bug("command %d", (int)session->options.command);
}

int main(int argc, char **argv) {
  hd_end end = HD_END_INTERNAL;
  hd_session session = {0};
  if (!hd_options_parse(&session.options, argc, argv, stderr))
    return hd_exit_code(HD_END_USAGE);
  hd_session_start(&session);
  const hd_options *options = &session.options;
  if (options->command == HD_COMMAND_HELP || options->help ||
      options->short_help)
    end = say_help(options);
  else
    end = run_command(&session);
  hd_session_finish(&session);
  return hd_exit_code(end);
}

/* SPDX-License-Identifier: MIT */
/* heddle verify of programs that call MPI or have annotations. */
#include "cli/mpi.h"

#include "api/infer.h"
#include "api/mpi.h"
#include "cli/code.h"
#include "cli/harness.h"
#include "front/formula/formula.h"

#include <string.h>

/* What --infer has found, as notes, before the others. */
static void add_inferred(hd_code_result *result, const hd_code *code,
                         const hd_infer_result *inferred) {
  for (size_t i = 0; i < inferred->loops.size; i++) {
    const hd_inferred *loop = &inferred->loops.data[i];
    hd_str note = {0};
    hd_str_puts(&note, loop->pragma ? "inferred, to stand before the loop at "
                                    : "nothing inferred for the loop at ");
    hd_code_print_pos(&note, code, loop->pos);
    hd_str_printf(&note, " (%u candidates, %u dropped):", loop->candidates,
                  loop->dropped);
    if (loop->pragma)
      hd_str_printf(&note, "\n#pragma %s", loop->pragma);
    hd_remarks_say(&result->notes, hd_str_text(&note));
    hd_str_free(&note);
  }
  if (!inferred->loops.size)
    hd_remarks_say(&result->notes,
                   "nothing inferred: no loop without invariant runs "
                   "longer with some inputs than with others");
}

/* --infer: the pragmas that were found become part of the program. */
static bool infer(hd_session *session, const hd_machine_options *machine,
                  hd_infer_result *inferred) {
  const hd_options *o = &session->options;
  uint32_t least = 1, most = 1;
  if ((hd_mpi_program(session->code) || o->procs) &&
      !hd_mpi_procs(session, &least, &most))
    return false;
  if (most == HD_PROCS_ANY)
    most = least + 1;
  hd_mpi_options base = hd_mpi_options_of(session, machine, most);
  hd_infer_options options = {
      .procs = most,
      .seed = o->seed,
      .lise = {.checks = base.checks | HD_PROPERTIES_MPI,
               .potential = base.potential,
               .unwind = (uint32_t)o->unwind},
  };
  hd_infer(session->code, &options, &session->run, inferred);
  return true;
}

static hd_end verify(hd_session *session, const hd_machine_options *machine,
                     const hd_notes *notes, const hd_infer_result *inferred) {
  const hd_options *o = &session->options;
  hd_mpi_verify_options options = {.notes = notes,
                                   .accept_bounded = o->accept_bounded,
                                   .count_all = o->unreduced,
                                   .side_after = o->engine ? -1 : 1,
                                   .confirm = o->confirm || o->certify};
  bool mpi = hd_mpi_program(session->code);
  options.least = options.most = 1;
  if ((mpi || o->procs) &&
      !hd_mpi_procs(session, &options.least, &options.most))
    return HD_END_USAGE;
  hd_mpi_options base = hd_mpi_options_of(session, machine, options.most);
  options.argc = base.argc;
  options.argv = base.argv;
  options.lise = (hd_lise_options){
      .checks = base.checks,
      .potential = base.potential,
      .unwind = (uint32_t)o->unwind,
      .malloc_fails = machine->malloc_fails,
      .c_numbers = !o->numbers || strcmp(o->numbers, "ideal") != 0,
  };
  if (!o->property)
    options.lise.checks |= (hd_properties)1 << HD_PROPERTY_INVARIANT;
  hd_code_result result = {0};
  hd_str why = {0};
  hd_end end = HD_END_INPUT;
  if (o->infer)
    add_inferred(&result, session->code, inferred);
  hd_verify_status status =
      hd_verify_mpi(session->code, &options, &session->run, &result, &why);
  if (status == HD_VERIFY_DONE) {
    end = hd_code_conclude(session, NULL, &result);
    if (mpi && options.least == options.most &&
        !hd_harness_write_mpi(session, &base, &result))
      end = HD_END_OUTPUT;
  } else
    hd_diag_file_error(session->diag, o->operands[0], "%s", hd_str_text(&why));
  hd_str_free(&why);
  hd_code_result_free(&result);
  return end;
}

bool hd_mpi_command_verify(hd_session *session,
                           const hd_machine_options *machine, hd_end *end) {
  const char *engine = session->options.engine;
  if (engine && strcmp(engine, "lise"))
    return false;
  hd_notes notes;
  hd_infer_result inferred = {0};
  if (session->options.infer && !infer(session, machine, &inferred)) {
    *end = HD_END_USAGE;
    return true;
  }
  bool read = hd_notes_read(&notes, session->code, session->diag);
  hd_session_messages(session);
  bool mine = !read || engine || hd_mpi_verifiable(session->code, &notes) ||
              session->options.infer;
  if (!read)
    *end = HD_END_INPUT;
  else if (mine)
    *end = verify(session, machine, &notes, &inferred);
  hd_notes_free(&notes);
  hd_infer_result_free(&inferred);
  return mine;
}

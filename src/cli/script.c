/* SPDX-License-Identifier: MIT */
#include "cli/script.h"

#include "check/mpi/mpi.h"
#include "front/formula/formula.h"
#include "front/schedule/schedule.h"
#include "model/unset.h"

bool hd_script_write(hd_session *session, const hd_code *code, const char *path,
                     const hd_start *start, const hd_turns *turns,
                     const char *remark) {
  hd_str text = {0};
  hd_turns_print(&text, start, turns, code, remark);
  bool ok = hd_session_write(session, path, hd_str_text(&text), text.size);
  hd_str_free(&text);
  return ok;
}

static bool set_inputs(hd_session *session, const char *path, hd_script *script,
                       hd_machine_options *machine) {
  if (!hd_notes_read(&script->notes, session->code, session->diag))
    return false;
  hd_input_values_start(&script->inputs, &script->notes);
  for (hd_vec_each(const hd_setting, s, &script->start.inputs))
    if (!hd_input_values_set(&script->inputs, s->name, s->value)) {
      hd_diag_file_error(session->diag, path,
                         "the program has no input '%s' that could be %s",
                         s->name, s->value);
      return false;
    }
  if (!hd_input_values_allowed(&script->inputs)) {
    hd_diag_file_error(session->diag, path,
                       "its inputs do not satisfy the program's conditions");
    return false;
  }
  machine->given = script->inputs.given.data;
  machine->n_given = script->inputs.given.size;
  return true;
}

/* Is it a schedule of the program with other inputs? */
static void choose_graph(hd_session *session, const hd_source *source) {
  if (session->plain || hd_turns_belong(source, session->code))
    return;
  hd_code *unset = hd_unset_new(session->code);
  if (unset && hd_turns_belong(source, unset)) {
    session->plain = session->code;
    session->code = unset;
  } else {
    hd_unset_delete(unset);
  }
}

bool hd_script_read(hd_session *session, const char *path, hd_script *script,
                    hd_machine_options *machine) {
  hd_source source;
  if (!hd_source_read(path, &source, session->diag))
    return false;
  choose_graph(session, &source);
  bool ok = hd_turns_parse(&source, session->code, &script->start,
                           &script->turns, session->diag);
  hd_source_free(&source);
  return ok && (!script->start.inputs.size ||
                set_inputs(session, path, script, machine));
}

void hd_script_free(hd_script *script) {
  if (script->inputs.notes)
    hd_input_values_drop(&script->inputs);
  if (script->notes.code)
    hd_notes_free(&script->notes);
  hd_start_free(&script->start);
  hd_vec_free(&script->turns);
}

bool hd_script_is_mpi(const hd_session *session, const hd_script *script) {
  return script->start.processes || hd_mpi_program(session->code);
}

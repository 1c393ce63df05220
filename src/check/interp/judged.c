/* SPDX-License-Identifier: MIT */
/* What was recorded, judged by the axioms. */
#include "check/axioms/axioms.h"
#include "check/interp/record.h"

static void print_event(hd_str *out, const hd_code *code, const hd_execution *x,
                        hd_exec_id id) {
  if (id == HD_NO_ID || id >= x->events.size)
    return;
  const hd_exec_event *e = &x->events.data[id];
  hd_str_printf(out, "%sturn %u, thread %u", out->size ? ", " : "", e->turn,
                e->thread);
  if (e->edge < code->edges.size) {
    hd_str_puts(out, ", ");
    hd_code_print_pos(out, code, code->edges.data[e->edge].pos);
  }
}

static bool has_event(const hd_execution *x, hd_tid thread, hd_edge_id edge) {
  for (hd_vec_each(const hd_exec_event, e, &x->events))
    if (e->thread == thread && e->edge == edge && e->place != HD_NO_ID)
      return true;
  return false;
}

/* Were both accesses made? */
static bool is_made(const hd_execution *x, const hd_violation *v) {
  return v && v->property == HD_PROPERTY_RACE &&
         has_event(x, v->thread, v->edge) &&
         has_event(x, v->other, v->other_edge);
}

bool hd_execution_allowed(const hd_code *code, const hd_execution *x,
                          const hd_machine_options *options,
                          const hd_violation *violation, hd_str *why) {
  hd_axioms *axioms = hd_axioms_new(x, options->memory, options->c23);
  hd_exec_id a, b;
  const char *broken = hd_axioms_broken(axioms, &a, &b);
  if (!broken && is_made(x, violation) &&
      !hd_axioms_race(axioms, violation->edge, violation->other_edge))
    broken = "the two accesses are ordered";
  if (broken) {
    hd_str where = {0};
    print_event(&where, code, x, a);
    print_event(&where, code, x, b);
    hd_str_printf(why, "%s does not allow it: %s%s%s%s",
                  hd_memmodel_name(options->memory), broken,
                  where.size ? " (" : "", hd_str_text(&where),
                  where.size ? ")" : "");
    hd_str_free(&where);
  }
  hd_axioms_delete(axioms);
  return !broken;
}

/* SPDX-License-Identifier: MIT */
/* Reading and printing states. */
#include "model/finite_impl.h"

const hd_program *hd_finite_program(const hd_finite *f) {
  return f->original;
}

hd_loc_id hd_finite_loc(const hd_finite *f, hd_state_id local) {
  return (hd_loc_id)hd_intern_at(&f->local, local)[0];
}

hd_loc_id hd_finite_settle(const hd_finite *f, hd_loc_id loc) {
  return f->settle[loc];
}

hd_edge_id hd_finite_skip(const hd_finite *f, hd_loc_id loc) {
  return f->settle[loc] == loc ? HD_NO_ID
                               : f->program->out[f->program->out_start[loc]];
}

bool hd_finite_signals(const hd_finite *f, hd_state_id shared) {
  return hd_bits_test(hd_intern_at(&f->shared, shared), f->signal_bit);
}

static bool test_state(const hd_finite *f, hd_state_id shared,
                       hd_state_id local, hd_var_id var, uint32_t bit) {
  return f->program->vars.data[var].shared
             ? hd_bits_test(hd_intern_at(&f->shared, shared), bit)
             : hd_bits_test(hd_intern_at(&f->local, local) + 1, bit);
}

bool hd_finite_value(const hd_finite *f, hd_state_id shared, hd_state_id local,
                     hd_var_id var) {
  return hd_bits_test(f->kept, var) &&
         test_state(f, shared, local, var, f->bit[var]);
}

bool hd_finite_open(const hd_finite *f, hd_state_id shared, hd_state_id local,
                    hd_var_id var) {
  return f->open_bit[var] != HD_NO_ID &&
         test_state(f, shared, local, var, f->open_bit[var]);
}

bool hd_finite_kept(const hd_finite *f, hd_var_id var) {
  return hd_bits_test(f->kept, var);
}

bool hd_finite_live(const hd_finite *f, hd_state_id local, hd_var_id var) {
  return !f->live ||
         hd_bits_test(f->live + hd_finite_loc(f, local) * f->var_words, var);
}

bool hd_finite_atomic(const hd_finite *f, hd_state_id local) {
  return (hd_intern_at(&f->local, local)[0] & HD_FINITE_ATOMIC) != 0;
}

size_t hd_finite_n_shared(const hd_finite *f) {
  return f->shared.size;
}

size_t hd_finite_n_local(const hd_finite *f) {
  return f->local.size;
}

static void print_values(hd_str *out, const hd_finite *f, bool shared,
                         hd_state_id state, const char *separator) {
  const hd_program *p = f->program;
  for (hd_var_id v = 0; v < p->vars.size; v++) {
    if (p->vars.data[v].shared != shared || !hd_bits_test(f->kept, v))
      continue;
    if (!shared && !hd_finite_live(f, state, v))
      continue;
    const char *value = hd_finite_open(f, state, state, v)    ? "*"
                        : hd_finite_value(f, state, state, v) ? "1"
                                                              : "0";
    hd_str_printf(out, "%s%s=%s", separator, p->vars.data[v].name, value);
    separator = " ";
  }
}

void hd_finite_print_shared(hd_str *out, const hd_finite *f, hd_state_id s) {
  size_t before = out->size;
  print_values(out, f, true, s, "");
  if (hd_bits_test(hd_intern_at(&f->shared, s), f->atomic_bit))
    hd_str_puts(out, out->size > before ? " atomic" : "atomic");
  if (hd_bits_test(hd_intern_at(&f->shared, s), f->signal_bit))
    hd_str_puts(out, out->size > before ? " signal" : "signal");
  if (out->size == before)
    hd_str_puts(out, "-");
}

void hd_finite_print_local(hd_str *out, const hd_finite *f, hd_state_id l) {
  hd_loc_id loc = hd_finite_loc(f, l);
  const char *label = f->program->locs.data[loc].label;
  if (label)
    hd_str_puts(out, label);
  if (!label || hd_bits_test(f->shared_label, loc))
    hd_str_printf(out, "@%u", loc);
  print_values(out, f, false, l, " ");
  if (hd_intern_at(&f->local, l)[0] & HD_FINITE_WAITING)
    hd_str_puts(out, " waiting");
  if (hd_intern_at(&f->local, l)[0] & HD_FINITE_ATOMIC)
    hd_str_puts(out, " atomic");
}

hd_finite_stats hd_finite_statistics(const hd_finite *f) {
  return f->stats;
}

/* SPDX-License-Identifier: MIT */
/* Certificates in words. The parts are those of model/evidence.h; a reader who
 * wants to check by hand finds here what to check. */
#include "report/report.h"

#include "report/describe.h"
#include "model/split.h"

static size_t count_states(const hd_cert *cert) {
  size_t n = 0;
  for (hd_shared_id s = 0; s < cert->n_shared; s++)
    if (cert->rows[s])
      n += hd_bits_count(cert->rows[s], hd_bits_words(cert->n_places));
  return n;
}

static void summarise_backward(hd_str *out, const hd_cert *cert) {
  const char *separator = "";
  if (cert->configs.size) {
    hd_str_puts(out, "backward basis of ");
    hd_describe_counted(out, cert->configs.size, "configuration", "s");
    separator = ", with ";
  }
  if (cert->linear.size) {
    hd_str_puts(out, separator);
    hd_describe_counted(out, cert->linear.size, "linear invariant", "s");
    if (cert->traps.size) {
      hd_str_puts(out, " from ");
      hd_describe_counted(out, cert->traps.size, "trap", "s");
    }
    separator = *separator ? " and " : ", with ";
  }
  if (cert->rows) {
    hd_str_puts(out, separator);
    hd_str_puts(out, "T-set of ");
    hd_describe_counted(out, count_states(cert),
                        cert->n_shared > 1 ? "thread state" : "place", "s");
    separator = ",";
  }
  if (!*separator)
    hd_str_puts(out, "nothing to prove");
}

void hd_report_cert_summary(hd_str *out, const hd_cert *cert) {
  if (cert->kind == HD_CERT_COVER) {
    hd_str_puts(out, "cover of ");
    hd_describe_counted(out, cert->configs.size, "maximal configuration", "s");
  } else
    summarise_backward(out, cert);
}

static void explain_rows(hd_str *out, const hd_net *net, const hd_cert *cert) {
  bool threads = net->format == HD_FORMAT_TTS;
  hd_str_printf(out, "Only these %s can ever be occupied%s (the T-set):\n",
                threads ? "local states" : "places",
                cert->n_shared > 1 ? ", by shared state" : "");
  for (hd_shared_id s = 0; s < cert->n_shared; s++) {
    const uint64_t *bits = cert->rows[s];
    hd_str_puts(out, "  ");
    if (cert->n_shared > 1) {
      hd_net_print_shared(out, net, s);
      hd_str_puts(out, " | ");
    }
    if (!bits)
      hd_str_puts(out, "never reached");
    const char *separator = "";
    for (size_t p = 0; bits && p < cert->n_places; p++)
      if (hd_bits_test(bits, p)) {
        hd_str_puts(out, separator);
        hd_net_print_place(out, net, (hd_place_id)p);
        separator = " ";
      }
    hd_str_puts(out, "\n");
  }
}

static void print_weighted(hd_str *out, const hd_net *net,
                           const hd_linear *linear, uint32_t n_places) {
  bool threads = net->format == HD_FORMAT_TTS;
  const char *separator = "";
  for (hd_place_id p = 0; p < n_places; p++) {
    if (!linear->weight[p])
      continue;
    hd_str_puts(out, separator);
    separator = " + ";
    if (linear->weight[p] != 1)
      hd_str_printf(out, "%lld * ", (long long)linear->weight[p]);
    hd_str_puts(out, threads ? "threads in " : "");
    hd_net_print_place(out, net, p);
  }
  if (!*separator)
    hd_str_puts(out, "0");
}

/* One line per value that the bound takes over the shared states. */
static void explain_linear(hd_str *out, const hd_net *net, const hd_cert *cert,
                           const hd_linear *linear) {
  uint64_t *done = hd_calloc(hd_bits_words(cert->n_shared), sizeof *done);
  for (hd_shared_id s = 0; s < cert->n_shared; s++) {
    if (hd_bits_test(done, s))
      continue;
    int64_t potential = linear->potential ? linear->potential[s] : 0;
    int64_t bound = linear->bound - potential;
    hd_str_puts(out, "  ");
    print_weighted(out, net, linear, cert->n_places);
    hd_str_printf(out, " <= %lld", (long long)bound);
    if (linear->potential && cert->n_shared > 1) {
      hd_str_puts(out, bound < 0 ? ": never in shared state"
                                 : " while the shared state is");
      for (hd_shared_id r = s; r < cert->n_shared; r++)
        if (linear->potential[r] == potential) {
          hd_bits_set(done, r);
          hd_str_puts(out, " ");
          hd_net_print_shared(out, net, r);
        }
    } else
      for (hd_shared_id r = s; r < cert->n_shared; r++)
        hd_bits_set(done, r);
    hd_str_puts(out, "\n");
  }
  hd_free(done);
}

/* Trap k is called Qk, here and in the inequalities that need it. */
static void explain_trap(hd_str *out, const hd_net *net, const hd_cert *cert,
                         size_t k) {
  const hd_trap *trap = &cert->traps.data[k];
  hd_str_printf(out, "  Q%zu:", k + 1);
  for (hd_place_id p = 0; p < cert->n_places; p++)
    if (hd_bits_test(trap->places, p)) {
      hd_str_puts(out, " ");
      hd_net_print_place(out, net, p);
    }
  for (hd_shared_id s = 0; s < cert->n_shared && cert->n_shared > 1; s++)
    if (hd_bits_test(trap->shared, s)) {
      hd_str_puts(out, " shared:");
      hd_net_print_shared(out, net, s);
    }
  hd_str_puts(out, "\n");
}

static void explain_trap_uses(hd_str *out, const hd_cert *cert,
                              const hd_linear *linear) {
  if (!linear->traps.size)
    return;
  hd_str_puts(out, "    because of");
  for (uint32_t i = 0; i < linear->traps.size; i++) {
    const hd_trap_use *use = &cert->trap_uses.data[linear->traps.start + i];
    hd_str_puts(out, i ? " + " : " ");
    if (use->times != 1)
      hd_str_printf(out, "%lld * ", (long long)use->times);
    hd_str_printf(out, "Q%u", use->trap + 1);
  }
  hd_str_puts(out, "\n");
}

static void print_configs(hd_str *out, const hd_net *net, const hd_cert *cert) {
  for (hd_vec_each(const hd_config, c, &cert->configs)) {
    hd_str_puts(out, "  ");
    hd_net_print_config(out, net, c->shared, hd_cert_view(cert, c));
    hd_str_puts(out, "\n");
  }
}

static void explain_backward(hd_str *out, const hd_net *net,
                             const hd_cert *cert) {
  if (cert->rows)
    explain_rows(out, net, cert);
  if (cert->traps.size) {
    hd_str_puts(out, "Each of these sets always holds a token (a trap that "
                     "starts marked):\n");
    for (size_t k = 0; k < cert->traps.size; k++)
      explain_trap(out, net, cert, k);
  }
  if (cert->linear.size) {
    hd_str_printf(out, "These hold initially, and no %s%s breaks them:\n",
                  hd_describe_trans_noun(net),
                  cert->rows ? " possible within T" : "");
    for (hd_vec_each(const hd_linear, linear, &cert->linear)) {
      explain_linear(out, net, cert, linear);
      explain_trap_uses(out, cert, linear);
    }
  }
  if (cert->configs.size) {
    hd_str_printf(out,
                  "Whatever leads to a target is at or above one of these, at "
                  "every step before;\nno initial configuration is%s:\n",
                  cert->rows || cert->linear.size
                      ? " (left out: what the above excludes)"
                      : "");
    print_configs(out, net, cert);
  }
}

static void explain_cover(hd_str *out, const hd_net *net, const hd_cert *cert) {
  hd_str_puts(out, "Everything reachable lies below one of these (w = any "
                   "number), and no target does:\n");
  print_configs(out, net, cert);
  if (!cert->ignored.size)
    return;
  hd_str_puts(out, "These were not counted, as if they held any number:");
  for (hd_vec_each(const uint32_t, p, &cert->ignored)) {
    hd_str_puts(out, " ");
    hd_net_print_place(out, net, *p);
  }
  hd_str_puts(out, "\n");
}

void hd_report_cert_explain(hd_str *out, const hd_net *net,
                            const hd_cert *cert) {
  hd_net *split = NULL;
  if (cert->control.size) {
    hd_str why = {0};
    split = hd_split(net, cert->control.data, cert->control.size, &why);
    hd_str_free(&why);
    if (!split)
      return;
    hd_str_puts(out, "Always exactly one of these places is marked; it is read "
                     "as the shared state:\n ");
    for (hd_vec_each(const uint32_t, p, &cert->control)) {
      hd_str_puts(out, " ");
      hd_net_print_place(out, net, *p);
    }
    hd_str_puts(out, "\n");
  }
  if (cert->kind == HD_CERT_COVER)
    explain_cover(out, split ? split : net, cert);
  else
    explain_backward(out, split ? split : net, cert);
  hd_net_delete(split);
}

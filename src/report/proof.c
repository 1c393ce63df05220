/* SPDX-License-Identifier: MIT */
/* Certificates in words. The parts are those of model/evidence.h; a reader who
 * wants to check by hand finds here what to check. */
#include "report/report.h"

#include "engine/tse/explain.h"
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
  hd_tse_explain(out, net, cert);
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

static void explain_control(hd_str *out, const hd_net *net,
                            const hd_cert *cert) {
  hd_str_puts(out, "Always exactly one of these places is marked; it is read "
                   "as the shared state:\n ");
  for (hd_vec_each(const uint32_t, p, &cert->control)) {
    hd_str_puts(out, " ");
    hd_net_print_place(out, net, *p);
  }
  hd_str_puts(out, "\n");
}

/* On the net the certificate is about: the input or its split form. A
 * certificate that has none was not accepted; then nothing is said. */
void hd_report_cert_explain(hd_str *out, const hd_net *net,
                            const hd_cert *cert) {
  hd_net *split = NULL;
  hd_str why = {0};
  if (cert->control.size) {
    split = hd_split(net, cert->control.data, cert->control.size, &why);
    if (split)
      explain_control(out, net, cert);
    net = split;
  }
  if (net && cert->kind == HD_CERT_COVER)
    explain_cover(out, net, cert);
  else if (net)
    explain_backward(out, net, cert);
  hd_str_free(&why);
  hd_net_delete(split);
}

/* SPDX-License-Identifier: MIT */
/* The state equation by linear programming against the same equation by SMT.
 *
 *   equation [--limit=SECONDS] [--whole] MODEL…
 *
 * For each model the equation of what reduce leaves of it (with --whole: of all
 * of it), without strengthening, is built and solved for every target until one
 * is possible: once as a linear program with exact proofs, once over the
 * integers by SMT. Models that reduce decides are passed over. Each takes the
 * shorter of two runs. Prints one CSV row a model: name, shared states, places,
 * transitions before and after the reduction, answer of each, CPU seconds of
 * each, ratio; and at the end the least ratio and the geometric mean for systems
 * with more than 5,000 transitions. */
#include "engine/reduce/reduce.h"
#include "engine/tse/integral.h"
#include "front/front.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const answers[] = {"unknown", "possible", "excluded"};

static double by_lp(const hd_net *net, const hd_cert *tset,
                    const char **answer) {
  double start = hd_cpu();
  hd_cert *cert = hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places);
  hd_eq *eq = hd_eq_new(net, tset, cert);
  hd_eq_status status = HD_EQ_EXCLUDED;
  for (size_t i = 0; i < net->targets.size && status == HD_EQ_EXCLUDED; i++) {
    const hd_target *target = &net->targets.data[i];
    hd_tokens need = hd_net_view(net, target->need);
    if (!hd_eq_known(cert, tset, target->shared, need))
      status = hd_eq_exclude(eq, target->shared, need, NULL);
  }
  hd_eq_delete(eq);
  hd_cert_delete(cert);
  *answer = answers[status];
  return hd_cpu() - start;
}

static double by_smt(const hd_net *net, const hd_cert *tset, double limit,
                     const char **answer) {
  double start = hd_cpu();
  hd_cert *cert = hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places);
  hd_eq *eq = hd_eq_new(net, tset, cert);
  hd_integral_status status = HD_INTEGRAL_NONE;
  for (size_t i = 0; i < net->targets.size && status == HD_INTEGRAL_NONE; i++) {
    const hd_target *target = &net->targets.data[i];
    hd_tokens need = hd_net_view(net, target->need);
    if (!hd_eq_known(cert, tset, target->shared, need))
      status = hd_eq_integral(eq, target->shared, need, limit);
  }
  hd_eq_delete(eq);
  hd_cert_delete(cert);
  *answer = answers[status];
  return hd_cpu() - start;
}

typedef struct {
  double logs, least;
  unsigned n;
} mean;

static void compare(const char *path, const hd_net *input, const hd_net *net,
                    const hd_cert *tset, double limit, mean *large) {
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const char *lp_says, *smt_says;
  double lp = by_lp(net, tset, &lp_says);
  double smt = by_smt(net, tset, limit, &smt_says);
  lp = fmin(lp, by_lp(net, tset, &lp_says));
  smt = fmin(smt, by_smt(net, tset, limit, &smt_says));
  double ratio = smt / fmax(lp, 1e-6);
  printf("%s,%u,%u,%zu,%zu,%s,%s,%.4f,%.4f,%.1f\n", name, net->n_shared,
         net->n_places, input->trans.size, net->trans.size, lp_says, smt_says,
         lp, smt, ratio);
  fflush(stdout);
  if (input->trans.size > 5000) {
    large->least = large->n ? fmin(large->least, ratio) : ratio;
    large->logs += log(ratio);
    large->n++;
  }
}

static bool measure(const char *path, double limit, bool whole, mean *large) {
  hd_diag *diag = hd_diag_new();
  hd_net *net = hd_front_read(path, NULL, true, diag);
  hd_diag_print(diag, stderr, false);
  hd_diag_delete(diag);
  if (!net)
    return false;
  hd_run run = {0};
  hd_reduced *reduced = hd_reduce(net, &run);
  if (!reduced->safe)
    compare(path, net, whole ? net : reduced->net, whole ? NULL : reduced->tset,
            limit, large);
  hd_reduced_delete(reduced);
  hd_net_delete(net);
  return true;
}

int main(int argc, char **argv) {
  double limit = 20;
  mean large = {0};
  bool ok = true, whole = false;
  puts("model,shared,places,transitions,left,lp_answer,smt_answer,lp_seconds,"
       "smt_seconds,ratio");
  for (int i = 1; i < argc; i++)
    if (!strncmp(argv[i], "--limit=", 8))
      limit = atof(argv[i] + 8);
    else if (!strcmp(argv[i], "--whole"))
      whole = true;
    else
      ok = measure(argv[i], limit, whole, &large) && ok;
  if (large.n)
    printf("# %u systems with more than 5000 transitions: SMT takes at "
           "least %.1f times as long as LP, %.1f in the geometric mean\n",
           large.n, large.least, exp(large.logs / large.n));
  return ok ? 0 : 2;
}

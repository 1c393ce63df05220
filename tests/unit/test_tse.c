/* SPDX-License-Identifier: MIT */
/* The state equation: what it excludes, what it leaves open, and that every
 * proof and every witness stands before the judges. */
#include "evidence_util.h"
#include "random_util.h"

#include "engine/bws/bws.h"
#include "engine/reduce/reduce.h"
#include "engine/tse/campaign.h"
#include "engine/tse/explain.h"
#include "engine/tse/integral.h"
#include "engine/tse/pool.h"
#include "engine/tse/saturate.h"
#include "engine/tse/traps.h"
#include "engine/tse/tse.h"
#include "front/evidence/evidence.h"
#include "front/front.h"

#include <math.h>

/* --- running --- */

static hd_result run_on(const hd_net *net, const hd_cert *tset,
                        uint64_t steps) {
  hd_run run = {.steps = steps};
  hd_problem problem = {.net = net, .tset = tset};
  hd_result result = {0};
  hd_tse_engine.run(&problem, &run, &result);
  return result;
}

/* The verdict on the net as it is, with its evidence judged. Only with upper
 * guards may a search that saw everything do without a certificate. */
static hd_verdict judged(const hd_net *net) {
  hd_result result = run_on(net, NULL, 0);
  if (result.verdict == HD_SAFE && result.cert)
    accept_cert(net, result.cert);
  else if (result.verdict == HD_SAFE)
    assert_true(net->features & HD_HAS_CAPS);
  if (result.verdict == HD_UNSAFE)
    accept_witness(net, result.witness);
  if (result.verdict == HD_UNKNOWN)
    assert_non_null(result.reason);
  hd_verdict verdict = result.verdict;
  hd_result_free(&result);
  return verdict;
}

static void assert_verdict(uint32_t n_shared, uint32_t n_places,
                           const char *text, hd_verdict verdict) {
  hd_net *net = make_net(n_shared, n_places, text);
  assert_int_equal(judged(net), verdict);
  hd_net_delete(net);
}

/* The equation of a net, and what it says of its first target. */
typedef struct {
  hd_net *net;
  hd_cert *cert;
  hd_eq *eq;
  hd_run run;
} lab;

static lab make_lab(uint32_t n_shared, uint32_t n_places, const char *text) {
  lab l = {.net = make_net(n_shared, n_places, text)};
  l.cert = backward_cert(l.net);
  l.eq = hd_eq_new(l.net, NULL, l.cert);
  return l;
}

static void done_lab(lab *l) {
  hd_eq_delete(l->eq);
  hd_cert_delete(l->cert);
  hd_net_delete(l->net);
}

static hd_eq_status ask(lab *l) {
  const hd_target *target = &l->net->targets.data[0];
  return hd_eq_exclude(l->eq, target->shared, hd_net_view(l->net, target->need),
                       &l->run);
}

static hd_eq_status ask_for(lab *l, hd_shared_id shared, const char *need) {
  hd_token_vec v = make_vector(need);
  hd_eq_status status =
      hd_eq_exclude(l->eq, shared, hd_token_vec_view(&v), &l->run);
  hd_vec_free(&v);
  return status;
}

/* One lock: shared 0 free, 1 held; 0 outside, 1 inside. */
#define LOCK "m 0 0 w; t 0 1 -0 +1; t 1 0 -1 +0; "

/* --- the equation --- */

static void equation_proves_mutual_exclusion(void **state) {
  lab l = make_lab(2, 2, LOCK "g 1 1*2");
  assert_int_equal(ask(&l), HD_EQ_EXCLUDED);
  assert_int_equal(l.cert->linear.size, 1);
  accept_cert(l.net, l.cert);
  assert_int_equal(hd_eq_get_stats(l.eq)->excluded, 1);
  done_lab(&l);
}

static void equation_leaves_the_reachable_open(void **state) {
  lab l = make_lab(2, 2, LOCK "g 1 1");
  assert_int_equal(ask(&l), HD_EQ_POSSIBLE);
  assert_int_equal(l.cert->linear.size, 0);
  assert_true(fabs(hd_eq_length(l.eq) - 1) < 1e-6);
  assert_true(fabs(hd_eq_fired(l.eq, 0) - 1) < 1e-6);
  assert_true(fabs(hd_eq_fired(l.eq, 1)) < 1e-6);
  assert_true(fabs(hd_eq_marking(l.eq, 1) - 1) < 1e-6);
  assert_true(fabs(hd_eq_marking(l.eq, 0) + 1) < 1e-6);
  assert_int_equal(hd_eq_shared(l.eq), 1);
  done_lab(&l);
}

static void equation_takes_targets_one_after_the_other(void **state) {
  lab l = make_lab(2, 2, LOCK "g 1 1*2");
  assert_int_equal(ask_for(&l, 1, "1"), HD_EQ_POSSIBLE);
  assert_int_equal(ask_for(&l, 0, "1"), HD_EQ_EXCLUDED);
  assert_int_equal(ask_for(&l, 0, ""), HD_EQ_POSSIBLE);
  assert_int_equal(ask_for(&l, 1, "0*5 1"), HD_EQ_POSSIBLE);
  assert_int_equal(ask_for(&l, 1, "1*2"), HD_EQ_EXCLUDED);
  assert_int_equal(l.cert->linear.size, 2);
  done_lab(&l);
}

static void equation_knows_what_it_has_excluded(void **state) {
  lab l = make_lab(2, 2, LOCK "g 1 1*2");
  hd_token_vec two = make_vector("0*3 1*2"), one = make_vector("1");
  assert_false(hd_eq_known(l.cert, NULL, 1, hd_token_vec_view(&two)));
  assert_int_equal(ask(&l), HD_EQ_EXCLUDED);
  assert_true(hd_eq_known(l.cert, NULL, 1, hd_token_vec_view(&two)));
  assert_true(
      hd_eq_known(l.cert, NULL, HD_ANY_SHARED, hd_token_vec_view(&two)));
  assert_false(hd_eq_known(l.cert, NULL, 1, hd_token_vec_view(&one)));
  assert_true(
      hd_eq_violates(&l.cert->linear.data[0], 1, hd_token_vec_view(&two)));
  hd_vec_free(&two);
  hd_vec_free(&one);
  done_lab(&l);
}

/* 2 is given by the first transition only, which T rules out. */
static void equation_leaves_out_what_t_rules_out(void **state) {
  hd_net *net = make_net(1, 3, "m 0 1 1; t 0 0 -1 +2; t 0 0 -0 +0; g 0 2");
  hd_cert *cert = backward_cert(net), *tset = backward_cert(net);
  add_row(tset, 0, "0");
  hd_eq *eq = hd_eq_new(net, tset, cert);
  assert_false(hd_eq_alive(eq, 0));
  assert_true(hd_eq_alive(eq, 1));
  hd_eq_delete(eq);
  hd_cert_delete(cert);
  hd_cert_delete(tset);
  hd_net_delete(net);
}

static void equation_of_a_net_in_which_nothing_fires(void **state) {
  assert_verdict(1, 2, "m 0 1 3; g 0 0*4", HD_SAFE);
  assert_verdict(1, 2, "m 0 1 3; g 0 0*3", HD_UNSAFE);
  assert_verdict(2, 2, "m 0 1 3; g 1 0", HD_SAFE);
}

/* gkm never tests the initial state. */
static void the_initial_state_is_tested(void **state) {
  assert_verdict(1, 1, "m 0 0 w; g 0 0", HD_UNSAFE);
  assert_verdict(2, 2, LOCK "g 0 0", HD_UNSAFE);
}

/* ctse lets a spawn consume its parent. */
static void a_spawn_keeps_its_parent(void **state) {
  assert_verdict(4, 4,
                 "m 0 0 w; t 0 1 -0 +1; t 1 2 -1 +1 +2; t 2 3 -1 +3; g 3 3",
                 HD_UNSAFE);
  assert_verdict(4, 4,
                 "m 0 1 1; t 0 1 -0 +1; t 1 2 -1 +1 +2; t 2 3 -1 +3; g 3 3 2",
                 HD_UNSAFE);
  assert_verdict(4, 4,
                 "m 0 1 1; t 0 1 -0 +1; t 1 2 -1 +1 +2; t 2 3 -1 +3; g 3 1",
                 HD_SAFE);
}

/* gkm, cutr and ctse cut `2|1,1` to its first thread. */
static void every_thread_of_a_target_counts(void **state) {
  assert_verdict(2, 2, LOCK "g 1 1", HD_UNSAFE);
  assert_verdict(2, 2, LOCK "g 1 1*2", HD_SAFE);
}

/* MinCov merges disjuncts. */
static void every_disjunct_of_a_target_counts(void **state) {
  assert_verdict(2, 2, LOCK "g 1 1*2; g 1 1", HD_UNSAFE);
  assert_verdict(2, 2, LOCK "g 1 1*2; g 0 1", HD_SAFE);
}

static void initial_intervals_are_kept(void **state) {
  const char *steps = "t 0 0 -0 +1; ";
  char text[100];
  for (unsigned max = 1; max <= 3; max++) {
    snprintf(text, sizeof text, "m 0 0 %u; %s g 0 1*3", max, steps);
    assert_verdict(1, 2, text, max == 3 ? HD_UNSAFE : HD_SAFE);
  }
  assert_verdict(1, 2, "m 0 0 w; t 0 0 -0 +1; g 0 1*3", HD_UNSAFE);
}

static void a_target_may_be_in_any_shared_state(void **state) {
  assert_verdict(2, 2, LOCK "g * 1*2", HD_SAFE);
  assert_verdict(2, 2, LOCK "g * 1", HD_UNSAFE);
}

/* Tokens are moved, never made: a transfer keeps the number. */
static void moves_carry_no_weight_upward(void **state) {
  assert_verdict(1, 3, "m 0 2 2; t 0 0 -0 +1 1>2; g 0 1 2*2", HD_SAFE);
  assert_verdict(1, 3, "m 0 2 2; t 0 0 -0 +1 1>2; g 0 2 1", HD_UNSAFE);
  assert_verdict(1, 3, "m 0 2 2; t 0 0 -0 +1 1>!; g 0 1*3", HD_SAFE);
}

/* An upper guard only takes runs away: the equation proves without it, the
 * search respects it. */
static void guards_are_left_to_the_search(void **state) {
  assert_verdict(2, 2, "m 0 0 w; t 0 1 -0 +1 0<=3; g 1 1*2", HD_SAFE);
  assert_verdict(2, 2, "m 0 1 9; t 0 1 -0 +1 0<=3; g 1 1", HD_UNSAFE);
  assert_verdict(2, 2, "m 0 4 9; t 0 1 -0 +1 0<=3; g 1 1", HD_SAFE);
  assert_verdict(2, 2, LOCK "t 1 1 -0 +1 1<=0; g 0 0 1", HD_SAFE);
}

static void large_counts_are_exact(void **state) {
  assert_verdict(1, 2, "m 0 1000000 1000000; t 0 0 -0*999999 +1; g 0 1*2",
                 HD_SAFE);
  assert_verdict(1, 2, "m 0 1000000 1000000; t 0 0 -0*1000000 +1*7; g 0 1*7",
                 HD_UNSAFE);
}

/* The same effect, one column: open until both transitions are dead. */
static void transitions_with_one_effect_share_a_column(void **state) {
  lab l =
      make_lab(1, 3, "m 0 1 1; m 2 1 1; t 0 0 -0 +1; t 0 0 -0 -2 +1 +2; g 0 1");
  size_t n;
  hd_eq_leaders(l.eq, &n);
  assert_int_equal(n, 1);
  hd_eq_kill(l.eq, 0);
  assert_true(hd_eq_open(l.eq, 0));
  assert_int_equal(ask(&l), HD_EQ_POSSIBLE);
  hd_eq_kill(l.eq, 1);
  assert_false(hd_eq_open(l.eq, 0));
  assert_int_equal(ask(&l), HD_EQ_EXCLUDED);
  done_lab(&l);
}

/* Distances: exact at the start, and no firing gains more than one. */
static void distance_is_a_lower_bound(void **state) {
  lab l = make_lab(3, 3,
                   "m 0 0 w; t 0 0 -0 +1; t 0 1 -1 +2; t 1 0 -2 +2;"
                   "t 1 2 -2 +0; g 2 2");
  assert_int_equal(ask(&l), HD_EQ_POSSIBLE);
  hd_linear d = {0};
  hd_eq_distance(l.eq, 1, hd_net_view(l.net, l.net->targets.data[0].need), &d);
  assert_int_equal(d.potential[0], llround(hd_eq_length(l.eq)));
  for (hd_trans_id t = 0; t < l.net->trans.size; t++) {
    const hd_trans *trans = &l.net->trans.data[t];
    int64_t gain = d.potential[trans->from] - d.potential[trans->to];
    hd_tokens pre = hd_net_pre(l.net, t), post = hd_net_post(l.net, t);
    for (size_t i = 0; i < pre.size; i++)
      gain += d.weight[pre.data[i].place] * pre.data[i].count;
    for (size_t i = 0; i < post.size; i++)
      gain -= d.weight[post.data[i].place] * post.data[i].count;
    assert_true(gain <= 1);
  }
  hd_free(d.potential);
  hd_free(d.weight);
  done_lab(&l);
}

/* --- traps, stages, cuts --- */

/* Two processes with flags and a turn that is never lost. */
#define PAIR "m 0 2 2; t 0 0 -0*2 +0 +2; t 0 0 -2 +1; t 0 0 -1 +0; g 0 2*2"

static void traps_refute_solutions(void **state) {
  lab l = make_lab(1, 3, PAIR);
  assert_int_equal(ask(&l), HD_EQ_POSSIBLE);
  assert_true(hd_traps_refute(l.eq, &l.run) > 0);
  assert_int_equal(ask(&l), HD_EQ_EXCLUDED);
  assert_true(l.cert->linear.data[0].traps.size > 0);
  accept_cert(l.net, l.cert);
  done_lab(&l);
}

static void traps_are_found_only_where_marked(void **state) {
  lab l = make_lab(1, 3,
                   "m 0 0 2; t 0 0 -0*2 +0 +2; t 0 0 -2 +1;"
                   "t 0 0 -1 +0; g 0 2");
  assert_int_equal(ask(&l), HD_EQ_POSSIBLE);
  assert_int_equal(hd_traps_refute(l.eq, &l.run), 0);
  done_lab(&l);
}

static void a_trap_may_have_shared_states(void **state) {
  hd_net *net = make_net(2, 3,
                         "m 0 1 1; m 2 1 1; t 0 1 -0 +1; t 1 0 -1 +0;"
                         "t 1 1 -2 -1 +2 +1; g 1 0");
  assert_int_equal(judged(net), HD_SAFE);
  hd_net_delete(net);
}

/* 2 needs two tokens in 1, of which there is one; without that transition 3 is
 * never reached, although its effect alone would allow it. */
#define STAGES "m 0 1 1; t 0 0 -0 +1; t 0 0 -1*2 +1*2 +2; t 0 0 -2 +3; g 0 3"

static void stages_remove_dead_transitions(void **state) {
  hd_net *net = make_net(1, 4, STAGES);
  hd_cert *cert = backward_cert(net);
  hd_strong *strong = hd_strong_new(net, NULL, cert);
  hd_run run = {0};
  bool settled;
  hd_tokens need = hd_net_view(net, net->targets.data[0].need);
  assert_int_equal(hd_strong_exclude(strong, 0, need, 0, &run, &settled),
                   HD_EQ_POSSIBLE);
  assert_false(settled);
  assert_int_equal(hd_strong_exclude(strong, 0, need, 1000, &run, &settled),
                   HD_EQ_EXCLUDED);
  assert_true(hd_strong_dead(strong) > 0);
  assert_true(cert->linear.size > 1);
  accept_cert(net, cert);
  /* The order matters: the last inequality rests on those before it. */
  hd_linear last = hd_vec_last(&cert->linear);
  hd_vec_last(&cert->linear) = cert->linear.data[0];
  cert->linear.data[0] = last;
  refuse_cert(net, cert, "inequality 1 is not inductive");
  hd_strong_delete(strong);
  hd_cert_delete(cert);
  hd_net_delete(net);
}

/* A ring of states in four copies. While it looks for a proof of one target the
 * engine shows that a transition never fires, which excludes that target, and
 * then could show the same of others. Which transitions the remaining targets
 * need must not rest on those: the judge decides it when a target falls. */
#define COPIES                                                                 \
  "i 1; m 2 1 1; t 2 9 -2 +0; t 0 7 -1 +1; t 1 8 -2 +2; t 0 11 -1 +0;"         \
  "t 3 8 -2 +2; t 1 10 -2 +0; t 1 12 -0 +1; t 0 3 -0 +2; t 6 13 -2 +0;"        \
  "t 4 7 -1 +1; t 5 12 -2 +2; t 4 15 -1 +0; t 7 12 -2 +2; t 5 14 -2 +0;"       \
  "t 5 12 -0 +1; t 4 7 -0 +2; t 10 9 -2 +0; t 8 15 -1 +1; t 9 8 -2 +2;"        \
  "t 8 11 -1 +0; t 11 8 -2 +2; t 9 10 -2 +0; t 9 12 -0 +1; t 8 11 -0 +2;"      \
  "t 14 13 -2 +0; t 12 15 -1 +1; t 13 12 -2 +2; t 12 15 -1 +0;"                \
  "t 15 12 -2 +2; t 13 14 -2 +0; t 13 12 -0 +1; t 12 15 -0 +2;"                \
  "g 3 2; g 7 2; g 11 2; g 15 2"

static void stages_end_when_the_target_falls(void **state) {
  static const char *const occupied[] = {"2", "1 2", "0 2", "0 1 2"};
  hd_net *net = make_net(16, 3, COPIES);
  hd_cert *tset = backward_cert(net);
  for (hd_shared_id s = 0; s < 16; s++)
    if (s != 0 && s != 4)
      add_row(tset, s, occupied[s / 4]);
  hd_campaign campaign;
  hd_run run = {0};
  hd_campaign_init(&campaign, net, tset);
  hd_campaign_exclude(&campaign, 2000, &run);
  assert_int_equal(campaign.open.size, 0);
  hd_cert *proof = hd_campaign_take(&campaign);
  accept_cert(net, proof);
  hd_cert_delete(proof);
  hd_campaign_free(&campaign);
  hd_cert_delete(tset);
  hd_net_delete(net);
}

/* --- counting up to a small number --- */

/* The one thread that comes to 1 leaves it on the way to 2, so that nobody can go
 * on to 3. T forgets that it left, and the equation borrows from the way back
 * from 3, which would make two. */
#define ONCE                                                                   \
  "m 0 0 w; t 0 1 -0 +1; t 1 2 -1 +2; t 2 3 -1 +3; t 3 0 -0 +1*2; g 3 3"

static void counting_proves_what_happens_once(void **state) {
  hd_net *net = make_net(4, 4, ONCE);
  hd_campaign campaign;
  hd_run run = {0};
  hd_campaign_init(&campaign, net, NULL);
  hd_campaign_exclude(&campaign, 10000, &run);
  assert_int_equal(campaign.open.size, 1);
  hd_campaign_free(&campaign);
  hd_count most[] = {1, 1, 1, 1};
  hd_saturated found = hd_saturate(net, NULL, most, 1000, &run);
  assert_null(found.witness);
  accept_cert(net, found.cert);
  hd_cert_delete(found.cert);
  found = hd_saturate(net, NULL, most, 2, &run);
  assert_true(!found.cert && !found.witness);
  assert_int_equal(judged(net), HD_SAFE);
  hd_net_delete(net);
}

/* Three threads in 1 are more than one can count to with 1: the way to "many" is
 * none to four, so one counts further there, and nowhere else. */
static void counting_goes_as_far_as_it_must(void **state) {
  hd_net *net = make_net(4, 3,
                         "m 0 0 w; t 0 1 -0 +1; t 1 2 -0 +1; "
                         "t 2 3 -0 +1; t 0 0 -0 +2; g 3 1*4");
  hd_run run = {0};
  hd_count most[] = {1, 1, 1};
  hd_saturated found = hd_saturate(net, NULL, most, 1000, &run);
  assert_null(found.witness);
  accept_cert(net, found.cert);
  assert_int_equal(most[1], 3);
  assert_int_equal(most[2], 1);
  hd_cert_delete(found.cert);
  hd_net_delete(net);
}

static void counting_finds_ways(void **state) {
  hd_net *net = make_net(2, 2, LOCK "g 1 1");
  hd_run run = {0};
  hd_count most[] = {1, 1};
  hd_saturated found = hd_saturate(net, NULL, most, 1000, &run);
  assert_null(found.cert);
  accept_witness(net, found.witness);
  hd_witness_delete(found.witness);
  hd_net_delete(net);
}

/* One thread that spawns and, from there on, must be followed by exactly 40 of
 * its children: the loop is repeated 40 times, the limits stay. A second loop
 * feeds on the first, twice as much each time. */
static void counting_repeats_loops(void **state) {
  hd_net *net = make_net(3, 4,
                         "m 0 0 1; t 0 0 -0 +0 +1; t 0 1 -0 +2; "
                         "t 1 1 -2 -1*2 +2 +3; t 1 2 -2 -3*20; g 2");
  hd_run run = {0};
  hd_count most[] = {1, 1, 1, 1};
  hd_saturated found = hd_saturate(net, NULL, most, 1000, &run);
  assert_null(found.cert);
  accept_witness(net, found.witness);
  assert_int_equal(found.witness->steps.size, 40 + 1 + 20 + 1);
  for (size_t p = 0; p < 4; p++)
    assert_int_equal(most[p], 1);
  hd_witness_delete(found.witness);
  hd_net_delete(net);
}

/* A cache line is exclusive to one or shared by many: becoming exclusive takes
 * that nobody has it, which is an upper guard, or takes it from all. Without the
 * guards the first transition alone would put two into 1. */
static void counting_obeys_upper_guards(void **state) {
  hd_net *net = make_net(1, 3,
                         "m 0 0 w; t 0 0 -0 +1 1<=0 2<=0; t 0 0 -0 -1 +2*2; "
                         "t 0 0 -0 -2 +2*2; t 0 0 -0 +1 1>0 2>0; t 0 0 -2 +1 "
                         "1<=0 2<=1; g 0 1*2; g 0 1 2");
  hd_run run = {0};
  hd_count most[] = {1, 1, 1};
  hd_saturated found = hd_saturate(net, NULL, most, 1000, &run);
  assert_null(found.witness);
  accept_cert(net, found.cert);
  hd_cert_delete(found.cert);
  hd_net_delete(net);
}

/* A guard that asks for more than it allows never holds, and one that is met is
 * no reason to think that its loop can go on for ever: 1 has at most two. */
static void loops_with_upper_guards_are_not_repeated(void **state) {
  hd_net *net = make_net(1, 2,
                         "m 0 0 w; t 0 0 -0 +1 1<=1; t 0 0 -1*2 +1*9 1<=1; "
                         "g 0 1*3");
  hd_run run = {0};
  hd_count most[] = {1, 1};
  hd_saturated found = hd_saturate(net, NULL, most, 1000, &run);
  assert_null(found.witness);
  accept_cert(net, found.cert);
  assert_int_equal(most[1], 3);
  hd_cert_delete(found.cert);
  hd_net_delete(net);
}

/* Whatever comes out stands before the judges, and finite systems that are small
 * enough come out. */
static void random_counts_are_checked(void **state) {
  unsigned proofs = 0, witnesses = 0;
  for (uint64_t seed = 21000000; seed < 21004000; seed++) {
    rng r = rng_of(seed);
    hd_net *net = random_net(&r, random_shape(&r));
    hd_run run = {0};
    hd_count *most = hd_calloc(net->n_places, sizeof *most);
    for (hd_place_id p = 0; p < net->n_places; p++)
      most[p] = 1 + draw(&r, 4);
    hd_saturated found = hd_saturate(net, NULL, most, 20000, &run);
    hd_free(most);
    if (found.cert)
      accept_cert(net, found.cert);
    if (found.witness)
      accept_witness(net, found.witness);
    proofs += found.cert != NULL;
    witnesses += found.witness != NULL;
    hd_cert_delete(found.cert);
    hd_witness_delete(found.witness);
    hd_net_delete(net);
  }
  print_message("  %u proofs, %u witnesses\n", proofs, witnesses);
  assert_true(proofs > 500 && witnesses > 500);
}

/* --- integers --- */

static void integers_exclude_halves(void **state) {
  lab l = make_lab(1, 2, "m 0 1 1; t 0 0 -0*2 +1*2; g 0 1");
  assert_int_equal(ask(&l), HD_EQ_POSSIBLE);
  hd_tokens need = hd_net_view(l.net, l.net->targets.data[0].need);
  assert_int_equal(hd_eq_integral(l.eq, 0, need, 10), HD_INTEGRAL_NONE);
  done_lab(&l);
}

static void integers_leave_the_reachable_open(void **state) {
  lab l = make_lab(4, 2,
                   "m 0 0 w; t 0 1 -0 +1; t 1 2 -0 +1; t 2 3 -0 +1;"
                   "g 3 1*3");
  hd_tokens need = hd_net_view(l.net, l.net->targets.data[0].need);
  assert_int_equal(hd_eq_integral(l.eq, 3, need, 10), HD_INTEGRAL_POSSIBLE);
  done_lab(&l);
}

/* The same traps, the same dead transitions. */
static void integers_know_what_the_program_knows(void **state) {
  lab l = make_lab(1, 3, PAIR);
  hd_tokens need = hd_net_view(l.net, l.net->targets.data[0].need);
  assert_int_equal(hd_eq_integral(l.eq, 0, need, 10), HD_INTEGRAL_POSSIBLE);
  assert_int_equal(ask(&l), HD_EQ_POSSIBLE);
  assert_true(hd_traps_refute(l.eq, &l.run) > 0);
  assert_int_equal(hd_eq_integral(l.eq, 0, need, 10), HD_INTEGRAL_NONE);
  done_lab(&l);
}

static void integers_agree_with_the_program(void **state) {
  lab l = make_lab(2, 2, LOCK "g 1 1*2");
  hd_tokens need = hd_net_view(l.net, l.net->targets.data[0].need);
  assert_int_equal(hd_eq_integral(l.eq, 1, need, 10), HD_INTEGRAL_NONE);
  done_lab(&l);
}

/* --- the engine --- */

static void figure_of_paper_000(void **state) {
  assert_verdict(7, 5, FIGURE "g 6 4", HD_SAFE);
  assert_verdict(7, 5, FIGURE "g 6 3", HD_UNSAFE);
}

/* (0|0) -> (1|1) -> (0|2) -> (1|1,2) -> (2|1,1,2) */
static void witness_of_paper_002(void **state) {
  const char *edges = "m 0 0 w; t 0 1 -0 +1; t 1 0 -1 +2; t 1 2 -0 +1;";
  char text[100];
  snprintf(text, sizeof text, "%s g 2 2", edges);
  assert_verdict(3, 3, text, HD_UNSAFE);
  snprintf(text, sizeof text, "%s g 2 1*2 2", edges);
  assert_verdict(3, 3, text, HD_UNSAFE);
  snprintf(text, sizeof text, "%s g 2 1*3", edges);
  assert_verdict(3, 3, text, HD_SAFE);
}

/* Two hundred steps and twenty threads: each of 20 rounds needs a thread that
 * came down 9 steps. */
static void deep_bugs_are_found(void **state) {
  hd_str text = {0};
  hd_str_puts(&text, "m 0 0 w;");
  for (unsigned s = 0; s < 20; s++) {
    for (unsigned l = 0; l < 9; l++)
      hd_str_printf(&text, "t %u %u -%u +%u;", s, s, l, l + 1);
    hd_str_printf(&text, "t %u %u -9 +10; t %u %u -0 +11; t %u %u -11 +12;", s,
                  s + 1, s, s, s, s);
    hd_str_printf(&text, "t %u %u -12 +0;", s, s);
  }
  hd_str_puts(&text, "g 20 10");
  hd_net *net = make_net(21, 13, hd_str_text(&text));
  hd_result result = run_on(net, NULL, 0);
  assert_int_equal(result.verdict, HD_UNSAFE);
  assert_int_equal(result.witness->steps.size, 200);
  accept_witness(net, result.witness);
  hd_result_free(&result);
  hd_net_delete(net);
  hd_str_free(&text);
}

static void limits_end_in_unknown(void **state) {
  hd_net *net = make_net(7, 5, FIGURE "g 1 2*50");
  hd_result result = run_on(net, NULL, 1);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_non_null(result.reason);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void a_cancelled_run_stops(void **state) {
  hd_net *net = make_net(2, 2, LOCK "g 1 1*2");
  volatile sig_atomic_t cancel = 1;
  hd_run run = {.cancel = &cancel};
  hd_problem problem = {.net = net};
  hd_result result = {0};
  hd_tse_engine.run(&problem, &run, &result);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void runs_are_reproducible(void **state) {
  hd_net *net = make_net(1, 4, STAGES);
  hd_str text[2] = {{0}, {0}};
  for (int i = 0; i < 2; i++) {
    hd_result result = run_on(net, NULL, 0);
    hd_evidence_print_cert(&text[i], net, result.cert);
    hd_result_free(&result);
  }
  assert_string_equal(hd_str_text(&text[0]), hd_str_text(&text[1]));
  hd_str_free(&text[0]);
  hd_str_free(&text[1]);
  hd_net_delete(net);
}

/* Every single number of a proof matters: one less weight, one lower bound, one
 * potential or trap changed, and it is refused. */
static void a_corrupted_coefficient_is_refused(void **state) {
  lab l = make_lab(2, 2, LOCK "g 1 1*2");
  assert_int_equal(ask(&l), HD_EQ_EXCLUDED);
  hd_linear *linear = &l.cert->linear.data[0];
  accept_cert(l.net, l.cert);
  linear->weight[1]--;
  refuse_cert(l.net, l.cert, "");
  linear->weight[1] += 2;
  refuse_cert(l.net, l.cert, "not inductive");
  linear->weight[1]--;
  linear->weight[0]++;
  refuse_cert(l.net, l.cert, "unbounded");
  linear->weight[0]--;
  linear->bound--;
  refuse_cert(l.net, l.cert, "does not hold initially");
  linear->bound += 2;
  refuse_cert(l.net, l.cert, "target 0");
  linear->bound--;
  linear->potential[0]++;
  refuse_cert(l.net, l.cert, "");
  linear->potential[0]--;
  linear->potential[1]--;
  refuse_cert(l.net, l.cert, "");
  linear->potential[1]++;
  accept_cert(l.net, l.cert);
  done_lab(&l);
}

static void a_corrupted_trap_is_refused(void **state) {
  hd_net *net = make_net(1, 3, PAIR);
  hd_campaign campaign;
  hd_run run = {0};
  hd_campaign_init(&campaign, net, NULL);
  hd_campaign_exclude(&campaign, 2000, &run);
  hd_cert *cert = hd_campaign_take(&campaign);
  hd_campaign_free(&campaign);
  assert_true(cert->traps.size > 0 && cert->trap_uses.size > 0);
  for (hd_place_id p = 0; p < 3; p++)
    if (hd_bits_test(cert->traps.data[0].places, p)) {
      hd_bits_clear(cert->traps.data[0].places, p);
      refuse_cert(net, cert, "");
      hd_bits_set(cert->traps.data[0].places, p);
    }
  cert->trap_uses.data[0].times++;
  refuse_cert(net, cert, "");
  cert->trap_uses.data[0].times--;
  accept_cert(net, cert);
  hd_cert_delete(cert);
  hd_net_delete(net);
}

/* --- the pool --- */

static bool pool_says(hd_tse_pool *pool, hd_shared_id s, const char *text) {
  hd_token_vec v = make_vector(text);
  bool out = hd_tse_pool_exclude(pool, s, hd_token_vec_view(&v));
  hd_vec_free(&v);
  return out;
}

/* Nothing is computed for the first questions; then the target is excluded,
 * then single configurations. */
static void pool_excludes_on_demand(void **state) {
  hd_net *net = make_net(2, 2, LOCK "g 1 1*2");
  hd_run run = {0};
  hd_tse_pool *pool = hd_tse_pool_new(net, NULL, &run);
  const hd_cert *cert = hd_tse_pool_cert(pool);
  assert_false(pool_says(pool, 1, "1*2"));
  assert_int_equal(cert->linear.size, 0);
  while (!hd_tse_pool_get_stats(pool).programs)
    assert_false(pool_says(pool, 1, "0"));
  assert_int_equal(cert->linear.size, 1);
  while (!pool_says(pool, 0, "1"))
    assert_true(hd_tse_pool_get_stats(pool).asked < 100);
  assert_int_equal(cert->linear.size, 2);
  hd_tse_pool_stats stats = hd_tse_pool_get_stats(pool);
  assert_int_equal(stats.excluded, 1);
  assert_int_equal(stats.inequalities, 2);
  accept_cert(net, cert);
  hd_tse_pool_delete(pool);
  hd_net_delete(net);
}

/* Questions without success are answered ever more seldom. */
static void pool_pauses_when_it_does_not_pay(void **state) {
  hd_net *net = make_net(2, 2, LOCK "g 1 1");
  hd_run run = {0};
  hd_tse_pool *pool = hd_tse_pool_new(net, NULL, &run);
  for (int i = 0; i < 10000; i++)
    assert_false(pool_says(pool, 1, "1"));
  hd_tse_pool_stats stats = hd_tse_pool_get_stats(pool);
  assert_int_equal(stats.asked, 10000);
  assert_true(stats.programs > 0 && stats.programs < 20);
  hd_tse_pool_delete(pool);
  hd_net_delete(net);
}

static void invariants_bound_places(void **state) {
  hd_net *net = make_net(2, 2, LOCK "g 1 0 1");
  hd_run run = {0};
  hd_cert *cert = hd_tse_invariants(net, NULL, &run);
  hd_token_vec two = make_vector("1*2"), one = make_vector("1");
  assert_true(hd_eq_known(cert, NULL, HD_ANY_SHARED, hd_token_vec_view(&two)));
  assert_false(hd_eq_known(cert, NULL, 1, hd_token_vec_view(&one)));
  hd_vec_free(&two);
  hd_vec_free(&one);
  hd_cert_delete(cert);
  hd_net_delete(net);
}

/* --- in words --- */

static void explanation_names_shared_states(void **state) {
  hd_net *net = make_net(2, 2, LOCK "g 1 1*2");
  hd_cert *cert = backward_cert(net);
  add_linear(cert, 1, "1 0", "0 1");
  hd_str text = {0};
  hd_tse_explain(&text, net, cert);
  assert_string_equal(
      hd_str_text(&text),
      "These hold initially, and nothing that can happen breaks them:\n"
      "  1. threads in 1 <= 0 while the shared state is 0, <= 1 otherwise\n"
      "  target 1|1,1 contradicts 1\n");
  hd_str_free(&text);
  hd_cert_delete(cert);
  hd_net_delete(net);
}

static void explanation_of_traps_and_dead_transitions(void **state) {
  hd_net *net = make_net(1, 3, PAIR "; t 0 0 -2*2 +1");
  net->format = HD_FORMAT_MIST;
  hd_cert *cert = backward_cert(net);
  hd_trap *trap = hd_cert_add_trap(cert);
  hd_bits_set(trap->places, 0);
  hd_bits_set(trap->places, 1);
  add_linear(cert, 1, NULL, "0 0 1");
  hd_vec_push(&cert->trap_uses, ((hd_trap_use){.trap = 0, .times = 1}));
  cert->linear.data[0].traps.size = 1;
  hd_str text = {0};
  hd_tse_explain(&text, net, cert);
  assert_non_null(strstr(hd_str_text(&text),
                         "  1. 2 <= 1\n"
                         "     because at every moment there is a token in 0 "
                         "or 1\n     so "));
  assert_non_null(strstr(hd_str_text(&text), " never fires\n"));
  hd_str_free(&text);
  hd_cert_delete(cert);
  hd_net_delete(net);
}

static void explanation_of_shared_states_never_reached(void **state) {
  hd_net *net = make_net(3, 1, "m 0 0 w; t 0 1 -0 +0; g 2 0");
  hd_cert *cert = backward_cert(net);
  add_linear(cert, 0, "0 0 1", "0");
  hd_str text = {0};
  hd_tse_explain(&text, net, cert);
  assert_non_null(
      strstr(hd_str_text(&text), "  1. the shared state is never 2\n"));
  hd_str_free(&text);
  hd_cert_delete(cert);
  hd_net_delete(net);
}

static void explanation_of_no_inequality_is_empty(void **state) {
  hd_net *net = make_net(2, 2, LOCK "g 1 1*2");
  hd_cert *cert = backward_cert(net);
  hd_str text = {0};
  hd_tse_explain(&text, net, cert);
  assert_int_equal(text.size, 0);
  hd_cert_delete(cert);
  hd_net_delete(net);
}

/* --- against the complete engine --- */

static hd_verdict truth(const hd_net *net) {
  hd_run run = {.steps = 200000};
  hd_problem problem = {.net = net};
  hd_result result = {0};
  hd_bws_engine.run(&problem, &run, &result);
  hd_verdict verdict = result.verdict;
  hd_result_free(&result);
  return verdict;
}

static void agree(const hd_net *net, hd_verdict expected, uint64_t seed) {
  hd_run run = {.steps = 20000};
  hd_reduced *reduced = hd_reduce(net, &run);
  hd_result result = run_on(reduced->net, reduced->tset, 20000);
  if (result.verdict != HD_UNKNOWN && expected != HD_UNKNOWN &&
      result.verdict != expected)
    fail_msg("seed %llu: tse says %s, bws %s", (unsigned long long)seed,
             hd_verdict_name(result.verdict), hd_verdict_name(expected));
  hd_reduced_lift(reduced, net, &result);
  if (result.verdict == HD_SAFE && result.cert)
    accept_cert(net, result.cert);
  if (result.verdict == HD_UNSAFE)
    accept_witness(net, result.witness);
  hd_result_free(&result);
  hd_reduced_delete(reduced);
}

static void agree_with_pool(const hd_net *net, hd_verdict expected) {
  hd_run run = {.steps = 200000};
  hd_tse_pool *pool = hd_tse_pool_new(net, NULL, &run);
  hd_problem problem = {.net = net,
                        .invariants = hd_tse_pool_cert(pool),
                        .exclude = hd_tse_pool_exclude,
                        .exclude_context = pool};
  hd_result result = {0};
  hd_bws_engine.run(&problem, &run, &result);
  assert_true(result.verdict == expected || result.verdict == HD_UNKNOWN ||
              expected == HD_UNKNOWN);
  if (result.verdict == HD_SAFE)
    accept_cert(net, result.cert);
  if (result.verdict == HD_UNSAFE)
    accept_witness(net, result.witness);
  hd_result_free(&result);
  hd_tse_pool_delete(pool);
}

static void random_nets_are_never_contradicted(void **state) {
  unsigned safe = 0, unsafe = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    rng r = rng_of(seed);
    shape s = random_shape(&r);
    s.caps = false;
    hd_net *net = random_net(&r, s);
    hd_verdict expected = truth(net);
    safe += expected == HD_SAFE;
    unsafe += expected == HD_UNSAFE;
    agree(net, expected, seed);
    hd_result raw = run_on(net, NULL, 20000);
    assert_true(raw.verdict == HD_UNKNOWN || raw.verdict == expected ||
                expected == HD_UNKNOWN);
    hd_result_free(&raw);
    agree_with_pool(net, expected);
    hd_net_delete(net);
  }
  assert_true(safe > 100 && unsafe > 100);
}

/* --- the benchmarks: at least nine of ten, both ways, and nothing wrong --- */

typedef struct {
  unsigned n[2], decided[2]; /* safe, unsafe */
} score;

static void play(const char *folder, char *row, score *all) {
  char *save;
  strtok_r(row, ",", &save);
  const char *file = strtok_r(NULL, ",", &save);
  const char *expected = strtok_r(NULL, ",\r\n", &save);
  if (!file || !expected || !strcmp(file + strlen(file) - 3, ".bp"))
    return;
  bool unsafe = !strcmp(expected, "unsafe");
  hd_str path = {0};
  hd_str_printf(&path, "%s/%s", folder, file);
  hd_diag *diag = hd_diag_new();
  hd_net *net = hd_front_read(hd_str_text(&path), NULL, true, diag);
  assert_non_null(net);
  hd_run run = {.deadline = hd_now() + 20};
  hd_reduced *reduced = hd_reduce(net, &run);
  hd_problem problem = {.net = reduced->net, .tset = reduced->tset};
  hd_result result = {.verdict = reduced->safe ? HD_SAFE : HD_UNKNOWN};
  if (!reduced->safe) {
    hd_tse_engine.run(&problem, &run, &result);
    hd_reduced_lift(reduced, net, &result);
  }
  all->n[unsafe]++;
  all->decided[unsafe] += result.verdict != HD_UNKNOWN;
  if (result.verdict != HD_UNKNOWN)
    assert_int_equal(result.verdict, unsafe ? HD_UNSAFE : HD_SAFE);
  if (result.cert)
    accept_cert(net, result.cert);
  if (result.witness)
    accept_witness(net, result.witness);
  hd_result_free(&result);
  hd_reduced_delete(reduced);
  hd_net_delete(net);
  hd_diag_delete(diag);
  hd_str_free(&path);
}

static void benchmarks_are_decided(void **state) {
  const char *folder = getenv("HEDDLE_BENCH");
  char beside[4096], line[1000];
  snprintf(beside, sizeof beside, "%s/../shared/bench", HD_SOURCE_ROOT);
  folder = folder ? folder : beside;
  char manifest[4200];
  snprintf(manifest, sizeof manifest, "%s/manifest.csv", folder);
  FILE *file = fopen(manifest, "r");
  if (!file) {
    print_message("no benchmark directory: set HEDDLE_BENCH\n");
    skip();
  }
  score all = {0};
  assert_non_null(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file))
    play(folder, line, &all);
  fclose(file);
  print_message("safe: %u of %u proved; unsafe: %u of %u found\n",
                all.decided[0], all.n[0], all.decided[1], all.n[1]);
  assert_true(10 * all.decided[0] >= 9 * all.n[0]);
  assert_true(10 * all.decided[1] >= 9 * all.n[1]);
}

#define T(name) cmocka_unit_test(name)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(equation_proves_mutual_exclusion),
      T(equation_leaves_the_reachable_open),
      T(equation_takes_targets_one_after_the_other),
      T(equation_knows_what_it_has_excluded),
      T(equation_leaves_out_what_t_rules_out),
      T(equation_of_a_net_in_which_nothing_fires),
      T(the_initial_state_is_tested),
      T(a_spawn_keeps_its_parent),
      T(every_thread_of_a_target_counts),
      T(every_disjunct_of_a_target_counts),
      T(initial_intervals_are_kept),
      T(a_target_may_be_in_any_shared_state),
      T(moves_carry_no_weight_upward),
      T(guards_are_left_to_the_search),
      T(large_counts_are_exact),
      T(transitions_with_one_effect_share_a_column),
      T(distance_is_a_lower_bound),
      T(traps_refute_solutions),
      T(traps_are_found_only_where_marked),
      T(a_trap_may_have_shared_states),
      T(stages_remove_dead_transitions),
      T(stages_end_when_the_target_falls),
      T(counting_proves_what_happens_once),
      T(counting_goes_as_far_as_it_must),
      T(counting_finds_ways),
      T(counting_repeats_loops),
      T(counting_obeys_upper_guards),
      T(loops_with_upper_guards_are_not_repeated),
      T(random_counts_are_checked),
      T(integers_exclude_halves),
      T(integers_leave_the_reachable_open),
      T(integers_know_what_the_program_knows),
      T(integers_agree_with_the_program),
      T(figure_of_paper_000),
      T(witness_of_paper_002),
      T(deep_bugs_are_found),
      T(limits_end_in_unknown),
      T(a_cancelled_run_stops),
      T(runs_are_reproducible),
      T(a_corrupted_coefficient_is_refused),
      T(a_corrupted_trap_is_refused),
      T(pool_excludes_on_demand),
      T(pool_pauses_when_it_does_not_pay),
      T(invariants_bound_places),
      T(explanation_names_shared_states),
      T(explanation_of_traps_and_dead_transitions),
      T(explanation_of_shared_states_never_reached),
      T(explanation_of_no_inequality_is_empty),
      T(random_nets_are_never_contradicted),
      T(benchmarks_are_decided),
  };
  return cmocka_run_group_tests_name("tse", tests, NULL, NULL);
}

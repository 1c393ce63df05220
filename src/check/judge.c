/* SPDX-License-Identifier: MIT */
/* The frame of the certificate judges: is the certificate well formed, which
 * net does it talk about, what do its proved parts exclude. */
#include "check/judge.h"

#include "check/check.h"
#include "model/split.h"

__extension__ typedef __int128 wide;

/* --- sentences --- */

void hd_judge_say_trans(const hd_judge *judge, hd_trans_id t) {
  hd_str_printf(judge->why, "transition t%u (", t);
  if (judge->input->trans.data[t].line)
    hd_str_printf(judge->why, "line %u: ", judge->input->trans.data[t].line);
  hd_net_print_trans(judge->why, judge->input, t);
  hd_str_puts(judge->why, ")");
}

void hd_judge_say_config(const hd_judge *judge, hd_shared_id s, hd_tokens v) {
  hd_net_print_config(judge->why, judge->net, s, v);
}

void hd_judge_say_place(const hd_judge *judge, hd_place_id place) {
  hd_str_puts(judge->why, "place ");
  hd_net_print_place(judge->why, judge->net, place);
}

void hd_judge_say_shared(const hd_judge *judge, hd_shared_id s) {
  hd_str_puts(judge->why, "shared state ");
  hd_net_print_shared(judge->why, judge->net, s);
}

/* --- small facts --- */

bool hd_judge_over_cap(hd_tokens v, hd_tokens caps) {
  for (size_t i = 0; i < caps.size; i++)
    if (hd_tokens_at(v, caps.data[i].place) > caps.data[i].count)
      return true;
  return false;
}

hd_range hd_judge_moves_from(const hd_net *net, hd_trans_id t,
                             hd_place_id place) {
  hd_range all = net->trans.data[t].moves;
  const hd_move *moves = net->moves.data;
  uint32_t low = all.start, high = all.start + all.size;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (moves[middle].from < place)
      low = middle + 1;
    else
      high = middle;
  }
  hd_range mine = {.start = low};
  while (low < all.start + all.size && moves[low].from == place)
    low++;
  mine.size = low - mine.start;
  return mine;
}

/* potential[s] + sum weight[p] * v(p). A product has at most 63 + 32 bits and
 * there are at most 2^24 places: 128 bits cannot overflow. */
static wide value(const hd_linear *linear, hd_shared_id s, hd_tokens v) {
  wide sum = linear->potential ? linear->potential[s] : 0;
  for (size_t i = 0; i < v.size; i++)
    sum += (wide)linear->weight[v.data[i].place] * (wide)v.data[i].count;
  return sum;
}

bool hd_judge_violates(const hd_judge *judge, size_t index, hd_shared_id s,
                       hd_tokens v) {
  const hd_linear *linear = &judge->cert->linear.data[index];
  return value(linear, s, v) > linear->bound;
}

/* Weights are not negative, so what is excluded is upward closed. */
bool hd_judge_excludes(const hd_judge *judge, hd_shared_id s, hd_tokens v) {
  if (judge->rows) {
    const uint64_t *row = judge->rows[s];
    if (!row)
      return true;
    for (size_t i = 0; i < v.size; i++)
      if (!hd_bits_test(row, v.data[i].place))
        return true;
  }
  for (size_t i = 0; i < judge->n_linear; i++)
    if (hd_judge_violates(judge, i, s, v))
      return true;
  return false;
}

/* --- the slice --- */

static void mark_live(hd_judge *judge, hd_shared_id s, hd_u32s *queue) {
  if (hd_bits_test(judge->live, s))
    return;
  hd_bits_set(judge->live, s);
  hd_vec_push(queue, s);
}

/* The shared states in which a target may be reached. */
static void mark_targets(hd_judge *judge, hd_u32s *queue) {
  const hd_net *net = judge->net;
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    hd_tokens need = hd_net_view(net, target->need);
    if (hd_judge_over_cap(need, hd_net_view(net, target->caps)))
      continue;
    bool any = target->shared == HD_ANY_SHARED;
    hd_shared_id first = any ? 0 : target->shared;
    hd_shared_id last = any ? net->n_shared - 1 : target->shared;
    for (hd_shared_id s = first; s <= last; s++)
      if (!hd_judge_excludes(judge, s, need))
        mark_live(judge, s, queue);
  }
}

static void mark_sources(hd_judge *judge, hd_u32s *queue) {
  const hd_net *net = judge->net;
  while (queue->size) {
    hd_shared_id s = hd_vec_pop(queue);
    for (uint32_t i = net->to_start[s]; i < net->to_start[s + 1]; i++)
      if (hd_judge_fires(judge, net->to_ids[i]))
        mark_live(judge, net->trans.data[net->to_ids[i]].from, queue);
  }
}

void hd_judge_slice(hd_judge *judge) {
  const hd_net *net = judge->net;
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_tokens pre = hd_net_pre(net, t);
    if (hd_judge_excludes(judge, net->trans.data[t].from, pre) ||
        hd_judge_over_cap(pre, hd_net_caps(net, t)))
      hd_bits_clear(judge->fires, t);
    else
      hd_bits_set(judge->fires, t);
  }
  if (judge->any_target)
    return;
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    hd_bits_clear(judge->live, s);
  hd_u32s queue = {0};
  mark_targets(judge, &queue);
  mark_sources(judge, &queue);
  hd_vec_free(&queue);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (!hd_bits_test(judge->live, net->trans.data[t].to))
      hd_bits_clear(judge->fires, t);
}

/* --- well-formedness --- */

static bool shape_of_linear(const hd_judge *judge) {
  for (size_t i = 0; i < judge->cert->linear.size; i++) {
    const hd_linear *linear = &judge->cert->linear.data[i];
    if (!linear->weight) {
      hd_str_printf(judge->why, "inequality %zu has no weights", i + 1);
      return false;
    }
    for (hd_place_id p = 0; p < judge->net->n_places; p++)
      if (linear->weight[p] < 0) {
        hd_str_printf(judge->why, "inequality %zu has a negative weight for ",
                      i + 1);
        hd_judge_say_place(judge, p);
        return false;
      }
  }
  return true;
}

static bool shape_of_traps(const hd_judge *judge) {
  const hd_cert *cert = judge->cert;
  const char *fault = NULL;
  for (hd_vec_each(const hd_trap, trap, &cert->traps))
    if (!trap->places || !trap->shared || trap->stage > cert->linear.size)
      fault = "a trap is incomplete";
  for (hd_vec_each(const hd_trap_use, use, &cert->trap_uses))
    if (use->trap >= cert->traps.size || use->times <= 0)
      fault = "an inequality uses a trap that does not exist, or not at all";
  for (hd_vec_each(const hd_linear, linear, &cert->linear))
    if ((uint64_t)linear->traps.start + linear->traps.size >
        cert->trap_uses.size)
      fault = "an inequality uses traps outside the list";
  if (fault)
    hd_str_puts(judge->why, fault);
  return !fault;
}

/* NULL, or what is wrong with `c`. */
static const char *config_fault(const hd_judge *judge, const hd_config *c) {
  if (c->shared >= judge->net->n_shared)
    return "has a shared state that does not exist";
  if ((uint64_t)c->tokens.start + c->tokens.size > judge->cert->tokens.size)
    return "lies outside the pool of tokens";
  hd_tokens v = hd_cert_view(judge->cert, c);
  bool omega = judge->cert->kind == HD_CERT_COVER;
  for (size_t i = 0; i < v.size; i++) {
    if (v.data[i].place >= judge->net->n_places)
      return "has a place that does not exist";
    if (i && v.data[i - 1].place >= v.data[i].place)
      return "is not sorted by place";
    if (!v.data[i].count)
      return "has an entry without tokens";
    if (v.data[i].count > HD_COUNT_MAX &&
        !(omega && v.data[i].count == HD_OMEGA))
      return "has a count that is too large";
  }
  return NULL;
}

static bool shape_of_configs(const hd_judge *judge) {
  for (size_t i = 0; i < judge->cert->configs.size; i++) {
    const char *fault = config_fault(judge, &judge->cert->configs.data[i]);
    if (fault) {
      hd_str_printf(judge->why, "configuration %zu of the certificate %s",
                    i + 1, fault);
      return false;
    }
  }
  return true;
}

static bool shape_of_ignored(const hd_judge *judge) {
  const hd_u32s *ignored = &judge->cert->ignored;
  for (size_t i = 0; i < ignored->size; i++)
    if (ignored->data[i] >= judge->net->n_places ||
        (i && ignored->data[i - 1] >= ignored->data[i])) {
      hd_str_puts(judge->why, "the ignored places are not a sorted list of "
                              "places of the model");
      return false;
    }
  return true;
}

static bool shape(const hd_judge *judge) {
  const hd_cert *cert = judge->cert;
  const hd_net *net = judge->net;
  if (cert->n_shared != net->n_shared || cert->n_places != net->n_places) {
    hd_str_printf(judge->why,
                  "the certificate is for %u shared states and %u places, the "
                  "model has %u and %u",
                  cert->n_shared, cert->n_places, net->n_shared, net->n_places);
    return false;
  }
  if (cert->kind == HD_CERT_COVER && cert->linear.size) {
    hd_str_puts(judge->why, "a cover has no inequalities");
    return false;
  }
  if (cert->kind == HD_CERT_BACKWARD && cert->ignored.size) {
    hd_str_puts(judge->why, "only a cover can ignore places");
    return false;
  }
  return shape_of_linear(judge) && shape_of_traps(judge) &&
         shape_of_configs(judge) && shape_of_ignored(judge);
}

/* --- the judgement --- */

/* Stage by stage; after each, what it proved is put to use. */
static bool stages(hd_judge *judge) {
  const hd_cert *cert = judge->cert;
  hd_judge_slice(judge);
  if (cert->rows) {
    if (!hd_judge_rows(judge))
      return false;
    judge->rows = cert->rows;
    hd_judge_slice(judge);
  }
  if (cert->linear.size) {
    if (!hd_judge_linear(judge))
      return false;
    assert(judge->n_linear == cert->linear.size);
    hd_judge_slice(judge);
  }
  return cert->kind == HD_CERT_COVER ? hd_judge_cover(judge)
                                     : hd_judge_basis(judge);
}

static bool judge_on(hd_judge *judge, const hd_net *net) {
  judge->net = net;
  if (!shape(judge))
    return false;
  judge->live = hd_calloc(hd_bits_words(net->n_shared), sizeof(uint64_t));
  judge->fires = hd_calloc(hd_bits_words(net->trans.size), sizeof(uint64_t));
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    hd_bits_set(judge->live, s);
  bool ok = stages(judge);
  hd_free(judge->live);
  hd_free(judge->fires);
  hd_free(judge->needed);
  return ok;
}

static bool judge_split(hd_judge *judge) {
  const hd_u32s *control = &judge->cert->control;
  hd_str reason = {0};
  hd_net *split = hd_split(judge->input, control->data, control->size, &reason);
  if (!split)
    hd_str_printf(judge->why, "the net cannot be split: %s",
                  hd_str_text(&reason));
  hd_str_free(&reason);
  bool ok = split && judge_on(judge, split);
  hd_net_delete(split);
  return ok;
}

static bool judge_cert(const hd_net *net, const hd_cert *cert, bool any_target,
                       hd_str *why) {
  if (cert->kind != HD_CERT_BACKWARD && cert->kind != HD_CERT_COVER) {
    hd_str_puts(why, "the certificate is of no known kind");
    return false;
  }
  hd_judge judge = {
      .input = net, .cert = cert, .why = why, .any_target = any_target};
  return cert->control.size ? judge_split(&judge) : judge_on(&judge, net);
}

bool hd_check_cert(const hd_net *net, const hd_cert *cert, hd_str *why) {
  if (!net->targets.size) {
    hd_str_puts(why, "the model has no target: there is nothing to prove");
    return false;
  }
  return judge_cert(net, cert, false, why);
}

bool hd_check_cover(const hd_net *net, const hd_cert *cert, hd_str *why) {
  if (cert->kind != HD_CERT_COVER) {
    hd_str_puts(why, "the certificate is not a cover");
    return false;
  }
  return judge_cert(net, cert, true, why);
}

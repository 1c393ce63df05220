/* SPDX-License-Identifier: MIT */
/* What is known in a state, pc(s) of the paper: its parts, learning, asking. */
#include "engine/lise/nest.h"

#include <string.h>

static void add_all(hd_term_list *out, const hd_term_list *from) {
  for (size_t i = 0; i < from->size; i++)
    hd_vec_push(out, from->data[i]);
}

/* --- numbers of messages --- */

static hd_term count_of(const hd_lise *l, hd_proc p, hd_proc other,
                        bool received) {
  const hd_lise_proc *proc = l->state->procs.data[p];
  size_t at = 2 * (size_t)(other - l->first[proc->program]) + received;
  return at < proc->counts.size ? proc->counts.data[at]
                                : hd_term_int(l->terms, 0);
}

void hd_lise_count(hd_lise *l, hd_proc other, bool received) {
  if (!l->counting)
    return;
  hd_lise_proc *me = hd_lise_me(l);
  size_t n = 2 * (size_t)l->programs[me->program].n_procs;
  size_t at = 2 * (size_t)(other - l->first[me->program]) + received;
  while (me->counts.size < n)
    hd_vec_push(&me->counts, hd_term_int(l->terms, 0));
  assert(at < n);
  me->counts.data[at] =
      hd_term_add(l->terms, me->counts.data[at], hd_term_int(l->terms, 1));
  hd_lise_wrote(
      l, (hd_lise_place){.object = 0, .frame = HD_NO_ID, .at = (int64_t)at});
}

/* What was sent and not received is on its way: always true. */
static void add_counts(const hd_lise *l, hd_term_list *out) {
  const hd_lise_state *s = l->state;
  for (hd_proc p = 0; p < s->procs.size; p++)
    for (hd_proc q = 0; q < s->procs.size; q++) {
      if (s->procs.data[p]->program != s->procs.data[q]->program)
        continue;
      int64_t queued = 0;
      for (size_t i = 0; i < s->messages.size; i++)
        queued += s->messages.data[i]->source == (int32_t)p &&
                  s->messages.data[i]->dest == (int32_t)q;
      hd_term way = hd_term_sub(l->terms, count_of(l, p, q, false),
                                count_of(l, q, p, true));
      hd_term fact = hd_term_eq(l->terms, way, hd_term_int(l->terms, queued));
      if (!hd_term_is_true(l->terms, fact))
        hd_vec_push(out, fact);
    }
}

void hd_lise_facts(const hd_lise *l, hd_term_list *out) {
  const hd_lise_state *s = l->state;
  add_all(out, &s->pc);
  for (size_t i = 0; i < s->stack.size; i++) {
    add_all(out, &s->stack.data[i]->ppc);
    add_all(out, &s->stack.data[i]->implied);
    add_all(out, &s->stack.data[i]->relation);
  }
  for (size_t i = 0; i < s->queue.size; i++) {
    add_all(out, &s->queue.data[i]->ppc);
    add_all(out, &s->queue.data[i]->implied);
    add_all(out, &s->queue.data[i]->relation);
  }
  for (size_t i = 0; i < s->procs.size; i++) {
    add_all(out, &s->procs.data[i]->guard);
    add_all(out, &s->procs.data[i]->relation);
  }
  if (l->counting)
    add_counts(l, out);
}

static bool has_fact(const hd_term_list *list, hd_term fact) {
  for (size_t i = 0; i < list->size; i++)
    if (list->data[i] == fact)
      return true;
  return false;
}

void hd_lise_add_fact(const hd_lise *l, hd_term_list *list, hd_term fact) {
  if (!hd_term_is_true(l->terms, fact) && !has_fact(list, fact))
    hd_vec_push(list, fact);
}

void hd_lise_learn(hd_lise *l, hd_term fact) {
  hd_lise_state *s = l->state;
  if (hd_lise_seen(l)->in_guard) {
    hd_lise_add_fact(l, &hd_lise_me(l)->guard, fact);
    return;
  }
  hd_lise_nest nest = {0};
  hd_lise_nest_of(s, l->proc, &nest);
  hd_lise_record *r =
      nest.size && !l->plain ? hd_lise_rung_own(s, hd_vec_last(&nest)) : NULL;
  hd_lise_add_fact(l, r ? &r->ppc : &s->pc, fact);
  hd_vec_free(&nest);
}

void hd_lise_learn_implied(hd_lise *l, hd_term fact) {
  if (hd_term_is_true(l->terms, fact))
    return;
  if (hd_lise_seen(l)->in_guard) { /* line 12 of figure 3 */
    hd_lise_learn(l, fact);
    return;
  }
  hd_lise_nest nest = {0};
  hd_lise_nest_of(l->state, l->proc, &nest);
  if (nest.size && l->plain) {
    hd_lise_learn(l, fact);
  } else if (nest.size) {
    hd_lise_record *r = hd_lise_rung_own(l->state, hd_vec_last(&nest));
    if (!has_fact(&r->ppc, fact))
      hd_lise_add_fact(l, &r->implied, fact);
  }
  hd_vec_free(&nest);
}

hd_proof hd_lise_valid(hd_lise *l, hd_term claim) {
  if (hd_term_is_const(l->terms, claim))
    return hd_term_is_true(l->terms, claim) ? HD_VALID : HD_INVALID;
  hd_term_list facts = {0};
  hd_lise_facts(l, &facts);
  hd_proof proof = hd_prover_valid(l->prover, facts.data, facts.size, claim);
  hd_vec_free(&facts);
  return proof;
}

/* HD_FORK when it is not. */
static hd_going decided(hd_lise *l, hd_term cond, bool *truth) {
  *truth = true;
  if (hd_lise_valid(l, cond) == HD_VALID)
    return HD_GO_ON;
  *truth = false;
  if (hd_lise_valid(l, hd_term_not(l->terms, cond)) == HD_VALID)
    return HD_GO_ON;
  l->fork = cond;
  return HD_FORK;
}

hd_going hd_lise_decide(hd_lise *l, hd_term cond, bool *truth) {
  hd_terms *t = l->terms;
  uint32_t asked = l->asked++;
  int64_t was;
  if (hd_term_is_undef(t, cond))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "a choice depends on a value that was never set");
  if (hd_term_is_const(t, cond)) {
    *truth = hd_term_is_true(t, cond);
    return HD_GO_ON;
  }
  if (hd_lise_recall(l, asked, &was)) {
    *truth = was != 0;
    hd_lise_learn(l, was ? cond : hd_term_not(t, cond));
    return HD_GO_ON;
  }
  hd_going g = decided(l, cond, truth);
  if (g == HD_GO_ON)
    hd_lise_watch_answer(l, asked, *truth);
  return g;
}

hd_going hd_lise_concrete(hd_lise *l, hd_term term, int64_t *value,
                          const char *what) {
  hd_terms *t = l->terms;
  uint32_t asked = l->asked++;
  if (hd_term_is_undef(t, term))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT, "%s was never set", what);
  if (hd_term_is_int(t, term, value))
    return HD_GO_ON;
  if (hd_lise_recall(l, asked, value)) {
    hd_lise_learn(l, hd_term_eq(t, term, hd_term_int(t, *value)));
    return HD_GO_ON;
  }
  hd_term_list facts = {0}, symbols = {0};
  hd_lise_facts(l, &facts);
  term = hd_prover_simplify(l->prover, facts.data, facts.size, term);
  hd_going g = HD_GO_ON;
  if (!hd_term_is_int(t, term, value)) {
    /* a value that it can have, as a symbol equal to it */
    hd_term s = hd_lise_fresh(l, HD_OF_INT);
    hd_vec_push(&facts, hd_term_eq(t, s, term));
    hd_prover_values values = {0};
    hd_proof found =
        hd_prover_model(l->prover, facts.data, facts.size, &s, 1, &values);
    int64_t v = 0;
    bool negative = false;
    bool too_long = found == HD_VALID && strlen(values.data[0]) > 18;
    for (const char *c = found == HD_VALID && !too_long ? values.data[0] : "";
         *c; c++)
      if (*c == '-')
        negative = true;
      else if (*c >= '0' && *c <= '9')
        v = v * 10 + (*c - '0');
    v = negative ? -v : v;
    for (size_t i = 0; i < values.size; i++)
      hd_free(values.data[i]);
    hd_vec_free(&values);
    bool truth;
    if (found == HD_INVALID)
      g = HD_PRUNED;
    else if (found != HD_VALID || l->plain || too_long)
      g = hd_lise_refuse(l, "%s is symbolic", what);
    else
      g = decided(l, hd_term_eq(t, term, hd_term_int(t, v)), &truth);
    *value = v;
  }
  if (g == HD_GO_ON)
    hd_lise_watch_answer(l, asked, *value);
  hd_vec_free(&facts);
  hd_vec_free(&symbols);
  return g;
}

hd_term hd_lise_fresh(hd_lise *l, hd_term_sort sort) {
  return hd_term_sym(l->terms, HD_SYM_Y, l->state->n_y++, sort);
}

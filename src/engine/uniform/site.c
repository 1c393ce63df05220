/* SPDX-License-Identifier: MIT */
/* Operations of the paths, and instances of them: of some process, in some
 * iterations. A process has its own rank and symbols; N and what annotations call
 * an input are the same for all. */
#include "engine/uniform/parts.h"

static void add_sites(const hd_uni_path *leaf, const hd_uni_path *owner,
                      hd_uni_site site, hd_uni_sites *out) {
  for (size_t i = 0; i < owner->ops.size; i++) {
    hd_uni_site s = site;
    s.leaf = leaf;
    s.owner = owner;
    s.op = &owner->ops.data[i];
    s.at[s.depth] = s.op->post;
    hd_vec_push(out, s);
  }
  for (uint32_t i = 0; i < owner->items.size; i++) {
    const hd_uni_loop *loop = owner->items.data[i].loop;
    if (!loop || site.depth == HD_UNI_DEPTH)
      continue;
    hd_uni_site s = site;
    s.loops[s.depth] = loop;
    s.at[s.depth] = i;
    s.depth++;
    for (size_t k = 0; k < loop->bodies.size; k++) {
      s.bodies[s.depth - 1] = loop->bodies.data[k];
      add_sites(leaf, loop->bodies.data[k], s, out);
    }
  }
}

void hd_uni_sites_of(const hd_uni_path *leaf, hd_uni_sites *out) {
  add_sites(leaf, leaf, (hd_uni_site){0}, out);
}

/* --- symbols --- */

hd_term hd_uni_fresh(hd_uni *u, hd_term_sort sort) {
  enum { FAR = 1 << 24 }; /* beyond all that paths have */
  return hd_term_sym(u->l.terms, HD_SYM_Y, FAR + u->n_fresh++, sort);
}

hd_term hd_uni_put(hd_uni *u, const hd_uni_map *map, hd_term term) {
  return term ? hd_term_subst(u->l.terms, term, map->data, map->size) : 0;
}

static bool is_shared(const hd_uni *u, hd_term symbol) {
  const uint32_t *args = hd_term_args(u->l.terms, symbol);
  return args[0] == HD_SYM_X && symbol != u->rank &&
         args[1] < u->l.inputs.size &&
         u->l.inputs.data[args[1]].edge == HD_NO_ID;
}

static bool has(const hd_uni_map *map, hd_term symbol) {
  for (size_t i = 0; i < map->size; i++)
    if (map->data[i].from == symbol)
      return true;
  return false;
}

/* New symbols for those of the term that have none yet. */
static void rename_in(hd_uni *u, hd_uni_map *map, hd_term term) {
  hd_terms *t = u->l.terms;
  if (!term)
    return;
  hd_term_list symbols = {0};
  hd_term_visit_begin(t);
  hd_term_visit(t, term, &symbols);
  for (size_t i = 0; i < symbols.size; i++) {
    hd_term s = symbols.data[i];
    if (hd_term_args(t, s)[0] == HD_SYM_BOUND || is_shared(u, s) || has(map, s))
      continue;
    hd_term_pair pair = {s, hd_uni_fresh(u, hd_term_sort_of(t, s))};
    hd_vec_push(map, pair);
  }
  hd_vec_free(&symbols);
}

static void rename_path(hd_uni *u, hd_uni_map *map, const hd_uni_path *path) {
  for (size_t i = 0; i < path->facts.size; i++)
    rename_in(u, map, path->facts.data[i]);
  for (size_t i = 0; i < path->duties.size; i++)
    rename_in(u, map, path->duties.data[i].claim);
  for (size_t i = 0; i < path->ops.size; i++) {
    const hd_uni_op *op = &path->ops.data[i];
    rename_in(u, map, op->peer);
    rename_in(u, map, op->tag);
    for (size_t k = 0; op->cells && k < op->cells->cells.size; k++)
      rename_in(u, map, op->cells->cells.data[k].value);
    for (size_t k = 0; op->result && k < op->result->cells.size; k++)
      rename_in(u, map, op->result->cells.data[k].value);
  }
  for (size_t i = 0; i < path->items.size; i++)
    if (path->items.data[i].loop)
      rename_in(u, map, path->items.data[i].loop->k);
}

/* --- processes --- */

static bool is_claim(const hd_uni_path *path, hd_term fact) {
  for (size_t i = 0; i < path->claims.size; i++)
    if (path->claims.data[i] == fact)
      return true;
  return false;
}

static void know_path(hd_uni *u, const hd_uni_map *map, const hd_uni_path *path,
                      hd_term_list *facts) {
  for (size_t i = 0; i < path->facts.size; i++)
    if (!is_claim(path, path->facts.data[i])) {
      hd_term fact = hd_uni_put(u, map, path->facts.data[i]);
      hd_vec_push(facts, fact);
    }
}

/* Symbols of one iteration are new; those from before are the process's. */
static void body_map(hd_uni *u, const hd_uni_map *outer,
                     const hd_uni_loop *loop, const hd_uni_path *body,
                     hd_term k, hd_uni_map *map) {
  const hd_terms *t = u->l.terms;
  for (size_t i = 0; i < outer->size; i++) {
    const uint32_t *args = hd_term_args(t, outer->data[i].from);
    if (args[0] != HD_SYM_Y || args[1] < loop->first)
      hd_vec_push(map, outer->data[i]);
  }
  hd_term_pair own = {loop->k, k};
  hd_vec_push(map, own);
  rename_path(u, map, body);
}

/* The last iteration that came back followed one of the bodies, and so did the
 * first one. */
static void know_loop(hd_uni *u, const hd_uni_map *map, const hd_uni_loop *loop,
                      hd_term_list *facts) {
  hd_terms *t = u->l.terms;
  hd_term n = hd_uni_put(u, map, loop->k), zero = hd_term_int(t, 0);
  hd_term last = hd_term_sub(t, n, hd_term_int(t, 1));
  hd_term at[2] = {last, zero};
  for (int end = 0; end < 2; end++) {
    hd_term some = hd_term_eq(t, n, zero);
    for (size_t b = 0; b < loop->bodies.size; b++) {
      const hd_uni_path *body = loop->bodies.data[b];
      hd_uni_map own = {0};
      body_map(u, map, loop, body, at[end], &own);
      hd_term all = hd_term_bool(t, true);
      for (size_t i = 0; i < body->facts.size; i++)
        if (!is_claim(body, body->facts.data[i]))
          all = hd_term_and(t, all, hd_uni_put(u, &own, body->facts.data[i]));
      some = hd_term_or(t, some, all);
      hd_vec_free(&own);
    }
    hd_vec_push(facts, some);
  }
}

static void know_loops(hd_uni *u, const hd_uni_map *map,
                       const hd_uni_path *path, hd_term_list *facts) {
  for (size_t i = 0; i < path->items.size; i++)
    if (path->items.data[i].loop)
      know_loop(u, map, path->items.data[i].loop, facts);
}

void hd_uni_proc_make(hd_uni *u, const hd_uni_path *leaf, hd_uni_proc *out) {
  *out = (hd_uni_proc){.leaf = leaf};
  out->rank = hd_uni_fresh(u, HD_OF_INT);
  hd_term_pair rank = {u->rank, out->rank};
  hd_vec_push(&out->map, rank);
  rename_path(u, &out->map, leaf);
  know_path(u, &out->map, leaf, &out->facts);
  know_loops(u, &out->map, leaf, &out->facts);
}

void hd_uni_proc_free(hd_uni_proc *proc) {
  hd_vec_free(&proc->map);
  hd_vec_free(&proc->facts);
}

/* --- spots --- */

void hd_uni_spot_make(hd_uni *u, const hd_uni_proc *proc,
                      const hd_uni_site *site, const hd_term *k,
                      hd_uni_spot *out) {
  *out = (hd_uni_spot){.site = site};
  for (size_t i = 0; i < proc->map.size; i++)
    hd_vec_push(&out->level[0], proc->map.data[i]);
  for (uint32_t d = 0; d < site->depth; d++) {
    out->k[d] = k ? k[d] : hd_uni_fresh(u, HD_OF_INT);
    body_map(u, &out->level[d], site->loops[d], site->bodies[d], out->k[d],
             &out->level[d + 1]);
  }
}

void hd_uni_spot_free(hd_uni_spot *spot) {
  for (int i = 0; i <= HD_UNI_DEPTH; i++)
    hd_vec_free(&spot->level[i]);
}

hd_term hd_uni_spot_put(hd_uni *u, const hd_uni_spot *spot, hd_term term) {
  return hd_uni_put(u, &spot->level[spot->site->depth], term);
}

/* Conditions of the iterations: `facts` in full, or as one condition. */
static hd_term iterations(hd_uni *u, const hd_uni_spot *spot,
                          hd_term_list *facts) {
  hd_terms *t = u->l.terms;
  const hd_uni_site *site = spot->site;
  hd_term all = hd_term_bool(t, true);
  for (uint32_t d = 0; d < site->depth; d++) {
    const hd_uni_path *body = site->bodies[d];
    const hd_uni_map *map = &spot->level[d + 1];
    hd_term n = hd_uni_put(u, &spot->level[d], site->loops[d]->k);
    hd_term inside =
        hd_term_and(t, hd_term_le(t, hd_term_int(t, 0), spot->k[d]),
                    hd_term_lt(t, spot->k[d], n));
    if (facts) {
      hd_vec_push(facts, inside);
      know_path(u, map, body, facts);
      know_loops(u, map, body, facts);
      continue;
    }
    all = hd_term_and(t, all, inside);
    for (size_t i = 0; i < body->decisions.size; i++)
      all = hd_term_and(t, all, hd_uni_put(u, map, body->decisions.data[i]));
  }
  return all;
}

void hd_uni_spot_facts(hd_uni *u, const hd_uni_spot *spot,
                       hd_term_list *facts) {
  (void)iterations(u, spot, facts);
}

hd_term hd_uni_spot_happens(hd_uni *u, const hd_uni_spot *spot) {
  return iterations(u, spot, NULL);
}

/* By items, then iterations, from the outside in; two bodies are of different
 * iterations. */
hd_term hd_uni_before(hd_uni *u, const hd_uni_spot *a, const hd_uni_spot *b) {
  hd_terms *t = u->l.terms;
  hd_term less = hd_term_bool(t, false), same = hd_term_bool(t, true);
  for (uint32_t d = 0;; d++) {
    uint32_t x = a->site->at[d], y = b->site->at[d];
    if (x != y || d >= a->site->depth || d >= b->site->depth)
      return x < y ? hd_term_or(t, less, same) : less;
    less = hd_term_or(t, less,
                      hd_term_and(t, same, hd_term_lt(t, a->k[d], b->k[d])));
    same = hd_term_and(t, same, hd_term_eq(t, a->k[d], b->k[d]));
    if (a->site->bodies[d] != b->site->bodies[d])
      return less;
  }
}

/* SPDX-License-Identifier: MIT */
/* Memory that is allocated once: arrays whose length the program computes. Its
 * elements are not told apart; its size is a shared variable, so that bounds can
 * be proved, 0 before its time. Whether it was freed is another one: a length that
 * changed then would be no part of a sum. */
#include "engine/pairs/translate.h"

static uint32_t ghost(ptranslator *tr, uint8_t width) {
  assert(width == 1 || width == tr->code->pointer_width);
  psvar v = {.width = width, .has_start = true, .kind = HD_NO_ID};
  hd_vec_push(&tr->system->shared, v);
  tr->changed = true;
  return (uint32_t)tr->system->shared.size - 1;
}

static pvar ghost_var(uint32_t index) {
  return (pvar){.owner = OF_ALL, .index = index};
}

/* The block that the edge allocates. */
static uint32_t block_of(ptranslator *tr, const ppath *p, hd_edge_id edge) {
  assert(edge < tr->code->edges.size && p->context < tr->contexts.size);
  uint32_t kind = tr->contexts.data[p->context].kind;
  for (size_t i = 0; i < tr->objects.size; i++) {
    const pobject *o = &tr->objects.data[i];
    if (o->sort == IS_BLOCK && o->id == edge && o->context == p->context)
      return (uint32_t)i;
  }
  pobject made = {.sort = IS_BLOCK,
                  .id = edge,
                  .context = p->context,
                  .kind = kind,
                  .blurred = true};
  made.length = ghost(tr, tr->code->pointer_width);
  made.made = ghost(tr, 1);
  made.freed = ghost(tr, 1);
  hd_vec_push(&tr->objects, made);
  return (uint32_t)tr->objects.size - 1;
}

/* What machines have room for: more gives null. */
static uint64_t largest(const ptranslator *tr) {
  return tr->code->pointer_width == 64 ? (uint64_t)1 << 47 : INT32_MAX;
}

void hd_pairs_allocate(ptranslator *tr, ppath *p, hd_edge_id edge,
                       pvalue size) {
  pterms *t = tr->system->terms;
  uint8_t width = tr->code->pointer_width;
  if (tr->refused || size.object != HD_NO_ID ||
      hd_pairs_node_of(t, size.bits)->width != width) {
    hd_pairs_refuse(tr, edge, "a block whose size is no number");
    return;
  }
  uint32_t block = block_of(tr, p, edge);
  pvar made = ghost_var(tr->objects.data[block].made);
  hd_pairs_demand(
      tr, p, edge,
      hd_pairs_term_not(t, hd_pairs_read_var(tr, p, made, false).bits),
      "memory may be allocated here several times");
  hd_pairs_demand(
      tr, p, edge,
      hd_pairs_term_apply(t, HD_BV_ULE, size.bits,
                          hd_pairs_term_const(t, width, largest(tr))),
      "a block may be too large");
  if (p->ended)
    return;
  hd_pairs_write_var(tr, p, made,
                     hd_pairs_number(hd_pairs_term_const(t, 1, 1)));
  hd_pairs_write_var(tr, p, ghost_var(tr->objects.data[block].length), size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  if (e->n_targets == 1)
    hd_pairs_set_reg(
        tr, p, p->context, hd_code_target(tr->code, e, 0),
        (pvalue){.bits = hd_pairs_term_const(t, width, 0), .object = block});
  p->loc = e->to;
}

/* n * m bytes; one of them is a constant. */
pvalue hd_pairs_product(ptranslator *tr, ppath *p, hd_edge_id edge, pvalue n,
                        pvalue m) {
  pterms *t = tr->system->terms;
  uint64_t k = 0;
  if (n.object == HD_NO_ID && hd_pairs_term_is_const(t, n.bits, &k)) {
    pvalue swap = n;
    n = m;
    m = swap;
  }
  if (n.object != HD_NO_ID || m.object != HD_NO_ID ||
      !hd_pairs_term_is_const(t, m.bits, &k)) {
    hd_pairs_refuse(tr, edge, "a block whose size is a product");
    return n;
  }
  uint8_t width = hd_pairs_node_of(t, n.bits)->width;
  if (k)
    hd_pairs_demand(
        tr, p, edge,
        hd_pairs_term_apply(t, HD_BV_ULE, n.bits,
                            hd_pairs_term_const(t, width, largest(tr) / k)),
        "a block may be too large");
  return hd_pairs_number(hd_pairs_term_apply(t, HD_BV_MUL, n.bits, m.bits));
}

void hd_pairs_release(ptranslator *tr, ppath *p, hd_edge_id edge,
                      pvalue address) {
  pterms *t = tr->system->terms;
  uint64_t k;
  bool is_const = hd_pairs_term_is_const(t, address.bits, &k) && !k;
  if (is_const && address.object == HD_NO_ID)
    return; /* null */
  if (!is_const || address.object == HD_NO_ID ||
      tr->objects.data[address.object].sort != IS_BLOCK) {
    hd_pairs_refuse(tr, edge, "free of something that is not known");
    return;
  }
  pvar freed = ghost_var(tr->objects.data[address.object].freed);
  hd_pairs_demand(tr, p, edge, hd_pairs_block_lives(tr, p, address.object),
                  "free of what was freed");
  if (!p->ended)
    hd_pairs_write_var(tr, p, freed,
                       hd_pairs_number(hd_pairs_term_const(t, 1, 1)));
}

pterm hd_pairs_block_lives(ptranslator *tr, ppath *p, uint32_t object) {
  assert(object < tr->objects.size);
  assert(tr->objects.data[object].sort == IS_BLOCK);
  pvar freed = ghost_var(tr->objects.data[object].freed);
  return hd_pairs_term_not(tr->system->terms,
                           hd_pairs_read_var(tr, p, freed, false).bits);
}

pterm hd_pairs_block_length(ptranslator *tr, ppath *p, uint32_t object) {
  assert(object < tr->objects.size);
  assert(tr->objects.data[object].sort == IS_BLOCK);
  pvar length = ghost_var(tr->objects.data[object].length);
  return hd_pairs_read_var(tr, p, length, false).bits;
}

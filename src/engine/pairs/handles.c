/* SPDX-License-Identifier: MIT */
/* Who is joined. Ids of threads that are kept in one array are a family, and so
 * are those in one variable. What pthread_create stores into an array must go to
 * its elements one after the other, and joins must take them in that order: then
 * each join takes a thread that nobody has joined yet, without looking at ids.
 * Two shared variables of each family count; where something else is done, a step
 * fails. */
#include "engine/pairs/translate.h"

static uint32_t counter(ptranslator *tr) {
  psvar v = {.width = 32, .has_start = true, .kind = HD_NO_ID};
  hd_vec_push(&tr->system->shared, v);
  tr->changed = true;
  return (uint32_t)tr->system->shared.size - 1;
}

/* The family of the ids at an address; made where it is new. */
static uint32_t family_at(ptranslator *tr, pvalue address) {
  assert(address.object < tr->objects.size);
  assert(tr->handles.size == tr->system->families.size);
  bool is_array = tr->objects.data[address.object].blurred;
  uint64_t at = UINT64_MAX;
  if (!is_array)
    (void)hd_pairs_term_is_const(tr->system->terms, address.bits, &at);
  for (size_t i = 0; i < tr->handles.size; i++)
    if (tr->handles.data[i].object == address.object &&
        tr->handles.data[i].offset == at)
      return (uint32_t)i;
  phandle made = {.object = address.object, .offset = at};
  made.created = counter(tr);
  made.joined = is_array ? counter(tr) : HD_NO_ID;
  hd_vec_push(&tr->handles, made);
  hd_vec_push(&tr->system->families, ((pfamily){.counted = is_array}));
  return (uint32_t)tr->handles.size - 1;
}

static pvar count_var(uint32_t index) {
  return (pvar){.owner = OF_ALL, .index = index};
}

static pterm count_now(ptranslator *tr, ppath *p, uint32_t index) {
  assert(tr->system->shared.data[index].width == 32);
  return hd_pairs_read_var(tr, p, count_var(index), false).bits;
}

static void count_set(ptranslator *tr, ppath *p, uint32_t index, pterm value) {
  assert(tr->system->shared.data[index].width == 32);
  hd_pairs_write_var(tr, p, count_var(index), hd_pairs_number(value));
}

static pterm plus_one(ptranslator *tr, pterm a) {
  pterms *t = tr->system->terms;
  return hd_pairs_term_apply(t, HD_BV_ADD, a, hd_pairs_term_const(t, 32, 1));
}

/* The address is that of the element with this number. */
static pterm is_element(ptranslator *tr, pvalue address, pterm number) {
  assert(address.object != HD_NO_ID);
  pterms *t = tr->system->terms;
  uint8_t width = tr->code->pointer_width;
  pterm size = hd_pairs_term_const(t, width, width / 8u);
  pterm at = hd_pairs_term_apply(
      t, HD_BV_MUL, hd_pairs_term_resize(t, number, width, false), size);
  return hd_pairs_term_apply(t, HD_BV_EQ, address.bits, at);
}

/* More than this is not followed. */
static void limit(ptranslator *tr, ppath *p, hd_edge_id edge, pterm condition,
                  const char *what) {
  tr->limiting = true;
  hd_pairs_demand(tr, p, edge, condition, what);
  tr->limiting = false;
}

static void add_kind(ptranslator *tr, uint32_t family, uint32_t kind) {
  assert(kind > 0 && kind < tr->system->kinds.size);
  assert(family < tr->system->families.size);
  hd_u32s *kinds = &tr->system->families.data[family].kinds;
  for (size_t i = 0; i < kinds->size; i++)
    if (kinds->data[i] == kind)
      return;
  hd_vec_push(kinds, kind);
  tr->changed = true;
}

void hd_pairs_handle_created(ptranslator *tr, ppath *p, hd_edge_id edge,
                             pvalue address, uint32_t kind) {
  pterms *t = tr->system->terms;
  if (!tr->surroundings->joins || p->ended || tr->refused)
    return;
  uint32_t family = family_at(tr, address);
  phandle h = tr->handles.data[family];
  add_kind(tr, family, kind);
  assert(p->into == HD_NO_ID); /* one a step */
  p->into = family;
  if (h.joined == HD_NO_ID) {
    count_set(tr, p, h.created, hd_pairs_term_const(t, 32, 1));
    return;
  }
  pterm created = count_now(tr, p, h.created);
  limit(tr, p, edge,
        hd_pairs_term_apply(t, HD_BV_ULT, created,
                            hd_pairs_term_const(t, 32, PAIRS_MOST_CREATED)),
        "more threads than can be counted");
  limit(tr, p, edge, is_element(tr, address, created),
        "the id of a thread is not stored behind the one before");
  count_set(tr, p, h.created, plus_one(tr, created));
}

/* The address that the id was read from, just before the call; false where it
 * came from somewhere else. */
static bool find_source(ptranslator *tr, ppath *p, hd_edge_id edge,
                        pvalue *address) {
  const hd_code *code = tr->code;
  const hd_cedge *call = &code->edges.data[edge];
  const hd_cexpr *id = &code->exprs.data[hd_code_operand(code, call, 1)];
  hd_edge_id load = HD_NO_ID;
  for (uint32_t i = 0; i < code->edges.size; i++)
    if (code->edges.data[i].to == call->from) {
      if (load != HD_NO_ID)
        return false;
      load = i;
    }
  if (load == HD_NO_ID || id->op != HD_CODE_REG)
    return false;
  const hd_cedge *e = &code->edges.data[load];
  if (e->act != HD_CODE_LOAD ||
      hd_code_target(code, e, 0) != (hd_reg_id)id->value)
    return false;
  tr->peeking = true;
  *address = hd_pairs_eval_operand(tr, p, load, 0);
  tr->peeking = false;
  return address->object != HD_NO_ID;
}

/* Is the address that of an element or variable with ids? */
static bool is_known(const ptranslator *tr, pvalue address) {
  uint64_t at = UINT64_MAX;
  if (!tr->objects.data[address.object].blurred &&
      !hd_pairs_term_is_const(tr->system->terms, address.bits, &at))
    return false;
  for (hd_vec_each(const phandle, h, &tr->handles))
    if (h->object == address.object && h->offset == at)
      return true;
  return false;
}

void hd_pairs_handle_joined(ptranslator *tr, ppath *p, hd_edge_id edge) {
  pterms *t = tr->system->terms;
  pvalue address;
  if (!tr->surroundings->joins || p->ended || tr->refused)
    return;
  if (!find_source(tr, p, edge, &address) || !is_known(tr, address)) {
    limit(tr, p, edge, hd_pairs_term_const(t, 1, 0),
          "it is not known which thread is joined");
    return;
  }
  uint32_t family = family_at(tr, address);
  phandle h = tr->handles.data[family];
  pterm created = count_now(tr, p, h.created);
  if (h.joined == HD_NO_ID) {
    limit(tr, p, edge, hd_pairs_truth(tr, created),
          "a thread is joined that is not there");
    count_set(tr, p, h.created, hd_pairs_term_const(t, 32, 0));
  } else {
    pterm joined = count_now(tr, p, h.joined);
    limit(tr, p, edge, is_element(tr, address, joined),
          "threads are joined in another order than created");
    limit(tr, p, edge, hd_pairs_term_apply(t, HD_BV_ULT, joined, created),
          "a thread is joined that is not there");
    count_set(tr, p, h.joined, plus_one(tr, joined));
  }
  p->joins = family;
}

void hd_pairs_handle_written(ptranslator *tr, ppath *p, hd_edge_id edge,
                             pvalue address) {
  assert(!tr->surroundings->joins || !tr->handles.size ||
         address.object < tr->objects.size);
  for (size_t i = 0; tr->surroundings->joins && i < tr->handles.size; i++)
    if (tr->handles.data[i].object == address.object)
      limit(tr, p, edge, hd_pairs_term_const(tr->system->terms, 1, 0),
            "the id of a thread is written over");
}

/* SPDX-License-Identifier: MIT */
/* What is found out about a program before it runs: which functions and globals
 * it can reach, which of these can change, which registers and slots still
 * matter at a location, and what inputs are compared with. */
#include "model/small_impl.h"

#include "base/bitset.h"

#include <string.h>

enum {
  MAX_SHARED = 1 << 16,
  MAX_OWN = 1 << 14,
  MAX_MODULUS = 64,
  MAX_CUTS = 64
};

typedef struct {
  hd_small *s;
  uint8_t *func_used;
  uint8_t *global_used;     /* 1 it is mentioned, 2 it may change */
  hd_vec(uint32_t) globals; /* that are used, to be followed */
  hd_vec(uint32_t) funcs;
} reach;

/* --- what can be reached --- */

static void use_func(reach *r, hd_func_id f) {
  if (r->func_used[f])
    return;
  r->func_used[f] = 1;
  hd_vec_push(&r->funcs, f);
}

static void use_global(reach *r, hd_global_id g, uint8_t how) {
  if (!r->global_used[g])
    hd_vec_push(&r->globals, g);
  r->global_used[g] |= how;
}

static void mention(reach *r, hd_cexpr_id id, uint8_t how) {
  const hd_cexpr *e = &r->s->code->exprs.data[id];
  if (e->op == HD_CODE_FUNC)
    use_func(r, (hd_func_id)e->value);
  if (e->op == HD_CODE_GLOBAL)
    use_global(r, (hd_global_id)e->value, how);
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    mention(r, e->args[i], i == 0 && e->op == HD_CODE_PTRADD ? how : 3);
}

static void reach_edge(reach *r, const hd_cedge *edge) {
  const hd_code *code = r->s->code;
  if (edge->guard != HD_NO_ID && edge->act == HD_CODE_STEP)
    mention(r, edge->guard, 3);
  for (uint32_t i = 0; i < edge->n_operands; i++) {
    bool reads = edge->act == HD_CODE_LOAD && i == 0;
    mention(r, hd_code_operand(code, edge, i), reads ? 1 : 3);
  }
}

static void reach_all(reach *r) {
  const hd_code *code = r->s->code;
  size_t f = 0, g = 0;
  use_func(r, code->main);
  while (f < r->funcs.size || g < r->globals.size) {
    if (g < r->globals.size) {
      const hd_global *global = &code->globals.data[r->globals.data[g++]];
      for (uint32_t i = 0; i < global->n_relocs; i++)
        mention(r, code->relocs.data[global->relocs + i].expr, 3);
      continue;
    }
    const hd_func *func = &code->funcs.data[r->funcs.data[f++]];
    for (hd_loc_id l = func->locs; l < func->locs + func->n_locs; l++)
      for (uint32_t o = code->out_start[l]; o < code->out_start[l + 1]; o++)
        reach_edge(r, &code->edges.data[code->out[o]]);
  }
}

/* --- memory --- */

static void put_word(uint8_t *at, uint64_t value, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i++)
    at[i] = (uint8_t)(value >> 8 * i);
}

static void make_initial(hd_small *s, hd_global_id g) {
  const hd_code *code = s->code;
  const hd_global *global = &code->globals.data[g];
  uint8_t *bytes = hd_calloc(global->size + 1, 1);
  if (global->bytes && global->size)
    memcpy(bytes, global->bytes, global->size);
  hd_eval_env env = {
      .code = code, .address = hd_small_address, .context = s, .modulus = 1};
  for (uint32_t i = 0; i < global->n_relocs; i++) {
    const hd_reloc *reloc = &code->relocs.data[global->relocs + i];
    put_word(bytes + reloc->offset, hd_evaluate(&env, reloc->expr).bits,
             code->pointer_width / 8u);
  }
  s->initial[g] = bytes;
}

static bool place_globals(reach *r, hd_str *why) {
  hd_small *s = r->s;
  const hd_code *code = s->code;
  for (hd_global_id g = 0; g < code->globals.size; g++) {
    const hd_global *global = &code->globals.data[g];
    s->global_at[g] = HD_NO_ID;
    if (!r->global_used[g] || global->external)
      continue;
    if (global->size > MAX_SHARED) {
      hd_str_printf(why, "'%s' has %llu bytes, too many to be part of a state",
                    global->cname ? global->cname : global->name,
                    (unsigned long long)global->size);
      return false;
    }
    make_initial(s, g);
    bool changes = r->global_used[g] & 2 && !global->constant;
    if (!changes && !global->thread_local)
      continue;
    hd_bytes *to = global->thread_local ? &s->start_tls : &s->start_shared;
    s->global_at[g] = (uint32_t)to->size;
    hd_vec_resize(to, to->size + global->size);
    if (global->size)
      memcpy(to->data + to->size - global->size, s->initial[g], global->size);
  }
  if (s->start_shared.size > MAX_SHARED || s->start_tls.size > MAX_OWN)
    hd_str_printf(why,
                  "the global variables have %zu bytes, too many to be part of "
                  "a state",
                  s->start_shared.size + s->start_tls.size);
  return s->start_shared.size <= MAX_SHARED && s->start_tls.size <= MAX_OWN;
}

static bool place_slots(hd_small *s, hd_func_id f, hd_str *why) {
  const hd_func *func = &s->code->funcs.data[f];
  uint64_t total = 0;
  for (uint32_t i = func->slots; i < func->slots + func->n_slots; i++) {
    s->slot_at[i] = (uint32_t)total;
    total += s->code->slots.data[i].size;
    if (total > MAX_OWN) {
      hd_str_printf(why,
                    "the variables of %s have more than %d bytes, too many to "
                    "be part of a state",
                    func->cname ? func->cname : func->name, MAX_OWN);
      return false;
    }
  }
  s->funcs[f].memory = (uint32_t)total;
  return true;
}

/* --- what matters where --- */

typedef struct {
  hd_small *s;
  const hd_func *func;
  hd_small_func *out;
  uint64_t *escaped; /* slots whose address is kept somewhere */
} live;

static void uses(const live *v, hd_cexpr_id id, uint64_t *set, bool address) {
  const hd_cexpr *e = &v->s->code->exprs.data[id];
  if (e->op == HD_CODE_REG)
    hd_bits_set(set, e->value);
  if (e->op == HD_CODE_SLOT) {
    hd_bits_set(set, v->func->n_regs + e->value);
    if (!address)
      hd_bits_set(v->escaped, v->func->n_regs + e->value);
  }
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    uses(v, e->args[i], set, address && i == 0 && e->op == HD_CODE_PTRADD);
}

/* Is operand i only an address that is used and forgotten? */
static bool is_address(const live *v, const hd_cedge *edge, uint32_t i) {
  const hd_code *code = v->s->code;
  switch ((hd_code_act)edge->act) {
  case HD_CODE_LOAD:
  case HD_CODE_STORE:
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    return i == 0;
  case HD_CODE_CALL:
    return i > 0 &&
           !(hd_library_arg(hd_call_of(code, edge), i - 1) & HD_ARG_KEEP);
  default:
    return false;
  }
}

static void edge_uses(const live *v, const hd_cedge *edge, uint64_t *set) {
  if (edge->act == HD_CODE_STEP && edge->guard != HD_NO_ID)
    uses(v, edge->guard, set, false);
  for (uint32_t i = 0; i < edge->n_operands; i++)
    uses(v, hd_code_operand(v->s->code, edge, i), set, is_address(v, edge, i));
}

/* One round over all locations, backwards. True when something was added. */
static bool live_round(const live *v, uint64_t *after) {
  const hd_code *code = v->s->code;
  size_t words = v->out->words;
  bool changed = false;
  for (uint32_t l = v->func->n_locs; l-- > 0;) {
    hd_loc_id loc = v->func->locs + l;
    for (uint32_t o = code->out_start[loc]; o < code->out_start[loc + 1]; o++) {
      const hd_cedge *edge = &code->edges.data[code->out[o]];
      memset(after, 0, words * sizeof *after);
      if (edge->to != edge->from)
        hd_bits_union(after, v->out->live + (edge->to - v->func->locs) * words,
                      words);
      for (uint32_t i = 0; i < edge->n_targets; i++)
        hd_bits_clear(after, hd_code_target(code, edge, i));
      edge_uses(v, edge, after);
      changed |= hd_bits_union(v->out->live + l * words, after, words);
    }
  }
  return changed;
}

static void find_live(hd_small *s, hd_func_id f) {
  const hd_func *func = &s->code->funcs.data[f];
  hd_small_func *out = &s->funcs[f];
  out->words = hd_bits_words(func->n_regs + func->n_slots + 1);
  out->live = hd_calloc(out->words * func->n_locs + 1, sizeof *out->live);
  live v = {.s = s, .func = func, .out = out};
  v.escaped = hd_calloc(out->words, sizeof *v.escaped);
  uint64_t *after = hd_calloc(out->words, sizeof *after);
  while (live_round(&v, after))
    ;
  for (uint32_t l = 0; l < func->n_locs; l++)
    hd_bits_union(out->live + l * out->words, v.escaped, out->words);
  hd_free(after);
  hd_free(v.escaped);
}

/* --- what inputs are compared with --- */

static uint64_t gcd(uint64_t a, uint64_t b) {
  return b ? gcd(b, a % b) : a;
}

static void add_modulus(hd_small_func *f, uint64_t by) {
  if (!by || by > MAX_MODULUS)
    return;
  uint64_t least = f->modulus / gcd(f->modulus, by) * by;
  if (least <= MAX_MODULUS)
    f->modulus = least;
}

/* x + by (or x - by) is compared with `value`: where x is cut, so that in no part
 * the sum wraps round or changes its sign. */
static void shifted_cuts(hd_small_func *f, const hd_cexpr *sum, uint64_t by,
                         uint64_t value) {
  uint64_t mask = hd_word_mask(sum->type.width);
  uint64_t back = sum->op == HD_CODE_ADD ? 0 - by : by;
  uint64_t at[] = {value, 0, ~(mask >> 1) & mask};
  for (int i = 0; i < 3; i++)
    hd_vec_push(&f->cuts, ((hd_small_cut){.value = (at[i] + back) & mask,
                                          .width = sum->type.width}));
}

static void find_cuts(hd_small *s, hd_small_func *f, hd_cexpr_id id) {
  const hd_cexpr *exprs = s->code->exprs.data, *e = &exprs[id];
  int arity = hd_code_op_arity((hd_code_op)e->op);
  for (int i = 0; i < arity; i++) {
    const hd_cexpr *arg = &exprs[e->args[i]];
    if (hd_code_compares((hd_code_op)e->op) && arg->op == HD_CODE_INT)
      hd_vec_push(&f->cuts, ((hd_small_cut){.value = arg->value,
                                            .width = arg->type.width}));
    find_cuts(s, f, e->args[i]);
  }
  if (hd_code_compares((hd_code_op)e->op) &&
      hd_code_is_shifted(s->code, &exprs[e->args[0]]) &&
      exprs[e->args[1]].op == HD_CODE_INT)
    shifted_cuts(f, &exprs[e->args[0]], exprs[exprs[e->args[0]].args[1]].value,
                 exprs[e->args[1]].value);
  const hd_cexpr *by = arity == 2 ? &exprs[e->args[1]] : NULL;
  if (by && by->op == HD_CODE_INT &&
      (e->op == HD_CODE_UREM || e->op == HD_CODE_SREM))
    add_modulus(f, by->value);
  if (by && by->op == HD_CODE_INT && e->op == HD_CODE_AND &&
      by->value < MAX_MODULUS) {
    uint64_t power = 1;
    while (power <= by->value)
      power *= 2;
    add_modulus(f, power);
  }
  if (e->op == HD_CODE_TRUNC && e->type.width <= 4)
    add_modulus(f, (uint64_t)1 << e->type.width);
}

static void find_func_cuts(hd_small *s, hd_func_id id) {
  const hd_code *code = s->code;
  const hd_func *func = &code->funcs.data[id];
  hd_small_func *f = &s->funcs[id];
  f->modulus = 1;
  for (hd_loc_id l = func->locs; l < func->locs + func->n_locs; l++)
    for (uint32_t o = code->out_start[l]; o < code->out_start[l + 1]; o++) {
      const hd_cedge *edge = &code->edges.data[code->out[o]];
      if (edge->act == HD_CODE_STEP && edge->guard != HD_NO_ID)
        find_cuts(s, f, edge->guard);
      for (uint32_t i = 0; i < edge->n_operands; i++)
        find_cuts(s, f, hd_code_operand(code, edge, i));
    }
}

/* Does target i of the edge get the value of an input, or of a register that has
 * one? */
static bool gets_sample(const hd_small *s, const hd_cedge *edge, uint32_t i,
                        const uint64_t *sampled) {
  const hd_code *code = s->code;
  if (edge->act == HD_CODE_STEP) {
    const hd_cexpr *from = &code->exprs.data[hd_code_operand(code, edge, i)];
    return from->op == HD_CODE_REG && hd_bits_test(sampled, from->value);
  }
  return hd_library_action(hd_call_of(code, edge)) == HD_DO_INPUT;
}

/* Marks the registers that may hold the value of an input of the function. */
static void find_sampled(const hd_small *s, const hd_func *func,
                         uint64_t *sampled) {
  const hd_code *code = s->code;
  uint32_t last = code->out_start[func->locs + func->n_locs];
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t o = code->out_start[func->locs]; o < last; o++) {
      const hd_cedge *edge = &code->edges.data[code->out[o]];
      for (uint32_t i = 0; i < edge->n_targets; i++) {
        hd_reg_id reg = hd_code_target(code, edge, i);
        if (hd_bits_test(sampled, reg) || !gets_sample(s, edge, i, sampled))
          continue;
        hd_bits_set(sampled, reg);
        changed = true;
      }
    }
  }
}

/* May the value of an input leave the function that has asked for it, as an
 * argument or as its result? */
static bool samples_leave(const hd_small *s, const hd_func *func) {
  const hd_code *code = s->code;
  uint64_t *sampled =
      hd_calloc(hd_bits_words(func->n_regs) + 1, sizeof *sampled);
  find_sampled(s, func, sampled);
  bool leaves = false;
  for (uint32_t e = code->out_start[func->locs];
       e < code->out_start[func->locs + func->n_locs]; e++) {
    const hd_cedge *edge = &code->edges.data[code->out[e]];
    bool out = edge->act == HD_CODE_CALL || edge->act == HD_CODE_RETURN;
    for (uint32_t i = 0; out && i < edge->n_operands; i++) {
      const hd_cexpr *x = &code->exprs.data[hd_code_operand(code, edge, i)];
      leaves |= x->op == HD_CODE_REG && hd_bits_test(sampled, x->value);
    }
  }
  hd_free(sampled);
  return leaves;
}

static void add_cut(hd_small_func *f, hd_small_cut cut) {
  for (hd_vec_each(hd_small_cut, old, &f->cuts))
    if (old->value == cut.value && old->width == cut.width)
      return;
  hd_vec_push(&f->cuts, cut);
}

/* Where inputs go from one function to another, they are cut at the constants of
 * all functions, if these are not too many. */
static void share_cuts(hd_small *s, const reach *r) {
  hd_small_func all = {.modulus = 1};
  bool leave = false, fit = true;
  for (hd_vec_each(hd_func_id, f, &r->funcs)) {
    if (!s->code->funcs.data[*f].defined)
      continue;
    leave = leave || samples_leave(s, &s->code->funcs.data[*f]);
    for (hd_vec_each(hd_small_cut, cut, &s->funcs[*f].cuts))
      add_cut(&all, *cut);
    add_modulus(&all, s->funcs[*f].modulus);
    fit = fit && all.modulus % s->funcs[*f].modulus == 0 &&
          all.cuts.size <= MAX_CUTS;
  }
  s->shared_cuts = leave && fit;
  for (hd_vec_each(hd_func_id, f, &r->funcs)) {
    if (!s->shared_cuts || !s->code->funcs.data[*f].defined)
      continue;
    s->funcs[*f].modulus = all.modulus;
    for (hd_vec_each(hd_small_cut, cut, &all.cuts))
      add_cut(&s->funcs[*f], *cut);
  }
  hd_vec_free(&all.cuts);
}

/* --- all of it --- */

/* Numbers of objects must fit, see small_impl.h. */
static bool number(hd_small *s, hd_str *why) {
  bool wide = s->code->pointer_width == 64;
  s->shift = wide ? 32 : 16;
  s->func_base = wide ? 1u << 20 : 0x3000;
  s->tls_base = wide ? 1u << 21 : 0x5000;
  s->slot_base = wide ? 1u << 22 : 0x6000;
  s->frame_slots = wide ? 4096 : 256;
  bool fits = s->code->globals.size < s->func_base - 1 &&
              s->code->globals.size < s->slot_base - s->tls_base &&
              s->code->funcs.size < s->tls_base - s->func_base;
  for (hd_vec_each(const hd_func, f, &s->code->funcs))
    fits = fits && f->n_slots <= s->frame_slots;
  if (!fits)
    hd_str_puts(why, "the program has too many functions or variables");
  return fits;
}

bool hd_small_prepare(hd_small *s, hd_str *why) {
  const hd_code *code = s->code;
  s->global_at = hd_calloc(code->globals.size + 1, sizeof *s->global_at);
  s->initial = hd_calloc(code->globals.size + 1, sizeof *s->initial);
  s->slot_at = hd_calloc(code->slots.size + 1, sizeof *s->slot_at);
  s->funcs = hd_calloc(code->funcs.size + 1, sizeof *s->funcs);
  if (code->main == HD_NO_ID || !code->funcs.data[code->main].defined) {
    hd_str_puts(why, "the program has no main");
    return false;
  }
  if (!number(s, why))
    return false;
  reach r = {.s = s};
  r.func_used = hd_calloc(code->funcs.size + 1, 1);
  r.global_used = hd_calloc(code->globals.size + 1, 1);
  reach_all(&r);
  bool ok = place_globals(&r, why);
  for (size_t i = 0; ok && i < r.funcs.size; i++) {
    hd_func_id f = r.funcs.data[i];
    const hd_func *func = &code->funcs.data[f];
    if (!func->defined) {
      hd_library_fn fn = hd_library_find(func->name);
      s->funcs[f].library = fn;
      s->timed_waits |= hd_library_action(fn) == HD_DO_PARK &&
                        hd_library_is(fn, HD_CALL_TIMED);
      continue;
    }
    s->funcs[f].atomic = hd_func_is_section(func);
    s->funcs[f].error = !strcmp(func->name, "reach_error") ||
                        !strcmp(func->name, "__VERIFIER_error");
    ok = place_slots(s, f, why);
    find_live(s, f);
    find_func_cuts(s, f);
  }
  if (ok)
    share_cuts(s, &r);
  s->role = hd_calloc(s->start_shared.size + 1, 1);
  /* How many threads there were, main included. */
  for (int i = 0; i < 2 && s->options->max_threads; i++)
    hd_vec_push(&s->start_shared, (uint8_t)(i == 0));
  hd_free(r.func_used);
  hd_free(r.global_used);
  hd_vec_free(&r.funcs);
  hd_vec_free(&r.globals);
  return ok;
}

void hd_small_unprepare(hd_small *s) {
  for (size_t g = 0; g < s->code->globals.size; g++)
    hd_free(s->initial[g]);
  for (size_t f = 0; f < s->code->funcs.size; f++) {
    hd_free(s->funcs[f].live);
    hd_vec_free(&s->funcs[f].cuts);
  }
  hd_free(s->global_at);
  hd_free(s->initial);
  hd_free(s->slot_at);
  hd_free(s->funcs);
  hd_vec_free(&s->inputs);
  hd_free(s->role);
  hd_vec_free(&s->start_shared);
  hd_vec_free(&s->start_tls);
}

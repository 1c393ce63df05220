/* SPDX-License-Identifier: MIT */
/* Terms of values that depend on inputs.
 *
 * A byte with undefined bits is either one that was never set, when these are
 * the lowest so many (1, 3, 7 … 255), or one of 247 × 256 others: the number of a
 * term and of a byte in it. What was never set and what depends on inputs do not
 * mix: an operation on both gives what was never set.
 *
 * Every term has the value at hand beside it, computed when the term is made. */
#include "check/interp/symbols.h"

#include "base/hash.h"
#include "base/word.h"
#include "check/interp/heap.h"
#include "check/interp/lib.h"
#include "check/interp/memory.h"
#include "check/interp/operate.h"
#include "check/interp/symbolic.h"
#include "model/code_term.h"

#include <string.h>

enum { MASKS = 247, BYTES = MASKS * 256, CROWD = 500 };

typedef hd_vec(hd_bv_term) term_list;

/* A term and its value. */
typedef struct {
  hd_bv_term term;
  uint64_t value;
} sym;

/* The k-th input of a thread, if it is this one. */
typedef struct {
  hd_tid thread;
  uint32_t count;
  hd_edge_id edge;
  int64_t low;
  uint64_t n;
  uint8_t width;
  hd_bv_term term;
  uint64_t value;
} symbol;

#define HD_MAP byte_map
#define HD_KEY uint64_t
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(k, 0)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

struct hd_symbols {
  hd_bv *bv;
  hd_vec(symbol) symbols;
  hd_vec(hd_edge_id) marked;
  hd_symbol_values planned; /* of symbols by number; others: near to 0 */
  /* With the values at hand. */
  hd_vec(uint64_t) bytes; /* by number: term × 8 + which byte */
  byte_map numbers;
  hd_vec(uint64_t) values;  /* of terms */
  hd_vec(uint32_t) decided; /* terms: when they were last, by `round` */
  hd_vec(hd_bv_term) decisions;
  uint32_t round;
  hd_vec(hd_bv_term) done; /* values that were not tried before, one term for
                              each round */
  uint8_t mask[MASKS], index[256]; /* undefined bits of bytes; 0xff: none */
};

hd_symbols *hd_symbols_new(void) {
  hd_symbols *s = hd_calloc(1, sizeof *s);
  s->bv = hd_bv_new();
  s->round = 1;
  unsigned n = 0;
  for (unsigned mask = 0; mask < 256; mask++) {
    bool low = !(mask & (mask + 1)); /* also 0 */
    s->index[mask] = low ? 0xff : (uint8_t)n;
    if (!low)
      s->mask[n++] = (uint8_t)mask;
  }
  assert(n == MASKS);
  return s;
}

static void forget(hd_symbols *s) {
  hd_vec_clear(&s->bytes);
  byte_map_free(&s->numbers);
  s->numbers = (byte_map){0};
  hd_vec_clear(&s->decisions);
  s->round++;
}

void hd_symbols_delete(hd_symbols *s) {
  if (!s)
    return;
  forget(s);
  hd_bv_delete(s->bv);
  hd_vec_free(&s->symbols);
  hd_vec_free(&s->marked);
  hd_vec_free(&s->planned);
  hd_vec_free(&s->bytes);
  hd_vec_free(&s->values);
  hd_vec_free(&s->decided);
  hd_vec_free(&s->decisions);
  hd_vec_free(&s->done);
  hd_free(s);
}

static hd_symbols *of(const hd_machine *m) {
  assert(m->plan->options->symbols);
  return m->plan->options->symbols;
}

/* --- terms with values --- */

static sym with(hd_symbols *s, hd_bv_term term, uint64_t value) {
  uint64_t bits;
  assert(!hd_bv_is_const(s->bv, term, &bits) || bits == value);
  (void)bits;
  while (s->values.size <= term)
    hd_vec_push(&s->values, (uint64_t)0);
  s->values.data[term] = value;
  return (sym){term, value};
}

static sym constant(hd_symbols *s, uint8_t width, uint64_t value) {
  value &= hd_word_mask(width);
  return with(s, hd_bv_const(s->bv, width, value), value);
}

static uint8_t width_of(const hd_symbols *s, sym x) {
  return hd_bv_width(s->bv, x.term);
}

static sym apply(hd_symbols *s, hd_bv_op op, sym a, sym b) {
  uint8_t width = width_of(s, a);
  return with(s, hd_bv_apply(s->bv, op, a.term, b.term),
              hd_bv_compute(op, a.value, b.value, width));
}

static sym resize(hd_symbols *s, sym a, uint8_t width, bool sign) {
  uint64_t value =
      sign ? (uint64_t)hd_word_signed(a.value, width_of(s, a)) : a.value;
  return with(s, hd_bv_resize(s->bv, a.term, width, sign),
              value & hd_word_mask(width));
}

static sym negation(hd_symbols *s, sym a) {
  return with(s, hd_bv_not(s->bv, a.term), !a.value);
}

static sym choose(hd_symbols *s, sym c, sym yes, sym no) {
  return with(s, hd_bv_choose(s->bv, c.term, yes.term, no.term),
              c.value ? yes.value : no.value);
}

static sym both(hd_symbols *s, sym a, sym b) {
  return apply(s, HD_BV_AND, a, b);
}

static sym either(hd_symbols *s, sym a, sym b) {
  return apply(s, HD_BV_OR, a, b);
}

/* The bit has the value that it has. */
static void decide(hd_symbols *s, sym bit) {
  uint64_t known;
  assert(width_of(s, bit) == 1);
  if (hd_bv_is_const(s->bv, bit.term, &known))
    return;
  hd_bv_term t = bit.value ? bit.term : hd_bv_not(s->bv, bit.term);
  while (s->decided.size <= t)
    hd_vec_push(&s->decided, (uint32_t)0);
  if (s->decided.data[t] == s->round)
    return;
  s->decided.data[t] = s->round;
  hd_vec_push(&s->decisions, t);
}

static uint64_t pin(hd_symbols *s, sym x) {
  uint64_t known;
  if (!hd_bv_is_const(s->bv, x.term, &known))
    decide(s, apply(s, HD_BV_EQ, x, constant(s, width_of(s, x), x.value)));
  return x.value;
}

/* --- values as bytes --- */

static uint32_t bytes_in(uint8_t width) {
  return (width + 7u) / 8;
}

/* Has it a byte that was never set? */
static bool is_unset(const hd_symbols *s, hd_machine_value v) {
  for (; v.undef; v.undef >>= 8)
    if (v.undef & 0xff && s->index[v.undef & 0xff] == 0xff)
      return true;
  return false;
}

/* Has it one that depends on inputs? */
static bool is_symbolic(const hd_symbols *s, hd_machine_value v) {
  for (; v.undef; v.undef >>= 8)
    if (v.undef & 0xff && s->index[v.undef & 0xff] != 0xff)
      return true;
  return false;
}

static uint64_t byte_at(const hd_symbols *s, hd_machine_value v, uint32_t i) {
  unsigned mask = v.undef >> 8 * i & 0xff, low = v.bits >> 8 * i & 0xff;
  uint32_t number = s->index[mask] * 256u + low;
  assert(mask && s->index[mask] != 0xff && number < s->bytes.size);
  return s->bytes.data[number];
}

static sym part(hd_symbols *s, uint64_t byte, uint8_t width) {
  hd_bv_term t = (hd_bv_term)(byte >> 3);
  sym whole = {t, s->values.data[t]};
  uint8_t from = width_of(s, whole);
  if (byte & 7)
    whole = apply(s, HD_BV_LSHR, whole, constant(s, from, 8 * (byte & 7)));
  return resize(s, whole, width, false);
}

/* As many bytes of one term, from byte i on, as there are. */
static uint32_t run_of(const hd_symbols *s, hd_machine_value v, uint32_t i,
                       uint32_t n) {
  uint64_t first = byte_at(s, v, i);
  uint32_t k = 1;
  while (i + k < n && v.undef >> 8 * (i + k) & 0xff &&
         byte_at(s, v, i + k) == first + k && (first & 7) + k < 8)
    k++;
  return k;
}

/* The term of a value that has no byte that was never set. */
static sym term_of(hd_symbols *s, hd_machine_value v, uint8_t width) {
  if (!v.undef)
    return constant(s, width, v.bits);
  uint32_t n = bytes_in(width);
  uint8_t wide = (uint8_t)(8 * n);
  sym sum = constant(s, wide, 0);
  for (uint32_t i = 0; i < n;) {
    uint32_t k = 1;
    sym x;
    if (v.undef >> 8 * i & 0xff) {
      k = run_of(s, v, i, n);
      x = part(s, byte_at(s, v, i), (uint8_t)(8 * k));
    } else {
      x = constant(s, 8, v.bits >> 8 * i);
    }
    if (k == n)
      return resize(s, x, width, false);
    x = resize(s, x, wide, false);
    if (i)
      x = apply(s, HD_BV_SHL, x, constant(s, wide, 8 * i));
    sum = i ? either(s, sum, x) : x;
    i += k;
  }
  return resize(s, sum, width, false);
}

/* Pinned when there is no number left. */
static hd_machine_value value_of(hd_symbols *s, sym x) {
  uint64_t known;
  if (hd_bv_is_const(s->bv, x.term, &known))
    return (hd_machine_value){x.value, 0};
  uint32_t n = bytes_in(width_of(s, x));
  if (s->bytes.size + n > BYTES)
    return (hd_machine_value){pin(s, x), 0};
  x = resize(s, x, (uint8_t)(8 * n), false);
  hd_machine_value v = {0, 0};
  for (uint32_t i = 0; i < n; i++) {
    uint64_t byte = (uint64_t)x.term << 3 | i;
    bool fresh;
    uint32_t number =
        *byte_map_put(&s->numbers, byte, (uint32_t)s->bytes.size, &fresh);
    if (fresh)
      hd_vec_push(&s->bytes, byte);
    v.bits |= (uint64_t)(number & 0xff) << 8 * i;
    v.undef |= (uint64_t)s->mask[number >> 8] << 8 * i;
  }
  return v;
}

/* --- operations --- */

/* No overflow; false: there is no term for it. */
static bool fits(hd_symbols *s, hd_code_op op, bool sign, sym a, sym b,
                 sym *out) {
  static const uint8_t ops[] = {HD_BV_ADD, HD_BV_SUB, HD_BV_MUL};
  uint8_t width = width_of(s, a);
  hd_bv_op what = (hd_bv_op)ops[op == HD_CODE_ADD   ? 0
                                : op == HD_CODE_SUB ? 1
                                                    : 2];
  uint8_t wide = (uint8_t)(op == HD_CODE_MUL ? 2 * width : width + 1);
  if (wide <= 64) {
    sym r = apply(s, what, resize(s, a, wide, sign), resize(s, b, wide, sign));
    sym back = resize(s, resize(s, r, width, false), wide, sign);
    *out = apply(s, HD_BV_EQ, r, back);
    return true;
  }
  if (op == HD_CODE_MUL)
    return false;
  sym r = apply(s, what, a, b);
  if (!sign) {
    *out = op == HD_CODE_ADD ? apply(s, HD_BV_ULE, a, r)
                             : apply(s, HD_BV_ULE, b, a);
    return true;
  }
  sym x = apply(s, HD_BV_XOR, a, op == HD_CODE_ADD ? r : b);
  sym y = apply(s, HD_BV_XOR, op == HD_CODE_ADD ? b : a, r);
  sym less = apply(s, HD_BV_SLT, both(s, x, y), constant(s, width, 0));
  *out = negation(s, less);
  return true;
}

static bool checks_overflow(const hd_machine *m) {
  return hd_plan_checks(m->plan, HD_PROPERTY_OVERFLOW);
}

typedef enum { FREE, IF, NEVER } condition;

/* When has the operation an ordinary result? IF `out`. */
static condition ordinary(const hd_machine *m, const hd_cexpr *e, sym a, sym b,
                          sym *out) {
  hd_symbols *s = of(m);
  uint8_t width = width_of(s, a);
  bool overflow = checks_overflow(m);
  switch ((hd_code_op)e->op) {
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL: {
    sym also;
    bool is_signed = e->flags & HD_CODE_NSW, plain = e->flags & HD_CODE_NUW;
    if (!overflow || (!is_signed && !plain))
      return FREE;
    if (!fits(s, e->op, is_signed, a, b, out))
      return NEVER;
    if (is_signed && plain) {
      if (!fits(s, e->op, false, a, b, &also))
        return NEVER;
      *out = both(s, *out, also);
    }
    return IF;
  }
  case HD_CODE_UDIV:
  case HD_CODE_UREM:
  case HD_CODE_SDIV:
  case HD_CODE_SREM: {
    if (e->flags & HD_CODE_EXACT)
      return NEVER;
    sym zero = apply(s, HD_BV_EQ, b, constant(s, width, 0));
    *out = negation(s, zero);
    if (e->op == HD_CODE_UDIV || e->op == HD_CODE_UREM)
      return IF;
    sym least = constant(s, width, (uint64_t)1 << (width - 1));
    sym odd = both(s, apply(s, HD_BV_EQ, a, least),
                   apply(s, HD_BV_EQ, b, constant(s, width, UINT64_MAX)));
    *out = both(s, *out, negation(s, odd));
    return IF;
  }
  case HD_CODE_SHL:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    if (e->flags & HD_CODE_EXACT ||
        (overflow && e->flags & (HD_CODE_NSW | HD_CODE_NUW)))
      return NEVER;
    *out = apply(s, HD_BV_ULT, b, constant(s, width, width));
    return IF;
  case HD_CODE_ABS:
    if (!overflow || !(e->flags & HD_CODE_NSW))
      return FREE;
    *out = negation(s, apply(s, HD_BV_EQ, a,
                             constant(s, width, (uint64_t)1 << (width - 1))));
    return IF;
  case HD_CODE_WITHIN:
    *out = apply(s, HD_BV_ULT, a, b);
    return IF;
  case HD_CODE_PTRADD: {
    if (e->type.width != 64 || !(e->flags & HD_CODE_INBOUNDS))
      return FREE;
    sym low = resize(s, b, 32, false);
    *out = apply(s, HD_BV_EQ, resize(s, low, 64, true), b);
    return IF;
  }
  default:
    return FREE;
  }
}

/* --- floats: their order is that of integers, but for the sign --- */

static sym is_nan(hd_symbols *s, sym a) {
  uint8_t width = width_of(s, a);
  uint64_t sign = (uint64_t)1 << (width - 1);
  uint64_t infinity = width == 32 ? 0x7f800000u : 0x7ff0000000000000u;
  sym size = both(s, a, constant(s, width, ~sign));
  return apply(s, HD_BV_ULT, constant(s, width, infinity), size);
}

static sym ordered(hd_symbols *s, sym a) {
  uint8_t width = width_of(s, a);
  sym zero = constant(s, width, 0);
  sym below =
      apply(s, HD_BV_SUB, constant(s, width, (uint64_t)1 << (width - 1)), a);
  return choose(s, apply(s, HD_BV_SLT, a, zero), below, a);
}

static bool compare_floats(hd_symbols *s, hd_code_op op, sym a, sym b,
                           sym *out) {
  if (op < HD_CODE_FOEQ || op > HD_CODE_FUNO)
    return false;
  sym nan = either(s, is_nan(s, a), is_nan(s, b));
  sym x = ordered(s, a), y = ordered(s, b);
  bool unordered = op >= HD_CODE_FUEQ;
  switch (op) {
  case HD_CODE_FOEQ:
  case HD_CODE_FUEQ:
    *out = apply(s, HD_BV_EQ, x, y);
    break;
  case HD_CODE_FOGT:
  case HD_CODE_FUGT:
    *out = apply(s, HD_BV_SLT, y, x);
    break;
  case HD_CODE_FOGE:
  case HD_CODE_FUGE:
    *out = apply(s, HD_BV_SLE, y, x);
    break;
  case HD_CODE_FOLT:
  case HD_CODE_FULT:
    *out = apply(s, HD_BV_SLT, x, y);
    break;
  case HD_CODE_FOLE:
  case HD_CODE_FULE:
    *out = apply(s, HD_BV_SLE, x, y);
    break;
  case HD_CODE_FONE:
  case HD_CODE_FUNE:
    *out = negation(s, apply(s, HD_BV_EQ, x, y));
    break;
  case HD_CODE_FORD:
  case HD_CODE_FUNO:
    *out = constant(s, 1, op == HD_CODE_FORD);
    break;
  default:
    return false;
  }
  *out = unordered ? either(s, nan, *out) : both(s, negation(s, nan), *out);
  return true;
}

static sym swap_bytes(hd_symbols *s, sym a) {
  uint8_t width = width_of(s, a);
  sym sum = constant(s, width, 0);
  for (uint8_t at = 0; at < width; at = (uint8_t)(at + 8)) {
    sym byte = apply(s, HD_BV_LSHR, a, constant(s, width, at));
    byte = both(s, byte, constant(s, width, 0xff));
    sum = either(
        s, sum, apply(s, HD_BV_SHL, byte, constant(s, width, width - 8u - at)));
  }
  return sum;
}

/* The result where it is an ordinary one. */
static bool result(hd_symbols *s, const hd_cexpr *e, sym a, sym b, sym *out) {
  uint8_t width = e->type.width;
  uint64_t bits;
  hd_bv_term args[2] = {a.term, b.term}, made;
  switch ((hd_code_op)e->op) {
  case HD_CODE_PTRADD:
    *out = apply(s, HD_BV_ADD, a, b);
    return true;
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    *out = resize(s, a, width, false);
    return true;
  case HD_CODE_BSWAP:
    *out = swap_bytes(s, a);
    return true;
  case HD_CODE_FNEG:
    *out =
        apply(s, HD_BV_XOR, a, constant(s, width, (uint64_t)1 << (width - 1)));
    return true;
  case HD_CODE_FABS:
    *out = both(s, a, constant(s, width, ~((uint64_t)1 << (width - 1))));
    return true;
  case HD_CODE_SADD_OVERFLOWS:
  case HD_CODE_UADD_OVERFLOWS:
  case HD_CODE_SSUB_OVERFLOWS:
  case HD_CODE_USUB_OVERFLOWS:
  case HD_CODE_SMUL_OVERFLOWS:
  case HD_CODE_UMUL_OVERFLOWS: {
    bool sign = e->op == HD_CODE_SADD_OVERFLOWS ||
                e->op == HD_CODE_SSUB_OVERFLOWS ||
                e->op == HD_CODE_SMUL_OVERFLOWS;
    hd_code_op op =
        e->op == HD_CODE_SADD_OVERFLOWS || e->op == HD_CODE_UADD_OVERFLOWS
            ? HD_CODE_ADD
        : e->op == HD_CODE_SSUB_OVERFLOWS || e->op == HD_CODE_USUB_OVERFLOWS
            ? HD_CODE_SUB
            : HD_CODE_MUL;
    if (!fits(s, op, sign, a, b, out))
      return false;
    *out = negation(s, *out);
    return true;
  }
  default:
    if (compare_floats(s, e->op, a, b, out))
      return true;
    if (!hd_code_term(s->bv, e->op, width, args, &made) ||
        !hd_op_apply(e->op, 0, width, width_of(s, a), a.value, b.value, 0,
                     &bits))
      return false;
    *out = with(s, made, bits);
    return true;
  }
}

static bool is_address(const hd_machine *m, hd_machine_value v) {
  int64_t offset;
  return !v.undef && v.bits >> 32 && hd_ram_find(m, v.bits, &offset);
}

/* An operand that is an address, and the other one is not: their bits say
 * nothing that C would. */
static bool mixes_addresses(const hd_machine *m, const hd_cexpr *e,
                            const hd_machine_value *a,
                            const hd_machine_value *b) {
  const hd_code *code = m->plan->code;
  if (e->op == HD_CODE_PTRADD || hd_code_op_arity(e->op) != 2)
    return false;
  for (int i = 0; i < 2; i++)
    if (code->exprs.data[e->args[i]].op != HD_CODE_INT &&
        is_address(m, i ? *b : *a))
      return true;
  return false;
}

/* Some bits of a pointer: the machine has a rule for that (eval.c). */
static bool cuts_address(const hd_machine *m, const hd_cexpr *e) {
  const hd_cexpr *arg = &m->plan->code->exprs.data[e->args[0]];
  return e->type.width < arg->type.width &&
         (e->op == HD_CODE_PTRTOINT ||
          (e->op == HD_CODE_TRUNC && arg->op == HD_CODE_PTRTOINT));
}

static bool operate(const hd_machine *m, const hd_cexpr *e, sym a, sym b,
                    hd_machine_value *out) {
  hd_symbols *s = of(m);
  sym fine = {0, 0}, r;
  condition c = ordinary(m, e, a, b, &fine);
  if (c == NEVER)
    return false;
  if (c == IF)
    decide(s, fine);
  if ((c == IF && !fine.value) || !result(s, e, a, b, &r))
    return false;
  *out = value_of(s, r);
  return true;
}

static void pin_value(hd_symbols *s, uint8_t width, hd_machine_value *v) {
  if (v->undef && !is_unset(s, *v))
    *v = (hd_machine_value){pin(s, term_of(s, *v, width)), 0};
}

/* Two pointers, into one object with the values at hand: as long as both stay in
 * an object of that number. */
static bool same_number(hd_symbols *s, sym a, sym b) {
  if (a.value >> 32 != b.value >> 32)
    return false;
  sym half = constant(s, 64, 32);
  pin(s, apply(s, HD_BV_LSHR, a, half));
  pin(s, apply(s, HD_BV_LSHR, b, half));
  return true;
}

bool hd_symbolic_operate(const hd_machine *m, const hd_cexpr *e,
                         hd_machine_value *a, hd_machine_value *b,
                         hd_machine_value *out) {
  hd_symbols *s = of(m);
  const hd_code *code = m->plan->code;
  bool two = hd_code_op_arity(e->op) == 2;
  uint8_t from = code->exprs.data[e->args[0]].type.width;
  uint8_t other = two ? code->exprs.data[e->args[1]].type.width : 1;
  if (is_unset(s, *a) || is_unset(s, *b)) {
    *out = (hd_machine_value){0, hd_word_mask(e->type.width)};
    return is_symbolic(s, *a) || is_symbolic(s, *b);
  }
  bool good = !cuts_address(m, e) && (!two || from == other);
  if (good) {
    sym x = term_of(s, *a, from), y = term_of(s, *b, other);
    good = !mixes_addresses(m, e, a, b) || same_number(s, x, y);
    if (good && operate(m, e, x, y, out))
      return true;
  }
  pin_value(s, from, a);
  pin_value(s, other, b);
  return false;
}

bool hd_symbolic_binary(const hd_machine *m, hd_code_op op, uint8_t width,
                        hd_machine_value *a, hd_machine_value *b,
                        hd_machine_value *out) {
  hd_symbols *s = of(m);
  if (is_unset(s, *a) || is_unset(s, *b)) {
    *out = (hd_machine_value){0, hd_word_mask(op == HD_CODE_EQ ? 1 : width)};
    return is_symbolic(s, *a) || is_symbolic(s, *b);
  }
  hd_cexpr e = {.op = (uint8_t)op,
                .type = {HD_TYPE_INT, op == HD_CODE_EQ ? 1 : width}};
  sym r;
  if (!is_address(m, *a) && !is_address(m, *b) &&
      result(s, &e, term_of(s, *a, width), term_of(s, *b, width), &r)) {
    *out = value_of(s, r);
    return true;
  }
  pin_value(s, width, a);
  pin_value(s, width, b);
  return false;
}

uint64_t hd_symbolic_round(const hd_machine *m, uint8_t width, uint64_t undef) {
  uint64_t all = 0;
  for (unsigned i = 0; m->plan->options->symbols && i < 64; i += 8)
    all |= undef >> i & 0xff ? (uint64_t)0xff << i : 0;
  return (undef | all) & hd_word_mask(width);
}

/* --- needs --- */

void hd_symbolic_pin(const hd_machine *m, uint8_t width, hd_machine_value *v) {
  pin_value(of(m), width, v);
}

void hd_symbolic_decide(const hd_machine *m, uint8_t width,
                        hd_machine_value *v) {
  hd_symbols *s = of(m);
  if (!v->undef || is_unset(s, *v))
    return;
  sym x = term_of(s, *v, width);
  if (width > 1)
    x = negation(s, apply(s, HD_BV_EQ, x, constant(s, width, 0)));
  decide(s, x);
  *v = (hd_machine_value){x.value, 0};
}

void hd_symbolic_sign(const hd_machine *m, uint8_t width, hd_machine_value *v) {
  hd_symbols *s = of(m);
  if (!v->undef || is_unset(s, *v))
    return;
  sym x = term_of(s, *v, width), zero = constant(s, width, 0);
  sym less = apply(s, HD_BV_SLT, x, zero), more = apply(s, HD_BV_SLT, zero, x);
  decide(s, less);
  decide(s, more);
  *v = (hd_machine_value){less.value ? hd_word_mask(width) : more.value, 0};
}

bool hd_symbolic_order(const hd_machine *m, hd_machine_value a,
                       hd_machine_value b, int *order) {
  hd_symbols *s = of(m);
  if (is_unset(s, a) || is_unset(s, b))
    return false;
  sym x = term_of(s, a, 8), y = term_of(s, b, 8);
  decide(s, apply(s, HD_BV_EQ, x, y));
  if (x.value != y.value)
    decide(s, apply(s, HD_BV_ULT, x, y));
  *order = x.value < y.value ? -1 : x.value > y.value;
  return true;
}

void hd_symbolic_show(const hd_machine *m, uint8_t width, hd_machine_value *v) {
  hd_symbols *s = of(m);
  if (v->undef && !is_unset(s, *v))
    *v = (hd_machine_value){term_of(s, *v, width).value, 0};
}

hd_machine_value hd_symbolic_fit(const hd_machine *m, uint8_t from,
                                 uint8_t width, hd_machine_value v) {
  hd_symbols *s = of(m);
  uint64_t mask = hd_word_mask(width);
  if (is_unset(s, v))
    return is_symbolic(s, v)
               ? (hd_machine_value){0, mask}
               : (hd_machine_value){v.bits & mask, v.undef & mask};
  return value_of(s, resize(s, term_of(s, v, from), width, false));
}

void hd_symbolic_pin_bytes(hd_machine *m, uint64_t address, uint64_t size) {
  for (uint64_t i = 0; m->plan->options->symbols && i < size; i++) {
    const uint8_t *shadow, *bytes = hd_ram_bytes(m, address + i, &shadow);
    if (!shadow)
      return;
    hd_machine_value v = {bytes[0], shadow[0]};
    if (!v.undef || is_unset(of(m), v))
      continue;
    pin_value(of(m), 8, &v);
    uint8_t byte = (uint8_t)v.bits;
    hd_ram_write(m, address + i, &byte, NULL, 1);
  }
}

void hd_symbolic_pin_string(hd_machine *m, uint64_t address, uint64_t most) {
  for (uint64_t i = 0; m->plan->options->symbols && i < most; i++) {
    hd_symbolic_pin_bytes(m, address + i, 1);
    if (!*hd_ram_bytes(m, address + i, NULL))
      return;
  }
}

/* --- inputs --- */

void hd_symbols_mark(hd_symbols *s, hd_edge_id edge) {
  for (hd_vec_each(const hd_edge_id, e, &s->marked))
    if (*e == edge)
      return;
  hd_vec_push(&s->marked, edge);
}

static bool is_marked(const hd_symbols *s, hd_edge_id edge) {
  for (hd_vec_each(const hd_edge_id, e, &s->marked))
    if (*e == edge)
      return true;
  return false;
}

static hd_type type_of(const hd_machine *m, const hd_cedge *e) {
  const hd_code *code = m->plan->code;
  const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
  return code->regs.data[f->regs + code->targets.data[e->targets]].type;
}

bool hd_symbols_may(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  if (!m->plan->wide || t->wait != HD_WAIT_NONE || !hd_machine_is_input(m, tid))
    return false;
  const hd_cedge *e = &m->plan->code->edges.data[t->next];
  hd_library_fn fn = hd_thread_callee(m, t, NULL);
  return e->n_targets == 1 && type_of(m, e).kind != HD_TYPE_PTR &&
         fn != HD_LIB_getpid;
}

static uint64_t nearest_to_zero(int64_t low, uint64_t n) {
  uint64_t choice = 0 - (uint64_t)low;
  return n == UINT64_MAX || choice < n ? choice : 0;
}

/* The number of the symbol, made if it is a new one. */
static size_t symbol_at(const hd_machine *m, const hd_thread *t) {
  hd_symbols *s = of(m);
  symbol fresh = {.thread = t->id,
                  .count = t->inputs,
                  .edge = t->next,
                  .low = hd_machine_input_low(m, t->id),
                  .n = hd_machine_choices(m, t->id)};
  fresh.width = type_of(m, &m->plan->code->edges.data[t->next]).width;
  for (size_t i = 0; i < s->symbols.size; i++) {
    const symbol *x = &s->symbols.data[i];
    if (x->thread == fresh.thread && x->count == fresh.count &&
        x->edge == fresh.edge && x->low == fresh.low && x->n == fresh.n &&
        x->width == fresh.width)
      return i;
  }
  size_t number = s->symbols.size;
  fresh.term = hd_bv_var(s->bv, fresh.width);
  uint64_t mask = hd_word_mask(fresh.width);
  fresh.value =
      number < s->planned.size
          ? s->planned.data[number]
          : ((uint64_t)fresh.low + nearest_to_zero(fresh.low, fresh.n)) & mask;
  hd_vec_push(&s->symbols, fresh);
  return number;
}

bool hd_symbols_crowded(const hd_symbols *s) {
  return s->symbols.size >= CROWD;
}

bool hd_symbols_choice(const hd_machine *m, hd_tid tid, uint64_t *choice) {
  const hd_thread *t = hd_thread_of(m, tid);
  if (!m->plan->options->symbols || t->next == HD_NO_ID ||
      !is_marked(of(m), t->next) || !hd_symbols_may(m, tid))
    return false;
  size_t number = symbol_at(m, t);
  const symbol *x = &of(m)->symbols.data[number];
  *choice = (x->value - (uint64_t)x->low) & hd_word_mask(x->width);
  return true;
}

bool hd_symbolic_input(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                       uint64_t choice, hd_machine_value *out) {
  uint64_t planned;
  (void)edge;
  if (!hd_symbols_choice(m, t->id, &planned))
    return false;
  hd_symbols *s = of(m);
  size_t number = symbol_at(m, t);
  const symbol *x = &s->symbols.data[number];
  if (planned != choice)
    return false; /* somebody tries another one: an ordinary value */
  t->inputs++;
  if (t->id)
    m->plan->partial = true; /* threads differ by what they will ask for */
  *out = value_of(s, with(s, x->term, x->value));
  return true;
}

/* --- other values --- */

static void add_ranges(hd_symbols *s, term_list *terms) {
  for (hd_vec_each(const symbol, x, &s->symbols)) {
    if (x->n == UINT64_MAX || (x->width < 64 && x->n >> x->width))
      continue;
    hd_bv_term low = hd_bv_const(s->bv, x->width, (uint64_t)x->low);
    hd_bv_term far = hd_bv_apply(s->bv, HD_BV_SUB, x->term, low);
    hd_bv_term most = hd_bv_const(s->bv, x->width, x->n - 1);
    hd_vec_push(terms, hd_bv_apply(s->bv, HD_BV_ULE, far, most));
  }
}

static void take_model(const hd_symbols *s, hd_symbol_values *values) {
  hd_vec_clear(values);
  for (hd_vec_each(const symbol, x, &s->symbols))
    hd_vec_push(values, hd_bv_value(s->bv, x->term));
}

hd_symbols_rest hd_symbols_advance(hd_symbols *s, double seconds) {
  hd_bv_term all = hd_bv_const(s->bv, 1, 1);
  for (hd_vec_each(const hd_bv_term, t, &s->decisions))
    all = hd_bv_apply(s->bv, HD_BV_AND, all, *t);
  hd_vec_push(&s->done, hd_bv_not(s->bv, all));
  term_list terms = {0};
  add_ranges(s, &terms);
  for (hd_vec_each(const hd_bv_term, t, &s->done))
    hd_vec_push(&terms, *t);
  hd_smt_status status = hd_bv_solve(s->bv, terms.data, terms.size, seconds);
  hd_vec_free(&terms);
  if (status != HD_SMT_SAT)
    return status == HD_SMT_UNSAT ? HD_SYMBOLS_ALL : HD_SYMBOLS_OPEN;
  hd_symbol_values values = {0};
  take_model(s, &values);
  hd_symbols_set(s, &values);
  hd_vec_free(&values);
  return HD_SYMBOLS_MORE;
}

size_t hd_symbols_decisions(const hd_symbols *s) {
  return s->decisions.size;
}

bool hd_symbols_turn(hd_symbols *s, size_t i, double seconds,
                     hd_symbol_values *values) {
  assert(i < s->decisions.size);
  term_list terms = {0};
  add_ranges(s, &terms);
  for (size_t k = 0; k < i; k++)
    hd_vec_push(&terms, s->decisions.data[k]);
  hd_vec_push(&terms, hd_bv_not(s->bv, s->decisions.data[i]));
  bool found =
      hd_bv_solve(s->bv, terms.data, terms.size, seconds) == HD_SMT_SAT;
  hd_vec_free(&terms);
  if (found)
    take_model(s, values);
  return found;
}

void hd_symbols_set(hd_symbols *s, const hd_symbol_values *values) {
  forget(s);
  hd_vec_clear(&s->planned);
  for (hd_vec_each(const uint64_t, v, values))
    hd_vec_push(&s->planned, *v);
  for (size_t i = 0; i < s->symbols.size && i < values->size; i++)
    s->symbols.data[i].value = values->data[i];
}

void hd_symbols_values(const hd_symbols *s, hd_symbol_values *values) {
  hd_vec_clear(values);
  for (hd_vec_each(const symbol, x, &s->symbols))
    hd_vec_push(values, x->value);
}

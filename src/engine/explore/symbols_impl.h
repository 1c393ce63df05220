/* SPDX-License-Identifier: MIT */
/* Private to inputs as variables: terms with the values that they have, and the
 * machine's values made of them (terms.c); what the machine does with them
 * (operations.c); the inputs, and other values for them (symbols.c). */
#ifndef HD_ENGINE_EXPLORE_SYMBOLS_IMPL_H
#define HD_ENGINE_EXPLORE_SYMBOLS_IMPL_H

#include "check/interp/memory.h"
#include "check/interp/symbolic.h"
#include "engine/explore/symbols.h"
#include "solve/bits.h"

enum { HD_SYM_MASKS = 247 };

/* A term and its value. */
typedef struct {
  hd_bv_term term;
  uint64_t value;
} hd_sym;

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
} hd_symbol;

#define HD_MAP hd_byte_map
#define HD_KEY uint64_t
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(k, 0)
#define HD_EQ(a, b) ((a) == (b))
#include "base/hash.h"
#include "base/map_templ.h"

typedef hd_vec(hd_bv_term) hd_term_list;

struct hd_symbols {
  hd_symbol_hooks hooks; /* first: what the machine knows */
  hd_bv *bv;
  hd_vec(hd_symbol) symbols;
  hd_vec(hd_edge_id) marked;
  hd_symbol_values planned; /* of symbols by number; others: near to 0 */
  /* With the values at hand. */
  hd_vec(uint64_t) bytes; /* by number: term × 8 + which byte */
  hd_byte_map numbers;
  hd_vec(uint64_t) values;  /* of terms */
  hd_vec(uint32_t) decided; /* terms: when they were last, by `round` */
  hd_term_list decisions;
  uint32_t round;
  hd_term_list done; /* values that were not tried before, one term for each
                        round */
  uint8_t mask[HD_SYM_MASKS],
      index[256]; /* undefined bits of bytes; 0xff: none */
};

/* --- terms with values --- */

hd_sym hd_sym_with(hd_symbols *s, hd_bv_term term, uint64_t value);
hd_sym hd_sym_constant(hd_symbols *s, uint8_t width, uint64_t value);
uint8_t hd_sym_width(const hd_symbols *s, hd_sym x);
hd_sym hd_sym_apply(hd_symbols *s, hd_bv_op op, hd_sym a, hd_sym b);
hd_sym hd_sym_resize(hd_symbols *s, hd_sym a, uint8_t width, bool sign);
hd_sym hd_sym_not(hd_symbols *s, hd_sym a);
hd_sym hd_sym_choose(hd_symbols *s, hd_sym c, hd_sym yes, hd_sym no);
/* The bit has the value that it has; the whole value has. */
void hd_sym_decide(hd_symbols *s, hd_sym bit);
uint64_t hd_sym_pin(hd_symbols *s, hd_sym x);

/* --- values of the machine --- */

/* Has it a byte that was never set; one that depends on inputs? */
bool hd_sym_is_unset(const hd_symbols *s, hd_machine_value v);
bool hd_sym_is_open(const hd_symbols *s, hd_machine_value v);
/* The term of a value that has no byte that was never set. */
hd_sym hd_sym_of(hd_symbols *s, hd_machine_value v, uint8_t width);
/* Pinned when there is no number left. */
hd_machine_value hd_sym_value(hd_symbols *s, hd_sym x);

/* What the machine does with them, but for inputs. */
extern const hd_symbol_hooks hd_symbol_operations;

#endif

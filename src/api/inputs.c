/* SPDX-License-Identifier: MIT */
#include "api/inputs.h"

#include "base/float.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 4096, TRIES = 1000 };

static const hd_ctype *type_of(const hd_code *code, hd_ctype_id id) {
  return id < code->ctypes.size ? &code->ctypes.data[id] : NULL;
}

/* What an array consists of, in the end. */
static const hd_ctype *element_of(const hd_code *code, hd_ctype_id id) {
  const hd_ctype *type = type_of(code, id);
  while (type && type->kind == HD_CTYPE_ARRAY)
    type = type_of(code, type->base);
  return type;
}

static bool is_variable_length(const hd_code *code, hd_cvar var) {
  const hd_ctype *type = type_of(code, hd_cvar_type(code, var));
  return var.kind == HD_CVAR_REG && type && type->kind == HD_CTYPE_ARRAY;
}

static uint64_t room_for(const hd_code *code, hd_cvar var) {
  hd_ctype_id id = hd_cvar_type(code, var);
  const hd_ctype *type = type_of(code, id), *element = element_of(code, id);
  if (is_variable_length(code, var))
    return MOST_ELEMENTS * (element ? element->size : 1);
  return type ? type->size : 4;
}

void hd_input_values_start(hd_input_values *inputs, const hd_notes *notes) {
  *inputs = (hd_input_values){.notes = notes};
  for (size_t i = 0; i < notes->notes.size; i++) {
    const hd_note *n = &notes->notes.data[i];
    for (uint32_t k = 0; n->kind == HD_NOTE_INPUT && k < n->n_vars; k++) {
      hd_cvar var = notes->vars.data[n->vars + k];
      uint64_t size = room_for(notes->code, var);
      hd_given given = {.var = var,
                        .edge = is_variable_length(notes->code, var) ? n->edge
                                                                     : HD_NO_ID,
                        .bytes = hd_calloc(size + 1, 1),
                        .size = size};
      hd_vec_push(&inputs->given, given);
    }
  }
}

void hd_input_values_drop(hd_input_values *inputs) {
  for (size_t i = 0; i < inputs->given.size; i++)
    hd_free((void *)(uintptr_t)inputs->given.data[i].bytes);
  hd_vec_free(&inputs->given);
}

static uint8_t *bytes_of(const hd_given *given) {
  return (uint8_t *)(uintptr_t)given->bytes;
}

static const hd_given *find(const hd_input_values *inputs, const char *name,
                            size_t size) {
  for (size_t i = 0; i < inputs->given.size; i++) {
    const char *other =
        hd_cvar_name(inputs->notes->code, inputs->given.data[i].var);
    if (strlen(other) == size && !memcmp(other, name, size))
      return &inputs->given.data[i];
  }
  return NULL;
}

/* --- numbers --- */

/* Bits of a number for a scalar type. */
static uint64_t bits_for(const hd_ctype *type, double real, int64_t whole) {
  if (!type || type->kind != HD_CTYPE_FLOAT)
    return (uint64_t)whole;
  return hd_float_bits(real, (unsigned)type->size * 8);
}

static void put(const hd_given *given, uint64_t offset, const hd_ctype *type,
                double real, int64_t whole) {
  uint64_t bits = bits_for(type, real, whole);
  uint64_t size = type ? type->size : 4;
  assert(size <= 8 && offset + size <= given->size);
  memcpy(bytes_of(given) + offset, &bits, size);
}

static double number_at(const hd_given *given, uint64_t offset,
                        const hd_ctype *type) {
  uint64_t size = type ? type->size : 4, bits = 0;
  memcpy(&bits, given->bytes + offset, size);
  unsigned width = (unsigned)size * 8;
  if (type && type->kind == HD_CTYPE_FLOAT)
    return hd_float_value(bits, width);
  return type && type->kind == HD_CTYPE_UNSIGNED
             ? (double)bits
             : (double)hd_word_signed(bits, width);
}

double hd_value_number(const hd_code *code, hd_ctype_id ctype, uint64_t bits) {
  hd_given given = {.bytes = (const uint8_t *)&bits, .size = 8};
  return number_at(&given, 0, type_of(code, ctype));
}

void hd_inputs_print_value(hd_str *out, const hd_code *code, hd_ctype_id ctype,
                           uint64_t bits) {
  const hd_ctype *type = type_of(code, ctype);
  double value = hd_value_number(code, ctype, bits);
  if (type && type->kind == HD_CTYPE_FLOAT)
    hd_str_printf(out, "%.17g", value);
  else
    hd_str_printf(out, "%.0f", value);
}

/* --- setting --- */

/* Behind the name, `[i][j]`: the offset in the variable. Of an array of variable
 * length only the first index, counted in elements. */
static bool read_offset(const hd_code *code, hd_ctype_id *id, const char *at,
                        uint64_t *offset) {
  *offset = 0;
  while (*at == '[') {
    const hd_ctype *type = type_of(code, *id);
    if (!type || type->kind != HD_CTYPE_ARRAY)
      return false;
    char *end;
    uint64_t index = strtoull(at + 1, &end, 10);
    const hd_ctype *each = type_of(code, type->base);
    uint64_t step = each && each->size ? each->size : 0;
    if (!step) {
      const hd_ctype *element = element_of(code, *id);
      step = element ? element->size : 1;
    }
    if (*end != ']' || index > UINT32_MAX)
      return false;
    *offset += index * step;
    *id = type->base;
    at = end + 1;
  }
  return !*at;
}

bool hd_input_values_set(hd_input_values *inputs, const char *name,
                         const char *value) {
  size_t size = strcspn(name, "[");
  const hd_given *given = find(inputs, name, size);
  if (!given)
    return false;
  const hd_code *code = inputs->notes->code;
  hd_ctype_id id = hd_cvar_type(code, given->var);
  uint64_t offset;
  if (!read_offset(code, &id, name + size, &offset))
    return false;
  const hd_ctype *type = element_of(code, id);
  uint64_t width = type ? type->size : 4;
  if (width > 8 || offset + width > given->size)
    return false;
  char *end;
  int64_t whole = strtoll(value, &end, 10);
  double real = strtod(value, &end);
  if (*end == '/') {
    real /= strtod(end + 1, &end);
    whole = (int64_t)real;
  }
  if (*end || !isfinite(real))
    return false;
  put(given, offset, type, real, whole);
  return true;
}

void hd_input_values_copy(hd_input_values *to, const hd_input_values *from) {
  for (size_t i = 0; i < to->given.size; i++) {
    const hd_given *mine = &to->given.data[i];
    const char *name = hd_cvar_name(to->notes->code, mine->var);
    const hd_given *other = find(from, name, strlen(name));
    if (other && other->size == mine->size)
      memcpy(bytes_of(mine), other->bytes, mine->size);
  }
}

/* Where element number `index` of an object of this type is: "[1][2]". Of an
 * array of variable length elements are counted. */
static void print_index(hd_str *out, const hd_code *code, hd_ctype_id id,
                        uint64_t index, uint64_t size) {
  const hd_ctype *type = type_of(code, id);
  while (type && type->kind == HD_CTYPE_ARRAY) {
    const hd_ctype *each = type_of(code, type->base);
    uint64_t step = each && each->size > size ? each->size / size : 1;
    hd_str_printf(out, "[%" PRIu64 "]", index / step);
    index %= step;
    type = each && each->size ? each : NULL;
  }
}

static void save_one(const hd_code *code, const hd_given *given, uint64_t at,
                     const hd_ctype *type, hd_start *start) {
  hd_ctype_id id = hd_cvar_type(code, given->var);
  uint64_t size = type ? type->size : 4, bits = 0;
  memcpy(&bits, given->bytes + at, size);
  hd_str name = {0}, value = {0};
  hd_str_puts(&name, hd_cvar_name(code, given->var));
  print_index(&name, code, id, at / size, size);
  unsigned shift = (unsigned)(64 - 8 * size);
  bool sign = !type || type->kind == HD_CTYPE_SIGNED;
  if (type && type->kind == HD_CTYPE_FLOAT)
    hd_str_printf(&value, "%.17g", number_at(given, at, type));
  else
    hd_str_printf(&value, "%" PRId64,
                  sign ? (int64_t)(bits << shift) >> shift : (int64_t)bits);
  hd_start_set(start, hd_str_text(&name), hd_str_text(&value));
  hd_str_free(&name);
  hd_str_free(&value);
}

void hd_input_values_save(const hd_input_values *inputs, hd_start *start) {
  const hd_code *code = inputs->notes->code;
  for (size_t i = 0; i < inputs->given.size; i++) {
    const hd_given *given = &inputs->given.data[i];
    const hd_ctype *type = element_of(code, hd_cvar_type(code, given->var));
    uint64_t size = type ? type->size : 4;
    for (uint64_t at = 0; size && size <= 8 && at + size <= given->size;
         at += size) {
      bool zero = true;
      for (uint64_t k = 0; k < size; k++)
        zero = zero && !given->bytes[at + k];
      if (!zero || !at)
        save_one(code, given, at, type, start);
    }
  }
}

void hd_input_values_load(hd_input_values *inputs, const hd_start *start) {
  for (size_t i = 0; i < inputs->given.size; i++)
    memset(bytes_of(&inputs->given.data[i]), 0, inputs->given.data[i].size);
  for (hd_vec_each(const hd_setting, s, &start->inputs))
    if (!hd_input_values_set(inputs, s->name, s->value))
      assert(false && "what was saved can be loaded");
}

void hd_input_values_describe(const hd_input_values *inputs, hd_texts *out) {
  const hd_code *code = inputs->notes->code;
  for (size_t i = 0; i < inputs->given.size; i++) {
    const hd_given *given = &inputs->given.data[i];
    hd_ctype_id id = hd_cvar_type(code, given->var);
    const hd_ctype *type = type_of(code, id), *element = element_of(code, id);
    uint64_t size = element && element->size ? element->size : 4;
    bool array = type && type->kind == HD_CTYPE_ARRAY;
    hd_str text = {0};
    hd_str_printf(&text, "%s = ", hd_cvar_name(code, given->var));
    hd_str_puts(&text, array ? "{" : "");
    for (uint64_t at = 0; size <= 8 && at + size <= given->size; at += size) {
      if (at / size == 8) {
        hd_str_puts(&text, ", ...");
        break;
      }
      uint64_t bits = 0;
      memcpy(&bits, given->bytes + at, size);
      hd_str_puts(&text, at ? ", " : "");
      hd_inputs_print_value(
          &text, code,
          element ? (hd_ctype_id)(element - code->ctypes.data) : id, bits);
    }
    hd_str_puts(&text, array ? "}" : "");
    hd_vec_push(out, hd_str_take(&text));
  }
}

/* --- conditions --- */

typedef struct {
  const hd_input_values *inputs;
  double *bound;
  const hd_machine *machine; /* other variables are looked up there; or NULL */
  bool failed;               /* something that is not understood here */
} check;

/* Larger whole numbers are not told apart. */
static const double exact = 9007199254740992;

static double value(check *c, hd_formula_id id);

static const hd_given *given_of(const check *c, hd_cvar var) {
  for (size_t i = 0; i < c->inputs->given.size; i++) {
    hd_cvar other = c->inputs->given.data[i].var;
    if (other.kind == var.kind && other.func == var.func &&
        other.index == var.index)
      return &c->inputs->given.data[i];
  }
  return NULL;
}

/* An input, or an element of one. */
static double value_of(check *c, hd_formula_id id) {
  const hd_notes *notes = c->inputs->notes;
  uint64_t offset = 0;
  hd_ctype_id type = notes->formulas.data[id].type;
  while (notes->formulas.data[id].op == HD_FORMULA_INDEX) {
    const hd_formula *f = &notes->formulas.data[id];
    const hd_ctype *each = type_of(notes->code, f->type);
    double index = value(c, f->args[1]);
    if (!each || !each->size || index < 0 || index > UINT32_MAX) {
      c->failed = true;
      return 0;
    }
    offset += (uint64_t)index * each->size;
    id = f->args[0];
  }
  const hd_formula *f = &notes->formulas.data[id];
  const hd_ctype *scalar = type_of(notes->code, type);
  if (c->machine && f->op == HD_FORMULA_VAR && !f->program && scalar &&
      scalar->size >= 1 && scalar->size <= 8) {
    uint64_t bits = 0;
    c->failed = c->failed || !hd_machine_look(c->machine, f->var, offset,
                                              (uint32_t)scalar->size, &bits);
    return hd_value_number(notes->code, type, bits);
  }
  const hd_given *given =
      f->op == HD_FORMULA_VAR && !c->machine ? given_of(c, f->var) : NULL;
  if (!given || offset + (scalar ? scalar->size : 4) > given->size) {
    c->failed = true;
    return 0;
  }
  return number_at(given, offset, scalar);
}

static double quantified(check *c, const hd_formula *f) {
  bool all = f->op == HD_FORMULA_FORALL;
  if (f->args[0] == HD_NO_ID || f->args[1] == HD_NO_ID) {
    c->failed = true;
    return 0;
  }
  double from = value(c, f->args[0]), to = value(c, f->args[1]);
  for (double i = from; i <= to && i < from + (double)MOST_ELEMENTS; i++) {
    c->bound[f->value] = i;
    if ((value(c, f->args[2]) != 0) != all)
      return !all;
  }
  return all;
}

static double operate(check *c, const hd_formula *f) {
  double a = value(c, f->args[0]);
  double b = f->args[1] != HD_NO_ID ? value(c, f->args[1]) : 0;
  c->failed =
      c->failed || (c->machine && !(fabs(a) < exact && fabs(b) < exact));
  switch ((hd_formula_op)f->op) {
  case HD_FORMULA_NEG:
    return -a;
  case HD_FORMULA_ADD:
    return a + b;
  case HD_FORMULA_SUB:
    return a - b;
  case HD_FORMULA_MUL:
    return a * b;
  case HD_FORMULA_DIV:
    return f->sort == HD_SORT_INT ? trunc(a / b) : a / b;
  case HD_FORMULA_MOD:
    return fmod(a, b);
  case HD_FORMULA_ABS:
    return fabs(a);
  case HD_FORMULA_MIN:
    return fmin(a, b);
  case HD_FORMULA_MAX:
    return fmax(a, b);
  case HD_FORMULA_LT:
    return a < b;
  case HD_FORMULA_LE:
    return a <= b;
  case HD_FORMULA_EQ:
    return a >= b && a <= b;
  case HD_FORMULA_NE:
    return a < b || a > b;
  case HD_FORMULA_NOT:
    return a == 0;
  case HD_FORMULA_AND:
    return a != 0 && b != 0;
  case HD_FORMULA_OR:
    return a != 0 || b != 0;
  case HD_FORMULA_IMPLIES:
    return a == 0 || b != 0;
  case HD_FORMULA_COND:
    return a != 0 ? b : value(c, f->args[2]);
  case HD_FORMULA_TO_INT:
    return trunc(a);
  case HD_FORMULA_TO_BOOL:
    return a != 0;
  case HD_FORMULA_TO_REAL:
    return a;
  default:
    c->failed = true;
    return 0;
  }
}

static double value(check *c, hd_formula_id id) {
  const hd_formula *f = &c->inputs->notes->formulas.data[id];
  switch ((hd_formula_op)f->op) {
  case HD_FORMULA_INT:
    return (double)f->value;
  case HD_FORMULA_REAL:
    return (double)f->value / pow(10, f->scale);
  case HD_FORMULA_BOUND:
    return c->bound[f->value];
  case HD_FORMULA_VAR:
  case HD_FORMULA_INDEX:
    return value_of(c, id);
  case HD_FORMULA_FORALL:
  case HD_FORMULA_EXISTS:
    return quantified(c, f);
  case HD_FORMULA_RANK:
  case HD_FORMULA_NPROCS:
  case HD_FORMULA_NULL:
  case HD_FORMULA_REMOTE:
  case HD_FORMULA_FIELD:
  case HD_FORMULA_DEREF:
  case HD_FORMULA_ADDRESS:
  case HD_FORMULA_SENT:
  case HD_FORMULA_RECEIVED:
    c->failed = true;
    return 0;
  default:
    return operate(c, f);
  }
}

bool hd_input_values_allowed(const hd_input_values *inputs) {
  const hd_notes *notes = inputs->notes;
  check c = {.inputs = inputs,
             .bound = hd_calloc(notes->n_bound + 1, sizeof(double))};
  bool ok = true;
  for (size_t i = 0; i < notes->notes.size && ok; i++) {
    const hd_note *n = &notes->notes.data[i];
    if (n->kind == HD_NOTE_INPUT && n->formula != HD_NO_ID)
      ok = value(&c, n->formula) != 0 && !c.failed;
  }
  hd_free(c.bound);
  return ok;
}

bool hd_assumptions_hold(void *assumptions, const hd_machine *machine,
                         hd_edge_id edge) {
  const hd_input_values *inputs = assumptions;
  const hd_notes *notes = inputs->notes;
  bool ok = true;
  for (size_t i = hd_notes_at_edge(notes, edge, 0); i < notes->notes.size && ok;
       i = hd_notes_at_edge(notes, edge, i + 1)) {
    const hd_note *n = &notes->notes.data[i];
    if (n->kind != HD_NOTE_ASSUME)
      continue;
    check c = {.inputs = inputs,
               .bound = hd_calloc(notes->n_bound + 1, sizeof(double)),
               .machine = machine};
    ok = value(&c, n->formula) != 0 && !c.failed;
    hd_free(c.bound);
  }
  return ok;
}

/* --- choosing --- */

static uint64_t next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

/* A number that the conditions of inputs mention; false: there is none. */
static bool mentioned(const hd_notes *notes, uint64_t *seed, int64_t *number) {
  uint64_t seen = 0;
  for (size_t i = 0; i < notes->formulas.size; i++)
    if (notes->formulas.data[i].op == HD_FORMULA_INT &&
        next_random(seed) % ++seen == 0)
      *number = notes->formulas.data[i].value;
  return seen;
}

/* At a bound that the conditions have, or between 0 and there. */
static void make_bound(const hd_notes *notes, uint64_t *seed, int64_t *whole) {
  enum { FAR = 1 << 30 };
  int64_t bound = 0;
  if (!mentioned(notes, seed, &bound) || bound > FAR || bound < -FAR)
    return;
  uint64_t size = (uint64_t)(bound < 0 ? -bound : bound) + 1;
  int64_t below = (int64_t)(next_random(seed) % size);
  *whole = next_random(seed) % 2 ? bound + (int64_t)(next_random(seed) % 3) - 1
           : bound < 0           ? -below
                                 : below;
}

static void make_extreme(uint64_t *seed, int64_t *whole, double *real) {
  static const int64_t numbers[] = {
      INT32_MAX, INT32_MIN, 16777217, -1,    255, INT64_MAX, INT64_MIN,
      65536,     300,       31,       32,    63,  64,        127,
      128,       32767,     -32769,   65535, 256, 46341,     UINT32_MAX};
  const double reals[] = {NAN, INFINITY, 1e308, 0.1, -0.0, 1e-300, 16777217.0};
  *whole = numbers[next_random(seed) % (sizeof numbers / sizeof *numbers)];
  *real = reals[next_random(seed) % (sizeof reals / sizeof *reals)];
}

static void fill(const hd_input_values *inputs, const hd_given *given,
                 uint64_t *seed, int spread, bool extreme) {
  const hd_code *code = inputs->notes->code;
  const hd_ctype *type = element_of(code, hd_cvar_type(code, given->var));
  uint64_t size = type ? type->size : 4;
  for (uint64_t at = 0; size && size <= 8 && at + size <= given->size;
       at += size) {
    int64_t whole =
        (int64_t)(next_random(seed) % (uint64_t)(2 * spread + 1)) - spread / 3;
    double real = (double)whole + (double)(next_random(seed) % 4) / 4;
    if (extreme && next_random(seed) % 2)
      make_bound(inputs->notes, seed, &whole);
    else if (extreme && next_random(seed) % 2)
      make_extreme(seed, &whole, &real);
    put(given, at, type, real, whole);
  }
}

bool hd_input_values_choose(hd_input_values *inputs, uint64_t seed,
                            bool extreme) {
  seed = seed * 2 + 1;
  for (int i = 0; i < TRIES; i++) {
    int spread = 3 + (i / 100) * 5;
    for (size_t k = 0; k < inputs->given.size; k++)
      fill(inputs, &inputs->given.data[k], &seed, spread,
           extreme && i % 2 == 0);
    if (hd_input_values_allowed(inputs))
      return true;
  }
  return false;
}

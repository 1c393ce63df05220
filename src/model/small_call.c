/* SPDX-License-Identifier: MIT */
/* Calls of the library, but for locks: inputs, assertions, threads, memory, and
 * what has no effect. All else is refused by name. */
#include "model/small_impl.h"

#include <string.h>

enum {
  ALL_VALUES = 256, /* inputs with so many values or fewer are all tried */
  SHORT_ARC = 16,   /* so many values that compare alike are all tried */
  MAX_VALUES = 512,
};

static uint32_t n_args(const hd_cedge *edge) {
  return edge->n_operands - 1;
}

static hd_cexpr_id arg_expr(const hd_small *s, const hd_cedge *edge,
                            uint32_t i) {
  return hd_code_operand(s->code, edge, 1 + i);
}

hd_done hd_small_arg(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                     uint32_t i, uint64_t *out) {
  *out = 0;
  if (i >= n_args(edge))
    return hd_small_refuse(s, id, "a call with too few arguments");
  hd_evaluated value = hd_small_eval(s, arg_expr(s, edge, i));
  *out = value.bits;
  return hd_small_need(s, id, value);
}

hd_done hd_small_return(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                        uint64_t value) {
  hd_small_note(s, id, 0);
  hd_evaluated result = {.bits = value, .flags = 0};
  hd_small_finish(s, edge, &result, 1);
  return HD_DONE;
}

/* Nothing happens; what it returns is not known. */
static hd_done nothing(hd_small *s, const hd_cedge *edge, hd_edge_id id) {
  hd_small_note(s, id, 0);
  hd_small_finish(s, edge, NULL, 0);
  return HD_DONE;
}

static hd_done refuse_fn(hd_small *s, hd_edge_id id, hd_library_fn fn,
                         const char *why) {
  return hd_small_refuse(s, id, "%s: %s", hd_library_name(fn), why);
}

/* --- inputs --- */

/* Its least value and how many more there are. */
static bool input_range(const hd_small *s, hd_library_fn fn, uint8_t width,
                        uint64_t *low, uint64_t *span, bool *is_signed) {
  hd_input_type type = hd_library_input(fn);
  if (type == HD_INPUT_TIME || hd_input_real(type))
    return false;
  unsigned bits = hd_input_bits(type, s->code->pointer_width, width);
  width = bits < 32 ? (uint8_t)bits : width;
  *is_signed = hd_input_signed(type);
  *span = hd_word_mask(width);
  *low = *is_signed ? ~(*span >> 1) : 0;
  return true;
}

static void add_value(hd_small_inputs *in, uint64_t number, bool exact) {
  hd_vec_push(in, ((hd_small_input){.number = number, .exact = exact}));
}

/* The numbers (distances from `low`) at which an arc begins: all values of one
 * arc compare alike with the constants of the function. */
static void find_arcs(const hd_small *s, const hd_cedge *edge, uint64_t low,
                      uint64_t span, uint8_t width, hd_small_inputs *arcs) {
  const hd_small_func *f = &s->funcs[s->code->locs.data[edge->from].func];
  uint64_t mask = hd_word_mask(width);
  add_value(arcs, 0, false);
  uint64_t starts[4] = {0, ~(mask >> 1) & mask};
  for (size_t i = 0; i < f->cuts.size + 1; i++) {
    size_t n = 2;
    if (i < f->cuts.size) {
      if (f->cuts.data[i].width != width)
        continue;
      starts[0] = f->cuts.data[i].value;
      starts[1] = f->cuts.data[i].value + 1;
    } else {
      starts[0] = 0;
      starts[1] = ~(mask >> 1) & mask;
    }
    for (size_t k = 0; k < n; k++) {
      uint64_t number = (starts[k] - low) & mask;
      if (number <= span)
        add_value(arcs, number, false);
    }
  }
}

static void sort_unique(hd_small_inputs *v) {
  for (size_t i = 1; i < v->size; i++)
    for (size_t k = i; k && v->data[k - 1].number > v->data[k].number; k--) {
      hd_small_input swap = v->data[k];
      v->data[k] = v->data[k - 1];
      v->data[k - 1] = swap;
    }
  size_t to = 0;
  for (size_t i = 0; i < v->size; i++)
    if (!to || v->data[to - 1].number != v->data[i].number)
      v->data[to++] = v->data[i];
  v->size = to;
}

static void input_values(const hd_small *s, const hd_cedge *edge, uint64_t low,
                         uint64_t span, uint8_t width, hd_small_inputs *out) {
  if (span < ALL_VALUES) {
    for (uint64_t i = 0; i <= span; i++)
      add_value(out, i, true);
    return;
  }
  uint64_t modulus = s->funcs[s->code->locs.data[edge->from].func].modulus;
  hd_small_inputs arcs = {0};
  find_arcs(s, edge, low, span, width, &arcs);
  sort_unique(&arcs);
  for (size_t i = 0; i < arcs.size; i++) {
    uint64_t first = arcs.data[i].number;
    uint64_t last = i + 1 < arcs.size ? arcs.data[i + 1].number - 1 : span;
    uint64_t n = last - first;
    bool all = n < SHORT_ARC || n < modulus;
    for (uint64_t k = 0; k <= n && (all || k < modulus); k++)
      add_value(out, first + k, all);
  }
  hd_vec_free(&arcs);
}

static hd_done input(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                     hd_library_fn fn) {
  uint64_t low = 0, span = 0, from, to;
  bool is_signed = false;
  hd_reg_id reg = edge->n_targets ? hd_code_target(s->code, edge, 0) : 0;
  const hd_func *f = &s->code->funcs.data[s->code->locs.data[edge->from].func];
  hd_type type = edge->n_targets ? s->code->regs.data[f->regs + reg].type
                                 : (hd_type){.width = 32};
  uint8_t width = type.width;
  bool matters = edge->n_targets && hd_small_live(s, edge->to, reg);
  bool known = type.kind != HD_TYPE_PTR && edge->n_targets < 2 &&
               input_range(s, fn, width, &low, &span, &is_signed);
  if (!known && matters)
    return refuse_fn(s, id, fn, "an input with too many values");
  if (known && n_args(edge) == 2) {
    hd_done done = hd_small_arg(s, edge, id, 0, &from);
    if (done == HD_DONE)
      done = hd_small_arg(s, edge, id, 1, &to);
    if (done != HD_DONE)
      return done;
    low = is_signed ? (uint64_t)hd_word_signed(from, 32) : from;
    uint64_t high = is_signed ? (uint64_t)hd_word_signed(to, 32) : to;
    bool empty = is_signed ? (int64_t)high < (int64_t)low : high < low;
    span = empty ? 0 : high - low;
  }
  hd_small_input one = {.number = 0, .exact = true};
  if (matters) {
    hd_small_inputs *values = &s->inputs;
    hd_vec_clear(values);
    input_values(s, edge, low, span, width, values);
    if (values->size > MAX_VALUES)
      return refuse_fn(s, id, fn, "an input with too many values to be tried");
    one = values->data[hd_small_choose(s, (uint32_t)values->size)];
  }
  hd_small_note(s, id, one.number);
  hd_evaluated value = {.bits = low + one.number,
                        .flags = one.exact ? 0 : HD_EVAL_SAMPLE};
  hd_small_finish(s, edge, &value, 1);
  return HD_DONE;
}

/* --- assumptions, assertions, the end --- */

static hd_done verify(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                      bool assumes) {
  uint64_t holds;
  hd_done done = hd_small_arg(s, edge, id, 0, &holds);
  if (done != HD_DONE)
    return done;
  if (!holds)
    return assumes ? HD_BLOCKED : HD_VIOLATES;
  return nothing(s, edge, id);
}

/* --- threads --- */

/* False when no more may be created. */
static bool count_thread(hd_small *s) {
  if (!s->options->max_threads)
    return true;
  uint8_t *at = s->now.data + s->now.size - 2;
  unsigned n = (unsigned)(at[0] | at[1] << 8);
  if (n >= s->options->max_threads)
    return false;
  n++;
  at[0] = (uint8_t)n;
  at[1] = (uint8_t)(n >> 8);
  return true;
}

static hd_done create(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                      hd_library_fn fn) {
  uint32_t start_at = (uint32_t)hd_library_arg_at(fn, HD_ARG_CALL);
  uint64_t handle, start;
  hd_done done = hd_small_arg(s, edge, id, 0, &handle);
  if (done == HD_DONE)
    done = hd_small_arg(s, edge, id, start_at, &start);
  if (done != HD_DONE)
    return done;
  hd_evaluated arg = {.bits = 0, .flags = HD_EVAL_UNSET};
  if (n_args(edge) > start_at + 1)
    arg = hd_small_eval(s, arg_expr(s, edge, start_at + 1));
  hd_evaluated known = arg;
  known.flags &= (uint8_t) ~(HD_EVAL_UNSET | HD_EVAL_UNDEF);
  done = hd_small_need(s, id, known);
  if (done != HD_DONE)
    return done;
  if (hd_small_is_private(s, arg.bits))
    return refuse_fn(s, id, fn,
                     "the new thread gets the address of a local variable");
  hd_func_id func = hd_small_func_at(s, start);
  if (func == HD_NO_ID || !s->code->funcs.data[func].defined)
    return refuse_fn(s, id, fn, "the thread's function is not defined");
  if (s->out.spawned != HD_NO_ID)
    return refuse_fn(s, id, fn, "a second thread in one atomic section");
  if (!count_thread(s))
    return HD_WAITS;
  uint32_t word = s->code->pointer_width / 8u;
  hd_small_place p = hd_small_find(s, handle, word);
  if (!p.bytes || p.constant)
    return refuse_fn(s, id, fn, p.trouble ? p.trouble : "a constant handle");
  if (p.shared)
    return refuse_fn(s, id, fn,
                     "others can see its id, before it is stored, too");
  /* All threads have one name: nobody may ask for it. */
  memset(p.bytes, 0, word);
  p.bytes[0] = 1;
  if (p.unset)
    memset(p.unset, 0, word);
  hd_small_return(s, edge, id, 0);
  /* The new one runs to its first visible action. */
  uint32_t atomic = s->atomic;
  s->w = &s->created;
  s->atomic = 0;
  hd_small_work_clear(s, s->w);
  hd_small_push(s, s->w, func, HD_FRAME_KIND_THREAD);
  if (s->code->funcs.data[func].n_params && !(arg.flags & HD_EVAL_UNSET)) {
    s->w->regs.data[0] = arg.bits;
    s->w->states.data[0] = HD_REG_EXACT;
  }
  if (hd_small_settle(s))
    s->out.spawned = hd_small_encode(s, s->w);
  else
    s->out.spawned_ends = true;
  s->atomic = atomic;
  s->w = &s->thread;
  return HD_DONE;
}

/* --- blocks of memory --- */

static hd_done memory(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                      hd_library_fn fn, bool local) {
  bool copies = hd_library_action(fn) == HD_DO_COPY;
  uint64_t to, from, size;
  hd_done done = hd_small_arg(s, edge, id, 0, &to);
  if (done == HD_DONE)
    done = hd_small_arg(s, edge, id, 1, &from);
  if (done == HD_DONE)
    done = hd_small_arg(s, edge, id, 2, &size);
  if (done != HD_DONE)
    return done;
  hd_small_place b = hd_small_find(s, to, size), a = b;
  if (copies)
    a = hd_small_find(s, from, size);
  if (size && (!a.bytes || !b.bytes || b.constant))
    return refuse_fn(s, id, fn, "undefined behaviour: out of bounds");
  if (local && !s->atomic && (a.shared || b.shared))
    return HD_VISIBLE;
  uint32_t word = s->code->pointer_width / 8u;
  for (uint64_t i = 0; copies && b.shared && i < size; i++) {
    uint64_t value = 0;
    for (uint32_t k = 0; k < word && i + k < size; k++)
      value |= (uint64_t)a.bytes[i + k] << 8 * k;
    if ((a.unset && a.unset[i]) ||
        (a.unset && i % word == 0 && i + word <= size &&
         hd_small_is_private(s, value)))
      return refuse_fn(s, id, fn,
                       "values that are not set, or addresses of local "
                       "variables, are copied where others can see them");
  }
  for (uint64_t i = 0; copies && a.shared && i < size; i++)
    s->role[a.at + i] |= 1;
  if (copies && size) {
    memmove(b.bytes, a.bytes, size);
    if (b.unset && a.unset)
      memmove(b.unset, a.unset, size);
    else if (b.unset)
      memset(b.unset, 0, size);
  } else if (size) {
    memset(b.bytes, (int)(from & 0xff), size);
    if (b.unset)
      memset(b.unset, 0, size);
  }
  return hd_small_return(s, edge, id, to);
}

/* A variable of a block begins or ends to live: it has no value. */
static hd_done lifetime(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                        hd_library_fn fn) {
  const hd_func *f = &s->code->funcs.data[s->code->locs.data[edge->from].func];
  const hd_cexpr *at = &s->code->exprs.data[arg_expr(s, edge, 0)];
  uint64_t address;
  hd_done done = hd_small_arg(s, edge, id, 0, &address);
  if (done != HD_DONE)
    return done;
  if (at->op != HD_CODE_SLOT)
    return refuse_fn(s, id, fn, "of something else than a variable");
  uint64_t size = s->code->slots.data[f->slots + at->value].size;
  hd_small_place p = hd_small_find(s, address, size);
  if (!p.bytes || !p.unset)
    return refuse_fn(s, id, fn, "of something that others can see");
  memset(p.unset, 1, size);
  return nothing(s, edge, id);
}

/* --- attributes --- */

static hd_done attribute(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                         hd_library_fn fn) {
  uint64_t at, type = 0;
  hd_done done = hd_small_arg(s, edge, id, 0, &at);
  if (done != HD_DONE)
    return done;
  bool sets = fn == HD_LIB_pthread_mutexattr_settype;
  if (n_args(edge) > 1)
    done = hd_small_arg(s, edge, id, 1, &type);
  if (done != HD_DONE)
    return done;
  if ((sets && type > 3) || (!sets && type))
    return refuse_fn(s, id, fn, "not supported here");
  if (sets || fn == HD_LIB_pthread_mutexattr_init) {
    hd_small_place p = hd_small_find(s, at, 4);
    if (!p.bytes || p.constant)
      return refuse_fn(s, id, fn, "undefined behaviour: no such object");
    memset(p.bytes, 0, 4);
    p.bytes[0] = (uint8_t)type;
    if (p.unset)
      memset(p.unset, 0, 4);
  }
  return hd_small_return(s, edge, id, 0);
}

/* --- all of them --- */

static bool is_null(hd_small *s, const hd_cedge *edge, hd_edge_id id) {
  uint64_t address;
  return hd_small_arg(s, edge, id, 0, &address) == HD_DONE && !address;
}

/* Formats that are constant tell whether it does; others are not trusted. */
static bool prints_back(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                        hd_library_fn fn) {
  int at = hd_library_format_at(fn);
  uint64_t address;
  if (at < 0)
    return hd_library_prints_format(fn);
  if ((uint32_t)at >= n_args(edge) ||
      hd_small_arg(s, edge, id, (uint32_t)at, &address) != HD_DONE)
    return true;
  hd_small_place p = hd_small_find(s, address, 1);
  if (!p.bytes || !p.constant)
    return true;
  uint64_t size = 1;
  while (p.bytes[size - 1] && hd_small_find(s, address, size + 1).bytes)
    size++;
  return hd_library_format(p.bytes, size, n_args(edge) - (uint32_t)at - 1) ==
         HD_PRINTS_BACK;
}

/* The beginning or end of an atomic section. */
static hd_done section(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                       hd_library_fn fn) {
  if (hd_library_action(fn) == HD_DO_ENTER)
    s->atomic++;
  else if (!s->atomic)
    return refuse_fn(s, id, fn, "there is no atomic section");
  else
    s->atomic--;
  return nothing(s, edge, id);
}

/* What others notice. */
static hd_done visible(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                       hd_library_fn fn) {
  hd_action does = hd_library_action(fn);
  if (does == HD_DO_INPUT)
    return input(s, edge, id, fn);
  if (does == HD_DO_ENTER || does == HD_DO_LEAVE)
    return section(s, edge, id, fn);
  if (does == HD_DO_SPAWN)
    return create(s, edge, id, fn);
  if (does == HD_DO_QUIT) {
    hd_small_note(s, id, 0);
    return HD_OVER;
  }
  if (does == HD_DO_DETACH)
    return hd_small_return(s, edge, id, 0);
  if (does == HD_DO_ATTR_MAKE || does == HD_DO_ATTR_END ||
      does == HD_DO_ATTR_SET)
    return attribute(s, edge, id, fn);
  if (does == HD_DO_END || does == HD_DO_ABORT)
    return HD_BLOCKED; /* others may still run before the program ends */
  return hd_small_lock(s, edge, id, fn);
}

hd_done hd_small_call(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                      hd_func_id func, bool local) {
  hd_library_fn fn = s->funcs[func].library;
  local = local && !s->atomic;
  switch (hd_library_action(fn)) {
  case HD_DO_INPUT:
    if (hd_library_stores_input(fn) && n_args(edge) && !is_null(s, edge, id))
      return refuse_fn(s, id, fn, "it writes to memory");
    return local ? HD_VISIBLE : visible(s, edge, id, fn);
  case HD_DO_MEET:
  case HD_DO_MEND:
  case HD_DO_PEEK:
    break;
  case HD_DO_ENTER:
  case HD_DO_LEAVE:
  case HD_DO_SPAWN:
  case HD_DO_QUIT:
  case HD_DO_DETACH:
  case HD_DO_MAKE:
  case HD_DO_UNMAKE:
  case HD_DO_ACQUIRE:
  case HD_DO_RELEASE:
  case HD_DO_PARK:
  case HD_DO_WAKE:
  case HD_DO_ONCE:
  case HD_DO_ATTR_MAKE:
  case HD_DO_ATTR_END:
  case HD_DO_ATTR_SET:
  case HD_DO_END:
  case HD_DO_ABORT:
    if (hd_library_kind_of(fn) == HD_LIBRARY_BARRIER)
      break;
    return local ? HD_VISIBLE : visible(s, edge, id, fn);
  case HD_DO_ASSUME:
  case HD_DO_ASSERT:
    return verify(s, edge, id, hd_library_action(fn) == HD_DO_ASSUME);
  case HD_DO_FAIL:
    return HD_VIOLATES;
  case HD_DO_COPY:
  case HD_DO_FILL:
    return memory(s, edge, id, fn, local);
  case HD_DO_PRINT:
    if (prints_back(s, edge, id, fn))
      return refuse_fn(s, id, fn, "it may write to memory");
    return nothing(s, edge, id);
  case HD_DO_WRITE:
  case HD_DO_SEED:
    return nothing(s, edge, id);
  case HD_DO_BIRTH:
  case HD_DO_DEATH:
    return lifetime(s, edge, id, fn);
  case HD_DO_YIELD:
  case HD_DO_REGION:
    return hd_small_return(s, edge, id, 0);
  case HD_DO_SLEEP:
    return refuse_fn(s, id, fn, "whether the time is valid is not known");
  case HD_DO_JOIN:
    return refuse_fn(s, id, fn,
                     "with any number of threads they have no names, so none "
                     "can be waited for");
  case HD_DO_SELF:
  case HD_DO_SAME:
  case HD_DO_CANCEL:
    return refuse_fn(s, id, fn,
                     "with any number of threads they have no names");
  case HD_DO_ALLOC:
  case HD_DO_RESIZE:
  case HD_DO_FREE:
    return refuse_fn(s, id, fn, "allocated memory is not part of a state");
  case HD_DO_NONE:
    return hd_small_refuse(s, id,
                           "%s: a function that is neither defined nor "
                           "known",
                           s->code->funcs.data[func].name);
  case HD_DO_REFUSED:
  case HD_DO_KEY:
  case HD_DO_CLEANUP:
  case HD_DO_LOOK:
  case HD_DO_EDIT:
  case HD_DO_PARSE:
  case HD_DO_SORT:
  case HD_DO_COMPUTE:
  case HD_DO_ATOMIC:
  case HD_DO_ATTR_GET:
  case HD_DO_JUMP:
  case HD_DO_STACK:
  case HD_DO_CLOCK:
  case HD_DO_HOST:
  case HD_DO_UNREACHABLE:
  case HD_DO_AT_END:
  case HD_DO_MPI:
    break;
  }
  return refuse_fn(s, id, fn, "not supported with any number of threads");
}

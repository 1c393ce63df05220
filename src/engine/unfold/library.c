/* SPDX-License-Identifier: MIT */
/* Library functions that nobody but the calling thread notices. Those that others
 * notice are events (sync.c); what is in neither is refused by name. */
#include "base/bitset.h"
#include "engine/unfold/state.h"

enum {
  MAX_ALLOCATIONS = 64, /* of one thread at one place */
  ANY_SIZE = 1 << 28
};

typedef struct {
  analysis *a;
  thread_id thread;
  local *l;
  hd_edge_id edge;
  const hd_cedge *call;
  hd_library_fn fn;
  hd_stamp stamp;
  touches *seen;
  bool large; /* an allocation may be of more than there is */
} caller;

static uint32_t n_args(const caller *c) {
  return c->call->n_operands - 1;
}

static hd_cexpr_id arg_expr(const caller *c, uint32_t i) {
  return c->a->code->operands.data[c->call->operands + 1 + i];
}

static uint8_t arg_width(const caller *c, uint32_t i) {
  return c->a->code->exprs.data[arg_expr(c, i)].type.width;
}

static hd_value arg(const caller *c, uint32_t i) {
  hd_mays mays = 0;
  return hd_eval_expr(c->a, c->thread, c->l, arg_expr(c, i), &mays);
}

static hd_type result_type(const caller *c) {
  if (!c->call->n_targets)
    return (hd_type){.kind = HD_TYPE_INT, .width = 64};
  const hd_func *f = &c->a->code->funcs.data[c->l->top->func];
  hd_reg_id reg = c->a->code->targets.data[c->call->targets];
  return c->a->code->regs.data[f->regs + reg].type;
}

static uint8_t result_width(const caller *c) {
  return (uint8_t)result_type(c).width;
}

static call_outcome give(caller *c, hd_value value) {
  if (c->call->n_targets == 1) {
    c->l->top = hd_frame_own(c->l->top);
    hd_frame_set(c->a->code, c->l->top,
                 c->a->code->targets.data[c->call->targets], &value);
  }
  return CALL_DONE;
}

static call_outcome give_const(caller *c, uint64_t value) {
  return give(c, hd_value_const(result_width(c), value));
}

static call_outcome give_any(caller *c) {
  return give(c, hd_value_any(result_width(c)));
}

static call_outcome refuse(caller *c, const char *why) {
  hd_analysis_give_up(c->a, c->edge, "%s is not modelled by this engine%s%s",
                      hd_library_name(c->fn), *why ? ": " : "", why);
  return CALL_REFUSED;
}

/* Something about memory or values that this engine does not see. */
static void unlooked(caller *c, const char *what) {
  hd_analysis_alarm(c->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID, "%s", what);
  hd_analysis_alarm(c->a, HD_PROPERTY_UNINIT, c->edge, HD_NO_ID, "%s", what);
}

static bool one_place(caller *c, uint32_t i, uint64_t bytes, bool write,
                      hd_object_id *object, int64_t *offset);

/* --- inputs, assumptions, assertions --- */

/* The input is also stored where the argument says, if anywhere. */
static bool store_input(caller *c) {
  hd_value p = arg(c, 0);
  uint64_t null;
  hd_object_id object;
  int64_t at;
  if (hd_value_is_const(&p, &null) && !null)
    return true;
  uint32_t bytes = c->fn == HD_LIB_time ? c->a->code->pointer_width / 8u : 4;
  if (!one_place(c, 0, bytes, true, &object, &at))
    return false;
  hd_pointee t = {object, 0, at, at};
  hd_value any = hd_value_any((uint8_t)(8 * bytes));
  hd_memory_store(&c->l->memory, &t, bytes, &any, false, c->stamp);
  return true;
}

/* From the first argument to the second. */
static call_outcome input_between(caller *c, uint8_t width) {
  hd_value lo = arg(c, 0), hi = arg(c, 1);
  uint64_t low, high;
  if (!hd_value_is_const(&lo, &low) || !hd_value_is_const(&hi, &high))
    return give_any(c);
  low &= hd_word_mask(width);
  high &= hd_word_mask(width);
  if (!hd_input_signed(hd_library_input(c->fn)))
    return give(c, low <= high ? hd_value_unsigned(width, low, high)
                               : hd_value_any(width));
  int64_t slow = hd_word_signed(low, width),
          shigh = hd_word_signed(high, width);
  return give(c, slow <= shigh ? hd_value_signed(width, slow, shigh)
                               : hd_value_any(width));
}

static call_outcome input(caller *c) {
  uint8_t width = result_width(c);
  hd_input_type type = hd_library_input(c->fn);
  if (c->call->n_targets > 1)
    return refuse(c, "");
  if (hd_library_stores_input(c->fn) && n_args(c) && !store_input(c))
    return refuse(c, "the address is not known, or others know it");
  if (c->call->n_targets && result_type(c).kind == HD_TYPE_PTR) {
    hd_value any = hd_value_any(width);
    any.wild = true; /* whoever follows it gives up */
    return give(c, any);
  }
  if (n_args(c) == 2)
    return input_between(c, width);
  if (type == HD_INPUT_BOOL)
    return give(c, hd_value_unsigned(width, 0, 1));
  if (type == HD_INPUT_COUNT)
    return give(c, hd_value_signed(width, 0, INT32_MAX));
  return give_any(c);
}

static bool assume(caller *c) {
  return hd_eval_assume_value(c->a, c->thread, c->l, arg_expr(c, 0), true);
}

static call_outcome check(caller *c) {
  local fails = hd_local_copy(c->l);
  if (hd_eval_assume_value(c->a, c->thread, &fails, arg_expr(c, 0), false))
    hd_analysis_alarm(c->a, HD_PROPERTY_ASSERT, c->edge, HD_NO_ID,
                      "the assertion may fail");
  hd_local_free(&fails);
  return assume(c) ? CALL_DONE : CALL_ENDS;
}

static call_outcome fail(caller *c) {
  hd_analysis_alarm(c->a, HD_PROPERTY_ASSERT, c->edge, HD_NO_ID,
                    "%s may be reached", hd_library_name(c->fn));
  return CALL_ENDS;
}

/* --- memory --- */

static call_outcome give_memory(caller *c, hd_object_id object) {
  hd_value v = hd_value_address(object, 0, 0), null = hd_value_const(64, 0);
  if (c->a->options->malloc_fails || c->large)
    v = hd_value_join(c->a->code->pointer_width, &v, &null);
  return give(c, v);
}

/* The last one stands for all further ones: nothing is ever certain about it, as
 * if it were not certain that it is there. It is as large as any. */
static call_outcome allocate_many(caller *c, hd_fill fill) {
  object_key key = {OBJ_HEAP, c->thread, c->edge, MODULAR_ALLOCATIONS};
  hd_object_id object = hd_analysis_object(c->a, key);
  if (hd_memory_life(c->l->memory, object) == HD_LIFE_NONE) {
    hd_memory_create(&c->l->memory, object, ANY_SIZE, fill, c->stamp);
    hd_memory_doubt(&c->l->memory, object);
  }
  return give_memory(c, object);
}

static call_outcome allocate(caller *c, uint64_t size, hd_fill fill) {
  uint32_t most = c->a->modular ? MODULAR_ALLOCATIONS : MAX_ALLOCATIONS;
  for (uint32_t nth = 0; nth < most; nth++) {
    object_key key = {OBJ_HEAP, c->thread, c->edge, nth};
    hd_object_id object = hd_analysis_object(c->a, key);
    if (hd_memory_life(c->l->memory, object) != HD_LIFE_NONE)
      continue;
    hd_memory_create(&c->l->memory, object, size, fill, c->stamp);
    return give_memory(c, object);
  }
  if (c->a->modular)
    return allocate_many(c, fill);
  return refuse(c, "too many allocations at one place");
}

/* `perhaps`: or something else. */
static void release(caller *c, const hd_pointee *t, bool perhaps) {
  object_key key = c->a->objects.items[t->object].key;
  hd_life life = hd_memory_life(c->l->memory, t->object);
  if (key.kind != OBJ_HEAP || t->lo != 0 || t->hi != 0 ||
      life != HD_LIFE_ALIVE || perhaps)
    hd_analysis_alarm(c->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID,
                      "free of something that cannot be freed");
  if (key.kind != OBJ_HEAP || life == HD_LIFE_NONE || life == HD_LIFE_DEAD)
    return;
  if (hd_analysis_is_shared(c->a, t->object))
    hd_analysis_alarm(c->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID,
                      "others may use what is freed here");
  touch dies = {.object = t->object,
                .hi = (int64_t)hd_memory_size(c->l->memory, t->object),
                .write = true,
                .dies = true,
                .edge = c->edge};
  hd_vec_push(c->seen, dies);
  if (perhaps || (c->a->modular && key.depth >= MODULAR_ALLOCATIONS))
    return;
  hd_memory_kill(&c->l->memory, t->object, c->stamp);
  hd_frame_written(&c->l->top, t->object, 0, INT64_MAX);
}

/* Is a pointer to the variable left, somewhere or in a register that is read? */
static bool may_dangle(const caller *c, hd_object_id object) {
  const analysis *a = c->a;
  if (object / 64 < a->passed_words && hd_bits_test(a->passed_bits, object))
    return true;
  const frame *f = c->l->top;
  for (uint32_t i = 0; i < f->n_regs; i++)
    for (int k = 0; k < f->regs[i].n_targets; k++)
      if (f->regs[i].targets[k].object == object &&
          hd_live_at(a->live, c->call->to, i))
        return true;
  return false;
}

/* The variable of a block, or a compound literal, ends or begins to live. */
static call_outcome lifetime(caller *c, bool starts) {
  hd_value v = arg(c, 0);
  hd_object_id object;
  int64_t offset;
  if (!hd_value_is_address(&v, &object, &offset) ||
      c->a->objects.items[object].key.kind != OBJ_SLOT)
    return refuse(c, "of something else than a variable");
  hd_life life = hd_memory_life(c->l->memory, object);
  uint64_t size = hd_memory_size(c->l->memory, object);
  if (!starts) {
    touch dies = {
        .object = object, .hi = (int64_t)size, .dies = true, .edge = c->edge};
    if (c->a->options->checks >> HD_PROPERTY_MEMORY & 1 ||
        hd_analysis_has_locks(c->a, object))
      hd_vec_push(c->seen, dies);
    hd_analysis_mark(c->a, &c->a->ended_bits, &c->a->ended_words, object);
    hd_memory_kill(&c->l->memory, object, c->stamp);
  } else {
    if (life != HD_LIFE_ALIVE && may_dangle(c, object))
      hd_analysis_alarm(
          c->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID,
          "a pointer to what was in this block before may be left");
    hd_memory_create(&c->l->memory, object, size, HD_FILL_UNDEFINED, c->stamp);
  }
  hd_frame_written(&c->l->top, object, 0, INT64_MAX);
  return CALL_DONE;
}

static call_outcome allocation(caller *c) {
  uint64_t size, count;
  bool clears = hd_library_is(c->fn, HD_CALL_CLEARS);
  if (c->fn != HD_LIB_malloc && !clears)
    return refuse(c, "");
  hd_value n = arg(c, 0), m = clears ? arg(c, 1) : hd_value_const(64, 1);
  if (!hd_value_is_const(&n, &size) || !hd_value_is_const(&m, &count) ||
      size > (uint64_t)1 << 24 || count > (uint64_t)1 << 24 ||
      size * count > ANY_SIZE) {
    if (!c->a->modular)
      return refuse(c, "the size is not known");
    hd_analysis_alarm(c->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID,
                      "the size is not known");
    hd_value most = hd_value_unsigned(64, 0, UINT32_MAX);
    c->large = !hd_value_within(&n, &most) || !hd_value_within(&m, &most);
    size = ANY_SIZE;
    count = 1;
  }
  return allocate(c, size * count, clears ? HD_FILL_ZERO : HD_FILL_UNDEFINED);
}

static call_outcome deallocation(caller *c) {
  hd_value p = arg(c, 0);
  uint64_t null;
  if (hd_value_is_const(&p, &null) && null == 0)
    return CALL_DONE;
  if (p.wild || (!c->a->modular && p.n_targets != 1))
    return refuse(c, "the address is not known");
  bool perhaps = p.n_targets > 1 || p.undef || hd_value_has_int(&p);
  for (int i = 0; i < p.n_targets; i++)
    release(c, &p.targets[i], perhaps);
  return p.n_targets || hd_value_contains(&p, 64, 0) ? CALL_DONE : CALL_ENDS;
}

/* One place with `bytes` in bounds; else the call is refused. */
static bool one_place(caller *c, uint32_t i, uint64_t bytes, bool write,
                      hd_object_id *object, int64_t *offset) {
  hd_value p = arg(c, i), valid;
  if (!hd_access_targets(c->a, c->l, c->edge, &p, bytes, &valid) ||
      !hd_value_is_address(&valid, object, offset) ||
      hd_analysis_is_shared(c->a, *object))
    return false;
  hd_access_note(c->seen, &valid, bytes, write, false, c->edge);
  if (write)
    hd_access_check_write(c->a, c->edge, &valid);
  if (write)
    hd_frame_written(&c->l->top, *object, *offset, *offset + (int64_t)bytes);
  return true;
}

/* Nothing is certain about an object that may not be there (allocate_many): it
 * may also be as it was before. Takes `old` over. */
static void may_stay(caller *c, hd_object_id object, hd_memory *old) {
  if (hd_memory_life(old, object) == HD_LIFE_MAYBE) {
    hd_memory *both = hd_memory_join(old, c->l->memory, NULL);
    hd_memory_drop(c->l->memory);
    c->l->memory = both;
  }
  hd_memory_drop(old);
}

/* In memory that others see? */
static bool is_elsewhere(const caller *c, uint32_t i) {
  hd_value p = arg(c, i);
  for (int t = 0; t < p.n_targets; t++)
    if (hd_analysis_is_shared(c->a, p.targets[t].object))
      return true;
  return false;
}

static call_outcome blocks(caller *c) {
  uint64_t bytes = 0, byte = 1;
  hd_object_id to, from;
  int64_t at, source;
  bool set = hd_library_action(c->fn) == HD_DO_FILL, copy = !set;
  hd_value n = arg(c, 2);
  if (!hd_value_is_const(&n, &bytes))
    return refuse(c, "the size is not known");
  hd_value p = arg(c, 0);
  if (!bytes)
    return give(c, p);
  if (c->a->modular && (is_elsewhere(c, 0) || (copy && is_elsewhere(c, 1))))
    return CALL_VISIBLE;
  if (!one_place(c, 0, bytes, true, &to, &at))
    return refuse(c, "the address is not known");
  hd_memory *old = hd_memory_keep(c->l->memory);
  if (set) {
    hd_value v = arg(c, 1);
    bool zero = hd_value_is_const(&v, &byte) && (byte & 0xff) == 0;
    hd_memory_fill(&c->l->memory, to, (uint64_t)at, bytes,
                   zero ? HD_FILL_ZERO : HD_FILL_ANY, c->stamp);
  } else {
    if (!one_place(c, 1, bytes, false, &from, &source)) {
      hd_memory_drop(old);
      return refuse(c, "the address is not known");
    }
    if (c->fn == HD_LIB_memcpy && to == from && at < source + (int64_t)bytes &&
        source < at + (int64_t)bytes)
      hd_analysis_alarm(c->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID,
                        "the blocks overlap");
    hd_memory_copy(&c->l->memory, to, (uint64_t)at, from, (uint64_t)source,
                   bytes, c->stamp);
  }
  may_stay(c, to, old);
  return give(c, p);
}

/* Attributes are one number: the kind of a mutex, whether a thread is detached. */
static bool is_usual(const caller *c) {
  hd_value v = arg(c, 1);
  uint64_t value;
  switch (c->fn) {
  case HD_LIB_pthread_mutexattr_settype:
    return hd_value_is_const(&v, &value) && value <= 3;
  case HD_LIB_pthread_attr_setdetachstate:
  case HD_LIB_pthread_rwlockattr_setkind_np:
    return hd_value_is_const(&v, &value) && value <= 1;
  case HD_LIB_pthread_mutexattr_setrobust:
  case HD_LIB_pthread_mutexattr_setprotocol:
    return hd_value_is_const(&v, &value) && value == 0;
  case HD_LIB_pthread_mutexattr_gettype:
  case HD_LIB_pthread_attr_getdetachstate:
    return false;
  default: /* nobody notices */
    return true;
  }
}

static call_outcome attribute(caller *c) {
  bool starts = hd_library_action(c->fn) == HD_DO_ATTR_MAKE;
  bool kind = c->fn == HD_LIB_pthread_mutexattr_settype ||
              c->fn == HD_LIB_pthread_attr_setdetachstate;
  if (!starts && n_args(c) > 1 && !is_usual(c))
    return refuse(c, "");
  hd_object_id object;
  int64_t at;
  if (!one_place(c, 0, 4, true, &object, &at))
    return refuse(c, "the address is not known");
  hd_pointee t = {object, 0, at, at};
  hd_value v = hd_memory_load(c->l->memory, &t, 4);
  if (!starts && v.undef) {
    hd_analysis_alarm(
        c->a, HD_PROPERTY_SYNC, c->edge, HD_NO_ID,
        "attributes are used that were never initialised, or were "
        "destroyed");
    return refuse(c, "they are not initialised");
  }
  bool ends = hd_library_action(c->fn) == HD_DO_ATTR_END;
  if (!starts && !kind && !ends)
    return n_args(c) > 1 ? give_any(c) : give_const(c, 0);
  v = kind ? arg(c, 1) : hd_value_const(32, 0);
  v.undef = ends;
  hd_memory_store(&c->l->memory, &t, 4, &v,
                  hd_memory_life(c->l->memory, object) == HD_LIFE_MAYBE,
                  c->stamp);
  return give_const(c, 0);
}

/* isalpha and the like take a character or EOF, nothing else (C17 7.4). */
static void takes_character(caller *c) {
  hd_value v = arg(c, 0), usual = hd_value_signed(32, -1, 255);
  if (v.undef || !hd_value_within(&v, &usual))
    hd_analysis_alarm(c->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID,
                      "what is asked about may be no character");
}

static call_outcome number(caller *c) {
  if (c->fn != HD_LIB_abs && c->fn != HD_LIB_labs && c->fn != HD_LIB_llabs) {
    if (hd_library_is(c->fn, HD_CALL_CHARACTER))
      takes_character(c);
    return give_any(c);
  }
  hd_mays mays = 0;
  hd_value v = arg(c, 0);
  hd_type type = {HD_TYPE_INT, arg_width(c, 0)};
  v = hd_value_apply(HD_CODE_ABS, HD_CODE_NSW, type, &type, &v, &mays);
  if (mays & HD_MAY_OVERFLOW)
    hd_analysis_alarm(c->a, HD_PROPERTY_OVERFLOW, c->edge, HD_NO_ID,
                      "signed arithmetic may overflow");
  return give(c, v);
}

static call_outcome same_thread(caller *c) {
  hd_type types[2] = {{HD_TYPE_INT, arg_width(c, 0)},
                      {HD_TYPE_INT, arg_width(c, 1)}};
  hd_value args[2] = {arg(c, 0), arg(c, 1)};
  hd_mays mays = 0;
  hd_type one = {HD_TYPE_INT, 1}, wide = {HD_TYPE_INT, result_width(c)};
  hd_value same = hd_value_apply(HD_CODE_EQ, 0, one, types, args, &mays);
  return give(c, hd_value_apply(HD_CODE_ZEXT, 0, wide, &one, &same, &mays));
}

/* A call that works on something which has to be there. */
static call_outcome unnoticed(caller *c) {
  hd_library_kind kind;
  hd_place place = hd_library_place(c->fn, 0, &kind);
  assert(place != HD_PLACE_NONE);
  hd_value p = arg(c, 0), valid;
  uint32_t bytes = hd_library_place_bytes(kind, c->a->code->pointer_width);
  return hd_access_targets(c->a, c->l, c->edge, &p, bytes, &valid)
             ? give_const(c, 0)
             : CALL_ENDS;
}

/* The constant that an argument is, and where in it; NULL: none, or not known. */
static const hd_global *constant_at(const caller *c, uint32_t i,
                                    int64_t *offset) {
  hd_value p = arg(c, i);
  hd_object_id object;
  if (!hd_value_is_address(&p, &object, offset))
    return NULL;
  const object_key *key = &c->a->objects.items[object].key;
  const hd_global *g =
      key->kind == OBJ_GLOBAL ? &c->a->code->globals.data[key->what] : NULL;
  return g && g->constant && !g->external && *offset >= 0 &&
                 (uint64_t)*offset <= g->size
             ? g
             : NULL;
}

/* Some of what is there is read: what it is does not matter, but who may write
 * there meanwhile. */
static void read_text(caller *c, uint32_t i) {
  hd_value p = arg(c, i), valid;
  if (p.wild) {
    hd_analysis_alarm(c->a, HD_PROPERTY_RACE, c->edge, HD_NO_ID,
                      "what is printed is not looked at");
    return;
  }
  if (!hd_access_targets(c->a, c->l, c->edge, &p, 1, &valid))
    return;
  for (int t = 0; t < valid.n_targets; t++)
    valid.targets[t].hi =
        (int64_t)hd_memory_size(c->l->memory, valid.targets[t].object) - 1;
  hd_access_note(c->seen, &valid, 1, false, false, c->edge);
}

/* What a time is does not matter, but that it is there, and who writes it. */
static call_outcome sleeps(caller *c) {
  uint32_t i = (uint32_t)hd_library_arg_at(c->fn, HD_ARG_TIME);
  hd_value p = arg(c, i), valid;
  uint32_t bytes = c->a->code->pointer_width / 4u;
  if (p.wild)
    return refuse(c, "the address is not known");
  if (!hd_access_targets(c->a, c->l, c->edge, &p, bytes, &valid))
    return CALL_ENDS;
  hd_access_note(c->seen, &valid, bytes, false, false, c->edge);
  unlooked(c, "what is waited for is not looked at");
  return give_any(c);
}

/* Formats that are constant say what is read. */
static call_outcome print_format(caller *c, uint32_t at) {
  int64_t offset = 0;
  const hd_global *g = at < n_args(c) ? constant_at(c, at, &offset) : NULL;
  if (!g)
    return refuse(c, "the format is not known");
  hd_prints prints = hd_library_format(g->bytes ? g->bytes + offset : NULL,
                                       g->size - (uint64_t)offset);
  if (prints == HD_PRINTS_BACK)
    return refuse(c, "it writes to memory");
  for (uint32_t i = at + 1; i < n_args(c); i++) {
    if (c->a->code->exprs.data[arg_expr(c, i)].type.kind != HD_TYPE_PTR)
      continue;
    if (prints == HD_PRINTS_TEXT && !constant_at(c, i, &offset))
      read_text(c, i);
    if (prints == HD_PRINTS_TEXT)
      unlooked(c, "what is printed is not looked at");
  }
  return give_any(c);
}

/* Is a buffer kept that printing writes to? */
static bool keeps_buffer(const caller *c) {
  int i = hd_library_arg_at(c->fn, HD_ARG_KEEP);
  if (i < 0 || (uint32_t)i >= n_args(c))
    return false;
  hd_value v = arg(c, (uint32_t)i);
  uint64_t null;
  return !hd_value_is_const(&v, &null) || null;
}

static call_outcome output(caller *c) {
  int text = hd_library_arg_at(c->fn, HD_ARG_READ);
  int64_t offset;
  bool reads = text >= 0 && (uint32_t)text < n_args(c);
  bool constant = reads && constant_at(c, (uint32_t)text, &offset);
  if (keeps_buffer(c))
    return refuse(c, "it is given a buffer");
  if (constant && n_args(c) == 1)
    return give_any(c);
  if (reads && !constant)
    read_text(c, (uint32_t)text);
  for (uint32_t i = 0; i < n_args(c); i++)
    if (c->a->code->exprs.data[arg_expr(c, i)].type.kind == HD_TYPE_PTR)
      unlooked(c, "what is printed is not looked at");
  return give_any(c);
}

/* Waiting for a signal gives the mutex away and takes it again, which may happen
 * at any time: spurious wake-ups are allowed. So nobody notices who signals,
 * unless it matters whether a wait ends at all. */
static call_outcome place(caller *c) {
  hd_action does = hd_library_action(c->fn);
  bool signals =
      does == HD_DO_WAKE ||
      (does == HD_DO_UNMAKE && hd_library_kind_of(c->fn) == HD_LIBRARY_COND);
  return signals && !c->a->signals ? unnoticed(c) : CALL_VISIBLE;
}

call_outcome hd_library_call(analysis *a, thread_id thread, local *l,
                             hd_edge_id edge, hd_func_id callee, hd_stamp stamp,
                             touches *seen) {
  assert(edge < a->code->edges.size);
  caller c = {
      a,     thread, l,    edge, &a->code->edges.data[edge], a->library[callee],
      stamp, seen,   false};
  if (c.fn == HD_LIB_NONE) {
    hd_analysis_give_up(a, edge, "%s is not known",
                        a->code->funcs.data[callee].name);
    return CALL_REFUSED;
  }
  hd_access_note_places(a, thread, l, edge, c.fn, false, seen);
  switch (hd_library_action(c.fn)) {
  case HD_DO_INPUT:
    return input(&c);
  case HD_DO_ASSUME:
    return assume(&c) ? CALL_DONE : CALL_ENDS;
  case HD_DO_ASSERT:
    return check(&c);
  case HD_DO_FAIL:
    return fail(&c);
  case HD_DO_ENTER:
  case HD_DO_LEAVE:
  case HD_DO_SPAWN:
  case HD_DO_JOIN:
  case HD_DO_QUIT:
  case HD_DO_DETACH:
    return CALL_VISIBLE;
  case HD_DO_SELF:
    return a->modular ? give_any(&c) : give_const(&c, (uint64_t)thread + 1);
  case HD_DO_SAME:
    return same_thread(&c);
  case HD_DO_TUNE:
  case HD_DO_YIELD:
  case HD_DO_SEED:
  case HD_DO_REGION:
    return give_const(&c, 0);
  case HD_DO_MAKE:
  case HD_DO_UNMAKE:
  case HD_DO_ACQUIRE:
  case HD_DO_RELEASE:
  case HD_DO_MEND:
  case HD_DO_PEEK:
  case HD_DO_PARK:
  case HD_DO_WAKE:
  case HD_DO_MEET:
  case HD_DO_ONCE:
    return place(&c);
  case HD_DO_ALLOC:
    return allocation(&c);
  case HD_DO_FREE:
    return deallocation(&c);
  case HD_DO_COPY:
  case HD_DO_FILL:
    return blocks(&c);
  case HD_DO_COMPUTE:
    return number(&c);
  case HD_DO_PRINT:
    return hd_library_format_at(c.fn) < 0
               ? refuse(&c, "")
               : print_format(&c, (uint32_t)hd_library_format_at(c.fn));
  case HD_DO_WRITE:
    return output(&c);
  case HD_DO_ATTR_MAKE:
  case HD_DO_ATTR_END:
  case HD_DO_ATTR_SET:
  case HD_DO_ATTR_GET:
    return attribute(&c);
  case HD_DO_BIRTH:
  case HD_DO_DEATH:
    return lifetime(&c, hd_library_action(c.fn) == HD_DO_BIRTH);
  case HD_DO_SLEEP:
    return sleeps(&c);
  case HD_DO_END:
  case HD_DO_ABORT:
  case HD_DO_UNREACHABLE:
    return CALL_ENDS;
  case HD_DO_NONE:
  case HD_DO_REFUSED:
  case HD_DO_CANCEL:
  case HD_DO_KEY:
  case HD_DO_CLEANUP:
  case HD_DO_RESIZE:
  case HD_DO_LOOK:
  case HD_DO_EDIT:
  case HD_DO_PARSE:
  case HD_DO_SORT:
  case HD_DO_ATOMIC:
  case HD_DO_STACK:
  case HD_DO_CLOCK:
  case HD_DO_HOST:
  case HD_DO_AT_END:
  case HD_DO_MPI:
    break;
  }
  return refuse(&c, "");
}

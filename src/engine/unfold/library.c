/* SPDX-License-Identifier: MIT */
/* Library functions that nobody but the calling thread notices. Those that others
 * notice are events (sync.c); what is in neither is refused by name. */
#include "base/bitset.h"
#include "engine/unfold/caller.h"

enum {
  MAX_ALLOCATIONS = 64, /* of one thread at one place */
  ANY_SIZE = 1 << 28
};

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
  if (!hd_caller_place(c, 0, bytes, true, &object, &at))
    return false;
  hd_pointee t = {object, 0, at, at};
  hd_value any = hd_value_any((uint8_t)(8 * bytes));
  hd_memory_store(&c->l->memory, &t, bytes, &any, false, c->stamp);
  return true;
}

/* From the first argument to the second. */
static call_outcome input_between(caller *c, uint8_t width) {
  assert(n_args(c) == 2);
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

static hd_value memory_at(const caller *c, hd_object_id object) {
  hd_value v = hd_value_address(object, 0, 0), null = hd_value_const(64, 0);
  return c->a->options->malloc_fails || c->large
             ? hd_value_join(c->a->code->pointer_width, &v, &null)
             : v;
}

/* The last one stands for all further ones: nothing is ever certain about it, as
 * if it were not certain that it is there. It is as large as any. */
static hd_object_id room_for_many(caller *c, hd_fill fill) {
  object_key key = {OBJ_HEAP, c->thread, c->edge, MODULAR_ALLOCATIONS};
  hd_object_id object = hd_analysis_object(c->a, key);
  assert(c->a->modular);
  if (hd_memory_life(c->l->memory, object) == HD_LIFE_NONE) {
    hd_memory_create(&c->l->memory, object, ANY_SIZE, fill, c->stamp);
    hd_memory_doubt(&c->l->memory, object);
  }
  return object;
}

/* Something new of this size, in `*address`; false: there are too many. */
static bool find_room(caller *c, uint64_t size, hd_fill fill,
                      hd_value *address) {
  assert(size <= ANY_SIZE);
  uint32_t most = c->a->modular ? MODULAR_ALLOCATIONS : MAX_ALLOCATIONS;
  for (uint32_t nth = 0; nth < most; nth++) {
    object_key key = {OBJ_HEAP, c->thread, c->edge, nth};
    hd_object_id object = hd_analysis_object(c->a, key);
    if (hd_memory_life(c->l->memory, object) != HD_LIFE_NONE)
      continue;
    hd_memory_create(&c->l->memory, object, size, fill, c->stamp);
    *address = memory_at(c, object);
    return true;
  }
  if (c->a->modular)
    *address = memory_at(c, room_for_many(c, fill));
  return c->a->modular;
}

static call_outcome allocate(caller *c, uint64_t size, hd_fill fill) {
  hd_value address;
  return find_room(c, size, fill, &address)
             ? give(c, address)
             : refuse(c, "too many allocations at one place");
}

/* `perhaps`: or something else. */
static void release(caller *c, const hd_pointee *t, bool perhaps) {
  object_key key = *object_of(c->a, t->object);
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
      object_of(c->a, object)->kind != OBJ_SLOT)
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

/* Powers of two, of which posix_memalign takes none below an address's size. */
static bool is_alignment(const caller *c, uint32_t i, uint64_t least) {
  hd_value v = arg(c, i);
  uint64_t n;
  return hd_value_is_const(&v, &n) && n >= least && !(n & (n - 1));
}

/* The address is stored where the first argument says. */
static call_outcome aligned_memory(caller *c) {
  uint64_t size;
  hd_value n = arg(c, 2), p;
  hd_object_id object;
  int64_t at;
  uint32_t bytes = c->a->code->pointer_width / 8u;
  if (!is_alignment(c, 1, bytes))
    return refuse(c, "the alignment is not known, or none");
  if (!hd_value_is_const(&n, &size) || size > ANY_SIZE)
    return refuse(c, "the size is not known");
  if (!hd_caller_place(c, 0, bytes, true, &object, &at))
    return refuse(c, "where the address is stored is not known");
  if (!find_room(c, size, HD_FILL_UNDEFINED, &p))
    return refuse(c, "too many allocations at one place");
  hd_pointee t = {object, 0, at, at};
  hd_memory_store(&c->l->memory, &t, bytes, &p,
                  hd_memory_life(c->l->memory, object) == HD_LIFE_MAYBE,
                  c->stamp);
  return c->a->options->malloc_fails ? give_any(c) : give_const(c, 0);
}

static call_outcome allocation(caller *c) {
  uint64_t size, count;
  bool clears = hd_library_is(c->fn, HD_CALL_CLEARS);
  bool aligned = c->fn == HD_LIB_aligned_alloc || c->fn == HD_LIB_memalign;
  if (c->fn == HD_LIB_posix_memalign)
    return aligned_memory(c);
  if (aligned && !is_alignment(c, 0, 1))
    return refuse(c, "the alignment is not known, or none");
  hd_value n = arg(c, aligned), m = clears ? arg(c, 1) : hd_value_const(64, 1);
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

/* errno: a variable of the thread, in which there may be anything behind a call of
 * the library. */
static hd_object_id error_place(const caller *c) {
  assert(c->a->asks_errno != HD_NO_ID);
  object_key key = {OBJ_HEAP, c->thread, c->a->asks_errno, 0};
  return hd_analysis_object(c->a, key);
}

static void set_error(caller *c) {
  hd_object_id object = error_place(c);
  if (hd_memory_life(c->l->memory, object) != HD_LIFE_NONE &&
      !hd_analysis_is_shared(c->a, object)) {
    hd_memory_fill(&c->l->memory, object, 0, 4, HD_FILL_ANY, c->stamp);
    hd_frame_written(&c->l->top, object, 0, 4);
  }
}

static call_outcome own_error(caller *c) {
  hd_object_id object = error_place(c);
  if (hd_analysis_is_shared(c->a, object))
    return refuse(c, "others know its address");
  if (hd_memory_life(c->l->memory, object) == HD_LIFE_NONE)
    hd_memory_create(&c->l->memory, object, 4, HD_FILL_ANY, c->stamp);
  return give(c, hd_value_address(object, 0, 0));
}

/* A time is stored. */
static call_outcome tell_time(caller *c) {
  int to = hd_library_arg_at(c->fn, HD_ARG_WRITE);
  const uint64_t bytes = c->a->code->pointer_width / 4u;
  hd_object_id object;
  int64_t at;
  if (c->fn != HD_LIB_clock_gettime && c->fn != HD_LIB_timespec_get)
    return refuse(c, "");
  if (!hd_caller_place(c, (uint32_t)to, bytes, true, &object, &at))
    return refuse(c, "the address is not known");
  hd_memory *old = hd_memory_keep(c->l->memory);
  hd_memory_fill(&c->l->memory, object, (uint64_t)at, bytes, HD_FILL_ANY,
                 c->stamp);
  hd_caller_stay(c, object, old);
  return give_any(c);
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
bool hd_caller_place(caller *c, uint32_t i, uint64_t bytes, bool write,
                     hd_object_id *object, int64_t *offset) {
  assert(bytes > 0);
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
void hd_caller_stay(caller *c, hd_object_id object, hd_memory *old) {
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
  if (!hd_caller_place(c, 0, bytes, true, &to, &at))
    return refuse(c, "the address is not known");
  hd_memory *old = hd_memory_keep(c->l->memory);
  if (set) {
    hd_value v = arg(c, 1);
    bool zero = hd_value_is_const(&v, &byte) && (byte & 0xff) == 0;
    hd_memory_fill(&c->l->memory, to, (uint64_t)at, bytes,
                   zero ? HD_FILL_ZERO : HD_FILL_ANY, c->stamp);
  } else {
    if (!hd_caller_place(c, 1, bytes, false, &from, &source)) {
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
  hd_caller_stay(c, to, old);
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
  if (!hd_caller_place(c, 0, 4, true, &object, &at))
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
  assert(callee < a->code->funcs.size && !a->code->funcs.data[callee].defined);
  assert(edge < a->code->edges.size);
  caller c = {
      a,     thread, l,    edge, &a->code->edges.data[edge], a->library[callee],
      stamp, seen,   false};
  if (c.fn == HD_LIB_NONE) {
    hd_analysis_give_up(a, edge, "%s is not known",
                        a->code->funcs.data[callee].name);
    return CALL_REFUSED;
  }
  if (a->asks_errno != HD_NO_ID)
    set_error(&c);
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
    return hd_caller_print(&c);
  case HD_DO_WRITE:
    return hd_caller_write(&c);
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
  case HD_DO_CLOCK:
    return tell_time(&c);
  case HD_DO_LOOK:
  case HD_DO_PARSE:
    return hd_caller_look(&c);
  case HD_DO_STACK:
    if (c.fn == HD_LIB_llvm_stacksave || c.fn == HD_LIB_llvm_stackrestore)
      break;
    return hd_caller_arguments(&c);
  case HD_DO_HOST:
    if (c.fn != HD_LIB___errno_location)
      break;
    return own_error(&c);
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
  case HD_DO_EDIT:
  case HD_DO_SORT:
  case HD_DO_ATOMIC:
  case HD_DO_JUMP:
  case HD_DO_AT_END:
  case HD_DO_MPI:
    break;
  }
  return refuse(&c, "");
}

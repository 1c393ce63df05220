/* SPDX-License-Identifier: MIT */
/* Library calls: which file does what, and what all of them need. */
#include "check/interp/lib.h"

#include "check/interp/locks.h"
#include "check/interp/sync.h"
#include "check/interp/opaque.h"
#include "check/interp/symbolic.h"
#include "model/sign.h"

#include <string.h>

void hd_call_unsupported(hd_call *c, const char *why) {
  const char *name = c->m->plan->code->funcs.data[c->func].name;
  hd_machine_stop(c->m, c->tid, HD_MACHINE_UNSUPPORTED, "%s: %s", name, why);
}

void hd_return_sign(hd_call *c, int value, bool zero) {
  hd_plan *plan = c->m->plan;
  hd_edge_id edge = hd_thread_edge(c->t);
  hd_return_int(c, value);
  if (!value || plan->vague)
    return;
  if (!plan->signs)
    plan->signs = hd_calloc(plan->code->edges.size, sizeof *plan->signs);
  if (!plan->signs[edge])
    plan->signs[edge] = hd_code_wants_sign(plan->code, edge, zero) ? 1 : 2;
  if (plan->signs[edge] == 2)
    plan->vague = zero ? "more is asked of the result of a function such as "
                         "isdigit than whether it is 0"
                       : "more is asked of the result of a function such as "
                         "strcmp than its sign";
}

/* Models of library functions (models/library) say what they leave out. */
static void refuse_unknown(hd_call *c) {
  const char *name = c->m->plan->code->funcs.data[c->func].name;
  uint64_t length;
  if (strcmp(name, "__heddle_not_modelled") != 0)
    hd_call_unsupported(c, "a function that is neither defined nor known");
  else if (hd_string_length(c, hd_arg(c, 0), 80, &length))
    hd_machine_stop(c->m, c->tid, HD_MACHINE_UNSUPPORTED, "not modelled: %.*s",
                    (int)length,
                    (const char *)hd_ram_bytes(c->m, hd_arg(c, 0), NULL));
}

void hd_set_errno(hd_machine *m, hd_tid tid, int code) {
  uint32_t value = (uint32_t)code;
  hd_ram_write(m, hd_ram_stack_base(m, tid, 0), (uint8_t *)&value, NULL, 4);
}

void hd_return_errno(hd_call *c, int code) {
  hd_set_errno(c->m, c->tid, code);
  hd_return(c, UINT64_MAX);
}

bool hd_put(hd_call *c, uint64_t address, uint32_t size, uint64_t value) {
  if (!hd_ram_store(c->m, c->tid, address, size, false,
                    (hd_machine_value){value, 0}))
    return false;
  if (hd_machine_watched(c->m))
    hd_machine_tell_write(c->m, c->tid, address, size);
  return true;
}

/* Memory that was never set, given to a function that looks at it: true when
 * the run has ended. */
static bool unset_memory(hd_call *c) {
  hd_str text = {0};
  hd_str_printf(&text, "%s uses memory that was never set",
                hd_library_name(c->fn));
  bool ended = hd_machine_undefined(c->m, c->tid, hd_str_text(&text));
  hd_str_free(&text);
  return ended;
}

bool hd_get(hd_call *c, uint64_t address, uint32_t size, uint64_t *value) {
  hd_machine_value read;
  if (!hd_ram_load(c->m, c->tid, address, size, false, &read))
    return false;
  if (hd_symbolic(c->m, read))
    hd_symbolic_need(c->m, HD_NEED_VALUE, (uint8_t)(8 * size), &read);
  *value = read.bits;
  return !read.undef || !unset_memory(c);
}

bool hd_apart(hd_call *c, uint64_t to, uint64_t to_size, uint64_t from,
              uint64_t from_size) {
  if (!to_size || !from_size || from >= to + to_size || to >= from + from_size)
    return true;
  hd_machine_violate(c->m, c->tid, HD_PROPERTY_MEMORY,
                     "%s between blocks that overlap", hd_library_name(c->fn));
  return hd_machine_runs(c->m);
}

bool hd_compare_open(hd_call *c, uint64_t a, uint64_t b, uint64_t most,
                     bool text, int *order) {
  *order = 0;
  for (uint64_t i = 0; i < most; i++) {
    hd_machine_value x, y;
    if (!hd_ram_load(c->m, c->tid, a + i, 1, false, &x) ||
        !hd_ram_load(c->m, c->tid, b + i, 1, false, &y))
      return false;
    if (!hd_symbolic_hooks(c->m)->order(c->m->plan->options->symbols, x, y,
                                        order))
      return !unset_memory(c);
    hd_symbolic_need(c->m, HD_NEED_TRUTH, 8, &x);
    if (*order || (text && !x.bits))
      break;
  }
  return true;
}

static bool bytes_set(hd_call *c, uint64_t address, uint64_t size) {
  if (!size)
    return true;
  const uint8_t *shadow;
  hd_symbolic_pin_bytes(c->m, address, size);
  hd_ram_bytes(c->m, address, &shadow);
  for (uint64_t i = 0; shadow && i < size; i++)
    if (shadow[i])
      return !unset_memory(c);
  return true;
}

bool hd_range(hd_call *c, uint64_t address, uint64_t size, bool write,
              bool defined) {
  return hd_ram_check(c->m, c->tid, address, size, write, false) &&
         (!defined || bytes_set(c, address, size));
}

bool hd_string_length(hd_call *c, uint64_t address, uint64_t most,
                      uint64_t *length) {
  if (!most) {
    *length = 0;
    return true;
  }
  if (!hd_ram_check(c->m, c->tid, address, 1, false, false))
    return false;
  int64_t offset;
  const hd_object *object = hd_ram_find(c->m, address, &offset);
  uint64_t room = object->size - (uint64_t)offset;
  if (c->m->plan->options->symbols && !object->constant) {
    hd_symbolic_pin_string(c->m, address, room < most ? room : most);
    object = hd_ram_find(c->m, address, &offset);
  }
  const uint8_t *bytes = object->block->bytes + offset;
  const uint8_t *end = memchr(bytes, 0, room < most ? room : most);
  if (!end && room < most) /* runs out of the object */
    return hd_ram_check(c->m, c->tid, address, room + 1, false, false);
  *length = end ? (uint64_t)(end - bytes) : most;
  return hd_range(c, address, *length + (end != NULL), false, true);
}

/* --- execution --- */

static void execute(hd_call *c) {
  switch (hd_library_kind_of(c->fn)) {
  case HD_LIBRARY_INPUT:
  case HD_LIBRARY_VERIFY:
  case HD_LIBRARY_ATOMIC:
    hd_lib_verify(c);
    break;
  case HD_LIBRARY_LIBATOMIC:
    hd_lib_libatomic(c);
    break;
  case HD_LIBRARY_THREAD:
    hd_lib_thread(c);
    break;
  case HD_LIBRARY_KEY:
    hd_lib_key(c);
    break;
  case HD_LIBRARY_MUTEX:
  case HD_LIBRARY_SPIN:
    hd_lib_mutex(c);
    break;
  case HD_LIBRARY_RWLOCK:
    hd_lib_rwlock(c);
    break;
  case HD_LIBRARY_COND:
    hd_lib_cond(c);
    break;
  case HD_LIBRARY_BARRIER:
    hd_lib_barrier(c);
    break;
  case HD_LIBRARY_SEM:
    hd_lib_sem(c);
    break;
  case HD_LIBRARY_ONCE:
    hd_lib_once(c);
    break;
  case HD_LIBRARY_CLEANUP:
    hd_lib_cleanup(c);
    break;
  case HD_LIBRARY_JUMP:
    hd_lib_jump(c);
    break;
  case HD_LIBRARY_STACK:
    hd_lib_stack(c);
    break;
  case HD_LIBRARY_ATTR:
    hd_lib_attr(c);
    break;
  case HD_LIBRARY_SLEEP:
    hd_lib_sleep(c);
    break;
  case HD_LIBRARY_HEAP:
    hd_lib_heap(c);
    break;
  case HD_LIBRARY_MEMORY:
    hd_lib_memory(c);
    break;
  case HD_LIBRARY_STRING:
    hd_lib_string(c);
    break;
  case HD_LIBRARY_NUMBER:
    hd_lib_number(c);
    break;
  case HD_LIBRARY_MATH:
    hd_lib_math(c);
    break;
  case HD_LIBRARY_SORT:
    hd_lib_sort(c);
    break;
  case HD_LIBRARY_OUTPUT:
    hd_lib_output(c);
    break;
  case HD_LIBRARY_ENVIRONMENT:
    hd_lib_environment(c);
    break;
  case HD_LIBRARY_EXIT:
    hd_lib_exit(c);
    break;
  case HD_LIBRARY_MPI:
    hd_call_unsupported(c, "MPI is not executed here");
    break;
  case HD_LIBRARY_REFUSED:
    if (c->fn == HD_LIB_pthread_cancel)
      hd_lib_cancel(c);
    else
      hd_call_unsupported(c, "this library function is not supported");
    break;
  case HD_LIBRARY_NONE:
  case HD_LIBRARY_KIND_COUNT:
    refuse_unknown(c);
    break;
  }
}

/* May an argument be undefined? Values that are only passed on may. */
static bool passes_on(const hd_machine *m, hd_library_fn fn, uint32_t i) {
  if (m->timed && hd_library_kind_of(fn) == HD_LIBRARY_OUTPUT)
    return true; /* times are printed */
  switch (fn) {
  case HD_LIB_pthread_create:
  case HD_LIB_thrd_create:
    return i >= 2;
  case HD_LIB_pthread_setspecific:
  case HD_LIB_tss_set:
    return i == 1;
  case HD_LIB_pthread_exit:
  case HD_LIB_thrd_exit:
  case HD_LIB___pthread_register_cancel:
    return true;
  default:
    return false;
  }
}

/* What is printed decides nothing, if nobody looks at how much that was. */
static bool only_shows(const hd_call *c, uint32_t i) {
  int format = hd_library_format_at(c->fn);
  bool prints = hd_library_kind_of(c->fn) == HD_LIBRARY_OUTPUT && format >= 0 &&
                i > (uint32_t)format;
  hd_access a = {0};
  if (!prints || c->edge->n_targets)
    return false;
  hd_lib_access(c->m, c->t, &a);
  return a.local;
}

/* An argument that depends on inputs: what is needed of it. */
static void settle(hd_call *c, uint32_t i, uint8_t width) {
  hd_machine_value *v = &c->args[i];
  bool result = c->fn == HD_LIB_pthread_exit || c->fn == HD_LIB_thrd_exit;
  bool given = (c->fn == HD_LIB_pthread_create && i == 3) ||
               (c->fn == HD_LIB_thrd_create && i == 2);
  hd_action action = hd_library_action(c->fn);
  if (result || given)
    return; /* passed on as it is */
  if (!i && (action == HD_DO_ASSUME || action == HD_DO_ASSERT))
    hd_symbolic_need(c->m, HD_NEED_TRUTH, width, v);
  else if (only_shows(c, i) || action == HD_DO_SEED ||
           hd_library_kind_of(c->fn) == HD_LIBRARY_EXIT)
    hd_symbolic_need(c->m, HD_NEED_NOTHING, width, v);
  else
    hd_symbolic_need(c->m, HD_NEED_VALUE, width, v);
}

static bool evaluate_args(hd_call *c) {
  const hd_code *code = c->m->plan->code;
  bool symbols = c->m->plan->options->symbols;
  for (uint32_t i = 0; i < c->n; i++) {
    hd_cexpr_id id = hd_code_operand(code, c->edge, 1 + i);
    bool passed = passes_on(c->m, c->fn, i);
    if (!hd_eval_or_fail(c->m, c->t, id, !passed && !symbols, &c->args[i]))
      return false;
    if (hd_symbolic(c->m, c->args[i]))
      settle(c, i, code->exprs.data[id].type.width);
    /* what was never set */
    if (symbols && !passed && c->args[i].undef &&
        !hd_eval_or_fail(c->m, c->t, id, true, &c->args[i]))
      return false;
    hd_opaque_pass(c->m->plan->options->opaque, c->args[i].bits);
  }
  return true;
}

void hd_lib_call(hd_machine *m, hd_thread *t, hd_library_fn fn, hd_func_id func,
                 uint64_t choice) {
  if (hd_cancel_acts(t, fn, choice)) {
    hd_cancel_act(m, t);
    return;
  }
  hd_edge_id id = hd_thread_edge(t);
  hd_call c = {.m = m,
               .t = t,
               .tid = t->id,
               .fn = fn,
               .func = func,
               .edge = &m->plan->code->edges.data[id],
               .choice = choice};
  c.n = c.edge->n_operands - 1;
  c.args = c.few;
  if (c.n > HD_CALL_ARGS)
    c.args = hd_calloc(c.n, sizeof *c.args);
  hd_opaque_call(m->plan->options->opaque, fn);
  if (evaluate_args(&c)) {
    execute(&c);
    if (hd_machine_runs(m) && !c.stay)
      hd_thread_finish_call(m, t, &c.result, 1);
  }
  if (c.args != c.few)
    hd_free(c.args);
}

static bool can_be_handler(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_free:
  case HD_LIB_pthread_mutex_unlock:
  case HD_LIB_mtx_unlock:
  case HD_LIB_pthread_spin_unlock:
  case HD_LIB_pthread_rwlock_unlock:
  case HD_LIB_pthread_mutex_destroy:
  case HD_LIB_sem_post:
  case HD_LIB_pthread_cond_broadcast:
  case HD_LIB_puts:
    return true;
  default:
    return false;
  }
}

void hd_lib_invoke(hd_machine *m, hd_thread *t, hd_func_id func,
                   hd_machine_value arg) {
  hd_call c = {.m = m,
               .t = t,
               .tid = t->id,
               .fn = m->plan->funcs[func].library,
               .func = func,
               .edge = &m->plan->code->edges.data[hd_thread_edge(t)],
               .n = 1,
               .few = {arg}};
  c.args = c.few;
  m->hidden = true;
  if (can_be_handler(c.fn))
    execute(&c);
  else
    hd_call_unsupported(&c, "this library function as a handler");
}

/* --- questions --- */

uint32_t hd_lib_args(const hd_machine *m, const hd_thread *t) {
  return m->plan->code->edges.data[t->next].n_operands - 1;
}

bool hd_lib_arg(const hd_machine *m, const hd_thread *t, uint32_t i,
                uint64_t *out) {
  const hd_cedge *edge = &m->plan->code->edges.data[t->next];
  hd_machine_value value;
  hd_trouble trouble;
  if (i + 1 >= edge->n_operands ||
      !hd_eval(m, t, hd_code_operand(m->plan->code, edge, 1 + i), &value,
               &trouble))
    return false;
  *out = value.bits;
  return true;
}

/* Who waits for this condition variable. */
static uint64_t waiting(const hd_machine *m, uint64_t condition) {
  uint64_t n = 0;
  for (size_t i = 0; i < m->threads.size; i++)
    n += m->threads.data[i]->wait == HD_WAIT_COND &&
         m->threads.data[i]->object == condition;
  return n;
}

static bool is_alone(const hd_machine *m, const hd_thread *t) {
  if (m->atomic == t->id)
    return true;
  for (size_t i = 0; i < m->threads.size; i++)
    if (i != t->id && !m->threads.data[i]->ended)
      return false;
  return true;
}

/* Where a copy of so many bytes may be interrupted: choice c > 0 is behind its
 * next 8 c bytes. Long ones are not: there would be too many places. */
static uint64_t pieces(const hd_machine *m, const hd_thread *t, uint32_t arg) {
  uint64_t size;
  if (!hd_lib_arg(m, t, arg, &size) || size <= HD_PIECE ||
      size > HD_PIECES * HD_PIECE || is_alone(m, t))
    return 1;
  return (size - t->done + HD_PIECE - 1) / HD_PIECE;
}

static hd_sync_kind mutex_kind(hd_library_fn fn) {
  return hd_library_kind_of(fn) == HD_LIBRARY_SPIN ? HD_SYNC_SPIN
                                                   : HD_SYNC_MUTEX;
}

/* Is there nothing to wait for? */
static bool could_lock(const hd_machine *m, const hd_thread *t,
                       hd_library_fn fn) {
  uint64_t address;
  if (!hd_lib_arg(m, t, 0, &address))
    return false;
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_RWLOCK:
    return hd_rwlock_is_free(m, address, !hd_library_is(fn, HD_CALL_SHARED));
  case HD_LIBRARY_SEM:
    return hd_sync_peek(m, address, HD_SYNC_SEM).count != 0;
  default: {
    hd_sync sync = hd_sync_peek(m, address, mutex_kind(fn));
    return hd_lock_is_free(&sync, t->id);
  }
  }
}

/* Could a try find the lock as it was before somebody gave it up, who did not tell? */
static bool is_stale(const hd_machine *m, const hd_thread *t,
                     hd_library_fn fn) {
  uint64_t address;
  if (!m->plan->options->stale || !hd_lib_arg(m, t, 0, &address) ||
      !could_lock(m, t, fn))
    return false;
  const bool rw = hd_library_kind_of(fn) == HD_LIBRARY_RWLOCK;
  const uint32_t n = (uint32_t)m->threads.size;
  hd_sync sync = hd_sync_peek(m, address, rw ? HD_SYNC_RWLOCK : mutex_kind(fn));
  return !hd_clock_covers(&t->clock, &sync.clock, n) ||
         (rw && !hd_library_is(fn, HD_CALL_SHARED) &&
          !hd_clock_covers(&t->clock, &sync.readers, n));
}

bool hd_machine_stale(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  hd_library_fn fn = hd_machine_calls(m, tid);
  return fn != HD_LIB_NONE && hd_library_is(fn, HD_CALL_TRIES) &&
         !hd_library_is(fn, HD_CALL_LOOSE) &&
         hd_library_kind_of(fn) != HD_LIBRARY_SEM && is_stale(m, t, fn);
}

static uint64_t call_choices(const hd_machine *m, const hd_thread *t,
                             hd_library_fn fn) {
  uint64_t address;
  if (hd_cancel_may_act(t, fn))
    return 2;
  switch (fn) {
  case HD_LIB_mtx_trylock: /* may fail for no reason (C17 7.26.4.5) */
    return could_lock(m, t, fn) ? 2 : 1;
  case HD_LIB_pthread_mutex_trylock:
  case HD_LIB_pthread_spin_trylock:
  case HD_LIB_pthread_rwlock_tryrdlock:
  case HD_LIB_pthread_rwlock_trywrlock:
    return is_stale(m, t, fn) ? 2 : 1;
  case HD_LIB_pthread_mutex_timedlock:
  case HD_LIB_pthread_mutex_clocklock:
  case HD_LIB_mtx_timedlock:
  case HD_LIB_pthread_rwlock_timedrdlock:
  case HD_LIB_pthread_rwlock_timedwrlock:
  case HD_LIB_sem_timedwait:
  case HD_LIB_sem_clockwait:
    /* Where there is nothing to wait for, POSIX leaves open whether anybody
     * looks at the time. */
    return could_lock(m, t, fn) && hd_time_is_invalid(m, t, fn) ? 2 : 1;
  case HD_LIB_getenv:
    return hd_lib_getenv_choices(m, t);
  case HD_LIB_pthread_create:
  case HD_LIB_thrd_create:
    return 1 + hd_lib_free_ids(m);
  case HD_LIB_pthread_key_create:
  case HD_LIB_tss_create:
    return hd_lib_key_choices(m, t);
  case HD_LIB_memcpy:
  case HD_LIB_memset:
    return pieces(m, t, 2);
  case HD_LIB_pthread_cond_signal:
  case HD_LIB_cnd_signal: {
    uint64_t n = hd_lib_arg(m, t, 0, &address) ? waiting(m, address) : 0;
    return n ? n : 1;
  }
  case HD_LIB_malloc:
  case HD_LIB_calloc:
  case HD_LIB_realloc:
  case HD_LIB_reallocarray:
  case HD_LIB_aligned_alloc:
  case HD_LIB_memalign:
  case HD_LIB_valloc:
  case HD_LIB_posix_memalign:
  case HD_LIB_strdup:
  case HD_LIB_strndup:
    return (m->plan->options->malloc_fails ? 2 : 1) +
           hd_reuse_choices(m, t, fn);
  default:
    return 1;
  }
}

/* The type of the first result. */
static hd_type result_type(const hd_code *code, const hd_cedge *edge) {
  const hd_func *func = &code->funcs.data[code->locs.data[edge->from].func];
  return code->regs.data[func->regs + hd_code_target(code, edge, 0)].type;
}

/* The bounds of an input: its low value, and how many there are minus 1. */
static uint64_t input_span(const hd_machine *m, const hd_thread *t,
                           hd_library_fn fn, int64_t *low, bool *empty) {
  const hd_code *code = m->plan->code;
  const hd_cedge *edge = &code->edges.data[t->next];
  uint8_t width = 32;
  if (edge->n_targets) {
    hd_type type = result_type(code, edge);
    width = type.width;
    *low = 0;
    *empty = false;
    if (type.kind == HD_TYPE_PTR)
      return 1; /* null, or a pointer to nothing that is there */
  } else if (!hd_library_stores_input(fn) &&
             fn != HD_LIB___VERIFIER_nondet_bool && edge->n_operands < 3) {
    *low = 0;
    *empty = false;
    return 0; /* nobody sees it; a bool is a place to stop (api/sample.c) */
  }
  bool is_signed = false;
  *low = 0;
  *empty = false;
  switch (fn) {
  case HD_LIB___VERIFIER_nondet_bool:
  case HD_LIB___VERIFIER_nondet__Bool:
  case HD_LIB_heddle_nondet_bool:
    return 1;
  case HD_LIB___VERIFIER_nondet_pointer:
  case HD_LIB___VERIFIER_nondet_pchar:
    return width == 1; /* is it not null? */
  case HD_LIB_rand:
  case HD_LIB_rand_r:
  case HD_LIB_random:
  case HD_LIB_lrand48:
    return INT32_MAX;
  case HD_LIB_getpid:
    *low = m->pid ? m->pid : 1;
    return m->pid ? 0 : INT16_MAX;
  case HD_LIB_time: /* years that a date has */
    return hd_word_mask((uint8_t)(width < 56 ? width - 1 : 55));
  case HD_LIB_clock:
    return hd_word_mask((uint8_t)(width - 1));
  case HD_LIB___VERIFIER_nondet_char:
  case HD_LIB___VERIFIER_nondet_schar:
  case HD_LIB___VERIFIER_nondet_S8:
  case HD_LIB_heddle_nondet_char:
    width = 8;
    is_signed = true;
    break;
  case HD_LIB___VERIFIER_nondet_uchar:
  case HD_LIB___VERIFIER_nondet_u8:
  case HD_LIB_heddle_nondet_uchar:
    width = 8;
    break;
  case HD_LIB___VERIFIER_nondet_short:
  case HD_LIB_heddle_nondet_short:
    width = 16;
    is_signed = true;
    break;
  case HD_LIB___VERIFIER_nondet_ushort:
  case HD_LIB___VERIFIER_nondet_u16:
  case HD_LIB_heddle_nondet_ushort:
    width = 16;
    break;
  case HD_LIB___VERIFIER_nondet_int:
  case HD_LIB_heddle_nondet_int:
    width = 32;
    is_signed = true;
    break;
  case HD_LIB___VERIFIER_nondet_long:
  case HD_LIB___VERIFIER_nondet_longlong:
  case HD_LIB___VERIFIER_nondet_loff_t:
  case HD_LIB_heddle_nondet_long:
  case HD_LIB_heddle_nondet_longlong:
    is_signed = true;
    break;
  default:
    break;
  }
  uint64_t from, to;
  if (edge->n_operands == 3 && hd_lib_arg(m, t, 0, &from) &&
      hd_lib_arg(m, t, 1, &to)) {
    *low = is_signed ? hd_word_signed(from, width) : (int64_t)from;
    int64_t high = is_signed ? hd_word_signed(to, width) : (int64_t)to;
    *empty = is_signed ? high < *low : (uint64_t)high < (uint64_t)*low;
    return *empty ? 0 : (uint64_t)high - (uint64_t)*low;
  }
  if (is_signed)
    *low = hd_word_signed((uint64_t)1 << (width - 1), width);
  return hd_word_mask(width);
}

bool hd_lib_is_input(const hd_machine *m, const hd_thread *t, int64_t *low) {
  *low = 0;
  hd_library_fn fn = hd_thread_callee(m, t, NULL);
  if (hd_library_kind_of(fn) != HD_LIBRARY_INPUT)
    return false;
  bool empty;
  input_span(m, t, fn, low, &empty);
  return true;
}

bool hd_lib_is_open_input(const hd_machine *m, const hd_thread *t) {
  const hd_cedge *edge = &m->plan->code->edges.data[t->next];
  int64_t low;
  return t->wait == HD_WAIT_NONE && hd_lib_is_input(m, t, &low) &&
         edge->n_targets &&
         result_type(m->plan->code, edge).kind == HD_TYPE_PTR;
}

bool hd_lib_empty_input(const hd_machine *m, const hd_thread *t) {
  int64_t low;
  bool empty;
  input_span(m, t, hd_thread_callee(m, t, NULL), &low, &empty);
  return empty;
}

uint64_t hd_lib_choices(const hd_machine *m, const hd_thread *t) {
  if (t->wait != HD_WAIT_NONE) /* time is over, or nothing happened at all */
    return t->wait == HD_WAIT_COND && t->timed && m->plan->options->spurious
               ? 2
               : 1;
  const hd_cedge *edge = &m->plan->code->edges.data[t->next];
  if (edge->act == HD_CODE_CMPXCHG)
    return edge->weak && m->plan->options->spurious ? 2 : 1;
  if (edge->act != HD_CODE_CALL)
    return 1;
  hd_library_fn fn = hd_thread_callee(m, t, NULL);
  if (hd_library_kind_of(fn) != HD_LIBRARY_INPUT)
    return call_choices(m, t, fn);
  int64_t low;
  bool empty;
  uint64_t span = input_span(m, t, fn, &low, &empty);
  return span == UINT64_MAX ? span : span + 1;
}

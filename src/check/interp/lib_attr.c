/* SPDX-License-Identifier: MIT */
/* Attributes. What matters of one is in an int at its start: whether a thread is
 * detached, the type of a mutex and whether it is robust, whether a read-write
 * lock prefers writers. The rest changes nothing here: it is kept for who asks
 * (models/library/system.c), in four bits each as one more than it is, and in the
 * words behind. */
#include "check/interp/lib.h"
#include "check/interp/symbolic.h"

#include <errno.h>
#include <string.h>

enum { SHARED = 12, OTHER = 16, POLICY = 20, INHERIT = 24, KIND = 28 };
enum { USUAL = 0x11111000 };

static uint32_t attr_size(const hd_call *c) {
  const char *name = hd_library_name(c->fn);
  if (strncmp(name, "pthread_attr", 12) == 0)
    return c->m->plan->wide ? 56 : 36;
  return strncmp(name, "pthread_rwlockattr", 18) == 0 ? 8 : 4;
}

/* The largest value that a function takes for something. */
static uint64_t most(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_pthread_mutexattr_settype:
    return 3;
  case HD_LIB_pthread_rwlockattr_setkind_np:
  case HD_LIB_pthread_mutexattr_setprotocol:
  case HD_LIB_pthread_attr_setschedpolicy:
    return 2;
  case HD_LIB_pthread_attr_setdetachstate:
  case HD_LIB_pthread_attr_setscope:
  case HD_LIB_pthread_attr_setinheritsched:
  case HD_LIB_pthread_mutexattr_setpshared:
  case HD_LIB_pthread_mutexattr_setrobust:
  case HD_LIB_pthread_rwlockattr_setpshared:
  case HD_LIB_pthread_condattr_setpshared:
  case HD_LIB_pthread_condattr_setclock:
  case HD_LIB_pthread_barrierattr_setpshared:
    return 1;
  default:
    return UINT64_MAX;
  }
}

bool hd_attr_read(hd_call *c, uint64_t address, uint64_t *value) {
  hd_machine_value v;
  *value = 0;
  if (!address)
    return true;
  if (!hd_plan_checks(c->m->plan, HD_PROPERTY_SYNC))
    return hd_get(c, address, 4, value);
  if (!hd_ram_load(c->m, c->tid, address, 4, false, &v))
    return false;
  if (hd_symbolic(c->m, v))
    hd_symbolic_need(c->m, HD_NEED_VALUE, 32, &v);
  *value = v.bits;
  if (v.undef)
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_SYNC,
                       "%s of attributes that were never initialised, or were "
                       "destroyed",
                       hd_library_name(c->fn));
  return !v.undef;
}

/* Replaces the bits of `mask`. */
static void set(hd_call *c, uint64_t mask, uint64_t bits) {
  uint64_t old;
  if (hd_attr_read(c, hd_arg(c, 0), &old) &&
      hd_put(c, hd_arg(c, 0), 4, (old & ~mask) | bits))
    hd_return_int(c, 0);
}

static void get(hd_call *c, uint64_t mask) {
  uint64_t value;
  if (hd_attr_read(c, hd_arg(c, 0), &value) &&
      hd_put(c, hd_arg(c, 1), 4, value & mask))
    hd_return_int(c, 0);
}

static void keep(hd_call *c, unsigned part, uint64_t value) {
  set(c, UINT64_C(15) << part, (value + 1) << part);
}

/* In a word behind the start, of a thread's. */
static bool keep_word(hd_call *c, unsigned word, uint64_t value) {
  return hd_put(c, hd_arg(c, 0) + word * hd_word(c->m), hd_word(c->m), value);
}

static void start(hd_call *c) {
  uint64_t attr = hd_arg(c, 0);
  if (!hd_range(c, attr, attr_size(c), true, false))
    return;
  hd_ram_fill(c->m, attr, 0, attr_size(c));
  if (hd_put(c, attr, 4, USUAL) &&
      (c->fn != HD_LIB_pthread_attr_init || keep_word(c, 2, 1)))
    hd_return_int(c, 0);
}

/* Its value is gone, for who asks; glibc leaves it. */
static void end(hd_call *c) {
  uint64_t attr = hd_arg(c, 0), old;
  if (!hd_plan_checks(c->m->plan, HD_PROPERTY_SYNC)) {
    set(c, 0, 0);
    return;
  }
  if (hd_attr_read(c, attr, &old) &&
      hd_ram_store(c->m, c->tid, attr, 4, false,
                   (hd_machine_value){old, hd_word_mask(32)}))
    hd_return_int(c, 0);
}

static bool starts(hd_library_fn fn) {
  const char *name = hd_library_name(fn);
  return strcmp(name + strlen(name) - 5, "_init") == 0;
}

/* Real-time policies have priorities from 1 to 99, the usual one has none. */
static void set_priority(hd_call *c) {
  uint64_t attr, priority;
  if (!hd_attr_read(c, hd_arg(c, 0), &attr) ||
      !hd_get(c, hd_arg(c, 1), 4, &priority))
    return;
  bool real_time = (attr >> POLICY & 15) > 1;
  if (real_time ? priority < 1 || priority > 99 : priority)
    hd_return_int(c, EINVAL);
  else if (keep_word(c, 2, priority + 1))
    set(c, 0, 0);
}

void hd_lib_attr(hd_call *c) {
  enum { PROTECT = 2, STACK_LEAST = 16384 };
  uint64_t value = (uint32_t)hd_arg(c, 1);
  if (!starts(c->fn) && most(c->fn) < value) {
    hd_return_int(c, EINVAL);
    return;
  }
  switch (c->fn) {
  case HD_LIB_pthread_mutexattr_settype:
    set(c, 3, value);
    break;
  case HD_LIB_pthread_mutexattr_setrobust:
    set(c, HD_MUTEX_ROBUST, value ? HD_MUTEX_ROBUST : 0);
    break;
  case HD_LIB_pthread_attr_setdetachstate:
    set(c, 3, value);
    break;
  case HD_LIB_pthread_rwlockattr_setkind_np:
    set(c, 3 | UINT64_C(15) << KIND, value | (value + 1) << KIND);
    break;
  case HD_LIB_pthread_mutexattr_setpshared:
  case HD_LIB_pthread_rwlockattr_setpshared:
  case HD_LIB_pthread_condattr_setpshared:
  case HD_LIB_pthread_barrierattr_setpshared:
    keep(c, SHARED, value);
    break;
  case HD_LIB_pthread_condattr_setclock:
    keep(c, OTHER, value);
    break;
  case HD_LIB_pthread_attr_setscope:
    if (value) /* PTHREAD_SCOPE_PROCESS: glibc has none */
      hd_return_int(c, ENOTSUP);
    else
      keep(c, OTHER, value);
    break;
  case HD_LIB_pthread_attr_setinheritsched:
    keep(c, INHERIT, value);
    break;
  case HD_LIB_pthread_attr_setschedpolicy:
    keep(c, POLICY, value);
    break;
  case HD_LIB_pthread_attr_setschedparam:
    set_priority(c);
    break;
  case HD_LIB_pthread_attr_setguardsize:
    if (keep_word(c, 3, hd_arg(c, 1) + 1))
      set(c, 0, 0);
    break;
  case HD_LIB_pthread_mutexattr_gettype:
  case HD_LIB_pthread_attr_getdetachstate:
    get(c, 3);
    break;
  case HD_LIB_pthread_attr_setstacksize:
    if (hd_arg(c, 1) < STACK_LEAST)
      hd_return_int(c, EINVAL);
    else if (keep_word(c, 1, hd_arg(c, 1)))
      set(c, 0, 0);
    break;
  case HD_LIB_pthread_mutexattr_setprotocol:
    if (value == PROTECT)
      hd_call_unsupported(c, "priorities are not modelled");
    else
      keep(c, OTHER, value);
    break;
  default:
    if (starts(c->fn))
      start(c);
    else if (hd_library_action(c->fn) == HD_DO_ATTR_END)
      end(c);
    else
      set(c, 0, 0);
  }
}

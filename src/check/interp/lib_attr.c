/* SPDX-License-Identifier: MIT */
/* Attributes. What matters of one is in an int at its start: whether a thread is
 * detached, the type of a mutex and whether it is robust, whether a read-write
 * lock prefers writers. Behind it is the size of a stack that was set, which a model
 * reads (models/library/system.c). The rest changes nothing here. */
#include "check/interp/lib.h"
#include "check/interp/symbolic.h"

#include <errno.h>
#include <string.h>

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

static void start(hd_call *c) {
  uint64_t attr = hd_arg(c, 0);
  if (!hd_range(c, attr, attr_size(c), true, false))
    return;
  hd_ram_fill(c->m, attr, 0, attr_size(c));
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
  case HD_LIB_pthread_rwlockattr_setkind_np:
    set(c, 3, value);
    break;
  case HD_LIB_pthread_mutexattr_gettype:
  case HD_LIB_pthread_attr_getdetachstate:
    get(c, 3);
    break;
  case HD_LIB_pthread_attr_setstacksize:
    if (hd_arg(c, 1) < STACK_LEAST)
      hd_return_int(c, EINVAL);
    else if (hd_put(c, hd_arg(c, 0) + hd_word(c->m), hd_word(c->m),
                    hd_arg(c, 1)))
      set(c, 0, 0);
    break;
  case HD_LIB_pthread_mutexattr_setprotocol:
    if (value == PROTECT)
      hd_call_unsupported(c, "priorities are not modelled");
    else
      set(c, 0, 0);
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

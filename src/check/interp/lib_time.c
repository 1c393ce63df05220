/* SPDX-License-Identifier: MIT */
/* Time. Where everything that C leaves open must stay open (`exact`), what a clock
 * says is not known and decides nothing. Elsewhere it goes on whenever somebody
 * looks: sometimes not at all, sometimes by seconds, since nobody promises that a
 * thread is not kept from running that long. Calls that wait for a while read how
 * long, and say so when that is no time at all. */
#include "check/interp/lib.h"
#include "check/interp/symbolic.h"

#include "base/hash.h"
#include "check/interp/locks.h"
#include "check/interp/sync.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define SECOND 1000000000

int hd_time_arg(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_nanosleep:
  case HD_LIB_thrd_sleep:
    return 0;
  case HD_LIB_pthread_mutex_timedlock:
  case HD_LIB_mtx_timedlock:
  case HD_LIB_pthread_rwlock_timedrdlock:
  case HD_LIB_pthread_rwlock_timedwrlock:
  case HD_LIB_sem_timedwait:
    return 1;
  case HD_LIB_pthread_mutex_clocklock:
  case HD_LIB_sem_clockwait:
  case HD_LIB_pthread_cond_timedwait:
  case HD_LIB_cnd_timedwait:
  case HD_LIB_clock_nanosleep:
    return 2;
  case HD_LIB_pthread_cond_clockwait:
    return 3;
  default:
    return -1;
  }
}

/* The argument that says which clock, -1 = none. */
static int clock_arg(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_pthread_mutex_clocklock:
  case HD_LIB_sem_clockwait:
    return 1;
  case HD_LIB_pthread_cond_clockwait:
    return 2;
  default:
    return -1;
  }
}

static bool is_clock(uint64_t id) {
  return (uint32_t)id == CLOCK_REALTIME || (uint32_t)id == CLOCK_MONOTONIC;
}

static bool is_fraction(const hd_machine *m, uint64_t bits) {
  int64_t part = hd_word_signed(bits, (uint8_t)(8 * hd_word(m)));
  return part >= 0 && part < SECOND;
}

/* What a clock has said is valid; what was made of it by arithmetic need not be
 * (`bits` is what it is when the clock says 0). */
static bool is_told(const hd_machine *m, hd_machine_value part) {
  return m->timed && !part.bits && part.undef;
}

bool hd_time_read(hd_call *c, bool *valid) {
  int clock = clock_arg(c->fn);
  uint32_t word = hd_word(c->m);
  uint64_t place = hd_arg(c, (size_t)hd_time_arg(c->fn));
  hd_machine_value seconds, part;
  if (!hd_ram_load(c->m, c->tid, place, word, false, &seconds) ||
      !hd_ram_load(c->m, c->tid, place + word, word, false, &part))
    return false;
  if (hd_symbolic(c->m, seconds))
    hd_symbolic_need(c->m, HD_NEED_VALUE, (uint8_t)(8 * word), &seconds);
  if (hd_symbolic(c->m, part))
    hd_symbolic_need(c->m, HD_NEED_VALUE, (uint8_t)(8 * word), &part);
  bool unset =
      (seconds.undef && !c->m->timed) || (part.undef && !is_told(c->m, part));
  if (unset && hd_machine_undefined(c->m, c->tid,
                                    "a time that was never set is waited for"))
    return false;
  *valid = is_fraction(c->m, part.bits) &&
           (clock < 0 || is_clock(hd_arg(c, (size_t)clock)));
  if (hd_library_kind_of(c->fn) == HD_LIBRARY_SLEEP && !seconds.undef)
    *valid = *valid && hd_word_signed(seconds.bits, (uint8_t)(8 * word)) >= 0;
  return true;
}

bool hd_time_is_invalid(const hd_machine *m, const hd_thread *t,
                        hd_library_fn fn) {
  int time = hd_time_arg(fn), clock = clock_arg(fn);
  uint32_t word = hd_word(m);
  uint64_t place, id;
  const uint8_t *shadow, *bytes;
  hd_machine_value part = {0, 0};
  if (time < 0 || !hd_lib_arg(m, t, (uint32_t)time, &place) ||
      hd_ram_wrong(m, place, 2 * word, false))
    return false;
  bytes = hd_ram_bytes(m, place + word, &shadow);
  memcpy(&part.bits, bytes, word);
  if (shadow)
    memcpy(&part.undef, shadow, word);
  if (hd_symbolic(m, part))
    hd_symbolic_need(m, HD_NEED_VALUE, (uint8_t)(8 * word), &part);
  return !is_fraction(m, part.bits) ||
         (clock >= 0 && hd_lib_arg(m, t, (uint32_t)clock, &id) &&
          !is_clock(id));
}

/* Nobody interrupts it: there are no signals. */
static void sleep_for(hd_call *c) {
  bool valid;
  if (!hd_time_read(c, &valid))
    return;
  if (valid)
    hd_return_int(c, 0);
  else if (c->fn == HD_LIB_nanosleep)
    hd_return_errno(c, EINVAL);
  else
    hd_return_int(c, c->fn == HD_LIB_thrd_sleep ? -2 : EINVAL);
}

/* What the clock says, in nanoseconds. The same number of looks always finds the same time: runs can be made again. */
static uint64_t look_at_clock(hd_machine *m) {
  static const uint32_t steps[] = {0,       1000,      40000,      2000000,
                                   7000000, 100000000, 1000000000, 3500000000};
  if (m->plan->options->exact)
    return 0;
  size_t step = hd_hash_mix(17, ++m->looks) % (sizeof steps / sizeof *steps);
  m->clock += steps[step];
  return m->clock;
}

void hd_lib_sleep(hd_call *c) {
  uint32_t word = hd_word(c->m);
  switch (c->fn) {
  case HD_LIB_clock_gettime:
  case HD_LIB_timespec_get:
  case HD_LIB_gettimeofday: {
    uint64_t place = hd_arg(c, c->fn == HD_LIB_clock_gettime ? 1 : 0);
    uint64_t time = look_at_clock(c->m);
    bool small = c->fn == HD_LIB_gettimeofday; /* microseconds */
    hd_machine_value now = {1000000 + time / SECOND, 0};
    hd_machine_value rest = {time % SECOND / (small ? 1000 : 1), 0};
    if (c->m->plan->options->exact) {
      c->m->timed = true;
      now.undef = rest.undef = hd_word_mask((uint8_t)(8 * word));
      now.bits = rest.bits = 0;
    }
    if (!hd_ram_store(c->m, c->tid, place, word, false, now) ||
        !hd_ram_store(c->m, c->tid, place + word, word, false, rest))
      return;
    hd_return(c, c->fn == HD_LIB_timespec_get ? hd_arg(c, 1) : 0);
    break;
  }
  case HD_LIB_nanosleep:
  case HD_LIB_clock_nanosleep:
  case HD_LIB_thrd_sleep:
    sleep_for(c);
    break;
  default:
    hd_return_int(c, 0);
  }
}

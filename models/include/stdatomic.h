/* SPDX-License-Identifier: MIT */
/* gcc's functions for atomics take objects that are not _Atomic, and real code
 * relies on it. clang's do, too, when the pointer is cast. */
#include_next <stdatomic.h>

#ifndef HEDDLE_STDATOMIC
#define HEDDLE_STDATOMIC

/* C23 has taken it away, and programs keep it. */
#ifndef ATOMIC_VAR_INIT
#define ATOMIC_VAR_INIT(value) (value)
#endif

/* The comma makes a value of the object: without _Atomic and qualifiers. */
#define __heddle_atomic(p)                                                     \
  ((_Atomic(__typeof__((void)0, *(p))) *)(p))

#undef atomic_init
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_load
#undef atomic_load_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or
#undef atomic_fetch_or_explicit
#undef atomic_fetch_xor
#undef atomic_fetch_xor_explicit
#undef atomic_fetch_and
#undef atomic_fetch_and_explicit

#define atomic_init(p, v) __c11_atomic_init(__heddle_atomic(p), v)
#define atomic_store(p, v)                                                     \
  __c11_atomic_store(__heddle_atomic(p), v, __ATOMIC_SEQ_CST)
#define atomic_store_explicit(p, v, o)                                         \
  __c11_atomic_store(__heddle_atomic(p), v, o)
#define atomic_load(p) __c11_atomic_load(__heddle_atomic(p), __ATOMIC_SEQ_CST)
#define atomic_load_explicit(p, o) __c11_atomic_load(__heddle_atomic(p), o)
#define atomic_exchange(p, v)                                                  \
  __c11_atomic_exchange(__heddle_atomic(p), v, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit(p, v, o)                                      \
  __c11_atomic_exchange(__heddle_atomic(p), v, o)
#define atomic_compare_exchange_strong(p, e, v)                                \
  __c11_atomic_compare_exchange_strong(__heddle_atomic(p), e, v,               \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_strong_explicit(p, e, v, s, f)                 \
  __c11_atomic_compare_exchange_strong(__heddle_atomic(p), e, v, s, f)
#define atomic_compare_exchange_weak(p, e, v)                                  \
  __c11_atomic_compare_exchange_weak(__heddle_atomic(p), e, v,                 \
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak_explicit(p, e, v, s, f)                   \
  __c11_atomic_compare_exchange_weak(__heddle_atomic(p), e, v, s, f)
#define atomic_fetch_add(p, v)                                                 \
  __c11_atomic_fetch_add(__heddle_atomic(p), v, __ATOMIC_SEQ_CST)
#define atomic_fetch_add_explicit(p, v, o)                                     \
  __c11_atomic_fetch_add(__heddle_atomic(p), v, o)
#define atomic_fetch_sub(p, v)                                                 \
  __c11_atomic_fetch_sub(__heddle_atomic(p), v, __ATOMIC_SEQ_CST)
#define atomic_fetch_sub_explicit(p, v, o)                                     \
  __c11_atomic_fetch_sub(__heddle_atomic(p), v, o)
#define atomic_fetch_or(p, v)                                                  \
  __c11_atomic_fetch_or(__heddle_atomic(p), v, __ATOMIC_SEQ_CST)
#define atomic_fetch_or_explicit(p, v, o)                                      \
  __c11_atomic_fetch_or(__heddle_atomic(p), v, o)
#define atomic_fetch_xor(p, v)                                                 \
  __c11_atomic_fetch_xor(__heddle_atomic(p), v, __ATOMIC_SEQ_CST)
#define atomic_fetch_xor_explicit(p, v, o)                                     \
  __c11_atomic_fetch_xor(__heddle_atomic(p), v, o)
#define atomic_fetch_and(p, v)                                                 \
  __c11_atomic_fetch_and(__heddle_atomic(p), v, __ATOMIC_SEQ_CST)
#define atomic_fetch_and_explicit(p, v, o)                                     \
  __c11_atomic_fetch_and(__heddle_atomic(p), v, o)

#endif

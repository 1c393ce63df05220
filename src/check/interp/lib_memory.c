/* SPDX-License-Identifier: MIT */
/* Allocation, blocks of memory, and atomic accesses of any size. */
#include "check/interp/lib.h"

#include "check/interp/clocks.h"
#include "check/interp/heap.h"
#include "check/interp/symbolic.h"
#include "model/sign.h"

#include <errno.h>
#include <string.h>

/* --- allocation --- */

static void no_memory(hd_call *c);

/* More than there are addresses is never there. */
static bool is_too_much(const hd_machine *m, uint64_t size) {
  return size > (m->plan->wide ? (uint64_t)1 << 47 : INT32_MAX);
}

/* 0 when it failed: the call has its result then, or the run has ended. */
static uint64_t allocate(hd_call *c, uint64_t size, uint32_t align, bool zero) {
  if (is_too_much(c->m, size)) {
    no_memory(c);
    return 0;
  }
  uint64_t again =
      hd_reuse_chosen(c, c->m->plan->options->malloc_fails ? 2 : 1);
  if (again)
    return hd_ram_reuse(c->m, c->tid, again, hd_thread_edge(c->t), size, zero);
  return hd_ram_push(c->m, c->tid, HD_OBJECT_HEAP, hd_thread_edge(c->t), size,
                     align, zero);
}

/* The object free or realloc is given; NULL after a violation. */
static hd_object *heap_object(hd_call *c, uint64_t address) {
  int64_t offset;
  hd_object *object = hd_ram_own(c->m, address, &offset);
  const char *wrong = NULL;
  if (!object)
    wrong = "there is no object (any more)";
  else if (object->kind != HD_OBJECT_HEAP)
    wrong = "it was not allocated by malloc";
  else if (object->freed)
    wrong = "it has been freed already";
  else if (offset)
    wrong = "not the start of an allocated object";
  if (!wrong)
    return object;
  hd_str place = {0};
  hd_machine_print_address(&place, c->m, address, 1);
  hd_machine_violate(c->m, c->tid, HD_PROPERTY_MEMORY, "%s of %s: %s",
                     hd_library_name(c->fn), hd_str_text(&place), wrong);
  hd_str_free(&place);
  return NULL;
}

static void release(hd_call *c, uint64_t address) {
  if (!address)
    return;
  hd_object *object = heap_object(c, address);
  if (!object)
    return;
  /* Freeing is a write to all of it: whoever else uses it at the same time
   * races with it. */
  if (c->m->plan->options->clocks)
    hd_clock_access(c->m, c->tid, address, object->size, true, false);
  hd_reuse_freed(c->m, object);
  hd_ram_free(c->m, object);
}

/* In place: the first `keep` bytes stay. */
static uint64_t resize(hd_call *c, uint64_t old, uint64_t size, uint64_t keep) {
  uint8_t *bytes = hd_alloc(keep + 1), *undef = hd_calloc(keep + 1, 1);
  const uint8_t *shadow, *from = hd_ram_bytes(c->m, old, &shadow);
  memcpy(bytes, from, keep);
  if (shadow)
    memcpy(undef, shadow, keep);
  release(c, old);
  uint64_t fresh =
      hd_ram_reuse(c->m, c->tid, old, hd_thread_edge(c->t), size, false);
  if (fresh)
    hd_ram_write(c->m, fresh, bytes, undef, keep);
  hd_free(bytes);
  hd_free(undef);
  return fresh;
}

static void reallocate(hd_call *c, uint64_t old, uint64_t size) {
  if (!old) {
    hd_return(c, allocate(c, size, 16, false));
    return;
  }
  const hd_object *object = heap_object(c, old);
  if (!object)
    return;
  if (!size) { /* as glibc does it */
    release(c, old);
    hd_return(c, 0);
    return;
  }
  uint64_t keep = object->size < size ? object->size : size;
  hd_heap_cut(c->m, old, keep);
  if (!is_too_much(c->m, size) &&
      hd_reuse_chosen(c, c->m->plan->options->malloc_fails ? 2 : 1) == old) {
    hd_return(c, resize(c, old, size, keep));
    return;
  }
  uint64_t fresh = allocate(c, size, 16, false);
  if (!fresh) {
    c->result = (hd_machine_value){0, 0};
    return;
  }
  const uint8_t *shadow, *bytes = hd_ram_bytes(c->m, old, &shadow);
  hd_ram_write(c->m, fresh, bytes, shadow, keep);
  release(c, old);
  hd_return(c, fresh);
}

static bool product(uint64_t a, uint64_t b, uint64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

/* malloc has failed. */
static void no_memory(hd_call *c) {
  if (c->fn == HD_LIB_posix_memalign) {
    hd_return_int(c, ENOMEM);
    return;
  }
  hd_set_errno(c->m, c->tid, ENOMEM);
  hd_return(c, 0);
}

static void aligned(hd_call *c, uint64_t align, uint64_t size) {
  if (!align || align & (align - 1) || align > UINT32_MAX) {
    hd_set_errno(c->m, c->tid, EINVAL);
    hd_return(c, 0);
    return;
  }
  hd_return(c, allocate(c, size, (uint32_t)align, false));
}

void hd_lib_heap(hd_call *c) {
  uint64_t size;
  if (c->choice == 1 && c->m->plan->options->malloc_fails) {
    no_memory(c);
    return;
  }
  switch (c->fn) {
  case HD_LIB_malloc:
    hd_return(c, allocate(c, hd_arg(c, 0), 16, false));
    break;
  case HD_LIB_calloc:
    if (product(hd_arg(c, 0), hd_arg(c, 1), &size))
      hd_return(c, allocate(c, size, 16, true));
    else
      no_memory(c);
    break;
  case HD_LIB_realloc:
    reallocate(c, hd_arg(c, 0), hd_arg(c, 1));
    break;
  case HD_LIB_reallocarray:
    if (product(hd_arg(c, 1), hd_arg(c, 2), &size))
      reallocate(c, hd_arg(c, 0), size);
    else
      no_memory(c);
    break;
  case HD_LIB_valloc:
    aligned(c, 4096, hd_arg(c, 0));
    break;
  case HD_LIB_aligned_alloc:
  case HD_LIB_memalign:
    aligned(c, hd_arg(c, 0), hd_arg(c, 1));
    break;
  case HD_LIB_posix_memalign: {
    uint64_t align = hd_arg(c, 1);
    if (align < hd_word(c->m) || align & (align - 1)) {
      hd_return_int(c, EINVAL);
      return;
    }
    uint64_t base = allocate(c, hd_arg(c, 2), (uint32_t)align, false);
    if (base && hd_put(c, hd_arg(c, 0), hd_word(c->m), base))
      hd_return_int(c, 0);
    break;
  }
  default:
    release(c, hd_arg(c, 0));
  }
}

/* --- blocks --- */

/* The part of a block that this move is about: of `size` bytes those that are not
 * done yet, or the first of them if others may come in between. */
static uint64_t part(hd_call *c, uint64_t size, uint64_t *from) {
  *from = c->t->done;
  if (c->choice) {
    c->stay = true;
    c->t->done += (uint32_t)(c->choice * HD_PIECE);
    return c->choice * HD_PIECE;
  }
  c->t->done = 0;
  return size - *from;
}

static void copy(hd_call *c) {
  uint64_t to = hd_arg(c, 0), from = hd_arg(c, 1), size = hd_arg(c, 2), begin;
  hd_return(c, c->fn == HD_LIB_mempcpy ? to + size : to);
  if (!size)
    return;
  size = part(c, size, &begin);
  to += begin;
  from += begin;
  if (!hd_range(c, from, size, false, false) ||
      !hd_range(c, to, size, true, false))
    return;
  bool itself = from == to; /* an assignment, perhaps */
  if (c->fn != HD_LIB_memmove && !itself && !hd_apart(c, to, size, from, size))
    return;
  hd_heap_cut(c->m, from, size);
  hd_layout_cut(c->m, from, size);
  const uint8_t *shadow, *bytes = hd_ram_bytes(c->m, from, &shadow);
  hd_ram_write(c->m, to, bytes, shadow, size);
  if (hd_machine_watched(c->m))
    hd_machine_tell_write(c->m, c->tid, to, size);
}

static void compare(hd_call *c) {
  uint64_t a = hd_arg(c, 0), b = hd_arg(c, 1), size = hd_arg(c, 2);
  bool open = c->m->plan->options->symbols;
  int order = 0;
  if (!hd_range(c, a, size, false, !open) ||
      !hd_range(c, b, size, false, !open))
    return;
  if (open) {
    if (hd_compare_open(c, a, b, size, false, &order))
      hd_return_sign(c, order, false);
    return;
  }
  bool placed = false;
  uint32_t word = hd_word(c->m);
  for (uint64_t i = 0; i + word <= size; i += word) {
    uint64_t x = 0, y = 0;
    memcpy(&x, hd_ram_bytes(c->m, a + i, NULL), word);
    memcpy(&y, hd_ram_bytes(c->m, b + i, NULL), word);
    if (x != y) {
      hd_reuse_compared(c->m, x, y);
      hd_heap_computed(c->m, HD_CODE_SUB, x, y, 1); /* which one is less */
      placed = placed || hd_layout_decides(c->m, HD_CODE_ULT, 64, x, y);
    }
  }
  order = size ? memcmp(hd_ram_bytes(c->m, a, NULL),
                        hd_ram_bytes(c->m, b, NULL), size)
               : 0;
  hd_return_sign(c, order < 0 ? -1 : order > 0, false);
  if (placed && !c->m->plan->vague &&
      !hd_code_wants_sign(c->m->plan->code, hd_thread_edge(c->t), true))
    c->m->plan->vague = "memcmp is asked for the order of addresses";
}

static void fill(hd_call *c, uint8_t byte, uint64_t size) {
  uint64_t to = hd_arg(c, 0), begin;
  hd_return(c, to);
  size = part(c, size, &begin);
  to += begin;
  if (!hd_range(c, to, size, true, false))
    return;
  hd_ram_fill(c->m, to, byte, size);
  if (hd_machine_watched(c->m))
    hd_machine_tell_write(c->m, c->tid, to, size);
}

/* Only the bytes up to the one that is found need exist (C11 7.24.5.1). */
static void find(hd_call *c) {
  uint64_t base = hd_arg(c, 0), size = hd_arg(c, 2);
  uint8_t byte = (uint8_t)hd_arg(c, 1);
  hd_return(c, 0);
  if (!size)
    return;
  if (!hd_range(c, base, 1, false, false))
    return;
  int64_t offset;
  const hd_object *object = hd_ram_find(c->m, base, &offset);
  uint64_t room = object->size - (uint64_t)offset;
  hd_symbolic_pin_bytes(c->m, base, room < size ? room : size);
  object = hd_ram_find(c->m, base, &offset);
  const uint8_t *bytes = object->block->bytes + offset;
  if (c->fn == HD_LIB_memrchr) {
    if (!hd_range(c, base, size, false, true))
      return;
    const uint8_t *last = memrchr(bytes, byte, size);
    hd_return(c, last ? base + (uint64_t)(last - bytes) : 0);
    return;
  }
  if (c->fn == HD_LIB_rawmemchr)
    size = UINT64_MAX;
  const uint8_t *hit = memchr(bytes, byte, room < size ? room : size);
  uint64_t looked = hit ? (uint64_t)(hit - bytes) + 1 : size;
  if (hd_range(c, base, looked, false, true))
    hd_return(c, hit ? base + looked - 1 : 0);
}

void hd_lib_memory(hd_call *c) {
  switch (c->fn) {
  case HD_LIB_memcpy:
  case HD_LIB_mempcpy:
  case HD_LIB_memmove:
    copy(c);
    break;
  case HD_LIB_memset:
    fill(c, (uint8_t)hd_arg(c, 1), hd_arg(c, 2));
    break;
  case HD_LIB_bzero:
  case HD_LIB_explicit_bzero:
    fill(c, 0, hd_arg(c, 1));
    break;
  case HD_LIB_memcmp:
  case HD_LIB_bcmp:
    compare(c);
    break;
  default:
    find(c);
  }
}

/* --- atomic accesses of any size: (size, object, …, order) --- */

static bool atomic_range(hd_call *c, uint64_t address, uint64_t size,
                         bool write, bool atomic) {
  return hd_ram_check(c->m, c->tid, address, size, write, atomic);
}

/* Copies between checked ranges. */
static void move(hd_call *c, uint64_t to, uint64_t from, uint64_t size) {
  hd_heap_cut(c->m, from, size);
  const uint8_t *shadow, *bytes = hd_ram_bytes(c->m, from, &shadow);
  hd_ram_write(c->m, to, bytes, shadow, size);
}

static hd_order order_of(uint64_t c_order) {
  static const hd_order orders[] = {HD_ORDER_RELAXED, HD_ORDER_ACQUIRE,
                                    HD_ORDER_ACQUIRE, HD_ORDER_RELEASE,
                                    HD_ORDER_ACQ_REL, HD_ORDER_SEQ_CST};
  return c_order < 6 ? orders[c_order] : HD_ORDER_SEQ_CST;
}

static void exchange(hd_call *c, uint64_t size, uint64_t object) {
  uint64_t fresh = hd_arg(c, 2), old = hd_arg(c, 3);
  if (!atomic_range(c, object, size, true, true) ||
      !atomic_range(c, fresh, size, false, false) ||
      !atomic_range(c, old, size, true, false))
    return;
  hd_symbolic_pin_bytes(c->m, fresh, size);
  /* `fresh` and `old` may be the same place. */
  uint8_t *kept = hd_alloc(size ? size : 1);
  hd_heap_cut(c->m, fresh, size);
  memcpy(kept, hd_ram_bytes(c->m, fresh, NULL), size);
  move(c, old, object, size);
  hd_ram_write(c->m, object, kept, NULL, size);
  hd_free(kept);
  hd_clock_atomic(c->m, c->tid, object, order_of(hd_arg(c, 4)), true, true);
}

static void compare_exchange(hd_call *c, uint64_t size, uint64_t object) {
  uint64_t expected = hd_arg(c, 2), fresh = hd_arg(c, 3);
  if (!atomic_range(c, object, size, true, true) ||
      !atomic_range(c, expected, size, true, false) ||
      !atomic_range(c, fresh, size, false, false))
    return;
  hd_symbolic_pin_bytes(c->m, object, size);
  hd_symbolic_pin_bytes(c->m, expected, size);
  bool equal = memcmp(hd_ram_bytes(c->m, object, NULL),
                      hd_ram_bytes(c->m, expected, NULL), size) == 0;
  uint64_t x = 0, y = 0;
  memcpy(&x, hd_ram_bytes(c->m, object, NULL), size < 8 ? size : 8);
  memcpy(&y, hd_ram_bytes(c->m, expected, NULL), size < 8 ? size : 8);
  if (x != y)
    hd_reuse_compared(c->m, x, y);
  if (equal)
    move(c, object, fresh, size);
  else
    move(c, expected, object, size);
  hd_clock_atomic(c->m, c->tid, object, order_of(hd_arg(c, 4)), true, equal);
  hd_return(c, equal);
}

void hd_lib_libatomic(hd_call *c) {
  uint64_t size = hd_arg(c, 0), object = hd_arg(c, 1), other = hd_arg(c, 2);
  switch (c->fn) {
  case HD_LIB___atomic_load:
    if (!atomic_range(c, object, size, false, true) ||
        !atomic_range(c, other, size, true, false))
      return;
    move(c, other, object, size);
    hd_clock_atomic(c->m, c->tid, object, order_of(hd_arg(c, 3)), true, false);
    break;
  case HD_LIB___atomic_store:
    if (!atomic_range(c, object, size, true, true) ||
        !atomic_range(c, other, size, false, false))
      return;
    move(c, object, other, size);
    hd_clock_atomic(c->m, c->tid, object, order_of(hd_arg(c, 3)), false, true);
    break;
  case HD_LIB___atomic_exchange:
    exchange(c, size, object);
    break;
  case HD_LIB___atomic_compare_exchange:
    compare_exchange(c, size, object);
    break;
  default: /* __atomic_is_lock_free */
    hd_return_int(c, size <= 8);
  }
}

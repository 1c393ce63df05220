/* SPDX-License-Identifier: MIT */
/* The stack and variable arguments, as clang's code expects them.
 *
 * x86-64: a va_list is {gp_offset, fp_offset, overflow area, register area}. All
 * arguments are in the overflow area, 8 bytes each; offsets past the end of the
 * register area (48, 176) say so. i386: a va_list is a pointer to them, 4 bytes
 * each or 8. */
#include "check/interp/lib.h"

enum { GP_END = 48, FP_END = 176, LIST_SIZE = 24, OVERFLOW_AT = 8 };

/* The innermost frame of a function with `...` that is running: the top. */
static void va_start(hd_call *c) {
  const hd_frame *frame = hd_thread_top(c->t);
  uint64_t list = hd_arg(c, 0);
  if (!c->m->plan->code->funcs.data[frame->func].variadic) {
    hd_call_unsupported(c, "in a function without variable arguments");
    return;
  }
  uint64_t args = frame->data;
  if (!c->m->plan->wide) {
    (void)!hd_put(c, list, 4, args);
    return;
  }
  (void)!(hd_put(c, list, 4, GP_END) && hd_put(c, list + 4, 4, FP_END) &&
          hd_put(c, list + OVERFLOW_AT, 8, args) &&
          hd_put(c, list + OVERFLOW_AT + 8, 8, 0));
}

bool hd_va_arg(hd_call *c, uint64_t *list, uint32_t size, uint64_t *value) {
  uint32_t word = hd_word(c->m), step = size > word ? size : word;
  if (!c->m->plan->wide) {
    *list += step;
    return hd_get(c, *list - step, size, value);
  }
  uint64_t place = *list + OVERFLOW_AT, at;
  return hd_get(c, place, 8, &at) && hd_get(c, at, size, value) &&
         hd_put(c, place, 8, at + step);
}

static void va_copy(hd_call *c) {
  uint64_t size = c->m->plan->wide ? LIST_SIZE : 4;
  uint64_t to = hd_arg(c, 0), from = hd_arg(c, 1);
  if (!hd_range(c, from, size, false, false) ||
      !hd_range(c, to, size, true, false))
    return;
  const uint8_t *shadow, *bytes = hd_ram_bytes(c->m, from, &shadow);
  hd_ram_write(c->m, to, bytes, shadow, size);
}

void hd_lib_stack(hd_call *c) {
  size_t count = c->m->stacks.data[c->tid]->objects.size;
  switch (c->fn) {
  case HD_LIB_llvm_stacksave:
    hd_return(c, count);
    break;
  case HD_LIB_llvm_stackrestore:
    if (hd_arg(c, 0) > count || hd_arg(c, 0) < hd_thread_top(c->t)->objects)
      hd_call_unsupported(c, "to a place that was not saved");
    else
      hd_ram_pop(c->m, c->tid, hd_arg(c, 0));
    break;
  case HD_LIB_llvm_lifetime_start:
  case HD_LIB_llvm_lifetime_end:
    hd_ram_lifetime(c->m, c->tid, hd_arg(c, 0),
                    c->fn == HD_LIB_llvm_lifetime_start);
    break;
  case HD_LIB_llvm_va_start:
    va_start(c);
    break;
  case HD_LIB_llvm_va_copy:
    va_copy(c);
    break;
  default: /* va_end */
    break;
  }
}

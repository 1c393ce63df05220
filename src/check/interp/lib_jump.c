/* SPDX-License-Identifier: MIT */
/* setjmp and longjmp, in random runs: what is live where a thread comes back is not
 * what the graph says, so a search of all states (`exact`) refuses the jump.
 *
 * A jmp_buf has the address of an object of the function that called setjmp, which
 * says where that call is; it ends with the function, and a jump to it is an error
 * from then on. Variables have the values that they have when the jump is made. */
#include "check/interp/lib.h"

#include "check/interp/clocks.h"

#include <string.h>

enum { MARK = 4 }; /* bytes of the number of an edge */

/* The object of a jmp_buf, if it is one of this frame or of any (`frame` NULL). */
static const hd_object *find_mark(const hd_call *c, uint64_t address,
                                  const hd_frame *frame) {
  int64_t offset;
  const hd_objects *stack = c->m->stacks.data[c->tid];
  const hd_object *object = hd_ram_find(c->m, address, &offset);
  if (!object || offset || object->size != MARK ||
      object->kind != HD_OBJECT_ALLOCA || object < stack->objects.data ||
      object >= stack->objects.data + stack->objects.size)
    return NULL;
  return !frame || object - stack->objects.data >= frame->objects ? object
                                                                  : NULL;
}

static void set_jump(hd_call *c) {
  uint64_t buffer = hd_arg(c, 0), mark = 0;
  const uint32_t word = hd_word(c->m);
  hd_return_int(c, 0);
  if (!hd_range(c, buffer, word, true, false))
    return;
  if (c->m->plan->options->exact) { /* nobody will come back */
    (void)!hd_put(c, buffer, word, 1);
    return;
  }
  /* The same place again: in a loop. */
  const uint8_t *shadow, *bytes = hd_ram_bytes(c->m, buffer, &shadow);
  memcpy(&mark, bytes, word);
  if (!find_mark(c, mark, hd_thread_top(c->t)))
    mark = hd_ram_push(c->m, c->tid, HD_OBJECT_ALLOCA, hd_thread_edge(c->t),
                       MARK, MARK, false);
  hd_edge_id edge = hd_thread_edge(c->t);
  if (!mark)
    return;
  hd_ram_write(c->m, mark, (const uint8_t *)&edge, NULL, MARK);
  (void)!hd_put(c, buffer, word, mark);
}

/* Of the function that has the object. */
static size_t frame_of(const hd_call *c, const hd_object *mark) {
  size_t at = (size_t)(mark - c->m->stacks.data[c->tid]->objects.data);
  size_t i = c->t->frames.size;
  while (i > 1 && c->t->frames.data[i - 1].objects > at)
    i--;
  return i - 1;
}

static bool leaves_library(const hd_call *c, size_t frame) {
  for (size_t i = frame + 1; i < c->t->frames.size; i++)
    if (c->t->frames.data[i].kind != HD_FRAME_PLAIN)
      return true;
  return false;
}

static void jump(hd_call *c) {
  uint64_t address, value = hd_arg(c, 1) & UINT32_MAX;
  if (c->m->plan->options->exact) {
    hd_call_unsupported(c, "jumps are looked at in random runs only");
    return;
  }
  if (!hd_get(c, hd_arg(c, 0), hd_word(c->m), &address))
    return;
  const hd_object *mark = find_mark(c, address, NULL);
  if (!mark) {
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_MEMORY,
                       "%s to a place that setjmp has not marked, or in a "
                       "function that has returned",
                       hd_library_name(c->fn));
    return;
  }
  size_t frame = frame_of(c, mark);
  if (leaves_library(c, frame)) {
    hd_call_unsupported(c, "out of a function that the library has called");
    return;
  }
  const uint8_t *shadow, *bytes = hd_ram_bytes(c->m, address, &shadow);
  hd_edge_id edge;
  memcpy(&edge, bytes, MARK);
  hd_thread_leave_to(c->m, c->t, frame + 1);
  hd_thread_top(c->t)->edge = edge;
  hd_machine_value result = {value ? value : 1, 0};
  hd_thread_finish_call(c->m, c->t, &result, 1);
  c->stay = true;
}

void hd_lib_jump(hd_call *c) {
  if (hd_library_gives(c->fn) == HD_GIVES_NEVER)
    jump(c);
  else
    set_jump(c);
}

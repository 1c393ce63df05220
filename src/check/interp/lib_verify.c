/* SPDX-License-Identifier: MIT */
/* Inputs, assumptions, assertions, atomic sections, and the end of the program. */
#include "check/interp/lib.h"
#include "check/interp/symbolic.h"

#include <string.h>

/* A string of the program for a message; "?" when it is none. */
static char *text_of(const hd_machine *m, uint64_t address) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  if (!object || !object->block || offset < 0 ||
      (uint64_t)offset >= object->size)
    return hd_strdup("?");
  const char *bytes = (const char *)object->block->bytes + offset;
  return hd_strndup(bytes, strnlen(bytes, object->size - (uint64_t)offset));
}

static void failed(hd_call *c, const char *text) {
  if (hd_plan_checks(c->m->plan, HD_PROPERTY_ASSERT)) {
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_ASSERT, "%s", text);
    return;
  }
  c->m->exit_code = 134;
  c->m->status = HD_MACHINE_EXITED;
}

static void assert_failed(hd_call *c, size_t expression) {
  char *text = text_of(c->m, hd_arg(c, expression));
  hd_str message = {0};
  hd_str_printf(&message, "assertion '%s' fails", text);
  failed(c, hd_str_text(&message));
  hd_str_free(&message);
  hd_free(text);
}

/* Does not return, checked or not: SV-COMP's rules. */
static void called(hd_call *c) {
  hd_str message = {0};
  hd_str_printf(&message, "%s is called", hd_library_name(c->fn));
  failed(c, hd_str_text(&message));
  hd_str_free(&message);
}

static bool gives_pointer(const hd_call *c) {
  const hd_code *code = c->m->plan->code;
  const hd_func *func = &code->funcs.data[code->locs.data[c->edge->from].func];
  for (uint32_t i = 0; i < c->edge->n_targets; i++)
    if (code->regs.data[func->regs + hd_code_target(code, c->edge, i)]
            .type.kind == HD_TYPE_PTR)
      return true;
  return false;
}

/* Why an input cannot be had, or NULL. */
static const char *refused(const hd_call *c) {
  if (c->edge->n_targets > 1)
    return "an input of several parts is not supported";
  if (gives_pointer(c) && c->n)
    return "a range of pointers is not supported";
  switch (c->fn) {
  case HD_LIB___VERIFIER_nondet_float:
  case HD_LIB___VERIFIER_nondet_double:
  case HD_LIB_heddle_nondet_float:
  case HD_LIB_heddle_nondet_double:
    return c->n ? "a range of floats is not supported" : NULL;
  default:
    return NULL;
  }
}

static bool is_range(const hd_call *c) {
  return c->n == 2 && !hd_library_stores_input(c->fn);
}

/* The generator of rand and that of random are taken for one. */
static bool draws(hd_library_fn fn) {
  return fn == HD_LIB_rand || fn == HD_LIB_random;
}

static void input(hd_call *c) {
  int64_t low;
  c->t->next = hd_thread_edge(c->t);
  if (refused(c)) {
    hd_call_unsupported(c, refused(c));
    return;
  }
  bool is_input = hd_lib_is_input(c->m, c->t, &low);
  assert(is_input);
  (void)is_input;
  if (is_range(c) && hd_lib_empty_input(c->m, c->t)) {
    c->m->status = HD_MACHINE_ASSUMED; /* no value: not a run */
    return;
  }
  hd_machine_value value = {(uint64_t)low + c->choice, 0};
  bool open = c->m->plan->options->symbols &&
              hd_symbolic_hooks(c->m)->input(c->m, c->t, c->choice, &value);
  if (hd_library_stores_input(c->fn) && hd_arg(c, 0) &&
      !hd_ram_store(c->m, c->tid, hd_arg(c, 0),
                    c->fn == HD_LIB_time ? hd_word(c->m) : 4, false, value))
    return;
  if (c->fn == HD_LIB_getpid)
    c->m->pid = (uint16_t)((uint64_t)low + c->choice);
  if (draws(c->fn))
    hd_lib_note_draw(c->m);
  if (open)
    c->result = value;
  else
    hd_return(c, (uint64_t)low + c->choice);
}

static void assume(hd_call *c) {
  if (!hd_arg(c, 0))
    c->m->status = HD_MACHINE_ASSUMED;
}

void hd_lib_verify(hd_call *c) {
  switch (c->fn) {
  case HD_LIB___VERIFIER_assume:
  case HD_LIB_heddle_assume:
    assume(c);
    break;
  case HD_LIB___VERIFIER_assert:
  case HD_LIB_heddle_assert:
    if (!hd_arg(c, 0))
      failed(c, "the assertion fails");
    break;
  case HD_LIB___VERIFIER_error:
  case HD_LIB_reach_error:
    called(c);
    break;
  case HD_LIB___assert_fail:
  case HD_LIB___assert:
    assert_failed(c, 0);
    break;
  case HD_LIB___assert_rtn:
    assert_failed(c, 3);
    break;
  case HD_LIB___assert_perror_fail:
    failed(c, "assert_perror fails");
    break;
  case HD_LIB___VERIFIER_atomic_begin:
  case HD_LIB_heddle_atomic_begin:
    hd_thread_enter_atomic(c->m, c->t);
    break;
  case HD_LIB___VERIFIER_atomic_end:
  case HD_LIB_heddle_atomic_end:
    if (c->t->atomic)
      hd_thread_leave_atomic(c->m, c->t);
    else
      hd_machine_violate(c->m, c->tid, HD_PROPERTY_SYNC,
                         "%s without an atomic section",
                         hd_library_name(c->fn));
    break;
  default:
    input(c);
  }
}

/* --- end of the program --- */

static void ends(hd_call *c, int code) {
  c->m->exit_code = code & 0xff;
  c->m->status = HD_MACHINE_EXITED;
}

static void at_exit(hd_call *c) {
  hd_pair handler = {hd_arg(c, 0), 0};
  hd_vec_push(&c->m->atexits, handler);
  hd_return_int(c, 0);
}

void hd_lib_exit(hd_call *c) {
  switch (c->fn) {
  case HD_LIB_abort:
    ends(c, 134);
    break;
  case HD_LIB_llvm_trap:
    ends(c, 132);
    break;
  case HD_LIB__exit:
  case HD_LIB__Exit:
  case HD_LIB_quick_exit:
    ends(c, (int)hd_arg_int(c, 0));
    break;
  case HD_LIB_exit:
    c->stay = true;
    hd_thread_exit_all(c->m, c->t, (int)hd_arg_int(c, 0));
    break;
  case HD_LIB_atexit:
    at_exit(c);
    break;
  default:
    hd_call_unsupported(c, "this library function is not supported");
  }
}

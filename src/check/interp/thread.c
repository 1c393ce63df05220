/* SPDX-License-Identifier: MIT */
/* Threads and their frames: entering and leaving functions, and the local
 * actions between two visible ones.
 *
 * A frame's registers are a window of the thread's register stack; its slots are
 * the last objects of the thread's stack region. `edge` of the top frame is the
 * edge that is next (or just executed), of all others the call they wait for.
 * A thread's `next` is the visible edge it stands before.
 *
 * hd_thread_run ends: each local action costs one unit of the move's budget, and
 * when it is used up the machine is DIVERGED. */
#include "check/interp/state.h"

#include "check/interp/clocks.h"
#include "check/interp/eval.h"
#include "check/interp/heap.h"
#include "check/interp/lib.h"
#include "check/interp/locks.h"
#include "check/interp/memory.h"
#include "check/interp/sync.h"
#include "check/interp/symbolic.h"

#include <string.h>

#define MAX_THREADS_LOW 200
#define MAX_DEPTH 100000

static hd_thread *thread_copy(const hd_thread *from) {
  hd_thread *t = hd_alloc(sizeof *t);
  *t = *from;
  t->refs = 1;
#define COPY(field)                                                            \
  do {                                                                         \
    t->field.data = NULL;                                                      \
    t->field.size = t->field.cap = 0;                                          \
    hd_vec_resize(&t->field, from->field.size);                                \
    if (from->field.size)                                                      \
      memcpy(t->field.data, from->field.data,                                  \
             from->field.size * sizeof *t->field.data);                        \
  } while (0)
  COPY(frames);
  COPY(regs);
  COPY(keys);
  COPY(cleanups);
#undef COPY
  t->clock = hd_clock_copy(&from->clock);
  t->fenced = hd_clock_copy(&from->fenced);
  t->seen = hd_clock_copy(&from->seen);
  t->sort = hd_lib_sort_copy(from->sort);
  return t;
}

void hd_thread_drop(hd_thread *t) {
  if (--t->refs)
    return;
  hd_vec_free(&t->frames);
  hd_vec_free(&t->regs);
  hd_vec_free(&t->keys);
  hd_vec_free(&t->cleanups);
  hd_clock_clear(&t->clock);
  hd_clock_clear(&t->fenced);
  hd_clock_clear(&t->seen);
  hd_lib_sort_delete(t->sort);
  hd_free(t);
}

hd_thread *hd_thread_own(hd_machine *m, hd_tid tid) {
  hd_thread *t = m->threads.data[tid];
  if (t->refs == 1)
    return t;
  hd_thread *own = thread_copy(t);
  t->refs--;
  return m->threads.data[tid] = own;
}

/* Thread-local variables: copies of the globals' initial values. */
static void make_locals(hd_machine *m, hd_tid tid) {
  hd_ram_push(m, tid, HD_OBJECT_ERRNO, 0, 4, 4, true);
  for (hd_vec_each(uint32_t, g, &m->plan->tls)) {
    const hd_global *global = &m->plan->code->globals.data[*g];
    uint64_t base = hd_ram_push(m, tid, HD_OBJECT_TLS, *g, global->size,
                                global->align, true);
    const hd_object *initial = &m->globals->objects.data[*g];
    if (base && initial->block)
      hd_ram_write(m, base, initial->block->bytes, NULL, global->size);
  }
}

hd_tid hd_thread_new(hd_machine *m, hd_func_id func,
                     const hd_machine_value *args, size_t n,
                     hd_frame_kind kind) {
  size_t most = m->plan->wide ? HD_RAM_THREADS : MAX_THREADS_LOW;
  hd_tid tid = (hd_tid)m->threads.size;
  if (tid >= most) {
    hd_machine_stop(m, tid - 1, HD_MACHINE_DIVERGED,
                    "the program creates more than %zu threads", most);
    return HD_NO_ID;
  }
  hd_thread *t = hd_calloc(1, sizeof *t);
  t->refs = 1;
  t->id = tid;
  t->handle = (uint64_t)tid + 1;
  t->next = HD_NO_ID;
  t->start = func;
  t->arg = n ? args[0] : (hd_machine_value){0, 0};
  hd_vec_push(&m->threads, t);
  hd_vec_push(&m->stacks, hd_region_new());
  hd_vec_push(&m->heaps, hd_region_new());
  make_locals(m, tid);
  if (!hd_thread_push(m, t, func, args, n, kind))
    return HD_NO_ID;
  return tid;
}

static hd_machine_value fitted(const hd_machine *m, uint8_t width,
                               hd_machine_value v) {
  uint64_t mask = hd_word_mask(width);
  if (hd_symbolic(m, v) && width % 8)
    return hd_symbolic_hooks(m)->fit(m->plan->options->symbols,
                                     (uint8_t)((width + 7) / 8 * 8), width, v);
  return (hd_machine_value){v.bits & mask, v.undef & mask};
}

bool hd_thread_push(hd_machine *m, hd_thread *t, hd_func_id f,
                    const hd_machine_value *args, size_t n,
                    hd_frame_kind kind) {
  const hd_func *func = &m->plan->code->funcs.data[f];
  assert(func->defined);
  if (t->frames.size >= MAX_DEPTH) {
    hd_machine_stop(m, t->id, HD_MACHINE_DIVERGED,
                    "more than %d calls inside each other", MAX_DEPTH);
    return false;
  }
  hd_frame frame = {.func = f,
                    .edge = HD_NO_ID,
                    .loc = func->entry,
                    .regs = (uint32_t)t->regs.size,
                    .objects = (uint32_t)m->stacks.data[t->id]->objects.size,
                    .kind = (uint8_t)kind,
                    .atomic = m->plan->funcs[f].atomic};
  hd_vec_resize(&t->regs, t->regs.size + func->n_regs);
  hd_machine_value *regs = func->n_regs ? t->regs.data + frame.regs : NULL;
  for (uint32_t i = 0; i < func->n_regs; i++) {
    uint64_t mask =
        hd_word_mask(m->plan->code->regs.data[func->regs + i].type.width);
    regs[i] =
        i < n && i < func->n_params
            ? fitted(m, m->plan->code->regs.data[func->regs + i].type.width,
                     args[i])
            : (hd_machine_value){0, mask};
  }
  hd_vec_push(&t->frames, frame);
  for (uint32_t i = 0; i < func->n_slots; i++) {
    const hd_slot *slot = &m->plan->code->slots.data[func->slots + i];
    if (!hd_ram_push(m, t->id, HD_OBJECT_SLOT, func->slots + i, slot->size,
                     slot->align, false))
      return false;
  }
  return true;
}

/* Leaves the top frame. */
static void pop(hd_machine *m, hd_thread *t) {
  hd_frame *frame = hd_thread_top(t);
  hd_ram_pop(m, t->id, frame->objects);
  t->regs.size = frame->regs;
  t->frames.size--;
}

void hd_thread_leave_to(hd_machine *m, hd_thread *t, size_t frames) {
  assert(frames && frames <= t->frames.size);
  while (t->frames.size > frames) {
    assert(hd_thread_top(t)->kind == HD_FRAME_PLAIN);
    if (hd_thread_top(t)->atomic)
      hd_thread_leave_atomic(m, t);
    pop(m, t);
  }
}

void hd_thread_finish_call(hd_machine *m, hd_thread *t,
                           const hd_machine_value *values, size_t n) {
  hd_frame *frame = hd_thread_top(t);
  const hd_code *code = m->plan->code;
  const hd_cedge *edge = &code->edges.data[frame->edge];
  const hd_func *func = &code->funcs.data[frame->func];
  for (uint32_t i = 0; i < edge->n_targets; i++) {
    hd_reg_id reg = hd_code_target(code, edge, i);
    uint8_t width = code->regs.data[func->regs + reg].type.width;
    t->regs.data[frame->regs + reg] =
        i < n ? fitted(m, width, values[i])
              : (hd_machine_value){0, hd_word_mask(width)};
    if (hd_machine_narrated(m))
      hd_machine_tell_set(m, t, reg);
  }
  frame->loc = edge->to;
}

/* Atomic sections are ordered with each other, as if one lock were held. */
static hd_clock *sections(hd_machine *m) {
  return &hd_sync_own(m, 0, HD_SYNC_ATOMIC)->clock;
}

void hd_thread_enter_atomic(hd_machine *m, hd_thread *t) {
  if (!t->atomic++ && m->plan->options->clocks)
    hd_clock_acquire(m, t->id, sections(m));
  m->atomic = t->id;
}

/* Back to another thread that is in the middle of one: it was blocked. */
void hd_thread_leave_atomic(hd_machine *m, hd_thread *t) {
  assert(t->atomic);
  if (--t->atomic)
    return;
  if (m->plan->options->clocks)
    hd_clock_release(m, t->id, sections(m), false);
  m->atomic = HD_NO_ID;
  for (hd_tid i = 0; i < m->threads.size; i++)
    if (hd_thread_of(m, i)->atomic)
      m->atomic = i;
}

void hd_thread_exit_all(hd_machine *m, hd_thread *t, int code) {
  if (!t->exiting) {
    t->exiting = true;
    m->exit_code = code & 0xff;
  }
  while (m->atexits.size && hd_machine_runs(m)) {
    hd_pair handler = hd_vec_pop(&m->atexits);
    m->hidden = true;
    hd_func_id func = hd_ram_func_at(m, handler.key);
    if (func == HD_NO_ID) {
      hd_machine_violate(m, t->id, HD_PROPERTY_MEMORY,
                         "a handler is to be called that is no function");
    } else if (m->plan->code->funcs.data[func].defined) {
      hd_thread_push(m, t, func, NULL, 0, HD_FRAME_ATEXIT);
      return;
    } else {
      hd_lib_invoke(m, t, func, (hd_machine_value){0, 0});
    }
  }
  if (!hd_machine_runs(m))
    return;
  hd_machine_find_leaks(m, t->id);
  m->status = HD_MACHINE_EXITED;
}

static bool is_alone(const hd_machine *m, const hd_thread *t) {
  for (hd_tid i = 0; i < m->threads.size; i++)
    if (i != t->id && !hd_thread_of(m, i)->ended)
      return false;
  return true;
}

/* The last thread has ended, after main called pthread_exit: as if it called exit(0).
 * All others have ended before. */
static void exit_last(hd_machine *m, hd_thread *t) {
  for (hd_tid i = 0; i < m->threads.size && m->plan->options->clocks; i++)
    if (i != t->id)
      hd_clock_join(m, t->id, i);
  hd_thread_exit_all(m, t, 0);
}

hd_machine_value hd_thread_result(hd_machine *m, hd_cexpr_id from,
                                  hd_machine_value v) {
  uint8_t width = m->plan->code->exprs.data[from].type.width;
  if (width >= m->plan->code->pointer_width)
    return v;
  if (hd_symbolic(m, v))
    hd_symbolic_need(m, HD_NEED_VALUE, width, &v);
  return (hd_machine_value){(uint64_t)hd_word_signed(v.bits, width),
                            (uint64_t)hd_word_signed(v.undef, width)};
}

void hd_thread_exit(hd_machine *m, hd_thread *t, hd_machine_value result) {
  t->result = result;
  hd_heap_publish(m, result.bits); /* to whoever joins it */
  if (hd_lib_thread_ends(m, t) || !hd_machine_runs(m))
    return;
  while (t->frames.size)
    pop(m, t);
  if (m->atexits.size && is_alone(m, t)) {
    exit_last(m, t);
    return;
  }
  hd_ram_pop(m, t->id, 0);
  t->ended = true;
  t->next = HD_NO_ID;
  hd_locks_leave(m, t->id);
  while (t->atomic)
    hd_thread_leave_atomic(m, t);
  hd_machine_tell(m, HD_EVENT_EXIT, t->id, HD_NO_ID, 0, NULL);
  if (!is_alone(m, t))
    return;
  hd_machine_find_leaks(m, t->id);
  m->status = HD_MACHINE_EXITED;
}

/* A pointer to a variable of the function that returns it. */
static void forget_own(hd_machine *m, const hd_thread *t,
                       hd_machine_value *value) {
  int64_t offset;
  if (value->undef)
    return;
  const hd_object *object = hd_ram_find(m, value->bits, &offset);
  const hd_objects *stack = m->stacks.data[t->id];
  if (object &&
      object >=
          stack->objects.data + t->frames.data[t->frames.size - 1].objects &&
      object < stack->objects.data + stack->objects.size)
    value->bits = hd_ram_dead(m->plan, value->bits);
}

/* main returns: its variables end, then the handlers run, then all is over. Its
 * frame stays. Where somebody may know a variable and still run, that is seen in
 * between: main stands before its return once more. */
static void leave_main(hd_machine *m, hd_thread *t, int code) {
  bool kept = !t->exiting && hd_ram_leave(m, t->id, t->frames.data[0].objects);
  if (kept && !is_alone(m, t)) {
    t->exiting = true;
    m->exit_code = code & 0xff;
    return;
  }
  hd_thread_exit_all(m, t, code);
}

void hd_thread_return(hd_machine *m, hd_thread *t, const hd_cedge *edge) {
  const hd_code *code = m->plan->code;
  hd_machine_value few[4] = {{0, 0}}, *values = few;
  if (edge->n_operands > 4)
    values = hd_calloc(edge->n_operands, sizeof *values);
  bool ok = true;
  for (uint32_t i = 0; ok && i < edge->n_operands; i++)
    ok = hd_eval_or_fail(m, t, hd_code_operand(code, edge, i), false,
                         &values[i]);
  if (ok) {
    hd_frame frame = *hd_thread_top(t);
    if (frame.atomic)
      hd_thread_leave_atomic(m, t);
    for (uint32_t i = 0; frame.kind == HD_FRAME_PLAIN && i < edge->n_operands;
         i++)
      forget_own(m, t, &values[i]);
    switch ((hd_frame_kind)frame.kind) {
    case HD_FRAME_PLAIN:
      pop(m, t);
      hd_thread_finish_call(m, t, values, edge->n_operands);
      break;
    case HD_FRAME_MAIN:
      if (hd_symbolic(m, values[0]))
        hd_symbolic_need(m, HD_NEED_NOTHING, 32, &values[0]);
      if (values[0].undef && !m->timed &&
          hd_plan_checks(m->plan, HD_PROPERTY_UNINIT))
        hd_machine_violate(m, t->id, HD_PROPERTY_UNINIT,
                           "main returns a value that was never set");
      if (hd_machine_runs(m))
        leave_main(m, t, edge->n_operands ? (int)values[0].bits : 0);
      break;
    case HD_FRAME_THREAD: /* its variables end before destructors run */
      t->result = edge->n_operands
                      ? hd_thread_result(m, code->operands.data[edge->operands],
                                         values[0])
                      : (hd_machine_value){0, 0};
      pop(m, t);
      hd_thread_exit(m, t, t->result);
      break;
    case HD_FRAME_ATEXIT:
      pop(m, t);
      hd_thread_exit_all(m, t, 0);
      break;
    case HD_FRAME_ONCE:
      pop(m, t);
      hd_lib_once_done(m, t, frame.data);
      break;
    case HD_FRAME_KEY:
      pop(m, t);
      hd_thread_exit(m, t, t->result);
      break;
    case HD_FRAME_CLEANUP:
      pop(m, t);
      hd_thread_finish_call(m, t, NULL, 0);
      break;
    case HD_FRAME_SORT:
      pop(m, t);
      hd_lib_sort_next(m, t, values[0]);
      break;
    case HD_FRAME_HOST:
      pop(m, t); /* it stands before the host's call again */
      break;
    }
  }
  if (values != few)
    hd_free(values);
}

/* What `...` stands for: the arguments one after the other, as the target's
 * va_arg expects them on the stack. Its address is the frame's data. */
static void keep_variadic(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                          hd_func_id f, const hd_machine_value *args,
                          uint32_t n) {
  const hd_code *code = m->plan->code;
  uint32_t word = hd_word(m), first = code->funcs.data[f].n_params;
  uint64_t base =
      hd_ram_push(m, t->id, HD_OBJECT_ALLOCA, hd_thread_edge(t),
                  (uint64_t)8 * (n > first ? n - first : 0), 16, false);
  if (!base)
    return;
  uint64_t at = base;
  for (uint32_t i = first; i < n; i++) {
    hd_cexpr_id id = hd_code_operand(code, edge, 1 + i);
    uint32_t size = hd_type_bytes(code->exprs.data[id].type);
    size = size > word ? size : word;
    hd_ram_write(m, at, (const uint8_t *)&args[i].bits,
                 args[i].undef ? (const uint8_t *)&args[i].undef : NULL, size);
    at += size;
  }
  hd_thread_top(t)->data = base;
}

/* Enters a defined function. */
static void do_call(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                    hd_func_id func) {
  const hd_code *code = m->plan->code;
  if (m->plan->funcs[func].error &&
      hd_plan_checks(m->plan, HD_PROPERTY_ASSERT)) {
    hd_machine_violate(m, t->id, HD_PROPERTY_ASSERT, "%s is called",
                       code->funcs.data[func].name);
    return;
  }
  hd_machine_value few[8] = {{0, 0}}, *args = few;
  uint32_t n = edge->n_operands - 1;
  if (n > 8)
    args = hd_calloc(n, sizeof *args);
  bool ok = true;
  for (uint32_t i = 0; ok && i < n; i++)
    ok = hd_eval_or_fail(m, t, hd_code_operand(code, edge, 1 + i), false,
                         &args[i]);
  ok = ok && hd_thread_push(m, t, func, args, n, HD_FRAME_PLAIN);
  if (ok && m->plan->funcs[func].atomic)
    hd_thread_enter_atomic(m, t);
  if (ok && code->funcs.data[func].variadic)
    keep_variadic(m, t, edge, func, args, n);
  if (args != few)
    hd_free(args);
}

/* The function a call leads to; HD_NO_ID after a violation. */
static hd_func_id callee_of(const hd_machine *m, const hd_thread *t,
                            const hd_cedge *edge, hd_trouble *trouble) {
  const hd_code *code = m->plan->code;
  hd_cexpr_id id = hd_code_operand(code, edge, 0);
  const hd_cexpr *expr = &code->exprs.data[id];
  if (expr->op == HD_CODE_FUNC)
    return (hd_func_id)expr->value;
  hd_machine_value address;
  if (!hd_eval(m, t, id, &address, trouble))
    return HD_NO_ID;
  trouble->property = HD_PROPERTY_MEMORY;
  strcpy(trouble->text, "call of something that is no function");
  if (address.undef) {
    trouble->property = hd_plan_checks(m->plan, HD_PROPERTY_UNINIT)
                            ? HD_PROPERTY_UNINIT
                            : HD_PROPERTY_MEMORY;
    strcpy(trouble->text, "call through a pointer that was never set");
    return HD_NO_ID;
  }
  if (!address.bits)
    strcpy(trouble->text, "call through a null pointer");
  return hd_ram_func_at(m, address.bits);
}

hd_library_fn hd_thread_callee(const hd_machine *m, const hd_thread *t,
                               hd_func_id *func) {
  if (t->next == HD_NO_ID)
    return HD_LIB_NONE;
  const hd_cedge *edge = &m->plan->code->edges.data[t->next];
  if (edge->act != HD_CODE_CALL)
    return HD_LIB_NONE;
  hd_trouble trouble;
  hd_func_id f = callee_of(m, t, edge, &trouble);
  if (func)
    *func = f;
  return f == HD_NO_ID ? HD_LIB_NONE : m->plan->funcs[f].library;
}

/* --- running --- */

/* The edge a thread takes from its location: the one whose guard holds. */
static hd_edge_id choose(hd_machine *m, hd_thread *t, hd_loc_id loc) {
  const hd_code *code = m->plan->code;
  uint32_t first = code->out_start[loc], last = code->out_start[loc + 1];
  for (uint32_t i = first; i < last; i++) {
    hd_edge_id id = code->out[i];
    const hd_cedge *edge = &code->edges.data[id];
    if (edge->guard == HD_NO_ID)
      return id;
    hd_thread_top(t)->edge = id;
    hd_machine_value guard;
    if (!hd_eval_or_fail(m, t, edge->guard, true, &guard))
      return HD_NO_ID;
    if (guard.bits)
      return id;
  }
  hd_machine_stop(m, t->id, HD_MACHINE_UNSUPPORTED,
                  "no edge can be taken from location %u", loc);
  return HD_NO_ID;
}

static void announce(hd_machine *m, hd_thread *t) {
  if (hd_machine_narrated(m)) {
    m->told++;
    hd_machine_tell(m, HD_EVENT_STEP, t->id, HD_NO_ID, 0, NULL);
  }
}

/* False: the run is none. */
static bool assumed(hd_machine *m, const hd_thread *t, hd_edge_id edge) {
  const hd_machine_options *o = m->plan->options;
  if (o->holds && !t->id && !o->holds(o->assumptions, m, edge))
    m->status = HD_MACHINE_ASSUMED;
  return hd_machine_runs(m);
}

static void execute_call(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                         uint64_t choice) {
  hd_trouble trouble = {.undefined = false};
  hd_func_id func = callee_of(m, t, edge, &trouble);
  if (func == HD_NO_ID) {
    hd_trouble_report(m, t, &trouble);
    return;
  }
  if (m->plan->code->funcs.data[func].defined)
    do_call(m, t, edge, func);
  else
    hd_lib_call(m, t, m->plan->funcs[func].library, func, choice);
}

void hd_thread_act(hd_machine *m, hd_tid tid, uint64_t choice) {
  hd_thread *t = hd_thread_own(m, tid);
  if (t->wait != HD_WAIT_NONE) {
    hd_lib_resume(m, t, choice);
    return;
  }
  assert(t->next != HD_NO_ID);
  hd_thread_top(t)->edge = t->next;
  const hd_cedge *edge = &m->plan->code->edges.data[t->next];
  announce(m, t);
  if (!assumed(m, t, t->next))
    return;
  if (m->plan->options->footprints)
    hd_section_act(m, t);
  if (edge->act == HD_CODE_CALL)
    execute_call(m, t, edge, choice);
  else
    hd_thread_execute(m, t, edge, choice);
}

/* The return from main, or from a handler behind it, ends everybody's run. */
static bool ends_all(const hd_machine *m, const hd_thread *t) {
  uint8_t kind = t->frames.data[t->frames.size - 1].kind;
  return (kind == HD_FRAME_MAIN || kind == HD_FRAME_ATEXIT) && !is_alone(m, t);
}

/* Is the edge a visible action here and now? */
static bool visible(const hd_machine *m, const hd_thread *t, hd_edge_id id) {
  if (m->plan->code->edges.data[id].act == HD_CODE_RETURN)
    return ends_all(m, t);
  if (m->plan->code->edges.data[id].act == HD_CODE_UNSUPPORTED)
    return m->plan->options->halts;
  switch ((hd_sight)m->plan->sights[id]) {
  case HD_SIGHT_LOCAL:
    return false;
  case HD_SIGHT_POINTER: {
    hd_trouble trouble;
    hd_func_id func = callee_of(m, t, &m->plan->code->edges.data[id], &trouble);
    return func != HD_NO_ID && (!m->plan->code->funcs.data[func].defined ||
                                m->plan->funcs[func].atomic);
  }
  default:
    return true;
  }
}

/* Accesses of the only thread there is. */
static bool goes_on_alone(hd_machine *m, hd_edge_id id) {
  uint8_t act = m->plan->code->edges.data[id].act;
  if (!m->alone || m->threads.size > 1 ||
      (act != HD_CODE_LOAD && act != HD_CODE_STORE))
    return false;
  m->alone--;
  return true;
}

/* In an atomic section what is decided goes on at once. */
static bool goes_on(hd_machine *m, hd_thread *t) {
  return t->atomic
             ? hd_machine_enabled(m, t->id) && hd_machine_choices(m, t->id) == 1
             : goes_on_alone(m, t->next);
}

void hd_thread_run(hd_machine *m, hd_tid tid) {
  hd_thread *t = hd_thread_own(m, tid);
  while (hd_machine_runs(m) && !t->ended && t->wait == HD_WAIT_NONE) {
    hd_frame *frame = hd_thread_top(t);
    hd_edge_id id = choose(m, t, frame->loc);
    if (id == HD_NO_ID)
      return;
    frame->edge = id;
    if (!m->budget--) {
      hd_machine_stop(m, tid, HD_MACHINE_DIVERGED,
                      "the thread goes on and on without a visible action");
      return;
    }
    if (visible(m, t, id)) {
      t->next = id;
      if (!goes_on(m, t))
        return;
      hd_thread_act(m, tid, 0);
      continue;
    }
    announce(m, t);
    if (!assumed(m, t, id))
      return;
    const hd_cedge *edge = &m->plan->code->edges.data[id];
    if (edge->act == HD_CODE_CALL)
      execute_call(m, t, edge, 0);
    else
      hd_thread_execute(m, t, edge, 0);
  }
}

/* SPDX-License-Identifier: MIT */
/* Objects live in regions: the globals, the tables of the library, and a stack
 * and a heap for each thread. A region is a vector ordered by address; on 64-bit
 * targets the number in the address is the index, on 32-bit targets the object
 * is found by bisection.
 *
 * A block (the bytes of an object) and a region can belong to several machines.
 * Whoever wants to write takes the region, then the block, for itself first.
 *
 * A pointer before an object's first byte appears as an offset of almost 2^32 of
 * the object before; such offsets are read as negative. */
#include "check/interp/memory.h"

#include "base/hash.h"
#include "check/interp/clocks.h"
#include "check/interp/eval.h"
#include "check/interp/host.h"
#include "check/interp/sync.h"

#include <string.h>

/* 64-bit targets: numbers of objects. */
#define FUNC_NUMBER ((uint64_t)1 << 20)
#define MAIN_NUMBER ((uint64_t)1 << 21)
#define MAIN_BITS 21
#define STATIC_NUMBER ((uint64_t)0x4f << 24)
#define THREAD_NUMBER ((uint64_t)0x5a << 24)
#define THREAD_BITS 18
/* Processes beside each other have the numbers below STATIC_NUMBER for
 * themselves, so many each (options->space). */
#define SPACE_BITS 22

/* 32-bit targets: where regions start. */
#define LOW_GLOBALS 0x00010000u
#define LOW_FUNCS 0x10000000u
#define LOW_STATICS 0x11000000u
#define LOW_MAIN_STACK 0x12000000u
#define LOW_MAIN_HEAP 0x20000000u
#define LOW_THREADS 0x80000000u
#define LOW_THREAD_SIZE 0x00800000u
#define LOW_THREAD_STACK 0x00200000u
#define LOW_END 0xF0000000u
#define LOW_GAP 16u

/* --- blocks and regions --- */

static hd_block *block_new(uint64_t size, bool zero) {
  hd_block *block = hd_alloc(sizeof *block + size);
  block->refs = 1;
  block->size = size;
  block->shadow = NULL;
  memset(block->bytes, 0, size);
  if (!zero && size) {
    block->shadow = hd_alloc(size);
    memset(block->shadow, 0xff, size);
  }
  return block;
}

static void block_drop(hd_block *block) {
  if (!block || --block->refs)
    return;
  hd_free(block->shadow);
  hd_free(block);
}

static hd_block *block_copy(const hd_block *from) {
  hd_block *block = hd_alloc(sizeof *block + from->size);
  block->refs = 1;
  block->size = from->size;
  block->shadow = NULL;
  memcpy(block->bytes, from->bytes, from->size);
  if (from->shadow) {
    block->shadow = hd_alloc(from->size);
    memcpy(block->shadow, from->shadow, from->size);
  }
  return block;
}

hd_objects *hd_region_new(void) {
  hd_objects *region = hd_calloc(1, sizeof *region);
  region->refs = 1;
  return region;
}

hd_objects *hd_region_keep(hd_objects *region) {
  region->refs++;
  return region;
}

void hd_region_drop(hd_objects *region) {
  if (!region || --region->refs)
    return;
  for (hd_vec_each(hd_object, object, &region->objects)) {
    block_drop(object->block);
    hd_cells_drop(object->cells);
  }
  hd_vec_free(&region->objects);
  hd_free(region);
}

static hd_objects *region_own(hd_objects **place) {
  hd_objects *shared = *place;
  if (shared->refs == 1)
    return shared;
  hd_objects *own = hd_region_new();
  hd_vec_resize(&own->objects, shared->objects.size);
  if (shared->objects.size)
    memcpy(own->objects.data, shared->objects.data,
           shared->objects.size * sizeof *own->objects.data);
  for (hd_vec_each(hd_object, object, &own->objects)) {
    if (object->block)
      object->block->refs++;
    hd_cells_keep(object->cells);
  }
  shared->refs--;
  return *place = own;
}

hd_block *hd_ram_block(hd_object *object) {
  if (object->block->refs > 1) {
    hd_block *own = block_copy(object->block);
    object->block->refs--;
    object->block = own;
  }
  return object->block;
}

/* --- addresses --- */

static uint64_t low_start(hd_tid tid, bool heap) {
  if (tid == 0)
    return heap ? LOW_MAIN_HEAP : LOW_MAIN_STACK;
  uint64_t start = LOW_THREADS + (uint64_t)(tid - 1) * LOW_THREAD_SIZE;
  return heap ? start + LOW_THREAD_STACK : start;
}

static uint64_t low_end(hd_tid tid, bool heap) {
  if (tid == 0)
    return heap ? LOW_THREADS : LOW_MAIN_HEAP;
  return low_start(tid, false) + (heap ? LOW_THREAD_SIZE : LOW_THREAD_STACK);
}

static uint64_t round_up(uint64_t n, uint64_t align) {
  return (n + align - 1) / align * align;
}

/* Behind the last object of a region of a 32-bit target. */
static uint64_t low_next(const hd_objects *region, uint64_t start,
                         uint32_t align) {
  uint64_t next = start;
  if (region->objects.size) {
    const hd_object *last = &region->objects.data[region->objects.size - 1];
    next = last->base + last->size + LOW_GAP;
  }
  return round_up(next, align < 16 ? 16 : align);
}

/* How many numbers a thread has for its stack; for all it makes. */
static uint64_t stack_objects(hd_tid tid) {
  return (uint64_t)1 << (tid ? THREAD_BITS - 1 : 18);
}

static uint64_t all_objects(hd_tid tid) {
  return (uint64_t)1 << (tid ? THREAD_BITS : MAIN_BITS);
}

/* Where the numbers of a machine start; and the number of an address there. */
static uint64_t first_number(const hd_plan *plan) {
  return (uint64_t)plan->options->space << SPACE_BITS;
}

static uint64_t number_of(const hd_plan *plan, uint64_t number) {
  return number < STATIC_NUMBER ? number - first_number(plan) : number;
}

static uint64_t number_base(const hd_plan *plan, hd_tid tid, bool heap,
                            uint64_t index) {
  uint64_t number = tid ? THREAD_NUMBER + ((uint64_t)(tid - 1) << THREAD_BITS)
                        : MAIN_NUMBER + first_number(plan);
  return (number + (heap ? stack_objects(tid) : 0) + index) << 32;
}

uint64_t hd_ram_stack_base(const hd_machine *m, hd_tid tid, size_t i) {
  assert(i < m->stacks.data[tid]->objects.size);
  return m->stacks.data[tid]->objects.data[i].base;
}

/* 64-bit targets: where in the 2^32 bytes of its number an object of a frame
 * starts depends on the slot and on the call the frame belongs to. So a pointer
 * to a variable of a function that has returned points into no object, although
 * another one has the number now, unless it was called from the same place. */
static uint64_t shift(const hd_machine *m, hd_tid tid, uint32_t origin,
                      uint64_t size) {
  const hd_thread *t = hd_thread_of(m, tid);
  if (size >= HD_SHIFT / 2 || t->frames.size < 2)
    return 0;
  hd_edge_id call = t->frames.data[t->frames.size - 2].edge;
  return hd_hash_mix(hd_hash_mix(0, call), origin) % 127 * HD_SHIFT;
}

bool hd_ram_gone(const hd_object *object, int64_t offset) {
  return (object->kind == HD_OBJECT_SLOT || object->kind == HD_OBJECT_ALLOCA) &&
         (offset >= HD_SHIFT / 2 || offset < -HD_SHIFT / 2) &&
         object->size < HD_SHIFT / 2;
}

uint64_t hd_ram_func(const hd_machine *m, hd_func_id func) {
  return m->plan->wide ? (first_number(m->plan) + FUNC_NUMBER + func) << 32
                       : LOW_FUNCS + (uint64_t)func * 16;
}

hd_func_id hd_ram_func_at(const hd_machine *m, uint64_t address) {
  uint64_t func;
  if (m->plan->wide) {
    uint64_t number = number_of(m->plan, address >> 32);
    if ((uint32_t)address || number < FUNC_NUMBER)
      return HD_NO_ID;
    func = number - FUNC_NUMBER;
  } else {
    if (address < LOW_FUNCS || address % 16)
      return HD_NO_ID;
    func = (address - LOW_FUNCS) / 16;
  }
  return func < m->plan->code->funcs.size ? (hd_func_id)func : HD_NO_ID;
}

uint64_t hd_ram_start(const hd_plan *plan) {
  return plan->wide ? (uint64_t)1 << 32 : LOW_GLOBALS;
}

/* The thread that has made, or could make, the object of this number. */
static hd_tid number_thread(uint64_t number) {
  if (number >= THREAD_NUMBER && number >> 32 == 0)
    return (hd_tid)((number - THREAD_NUMBER) >> THREAD_BITS) + 1;
  return number >= MAIN_NUMBER && number < MAIN_NUMBER + all_objects(0)
             ? 0
             : HD_NO_ID;
}

/* Which region an address belongs to; NULL: none. */
static hd_objects *const *wide_region(const hd_machine *m, uint64_t number,
                                      uint64_t *index) {
  if (number < MAIN_NUMBER) {
    *index = number - 1; /* number 0 wraps: no such object */
    return &m->globals;
  }
  hd_tid tid = number_thread(number);
  if (tid == HD_NO_ID) {
    *index = number - STATIC_NUMBER; /* below it wraps */
    return &m->statics;
  }
  if (tid >= m->threads.size)
    return NULL;
  *index =
      number - (tid ? number_base(m->plan, tid, false, 0) >> 32 : MAIN_NUMBER);
  if (*index < stack_objects(tid))
    return &m->stacks.data[tid];
  *index -= stack_objects(tid);
  return &m->heaps.data[tid];
}

static hd_objects *const *low_region(const hd_machine *m, uint64_t address) {
  if (address < LOW_FUNCS)
    return &m->globals;
  if (address < LOW_STATICS)
    return NULL;
  if (address < LOW_MAIN_STACK)
    return &m->statics;
  if (address < LOW_THREADS)
    return address < LOW_MAIN_HEAP ? &m->stacks.data[0] : &m->heaps.data[0];
  uint64_t tid = (address - LOW_THREADS) / LOW_THREAD_SIZE + 1;
  if (tid >= m->threads.size)
    return NULL;
  uint64_t rest = (address - LOW_THREADS) % LOW_THREAD_SIZE;
  return rest < LOW_THREAD_STACK ? &m->stacks.data[tid] : &m->heaps.data[tid];
}

/* The last object that starts at or before the address, or just behind it. */
static size_t bisect(const hd_objects *region, uint64_t address) {
  size_t low = 0, high = region->objects.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (region->objects.data[middle].base <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? low - 1 : 0;
}

static hd_objects *const *locate(const hd_machine *m, uint64_t address,
                                 uint64_t *index, int64_t *offset) {
  hd_objects *const *region;
  if (m->plan->wide) {
    /* Just before an object is in the number before. */
    uint64_t number = (address >> 32) + ((uint32_t)address >> 31);
    region = wide_region(m, number_of(m->plan, number), index);
  } else {
    region = low_region(m, address);
    if (region && *region)
      *index = bisect(*region, address);
  }
  if (!region || !*region || *index >= (*region)->objects.size)
    return NULL;
  *offset = (int64_t)(address - (*region)->objects.data[*index].base);
  return region;
}

const hd_object *hd_ram_find(const hd_machine *m, uint64_t address,
                             int64_t *offset) {
  uint64_t index;
  hd_objects *const *region = locate(m, address, &index, offset);
  return region ? &(*region)->objects.data[index] : NULL;
}

hd_object *hd_ram_own(hd_machine *m, uint64_t address, int64_t *offset) {
  uint64_t index;
  hd_objects *const *region = locate(m, address, &index, offset);
  if (!region)
    return NULL;
  /* The machine is not const: neither are its places. */
  return &region_own((hd_objects **)(uintptr_t)region)->objects.data[index];
}

/* --- making and removing objects --- */

static bool room(hd_machine *m, hd_tid tid, uint64_t size) {
  uint64_t most = m->plan->options->max_memory;
  if (!most)
    most = (uint64_t)1 << 27;
  if (size > most || m->allocated > most - size) {
    hd_machine_stop(m, tid, HD_MACHINE_DIVERGED,
                    "the program needs more than %llu bytes of memory",
                    (unsigned long long)most);
    return false;
  }
  return true;
}

static void reach_stack(hd_machine *m, hd_tid tid, uint64_t base) {
  if (m->plan->wide)
    base = base >> 32 << 32;
  if (tid == m->mover && (!m->reached || base < m->reached))
    m->reached = base;
}

/* By the address alone: what is not there any more was there before. */
hd_tid hd_ram_owner(const hd_machine *m, uint64_t address, uint64_t *relative) {
  hd_tid tid = HD_NO_ID;
  uint64_t low = address - LOW_THREADS;
  if (m->plan->wide)
    tid = number_thread(
        number_of(m->plan, (address >> 32) + ((uint32_t)address >> 31)));
  else if (address >= LOW_THREADS && address < LOW_END)
    tid = (hd_tid)(low / LOW_THREAD_SIZE) + 1;
  else if (address >= LOW_MAIN_STACK && address < LOW_THREADS)
    tid = 0;
  if (tid != HD_NO_ID && tid >= m->threads.size)
    tid = HD_NO_ID;
  if (relative && tid != HD_NO_ID && tid)
    *relative = m->plan->wide
                    ? address - ((uint64_t)(tid - 1) << THREAD_BITS << 32)
                    : LOW_THREADS + low % LOW_THREAD_SIZE;
  else if (relative)
    *relative = address;
  return tid;
}

hd_tid hd_machine_stack_of(const hd_machine *m, uint64_t address) {
  hd_tid tid = hd_ram_owner(m, address, NULL);
  if (tid == HD_NO_ID)
    return tid;
  uint64_t start = m->plan->wide ? number_base(m->plan, tid, false, 0)
                                 : low_start(tid, false);
  uint64_t end =
      m->plan->wide ? number_base(m->plan, tid, true, 0) : low_end(tid, false);
  return address >= start && address < end ? tid : HD_NO_ID;
}

uint64_t hd_ram_push(hd_machine *m, hd_tid tid, hd_object_kind kind,
                     uint32_t origin, uint64_t size, uint32_t align,
                     bool zero) {
  if (!room(m, tid, size))
    return 0;
  bool heap = kind == HD_OBJECT_HEAP;
  hd_objects *region =
      region_own(heap ? &m->heaps.data[tid] : &m->stacks.data[tid]);
  uint64_t base;
  bool full;
  if (m->plan->wide) {
    full = region->objects.size >=
           (heap ? all_objects(tid) - stack_objects(tid) : stack_objects(tid));
    base = number_base(m->plan, tid, heap, region->objects.size);
    if (kind == HD_OBJECT_SLOT || kind == HD_OBJECT_ALLOCA)
      base += shift(m, tid, origin, size);
  } else {
    base = low_next(region, low_start(tid, heap), align);
    full = base + size + LOW_GAP > low_end(tid, heap);
  }
  if (full) {
    hd_machine_stop(m, tid, HD_MACHINE_DIVERGED, "the thread's %s is full",
                    heap ? "heap" : "stack");
    return 0;
  }
  hd_object object = {.base = base,
                      .size = size,
                      .block = block_new(size, zero),
                      .origin = origin,
                      .kind = (uint8_t)kind};
  hd_vec_push(&region->objects, object);
  m->allocated += size;
  if (!heap)
    reach_stack(m, tid, base);
  return base;
}

uint64_t hd_ram_reuse(hd_machine *m, hd_tid tid, uint64_t address,
                      uint32_t origin, uint64_t size, bool zero) {
  int64_t offset;
  if (!room(m, tid, size))
    return 0;
  hd_object *object = hd_ram_own(m, address, &offset);
  assert(object->kind == HD_OBJECT_HEAP && object->freed && !offset);
  if (!m->plan->wide && size > object->size) {
    hd_machine_stop(m, tid, HD_MACHINE_ASSUMED, "it does not fit there");
    return 0;
  }
  object->size = size;
  object->block = block_new(size, zero);
  object->origin = origin;
  object->freed = false;
  object->kept = true; /* somebody has the address from before */
  m->allocated += size;
  return address;
}

static void object_end(hd_machine *m, hd_object *object) {
  if (object->freed)
    return;
  if (m->claims.size)
    hd_host_ends(m, object->base, object->size);
  if (object->sync)
    hd_sync_forget(m, object->base, object->size ? object->size : 1);
  m->allocated -= object->size;
  block_drop(object->block);
  object->block = NULL;
  hd_cells_drop(object->cells);
  object->cells = NULL;
}

void hd_ram_pop(hd_machine *m, hd_tid tid, size_t count) {
  if (m->stacks.data[tid]->objects.size == count)
    return;
  hd_objects *region = region_own(&m->stacks.data[tid]);
  reach_stack(m, tid, region->objects.data[count].base);
  while (region->objects.size > count) {
    hd_object object = hd_vec_last(&region->objects);
    if (object.kept || object.kind == HD_OBJECT_ALLOCA) {
      hd_ram_forsake(m, tid, &object);
      region = region_own(&m->stacks.data[tid]);
    }
    object_end(m, &hd_vec_pop(&region->objects));
  }
}

void hd_ram_lifetime(hd_machine *m, hd_tid tid, uint64_t address, bool start) {
  int64_t offset;
  hd_object *object = hd_ram_own(m, address, &offset);
  assert(object && object->kind == HD_OBJECT_SLOT && offset == 0);
  if (!start && !object->freed) {
    hd_object gone = *object;
    hd_ram_forsake(m, tid, &gone);
    object = hd_ram_own(m, address, &offset);
    object->kept = false;
  }
  if (!object->freed)
    object_end(m, object);
  if (start) {
    object->block = block_new(object->size, false);
    m->allocated += object->size;
  }
  object->freed = !start;
  reach_stack(m, tid, address);
}

bool hd_ram_leave(hd_machine *m, hd_tid tid, size_t count) {
  bool kept = false;
  for (size_t i = count; i < m->stacks.data[tid]->objects.size; i++) {
    hd_object *object = &region_own(&m->stacks.data[tid])->objects.data[i];
    kept = kept || object->kept;
    if (i == count)
      reach_stack(m, tid, object->base);
    object_end(m, object);
    object->freed = true;
  }
  return kept;
}

void hd_ram_free(hd_machine *m, hd_object *object) {
  assert(object->kind == HD_OBJECT_HEAP && !object->freed);
  object_end(m, object);
  object->freed = true;
}

uint64_t hd_ram_static(hd_machine *m, const void *bytes, uint64_t size,
                       bool writable) {
  if (!m->statics)
    m->statics = hd_region_new();
  hd_objects *region = region_own(&m->statics);
  uint64_t base = m->plan->wide ? (STATIC_NUMBER + region->objects.size) << 32
                                : low_next(region, LOW_STATICS, 16);
  hd_object object = {.base = base,
                      .size = size,
                      .block = block_new(size, true),
                      .kind = HD_OBJECT_STATIC,
                      .constant = !writable};
  if (bytes)
    memcpy(object.block->bytes, bytes, size);
  hd_vec_push(&region->objects, object);
  return base;
}

uint64_t hd_ram_unknown(hd_machine *m) {
  uint64_t base = hd_ram_static(m, NULL, 1, true);
  hd_vec_last(&m->statics->objects).external = true;
  return base;
}

static void init_global(hd_machine *m, const hd_global *global, uint64_t base,
                        uint32_t id) {
  hd_object object = {.base = base,
                      .size = global->size,
                      .block = block_new(global->size, true),
                      .origin = id,
                      .kind = HD_OBJECT_GLOBAL,
                      .constant = global->constant,
                      .external = global->external};
  if (global->bytes)
    memcpy(object.block->bytes, global->bytes, global->size);
  hd_vec_push(&m->globals->objects, object);
}

/* Addresses in initial values. They are constants: any frame would do. */
static void relocate(hd_machine *m, const hd_global *global, hd_block *block) {
  uint32_t width = m->plan->code->pointer_width / 8;
  for (uint32_t i = 0; i < global->n_relocs; i++) {
    const hd_reloc *reloc = &m->plan->code->relocs.data[global->relocs + i];
    hd_thread none = {0};
    hd_trouble trouble;
    hd_machine_value value = {0};
    bool ok = hd_eval(m, &none, reloc->expr, &value, &trouble);
    assert(ok && reloc->offset + width <= block->size);
    (void)ok;
    memcpy(block->bytes + reloc->offset, &value.bits, width);
  }
}

/* On 32-bit targets one behind the other: quadratic, in the number of globals
 * and once. */
uint64_t hd_ram_global_base(const hd_plan *plan, hd_global_id g) {
  if (plan->wide)
    return (first_number(plan) + g + 1) << 32;
  uint64_t at = LOW_GLOBALS;
  for (hd_global_id i = 0; i < g; i++) {
    const hd_global *global = &plan->code->globals.data[i];
    at = round_up(at, global->align < 16 ? 16 : global->align) + global->size +
         LOW_GAP;
  }
  uint32_t align = plan->code->globals.data[g].align;
  return round_up(at, align < 16 ? 16 : align);
}

/* Streams are declared in stdio.h and defined nowhere: each is a pointer to an
 * object of its own that nobody looks into. */
static void make_stream(hd_machine *m, const hd_global *global,
                        hd_object *object) {
  static const char *const names[] = {"stdin", "stdout", "stderr"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(global->name, names[i]) == 0 &&
        object->size == m->plan->code->pointer_width / 8u) {
      uint64_t stream = hd_ram_static(m, NULL, 8, false);
      memcpy(object->block->bytes, &stream, object->size);
      object->external = false;
    }
}

void hd_ram_init(hd_machine *m) {
  const hd_code *code = m->plan->code;
  m->globals = hd_region_new();
  for (uint32_t g = 0; g < code->globals.size; g++) {
    const hd_global *global = &code->globals.data[g];
    uint64_t base = hd_ram_global_base(m->plan, g);
    init_global(m, global, base, g);
    if (global->external)
      make_stream(m, global, &m->globals->objects.data[g]);
  }
  for (uint32_t g = 0; g < code->globals.size; g++)
    relocate(m, &code->globals.data[g], m->globals->objects.data[g].block);
}

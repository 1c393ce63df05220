/* SPDX-License-Identifier: MIT */
/* Looking at variables from outside, without executing anything. */
#include "check/interp/memory.h"
#include "check/interp/state.h"

/* The newest frame of the function in main's thread, or NULL. */
static const hd_frame *frame_of(const hd_machine *m, hd_func_id func) {
  const hd_thread *t = m->threads.size ? m->threads.data[0] : NULL;
  for (size_t i = t ? t->frames.size : 0; i-- > 0;)
    if (t->frames.data[i].func == func)
      return &t->frames.data[i];
  return NULL;
}

/* The address of the variable's first byte; false when it is in a register or
 * not there. */
static bool address_of(const hd_machine *m, hd_cvar var, uint64_t *address) {
  if (var.kind == HD_CVAR_GLOBAL) {
    *address = hd_ram_global_base(m->plan, var.index);
    return true;
  }
  const hd_frame *frame = frame_of(m, var.func);
  if (!frame)
    return false;
  if (var.kind == HD_CVAR_SLOT) {
    *address = hd_ram_stack_base(m, 0, frame->objects + var.index);
    return true;
  }
  const hd_code *code = m->plan->code;
  hd_ctype_id type = hd_cvar_type(code, var);
  hd_machine_value pointer =
      m->threads.data[0]->regs.data[frame->regs + var.index];
  *address = pointer.bits;
  return type < code->ctypes.size &&
         code->ctypes.data[type].kind == HD_CTYPE_ARRAY && !pointer.undef;
}

static bool in_memory(const hd_machine *m, uint64_t address, uint32_t size,
                      uint64_t *bits) {
  if (hd_ram_wrong(m, address, size, false))
    return false;
  const uint8_t *shadow;
  const uint8_t *bytes = hd_ram_bytes(m, address, &shadow);
  *bits = 0;
  for (uint32_t i = 0; i < size; i++) {
    if (shadow && shadow[i])
      return false;
    *bits |= (uint64_t)bytes[i] << 8 * i;
  }
  return true;
}

bool hd_machine_look(const hd_machine *m, hd_cvar var, uint64_t offset,
                     uint32_t size, uint64_t *bits) {
  assert(size >= 1 && size <= 8);
  uint64_t address;
  if (address_of(m, var, &address))
    return in_memory(m, address + offset, size, bits);
  const hd_frame *frame =
      var.kind == HD_CVAR_REG ? frame_of(m, var.func) : NULL;
  if (!frame || offset)
    return false;
  hd_machine_value value =
      m->threads.data[0]->regs.data[frame->regs + var.index];
  *bits = value.bits;
  return !value.undef;
}

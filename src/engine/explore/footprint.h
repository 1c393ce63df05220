/* SPDX-License-Identifier: MIT */
/* What atomic sections touch, learned from what they were seen to touch, and
 * what threads have to wait for.
 *
 * Memory is cut into cells of four bytes. A control (future.h) has a *footprint*:
 * the cells that the action which stands there was ever seen to read and to
 * write, up to the end of the section; and that of everything behind it. A write
 * that leaves the value as it was is a read.
 *
 * Of a move from one control to another is kept what it wrote every time it was
 * made; and of each control which controls the other threads had when a thread
 * *passed* it: moved there without ending the run. */
#ifndef HD_ENGINE_EXPLORE_FOOTPRINT_H
#define HD_ENGINE_EXPLORE_FOOTPRINT_H

#include "check/interp/interp.h"

typedef struct hd_footprints hd_footprints;

hd_footprints *hd_footprints_new(void);
void hd_footprints_delete(hd_footprints *feet);

/* In place of a control: the thread has ended. */
static inline uint32_t hd_footprint_end(hd_tid thread) {
  return UINT32_C(1) << 31 | thread;
}

/* Grows whenever an answer below may have changed. */
uint64_t hd_footprints_version(const hd_footprints *feet);

/* An action at the control touches these bytes. */
void hd_footprints_touch(hd_footprints *feet, uint32_t control,
                         uint64_t address, uint64_t size, bool writes);
/* … it is a section; … it may touch anything. */
void hd_footprints_section(hd_footprints *feet, uint32_t control);
void hd_footprints_any(hd_footprints *feet, uint32_t control);
/* The thread stands in the middle of a section there: what it does belongs to
 * the controls that it came from. */
void hd_footprints_inside(hd_footprints *feet, uint32_t control);
/* A move from there enters or leaves functions. */
void hd_footprints_frames(hd_footprints *feet, uint32_t control);
/* A move leads from one control to the other (or the thread's end), and touches
 * these (none when that is not known). */
void hd_footprints_link(hd_footprints *feet, uint32_t from, uint32_t to,
                        const hd_touch *touched, size_t n);
/* A thread passed the control while another had `other`. */
void hd_footprints_pass(hd_footprints *feet, uint32_t control, uint32_t other);

/* One of the two is a section: may what is done at `mine` make a difference to
 * what is done at `other` or (`later`) behind it, or the other way round? */
bool hd_footprints_clash(const hd_footprints *feet, uint32_t mine,
                         uint32_t other, bool later);
/* Can a thread pass the control while another one, now at `other`, has not
 * written anything that is read there? As far as was seen. */
bool hd_footprints_passed(hd_footprints *feet, uint32_t control,
                          uint32_t other);

#endif

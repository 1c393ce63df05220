/* SPDX-License-Identifier: MIT */
/* How a run could get to an alarm: the actions of its history, in an order that
 * the history allows. */
#include "engine/unfold/event.h"

/* Which of the waiting threads a signal wakes: counted by their numbers. */
static uint64_t choice_of(const structure *s, const event *e,
                          const hd_u32s *numbers) {
  if (e->woken == HD_NO_ID || e->before[0] == HD_NO_ID)
    return 0;
  const event *f = &s->events.data[e->before[0]];
  uint64_t waiters = f->after[event_slot(f, e->resources[0])].waiters, n = 0;
  assert(waiters >> e->woken & 1); /* who is woken has waited */
  for (; waiters; waiters &= waiters - 1)
    n += numbers->data[__builtin_ctzll(waiters)] < numbers->data[e->woken];
  return n;
}

/* Threads of the machine are numbered in the order of their creation. */
static void plan_way(const structure *s, hd_alarm *alarm) {
  hd_vec_clear(&alarm->way);
  hd_u32s numbers = {0};
  for (thread_id t = 0; t <= s->a->threads.size; t++)
    hd_vec_push(&numbers, (uint32_t)0);
  uint32_t created = 0;
  for (event_id e = 0; e < s->events.size; e++) {
    bool within = false;
    for (hd_vec_each(const uint32_t, x, &alarm->events))
      within = within || *x == e || hd_structure_before(s, e, *x);
    const event *ev = &s->events.data[e];
    if (!within || ev->kind != EV_ACTION)
      continue;
    if (ev->created != HD_NO_ID)
      numbers.data[ev->created] = ++created;
    const stop *at = &s->events.data[ev->prev].stops.data[ev->stop];
    hd_waypoint to = {numbers.data[ev->thread], ev->edge,
                      at->state.top->phase == PHASE_SECOND,
                      choice_of(s, ev, &numbers)};
    hd_vec_push(&alarm->way, to);
  }
  hd_vec_free(&numbers);
}

void hd_structure_plan_ways(const structure *s) {
  for (hd_vec_each(hd_alarm, x, &s->a->result->alarms))
    plan_way(s, x);
}

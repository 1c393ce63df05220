/* SPDX-License-Identifier: MIT */
/* Deadlocks of some threads beside others that go on for ever. */
#include "check/interp/stuck.h"

#include "engine/explore/search.h"

/* Those that wait in the node for what nobody in particular has to give. Threads
 * without names, and those from 63 on, are one: whether somebody waits. */
static uint64_t waiting_in(hd_search *s, uint32_t node) {
  const hd_pose_id *poses = hd_graph_poses(&s->graph, node);
  uint64_t waiting = 0;
  for (uint32_t t = 0; t < hd_search_node(s, node)->n_poses; t++)
    if (poses[t] != HD_NO_POSE) {
      const hd_pose *pose = hd_future_look(s->future, poses[t]);
      if (pose->open && (!pose->enabled || pose->spurious))
        waiting |= (uint64_t)1 << ((s->nameless && t) || t > 63 ? 63 : t);
    }
  return waiting;
}

/* Does a thread wait for ever beside others that go on? If so, also in a part of
 * this graph that no move leads out of: a run to such a state, with more moves of
 * others, is in the graph (R4: nobody is put off for ever), and the moves that are
 * left out because they are wake-ups are never the only ones of a node (R5). */
void hd_search_look_for_stuck(hd_search *s) {
  assert(s->graph.keep); /* or there would be no way out of a node */
  size_t n = s->graph.nodes.size;
  uint64_t *waiting = hd_calloc(n + 1, sizeof *waiting);
  bool *ends = hd_calloc(n + 1, sizeof *ends);
  for (uint32_t i = 0; i < n; i++) {
    waiting[i] = waiting_in(s, i);
    ends[i] = hd_search_node(s, i)->ends;
  }
  hd_stuck_graph graph = {.n = n,
                          .links = s->graph.links.data,
                          .n_links = s->graph.links.size,
                          .waiting = waiting,
                          .ends = ends};
  uint32_t node;
  uint64_t found = hd_stuck_find(&graph, &node);
  hd_free(waiting);
  hd_free(ends);
  if (!found)
    return;
  if (s->nameless) { /* the same one? */
    s->named = s->again = s->stopped = true;
    return;
  }
  hd_turns turns = {0};
  hd_machine *machine = hd_search_go_to(s, node, &turns);
  hd_str text = {0};
  if (found >> 63)
    hd_str_puts(&text, "threads may wait for ever, while others go on");
  else
    hd_stuck_print(&text, s->code, machine, found);
  if (hd_stuck_from(machine)) {
    hd_violation violation = {.property = HD_PROPERTY_DEADLOCK,
                              .thread = (hd_tid)__builtin_ctzll(found),
                              .other = HD_NO_ID,
                              .edge = HD_NO_ID,
                              .other_edge = HD_NO_ID};
    hd_findings_add(s->result, s->code, s->options, &violation, &turns);
  } else {
    hd_search_incomplete(s, hd_str_text(&text));
  }
  hd_str_free(&text);
  hd_machine_delete(machine);
  hd_vec_free(&turns);
}

/* SPDX-License-Identifier: MIT */
/* Runs that are given turn by turn, and races that threads stand before. */
#include "check/interp/player.h"
#include "engine/explore/common.h"

#include "check/interp/stuck.h"

#include <string.h>

hd_machine_options hd_search_options(const hd_explore_options *options,
                                     bool clocks) {
  hd_machine_options machine = options->machine;
  machine.clocks =
      clocks && (machine.checks & hd_property_bit(HD_PROPERTY_RACE));
  machine.observe = NULL;
  machine.context = NULL;
  return machine;
}

bool hd_race_at(const hd_machine *machine, hd_tid a, hd_tid b,
                hd_violation *race) {
  assert(a != b);
  if (!hd_machine_enabled(machine, a) || !hd_machine_enabled(machine, b))
    return false;
  hd_access x = hd_machine_access(machine, a);
  hd_access y = hd_machine_access(machine, b);
  if (x.local || y.local || !hd_access_races(&x, &y))
    return false;
  *race = (hd_violation){.property = HD_PROPERTY_RACE,
                         .thread = a,
                         .other = b,
                         .edge = x.edge,
                         .other_edge = y.edge};
  return true;
}

bool hd_race_find(const hd_machine *machine, const hd_violation *expected,
                  hd_violation *race) {
  if (hd_machine_status_of(machine) != HD_MACHINE_RUNNING)
    return false;
  hd_tid n = (hd_tid)hd_machine_threads(machine);
  for (hd_tid a = 0; a < n; a++)
    for (hd_tid b = a + 1; b < n && hd_machine_alive(machine, a); b++)
      if (hd_machine_alive(machine, b) && hd_race_at(machine, a, b, race) &&
          (!expected || hd_violation_same(race, expected)))
        return true;
  return false;
}

bool hd_violation_same(const hd_violation *a, const hd_violation *b) {
  if (a->property != b->property)
    return false;
  if (a->property == HD_PROPERTY_RACE)
    return (a->edge == b->edge && a->other_edge == b->other_edge) ||
           (a->edge == b->other_edge && a->other_edge == b->edge);
  /* Who is left waiting is the whole state's matter. */
  if (a->property == HD_PROPERTY_DEADLOCK)
    return !a->n_waits || !b->n_waits ||
           (a->n_waits == b->n_waits &&
            !memcmp(a->waits, b->waits, a->n_waits * sizeof *a->waits));
  return a->edge == b->edge;
}

static char *describe_impossible(const hd_machine *machine, size_t i,
                                 hd_turn turn) {
  hd_str text = {0};
  hd_str_printf(&text, "turn %zu: ", i + 1);
  if (turn.thread >= hd_machine_threads(machine))
    hd_str_printf(&text, "there is no thread %u", turn.thread);
  else if (!hd_machine_alive(machine, turn.thread))
    hd_str_printf(&text, "thread %u has ended", turn.thread);
  else if (!hd_machine_enabled(machine, turn.thread))
    hd_str_printf(&text, "thread %u cannot move", turn.thread);
  else
    hd_str_printf(&text, "thread %u has only %llu choices, not %llu",
                  turn.thread,
                  (unsigned long long)hd_machine_choices(machine, turn.thread),
                  (unsigned long long)turn.choice);
  return hd_str_take(&text);
}

bool hd_turn_possible(const hd_machine *machine, hd_turn turn) {
  if (turn.thread >= hd_machine_threads(machine) ||
      !hd_machine_alive(machine, turn.thread) ||
      !hd_machine_enabled(machine, turn.thread))
    return false;
  uint64_t choices = hd_machine_choices(machine, turn.thread);
  return choices == UINT64_MAX || turn.choice < choices;
}

/* The last one that counts: it is what the run was for. */
static bool find_violation(const hd_machine *machine, hd_properties of,
                           const hd_violation *expected, hd_violation *found) {
  for (size_t i = hd_machine_violations(machine); i--;) {
    *found = *hd_machine_violation(machine, i);
    if ((of & hd_property_bit(found->property)) &&
        (!expected || hd_violation_same(found, expected)))
      return true;
  }
  if ((of & hd_property_bit(HD_PROPERTY_RACE)) &&
      hd_race_find(machine, expected, found))
    return true;
  uint64_t stuck =
      of & hd_property_bit(HD_PROPERTY_DEADLOCK) &&
              (!expected || expected->property == HD_PROPERTY_DEADLOCK)
          ? hd_stuck_from(machine)
          : 0;
  if (!stuck)
    return false;
  hd_tid first = (hd_tid)__builtin_ctzll(stuck);
  *found = (hd_violation){.property = HD_PROPERTY_DEADLOCK,
                          .thread = first,
                          .other = HD_NO_ID,
                          .edge = hd_machine_access(machine, first).edge,
                          .other_edge = HD_NO_ID};
  return true;
}

static char *message_of(const hd_code *code, const hd_machine *machine,
                        const hd_violation *found) {
  if (found->message)
    return hd_strdup(found->message);
  hd_str text = {0};
  if (found->property == HD_PROPERTY_RACE) {
    hd_access at = hd_machine_access(machine, found->thread);
    hd_machine_print_address(&text, machine, at.address, at.size);
  } else if (found->property == HD_PROPERTY_DEADLOCK) {
    hd_stuck_print(&text, code, machine, hd_stuck_from(machine));
  }
  return hd_str_take(&text);
}

/* May a run go on? Only wake-ups without a signal lead out of a deadlock. */
static bool goes_on(hd_machine_status status) {
  return status == HD_MACHINE_RUNNING || status == HD_MACHINE_DEADLOCK;
}

/* May memory behave like this? */
static void judge(const hd_code *code, const hd_machine_options *options,
                  const hd_execution *x, hd_replayed *r) {
  hd_str why = {0};
  if (!hd_execution_allowed(code, x, options,
                            r->violated ? &r->violation : NULL, &why)) {
    hd_free(r->why);
    r->why = hd_str_take(&why);
    r->refused = true;
    r->violated = false;
    hd_free((char *)r->violation.message);
    r->violation.message = NULL;
  }
  hd_str_free(&why);
}

static hd_replayed replay(const hd_code *code,
                          const hd_machine_options *options,
                          const hd_turns *turns, hd_properties of,
                          const hd_violation *expected, bool reuse) {
  hd_machine_options mine = *options;
  mine.reuse = reuse;
  mine.clocks = (mine.checks & hd_property_bit(HD_PROPERTY_RACE)) != 0;
  hd_recorder *recorder =
      hd_turns_weak(turns) ? hd_recorder_new(code, &mine, turns) : NULL;
  hd_machine *machine = hd_machine_new(code, &mine);
  hd_player *player = hd_player_new(machine, turns);
  hd_player_record(player, recorder);
  hd_replayed r = {.status = hd_machine_status_of(machine), .reuse = reuse};
  while (goes_on(r.status) && r.turns < turns->size) {
    hd_turn turn = turns->data[r.turns];
    if (!hd_turn_possible(machine, turn)) {
      r.why = describe_impossible(machine, r.turns, turn);
      break;
    }
    if (!hd_player_possible(player, r.turns)) {
      hd_str text = {0};
      hd_str_printf(&text, "turn %zu: what it reads is not written before it",
                    r.turns + 1);
      r.why = hd_str_take(&text);
      break;
    }
    r.status = hd_player_move(player, r.turns, turn);
    r.turns++;
  }
  if (!r.why && *hd_machine_why(machine))
    r.why = hd_strdup(hd_machine_why(machine));
  r.violated = find_violation(machine, of, expected, &r.violation);
  r.violation.message =
      r.violated ? message_of(code, machine, &r.violation) : NULL;
  hd_player_delete(player);
  hd_machine_delete(machine);
  if (recorder) {
    hd_execution *x = hd_recorder_finish(recorder);
    judge(code, options, x, &r);
    hd_execution_delete(x);
  }
  return r;
}

hd_replayed hd_replay_expecting(const hd_code *code,
                                const hd_machine_options *options,
                                const hd_turns *turns, hd_properties of,
                                const hd_violation *expected) {
  hd_replayed r = replay(code, options, turns, of, expected, options->reuse);
  if (r.violated || options->reuse)
    return r;
  hd_replayed other = replay(code, options, turns, of, expected, true);
  hd_replayed *worse = other.violated ? &r : &other;
  hd_replayed better = other.violated ? other : r;
  hd_replayed_free(worse);
  return better;
}

hd_replayed hd_replay(const hd_code *code, const hd_machine_options *options,
                      const hd_turns *turns, hd_properties of) {
  return hd_replay_expecting(code, options, turns, of, NULL);
}

void hd_replayed_free(hd_replayed *replayed) {
  hd_free((char *)replayed->violation.message);
  hd_free(replayed->why);
  *replayed = (hd_replayed){0};
}

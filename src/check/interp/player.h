/* SPDX-License-Identifier: MIT */
/* Makes turns that are given on a machine, also those of weak memory, which say
 * what an atomic read reads and where a write is in the order of its place. */
#ifndef HD_CHECK_INTERP_PLAYER_H
#define HD_CHECK_INTERP_PLAYER_H

#include "check/interp/record.h"

typedef struct hd_player hd_player;

/* Does a turn say what it reads, or where it writes? Then the machine needs
 * `footprints`. */
bool hd_turns_weak(const hd_turns *turns);
/* For turns on this machine, which has not moved yet; both are borrowed. `turns`
 * may be NULL: turns of interleavings only. */
hd_player *hd_player_new(hd_machine *machine, const hd_turns *turns);
void hd_player_delete(hd_player *player);
/* Has the turns written down from now on; borrowed. */
void hd_player_record(hd_player *player, hd_recorder *recorder);

/* What the i-th turn reads is there: a turn before it wrote that place. */
bool hd_player_possible(const hd_player *player, size_t i);
/* The i-th turn; of `turn` only thread and choice count. The machine must be able
 * to make it. */
hd_machine_status hd_player_move(hd_player *player, size_t i, hd_turn turn);

#endif

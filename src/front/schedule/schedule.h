/* SPDX-License-Identifier: MIT */
/* Schedules of C programs as text: docs/evidence.md. The first line names the
 * format and its version, the second the program by a hash of its code graph;
 * then what the run starts from, `processes N` and `input NAME VALUE`, where it
 * has that; one turn a line, `thread choice`, with `from N` and `after N` where memory is
 * weak, and `end`. `#` starts a
 * comment. */
#ifndef HD_FRONT_SCHEDULE_SCHEDULE_H
#define HD_FRONT_SCHEDULE_SCHEDULE_H

#include "base/diag.h"
#include "model/code.h"
#include "model/turns.h"

/* Processes a run can have; also what --procs takes. */
#define HD_PROCESSES_MOST 1000

/* Of the text form of the code graph. */
uint64_t hd_turns_program(const hd_code *code);
/* Appends the text; each line of `remark` (may be NULL) becomes a comment.
 * `start` NULL: threads, without inputs. */
void hd_turns_print(hd_str *out, const hd_start *start, const hd_turns *turns,
                    const hd_code *code, const char *remark);
/* Is it one of this program, as far as its head says? */
bool hd_turns_belong(const hd_source *source, const hd_code *code);
/* Appends what is read to `turns` and `start`. A file of another program, or anything that
 * is not as described, is a diagnostic with its line, and false. Whether the
 * turns are possible is for the replay to say, and which inputs there are. */
HD_MUST_USE bool hd_turns_parse(const hd_source *source, const hd_code *code,
                                hd_start *start, hd_turns *turns,
                                hd_diag *diag);

#endif

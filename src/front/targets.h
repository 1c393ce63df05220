/* SPDX-License-Identifier: MIT */
/* The small languages of --target, .prop, --init and `# heddle: init`:
 * docs/formats.md, sections 2 and 3. */
#ifndef HD_FRONT_TARGETS_H
#define HD_FRONT_TARGETS_H

#include "front/text.h"
#include "model/net.h"

/* Replaces the initial state by what the region says. False, changing nothing,
 * when an error was reported. */
bool hd_targets_parse_init(hd_net *net, hd_region region, hd_diag *diag);
/* Replaces the targets. Disjuncts are separated by `;` or line ends. The lines
 * of the targets are those of the region's source if `with_lines`, else 0. */
bool hd_targets_parse(hd_net *net, hd_region region, bool with_lines,
                      hd_diag *diag);

#endif

/* SPDX-License-Identifier: MIT */
/* C programs by their execution graphs: `graph` decides programs whose loops end
 * under the memory model of C (RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI
 * 2017), by all graphs that the model allows, each once (TruSt: Kokologiannakis,
 * Marmanis, Gladstein, Vafeiadis, POPL 2022).
 *
 * The machine of check/interp executes the threads; what atomic reads see is put
 * into its memory before they move. docs/engines/graph.md has the whole story. */
#ifndef HD_ENGINE_GRAPH_GRAPH_H
#define HD_ENGINE_GRAPH_GRAPH_H

#include "engine/explore/explore.h"

/* As hd_explore: SAFE, UNSAFE with turns that say what is read, or UNKNOWN.
 * Stops at the first violation. options->memory says which graphs are allowed. */
void hd_graph(const hd_code *code, const hd_explore_options *options,
              hd_run *run, hd_explore_result *result);

/* The same by states: threads, and what each knows of the order of writes. For
 * loops that do not end and for many executions that come to the same; the axiom
 * about seq_cst is not used to leave executions out. */
void hd_views(const hd_code *code, const hd_explore_options *options,
              hd_run *run, hd_explore_result *result);

#endif

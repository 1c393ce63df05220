/* SPDX-License-Identifier: MIT */
/* Reads execution graphs and prints what the judge says about each, a line a
 * graph: "allowed", or the axiom that does not hold.
 *
 *     graph MODEL c17|c23 THREADS PLACES
 *     event THREAD read|failed|write|update|fence|sync ORDER PLACE FROM READ WRITTEN
 *     order PLACE EVENT...          all writes of the place
 *     edge create|join|lock|barrier FROM TO
 *     end
 *
 * ORDER is that of hd_order, PLACE and FROM are -1 where there is none; READ and
 * WRITTEN are values, or '-'. */
#include "check/axioms/axioms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hd_execution *graph;
static hd_memory_model model;
static bool c23;

static uint32_t number(const char *word) {
  return word && *word != '-' ? (uint32_t)strtoul(word, NULL, 10) : HD_NO_ID;
}

static void begin(char **w) {
  graph = hd_execution_new();
  if (!hd_memmodel_find(w[1], &model))
    exit(2);
  c23 = !strcmp(w[2], "c23");
  graph->n_threads = number(w[3]);
  for (uint32_t i = 0; i < number(w[4]); i++)
    hd_vec_push(&graph->places, ((hd_exec_place){.known = true}));
}

static void add_event(char **w) {
  hd_exec_event e = {.thread = number(w[1]),
                     .order = (uint8_t)number(w[3]),
                     .place = number(w[4]),
                     .from = number(w[5]),
                     .valued = *w[6] != '-' || *w[7] != '-'};
  e.locked = !strcmp(w[2], "failed");
  while (!e.locked && strcmp(w[2], hd_exec_kind_name((hd_exec_kind)e.kind)))
    e.kind++;
  e.stores = hd_exec_writes(&e);
  e.read = *w[6] != '-' ? strtoull(w[6], NULL, 10) : 0;
  e.written = *w[7] != '-' ? strtoull(w[7], NULL, 10) : 0;
  hd_vec_push(&graph->events, e);
}

static void add_edge(char **w) {
  hd_exec_edge e = {.from = number(w[2]), .to = number(w[3])};
  while (strcmp(w[1], hd_exec_edge_name((hd_exec_edge_kind)e.kind)))
    e.kind++;
  hd_vec_push(&graph->edges, e);
}

static void judge(void) {
  hd_axioms *axioms = hd_axioms_new(graph, model, c23);
  const char *broken = hd_axioms_broken(axioms, NULL, NULL);
  bool race = !broken && hd_axioms_race(axioms, HD_NO_ID, HD_NO_ID);
  printf("%s%s\n", broken ? broken : "allowed", race ? " race" : "");
  hd_axioms_delete(axioms);
  hd_execution_delete(graph);
  graph = NULL;
}

int main(void) {
  char line[4096], *words[64];
  while (fgets(line, sizeof line, stdin)) {
    size_t n = 0;
    for (char *w = strtok(line, " \n"); w && n < 63; w = strtok(NULL, " \n"))
      words[n++] = w;
    words[n] = NULL;
    if (!n)
      continue;
    if (!strcmp(words[0], "graph"))
      begin(words);
    else if (!strcmp(words[0], "event"))
      add_event(words);
    else if (!strcmp(words[0], "edge"))
      add_edge(words);
    else if (!strcmp(words[0], "end"))
      judge();
    for (size_t i = 2; !strcmp(words[0], "order") && i < n; i++)
      hd_vec_push(&graph->places.data[number(words[1])].order,
                  number(words[i]));
  }
  return 0;
}

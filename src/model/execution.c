/* SPDX-License-Identifier: MIT */
#include "model/execution.h"

hd_execution *hd_execution_new(void) {
  return hd_calloc(1, sizeof(hd_execution));
}

void hd_execution_delete(hd_execution *x) {
  if (!x)
    return;
  for (hd_vec_each(hd_exec_place, p, &x->places)) {
    hd_free(p->name);
    hd_vec_free(&p->order);
  }
  hd_vec_free(&x->places);
  hd_vec_free(&x->events);
  hd_vec_free(&x->edges);
  hd_free(x);
}

const char *hd_exec_edge_name(hd_exec_edge_kind kind) {
  static const char *const names[] = {[HD_EXEC_CREATE] = "create",
                                      [HD_EXEC_JOIN] = "join",
                                      [HD_EXEC_LOCK] = "lock",
                                      [HD_EXEC_BARRIER] = "barrier"};
  return names[kind];
}

const char *hd_exec_kind_name(hd_exec_kind kind) {
  static const char *const names[] = {[HD_EXEC_READ] = "read",
                                      [HD_EXEC_WRITE] = "write",
                                      [HD_EXEC_UPDATE] = "update",
                                      [HD_EXEC_FENCE] = "fence",
                                      [HD_EXEC_SYNC] = "sync"};
  return names[kind];
}

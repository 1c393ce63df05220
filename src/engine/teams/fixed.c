/* SPDX-License-Identifier: MIT */
/* Programs that say how large each of their teams is: they have finitely many
 * threads, and can be searched like any other. */
#include "engine/teams/teams.h"

#include <string.h>

enum { MOST = 8 };

static const char *callee_of(const hd_code *code, const hd_cedge *e) {
  if (e->act != HD_CODE_CALL)
    return "";
  const hd_cexpr *f = &code->exprs.data[hd_code_operand(code, e, 0)];
  return f->op == HD_CODE_FUNC ? code->funcs.data[f->value].name : "";
}

/* The only edge that leads there; NULL: there are several, or none. */
static const hd_cedge *edge_into(const hd_code *code, const hd_func *f,
                                 hd_loc_id to, hd_loc_id *from) {
  const hd_cedge *found = NULL;
  for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++)
    for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      if (e->to != to || e->act == HD_CODE_RETURN)
        continue;
      if (found)
        return NULL;
      found = e;
      *from = l;
    }
  return found;
}

/* Is a number of threads pushed right before? */
static bool has_size(const hd_code *code, const hd_func *f, hd_loc_id at) {
  for (uint32_t n = 0; n < f->n_locs; n++) {
    const hd_cedge *e = edge_into(code, f, at, &at);
    if (!e || !strcmp(callee_of(code, e), "openmp_fork"))
      return false;
    if (strcmp(callee_of(code, e), "__kmpc_push_num_threads") != 0)
      continue;
    const hd_cexpr *size = &code->exprs.data[hd_code_operand(code, e, 3)];
    return size->op == HD_CODE_INT && size->value > 0 && size->value <= MOST;
  }
  return false;
}

bool hd_teams_fixed(const hd_code *code) {
  bool any = false;
  if (hd_teams_ask_size(code))
    return false;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    for (hd_loc_id l = f->locs; f->defined && l < f->locs + f->n_locs; l++)
      for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
        const char *callee = callee_of(code, &code->edges.data[code->out[i]]);
        if (!strcmp(callee, "openmp_fork_teams"))
          return false;
        if (strcmp(callee, "openmp_fork") != 0)
          continue;
        if (!has_size(code, f, l))
          return false;
        any = true;
      }
  return any;
}

/* SPDX-License-Identifier: MIT */
/* The C library, in regions and outside of them. What is not in the lists is
 * refused by name. */
#include "engine/teams/calls.h"

#include "model/calls.h"

#include <string.h>

static bool fails(const char *name) {
  static const char *const list[] = {"__assert_fail",        "reach_error",
                                     "__VERIFIER_error",     "__assert",
                                     "__assert_perror_fail", NULL};
  return hd_team_call_is_any(name, list);
}

static bool block(hd_team_call *c) {
  const char *rest;
  bool set = !strcmp(c->name, "memset") ||
             hd_team_call_starts(c->name, "llvm.memset.", &rest);
  bool copy = !strcmp(c->name, "memcpy") || !strcmp(c->name, "memmove") ||
              hd_team_call_starts(c->name, "llvm.memcpy.", &rest) ||
              hd_team_call_starts(c->name, "llvm.memmove.", &rest);
  int64_t size;
  if (!set && !copy)
    return false;
  if (hd_team_term_is_const(c->k->w->terms, hd_team_call_arg(c, 2), &size) &&
      !size)
    return true;
  if (copy)
    hd_team_walk_touch(c->k, c->s, c->edge, hd_team_call_arg(c, 1),
                       hd_team_call_arg(c, 2), false);
  hd_team_walk_touch(c->k, c->s, c->edge, hd_team_call_arg(c, 0),
                     hd_team_call_arg(c, 2), true);
  if (copy &&
      hd_team_term_is_const(c->k->w->terms, hd_team_call_arg(c, 2), &size))
    hd_team_walk_move_cells(c->k, c->s, hd_team_call_arg(c, 0),
                            hd_team_call_arg(c, 1), (uint64_t)size);
  return true;
}

/* Functions that read what they are given, if at all, and write nothing that the
 * program can see; and those that write to what their arguments point to, which
 * only the thread outside of regions may call. */
static bool outside(hd_team_call *c) {
  static const char *const reads[] = {
      "printf",  "fprintf", "puts",   "putchar", "fputs",    "fputc",
      "perror",  "atoi",    "atol",   "atoll",   "atof",     "strcmp",
      "strncmp", "strlen",  "getenv", "fopen",   "fclose",   "memcmp",
      "exit",    "abort",   "system", "vprintf", "vfprintf", "strchr",
      "strrchr", "strstr",  "isatty", "fwrite",  "getopt",   NULL};
  static const char *const writes[] = {"scanf",
                                       "fscanf",
                                       "sscanf",
                                       "__isoc99_scanf",
                                       "__isoc99_fscanf",
                                       "__isoc99_sscanf",
                                       "__isoc23_scanf",
                                       "__isoc23_sscanf",
                                       "__isoc23_fscanf",
                                       "time",
                                       "gettimeofday",
                                       "clock_gettime",
                                       "sprintf",
                                       "snprintf",
                                       "fgets",
                                       "fread",
                                       "strcpy",
                                       "strncpy",
                                       "strcat",
                                       "getline",
                                       "strtol",
                                       "strtoul",
                                       "strtoll",
                                       "strtoull",
                                       "strtod",
                                       "strtof",
                                       "__isoc23_strtol",
                                       "__isoc23_strtoul",
                                       "__isoc23_strtoll",
                                       "__isoc23_strtoull",
                                       "rand_r",
                                       "qsort",
                                       NULL};
  if (c->s->team)
    return false;
  bool writing = hd_team_call_is_any(c->name, writes);
  if (!writing && !hd_team_call_is_any(c->name, reads))
    return false;
  const hd_code *code = c->k->w->code;
  for (uint32_t i = 1; writing && i < c->e->n_operands; i++) {
    hd_cexpr_id e = hd_code_operand(code, c->e, i);
    if (code->exprs.data[e].type.kind == HD_TYPE_PTR &&
        !hd_team_call_is_null(c, hd_team_call_arg(c, i - 1)))
      hd_team_walk_touch(c->k, c->s, c->edge, hd_team_call_arg(c, i - 1),
                         hd_team_call_any(c, 0), true);
  }
  if (!strcmp(c->name, "exit") || !strcmp(c->name, "abort"))
    c->way = HD_TEAM_WALK_END;
  hd_team_call_give(c, c->s, hd_team_call_result(c));
  return true;
}

/* Nobody else may be at it. */
static void end_block(hd_team_call *c) {
  hd_team_term block = hd_team_call_arg(c, 0), size = hd_team_call_any(c, 0);
  if (!c->s->team || hd_team_call_is_null(c, block))
    return;
  size_t facts = c->s->facts.size;
  hd_team_walk_stay_in_block(c->k, c->s, block, block, size);
  hd_team_walk_touch(c->k, c->s, c->edge, block, size, true);
  c->s->facts.size = facts;
}

static bool heap(hd_team_call *c) {
  static const char *const list[] = {
      "malloc", "calloc",   "aligned_alloc",
      "valloc", "memalign", "__errno_location", /* the thread's own */
      NULL};
  if (!strcmp(c->name, "realloc") && !c->s->team)
    hd_team_call_give(c, c->s, hd_team_walk_allocate(c->k, c->s));
  else if (!strcmp(c->name, "posix_memalign")) {
    hd_team_walk_store(c->k, c->s, c->edge, hd_team_call_arg(c, 0), 8,
                       hd_team_walk_allocate(c->k, c->s), false, false);
    hd_team_call_give(c, c->s, hd_team_call_number(c, 0));
  } else if (hd_team_call_is_any(c->name, list))
    hd_team_call_give(c, c->s, hd_team_walk_allocate(c->k, c->s));
  else
    return false;
  return true;
}

/* Only what the condition admits goes on. */
static void assume(hd_team_call *c) {
  hd_team_terms *t = c->k->w->terms;
  hd_team_term given = hd_team_call_arg(c, 0);
  int64_t value;
  if (hd_team_term_is_const(t, given, &value) && !value)
    c->way = HD_TEAM_WALK_END;
  hd_vec_push(&c->s->facts, given);
}

/* Is something written where an argument says? */
static bool writes_argument(hd_team_call *c, hd_library_fn fn) {
  for (uint32_t i = 0; i + 1 < c->e->n_operands; i++)
    if (hd_library_arg(fn, i) & HD_ARG_WRITE &&
        !hd_team_call_is_null(c, hd_team_call_arg(c, i)))
      return true;
  return false;
}

void hd_team_call_library(hd_team_call *c) {
  hd_library_fn fn = hd_library_find(c->name);
  if (outside(c) || heap(c))
    return;
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_INPUT:
    if (c->s->team && strncmp(c->name, "__VERIFIER", 10) &&
        strncmp(c->name, "heddle", 6) && strcmp(c->name, "clock"))
      break; /* rand has a state */
    if (writes_argument(c, fn))
      break;
    hd_team_call_give(c, c->s, hd_team_call_result(c));
    return;
  case HD_LIBRARY_MATH:
  case HD_LIBRARY_NUMBER:
    if (writes_argument(c, fn))
      break;
    hd_team_call_give(c, c->s, hd_team_call_result(c));
    return;
  case HD_LIBRARY_SLEEP:
    if (writes_argument(c, fn))
      break;
    hd_team_call_give(c, c->s, hd_team_call_number(c, 0));
    return;
  case HD_LIBRARY_MPI:
    hd_team_call_mpi(c, fn);
    return;
  case HD_LIBRARY_VERIFY:
    if (!strcmp(c->name, "__VERIFIER_assume") ||
        !strcmp(c->name, "heddle_assume")) {
      assume(c);
      return;
    }
    if (!fails(c->name))
      break;
    c->k->w->may_fail = true;
    c->k->w->failing = c->edge;
    c->way = HD_TEAM_WALK_END;
    return;
  default:
    break;
  }
  const char *rest;
  static const char *const ends[] = {"free", NULL};
  static const char *const harmless[] = {"fflush",
                                         "sched_yield",
                                         "puts",
                                         "putchar",
                                         "llvm.stacksave.p0",
                                         "llvm.stackrestore.p0",
                                         "llvm.stacksave",
                                         "llvm.stackrestore",
                                         "srand",
                                         "srandom",
                                         NULL};
  if (hd_team_call_is_any(c->name, harmless) ||
      hd_team_call_starts(c->name, "llvm.lifetime.", &rest) ||
      hd_team_call_starts(c->name, "llvm.dbg.", &rest))
    hd_team_call_give(c, c->s, hd_team_call_number(c, 0));
  else if (hd_team_call_is_any(c->name, ends))
    end_block(c);
  else if (block(c))
    hd_team_call_give(c, c->s, hd_team_call_arg(c, 0));
  else if (!strcmp(c->name, "exit") || !strcmp(c->name, "abort"))
    c->way = HD_TEAM_WALK_END;
  else
    hd_team_walk_refuse(c->k, c->edge, "%s is not understood%s", c->name,
                        c->s->team ? " in a parallel region" : "");
}

/* Numbers only: what %s reads or %n writes is memory. */
bool hd_team_call_prints(hd_team_call *c) {
  if (strcmp(c->name, "printf") && strcmp(c->name, "fprintf"))
    return false;
  const hd_code *code = c->k->w->code;
  bool is_f = c->name[0] == 'f';
  hd_cexpr_id id = hd_code_operand(code, c->e, 1 + is_f);
  const hd_cexpr *e = &code->exprs.data[id];
  const hd_global *g =
      e->op == HD_CODE_GLOBAL ? &code->globals.data[e->value] : NULL;
  for (uint64_t i = 0; g && g->bytes && i + 1 < g->size; i++)
    if (g->bytes[i] == '%' && g->bytes[i + 1] == '%')
      i++;
    else if (g->bytes[i] == '%' && strspn((const char *)g->bytes + i + 1,
                                          "0123456789.-+ #lhzjt") < 8) {
      char kind = (char)g->bytes[i + 1 +
                                 strspn((const char *)g->bytes + i + 1,
                                        "0123456789.-+ #lhzjt")];
      if (kind == 's' || kind == 'n' || kind == '*')
        return false;
    }
  hd_team_call_give(c, c->s, hd_team_call_result(c));
  return g && g->bytes;
}

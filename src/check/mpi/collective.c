/* SPDX-License-Identifier: MIT */
/* Collective calls.
 *
 * The i-th collective call of every process on a communicator is one *meeting*.
 * A process that comes to the call has arrived: what it brings is read then, and
 * compared with what the others say about the call. It can leave when its result
 * is known: after a broadcast when the root has come, after a barrier when all
 * have. MPI lets a call wait for more than that, so leaving before all have come
 * is a move that a potential deadlock does not count on. */
#include "check/mpi/collective.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- meetings --- */

void hd_mpi_meeting_delete(hd_mpi_meeting *meeting) {
  for (hd_vec_each(hd_mpi_joiner, joiner, &meeting->joiners)) {
    for (size_t i = 0; i < joiner->blocks.size; i++)
      hd_mpi_data_drop(joiner->blocks.data[i]);
    hd_vec_free(&joiner->blocks);
    hd_vec_free(&joiner->group);
    hd_vec_free(&joiner->needs);
    hd_vec_free(&joiner->shares);
    hd_vec_free(&joiner->edges);
  }
  hd_vec_free(&meeting->joiners);
  hd_vec_free(&meeting->signature);
  hd_free(meeting);
}

static hd_u32s copy_list(const hd_u32s *from) {
  hd_u32s to = {0};
  for (hd_vec_each(uint32_t, p, from))
    hd_vec_push(&to, *p);
  return to;
}

hd_mpi_meeting *hd_mpi_meeting_copy(const hd_mpi_meeting *from) {
  hd_mpi_meeting *to = hd_alloc(sizeof *to);
  *to = *from;
  memset(&to->joiners, 0, sizeof to->joiners);
  memset(&to->signature, 0, sizeof to->signature);
  for (hd_vec_each(hd_mpi_part, part, &from->signature))
    hd_vec_push(&to->signature, *part);
  for (hd_vec_each(hd_mpi_joiner, joiner, &from->joiners)) {
    hd_mpi_joiner copy = *joiner;
    memset(&copy.blocks, 0, sizeof copy.blocks);
    copy.group = copy_list(&joiner->group);
    copy.needs = copy_list(&joiner->needs);
    copy.shares = copy_list(&joiner->shares);
    copy.edges = copy_list(&joiner->edges);
    for (size_t i = 0; i < joiner->blocks.size; i++)
      hd_vec_push(&copy.blocks, hd_mpi_data_keep(joiner->blocks.data[i]));
    hd_vec_push(&to->joiners, copy);
  }
  return to;
}

static hd_mpi_meeting *meeting_number(const hd_mpi *mpi, uint32_t comm,
                                      uint64_t number) {
  const hd_mpi_comm *of = &mpi->comms.data[comm];
  uint64_t i = number - of->gone;
  return i < of->meetings.size ? of->meetings.data[i] : NULL;
}

/* The one that a process stands in: the last it has come to. */
static hd_mpi_meeting *meeting_at(const hd_mpi *mpi, uint32_t comm,
                                  uint32_t rank) {
  return meeting_number(mpi, comm, mpi->comms.data[comm].calls.data[rank] - 1);
}

static hd_mpi_meeting *open_meeting(const hd_mpi_view *v) {
  hd_mpi_meeting *meeting = hd_calloc(1, sizeof *meeting);
  meeting->fn = v->c->call->fn;
  meeting->root = v->root;
  meeting->op = v->op;
  meeting->first = v->me;
  meeting->in_place = hd_mpi_in_place(v, v->shape->sbuf);
  for (uint32_t i = 0; i < v->n; i++) {
    hd_mpi_joiner nobody = {.edge = HD_NO_ID, .result = HD_NO_ID};
    hd_vec_push(&meeting->joiners, nobody);
  }
  hd_vec_push(&v->c->mpi->comms.data[v->comm].meetings, meeting);
  return meeting;
}

/* --- what a process brings --- */

static bool bring(const hd_mpi_view *v, hd_mpi_joiner *joiner) {
  if (v->c->call->fn == HD_LIB_MPI_Comm_split) {
    joiner->color = hd_mpi_int(v->c, 1);
    joiner->key = hd_mpi_int(v->c, 2);
    if (joiner->color < 0 && joiner->color != HD_MPI_UNDEFINED) {
      hd_mpi_misuse(v->c, "the color is %lld", (long long)joiner->color);
      return false;
    }
  }
  if (v->c->call->fn == HD_LIB_MPI_Comm_split_type) {
    int32_t kind = hd_mpi_int(v->c, 1);
    if (kind != HD_MPI_UNDEFINED && kind != HD_MPI_COMM_TYPE_SHARED) {
      hd_mpi_misuse(v->c, "%d is no kind of a split", kind);
      return false;
    }
    joiner->color = kind == HD_MPI_UNDEFINED
                        ? kind
                        : (int64_t)(v->me / hd_mpi_on_one_computer(v->c));
    joiner->key = hd_mpi_int(v->c, 2);
  }
  if (!hd_mpi_check_mode(v->c) || !hd_mpi_bring_inter(v, joiner) ||
      !hd_mpi_bring_topology(v->c, v->comm, v->me, joiner) ||
      !hd_mpi_bring_window(v->c, joiner))
    return false;
  return hd_mpi_find_needs(v, joiner) && hd_mpi_bring_data(v, joiner);
}

/* --- do they agree? --- */

/* The elements that all must agree on; false when there are none, or after a
 * violation. */
static bool agreed(const hd_mpi_view *v, hd_mpi_signature *out) {
  const hd_mpi_shape *s = v->shape;
  const uint64_t *args = v->c->call->args;
  bool as_sender;
  /* Between two groups each way has its own. */
  if (v->inter && (s->root >= 0 ? v->root < 0 : s->op < 0))
    return false;
  switch ((hd_mpi_pattern)s->pattern) {
  case HD_TOGETHER:
  case HD_EACH_ALONE:
  case HD_REDUCED_SHARED_OUT:
  case HD_TO_NEIGHBORS:
  case HD_EACH_TO_NEIGHBORS:
    return false;
  case HD_SHARED_OUT:
    as_sender = hd_mpi_is_root(v);
    break;
  case HD_TO_ROOT:
    as_sender = !hd_mpi_is_root(v);
    break;
  default:
    as_sender = !hd_mpi_in_place(v, s->sbuf);
  }
  if (s->sdispl >= 0 || s->rdispl >= 0) /* other numbers for each rank */
    return false;
  int8_t count = as_sender ? s->scount : s->rcount;
  int8_t type = as_sender ? s->stype : s->rtype;
  return hd_mpi_signature_of(v->c, args[count] & UINT32_MAX, args[type], out);
}

static void print_place(hd_str *out, const hd_mpi *mpi, hd_edge_id edge) {
  hd_code_print_pos(out, mpi->code, mpi->code->edges.data[edge].pos);
}

/* "rank 0 calls MPI_Bcast at a.c:12:3" */
HD_PRINTF(3, 4)
static void disagree(const hd_mpi_view *v, const hd_mpi_meeting *meeting,
                     const char *format, ...) {
  char text[200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_str place = {0};
  print_place(&place, v->c->mpi, meeting->joiners.data[meeting->first].edge);
  hd_mpi_misuse(v->c, "%s rank %u at %s", text,
                v->c->mpi->comms.data[v->comm].members.data[meeting->first],
                hd_str_text(&place));
  hd_str_free(&place);
}

static const char *op_name(int64_t op) {
  return op >= HD_MPI_OWN_OPERATION ? "one of the program" : hd_mpi_op_name(op);
}

/* In an intercommunicator those beside the root say only that they are not it. */
static bool same_root(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  if (v->inter && v->shape->root >= 0) {
    if (v->root < 0)
      meeting->beside |= v->from ? 1 : 2;
    else if (meeting->root < 0)
      meeting->root = v->root;
    uint32_t side = v->c->mpi->comms.data[v->comm].side;
    if (meeting->root >= 0 &&
        meeting->beside & (meeting->root < (int64_t)side ? 2 : 1)) {
      hd_mpi_misuse(v->c, "MPI_PROC_NULL is the root in the group that the "
                          "root does not belong to");
      return false;
    }
    if (v->root < 0)
      return true;
  }
  if (meeting->root == v->root)
    return true;
  disagree(v, meeting, "the root is %lld here, %lld in the call of",
           (long long)v->root, (long long)meeting->root);
  return false;
}

/* MPI_IN_PLACE is for all or for nobody? */
static bool all_in_place(const hd_mpi_view *v) {
  switch ((hd_mpi_pattern)v->shape->pattern) {
  case HD_TO_ALL:
  case HD_EACH_TO_EACH:
  case HD_REDUCED_TO_ALL:
    return true;
  case HD_REDUCED_SHARED_OUT:
    return v->shape->fn == HD_LIB_MPI_Reduce_scatter_block;
  default:
    return false;
  }
}

static bool fits_meeting(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  if (meeting->fn != v->c->call->fn) {
    disagree(v, meeting, "does not go with %s of",
             hd_library_name(meeting->fn));
    return false;
  }
  if (!same_root(v, meeting))
    return false;
  if (meeting->op != v->op) {
    disagree(v, meeting, "the operation is %s here, %s in the call of",
             op_name(v->op), op_name(meeting->op));
    return false;
  }
  bool in_place = hd_mpi_in_place(v, v->shape->sbuf);
  if (all_in_place(v) && in_place != meeting->in_place) {
    disagree(v, meeting,
             "the send buffer is %sMPI_IN_PLACE here, unlike in "
             "the call of",
             in_place ? "" : "not ");
    return false;
  }
  hd_mpi_signature mine = {0};
  bool ok = true;
  if (agreed(v, &mine)) {
    if (!meeting->known) {
      meeting->signature = mine;
      meeting->known = true;
      return true;
    }
    ok = hd_mpi_signature_same(&mine, &meeting->signature);
    if (!ok) {
      hd_str here = {0}, there = {0};
      hd_mpi_print_signature(&here, v->c->mpi, &mine);
      hd_mpi_print_signature(&there, v->c->mpi, &meeting->signature);
      disagree(v, meeting, "%s here, %s in the call of", hd_str_text(&here),
               hd_str_text(&there));
      hd_str_free(&here);
      hd_str_free(&there);
    }
  }
  hd_vec_free(&mine);
  return ok && hd_mpi_runs(v->c->mpi);
}

bool hd_mpi_check_operation(const hd_mpi_view *v) {
  const hd_mpi_shape *s = v->shape;
  const hd_mpi_call *c = v->c;
  if (v->op < 1 || v->op > 12) {
    if (v->op >= HD_MPI_OWN_OPERATION)
      return true;
    if (v->op)
      hd_mpi_misuse(c, "%lld is no operation for this", (long long)v->op);
    else
      hd_mpi_misuse(c, "the operation is MPI_OP_NULL");
    return false;
  }
  hd_mpi_signature one = {0};
  bool ok = hd_mpi_signature_of(c, 1, c->call->args[s->stype], &one);
  if (ok && !hd_mpi_op_fits(c->mpi, v->op, &one)) {
    hd_str text = {0};
    hd_mpi_print_signature(&text, c->mpi, &one);
    hd_mpi_misuse(c, "%s is not defined for %s", hd_mpi_op_name(v->op),
                  hd_str_text(&text));
    hd_str_free(&text);
    ok = false;
  }
  hd_vec_free(&one);
  return ok;
}

static bool arguments_fine(const hd_mpi_view *v) {
  const hd_mpi_shape *s = v->shape;
  const hd_mpi_call *c = v->c;
  if (s->root >= 0 && v->root == HD_MPI_NO_ROOT) {
    hd_mpi_misuse(c, "there is no root %d among %u processes",
                  hd_mpi_int(c, (uint32_t)s->root), v->to - v->from);
    return false;
  }
  if (s->scount >= 0 && s->sdispl < 0 && hd_mpi_sends(v) &&
      (s->op >= 0 || !hd_mpi_in_place(v, s->sbuf)) &&
      hd_mpi_int(c, (uint32_t)s->scount) < 0) {
    hd_mpi_misuse(c, "the count is %d", hd_mpi_int(c, (uint32_t)s->scount));
    return false;
  }
  return s->op < 0 || hd_mpi_check_operation(v);
}

/* The counts of MPI_Reduce_scatter are the same for all. */
static bool same_shares(const hd_mpi_view *v, const hd_mpi_meeting *meeting) {
  const hd_u32s *mine = &meeting->joiners.data[v->me].shares;
  const hd_u32s *first = &meeting->joiners.data[meeting->first].shares;
  for (size_t i = 0; i < mine->size; i++)
    if (mine->data[i] != first->data[i]) {
      disagree(v, meeting, "count %zu is %u here, %u in the call of", i,
               mine->data[i], first->data[i]);
      return false;
    }
  return true;
}

/* --- coming --- */

static void tell_join(const hd_mpi_view *v, const hd_mpi_joiner *joiner) {
  if (!v->c->mpi->options->observe)
    return;
  hd_str text = {0};
  hd_str_puts(&text, v->c->call->name);
  if (v->root >= 0)
    hd_str_printf(&text, ", root %lld", (long long)v->root);
  if (joiner->blocks.size) {
    hd_str_puts(&text, ", brings ");
    hd_mpi_print_data(&text, v->c->mpi, joiner->blocks.data[0]);
    if (joiner->blocks.size > 1)
      hd_str_puts(&text, " ...");
  }
  hd_mpi_tell(v->c->mpi, HD_MPI_JOINS, v->c->p, HD_NO_ID, "%s",
              hd_str_text(&text));
  hd_str_free(&text);
}

static bool can_leave(const hd_mpi_meeting *meeting, uint32_t me);
static bool part(const hd_mpi_view *v, hd_mpi_meeting *meeting);
static void leave(const hd_mpi_view *v, hd_mpi_meeting *meeting);

static void begin(const hd_mpi_view *v, uint64_t number) {
  hd_mpi_request request = {.kind = HD_REQUEST_COLLECTIVE,
                            .begun = *v->c->call,
                            .edge = v->c->call->edge,
                            .meeting = number,
                            .post = {.comm = v->comm},
                            .source = HD_MPI_ANY_SOURCE,
                            .tag = HD_MPI_ANY_TAG};
  uint32_t at = hd_mpi_request_new(v->c->process);
  v->c->process->requests.data[at] = request;
  if (hd_mpi_claim_buffers(v, at, false) && hd_mpi_claim_buffers(v, at, true) &&
      hd_mpi_put(v->c, v->c->call->args[v->shape->comm + 1],
                 hd_mpi_request_handle(v->c->process, at)))
    hd_mpi_return(v->c);
}

static bool makes_window(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Win_create || fn == HD_LIB_MPI_Win_allocate ||
         fn == HD_LIB_MPI_Win_allocate_shared;
}

static bool of_window(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Win_fence || fn == HD_LIB_MPI_Win_free;
}

/* The communicator whose members meet; HD_NO_ID after a violation. */
static uint32_t meeting_comm(const hd_mpi_call *c) {
  if (of_window(c->call->fn))
    return hd_mpi_window_comm(c);
  if (hd_mpi_is_file(c->call->fn))
    return hd_mpi_file_comm(c);
  if (c->call->fn == HD_LIB_MPI_Comm_create_group)
    return hd_mpi_comm_of_group(c);
  return hd_mpi_comm_of(c, c->call->args[hd_mpi_shape_of(c->call->fn)->comm]);
}

void hd_mpi_collective_arrive(const hd_mpi_call *c) {
  uint32_t comm = meeting_comm(c);
  if (comm == HD_NO_ID)
    return;
  hd_mpi_view v = hd_mpi_view_of(c, comm);
  if (!arguments_fine(&v))
    return;
  uint64_t number = c->mpi->comms.data[comm].calls.data[v.me];
  hd_mpi_meeting *meeting = meeting_number(c->mpi, comm, number);
  bool fresh = !meeting;
  if (fresh)
    meeting = open_meeting(&v);
  hd_mpi_joiner *joiner = &meeting->joiners.data[v.me];
  joiner->edge = c->call->edge;
  if (!fits_meeting(&v, meeting) || !hd_mpi_check_buffers(&v) ||
      !bring(&v, joiner) || !same_shares(&v, meeting) ||
      (of_window(c->call->fn) &&
       !hd_mpi_window_join(c, joiner, &meeting->joiners.data[meeting->first])))
    return;
  joiner->known = c->process->known;
  c->mpi->comms.data[comm].calls.data[v.me]++;
  joiner->arrived = true;
  meeting->arrived++;
  tell_join(&v, joiner);
  if (meeting->arrived == v.n && !hd_mpi_make_comms(&v, meeting))
    return;
  if (hd_mpi_blocking(c->call->fn) != c->call->fn) {
    begin(&v, number);
    return;
  }
  c->process->at_call = true;
  /* What it does next can be too early for an access to its window. */
  if (meeting->arrived == v.n && !c->mpi->exposes && can_leave(meeting, v.me) &&
      hd_mpi_reduced_ways(&v, meeting) == 1)
    leave(&v, meeting);
}

/* --- operations that are only begun --- */

static hd_mpi_call as_begun(const hd_mpi_call *c, const hd_host_call *begun) {
  hd_mpi_call call = *c;
  call.call = begun;
  call.ends = true;
  return call;
}

bool hd_mpi_collective_ready(const hd_mpi *mpi, uint32_t p,
                             const hd_mpi_request *request, bool *all) {
  uint32_t comm = request->post.comm;
  const hd_mpi_meeting *meeting = meeting_number(mpi, comm, request->meeting);
  *all = meeting->arrived == meeting->joiners.size;
  return can_leave(meeting, hd_mpi_comm_rank(mpi, comm, p));
}

bool hd_mpi_collective_end(const hd_mpi_call *c, uint32_t request) {
  const hd_mpi_request *r = &c->process->requests.data[request];
  hd_host_call begun = r->begun;
  hd_mpi_call call = as_begun(c, &begun);
  hd_mpi_view v = hd_mpi_view_of(&call, r->post.comm);
  return part(&v, meeting_number(c->mpi, r->post.comm, r->meeting));
}

/* --- leaving --- */

/* Has everybody come whose part the result of `me` needs? Data of length 0 needs
 * nobody. */
static bool can_leave(const hd_mpi_meeting *meeting, uint32_t me) {
  const hd_mpi_joiner *joiner = &meeting->joiners.data[me];
  for (hd_vec_each(uint32_t, i, &joiner->needs))
    if (!meeting->joiners.data[*i].arrived)
      return false;
  return meeting->fn != HD_LIB_MPI_Intercomm_create ||
         joiner->result != HD_NO_ID;
}

/* Meetings that all have left are over. */
static void tidy(hd_mpi *mpi, uint32_t comm) {
  hd_mpi_comm *of = &mpi->comms.data[comm];
  while (of->meetings.size && of->meetings.data[0]->left == of->members.size) {
    hd_mpi_meeting_delete(of->meetings.data[0]);
    for (size_t i = 0; i + 1 < of->meetings.size; i++)
      of->meetings.data[i] = of->meetings.data[i + 1];
    of->meetings.size--;
    of->gone++;
  }
}

/* Takes what it gets; false after a violation. */
static bool part(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  hd_mpi *mpi = v->c->mpi;
  hd_mpi_joiner *joiner = &meeting->joiners.data[v->me];
  assert(joiner->arrived && !joiner->left);
  for (hd_vec_each(uint32_t, i, &joiner->needs))
    v->c->process->known |= meeting->joiners.data[*i].known;
  if ((joiner->needs.size && hd_mpi_receives(v) &&
       !hd_mpi_take_away(v, meeting)) ||
      !hd_mpi_give_comm(v, joiner))
    return false;
  if (makes_window(v->c->call->fn) && !hd_mpi_give_window(v->c, joiner))
    return false;
  if (of_window(v->c->call->fn) && !hd_mpi_window_leave(v->c))
    return false;
  if (v->c->call->fn == HD_LIB_MPI_File_open && !hd_mpi_give_file(v->c, joiner))
    return false;
  if (hd_mpi_is_file(v->c->call->fn) && !hd_mpi_use_file(v->c))
    return false;
  joiner->left = true;
  meeting->left++;
  hd_mpi_tell(mpi, HD_MPI_LEAVES, v->c->p, HD_NO_ID, "%s", v->c->call->name);
  tidy(mpi, v->comm);
  return true;
}

static void leave(const hd_mpi_view *v, hd_mpi_meeting *meeting) {
  if (part(v, meeting))
    hd_mpi_return(v->c);
}

/* The communicator of the call a process stands in. */
static uint32_t comm_at(const hd_mpi *mpi, uint32_t p) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  return meeting_comm(&c);
}

void hd_mpi_collective_enabled(const hd_mpi *mpi, uint32_t p,
                               hd_mpi_enabled *out) {
  uint32_t comm = comm_at(mpi, p);
  uint32_t me = hd_mpi_comm_rank(mpi, comm, p);
  const hd_mpi_meeting *meeting = meeting_at(mpi, comm, me);
  if (!can_leave(meeting, me))
    return;
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  hd_mpi_view v = hd_mpi_view_of(&c, comm);
  hd_vec_push(&out->choices, 0);
  uint32_t ways = hd_mpi_reduced_ways(&v, meeting);
  for (uint32_t i = 1; i < ways; i++)
    hd_vec_push(&out->choices, (uint64_t)mpi->n + i);
  out->free = meeting->arrived == meeting->joiners.size;
}

/* n + i, in a program with n processes: the reduction has its i-th result. */
void hd_mpi_collective_move(const hd_mpi_call *c, uint64_t choice) {
  uint32_t comm = comm_at(c->mpi, c->p);
  hd_mpi_view v = hd_mpi_view_of(c, comm);
  hd_mpi_meeting *meeting = meeting_at(c->mpi, comm, v.me);
  if (v.shape->op >= 0 && !meeting->joiners.data[v.me].picked)
    hd_mpi_pick(&v, meeting, (uint32_t)(choice ? choice - c->mpi->n : 0));
  leave(&v, meeting);
}

static void print_missing(hd_str *out, const hd_mpi *mpi, uint32_t comm,
                          const hd_mpi_meeting *meeting) {
  const char *separator = "";
  for (uint32_t i = 0; i < meeting->joiners.size; i++)
    if (!meeting->joiners.data[i].arrived) {
      hd_str_printf(out, "%s%u", separator,
                    mpi->comms.data[comm].members.data[i]);
      separator = ", ";
    }
}

void hd_mpi_collective_wait(hd_str *out, const hd_mpi *mpi, uint32_t p) {
  uint32_t comm = comm_at(mpi, p);
  uint32_t me = hd_mpi_comm_rank(mpi, comm, p);
  const hd_mpi_meeting *meeting = meeting_at(mpi, comm, me);
  if (meeting->arrived == meeting->joiners.size) {
    hd_str_puts(out, "the other group in this call");
    return;
  }
  hd_str_puts(out, "other processes in this call: ");
  print_missing(out, mpi, comm, meeting);
}

void hd_mpi_collective_rest(hd_mpi *mpi) {
  for (uint32_t comm = 0; comm < mpi->comms.size; comm++)
    for (size_t i = 0; i < mpi->comms.data[comm].meetings.size; i++) {
      const hd_mpi_meeting *meeting = mpi->comms.data[comm].meetings.data[i];
      hd_str text = {0};
      print_missing(&text, mpi, comm, meeting);
      hd_mpi_violate(mpi, mpi->comms.data[comm].members.data[meeting->first],
                     HD_PROPERTY_MPI,
                     meeting->joiners.data[meeting->first].edge,
                     "%s: not all processes take part: %s",
                     hd_library_name(meeting->fn), hd_str_text(&text));
      hd_str_free(&text);
    }
}

/* SPDX-License-Identifier: MIT */
/* Exhaustive search with partial-order reduction.
 *
 * Depth-first search over the states of the machine, which are stored whole and
 * compared exactly. In a state s only the moves of a set P(s) of threads are
 * made, all choices of each. What the others may do before one of P(s) moves is
 * taken from the *futures* (future.h): everything that the search has ever seen
 * threads do from their controls on. While the futures grow, sets that have
 * become too small are enlarged, until nothing changes. In the end:
 *
 *  R1  P(s) has a thread that can move if there is one.
 *  R2  No action in the future of a thread outside P(s), or of one that can be
 *      born without P(s), clashes with what a thread of P(s) stands before: they
 *      touch the same thing, or one takes away the stack the other looks at.
 *      Actions that need a lock which a thread in P(s) owns do not count: they
 *      come after a move of P(s). What a thread u outside does behind the action
 *      it stands before does not count when u *waits* for a thread t of P(s): u
 *      was never seen to make that action, and go on, while t was at a place that
 *      it can get to from here without writing what the action reads. Nothing
 *      counts that is done by a thread which waits for a lock of a thread in P(s),
 *      or for its end, or for one that waits so: it does not move before P(s).
 *  R3  If P(s) is not all that can move, one move of P(s) does not end the run.
 *  R4  On every cycle of explored moves there is a state with all that can move.
 *  R5  A thread that only a spurious wake-up can move is in P(s) only together
 *      with all others, since such moves do not count against a deadlock.
 *  R6  When leaks are looked for, which is done at the program's end and in all
 *      of its memory: ends of the program seen while other threads are alive
 *      clash with everything, and for R3 a move that ends its thread does not
 *      count.
 *
 * Why nothing is missed. Let w be any run from an explored state s. Claim: what
 * each thread stands before after w is in the thread's future at s, every move
 * of w, with its violation, is made somewhere in the explored graph, and so is a
 * state in which two threads stand before a race or all wait, if w ends in one.
 * By induction on the length of w, then on the longest way from s through states
 * that are not full, which R4 bounds. If a thread of P(s) moves in w, let t be
 * the first such move. Those before it are of threads outside and shorter runs
 * lead to them, so they are in the futures, so (R2) t commutes with them: start
 * with t, and a shorter run is left from an explored state. If none moves, take
 * the move t of R3: all of w commutes with it, so w is a run from the state
 * behind t, which is nearer to a full one; threads other than that of t stand
 * before the same things as without t; the thread of t stands where it stood in
 * s; a deadlock is not possible, since t is (R5); a race between t and another
 * action would be a clash. A move that ends the run has nothing behind it, so
 * only its own outcome counts, and that depends on what its action reads.
 *
 * Atomic sections, when races are not looked for, are single actions in all this,
 * with the inputs they ask for in the middle (where nobody else can move: that
 * such states are full counts neither for R3 nor for R4). What one touches is not
 * known before it is made, but learned, for its control: its footprint. That is
 * enough. When a run w of outsiders ends with a section v, and U is the move of
 * R3, then w up to v commutes with U, and v is made behind U, too: there it is in
 * the futures, since that state is nearer to a full one; so it does not clash
 * with U, so without U it reads the same and is the same. Sections that do more
 * than access memory and ask for inputs clash with everything. Left out of the
 * footprints are variables that only serve inside of sections
 * (model/sections.h): what is in them is no part of a state.
 *
 * Why waiting is right. Let u pass its action in a run w from s in which t does
 * not move. Claim: the search sees u pass it, with t where it can get to from s
 * without writing what u reads there. By the same induction: moves of others than
 * t leave t where it is; a move U of t that comes first (R3) does not clash with
 * the action of u, so it does not write what that reads, and leads t to such a
 * place; in the end u moves in P. So when u was never seen to do that, u cannot,
 * before a thread of P(s) has moved.
 *
 * Moves that only their own thread can notice are P(s) for themselves; a thread
 * goes on with them at once and the states between are not stored (there is
 * nothing that can happen in them only); so it does while no other can move. When such a move ends the run, R3 wants
 * the state before it: it is stored then, and explored in full. But not when its
 * thread t has, since the state s it came from, changed nothing that others can
 * notice (an assumption about a variable that was looked at too early): then t
 * can only end the run, the others do the same as in s without the moves of t, by
 * a shorter run, and for R3 the move of t counts as one that ends the run. When
 * another thread turns out to look
 * at the stack that such moves have changed, the search begins again, with what
 * it knows now.
 *
 * Waits for a signal (`dozes`, when neither races, deadlocks nor misuse are asked
 * for, and no condition variable is made or destroyed by a call). Who waits can wake up without one, and does so here as soon as it waits; so
 * nobody waits in a state and signals find nobody. Nothing is missed: let w be a run
 * up to what is looked for, and make the same one but for that. Who waits in w
 * stands before its mutex instead, and need not move until w lets it go on. All
 * others do the same as in w, since only signals look at who waits, and whom they
 * wake in w is awake already. What is missed is only that somebody waits: deadlocks,
 * which are not asked for. Inside an atomic
 * section who has woken up holds up the others: there it waits as it did (R5). So
 * does a timed wait, which may end at any time anyway.
 *
 * Threads without names (`nameless`; check/interp/joins.h). States are compared up
 * to the numbers of threads other than main, and where threads are alike one of
 * them is moved. Renaming leads from a state to one that behaves the same, so what
 * was said about a state holds for those that are equal to it, if only what is
 * learned does not depend on names: controls have none, addresses in what threads
 * have made are those of "the thread itself" or of "another one", and locks that lie
 * there count as owned by nobody. Main does not join before it can join all: until
 * then its moves change nothing for others; and when it joins, what it does behind
 * that counts for no set P(s) with a thread that it has to wait for.
 *
 * Races: in every state of the search all pairs of threads that can move are
 * compared by what they stand before. A few actions do not tell what they touch
 * (strcpy …; here also atomic sections), and conflict with everything. When there are such,
 * the machines have vector clocks, and behind a move of such an action, and
 * behind every move while another thread stands before one, each other thread is
 * moved for a try. Two conflicting actions that can come one after the other do
 * so in the search, the first with the second pending.
 *
 * It terminates when the state space is finite. SAFE means that all of it was
 * seen: no limit was reached, nothing unsupported was met, and no input had more
 * values than were tried. */
#include "engine/explore/search.h"

#include "base/bitset.h"
#include "model/updates.h"

#include <string.h>

#define EXTRA_MOST 2000 /* local moves in one go: loops must be noticed */
/* For a search that will not prove anything. */
#define SAMPLED_MEMORY ((size_t)1 << 30)
#define MANY 16 /* threads: with more of them each takes as long as a move */

/* --- nodes --- */

static size_t set_words(hd_search *s, uint32_t node) {
  return hd_bits_words(hd_search_node(s, node)->n_poses);
}

uint64_t *hd_search_enabled(hd_search *s, uint32_t node) {
  hd_vec_resize(&s->set, set_words(s, node) + 1);
  hd_future_enabled(s->future, hd_graph_poses(&s->graph, node),
                    hd_search_node(s, node)->n_poses, s->set.data);
  return s->set.data;
}

/* Adds threads to what the frame still has to do; R1–R5 say which. */
static void demand(hd_search *s, hd_search_frame *f, const uint64_t *threads) {
  hd_node *node = hd_search_node(s, f->node);
  const uint64_t *explored = hd_graph_explored(&s->graph, f->node);
  size_t words = set_words(s, f->node);
  for (size_t w = 0; w < words; w++)
    f->todo[w] |= threads[w] & ~explored[w];
  if (f->thread != HD_NO_ID)
    hd_bits_clear(f->todo, f->thread);
  if (node->full)
    return;
  const uint64_t *enabled = hd_search_enabled(s, f->node);
  node->full = true;
  for (size_t w = 0; w < words; w++) {
    uint64_t known = explored[w] | f->todo[w];
    if (f->thread != HD_NO_ID && f->thread / 64 == w)
      known |= (uint64_t)1 << f->thread % 64;
    node->full = node->full && !(enabled[w] & ~known);
  }
}

static void demand_all(hd_search *s, hd_search_frame *f) {
  size_t words = set_words(s, f->node);
  hd_vec_resize(&s->wanted, words + 1);
  memcpy(s->wanted.data, hd_search_enabled(s, f->node),
         words * sizeof(uint64_t));
  demand(s, f, s->wanted.data);
  assert(hd_search_node(s, f->node)->full);
}

static void push_frame(hd_search *s, uint32_t node, hd_machine *machine) {
  assert(!hd_search_node(s, node)->on_stack);
  hd_search_frame f = {.node = node,
                       .machine = machine,
                       .thread = HD_NO_ID,
                       .todo =
                           hd_calloc(set_words(s, node) + 1, sizeof *f.todo)};
  hd_search_node(s, node)->on_stack = true;
  hd_vec_push(&s->stack, f);
  if (s->stack.size > s->depth)
    s->depth = s->stack.size;
}

static void pop_frame(hd_search *s) {
  hd_search_frame *f = &hd_vec_last(&s->stack);
  hd_node *node = hd_search_node(s, f->node);
  assert(node->on_stack);
  node->on_stack = false;
  if (node->inside) {
    node->leads_on = f->leads_on;
    if (s->stack.size > 1 && f->leads_on)
      s->stack.data[s->stack.size - 2].leads_on = true;
  }
  hd_machine_delete(f->machine);
  hd_vec_free(&f->samples);
  hd_free(f->todo);
  hd_free(f->twins);
  s->stack.size--;
}

/* The state, into s->bytes, and its twins. */
static void encode(hd_search *s, const hd_machine *machine) {
  hd_vec_clear(&s->bytes);
  hd_vec_clear(&s->twins);
  if (s->nameless) {
    hd_vec_resize(&s->twins, hd_machine_threads(machine));
    hd_machine_encode_nameless(machine, &s->bytes, s->twins.data);
  } else if (s->options->no_reduction)
    hd_machine_encode(machine, &s->bytes);
  else
    hd_machine_encode_live(machine, &s->bytes);
}

/* The frame on top knows which of its threads are alike; s->twins has them. */
static void keep_twins(hd_search *s) {
  hd_search_frame *f = &hd_vec_last(&s->stack);
  bool any = false;
  for (size_t t = 0; t < s->twins.size; t++) {
    assert(s->twins.data[t] <= t); /* the first that is like it */
    any = any || s->twins.data[t] != t;
  }
  if (!any)
    return;
  f->twins = hd_calloc(s->twins.size, sizeof *f->twins);
  memcpy(f->twins, s->twins.data, s->twins.size * sizeof *f->twins);
}

/* A new node on the stack, with what has to be explored there. */
static void enter(hd_search *s, hd_node node, hd_machine *machine, bool all) {
  uint32_t id = hd_graph_add(&s->graph, node, &s->poses);
  hd_search_look(s, id, machine);
  push_frame(s, id, machine);
  hd_search_frame *f = &hd_vec_last(&s->stack);
  keep_twins(s);
  if (all || s->options->no_reduction) {
    demand_all(s, f);
    return;
  }
  hd_vec_resize(&s->wanted, set_words(s, id) + 1);
  hd_future_choose(
      s->future, hd_graph_poses(&s->graph, id), hd_search_node(s, id)->n_poses,
      node.parent == HD_NO_ID ? HD_NO_ID : node.via.thread, s->wanted.data);
  demand(s, f, s->wanted.data);
}

/* Does the move change what a thread outside of the set stands before, or
 * whether it can move? R2 says it does not; this looks. */
static bool disturbs_others(hd_search *s, const hd_search_frame *f,
                            hd_tid mover) {
  assert(mover < hd_search_node(s, f->node)->n_poses);
  const hd_node *node = hd_search_node(s, f->node);
  const hd_pose_id *before = hd_graph_poses(&s->graph, f->node);
  const uint64_t *explored = hd_graph_explored(&s->graph, f->node);
  for (size_t t = 0; t < node->n_poses; t++)
    if (t != mover && !hd_bits_test(explored, t) && !hd_bits_test(f->todo, t) &&
        before[t] != HD_NO_POSE && before[t] != s->poses.data[t] &&
        hd_future_look(s->future, before[t])->enabled &&
        !hd_future_take_turns(s->future, before[mover], before[t]))
      return true;
  return false;
}

/* R3 and R6 for a move of the frame that led to s->poses. Sections count when
 * they are complete (pop_frame, arrive). */
static void judge(hd_search *s, hd_search_frame *f, const hd_machine *machine,
                  hd_tid mover, bool inside) {
  assert(mover < s->poses.size);
  if (!inside && hd_machine_status_of(machine) == HD_MACHINE_RUNNING &&
      !(s->leaks && !hd_machine_alive(machine, mover)))
    f->leads_on = true;
  /* (inside, the others cannot move, but only for now) */
  if (!inside && !hd_search_node(s, f->node)->full &&
      disturbs_others(s, f, mover))
    demand_all(s, f);
}

/* Is the thread in a section, so that nobody else can move? */
static bool is_inside(hd_search *s, const hd_machine *machine, hd_tid thread) {
  assert(thread < s->poses.size);
  if (!s->sections || !hd_machine_in_section(machine, thread))
    return false;
  for (size_t t = 0; t < s->poses.size; t++)
    if (t != thread && s->poses.data[t] != HD_NO_POSE &&
        hd_future_look(s->future, s->poses.data[t])->enabled)
      return false;
  return hd_future_look(s->future, s->poses.data[thread])->enabled;
}

/* R4: the frame on top has a move back to a node of the stack. A section that
 * can go round inside is no single action: it clashes with everything. */
static void close_cycle(hd_search *s, uint32_t node) {
  assert(s->stack.size > 0);
  size_t i = s->stack.size - 1;
  bool round = false;
  for (; hd_search_node(s, s->stack.data[i].node)->inside && i; i--)
    round = round || s->stack.data[i].node == node;
  hd_search_frame *f = &s->stack.data[i];
  if (round)
    hd_future_note_all(s->future,
                       hd_graph_poses(&s->graph, f->node)[f->thread]);
  demand_all(s, f);
}

/* Would the thread move there without a signal? Then the node is full (R5). */
static bool is_woken(hd_search *s, uint32_t node, hd_tid thread) {
  assert(thread < hd_search_node(s, node)->n_poses);
  return hd_future_look(s->future, hd_graph_poses(&s->graph, node)[thread])
      ->spurious;
}

/* The frame on top has made `turn` and `extra` local moves: takes the machine.
 * `all`: the state has to be full. */
static void arrive(hd_search *s, hd_turn turn, uint32_t extra,
                   hd_machine *machine, bool all) {
  hd_search_frame *f = &hd_vec_last(&s->stack);
  if (hd_machine_threads(machine) > MANY)
    s->effort += hd_machine_threads(machine) * HD_LOCAL_ACTIONS;
  encode(s, machine);
  hd_future_poses(s->future, machine, s->twins.data, &s->poses);
  hd_future_follow(s->future, turn.thread, hd_graph_poses(&s->graph, f->node),
                   hd_search_node(s, f->node)->n_poses, s->poses.data,
                   s->poses.size);
  hd_future_pass(s->future, turn.thread, hd_graph_poses(&s->graph, f->node),
                 hd_search_node(s, f->node)->n_poses);
  bool inside = is_inside(s, machine, turn.thread);
  judge(s, f, machine, turn.thread, inside);
  bool fresh;
  uint32_t id =
      hd_states_put(&s->graph.states, s->bytes.data, s->bytes.size, &fresh);
  hd_link link = {.from = f->node, .to = id};
  if (!hd_search_node(s, f->node)->full || hd_search_node(s, f->node)->inside ||
      (s->graph.keep && !is_woken(s, f->node, turn.thread)))
    hd_vec_push(&s->graph.links, link);
  if (fresh) {
    hd_node node = {.parent = f->node,
                    .depth = hd_search_node(s, f->node)->depth + 1,
                    .via = turn,
                    .extra = extra,
                    .inside = inside};
    enter(s, node, machine, all);
    return;
  }
  f->leads_on |= hd_search_node(s, id)->leads_on;
  if (hd_search_node(s, id)->on_stack)
    close_cycle(s, id);
  if (all && !hd_search_node(s, id)->full)
    hd_vec_push(&s->forced, id);
  hd_machine_delete(machine);
}

/* Arrives at the state before the last of the local moves. `over`: that one ends
 * the run. When the others cannot tell the state from the one the thread came
 * from, there is nothing to be seen in it. */
static void arrive_before(hd_search *s, hd_turn turn, uint32_t extra,
                          bool over) {
  const hd_machine *from = hd_vec_last(&s->stack).machine;
  hd_machine *machine = hd_machine_copy(from);
  hd_machine_move(machine, turn);
  for (uint32_t i = 0; i < extra; i++)
    hd_machine_move(machine, (hd_turn){.thread = turn.thread});
  assert(hd_machine_status_of(machine) == HD_MACHINE_RUNNING);
  if (over && hd_machine_unnoticed(from, machine, turn.thread)) {
    hd_machine_delete(machine);
    s->dropped++;
    return;
  }
  arrive(s, turn, extra, machine, over);
}

/* A move was local by its action; does it end the run, or touch a part of the
 * stack that others look at? */
static bool stays_local(hd_search *s, const hd_machine *machine,
                        hd_tid thread) {
  uint64_t reached = hd_machine_reached(machine);
  return !hd_search_ended(machine) && !hd_machine_hidden(machine) &&
         (!reached || hd_future_claim(s->future, machine, thread, reached));
}

/* The frame's thread has got past its action, to another one that others could
 * notice, whether or not the run ends there. */
static void note_passed(hd_search *s, hd_tid thread) {
  uint32_t node = hd_vec_last(&s->stack).node;
  hd_future_pass(s->future, thread, hd_graph_poses(&s->graph, node),
                 hd_search_node(s, node)->n_poses);
}

/* The thread has just begun to wait for a signal, which it does not need. */
static bool dozes(const hd_search *s, const hd_machine *machine,
                  hd_tid thread) {
  return s->dozes && !hd_search_ended(machine) &&
         hd_machine_alive(machine, thread) &&
         hd_machine_access(machine, thread).spurious &&
         !hd_machine_in_section(machine, thread);
}

/* May it go on at once? */
static bool goes_on(const hd_search *s, const hd_machine *machine,
                    hd_tid thread) {
  return hd_search_runs_on(machine, thread) || dozes(s, machine, thread);
}

/* One move of the frame on top, and the local moves behind it. */
static void step(hd_search *s, hd_turn turn) {
  hd_machine *machine = hd_machine_copy(hd_vec_last(&s->stack).machine);
  uint32_t extra = 0;
  bool local = true;
  hd_vec_clear(&s->trail);
  hd_search_make(s, machine, turn);
  if (s->machine.clocks && hd_search_minds_races(s))
    hd_search_probe(s, machine, turn.thread);
  while (s->leaps && local && extra < EXTRA_MOST &&
         goes_on(s, machine, turn.thread)) {
    if (!hd_machine_access(machine, turn.thread).local)
      note_passed(s, turn.thread);
    hd_search_make(s, machine, (hd_turn){.thread = turn.thread});
    extra++;
    local = stays_local(s, machine, turn.thread);
  }
  bool over = hd_search_ended(machine);
  if (over && hd_machine_status_of(machine) != HD_MACHINE_ASSUMED)
    hd_search_node(s, hd_vec_last(&s->stack).node)->ends = true;
  if (!over && local) {
    arrive(s, turn, extra, machine, false);
    return;
  }
  hd_machine_delete(machine);
  if (extra)
    arrive_before(s, turn, extra - 1, over);
}

/* --- the search --- */

/* What has to be explored in a node, by what is known now. */
static uint64_t *closed(hd_search *s, uint32_t node) {
  size_t words = set_words(s, node);
  hd_vec_resize(&s->wanted, words + 1);
  memcpy(s->wanted.data, hd_graph_explored(&s->graph, node),
         words * sizeof(uint64_t));
  hd_future_close(s->future, hd_graph_poses(&s->graph, node),
                  hd_search_node(s, node)->n_poses, s->wanted.data);
  return s->wanted.data;
}

/* All demands are met: are there new ones? */
static bool grow(hd_search *s, hd_search_frame *f) {
  hd_node *node = hd_search_node(s, f->node);
  node->version = hd_future_version(s->future);
  if (node->full)
    return false;
  if (!f->leads_on)
    demand_all(s, f);
  else
    demand(s, f, closed(s, f->node));
  return hd_bits_count(f->todo, set_words(s, f->node)) != 0;
}

static void show(hd_search *s) {
  if (!hd_run_wants_progress(s->run))
    return;
  hd_progress progress = {
      .engine = "explore",
      .names = {"states", "moves", "depth", "rounds"},
      .values = {s->graph.nodes.size, s->moves, s->stack.size, s->rounds}};
  hd_run_show(s->run, &progress);
}

bool hd_search_may_go_on(hd_search *s) {
  uint64_t most = s->options->max_states;
  uint64_t effort = s->effort / HD_LOCAL_ACTIONS;
  s->effort = 0;
  if (!hd_run_spend(s->run, 1 + effort)) {
    hd_search_incomplete(s, hd_run_why(s->run));
    s->stopped = true;
  } else if (s->options->sampled && *s->options->sampled &&
             hd_mem_current() > SAMPLED_MEMORY) {
    hd_search_incomplete(s, "memory for trying some values is used up");
    s->stopped = true;
  } else if (most && s->graph.nodes.size > most) {
    hd_search_incomplete(s, "the limit of states is reached");
    s->stopped = true;
  } else if (!hd_findings_open(s->result) && !s->options->at_end) {
    s->stopped = true;
  } else if (hd_future_belied(s->future) || hd_search_lacks_clocks(s) ||
             hd_search_lacks_names(s) || hd_search_lacks_heaps(s) ||
             hd_search_lacks_order(s) || hd_search_lacks_symbols(s)) {
    s->stopped = s->again = true;
  }
  show(s);
  return !s->stopped;
}

/* Until the stack is empty, or a limit is reached. */
static void drain(hd_search *s) {
  while (s->stack.size && hd_search_may_go_on(s)) {
    hd_turn turn;
    if (hd_search_next(s, &turn))
      step(s, turn);
    else if (!grow(s, &hd_vec_last(&s->stack)))
      pop_frame(s);
  }
}

hd_machine *hd_search_go_to(hd_search *s, uint32_t node, hd_turns *turns) {
  hd_graph_way(&s->graph, node, turns);
  hd_machine *machine = hd_machine_copy(s->first);
  for (hd_vec_each(hd_turn, turn, turns))
    hd_machine_move(machine, *turn);
  assert(!hd_search_ended(machine));
  return machine;
}

/* Explores more threads in a node that was left. */
static void reopen(hd_search *s, uint32_t node, const uint64_t *threads) {
  hd_turns turns = {0};
  hd_machine *machine = hd_search_go_to(s, node, &turns);
  hd_vec_free(&turns);
  push_frame(s, node, machine);
  encode(s, machine);
  keep_twins(s);
  hd_search_frame *f = &hd_vec_last(&s->stack);
  f->leads_on = true; /* it was left with one, or will be full now */
  demand(s, f, threads);
  s->reopened++;
  drain(s);
}

/* R2 for all nodes, as far as the futures have grown since they were left. */
static bool close_nodes(hd_search *s) {
  bool changed = false;
  for (uint32_t i = 0; i < s->graph.nodes.size && hd_search_may_go_on(s); i++) {
    hd_node *node = hd_search_node(s, i);
    if (node->full || node->version == hd_future_version(s->future))
      continue;
    node->version = hd_future_version(s->future);
    const uint64_t *wanted = closed(s, i);
    if (!hd_bits_subset(wanted, hd_graph_explored(&s->graph, i),
                        set_words(s, i))) {
      reopen(s, i, wanted);
      changed = true;
    }
  }
  return changed;
}

static bool fill_nodes(hd_search *s, const hd_u32s *nodes) {
  bool changed = false;
  for (size_t i = 0; i < nodes->size && hd_search_may_go_on(s); i++)
    if (!hd_search_node(s, nodes->data[i])->full) {
      size_t words = set_words(s, nodes->data[i]);
      hd_vec_resize(&s->wanted, words + 1);
      memcpy(s->wanted.data, hd_search_enabled(s, nodes->data[i]),
             words * sizeof(uint64_t));
      reopen(s, nodes->data[i], s->wanted.data);
      changed = true;
    }
  return changed;
}

/* Until R2, R3 and R4 hold everywhere. */
static void settle(hd_search *s) {
  hd_u32s nodes = {0};
  bool changed = !s->options->no_reduction;
  while (changed && !s->stopped) {
    s->rounds++;
    changed = close_nodes(s);
    hd_u32s forced = s->forced;
    s->forced = (hd_u32s){0};
    changed |= fill_nodes(s, &forced);
    hd_vec_free(&forced);
    hd_graph_cycles(&s->graph, &nodes);
    changed |= fill_nodes(s, &nodes);
  }
  hd_vec_free(&nodes);
}

static void start(hd_search *s) {
  s->first = hd_machine_new(s->code, &s->machine);
  hd_machine *machine = hd_machine_copy(s->first);
  for (size_t i = 0; i < hd_machine_violations(machine); i++) {
    const hd_violation *v = hd_machine_violation(machine, i);
    if (hd_findings_takes(s->result, s->code, v))
      hd_findings_add(s->result, s->code, s->options, v, &s->trail);
  }
  if (hd_search_ended(machine)) {
    if (hd_findings_note_end(s->result, machine))
      hd_search_ended_early(s, machine);
    hd_machine_delete(machine);
    return;
  }
  hd_future_poses(s->future, machine, NULL, &s->poses);
  encode(s, machine);
  hd_states_put(&s->graph.states, s->bytes.data, s->bytes.size, NULL);
  enter(s, (hd_node){.parent = HD_NO_ID}, machine, false);
  drain(s);
  settle(s);
  if (!s->stopped && s->graph.keep &&
      hd_findings_wants(s->result, HD_PROPERTY_DEADLOCK))
    hd_search_look_for_stuck(s);
}

/* All but the futures. */
static void forget(hd_search *s) {
  while (s->stack.size)
    pop_frame(s);
  hd_graph_free(&s->graph);
  hd_machine_delete(s->first);
  s->first = NULL;
  hd_vec_clear(&s->forced);
  hd_future_forget_claims(s->future);
  s->machine = hd_search_options(s->options, false);
  if (s->needs_clocks && hd_search_minds_races(s)) {
    hd_future_drop_updates(s->future); /* the clocks know orders of sections */
    s->machine.checks |= hd_property_bit(HD_PROPERTY_RACE);
    s->machine.clocks = true;
  }
  s->machine.exact = true;
  s->machine.footprints = s->sections;
  s->machine.nameless = s->nameless;
  s->machine.heaps = s->heaps;
  s->machine.reuse = s->reuse;
  s->machine.orders = s->orders;
  s->machine.symbols = s->symbols;
  s->stopped = s->again = false;
}

/* What threads do is learned anew. */
static void begin(hd_search *s, bool nameless) {
  hd_future_delete(s->future);
  s->nameless = nameless;
  s->sections = s->leaps && !nameless && !hd_search_minds_races(s) &&
                hd_search_wants_names(s);
  s->machine.footprints = s->sections;
  s->machine.nameless = nameless;
  s->heaps = s->heaps && s->leaps && !s->sections;
  s->machine.heaps = s->heaps;
  s->machine.orders = s->orders;
  s->machine.symbols = s->symbols;
  s->future =
      hd_future_new(s->options->machine.spurious, s->sections, nameless);
  bool clocks = s->needs_clocks && hd_search_minds_races(s);
  if (s->updates && s->leaps && !s->sections && !clocks)
    hd_future_take_updates(s->future, hd_code_updates(s->code));
  hd_search_warm_up(s);
}

void hd_explore(const hd_code *code, const hd_explore_options *options,
                hd_run *run, hd_explore_result *result) {
  hd_search s = {.code = code,
                 .options = options,
                 .machine = hd_search_options(options, false),
                 .run = run,
                 .result = result};
  s.leaks = (s.machine.checks & hd_property_bit(HD_PROPERTY_LEAK)) != 0;
  s.leaps = !options->no_reduction && !s.leaks;
  s.tears = hd_code_tears(code);
  s.dozes = s.leaps && s.machine.spurious && !s.tears &&
            hd_search_keeps_signals(code) &&
            !(s.machine.checks & (hd_property_bit(HD_PROPERTY_DEADLOCK) |
                                  hd_property_bit(HD_PROPERTY_SYNC) |
                                  hd_property_bit(HD_PROPERTY_RACE)));
  s.graph.keep = s.machine.checks >> HD_PROPERTY_DEADLOCK & 1;
  hd_findings_start(result, options);
  hd_inputs_init(&s.inputs, code);
  s.heaps = !options->names;
  s.updates = !(s.machine.checks & (hd_property_bit(HD_PROPERTY_OVERFLOW) |
                                    hd_property_bit(HD_PROPERTY_UNINIT)));
  begin(&s, !hd_search_wants_names(&s));
  do {
    bool named = hd_search_lacks_names(&s) || (s.reuse && !s.machine.reuse);
    bool numbered = hd_search_lacks_heaps(&s);
    bool ordered = hd_search_lacks_order(&s);
    s.heaps = s.heaps && !numbered;
    s.orders = s.orders || ordered;
    forget(&s);
    bool open = hd_search_changes_inputs(&s);
    if (named || numbered || ordered || open) {
      begin(&s, s.nameless && !named);
      forget(&s);
    }
    start(&s);
    hd_search_heed_told(&s);
    if (s.symbols && !s.again && !s.stopped)
      s.again = hd_search_tries_others(&s);
  } while (s.again);
  hd_findings_rest(result, s.incomplete ? HD_UNKNOWN : HD_SAFE, s.why,
                   s.incomplete);
  hd_search_put_stats(&s);
  forget(&s);
  hd_future_delete(s.future);
  hd_symbols_delete(s.symbols);
  hd_inputs_free(&s.inputs);
  hd_vec_free(&s.hopeless);
  hd_vec_free(&s.stack);
  hd_vec_free(&s.forced);
  hd_vec_free(&s.poses);
  hd_vec_free(&s.bytes);
  hd_vec_free(&s.trail);
  hd_vec_free(&s.set);
  hd_vec_free(&s.wanted);
  hd_vec_free(&s.twins);
  hd_vec_free(&s.near);
  hd_vec_free(&s.alike);
  hd_free(s.incomplete);
}

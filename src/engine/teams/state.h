/* SPDX-License-Identifier: MIT */
/* Shared by the files of the walk. */
#ifndef HD_ENGINE_TEAMS_STATE_H
#define HD_ENGINE_TEAMS_STATE_H

#include "engine/teams/walk.h"

typedef struct {
  hd_func_id func;
  hd_loc_id loc;
  hd_edge_id call; /* in the frame below */
  size_t regs;     /* the first of its registers */
  size_t slots;    /* the number of the first of its objects */
  size_t heap;     /* objects that are no slots, when it began */
} hd_team_walk_frame;

/* Bytes of an object of the thread's own whose value is known. */
typedef struct {
  uint64_t address;
  uint64_t size;
  hd_team_term value;
} hd_team_walk_cell;

/* The bytes of an object that are in no cell: which of the states it has had. */
typedef struct {
  uint64_t object;
  int64_t version;
} hd_team_walk_version_of;

/* The region that the thread is in: the first objects that belong to its threads
 * alone, and those that belong to threads of the outermost region. */
typedef struct {
  size_t slots, heap, first_slots, first_heap;
  size_t region_slots, region_heap; /* of the thread, when this is a task */
  bool task;
  hd_team_term self; /* … which it is */
  size_t depth;      /* frames below it, and loops, parts and their counters */
  size_t loops, parts, counters;
} hd_team_walk_team;

typedef struct {
  size_t depth;
  hd_loc_id head;
  hd_team_term counter;
  size_t parts;   /* that were open when it began */
  int64_t mark;   /* symbols from this one on belong to one time round */
  uint32_t visit; /* how often it was come to since the last barrier */
} hd_team_walk_loop;

/* A place, and how often it was come to since the last barrier. */
typedef struct {
  uint32_t site, times;
} hd_team_walk_met;

/* A loop or sections that are shared out: its bounds. */
typedef struct {
  hd_edge_id edge;
  uint32_t site, time;       /* which encounter it is */
  hd_team_term lower, upper; /* 0: none is open */
  size_t loops;              /* around it */
  bool distributed;          /* among the teams of a league */
  bool by_tasks;
  hd_team_term at_lower, at_upper; /* where who shares it has its bounds */
} hd_team_walk_share;

typedef struct {
  hd_vec(hd_team_walk_frame) frames;
  hd_team_list regs;             /* 0: never set */
  const hd_team_walk_team *team; /* NULL: outside of regions */
  hd_vec(hd_team_walk_cell) cells;
  hd_vec(hd_team_walk_version_of) versions;
  int64_t version; /* of all other objects */
  size_t objects;  /* slots of its frames */
  size_t heap;     /* other objects of its own, so far */
  hd_team_list facts;
  hd_team_list locks;
  hd_vec(hd_team_walk_loop) loops;
  hd_vec(hd_part) parts; /* the counters: into `counters` */
  hd_team_list counters;
  hd_vec(hd_team_walk_met) met;
  hd_team_walk_share share;
  hd_team_walk_share around; /* the iterations of this one are shared again */
  size_t serial;             /* regions of one thread that it is in */
  hd_team_term
      reduces; /* its part goes into the result of a reduction: its lock */
  uint32_t task, record;          /* the site, and into tasks; 0: none */
  hd_vec(hd_team_depend) depends; /* of the task that is created next */
  hd_vec(hd_team_pending) pending;
  size_t groups;
  bool at_head; /* of a loop, as one of the states of any time round */
} hd_team_walk_state;

typedef hd_vec(hd_team_walk_state) hd_team_walk_states;

/* A loop of the graph. */
typedef struct {
  hd_loc_id head;
  uint64_t *body; /* locations of the function, from its first one */
  bool barrier;   /* is there one in it, or in what it calls? */
  hd_vec(hd_reg_id) sets;
  /* What was seen to change in it the last time, to begin with the next time. */
  hd_vec(hd_team_walk_cell) cells;
  hd_vec(bool) chosen; /* the cell: it was one of some addresses */
  hd_team_objects objects;
} hd_team_walk_shape;

typedef struct {
  hd_edge_id edge;
  size_t place; /* the first entry there, whatever its locks */
  hd_team_walk_state state;
  bool fresh; /* to be walked (again) from here */
} hd_team_walk_entry;

/* A way from one barrier to the next. */
typedef struct {
  size_t entry, from, to; /* entry, places; SIZE_MAX: the beginning, the end */
  hd_team_list facts;
} hd_team_walk_end_of;

/* What has become anything, in the states of an entry. */
typedef struct {
  size_t entry, reg; /* SIZE_MAX: it is a cell */
  uint64_t address, size;
  hd_team_term symbol;
} hd_team_walk_joint;

/* An answer of the solver: under the first `n_facts` of the facts, which have this
 * hash, the condition holds; or it does not under exactly these. */
typedef struct {
  hd_team_term condition;
  bool holds;
  size_t n_facts;
  uint64_t hash;
} hd_team_walk_answer;
enum { HD_TEAM_WALK_ANSWERS = 4096 };

/* What a region wrote when it was walked the last time, from a state with so many
 * objects: it is likely to do so again. */
typedef struct {
  hd_edge_id edge;
  uint64_t calls; /* a hash of those that are active */
  size_t objects, heap;
  bool walked, relied_on;
  hd_team_objects written;
} hd_team_walk_habit_of;

/* What is known of the program, for all walks. */
typedef struct hd_team_walk_graph {
  hd_vec(hd_team_walk_shape *) shapes;
  hd_vec(hd_team_walk_habit_of) habits;
  bool cautious;     /* they are not relied on … */
  bool surprised;    /* … since one was wrong */
  uint8_t *barriers; /* a function: 0 not known, 1 no, 2 yes */
  int64_t versions;
  uint64_t steps;
  bool nested;          /* the program asks for regions inside regions */
  int mpi_level;        /* of threads, that MPI_Init_thread is asked for */
  hd_team_objects lent; /* MPI has, or has had, their address */
  hd_team_walk_answer answers[HD_TEAM_WALK_ANSWERS];
  /* simd: so many threads are lanes, and what goes beyond is safelen. */
#define HD_TEAM_WALK_LANES 1000000
  int64_t threads, teams; /* what clauses say of the next region; 0: nothing */
} hd_team_walk_graph;

typedef struct {
  hd_team_walk *w;
  hd_team_walk_graph *graph;
  hd_vec(hd_team_walk_entry) entries;
  unsigned probing; /* what is done is not recorded */
  size_t interval;
  /* On this walk from a barrier to the next ones: */
  hd_vec(hd_team_walk_entry) arrivals;
  hd_vec(hd_team_walk_end_of) ends; /* … and on all */
  hd_vec(hd_team_walk_joint) joints;
} hd_team_walker;

void hd_team_walk_copy(hd_team_walk_state *to, const hd_team_walk_state *from);
void hd_team_walk_drop(hd_team_walk_state *state);

HD_PRINTF(3, 4)
void hd_team_walk_refuse(hd_team_walker *k, hd_edge_id edge, const char *format,
                         ...);

/* Is it so on this path, as far as the solver can tell? */
bool hd_team_walk_holds(hd_team_walker *k, const hd_team_walk_state *s,
                        hd_team_term condition);
/* Can the path be gone, as far as the solver can tell? */
bool hd_team_walk_possible(hd_team_walker *k, const hd_team_walk_state *s);
hd_team_term hd_team_walk_eval(hd_team_walker *k, hd_team_walk_state *s,
                               hd_cexpr_id expr);

/* A value of which nothing is known, of a type with so many bits (0: any). */
hd_team_term hd_team_walk_any(hd_team_walker *k, const hd_team_walk_state *s,
                              uint8_t width);

/* --- memory --- */
hd_team_term hd_team_walk_load(hd_team_walker *k, hd_team_walk_state *s,
                               hd_edge_id edge, hd_team_term address,
                               uint64_t size, hd_type type, bool atomic);
void hd_team_walk_store(hd_team_walker *k, hd_team_walk_state *s,
                        hd_edge_id edge, hd_team_term address, uint64_t size,
                        hd_team_term value, bool atomic, bool commutes);
/* The access alone; what is there afterwards is not known when it writes. */
void hd_team_walk_touch(hd_team_walker *k, hd_team_walk_state *s,
                        hd_edge_id edge, hd_team_term address,
                        hd_team_term size, bool write);
void hd_team_walk_touch_as(hd_team_walker *k, hd_team_walk_state *s,
                           hd_edge_id edge, hd_team_term address,
                           hd_team_term size, bool write, bool atomic);
/* Did the object begin when there were so many others, or later? */
bool hd_team_walk_is_newer(uint64_t object, size_t slots, size_t heap);
/* A value is read: does it depend on the iterations that the thread had before? */
void hd_team_walk_use(hd_team_walk *w, const hd_team_walk_state *s,
                      hd_team_term value);
/* The region writes to the object. */
void hd_team_walk_write(hd_team_walk *w, uint64_t object);
/* After a copy: what is known of what was copied. */
void hd_team_walk_move_cells(hd_team_walker *k, hd_team_walk_state *s,
                             hd_team_term to, hd_team_term from, uint64_t size);
bool hd_team_walk_is_own(const hd_team_walk_state *s, uint64_t object);
/* A new object of the thread's own that is no slot: its address. */
hd_team_term hd_team_walk_allocate(hd_team_walker *k, hd_team_walk_state *s);
/* An access of that size is in the block that the pointer points into. */
void hd_team_walk_stay_in_block(hd_team_walker *k, hd_team_walk_state *s,
                                hd_team_term pointer, hd_team_term at,
                                hd_team_term size);
uint64_t hd_team_walk_slot(uint64_t slot);
/* Are they a variable of the thread's own and that of the thread outside? The
 * first thread of the team is that one. */
bool hd_team_walk_is_first(uint64_t one, uint64_t other);
uint64_t hd_team_walk_thread_local(const hd_team_walk_state *s,
                                   uint64_t global);
int64_t hd_team_walk_version(const hd_team_walk_state *s, uint64_t object);
/* What is in the object, outside of its cells; in it; anywhere: anything. */
void hd_team_walk_renew(hd_team_walker *k, hd_team_walk_state *s,
                        uint64_t object);
void hd_team_walk_havoc(hd_team_walker *k, hd_team_walk_state *s,
                        uint64_t object);
void hd_team_walk_havoc_all(hd_team_walker *k, hd_team_walk_state *s);
/* At a barrier: what others may have written before it. */
void hd_team_walk_forget_exclusive(hd_team_walker *k, hd_team_walk_state *s);
/* Tasks may see what the value points to. */
void hd_team_walk_capture(hd_team_walker *k, const hd_team_walk_state *s,
                          hd_team_term value);
/* The variables from this slot on end, and tasks may still see them. */
void hd_team_walk_end_exposed(hd_team_walker *k, hd_team_walk_state *s,
                              hd_edge_id edge, size_t first);
/* The slots from this one on are gone. */
void hd_team_walk_end_slots(hd_team_walk_state *s, size_t first);

/* --- barriers --- */

/* The thread is at a barrier, or at its end (HD_NO_ID). */
void hd_team_walk_arrive(hd_team_walker *k, hd_team_walk_state *s,
                         hd_edge_id edge);
/* A walk from an entry is over: those who have arrived go on from there. */
void hd_team_walk_settle(hd_team_walker *k, size_t entry);
/* All walks are: refuses when threads can come to different barriers. */
void hd_team_walk_align(hd_team_walker *k);
void hd_team_walk_forget_arrivals(hd_team_walker *k);

/* --- calls --- */
typedef enum {
  HD_TEAM_WALK_ON,
  HD_TEAM_WALK_BARRIER,
  HD_TEAM_WALK_END
} hd_team_walk_way;
/* Executes the call of a function that is not the user's; false: it is one.
 * States that go on besides `s` are appended to `more`. */
bool hd_team_walk_call(hd_team_walker *k, hd_team_walk_state *s,
                       hd_func_id func, hd_edge_id edge, hd_team_walk_way *way,
                       hd_team_walk_states *more);
void hd_team_walk_enter(hd_team_walker *k, hd_team_walk_state *s,
                        hd_func_id func, hd_edge_id call,
                        const hd_team_term *args, size_t n);

/* --- places --- */

/* The number of the place, through the calls that are active, from 1 on. */
uint32_t hd_team_walk_site_of(hd_team_walker *k, const hd_team_walk_state *s,
                              hd_edge_id edge);
/* How often the thread has come there, this time included. */
uint32_t hd_team_walk_meet(hd_team_walk_state *s, uint32_t site);
/* The thread gets a part of the construct. */
void hd_team_walk_push_part(hd_team_walker *k, hd_team_walk_state *s,
                            const hd_team_walk_share *share,
                            hd_team_term iteration, unsigned level);

/* --- tasks --- */

/* A loop that tasks share: where a task has its bounds, those of this one, and
 * of all. */
typedef struct {
  hd_team_term at_lower, at_upper, lower, upper, from, to;
} hd_team_walk_part_of;

hd_team_term hd_team_walk_new_task(hd_team_walker *k, hd_team_walk_state *s,
                                   hd_edge_id edge, hd_team_term entry);
/* The task begins; `loop` may be NULL. */
void hd_team_walk_create(hd_team_walker *k, hd_team_walk_state *s,
                         hd_team_term task, hd_edge_id edge,
                         const hd_team_walk_part_of *loop);
/* An untied task has put itself into the list, and ends: it goes on, from its
 * beginning, where it asks which part is next. */
void hd_team_walk_next_part(hd_team_walker *k, hd_team_walk_state *s,
                            hd_edge_id edge);
/* The dependences of the task that is created next. */
void hd_team_walk_depend(hd_team_walker *k, hd_team_walk_state *s,
                         hd_team_term list, hd_team_term n);
hd_func_id hd_team_walk_entry_of(hd_team_walker *k, const hd_team_walk_state *s,
                                 hd_team_term task);
/* A task that its creator executes at once; the end of any task. */
void hd_team_walk_begin_task(hd_team_walker *k, hd_team_walk_state *s,
                             hd_edge_id edge);
void hd_team_walk_end_task(hd_team_walker *k, hd_team_walk_state *s);
void hd_team_walk_taskwait(hd_team_walker *k, hd_team_walk_state *s);
void hd_team_walk_end_group(hd_team_walk_state *s);
/* Waits for children with such dependences. */
void hd_team_walk_wait_depend(hd_team_walker *k, hd_team_walk_state *s);
/* Out of the loop of that level; any time round it. */
void hd_team_walk_leave_loop(hd_team_walk_state *s, size_t level, int64_t mark);
void hd_team_walk_go_round(hd_team_walk_state *head,
                           const hd_team_walk_states *ends, size_t level,
                           int64_t mark);
/* An object for a task that is being created; its number among them. */
hd_team_term hd_team_walk_task_object(hd_team_walker *k, hd_team_walk_state *s);
uint64_t hd_team_walk_task_index(uint64_t object);
/* What is in memory of the thread's own, as far as it is known; 0: it is not. */
hd_team_term hd_team_walk_peek(hd_team_walker *k, const hd_team_walk_state *s,
                               hd_team_term address, uint64_t size);

/* What functions that call themselves leave behind when they end, as tasks that
 * were created at the call. */
hd_team_pending hd_team_walk_begin_rest(hd_team_walker *k,
                                        hd_team_walk_state *s, hd_edge_id call);
void hd_team_walk_end_rest(hd_team_walker *k, hd_team_walk_state *s,
                           hd_team_pending rest);

/* --- recursion --- */

/* An access, of anything; the end of an activation. */
void hd_team_walk_note(hd_team_walker *k, const hd_team_walk_state *s,
                       hd_edge_id edge, uint64_t object, hd_team_term address,
                       hd_team_term size, bool write, bool atomic);
void hd_team_walk_note_end(hd_team_walker *k, const hd_team_walk_state *s);
/* The call of a function that is active already: what it touches is touched.
 * False: it is not active. */
bool hd_team_walk_recursion(hd_team_walker *k, hd_team_walk_state *s,
                            hd_func_id func, hd_edge_id call,
                            const hd_team_term *args, size_t n);
/* Before the first call of a function that calls itself. */
void hd_team_walk_open_arguments(hd_team_walker *k, hd_team_walk_state *s,
                                 hd_func_id func, hd_team_term *args, size_t n);
/* Variables of which each thread has one: anything is in them. */
void hd_team_walk_forget_threads(hd_team_walker *k, hd_team_walk_state *s);
void hd_team_walk_free_habits(hd_team_walk *w);

/* The region that begins here, as a whole; `s` goes on behind it. */
void hd_team_walk_fork(hd_team_walker *k, hd_team_walk_state *s,
                       hd_func_id body, hd_team_term argument, hd_edge_id edge,
                       bool league);

/* --- loops --- */
hd_team_walk_shape *hd_team_walk_shape_of(hd_team_walker *k, hd_loc_id head);
static inline bool hd_team_walk_inside(const hd_team_walker *k,
                                       const hd_team_walk_shape *shape,
                                       hd_loc_id loc) {
  const hd_code *code = k->w->code;
  hd_func_id f = code->locs.data[shape->head].func;
  if (code->locs.data[loc].func != f)
    return false;
  uint32_t i = loc - code->funcs.data[f].locs;
  return shape->body[i / 64] >> (i % 64) & 1;
}
/* The state stands at the head of a loop for the first time: makes it the state of
 * any time round, or one of several, of which the others are appended to `more`. */
void hd_team_walk_generalise(hd_team_walker *k, hd_team_walk_state *s,
                             hd_team_walk_shape *shape,
                             hd_team_walk_states *more);
/* Follows all paths of `s` until they end; where `ends` is not NULL those that
 * come back to the head that `s` stands at go there, and those that leave its loop
 * are dropped. */
void hd_team_walk_follow(hd_team_walker *k, hd_team_walk_state *s,
                         hd_team_walk_states *ends);

#endif

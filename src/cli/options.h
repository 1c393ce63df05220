/* SPDX-License-Identifier: MIT */
/* The command line, as two tables. HD_COMMANDS and HD_OPTIONS are the only
 * place where commands and options are named: the parser, -h, --help,
 * --print-options (and from it the man page) and the struct below come from
 * them. */
#ifndef HD_CLI_OPTIONS_H
#define HD_CLI_OPTIONS_H

#include "base/common.h"

#include <stdio.h>

/* Operands and repeated options a command line can have. */
#define HD_OPERANDS_MOST 4096
#define HD_LISTED_MOST 4096

/* COMMAND (id, name, operands, least and most operands, summary) */
#define HD_COMMANDS(COMMAND)                                                   \
  COMMAND(VERIFY, "verify", "FILE...", 1, HD_OPERANDS_MOST,                    \
          "decide whether something bad can be reached")                       \
  COMMAND(RUN, "run", "FILE...", 1, HD_OPERANDS_MOST,                          \
          "execute a C program once, under a schedule")                        \
  COMMAND(FUZZ, "fuzz", "FILE...", 1, HD_OPERANDS_MOST,                        \
          "look for bugs of a C program by many schedules")                    \
  COMMAND(COMPARE, "compare", "SPEC IMPL", 2, 2,                               \
          "decide whether two C programs compute the same")                    \
  COMMAND(REACH, "reach", "FILE", 1, 1, "list everything that can be reached") \
  COMMAND(CHECK, "check", "MODEL... EVIDENCE", 2, HD_OPERANDS_MOST,            \
          "judge a witness or certificate of verify")                          \
  COMMAND(CONVERT, "convert", "FROM TO", 2, 2,                                 \
          "translate a model into another format")                             \
  COMMAND(SHOW, "show", "FILE...", 1, HD_OPERANDS_MOST,                        \
          "summarise and list, or draw, a model")                              \
  COMMAND(STUBS, "stubs", "FILE...", 1, HD_OPERANDS_MOST,                      \
          "write a C file with what a program lacks")                          \
  COMMAND(API, "api", "HEADER FILE...", 1, HD_OPERANDS_MOST,                   \
          "which functions of a library may run at once")                      \
  COMMAND(CUTOFF, "cutoff", "FILE", 1, 1,                                      \
          "how many threads it takes to reach everything")                     \
  COMMAND(SUITE, "suite", "LIST|DIR|TASK...", 1, HD_OPERANDS_MOST,             \
          "verify many tasks against what is expected")                        \
  COMMAND(ENGINES, "engines", "", 0, 0,                                        \
          "list the engines and what they can treat")                          \
  COMMAND(HELP, "help", "[COMMAND]", 0, 1, "explain a command")

typedef enum {
#define COMMAND(id, name, operands, least, most, summary) HD_COMMAND_##id,
  HD_COMMANDS(COMMAND)
#undef COMMAND
      HD_COMMAND_COUNT
} hd_command;

#define HD_ON(id) (1u << HD_COMMAND_##id)
#define HD_ON_VERIFY HD_ON(VERIFY)
#define HD_ON_SEARCH (HD_ON(VERIFY) | HD_ON(REACH) | HD_ON(CUTOFF))
#define HD_ON_MODEL (HD_ON_SEARCH | HD_ON(CHECK) | HD_ON(CONVERT) | HD_ON(SHOW))
#define HD_ON_TARGET (HD_ON_MODEL & ~HD_ON(REACH) & ~HD_ON(CUTOFF))
/* Commands that execute C programs, that do so once or often by chance, and
 * that read them. */
#define HD_ON_PLAY (HD_ON(RUN) | HD_ON(FUZZ))
#define HD_ON_EXECUTE (HD_ON_VERIFY | HD_ON_PLAY)
#define HD_ON_CODE                                                             \
  (HD_ON_EXECUTE | HD_ON(COMPARE) | HD_ON(CHECK) | HD_ON(SHOW) |               \
   HD_ON(STUBS) | HD_ON(API))
#define HD_ON_LIMITS (HD_ON_SEARCH | HD_ON_PLAY | HD_ON(COMPARE))
#define HD_ON_REPORT                                                           \
  (HD_ON(REACH) | HD_ON(CUTOFF) | HD_ON(CHECK) | HD_ON(ENGINES) |              \
   HD_ON(COMPARE))
#define HD_ON_OUTPUT                                                           \
  (HD_ON_REPORT | HD_ON_EXECUTE | HD_ON(SHOW) | HD_ON(STUBS) | HD_ON(API))
#define HD_ON_ALL ((1u << HD_COMMAND_COUNT) - 1)

/* OPTION (kind, id, letter, name, argument, default, least, most, commands,
 *         help, more)
 *   FLAG    no argument
 *   TEXT    any text
 *   CHOICE  one of the words in `argument`, separated by '|'
 *   NUMBER  a whole number from least to most
 *   REAL    a decimal number from least to most
 *   LIST    any text; may be given several times
 * `default` is for people, and parsed like the user's value where the kind is
 * CHOICE, NUMBER or REAL. `help` is one line for -h; --help adds `more`. */
#define HD_OPTIONS(OPTION)                                                     \
  OPTION(TEXT, target, 0, "target", "CONFIG", "", 0, 0, HD_ON_TARGET,          \
         "what must not be reached, e.g. '2|1,1'",                             \
         "Thread systems: SHARED|LOCAL,LOCAL,... (repeats count). Nets: "      \
         "PLACE>=N,PLACE>=N,... Several targets are separated by ';'. "        \
         "Replaces the targets of the model.")                                 \
  OPTION(TEXT, prop, 0, "prop", "FILE", "FILE.prop beside FILE.tts", 0, 0,     \
         HD_ON_TARGET, "read the target from a .prop file",                    \
         "Replaces the targets of the model.")                                 \
  OPTION(TEXT, threads, 0, "threads", "parametric|dynamic|N", "parametric", 0, \
         0, HD_ON_MODEL, "how many threads there are at the start",            \
         "parametric: any number; dynamic: one, the others are spawned; N: "   \
         "exactly N. C programs, N: at most N threads at a time; unbounded: "  \
         "any number, assertions only.")                                       \
  OPTION(TEXT, init, 0, "init", "CONFIG", "", 0, 0, HD_ON_MODEL,               \
         "the initial configurations, e.g. '0|1/0'",                           \
         "Thread systems: SHARED|LOCALS/LOCALS, exactly the threads before "   \
         "the slash and any number of those after it. Nets: "                  \
         "PLACE=N,PLACE>=N,...; other places are empty.")                      \
  OPTION(LIST, entry, 0, "entry", "FUNCTION", "", 0, 0, HD_ON_EXECUTE,         \
         "C: call this function, not main",                                    \
         "With arguments of its types: any numbers; pointers to objects that " \
         "are zero, texts of two characters, functions that do nothing. May "  \
         "be repeated: then threads call them at the same time, and those "    \
         "with pointers to the same struct share one.")                        \
  OPTION(TEXT, api_init, 0, "init", "CALL", "", 0, 0, HD_ON(API),              \
         "what makes the object that calls share",                             \
         "A function, whose arguments heddle makes, or a call as in C: "       \
         "'pool_create(2)'. The object is what it returns, or what its first " \
         "argument points to; in a call that is 'object'. Default: there is "  \
         "none, and all functions are called.")                                \
  OPTION(TEXT, fini, 0, "fini", "CALL", "", 0, 0, HD_ON(API),                  \
         "what is called when all calls have returned", "As --init.")          \
  OPTION(TEXT, type, 0, "type", "TYPE", "", 0, 0, HD_ON(API),                  \
         "the type of the object",                                             \
         "Functions that have no parameter which points to one are not "       \
         "called. Default: what --init makes.")                                \
  OPTION(TEXT, range, 0, "range", "LO..HI", "0..2", 0, 0, HD_ON(API),          \
         "numbers that are arguments", "For --init they are at least 1.")      \
  OPTION(NUMBER, at_once, 0, "at-once", "N", "2", 1, 3, HD_ON(API),            \
         "how many calls run at the same time", "")                            \
  OPTION(REAL, call_timeout, 0, "timeout", "SECONDS", "10", 0.001, 1e9,        \
         HD_ON(API), "for each program", "")                                   \
  OPTION(TEXT, keep, 0, "keep", "DIR", "", 0, 0, HD_ON(API),                   \
         "keep the programs that are verified in DIR",                         \
         "heddle verify DIR/PROGRAM FILE... shows the run of a violation.")    \
  OPTION(NUMBER, assertion, 0, "assert", "N", "all", 1, 1000000000,            \
         HD_ON_TARGET, "Boolean programs: only the N-th assertion",            \
         "Counted from 1 in the order of the text.")                           \
  OPTION(LIST, include_dir, 'I', "", "DIR", "", 0, 0, HD_ON_CODE,              \
         "C: look for headers in DIR", "May be repeated.")                     \
  OPTION(LIST, define, 'D', "", "NAME[=VALUE]", "", 0, 0, HD_ON_CODE,          \
         "C: define a macro", "May be repeated.")                              \
  OPTION(LIST, undefine, 'U', "", "NAME", "", 0, 0, HD_ON_CODE,                \
         "C: forget a macro", "May be repeated.")                              \
  OPTION(LIST, include, 0, "include", "FILE", "", 0, 0, HD_ON_CODE,            \
         "C: include FILE first", "Also -include FILE. May be repeated.")      \
  OPTION(TEXT, std, 0, "std", "STANDARD", "gnu11", 0, 0, HD_ON_CODE,           \
         "C: the language standard", "Also -std=STANDARD, as clang takes it.") \
  OPTION(LIST, cflag, 0, "cflag", "FLAG", "", 0, 0, HD_ON_CODE,                \
         "C: a flag for the compiler",                                         \
         "Flags of gcc and clang can also be given as they are (-O2, -Wall, "  \
         "-pthread, -lm, -fwrapv, -isystem DIR); those that do not change "    \
         "what a program means do nothing.")                                   \
  OPTION(TEXT, project, 'p', "project", "DIR", "", 0, 0, HD_ON_CODE,           \
         "C: flags as in DIR/compile_commands.json",                           \
         "FILEs of the project are compiled with their own flags; without "    \
         "any, the file with main. Others of the project are linked where "    \
         "they define what is missing.")                                       \
  OPTION(FLAG, m32, 0, "32", "", "", 0, 0, HD_ON_CODE,                         \
         "C: compile for 32 bits", "")                                         \
  OPTION(FLAG, m64, 0, "64", "", "", 0, 0, HD_ON_CODE,                         \
         "C: compile for 64 bits",                                             \
         "The default, unless the source says that size_t is unsigned int.")   \
  OPTION(TEXT, property, 0, "property", "LIST", "assert,race,deadlock", 0, 0,  \
         HD_ON_EXECUTE | HD_ON(CHECK), "C: what must not happen",              \
         "A list of assert, race, deadlock, overflow, arith, memory, leak, "   \
         "uninit, sync, unreachable, all; or an SV-COMP property file "        \
         "(FILE.prp).")                                                        \
  OPTION(TEXT, checks, 0, "check", "LIST", "", 0, 0,                           \
         HD_ON_EXECUTE | HD_ON(CHECK), "C: properties in addition",            \
         "Added to those of --property.")                                      \
  OPTION(                                                                      \
      CHOICE, memory_model, 0, "memory-model", "c11|rc11|sc|tso", "c11", 0, 0, \
      HD_ON_EXECUTE | HD_ON(CHECK), "C: what the verdict is about",            \
      "c11: the memory model of C, as RC11 repairs it. rc11: the same, but "   \
      "plain accesses that race mean something. sc: interleaving, "            \
      "whatever the orders say. tso: of x86.")                                 \
  OPTION(CHOICE, volatiles, 0, "volatile", "plain|relaxed", "plain", 0, 0,     \
         HD_ON_EXECUTE | HD_ON(CHECK), "C: what volatile accesses are",        \
         "plain: what C says, accesses that race as any other. relaxed: "      \
         "atomic accesses that order nothing.")                                \
  OPTION(CHOICE, undefined, 0, "undefined", "refuse|havoc", "refuse", 0, 0,    \
         HD_ON_EXECUTE | HD_ON(CHECK),                                         \
         "C: what functions do that nobody defines",                           \
         "refuse: runs end there. havoc: they return any value; violations "   \
         "are found behind them, nothing is proved.")                          \
  OPTION(LIST, arg, 0, "arg", "TEXT", "", 0, 0, HD_ON_EXECUTE | HD_ON(CHECK),  \
         "C: an argument for main", "The first is argv[1]. May be repeated.")  \
  OPTION(FLAG, no_spurious, 0, "no-spurious", "", "", 0, 0,                    \
         HD_ON_EXECUTE | HD_ON(CHECK),                                         \
         "C: condition variables wake up for a signal only",                   \
         "POSIX allows them to wake up without one. And weak "                 \
         "compare-exchanges fail only if they find another value.")            \
  OPTION(FLAG, malloc_fails, 0, "malloc-fails", "", "", 0, 0,                  \
         HD_ON_EXECUTE | HD_ON(CHECK), "C: malloc may return NULL", "")        \
  OPTION(FLAG, no_propagate, 0, "no-propagate", "", "", 0, 0, HD_ON_MODEL,     \
         "Boolean programs: leave constants and copies as they are", "")       \
  OPTION(FLAG, no_lazy, 0, "no-lazy", "", "", 0, 0, HD_ON_MODEL,               \
         "Boolean programs: decide on any value when it is chosen",            \
         "Otherwise, where many are chosen at once, when one is read.")        \
  OPTION(FLAG, no_slice, 0, "no-slice", "", "", 0, 0, HD_ON_MODEL,             \
         "Boolean programs: keep variables nobody asks for", "")               \
  OPTION(FLAG, no_live, 0, "no-live", "", "", 0, 0, HD_ON_MODEL,               \
         "Boolean programs: keep values nobody reads again", "")               \
  OPTION(FLAG, no_jump, 0, "no-jump", "", "", 0, 0, HD_ON_MODEL,               \
         "Boolean programs: keep locations that only skip", "")                \
  OPTION(CHOICE, input_format, 0, "input-format",                              \
         "auto|tts|spec|pnml|bp|c|code", "auto", 0, 0,                         \
         HD_ON_MODEL | HD_ON_PLAY | HD_ON(COMPARE), "format of the model",     \
         "auto: by the extension of the file, and by its content where that "  \
         "says nothing.")                                                      \
  OPTION(CHOICE, output_format, 0, "output-format", "auto|tts|spec|pnml",      \
         "auto", 0, 0, HD_ON(CONVERT), "format to write",                      \
         "auto: by the extension of TO.")                                      \
  OPTION(TEXT, engine, 0, "engine", "NAME", "heddle chooses", 0, 0,            \
         HD_ON_VERIFY, "use this engine only (see 'heddle engines')", "")      \
  OPTION(NUMBER, jobs, 'j', "jobs", "N", "number of cores", 1, 1024,           \
         HD_ON_VERIFY | HD_ON(SUITE), "at most N processes work at once",      \
         "verify: engines side by side; with 1, the same steps every time. "   \
         "suite: tasks, each with one engine at a time.")                      \
  OPTION(FLAG, explain_choice, 0, "explain-choice", "", "", 0, 0,              \
         HD_ON_VERIFY, "say which engines were chosen, and why",               \
         "On standard error, with what became of each.")                       \
  OPTION(TEXT, cache, 0, "cache", "DIR", "", 0, 0,                             \
         HD_ON_VERIFY | HD_ON(SUITE),                                          \
         "keep answers in DIR, and use those that are there",                  \
         "By content of the input, options and version; evidence is judged "   \
         "again.")                                                             \
  OPTION(TEXT, results, 0, "results", "FILE", "", 0, 0, HD_ON(SUITE),          \
         "append results to FILE as JSON lines",                               \
         "Tasks whose results are in it are not run again.")                   \
  OPTION(TEXT, compare, 0, "compare", "OLD", "", 0, 0, HD_ON(SUITE),           \
         "say what is different from the results in OLD", "")                  \
  OPTION(LIST, option, 0, "option", "OPTION", "", 0, 0, HD_ON(SUITE),          \
         "an option of verify, for every task", "May be repeated.")            \
  OPTION(REAL, task_timeout, 0, "timeout", "SECONDS", "60", 0.001, 1e9,        \
         HD_ON(SUITE), "time for each task", "")                               \
  OPTION(REAL, timeout, 0, "timeout", "SECONDS", "none", 0.001, 1e9,           \
         (HD_ON_LIMITS & ~HD_ON(FUZZ)) | HD_ON(CHECK),                         \
         "stop after this time with 'unknown'",                                \
         "verify of C programs: after 60 s, if nothing else is said.")         \
  OPTION(NUMBER, memory, 0, "memory", "MB",                                    \
         "half of the machine, 6 GB at most", 1, 1u << 30,                     \
         HD_ON_LIMITS | HD_ON(CHECK) | HD_ON(SUITE),                           \
         "stop at this much memory with 'unknown'", "suite: each task")        \
  OPTION(NUMBER, max_threads, 0, "max-threads", "N", "no bound", 1,            \
         1000000000, HD_ON_VERIFY | HD_ON(CUTOFF),                             \
         "forward search: at most N threads",                                  \
         "Bounds the engine fws, which then finds bugs but proves nothing, "   \
         "and the search for a cutoff.")                                       \
  OPTION(NUMBER, unwind, 0, "unwind", "N", "no bound", 1, 1000000000,          \
         HD_ON_VERIFY, "C: at most N rounds of a loop",                        \
         "Nothing is called safe then that goes on after them.")               \
  OPTION(                                                                      \
      NUMBER, widen, 0, "widen", "N", "15", 1, 1000000,                        \
      HD_ON_VERIFY | HD_ON(SHOW),                                              \
      "C, unfold: joins before bounds are given up",                           \
      "At one place of a thread: then what grows goes to the next constant "   \
      "of the program.")                                                       \
  OPTION(CHOICE, cutoffs, 0, "cutoffs", "on|off", "on", 0, 0,                  \
         HD_ON_VERIFY | HD_ON(SHOW), "C, unfold: stop at states seen before",  \
         "off: programs that wait in loops are unfolded for ever.")            \
  OPTION(CHOICE, domain, 0, "domain", "auto|interval|octagon|concrete",        \
         "auto", 0, 0, HD_ON_VERIFY | HD_ON(SHOW),                             \
         "C, unfold: how values are known",                                    \
         "interval: each alone. octagon: sums and differences of variables "   \
         "that are compared, too. auto: octagons where intervals are not "     \
         "enough. concrete: every value apart; inputs must have few.")         \
  OPTION(FLAG, outcomes, 0, "outcomes", "", "", 0, 0, HD_ON_VERIFY,            \
         "C: list every way the program can end",                              \
         "What it prints and how it exits, over all interleavings.")           \
  OPTION(FLAG, unreduced, 0, "unreduced", "", "", 0, 0, HD_ON_VERIFY,          \
         "MPI: also count the states of all interleavings",                    \
         "As lise.unreduced among the statistics; for comparison.")            \
  OPTION(FLAG, accept_bounded, 0, "accept-bounded", "", "", 0, 0,              \
         HD_ON_VERIFY | HD_ON(COMPARE),                                        \
         "MPI: safe within --unwind (--bound) is safe",                        \
         "Without it that is 'unknown'.")                                      \
  OPTION(NUMBER, bound, 0, "bound", "N", "no bound", 1, 1000000000,            \
         HD_ON(COMPARE), "at most N rounds of a loop without invariant",       \
         "What is equal only so far is 'unknown', unless --accept-bounded.")   \
  OPTION(FLAG, infer, 0, "infer", "", "", 0, 0, HD_ON_VERIFY,                  \
         "MPI: propose invariants for loops that have none",                   \
         "What holds in a few runs and can be proved is printed, ready to "    \
         "be pasted, and used.")                                               \
  OPTION(TEXT, procs, 0, "procs", "N|A..B|any", "2", 0, 0,                     \
         HD_ON_EXECUTE | HD_ON(CHECK) | HD_ON(COMPARE),                        \
         "MPI: number of processes",                                           \
         "verify: a range stands for each of its numbers; any, or A..any, "    \
         "is proved for all of them at once where processes are alike.")       \
  OPTION(CHOICE, deadlock, 0, "deadlock", "absolute|potential", "potential",   \
         0, 0, HD_ON_EXECUTE | HD_ON(CHECK) | HD_ON(COMPARE),                  \
         "MPI: what a deadlock is",                                            \
         "absolute: nobody can go on, although messages are buffered. "        \
         "potential: nobody can go on if no message is buffered and "          \
         "collective calls wait for each other.")                              \
  OPTION(CHOICE, numbers, 0, "numbers", "c|ideal", "c", 0, 0,                  \
         HD_ON(VERIFY) | HD_ON(COMPARE), "MPI: what numbers are",              \
         "c: integers wrap, floats round. ideal: integers have no bound, "     \
         "floats are real numbers; the answer says so.")                       \
  OPTION(TEXT, schedule, 0, "schedule", "FILE", "by chance", 0, 0, HD_ON(RUN), \
         "follow the schedule in FILE",                                        \
         "As written by --record, and by verify --witness.")                   \
  OPTION(TEXT, input, 0, "input", "FILE", "by chance", 0, 0, HD_ON(RUN),       \
         "take the values of inputs from FILE",                                \
         "Numbers separated by white space, in the order they are asked for.") \
  OPTION(TEXT, record, 0, "record", "FILE", "", 0, 0, HD_ON_PLAY,              \
         "write the schedule to FILE",                                         \
         "Of the run; fuzz: of the violation that is shown first.")            \
  OPTION(NUMBER, runs, 0, "runs", "N", "no bound", 1, 1000000000000,           \
         HD_ON(FUZZ), "at most N runs", "")                                    \
  OPTION(REAL, time, 0, "time", "SECONDS", "10", 0.001, 1e9, HD_ON(FUZZ),      \
         "at most this long", "")                                              \
  OPTION(NUMBER, depth, 0, "depth", "D", "varied", 1, 1000, HD_ON(FUZZ),       \
         "most changes of priority in a run",                                  \
         "A bug of depth D + 1 takes D of them at the right places.")          \
  OPTION(                                                                      \
      TEXT, diagram, 0, "diagram", "FILE", "", 0, 0, HD_ON_EXECUTE,            \
      "C: draw the run as SVG",                                                \
      "A space-time diagram. FILE.dot: the execution graph of a run of weak "  \
      "memory, for Graphviz.")                                                 \
  OPTION(TEXT, html, 0, "html", "FILE", "", 0, 0, HD_ON_EXECUTE,               \
         "write a page for browsers",                                          \
         "One file that loads nothing: verdict, the run step by step beside "  \
         "the source, the model drawn, the proof in words, figures.")          \
  OPTION(TEXT, harness, 0, "harness", "DIR", "", 0, 0,                         \
         HD_ON_VERIFY | HD_ON(FUZZ), "C: write a native replay to DIR",        \
         "Source, schedule and scheduler: make there, and ./replay fails the " \
         "same way every time. For the first violation that can be shown.")    \
  OPTION(CHOICE, order, 0, "order", "largest|dfs|bfs", "largest", 0, 0,        \
         HD_ON_VERIFY, "km: which configuration is expanded next",             \
         "The largest, the newest (depth first) or the oldest (breadth "       \
         "first).")                                                            \
  OPTION(TEXT, plot, 0, "plot", "FILE", "", 0, 0, HD_ON(CUTOFF),               \
         "draw the numbers of thread states as SVG", "")                       \
  OPTION(NUMBER, seed, 0, "seed", "N", "0", 0, 9007199254740992,               \
         HD_ON_EXECUTE | HD_ON(COMPARE), "seed of whatever uses chance",       \
         "The same seed gives the same run.")                                  \
  OPTION(FLAG, no_check, 0, "no-check", "", "", 0, 0, HD_ON_SEARCH,            \
         "do not have the evidence checked",                                   \
         "The report then says that it was not.")                              \
  OPTION(FLAG, no_reduce, 0, "no-reduce", "", "", 0, 0, HD_ON_VERIFY,          \
         "give the engine the model as it is",                                 \
         "Otherwise what provably does not matter is cut away before.")        \
  OPTION(CHOICE, invariants, 0, "invariants", "auto|always|never", "auto", 0,  \
         0, HD_ON_VERIFY, "bws: prune with the state equation's inequalities", \
         "auto: when bws has not decided within a moment.")                    \
  OPTION(TEXT, witness, 0, "witness", "FILE", "", 0, 0, HD_ON_VERIFY,          \
         "write the way to the target to FILE",                                \
         "Only when unsafe. C: FILE.graphml and FILE.yml are witnesses as in " \
         "SV-COMP, also when safe; other names are schedules.")                \
  OPTION(FLAG, certify, 0, "certify", "", "", 0, 0, HD_ON_VERIFY,              \
         "bws: make a proof again that has no certificate",                    \
         "Loop summaries and exhausted searches leave none. C: as --confirm; " \
         "a line says what "                                                   \
         "has no certificate.")                                                \
  OPTION(TEXT, certificate, 0, "certificate", "FILE", "", 0, 0, HD_ON_VERIFY,  \
         "write the proof of safety to FILE",                                  \
         "Only when safe. C: an annotation, where one is found, and the "      \
         "states of all threads together where they show more.")               \
  OPTION(                                                                      \
      FLAG, confirm, 0, "confirm", "", "", 0, 0, HD_ON_VERIFY,                 \
      "C: judge again what is safe, by other code",                            \
      "By an annotation that is found and checked, or the states of all "      \
      "threads together; where that proves nothing, by a search of all "       \
      "states of the machine without reduction. Without this option it is "    \
      "tried for a moment. The report says whether that came to an end. MPI: " \
      "by executing all interleavings.")                                       \
  OPTION(FLAG, explain, 0, "explain", "", "", 0, 0, HD_ON_VERIFY,              \
         "print the whole proof, or every step",                               \
         "Proofs are written in the model's own names.")                       \
  OPTION(FLAG, fail_fast, 0, "fail-fast", "", "", 0, 0, HD_ON_VERIFY,          \
         "C: stop at the first violation",                                     \
         "Other properties are then unknown. Violations are told when they "   \
         "are found, on standard error, if that is a terminal or with -v.")    \
  OPTION(                                                                      \
      TEXT, baseline, 0, "baseline", "FILE", "", 0, 0,                         \
      HD_ON_VERIFY | HD_ON(FUZZ), "C: findings in FILE are known",             \
      "They are listed as such; with no others the exit status is 0, and "     \
      "the verdict 'unsafe (no new findings, N suppressed)'. So it is with "   \
      "what '// heddle: ignore PROPERTY (REASON)' in the source is about.")    \
  OPTION(TEXT, write_baseline, 0, "write-baseline", "FILE", "", 0, 0,          \
         HD_ON_VERIFY | HD_ON(FUZZ), "C: write the findings to FILE",          \
         "For --baseline: a fingerprint a line.")                              \
  OPTION(CHOICE, expect, 0, "expect", "safe|unsafe|unknown", "", 0, 0,         \
         HD_ON_VERIFY | HD_ON(COMPARE),                                        \
         "exit with 0 if the verdict is this one",                             \
         "Another verdict exits with 10, an unexpected unknown with 5.")       \
  OPTION(CHOICE, format, 0, "format", "text|json", "text", 0, 0,               \
         HD_ON_REPORT | HD_ON(SUITE), "form of the report",                    \
         "docs/json.md describes the JSON.")                                   \
  OPTION(CHOICE, code_format, 0, "format", "text|json|svg|html|sarif|gcc",     \
         "text", 0, 0, HD_ON_EXECUTE, "form of the report",                    \
         "docs/json.md describes the JSON. svg: C programs, the run as a "     \
         "space-time diagram. html: as --html. sarif: SARIF 2.1.0. gcc: one "  \
         "line a finding, as compilers print them.")                           \
  OPTION(CHOICE, show_format, 0, "format", "text|dot|svg", "text", 0, 0,       \
         HD_ON(SHOW), "listing, or a graph for Graphviz",                      \
         "C programs: of their functions; Boolean programs: of their thread "  \
         "system, with --ir of the program. svg: drawn by Graphviz, which "    \
         "must be installed.")                                                 \
  OPTION(FLAG, quotient, 0, "quotient", "", "", 0, 0, HD_ON(SHOW),             \
         "draw the expanded diagram and its quotient",                         \
         "As the engine concolic sees the model: components that are single "  \
         "loops, and others. Implies --format=dot.")                           \
  OPTION(TEXT, path, 0, "path", "FILE", "", 0, 0, HD_ON(SHOW),                 \
         "with --quotient: mark the way of this witness", "")                  \
  OPTION(FLAG, ir, 0, "ir", "", "", 0, 0, HD_ON(SHOW),                         \
         "programs: print the program graph", "docs/ir.md, docs/code.md")      \
  OPTION(FLAG, missing, 0, "missing", "", "", 0, 0, HD_ON(SHOW),               \
         "C: list what nobody defines or knows",                               \
         "Functions without a body or a model, with those who call them; "     \
         "'heddle stubs' writes definitions to begin with.")                   \
  OPTION(FLAG, unfolding, 0, "unfolding", "", "", 0, 0, HD_ON(SHOW),           \
         "C: draw the events of the engine unfold",                            \
         "Causality solid, conflicts dotted, cutoffs striped; small programs " \
         "only. Implies --format=dot.")                                        \
  OPTION(TEXT, output, 'o', "output", "FILE", "-", 0, 0, HD_ON_OUTPUT,         \
         "write the report to FILE", "The file is complete or not there.")     \
  OPTION(FLAG, statistics, 's', "statistics", "", "", 0, 0, HD_ON_LIMITS,      \
         "add statistics to the report", "")                                   \
  OPTION(FLAG, quiet, 'q', "quiet", "", "", 0, 0,                              \
         HD_ON_LIMITS | HD_ON(CHECK) | HD_ON(SUITE),                           \
         "print the verdict line only",                                        \
         "C: and before it, where a safe was not judged again, the line "      \
         "'proof: not checked (PROPERTIES)'.")                                 \
  OPTION(FLAG, verbose, 'v', "verbose", "", "", 0, 0, HD_ON_LIMITS,            \
         "show rows of progress on standard error",                            \
         "C programs: also every step of a run.")                              \
  OPTION(CHOICE, color, 0, "color", "auto|always|never", "auto", 0, 0,         \
         HD_ON_ALL, "text: colours",                                           \
         "auto: on a terminal, unless NO_COLOR is set.")                       \
  OPTION(FLAG, ascii, 0, "ascii", "", "", 0, 0, HD_ON_LIMITS,                  \
         "text: draw with ASCII characters only",                              \
         "Also when the locale names another character set than UTF-8.")       \
  OPTION(FLAG, short_help, 'h', "", "", "", 0, 0, HD_ON_ALL,                   \
         "help on one screen", "")                                             \
  OPTION(FLAG, help, 0, "help", "", "", 0, 0, HD_ON_ALL, "all the help", "")   \
  OPTION(FLAG, version, 0, "version", "", "", 0, 0, HD_ON(HELP),               \
         "print the version", "")                                              \
  OPTION(FLAG, print_options, 0, "print-options", "", "", 0, 0, HD_ON(HELP),   \
         "print the option table, separated by tabs", "")

typedef enum {
#define OPTION(kind, id, ...) HD_OPTION_##id,
  HD_OPTIONS(OPTION)
#undef OPTION
      HD_OPTION_COUNT
} hd_option;

typedef bool hd_field_FLAG;
typedef const char *hd_field_TEXT;
typedef const char *hd_field_CHOICE;
typedef uint64_t hd_field_NUMBER;
typedef double hd_field_REAL;
typedef size_t hd_field_LIST; /* how many were given */

/* What was given. Texts are NULL, numbers 0 when they were not; a CHOICE with
 * a default has that. Nothing is owned: texts point into argv. */
typedef struct {
  hd_command command;
#define OPTION(kind, id, ...) hd_field_##kind id;
  HD_OPTIONS(OPTION)
#undef OPTION
  bool given[HD_OPTION_COUNT];
  const char *operands[HD_OPERANDS_MOST];
  size_t n_operands;
  /* The values of all LIST options, in the order of the command line. */
  struct {
    hd_option option;
    const char *text;
  } listed[HD_LISTED_MOST];
  size_t n_listed;
} hd_options;

/* Reads argv. False, after a sentence on `err` naming the option and what it
 * takes, for anything that is not exactly as in the tables. */
HD_MUST_USE bool hd_options_parse(hd_options *options, int argc, char **argv,
                                  FILE *err);
static inline bool hd_options_given(const hd_options *options, hd_option id) {
  return options->given[id];
}

/* Are the operands C programs, or code graphs made from them? */
bool hd_options_code(const hd_options *options);
/* Is the first one a litmus test? It is a C program, then, too. */
bool hd_options_litmus(const hd_options *options);
/* How an option is written: "--output", "-I". */
const char *hd_options_shown(hd_option id);
/* What was given for it, as text; "" for flags. Lists are in `listed`. Lasts
 * until the next call. */
const char *hd_options_value(const hd_options *options, hd_option id);

/* The word of `words` (ended by NULL) that `text` was probably meant to be, or
 * NULL. */
const char *hd_options_nearest(const char *text, const char *const *words);

/* Help about `command`, or about all of heddle if it is HD_COMMAND_HELP. */
void hd_help_print(FILE *out, hd_command command, bool all);
/* The option table for scripts: command, letter, name, argument, default, help,
 * more; one line per command and option. */
void hd_help_print_table(FILE *out);

/* The tables as data. */
typedef struct {
  const char *name, *operands;
  size_t least, most;
  const char *summary;
} hd_command_info;

typedef enum {
  HD_FLAG,
  HD_TEXT,
  HD_CHOICE,
  HD_NUMBER,
  HD_REAL,
  HD_LIST
} hd_kind;

typedef struct {
  hd_kind kind;
  char letter;
  const char *name, *argument, *fallback;
  double least, most;
  unsigned commands;
  const char *help, *more;
} hd_option_info;

extern const hd_command_info hd_command_infos[HD_COMMAND_COUNT];
extern const hd_option_info hd_option_infos[HD_OPTION_COUNT];

#endif

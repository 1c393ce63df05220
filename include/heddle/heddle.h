/* SPDX-License-Identifier: MIT */
/* libheddle: safety of concurrent systems with any number of threads.
 *
 *   heddle_model *model = heddle_model_read("lock.tts", NULL, &error);
 *   heddle_model_set_target(model, "0|2,2", &error);
 *   heddle_result *result = heddle_verify(model, NULL, &error);
 *   if (heddle_result_verdict(result) == HEDDLE_UNSAFE) …
 *
 * C programs have answers a property (examples/verify-c.c):
 *
 *   heddle_program *program = heddle_program_read(files, 1, NULL, 0, &error);
 *   heddle_answers *answers = heddle_program_verify(program, NULL, &error);
 *   if (heddle_answers_verdict(answers, "race") == HEDDLE_UNSAFE) …
 *
 * Conventions
 * - Functions that can fail return NULL or false and, where `error` is not
 *   NULL, set *error to the messages (several lines, with positions in the
 *   input). The caller frees it with heddle_string_free. *error is untouched on
 *   success.
 * - A string returned as `const char *` belongs to the object it came from; one
 *   returned as `char *` belongs to the caller: heddle_string_free.
 * - Every verdict except HEDDLE_UNKNOWN comes with evidence that code
 *   independent of the engines has checked.
 * - Use the library from one thread at a time. When memory runs out, or when
 *   heddle finds a mistake of its own, it prints a message and ends the process
 *   with status 6.
 * - Functions are only ever added; the major version says when that was not
 *   possible. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

/* Of this header; heddle_version () tells that of the library. */
#define HEDDLE_VERSION_MAJOR 0
#define HEDDLE_VERSION_MINOR 1
#define HEDDLE_VERSION_PATCH 0

/* "0.1.0" */
HEDDLE_API const char *heddle_version(void);
HEDDLE_API void heddle_string_free(char *string);

/* Models */

typedef struct heddle_model heddle_model;

/* Reads a file. `format` is "tts", "spec", "pnml", or NULL: by extension and
 * content. FILE.prop beside FILE.tts gives the target, if there is one. */
HEDDLE_API heddle_model *heddle_model_read(const char *path, const char *format,
                                           char **error);
/* Reads a text in memory; `name` is used in messages. */
HEDDLE_API heddle_model *heddle_model_parse(const char *text, size_t size,
                                            const char *name,
                                            const char *format, char **error);
HEDDLE_API void heddle_model_free(heddle_model *model);

/* What must not be reached: "2|1,1" (thread systems) or "p>=1,q>=2" (nets); ';'
 * separates alternatives. Replaces the model's own targets. */
HEDDLE_API bool heddle_model_set_target(heddle_model *model, const char *target,
                                        char **error);
/* The initial configurations: "0|1/0" or "p=1,q>=2". */
HEDDLE_API bool heddle_model_set_init(heddle_model *model, const char *init,
                                      char **error);
/* "parametric", "dynamic" or a number; thread systems only. */
HEDDLE_API bool heddle_model_set_threads(heddle_model *model,
                                         const char *threads, char **error);
/* The model in another format. */
HEDDLE_API char *heddle_model_write(const heddle_model *model,
                                    const char *format, char **error);
HEDDLE_API size_t heddle_model_places(const heddle_model *model);
HEDDLE_API size_t heddle_model_shared_states(const heddle_model *model);
HEDDLE_API size_t heddle_model_transitions(const heddle_model *model);
HEDDLE_API size_t heddle_model_targets(const heddle_model *model);

/* Options: no limits (C programs: a minute), heddle chooses the engine. */

typedef struct heddle_options heddle_options;

HEDDLE_API heddle_options *heddle_options_new(void);
HEDDLE_API void heddle_options_free(heddle_options *options);
/* False when there is no such engine, for models or for C programs. NULL: heddle
 * chooses. */
HEDDLE_API bool heddle_options_set_engine(heddle_options *options,
                                          const char *engine);
/* Seconds of wall time and bytes of memory; 0 = no limit. */
HEDDLE_API void heddle_options_set_timeout(heddle_options *options,
                                           double seconds);
HEDDLE_API void heddle_options_set_memory(heddle_options *options,
                                          size_t bytes);
/* Makes the run end soon with HEDDLE_UNKNOWN once *flag is not 0; it may be set
 * from a signal handler or another thread. */
HEDDLE_API void heddle_options_set_cancel(heddle_options *options,
                                          volatile sig_atomic_t *flag);
/* C programs: which properties, "assert,race" or "all"; without it those of
 * `heddle verify`. False for a name that there is not. */
HEDDLE_API bool heddle_options_set_properties(heddle_options *options,
                                              const char *list, char **error);
/* The name of engine `index`, NULL past the last. */
HEDDLE_API const char *heddle_engine_name(size_t index);

/* Verdicts */

typedef enum {
  HEDDLE_UNKNOWN = 0, /* heddle_result_reason says why */
  HEDDLE_SAFE = 1,    /* no target can be reached: certificate */
  HEDDLE_UNSAFE = 2,  /* a target is reached: witness */
} heddle_verdict;

typedef struct heddle_result heddle_result;

/* `options` may be NULL. The model must have a target and must outlive the
 * result unchanged. NULL when the model has no target or the engine cannot
 * treat it. */
HEDDLE_API heddle_result *heddle_verify(const heddle_model *model,
                                        const heddle_options *options,
                                        char **error);
HEDDLE_API void heddle_result_free(heddle_result *result);
HEDDLE_API heddle_verdict heddle_result_verdict(const heddle_result *result);
/* The engine that decided; NULL when none did. */
HEDDLE_API const char *heddle_result_engine(const heddle_result *result);
/* Why there is no verdict, or a remark; may be NULL. */
HEDDLE_API const char *heddle_result_reason(const heddle_result *result);

/* Evidence */

/* The witness or certificate in the text form of docs/evidence.md; NULL when
 * there is none. */
HEDDLE_API char *heddle_result_evidence(const heddle_result *result);
/* Judges such a text against a model. *accepted is set when it could be read;
 * when it is not accepted, *why (if not NULL) says what failed. */
HEDDLE_API bool heddle_check(const heddle_model *model, const char *evidence,
                             size_t size, bool *accepted, char **why,
                             char **error);

/* The steps of a witness. */
typedef struct heddle_steps heddle_steps;

/* Stands before the first step, at the initial configuration. NULL when the
 * verdict is not HEDDLE_UNSAFE. */
HEDDLE_API heddle_steps *heddle_result_steps(const heddle_result *result);
HEDDLE_API void heddle_steps_free(heddle_steps *steps);
/* Goes one step on; false at the end. */
HEDDLE_API bool heddle_steps_next(heddle_steps *steps);
/* How many steps there are. */
HEDDLE_API size_t heddle_steps_count(const heddle_steps *steps);
/* The configuration now: "0|0,1"; valid until the next call of
 * heddle_steps_next. */
HEDDLE_API const char *heddle_steps_configuration(const heddle_steps *steps);
/* The transition that led here in the model's notation, its line in the input
 * (0 = none), and the number of the thread that moved (0 = not one thread).
 * NULL and 0 before the first step. */
HEDDLE_API const char *heddle_steps_transition(const heddle_steps *steps);
HEDDLE_API uint32_t heddle_steps_line(const heddle_steps *steps);
HEDDLE_API uint32_t heddle_steps_thread(const heddle_steps *steps);

/* C programs with threads (docs/c.md). heddle-cc, which compiles them, must be
 * on the PATH, or HEDDLE_CC names it. */

typedef struct heddle_program heddle_program;
typedef struct heddle_answers heddle_answers;

/* The program that the files make together (.c, .i, .bc, .o, …); `flags` are
 * those of a compiler: "-DN=3". What clang has to say is in *error when that
 * ends it. */
HEDDLE_API heddle_program *heddle_program_read(const char *const *files,
                                               size_t n_files,
                                               const char *const *flags,
                                               size_t n_flags, char **error);
HEDDLE_API void heddle_program_free(heddle_program *program);

/* `options` may be NULL. The program must outlive the answers. NULL when it has
 * something that only the command `heddle verify` treats: processes of MPI or
 * annotations. What is safe was judged again as far as a moment's work goes:
 * see heddle_answers_checked. */
HEDDLE_API heddle_answers *heddle_program_verify(const heddle_program *program,
                                                 const heddle_options *options,
                                                 char **error);
HEDDLE_API void heddle_answers_free(heddle_answers *answers);
/* The name of the property that was asked for, by its number from 0; NULL past
 * the last. */
HEDDLE_API const char *heddle_answers_property(const heddle_answers *answers,
                                               size_t index);
/* About a property, or NULL: the worst of all, UNSAFE before UNKNOWN before
 * SAFE. HEDDLE_UNKNOWN for what was not asked for. */
HEDDLE_API heddle_verdict heddle_answers_verdict(const heddle_answers *answers,
                                                 const char *property);
/* What happens (UNSAFE) or why it is not known; NULL when it is safe. */
HEDDLE_API const char *heddle_answers_reason(const heddle_answers *answers,
                                             const char *property);
/* Where it happens: the file, with *line set; NULL unless UNSAFE. */
HEDDLE_API const char *heddle_answers_place(const heddle_answers *answers,
                                            const char *property,
                                            uint32_t *line);
/* Was the answer judged by other code than the engine's? UNSAFE always: the run
 * was made again. */
HEDDLE_API bool heddle_answers_checked(const heddle_answers *answers,
                                       const char *property);
/* All of it as `heddle verify` prints it: "text" or "json"; NULL for another
 * format. */
HEDDLE_API char *heddle_answers_report(const heddle_answers *answers,
                                       const char *format);
/* UNSAFE: the schedule, SAFE: the annotation, in the text form of
 * docs/evidence.md; NULL when there is none. */
HEDDLE_API char *heddle_answers_evidence(const heddle_answers *answers,
                                         const char *property);
/* Judges such a text: accepted when it shows a violation of a property that is
 * asked for in `options`, or proves all of them (an annotation, without options:
 * what it claims). Conventions as for heddle_check. */
HEDDLE_API bool heddle_program_check(const heddle_program *program,
                                     const heddle_options *options,
                                     const char *evidence, size_t size,
                                     bool *accepted, char **why, char **error);

/* Executes the program once, by a schedule that depends on `seed` only. What it
 * printed, or NULL when it did not come to an end of its own; *status is then
 * its exit status. A violation of what `options` ask for is such an end, too:
 * the message is in *error. */
HEDDLE_API char *heddle_program_run(const heddle_program *program,
                                    const heddle_options *options,
                                    uint64_t seed, int *status, char **error);

#ifdef __cplusplus
}
#endif

#endif

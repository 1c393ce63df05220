/* SPDX-License-Identifier: MIT */
/* How to use libheddle for C programs: verify one, say for each property what
 * came out and where, and have the evidence judged once more.
 *
 *   cc verify-c.c $(pkg-config --cflags --libs heddle) -o verify-c
 *   ./verify-c counter.c -DROUNDS=2 */
#include <heddle/heddle.h>

#include <stdio.h>
#include <string.h>

static int complain(char *error) {
  fputs(error, stderr);
  heddle_string_free(error);
  return 2;
}

/* A schedule or an annotation is a text that anybody can check again. */
static void judge(const heddle_program *program, const heddle_answers *answers,
                  const char *property) {
  char *evidence = heddle_answers_evidence(answers, property);
  char *why = NULL, *error = NULL;
  bool accepted = false;
  if (!evidence)
    return;
  if (!heddle_program_check(program, NULL, evidence, strlen(evidence),
                            &accepted, &why, &error))
    complain(error);
  else
    printf("  evidence: %s\n", accepted ? "accepted" : why);
  heddle_string_free(why);
  heddle_string_free(evidence);
}

static void print_answer(const heddle_program *program,
                         const heddle_answers *answers, const char *property) {
  static const char *const names[] = {"unknown", "safe", "unsafe"};
  const char *reason = heddle_answers_reason(answers, property);
  uint32_t line = 0;
  const char *file = heddle_answers_place(answers, property, &line);
  printf("%s: %s", property, names[heddle_answers_verdict(answers, property)]);
  if (reason)
    printf(" (%s)", reason);
  if (file)
    printf(" at %s:%u", file, line);
  puts(heddle_answers_checked(answers, property) ? ", checked" : "");
  judge(program, answers, property);
}

static int verify(const heddle_program *program) {
  static const int status[] = {
      [HEDDLE_SAFE] = 0, [HEDDLE_UNSAFE] = 10, [HEDDLE_UNKNOWN] = 5};
  char *error = NULL;
  heddle_options *options = heddle_options_new();
  heddle_options_set_timeout(options, 20);
  heddle_answers *answers = heddle_program_verify(program, options, &error);
  heddle_options_free(options);
  if (!answers)
    return complain(error);
  const char *property;
  for (size_t i = 0; (property = heddle_answers_property(answers, i)); i++)
    print_answer(program, answers, property);
  int end = status[heddle_answers_verdict(answers, NULL)];
  heddle_answers_free(answers);
  return end;
}

int main(int argc, char **argv) {
  char *error = NULL;
  if (argc < 2) {
    fputs("usage: verify-c FILE.c [FLAG]...\n", stderr);
    return 1;
  }
  const char *const *words = (const char *const *)argv;
  heddle_program *program =
      heddle_program_read(words + 1, 1, words + 2, (size_t)argc - 2, &error);
  if (!program)
    return complain(error);
  int status = verify(program);
  heddle_program_free(program);
  return status;
}

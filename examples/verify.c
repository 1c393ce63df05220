/* SPDX-License-Identifier: MIT */
/* How to use libheddle: verify a model, show the way to the target or the
 * proof, and have the evidence judged once more.
 *
 *   cc verify.c $(pkg-config --cflags --libs heddle) -o verify
 *   ./verify lock.tts '1|1,1' */
#include <heddle/heddle.h>

#include <stdio.h>
#include <string.h>

static int complain(char *error) {
  fputs(error, stderr);
  heddle_string_free(error);
  return 2;
}

static void print_steps(const heddle_result *result) {
  heddle_steps *steps = heddle_result_steps(result);
  printf("%zu steps from %s\n", heddle_steps_count(steps),
         heddle_steps_configuration(steps));
  while (heddle_steps_next(steps))
    printf("  line %u, thread %u: %s gives %s\n", heddle_steps_line(steps),
           heddle_steps_thread(steps), heddle_steps_transition(steps),
           heddle_steps_configuration(steps));
  heddle_steps_free(steps);
}

/* Evidence is a text that anybody can check again, at any time. */
static void judge(const heddle_model *model, const heddle_result *result) {
  char *evidence = heddle_result_evidence(result), *why = NULL, *error = NULL;
  bool accepted = false;
  if (!evidence)
    return;
  if (!heddle_check(model, evidence, strlen(evidence), &accepted, &why, &error))
    complain(error);
  else
    printf("evidence: %s\n", accepted ? "accepted" : why);
  heddle_string_free(why);
  heddle_string_free(evidence);
}

static int verify(heddle_model *model) {
  char *error = NULL;
  heddle_options *options = heddle_options_new();
  heddle_options_set_timeout(options, 10);
  heddle_result *result = heddle_verify(model, options, &error);
  heddle_options_free(options);
  if (!result)
    return complain(error);
  heddle_verdict verdict = heddle_result_verdict(result);
  if (verdict == HEDDLE_UNSAFE)
    print_steps(result);
  judge(model, result);
  static const char *const names[] = {"unknown", "safe", "unsafe"};
  printf("verdict: %s\n", names[verdict]);
  heddle_result_free(result);
  return verdict == HEDDLE_SAFE ? 0 : verdict == HEDDLE_UNSAFE ? 10 : 5;
}

int main(int argc, char **argv) {
  char *error = NULL;
  if (argc < 2) {
    fputs("usage: verify MODEL [TARGET]\n", stderr);
    return 1;
  }
  heddle_model *model = heddle_model_read(argv[1], NULL, &error);
  if (!model)
    return complain(error);
  int status = 2;
  if (argc > 2 && !heddle_model_set_target(model, argv[2], &error))
    complain(error);
  else
    status = verify(model);
  heddle_model_free(model);
  return status;
}

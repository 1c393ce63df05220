/* SPDX-License-Identifier: MIT */
/* The diagram of a run: never wider than 80 columns, whatever the run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/story.h"

#include <string.h>

static uint64_t state = 88172645463325252u;

static uint32_t chance(uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 20) % n;
}

/* Words of all lengths, some not ASCII, some with line ends inside. */
static const char *some_text(hd_story *story, uint32_t most) {
  static const char *const words[] = {"x",
                                      "x = 3;",
                                      "→",
                                      "wörter",
                                      "a\nb",
                                      "acquires m;",
                                      "a_rather_long_identifier_for_c"};
  hd_str text = {0};
  for (uint32_t n = chance(most); n-- > 0;)
    hd_str_printf(&text, "%s%s", words[chance(7)], n ? " " : "");
  return hd_story_keep(story, &text);
}

static hd_story_run *some_run(hd_story *story, uint32_t threads,
                              uint32_t steps) {
  hd_story_run *run = hd_story_run_new();
  for (uint32_t t = 0; t < threads; t++) {
    hd_str name = {0};
    hd_str_printf(&name, t ? "worker_%u" : "main", t);
    hd_vec_push(&run->threads, hd_story_keep(story, &name));
  }
  for (uint32_t i = 0; i < steps; i++) {
    hd_story_step step = {
        .thread = chance(threads),
        .move = i + 1,
        .depth = chance(3),
        .spot = {.file = chance(9)   ? "a.c"
                         : chance(2) ? NULL
                                     : "lib/b.c",
                 .line = 1 + chance(20000)},
        .function = chance(2) ? "f" : "",
        .statement = some_text(story, 12),
        .effect = some_text(story, 9),
        .shows = chance(4) != 0,
        .failed = i + 1 == steps,
    };
    if (!step.spot.file)
      step.spot.line = 0;
    hd_vec_push(&run->steps, step);
  }
  for (uint32_t i = 0; i < steps && steps > 1; i++) {
    size_t from = chance(steps - 1), to = from + 1 + chance(steps - 1);
    hd_arrow arrow = {.kind = (hd_arrow_kind)chance(HD_ARROW_KINDS),
                      .from = from,
                      .to = to < steps ? to : steps - 1};
    hd_vec_push(&run->arrows, arrow);
  }
  return run;
}

static size_t columns(const char *line, size_t bytes) {
  size_t n = 0;
  for (size_t i = 0; i < bytes; i++)
    n += ((unsigned char)line[i] & 0xC0) != 0x80;
  return n;
}

static void check_lines(const hd_str *text) {
  const char *line = hd_str_text(text);
  while (*line) {
    size_t n = strcspn(line, "\n");
    assert_true(columns(line, n) <= 80);
    assert_true(n == 0 || line[n - 1] != ' ');
    line += n + (line[n] == '\n');
  }
}

static void test_width(void **unused) {
  (void)unused;
  for (uint32_t round = 0; round < 400; round++) {
    hd_story *story = hd_story_new();
    hd_story_run *run =
        some_run(story, 1 + chance(round % 10 ? 5 : 40), 1 + chance(60));
    hd_story_add_run(story, run);
    hd_diagram_options options = {.all = chance(2)};
    hd_str text = {0};
    hd_story_diagram(&text, run, &options);
    check_lines(&text);
    hd_str_free(&text);
    hd_story_delete(story);
  }
}

static hd_story_step plain(uint32_t thread, uint32_t line, const char *text,
                           const char *effect) {
  return (hd_story_step){.thread = thread,
                         .spot = {.file = "a.c", .line = line},
                         .function = "",
                         .statement = text,
                         .effect = effect,
                         .shows = true};
}

static void test_columns(void **unused) {
  (void)unused;
  hd_story *story = hd_story_new();
  hd_story_run *run = hd_story_run_new();
  hd_vec_push(&run->threads, "main");
  hd_vec_push(&run->threads, "work 1");
  hd_vec_push(&run->steps, plain(0, 7, "start();", "starts work 1"));
  hd_vec_push(&run->steps, plain(1, 3, "x++;", "x = 1"));
  hd_vec_push(&run->steps, plain(1, 4, "return;", "ends"));
  hd_vec_push(&run->steps, plain(0, 8, "join();", "joins work 1"));
  hd_vec_push(&run->steps, plain(0, 9, "assert(!x);", ""));
  run->steps.data[4].failed = true;
  hd_arrow create = {.kind = HD_ARROW_CREATE, .from = 0, .to = 1};
  hd_arrow join = {.kind = HD_ARROW_JOIN, .from = 2, .to = 3};
  hd_vec_push(&run->arrows, create);
  hd_vec_push(&run->arrows, join);
  hd_story_change end = {.step = 2, .kind = HD_CHANGE_END, .thread = 1};
  hd_vec_push(&run->changes, end);
  hd_story_add_run(story, run);
  hd_diagram_options options = {0};
  hd_str text = {0};
  hd_story_diagram(&text, run, &options);
  assert_string_equal(hd_str_text(&text),
                      "  line  main              work 1\n"
                      "     7  ● start();\n"
                      "        │ starts work 1 ─▶┐\n"
                      "     3  │                 ● x++;\n"
                      "        │                 │ x = 1\n"
                      "     4  │                 ● return;\n"
                      "        │                   ends\n"
                      "     8  ● join();\n"
                      "        │ joins work 1 ◀──┘\n"
                      ">    9  ✗ assert(!x);\n");
  hd_str_free(&text);
  hd_story_delete(story);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_width),
      cmocka_unit_test(test_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

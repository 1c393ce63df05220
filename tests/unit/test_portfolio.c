/* SPDX-License-Identifier: MIT */
/* Crews: turns, ends, faults; answers as text; sums and JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/answer.h"
#include "api/verify.h"
#include "base/sha256.h"
#include "engine/portfolio/choose.h"
#include "engine/portfolio/crew.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- crews --- */

enum { MOST = 8 };

typedef struct {
  int what[MOST];      /* what a member does, see below */
  int ends, enough_at; /* ends after which it is enough; 0 = never */
  char order[64];      /* members in the order of their ends */
  char said[MOST][64];
  char why[MOST][128];
  bool memory[MOST];
} scene;

enum { ANSWER, CRASH, EXIT, SPIN, STARVE, POST, FULL };

static void spin(hd_run *run, uint64_t looks) {
  for (uint64_t i = 0; i < looks && hd_run_check(run); i++)
    for (volatile int k = 0; k < 2000; k++)
      ;
}

static void work(void *context, size_t member, hd_crew_seat *seat, hd_run *run,
                 hd_str *answer) {
  const scene *s = context;
  switch (s->what[member]) {
  case CRASH:
    signal(SIGSEGV, SIG_DFL); /* cmocka catches it */
    raise(SIGSEGV);
    break;
  case EXIT:
    _exit(3);
  case SPIN:
    spin(run, UINT64_MAX);
    break;
  case STARVE:
    hd_mem_set_ceiling(hd_mem_current() + 1000);
    hd_free(hd_alloc(1 << 20));
    break;
  case POST:
    hd_str_puts(answer, "early");
    hd_crew_post(seat, answer);
    spin(run, UINT64_MAX);
    break;
  case FULL:
    for (int i = 0; i < 500000; i++)
      hd_str_puts(answer, "0123456789");
    break;
  default:
    spin(run, 300 * (member + 1));
    hd_str_printf(answer, "answer of %zu", member);
  }
}

static bool take(void *context, size_t member, const hd_crew_end *end) {
  scene *s = context;
  char digit[2] = {(char)('0' + member), 0};
  strncat(s->order, digit, sizeof s->order - strlen(s->order) - 1);
  if (end->answer)
    snprintf(s->said[member], sizeof s->said[member], "%.40s", end->answer);
  if (end->answer && end->size > 100)
    snprintf(s->why[member], sizeof s->why[member], "%zu", end->size);
  if (end->why)
    snprintf(s->why[member], sizeof s->why[member], "%s", end->why);
  s->memory[member] = end->memory;
  return ++s->ends != s->enough_at;
}

static void play(scene *s, size_t n, unsigned jobs, hd_run *run) {
  hd_crew_member members[MOST];
  for (size_t i = 0; i < n; i++)
    members[i] = (hd_crew_member){.name = "m", .weight = 1, .rate = 10000};
  hd_crew_plan plan = {.members = members,
                       .size = n,
                       .jobs = jobs,
                       .counted = jobs == 1,
                       .context = s,
                       .work = work,
                       .take = take};
  hd_crew *crew = hd_crew_new(&plan, run);
  hd_crew_run(crew);
  hd_crew_delete(crew);
  /* Nobody is left. */
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void all_answer(void **state) {
  (void)state;
  for (unsigned jobs = 1; jobs <= 4; jobs++) {
    scene s = {.enough_at = 0};
    hd_run run = {0};
    play(&s, 4, jobs, &run);
    assert_int_equal(s.ends, 4);
    assert_string_equal(s.said[0], "answer of 0");
    assert_string_equal(s.said[3], "answer of 3");
  }
}

static void first_is_enough(void **state) {
  (void)state;
  scene s = {.what = {SPIN, ANSWER, SPIN}, .enough_at = 1};
  hd_run run = {0};
  play(&s, 3, 2, &run);
  assert_string_equal(s.order, "1");
}

/* More than fits into a pipe. */
static void long_answer(void **state) {
  (void)state;
  scene s = {.what = {FULL}};
  hd_run run = {0};
  play(&s, 1, 1, &run);
  assert_string_equal(s.why[0], "5000000");
}

static void faults(void **state) {
  (void)state;
  scene s = {.what = {CRASH, EXIT, STARVE, ANSWER}};
  hd_run run = {0};
  play(&s, 4, 2, &run);
  assert_int_equal(s.ends, 4);
  assert_non_null(strstr(s.why[0], "was ended by signal 11"));
  assert_string_equal(s.why[1], "ended without an answer (status 3)");
  assert_string_equal(s.why[2], "ran out of memory");
  assert_true(s.memory[2] && !s.memory[0] && !s.memory[1]);
  assert_string_equal(s.said[3], "answer of 3");
}

static void deadline(void **state) {
  (void)state;
  scene s = {.what = {SPIN, SPIN, SPIN}};
  double before = hd_now();
  hd_run run = {.deadline = before + 0.2};
  play(&s, 3, 2, &run);
  assert_int_equal(run.stop, HD_STOP_TIME);
  assert_true(hd_now() - before < 5);
}

static void cancelled(void **state) {
  (void)state;
  volatile sig_atomic_t flag = 1;
  scene s = {.what = {SPIN, SPIN}};
  hd_run run = {.cancel = &flag};
  play(&s, 2, 2, &run);
  assert_int_equal(run.stop, HD_STOP_CANCEL);
  assert_int_equal(s.ends, 0);
}

/* What is said before the end is heard before the end. */
static void posts(void **state) {
  (void)state;
  scene s = {.what = {POST}, .enough_at = 1};
  hd_run run = {0};
  play(&s, 1, 1, &run);
  assert_string_equal(s.said[0], "early");
}

/* With counted turns, the order of the ends depends on the work alone. */
static void counted_turns(void **state) {
  (void)state;
  char first[64] = "";
  for (int i = 0; i < 3; i++) {
    scene s = {.enough_at = 0};
    hd_run run = {0};
    play(&s, 5, 1, &run);
    if (i)
      assert_string_equal(s.order, first);
    memcpy(first, s.order, sizeof first);
  }
  assert_string_equal(first, "01234");
}

/* The first turn in this process, of 100 looks: work that takes `looks`. */
static hd_opened open_first(scene *s, uint64_t looks, uint64_t *done) {
  hd_crew_member member = {.name = "m", .weight = 1, .rate = 10000};
  hd_crew_plan plan = {.members = &member,
                       .size = 1,
                       .jobs = 1,
                       .counted = true,
                       .context = s,
                       .work = work,
                       .take = take};
  hd_run run = {0};
  hd_crew *crew = hd_crew_new(&plan, &run);
  hd_run mine = hd_crew_open(crew, 0, 0.01);
  for (*done = 0; *done < looks && hd_run_check(&mine); ++*done)
    ;
  hd_opened opened = hd_crew_opened(crew, &mine);
  if (opened == HD_OPENED_MEMBER) {
    hd_str answer = {0};
    hd_str_printf(&answer, "%llu", (unsigned long long)*done);
    hd_crew_leave(crew, &answer);
  }
  hd_crew_run(crew);
  hd_crew_delete(crew);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  return opened;
}

static void opens_here(void **state) {
  (void)state;
  scene s = {.ends = 0};
  uint64_t done;
  assert_int_equal(open_first(&s, 50, &done), HD_OPENED_WHOLE);
  assert_int_equal(done, 50);
  assert_int_equal(s.ends, 0);
}

/* Nothing is done twice: the member goes on with its own count. */
static void goes_on_elsewhere(void **state) {
  (void)state;
  scene s = {.ends = 0};
  uint64_t done;
  assert_int_equal(open_first(&s, 5000, &done), HD_OPENED_SPLIT);
  assert_int_equal(done, 99);
  assert_int_equal(s.ends, 1);
  assert_string_equal(s.said[0], "5000");
}

/* --- answers --- */

static hd_net *lock(void) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "lock.tts", 2, 2);
  hd_token at[2] = {{0, 1}, {1, 1}}, two = {1, 2};
  hd_trans_spec in = {
      .from = 0, .to = 1, .pre = {&at[0], 1}, .post = {&at[1], 1}};
  hd_trans_spec out = {
      .from = 1, .to = 0, .pre = {&at[1], 1}, .post = {&at[0], 1}};
  assert_true(hd_net_add_trans(net, &in) && hd_net_add_trans(net, &out));
  net->init[0] = (hd_init){.min = 0, .max = HD_OMEGA};
  assert_true(
      hd_net_add_target(net, 1, (hd_tokens){&two, 1}, (hd_tokens){0}, 0));
  hd_net_finish(net);
  return net;
}

static void answer_comes_back(void **state) {
  (void)state;
  hd_net *net = lock();
  hd_verify_options options = {.engine = "bws"};
  hd_run run = {0};
  hd_result result = {0}, again = {0};
  hd_str text = {0}, why = {0};
  assert_int_equal(hd_verify(net, &options, &run, &result), HD_VERIFY_DONE);
  assert_int_equal(result.verdict, HD_SAFE);
  result.reason = hd_strdup("tab\there,\nline end and \\ backslash");
  hd_answer_print(&text, net, &result);
  assert_true(
      hd_answer_parse(hd_str_text(&text), text.size, net, &again, &why));
  assert_int_equal(again.verdict, HD_SAFE);
  assert_string_equal(again.engine, "bws");
  assert_string_equal(again.reason, result.reason);
  assert_int_equal(again.stats.size, result.stats.size);
  assert_non_null(again.cert);
  assert_true(hd_verify_evidence(net, &again));
  hd_result_free(&again);
  /* Nothing that is cut off is an answer. */
  for (size_t n = 0; n < text.size; n++) {
    hd_result cut = {0};
    hd_vec_clear(&why);
    assert_false(hd_answer_parse(hd_str_text(&text), n, net, &cut, &why));
    assert_true(why.size > 0);
    hd_result_free(&cut);
  }
  hd_str_free(&text);
  hd_str_free(&why);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void not_an_answer(void **state) {
  (void)state;
  static const char *const texts[] = {
      "",
      "hello\n",
      "heddle answer 1\nverdict maybe\nend\n",
      "heddle answer 1\nengine nobody\nend\n",
      "heddle answer 1\nverdict safe\nend\nmore\n",
      "heddle answer 1\nevidence 99999999999999999999\nx\nend\n",
      "heddle answer 1\nevidence 3\nabc\nend\n",
      "heddle answer 1\nproperty assert\nend\n",
      "heddle answer 1\nstat a\tb\nend\n",
      "heddle answer 1\nreason \\x\nend\n"};
  hd_net *net = lock();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    hd_result result = {0};
    hd_str why = {0};
    assert_false(
        hd_answer_parse(texts[i], strlen(texts[i]), net, &result, &why));
    hd_result_free(&result);
    hd_str_free(&why);
  }
  hd_net_delete(net);
}

/* The same system with the choice of engines, in this process and in others. */
static void races(void **state) {
  (void)state;
  hd_net *net = lock();
  for (unsigned jobs = 0; jobs < 3; jobs++) {
    hd_verify_options options = {.jobs = jobs};
    hd_run run = {0};
    hd_result result = {0};
    assert_int_equal(hd_verify(net, &options, &run, &result), HD_VERIFY_DONE);
    assert_int_equal(result.verdict, HD_SAFE);
    hd_result_free(&result);
  }
  hd_net_delete(net);
}

static void choices(void **state) {
  (void)state;
  hd_net *net = lock();
  hd_choices c = hd_choose(net, NULL);
  assert_true(c.size == 5 && c.first > 0);
  for (size_t i = 0; i < c.size; i++)
    assert_false(c.choices[i].engine->refuses & net->features);
  hd_net_delete(net);
}

/* --- sums --- */

static void sha256(void **state) {
  (void)state;
  static const struct {
    const char *text, *sum;
  } known[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc",
       "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
  };
  char sum[65];
  hd_sha256 sha;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    hd_sha256_start(&sha);
    hd_sha256_add(&sha, known[i].text, strlen(known[i].text));
    hd_sha256_end(&sha, sum);
    assert_string_equal(sum, known[i].sum);
  }
  hd_sha256_start(&sha); /* a million times a, in odd pieces */
  for (size_t left = 1000000, n; left; left -= n) {
    static const char many[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    n = left < 77 ? left : 77;
    hd_sha256_add(&sha, many, n);
  }
  hd_sha256_end(&sha, sum);
  assert_string_equal(
      sum, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_answer),
      cmocka_unit_test(first_is_enough),
      cmocka_unit_test(long_answer),
      cmocka_unit_test(faults),
      cmocka_unit_test(deadline),
      cmocka_unit_test(cancelled),
      cmocka_unit_test(posts),
      cmocka_unit_test(counted_turns),
      cmocka_unit_test(opens_here),
      cmocka_unit_test(goes_on_elsewhere),
      cmocka_unit_test(answer_comes_back),
      cmocka_unit_test(not_an_answer),
      cmocka_unit_test(races),
      cmocka_unit_test(choices),
      cmocka_unit_test(sha256),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# All findings: the list, comments in the source, baselines.
. "$(dirname "$0")/lib.sh"

# Five races, an inverted pair of locks and an assertion.
many() {
  cat >many.c <<'EOF'
#include <assert.h>
#include <pthread.h>
int a, b, c, hits;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) {
  a++; b++;
  hits++;
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  c++;
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return arg;
}
void *two(void *arg) {
  a++; b = 3;
  hits++;
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  c++;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a != 1);
  return 0;
}
EOF
}
# What is new in a file beside its baseline.
edit() { sed -i "$1" many.c; }

test_all_are_listed() {
  many
  run verify many.c
  exits 10; last_line "verdict: unsafe"
  out_has "5 findings:"
  out_has "race on a: "; out_has "race on b: "; out_has "race on hits: "
  out_has "deadlock: one (many.c:9), two (many.c:19)"; out_has "assert: main (many.c:31)"
  run verify many.c --fail-fast
  exits 10; out_lacks "race on hits: "
}
# A finding inside of a model is one of the line that calls it, once.
test_models_are_calls() {
  cat >dates.c <<'EOF'
#include <pthread.h>
#include <time.h>
static int year(time_t t) {
  return localtime(&t)->tm_year;
}
static void *ask(void *arg) {
  return year(0) ? arg : NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, ask, 0);
  ask(0);
  pthread_join(t, 0);
}
EOF
  run verify dates.c --property=race
  exits 10; out_has "dates.c:4 in year, which calls localtime (thread main)"
  out_has "race on the_date.tm_year: year (dates.c:4), year (dates.c:4)"
  out_lacks "time.c:"; out_lacks "tm_yday"
  printf '#include <stddef.h>\n#include <unistd.h>\nint main(void) { return unlink(NULL); }\n' >null.c
  run verify null.c --property=memory --format=gcc
  exits 10; out_has "null.c:3:25: error: read of null: null pointer, in main"
  out_lacks "io.c"
}
test_every_format_has_all() {
  many
  run verify many.c --format=json
  exits 10
  python3 -S - stdout.txt <<'EOF' || problem "the JSON has not all"
import json, sys
found = json.load(open(sys.argv[1]))["findings"]
assert len(found) == 5 and all(f["trace"]["steps"] for f in found), len(found)
assert [f["number"] for f in found] == [1, 2, 3, 4, 5]
assert len({f["fingerprint"] for f in found}) == 5
assert {f["standing"] for f in found} == {"new"}
EOF
  run verify many.c --format=sarif
  python3 -S - stdout.txt <<'EOF' || problem "the SARIF has not all"
import json, sys
results = json.load(open(sys.argv[1]))["runs"][0]["results"]
failed = [r for r in results if r["kind"] == "fail"]
assert len(failed) == 5 and all(r["partialFingerprints"]["heddle/v1"] for r in failed)
assert not any("suppressions" in r for r in failed)
EOF
  run verify many.c --format=gcc
  [ "$(grep -c ': error: ' stdout.txt)" = 5 ] || problem "not five errors"
  run verify many.c -q --html=page.html
  [ "$(grep -o '"fingerprint":"' page.html | wc -l)" = 5 ] || problem "not five on the page"
}
test_each_run_is_one() {
  many
  run verify many.c --format=json
  cp stdout.txt all.json
  python3 -S - all.json <<'EOF' || problem "a run does not end where it should"
import json, sys
for f in json.load(open(sys.argv[1]))["findings"]:
    at = f["violation"]["at"]
    assert any(s["line"] == at["line"] and s["violation"] for s in f["trace"]["steps"]), f
EOF
}
test_baseline() {
  many
  run verify many.c -q --write-baseline=known
  exits 10; last_line "verdict: unsafe"
  [ "$(grep -c '^[0-9a-f]\{16\} ' known)" = 5 ] || problem "not five lines: $(cat known)"
  run verify many.c -q --baseline=known
  exits 0; last_line "verdict: unsafe (no new findings, 5 suppressed)"
  run verify many.c --baseline=known --format=gcc
  exits 0; out_lacks ": error: "
  run verify many.c --baseline=known --format=json
  exits 0; out_has '"standing": "baseline"'; out_lacks '"standing": "new"'
}
test_lines_may_move() {
  many
  run verify many.c -q --write-baseline=known
  edit '1i /* a\n * few\n * lines */'
  edit 's/^  hits++;/    hits++;  \/\/ here/'
  run verify many.c -q --baseline=known
  exits 0; last_line "verdict: unsafe (no new findings, 5 suppressed)"
}
test_what_is_new_fails() {
  many
  run verify many.c -q --write-baseline=known
  edit 's/^  c++;/  c++;\n  hits = 7;/'
  run verify many.c --baseline=known
  exits 10; out_has " suppressed)"; out_lacks "no new findings"
  out_has "race on hits: "
  # the run that is shown is a new one's
  out_has "hits = 7"
}
test_comments() {
  many
  edit '7s|$| // heddle: ignore race (only a statistic)|'
  edit '31i \  /* heddle: ignore assert, overflow (as it is) */'
  run verify many.c
  exits 10; last_line "verdict: unsafe (3 new findings, 2 suppressed)"
  out_has "ignored: only a statistic"; out_has "ignored: as it is"
  edit '9s|$| // heddle: ignore deadlock (never at once)|'
  edit '6s|$| // heddle: ignore race (known)|'
  run verify many.c -q
  exits 0; last_line "verdict: unsafe (no new findings, 5 suppressed)"
  run verify many.c --format=sarif
  exits 0; out_has '"kind": "inSource"'; out_has '"justification": "never at once"'
}
test_comments_need_a_reason() {
  many
  edit '7s|$| // heddle: ignore race|'
  run verify many.c
  exits 10; last_line "verdict: unsafe"; out_has "many.c:7: nothing is ignored"
  edit '7s|race|races (plural)|'
  run verify many.c
  exits 10; out_has "many.c:7: nothing is ignored"
}
test_comments_are_about_their_property() {
  many
  edit '7s|$| // heddle: ignore deadlock (another)|'
  run verify many.c
  exits 10; last_line "verdict: unsafe"
}
test_no_finding_is_no_suppression() {
  cp "$EXAMPLES/counter-locked.c" .
  run verify counter-locked.c -q --write-baseline=known
  exits 0; last_line "verdict: safe"
  [ "$(cat known)" = "# heddle baseline 1" ] || problem "not empty: $(cat known)"
  run verify counter-locked.c -q --baseline=known
  exits 0; last_line "verdict: safe"
}
test_bad_baselines() {
  many
  run verify many.c --baseline=nowhere
  exits 2; err_has "nowhere"
  echo hello >known
  run verify many.c --baseline=known
  exits 2; err_has "known:1:1: error: this is no baseline"; err_has "--write-baseline"
  printf '# heddle baseline 1\nxyz  race\n' >known
  run verify many.c --baseline=known
  exits 2; err_has "known:2:1: error: a line of a baseline begins with"
}

run_tests

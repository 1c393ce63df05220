#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Many tasks, the choice of engines, and the cache.
. "$(dirname "$0")/lib.sh"

# A task of about 0.2 seconds, whose verdict is unknown.
slow='endless.spec --engine=fws --no-reduce --timeout=0.2'

needs_c() {
  if [ -n "${HEDDLE_CC:-}" ] || [ -x "$(dirname "$HEDDLE")/heddle-cc" ]; then return; fi
  skip "built without heddle-cc"
}

# --- lists ---

test_list() {
  safe_model; unsafe_model
  printf '%s\n' '# both' 'safe.tts safe' '' 'unsafe.tts   unsafe # as it should be' >list
  run suite list
  exits 0; no_err
  last_line "suite: 2 right, 0 wrong, 0 unknown, 0 no expectation, 0 error"
}
test_list_options_and_quotes() {
  safe_model
  printf '%s\n' "safe.tts --target='1|1' unsafe" 'safe.tts "--target=1|1,1" safe' >list
  run suite list -q
  exits 0; out_has "suite: 2 right"; out_lacks "safe.tts"
}
test_wrong_is_said() {
  safe_model
  echo 'safe.tts unsafe' >list
  run suite list -q
  exits 10; out_has "safe     unsafe   wrong"; out_has "0 right, 1 wrong"
}
test_no_expectation() {
  safe_model
  run suite safe.tts
  exits 0; last_line "suite: 0 right, 0 wrong, 0 unknown, 1 no expectation, 0 error"
}
test_unknown() {
  endless_model
  echo "$slow safe" >list
  run suite list
  exits 5; out_has "unknown  safe     unknown"; out_has "time limit reached"
}
test_unknown_c_says_why() {
  needs_c
  printf '%s\n' 'extern int nobody_knows(void);' \
    'int main(void) { return nobody_knows(); }' >a.c
  echo 'a.c --property=assert safe' >list
  run suite list --results=r.jsonl
  exits 5; out_has "nobody_knows: a function that is neither defined nor known"
  file_has r.jsonl "\"reason\": \"nobody_knows"
}
test_error() {
  safe_model
  printf '%s\n' 'safe.tts safe' 'nowhere.tts safe' >list
  run suite list
  exits 5; out_has "nowhere.tts (nowhere.tts: error: cannot open"
  last_line "suite: 1 right, 0 wrong, 0 unknown, 0 no expectation, 1 error"
}
test_expectation_with_other_options() {
  unsafe_model a.tts; unsafe_model b.tts
  sed -i '1i # expected: safe' a.tts
  sed -i '1i # options: --threads=1\n# expected: safe' b.tts
  run suite a.tts b.tts
  exits 10
  last_line "suite: 0 right, 1 wrong, 0 unknown, 1 no expectation, 0 error"
}
test_list_beside_its_files() {
  mkdir folder; safe_model folder/safe.tts
  echo 'safe.tts safe' >folder/list
  run suite folder/list
  exits 0; out_has "folder/safe.tts"
}
test_list_patterns() {
  safe_model a.tts; safe_model b.tts
  echo '*.tts' >list
  run suite list
  exits 0; out_has "2 no expectation"
  echo '*.spec' >list
  run suite list
  exits 2; err_has "there is no such file"
}
test_table() {
  safe_model; unsafe_model
  printf '%s\n' 'suite,file,expected' 'x,safe.tts,safe' 'x,unsafe.tts,unsafe' >list.csv
  run suite list.csv
  exits 0; out_has "suite: 2 right"
  echo 'a,b' >list.csv
  run suite list.csv
  exits 2; err_has "no column 'file'"
}
test_folder() {
  mkdir -p deep/er; safe_model deep/safe.tts; unsafe_model deep/er/unsafe.tts
  sed -i '1i # expected: unsafe' deep/er/unsafe.tts
  echo nothing >deep/readme.txt
  run suite deep
  exits 0; last_line "suite: 1 right, 0 wrong, 0 unknown, 1 no expectation, 0 error"
}
test_nothing() {
  mkdir empty
  run suite empty
  exits 2; err_has "there is nothing to verify"
  run suite nowhere
  exits 2; err_has "nowhere: error: cannot read"
}

definition() {
  mkdir -p properties
  echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >properties/unreach-call.prp
  echo 'CHECK( init(main()), LTL(G ! data-race) )' >properties/no-data-race.prp
  echo 'CHECK( init(main()), LTL(F end) )' >properties/termination.prp
  cat >long.c <<'C'
extern void reach_error(void);
int main(void) {
  if (sizeof(long) == 4)
    reach_error();
  return 0;
}
C
  cat >"$1" <<YML
format_version: '2.0'

# where it comes from
input_files:
  - 'long.c'
properties:
  - property_file: properties/unreach-call.prp
    expected_verdict: $2
  - property_file: "properties/no-data-race.prp"
    expected_verdict: true   # one thread
  - property_file: properties/termination.prp
    expected_verdict: true
options:
  language: C
  data_model: $3
YML
}
test_definition_32() {
  needs_c; definition long.yml false ILP32
  run suite long.yml
  exits 0; out_has "and 1 left out"
  out_has "left out: 1 of termination.prp: termination ('F end') is a property"
  out_has "points, as SV-COMP counts them: 3 of 3"
  last_line "suite: 2 right, 0 wrong, 0 unknown, 0 no expectation, 0 error"
}
test_definition_64() {
  needs_c; definition long.yml true LP64
  run suite .
  exits 0; out_has "2 tasks"; out_has "suite: 2 right"
}
test_no_definition() {
  echo 'hello: world' >a.yml
  run suite a.yml
  exits 2; err_has "a.yml: error: is no task definition"
}
test_definition_positions() {
  cat >a.yml <<'YML'
format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: a.prp
    expected_verdict: maybe
options:
  data_model: LLP64
YML
  run suite a.yml
  exits 2; err_has "a.yml:5:23: error: 'maybe' is no verdict"
  err_has "a.yml:7:15: error: the data model 'LLP64' is not known"
  printf "input_files: 'a.c\nformat_version: '2.0'\n\t- x\n" >a.yml
  run suite a.yml
  exits 2; err_has "a.yml:1:14: error: expected a closing '"
  err_has "a.yml:3:1: error: expected blanks: YAML is not indented with tabs"
}
# What is found in a folder need not be a definition; what is left out is named.
test_definition_part() {
  needs_c
  mkdir t
  printf 'CHECK( init(main()), LTL(G valid-%s) )\n' free deref memtrack >t/memsafety.prp
  echo '#include <stdlib.h>' | tee t/free.c t/deref.c >t/leak.c
  echo 'int main(void) { int *p = malloc(4); free(p + 1); return 0; }' >>t/free.c
  echo 'int main(void) { int *p = malloc(4); free(p); return *p; }' >>t/deref.c
  echo 'int main(void) { int *p = malloc(4); *p = 1; p = 0; return 0; }' >>t/leak.c
  local of part
  for of in free deref leak; do
    for part in free deref memtrack; do
      printf '%s\n' "format_version: '2.0'" "input_files: '$of.c'" 'properties:' '  - property_file: memsafety.prp' \
        '    expected_verdict: false' "    subproperty: valid-$part" >"t/$of-$part.yml"
    done
  done
  run suite t/free-free.yml t/deref-deref.yml t/leak-memtrack.yml --results=r.jsonl
  exits 0; last_line "suite: 3 right, 0 wrong, 0 unknown, 0 no expectation, 0 error"
  file_has r.jsonl '"subproperty": "valid-free"'; file_has r.jsonl '"violated": "valid-memtrack"'
  run suite t/free-deref.yml t/deref-memtrack.yml t/leak-free.yml
  exits 10; out_has "(violates valid-free, expected valid-deref)"
  last_line "suite: 0 right, 3 wrong, 0 unknown, 0 no expectation, 0 error"
}
test_definition_others() {
  cp "$HEDDLE_SOURCE/examples/lock.tts" .
  echo 'image: debian' >ci.yml
  printf "format_version: '2.0'\ninput_files: 'a.c'\n" >none.yml
  printf "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: nix.prp\n" >nix.yml
  run suite .
  exits 0; out_has "1 tasks, and 3 left out"
  out_has "left out: 1 of ./ci.yml: is no task definition"
  out_has "left out: 1 of ./none.yml: names no property"
  out_has "left out: 1 of ./nix.prp: cannot open"
  run suite nix.yml
  exits 2; err_has "left out: 1 of nix.prp: cannot open"
}

# --- results ---

test_json_lines() {
  safe_model; unsafe_model
  printf '%s\n' 'safe.tts safe' 'unsafe.tts safe' >list
  run suite list --format=json
  exits 10
  same "$(wc -l <stdout.txt)" 2
  head -n 1 stdout.txt >one; mv one stdout.txt
  json_is task safe.tts expected safe verdict safe judged right exit_code 0
}
test_results_are_not_repeated() {
  safe_model; endless_model
  printf '%s\n' 'safe.tts safe' "$slow" >list
  run suite list --results=r.jsonl
  exits 5; same "$(wc -l <r.jsonl)" 2
  rm safe.tts
  run suite list --results=r.jsonl
  exits 5; out_has "2 of them done before"; same "$(wc -l <r.jsonl)" 2
  echo 'unsafe.tts unsafe' >>list; unsafe_model
  run suite list --results=r.jsonl
  same "$(wc -l <r.jsonl)" 3
}
test_results_cut_off() {
  safe_model; unsafe_model
  printf '%s\n' 'safe.tts safe' 'unsafe.tts unsafe' >list
  run suite list --results=r.jsonl -j1
  head -c -30 r.jsonl >short; mv short r.jsonl
  run suite list --results=r.jsonl
  exits 0; out_has "1 of them done before"; same "$(wc -l <r.jsonl)" 2
}
test_results_of_something_else() {
  safe_model; echo hello >r.jsonl
  run suite safe.tts --results=r.jsonl
  exits 6; err_has "line 1 is no result of a suite"; file_has r.jsonl hello
}
test_results_cannot_be_written() {
  safe_model
  run suite safe.tts --results=nowhere/r.jsonl
  exits 6; err_has "cannot write"
}
test_interrupted_and_resumed() {
  endless_model
  for i in $(seq 40); do echo "$slow --seed=$i"; done >list
  "$HEDDLE" suite list -q --results=r.jsonl -j2 >stdout.txt 2>stderr.txt &
  local pid=$!
  while [ "$(cat r.jsonl 2>/dev/null | wc -l)" -lt 3 ]; do sleep 0.1; done
  kill -TERM $pid; wait $pid; status=$?
  exits 5; out_has "not done"
  local before; before=$(wc -l <r.jsonl)
  [ "$before" -lt 40 ] || problem "it was not interrupted"
  pgrep -f "$PWD/endless.spec" >/dev/null && problem "a task is still running"
  run suite list -q --results=r.jsonl
  out_has "$before of them done before"
  same "$(sort -u r.jsonl | wc -l)" 40
}
test_compare() {
  safe_model; unsafe_model
  printf '%s\n' 'safe.tts' 'unsafe.tts' >list
  run suite list --results=old.jsonl -q
  sed -i 's/"verdict": "safe"/"verdict": "unknown"/' old.jsonl
  run suite list --compare=old.jsonl -q
  exits 0; out_has "changed: unknown -> safe"
  out_has "compared: 1 the same, 1 changed, 0 new"
  run suite list --compare=nowhere
  exits 2; err_has "nowhere"
}
test_options_for_all() {
  safe_model; endless_model
  printf '%s\n' 'safe.tts' 'safe.tts --engine=km' >list
  run suite list --option=--engine=bws --format=json
  exits 0; same "$(grep -c '"engine": "bws"' stdout.txt)" 1
  same "$(grep -c '"engine": "km"' stdout.txt)" 1
  echo 'endless.spec --engine=fws --no-reduce' >list
  run suite list --timeout=0.3 --memory=500
  exits 5; out_has "time limit reached"
}

# --- over the ranks of mpirun ---

test_ranks() {
  command -v mpirun >/dev/null || skip "no mpirun"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  safe_model; endless_model
  for i in $(seq 200); do
    if [ $((i % 4)) = 0 ]; then echo "$slow --seed=$i"; else echo "safe.tts --seed=$i safe"; fi
  done >list
  timeout 600 mpirun --oversubscribe --enable-recovery -n 4 "$HEDDLE" suite list -q \
    --results=r.jsonl >stdout.txt 2>stderr.txt &
  local job=$! rank=''
  while [ "$(cat r.jsonl 2>/dev/null | wc -l)" -lt 60 ]; do
    kill -0 $job 2>/dev/null || { problem "over too early: $(cat stderr.txt)"; return; }
    sleep 0.1
  done
  for pid in $(pgrep -f -- "suite list -q --results=r.jsonl"); do
    [ "$(readlink "/proc/$pid/cwd" 2>/dev/null)" = "$PWD" ] &&
      tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx OMPI_COMM_WORLD_RANK=2 &&
      rank=$pid && break
  done
  [ -n "$rank" ] || { problem "no rank 2"; return; }
  kill -KILL "$rank"
  wait $job
  out_has "suite: 150 right, 0 wrong, 50 unknown, 0 no expectation, 0 error"
  same "$(wc -l <r.jsonl)" 200
  same "$(sed 's/.*"task": "\([^"]*\)".*/\1/' r.jsonl | sort -u | wc -l)" 200
  [ -z "$(ls -A | grep '^\.heddle-suite')" ] || problem "a file is left: $(ls -A)"
}
test_lost_worker_is_replaced() {
  command -v mpirun >/dev/null || skip "no mpirun"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  endless_model
  for i in $(seq 20); do echo "$slow --seed=$i"; done >list
  timeout 600 mpirun --oversubscribe -n 2 "$HEDDLE" suite list -q \
    --results=r.jsonl >stdout.txt 2>stderr.txt &
  local job=$! top=''
  while [ "$(cat r.jsonl 2>/dev/null | wc -l)" -lt 5 ]; do
    kill -0 $job 2>/dev/null || { problem "over too early: $(cat stderr.txt)"; return; }
    sleep 0.1
  done
  # The rank's process has one child, which works; mpirun knows only the rank's.
  for pid in $(pgrep -f -- "suite list -q --results=r.jsonl"); do
    [ "$(readlink "/proc/$pid/cwd" 2>/dev/null)" = "$PWD" ] &&
      tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx OMPI_COMM_WORLD_RANK=1 &&
      pgrep -P "$pid" >/dev/null && { top=$pid; break; }
  done
  kill -KILL "$(pgrep -P "$top" | head -n 1)"
  wait $job
  same "$(wc -l <r.jsonl)" 20
}

# --- the choice of engines ---

# Not decided by a linear inequality, nor in a moment.
hard_model() {
  { echo '40 4'
    for i in $(seq 0 38); do echo "$i 0 -> $((i + 1)) 1"; echo "$i 1 -> $i 2"; done
    for i in $(seq 1 39); do echo "$i 2 -> $((i - 1)) 3"; done
    echo '39|3,3,3'; } >"${1:-hard.tts}"
}
test_explain_choice() {
  safe_model
  run verify safe.tts --explain-choice -q
  exits 0; last_line "verdict: safe"
  err_has "tse, in this process: decided"; err_has "share"; err_has "km"
}
test_explain_choice_c() {
  needs_c
  run verify "$EXAMPLES/counter-locked.c" --explain-choice -q
  exits 0; err_has "fuzz, in this process"; err_has "explore"
}
test_one_job_twice() {
  hard_model
  run verify hard.tts --jobs=1 --format=json
  local first; first=$(grep -v -e '"wall"' -e '"cpu"' -e '"time' -e '"peak"' -e '"resident"' stdout.txt)
  exits 10
  run verify hard.tts -j1 --format=json
  same "$first" "$(grep -v -e '"wall"' -e '"cpu"' -e '"time' -e '"peak"' -e '"resident"' stdout.txt)"
}
test_jobs_are_numbers() { safe_model; run verify safe.tts -j0; exits 1; err_has "--jobs"; }

# --- the cache ---

test_cache() {
  safe_model
  run verify safe.tts --cache=cache -s
  exits 0; out_lacks "cache.hit"
  run verify safe.tts --cache=cache -s
  exits 0; out_has "cache.hit"; out_has "The proof was checked on the input model."
  run verify safe.tts --cache=cache -s --target='1|1'
  exits 10; out_lacks "cache.hit"
}
test_cache_by_content() {
  safe_model; sed -i '$d' safe.tts; printf '%s\n' '1|1,1' >safe.prop
  run verify safe.tts --cache=cache -q
  exits 0
  printf '%s\n' '1|1' >safe.prop
  run verify safe.tts --cache=cache -q
  exits 10
  unsafe_model safe.tts; rm safe.prop
  run verify safe.tts --cache=cache -q
  exits 10
}
test_cache_damaged() {
  safe_model
  run verify safe.tts --cache=cache -q
  local entry; entry=$(find cache -type f)
  for change in 's/verdict safe/verdict unsafe/' 's/bound 1/bound 2/' '$d' 's/^sum ./sum x/' '1d'; do
    cp "$entry" whole
    sed -i "$change" "$entry"
    run verify safe.tts --cache=cache -q
    exits 0; last_line "verdict: safe"; err_has "it is damaged"
    cmp -s "$entry" whole || sed '/^stat time/d;/^sum/d' "$entry" | cmp -s - <(sed '/^stat time/d;/^sum/d' whole) ||
      problem "the entry was not written again"
  done
}
# An entry that is whole and wrong: evidence is judged, not believed.
test_cache_forged() {
  safe_model
  run verify safe.tts --cache=cache -q
  local entry; entry=$(find cache -type f)
  forge() {
    python3 - "$entry" "$1" "$2" <<'PY'
import hashlib, sys
path, old, new = sys.argv[1:]
head, _, rest = open(path).read().partition("\nsum ")
answer = rest[65:].replace(old, new)
open(path, "w").write(head + "\nsum " + hashlib.sha256(answer.encode()).hexdigest() + "\n" + answer)
PY
  }
  forge 'bound 1' 'bound 7'
  run verify safe.tts --cache=cache -q
  exits 0; err_has "this entry of the cache is not used"
  forge 'verdict safe' 'verdict unsafe'
  run verify safe.tts --cache=cache -q
  exits 0; last_line "verdict: safe"; err_has "this entry of the cache is not used"
}
test_cache_c() {
  needs_c
  cat >h.h <<'C'
#define N 1
C
  printf '%s\n' '#include <assert.h>' '#include "h.h"' 'int main(void) { assert(N == 1); return 0; }' >a.c
  run verify a.c --cache=cache -s
  exits 0; out_lacks "cache.hit"
  run verify a.c --cache=cache -s
  exits 0; out_has "cache.hit"
  echo '#define N 2' >h.h
  run verify a.c --cache=cache -s
  exits 10; out_lacks "cache.hit"
  run verify a.c --cache=cache -s
  exits 10; out_has "cache.hit"; out_has "The run was made again by a fresh machine."
}
test_cache_cannot_be_written() {
  safe_model; echo x >cache
  run verify safe.tts --cache=cache -q
  exits 0; err_has "--cache: cannot write in 'cache'"
}
test_cache_keeps_no_unknown() {
  endless_model
  run verify endless.spec --engine=fws --no-reduce --timeout=0.1 --cache=cache -q
  exits 5; [ -z "$(find cache -type f 2>/dev/null)" ] || problem "unknown was kept"
}
test_suite_with_cache() {
  safe_model
  run suite safe.tts --cache="$PWD/cache" -q
  exits 0; [ -n "$(find cache -type f)" ] || problem "nothing was kept"
}

test_list_in_itself() {
  safe_model
  printf 'safe.tts\nlist.txt\n' >list.txt
  run suite list.txt -q
  exits 2; no_out; err_has "list.txt: error: is a list or folder that is in itself"
  printf 'b.txt\n' >a.txt; printf 'a.txt\n' >b.txt
  run suite a.txt -q
  exits 2; no_out; err_has "a.txt: error: is a list or folder that is in itself"
}
test_folder_in_itself() {
  mkdir -p f/g; safe_model f/g/safe.tts
  ln -s .. f/g/up; ln -s . f/same; ln -s ../f f/g/again
  run suite f
  exits 0; out_has "f/g/safe.tts"; out_lacks "f/g/up"; out_has "1 task"
}
test_names_like_options() {
  safe_model ./-q.tts
  run suite -- -q.tts
  exits 0; out_has "./-q.tts"; out_has "1 task"
  printf 'file,expected\n-q.tts,safe\n,safe\n' >t.csv
  run suite t.csv
  exits 0; out_has "./-q.tts"; out_has "1 task"
}
test_results_with_odd_numbers() {
  safe_model
  run suite safe.tts --results=r.jsonl -q
  exits 0
  sed -i 's/"exit_code": *[0-9]*/"exit_code": 1e300/' r.jsonl
  file_has r.jsonl '"exit_code": 1e300'
  run suite safe.tts --results=r.jsonl -q
  exits 0
}

run_tests

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What heddle writes for other programs: JSON against its schema, SARIF,
witnesses of SV-COMP, compiler-style lines. Prints TAP.

    reports.py HEDDLE SOURCE

$HEDDLE_SARIF_SCHEMA may name the schema of SARIF 2.1.0; then, where Python has
jsonschema, files are validated against that, too."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import sarif
import schema
import witness

HEDDLE, SOURCE = map(os.path.abspath, sys.argv[1:3])
NETS = ["lock.tts", "broken-lock.tts", "counting-loop.tts", "producer.spec",
        "flag.bp"]
C = ["bank.c", "counter.c", "counter-locked.c"]
PROGRAMS = ["races/two_locks_bug.c", "races/struct_field_bug.c",
            "races/ownership_ok.c", "deadlocks/three_bug.c",
            "deadlocks/abba_ok.c", "deadlocks/join_cycle_bug.c",
            "atomics/counter_bug.c", "integers/overflow_bug.c"]
INPUTS = """extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static int larger(int a, int b) { return a > b ? a : b; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned y = __VERIFIER_nondet_uint();
  int m = larger(x, 7);
  if (m == 42 && y == 4000000000u)
    reach_error();
  for (int i = 0; i < 3; i++)
    m += i;
  return m > 1000000;
}
"""
NESTED = """#include <pthread.h>
#include <assert.h>
int x;
static int twice(int a) { return a + a; }
static void add(int a) { x += twice(a); }
static void *work(void *p) { add(1); return p; }
static void *start(void *p) {
  pthread_t t;
  pthread_create(&t, 0, work, p);
  pthread_join(t, 0);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, start, 0);
  add(2);
  pthread_join(t, 0);
  assert(x != 6);
  return 0;
}
"""
count, failures = 0, 0


def test(name, found):
    global count, failures
    count += 1
    found = [f for f in found if f]
    failures += bool(found)
    print(f"{'not ' if found else ''}ok {count} - {name}")
    for line in found[:8]:
        print(f"#   {line}")


def skip(name, why):
    global count
    count += 1
    print(f"ok {count} # SKIP {name}: {why}")


def run(*arguments, status=(0, 4, 5, 10)):
    done = subprocess.run([HEDDLE, *arguments], capture_output=True, text=True,
                          timeout=100, stdin=subprocess.DEVNULL)
    if done.returncode not in status:
        raise SystemExit(f"{arguments}: exit status {done.returncode}: "
                         f"{done.stderr}")
    return done


# --- JSON ---

def json_of(*arguments):
    done = run(*arguments, "--format=json")
    document = json.loads(done.stdout)
    if isinstance(document, dict) and \
            document["exit_code"] != done.returncode:
        raise SystemExit(f"{arguments}: exit code")
    return document


def test_json():
    with open(f"{SOURCE}/docs/schema/heddle-result.schema.json",
              encoding="utf-8") as file:
        rules = json.load(file)
    asked = [["verify", f] for f in NETS + C + PROGRAMS]
    asked += [["verify", "lock.tts", "--engine=bws"],
              ["verify", "producer.spec", "--engine=km"],
              ["verify", "counter.c", "--property=all"],
              ["verify", "counter.c", "--engine=fuzz", "--timeout=0.5",
               "--property=deadlock"],
              ["reach", "broken-lock.tts"], ["reach", "producer.spec"],
              ["cutoff", "broken-lock.tts"], ["engines"],
              ["run", "counter.c", "--seed=1"], ["run", "bank.c", "--seed=3"],
              ["fuzz", "counter.c", "--seed=1", "--runs=2000"],
              ["check", "broken-lock.tts", "way"],
              ["check", "lock.tts", "proof"],
              ["check", "broken-lock.tts", "--target=0|0", "way"],
              ["check", "counter.c", "race.schedule"],
              ["check", "counter.c", "race.schedule", "--property=deadlock"],
              ["compare", "paper/mean_spec.c", "paper/mean_impl.c"],
              ["compare", "paper/mean_spec.c", "wrong.c"],
              ["verify", "paper/race.c", "--procs=3"],
              ["run", "paper/ring.c", "--procs=3"]]
    run("verify", "broken-lock.tts", "--witness=way")
    run("verify", "lock.tts", "--certificate=proof", "--certify")
    run("verify", "counter.c", "--property=race", "--witness=race.schedule")
    documents = []
    for arguments in asked:
        documents.append(json_of(*arguments))
        test("json: " + " ".join(arguments),
             schema.problems(documents[-1], rules))
    lines = run("suite", "lock.tts", "broken-lock.tts", "--format=json",
                "--timeout=20").stdout.splitlines()
    lines = [line for line in lines if line.startswith("{")]
    test("json: suite", [len(lines) != 2 and f"{len(lines)} lines"] +
         [p for line in lines for p in schema.problems(json.loads(line), rules)])
    # The schema must refuse what is wrong.
    document = json_of("verify", "broken-lock.tts")
    for name, change in [
            ("a verdict", {"verdict": "maybe"}), ("a version", {"schema": 2}),
            ("a step", {"witness": {**document["witness"],
                                    "steps": [{"text": "x"}]}})]:
        test(f"json: {name} that is wrong is refused",
             [not schema.problems({**document, **change}, rules) and
              "it was taken"])
    try:
        import jsonschema
    except ImportError:
        skip("json: the schema is one", "Python has no jsonschema")
        return
    jsonschema.Draft202012Validator.check_schema(rules)
    again = jsonschema.Draft202012Validator(rules)
    test("json: the other validator agrees",
         [e.message for d in documents for e in again.iter_errors(d)])


# --- SARIF ---

def check_regions(document):
    """Every region is in its file."""
    found = []
    for result in document["runs"][0]["results"]:
        places = [s["location"] for flow in result.get("codeFlows", [])
                  for t in flow["threadFlows"] for s in t["locations"]]
        for place in result["locations"] + places:
            physical = place["physicalLocation"]
            uri = physical["artifactLocation"]["uri"]
            line = physical.get("region", {}).get("startLine", 1)
            if line > witness.lines_of(uri):
                found.append(f"{uri} has no line {line}")
    return found


def test_sarif():
    documents = {}
    for file in NETS + C + PROGRAMS:
        document = json.loads(run("verify", file, "--format=sarif").stdout)
        documents[file] = document
        test(f"sarif: {file}",
             sarif.problems(document) + check_regions(document))
    race, = [r for r in documents["counter.c"]["runs"][0]["results"]
             if r["ruleId"] == "race"]
    lines = [p["physicalLocation"]["region"]["startLine"]
             for p in race["locations"] + race["relatedLocations"]]
    threads = [t["id"] for t in race["codeFlows"][0]["threadFlows"]]
    test("sarif: the race is where it is",
         [lines != [9, 9] and f"lines {lines}",
          threads != ["main", "worker 1", "worker 2"] and f"{threads}"])
    done = run("run", "bank.c", "--seed=3", "--format=sarif")
    test("sarif: a run without violation",
         sarif.problems(json.loads(done.stdout)))
    path = os.environ.get("HEDDLE_SARIF_SCHEMA")
    try:
        import jsonschema
    except ImportError:
        jsonschema = None
    if not path or not jsonschema:
        skip("sarif: the published schema", "no HEDDLE_SARIF_SCHEMA" if
             jsonschema else "Python has no jsonschema")
        return
    with open(path, encoding="utf-8") as file:
        rules = jsonschema.Draft7Validator(json.load(file))
    test("sarif: the published schema",
         [f"{name}: {e.message}" for name, d in documents.items()
          for e in rules.iter_errors(d)])


# --- witnesses ---

def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def witness_of(program, ending, *options):
    path = "witness" + ending
    if os.path.exists(path):
        os.remove(path)
    done = run("verify", program, "-q", f"--witness={path}", *options)
    return done.stdout.strip(), path


def test_witnesses():
    write("inputs.c", INPUTS)
    write("nested.c", NESTED)
    asked = [("inputs.c", "assert"), ("nested.c", "race"),
             ("nested.c", "assert"), ("counter.c", "race"),
             ("counter.c", "assert"), ("bank.c", "deadlock"),
             ("counter-locked.c", "race"), ("counter-locked.c", "assert")]
    asked += [(p, "race") for p in PROGRAMS if p.startswith("races")]
    asked += [(p, "deadlock") for p in PROGRAMS if p.startswith("deadlocks")]
    for program, prop in asked:
        verdict, path = witness_of(program, ".graphml", f"--property={prop}")
        if not os.path.exists(path):
            test(f"graphml: {program}, {prop}", [f"no witness: {verdict}"])
            continue
        found, read = witness.graphml(path, program)
        wanted = "violation_witness" if "unsafe" in verdict else \
            "correctness_witness"
        test(f"graphml: {program}, {prop}",
             found + [read and read[0] != wanted and read[0]])
        verdict, path = witness_of(program, ".yml", f"--property={prop}")
        found, entry = witness.yaml(path, program)
        wanted = "violation_sequence" if "unsafe" in verdict else \
            "invariant_set"
        test(f"yaml: {program}, {prop}",
             found + [entry and entry["entry_type"] != wanted and "kind"])
    test_values()
    test_linter()


def test_values():
    _, path = witness_of("inputs.c", ".graphml", "--property=assert")
    _, (_, edges) = witness.graphml(path, "inputs.c")
    values = {e["assumption.resultfunction"]: (e["assumption"], e["startline"])
              for e in edges if "assumption" in e}
    calls = [e["enterFunction"] for e in edges if "enterFunction" in e]
    test("graphml: inputs and calls",
         [values != {"__VERIFIER_nondet_int": ("\\result == 42", "6"),
                     "__VERIFIER_nondet_uint": ("\\result == 4000000000",
                                                "7")} and str(values),
          calls != ["main", "larger"] and str(calls)])
    _, path = witness_of("inputs.c", ".yaml", "--property=assert", "--32")
    _, entry = witness.yaml(path, "inputs.c")
    points = [s["segment"][-1]["waypoint"] for s in entry["content"]]
    returns = [(p["constraint"]["value"], p["location"]["line"],
                p["location"]["column"]) for p in points
               if p["type"] == "function_return"]
    test("yaml: inputs",
         [returns != [("\\result == 42", 6, 33),
                      ("\\result == 4000000000", 7, 39)] and str(returns),
          points[-1]["location"]["line"] != 10 and "target",
          entry["metadata"]["task"]["data_model"] != "ILP32" and "model"])
    _, path = witness_of("nested.c", ".graphml", "--property=assert")
    _, (_, edges) = witness.graphml(path, "nested.c")
    created = [e["createThread"] for e in edges if "createThread" in e]
    test("graphml: threads", [created != ["0", "1", "2"] and str(created)])
    try:
        import yaml
    except ImportError:
        skip("yaml: another reader agrees", "Python has no yaml")
        return
    _, path = witness_of("counter.c", ".yml", "--property=race")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    test("yaml: another reader agrees",
         [yaml.safe_load(text) != witness.parse(text.splitlines()) and "no"])
    run("verify", "endless.c", "-q", "--timeout=0.3", "--witness=no.yml")
    test("no witness without a verdict",
         [os.path.exists("no.yml") and "no.yml is there"])


def test_linter():
    """The linter sees what is wrong."""
    _, path = witness_of("counter.c", ".graphml", "--property=assert")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, old, new in [
            ("another program", r'"programhash">.{8}', '"programhash">0000beef'),
            ("no violation", '"violation">true', '"violation">false'),
            ("a thread that is not there", '"threadId">2', '"threadId">9'),
            ("a line that is not there", '"startline">9<', '"startline">999<')]:
        write("wrong.graphml", re.sub(old, new, text))
        test(f"graphml: {name} is found",
             [not witness.graphml("wrong.graphml", "counter.c")[0] and "no"])
    _, path = witness_of("counter.c", ".yml", "--property=race")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, old, new in [
            ("an old version with threads", '"2.2"', '"2.0"'),
            ("a segment that is not followed", '"follow"', '"avoid"'),
            ("a target in the middle", '"assumption"', '"target"')]:
        write("wrong.yml", text.replace(old, new))
        test(f"yaml: {name} is found",
             [not witness.yaml("wrong.yml", "counter.c")[0] and "no"])


# --- compiler-style ---

def test_gcc():
    line = re.compile(r"[^:]+(:\d+:\d+)?: (error|warning|note): .+")
    for file in NETS + C + PROGRAMS:
        done = run("verify", file, "--format=gcc")
        lines = done.stdout.splitlines()
        errors = [x for x in lines if ": error: " in x]
        test(f"gcc: {file}",
             [f"{x!r}" for x in lines if not line.fullmatch(x)] +
             [bool(errors) != (done.returncode == 10) and
              f"{len(errors)} errors, status {done.returncode}"])
    lines = run("verify", "counter.c", "--format=gcc",
                "--property=race").stdout.splitlines()
    first = re.fullmatch(r"counter.c:9:10: error: data race on counter, in "
                         r"worker ([12]) \[race\]", lines[0])
    other = re.fullmatch(r"counter.c:9:10: note: the other access, in "
                         r"worker ([12])", lines[1])
    test("gcc: the race", [
        not first and lines[0], not other and lines[1],
        first and other and first[1] == other[1] and "one worker"])


def main():
    with tempfile.TemporaryDirectory(prefix="heddle-reports.") as folder:
        shutil.copytree(f"{SOURCE}/examples", f"{folder}/e")
        os.chdir(f"{folder}/e")
        for program in PROGRAMS:
            os.makedirs(os.path.dirname(program), exist_ok=True)
            shutil.copy(f"{SOURCE}/tests/programs/{program}", program)
        shutil.copytree(f"{SOURCE}/tests/mpi/paper", "paper")
        with open("paper/mean_spec.c", encoding="utf-8") as file:
            write("wrong.c", file.read().replace("s + a", "s - a"))
        write("endless.c", "int main(void) { volatile int x = 0; "
              "while (1) x++; }\n")
        test_json()
        test_sarif()
        test_witnesses()
        test_gcc()
    print(f"1..{count}")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()

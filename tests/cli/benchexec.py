#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""contrib/heddle.py does what BenchExec asks of it; speaks TAP. Without BenchExec,
a few lines stand for the parts of it that the module uses."""

import collections
import importlib.util
import os
import subprocess
import sys
import tempfile
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEDDLE = os.path.abspath(os.environ.get("HEDDLE") or
                         os.path.join(ROOT, "build", "heddle"))
Task = collections.namedtuple("Task", "input_files property_file options")
Limits = collections.namedtuple("Limits", "cputime memory cpu_cores")
Run = collections.namedtuple("Run", "output exit_code was_timeout")
Code = collections.namedtuple("Code", "value")


def stand_in():
    try:
        importlib.import_module("benchexec.tools.template")
        return
    except ImportError:
        pass
    names = ("benchexec", "benchexec.result", "benchexec.tools",
             "benchexec.tools.template")
    made = {name: types.ModuleType(name) for name in names}
    made["benchexec.result"].RESULT_TRUE_PROP = "true"
    made["benchexec.result"].RESULT_FALSE_PROP = "false"
    made["benchexec.result"].RESULT_UNKNOWN = "unknown"
    made["benchexec.result"].RESULT_ERROR = "ERROR"
    made["benchexec.tools.template"].BaseTool2 = object
    made["benchexec.tools.template"].UnsupportedFeatureException = type(
        "UnsupportedFeatureException", (Exception,), {})
    made["benchexec"].result = made["benchexec.result"]
    made["benchexec"].tools = made["benchexec.tools"]
    made["benchexec.tools"].template = made["benchexec.tools.template"]
    sys.modules.update(made)


def main():
    stand_in()
    spec = importlib.util.spec_from_file_location(
        "heddle_tool", os.path.join(ROOT, "contrib", "heddle.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tool = module.Tool()
    cases = []

    def case(name, good):
        cases.append((name, good))

    line = tool.cmdline("heddle", ["-q"], Task(["a.c"], "p.prp",
                        {"language": "C", "data_model": "ILP32"}),
                        Limits(100, 2**30, 2))
    case("command", line == ["heddle", "verify", "-q", "--32", "--property=p.prp",
                             "--timeout=47", "--memory=819", "a.c"])
    line = tool.cmdline("heddle", ["--timeout=5", "--64"],
                        Task(["a.c"], None, {"data_model": "ILP32"}),
                        Limits(100, None, None))
    case("options go first",
         line == ["heddle", "verify", "--timeout=5", "--64", "a.c"])

    def verdict(*arguments):
        done = subprocess.run([HEDDLE, "verify"] + list(arguments), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return tool.determine_result(Run(done.stdout.splitlines(True),
                                         Code(done.returncode), False))

    examples = os.path.join(ROOT, "examples")
    with tempfile.TemporaryDirectory() as folder:
        broken = os.path.join(folder, "broken.tts")
        with open(broken, "w", encoding="ascii") as out:
            out.write("what is this\n")
        case("safe", verdict(os.path.join(examples, "lock.tts")) == "true")
        case("unsafe",
             verdict(os.path.join(examples, "broken-lock.tts")) == "false")
        case("unknown", verdict(os.path.join(examples, "producer.spec"),
                                "--engine=fws", "--timeout=0.1") == "TIMEOUT")
        case("error", verdict(broken) == "ERROR (input)")
        case("nothing", tool.determine_result(Run([], Code(None), False)) == "ERROR")
        if os.path.exists(os.path.join(os.path.dirname(HEDDLE), "heddle-cc")):
            case("property", verdict(os.path.join(examples, "counter.c"),
                                     "--property=race") == "false(no-data-race)")
    print(f"1..{len(cases)}")
    for number, (name, good) in enumerate(cases, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
    return not all(good for _, good in cases)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""The tool-info module of heddle for BenchExec.

Copy it to benchexec/tools/, or to a package on PYTHONPATH, and name it in the
benchmark definition: <benchmark tool="heddle" …>. Property file and data model
come from the task, time and memory from the limits of the definition, unless the
definition has options for them."""

import benchexec.result as result
import benchexec.tools.template

# What heddle calls a property, and what SV-COMP calls it.
NAMES = {
    "assert": "unreach-call",
    "overflow": "no-overflow",
    "race": "no-data-race",
    "deadlock": "no-deadlock",
    "leak": "valid-memtrack",
}
DATA_MODELS = {"ILP32": "--32", "LP64": "--64"}


def given(options, name):
    return any(o == name or o.startswith(name + "=") for o in options)


class Tool(benchexec.tools.template.BaseTool2):
    """heddle verifies concurrent C programs, and models of them."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle", subdir="bin")

    def name(self):
        return "heddle"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heddle ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify"] + options
        model = (task.options or {}).get("data_model")
        if model and not given(options, "--32") and not given(options, "--64"):
            if model not in DATA_MODELS:
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"data model {model}")
            command.append(DATA_MODELS[model])
        if task.property_file and not given(options, "--property"):
            command.append(f"--property={task.property_file}")
        # A little less than the limits, so that there is a report.
        if rlimits.cputime and not given(options, "--timeout"):
            seconds = 0.95 * rlimits.cputime / (rlimits.cpu_cores or 1)
            command.append(f"--timeout={max(1, int(seconds))}")
        if rlimits.memory and not given(options, "--memory"):
            command.append(f"--memory={max(1, int(0.8 * rlimits.memory / 2**20))}")
        return command + list(task.input_files)

    def determine_result(self, run):
        verdict, violated = "", None
        for line in run.output:
            name, _, rest = line.strip().partition(": ")
            if name == "verdict":
                verdict = rest
            elif rest == "unsafe" and name in NAMES and not violated:
                violated = NAMES[name]
        status = run.exit_code.value
        if verdict == "safe" and status == 0:
            return result.RESULT_TRUE_PROP
        if verdict == "unsafe" and status == 10:
            return result.RESULT_FALSE_PROP + (f"({violated})" if violated else "")
        if verdict.startswith("unknown (time limit"):
            return "TIMEOUT"
        if verdict.startswith("unknown (memory limit"):
            return "OUT OF MEMORY"
        if verdict.startswith("unknown") and status == 5:
            return result.RESULT_UNKNOWN
        return result.RESULT_ERROR + (" (input)" if status == 2 else "")

    def get_value_from_output(self, output, identifier):
        """A statistic of `heddle verify -s`, by its name."""
        for line in output:
            words = line.split()
            if words and words[0] == identifier:
                return words[1]
        return None

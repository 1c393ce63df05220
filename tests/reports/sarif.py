# SPDX-License-Identifier: MIT
"""What SARIF 2.1.0 asks of a file, as far as heddle writes it."""
import re


class Checker:
    def __init__(self):
        self.found = []

    def need(self, condition, sentence):
        if not condition:
            self.found.append(sentence)
        return bool(condition)

    def members(self, value, where, required, optional=()):
        if not self.need(isinstance(value, dict), f"{where} is no object"):
            return False
        for key in required:
            self.need(key in value, f"{where}.{key} is missing")
        for key in value:
            self.need(key in required or key in optional,
                      f"{where}.{key} is not known")
        return True

    def message(self, value, where):
        if self.members(value, where, ["text"]):
            self.need(isinstance(value["text"], str) and value["text"],
                      f"{where}.text is empty")

    def location(self, value, where):
        if not self.members(value, where, ["physicalLocation"], ["message"]):
            return
        physical = value["physicalLocation"]
        self.members(physical, f"{where}.physicalLocation",
                     ["artifactLocation"], ["region"])
        uri = physical["artifactLocation"].get("uri")
        self.need(isinstance(uri, str) and
                  re.fullmatch(r"(file://)?[A-Za-z0-9._~%/-]+", uri),
                  f"{where}: no URI: {uri!r}")
        region = physical.get("region")
        if region:
            self.members(region, f"{where}.region", ["startLine"],
                         ["startColumn"])
            for key in region.values():
                self.need(isinstance(key, int) and key >= 1,
                          f"{where}: {region}")
        if "message" in value:
            self.message(value["message"], where)

    def flows(self, flows, where):
        for flow in flows:
            orders = []
            self.members(flow, where, ["threadFlows"], ["message"])
            ids = [t.get("id") for t in flow["threadFlows"]]
            self.need(ids and len(set(ids)) == len(ids),
                      f"{where}: ids of thread flows: {ids}")
            for thread in flow["threadFlows"]:
                self.members(thread, where, ["locations"], ["id", "message"])
                self.need(thread["locations"], f"{where}: an empty flow")
                own = [s["executionOrder"] for s in thread["locations"]]
                self.need(own == sorted(own), f"{where}: out of order")
                orders += own
                for step in thread["locations"]:
                    self.members(step, where, ["location"],
                                 ["executionOrder", "nestingLevel",
                                  "importance"])
                    self.location(step["location"], where)
                    self.need(step["importance"] in
                              ("important", "essential", "unimportant"), where)
                    self.need(step["nestingLevel"] >= 0, where)
            self.need(sorted(orders) == list(range(1, len(orders) + 1)),
                      f"{where}: the order of execution has gaps")

    def result(self, result, rules, where):
        self.members(result, where, ["ruleId", "message", "locations"],
                     ["kind", "level", "relatedLocations", "codeFlows",
                      "partialFingerprints", "suppressions"])
        for key, value in result.get("partialFingerprints", {}).items():
            self.need(re.fullmatch(r"[0-9a-f]{16}", value),
                      f"{where}: fingerprint {key} is {value!r}")
        for given in result.get("suppressions", []):
            self.members(given, where, ["kind"], ["justification"])
            self.need(given["kind"] in ("inSource", "external"), where)
        self.need(result["ruleId"] in rules,
                  f"{where}: there is no rule {result['ruleId']}")
        self.need(result["kind"] in ("pass", "open", "fail"), where)
        self.need(result["level"] in ("none", "note", "warning", "error"),
                  where)
        self.need((result["kind"] == "fail") == (result["level"] != "none"),
                  f"{where}: kind and level contradict each other")
        self.message(result["message"], where)
        for location in result["locations"] + result.get("relatedLocations", []):
            self.location(location, where)
        self.flows(result.get("codeFlows", []), where)

    def run(self, run, where):
        self.members(run, where, ["tool", "results"],
                     ["invocations", "columnKind"])
        driver = run["tool"]["driver"]
        self.members(driver, where, ["name"], ["version", "rules"])
        rules = [r["id"] for r in driver.get("rules", [])]
        self.need(len(set(rules)) == len(rules), f"{where}: rules {rules}")
        for i, result in enumerate(run["results"]):
            self.result(result, rules, f"{where}.results[{i}]")
        for invocation in run.get("invocations", []):
            self.members(invocation, where, ["executionSuccessful"],
                         ["exitCode", "toolExecutionNotifications"])


def problems(document):
    checker = Checker()
    checker.members(document, "$", ["version", "runs"], ["$schema"])
    checker.need(document.get("version") == "2.1.0", "version")
    for i, run in enumerate(document.get("runs", [])):
        checker.run(run, f"$.runs[{i}]")
    return checker.found

# SPDX-License-Identifier: MIT
"""A linter for witnesses in the formats of SV-COMP: GraphML 1.0 and YAML 2.x,
from their published descriptions."""
import hashlib
import re
import xml.etree.ElementTree as ElementTree

NS = "{http://graphml.graphdrawing.org/xmlns}"
GRAPH = {"witness-type", "sourcecodelang", "producer", "specification",
         "programfile", "programhash", "architecture", "creationtime"}
NODE = {"entry", "violation", "sink", "invariant", "invariant.scope"}
EDGE = {"assumption", "assumption.scope", "assumption.resultfunction",
        "startline", "endline", "startoffset", "endoffset", "control",
        "enterLoopHead", "enterFunction", "returnFromFunction", "threadId",
        "createThread"}
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)"
CHECK = r"(CHECK\( init\(main\(\)\), LTL\(G .+\) \)\n?)+"


def hash_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def lines_of(path):
    with open(path, "rb") as file:
        return len(file.read().splitlines())


def data_of(element, allowed, found):
    data = {}
    for child in element.findall(NS + "data"):
        key = child.get("key")
        if key not in allowed:
            found.append(f"key {key} is not known here")
        if key in data:
            found.append(f"key {key} is there twice")
        data[key] = child.text or ""
    return data


def graphml(path, program):
    """Sentences about what is wrong, and (kind, edges) of the witness."""
    found = []
    root = ElementTree.parse(path).getroot()
    if root.tag != NS + "graphml":
        return [f"the root is {root.tag}"], None
    declared = {k.get("id"): k.get("for") for k in root.findall(NS + "key")}
    for names, about in ((GRAPH, "graph"), (NODE, "node"), (EDGE, "edge")):
        for key, where in declared.items():
            if key in names and where != about:
                found.append(f"key {key} is declared for {where}")
    graph, = root.findall(NS + "graph")
    head = data_of(graph, GRAPH | {"witness-format-version"}, found)
    found += [f"graph has no {key}" for key in GRAPH - set(head)]
    kind = head.get("witness-type")
    if kind not in ("violation_witness", "correctness_witness"):
        found.append(f"witness-type is {kind}")
    if head.get("programhash") != hash_of(program):
        found.append("the hash is not that of the program")
    if head.get("architecture") not in ("32bit", "64bit"):
        found.append("architecture")
    if not re.fullmatch(TIME, head.get("creationtime", "")):
        found.append(f"creationtime is {head.get('creationtime')}")
    if not re.fullmatch(CHECK, head.get("specification", "")):
        found.append(f"specification is {head.get('specification')!r}")
    nodes = {n.get("id"): data_of(n, NODE, found)
             for n in graph.findall(NS + "node")}
    entries = [n for n, d in nodes.items() if d.get("entry") == "true"]
    ends = [n for n, d in nodes.items() if d.get("violation") == "true"]
    if len(entries) != 1:
        found.append(f"{len(entries)} entry nodes")
    if bool(ends) != (kind == "violation_witness"):
        found.append(f"a {kind} with {len(ends)} violation nodes")
    edges, out = [], {}
    for edge in graph.findall(NS + "edge"):
        source, target = edge.get("source"), edge.get("target")
        if source not in nodes or target not in nodes:
            found.append(f"an edge from {source} to {target}")
        out.setdefault(source, []).append(target)
        edges.append((source, target, data_of(edge, EDGE, found)))
    for key in {k for e in edges for k in e[2]} | set(head):
        if key not in declared:
            found.append(f"key {key} is not declared")
    if kind == "violation_witness":
        found += path_problems(edges, lines_of(program))
    for node, data in nodes.items():
        if ("invariant" in data) != ("invariant.scope" in data):
            found.append(f"{node}: an invariant without scope")
    if ends and entries:
        seen, todo = set(), list(entries)
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += out.get(node, [])
        if not seen & set(ends):
            found.append("no way leads to the violation")
    return found, (kind, [e[2] for e in edges])


def path_problems(edges, lines):
    """Threads are created once, begin by entering a function, and end when
    they return from it."""
    found, stacks = [], {}
    for source, _, data in edges:
        thread = data.get("threadId")
        if thread is None:
            found.append(f"{source}: no threadId")
            continue
        created = data.get("createThread")
        if created is not None:
            if created in stacks:
                found.append(f"{source}: thread {created} is created twice")
            stacks[created] = []
        if thread not in stacks:
            found.append(f"{source}: thread {thread} was not created")
            continue
        if data.get("enterFunction"):
            stacks[thread].append(data["enterFunction"])
        elif not stacks[thread]:
            found.append(f"{source}: thread {thread} is in no function")
        left = data.get("returnFromFunction")
        if left and stacks[thread]:
            if stacks[thread][-1] != left and left not in stacks[thread]:
                found.append(f"{source}: returns from {left}, is in "
                             f"{stacks[thread]}")
            while stacks[thread] and stacks[thread].pop() != left:
                pass
        line = int(data.get("startline", 1))
        if not 1 <= line <= lines:
            found.append(f"{source}: line {line}")
        if "\\result" in data.get("assumption", "") and \
                "assumption.resultfunction" not in data:
            found.append(f"{source}: \\result of which function?")
    return found


# --- YAML ---

def scalar(text):
    if text.startswith('"'):
        return re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]),
                      text[1:-1])
    if text == "[]":
        return []
    return int(text)


def parse(lines):
    """Reads the YAML that heddle writes: mappings and lists by indentation,
    strings in double quotes, whole numbers."""
    rows = []
    for line in lines:
        text = line.rstrip("\n")
        indent = len(text) - len(text.lstrip(" "))
        rows.append((indent, text[indent:]))

    def block(at, indent):
        if rows[at][1].startswith("- "):
            items = []
            while at < len(rows) and rows[at][0] == indent and \
                    rows[at][1].startswith("- "):
                rest = rows[at][1][2:]
                if re.match(r'"[^"]*"$', rest):
                    items.append(scalar(rest))
                    at += 1
                    continue
                rows[at] = (indent + 2, rest)
                value, at = block(at, indent + 2)
                items.append(value)
            return items, at
        members = {}
        while at < len(rows) and rows[at][0] == indent and \
                not rows[at][1].startswith("- "):
            match = re.match(r'("[^"]*"|[A-Za-z_]+):(?: (.+))?$', rows[at][1])
            if not match:
                raise ValueError(f"line {at + 1}: {rows[at][1]!r}")
            key = match[1].strip('"')
            if key in members:
                raise ValueError(f"line {at + 1}: {key} is there twice")
            at += 1
            if match[2] is not None:
                members[key] = scalar(match[2])
            else:
                members[key], at = block(at, rows[at][0])
        return members, at

    value, end = block(0, 0)
    if end != len(rows):
        raise ValueError(f"line {end + 1} is not part of anything")
    return value


def members(value, where, required, optional, found):
    found += [f"{where}.{k} is missing" for k in required if k not in value]
    found += [f"{where}.{k} is not known" for k in value
              if k not in required and k not in optional]


def yaml(path, program):
    """Sentences about what is wrong, and the entry."""
    found = []
    with open(path, encoding="utf-8") as file:
        entries = parse(file.readlines())
    if len(entries) != 1:
        return ["not one entry"], None
    entry, = entries
    members(entry, "entry", ["entry_type", "metadata", "content"], [], found)
    meta = entry["metadata"]
    members(meta, "metadata", ["format_version", "uuid", "creation_time",
                               "producer", "task"], [], found)
    if not re.fullmatch(r"2\.[0-9]", meta["format_version"]):
        found.append("format_version")
    if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
                        meta["uuid"]):
        found.append(f"uuid {meta['uuid']}")
    if not re.fullmatch(TIME, meta["creation_time"]):
        found.append("creation_time")
    members(meta["producer"], "producer", ["name", "version"], [], found)
    task = meta["task"]
    members(task, "task", ["input_files", "input_file_hashes", "specification",
                           "data_model", "language"], [], found)
    if sorted(task["input_files"]) != sorted(task["input_file_hashes"]):
        found.append("files and hashes do not agree")
    if task["input_file_hashes"].get(program) != hash_of(program):
        found.append("the hash is not that of the program")
    if task["data_model"] not in ("ILP32", "LP64") or task["language"] != "C":
        found.append("data model or language")
    if not re.fullmatch(CHECK, task["specification"]):
        found.append(f"specification is {task['specification']!r}")
    if entry["entry_type"] == "violation_sequence":
        found += segment_problems(entry, program)
    elif entry["entry_type"] == "invariant_set":
        for item in entry["content"]:
            invariant = item["invariant"]
            members(invariant, "invariant",
                    ["type", "location", "value", "format"], [], found)
            location_problems(invariant["location"], program, found)
    else:
        found.append(f"entry_type is {entry['entry_type']}")
    return found, entry


def location_problems(location, program, found):
    members(location, "location", ["file_name", "line"],
            ["column", "function"], found)
    if not 1 <= location["line"] <= lines_of(location["file_name"]):
        found.append(f"line {location['line']}")
    if location.get("column", 1) < 1:
        found.append(f"column {location['column']}")


def segment_problems(entry, program):
    found, content = [], entry["content"]
    race = "data-race" in entry["metadata"]["task"]["specification"]
    for i, item in enumerate(content):
        members(item, f"content[{i}]", ["segment"], [], found)
        last = i + 1 == len(content)
        points = [p["waypoint"] for p in item["segment"]]
        followed = [p for p in points if p["action"] == "follow"]
        if points[-1]["action"] != "follow":
            found.append(f"segment {i} does not end with what is followed")
        if len(followed) != (2 if last and race else 1):
            found.append(f"segment {i} follows {len(followed)} points")
        for p in points:
            members(p, f"segment {i}", ["type", "action", "location"],
                    ["constraint", "thread_id"], found)
            if p["type"] not in ("assumption", "target", "function_enter",
                                 "function_return", "branching"):
                found.append(f"type {p['type']}")
            if (p["type"] == "target") != last:
                found.append(f"segment {i} has a {p['type']}")
            if (p["type"] == "target") == ("constraint" in p):
                found.append(f"segment {i}: constraint of a {p['type']}")
            if "constraint" in p:
                members(p["constraint"], f"segment {i}", ["value"], ["format"],
                        found)
            if p["type"] == "function_return" and not re.fullmatch(
                    r"\\result (==|!=|<=?|>=?) -?\d+U?",
                    p["constraint"]["value"]):
                found.append(f"segment {i}: {p['constraint']}")
            if "thread_id" in p and \
                    entry["metadata"]["format_version"] < "2.2":
                found.append("thread_id is of version 2.2")
            location_problems(p["location"], program, found)
    return found

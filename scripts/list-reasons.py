#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every reason heddle can give for an unknown, from the sources.

    scripts/list-reasons.py            prints the list
    scripts/list-reasons.py --check    is it the one in docs/unknown.md?
    scripts/list-reasons.py --update   writes it there

A reason is a text in a call of one of CALLS, or assigned to something called
`reason`; what is filled in is shown as …."""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "unknown.md")
BEGIN, END = "<!-- reasons: scripts/list-reasons.py -->", "<!-- end -->"
CALLS = ("hd_result_unknown", "hd_machine_stop", "hd_call_unsupported",
         "hd_analysis_give_up", "hd_sync_give_up", "hd_search_incomplete", "open_again",
         "hd_bp_give_up", "lise_give_up", "hd_lise_give_up", "only_assertions",
         r"(?:\w+(?:->|\.))?reason = hd_strdup", r"snprintf\(reason, sizeof reason,",
         r"hd_str_printf\(&reason,", r"(?:\w+(?:->|\.))?reason =",
         "hd_graph_give_up", r"plan->vague =")
# Here reasons are put together in a variable called text.
BUILT = ("src/engine/explore/moves.c", "src/engine/explore/turns.c",
         "src/api/code.c", "src/api/code_prove.c")
GROUPS = [
    ("Limits and interruption", ("src/base/",)),
    ("Models: the engines that count", ("src/engine/km", "src/engine/bws",
                                        "src/engine/fws", "src/engine/tse",
                                        "src/engine/concolic",
                                        "src/engine/reduce", "src/engine/fly",
                                        "src/engine/cutoff", "src/api/verify",
                                        "src/api/race", "src/api/workshop",
                                        "src/api/unbounded",
                                        "src/engine/portfolio")),
    ("Boolean programs", ("src/front/bp", "src/model", "src/api/program")),
    ("C programs: execution", ("src/check/interp", "src/engine/explore",
                               "src/api/code", "src/api/doubt",
                               "src/api/play")),
    ("C programs: unfold, modular", ("src/engine/unfold", "src/engine/modular",
                                     "src/domain")),
    ("MPI programs", ("src/check/mpi", "src/engine/lise", "src/api/mpi",
                      "src/api/compare", "src/front/formula")),
    ("Others", ("src/",)),
]
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def texts(source):
    """The string of each call, parts joined."""
    starts = re.compile(r"(?<!\w)(?:%s)[^\S\n]*\(?" % "|".join(CALLS))
    for found in starts.finditer(source):
        # up to the end of the statement
        end = found.end()
        depth = 0
        while end < len(source) and not (source[end] == ";" and depth <= 0):
            if source[end] == '"':
                end = STRING.match(source, end).end()
                continue
            depth += (source[end] == "(") - (source[end] == ")")
            end += 1
        statement = source[found.end():end]
        if statement.lstrip().startswith("\n}"):
            continue
        if "HD_MACHINE_" in statement and not re.search(
                "HD_MACHINE_(UNSUPPORTED|DIVERGED)", statement):
            continue
        for part in re.finditer(r'(?:"(?:[^"\\]|\\.)*"\s*(?:PRI\w+\s*)?)+',
                                statement):
            yield "".join(STRING.findall(part.group(0)))


def stop_texts(source):
    """base/run.c says why a run was stopped."""
    return re.findall(r'return "([^"]+)"', source)


def shown(text):
    text = text.replace('\\"', '"').replace("\\n", " ")
    text = re.sub(r"%%", "%", re.sub(r"%[-.*\d]*(?:ll|z|l)?[sduxc]", "…", text))
    return text.strip()


def reasons():
    """[(group, [text])]"""
    found = {group: set() for group, _ in GROUPS}
    for folder, _, names in os.walk(os.path.join(ROOT, "src")):
        for name in names:
            path = os.path.join(folder, name)
            if not name.endswith(".c"):
                continue
            with open(path, encoding="utf-8") as file:
                source = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
            where = os.path.relpath(path, ROOT)
            got = stop_texts(source) if where == "src/base/run.c" else \
                list(texts(source))
            if where in BUILT:
                got += re.findall(r'hd_str_(?:puts|printf)\(\s*&text,\s*"([^"]+)"',
                                  source)
            group = next(g for g, starts in GROUPS if where.startswith(starts))
            for text in map(shown, got):
                if re.search(r"[a-z]{3}", text.replace("…", "")):
                    found[group].add(text)
    return [(group, sorted(found[group])) for group, _ in GROUPS]


def listing():
    lines = [BEGIN, ""]
    for group, found in reasons():
        if found:
            lines += [f"### {group}", "", *(f"- {quote(t)}" for t in found), ""]
    return "\n".join(lines + [END])


def quote(text):
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def main():
    if sys.argv[1:] == []:
        print(listing())
        return 0
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    start, end = page.index(BEGIN), page.index(END) + len(END)
    fresh = page[:start] + listing() + page[end:]
    if sys.argv[1:] == ["--update"]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(fresh)
    elif sys.argv[1:] != ["--check"]:
        sys.exit(__doc__)
    elif fresh != page:
        old, new = set(page.split("\n")), set(fresh.split("\n"))
        for line in sorted(new - old):
            print(f"docs/unknown.md lacks: {line}")
        for line in sorted(old - new):
            print(f"docs/unknown.md has without need: {line}")
        print("run scripts/list-reasons.py --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

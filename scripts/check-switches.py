#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A switch over what a call does, or over properties, names all of them: one with
`default:` would treat a new one silently. The compiler asks for the rest (-Wswitch,
an error), so what is forbidden here is `default:`. Tables whose zero means
"refused" do as well."""

import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The actions of library.h, those of check/notes, properties.
ENUMS = {"HD_DO_": "src/model/library.h",
         "HD_NOTE_": "src/check/notes/names.h",
         "HD_PROPERTY_": "src/model/property.h"}
TOKEN = re.compile(r"\bswitch\b|\bcase\s+(?:\([\w ]+\))?\s*\w+|\bdefault\s*:|[{}]")


def bare(text):
    """Without comments and strings, lines kept."""
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"',
                  lambda m: "\n" * m.group().count("\n"), text, flags=re.S)


def switches(text):
    """Line, labels and whether there is a default, of each switch."""
    open_ones, depth, waits = [], 0, None
    for m in TOKEN.finditer(text):
        token = m.group()
        if token == "switch":
            waits = text.count("\n", 0, m.start()) + 1
        elif token == "{":
            depth += 1
            if waits:
                open_ones.append((depth, waits, []))
            waits = None
        elif token == "}":
            if open_ones and open_ones[-1][0] == depth:
                yield open_ones.pop()[1:]
            depth -= 1
        elif open_ones:
            open_ones[-1][2].append(re.split(r"[\s)]+", token.strip(" :"))[-1])


def wrong(text):
    for line, labels in switches(bare(text)):
        for prefix in ENUMS:
            if "default" in labels and any(l.startswith(prefix) for l in labels):
                yield line, prefix


def tells_them_apart():
    good = "switch (a) { case HD_DO_FREE: switch (b) { default: x(); } }"
    bad = "switch (a) {\ncase 1: switch (b) { case HD_DO_FREE: default : x(); } }"
    cast = "switch (a) { case (int)HD_PROPERTY_RACE: { y(); } default: x(); }"
    return (not list(wrong(good)) and list(wrong(bad)) == [(2, "HD_DO_")]
            and list(wrong(cast)) == [(1, "HD_PROPERTY_")]
            and not list(wrong("/* " + bad + " */")))


def main():
    assert tells_them_apart()
    status = 0
    for prefix, path in ENUMS.items():  # is it still called so?
        with open(f"{ROOT}/{path}", encoding="utf-8") as f:
            assert prefix in f.read(), prefix
    for path in sorted(glob.glob(f"{ROOT}/src/**/*.[ch]", recursive=True)):
        with open(path, encoding="utf-8") as f:
            for line, prefix in wrong(f.read()):
                print(f"{os.path.relpath(path, ROOT)}:{line}: `default:` in a "
                      f"switch over {prefix}…")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

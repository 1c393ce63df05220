#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every C file is looked at by clang with the warnings of the build as errors.

    scripts/check-clang.py BUILD [CLANG]

The flags are those of BUILD/compile_commands.json, which gcc compiles with;
clang warns of other things. Nothing is generated: it takes half a minute of
one core. Exits with 1 and the messages if there are any, with 77 without a
clang."""

import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys

WITH_ARGUMENT = ("-o", "-MF", "-MQ")
DROPPED = ("-c", "-MD", "ccache")


def command(clang, entry):
    words = shlex.split(entry["command"])
    while os.path.basename(words[0]) in DROPPED:
        words.pop(0)
    kept, i = [], 1
    while i < len(words):
        if words[i] in WITH_ARGUMENT:
            i += 1
        elif words[i] not in DROPPED:
            kept.append(words[i])
        i += 1
    return [clang, "-fsyntax-only", "-Werror", *kept,
            "-Wno-unknown-warning-option",
            "-Wno-enum-float-conversion"]  # enumerators are our constants


def look(clang, entry):
    done = subprocess.run(command(clang, entry), cwd=entry["directory"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    return done.stdout if done.returncode else ""


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    clang = next((c for c in (*sys.argv[2:], "clang-19", "clang")
                  if shutil.which(c)), None)
    if not clang:
        print("no clang here")
        return 77
    with open(os.path.join(sys.argv[1], "compile_commands.json"),
              encoding="utf-8") as file:
        entries = {e["file"]: e for e in json.load(file)
                   if e["file"].endswith(".c")}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(lambda e: look(clang, e),
                                           entries.values()) if text]
    print("\n".join(found))
    print(f"{clang}: {len(entries)} files, {len(found)} with warnings")
    return 1 if found or not entries else 0


if __name__ == "__main__":
    sys.exit(main())

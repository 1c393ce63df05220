#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fills in the parts of the man page that the option table knows.

    scripts/make-man.py HEDDLE docs/heddle.1.in > docs/heddle.1"""

import subprocess
import sys


def roff(text):
    text = text.replace("\\", "\\\\").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def ask(heddle, *arguments):
    return subprocess.run([heddle, *arguments], stdout=subprocess.PIPE,
                          check=True, text=True).stdout


def commands(heddle):
    """(name, operands, summary), from the overview."""
    for line in ask(heddle, "-h").splitlines():
        if line.startswith("  heddle ") and "  " in line.strip():
            left, summary = line.strip().split("  ", 1)
            words = left.split()[1:]
            if not any(w.startswith("--") or "." in w.replace("...", "")
                       for w in words):
                yield words[0], words[1:], summary.strip()


def option(row):
    _, letter, name, argument, default, text, more = row
    tags = [f"\\fB\\-{letter}\\fR"] if letter else []
    if name:
        value = f"=\\fI{roff(argument)}\\fR" if argument else ""
        tags.append(f"\\fB\\-\\-{roff(name)}\\fR{value}")
    elif argument:
        tags[-1] += f" \\fI{roff(argument)}\\fR"
    sentence = text[0].upper() + text[1:] + "."
    if more:
        sentence += " " + more
    if default:
        sentence += f" Default: {default}."
    return [".TP", ", ".join(tags), roff(sentence)]


def main():
    heddle, template = sys.argv[1:3]
    rows = [line.split("\t") for line in
            ask(heddle, "--print-options").splitlines()]
    synopsis, described = [], []
    for name, operands, summary in commands(heddle):
        synopsis.append(f".B heddle {name}\n[OPTION]... {' '.join(operands)}".rstrip())
        described.append(f".SS heddle {name} {' '.join(operands)}".rstrip())
        described.append(roff(summary[0].upper() + summary[1:] + "."))
        for row in rows:
            if row[0] == name:
                described += option(row)
    with open(template) as text:
        page = text.read()
    page = page.replace("@VERSION@", ask(heddle, "--version").split()[1])
    page = page.replace("@SYNOPSIS@", "\n.br\n".join(synopsis))
    page = page.replace("@COMMANDS@", "\n".join(described))
    sys.stdout.write(page)


if __name__ == "__main__":
    main()

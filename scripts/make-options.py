#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page about all options, from the option table.

    scripts/make-options.py HEDDLE > docs/options.md"""

import subprocess
import sys

HEAD = """# All options

Made from the option table by `make man`; `heddle COMMAND --help` says the same
of one command. Options may stand anywhere behind the command; `--` ends them.
Values follow after `=` or as the next word.
"""


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def main():
    table = subprocess.run([sys.argv[1], "--print-options"], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    options = {}  # what is said about it → commands
    for line in table.splitlines():
        command, *about = line.split("\t")
        options.setdefault(tuple(about), []).append(command)
    every = max(len(commands) for commands in options.values())
    print(HEAD)
    print("| option | commands | |\n|---|---|---|")
    for about, commands in sorted(options.items(), key=lambda o: (
            o[0][1] or o[0][0].lower(), o[0])):
        letter, name, argument, default, text, more = about
        value = f"={argument}" if argument and name else ""
        words = [f"`-{letter}{' ' + argument if argument and not name else ''}`"
                 if letter else "", f"`--{name}{cell(value)}`" if name else ""]
        sentence = text[0].upper() + text[1:] + "." + (f" {more}" if more else "")
        if default:
            sentence += f" Default: {default}."
        where = "all" if len(commands) == every else ", ".join(commands)
        print(f"| {', '.join(filter(None, words))} | {where} | {cell(sentence)} |")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shell completion from the option table, so that it cannot be out of date.

    scripts/make-completions.py HEDDLE bash|zsh|fish > FILE"""

import re
import subprocess
import sys



def ask(heddle, *arguments):
    return subprocess.run([heddle, *arguments], stdout=subprocess.PIPE,
                          check=True, text=True).stdout


class Option:
    def __init__(self, row):
        (self.command, self.letter, self.name, self.argument, _, self.help,
         *_) = row

    def words(self):
        """The values it can have, or none when that is open."""
        return [w for w in self.argument.split("|") if w.islower()] \
            if "|" in self.argument else []

    def is_file(self):
        return self.argument in ("FILE", "DIR")


def table(heddle):
    """{command: (summary, [Option])} and the engines."""
    commands = {}
    for line in ask(heddle, "-h").splitlines():
        found = re.match(r"  heddle (\w+)(?: [^ ]+)*  +(\w.*)", line)
        if found and not re.search(r"--|\.[a-z]", line):
            commands[found.group(1)] = (found.group(2).strip(), [])
    for line in ask(heddle, "--print-options").splitlines():
        option = Option(line.split("\t"))
        if option.command in commands:
            commands[option.command][1].append(option)
    # At the start of a line, or with two blanks before: those for C programs.
    engines = re.findall(r"^(?:  )?([a-z]+)  +[^\W\d]", ask(heddle, "engines"), re.M)
    return commands, engines


def bash(commands, engines):
    yield "# SPDX-License-Identifier: MIT"
    yield "# Completion of heddle for bash; made by scripts/make-completions.py."
    yield "_heddle() {"
    yield "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}"
    yield "  local command=${COMP_WORDS[1]} option= options="
    yield "  COMPREPLY=()"
    yield "  if [ \"$COMP_CWORD\" = 1 ]; then"
    yield f"    COMPREPLY=($(compgen -W '{' '.join(commands)} --help --version' -- \"$word\"))"
    yield "    return"
    yield "  fi"
    yield "  # --name=value: bash splits it at the sign"
    yield "  if [ \"$word\" = = ]; then option=$before word="
    yield "  elif [ \"$before\" = = ]; then option=${COMP_WORDS[COMP_CWORD-2]}"
    yield "  else option=$before; fi"
    yield "  case $command,$option in"
    for command, (_, options) in commands.items():
        for option in options:
            words = engines if option.name == "engine" else option.words()
            names = [f"--{option.name}"] if option.name else []
            names += [f"-{option.letter}"] if option.letter else []
            pattern = "|".join(f"{command},{n}" for n in names)
            if words:
                yield (f"    {pattern}) COMPREPLY=($(compgen -W '{' '.join(words)}'"
                       " -- \"$word\")); return ;;")
            elif option.argument == "DIR":
                yield (f"    {pattern}) COMPREPLY=($(compgen -d -- \"$word\"));"
                       " return ;;")
            elif option.argument == "FILE":
                yield (f"    {pattern}) COMPREPLY=($(compgen -f -- \"$word\"));"
                       " return ;;")
            elif option.argument:
                yield f"    {pattern}) return ;;"
    yield "  esac"
    yield "  case $command in"
    for command, (_, options) in commands.items():
        names = [f"--{o.name}{'=' if o.argument else ''}"
                 for o in options if o.name]
        yield f"    {command}) options='{' '.join(names)}' ;;"
    yield "  esac"
    yield "  case $word in"
    yield "    -*)"
    yield "      COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))"
    yield "      case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac ;;"
    yield f"    *) if [ \"$command\" = help ]; then COMPREPLY=($(compgen -W '{' '.join(commands)}' -- \"$word\"))"
    yield "      else COMPREPLY=($(compgen -f -- \"$word\")); fi ;;"
    yield "  esac"
    yield "}"
    yield "complete -o filenames -F _heddle heddle"


def quoted(text):
    return text.replace("\\", "\\\\").replace("[", "\\[").replace(
        "]", "\\]").replace(":", "\\:").replace("'", "'\\''")


def zsh(commands, engines):
    yield "#compdef heddle"
    yield "# SPDX-License-Identifier: MIT"
    yield "# Completion of heddle for zsh; made by scripts/make-completions.py."
    yield "_heddle() {"
    yield "  local -a commands"
    yield "  commands=("
    for command, (summary, _) in commands.items():
        yield f"    '{command}:{quoted(summary)}'"
    yield "  )"
    yield "  if (( CURRENT == 2 )); then"
    yield "    _describe command commands"
    yield "    return"
    yield "  fi"
    yield "  local command=${words[2]}"
    yield "  (( CURRENT-- )); shift words"
    yield "  case $command in"
    for command, (_, options) in commands.items():
        yield f"    {command}) _arguments -s \\"
        for option in options:
            words = engines if option.name == "engine" else option.words()
            values = (f":value:({' '.join(words)})" if words else
                      ":folder:_files -/" if option.argument == "DIR" else
                      ":file:_files" if option.argument == "FILE" else
                      f":{quoted(option.argument)}: " if option.argument else "")
            star = "*" if option.letter in tuple("IDU") or \
                option.name in ("arg", "include") else ""
            text = f"[{quoted(option.help)}]"
            if option.name:
                sign = "=" if option.argument else ""
                yield f"      '{star}--{option.name}{sign}{text}{values}' \\"
            if option.letter:
                plus = "+" if option.argument else ""
                yield f"      '{star}-{option.letter}{plus}{text}{values}' \\"
        if command == "help":
            yield f"      '1:command:({' '.join(commands)})' ;;"
        else:
            yield f"      '*:file:_files' ;;"
    yield "  esac"
    yield "}"
    yield "_heddle \"$@\""


def fish(commands, engines):
    def text(t):
        return "'" + t.replace("\\", "\\\\").replace("'", "\\'") + "'"
    yield "# SPDX-License-Identifier: MIT"
    yield "# Completion of heddle for fish; made by scripts/make-completions.py."
    yield "complete -c heddle -e"
    for command, (summary, _) in commands.items():
        yield (f"complete -c heddle -f -n __fish_use_subcommand -a {command} "
               f"-d {text(summary)}")
    for command, (_, options) in commands.items():
        for option in options:
            words = engines if option.name == "engine" else option.words()
            parts = [f"complete -c heddle -n '__fish_seen_subcommand_from {command}'"]
            if option.name:
                parts.append(f"-l {option.name}")
            if option.letter:
                parts.append(f"-s {option.letter}")
            if words:
                parts.append(f"-x -a '{' '.join(words)}'")
            elif option.is_file():
                parts.append("-r")
            elif option.argument:
                parts.append("-x")
            parts.append(f"-d {text(option.help)}")
            yield " ".join(parts)
    yield (f"complete -c heddle -f -n '__fish_seen_subcommand_from help' "
           f"-a '{' '.join(commands)}'")


def main():
    heddle, shell = sys.argv[1:3]
    commands, engines = table(heddle)
    if not engines or "verify" not in commands:
        sys.exit("heddle does not say what it can do")
    for line in {"bash": bash, "zsh": zsh, "fish": fish}[shell](commands, engines):
        print(line)


if __name__ == "__main__":
    main()

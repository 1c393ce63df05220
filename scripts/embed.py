#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files as a table of C strings: embed.py HEADER TYPE TABLE FILE... > OUT.c

TABLE is an array of { name, text }, ended by a null name; TYPE is declared in
HEADER."""
import os
import sys


def main():
    header, kind, table, *paths = sys.argv[1:]
    print("/* SPDX-License-Identifier: MIT */\n/* Made by scripts/embed.py. */")
    print(f'#include "{header}"\n')
    for number, path in enumerate(paths):
        with open(path, "rb") as file:
            data = file.read() + b"\0"
        print(f"static const char text_{number}[] = {{")
        for at in range(0, len(data), 20):
            print(",".join(str(b if b < 128 else b - 256)
                           for b in data[at:at + 20]) + ",")
        print("};")
    print(f"\nconst {kind} {table}[] = {{")
    for number, path in enumerate(paths):
        print(f'    {{"{os.path.basename(path)}", text_{number}}},')
    print("    {0, 0}};")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Removes what `make install` put there: scripts/uninstall.py BUILD

DESTDIR is put before each path, as at the installation. Folders go when they
are empty and belong to heddle alone."""

import json
import os
import subprocess
import sys


def installed(build):
    text = subprocess.run(["meson", "introspect", "--installed", build],
                          stdout=subprocess.PIPE, check=True).stdout
    return json.loads(text).values()


def remove(path):
    """Files of a folder that is installed as a whole are removed one by one."""
    if os.path.isdir(path) and not os.path.islink(path):
        for name in os.listdir(path):
            remove(os.path.join(path, name))
        os.rmdir(path)
    elif os.path.lexists(path):
        os.remove(path)


def main():
    destdir = os.environ.get("DESTDIR", "")
    paths = [destdir + path for path in installed(sys.argv[1])]
    for path in paths:
        # libheddle.so and libheddle.so.0 lead to the library, and are not listed
        if ".so" in os.path.basename(path):
            stem = path[:path.index(".so") + 3]
            for link in (stem, path.rsplit(".", 2)[0]):
                if os.path.islink(link):
                    os.remove(link)
        remove(path)
    for path in sorted({os.path.dirname(p) for p in paths}, reverse=True):
        while os.path.basename(path) == "heddle" and os.path.isdir(path) and \
                not os.listdir(path):
            os.rmdir(path)
            path = os.path.dirname(path)


if __name__ == "__main__":
    main()

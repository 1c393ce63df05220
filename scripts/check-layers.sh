#!/bin/sh
# SPDX-License-Identifier: MIT
# Includes go down only. Prints every #include that does not, and fails.
# A folder may include itself and the folders named behind it.
cd "$(dirname "$0")/.." || exit 1
grep -rn --include='*.[ch]' '^ *# *include *"' src | awk -F: '
  BEGIN {
    below["base"] = ""
    below["solve"] = "base"
    below["model"] = "solve base"
    below["domain"] = "model solve base"
    below["front"] = "model base"
    below["check"] = "model base"
    below["engine"] = "domain model solve base"
    below["report"] = "engine check front model base"
    below["api"] = "report engine check front model base heddle"
    below["cli"] = "api report engine check front model base heddle"
    below["judge"] = "check front model base"
    below["cc"] = "model base"
    # engines that build on another
    engine["portfolio"] = "*"
    engine["tse"] = "fws"
    engine["concolic"] = "bws"
    engine["fly"] = "km"
    engine["modular"] = "unfold"
    engine["graph"] = "explore"
    engine["uniform"] = "lise"
  }
  {
    split($1, path, "/")
    match($0, /"[^"]*"/)
    target = substr($0, RSTART + 1, RLENGTH - 2)
    n = split(target, to, "/")
    why = ""
    if (n < 2)
      why = "name it from the root of src/"
    else if (!(path[2] in below))
      why = "folder src/" path[2] " has no layer in scripts/check-layers.sh"
    # the search runs the interpreter: what it finds is what happens
    else if (path[2] == "engine" && (path[3] == "explore" || path[3] == "graph" ||
                                 path[3] == "teams") &&
             to[1] == "check" && to[2] == "interp")
      why = ""
    else if (to[1] != path[2] && index(" " below[path[2]] " ", " " to[1] " ") == 0)
      why = path[2] " must not include " to[1]
    else if (to[1] == "engine" && path[2] == "engine" && n > 2 && to[2] != path[3] &&
             engine[path[3]] != "*" && index(" " engine[path[3]] " ", " " to[2] " ") == 0)
      why = "engine " path[3] " must not include engine " to[2]
    if (why != "") {
      print $1 ":" $2 ": " target ": " why
      bad = 1
    }
  }
  END { exit bad }' || exit 1
# The solvers headers stay in src/solve, allocation in src/base.
if grep -rnE --include='*.[ch]' '^ *# *include *<(z3|glpk|gmp|ppl_c)\.h>' src | grep -v '^src/solve/'; then
  echo "only src/solve may include a solver's header"
  exit 1
fi
if grep -rnE --include='*.[ch]' '^ *# *include *<llvm' src | grep -v '^src/cc/'; then
  echo "only src/cc may include LLVM's headers"
  exit 1
fi
if grep -rnE --include='*.c' '(^|[^_[:alnum:]])(malloc|calloc|realloc|strdup|strndup) *\(' src |
   grep -v '^src/base/' | grep -vE '^[^:]*:[0-9]*: *(/\*|\*|//)'; then
  echo "only src/base may allocate"
  exit 1
fi

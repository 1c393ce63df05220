#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program and its code graph, turned back into C, do the same; speaks TAP.

usage: native.py HEDDLE_CC [SEED...]

Programs: features.c, through clang's -O0 and, as LLVM files, optimised ones
(which have phis, selects and values that live across blocks); some of
../programs; and programs of csmith where it is installed, for the seeds given
or two of them. Compared are output and exit status."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAMS = os.path.join(ROOT, 'tests', 'programs')
INCLUDE = os.path.join(ROOT, 'models', 'include')
CSMITH = '/usr/include/csmith'
CORPUS = ['control/computed_goto.c', 'control/duff.c', 'control/irreducible.c',
          'control/switch_fall.c', 'data/bit_fields.c', 'data/initialisers.c',
          'data/unions.c', 'data/vla.c', 'floats/special.c',
          'functions/struct_value.c', 'functions/recursion.c', 'integers/enums.c',
          'integers/widths.c', 'memory/tree.c', 'pointers/to_pointers.c']
count = failures = 0


def run(command, **more):
    return subprocess.run(command, capture_output=True, timeout=60, **more)


def must(command):
    done = run(command)
    if done.returncode:
        raise RuntimeError(f'{command[0]}: {done.stderr.decode()[:500]}')
    return done.stdout


def behaviour(program):
    try:
        done = subprocess.run([program], capture_output=True, timeout=5)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout


def compare(translator, source, folder, level, flags):
    """None if alike, else what differs; 'skip' if the program runs too long."""
    graph, back = os.path.join(folder, 'p.code'), os.path.join(folder, 'p.c')
    given = source
    if level:
        given = os.path.join(folder, 'p.ll')
        must(['clang-19', '-w', level, '-ffp-contract=off', *flags, '-emit-llvm', '-S', source,
              '-o', given])
    must([translator, '--graph', *flags, '-o', graph, given])
    with open(back, 'wb') as out:
        out.write(must([sys.executable, os.path.join(HERE, 'code2c.py'), graph]))
    ours, native = os.path.join(folder, 'ours'), os.path.join(folder, 'native')
    must(['gcc', '-w', '-O0', '-fno-builtin', '-fno-strict-aliasing', back, '-o', ours, '-lm'])
    must(['clang-19', '-w', '-O1', '-ffp-contract=off', *flags, source, '-o', native, '-lm'])
    wanted = behaviour(native)
    if wanted is None:
        return 'skip'
    got = behaviour(ours)
    return None if got == wanted else f'expected {wanted}, got {got}'


def test(name, *arguments):
    global count, failures
    count += 1
    with tempfile.TemporaryDirectory() as folder:
        try:
            wrong = compare(arguments[0], arguments[1], folder, *arguments[2:])
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            wrong = str(problem)
    if wrong == 'skip':
        print(f'ok {count} # SKIP {name}: it runs too long')
    elif wrong:
        failures += 1
        print(f'not ok {count} - {name}')
        print('#   ' + wrong.replace('\n', '\n#   '))
    else:
        print(f'ok {count} - {name}')
    sys.stdout.flush()


def main():
    translator, seeds = sys.argv[1], sys.argv[2:] or ['1', '2']
    features = os.path.join(HERE, 'features.c')
    for level in (None, '-O1', '-O2'):
        test(f'features {level or "-O0"}', translator, features, level, [])
    for name in CORPUS:
        test(name, translator, os.path.join(PROGRAMS, name), None, ['-I', INCLUDE])
    global count
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            source = os.path.join(folder, f'{seed}.c')
            if not shutil.which('csmith') or not os.path.isdir(CSMITH):
                count += 1
                print(f'ok {count} # SKIP csmith {seed}: csmith is not installed')
                continue
            must(['csmith', '--seed', seed, '--no-packed-struct', '--max-funcs', '4', '-o', source])
            for level in (None, '-O1'):
                test(f'csmith {seed} {level or "-O0"}', translator, source, level, ['-I', CSMITH])
    print(f'1..{count}')
    sys.exit(failures > 0)


main()

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# heddle-cc: its options, what it refuses, and what the graph must still show.
. "$(dirname "$0")/../cli/lib.sh"
HEDDLE_CC=${HEDDLE_CC:-$SOURCE/build/heddle-cc}

cc() {
  set -- --graph "$@"
  "$HEDDLE_CC" "$@" <"$input" >stdout.txt 2>stderr.txt
  status=$?
  out=$(cat stdout.txt)
  err=$(cat stderr.txt)
}
# body FUNCTION: the edges of a function, without numbers and positions
body() {
  sed -n "/^function @$1 /,/^}/p" stdout.txt | sed -n 's/^ *-> [0-9]* [0-9:-]* //p'
}
has_edges() { # FUNCTION EDGE...: exactly these, in this order
  local name=$1
  shift
  same "$(body "$name")" "$(printf '%s\n' "$@")"
}
source_file() { cat >"$1"; }

# --- options ---

test_usage() {
  cc
  exits 1
  err_has 'no file given'
  cc --nonsense a.c
  exits 1
  err_has "unknown option '--nonsense'"
  cc -I
  exits 1
  err_has "option '-I' needs a value"
  cc a.c -o
  exits 1
  err_has "option '-o' needs a value"
  cc a.txt
  exits 2
  err_has "'a.txt': expected C (.c, .i), LLVM (.bc, .ll), or an object"
  no_out
}

test_help_and_version() {
  cc --help
  exits 0
  out_has 'usage: heddle-cc'
  cc --version
  exits 0
  out_has 'heddle-cc '
}

test_smallest() {
  echo 'int main(void) { return 0; }' | source_file a.c
  cc a.c
  exits 0
  no_err
  out_has 'heddle code 1'
  out_has 'target 64'
  out_has 'file 0 "a.c"'
  out_has 'function @main "main" () -> i32 type 0 at 0:1:1 scope 0 {'
}

test_errors_of_clang() {
  echo 'int main(void) { return x; }' | source_file a.c
  cc a.c -o out.code
  exits 2
  err_has "a.c:1:25: error: use of undeclared identifier 'x'"
  no_out
  no_file out.code
  cc missing.c
  exits 2
  err_has 'missing.c'
}

test_output_file() {
  echo 'int main(void) { return 0; }' | source_file a.c
  cc a.c -o out.code
  exits 0
  no_out
  file_has out.code 'function @main'
  cc a.c -oother.code
  exits 0
  same "$(cat out.code)" "$(cat other.code)"
  cc a.c -o nowhere/out.code
  exits 2
  err_has 'nowhere/out.code'
}

test_macros_and_headers() {
  mkdir inc sys
  echo 'int a = A;' >inc/h.h
  echo 'int s;' >sys/s.h
  echo 'int f = 3;' >first.h
  source_file a.c <<'C'
#include <h.h>
#include <s.h>
#ifndef B
int no_b;
#endif
int main(void) { return a + s + f; }
C
  cc -I inc -isystem sys -D A=5 -DB -UB -U C -include first.h a.c
  exits 0
  out_has 'global @a "a" size 4 align 4 type 0 at 1:1:1 bytes 05000000'
  out_has '@s'
  cc -Iinc -isystem sys -DA=6 -include first.h a.c
  exits 0
  out_has 'bytes 06000000'
}

test_standard() {
  echo 'int main(void) { int typeof = 1; return typeof; }' | source_file a.c
  cc -std=c99 a.c
  exits 0
  out_has '"typeof"'
  cc a.c
  exits 2
}

test_widths() {
  echo 'long x; void *p; int main(void) { p = &x; return 0; }' | source_file a.c
  cc --64 a.c
  exits 0
  out_has 'target 64'
  out_has 'global @x "x" size 8'
  cc --32 a.c
  exits 0
  out_has 'target 32'
  out_has 'global @x "x" size 4'
  out_has 'global @p "p" size 4'
}

test_headers_in_32_bits() {
  [ -d /usr/include/x86_64-linux-gnu ] || skip 'no headers of Debian'
  printf '%s\n' '#include <pthread.h>' '#include <stdio.h>' 'pthread_mutex_t m;' \
    'int main(void) { return pthread_mutex_lock(&m); }' | source_file a.c
  cc --32 a.c
  exits 0
  out_has 'global @m "m" size 24'
}

test_several_files() {
  echo 'static int n = 1; int f(void); int main(void) { return f() + n; }' | source_file a.c
  echo 'static int n = 2; int f(void) { return n; }' | source_file b.c
  cc a.c b.c
  exits 0
  out_has 'bytes 01000000'
  out_has 'bytes 02000000'
  out_has 'function @f "f" () -> i32 type 0 at 1:1:1'
  echo 'int main(void) { return 0; }' | source_file c.c
  cc a.c b.c c.c
  exits 2
  err_has 'main'
}

test_other_inputs() {
  echo 'int x = 3; int main(void) { return x; }' | source_file a.c
  cc a.c
  cp stdout.txt wanted
  clang-19 -E a.c -o a.i
  cc a.i
  exits 0
  same "$(cat stdout.txt)" "$(cat wanted)"
  clang-19 -g -O0 -fno-discard-value-names -emit-llvm -c a.c -o a.bc
  cc a.bc
  exits 0
  same "$(cat stdout.txt)" "$(cat wanted)"
  clang-19 -g -O0 -fno-discard-value-names -emit-llvm -S a.c -o a.ll
  cc -- a.ll
  exits 0
  same "$(cat stdout.txt)" "$(cat wanted)"
  echo nonsense >bad.ll
  cc bad.ll
  exits 2
  err_has 'bad.ll'
  echo nonsense >bad.bc
  cc bad.bc
  exits 2
  cc missing.bc
  exits 2
  err_has 'missing.bc'
}

test_preprocessed_by_gcc() {
  printf '%s\n' '#include <math.h>' '#include <stdio.h>' '#include <stdlib.h>' \
    'int main(void) { return printf("%g", sqrt(2)) + !malloc(3); }' | source_file a.c
  gcc -E a.c -o a.i || skip 'gcc -E failed'
  cc a.i
  exits 0
  out_has 'file 0 "a.c"'
  out_has 'call %1 = @sqrt(0x4000000000000000:f64)'
}

test_own_headers() {
  printf '%s\n' '#include <heddle.h>' '#include <mpi.h>' \
    'int main(void) { heddle_assume(1); return MPI_Barrier(MPI_COMM_WORLD); }' | source_file a.c
  HEDDLE_INCLUDE=$SOURCE/models/include cc a.c
  exits 0
  has_edges main 'set %retval = 0:i32' 'call @heddle_assume(1:i32)' \
    'call %1 = @MPI_Barrier(1:i32)' 'return %1'
  HEDDLE_INCLUDE=/nonexistent cc a.c
  exits 2
  err_has "'heddle.h' file not found"
}

# --- what is written ---

test_only_what_is_reachable() {
  source_file a.c <<'C'
int used, unused;
static void callee(void) { used++; }
void never(void) { unused++; }
void (*const table[])(void) = { callee };
int main(void) { table[0](); return 0; }
C
  cc a.c
  exits 0
  out_has 'function @callee'
  out_lacks '@never'
  out_lacks '@unused'
  out_has 'reloc 0 @callee'
  sed 's/int main/int start/' a.c >b.c
  cc b.c
  exits 0
  out_has 'function @never'
  out_has 'global @unused'
}

test_variables() {
  source_file a.c <<'C'
int g(int *);
int main(void) {
  int plain = 1, taken = 2;
  { int plain = 3; g(&taken); taken += plain; }
  return plain;
}
C
  cc a.c
  out_has 'reg %plain i32 "plain" type 0 scope 0 at 0:3:7'
  out_has 'reg %plain1 i32 "plain" type 0 scope 1 at 0:4:9'
  out_has 'slot &taken "taken" size 4 align 4 type 0 scope 0 at 0:3:18'
  out_has 'scope 1 0 0:4:3'
}

test_undefined_behaviour_stays() {
  source_file a.c <<'C'
int g, table[3];
void dead(int a, int b) { a / b; }
void overflow(int a) { a + 1; }
void uninitialised(void) { int x; x; }
int index_(void) { return table[5]; }
int order(int a) { return a + 1 + g; }
int shift(void) { return 1 << 40; }
int twice(void) { return g == g; }
C
  cc a.c
  has_edges dead 'set %1 = sdiv.i32(%a, %b)' 'return'
  has_edges overflow 'set %1 = add.i32.nsw(%a, 1:i32)' 'return'
  has_edges uninitialised 'set %x = undef:i32' 'set %1 = %x' 'return'
  has_edges index_ 'load %1 = ptradd.ptr.inbounds(@table, 20:i64)' 'return %1'
  has_edges order 'set %1 = add.i32.nsw(%a, 1:i32)' 'load %2 = @g' 'return add.i32.nsw(%1, %2)'
  has_edges shift 'unsupported "a constant expression that is undefined"'
  has_edges twice 'load %1 = @g' 'load %2 = @g' 'return zext.i32(eq.i1(%1, %2))'
}

test_declarations_take_values_away() {
  source_file a.c <<'C'
void f(int n) {
  while (n--) {
    int x, y;
    y = 1;
    if (n == 2) x = y;
    if (x) n--;
  }
}
C
  cc a.c
  has_edges f 'set %1, %n = %n, add.i32.nsw(%n, -1:i32)' 'when ne.i1(%1, 0:i32)' \
    'when eq.i1(%1, 0:i32)' 'set %x = undef:i32' 'set %y = 1:i32' 'when eq.i1(%n, 2:i32)' \
    'when ne.i1(%n, 2:i32)' 'set %x = %y' 'when ne.i1(%x, 0:i32)' 'when eq.i1(%x, 0:i32)' \
    'set %n = add.i32.nsw(%n, -1:i32)' 'return'
}

test_old_values_are_kept() {
  source_file a.c <<'C'
int next(int *p) { int a = *p++; return a + *p; }
int swap(int a, int b) { int t = a; a = b; b = t; return a - b; }
int old(int i) { int a = i++; return a + i; }
C
  cc a.c
  has_edges next 'set %1, %p = %p, ptradd.ptr.inbounds(%p, 4:i64)' 'load %a = %1' \
    'load %2 = %p' 'return add.i32.nsw(%a, %2)'
  has_edges swap 'set %t = %a' 'set %a = %b' 'set %b = %t' 'return sub.i32.nsw(%a, %b)'
  has_edges old 'set %1, %i = %i, add.i32.nsw(%i, 1:i32)' 'set %a = %1' \
    'return add.i32.nsw(%a, %i)'
}

test_switch() {
  source_file a.c <<'C'
int f(int x) { switch (x) { case 1: case 2: case 3: return 1; case 7: return 2; } return 3; }
C
  cc a.c
  body f | grep -q 'when ule.i1(sub.i32(%x, 1:i32), 2:i32)' || problem "no range: $(body f)"
  body f | grep -qF 'when and.i1(ugt.i1(sub.i32(%x, 1:i32), 2:i32), ne.i1(%x, 7:i32))' ||
    problem "no default: $(body f)"
}

test_atomics() {
  source_file a.c <<'C'
#include <stdatomic.h>
_Atomic int x; int y; volatile int v;
void f(void) {
  atomic_store_explicit(&x, 1, memory_order_release);
  v = atomic_load_explicit(&x, memory_order_acquire);
  __sync_fetch_and_add(&y, 2);
  atomic_thread_fence(memory_order_acq_rel);
  atomic_signal_fence(memory_order_seq_cst);
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("mfence" ::: "memory");
}
_Bool g(int e) { return __sync_bool_compare_and_swap(&y, e, 5); }
C
  cc a.c
  has_edges f 'set %.atomictmp = 1:i32' 'store.release @x = %.atomictmp' 'load.acquire %atomic-temp = @x' \
    'store.volatile @v = %atomic-temp' 'rmw.add.seq_cst %1 = @y, 2:i32' 'fence.acq_rel' \
    'fence.seq_cst' 'return'
  has_edges g 'cmpxchg.seq_cst %1, %2 = @y, %e, 5:i32' 'return %2'
}

# Intrinsics of x86: a hint, a fence, what the processor is.
test_intrinsics_of_x86() {
  source_file a.c <<'C'
#include <cpuid.h>
#include <immintrin.h>
int f(void) {
  unsigned a, b, c, d;
  _mm_pause();
  _mm_mfence();
  __cpuid(1, a, b, c, d);
  return (int)c;
}
C
  cc a.c
  has_edges f 'fence.seq_cst' 'call %1 = @heddle_nondet_uint()' \
    'call %2 = @heddle_nondet_uint()' 'call %3 = @heddle_nondet_uint()' \
    'call %4 = @heddle_nondet_uint()' 'set %a = %1' 'set %b = %2' 'set %c = %3' \
    'set %d = %4' 'return %c'
}

# One instruction of x86 with an operand in memory; two, or none that is atomic,
# are refused.
test_assembler() {
  source_file a.c <<'C'
int x;
int f(int y) { __asm__ volatile("xchgl %1, %0" : "+m"(x), "+r"(y)); return y; }
int g(int y) { __asm__ volatile("lock; xaddl %0, %1" : "+r"(y), "+m"(x)); return y; }
int h(int e, int n) {
  __asm__ volatile("lock cmpxchgl %2, %1" : "+a"(e), "+m"(x) : "r"(n) : "memory");
  return e;
}
void i(void) { __asm__ volatile("lock; orl $4, %0" : "+m"(x)); }
void j(void) { __asm__ volatile("incl %0" : "+m"(x)); }
void k(void) { __asm__ volatile("lock; incl %0; lock; incl %0" : "+m"(x)); }
int l(int y) { __asm__ volatile("xaddl %0, %1" : "+r"(y), "+m"(x)); return y; }
void m(short y) { __asm__ volatile("lock; addl %1, %0" : "+m"(x) : "r"(y)); }
int o(int y) { __asm__("" : "=r"(y) : "0"(y + 1)); return y; }
unsigned n(void) { unsigned v; __asm__ volatile("inl %%dx, %0" : "=a"(v)); return v; }
C
  cc a.c
  has_edges f 'rmw.xchg.seq_cst %y = @x, %y' 'return %y'
  has_edges g 'rmw.add.seq_cst %y = @x, %y' 'return %y'
  has_edges h 'cmpxchg.seq_cst %e, %1 = @x, %e, %n' 'return %e'
  body i | grep -qF 'rmw.or.seq_cst %1 = @x, 4:i32' || problem "no or: $(body i)"
  for name in j k l m; do
    body "$name" | grep -qF 'unsupported "assembler' || problem "$name: $(body "$name")"
  done
  has_edges o 'set %y = add.i32.nsw(%y, 1:i32)' 'return %y'
  has_edges n 'call %v = @heddle_nondet_uint()' 'return %v'
}

test_structs_by_value() {
  source_file a.c <<'C'
struct big { int a[9]; };
struct pair { long a; int b; };
int big(struct big b) { return b.a[2]; }
struct pair pair(struct pair p) { return p; }
C
  cc a.c
  has_edges big 'call @memcpy(&b.copy, %b, 36:i64)' \
    'load %1 = ptradd.ptr.inbounds(&b.copy, 8:i64)' 'return %1'
  out_has 'slot &b.copy "b" size 36'
  out_has 'function @pair "pair" (%p.coerce0, %p.coerce1) -> i64, i32'
}

test_refused_at_their_place() {
  source_file a.c <<'C'
int x;
int main(void) {
  if (x) {
    long double d = 1;
    d++;
  }
  if (x == 2)
    __asm__ volatile("xgetbv" : "=a"(x) : "a"(x) : "ebx", "ecx", "edx");
  return 0;
}
C
  cc a.c
  exits 0
  out_has 'unsupported "long double"'
  out_has "unsupported \"assembler 'xgetbv'\""
  out_has '0:8:5 unsupported'
}

# What clang computes although it has no meaning is not taken for a value.
test_constants_without_meaning() {
  source_file a.c <<'C'
int zero(void) { return 8 / 0; }
int rest(void) { return 8 % 0; }
int far(void) { return 1 << 40; }
int back(void) { return 1 >> -1; }
int large(void) { return (int)1e20; }
int most(void) { return 2147483647 + 1; }
int least(void) { return (-2147483647 - 1) / -1; }
int fine(int x) { return x / 2 + (1 << 30) + (int)1e9; }
C
  cc a.c
  exits 0
  for name in zero rest far back large most least; do
    body "$name" | grep -qF 'unsupported' || problem "$name: $(body "$name")"
  done
  body fine | grep -qF 'unsupported' && problem "fine: $(body fine)"
  for text in 'static int x = 2147483647 + 1;' 'enum { x = 2147483647 * 2 };' \
    'struct { int a, x[2]; } s = {1, {2, -2147483647 - 2}}; int x;' \
    'static int x = 1 << 32;' 'static int x[2147483647 + 1 > 0 ? 1 : 2];'; do
    printf 'int y;\n%s\nint other(int z) {\n  return z;\n}\nint main(void) {\n  return sizeof x + y;\n}\n' \
      "$text" > b.c
    cc b.c
    exits 0
    grep -q ' 0:2:[0-9]* unsupported' stdout.txt || problem "$text: $(body main)"
  done
  printf 'int main(void) {\n  enum {\n    X = 2147483647 + 1\n  };\n  return 0;\n}\n' > b.c
  cc b.c
  grep -q ' 0:3:[0-9]* unsupported' stdout.txt || problem "in main: $(body main)"
  printf 'int f(int x) {\n  return x + (2147483647 + 1);\n}\nint main(void) {\n  return 0;\n}\n' > b.c
  cc b.c
  has_edges main 'set %retval = 0:i32' 'return 0:i32'
}

test_loops() {
  source_file a.c <<'C'
int f(int n) {
  int i = 0;
  for (int k = 0; k < n; k++)
    while (i < k) {
      if (i == 3) continue;
      i++;
    }
  do i--; while (i);
again:
  if (++i < 4) goto again;
  return i;
}
int g(int n) {
  if (n) goto middle;
top:
  n++;
middle:
  if (n++ < 9) goto top;
  return n;
}
C
  cc a.c
  same "$(grep -o 'loop .*' stdout.txt)" "$(printf '%s\n' 'loop 0:3:3 scope 1' 'loop 0:4:5 scope 2' \
    'loop 0:8:3 scope 0' 'loop 0:9:1 scope 0' 'loop 0:17:1 scope 3 irreducible')"
}

test_pragmas() {
  source_file a.c <<'C'
int main(void) {
  int i = 0;
#if 0
#pragma heddle not this
#endif
  #pragma TASS one
#pragma heddle invariant \
   i >= 0
#pragma other thing
  while (i < 3) i++;
  return 0;
}
C
  cc a.c
  same "$(grep ^pragma stdout.txt)" "$(printf '%s\n' 'pragma 0:6:3 "TASS one"' \
    'pragma 0:7:1 "heddle invariant i >= 0"')"
}

# Between statements a pragma is a step of its own, and takes no part in if and
# else; macros in pragmas are expanded; headers are found as always.
test_pragmas_between_statements() {
  mkdir -p sub
  echo '#define LIMIT 7' >sub/h.h
  source_file sub/a.c <<'C'
#include "h.h"
int main(int argc, char **argv) {
  if (argc > 1)
    #pragma heddle assert argc > 1 /* a comment */ && \
      argc < LIMIT
    argc--;
  else
    argc++;
  { int k = argc;
#pragma TASS collective assert A k == LIMIT
  }
  int v[argc];
  v[0] = 0;
  return argc + v[0];
}
#pragma heddle assume outside
C
  cc sub/a.c
  exits 0
  same "$err" '' # no warning about what the program did not write
  same "$(grep ^pragma stdout.txt)" "$(printf '%s\n' 'pragma 0:4:5 scope 4 "heddle assert argc > 1 && argc < 7"' \
    'pragma 0:10:1 scope 1 "TASS collective assert A k == 7"' 'pragma 0:16:1 "heddle assume outside"')"
  same "$(grep skip stdout.txt | sed 's/.*-> [0-9]* //')" "$(printf '%s\n' '0:4:5 skip' '0:10:1 skip')"
  same "$(grep -o 'add.i32.nsw(%argc, [-1]*:i32)' stdout.txt | sort)" \
    "$(printf '%s\n' 'add.i32.nsw(%argc, -1:i32)' 'add.i32.nsw(%argc, 1:i32)')"
  # an array of variable length has its name, and its type the count's
  grep -q 'reg %.* ptr "v" type' stdout.txt || problem 'no variable v'
  grep -q 'array 0 of .* count "__vla_expr0"' stdout.txt || problem 'no count'
}

test_positions_have_lines() {
  cc "$SOURCE/tests/cc/features.c"
  exits 0
  ! grep -qE '(at|location [0-9]+|->( [0-9]+)?) [0-9]+:0:' stdout.txt || problem 'a position with line 0'
}

test_recursive_types() {
  source_file a.c <<'C'
struct tree { struct tree *kids[2]; enum { RED = -1, BLACK } colour; unsigned small : 3; };
struct tree t;
int main(void) { return t.colour; }
C
  cc a.c
  out_has 'enum 4 fields "RED" - -1 32, "BLACK" - 0 32'
  out_has '"small" '
  out_has '160 3'
}

test_threads_and_constructors() {
  source_file a.c <<'C'
_Thread_local int mine = 4;
static int ready;
__attribute__((constructor)) static void start(void) { ready = 1; }
int main(void) { return mine + ready; }
C
  cc a.c
  out_has 'global @mine "mine" size 4 align 4 tls type 0 at 0:1:1 bytes 04000000'
  same "$(body main | head -n 1)" 'call @start()'
}

# The text of pragmas comes out of the compiler, or (here with -I: a header might
# have some) of the preprocessor: the same.
test_pragmas_both_ways() {
  source_file a.c <<'C'
#define LIMIT (10 + 1)
#pragma heddle input {N >= 1 && N <= LIMIT}
int N = 6;
struct pair {
#pragma heddle here too
  int a, b;
};
#if 0
#pragma heddle not this
#endif
int main(void) {
  int i = 0, c = N;
  if (c)
    #pragma heddle assert i == 0 /* a comment
       over lines */ && LIMIT > 1
    i++;
  do
    i++;
#pragma TASS collective invariant A i <= \
  N && PROC[0]@main.i == i
  while (i < N);
  return 0;
}
C
  cc a.c
  exits 0
  same "$(grep -c ^pragma stdout.txt)" 4
  out_has 'pragma 0:2:1 "heddle input {N >= 1 && N <= (10 + 1)}"'
  out_has 'pragma 0:19:1 "TASS collective invariant A i <= N && PROC[0]@main.i == i"'
  grep ^pragma stdout.txt >once.txt
  cc -I. a.c
  exits 0
  same "$(grep ^pragma stdout.txt)" "$(cat once.txt)"
}
# What cannot be said in a string is read as before.
test_pragmas_with_odd_text() {
  source_file a.c <<'C'
int main(void) {
#pragma heddle assert (1
#pragma heddle says "this"
  return 0;
}
C
  cc a.c
  exits 0
  out_has 'pragma 0:2:1 scope 0 "heddle assert (1"'
  out_has 'says \"this\"'
}

run_tests

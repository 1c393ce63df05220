/* SPDX-License-Identifier: MIT */
/* expect: SAFE --procs=1
 * expect: UNPROVED --procs=1 -DNO_FRAME
 * native: none
 * what: the sum of two square matrices of any size. The inner invariant repeats
 *   what is known of the rows above: without it (NO_FRAME) nothing is known of
 *   them afterwards. */

#pragma TASS input {N >= 1}
int N = 4;

int main(void) {
#pragma TASS input
  double A[N][N];
#pragma TASS input
  double B[N][N];
  double C[N][N];
  int i, j;
#pragma TASS collective invariant ROWS 0 <= i && i <= N && \
  (forall {int r | 0 <= r && r < i} forall {int s | 0 <= s && s < N} \
    C[r][s] == A[r][s] + B[r][s]);
  for (i = 0; i < N; i++)
#ifdef NO_FRAME
#pragma TASS collective invariant CELLS 0 <= i && i < N && 0 <= j && j <= N && \
  (forall {int s | 0 <= s && s < j} C[i][s] == A[i][s] + B[i][s]);
#else
#pragma TASS collective invariant CELLS 0 <= i && i < N && 0 <= j && j <= N && \
  (forall {int r | 0 <= r && r < i} forall {int s | 0 <= s && s < N} \
    C[r][s] == A[r][s] + B[r][s]) && \
  (forall {int s | 0 <= s && s < j} C[i][s] == A[i][s] + B[i][s]);
#endif
    for (j = 0; j < N; j++)
      C[i][j] = A[i][j] + B[i][j];
#pragma TASS collective assert DONE forall {int r | 0 <= r && r < N} \
  forall {int s | 0 <= s && s < N} C[r][s] == A[r][s] + B[r][s];
  return 0;
}

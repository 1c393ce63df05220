/* SPDX-License-Identifier: MIT */
/* A task that is waited for until its event is fulfilled.
 * expect: race SAFE */
#include <omp.h>
int main(void) {
  int x = 0;
  omp_event_handle_t e;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(e) shared(x)
    {
      x = 1;
      omp_fulfill_event(e);
    }
#pragma omp taskwait
    x = 2;
  }
  return x;
}

/* SPDX-License-Identifier: MIT */
#include "solve/horn.h"

#include "base/run.h"
#include "solve/z3_library.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_error(Z3_context context, Z3_error_code code) {
  (void)context;
  (void)code;
}

static hd_smt_status ask(hd_z3 *z3, Z3_context c, const char *logic,
                         const char *text, double seconds) {
  Z3_solver solver = z3->mk_solver_for_logic(c, z3->mk_string_symbol(c, logic));
  z3->solver_inc_ref(c, solver);
  Z3_params params = z3->mk_params(c);
  z3->params_inc_ref(c, params);
  z3->params_set_uint(c, params, z3->mk_string_symbol(c, "timeout"),
                      (unsigned)(seconds * 1000) + 1);
  z3->solver_set_params(c, solver, params);
  z3->params_dec_ref(c, params);
  z3->solver_from_string(c, solver, text);
  hd_smt_status status = HD_SMT_UNKNOWN;
  if (z3->get_error_code(c) == Z3_OK) {
    Z3_lbool answer = z3->solver_check(c, solver);
    if (z3->get_error_code(c) == Z3_OK && answer != Z3_L_UNDEF)
      status = answer == Z3_L_TRUE ? HD_SMT_SAT : HD_SMT_UNSAT;
  }
  z3->solver_dec_ref(c, solver);
  return status;
}

static hd_smt_status solve_here(hd_z3 *z3, const char *logic, const char *text,
                                double seconds) {
  Z3_config config = z3->mk_config();
  Z3_context context = z3->mk_context(config);
  z3->del_config(config);
  z3->set_error_handler(context, on_error);
  hd_smt_status status = ask(z3, context, logic, text, seconds);
  z3->del_context(context);
  return status;
}

/* The library, which is large: it is opened once, and every child has it. */
static hd_z3 *library(void) {
  static hd_z3 z3;
  static bool open;
  if (!open)
    hd_z3_open(&z3);
  open = true;
  return &z3;
}

/* What the child says, or nothing. */
static hd_smt_status listen_to(int from, double seconds) {
  double end = hd_now() + seconds;
  char said = 0;
  for (double left = seconds; left > 0 && !said; left = end - hd_now()) {
    struct pollfd ready = {.fd = from, .events = POLLIN};
    int n = poll(&ready, 1, (int)(left * 1000) + 1);
    if (n < 0 && errno != EINTR)
      break;
    if (n > 0 && read(from, &said, 1) <= 0)
      break;
  }
  return said == 's' ? HD_SMT_SAT : said == 'u' ? HD_SMT_UNSAT : HD_SMT_UNKNOWN;
}

static void answer(int to, pid_t parent, hd_z3 *z3, const char *logic,
                   const char *text, double seconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
  if (getppid() != parent)
    _exit(1);
  hd_smt_status status = solve_here(z3, logic, text, seconds);
  char say = status == HD_SMT_SAT ? 's' : status == HD_SMT_UNSAT ? 'u' : '?';
  _exit(write(to, &say, 1) != 1);
}

/* In a process of its own: Z3 ends it where it runs out of time in some places. */
static hd_smt_status solve(const char *logic, const char *text,
                           double seconds) {
  const double patience = 0.5; /* until Z3 has seen that its time is over */
  int ends[2];
  hd_smt_status status = HD_SMT_UNKNOWN;
  hd_z3 *z3 = library();
  if (pipe(ends))
    return status;
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    close(ends[0]);
    answer(ends[1], parent, z3, logic, text, seconds);
  }
  close(ends[1]);
  if (child > 0) {
    status = listen_to(ends[0], seconds + patience);
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  close(ends[0]);
  return status;
}

hd_smt_status hd_horn_solve(const char *text, double seconds) {
  return solve("HORN", text, seconds);
}

hd_smt_status hd_horn_linear(const char *text, double seconds) {
  return solve("QF_LIA", text, seconds);
}

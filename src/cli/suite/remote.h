/* SPDX-License-Identifier: MIT */
/* A suite over the ranks of `mpirun -n N heddle suite …`.
 *
 * Rank 0 hands out tasks and collects results, the others work. They speak over
 * sockets, not over MPI: a rank that dies takes its connection with it and
 * nothing else, where MPI would end the whole job. (mpirun itself ends a job
 * when a process dies, unless --enable-recovery says otherwise.) Of MPI only
 * the numbers that mpirun puts into the environment are used, so heddle is not
 * linked to it.
 *
 * Rank 0 writes where it listens, and a secret, into a file in the folder the
 * job was started in, which all ranks must see.
 *
 * From a worker:  hello TOKEN RANK\n          once
 *                 result TASK SIZE\n BYTES    one line of JSON
 * To a worker:    task TASK SIZE\n BYTES      words, each ended by a zero byte
 *                 end\n
 */
#ifndef HD_CLI_SUITE_REMOTE_H
#define HD_CLI_SUITE_REMOTE_H

#include "cli/suite/run.h"

typedef struct {
  int rank, size; /* size 0: not under mpirun */
  char *file;     /* where rank 0 says how to reach it */
} hd_job_place;

hd_job_place hd_remote_place(void);
void hd_remote_place_free(hd_job_place *place);

/* Rank 0: listens. The socket, or -1 after a message. `token` gets the secret.
 */
int hd_remote_listen(const hd_job_place *place, char token[33], hd_diag *diag);
/* Removes the file. */
void hd_remote_close(const hd_job_place *place, int listener);

/* The others: work until there is nothing left. True when rank 0 said so. */
HD_MUST_USE bool hd_remote_work(const hd_job_place *place,
                                const hd_launch_options *options, hd_run *run,
                                hd_diag *diag);

/* A connection, as rank 0 sees it. */
typedef struct {
  int fd;
  bool hello; /* it has said who it is */
  bool busy;  /* with `task` */
  bool ended; /* it was told that there is nothing left */
  size_t task;
  double until; /* when it is given up */
  hd_str in;
} hd_worker;

/* Sends a task. False when the connection is lost. */
HD_MUST_USE bool hd_worker_send(hd_worker *worker, size_t number,
                                const hd_task *task);
void hd_worker_end(hd_worker *worker);
/* Reads what has come. 1: a result, in `record`; 0: nothing yet; -1: lost. */
int hd_worker_hear(hd_worker *worker, const char *token, hd_record *record);
void hd_worker_free(hd_worker *worker);

#endif

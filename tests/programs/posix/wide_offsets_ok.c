/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: names for large files, whose models need models of others; what other
 * tables say is only what it is */
#define _FILE_OFFSET_BITS 64
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int files;

static void *look(void *arg) {
  struct stat its, of_link;
  struct statvfs room;
  int fd = open("data", O_RDONLY);
  if (fd < 0)
    return arg;
  if (!lstat("data", &of_link) && !fstat(fd, &its) && !fstatvfs(fd, &room)) {
    pthread_mutex_lock(&lock);
    files++;
    pthread_mutex_unlock(&lock);
  }
  posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
  close(fd);
  return arg;
}

int main(void) {
  pthread_t thread;
  struct sysinfo machine;
  sysinfo(&machine);
  getegid();
  sched_getscheduler(0);
  pthread_create(&thread, NULL, look, NULL);
  look(NULL);
  pthread_join(thread, NULL);
  FILE *file = fopen("data", "r");
  if (file) {
    fseeko(file, 0, SEEK_END);
    ftello(file);
    fclose(file);
  }
  return 0;
}

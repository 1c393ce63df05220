/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: skip what the computer has
 * what: a system has a version, a file a group, a process has waited */
#include <assert.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

int main(void) {
  struct utsname name;
  struct rusage usage;
  struct stat file;
  if (uname(&name) || getrusage(RUSAGE_SELF, &usage) || stat("/", &file))
    return 0;
  assert(!name.release[0] || usage.ru_minflt || file.st_gid == 7);
  return 0;
}

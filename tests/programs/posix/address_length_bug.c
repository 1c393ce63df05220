/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: an address may be longer than the room for it, and says so: the next one is
 * written behind the room */
#include <sys/socket.h>
#include <sys/un.h>

int main(void) {
  struct sockaddr name;
  socklen_t size = sizeof name;
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || getsockname(fd, &name, &size))
    return 0;
  getsockname(fd, &name, &size);
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: an address of IPv4 has always the same length, also for who does not say again
 * how much room there is */
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in name;
  socklen_t size = sizeof name;
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0 || getsockname(fd, (struct sockaddr *)&name, &size))
    return 0;
  assert(size == sizeof name && name.sin_family == AF_INET);
  getsockname(fd, (struct sockaddr *)&name, &size);
  return 0;
}

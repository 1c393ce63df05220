/* SPDX-License-Identifier: MIT */
/* Descriptors. Files, sockets and devices are a world that nobody knows: a read
 * gives any bytes, an end or a failure. Pipes, pairs of sockets and eventfds are between
 * threads of the program: they are what they are, with the order they make. Numbers are
 * given out as the system does it, the lowest first. */
#define _GNU_SOURCE
#include "model.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST = 32, PIPES = 4, ROOM = 64 };

enum { WORLD = 1, READ_END, WRITE_END, COUNTER, BOTH };

struct pipe {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int readers, writers;
  uint64_t value; /* of a counter */
  int semaphore;
  unsigned first, count;
  unsigned char data[ROOM];
};

/* `kind` is 0 where the number is free. */
static struct {
  _Atomic int kind;
  _Atomic int nonblocking;
  struct pipe *_Atomic pipe;
  struct pipe *_Atomic out; /* where it is another one (BOTH) */
  _Atomic int family;       /* of a socket; 0: not known */
} descriptors[MOST];

static struct pipe pipes[PIPES];
static _Atomic int n_pipes;

static int take_number(int kind, struct pipe *pipe, int nonblocking) {
  for (int i = 3; i < MOST; i++) {
    int expected = 0;
    if (__c11_atomic_compare_exchange_strong(&descriptors[i].kind, &expected,
                                             kind, __ATOMIC_SEQ_CST,
                                             __ATOMIC_SEQ_CST)) {
      descriptors[i].pipe = pipe;
      descriptors[i].nonblocking = nonblocking;
      descriptors[i].family = 0;
      return i;
    }
  }
  __heddle_not_modelled("more than 32 descriptors");
  return -1;
}

static int open_world(void) {
  return heddle_nondet_bool() ? heddle_error() : take_number(WORLD, NULL, 0);
}

static int wrong(int error) {
  errno = error;
  return -1;
}

/* 0 where there is none; standard input and output are open. */
static int kind_of(int fd) {
  if (fd < 0 || fd >= MOST)
    return 0;
  return fd < 3 ? WORLD : descriptors[fd].kind;
}

static struct pipe *new_pipe(void) {
  int i = n_pipes++;
  if (i >= PIPES)
    __heddle_not_modelled("more than 4 pipes or eventfds");
  pthread_mutex_init(&pipes[i].lock, NULL);
  pthread_cond_init(&pipes[i].changed, NULL);
  return &pipes[i];
}

int pipe2(int ends[2], int flags) {
  if (heddle_nondet_bool())
    return heddle_error();
  struct pipe *p = new_pipe();
  p->readers = p->writers = 1;
  ends[0] = take_number(READ_END, p, flags & O_NONBLOCK);
  ends[1] = take_number(WRITE_END, p, flags & O_NONBLOCK);
  return 0;
}

int pipe(int ends[2]) {
  return pipe2(ends, 0);
}

/* A pipe each way. */
int socketpair(int domain, int type, int protocol, int ends[2]) {
  if (heddle_nondet_bool())
    return heddle_error();
  if ((type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM)
    __heddle_not_modelled("socketpair other than SOCK_STREAM");
  struct pipe *there = new_pipe(), *back = new_pipe();
  there->readers = there->writers = back->readers = back->writers = 1;
  ends[0] = take_number(BOTH, back, type & SOCK_NONBLOCK);
  ends[1] = take_number(BOTH, there, type & SOCK_NONBLOCK);
  descriptors[ends[0]].out = there;
  descriptors[ends[1]].out = back;
  return 0;
}

int eventfd(unsigned count, int flags) {
  if (heddle_nondet_bool())
    return heddle_error();
  struct pipe *p = new_pipe();
  p->value = count;
  p->semaphore = flags & EFD_SEMAPHORE;
  return take_number(COUNTER, p, flags & EFD_NONBLOCK);
}

static ssize_t read_counter(struct pipe *p, int nonblocking, void *to,
                            size_t size) {
  if (size < sizeof p->value)
    return wrong(EINVAL);
  pthread_mutex_lock(&p->lock);
  while (!p->value && !nonblocking)
    pthread_cond_wait(&p->changed, &p->lock);
  uint64_t got = p->semaphore && p->value ? 1 : p->value;
  p->value -= got;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  if (!got)
    return wrong(EAGAIN);
  memcpy(to, &got, sizeof got);
  return sizeof got;
}

static ssize_t write_counter(struct pipe *p, int nonblocking, const void *from,
                             size_t size) {
  uint64_t more;
  if (size < sizeof more)
    return wrong(EINVAL);
  memcpy(&more, from, sizeof more);
  if (more == UINT64_MAX)
    return wrong(EINVAL);
  pthread_mutex_lock(&p->lock);
  while (p->value > UINT64_MAX - 1 - more && !nonblocking)
    pthread_cond_wait(&p->changed, &p->lock);
  int full = p->value > UINT64_MAX - 1 - more;
  p->value += full ? 0 : more;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  return full ? wrong(EAGAIN) : (ssize_t)sizeof more;
}

static ssize_t read_pipe(struct pipe *p, int nonblocking, void *to,
                         size_t size) {
  unsigned char *bytes = to;
  size_t n = 0;
  pthread_mutex_lock(&p->lock);
  while (!p->count && p->writers && !nonblocking && size)
    pthread_cond_wait(&p->changed, &p->lock);
  int empty = !p->count && p->writers && size;
  while (n < size && p->count) {
    bytes[n++] = p->data[p->first];
    p->first = (p->first + 1) % ROOM;
    p->count--;
  }
  pthread_mutex_unlock(&p->lock);
  return empty ? wrong(EAGAIN) : (ssize_t)n;
}

static ssize_t write_pipe(struct pipe *p, const void *from, size_t size) {
  const unsigned char *bytes = from;
  pthread_mutex_lock(&p->lock);
  int readers = p->readers;
  if (readers && size > ROOM - p->count)
    __heddle_not_modelled("more than 64 bytes in a pipe");
  for (size_t i = 0; i < size && readers; i++)
    p->data[(p->first + p->count++) % ROOM] = bytes[i];
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  if (!readers)
    __heddle_not_modelled("a pipe that nobody reads: SIGPIPE");
  return (ssize_t)size;
}

/* Any number of bytes up to `size`, or a failure. */
static ssize_t some(size_t size) {
  if (heddle_nondet_bool())
    return heddle_error();
  return heddle_nondet_long(0, size > LONG_MAX ? LONG_MAX : (long)size);
}

static ssize_t read_world(void *to, size_t size) {
  ssize_t n = some(size);
  if (n > 0)
    heddle_fill(to, (size_t)n);
  return n;
}

ssize_t read(int fd, void *to, size_t size) {
  switch (kind_of(fd)) {
  case WORLD:
    return read_world(to, size);
  case READ_END:
  case BOTH:
    return read_pipe(descriptors[fd].pipe, descriptors[fd].nonblocking, to,
                     size);
  case COUNTER:
    return read_counter(descriptors[fd].pipe, descriptors[fd].nonblocking, to,
                        size);
  default:
    return wrong(EBADF);
  }
}

ssize_t write(int fd, const void *from, size_t size) {
  switch (kind_of(fd)) {
  case WORLD:
    if (fd == 1 || fd == 2) {
      fwrite(from, 1, size, fd == 1 ? stdout : stderr);
      return heddle_nondet_bool() ? heddle_error() : (ssize_t)size;
    }
    heddle_look(from, size);
    return some(size);
  case WRITE_END:
    return write_pipe(descriptors[fd].pipe, from, size);
  case BOTH:
    return write_pipe(descriptors[fd].out, from, size);
  case COUNTER:
    return write_counter(descriptors[fd].pipe, descriptors[fd].nonblocking,
                         from, size);
  default:
    return wrong(EBADF);
  }
}

int eventfd_read(int fd, eventfd_t *value) {
  return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

int eventfd_write(int fd, eventfd_t value) {
  return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

static void leave(struct pipe *p, int readers, int writers) {
  pthread_mutex_lock(&p->lock);
  p->readers -= readers;
  p->writers -= writers;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

int close(int fd) {
  if (fd >= 0 && fd < 3)
    return heddle_status();
  if (!kind_of(fd))
    return wrong(EBADF);
  struct pipe *p = descriptors[fd].pipe, *out = descriptors[fd].out;
  int kind = __c11_atomic_exchange(&descriptors[fd].kind, 0, __ATOMIC_SEQ_CST);
  if (!kind)
    return wrong(EBADF);
  if (kind == READ_END || kind == BOTH)
    leave(p, 1, 0);
  if (kind == WRITE_END || kind == BOTH)
    leave(kind == BOTH ? out : p, 0, 1);
  return kind == WORLD ? heddle_status() : 0;
}

/* --- files and devices --- */

int open(const char *path, int flags, ...) {
  (void)strlen(path);
  return open_world();
}

int openat(int folder, const char *path, int flags, ...) {
  (void)strlen(path);
  return open_world();
}

int creat(const char *path, mode_t mode) {
  (void)strlen(path);
  return open_world();
}

int dup(int fd) {
  if (kind_of(fd) > WORLD)
    __heddle_not_modelled("dup of a pipe or eventfd");
  return kind_of(fd) ? open_world() : wrong(EBADF);
}

int dup2(int from, int to) {
  if (kind_of(from) > WORLD || kind_of(to) > WORLD || to < 0 || to >= MOST)
    __heddle_not_modelled("dup2 of a pipe or eventfd");
  if (!kind_of(from))
    return wrong(EBADF);
  descriptors[to].kind = WORLD;
  return to;
}

ssize_t pread(int fd, void *to, size_t size, off_t at) {
  return kind_of(fd) == WORLD ? read_world(to, size) : wrong(EBADF);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
  heddle_look(from, size);
  return kind_of(fd) == WORLD ? some(size) : wrong(EBADF);
}

ssize_t readv(int fd, const struct iovec *parts, int n) {
  ssize_t all = 0;
  for (int i = 0; i < n; i++) {
    ssize_t got = read(fd, parts[i].iov_base, parts[i].iov_len);
    if (got < 0)
      return all ? all : -1;
    all += got;
    if ((size_t)got < parts[i].iov_len)
      break;
  }
  return all;
}

ssize_t writev(int fd, const struct iovec *parts, int n) {
  ssize_t all = 0;
  for (int i = 0; i < n; i++) {
    ssize_t put = write(fd, parts[i].iov_base, parts[i].iov_len);
    if (put < 0)
      return all ? all : -1;
    all += put;
    if ((size_t)put < parts[i].iov_len)
      break;
  }
  return all;
}

off_t lseek(int fd, off_t offset, int whence) {
  return heddle_nondet_bool() ? heddle_error()
                              : heddle_nondet_long(0, LONG_MAX);
}

int fcntl(int fd, int command, ...) {
  int kind = kind_of(fd);
  if (!kind)
    return wrong(EBADF);
  if (command == F_SETFL && kind != WORLD) {
    va_list more;
    va_start(more, command);
    descriptors[fd].nonblocking = va_arg(more, int) & O_NONBLOCK;
    va_end(more);
    return 0;
  }
  if (command == F_GETFL && kind != WORLD)
    return (kind == READ_END    ? O_RDONLY
            : kind == WRITE_END ? O_WRONLY
                                : O_RDWR) |
           (descriptors[fd].nonblocking ? O_NONBLOCK : 0);
  if (command == F_SETFD || command == F_SETFL)
    return heddle_status();
  /* Of other processes; this one's threads have no locks against each other. */
  if (command == F_SETLK || command == F_SETLKW)
    return heddle_status();
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
    return dup(fd);
  if (command == F_GETFD || command == F_GETFL)
    return heddle_nondet_bool() ? heddle_error()
                                : heddle_nondet_int(0, INT_MAX);
  __heddle_not_modelled("fcntl other than F_GETFL, F_SETFL, F_GETFD, F_SETFD, "
                        "F_DUPFD, F_SETLK and F_SETLKW");
  return -1;
}

int fsync(int fd) {
  return heddle_status();
}

int fdatasync(int fd) {
  return heddle_status();
}

int ftruncate(int fd, off_t size) {
  return heddle_status();
}

int isatty(int fd) {
  return heddle_nondet_bool();
}

/* Any files, of any kind. */
static int any_stat(struct stat *to) {
  if (heddle_nondet_bool())
    return heddle_error();
  memset(to, 0, sizeof *to);
  to->st_size = heddle_nondet_long(0, LONG_MAX);
  to->st_mode = heddle_nondet_uint(0, 0177777);
  to->st_mtime = heddle_nondet_long(0, LONG_MAX);
  to->st_ino = heddle_nondet_ulong(0, ULONG_MAX);
  to->st_dev = heddle_nondet_ulong(0, ULONG_MAX);
  to->st_uid = heddle_nondet_uint(0, UINT_MAX);
  to->st_gid = heddle_nondet_uint(0, UINT_MAX);
  to->st_rdev = heddle_nondet_ulong(0, ULONG_MAX);
  to->st_atime = heddle_nondet_long(0, LONG_MAX);
  to->st_ctime = heddle_nondet_long(0, LONG_MAX);
  to->st_atim.tv_nsec = heddle_nondet_long(0, 999999999);
  to->st_mtim.tv_nsec = heddle_nondet_long(0, 999999999);
  to->st_ctim.tv_nsec = heddle_nondet_long(0, 999999999);
  to->st_blocks = heddle_nondet_long(0, LONG_MAX);
  to->st_nlink = heddle_nondet_ulong(0, ULONG_MAX);
  to->st_blksize = heddle_nondet_long(1, 1 << 20);
  return 0;
}

int stat(const char *path, struct stat *to) {
  (void)strlen(path);
  return any_stat(to);
}

int lstat(const char *path, struct stat *to) {
  (void)strlen(path);
  return any_stat(to);
}

int fstat(int fd, struct stat *to) {
  return any_stat(to);
}

int access(const char *path, int mode) {
  (void)strlen(path);
  return heddle_status();
}

int unlink(const char *path) {
  (void)strlen(path);
  return heddle_status();
}

int mkdir(const char *path, mode_t mode) {
  (void)strlen(path);
  return heddle_status();
}

int rmdir(const char *path) {
  (void)strlen(path);
  return heddle_status();
}

int chdir(const char *path) {
  (void)strlen(path);
  return heddle_status();
}

/* --- sockets --- */

static int open_socket(int family) {
  int fd = open_world();
  if (fd >= 0)
    descriptors[fd].family = family;
  return fd;
}

static int family_of(int fd) {
  return kind_of(fd) && fd >= 3 ? descriptors[fd].family : 0;
}

int socket(int domain, int type, int protocol) {
  return open_socket(domain);
}

int bind(int fd, const struct sockaddr *address, socklen_t size) {
  heddle_look(address, size);
  return heddle_status();
}

int listen(int fd, int most) {
  return heddle_status();
}

/* As long as the family says, though there may be less room. */
static void any_address(int family, struct sockaddr *address, socklen_t *size) {
  if (!address || !size)
    return;
  socklen_t n = family == AF_INET ? sizeof(struct sockaddr_in)
                : family == AF_INET6
                    ? sizeof(struct sockaddr_in6)
                    : heddle_nondet_uint(0, sizeof(struct sockaddr_storage));
  socklen_t room = *size;
  heddle_fill(address, n < room ? n : room);
  if ((family == AF_INET || family == AF_INET6) && room >= sizeof(sa_family_t))
    address->sa_family = (sa_family_t)family;
  *size = n;
}

int accept(int fd, struct sockaddr *address, socklen_t *size) {
  int family = family_of(fd), got = open_socket(family);
  if (got >= 0)
    any_address(family, address, size);
  return got;
}

int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags) {
  return accept(fd, address, size);
}

int connect(int fd, const struct sockaddr *address, socklen_t size) {
  heddle_look(address, size);
  return heddle_status();
}

int shutdown(int fd, int how) {
  return heddle_status();
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t size) {
  heddle_look(value, size);
  return heddle_status();
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *size) {
  if (heddle_nondet_bool())
    return heddle_error();
  *size = heddle_nondet_uint(0, *size);
  heddle_fill(value, *size);
  return 0;
}

int getsockname(int fd, struct sockaddr *address, socklen_t *size) {
  if (heddle_nondet_bool())
    return heddle_error();
  any_address(family_of(fd), address, size);
  return 0;
}

int getpeername(int fd, struct sockaddr *address, socklen_t *size) {
  return getsockname(fd, address, size);
}

uint16_t htons(uint16_t x) {
  return __builtin_bswap16(x);
}

uint16_t ntohs(uint16_t x) {
  return __builtin_bswap16(x);
}

uint32_t htonl(uint32_t x) {
  return __builtin_bswap32(x);
}

uint32_t ntohl(uint32_t x) {
  return __builtin_bswap32(x);
}

in_addr_t inet_addr(const char *text) {
  (void)strlen(text);
  return heddle_nondet_uint(0, UINT_MAX);
}

int inet_pton(int family, const char *text, void *to) {
  (void)strlen(text);
  int good = heddle_nondet_int(-1, 1);
  if (good > 0)
    heddle_fill(to, family == AF_INET6 ? 16 : 4);
  return good;
}

ssize_t recv(int fd, void *to, size_t size, int flags) {
  if (kind_of(fd) == BOTH && flags & ~MSG_DONTWAIT)
    __heddle_not_modelled("recv from a pair of sockets with flags");
  if (kind_of(fd) == BOTH)
    return read_pipe(descriptors[fd].pipe, descriptors[fd].nonblocking || flags,
                     to, size);
  return kind_of(fd) == WORLD ? read_world(to, size) : wrong(ENOTSOCK);
}

ssize_t recvfrom(int fd, void *to, size_t size, int flags,
                 struct sockaddr *address, socklen_t *length) {
  ssize_t got = recv(fd, to, size, flags);
  if (got >= 0)
    any_address(family_of(fd), address, length);
  return got;
}

ssize_t send(int fd, const void *from, size_t size, int flags) {
  if (kind_of(fd) == BOTH)
    return write_pipe(descriptors[fd].out, from, size);
  heddle_look(from, size);
  return kind_of(fd) == WORLD ? some(size) : wrong(ENOTSOCK);
}

ssize_t sendto(int fd, const void *from, size_t size, int flags,
               const struct sockaddr *address, socklen_t length) {
  return send(fd, from, size, flags);
}

/* What comes with bytes (descriptors, rights) is not looked at: none comes. */
ssize_t recvmsg(int fd, struct msghdr *to, int flags) {
  if (kind_of(fd) != WORLD)
    __heddle_not_modelled("recvmsg of a pair of sockets");
  ssize_t got = readv(fd, to->msg_iov, (int)to->msg_iovlen);
  if (got < 0)
    return got;
  if (to->msg_controllen && heddle_nondet_bool())
    __heddle_not_modelled("recvmsg with ancillary data");
  to->msg_controllen = 0;
  to->msg_flags = heddle_nondet_bool() ? MSG_TRUNC : 0;
  if (to->msg_name)
    any_address(family_of(fd), to->msg_name, &to->msg_namelen);
  return got;
}

ssize_t sendmsg(int fd, const struct msghdr *from, int flags) {
  if (from->msg_name)
    heddle_look(from->msg_name, from->msg_namelen);
  if (from->msg_controllen)
    heddle_look(from->msg_control, from->msg_controllen);
  return writev(fd, from->msg_iov, (int)from->msg_iovlen);
}

int sendmmsg(int fd, struct mmsghdr *list, unsigned n, int flags) {
  for (unsigned i = 0; i < n; i++) {
    ssize_t put = sendmsg(fd, &list[i].msg_hdr, flags);
    if (put < 0)
      return i ? (int)i : -1;
    list[i].msg_len = (unsigned)put;
  }
  return (int)n;
}

int recvmmsg(int fd, struct mmsghdr *list, unsigned n, int flags,
             struct timespec *limit) {
  unsigned i = 0;
  do {
    ssize_t got = i < n ? recvmsg(fd, &list[i].msg_hdr, flags) : -1;
    if (got < 0)
      break;
    list[i++].msg_len = (unsigned)got;
  } while (heddle_nondet_bool());
  return i ? (int)i : -1;
}

/* From one of the world's to another, past the program's memory. */
static ssize_t moved(int from, int to, size_t size) {
  if (kind_of(from) > WORLD || kind_of(to) > WORLD)
    __heddle_not_modelled("sendfile or splice with a pipe");
  return kind_of(from) && kind_of(to) ? some(size) : wrong(EBADF);
}

ssize_t sendfile(int to, int from, off_t *at, size_t size) {
  ssize_t n = moved(from, to, size);
  if (at && n > 0)
    *at += n;
  return n;
}

ssize_t sendfile64(int to, int from, __off64_t *at, size_t size) {
  ssize_t n = moved(from, to, size);
  if (at && n > 0)
    *at += n;
  return n;
}

ssize_t splice(int from, __off64_t *at, int to, __off64_t *there, size_t size,
               unsigned flags) {
  ssize_t n = moved(from, to, size);
  if (at && n > 0)
    *at += n;
  if (there && n > 0)
    *there += n;
  return n;
}

/* Those whose argument is known. */
int ioctl(int fd, unsigned long request, ...) {
  const int kind = kind_of(fd);
  if (!kind)
    return wrong(EBADF);
  if (kind == WORLD && (request == FIOCLEX || request == FIONCLEX))
    return heddle_status();
  va_list more;
  va_start(more, request);
  void *arg = va_arg(more, void *);
  va_end(more);
  if (request == FIONBIO) {
    heddle_look(arg, sizeof(int));
    if (kind != WORLD)
      descriptors[fd].nonblocking = *(int *)arg != 0;
    return kind == WORLD ? heddle_status() : 0;
  }
  if (kind != WORLD || (request != FIONREAD && request != TIOCGWINSZ))
    __heddle_not_modelled("ioctl other than FIONBIO, FIONREAD and TIOCGWINSZ");
  if (heddle_nondet_bool())
    return heddle_error();
  if (request == FIONREAD)
    *(int *)arg = heddle_nondet_int(0, INT_MAX);
  else
    heddle_fill(arg, sizeof(struct winsize));
  return 0;
}

/* Descriptors of events that come from outside. */
int timerfd_create(int clock, int flags) {
  return open_world();
}

int timerfd_settime(int fd, int flags, const struct itimerspec *when,
                    struct itimerspec *before) {
  heddle_look(when, sizeof *when);
  if (before)
    heddle_fill(before, sizeof *before);
  return heddle_status();
}

int timerfd_gettime(int fd, struct itimerspec *to) {
  heddle_fill(to, sizeof *to);
  return heddle_status();
}

int inotify_init(void) {
  return open_world();
}

int inotify_init1(int flags) {
  return open_world();
}

int inotify_add_watch(int fd, const char *path, uint32_t events) {
  (void)strlen(path);
  return heddle_nondet_bool() ? heddle_error() : heddle_nondet_int(1, INT_MAX);
}

int inotify_rm_watch(int fd, int watch) {
  return heddle_status();
}

/* --- waiting for several: any of them may be ready, or none in time --- */

/* Whoever waits for a thread of the program without an end may wait for ever,
 * and that is not looked for. */
static void wait_for(int fd, int forever) {
  if (forever && kind_of(fd) > WORLD && heddle_nondet_bool())
    __heddle_not_modelled("waiting for a pipe or eventfd together with others");
}

int poll(struct pollfd *list, nfds_t n, int timeout) {
  if (heddle_nondet_bool())
    return heddle_error();
  int ready = 0;
  for (nfds_t i = 0; i < n; i++) {
    list[i].revents = 0;
    wait_for(list[i].fd, timeout < 0);
    if (list[i].fd >= 0 && heddle_nondet_bool()) {
      list[i].revents =
          (short)(heddle_nondet_int(1, 0x3f) &
                  (list[i].events | POLLERR | POLLHUP | POLLNVAL));
      ready += list[i].revents != 0;
    }
  }
  heddle_assume(ready || timeout >= 0);
  return ready;
}

int select(int n, fd_set *readers, fd_set *writers, fd_set *others,
           struct timeval *timeout) {
  fd_set *sets[] = {readers, writers, others};
  if (heddle_nondet_bool())
    return heddle_error();
  int ready = 0;
  for (int s = 0; s < 3; s++)
    for (int i = 0; i < n && sets[s]; i++)
      if (FD_ISSET(i, sets[s])) {
        wait_for(i, !timeout);
        if (heddle_nondet_bool())
          ready++;
        else
          FD_CLR(i, sets[s]);
      }
  heddle_assume(ready || timeout);
  return ready;
}

/* What the mask lets through in the meantime is not looked at. */
static void any_signal(const void *mask) {
  if (mask && heddle_nondet_bool())
    __heddle_not_modelled("a signal that comes while pselect, ppoll or "
                          "epoll_pwait waits");
}

int ppoll(struct pollfd *list, nfds_t n, const struct timespec *limit,
          const sigset_t *mask) {
  any_signal(mask);
  return poll(list, n, limit ? 1 : -1);
}

int pselect(int n, fd_set *readers, fd_set *writers, fd_set *others,
            const struct timespec *limit, const sigset_t *mask) {
  struct timeval some_time = {1, 0};
  any_signal(mask);
  return select(n, readers, writers, others, limit ? &some_time : NULL);
}

enum { WATCHED = 16 };

static struct {
  _Atomic int set, fd;
  _Atomic uint32_t events;
  _Atomic uint64_t data;
} watched[WATCHED];

int epoll_create1(int flags) {
  return open_world();
}

int epoll_create(int size) {
  return open_world();
}

int epoll_ctl(int set, int what, int fd, struct epoll_event *event) {
  if (!kind_of(set) || !kind_of(fd))
    return wrong(EBADF);
  if (heddle_nondet_bool())
    return heddle_error();
  for (int i = 0; i < WATCHED; i++)
    if (what == EPOLL_CTL_ADD ? !watched[i].set
                              : watched[i].set == set && watched[i].fd == fd) {
      if (what != EPOLL_CTL_DEL) {
        watched[i].events = event->events;
        watched[i].data = event->data.u64;
      }
      watched[i].fd = fd;
      watched[i].set = what == EPOLL_CTL_DEL ? 0 : set;
      return 0;
    }
  if (what != EPOLL_CTL_ADD)
    return wrong(ENOENT);
  __heddle_not_modelled("epoll with more than 16 descriptors");
  return -1;
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
  if (heddle_nondet_bool())
    return heddle_error();
  int n = 0;
  for (int i = 0; i < WATCHED && n < most; i++)
    if (watched[i].set == set && (wait_for(watched[i].fd, timeout < 0), 1) &&
        heddle_nondet_bool()) {
      events[n].events = heddle_nondet_uint(1, 0x2fff) &
                         (watched[i].events | EPOLLERR | EPOLLHUP);
      events[n].data.u64 = watched[i].data;
      n += events[n].events != 0;
    }
  heddle_assume(n || timeout >= 0);
  return n;
}

int epoll_pwait(int set, struct epoll_event *events, int most, int timeout,
                const sigset_t *mask) {
  any_signal(mask);
  return epoll_wait(set, events, most, timeout);
}

/* --- the same with wider offsets --- */

int open64(const char *path, int flags, ...) {
  (void)strlen(path);
  return open_world();
}

int openat64(int folder, const char *path, int flags, ...) {
  (void)strlen(path);
  return open_world();
}

__off64_t lseek64(int fd, __off64_t offset, int whence) {
  return lseek(fd, (off_t)offset, whence);
}

int ftruncate64(int fd, __off64_t size) {
  return heddle_status();
}

ssize_t pread64(int fd, void *to, size_t size, __off64_t at) {
  return pread(fd, to, size, (off_t)at);
}

ssize_t pwrite64(int fd, const void *from, size_t size, __off64_t at) {
  return pwrite(fd, from, size, (off_t)at);
}

/* SPDX-License-Identifier: MIT */
/* Names of hosts and users: what somebody else's tables say. */
#define _GNU_SOURCE
#include "model.h"

#include <arpa/inet.h>
#include <grp.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdio.h>

/* A text without blanks. */
static char *any_name(char *to, size_t size) {
  size_t n = heddle_nondet_size_t(0, size - 1);
  for (size_t i = 0; i < n; i++)
    to[i] = heddle_nondet_char(33, 126);
  to[n] = 0;
  return to;
}

/* --- addresses --- */

/* One that getaddrinfo gives, in a block of its own as its address is. */
static struct addrinfo *any_info(const struct addrinfo *wanted,
                                 const char *service) {
  struct addrinfo *info = calloc(1, sizeof *info);
  struct sockaddr_in6 *address = calloc(1, sizeof *address);
  if (!info || !address) {
    free(info);
    free(address);
    return NULL;
  }
  if (wanted) {
    info->ai_socktype = wanted->ai_socktype;
    info->ai_protocol = wanted->ai_protocol;
    info->ai_family = wanted->ai_family;
  }
  if (!info->ai_socktype)
    info->ai_socktype = heddle_nondet_bool() ? SOCK_STREAM : SOCK_DGRAM;
  if (info->ai_family == AF_UNSPEC)
    info->ai_family = heddle_nondet_bool() ? AF_INET : AF_INET6;
  heddle_fill(address, sizeof *address);
  address->sin6_family = (sa_family_t)info->ai_family;
  if (!service)
    address->sin6_port = 0; /* in the same place for both families */
  info->ai_addr = (struct sockaddr *)address;
  info->ai_addrlen =
      info->ai_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof *address;
  return info;
}

int getaddrinfo(const char *host, const char *service,
                const struct addrinfo *wanted, struct addrinfo **to) {
  if (host)
    (void)strlen(host);
  if (service)
    (void)strlen(service);
  if (heddle_nondet_bool())
    return heddle_nondet_int(-12, -1);
  struct addrinfo *first = any_info(wanted, service);
  if (!first)
    return EAI_MEMORY;
  if (wanted && wanted->ai_flags & AI_CANONNAME)
    first->ai_canonname = strdup(host ? host : "");
  if (heddle_nondet_bool())
    first->ai_next = any_info(wanted, service);
  *to = first;
  return 0;
}

void freeaddrinfo(struct addrinfo *list) {
  while (list) {
    struct addrinfo *next = list->ai_next;
    free(list->ai_canonname);
    free(list->ai_addr);
    free(list);
    list = next;
  }
}

const char *gai_strerror(int error) {
  return "error";
}

int getnameinfo(const struct sockaddr *address, socklen_t size, char *host,
                socklen_t host_size, char *service, socklen_t service_size,
                int flags) {
  heddle_look(address, size);
  if (heddle_nondet_bool())
    return heddle_nondet_int(-12, -1);
  if (host && host_size)
    any_name(host, host_size);
  if (service && service_size)
    any_name(service, service_size);
  return 0;
}

/* One place for all threads. */
static struct hostent host;
static char host_name[256], *host_list[2];
static unsigned char host_bytes[16];

static struct hostent *any_host(int family) {
  if (heddle_nondet_bool())
    return NULL;
  heddle_fill(host_bytes, sizeof host_bytes);
  host_list[0] = (char *)host_bytes;
  host.h_name = any_name(host_name, sizeof host_name);
  host.h_aliases = &host_list[1];
  host.h_addrtype = family;
  host.h_length = family == AF_INET6 ? 16 : 4;
  host.h_addr_list = host_list;
  return &host;
}

struct hostent *gethostbyname(const char *name) {
  (void)strlen(name);
  return any_host(AF_INET);
}

struct hostent *gethostbyaddr(const void *address, socklen_t size, int family) {
  heddle_look(address, size);
  return any_host(family);
}

int gethostbyname_r(const char *name, struct hostent *to, char *room,
                    size_t size, struct hostent **result, int *error) {
  struct bytes {
    char *list[2];
    unsigned char address[16];
  } *bytes = (struct bytes *)room;
  (void)strlen(name);
  *result = NULL;
  *error = HOST_NOT_FOUND;
  if (heddle_nondet_bool())
    return heddle_nondet_bool() ? ENOENT : 0;
  if ((uintptr_t)room % _Alignof(struct bytes))
    __heddle_not_modelled("gethostbyname_r with room that is not aligned");
  if (size < sizeof *bytes + 64)
    return ERANGE;
  heddle_fill(bytes->address, sizeof bytes->address);
  bytes->list[0] = (char *)bytes->address;
  bytes->list[1] = NULL;
  to->h_name = any_name(room + sizeof *bytes, 64);
  to->h_aliases = &bytes->list[1];
  to->h_addrtype = AF_INET;
  to->h_length = 4;
  to->h_addr_list = bytes->list;
  *result = to;
  *error = 0;
  return 0;
}

const char *hstrerror(int error) {
  return "error";
}

void herror(const char *text) {
  fprintf(stderr, "%s\n", text ? text : "");
}

/* One place for all threads. */
static struct servent service;
static struct protoent protocol;
static char service_name[64], service_protocol[8], protocol_name[64];
static char *no_aliases[1];

static struct servent *any_service(const char *its) {
  if (heddle_nondet_bool())
    return NULL;
  service.s_name = any_name(service_name, sizeof service_name);
  service.s_aliases = no_aliases;
  service.s_port = heddle_nondet_int(0, 65535);
  service.s_proto = any_name(service_protocol, sizeof service_protocol);
  return &service;
}

struct servent *getservbyname(const char *name, const char *its) {
  (void)strlen(name);
  return any_service(its);
}

struct servent *getservbyport(int port, const char *its) {
  return any_service(its);
}

static struct protoent *any_protocol(void) {
  if (heddle_nondet_bool())
    return NULL;
  protocol.p_name = any_name(protocol_name, sizeof protocol_name);
  protocol.p_aliases = no_aliases;
  protocol.p_proto = heddle_nondet_int(0, 255);
  return &protocol;
}

struct protoent *getprotobyname(const char *name) {
  (void)strlen(name);
  return any_protocol();
}

struct protoent *getprotobynumber(int number) {
  return any_protocol();
}

/* --- interfaces --- */

unsigned if_nametoindex(const char *name) {
  (void)strlen(name);
  return heddle_nondet_uint(0, INT_MAX);
}

char *if_indextoname(unsigned index, char *to) {
  return heddle_nondet_bool() ? NULL : any_name(to, IF_NAMESIZE);
}

int getifaddrs(struct ifaddrs **to) {
  if (heddle_nondet_bool())
    return heddle_error();
  *to = NULL;
  while (heddle_nondet_bool()) {
    struct ifaddrs *one = calloc(1, sizeof *one);
    struct sockaddr_in6 *address = calloc(3, sizeof *address);
    char *name = malloc(IF_NAMESIZE);
    if (!one || !address || !name) {
      free(one);
      free(address);
      free(name);
      break;
    }
    heddle_fill(address, 3 * sizeof *address);
    one->ifa_name = any_name(name, IF_NAMESIZE);
    one->ifa_flags = heddle_nondet_uint(0, UINT_MAX);
    one->ifa_addr = (struct sockaddr *)address;
    if (heddle_nondet_bool())
      one->ifa_netmask = (struct sockaddr *)&address[1];
    if (heddle_nondet_bool())
      one->ifa_broadaddr = (struct sockaddr *)&address[2];
    one->ifa_next = *to;
    *to = one;
  }
  return 0;
}

void freeifaddrs(struct ifaddrs *list) {
  while (list) {
    struct ifaddrs *next = list->ifa_next;
    free(list->ifa_addr);
    free(list->ifa_name);
    free(list);
    list = next;
  }
}

static char *put_address(const unsigned char *b, char *to, size_t size) {
  snprintf(to, size, "%d.%d.%d.%d", b[0], b[1], b[2], b[3]);
  return to;
}

/* One place for all threads. */
char *inet_ntoa(struct in_addr address) {
  static char text[16];
  return put_address((const unsigned char *)&address, text, sizeof text);
}

const char *inet_ntop(int family, const void *address, char *to,
                      socklen_t size) {
  char text[16];
  if (family != AF_INET && family != AF_INET6) {
    errno = EAFNOSUPPORT;
    return NULL;
  }
  heddle_look(address, family == AF_INET ? 4 : 16);
  if (family == AF_INET) {
    put_address(address, text, sizeof text);
    if (strlen(text) < size)
      return strcpy(to, text);
  } else if (size >= 3 && (size >= INET6_ADDRSTRLEN || heddle_nondet_bool())) {
    size_t most = size < INET6_ADDRSTRLEN ? size : INET6_ADDRSTRLEN;
    size_t n = heddle_nondet_size_t(2, most - 1);
    for (size_t i = 0; i < n; i++)
      to[i] = heddle_nondet_char('.', 'f');
    to[n] = 0;
    return to;
  }
  errno = ENOSPC;
  return NULL;
}

int inet_aton(const char *text, struct in_addr *to) {
  (void)strlen(text);
  if (heddle_nondet_bool())
    return 0;
  to->s_addr = heddle_nondet_uint(0, UINT_MAX);
  return 1;
}

/* --- users: one place for all threads --- */

static struct passwd user;
static char user_texts[5][256];

static struct passwd *any_user(void) {
  if (heddle_nondet_bool()) {
    heddle_error();
    return NULL;
  }
  user.pw_name = any_name(user_texts[0], sizeof user_texts[0]);
  user.pw_passwd = any_name(user_texts[1], sizeof user_texts[1]);
  user.pw_gecos = any_name(user_texts[2], sizeof user_texts[2]);
  user.pw_dir = any_name(user_texts[3], sizeof user_texts[3]);
  user.pw_shell = any_name(user_texts[4], sizeof user_texts[4]);
  user.pw_uid = heddle_nondet_uint(0, UINT_MAX);
  user.pw_gid = heddle_nondet_uint(0, UINT_MAX);
  return &user;
}

struct passwd *getpwnam(const char *name) {
  (void)strlen(name);
  return any_user();
}

struct passwd *getpwuid(uid_t number) {
  return any_user();
}

/* In room of the caller's. */
static int user_into(struct passwd *to, char *room, size_t size,
                     struct passwd **result) {
  *result = NULL;
  if (heddle_nondet_bool())
    return heddle_nondet_int(0, 133);
  if (size < 64)
    return ERANGE;
  /* Five texts, each of them any: one after the other. */
  char **const places[] = {&to->pw_name, &to->pw_passwd, &to->pw_gecos,
                           &to->pw_dir, &to->pw_shell};
  for (size_t i = 0; i < 5; i++)
    *places[i] = any_name(room + i * (size / 5), size / 5);
  to->pw_uid = heddle_nondet_uint(0, UINT_MAX);
  to->pw_gid = heddle_nondet_uint(0, UINT_MAX);
  *result = to;
  return 0;
}

int getpwnam_r(const char *name, struct passwd *to, char *room, size_t size,
               struct passwd **result) {
  (void)strlen(name);
  return user_into(to, room, size, result);
}

int getpwuid_r(uid_t number, struct passwd *to, char *room, size_t size,
               struct passwd **result) {
  return user_into(to, room, size, result);
}

int getlogin_r(char *to, size_t size) {
  if (heddle_nondet_bool())
    return heddle_nondet_int(1, 133);
  if (size)
    any_name(to, size);
  return size ? 0 : ERANGE;
}

static struct group group;
static char group_texts[2][256], *members[1];

static struct group *any_group(void) {
  if (heddle_nondet_bool()) {
    heddle_error();
    return NULL;
  }
  group.gr_name = any_name(group_texts[0], sizeof group_texts[0]);
  group.gr_passwd = any_name(group_texts[1], sizeof group_texts[1]);
  group.gr_gid = heddle_nondet_uint(0, UINT_MAX);
  group.gr_mem = members;
  return &group;
}

struct group *getgrnam(const char *name) {
  (void)strlen(name);
  return any_group();
}

struct group *getgrgid(gid_t number) {
  return any_group();
}

/* SPDX-License-Identifier: MIT */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t max_input = (size_t)1 << 30;

static bool read_all(int fd, hd_str *text, const char *path, hd_diag *diag) {
  for (;;) {
    hd_vec_reserve(text, text->size + 65537);
    ssize_t n = read(fd, text->data + text->size, 65536);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      hd_diag_file_error(diag, path, "cannot read: %s", strerror(errno));
      return false;
    }
    if (n == 0)
      break;
    text->size += (size_t)n;
    if (text->size > max_input) {
      hd_diag_file_error(diag, path,
                         "larger than %zu MiB, the most heddle reads",
                         max_input >> 20);
      return false;
    }
  }
  text->data[text->size] = 0;
  return true;
}

bool hd_source_read(const char *path, hd_source *source, hd_diag *diag) {
  bool in = !strcmp(path, "-");
  const char *name = in ? "<stdin>" : path;
  int fd = in ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    hd_diag_file_error(diag, name, "cannot open: %s", strerror(errno));
    return false;
  }
  struct stat st;
  hd_str text = {0};
  bool ok = false;
  if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
    hd_diag_file_error(diag, name, "is a directory, expected a model file");
  else
    ok = read_all(fd, &text, name, diag);
  if (!in)
    close(fd);
  if (!ok) {
    hd_str_free(&text);
    return false;
  }
  size_t size = text.size;
  *source = (hd_source){
      .name = hd_strdup(name), .text = hd_str_take(&text), .size = size};
  return true;
}

bool hd_output_open(hd_output *output, const char *path, hd_diag *diag) {
  *output = (hd_output){.path = hd_strdup(path)};
  if (!strcmp(path, "-")) {
    output->file = stdout;
    return true;
  }
  struct stat st;
  bool exists = stat(path, &st) == 0;
  if (exists && S_ISDIR(st.st_mode)) {
    hd_diag_file_error(diag, path, "cannot write: is a directory");
    hd_output_abandon(output);
    return false;
  }
  if (!exists || S_ISREG(st.st_mode)) {
    hd_str name = {0};
    hd_str_printf(&name, "%s.tmp%ld", path, (long)getpid());
    output->temporary = hd_str_take(&name);
  }
  output->file = fopen(output->temporary ? output->temporary : path, "w");
  if (!output->file) {
    hd_diag_file_error(diag, path, "cannot write: %s", strerror(errno));
    hd_free(output->temporary);
    output->temporary = NULL;
    hd_output_abandon(output);
    return false;
  }
  return true;
}

void hd_output_abandon(hd_output *output) {
  if (output->file && output->file != stdout)
    fclose(output->file);
  if (output->temporary)
    unlink(output->temporary);
  hd_free(output->temporary);
  hd_free(output->path);
  *output = (hd_output){0};
}

bool hd_output_close(hd_output *output, hd_diag *diag) {
  bool standard = output->file == stdout;
  /* A write that failed before left its reason. */
  int earlier = ferror(output->file) ? errno : 0;
  errno = 0;
  bool ok = fflush(output->file) == 0 && !ferror(output->file);
  if (!standard) {
    ok = fclose(output->file) == 0 && ok;
    output->file = NULL;
  }
  if (ok && output->temporary)
    ok = rename(output->temporary, output->path) == 0;
  if (!ok)
    hd_diag_file_error(diag, standard ? "<stdout>" : output->path,
                       "cannot write: %s",
                       strerror(errno     ? errno
                                : earlier ? earlier
                                          : EIO));
  if (ok && output->temporary) {
    hd_free(output->temporary);
    output->temporary = NULL;
  }
  hd_output_abandon(output);
  return ok;
}

static ssize_t append(void *cookie, const char *data, size_t size) {
  hd_str_append(cookie, data, size);
  return (ssize_t)size;
}

FILE *hd_stream_to(hd_str *str) {
  FILE *file = fopencookie(str, "w", (cookie_io_functions_t){.write = append});
  if (!file)
    hd_out_of_memory(0);
  return file;
}

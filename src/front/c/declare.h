/* SPDX-License-Identifier: MIT */
/* What a C file declares, from clang's words for it (hd_c_finish_text): functions,
 * names of types, and which structs are known. Types are texts, as C has them. */
#ifndef HD_FRONT_C_DECLARE_H
#define HD_FRONT_C_DECLARE_H

#include "base/str.h"

typedef struct {
  char *name, *result;
  hd_vec(char *) params; /* types, without the names */
  bool defined;          /* it has a body */
} hd_c_function;

typedef struct {
  char *name, *type; /* "void (*)(void *)" */
} hd_c_name;

typedef struct {
  hd_vec(hd_c_function) functions;
  hd_vec(hd_c_name) names; /* of typedef */
  hd_vec(char *) structs;  /* "struct pool", of those that are defined */
} hd_c_declarations;

void hd_c_declarations_read(const char *text, hd_c_declarations *out);
void hd_c_declarations_free(hd_c_declarations *declarations);

const hd_c_function *hd_c_declared(const hd_c_declarations *declarations,
                                   const char *name);

typedef enum {
  HD_C_VOID,
  HD_C_INT,
  HD_C_REAL,
  HD_C_POINTER,  /* to an object, or void */
  HD_C_FUNCTION, /* a pointer to a function */
  HD_C_RECORD,
  HD_C_OPAQUE, /* a struct that is not defined, or what is not understood */
} hd_c_kind;

/* What kind of type it is. `plain`, which may be NULL, gets it without names of
 * typedef and qualifiers; of a pointer, what it leads to. */
hd_c_kind hd_c_kind_of(const hd_c_declarations *declarations, const char *type,
                       hd_str *plain);

#endif

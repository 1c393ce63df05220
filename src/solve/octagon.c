/* SPDX-License-Identifier: MIT */
/* PPL's octagons of unbounded integers. The library is a C++ one behind a C
 * interface: it is loaded at the first use, because that takes longer than all
 * of heddle's start, and because loading it changes the rounding of floating
 * point numbers, which is put back at once (these octagons do not need it). */
#include "solve/octagon.h"

#include "base/mem.h"

#include <dlfcn.h>
#include <ppl_c.h>
#include <string.h>

_Static_assert(PPL_VERSION_MAJOR == 1, "another library than the one below");
#ifndef HD_PPL_LIBRARY
#define HD_PPL_LIBRARY "libppl_c.so.4"
#endif

#define OCT(name) Octagonal_Shape_mpz_class_##name
#define FUNCTIONS(X)                                                           \
  X(initialize)                                                                \
  X(restore_pre_PPL_rounding)                                                  \
  X(not_a_dimension)                                                           \
  X(new_Coefficient)                                                           \
  X(delete_Coefficient)                                                        \
  X(assign_Coefficient_from_mpz_t)                                             \
  X(Coefficient_to_mpz_t)                                                      \
  X(new_Linear_Expression)                                                     \
  X(delete_Linear_Expression)                                                  \
  X(Linear_Expression_add_to_coefficient)                                      \
  X(Linear_Expression_add_to_inhomogeneous)                                    \
  X(new_Constraint)                                                            \
  X(delete_Constraint)                                                         \
  X(new_Octagonal_Shape_mpz_class_from_space_dimension)                        \
  X(new_Octagonal_Shape_mpz_class_from_Octagonal_Shape_mpz_class)              \
  X(delete_Octagonal_Shape_mpz_class)                                          \
  X(Octagonal_Shape_mpz_class_refine_with_constraint)                          \
  X(Octagonal_Shape_mpz_class_bounded_affine_image)                            \
  X(Octagonal_Shape_mpz_class_affine_image)                                    \
  X(Octagonal_Shape_mpz_class_unconstrain_space_dimension)                     \
  X(Octagonal_Shape_mpz_class_is_empty)                                        \
  X(Octagonal_Shape_mpz_class_contains_Octagonal_Shape_mpz_class)              \
  X(Octagonal_Shape_mpz_class_upper_bound_assign)                              \
  X(Octagonal_Shape_mpz_class_intersection_assign)                             \
  X(Octagonal_Shape_mpz_class_BHMZ05_widening_assign)                          \
  X(Octagonal_Shape_mpz_class_maximize)                                        \
  X(Octagonal_Shape_mpz_class_add_space_dimensions_and_embed)                  \
  X(Octagonal_Shape_mpz_class_map_space_dimensions)                            \
  X(Octagonal_Shape_mpz_class_concatenate_assign)

struct hd_octagons {
  void *handle;
#define MEMBER(name) __typeof__(&ppl_##name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER
  /* For passing numbers. */
  mpz_t z;
  ppl_Coefficient_t number, divisor;
};

struct hd_octagon {
  hd_octagons *lib;
  ppl_Octagonal_Shape_mpz_class_t shape;
  uint32_t n;
};

/* PPL says a negative number when it did not understand: a bug of ours. */
static int check(int status) {
  if (status < 0)
    hd_bug("PPL refuses an operation on octagons (%d)", status);
  return status;
}

/* POSIX: pointers to functions look like others. */
static bool resolve(void *handle, const char *name, void *into, size_t size) {
  void *symbol = dlsym(handle, name);
  assert(size == sizeof symbol);
  if (!symbol)
    return false;
  memcpy(into, &symbol, size);
  return true;
}

hd_octagons *hd_octagons_open(void) {
  void *handle = dlopen(HD_PPL_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle)
    return NULL;
  hd_octagons *lib = hd_calloc(1, sizeof *lib);
  lib->handle = handle;
  bool all = true;
#define RESOLVE(name)                                                          \
  all = all && resolve(handle, "ppl_" #name, &lib->name, sizeof lib->name);
  FUNCTIONS(RESOLVE)
#undef RESOLVE
  if (!all) {
    dlclose(handle);
    hd_free(lib);
    return NULL;
  }
  int status = lib->initialize();
  if (status < 0 && status != PPL_ERROR_INVALID_ARGUMENT) /* a second time */
    check(status);
  check(lib->restore_pre_PPL_rounding());
  mpz_init(lib->z);
  check(lib->new_Coefficient(&lib->number));
  check(lib->new_Coefficient(&lib->divisor));
  return lib;
}

void hd_octagons_close(hd_octagons *lib) {
  if (!lib)
    return;
  lib->delete_Coefficient(lib->number);
  lib->delete_Coefficient(lib->divisor);
  mpz_clear(lib->z);
  dlclose(lib->handle);
  hd_free(lib);
}

static ppl_Coefficient_t number(hd_octagons *lib, int64_t x) {
  _Static_assert(sizeof(long) == sizeof x, "GMP takes long");
  mpz_set_si(lib->z, x);
  check(lib->assign_Coefficient_from_mpz_t(lib->number, lib->z));
  return lib->number;
}

/* The form with a constant; `sign` -1: the negated one. */
static ppl_Linear_Expression_t expression(const hd_octagon *o,
                                          const hd_form *form, int64_t constant,
                                          int sign) {
  hd_octagons *lib = o->lib;
  ppl_Linear_Expression_t e;
  check(lib->new_Linear_Expression(&e));
  for (uint32_t i = 0; i < form->n; i++) {
    assert(form->vars[i] < o->n);
    mpz_set_si(lib->z, form->factors[i]);
    if (sign < 0)
      mpz_neg(lib->z, lib->z);
    check(lib->assign_Coefficient_from_mpz_t(lib->number, lib->z));
    check(lib->Linear_Expression_add_to_coefficient(e, form->vars[i],
                                                    lib->number));
  }
  mpz_set_si(lib->z, constant);
  if (sign < 0)
    mpz_neg(lib->z, lib->z);
  check(lib->assign_Coefficient_from_mpz_t(lib->number, lib->z));
  check(lib->Linear_Expression_add_to_inhomogeneous(e, lib->number));
  return e;
}

hd_octagon *hd_octagon_new(hd_octagons *lib, uint32_t n) {
  hd_octagon *o = hd_calloc(1, sizeof *o);
  o->lib = lib;
  o->n = n;
  check(
      lib->new_Octagonal_Shape_mpz_class_from_space_dimension(&o->shape, n, 0));
  return o;
}

hd_octagon *hd_octagon_copy(const hd_octagon *from) {
  hd_octagon *o = hd_calloc(1, sizeof *o);
  o->lib = from->lib;
  o->n = from->n;
  check(o->lib->new_Octagonal_Shape_mpz_class_from_Octagonal_Shape_mpz_class(
      &o->shape, from->shape));
  return o;
}

void hd_octagon_delete(hd_octagon *o) {
  if (!o)
    return;
  check(o->lib->delete_Octagonal_Shape_mpz_class(o->shape));
  hd_free(o);
}

hd_octagons *hd_octagon_library(const hd_octagon *o) {
  return o->lib;
}

void hd_octagon_assume(hd_octagon *o, const hd_form *form) {
  ppl_Linear_Expression_t e = expression(o, form, form->lo, -1);
  ppl_Constraint_t c;
  check(o->lib->new_Constraint(&c, e, PPL_CONSTRAINT_TYPE_GREATER_OR_EQUAL));
  check(o->lib->OCT(refine_with_constraint)(o->shape, c));
  check(o->lib->delete_Constraint(c));
  check(o->lib->delete_Linear_Expression(e));
}

void hd_octagon_assign(hd_octagon *o, uint32_t var, const hd_form *form) {
  hd_octagons *lib = o->lib;
  assert(var < o->n && form->lo <= form->hi);
  ppl_Linear_Expression_t low = expression(o, form, form->lo, 1);
  if (form->lo == form->hi) {
    check(lib->OCT(affine_image)(o->shape, var, low, number(lib, 1)));
  } else {
    ppl_Linear_Expression_t high = expression(o, form, form->hi, 1);
    check(lib->OCT(bounded_affine_image)(o->shape, var, low, high,
                                         number(lib, 1)));
    check(lib->delete_Linear_Expression(high));
  }
  check(lib->delete_Linear_Expression(low));
}

void hd_octagon_forget(hd_octagon *o, uint32_t var) {
  assert(var < o->n);
  check(o->lib->OCT(unconstrain_space_dimension)(o->shape, var));
}

bool hd_octagon_is_empty(const hd_octagon *o) {
  return check(o->lib->OCT(is_empty)(o->shape)) > 0;
}

bool hd_octagon_within(const hd_octagon *a, const hd_octagon *b) {
  assert(a->n == b->n);
  return check(a->lib->OCT(contains_Octagonal_Shape_mpz_class)(b->shape,
                                                               a->shape)) > 0;
}

void hd_octagon_join(hd_octagon *o, const hd_octagon *with) {
  assert(o->n == with->n);
  check(o->lib->OCT(upper_bound_assign)(o->shape, with->shape));
}

void hd_octagon_meet(hd_octagon *o, const hd_octagon *with) {
  assert(o->n == with->n);
  check(o->lib->OCT(intersection_assign)(o->shape, with->shape));
}

void hd_octagon_widen(hd_octagon *o, const hd_octagon *older) {
  assert(o->n == older->n && hd_octagon_within(older, o));
  check(o->lib->OCT(BHMZ05_widening_assign)(o->shape, older->shape));
}

bool hd_octagon_max(const hd_octagon *o, const hd_form *form, int64_t *max) {
  hd_octagons *lib = o->lib;
  ppl_Linear_Expression_t e = expression(o, form, form->hi, 1);
  int attained = 0;
  int bounded = check(
      lib->OCT(maximize)(o->shape, e, lib->number, lib->divisor, &attained));
  check(lib->delete_Linear_Expression(e));
  if (bounded <= 0)
    return false;
  mpz_t d;
  mpz_init(d);
  check(lib->Coefficient_to_mpz_t(lib->number, lib->z));
  check(lib->Coefficient_to_mpz_t(lib->divisor, d));
  mpz_fdiv_q(lib->z, lib->z, d); /* integer points only */
  mpz_clear(d);
  if (!mpz_fits_slong_p(lib->z))
    return false;
  *max = mpz_get_si(lib->z);
  return true;
}

void hd_octagon_extend(hd_octagon *o, uint32_t n) {
  check(o->lib->OCT(add_space_dimensions_and_embed)(o->shape, n));
  o->n += n;
}

void hd_octagon_rename(hd_octagon *o, const uint32_t *to) {
  ppl_dimension_type *maps = hd_calloc(o->n + 1, sizeof *maps);
  ppl_dimension_type none;
  check(o->lib->not_a_dimension(&none));
  uint32_t left = 0;
  for (uint32_t v = 0; v < o->n; v++) {
    left += to[v] != UINT32_MAX;
    maps[v] = to[v] == UINT32_MAX ? none : to[v];
  }
  check(o->lib->OCT(map_space_dimensions)(o->shape, maps, o->n));
  hd_free(maps);
  o->n = left;
}

void hd_octagon_append(hd_octagon *o, const hd_octagon *with) {
  check(o->lib->OCT(concatenate_assign)(o->shape, with->shape));
  o->n += with->n;
}

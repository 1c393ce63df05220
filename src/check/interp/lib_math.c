/* SPDX-License-Identifier: MIT */
/* Mathematics, by the host's library. */
#include "check/interp/lib.h"

#include "base/float.h"

#include <math.h>

static double f64(const hd_call *c, size_t i) {
  return hd_f64_value(hd_arg(c, i));
}

static float f32(const hd_call *c, size_t i) {
  return hd_f32_value(hd_arg(c, i));
}

static void return_f64(hd_call *c, double value) {
  hd_return(c, hd_f64_bits(value));
}

static void return_f32(hd_call *c, float value) {
  hd_return(c, hd_f32_bits(value));
}

/* clang-format off */
#define UNARY(X) \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(exp)  \
  X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(cbrt) X(floor)   \
  X(ceil) X(trunc) X(round) X(rint) X(nearbyint) X(fabs)   \
  X(roundeven)
#define BINARY(X) \
  X(atan2) X(pow) X(hypot) X(fmod) X(remainder) X(fmin) X(fmax) X(fdim)        \
  X(copysign)
#define UNARY_F(X) \
  X(sinf) X(cosf) X(tanf) X(expf) X(logf) X(sqrtf) X(floorf) X(ceilf)          \
  X(truncf) X(roundf) X(rintf) X(fabsf) X(asinf) X(acosf) X(atanf) X(sinhf)    \
  X(coshf) X(tanhf) X(exp2f) X(expm1f) X(log2f) X(log10f) X(log1pf) X(cbrtf)   \
  X(nearbyintf) X(roundevenf)
#define BINARY_F(X) X(powf) X(fmodf) X(fminf) X(fmaxf) X(copysignf)       \
  X(atan2f) X(hypotf) X(remainderf) X(fdimf)
/* clang-format on */

void hd_lib_math(hd_call *c) {
  switch (c->fn) {
#define X(name)                                                                \
  case HD_LIB_##name:                                                          \
    return_f64(c, (name)(f64(c, 0)));                                          \
    break;
    UNARY(X)
#undef X
#define X(name)                                                                \
  case HD_LIB_##name:                                                          \
    return_f64(c, (name)(f64(c, 0), f64(c, 1)));                               \
    break;
    BINARY(X)
#undef X
#define X(name)                                                                \
  case HD_LIB_##name:                                                          \
    return_f32(c, (name)(f32(c, 0)));                                          \
    break;
    UNARY_F(X)
#undef X
#define X(name)                                                                \
  case HD_LIB_##name:                                                          \
    return_f32(c, (name)(f32(c, 0), f32(c, 1)));                               \
    break;
    BINARY_F(X)
#undef X
  case HD_LIB_fma:
    return_f64(c, fma(f64(c, 0), f64(c, 1), f64(c, 2)));
    break;
  case HD_LIB_fmaf:
    return_f32(c, fmaf(f32(c, 0), f32(c, 1), f32(c, 2)));
    break;
  case HD_LIB_ldexpf:
    return_f32(c, ldexpf(f32(c, 0), (int)hd_arg_int(c, 1)));
    break;
  case HD_LIB_lroundf:
    hd_return(c, (uint64_t)lroundf(f32(c, 0)));
    break;
  case HD_LIB_lrintf:
    hd_return(c, (uint64_t)lrintf(f32(c, 0)));
    break;
  case HD_LIB_llround:
    hd_return(c, (uint64_t)llround(f64(c, 0)));
    break;
  case HD_LIB_llrint:
    hd_return(c, (uint64_t)llrint(f64(c, 0)));
    break;
  case HD_LIB_ldexp:
    return_f64(c, ldexp(f64(c, 0), (int)hd_arg_int(c, 1)));
    break;
  case HD_LIB_lround:
    hd_return(c, (uint64_t)lround(f64(c, 0)));
    break;
  case HD_LIB_lrint:
    hd_return(c, (uint64_t)lrint(f64(c, 0)));
    break;
  case HD_LIB___fpclassify:
    hd_return_int(c, fpclassify(f64(c, 0)));
    break;
  case HD_LIB___isnan:
    hd_return_int(c, isnan(f64(c, 0)));
    break;
  case HD_LIB___isinf:
    hd_return_int(c, isinf(f64(c, 0)));
    break;
  case HD_LIB___signbit:
    hd_return_int(c, signbit(f64(c, 0)) != 0);
    break;
  case HD_LIB___fpclassifyf:
    hd_return_int(c, fpclassify(f32(c, 0)));
    break;
  case HD_LIB___isnanf:
    hd_return_int(c, isnan(f32(c, 0)));
    break;
  case HD_LIB___isinff:
    hd_return_int(c, isinf(f32(c, 0)));
    break;
  case HD_LIB___signbitf:
    hd_return_int(c, signbit(f32(c, 0)) != 0);
    break;
  default:
    hd_call_unsupported(c, "this library function is not supported");
  }
}

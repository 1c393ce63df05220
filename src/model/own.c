/* SPDX-License-Identifier: MIT */
#include "model/own.h"

#include <string.h>

bool hd_code_pos_is_own(const hd_code *code, const hd_cpos *pos) {
  static const char models[] = "heddle/"; /* as heddle-cc calls the folder */
  return pos->file < code->files.size &&
         !strncmp(code->files.data[pos->file], models, sizeof models - 1);
}

bool hd_code_is_own(const hd_code *code, hd_func_id func) {
  return hd_code_pos_is_own(code, &code->funcs.data[func].pos);
}

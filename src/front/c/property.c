/* SPDX-License-Identifier: MIT */
#include "front/c/property.h"

#include <ctype.h>
#include <string.h>

bool hd_properties_list(const char *text, hd_properties *set, hd_str *why) {
  *set = 0;
  for (;;) {
    size_t n = strcspn(text, ",");
    hd_property p = hd_property_find(text, n);
    if (p < HD_PROPERTY_COUNT) {
      *set |= (hd_properties)1 << p;
    } else if (n == 3 && !memcmp(text, "all", 3)) {
      *set |=
          (((hd_properties)1 << HD_PROPERTY_COUNT) - 1) & ~HD_PROPERTIES_MPI;
    } else {
      hd_str_printf(why, "there is no property '%.*s'; there are", (int)n,
                    text);
      for (int i = 0; i < HD_PROPERTY_COUNT; i++)
        hd_str_printf(why, " %s,", hd_property_name((hd_property)i));
      hd_str_puts(why, " all; a file's name ends in .prp");
      return false;
    }
    if (!text[n])
      return true;
    text += n + 1;
  }
}

/* What stands between LTL( and ), without blanks. */
static const struct {
  const char *formula;
  hd_properties set;
} formulas[] = {
    {"G!call(reach_error())", 1u << HD_PROPERTY_ASSERT},
    {"G!call(__VERIFIER_error())", 1u << HD_PROPERTY_ASSERT},
    {"Gassert", 1u << HD_PROPERTY_ASSERT},
    {"G!data-race", 1u << HD_PROPERTY_RACE},
    {"G!overflow", 1u << HD_PROPERTY_OVERFLOW},
    {"G!deadlock", 1u << HD_PROPERTY_DEADLOCK},
    {"Gno-deadlock", 1u << HD_PROPERTY_DEADLOCK},
    {"Gvalid-free", 1u << HD_PROPERTY_MEMORY},
    {"Gvalid-deref", 1u << HD_PROPERTY_MEMORY},
    {"Gvalid-memtrack", 1u << HD_PROPERTY_LEAK},
};

static void refuse(const hd_source *source, hd_pos pos, const char *formula,
                   hd_diag *diag) {
  if (!strcmp(formula, "Fend"))
    hd_diag_error(diag, source, pos,
                  "termination ('F end') is a property that heddle does not "
                  "check");
  else if (!strcmp(formula, "Gvalid-memcleanup"))
    hd_diag_error(diag, source, pos,
                  "that all memory is freed ('G valid-memcleanup') is a "
                  "property that heddle does not check; G valid-memtrack is "
                  "about memory that cannot be freed any more");
  else
    hd_diag_error(diag, source, pos,
                  "this property is not known; expected e.g. G ! "
                  "call(reach_error()), G ! data-race, G ! overflow, G "
                  "valid-deref");
}

/* One line without blanks: CHECK(init(main()),LTL(…)) */
static void take_line(const char *line, const hd_source *source, hd_pos pos,
                      hd_properties *set, hd_diag *diag) {
  static const char begin[] = "CHECK(init(main()),LTL(";
  size_t n = strlen(line);
  if (!strncmp(line, "CHECK(init(", 11) &&
      strncmp(line, "CHECK(init(main()),", 19)) {
    hd_diag_error(diag, source, pos, "expected the entry init(main())");
    return;
  }
  if (strncmp(line, begin, strlen(begin)) || n < strlen(begin) + 2 ||
      strcmp(line + n - 2, "))")) {
    hd_diag_error(diag, source, pos,
                  "expected CHECK( init(main()), LTL(FORMULA) )");
    return;
  }
  char *formula = hd_strndup(line + strlen(begin), n - 2 - strlen(begin));
  bool known = false;
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas && !known; i++)
    if (!strcmp(formula, formulas[i].formula)) {
      *set |= formulas[i].set;
      known = true;
    }
  if (!known)
    refuse(source, pos, formula, diag);
  hd_free(formula);
}

bool hd_properties_prp(const hd_source *source, hd_properties *set,
                       hd_diag *diag) {
  size_t errors = hd_diag_errors(diag);
  uint32_t number = 1;
  *set = 0;
  hd_str line = {0};
  for (size_t i = 0; i <= source->size && !hd_diag_full(diag); i++) {
    char c = i < source->size ? source->text[i] : '\n';
    if (c != '\n') {
      if (!isspace((unsigned char)c))
        hd_str_append(&line, c ? &c : "?", 1);
      continue;
    }
    if (line.size)
      take_line(hd_str_text(&line), source, (hd_pos){.line = number}, set,
                diag);
    hd_vec_clear(&line);
    number++;
  }
  hd_str_free(&line);
  if (hd_diag_errors(diag) == errors && !*set)
    hd_diag_file_error(diag, source->name, "no property in it");
  return hd_diag_errors(diag) == errors && *set;
}

/* SPDX-License-Identifier: MIT */
/* Writing evidence. Everything a checker needs comes first on a line; what is
 * only for people follows as a comment. */
#include "front/evidence/evidence.h"
#include "front/evidence/labels.h"
#include "front/evidence/walk.h"

#include <inttypes.h>

enum { COMMENT_COLUMN = 12, SHOWN_PLACES = 40 };

/* --- pieces --- */

static void put_number(hd_str *out, uint64_t value) {
  char digits[20], *end = digits + sizeof digits, *start = end;
  do
    *--start = (char)('0' + value % 10);
  while (value /= 10);
  hd_str_append(out, start, (size_t)(end - start));
}

static void put_count(hd_str *out, hd_count count) {
  if (count == HD_OMEGA)
    hd_str_puts(out, "w");
  else
    put_number(out, count);
}

/* ` p q=2`: a count of one goes without saying. */
static void put_tokens(hd_str *out, const hd_labels *places, hd_tokens v) {
  for (size_t i = 0; i < v.size; i++) {
    hd_str_puts(out, " ");
    hd_labels_put(places, out, v.data[i].place);
    if (v.data[i].count == 1)
      continue;
    hd_str_puts(out, "=");
    put_count(out, v.data[i].count);
  }
}

/* Ends the line that began at byte `start` with a comment. Names may have any
 * bytes; a comment ends where its line does. */
static void end_line(hd_str *out, size_t start, const hd_str *comment) {
  for (size_t column = out->size - start; column < COMMENT_COLUMN; column++)
    hd_str_puts(out, " ");
  hd_str_puts(out, " # ");
  for (size_t i = 0; i < comment->size; i++) {
    char c = comment->data[i];
    hd_str_append(out, (unsigned char)c < 32 || c == 127 ? "?" : &c, 1);
  }
  hd_str_puts(out, "\n");
}

static void put_head(hd_str *out, const hd_net *net, const char *what) {
  hd_str_printf(out, "heddle %s 1\n", what);
  size_t start = out->size;
  hd_str_printf(out, "model shared %u places %u transitions %zu", net->n_shared,
                net->n_places, net->trans.size);
  if (net->built)
    hd_str_printf(out, " built %s", net->built);
  hd_str file = {0};
  hd_str_puts(&file, net->file);
  end_line(out, start, &file);
  hd_str_free(&file);
}

/* --- witness --- */

static void say_config(hd_str *out, const hd_net *net, hd_shared_id s,
                       hd_tokens v) {
  if (v.size > SHOWN_PLACES)
    hd_str_printf(out, "(%zu places have tokens)", v.size);
  else
    hd_net_print_config(out, net, s, v);
}

static void say_walk(hd_str *out, const hd_walk *walk) {
  if (walk->lost)
    hd_str_puts(out, "(not known)");
  else
    say_config(out, walk->net, walk->shared, hd_token_vec_view(&walk->marking));
}

static void put_target(hd_str *out, const hd_net *net, uint32_t index) {
  size_t start = out->size;
  hd_str comment = {0};
  hd_str_printf(out, "target %u", index);
  if (index < net->targets.size) {
    const hd_target *target = &net->targets.data[index];
    hd_tokens caps = hd_net_view(net, target->caps);
    say_config(&comment, net, target->shared, hd_net_view(net, target->need));
    for (size_t i = 0; i < caps.size; i++) {
      hd_str_puts(&comment, ", ");
      hd_net_print_place(&comment, net, caps.data[i].place);
      hd_str_printf(&comment, "<=%u", caps.data[i].count);
    }
  }
  end_line(out, start, &comment);
  hd_str_free(&comment);
}

static void put_init(hd_str *out, const hd_labels *places,
                     const hd_walk *walk) {
  size_t start = out->size;
  hd_str comment = {0};
  hd_str_puts(out, "init");
  put_tokens(out, places, hd_token_vec_view(&walk->witness->init));
  say_walk(&comment, walk);
  end_line(out, start, &comment);
  hd_str_free(&comment);
}

/* NULL where there are none, or none that exist. */
static const hd_choice *choices_of(const hd_witness *witness,
                                   const hd_step *step) {
  if (!step->choices.size ||
      (uint64_t)step->choices.start + step->choices.size >
          witness->choices.size)
    return NULL;
  return witness->choices.data + step->choices.start;
}

static bool same_step(const hd_witness *witness, const hd_step *a,
                      const hd_step *b) {
  if (a->trans != b->trans || a->choices.size != b->choices.size)
    return false;
  if (!a->choices.size)
    return true;
  const hd_choice *x = choices_of(witness, a), *y = choices_of(witness, b);
  for (uint32_t i = 0; x && y && i < a->choices.size; i++)
    if (x[i].from != y[i].from || x[i].to != y[i].to ||
        x[i].count != y[i].count)
      return false;
  return x && y;
}

static void put_choices(hd_str *out, const hd_labels *places,
                        const hd_witness *witness, const hd_step *step) {
  const hd_choice *choices = choices_of(witness, step);
  if (!choices)
    return;
  hd_str_puts(out, " :");
  for (uint32_t i = 0; i < step->choices.size; i++) {
    hd_str_puts(out, " ");
    hd_labels_put(places, out, choices[i].from);
    hd_str_puts(out, ">");
    if (choices[i].to == HD_NOWHERE)
      hd_str_puts(out, "@nowhere");
    else
      hd_labels_put(places, out, choices[i].to);
    hd_str_puts(out, "=");
    put_count(out, choices[i].count);
  }
}

/* `times` equal steps, of which the walk has taken all. */
static void put_steps(hd_str *out, const hd_labels *places, const hd_walk *walk,
                      const hd_step *step, size_t times) {
  const hd_net *net = walk->net;
  size_t start = out->size;
  hd_str comment = {0};
  hd_str_puts(out, "t");
  put_number(out, step->trans);
  if (times > 1)
    hd_str_printf(out, " x %zu", times);
  put_choices(out, places, walk->witness, step);
  if (step->trans < net->trans.size) {
    hd_net_print_trans(&comment, net, step->trans);
    if (net->trans.data[step->trans].line)
      hd_str_printf(&comment, " (line %u)", net->trans.data[step->trans].line);
  }
  hd_str_puts(&comment, "  =>  ");
  say_walk(&comment, walk);
  end_line(out, start, &comment);
  hd_str_free(&comment);
}

void hd_evidence_print_witness(hd_str *out, const hd_net *net,
                               const hd_witness *witness) {
  hd_labels *places = hd_labels_of_places(net);
  hd_walk walk;
  hd_walk_start(&walk, net, witness);
  put_head(out, net, "witness");
  put_target(out, net, witness->target);
  put_init(out, places, &walk);
  hd_str_printf(out, "steps %zu\n", witness->steps.size);
  for (size_t i = 0, next; i < witness->steps.size; i = next) {
    const hd_step *step = &witness->steps.data[i];
    for (next = i; next < witness->steps.size; next++) {
      if (!same_step(witness, step, &witness->steps.data[next]))
        break;
      hd_walk_step(&walk, step);
    }
    if (next == i) { /* a step with choices from nowhere equals nothing */
      hd_walk_step(&walk, step);
      next++;
    }
    put_steps(out, places, &walk, step, next - i);
  }
  hd_str_puts(out, "end\n");
  hd_walk_free(&walk);
  hd_labels_delete(places);
}

/* --- certificate --- */

typedef struct {
  hd_str *out;
  const hd_cert *cert;
  hd_labels *shared, *places; /* of the (split) net */
} cert_printer;

static void put_shared(const cert_printer *p, hd_shared_id id) {
  hd_labels_put(p->shared, p->out, id);
}

static void put_place(const cert_printer *p, hd_place_id id) {
  hd_labels_put(p->places, p->out, id);
}

static void put_places(const cert_printer *p, const char *what,
                       const hd_u32s *list) {
  hd_str_puts(p->out, what);
  for (size_t i = 0; i < list->size; i++) {
    hd_str_puts(p->out, " ");
    hd_labels_put(p->places, p->out, list->data[i]);
  }
  hd_str_puts(p->out, "\n");
}

static void put_rows(const cert_printer *p) {
  uint32_t rows = 0;
  for (uint32_t s = 0; s < p->cert->n_shared; s++)
    rows += p->cert->rows[s] != NULL;
  hd_str_printf(p->out, "rows %u\n", rows);
  for (uint32_t s = 0; s < p->cert->n_shared; s++) {
    const uint64_t *row = p->cert->rows[s];
    size_t n = p->cert->n_places;
    if (!row)
      continue;
    put_shared(p, s);
    hd_str_puts(p->out, " |");
    for (size_t i = hd_bits_next(row, n, 0); i < n;
         i = hd_bits_next(row, n, i + 1)) {
      hd_str_puts(p->out, " ");
      hd_labels_put(p->places, p->out, (uint32_t)i);
    }
    hd_str_puts(p->out, "\n");
  }
}

/* ` s=3` for all that are not zero. */
static void put_coefficients(const cert_printer *p, const char *what,
                             void (*put)(const cert_printer *, uint32_t),
                             const int64_t *values, uint32_t n) {
  hd_str_puts(p->out, what);
  for (uint32_t i = 0; i < n; i++) {
    if (!values[i])
      continue;
    hd_str_puts(p->out, " ");
    put(p, i);
    hd_str_printf(p->out, "=%" PRId64, values[i]);
  }
  hd_str_puts(p->out, "\n");
}

static void put_bits(const cert_printer *p,
                     void (*put)(const cert_printer *, uint32_t),
                     const uint64_t *bits, size_t n) {
  for (size_t i = bits ? hd_bits_next(bits, n, 0) : n; i < n;
       i = hd_bits_next(bits, n, i + 1)) {
    put(p, (uint32_t)i);
    hd_str_puts(p->out, " ");
  }
}

/* `trap s | p q` */
static void put_trap(const cert_printer *p, const hd_trap *trap) {
  hd_str_puts(p->out, "trap ");
  put_bits(p, put_shared, trap->shared, p->cert->n_shared);
  hd_str_puts(p->out, "| ");
  put_bits(p, put_place, trap->places, p->cert->n_places);
  p->out->size--; /* the blank after the last word */
  hd_str_puts(p->out, "\n");
}

/* Traps are numbered as they are written. */
static void put_uses(const cert_printer *p, hd_range range,
                     const uint32_t *number) {
  const hd_cert *cert = p->cert;
  if (!range.size || (uint64_t)range.start + range.size > cert->trap_uses.size)
    return;
  hd_str_puts(p->out, "uses");
  for (uint32_t i = 0; i < range.size; i++) {
    hd_trap_use use = cert->trap_uses.data[range.start + i];
    hd_str_printf(p->out, " %u=%" PRId64,
                  use.trap < cert->traps.size ? number[use.trap] : 0,
                  use.times);
  }
  hd_str_puts(p->out, "\n");
}

static void put_linear(const cert_printer *p, const hd_linear *linear,
                       const uint32_t *number) {
  hd_str_puts(p->out, "linear\n");
  if (linear->potential)
    put_coefficients(p, "potential", put_shared, linear->potential,
                     p->cert->n_shared);
  if (linear->weight)
    put_coefficients(p, "weight", put_place, linear->weight, p->cert->n_places);
  put_uses(p, linear->traps, number);
  hd_str_printf(p->out, "bound %" PRId64 "\n", linear->bound);
}

/* Inequalities, each after the traps of its stage. */
static void put_invariants(const cert_printer *p) {
  const hd_cert *cert = p->cert;
  uint32_t *number = hd_calloc(cert->traps.size, sizeof *number), written = 0;
  for (size_t i = 0; i <= cert->linear.size; i++) {
    for (size_t k = 0; k < cert->traps.size; k++) {
      const hd_trap *trap = &cert->traps.data[k];
      if (trap->stage == i || (i == cert->linear.size && trap->stage > i)) {
        put_trap(p, trap);
        number[k] = ++written;
      }
    }
    if (i < cert->linear.size)
      put_linear(p, &cert->linear.data[i], number);
  }
  hd_free(number);
}

static void put_configs(const cert_printer *p) {
  const hd_cert *cert = p->cert;
  hd_str_printf(p->out, "%s %zu\n",
                cert->kind == HD_CERT_COVER ? "cover" : "basis",
                cert->configs.size);
  for (hd_vec_each(const hd_config, c, &cert->configs)) {
    put_shared(p, c->shared);
    hd_str_puts(p->out, " |");
    put_tokens(p->out, p->places, hd_cert_view(cert, c));
    hd_str_puts(p->out, "\n");
  }
}

void hd_evidence_print_cert(hd_str *out, const hd_net *net,
                            const hd_cert *cert) {
  cert_printer p = {.out = out, .cert = cert};
  p.places = hd_labels_of_places(net);
  p.shared = hd_labels_of_shared(net, &cert->control);
  put_head(out, net, "certificate");
  hd_str_printf(out, "kind %s\n",
                cert->kind == HD_CERT_COVER ? "cover" : "backward");
  if (cert->control.size)
    put_places(&p, "control", &cert->control);
  if (cert->rows)
    put_rows(&p);
  put_invariants(&p);
  if (cert->ignored.size)
    put_places(&p, "ignored", &cert->ignored);
  if (cert->configs.size)
    put_configs(&p);
  hd_str_puts(out, "end\n");
  hd_labels_delete(p.places);
  hd_labels_delete(p.shared);
}

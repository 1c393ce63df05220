/* SPDX-License-Identifier: MIT */
/* The text form of evidence: what is printed reads back the same, and what is
 * not evidence is refused at the right place. */
#include "random_util.h"

#include "front/evidence/evidence.h"

/* --- helpers --- */

static char *text_of_witness(const hd_net *net, const hd_witness *w) {
  hd_str out = {0};
  hd_evidence_print_witness(&out, net, w);
  return hd_str_take(&out);
}

static char *text_of_cert(const hd_net *net, const hd_cert *c) {
  hd_str out = {0};
  hd_evidence_print_cert(&out, net, c);
  return hd_str_take(&out);
}

/* Reads `text`; with `message` it must fail with exactly this first line of
 * diagnostics, else it must succeed. */
static bench parse_sized(hd_net *net, const char *text, size_t size,
                         const char *message) {
  bench b = {.net = net};
  hd_source source = hd_source_from_text("e", text, size);
  hd_diag *diag = hd_diag_new();
  bool ok = hd_evidence_parse(&source, net, &b.w, &b.c, diag);
  char *said;
  size_t length;
  FILE *out = open_memstream(&said, &length);
  hd_diag_print(diag, out, false);
  fclose(out);
  if (strchr(said, '\n'))
    *strchr(said, '\n') = 0;
  assert_string_equal(said, message ? message : "");
  assert_int_equal(ok, !message);
  assert_int_equal((b.w != NULL) + (b.c != NULL), ok);
  free(said);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return b;
}

static bench parse(hd_net *net, const char *text, const char *message) {
  return parse_sized(net, text, strlen(text), message);
}

static void assert_same_tokens(hd_tokens a, hd_tokens b) {
  assert_int_equal(a.size, b.size);
  for (size_t i = 0; i < a.size; i++) {
    assert_int_equal(a.data[i].place, b.data[i].place);
    assert_int_equal(a.data[i].count, b.data[i].count);
  }
}

static void assert_same_witness(const hd_witness *a, const hd_witness *b) {
  assert_same_tokens(hd_token_vec_view(&a->init), hd_token_vec_view(&b->init));
  assert_int_equal(a->target, b->target);
  assert_int_equal(a->steps.size, b->steps.size);
  for (size_t i = 0; i < a->steps.size; i++) {
    hd_step s = a->steps.data[i], t = b->steps.data[i];
    assert_int_equal(s.trans, t.trans);
    assert_int_equal(s.choices.size, t.choices.size);
    for (uint32_t k = 0; k < s.choices.size; k++) {
      hd_choice c = a->choices.data[s.choices.start + k];
      hd_choice d = b->choices.data[t.choices.start + k];
      assert_int_equal(c.from, d.from);
      assert_int_equal(c.to, d.to);
      assert_int_equal(c.count, d.count);
    }
  }
}

static void assert_same_list(const hd_u32s *a, const hd_u32s *b) {
  assert_int_equal(a->size, b->size);
  for (size_t i = 0; i < a->size; i++)
    assert_int_equal(a->data[i], b->data[i]);
}

static void assert_same_numbers(const int64_t *a, const int64_t *b,
                                uint32_t n) {
  assert_int_equal(a == NULL, b == NULL);
  for (uint32_t i = 0; a && i < n; i++)
    assert_true(a[i] == b[i]);
}

static void assert_same_rows(const hd_cert *a, const hd_cert *b) {
  assert_int_equal(a->rows == NULL, b->rows == NULL);
  for (uint32_t s = 0; a->rows && s < a->n_shared; s++) {
    assert_int_equal(a->rows[s] == NULL, b->rows[s] == NULL);
    for (uint32_t p = 0; a->rows[s] && p < a->n_places; p++)
      assert_int_equal(hd_bits_test(a->rows[s], p),
                       hd_bits_test(b->rows[s], p));
  }
}

static void assert_same_traps(const hd_cert *a, const hd_cert *b) {
  assert_int_equal(a->traps.size, b->traps.size);
  for (size_t i = 0; i < a->traps.size; i++) {
    const hd_trap *t = &a->traps.data[i], *u = &b->traps.data[i];
    assert_int_equal(t->stage, u->stage);
    for (uint32_t p = 0; p < a->n_places; p++)
      assert_int_equal(hd_bits_test(t->places, p), hd_bits_test(u->places, p));
    for (uint32_t s = 0; s < a->n_shared; s++)
      assert_int_equal(hd_bits_test(t->shared, s), hd_bits_test(u->shared, s));
  }
  for (size_t i = 0; i < a->linear.size; i++) {
    hd_range r = a->linear.data[i].traps, s = b->linear.data[i].traps;
    assert_int_equal(r.size, s.size);
    for (uint32_t k = 0; k < r.size; k++) {
      hd_trap_use u = a->trap_uses.data[r.start + k];
      hd_trap_use v = b->trap_uses.data[s.start + k];
      assert_int_equal(u.trap, v.trap);
      assert_true(u.times == v.times);
    }
  }
}

static void assert_same_cert(const hd_cert *a, const hd_cert *b) {
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->n_shared, b->n_shared);
  assert_int_equal(a->n_places, b->n_places);
  assert_same_list(&a->control, &b->control);
  assert_same_list(&a->ignored, &b->ignored);
  assert_same_rows(a, b);
  assert_int_equal(a->linear.size, b->linear.size);
  for (size_t i = 0; i < a->linear.size; i++) {
    const hd_linear *l = &a->linear.data[i], *m = &b->linear.data[i];
    assert_true(l->bound == m->bound);
    assert_same_numbers(l->potential, m->potential, a->n_shared);
    assert_same_numbers(l->weight, m->weight, a->n_places);
  }
  assert_same_traps(a, b);
  assert_int_equal(a->configs.size, b->configs.size);
  for (size_t i = 0; i < a->configs.size; i++) {
    const hd_config *c = &a->configs.data[i], *d = &b->configs.data[i];
    assert_int_equal(c->shared, d->shared);
    assert_same_tokens(hd_cert_view(a, c), hd_cert_view(b, d));
  }
}

/* Prints and reads back; frees everything. */
static void round_trip(bench b) {
  char *text = b.w ? text_of_witness(b.net, b.w) : text_of_cert(b.net, b.c);
  bench back = parse(b.net, text, NULL);
  if (b.w)
    assert_same_witness(b.w, back.w);
  else
    assert_same_cert(b.c, back.c);
  hd_free(text);
  back.net = NULL;
  done(back);
  done(b);
}

static hd_net *figure(void) {
  return make_net(7, 5, FIGURE "g 6 3; g 6 4");
}

static hd_net *small(void) {
  return make_net(2, 3, "m 0 0 w; t 0 1 -0 +1; t 0 0 0>1 0>2 0>!; g 1 1");
}

#define HEAD(what) "heddle " what " 1\nmodel shared 2 places 3 transitions 2\n"

/* Parses a body after the head; `line` counts from the head's first line. */
static void refuse_body(const char *what, const char *body,
                        const char *message) {
  char text[1000];
  snprintf(text, sizeof text,
           "heddle %s 1\nmodel shared 2 places 3 transitions 2\n%s", what,
           body);
  bench b = parse(small(), text, message);
  done(b);
}

#define refuse_witness_text(body, message) refuse_body("witness", body, message)
#define refuse_cert_text(body, message)                                        \
  refuse_body("certificate", body, message)

/* --- what it looks like --- */

static void print_witness(void **state) {
  bench b = with_witness(figure(), "0*7", "0 1 2 3 1 2 3 1 2 4 5 6");
  char *text = text_of_witness(b.net, b.w);
  assert_string_equal(text,
                      "heddle witness 1\n"
                      "model shared 7 places 5 transitions 7 # test.tts\n"
                      "target 0     # 6|3\n"
                      "init 0=7     # 0|0*7\n"
                      "steps 12\n"
                      "t0           # 0 0 -> 1 1 (line 2)  =>  1|0*6,1\n"
                      "t1           # 1 0 -> 2 1 (line 3)  =>  2|0*5,1,1\n"
                      "t2           # 2 0 -> 3 1 (line 4)  =>  3|0*4,1,1,1\n"
                      "t3           # 3 1 -> 1 2 (line 5)  =>  1|0*4,1,1,2\n"
                      "t1           # 1 0 -> 2 1 (line 3)  =>  "
                      "2|0,0,0,1,1,1,2\n"
                      "t2           # 2 0 -> 3 1 (line 4)  =>  3|0,0,1*4,2\n"
                      "t3           # 3 1 -> 1 2 (line 5)  =>  "
                      "1|0,0,1,1,1,2,2\n"
                      "t1           # 1 0 -> 2 1 (line 3)  =>  2|0,1*4,2,2\n"
                      "t2           # 2 0 -> 3 1 (line 4)  =>  3|1*5,2,2\n"
                      "t4           # 3 2 -> 4 3 (line 6)  =>  4|1*5,2,3\n"
                      "t5           # 4 2 -> 5 4 (line 7)  =>  5|1*5,3,4\n"
                      "t6           # 5 4 -> 6 3 (line 8)  =>  6|1*5,3,3\n"
                      "end\n");
  hd_free(text);
  round_trip(b);
}

static void print_witness_with_choices(void **state) {
  bench b = with_witness(small(), "0*3", "1");
  add_choice(b.w, 0, 1, 2);
  add_choice(b.w, 0, HD_NOWHERE, 1);
  hd_vec_push(&b.w->steps, ((hd_step){.trans = 1}));
  hd_vec_push(&b.w->steps, ((hd_step){.trans = 1}));
  char *text = text_of_witness(b.net, b.w);
  assert_non_null(strstr(text, "steps 3\nt1 : 0>1=2 0>@nowhere=1 # "));
  assert_non_null(strstr(text, "=>  0|1,1\nt1 x 2       # "));
  hd_free(text);
  round_trip(b);
}

static void print_certificate(void **state) {
  bench b = with_backward(small());
  add_row(b.c, 0, "0 2");
  add_row(b.c, 1, "");
  add_linear(b.c, -3, "0 4", "1 0 2");
  add_config(b.c, 1, "0 1*2");
  add_config(b.c, 0, "");
  char *text = text_of_cert(b.net, b.c);
  assert_string_equal(text, "heddle certificate 1\n"
                            "model shared 2 places 3 transitions 2 # test.tts\n"
                            "kind backward\n"
                            "rows 2\n"
                            "0 | 0 2\n"
                            "1 |\n"
                            "linear\n"
                            "potential 1=4\n"
                            "weight 0=1 2=2\n"
                            "bound -3\n"
                            "basis 2\n"
                            "1 | 0 1=2\n"
                            "0 |\n"
                            "end\n");
  hd_free(text);
  round_trip(b);
}

static void print_traps(void **state) {
  bench b = with_backward(small());
  hd_trap *trap = hd_cert_add_trap(b.c);
  hd_bits_set(trap->shared, 1);
  hd_bits_set(trap->places, 0);
  hd_bits_set(trap->places, 2);
  add_linear(b.c, 1, NULL, "0 0 1");
  hd_cert_add_trap(b.c);
  add_linear(b.c, 2, NULL, "0 1 0");
  hd_vec_push(&b.c->trap_uses, ((hd_trap_use){.trap = 1, .times = 7}));
  hd_vec_push(&b.c->trap_uses, ((hd_trap_use){.trap = 0, .times = 1}));
  b.c->linear.data[1].traps = (hd_range){.start = 0, .size = 2};
  char *text = text_of_cert(b.net, b.c);
  assert_non_null(strstr(text, "kind backward\n"
                               "trap 1 | 0 2\n"
                               "linear\npotential\nweight 2=1\nbound 1\n"
                               "trap |\n"
                               "linear\npotential\nweight 1=1\nuses 2=7 1=1\n"
                               "bound 2\n"
                               "end\n"));
  hd_free(text);
  round_trip(b);
}

/* A trap that is out of order is written where its stage is. */
static void print_traps_by_stage(void **state) {
  bench b = with_backward(small());
  for (hd_place_id p = 0; p < 2; p++)
    hd_bits_set(hd_cert_add_trap(b.c)->places, p);
  b.c->traps.data[0].stage = 1;
  add_linear(b.c, 1, NULL, "0 0 1");
  hd_vec_push(&b.c->trap_uses, ((hd_trap_use){.trap = 1, .times = 2}));
  b.c->linear.data[0].traps = (hd_range){.size = 1};
  char *text = text_of_cert(b.net, b.c);
  assert_non_null(strstr(text, "trap | 1\nlinear\npotential\nweight 2=1\n"
                               "uses 1=2\nbound 1\ntrap | 0\nend\n"));
  hd_free(text);
  done(b);
}

static void print_cover(void **state) {
  bench b = with_cover(small());
  add_config(b.c, 1, "0*w 1 2*7");
  hd_vec_push(&b.c->ignored, 0);
  hd_vec_push(&b.c->ignored, 2);
  char *text = text_of_cert(b.net, b.c);
  assert_string_equal(text, "heddle certificate 1\n"
                            "model shared 2 places 3 transitions 2 # test.tts\n"
                            "kind cover\n"
                            "ignored 0 2\n"
                            "cover 1\n"
                            "1 | 0=w 1 2=7\n"
                            "end\n");
  hd_free(text);
  round_trip(b);
}

static void print_split_certificate(void **state) {
  hd_net *net = make_net(1, 3, "m 0 1 1; t 0 0 -0 +1; g 0 0");
  hd_net_name_place(net, 0, "free");
  hd_net_name_place(net, 1, "held");
  hd_net_name_place(net, 2, "in use");
  bench b = {.net = net, .c = hd_cert_new(HD_CERT_BACKWARD, 2, 3)};
  hd_vec_push(&b.c->control, 1);
  hd_vec_push(&b.c->control, 0);
  add_config(b.c, 0, "2");
  add_config(b.c, 1, "2*2");
  add_row(b.c, 1, "2");
  char *text = text_of_cert(b.net, b.c);
  assert_non_null(strstr(text, "control held free\n"
                               "rows 1\n"
                               "free | \"in use\"\n"
                               "basis 2\n"
                               "held | \"in use\"\n"
                               "free | \"in use\"=2\n"));
  hd_free(text);
  round_trip(b);
}

static void print_missing_potential(void **state) {
  bench b = with_backward(small());
  add_linear(b.c, 0, NULL, "0 0 0");
  char *text = text_of_cert(b.net, b.c);
  assert_non_null(strstr(text, "linear\npotential\nweight\nbound 0\n"));
  hd_free(text);
  hd_free(b.c->linear.data[0].potential);
  b.c->linear.data[0].potential = NULL;
  text = text_of_cert(b.net, b.c);
  assert_non_null(strstr(text, "linear\nweight\nbound 0\n"));
  hd_free(text);
  round_trip(b);
}

static void print_states_that_do_not_exist(void **state) {
  bench b = with_backward(small());
  add_config(b.c, 77, "99");
  char *text = text_of_cert(b.net, b.c);
  assert_non_null(strstr(text, "@77 | @99\n"));
  hd_free(text);
  done(b);
}

static void print_impossible_witness(void **state) {
  bench b = with_witness(small(), "0", "0 0 9");
  b.w->steps.data[0].choices = (hd_range){.start = 5, .size = 5};
  b.w->target = 3;
  char *text = text_of_witness(b.net, b.w);
  assert_non_null(strstr(text, "t0           # 0 0 -> 1 1 (line 2)  =>  (not "
                               "known)\n"));
  assert_non_null(strstr(text, "t9 "));
  hd_free(text);
  done(b);
}

static void print_long_configurations_short(void **state) {
  hd_net *net = make_net(1, 50, "t 0 0 +0; g 0 0");
  bench b = with_witness(net, "", "0");
  for (hd_place_id p = 0; p < 50; p++)
    hd_vec_push(&b.w->init, ((hd_token){.place = p, .count = 1}));
  char *text = text_of_witness(b.net, b.w);
  assert_non_null(strstr(text, "(50 places have tokens)"));
  hd_free(text);
  round_trip(b);
}

/* --- names --- */

static hd_net *odd_names(void) {
  static const char *const names[] = {
      "a b",  "a",    "a#b",  "\"q\"", "x=y", "\\n",     "",   "\n\t\x7f",
      "@3",   "p|q",  "w",    "x",     "end", "3",       "t0", "ö",
      "same", "same", "two>", "a:b",   "=",   "@nowhere"};
  uint32_t n = sizeof names / sizeof *names;
  hd_net *net = make_net(n, n, "t 0 1 -0 0>1 0>2 0>! +1; t 1 0 0>3 0>4; g 1 1");
  for (uint32_t i = 0; i < n; i++) {
    hd_net_name_place(net, i, names[i]);
    hd_net_name_shared(net, n - 1 - i, names[i]);
  }
  return net;
}

static void names_in_witness(void **state) {
  bench b = with_witness(odd_names(), "", "0 1");
  for (hd_place_id p = 0; p < b.net->n_places; p++)
    hd_vec_push(&b.w->init, ((hd_token){.place = p, .count = p + 1}));
  for (hd_place_id p = 0; p + 1 < b.net->n_places; p++)
    add_choice(b.w, p, p + 1, 3);
  add_choice(b.w, 8, HD_NOWHERE, 3);
  round_trip(b);
}

static void names_in_certificate(void **state) {
  bench b = with_cover(odd_names());
  hd_cert_add_rows(b.c);
  for (uint32_t i = 0; i < b.net->n_places; i++) {
    hd_bits_set(hd_cert_row(b.c, i), i);
    hd_token t[2] = {{i, HD_OMEGA}, {i + 1, i + 1}};
    hd_cert_add_config(b.c, i, (hd_tokens){t, i + 1 < b.net->n_places ? 2 : 1});
    hd_vec_push(&b.c->ignored, i);
  }
  add_linear(b.c, 7, NULL, "");
  for (uint32_t i = 0; i < b.net->n_places; i++)
    b.c->linear.data[0].weight[i] = b.c->linear.data[0].potential[i] = i - 5;
  round_trip(b);
}

static void names_are_quoted_when_needed(void **state) {
  bench b = with_cover(odd_names());
  for (hd_place_id p = 0; p < b.net->n_places; p++)
    hd_vec_push(&b.c->ignored, p);
  char *text = text_of_cert(b.net, b.c);
  assert_non_null(
      strstr(text, "ignored \"a b\" a \"a#b\" \"\\\"q\\\"\" \"x=y\" \"\\\\n\" "
                   "\"\" \"\\x0a\\x09\\x7f\" \"@3\" \"p|q\" w x end 3 t0 \"ö\" "
                   "@16 @17 \"two>\" \"a:b\" \"=\" \"@nowhere\"\n"));
  hd_free(text);
  done(b);
}

/* A name that could be bare may be quoted, any state may be numbered. */
static void names_may_be_written_otherwise(void **state) {
  bench b = parse(small(),
                  HEAD("certificate") "kind backward\n"
                                      "basis 1\n\"1\" | @2 \"\\x30\"=2\nend\n",
                  NULL);
  assert_int_equal(b.c->configs.data[0].shared, 1);
  hd_tokens v = hd_cert_view(b.c, &b.c->configs.data[0]);
  assert_int_equal(v.size, 2);
  assert_int_equal(v.data[0].count, 2);
  assert_int_equal(v.data[1].place, 2);
  done(b);
}

static void names_shared_by_two_places(void **state) {
  hd_net *net = make_net(1, 2, "g 0");
  hd_net_name_place(net, 0, "p");
  hd_net_name_place(net, 1, "p");
  done(parse(net,
             "heddle witness 1\nmodel shared 1 places 2 transitions 0\n"
             "target 0\ninit p\nsteps 0\nend\n",
             "e:4:6: error: more than one place has the name p: write @ and "
             "its number"));
}

static void comment_of_any_name_stays_on_its_line(void **state) {
  hd_net *net = make_net(1, 1, "m 0 0 w; g 0 0");
  hd_net_name_place(net, 0, "a\nend\n#");
  bench b = with_witness(net, "0", "");
  round_trip(b);
}

/* --- reading --- */

static void parse_is_free_in_layout(void **state) {
  bench b = parse(small(),
                  "# a comment\n\n  heddle\twitness 1 # more\r\n\n"
                  "model shared 2  places 3 transitions 2\n"
                  "target 0\ninit   2 0 = 3# no blank\n\n"
                  "steps 3\nt0 x 2\n\n#\nt1:0>1=1 0 > @nowhere\nend",
                  NULL);
  assert_int_equal(b.w->init.size, 2);
  assert_int_equal(b.w->init.data[0].count, 3);
  assert_int_equal(b.w->steps.size, 3);
  assert_int_equal(b.w->steps.data[2].choices.size, 2);
  assert_int_equal(b.w->choices.data[1].to, HD_NOWHERE);
  assert_int_equal(b.w->choices.data[1].count, 1);
  done(b);
}

static void parse_empty_file(void **state) {
  done(parse(small(), "",
             "e:1:1: error: the file ends here, expected "
             "'heddle'"));
}

static void parse_other_file(void **state) {
  done(parse(small(), "7 5\n0 0 -> 1 1\n",
             "e:1:1: error: expected 'heddle', found '7'"));
}

static void parse_other_evidence(void **state) {
  done(parse(small(), "heddle proof 1\n",
             "e:1:8: error: expected 'witness' or 'certificate', found "
             "'proof'"));
}

static void parse_other_version(void **state) {
  done(parse(small(), "heddle witness 2\n",
             "e:1:16: error: expected version '1' of the format, found '2'"));
}

static void parse_zero_byte(void **state) {
  done(parse_sized(small(), "heddle\0witness 1\n", 17,
                   "e:1:7: error: unexpected byte 0x00"));
}

static void parse_other_model(void **state) {
  done(parse(small(), "heddle witness 1\nmodel shared 2 places 4 ",
             "e:2:23: error: this is evidence for another model: it has places "
             "4, 'test.tts' has 3"));
  done(parse(small(), "heddle witness 1\nmodel shared 2 places 3 transitions 5",
             "e:2:37: error: this is evidence for another model: it has "
             "transitions 5, 'test.tts' has 2"));
}

static void parse_dimension_missing(void **state) {
  done(parse(small(), "heddle witness 1\nmodel shared 2\n",
             "e:2:15: error: the line ends here, expected 'places'"));
}

static void parse_truncated_anywhere(void **state) {
  bench b = with_witness(small(), "0*3 2", "0 1");
  add_choice(b.w, 0, 1, 2);
  char *text = text_of_witness(b.net, b.w);
  size_t size = strlen(text), last = (size_t)(strstr(text, "\nend") - text) + 4;
  for (size_t n = 0; n < last; n++) {
    hd_source source = hd_source_from_text("e", text, n);
    hd_diag *diag = hd_diag_new();
    hd_witness *w;
    hd_cert *c;
    assert_false(hd_evidence_parse(&source, b.net, &w, &c, diag));
    assert_int_equal(hd_diag_errors(diag), 1);
    hd_diag_delete(diag);
    hd_source_free(&source);
  }
  assert_int_equal(size, last + 1);
  hd_free(text);
  done(b);
}

static void parse_unknown_place(void **state) {
  refuse_witness_text("target 0\ninit 0 q\n",
                      "e:4:8: error: the model has no place 'q'");
  refuse_witness_text("target 0\ninit 3\n",
                      "e:4:6: error: the model has no place '3'");
  refuse_witness_text("target 0\ninit @3\n",
                      "e:4:6: error: there is no place @3");
  refuse_witness_text("target 0\ninit 01\n",
                      "e:4:6: error: the model has no place '01'");
}

static void parse_numbered_place_without_number(void **state) {
  refuse_witness_text("target 0\ninit @x\n", "e:4:6: error: expected the "
                                             "number of a place after '@'");
  refuse_witness_text("target 0\ninit @\n", "e:4:6: error: expected the number "
                                            "of a place after '@'");
}

static void parse_bad_count(void **state) {
  refuse_witness_text("target 0\ninit 0=0\n", "e:4:8: error: a place without "
                                              "tokens is not written");
  refuse_witness_text("target 0\ninit 0=w\n", "e:4:8: error: expected a number "
                                              "of tokens, found 'w'");
  refuse_witness_text("target 0\ninit 0=-1\n", "e:4:8: error: expected a "
                                               "number of tokens, found '-1'");
  refuse_witness_text("target 0\ninit 0=\n", "e:4:8: error: the line ends "
                                             "here, expected a number of "
                                             "tokens");
}

static void parse_large_count(void **state) {
  refuse_witness_text("target 0\ninit 0=1073741824\n",
                      "e:4:8: error: 1073741824 is too large, at most "
                      "1073741823 is possible");
  refuse_witness_text("target 0\ninit 0=99999999999999999999999999\n",
                      "e:4:8: error: 99999999999999999999999999 is too large, "
                      "at most 1073741823 is possible");
}

static void parse_place_twice(void **state) {
  refuse_witness_text("target 0\ninit 1 0 1=2\n",
                      "e:4:6: error: a place is given twice");
}

static void parse_unknown_target(void **state) {
  refuse_witness_text("target 1\n",
                      "e:3:8: error: the model has no target 1, only 1");
  refuse_witness_text("target first\n", "e:3:8: error: expected the number of "
                                        "a target, found 'first'");
}

static void parse_unknown_transition(void **state) {
  refuse_witness_text("target 0\ninit\nsteps 1\nt2\n",
                      "e:6:1: error: the model has no transition t2, only 2");
  refuse_witness_text(
      "target 0\ninit\nsteps 1\nt99999999999999999999999\n",
      "e:6:1: error: the model has no transition t9999999999999999999, only 2");
}

static void parse_bad_step(void **state) {
  refuse_witness_text("target 0\ninit\nsteps 1\n3\n",
                      "e:6:1: error: expected a step such as 't3', found '3'");
  refuse_witness_text("target 0\ninit\nsteps 1\nt\n",
                      "e:6:1: error: expected a step such as 't3', found 't'");
  refuse_witness_text("target 0\ninit\nsteps 1\nt1a\n",
                      "e:6:1: error: expected a step such as 't3', found "
                      "'t1a'");
}

static void parse_too_few_steps(void **state) {
  refuse_witness_text("target 0\ninit\nsteps 2\nt0\nend\n",
                      "e:7:1: error: expected a step such as 't3', found "
                      "'end'");
}

static void parse_too_many_steps(void **state) {
  refuse_witness_text("target 0\ninit\nsteps 1\nt0\nt0\nend\n",
                      "e:7:1: error: expected 'end', found 't0'");
  refuse_witness_text("target 0\ninit\nsteps 2\nt0 x 3\nend\n",
                      "e:6:6: error: 3 is too large, at most 2 is possible");
  refuse_witness_text("target 0\ninit\nsteps 4000000000\n",
                      "e:5:7: error: 4000000000 is too large, at most 4194304 "
                      "is possible");
}

static void parse_bad_repetition(void **state) {
  refuse_witness_text("target 0\ninit\nsteps 1\nt0 x 0\n",
                      "e:6:6: error: a step is repeated at least once");
  refuse_witness_text("target 0\ninit\nsteps 1\nt0 x\n",
                      "e:6:5: error: the line ends here, expected how often "
                      "the step is repeated");
  refuse_witness_text("target 0\ninit\nsteps 1\nt0 y 1\n",
                      "e:6:4: error: expected the end of the line, found 'y'");
}

static void parse_bad_choice(void **state) {
  refuse_witness_text("target 0\ninit\nsteps 1\nt1 :\n",
                      "e:6:5: error: the line ends here, expected a choice "
                      "such as p>q=2");
  refuse_witness_text("target 0\ninit\nsteps 1\nt1 : 0\n",
                      "e:6:7: error: the line ends here, expected '>'");
  refuse_witness_text("target 0\ninit\nsteps 1\nt1 : 0>5\n",
                      "e:6:8: error: the model has no place '5'");
  refuse_witness_text("target 0\ninit\nsteps 1\nt1 : 0>=5\n",
                      "e:6:8: error: expected a place, found '='");
}

static void parse_open_quote(void **state) {
  refuse_witness_text("target 0\ninit \"0\n\"",
                      "e:4:6: error: this quote is not closed on its line");
  refuse_witness_text("target 0\ninit \"",
                      "e:4:6: error: this quote is not closed on its line");
}

static void parse_bad_escape(void **state) {
  refuse_witness_text("target 0\ninit \"a\\n\"\n",
                      "e:4:8: error: expected \\\\, \\\" or \\x and two hex "
                      "digits after a backslash");
  refuse_witness_text("target 0\ninit \"a\\x0",
                      "e:4:8: error: expected \\\\, \\\" or \\x and two hex "
                      "digits after a backslash");
}

static void parse_trailing_garbage(void **state) {
  refuse_witness_text("target 0\ninit\nsteps 0\nend\n# fine\nmore\n",
                      "e:8:1: error: nothing may follow 'end'");
  refuse_witness_text("target 0\ninit\nsteps 0\nend end\n",
                      "e:6:5: error: expected the end of the line, found "
                      "'end'");
}

static void parse_bad_kind(void **state) {
  refuse_cert_text("kind forward\n", "e:3:6: error: expected 'backward' or "
                                     "'cover', found 'forward'");
}

static void parse_bad_section(void **state) {
  refuse_cert_text("kind backward\ncover 0\nend\n",
                   "e:4:1: error: expected a section ('rows', 'trap' and "
                   "'linear', 'basis', in this order) or 'end', found 'cover'");
  refuse_cert_text("kind cover\nbasis 0\nend\n",
                   "e:4:1: error: expected a section of a cover ('rows', "
                   "'ignored', 'cover', in this order) or 'end', found "
                   "'basis'");
  refuse_cert_text("kind backward\nbasis 0\nrows 0\nend\n",
                   "e:5:1: error: expected a section ('rows', 'trap' and "
                   "'linear', 'basis', in this order) or 'end', found 'rows'");
}

static void parse_truncated_certificate(void **state) {
  refuse_cert_text(
      "kind backward\n",
      "e:4:1: error: the file ends here, expected a section "
      "('rows', 'trap' and 'linear', 'basis', in this order) or 'end'");
  refuse_cert_text("kind backward\nbasis 2\n0 |\n",
                   "e:6:1: error: the file ends here, expected a shared state");
}

static void parse_unknown_shared_state(void **state) {
  refuse_cert_text("kind backward\nbasis 1\n2 | 0\nend\n",
                   "e:5:1: error: the model has no shared state '2'");
  refuse_cert_text("kind backward\nrows 1\n\"x\" | 0\nend\n",
                   "e:5:1: error: the model has no shared state '\"x\"'");
}

static void parse_missing_bar(void **state) {
  refuse_cert_text("kind backward\nbasis 1\n1 0\nend\n",
                   "e:5:3: error: expected '|', found '0'");
  refuse_cert_text("kind backward\nrows 1\n1\nend\n",
                   "e:5:2: error: the line ends here, expected '|'");
}

static void parse_omega_in_basis(void **state) {
  refuse_cert_text("kind backward\nbasis 1\n1 | 0=w\nend\n",
                   "e:5:7: error: expected a number of tokens, found 'w'");
}

static void parse_row_twice(void **state) {
  refuse_cert_text("kind backward\nrows 2\n0 |\n0 | 1\nend\n",
                   "e:6:1: error: there is a row for this shared state "
                   "already");
  refuse_cert_text("kind backward\nrows 3\n",
                   "e:4:6: error: 3 is too large, at most 2 is possible");
}

static void parse_bad_linear(void **state) {
  refuse_cert_text("kind backward\nlinear\nbound 3\n",
                   "e:5:1: error: expected 'weight', found 'bound'");
  refuse_cert_text("kind backward\nlinear\nweight 0\n",
                   "e:5:9: error: the line ends here, expected '='");
  refuse_cert_text("kind backward\nlinear\nweight 0=1 0=2\n",
                   "e:5:12: error: this state is given twice");
  refuse_cert_text("kind backward\nlinear\npotential 2=1\n",
                   "e:5:11: error: the model has no shared state '2'");
  refuse_cert_text("kind backward\nlinear\nweight 0=1.5\n",
                   "e:5:10: error: expected a whole number, found '1.5'");
  refuse_cert_text("kind backward\nlinear\nweight\nbound x\n",
                   "e:6:7: error: expected a whole number, found 'x'");
}

static void parse_bad_traps(void **state) {
  refuse_cert_text("kind backward\ntrap 0 1\n",
                   "e:4:9: error: the line ends here, expected '|'");
  refuse_cert_text("kind backward\ntrap 2 |\n",
                   "e:4:6: error: the model has no shared state '2'");
  refuse_cert_text("kind backward\ntrap | 3\n",
                   "e:4:8: error: the model has no place '3'");
  refuse_cert_text("kind backward\ntrap | 0 | 1\n",
                   "e:4:10: error: expected the end of the line, found '|'");
  refuse_cert_text("kind backward\nlinear\nweight\nuses 1=1\n",
                   "e:6:6: error: there is no such trap above");
  refuse_cert_text("kind backward\ntrap | 0\nlinear\nweight\nuses 0=1\n",
                   "e:7:6: error: there is no such trap above");
  refuse_cert_text("kind backward\ntrap | 0\nlinear\nweight\nuses 2=1\n",
                   "e:7:6: error: 2 is too large, at most 1 is possible");
  refuse_cert_text("kind backward\ntrap | 0\nlinear\nweight\nuses 1\n",
                   "e:7:7: error: the line ends here, expected '='");
}

static void parse_extreme_integers(void **state) {
  bench b = parse(small(),
                  HEAD("certificate") "kind backward\nlinear\n"
                                      "weight 0=9223372036854775807\n"
                                      "bound -9223372036854775808\nend\n",
                  NULL);
  assert_true(b.c->linear.data[0].weight[0] == INT64_MAX);
  assert_true(b.c->linear.data[0].bound == INT64_MIN);
  round_trip(b);
  refuse_cert_text("kind backward\nlinear\nweight\nbound 9223372036854775808\n",
                   "e:6:7: error: 9223372036854775808 does not fit 64 bits");
  refuse_cert_text(
      "kind backward\nlinear\nweight\nbound -9223372036854775809\n",
      "e:6:7: error: -9223372036854775809 does not fit 64 bits");
  refuse_cert_text(
      "kind backward\nlinear\nweight\nbound 99999999999999999999999\n",
      "e:6:7: error: 99999999999999999999999 does not fit 64 bits");
}

static void parse_lists_of_places(void **state) {
  refuse_cert_text("kind cover\nignored\n",
                   "e:4:8: error: the line ends here, expected a place");
  refuse_cert_text("kind cover\nignored 1 1\n",
                   "e:4:11: error: a place is given twice");
  refuse_cert_text("kind cover\ncontrol\n",
                   "e:4:8: error: the line ends here, expected a place");
  bench b = parse(small(), HEAD("certificate") "kind cover\nignored 2 0\nend\n",
                  NULL);
  assert_int_equal(b.c->ignored.data[0], 0);
  done(b);
}

static void parse_control_gives_shared_states(void **state) {
  hd_net *net = make_net(1, 3, "m 0 1 1; g 0 0");
  bench b = parse(net,
                  "heddle certificate 1\nmodel shared 1 places 3 transitions "
                  "0\nkind backward\ncontrol 2 0\nbasis 1\n0 | 1\nend\n",
                  NULL);
  assert_int_equal(b.c->n_shared, 2);
  assert_int_equal(b.c->configs.data[0].shared, 1);
  round_trip(b);
  net = make_net(1, 3, "m 0 1 1; g 0 0");
  done(parse(net,
             "heddle certificate 1\nmodel shared 1 places 3 transitions "
             "0\nkind backward\ncontrol 2 0\nbasis 1\n1 | 1\nend\n",
             "e:6:1: error: the model has no shared state '1'"));
}

/* --- at random --- */

static void random_vector(rng *r, const hd_net *net, bool omega,
                          hd_token_vec *v) {
  hd_vec_clear(v);
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (chance(r, 50))
      hd_vec_push(
          v, ((hd_token){.place = p,
                         .count = omega && chance(r, 20) ? HD_OMEGA
                                                         : 1 + draw(r, 3)}));
}

static hd_witness *random_witness(rng *r, const hd_net *net) {
  hd_witness *w = hd_witness_new();
  w->target = draw(r, (uint32_t)net->targets.size);
  random_vector(r, net, false, &w->init);
  for (uint32_t n = draw(r, 12); n; n--) {
    hd_step step = {.trans = draw(r, (uint32_t)net->trans.size),
                    .choices = {.start = (uint32_t)w->choices.size}};
    for (uint32_t k = chance(r, 30) ? draw(r, 3) : 0; k; k--) {
      hd_vec_push(&w->choices,
                  ((hd_choice){.from = draw(r, net->n_places),
                               .to = chance(r, 20) ? HD_NOWHERE
                                                   : draw(r, net->n_places),
                               .count = 1 + draw(r, 3)}));
      step.choices.size++;
    }
    for (uint32_t times = 1 + draw(r, 3); times; times--)
      hd_vec_push(&w->steps, step);
  }
  return w;
}

static void random_rows(rng *r, const hd_net *net, hd_cert *cert) {
  hd_cert_add_rows(cert);
  for (uint32_t s = 0; s < cert->n_shared; s++)
    if (chance(r, 60))
      *hd_cert_row(cert, s) = draw(r, 1u << net->n_places);
}

static void random_trap(rng *r, hd_cert *cert) {
  hd_trap *trap = hd_cert_add_trap(cert);
  *trap->places = draw(r, 1u << cert->n_places);
  *trap->shared = draw(r, 1u << cert->n_shared);
}

static void random_uses(rng *r, hd_cert *cert, hd_linear *linear) {
  linear->traps.start = (uint32_t)cert->trap_uses.size;
  for (uint32_t n = cert->traps.size ? draw(r, 3) : 0; n; n--) {
    hd_trap_use use = {.trap = draw(r, (uint32_t)cert->traps.size),
                       .times = 1 + draw(r, 3)};
    hd_vec_push(&cert->trap_uses, use);
    linear->traps.size++;
  }
}

static void random_linear(rng *r, hd_cert *cert) {
  while (chance(r, 30))
    random_trap(r, cert);
  hd_linear *linear = hd_cert_add_linear(cert);
  linear->bound = (int64_t)draw(r, 9) - 4;
  for (uint32_t p = 0; p < cert->n_places; p++)
    linear->weight[p] = (int64_t)draw(r, 9) - 4;
  for (uint32_t s = 0; s < cert->n_shared; s++)
    linear->potential[s] = (int64_t)draw(r, 9) - 4;
  random_uses(r, cert, linear);
}

static hd_cert *random_cert(rng *r, const hd_net *net) {
  hd_cert_kind kind = chance(r, 50) ? HD_CERT_COVER : HD_CERT_BACKWARD;
  bool split = chance(r, 30);
  uint32_t n_shared = split ? 1 + draw(r, net->n_places) : net->n_shared;
  hd_cert *cert = hd_cert_new(kind, n_shared, net->n_places);
  for (uint32_t i = 0; split && i < n_shared; i++)
    hd_vec_push(&cert->control, net->n_places - 1 - i);
  if (chance(r, 50))
    random_rows(r, net, cert);
  for (uint32_t n = draw(r, 3); n; n--)
    random_linear(r, cert);
  hd_token_vec v = {0};
  for (uint32_t n = draw(r, 5); n; n--) {
    random_vector(r, net, kind == HD_CERT_COVER, &v);
    hd_cert_add_config(cert, draw(r, n_shared), hd_token_vec_view(&v));
  }
  hd_vec_free(&v);
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (chance(r, 20))
      hd_vec_push(&cert->ignored, p);
  return cert;
}

static hd_net *random_named_net(rng *r) {
  static const char *const names[] = {"p",   "q q", "x", "#",
                                      "end", "p",   "=", "t1"};
  hd_net *net = random_net(r, random_shape(r));
  for (hd_place_id p = 0; p < net->n_places && chance(r, 80); p++)
    hd_net_name_place(net, p, names[draw(r, 8)]);
  for (hd_shared_id s = 0; s < net->n_shared && chance(r, 50); s++)
    hd_net_name_shared(net, s, names[draw(r, 8)]);
  return net;
}

static void random_witnesses_round_trip(void **state) {
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    rng r = rng_of(seed);
    hd_net *net = random_named_net(&r);
    round_trip((bench){.net = net, .w = random_witness(&r, net)});
  }
}

static void random_certificates_round_trip(void **state) {
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    rng r = rng_of(seed);
    hd_net *net = random_named_net(&r);
    round_trip((bench){.net = net, .c = random_cert(&r, net)});
  }
}

static void damage_text(rng *r, char *text, size_t *size) {
  static const char bytes[] = "0123456789 \n#\"=|>:@wxt\\-\0endrows";
  size_t at = draw(r, (uint32_t)*size);
  switch (draw(r, 4)) {
  case 0:
    text[at] = bytes[draw(r, sizeof bytes)];
    break;
  case 1:
    text[at] = (char)draw(r, 256);
    break;
  case 2:
    memmove(text + at, text + at + 1, *size - at);
    --*size;
    break;
  default: {
    size_t n = draw(r, 20), from = draw(r, (uint32_t)*size);
    for (size_t i = 0; i < n && at + i < *size && from + i < *size; i++)
      text[at + i] = text[from + i];
  }
  }
}

/* Whatever still parses can be judged, printed, and reads back the same. */
static void survive(const hd_net *net, const char *text, size_t size,
                    unsigned *parsed) {
  hd_source source = hd_source_from_text("e", text, size);
  hd_diag *diag = hd_diag_new();
  bench b = {0}, back = {0};
  bool ok = hd_evidence_parse(&source, net, &b.w, &b.c, diag);
  assert_int_equal(ok, !hd_diag_errors(diag));
  *parsed += ok;
  if (ok) {
    hd_str why = {0};
    bool good =
        b.w ? hd_check_witness(net, b.w, &why) : hd_check_cert(net, b.c, &why);
    assert_int_equal(good, !why.size);
    hd_str_free(&why);
    char *again = b.w ? text_of_witness(net, b.w) : text_of_cert(net, b.c);
    hd_source second = hd_source_from_text("f", again, strlen(again));
    assert_true(hd_evidence_parse(&second, net, &back.w, &back.c, diag));
    if (b.w)
      assert_same_witness(b.w, back.w);
    else
      assert_same_cert(b.c, back.c);
    hd_free(again);
    hd_source_free(&second);
  }
  done(b);
  done(back);
  hd_diag_delete(diag);
  hd_source_free(&source);
}

static void random_damage(void **state) {
  unsigned parsed = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    rng r = rng_of(seed);
    hd_net *net = random_named_net(&r);
    bench b = {.net = net};
    char *text;
    if (chance(&r, 50)) {
      b.w = random_witness(&r, net);
      text = text_of_witness(net, b.w);
    } else {
      b.c = random_cert(&r, net);
      text = text_of_cert(net, b.c);
    }
    size_t size = strlen(text);
    for (int i = 0; i < 8 && size; i++) {
      damage_text(&r, text, &size);
      survive(net, text, size, &parsed);
    }
    hd_free(text);
    done(b);
  }
  assert_true(parsed > 300);
}

#define T(name) cmocka_unit_test(name)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(print_witness),
      T(print_witness_with_choices),
      T(print_certificate),
      T(print_traps),
      T(print_traps_by_stage),
      T(print_cover),
      T(print_split_certificate),
      T(print_missing_potential),
      T(print_states_that_do_not_exist),
      T(print_impossible_witness),
      T(print_long_configurations_short),
      T(names_in_witness),
      T(names_in_certificate),
      T(names_are_quoted_when_needed),
      T(names_may_be_written_otherwise),
      T(names_shared_by_two_places),
      T(comment_of_any_name_stays_on_its_line),
      T(parse_is_free_in_layout),
      T(parse_empty_file),
      T(parse_other_file),
      T(parse_other_evidence),
      T(parse_other_version),
      T(parse_zero_byte),
      T(parse_other_model),
      T(parse_dimension_missing),
      T(parse_truncated_anywhere),
      T(parse_unknown_place),
      T(parse_numbered_place_without_number),
      T(parse_bad_count),
      T(parse_large_count),
      T(parse_place_twice),
      T(parse_unknown_target),
      T(parse_unknown_transition),
      T(parse_bad_step),
      T(parse_too_few_steps),
      T(parse_too_many_steps),
      T(parse_bad_repetition),
      T(parse_bad_choice),
      T(parse_open_quote),
      T(parse_bad_escape),
      T(parse_trailing_garbage),
      T(parse_bad_kind),
      T(parse_bad_section),
      T(parse_truncated_certificate),
      T(parse_unknown_shared_state),
      T(parse_missing_bar),
      T(parse_omega_in_basis),
      T(parse_row_twice),
      T(parse_bad_linear),
      T(parse_bad_traps),
      T(parse_extreme_integers),
      T(parse_lists_of_places),
      T(parse_control_gives_shared_states),
      T(random_witnesses_round_trip),
      T(random_certificates_round_trip),
      T(random_damage),
  };
  return cmocka_run_group_tests_name("evidence", tests, NULL, NULL);
}

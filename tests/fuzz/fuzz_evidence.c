/* SPDX-License-Identifier: MIT */
/* libFuzzer harness for evidence about models: witnesses, certificates, and the
 * answers of the cache and of other processes that contain them. The first byte
 * chooses the net and whether the rest is an answer. What is read is printed,
 * read again and printed the same, and goes to the judges. */
#include "fuzz.h"

#include "api/answer.h"
#include "check/check.h"
#include "front/evidence/evidence.h"
#include "front/front.h"

static const struct {
  hd_format format;
  const char *text;
} models[] = {
    {HD_FORMAT_TTS, "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n1 2 -> 0 0\n"
                    "0 2 ~> 1 1\n0 0 +> 0 1\n1|2,2\n"},
    {HD_FORMAT_MIST, "vars p q r\nrules p>=1, q>=0 -> p'=p-1, q'=q+2;\n"
                     "q>=3 -> q'=q-3, r'=r+1;\ninit p>=1, q=0, r=0\n"
                     "target r>=2"},
    {HD_FORMAT_MIST, "vars a b c rules a>=1 -> a'=a-1, b'=b+1;"
                     "b>=1 -> b'=b-1, c'=c+1, a'=a;"
                     "init a=1, b=0, c=0 target b>=1, c>=1"},
};

static hd_net *model(unsigned which) {
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("model", models[which].text,
                                         strlen(models[which].text));
  hd_net *net = hd_front_parse(&source, models[which].format, diag);
  if (!net)
    hd_diag_print(diag, stderr, false);
  fuzz_require(net != NULL, "the model can be read");
  hd_source_free(&source);
  hd_diag_delete(diag);
  return net;
}

static void print(hd_str *out, const hd_net *net, const hd_witness *witness,
                  const hd_cert *cert) {
  if (witness)
    hd_evidence_print_witness(out, net, witness);
  else
    hd_evidence_print_cert(out, net, cert);
}

static bool read_evidence(const char *text, size_t size, const hd_net *net,
                          hd_witness **witness, hd_cert **cert) {
  *witness = NULL;
  *cert = NULL;
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("evidence", text, size);
  bool ok = hd_evidence_parse(&source, net, witness, cert, diag);
  fuzz_require(ok == !hd_diag_errors(diag), "refusal has a message");
  fuzz_require(ok ? !*witness == !!*cert : !*witness && !*cert,
               "one of the two, or none");
  fuzz_end_diag(diag);
  hd_source_free(&source);
  return ok;
}

static void judge(const hd_net *net, const hd_witness *witness,
                  const hd_cert *cert) {
  hd_str why = {0};
  bool ok = witness ? hd_check_witness(net, witness, &why)
                    : hd_check_cert(net, cert, &why);
  fuzz_require(ok == !why.size, "refusal has a reason");
  hd_str_free(&why);
}

static void evidence(const char *text, size_t size, const hd_net *net) {
  hd_witness *witness, *again;
  hd_cert *cert, *other;
  if (!read_evidence(text, size, net, &witness, &cert))
    return;
  hd_str once = {0}, twice = {0};
  print(&once, net, witness, cert);
  fuzz_require(
      read_evidence(hd_str_text(&once), once.size, net, &again, &other),
      "what is printed can be read");
  print(&twice, net, again, other);
  fuzz_require(!strcmp(hd_str_text(&once), hd_str_text(&twice)),
               "printing again changes nothing");
  judge(net, witness, cert);
  hd_witness_delete(witness);
  hd_witness_delete(again);
  hd_cert_delete(cert);
  hd_cert_delete(other);
  hd_str_free(&once);
  hd_str_free(&twice);
}

static void answer(const char *text, size_t size, const hd_net *net) {
  hd_result result = {0};
  hd_str why = {0};
  bool ok = hd_answer_parse(text, size, net, &result, &why);
  fuzz_require(ok == !why.size, "refusal has a reason");
  hd_result_free(&result);
  hd_str_free(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t before = hd_mem_current();
  if (!size)
    return 0;
  hd_net *net = model(data[0] % 3);
  if (data[0] / 3 % 2)
    answer((const char *)data + 1, size - 1, net);
  else
    evidence((const char *)data + 1, size - 1, net);
  hd_net_delete(net);
  fuzz_require(hd_mem_current() == before, "nothing leaks");
  return 0;
}

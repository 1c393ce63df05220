/* SPDX-License-Identifier: MIT */
/* The public interface over the internal one. */
#include "api/public.h"

#include "api/code.h"
#include "api/verify.h"
#include "base/io.h"
#include "check/check.h"
#include "front/evidence/evidence.h"
#include "front/front.h"
#include "report/trace.h"

#include <string.h>

struct heddle_model {
  hd_net *net;
};

struct heddle_result {
  const hd_net *net;
  hd_result result;
};

struct heddle_steps {
  const heddle_result *of;
  hd_trace *trace;
  hd_str configuration, transition;
};

const char *heddle_version(void) {
  return HD_VERSION;
}

void heddle_string_free(char *string) {
  hd_free(string);
}

void hd_public_hand_over(hd_diag *diag, char **error) {
  if (error) {
    hd_str text = {0};
    FILE *memory = hd_stream_to(&text);
    hd_diag_print(diag, memory, false);
    fclose(memory);
    *error = hd_str_take(&text);
  }
  hd_diag_delete(diag);
}

bool hd_public_fail(char **error, const char *message) {
  if (error)
    *error = hd_strdup(message);
  return false;
}

/* A model of `net`, or NULL and the messages. */
static heddle_model *wrap(hd_net *net, hd_diag *diag, char **error) {
  if (!net) {
    hd_public_hand_over(diag, error);
    return NULL;
  }
  hd_diag_delete(diag);
  heddle_model *model = hd_calloc(1, sizeof *model);
  model->net = net;
  return model;
}

static bool find_format(const char *name, hd_format *format, char **error) {
  return hd_format_find(name, format) ||
         hd_public_fail(error, "unknown format, expected tts, spec or pnml\n");
}

heddle_model *heddle_model_read(const char *path, const char *format,
                                char **error) {
  hd_format found;
  if (format && !find_format(format, &found, error))
    return NULL;
  hd_diag *diag = hd_diag_new();
  hd_net *net = hd_front_read(path, format ? &found : NULL, true, diag);
  return wrap(net, diag, error);
}

heddle_model *heddle_model_parse(const char *text, size_t size,
                                 const char *name, const char *format,
                                 char **error) {
  hd_format found;
  if (!find_format(format ? format : "", &found, error))
    return NULL;
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text(name, text, size);
  hd_net *net = hd_front_parse(&source, found, diag);
  hd_source_free(&source);
  return wrap(net, diag, error);
}

void heddle_model_free(heddle_model *model) {
  if (!model)
    return;
  hd_net_delete(model->net);
  hd_free(model);
}

typedef bool setter(hd_net *net, const char *text, const char *what,
                    hd_diag *diag);

static bool set(heddle_model *model, setter *apply, const char *text,
                const char *what, char **error) {
  hd_diag *diag = hd_diag_new();
  if (apply(model->net, text, what, diag)) {
    hd_diag_delete(diag);
    return true;
  }
  hd_public_hand_over(diag, error);
  return false;
}

bool heddle_model_set_target(heddle_model *model, const char *target,
                             char **error) {
  return set(model, hd_front_set_target, target, "target", error);
}

bool heddle_model_set_init(heddle_model *model, const char *init,
                           char **error) {
  return set(model, hd_front_set_init, init, "init", error);
}

bool heddle_model_set_threads(heddle_model *model, const char *threads,
                              char **error) {
  return set(model, hd_front_set_threads, threads, "threads", error);
}

char *heddle_model_write(const heddle_model *model, const char *format,
                         char **error) {
  hd_format found;
  if (!find_format(format, &found, error))
    return NULL;
  hd_str text = {0};
  FILE *memory = hd_stream_to(&text);
  hd_diag *diag = hd_diag_new();
  bool ok = hd_front_write(model->net, found, memory, diag);
  fclose(memory);
  if (ok) {
    hd_diag_delete(diag);
    return hd_str_take(&text);
  }
  hd_public_hand_over(diag, error);
  hd_str_free(&text);
  return NULL;
}

size_t heddle_model_places(const heddle_model *model) {
  return model->net->n_places;
}

size_t heddle_model_shared_states(const heddle_model *model) {
  return model->net->n_shared;
}

size_t heddle_model_transitions(const heddle_model *model) {
  return model->net->trans.size;
}

size_t heddle_model_targets(const heddle_model *model) {
  return model->net->targets.size;
}

heddle_options *heddle_options_new(void) {
  return hd_calloc(1, sizeof(heddle_options));
}

void heddle_options_free(heddle_options *options) {
  hd_free(options);
}

bool heddle_options_set_engine(heddle_options *options, const char *engine) {
  const hd_engine *found = engine ? hd_engine_find(engine) : NULL;
  const hd_code_engine *other = hd_code_engines;
  while (engine && other->name && strcmp(other->name, engine) != 0)
    other++;
  if (engine && !found && !other->name)
    return false;
  options->engine = found ? found->name : NULL;
  options->code_engine = engine ? other->name : NULL;
  return true;
}

void heddle_options_set_timeout(heddle_options *options, double seconds) {
  options->timeout = seconds;
}

void heddle_options_set_memory(heddle_options *options, size_t bytes) {
  options->memory = bytes;
}

void heddle_options_set_cancel(heddle_options *options,
                               volatile sig_atomic_t *flag) {
  options->cancel = flag;
}

const char *heddle_engine_name(size_t index) {
  for (size_t i = 0; hd_engines[i]; i++)
    if (i == index)
      return hd_engines[i]->name;
  return NULL;
}

hd_run hd_public_run(const heddle_options *options) {
  hd_run run = {0};
  if (!options)
    return run;
  run.memory = options->memory;
  run.cancel = options->cancel;
  if (options->timeout > 0)
    run.deadline = hd_now() + options->timeout;
  return run;
}

heddle_result *heddle_verify(const heddle_model *model,
                             const heddle_options *options, char **error) {
  if (!model->net->targets.size) {
    hd_public_fail(error,
                   "the model has no target: call heddle_model_set_target\n");
    return NULL;
  }
  if (options && options->code_engine && !options->engine) {
    hd_public_fail(error, "that engine is one for C programs\n");
    return NULL;
  }
  hd_verify_options how = {.engine = options ? options->engine : NULL};
  hd_run run = hd_public_run(options);
  heddle_result *result = hd_calloc(1, sizeof *result);
  result->net = model->net;
  switch (hd_verify(model->net, &how, &run, &result->result)) {
  case HD_VERIFY_DONE:
    return result;
  case HD_VERIFY_REFUSED:
    hd_public_fail(error, result->result.reason);
    break;
  case HD_VERIFY_INTERNAL:
    hd_bug("%s", result->result.reason);
  }
  heddle_result_free(result);
  return NULL;
}

void heddle_result_free(heddle_result *result) {
  if (!result)
    return;
  hd_result_free(&result->result);
  hd_free(result);
}

heddle_verdict heddle_result_verdict(const heddle_result *result) {
  switch (result->result.verdict) {
  case HD_SAFE:
    return HEDDLE_SAFE;
  case HD_UNSAFE:
    return HEDDLE_UNSAFE;
  case HD_UNKNOWN:
    break;
  }
  return HEDDLE_UNKNOWN;
}

const char *heddle_result_engine(const heddle_result *result) {
  return result->result.verdict == HD_UNKNOWN ? NULL : result->result.engine;
}

const char *heddle_result_reason(const heddle_result *result) {
  return result->result.reason;
}

char *heddle_result_evidence(const heddle_result *result) {
  hd_str text = {0};
  if (result->result.witness)
    hd_evidence_print_witness(&text, result->net, result->result.witness);
  else if (result->result.cert)
    hd_evidence_print_cert(&text, result->net, result->result.cert);
  else
    return NULL;
  return hd_str_take(&text);
}

bool heddle_check(const heddle_model *model, const char *evidence, size_t size,
                  bool *accepted, char **why, char **error) {
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("evidence", evidence, size);
  hd_witness *witness = NULL;
  hd_cert *cert = NULL;
  bool read = hd_evidence_parse(&source, model->net, &witness, &cert, diag);
  hd_source_free(&source);
  if (!read) {
    hd_public_hand_over(diag, error);
    return false;
  }
  hd_diag_delete(diag);
  hd_str text = {0};
  *accepted = witness ? hd_check_witness(model->net, witness, &text)
                      : hd_check_cert(model->net, cert, &text);
  if (!*accepted && why)
    *why = hd_str_take(&text);
  hd_str_free(&text);
  hd_witness_delete(witness);
  hd_cert_delete(cert);
  return true;
}

static void describe(heddle_steps *steps) {
  const hd_net *net = steps->of->net;
  hd_vec_clear(&steps->configuration);
  hd_net_print_config(&steps->configuration, net, hd_trace_shared(steps->trace),
                      hd_trace_tokens(steps->trace));
}

heddle_steps *heddle_result_steps(const heddle_result *result) {
  if (!result->result.witness)
    return NULL;
  heddle_steps *steps = hd_calloc(1, sizeof *steps);
  steps->of = result;
  steps->trace = hd_trace_new(result->net, result->result.witness);
  describe(steps);
  return steps;
}

void heddle_steps_free(heddle_steps *steps) {
  if (!steps)
    return;
  hd_trace_delete(steps->trace);
  hd_str_free(&steps->configuration);
  hd_str_free(&steps->transition);
  hd_free(steps);
}

/* The step that was done last, NULL before the first. */
static const hd_step *last_step(const heddle_steps *steps) {
  size_t n = hd_trace_step(steps->trace);
  return n ? &steps->of->result.witness->steps.data[n - 1] : NULL;
}

bool heddle_steps_next(heddle_steps *steps) {
  if (!hd_trace_next(steps->trace))
    return false;
  describe(steps);
  hd_vec_clear(&steps->transition);
  hd_net_print_trans(&steps->transition, steps->of->net,
                     last_step(steps)->trans);
  return true;
}

size_t heddle_steps_count(const heddle_steps *steps) {
  return steps->of->result.witness->steps.size;
}

const char *heddle_steps_configuration(const heddle_steps *steps) {
  return hd_str_text(&steps->configuration);
}

const char *heddle_steps_transition(const heddle_steps *steps) {
  return last_step(steps) ? hd_str_text(&steps->transition) : NULL;
}

uint32_t heddle_steps_line(const heddle_steps *steps) {
  const hd_step *step = last_step(steps);
  return step ? steps->of->net->trans.data[step->trans].line : 0;
}

uint32_t heddle_steps_thread(const heddle_steps *steps) {
  return last_step(steps) ? hd_trace_thread(steps->trace) : 0;
}

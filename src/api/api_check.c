// Could what the model asks for be carried out? The functions of the verbs answer.
#include "analyse/linear/linearize.h"
#include "api/api_call.h"
#include "api/api_system.h"
#include "api/api_write.h"
#include "derive/roads/claim.h"
#include "derive/roads/moving.h"
#include "derive/speeds/speeds.h"
#include "derive/with_states.h"
#include "model/values.h"
#include "print/model_text.h"
#include "sim/sim.h"

#define MOST_COORDINATES 60 // of models for which beginning is not as dear as the work itself

// simulate
static Status try_run(System *system) {
  SimOptions options;
  Status status = model_system(model_moving((Model *)system->model), DERIVE_BASIC, &system);
  if (status == QDOT_OK) status = sim_options(system->cx, system->model, &options);
  if (status != QDOT_OK) return status;
  if (system->n > MOST_COORDINATES) return sim_check_options(system->cx, &options);
  return sim_try(system->cx, system, &options);
}

// linearize, independent. A drive that keeps the motion from being steady may be switched off by a
// setting, so that it is warned about; all else is a mistake.
static Status try_linearizations(System *system) {
  Context *cx = system->cx;
  const Requests *requests = &system->model->requests;
  Status worst = QDOT_OK;
  for (uint32_t i = 0; i < requests->linearizations.n && system->n <= MOST_COORDINATES; i++) {
    double *values;
    Status status = model_values(cx, system->model, &cx->keep, &values);
    if (status != QDOT_OK) return status;
    derive_matrices(cx, system);
    LinearizeOptions options = {.request = &requests->linearizations.at[i], .numbers_only = true};
    Linearized out;
    uint32_t from = cx->diagnostics.list.n;
    status = linearize_system(cx, system_with_states(cx, system), values, &options, &out);
    if (status == QDOT_UNSUPPORTED)
      diag_soften(cx, from);
    else if (worst == QDOT_OK)
      worst = status;
  }
  return worst;
}

static Status check_requests(void *argument) {
  System *system = ((qdot_system *)argument)->system;
  Status claims = claims_check(system->cx, system);
  Status speeds = speeds_check(system->cx, system);
  Status run = try_run(system), linear = try_linearizations(system);
  return claims != QDOT_OK ? claims : speeds != QDOT_OK ? speeds : run != QDOT_OK ? run : linear;
}

static Status print_check(Context *cx, void *object, const qdot_write_options *options, Text *out) {
  System *system = ((qdot_system *)object)->system;
  if (options->format != QDOT_FORMAT_JSON)
    return diag_error_plain(cx, QDOT_UNSUPPORTED, "a check can be written as JSON");
  const Diagnostics *all = &cx->diagnostics;
  uint32_t from = all->list.n;
  Problems problems = {0};
  Status found = check_requests(object);
  for (uint32_t i = from; i < all->list.n; i++) vec_push(&cx->keep, &problems, all->list.at[i]);
  Status status = model_json(system->model, &problems, out);
  return status == QDOT_OK ? found : status;
}

qdot_status qdot_system_check_write(qdot_system *system, const qdot_write_options *options,
                                    qdot_sink sink) {
  if (!system) return QDOT_BAD_ARGUMENT;
  return api_write(system->system->cx, system, print_check, options, sink);
}

qdot_status qdot_system_check_requests(qdot_system *system) {
  if (!system) return QDOT_BAD_ARGUMENT;
  return api_call(system->system->cx, check_requests, system);
}

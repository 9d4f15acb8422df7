// Natural frequencies for those who compare something with them.
#include "api/frequencies.h"

#include "analyse/vibration/modes.h"
#include "derive/with_states.h"
#include "model/values.h"

// Beyond, nobody waits for them: where piles come to rest takes longer to find than their motion.
enum { MOST_COORDINATES = 80, MOST_CONTACTS = 20 };

static bool find_modes(Context *cx, Model *model, const LinearizeRequest *request, Modes *out) {
  System *system;
  Linearized *linearized = arena_new(&cx->keep, Linearized);
  LinearizeOptions how = {.request = request, .numbers_only = true};
  double *values;
  return model_system(model, DERIVE_MATRICES, &system) == QDOT_OK &&
         model_values(cx, model, &cx->keep, &values) == QDOT_OK &&
         linearize_system(cx, system_with_states(cx, system), values, &how, linearized) ==
             QDOT_OK &&
         modes_find(linearized, &cx->keep, out) == QDOT_OK;
}

NaturalFrequencies natural_frequencies(Context *cx, Model *model) {
  NaturalFrequencies found = {0};
  if (model->coordinates.n > MOST_COORDINATES || model->contacts.n > MOST_CONTACTS) return found;
  const Requests *requests = &model->requests;
  const LinearizeRequest *request =
      requests->linearizations.n ? &requests->linearizations.at[0] : NULL;
  Diagnostics before = diag_mark(cx);
  Modes modes;
  bool has_modes = find_modes(cx, model, request, &modes);
  diag_rollback(cx, before);
  if (!has_modes || (!request && modes.stability == STABILITY_UNSTABLE)) return found;
  double *omega = arena_array(&cx->keep, double, modes.count + 1);
  for (uint32_t i = 0; i < modes.count; i++)
    if (modes.mode[i].kind == MODE_OSCILLATION) omega[found.n++] = modes.mode[i].omega;
  found.omega = omega;
  return found;
}

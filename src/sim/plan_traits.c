// What holds for the whole of a system, as records of its plan.
#include <string.h>

#include "base/hash.h"
#include "expr/build.h"
#include "sim/plan_source.h"
#include "sim/sim.h"

static bool any_changes(const PlanSource *source, const Row *rows, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (rows[i].phi && expr_has_kind(source->cx, rows[i].phi, PLAN_CHANGES_ALONE)) return true;
  return false;
}

static bool holds_change_alone(const PlanSource *source) {
  const System *s = source->system;
  return any_changes(source, s->rows, s->row_count) ||
         any_changes(source, s->contacts, s->contact_count) ||
         any_changes(source, s->slips, s->slip_count);
}

// Is there anything that could move it?
static bool has_forces(const Model *model) {
  const Mechanism *m = &model->mechanism;
  return model_has_energy(model, ENERGY_POTENTIAL) || model_has_energy(model, ENERGY_LAGRANGIAN) ||
         model->forces.n || model->point_forces.n || m->gravity[0] || model->space.gravity[0] ||
         m->springs.n || m->motors.n;
}

uint32_t plan_key_of(const Context *cx, const Model *model) {
  const Source *text = &cx->sources.at[model->source];
  uint32_t hash = hash_bytes(text->text, text->length);
  const char *formulation = model->formulation ? model->formulation : "";
  hash = hash_word(hash, hash_bytes(formulation, strlen(formulation)));
  for (size_t i = 0; i < model->setting_count; i++)
    hash = hash_word(hash, hash_bytes(model->settings[i], strlen(model->settings[i])));
  for (uint32_t i = 0; i < model->data.n; i++) hash = hash_word(hash, model->data.at[i].hash);
  return hash;
}

void plan_fill_traits(PlanSource *source) {
  const System *s = source->system;
  const Model *model = s->model;
  Context *cx = source->cx;
  source->plan.traits =
      (PlanTraits){.energy_has_inputs = expr_has_kind(cx, s->energy, KIND_BIT(SYMBOL_INPUT)),
                   .kinetic_has_time = expr_has_kind(cx, s->T, KIND_BIT(SYMBOL_TIME)),
                   .holds_change_alone = holds_change_alone(source),
                   .has_dissipation = !expr_is_zero(cx, s->R),
                   .has_forces = has_forces(model),
                   .is_assembled = model->assembly != NULL,
                   .is_formulated = model->origin != NULL};
  if (model->origin && model->origin->mechanism.bodies.n > 0)
    source->plan.traits.first_body = model->origin->mechanism.bodies.at[0].span;
  source->plan.columns = sim_columns_in(cx, &source->arena, s);
  source->plan.key = plan_key_of(cx, model);
}

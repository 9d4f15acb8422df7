// The choice of a formulation.
#include "derive/formulate.h"

#include <string.h>

#include "derive/mechanics.h"
#include "derive/momenta.h"
#include "model/fold.h"

static const char *const names[FORMULATIONS] = {
    [FORMULATION_LAGRANGE] = "lagrange",
    [FORMULATION_NEWTON_EULER] = "newton-euler",
    [FORMULATION_MAXIMAL] = "maximal",
    [FORMULATION_NATURAL] = "natural",
};

const char *formulation_text(Formulation formulation) { return names[formulation]; }

bool formulation_from_text(const char *text, Formulation *out) {
  for (int i = 0; i < FORMULATIONS; i++) {
    if (strcmp(text, names[i]) != 0) continue;
    *out = (Formulation)i;
    return true;
  }
  return false;
}

// Coordinates that the user wrote beside the bodies come first.
static void copy_coordinates(Model *out, const Model *from) {
  for (uint32_t i = 0; i < from->coordinates.n; i++) {
    const Coordinate *c = &from->coordinates.at[i];
    model_add_name(out, c->name, NAME_COORDINATE, out->coordinates.n, c->span);
    vec_push(&out->cx->keep, &out->coordinates, *c);
    vec_push(&out->cx->keep, &out->meanings, ((Meaning){c->q, c->q}));
  }
}

#define EMPTY(field) memset(&out->field, 0, sizeof out->field)

// What the formulation fills: the model as it is, without equations and without what its
// coordinates change, which begins empty. Every field that is not named here stays.
static Model *copy_to_fill(const Model *model) {
  Model *out = arena_new(&model->cx->keep, Model);
  *out = *model;
  out->origin = model;
  out->hides_units = true; // lengths and masses of bodies may be numbers
  EMPTY(system), EMPTY(named_twin), EMPTY(shown_twin), EMPTY(moving);
  EMPTY(parameters), EMPTY(counts), EMPTY(inputs); // the same again, in lists of its own
  EMPTY(assignments), EMPTY(samplings), EMPTY(occasions);
  EMPTY(coordinates), EMPTY(states), EMPTY(definitions), EMPTY(vectors);
  EMPTY(energies), EMPTY(forces), EMPTY(point_forces);
  EMPTY(constraints), EMPTY(contacts), EMPTY(outputs), EMPTY(members);
  EMPTY(mechanism), EMPTY(balances), EMPTY(poses);
  EMPTY(loads), EMPTY(load_length2), EMPTY(presses), EMPTY(meanings);
  EMPTY(requests), EMPTY(names), EMPTY(name_of_symbol);
  copy_coordinates(out, model);
  return out;
}

static Status nothing_moves(Context *cx, const Mechanics *mech) {
  const Body *body = &mech->m->bodies.at[0];
  Status status = diag_error(cx, QDOT_BAD_MODEL, body->span,
                             "nothing can move: every body is welded to the ground");
  diag_note(cx, "for the forces in a structure at rest, use the formulation maximal");
  return status;
}

static Status formulate_anew(Context *cx, const Model *model, Formulation formulation,
                             bool cuts_loops, Model **out) {
  // Bodies draw themselves; the model's own lines come on top.
  Model drawn = *model;
  drawn.system = NULL;
  Requests *requests = &drawn.requests;
  memset(&requests->draws, 0, sizeof requests->draws);
  mechanism_draw(cx, &drawn.mechanism, requests);
  for (uint32_t i = 0; i < model->requests.draws.n; i++)
    vec_push(&cx->keep, &requests->draws, model->requests.draws.at[i]);
  Mechanics mech;
  Status status = mechanics_open(cx, &drawn, &mech);
  if (status != QDOT_OK) return status;
  const Assembly *assembly = mechanics_assembly(&mech);
  bool all_are_rows = formulation == FORMULATION_MAXIMAL;
  mechanics_reactions(&mech, all_are_rows && !mech.has_pressure);
  if (!all_are_rows) mechanics_shorten(&mech);
  // a pin that closes a loop shows its force only where it is a constraint
  mech.cuts_loops = cuts_loops || mech.reactions.n > 0;
  Model *result = copy_to_fill(model);
  switch (formulation) {
  case FORMULATION_NEWTON_EULER: status = formulate_newton_euler(&mech, result); break;
  case FORMULATION_NATURAL: status = formulate_natural(&mech, result); break;
  case FORMULATION_MAXIMAL: status = formulate_maximal(&mech, result); break;
  default: status = formulate_lagrange(&mech, result); break;
  }
  if (status == QDOT_OK && result->coordinates.n == 0) status = nothing_moves(cx, &mech);
  result->assembly = assembly;
  if (status == QDOT_OK) *out = result;
  return status;
}

static Status formulate(Context *cx, const Model *model, Formulation formulation, bool cuts_loops,
                        Model **out) {
  WorkStage outer = context_enter_stage(cx, STAGE_FORMULATED);
  Status status = formulate_anew(cx, model, formulation, cuts_loops, out);
  context_leave_stage(cx, outer);
  return status;
}

Status model_formulate(Context *cx, const Model *model, Formulation formulation, Model **out) {
  if (model->mechanism.bodies.n > 0)
    return formulate(cx, model_fold(cx, model), formulation, false, out);
  *out = (Model *)model;
  return QDOT_OK;
}

Status model_formulate_named(Context *cx, const Model *model, Formulation formulation,
                             Model **out) {
  return formulate(cx, model, formulation, false, out);
}

Status model_formulate_cut(Context *cx, const Model *model, Model **out) {
  return formulate(cx, model_fold(cx, model), FORMULATION_NATURAL, true, out);
}

// ---- The same under names

// Points of a body that are the same only as numbers make another tree.
static bool are_alike(const Model *a, const Model *b) {
  if (a->coordinates.n != b->coordinates.n || a->constraints.n != b->constraints.n ||
      a->contacts.n != b->contacts.n)
    return false;
  for (uint32_t i = 0; i < a->coordinates.n; i++)
    if (a->coordinates.at[i].name != b->coordinates.at[i].name) return false;
  for (uint32_t i = 0; i < a->constraints.n; i++)
    if (a->constraints.at[i].name != b->constraints.at[i].name) return false;
  return true;
}

Model *model_twin(const Model *model, const Model *written) {
  Formulation formulation;
  Context *cx = model->cx;
  Model *twin = NULL;
  Status status = QDOT_OK;
  if (!model->formulation)
    twin = (Model *)written;
  else if (formulation_from_text(model->formulation, &formulation))
    status = formulate(cx, written, formulation, false, &twin);
  if (status == QDOT_OK && twin) status = momenta_take(&twin);
  if (status != QDOT_OK || !twin || !are_alike(model, twin)) return NULL;
  twin->formulation = model->formulation, twin->road = model->road;
  twin->settings = model->settings, twin->setting_count = model->setting_count;
  twin->read_seconds = model->read_seconds;
  twin->examined = model->examined;
  return twin;
}

Model *model_named(Model *model) {
  if (!model->named || !model->formulation) return model;
  if (model->named_twin) return model->named_twin;
  Diagnostics before = diag_mark(model->cx); // all that there is to say was said of the model
  model->named_twin = model_twin(model, model->named);
  if (!model->named_twin) model->named_twin = model;
  diag_rollback(model->cx, before);
  return model->named_twin;
}

Model *model_shown(Model *model) {
  const Model *written = model->named ? model->named : model->origin ? model->origin : model;
  if (!written->read_quantities) return model_named(model);
  if (model->shown_twin) return model->shown_twin;
  Diagnostics before = diag_mark(model->cx);
  Model *again = written->read_quantities(written);
  Model *twin = again ? model_twin(model, again) : NULL;
  diag_rollback(model->cx, before);
  model->shown_twin = twin ? twin : model_named(model);
  return model->shown_twin;
}

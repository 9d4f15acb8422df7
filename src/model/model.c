// The container of a model's records and its lookups.
#include "model/model.h"

#include <assert.h>
#include <string.h>

#include "base/words/suggest.h"
#include "expr/build.h"

Model *model_new(Context *cx) {
  Model *model = arena_new(&cx->keep, Model);
  model->cx = cx;
  model->title = "";
  model->examined = arena_new(&cx->keep, const struct Doctor *);
  return model;
}

void model_add_name(Model *model, Symbol name, NameKind kind, uint32_t number, Span span) {
  Arena *keep = &model->cx->keep;
  assert(!model_find(model, name));
  while (model->name_of_symbol.n <= name) vec_push(keep, &model->name_of_symbol, 0);
  vec_push(keep, &model->names,
           ((NameEntry){.name = name, .kind = kind, .number = number, .span = span}));
  model->name_of_symbol.at[name] = model->names.n;
}

NameEntry *model_find(const Model *model, Symbol name) {
  if (name >= model->name_of_symbol.n || !model->name_of_symbol.at[name]) return NULL;
  return &model->names.at[model->name_of_symbol.at[name] - 1];
}

NameEntry *model_find_text(const Model *model, const char *name) {
  return model_find(model, intern_find(&model->cx->names, name, strlen(name)));
}

int model_coordinate_of(const Model *model, Expr value) {
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    if (value == c->q || value == c->qd || value == c->qdd) return (int)i;
  }
  return -1;
}

const char *model_nearest(const Model *model, const char *name) {
  Nearest nearest = nearest_to(name);
  for (uint32_t i = 0; i < model->names.n; i++)
    nearest_offer(&nearest, symbol_text(model->cx, model->names.at[i].name));
  return nearest.best;
}

const char *name_kind_text(NameKind kind) {
  static const char *const texts[] = {
      [NAME_NONE] = "name",
      [NAME_PARAMETER] = "parameter",
      [NAME_COUNT] = "count",
      [NAME_COORDINATE] = "coordinate",
      [NAME_STATE] = "state",
      [NAME_DEFINITION] = "definition",
      [NAME_VECTOR] = "vector",
      [NAME_INPUT] = "input",
      [NAME_OUTPUT] = "output",
      [NAME_MEASURE] = "measure",
      [NAME_CONSTRAINT_FORCE] = "constraint force",
      [NAME_MOTOR_FORCE] = "force of a motor",
      [NAME_CONTACT_FORCE] = "contact force",
      [NAME_BODY] = "body",
      [NAME_REACTION] = "reaction of a joint",
      [NAME_POSE] = "body's position",
      [NAME_JOINT] = "joint",
      [NAME_SPRING] = "spring",
      [NAME_ELEMENT] = "element",
      [NAME_SOLID] = "solid",
      [NAME_PART] = "part",
      [NAME_BROKEN] = "name",
  };
  return texts[kind];
}

static int number_of(const Model *model, Symbol name, NameKind kind) {
  const NameEntry *entry = model_find(model, name);
  return entry && entry->kind == kind ? (int)entry->number : -1;
}

int model_coordinate(const Model *model, Symbol name) {
  return number_of(model, name, NAME_COORDINATE);
}

// Constraints and contacts are found by the names of their multipliers, lambda_NAME.
static int number_by_force(const Model *model, Symbol name, NameKind kind) {
  Context *cx = model->cx;
  Mark mark = arena_mark(&cx->scratch);
  const char *force = multiplier_text(cx, &cx->scratch, name);
  Symbol symbol = intern_find(&cx->names, force, strlen(force));
  arena_release(&cx->scratch, mark);
  return symbol ? number_of(model, symbol, kind) : -1;
}

int model_constraint(const Model *model, Symbol name) {
  return number_by_force(model, name, NAME_CONSTRAINT_FORCE);
}

int model_contact(const Model *model, Symbol name) {
  return number_by_force(model, name, NAME_CONTACT_FORCE);
}

const ModelData *model_next_part(const Model *model, uint32_t *at) {
  while (*at < model->data.n) {
    const ModelData *part = &model->data.at[(*at)++];
    bool is_new = part->is_part;
    for (const ModelData *before = model->data.at; before < part && is_new; before++)
      is_new = !before->is_part || before->source != part->source;
    if (is_new) return part;
  }
  return NULL;
}

bool model_has_energy(const Model *model, EnergyKind kind) {
  for (uint32_t i = 0; i < model->energies.n; i++)
    if (model->energies.at[i].kind == kind) return true;
  return false;
}

Expr model_energy(const Model *model, EnergyKind kind) {
  Context *cx = model->cx;
  Mark mark = arena_mark(&cx->scratch);
  Expr *terms = arena_array(&cx->scratch, Expr, model->energies.n + 1);
  size_t n = 0;
  for (uint32_t i = 0; i < model->energies.n; i++)
    if (model->energies.at[i].kind == kind) terms[n++] = model->energies.at[i].value;
  Expr sum = expr_sum(cx, terms, n);
  arena_release(&cx->scratch, mark);
  return sum;
}

Expr model_inertial_energy(const Model *model) {
  Expr kinetic = model_energy(model, ENERGY_KINETIC);
  return expr_add(model->cx, kinetic, model_energy(model, ENERGY_LAGRANGIAN));
}

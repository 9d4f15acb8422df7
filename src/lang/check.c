// What no single line shows: unused names, massless coordinates, nothing to move.
#include "lang/check.h"

#include "base/suggest.h"
#include "expr/build.h"
#include "expr/diff.h"

// ---- Overrides

static bool can_be_set(NameKind kind) {
  return kind == NAME_PARAMETER || kind == NAME_COUNT || kind == NAME_COORDINATE ||
         kind == NAME_INPUT;
}

void check_overrides(const Model *model, const Overrides *overrides) {
  Context *cx = model->cx;
  for (uint32_t i = 0; i < overrides->n; i++) {
    const Override *override = &overrides->at[i];
    if (override->is_used) continue;
    const char *name = symbol_text(cx, override->name);
    const NameEntry *entry = model_find(model, override->name);
    if (entry && entry->kind == NAME_BROKEN) continue;
    if (entry && !can_be_set(entry->kind)) {
      diag_error(cx, QDOT_BAD_VALUE, override->item.span, "'%s' is a %s and cannot be set", name,
                 name_kind_text(entry->kind));
      continue;
    }
    diag_error(cx, QDOT_UNKNOWN_NAME, override->item.span, "the model has no '%s'", name);
    Nearest nearest = nearest_to(name);
    for (uint32_t k = 0; k < model->names.n; k++)
      if (can_be_set(model->names.at[k].kind))
        nearest_offer(&nearest, symbol_text(cx, model->names.at[k].name));
    diag_suggest(cx, nearest.best);
  }
}

// ---- Warnings

static void warn_unused(const Model *model) {
  for (uint32_t i = 0; i < model->names.n; i++) {
    const NameEntry *entry = &model->names.at[i];
    if (entry->kind == NAME_PARAMETER && !entry->is_used)
      diag_warning(model->cx, entry->span, "parameter '%s' is never used",
                   symbol_text(model->cx, entry->name));
  }
}

static void check_coordinates(const Model *model) {
  Context *cx = model->cx;
  if (model->coordinates.n == 0) {
    diag_error_plain(cx, QDOT_BAD_MODEL, "the model has no coordinate: 'coord x = 0 [m]'");
    return;
  }
  bool lagrangian = model_has_energy(model, ENERGY_LAGRANGIAN);
  if (!lagrangian && !model_has_energy(model, ENERGY_KINETIC)) {
    diag_error_plain(cx, QDOT_BAD_MODEL, "the model has no kinetic energy: 'kinetic = ...'");
    return;
  }
  Expr energy = model_energy(model, lagrangian ? ENERGY_LAGRANGIAN : ENERGY_KINETIC);
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    if (!expr_depends(cx, energy, c->qd))
      diag_warning(cx, c->span, "coordinate '%s' has no kinetic energy", symbol_text(cx, c->name));
  }
}

void check_model(Model *model) {
  check_coordinates(model);
  warn_unused(model);
}

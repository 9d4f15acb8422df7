// What no single line shows: unused names, massless coordinates, nothing to move.
#include "lang/check.h"
#include "base/words/phrase.h"

#include <string.h>

#include <math.h>

#include "base/words/suggest.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "model/element_type.h"
#include "model/part_name.h"

#define MOST_RANKED 400 // constraints whose rank is worth finding here

// ---- Overrides

static bool can_be_set(NameKind kind) {
  return kind == NAME_PARAMETER || kind == NAME_COUNT || kind == NAME_COORDINATE ||
         kind == NAME_STATE || kind == NAME_INPUT;
}

// How a body starts is said in its line; a parameter there can be set.
static void label_start(const Model *model, const char *name) {
  static const char *const words[][2] = {{"omega", "spin"},  {"spin", "spin"}, {"theta", "angle"},
                                         {"angle", "angle"}, {"x", "at"},      {"y", "at"}};
  const char *dot = strchr(name, '.');
  if (!dot) return;
  Symbol body = intern_bytes(&model->cx->names, name, (size_t)(dot - name));
  const NameEntry *entry = model_find(model, body);
  for (size_t i = 0; entry && entry->kind == NAME_BODY && i < sizeof words / sizeof *words; i++) {
    if (strcmp(dot + 1, words[i][0]) != 0) continue;
    diag_suggest(model->cx, NULL);
    diag_label(model->cx, "how '%s' starts is '%s' in its line, which may name a parameter to set",
               symbol_text(model->cx, body), words[i][1]);
  }
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
      diag_error(cx, QDOT_BAD_VALUE, override->item.span, "'%s' is %s and cannot be set", name,
                 phrase_one(&cx->keep, name_kind_text(entry->kind)));
      continue;
    }
    size_t prefix = override->part ? part_prefix_length(cx, name) : 0;
    if (override->part)
      diag_error(cx, QDOT_UNKNOWN_NAME, override->item.span, "'%s' has no '%s'", override->part,
                 name + prefix);
    else
      diag_error(cx, QDOT_UNKNOWN_NAME, override->item.span, "the model has no '%s'", name);
    Nearest nearest = nearest_to(name);
    for (uint32_t k = 0; k < model->names.n; k++)
      if (can_be_set(model->names.at[k].kind))
        nearest_offer(&nearest, symbol_text(cx, model->names.at[k].name));
    bool is_there =
        nearest.best && (!override->part || part_prefix_length(cx, nearest.best) == prefix);
    diag_suggest(cx, is_there ? nearest.best + prefix : NULL);
    if (!override->part) label_start(model, name);
  }
}

// ---- Warnings

static bool is_memory(const Model *model, const NameEntry *entry) {
  return entry->kind == NAME_INPUT && model->inputs.at[entry->number].is_memory;
}

static bool is_assigned(const Model *model, Expr symbol) {
  for (uint32_t i = 0; i < model->assignments.n; i++)
    if (model->assignments.at[i].target == symbol) return true;
  return false;
}

// Limits hold back what is assigned, and nothing else.
static void warn_idle_limits(const Model *model) {
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    const Input *input = &model->inputs.at[i];
    if (!input->low || is_assigned(model, input->symbol)) continue;
    diag_warning(model->cx, input->span, "the limits of '%s' hold nothing back",
                 symbol_text(model->cx, input->name));
    diag_label(model->cx, "no 'sample' and no 'when' assigns it");
  }
}

static void warn_unused(const Model *model) {
  for (uint32_t i = 0; i < model->names.n; i++) {
    const NameEntry *entry = &model->names.at[i];
    bool is_own = entry->span.source == model->source; // a library has more than one model needs
    if ((entry->kind == NAME_PARAMETER || is_memory(model, entry)) && !entry->is_used && is_own)
      diag_warning(model->cx, entry->span, "%s '%s' is never used",
                   entry->kind == NAME_PARAMETER ? "parameter" : "memory",
                   symbol_text(model->cx, entry->name));
  }
}

// Where something is missing that could stand anywhere.
static Span beginning(const Model *model) { return (Span){model->source, 0, 1}; }

// A component of a point or vector that moves with a solid, whose energy is stated by others.
static bool is_carried(const Model *model, const Coordinate *c) {
  if (!strchr(symbol_text(model->cx, c->name), '.')) return false;
  for (uint32_t i = 0; i < model->constraints.n; i++)
    if (expr_depends(model->cx, model->constraints.at[i].phi, c->q)) return true;
  return false;
}

// What damps it says how fast it moves: see model_moving.
static bool is_damped(const Model *model, const Coordinate *c) {
  return expr_depends(model->cx, model_energy(model, ENERGY_DISSIPATION), c->qd);
}

// Q and R have no place in q' = dH/dp, p' = -dH/dq.
static void refuse_beside_hamiltonian(const Model *model, Span span, const char *what) {
  diag_error(model->cx, QDOT_BAD_MODEL, span, "%s has no place beside a Hamiltonian", what);
  diag_note(model->cx,
            "what acts must have a potential, as a part of the Hamiltonian; for other forces "
            "state 'kinetic' and 'potential'");
}

static void check_hamiltonian(const Model *model) {
  for (uint32_t i = 0; i < model->forces.n; i++)
    refuse_beside_hamiltonian(model, model->forces.at[i].span, "a force");
  for (uint32_t i = 0; i < model->point_forces.n; i++)
    refuse_beside_hamiltonian(model, model->point_forces.at[i].span, "a force");
  for (uint32_t i = 0; i < model->energies.n; i++)
    if (model->energies.at[i].kind == ENERGY_DISSIPATION)
      refuse_beside_hamiltonian(model, model->energies.at[i].span, "a dissipation");
}

static void check_coordinates(const Model *model) {
  Context *cx = model->cx;
  if (model->mechanism.bodies.n) {
    for (uint32_t i = 0; i < model->energies.n; i++)
      if (model->energies.at[i].kind == ENERGY_HAMILTONIAN) {
        diag_error(cx, QDOT_BAD_MODEL, model->energies.at[i].span,
                   "bodies bring energies of their own: a Hamiltonian cannot stand beside them");
        return;
      }
  }
  if (model->mechanism.bodies.n) return; // they bring coordinates and energies
  if (model->coordinates.n == 0) {
    if (model->states.n) return; // equations of first order alone
    diag_error(cx, QDOT_BAD_MODEL, beginning(model), "the model has neither coordinate nor state");
    diag_label(cx, "add a line such as 'coord x = 0 [m]' or 'state x = 0'");
    return;
  }
  if (model_has_energy(model, ENERGY_HAMILTONIAN)) {
    check_hamiltonian(model);
    return;
  }
  bool lagrangian = model_has_energy(model, ENERGY_LAGRANGIAN);
  if (!lagrangian && !model_has_energy(model, ENERGY_KINETIC)) {
    diag_error(cx, QDOT_BAD_MODEL, beginning(model), "the model has no kinetic energy");
    diag_label(cx, "add a line 'kinetic = ...'");
    return;
  }
  Expr energy = model_energy(model, lagrangian ? ENERGY_LAGRANGIAN : ENERGY_KINETIC);
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    if (!expr_depends(cx, energy, c->qd) && !is_carried(model, c) && !is_damped(model, c))
      diag_warning(cx, c->span, "coordinate '%s' has no kinetic energy", symbol_text(cx, c->name));
  }
}

// E_kin, E_pot and E_tot are zero without coordinates, unless a state has a potential.
static void check_energy_plots(const Model *model) {
  if (model->coordinates.n > 0 || model->mechanism.bodies.n > 0 || model->energies.n > 0) return;
  for (uint32_t i = 0; i < model->requests.plots.n; i++)
    if (model->requests.plots.at[i].kind == PLOT_ENERGY)
      diag_error(model->cx, QDOT_BAD_MODEL, model->requests.plots.at[i].span,
                 "nothing to plot here: the model has no energies");
}

static void check_states(const Model *model) {
  check_energy_plots(model);
  for (uint32_t i = 0; i < model->states.n; i++) {
    const ModelState *state = &model->states.at[i];
    if (state->rate) continue;
    const char *name = symbol_text(model->cx, state->name);
    diag_error(model->cx, QDOT_BAD_MODEL, state->span, "state '%s' has no rate", name);
    diag_label(model->cx, "add a line 'rate %s = ...'", name);
  }
}

// A bare number beyond a turn, written in this text: were degrees meant?
static void warn_degrees(const Model *model, const Initial *start) {
  Context *cx = model->cx;
  bool is_bare = start->kind != INITIAL_NONE && expr_is_number(cx, start->value) &&
                 start->span.source == model->source;
  double value = is_bare ? expr_eval(cx, start->value, NULL) : 0;
  if (!(fabs(value) > 6.2832)) return;
  diag_warning(cx, start->span, "an angle of %g rad is %.1f turns", value,
               fabs(value) / 6.283185307);
  diag_label(cx, "for degrees write %g [deg]", value);
}

static void check_angles(const Model *model) {
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    const Measure *m = &c->measure;
    bool is_angle = m->is_known && !m->is_given && !m->is_cosine && dimension_is_pure(m->dimension);
    if (is_angle) warn_degrees(model, &c->position);
  }
  for (uint32_t i = 0; i < model->mechanism.bodies.n; i++)
    warn_degrees(model, &model->mechanism.bodies.at[i].start[2]);
}

static void check_gravity(const Model *model) {
  bool plane = model->mechanism.gravity[0] != 0, space = model->space.gravity[0] != 0;
  if ((!plane || model->mechanism.bodies.n) && (!space || model->space.solids.n)) return;
  diag_warning(model->cx, plane ? model->mechanism.gravity_span : model->space.gravity_span,
               "gravity acts on nothing here: the model has no %s", plane ? "bodies" : "solids");
  diag_label(model->cx, "energies do not include it; write it in 'potential = ...'");
}

// ---- Constraints against coordinates

// Where the motion starts, as far as the lines say; elsewhere some general place.
static double *start_values(const Model *model) {
  Context *cx = model->cx;
  double *values = arena_array(&cx->scratch, double, cx->exprs->symbols.n);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    values[symbol_variable(cx, p->symbol)] = expr_eval(cx, p->value, values);
  }
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    values[symbol_variable(cx, c->q)] =
        c->position.kind == INITIAL_NONE ? 0.1 * (i + 1) : expr_eval(cx, c->position.value, values);
  }
  return values;
}

// Rank by elimination with full pivoting; rows are scaled to 1 first.
static uint32_t rank_of(double *a, uint32_t m, uint32_t n) {
  for (uint32_t i = 0; i < m; i++) {
    double largest = 0;
    for (uint32_t j = 0; j < n; j++) largest = fmax(largest, fabs(a[i * n + j]));
    for (uint32_t j = 0; largest > 0 && j < n; j++) a[i * n + j] /= largest;
  }
  for (uint32_t rank = 0;; rank++) {
    uint32_t row = rank, column = rank;
    for (uint32_t i = rank; i < m; i++)
      for (uint32_t j = rank; j < n; j++)
        if (fabs(a[i * n + j]) > fabs(a[row * n + column])) row = i, column = j;
    if (rank == m || rank == n || !(fabs(a[row * n + column]) > 1e-9)) return rank;
    for (uint32_t j = 0; j < n; j++) {
      double swap = a[row * n + j];
      a[row * n + j] = a[rank * n + j], a[rank * n + j] = swap;
    }
    for (uint32_t i = 0; i < m; i++) {
      double swap = a[i * n + column];
      a[i * n + column] = a[i * n + rank], a[i * n + rank] = swap;
    }
    for (uint32_t i = rank + 1; i < m; i++) {
      double factor = a[i * n + rank] / a[rank * n + rank];
      for (uint32_t j = rank; j < n; j++) a[i * n + j] -= factor * a[rank * n + j];
    }
  }
}

// The rank of d(phi)/dq at the start; of d(phi)/dq' where phi contains velocities.
static uint32_t constraint_rank(const Model *model) {
  Context *cx = model->cx;
  uint32_t m = model->constraints.n, n = model->coordinates.n;
  Mark mark = arena_mark(&cx->scratch);
  Expr *q = arena_array(&cx->scratch, Expr, n), *qd = arena_array(&cx->scratch, Expr, n);
  Expr *jacobian = arena_array(&cx->scratch, Expr, (size_t)m * n);
  double *numbers = arena_array(&cx->scratch, double, (size_t)m *n);
  for (uint32_t j = 0; j < n; j++)
    q[j] = model->coordinates.at[j].q, qd[j] = model->coordinates.at[j].qd;
  for (uint32_t i = 0; i < m; i++) {
    const Constraint *c = &model->constraints.at[i];
    expr_gradient(cx, c->phi, c->is_nonholonomic ? qd : q, n, jacobian + (size_t)i * n);
  }
  expr_eval_many(cx, jacobian, (size_t)m * n, start_values(model), numbers);
  uint32_t rank = rank_of(numbers, m, n);
  arena_release(&cx->scratch, mark);
  return rank;
}

static void check_constraints(const Model *model) {
  uint32_t m = model->constraints.n, n = model->coordinates.n;
  if (model->mechanism.bodies.n || m <= n || m > MOST_RANKED || constraint_rank(model) < n) return;
  diag_warning(model->cx, model->constraints.at[m - 1].span,
               "%u constraints on %u coordinate%s leave nothing to move", m, n, n == 1 ? "" : "s");
}

// ---- Mechanisms

static bool is_same_anchor(const Anchor *a, const Anchor *b) {
  return a->body == b->body && a->at[0] == b->at[0] && a->at[1] == b->at[1];
}

// A spring whose ends a pin holds together has no direction to pull in.
static void check_springs(const Model *model) {
  const Mechanism *m = &model->mechanism;
  for (uint32_t i = 0; i < m->springs.n; i++) {
    const Spring *s = &m->springs.at[i];
    for (uint32_t k = 0; k < m->joints.n && !s->is_torsional; k++) {
      const Joint *j = &m->joints.at[k];
      bool together =
          (is_same_anchor(&s->first, &j->first) && is_same_anchor(&s->second, &j->second)) ||
          (is_same_anchor(&s->first, &j->second) && is_same_anchor(&s->second, &j->first));
      if (!together || !joint_type(j->kind)->joins_points) continue;
      diag_error(model->cx, QDOT_BAD_MODEL, s->span,
                 "both ends of '%s' are at the same point: joint '%s' holds them together",
                 symbol_text(model->cx, s->name), symbol_text(model->cx, j->name));
      diag_label(model->cx, "move an end, or write 'torsional'");
    }
  }
}

static void check_ground(const Model *model) {
  const Mechanism *m = &model->mechanism;
  if (m->joints.n == 0 || !m->gravity[0] || model->contacts.n) return;
  for (uint32_t i = 0; i < m->joints.n; i++)
    if (m->joints.at[i].first.body == GROUND || m->joints.at[i].second.body == GROUND) return;
  for (uint32_t i = 0; i < m->springs.n; i++)
    if (m->springs.at[i].first.body == GROUND || m->springs.at[i].second.body == GROUND) return;
  for (uint32_t i = 0; i < m->elements.n; i++)
    if (element_holds(&m->elements.at[i])) return;
  diag_warning(model->cx, m->joints.at[0].span, "nothing holds the mechanism: it falls");
  diag_label(model->cx, "no joint and no spring is on 'ground'");
}

// What a line states of a body's angle; the ground stands at 0. False where nothing does.
static bool stated_angle(const Model *model, uint32_t body, const double *values, double *angle,
                         bool *is_guess) {
  *angle = 0;
  if (body == GROUND) return true;
  const Initial *start = &model->mechanism.bodies.at[body].start[2];
  if (start->kind == INITIAL_NONE || !start->value) return false;
  *angle = expr_eval(model->cx, start->value, values);
  *is_guess |= start->kind == INITIAL_GUESS;
  return true;
}

static const char *part_name(const Model *model, uint32_t body) {
  return body == GROUND ? "ground" : symbol_text(model->cx, model->mechanism.bodies.at[body].name);
}

// A slide or weld keeps the angle that its bodies have at the start: a guess that is neither square
// nor along the axis becomes a dimension.
static void check_kept_angle(const Model *model, const Joint *j, const double *values) {
  const double square = 1e-9; // rad
  double first, second, axis = j->axis ? expr_eval(model->cx, j->axis, values) : 0;
  bool is_guess = false;
  if (!stated_angle(model, j->first.body, values, &first, &is_guess) ||
      !stated_angle(model, j->second.body, values, &second, &is_guess) || !is_guess)
    return;
  double kept = remainder(second - first, 2 * M_PI);
  if (!(fabs(remainder(kept, M_PI / 2)) > square) ||
      !(fabs(remainder(kept - axis, M_PI / 2)) > square))
    return;
  diag_warning(model->cx, j->span, "joint '%s' keeps %.4g deg between '%s' and '%s', by a guess",
               symbol_text(model->cx, j->name), kept * 57.29577951308232,
               part_name(model, j->first.body), part_name(model, j->second.body));
  diag_label(model->cx, "write their angles with '=' if this is meant");
}

static void check_kept_angles(const Model *model) {
  const Mechanism *m = &model->mechanism;
  Mark mark = arena_mark(&model->cx->scratch);
  const double *values = m->joints.n ? start_values(model) : NULL;
  for (uint32_t i = 0; i < m->joints.n; i++)
    if (m->joints.at[i].kind == JOINT_PRISMATIC || m->joints.at[i].kind == JOINT_WELD)
      check_kept_angle(model, &m->joints.at[i], values);
  arena_release(&model->cx->scratch, mark);
}

void check_model(Model *model) {
  uint32_t errors = model->cx->diagnostics.errors;
  check_coordinates(model);
  check_states(model);
  check_springs(model);
  check_ground(model);
  if (model->cx->diagnostics.errors == errors) {
    check_angles(model);
    check_gravity(model);
    check_constraints(model);
    check_kept_angles(model);
    warn_unused(model);
    warn_idle_limits(model);
  }
}

// Consistent initial conditions: positions, then velocities.
#include "sim/start/initial.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "base/text.h"
#include "expr/define.h"
#include "sim/machine_source.h"
#include "sim/start/assemble.h"
#include "sim/start/search.h"
#include "solve/algebra/dense.h"

// Of the sizes of rows.
static const double CONTRADICTED = 1e-7;

static const Coordinate *coordinate(const Machine *m, int i) {
  return &m->system->model->coordinates.at[i];
}

// What is said of coordinate i or its velocity, from outside or by the model.
static double initial_value(const Machine *m, int i, bool velocities) {
  const Coordinate *c = coordinate(m, i);
  const Initial *initial = velocities ? &c->velocity : &c->position;
  int place = velocities ? m->n + i : i;
  if (machine_starts_at(m, place)) return m->start[place];
  return initial->kind == INITIAL_NONE || !initial->value ? 0 : machine_value(m, initial->value);
}

static Status check_finite(Machine *m, const Initial *initial, int i, const char *prime,
                           double value) {
  if (isfinite(value)) return QDOT_OK;
  return diag_error(m->cx, QDOT_BAD_VALUE, initial->span, "the initial value of %s%s is not finite",
                    machine_coordinate_name(m, i), prime);
}

// ---- Positions

// A search for a machine's positions or velocities.
typedef struct Start {
  Machine *m;
  Search search;
  double *said; // what the model says of each coordinate, 0 if it says nothing
} Start;

static void open_start(Start *s, Machine *m, bool velocities) {
  Arena *scratch = &m->cx->scratch;
  bool *is_kept = arena_array(scratch, bool, m->n);
  for (int i = 0; i < m->n; i++) {
    const Coordinate *c = coordinate(m, i);
    is_kept[i] = (velocities ? &c->velocity : &c->position)->kind == INITIAL_GIVEN ||
                 machine_starts_at(m, velocities ? m->n + i : i);
    is_kept[i] = is_kept[i] && !m->start_is_guess;
  }
  *s = (Start){.m = m, .said = arena_array(scratch, double, m->n)};
  search_open(&s->search, scratch, &m->problem, is_kept,
              velocities ? m->problem.m : m->problem.holonomic);
}

static double largest_of_kind(const Start *s, int k) {
  double largest = 0;
  for (int i = 0; i < s->m->n; i++)
    if (s->m->kind[i] == s->m->kind[k]) largest = fmax(largest, fabs(s->said[i]));
  return largest;
}

static void give_reach(Start *s) {
  Machine *m = s->m;
  bool *is_angle = arena_array(s->search.scratch, bool, m->n);
  double *reach = arena_array(s->search.scratch, double, m->n);
  for (int i = 0; i < m->n; i++) {
    const Measure *measure = &coordinate(m, i)->measure;
    is_angle[i] = measure->is_known && dimension_is_pure(measure->dimension);
    reach[i] = fmax(machine_coordinate_size(m, i), largest_of_kind(s, i));
  }
  s->search.is_angle = is_angle, s->search.reach = reach;
}

static bool depends_on(const Start *s, int row, int i) {
  const PlanRow *acts = &s->m->plan->rows[machine_place(s->m, row)];
  for (uint32_t k = 0; k < acts->count; k++)
    if (acts->coordinates[k] == (uint32_t)i) return true;
  return false;
}

// The row that is violated most, in the metric of the masses.
static int worst_row(const Search *s) {
  int worst = 0;
  double most = -1;
  for (int r = 0; r < s->rows; r++) {
    double scale = s->kkt.scale[r] > 0 ? s->kkt.scale[r] : 1;
    if (fabs(s->Phi[r]) / scale > most) {
      most = fabs(s->Phi[r]) / scale;
      worst = r;
    }
  }
  return worst;
}

static const Constraint *constraint_of(const Machine *m, int row) {
  return &m->system->model->constraints.at[machine_place(m, row)];
}

// All coordinates of the row that have given values, as text; NULL when one of them is free.
static const char *given_of_row(const Start *s, int row, bool velocities) {
  Text text = text_new(&s->m->cx->keep);
  int count = 0;
  for (int i = 0; i < s->m->n; i++) {
    const Coordinate *c = coordinate(s->m, i);
    if (!depends_on(s, row, i)) continue;
    if ((velocities ? &c->velocity : &c->position)->kind != INITIAL_GIVEN &&
        !machine_starts_at(s->m, velocities ? s->m->n + i : i))
      return NULL;
    text_addf(&text, "%s%s%s", count++ ? ", " : "", machine_coordinate_name(s->m, i),
              velocities ? "'" : "");
  }
  return count > 0 ? text.at : NULL;
}

// The joint of a mechanism that a row comes from, or 0.
static Symbol joint_of_row(const Machine *m, int row) {
  const Model *origin = m->system->model->origin;
  Symbol name = constraint_of(m, row)->name;
  for (uint32_t i = 0; origin && i < origin->mechanism.joints.n; i++) {
    const Joint *joint = &origin->mechanism.joints.at[i];
    for (uint32_t k = 0; k < joint_row_count(joint->kind); k++)
      if (joint_row_name(m->cx, joint, k) == name) return joint->name;
  }
  return 0;
}

static bool is_length(const Machine *m, int row) {
  const char *name = symbol_text(m->cx, constraint_of(m, row)->name);
  return strstr(name, "_angle") == NULL;
}

static Status cannot_meet(Start *s) {
  Machine *m = s->m;
  search_judge(&s->search);
  int row = worst_row(&s->search);
  double off = fabs(s->search.Phi[row]);
  const char *given = given_of_row(s, row, false), *name = machine_row_name(m, row);
  Span span = constraint_of(m, row)->span;
  if (!isfinite(off)) {
    Status status = diag_error(m->cx, QDOT_UNDEFINED, span,
                               "constraint '%s' has no value at the initial state", name);
    diag_note(m->cx,
              "a root or logarithm of a negative number, a division by zero, or an overflow");
    return status;
  }
  if (given) {
    Status status =
        diag_error(m->cx, QDOT_INCONSISTENT, span,
                   "the given initial values contradict constraint '%s' by %.3g", name, off);
    diag_note(m->cx, "it contains %s, all given with '='; write '~' for those that may change",
              given);
    return status;
  }
  Symbol joint = joint_of_row(m, row);
  Status status =
      joint ? diag_error(m->cx, QDOT_INCONSISTENT, span,
                         "the mechanism cannot be assembled: joint '%s' stays open by %.4g %s",
                         symbol_text(m->cx, joint), off * (is_length(m, row) ? 1e3 : 1),
                         is_length(m, row) ? "mm" : "rad")
            : diag_error(m->cx, QDOT_INCONSISTENT, span,
                         "the mechanism cannot be assembled: constraint '%s' stays off by %.3g",
                         name, off);
  diag_note(m->cx, "%d starts were tried; check the dimensions, or give better guesses with '~'",
            SEARCH_ATTEMPTS);
  return status;
}

static void note_moves(const Start *s, const double *q, SimSummary *summary) {
  summary->guesses = (uint32_t)s->search.moves;
  summary->moved = 0;
  summary->most_moved = 0;
  for (int i = 0; i < s->search.moves; i++) {
    int k = s->search.free[i];
    double moved = fabs(q[k] - s->said[k]);
    double scale = fmax(machine_coordinate_size(s->m, k), largest_of_kind(s, k));
    if (without_noise(moved, 10 * fmax(scale, fabs(q[k]))) == 0) continue;
    summary->moved++;
    if (moved <= summary->most_moved) continue;
    summary->most_moved = moved;
    summary->moved_coordinate = (uint32_t)k;
  }
}

static void note_assembly(const Assembled *assembled, SimSummary *summary) {
  summary->free_motions = assembled->freedom;
  summary->chosen_motions = assembled->chosen;
  summary->would_keep = assembled->keep;
}

static Status find_positions(Machine *m, const Assembled *assembled, double *q,
                             SimSummary *summary) {
  Start s;
  open_start(&s, m, false);
  for (int i = 0; i < m->n; i++) {
    const Initial *initial = &coordinate(m, i)->position;
    s.said[i] = initial_value(m, i, false);
    Status status = check_finite(m, initial, i, "", s.said[i]);
    if (status != QDOT_OK) return status;
  }
  const double *from = assembled->q ? assembled->q : s.said;
  memcpy(q, from, (size_t)m->n * sizeof *q);
  note_assembly(assembled, summary);
  give_reach(&s);
  memcpy(s.search.guess, from, (size_t)m->n * sizeof *q);
  if (s.search.rows > 0 && !search_positions(&s.search, q)) return cannot_meet(&s);
  if (s.search.rows > 0 || assembled->q) note_moves(&s, q, summary);
  return QDOT_OK;
}

// ---- Velocities

static Status contradicted_velocity(const Start *s, int row) {
  Machine *m = s->m;
  const char *given = given_of_row(s, row, true), *name = machine_row_name(m, row);
  Status status =
      diag_error(m->cx, QDOT_INCONSISTENT, constraint_of(m, row)->span,
                 given ? "the given initial velocities contradict constraint '%s' by %.3g"
                       : "no initial velocities meet constraint '%s': %.3g remains",
                 name, fabs(s->search.c[row]));
  if (given) diag_note(m->cx, "it contains %s, all given with '='", given);
  return status;
}

// The sizes of d(Phi)/dt; a row that says nothing leaves rounding of the others' size.
static void rate_sizes(Start *start, const double *q, const double *qd) {
  Machine *m = start->m;
  Search *s = &start->search;
  double most = 0, *slope = s->removed;
  for (int r = 0; r < s->rows; r++)
    slope[r] = dense_norm(m->n, s->Phi_q + (size_t)r * (size_t)m->n);
  machine_row_rate_sizes(m, 0, q, qd, s->size);
  for (int r = 0; r < s->rows; r++)
    if (slope[r] > 0) most = fmax(most, s->size[r] / slope[r]);
  for (int r = 0; r < s->rows; r++) s->size[r] = fmax(s->size[r], 1e-6 * slope[r] * most);
}

// Guesses that the model states itself; those that follow from how bodies are joined are not told.
static bool is_stated_velocity(const Machine *m, int i) {
  const Model *origin = m->system->model->origin;
  const Coordinate *c = coordinate(m, i);
  if (c->velocity.kind != INITIAL_GUESS || !c->velocity.value) return false;
  if (!origin || origin->mechanism.bodies.n == 0) return true;
  for (uint32_t b = 0; b < origin->mechanism.bodies.n; b++)
    for (int k = 0; k < 3; k++) {
      const Body *body = &origin->mechanism.bodies.at[b];
      if (symbol_name(m->cx, body->pose[k]) == c->name)
        return body->velocity[k].kind == INITIAL_GUESS;
    }
  for (uint32_t k = 0; k < origin->coordinates.n; k++)
    if (origin->coordinates.at[k].name == c->name) return true;
  return false;
}

static void note_velocities(const Start *s, const double *qd, SimSummary *summary) {
  summary->velocity_guesses = summary->velocities_moved = 0;
  summary->most_velocity_moved = 0;
  for (int i = 0; i < s->m->n; i++) {
    if (!is_stated_velocity(s->m, i)) continue;
    summary->velocity_guesses++;
    double moved = fabs(qd[i] - s->said[i]), speed = fmax(fabs(qd[i]), fabs(s->said[i]));
    for (int k = 0; k < s->m->n; k++)
      if (s->m->kind[k] == s->m->kind[i]) speed = fmax(speed, fabs(qd[k]));
    if (without_noise(moved, 10 * speed) == 0) continue;
    summary->velocities_moved++;
    if (moved <= summary->most_velocity_moved) continue;
    summary->most_velocity_moved = moved;
    summary->moved_velocity = (uint32_t)i;
  }
}

// A drive that starts at full speed throws what hangs on it by its mass alone.
static void note_thrown(const Start *s, const double *qd, SimSummary *summary) {
  Machine *m = s->m;
  summary->thrown = 0, summary->thrown_velocity = 0;
  if (m->system->model->origin) return; // coordinates of bodies are not the user's
  for (int i = 0; i < m->n; i++) {
    bool is_free = !coordinate(m, i)->velocity.value;
    double speed = 0;
    for (int r = 0; r < s->search.rows; r++)
      is_free &= s->search.Phi_q[(size_t)r * (size_t)m->n + (size_t)i] == 0;
    for (int k = 0; k < m->n; k++)
      if (m->kind[k] == m->kind[i]) speed = fmax(speed, fabs(qd[k]));
    if (!is_free || without_noise(qd[i], 10 * speed) == 0) continue;
    if (fabs(qd[i]) <= fabs(summary->thrown_velocity)) continue;
    summary->thrown = (uint32_t)i + 1;
    summary->thrown_velocity = qd[i];
  }
}

static Status find_velocities(Machine *m, const Assembled *assembled, const double *q, double *qd,
                              SimSummary *summary) {
  Start s;
  open_start(&s, m, true);
  for (int i = 0; i < m->n; i++) {
    const Initial *initial = &coordinate(m, i)->velocity;
    s.said[i] = initial_value(m, i, true);
    Status status = check_finite(m, initial, i, "'", s.said[i]);
    if (status != QDOT_OK) return status;
  }
  memcpy(qd, assembled->qd ? assembled->qd : s.said, (size_t)m->n * sizeof *qd);
  machine_start_states(m, qd + m->n);
  if (s.search.rows == 0) return QDOT_OK;
  Status status = search_velocities(&s.search, q, qd);
  if (status != QDOT_OK) return status;
  note_velocities(&s, qd, summary);
  note_thrown(&s, qd, summary);
  rate_sizes(&s, q, qd);
  for (int r = 0; r < s.search.rows; r++)
    if (fabs(s.search.c[r]) > CONTRADICTED * s.search.size[r]) return contradicted_velocity(&s, r);
  return QDOT_OK;
}

void initial_guess(const Machine *m, double *q, double *qd) {
  for (int i = 0; i < m->n; i++) {
    q[i] = initial_value(m, i, false);
    qd[i] = initial_value(m, i, true);
  }
  machine_start_states(m, qd + m->n);
}

Status initial_state(Machine *m, double *q, double *qd, SimSummary *summary) {
  Mark mark = arena_mark(&m->cx->scratch);
  if (m->problem.m > 0) {
    machine_need(m, PART_GEOMETRY);
    machine_need(m, PART_POSITION);
    machine_need(m, PART_VELOCITY);
    machine_need(m, PART_PROJECT_POSITION);
    machine_need(m, PART_PROJECT_VELOCITY);
  }
  Assembled assembled = {0};
  Status status = m->start_is_guess ? QDOT_OK : assemble(m, &assembled);
  if (status == QDOT_OK) status = find_positions(m, &assembled, q, summary);
  bool is_said = !m->start_is_guess; // by the model
  if (status == QDOT_OK && is_said) status = initial_check_places(m, q);
  if (status == QDOT_OK && is_said) status = assemble_check(m, q);
  if (status == QDOT_OK) status = initial_check_mass(m, q);
  if (status == QDOT_OK) status = find_velocities(m, &assembled, q, qd, summary);
  if (status == QDOT_OK) status = initial_check_rank(m, q, qd, summary);
  arena_release(&m->cx->scratch, mark);
  return status;
}

// The side of every switch and the piece of every table at the beginning of a motion; true when one
// is new. A guard that is zero
// there counts as a moment later.
static bool take_sides(Machine *m, const double *q, const double *qd, double *side, double *later) {
  const double moment = 1e-9;
  uint32_t count = m->set->equations->switch_count;
  bool changed = false;
  for (int i = 0; i < m->n; i++) later[i] = q[i] + moment * qd[i];
  memcpy(later + m->n, machine_find_pieces(m, 0, q, qd, &changed), count * sizeof *later);
  const double *then = machine_run_switches(m, moment, later, qd).guards;
  for (uint32_t i = 0; i < count; i++) {
    double g = later[m->n + (int)i], before = side[i];
    side[i] = (g != 0 ? g : then[i]) < 0 ? -1 : 1;
    changed |= side[i] != before;
  }
  machine_set_sides(m, side);
  return changed;
}

Status initial_switched_state(Machine *m, double *q, double *qd, SimSummary *summary) {
  enum { MOST_ROUNDS = 4 };
  uint32_t count = m->set->equations->switch_count;
  if (!machine_switches(m)) return initial_state(m, q, qd, summary);
  Mark mark = arena_mark(&m->cx->scratch);
  double *side = arena_array(&m->cx->scratch, double, count);
  double *later = arena_array(&m->cx->scratch, double, (size_t)m->n + count);
  initial_guess(m, q, qd);
  Status status = QDOT_OK;
  for (int round = 0; status == QDOT_OK && round < MOST_ROUNDS; round++) {
    if (!take_sides(m, q, qd, side, later) && round > 0) break;
    status = initial_state(m, q, qd, summary);
  }
  arena_release(&m->cx->scratch, mark);
  return status;
}

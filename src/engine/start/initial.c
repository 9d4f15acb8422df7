// Consistent initial conditions: positions, then velocities.
#include "engine/start/initial.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "base/text.h"
#include "engine/start/assemble.h"
#include "engine/start/search.h"
#include "solve/algebra/dense.h"

// Of the sizes of rows.
static const double CONTRADICTED = 1e-7;

// What the model says of coordinate i or its velocity.
static const PlanStart *start_of(const Machine *m, int i, bool velocities) {
  const PlanCoordinate *c = &m->plan->coordinates[i];
  return velocities ? &c->velocity : &c->position;
}

static bool starts_at(const Machine *m, int i, bool velocities) {
  return machine_starts_at(m, velocities ? m->n + i : i);
}

// The same from outside or by the model.
static double initial_value(const Machine *m, int i, bool velocities) {
  if (starts_at(m, i, velocities)) return m->start[velocities ? m->n + i : i];
  return machine_number(m, &start_of(m, i, velocities)->value);
}

static Status check_finite(Machine *m, int i, bool velocities, double value) {
  const char *prime = velocities ? "'" : "";
  if (isfinite(value)) return QDOT_OK;
  return diag_error(m->cx, QDOT_BAD_VALUE, start_of(m, i, velocities)->span,
                    "the initial value of %s%s is not finite", machine_coordinate_name(m, i),
                    prime);
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
    is_kept[i] = start_of(m, i, velocities)->is_given || starts_at(m, i, velocities);
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
    is_angle[i] = m->plan->coordinates[i].is_angle;
    reach[i] = fmax(machine_coordinate_size(m, i), largest_of_kind(s, i));
  }
  s->search.is_angle = is_angle, s->search.reach = reach;
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

static const PlanRow *constraint_of(const Machine *m, int row) {
  return &m->plan->rows[machine_place(m, row)];
}

// All coordinates of the row that have given values, as text; NULL when one of them is free.
static const char *given_of_row(const Start *s, int row, bool velocities) {
  const Machine *m = s->m;
  const PlanRow *constraint = constraint_of(m, row);
  Text text = text_new(&m->cx->keep);
  for (uint32_t k = 0; k < constraint->count; k++) {
    int i = (int)constraint->coordinates[k];
    if (!start_of(m, i, velocities)->is_given && !starts_at(m, i, velocities)) return NULL;
    text_addf(&text, "%s%s%s", k > 0 ? ", " : "", machine_coordinate_name(m, i),
              velocities ? "'" : "");
  }
  return constraint->count > 0 ? text.at : NULL;
}

static Status cannot_meet(Start *s) {
  Machine *m = s->m;
  search_judge(&s->search);
  int row = worst_row(&s->search);
  double off = fabs(s->search.Phi[row]);
  const char *given = given_of_row(s, row, false), *name = machine_row_name(m, row);
  const PlanRow *constraint = constraint_of(m, row);
  Span span = constraint->span;
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
  bool is_angle = constraint->is_angle;
  Status status =
      constraint->joint
          ? diag_error(m->cx, QDOT_INCONSISTENT, span,
                       "the mechanism cannot be assembled: joint '%s' stays open by %.4g %s",
                       constraint->joint, is_angle ? off : 1e3 * off, is_angle ? "rad" : "mm")
          : diag_error(m->cx, QDOT_INCONSISTENT, span,
                       "the mechanism cannot be assembled: constraint '%s' stays off by %.3g", name,
                       off);
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
    s.said[i] = initial_value(m, i, false);
    Status status = check_finite(m, i, false, s.said[i]);
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

static void note_velocities(const Start *s, const double *qd, SimSummary *summary) {
  summary->velocity_guesses = summary->velocities_moved = 0;
  summary->most_velocity_moved = 0;
  for (int i = 0; i < s->m->n; i++) {
    if (!s->m->plan->coordinates[i].states_velocity) continue;
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
  if (m->plan->traits.is_formulated) return;
  for (int i = 0; i < m->n; i++) {
    bool is_free = !start_of(m, i, true)->value.is_said;
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
    s.said[i] = initial_value(m, i, true);
    Status status = check_finite(m, i, true, s.said[i]);
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

// Consistent initial conditions: positions, then velocities.
#include "sim/initial.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/rounding.h"
#include "base/text.h"
#include "expr/define.h"
#include "sim/sizes.h"
#include "solve/dense.h"

enum { ATTEMPTS = 60, ROUNDS = 60 };
// Residuals by the sizes of their rows: as good as rounding allows, no better in another round, met
// all the same, contradicted.
static const double ROUNDED = 4 * DBL_EPSILON, STALLED = 1e-12, MET = 1e-9, CONTRADICTED = 1e-7;

// The search works on the coordinates that may be moved: `moves` of them, places in free[].
typedef struct Search {
  Machine *m;
  Arena *scratch;
  int n, rows, moves;
  int *free;
  Kkt kkt;
  double *guess, *q, *trial, *best, *Phi, *c, *dq;
  double *M, *Phi_q, *M_free, *Phi_free;
  double *size, *removed; // of the rows, and what a step takes from them
  double best_residual;
  bool stayed; // the last search ended where it began
  uint64_t random;
} Search;

static const Coordinate *coordinate(const Machine *m, int i) {
  return &m->system->model->coordinates.at[i];
}

static double initial_value(const Machine *m, const Initial *initial) {
  return initial->kind == INITIAL_NONE || !initial->value ? 0 : machine_value(m, initial->value);
}

static Status check_finite(Machine *m, const Initial *initial, int i, const char *prime,
                           double value) {
  if (isfinite(value)) return QDOT_OK;
  return diag_error(m->cx, QDOT_BAD_VALUE, initial->span, "the initial value of %s%s is not finite",
                    machine_coordinate_name(m, i), prime);
}

// ---- Memory

static void search_open(Search *s, Machine *m, bool velocities) {
  const Problem *p = &m->problem;
  *s = (Search){.m = m, .scratch = &m->cx->scratch, .n = m->n, .random = 1};
  s->rows = velocities ? p->m : p->holonomic;
  size_t n = (size_t)m->n, rows = (size_t)p->m;
  s->free = arena_array(s->scratch, int, n);
  for (int i = 0; i < m->n; i++) {
    const Coordinate *c = coordinate(m, i);
    if ((velocities ? &c->velocity : &c->position)->kind != INITIAL_GIVEN) s->free[s->moves++] = i;
  }
  double **vectors[] = {&s->guess, &s->q, &s->trial, &s->best, &s->dq};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(s->scratch, double, n);
  s->Phi = arena_array(s->scratch, double, rows);
  s->c = arena_array(s->scratch, double, rows);
  s->size = arena_array(s->scratch, double, rows);
  s->removed = arena_array(s->scratch, double, rows);
  s->M = arena_array(s->scratch, double, n *n);
  s->M_free = arena_array(s->scratch, double, n *n);
  s->Phi_q = arena_array(s->scratch, double, rows *n);
  s->Phi_free = arena_array(s->scratch, double, rows *n);
  kkt_open(&s->kkt, s->scratch, s->moves, p->m, false);
  for (int i = 0; i < s->moves; i++) s->kkt.unit[i] = m->kind_scale[m->kind[s->free[i]]];
}

// ---- Linear algebra on the free coordinates

static Status factor_free(Search *s, const double *q) {
  const Problem *p = &s->m->problem;
  int k = s->moves;
  Status status = p->geometry(p->user, 0, q, s->M, s->Phi_q);
  if (status != QDOT_OK) return status;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) s->M_free[i * k + j] = s->M[s->free[i] * s->n + s->free[j]];
  for (int r = 0; r < s->rows; r++)
    for (int j = 0; j < k; j++) s->Phi_free[r * k + j] = s->Phi_q[r * s->n + s->free[j]];
  status = kkt_factor(&s->kkt, s->M_free, s->Phi_free, s->rows);
  if (status != QDOT_SINGULAR_MASS) return status;
  // coordinates without mass that nothing holds: every change counts the same
  memset(s->M_free, 0, (size_t)k * (size_t)k * sizeof *s->M_free);
  for (int i = 0; i < k; i++) s->M_free[i * k + i] = 1;
  return kkt_factor(&s->kkt, s->M_free, s->Phi_free, s->rows);
}

// Violations as distances in the metric of the masses.
static double residual_at(Search *s, const double *q) {
  const Problem *p = &s->m->problem;
  if (p->position(p->user, 0, q, s->Phi) != QDOT_OK) return INFINITY;
  double sum = 0;
  for (int r = 0; r < s->rows; r++) {
    double scale = s->kkt.scale[r] > 0 ? s->kkt.scale[r] : 1;
    sum += s->Phi[r] * s->Phi[r] / (scale * scale);
  }
  return isfinite(sum) ? sqrt(sum) : INFINITY;
}

// The largest of some residuals at q by the sizes of their rows.
static double misfit(Search *s, const double *q, const double *residual) {
  double worst = 0;
  machine_row_sizes(s->m, 0, q, s->size);
  for (int r = 0; r < s->rows; r++) {
    double share = residual[r] == 0 ? 0 : fabs(residual[r]) / s->size[r];
    if (!(share <= worst)) worst = share;
  }
  return isfinite(worst) ? worst : INFINITY;
}

// ---- Positions

enum { MOST_HALVINGS = 14 }; // of a step that does not improve

// One damped Newton step from s->q. Returns the misfit that it could take away, or INFINITY without
// progress.
static double newton_step(Search *s) {
  if (factor_free(s, s->q) != QDOT_OK) return INFINITY;
  double before = residual_at(s, s->q);
  if (before == INFINITY) return INFINITY;
  for (int r = 0; r < s->rows; r++) s->c[r] = -s->Phi[r];
  double change = kkt_correction(&s->kkt, s->c, s->dq);
  if (!isfinite(change)) return INFINITY;
  dense_multiply(s->rows, s->moves, s->Phi_free, s->dq, s->removed);
  double left = misfit(s, s->q, s->removed);
  for (int halvings = 0; halvings < MOST_HALVINGS; halvings++) {
    double damping = ldexp(1, -halvings);
    memcpy(s->trial, s->q, (size_t)s->n * sizeof *s->q);
    for (int i = 0; i < s->moves; i++) s->trial[s->free[i]] += damping * s->dq[i];
    double after = residual_at(s, s->trial);
    // at the level of rounding nothing improves any more
    if (after < before || (left < STALLED && isfinite(after))) {
      memcpy(s->q, s->trial, (size_t)s->n * sizeof *s->q);
      return left;
    }
  }
  return INFINITY;
}

// Where the constraints are met as well as rounding allows, nothing is moved.
static bool solve_from(Search *s, const double *start) {
  memcpy(s->q, start, (size_t)s->n * sizeof *start);
  double left = residual_at(s, s->q) < INFINITY ? misfit(s, s->q, s->Phi) : INFINITY, before;
  bool settled = left <= ROUNDED;
  s->stayed = settled;
  for (int round = 0; round < ROUNDS && !settled; round++) {
    before = left;
    left = newton_step(s);
    if (!isfinite(left)) break;
    settled = left <= ROUNDED || (left <= STALLED && left > 0.5 * before);
  }
  double residual = residual_at(s, s->q);
  if (residual < s->best_residual) {
    s->best_residual = residual;
    memcpy(s->best, s->q, (size_t)s->n * sizeof *s->q);
  }
  return left <= MET && residual < INFINITY && misfit(s, s->q, s->Phi) <= MET;
}

// From any solution to the one nearest to the guesses: q = guess + dq with the least dq that the
// constraints, linearized at q, allow.
static void approach_guess(Search *s) {
  size_t bytes = (size_t)s->n * sizeof *s->q;
  double before = INFINITY, first = 0;
  for (int round = 0; round < 40; round++) {
    if (factor_free(s, s->q) != QDOT_OK || residual_at(s, s->q) == INFINITY) break;
    for (int r = 0; r < s->rows; r++) {
      double back = 0;
      for (int i = 0; i < s->n; i++) back += s->Phi_q[r * s->n + i] * (s->q[i] - s->guess[i]);
      s->c[r] = back - s->Phi[r];
    }
    kkt_correction(&s->kkt, s->c, s->dq);
    memcpy(s->trial, s->guess, bytes);
    for (int i = 0; i < s->moves; i++) s->trial[s->free[i]] += s->dq[i];
    double change = 0;
    for (int i = 0; i < s->n; i++) change += (s->trial[i] - s->q[i]) * (s->trial[i] - s->q[i]);
    change = sqrt(change);
    if (!(change < before)) break;
    if (round == 0) first = change;
    before = change;
    memcpy(s->q, s->trial, bytes);
    if (change <= 1e-10 * first) break;
  }
  memcpy(s->trial, s->q, bytes);
}

static double largest_of_kind(const Search *s, int k) {
  double largest = 0;
  for (int i = 0; i < s->n; i++)
    if (s->m->kind[i] == s->m->kind[k]) largest = fmax(largest, fabs(s->guess[i]));
  return largest;
}

// Angles may be anywhere, lengths about as far away as the mechanism is large.
static void scatter(Search *s, int attempt, double *out) {
  double share = attempt < 20 ? attempt / 20.0 : 1;
  memcpy(out, s->guess, (size_t)s->n * sizeof *out);
  for (int i = 0; i < s->moves; i++) {
    int k = s->free[i];
    const Measure *measure = &coordinate(s->m, k)->measure;
    bool is_angle = measure->is_known && dimension_is_pure(measure->dimension);
    double reach = fmax(machine_coordinate_size(s->m, k), largest_of_kind(s, k));
    if (reach == 0) reach = 1;
    out[k] += share * (is_angle ? 3.14159 : 2 * reach) * random_signed(&s->random);
  }
}

static bool depends_on(const Search *s, int row, int i) {
  return !expr_is_zero(s->m->cx, s->m->set->equations->rows[row]->phi_q[i]);
}

// The row that is violated most, in the metric of the masses.
static int worst_row(Search *s) {
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
static const char *given_of_row(Search *s, int row, bool velocities) {
  Text text = text_new(&s->m->cx->keep);
  int count = 0;
  for (int i = 0; i < s->n; i++) {
    const Coordinate *c = coordinate(s->m, i);
    if (!depends_on(s, row, i)) continue;
    if ((velocities ? &c->velocity : &c->position)->kind != INITIAL_GIVEN) return NULL;
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

static Status cannot_meet(Search *s) {
  Machine *m = s->m;
  if (factor_free(s, s->best) == QDOT_OK) residual_at(s, s->best);
  int row = worst_row(s);
  const char *given = given_of_row(s, row, false), *name = machine_row_name(m, row);
  Span span = constraint_of(m, row)->span;
  if (!isfinite(s->Phi[row])) {
    Status status = diag_error(m->cx, QDOT_UNDEFINED, span,
                               "constraint '%s' has no value at the initial state", name);
    diag_note(m->cx, "a root or logarithm of a negative number, a division by zero, or numbers "
                     "beyond all bounds");
    return status;
  }
  if (given) {
    Status status = diag_error(m->cx, QDOT_INCONSISTENT, span,
                               "the given initial values contradict constraint '%s' by %.3g", name,
                               fabs(s->Phi[row]));
    diag_note(m->cx, "it contains %s, all given with '='; write '~' for those that may be moved",
              given);
    return status;
  }
  Symbol joint = joint_of_row(m, row);
  Status status =
      joint
          ? diag_error(m->cx, QDOT_INCONSISTENT, span,
                       "the mechanism cannot be assembled: joint '%s' stays open by %.4g %s",
                       symbol_text(m->cx, joint), fabs(s->Phi[row]) * (is_length(m, row) ? 1e3 : 1),
                       is_length(m, row) ? "mm" : "rad")
          : diag_error(m->cx, QDOT_INCONSISTENT, span,
                       "the mechanism cannot be assembled: constraint '%s' stays off by %.3g", name,
                       fabs(s->Phi[row]));
  diag_note(m->cx, "%d starts were tried; check the dimensions, or give better guesses with '~'",
            ATTEMPTS);
  return status;
}

static void note_moves(Search *s, const double *q, SimSummary *summary) {
  summary->guesses = (uint32_t)s->moves;
  for (int i = 0; i < s->moves; i++) {
    int k = s->free[i];
    double moved = fabs(q[k] - s->guess[k]);
    double scale = fmax(machine_coordinate_size(s->m, k), largest_of_kind(s, k));
    if (without_noise(moved, 10 * fmax(scale, fabs(q[k]))) == 0) continue;
    summary->moved++;
    if (moved <= summary->most_moved) continue;
    summary->most_moved = moved;
    summary->moved_coordinate = (uint32_t)k;
  }
}

static Status find_positions(Machine *m, double *q, SimSummary *summary) {
  Search s;
  search_open(&s, m, false);
  for (int i = 0; i < m->n; i++) {
    const Initial *initial = &coordinate(m, i)->position;
    s.guess[i] = initial_value(m, initial);
    Status status = check_finite(m, initial, i, "", s.guess[i]);
    if (status != QDOT_OK) return status;
  }
  memcpy(q, s.guess, (size_t)m->n * sizeof *q);
  if (s.rows == 0) return QDOT_OK;
  s.best_residual = INFINITY;
  memcpy(s.best, s.guess, (size_t)m->n * sizeof *q);
  bool solved = solve_from(&s, s.guess);
  for (int attempt = 1; !solved && s.moves > 0 && attempt < ATTEMPTS; attempt++) {
    scatter(&s, attempt, q);
    solved = solve_from(&s, q);
  }
  if (!solved) return cannot_meet(&s);
  // the nearest one, unless going there loses the solution
  memcpy(q, s.q, (size_t)m->n * sizeof *q);
  bool is_closed = s.stayed && memcmp(q, s.guess, (size_t)m->n * sizeof *q) == 0;
  if (!is_closed) approach_guess(&s);
  if (!is_closed && solve_from(&s, s.trial)) memcpy(q, s.q, (size_t)m->n * sizeof *q);
  note_moves(&s, q, summary);
  return QDOT_OK;
}

// ---- Velocities

static Status contradicted_velocity(Search *s, int row) {
  Machine *m = s->m;
  const char *given = given_of_row(s, row, true), *name = machine_row_name(m, row);
  Status status =
      diag_error(m->cx, QDOT_INCONSISTENT, constraint_of(m, row)->span,
                 given ? "the given initial velocities contradict constraint '%s' by %.3g"
                       : "no initial velocities meet constraint '%s': %.3g remains",
                 name, fabs(s->c[row]));
  if (given) diag_note(m->cx, "it contains %s, all given with '='", given);
  return status;
}

// The sizes of d(Phi)/dt; a row that says nothing leaves rounding of the others' size.
static void rate_sizes(Search *s, const double *q, const double *qd) {
  Machine *m = s->m;
  double most = 0, *slope = s->removed;
  Expr *rates = arena_array(s->scratch, Expr, s->rows);
  for (int r = 0; r < s->rows; r++) {
    const Row *row = m->set->equations->rows[r];
    rates[r] = row->is_nonholonomic ? row->phi : expr_time_derivative(m->cx, row->phi);
    slope[r] = dense_norm(m->n, s->Phi_q + (size_t)r * (size_t)m->n);
  }
  machine_sizes_of(m, rates, (uint32_t)s->rows, 0, q, qd, s->size);
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

static void note_velocities(Search *s, const double *qd, SimSummary *summary) {
  summary->velocity_guesses = summary->velocities_moved = 0;
  summary->most_velocity_moved = 0;
  for (int i = 0; i < s->n; i++) {
    if (!is_stated_velocity(s->m, i)) continue;
    summary->velocity_guesses++;
    double moved = fabs(qd[i] - s->guess[i]), speed = fmax(fabs(qd[i]), fabs(s->guess[i]));
    for (int k = 0; k < s->n; k++)
      if (s->m->kind[k] == s->m->kind[i]) speed = fmax(speed, fabs(qd[k]));
    if (without_noise(moved, 10 * speed) == 0) continue;
    summary->velocities_moved++;
    if (moved <= summary->most_velocity_moved) continue;
    summary->most_velocity_moved = moved;
    summary->moved_velocity = (uint32_t)i;
  }
}

static Status find_velocities(Machine *m, const double *q, double *qd, SimSummary *summary) {
  const Problem *p = &m->problem;
  Search s;
  search_open(&s, m, true);
  for (int i = 0; i < m->n; i++) {
    const Initial *initial = &coordinate(m, i)->velocity;
    qd[i] = initial_value(m, initial);
    Status status = check_finite(m, initial, i, "'", qd[i]);
    if (status != QDOT_OK) return status;
  }
  if (s.rows == 0) return QDOT_OK;
  memcpy(s.guess, qd, (size_t)m->n * sizeof *qd);
  Status status = factor_free(&s, q);
  // linear in qd: the second round removes what rounding left
  for (int round = 0; status == QDOT_OK && round < 3; round++) {
    status = p->velocity(p->user, 0, q, qd, s.c);
    for (int r = 0; r < s.rows; r++) s.c[r] = -s.c[r];
    kkt_correction(&s.kkt, s.c, s.dq);
    for (int i = 0; i < s.moves; i++) qd[s.free[i]] += s.dq[i];
  }
  if (status == QDOT_OK) status = p->velocity(p->user, 0, q, qd, s.c);
  if (status != QDOT_OK) return status;
  note_velocities(&s, qd, summary);
  rate_sizes(&s, q, qd);
  for (int r = 0; r < s.rows; r++)
    if (fabs(s.c[r]) > CONTRADICTED * s.size[r]) return contradicted_velocity(&s, r);
  return QDOT_OK;
}

void initial_guess(const Machine *m, double *q, double *qd) {
  const Model *model = m->system->model;
  for (int i = 0; i < m->n; i++) {
    q[i] = initial_value(m, &model->coordinates.at[i].position);
    qd[i] = initial_value(m, &model->coordinates.at[i].velocity);
  }
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
  Status status = find_positions(m, q, summary);
  if (status == QDOT_OK) status = initial_check_places(m, q);
  if (status == QDOT_OK) status = initial_check_mass(m, q);
  if (status == QDOT_OK) status = find_velocities(m, q, qd, summary);
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
  const double *then = machine_run(m, PART_SWITCHES, moment, later, qd);
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

// Newton's method on the constraints, in the metric of the masses.
#include "engine/start/search.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "solve/algebra/dense.h"

enum { ROUNDS = 60 };
// Residuals by the sizes of their rows: as good as rounding allows, no better in another round, met
// all the same.
static const double ROUNDED = 4 * DBL_EPSILON, STALLED = 1e-12, MET = 1e-9;

void search_open(Search *s, Arena *scratch, const Problem *p, const bool *is_kept, int rows) {
  *s = (Search){.problem = p, .scratch = scratch, .n = p->n, .rows = rows, .random = 1};
  size_t n = (size_t)p->n, m = (size_t)p->m;
  s->free = arena_array(scratch, int, n);
  for (int i = 0; i < p->n; i++)
    if (!is_kept[i]) s->free[s->moves++] = i;
  double **vectors[] = {&s->guess, &s->q, &s->trial, &s->best, &s->dq};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(scratch, double, n);
  double **of_rows[] = {&s->Phi, &s->c, &s->size, &s->removed};
  for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
    *of_rows[i] = arena_array(scratch, double, m);
  s->M = arena_array(scratch, double, n *n);
  s->M_free = arena_array(scratch, double, n *n);
  s->Phi_q = arena_array(scratch, double, m *n);
  s->Phi_free = arena_array(scratch, double, m *n);
  kkt_open(&s->kkt, scratch, s->moves, p->m, false);
  for (int i = 0; p->kind && i < s->moves; i++) s->kkt.unit[i] = p->scale[p->kind[s->free[i]]];
}

// ---- Linear algebra on the free coordinates

static Status factor_free(Search *s, const double *q) {
  const Problem *p = s->problem;
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
  const Problem *p = s->problem;
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
  s->problem->position_size(s->problem->user, 0, q, s->size);
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
bool search_from(Search *s, const double *start) {
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

// Angles may be anywhere, lengths about as far away as the mechanism is large.
static void scatter(Search *s, int attempt, double *out) {
  double share = attempt < 20 ? attempt / 20.0 : 1;
  memcpy(out, s->guess, (size_t)s->n * sizeof *out);
  for (int i = 0; i < s->moves; i++) {
    int k = s->free[i];
    double reach = s->reach[k] > 0 ? s->reach[k] : 1;
    out[k] += share * (s->is_angle[k] ? 3.14159 : 2 * reach) * random_signed(&s->random);
  }
}

bool search_positions(Search *s, double *q) {
  size_t bytes = (size_t)s->n * sizeof *q;
  s->best_residual = INFINITY;
  memcpy(s->best, s->guess, bytes);
  bool solved = search_from(s, s->guess);
  for (int attempt = 1; !solved && s->moves > 0 && attempt < SEARCH_ATTEMPTS; attempt++) {
    scatter(s, attempt, q);
    solved = search_from(s, q);
  }
  if (!solved) return false;
  // the nearest one, unless going there loses the solution
  memcpy(q, s->q, bytes);
  if (s->stayed && memcmp(q, s->guess, bytes) == 0) return true;
  approach_guess(s);
  if (search_from(s, s->trial)) memcpy(q, s->q, bytes);
  return true;
}

void search_judge(Search *s) {
  if (factor_free(s, s->best) == QDOT_OK) residual_at(s, s->best);
}

// ---- Velocities

Status search_velocities(Search *s, const double *q, double *qd) {
  const Problem *p = s->problem;
  Status status = factor_free(s, q);
  // linear in qd: the second round removes what rounding left
  for (int round = 0; status == QDOT_OK && round < 3; round++) {
    status = p->velocity(p->user, 0, q, qd, s->c);
    for (int r = 0; r < s->rows; r++) s->c[r] = -s->c[r];
    kkt_correction(&s->kkt, s->c, s->dq);
    for (int i = 0; i < s->moves; i++) qd[s->free[i]] += s->dq[i];
  }
  return status == QDOT_OK ? p->velocity(p->user, 0, q, qd, s->c) : status;
}

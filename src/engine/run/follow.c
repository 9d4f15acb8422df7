// Positions by Newton's method from the position before, extrapolated.
#include "engine/run/follow.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

enum { MOST_NEWTON = 12, MOST_HALVINGS = 14 };

static const double AT_REST = 1e-12; // of the fastest joint that rubs
static const double FAR = 0.3;       // of a coordinate's size: another branch may be as near

Status follower_open_programs(Follower *f, Programs *programs, const SimOptions *options) {
  *f = (Follower){0};
  Status status = simulation_open_programs(&f->simulation, programs, options);
  if (status != QDOT_OK) return status;
  Machine *m = &f->simulation.run.machine;
  machine_need(m, PART_POSITION);
  machine_need(m, PART_VELOCITY);
  machine_need(m, PART_GEOMETRY);
  size_t n = (size_t)m->n, rows = (size_t)m->problem.m;
  f->n = m->n, f->rows = m->problem.m;
  f->slopes = arena_array(&m->arena, double, rows *n + n * n);
  f->change = arena_array(&m->arena, double, rows + n), f->pivot = arena_array(&m->arena, int, n);
  f->q = arena_array(&m->arena, double, n), f->qd = arena_array(&m->arena, double, n + 1);
  f->near = arena_array(&m->arena, double, n), f->try = arena_array(&m->arena, double, n);
  f->past = arena_array(&m->arena, double, FOLLOW_PAST *n);
  memcpy(f->q, f->simulation.run.q, n * sizeof *f->q);
  memcpy(f->qd, f->simulation.run.qd, n * sizeof *f->qd);
  for (int i = 0; i < f->n; i++) {
    double size = machine_coordinate_size(m, i);
    f->near[i] = FOLLOW_NEAR * (size > 0 ? size : 1);
  }
  follow_block_open(f);
  return QDOT_OK;
}

void follower_close(Follower *f) { simulation_close(&f->simulation); }

// How large a change is, 1 where the next step of Newton's would be lost in rounding.
static double size_of(const Follower *f, const double *dq) {
  double most = 0;
  for (int i = 0; i < f->n; i++) {
    double size = fabs(dq[i]) / f->near[i];
    if (!(size <= most)) most = size; // also where it is not a number
  }
  return most;
}

// What a small change of q must be so that residuals of the constraints, given and overwritten in
// f->change, vanish: Phi_q dq = -Phi. More rows than coordinates say the same several times.
static bool solve_rows(Follower *f, double t, const double *q) {
  Machine *m = &f->simulation.run.machine;
  int n = f->n, rows = f->rows;
  const double *Phi_q = machine_run_geometry(m, t, q, NULL).Phi_q;
  double *A = f->slopes, *b = f->change;
  if (rows == n) {
    memcpy(A, Phi_q, (size_t)n * (size_t)n * sizeof *A);
  } else {
    double *full = A + (size_t)n * (size_t)n;
    for (int i = 0; i < n; i++)
      for (int r = 0; r < rows; r++) full[i * rows + r] = Phi_q[r * n + i];
    dense_gram(n, rows, full, A);
    for (int i = 0; i < n; i++)
      for (int k = i + 1; k < n; k++) A[i * n + k] = A[k * n + i];
    double *squares = b + rows;
    memset(squares, 0, (size_t)n * sizeof *squares);
    dense_add_transposed(rows, n, 1, Phi_q, b, squares);
    memmove(b, squares, (size_t)n * sizeof *b);
  }
  if (!(dense_lu(n, A, f->pivot) > 1e-14)) return false;
  for (int i = 0; i < n; i++) b[i] = -b[i];
  dense_lu_solve(n, A, f->pivot, b);
  return true;
}

// From a guess in f->try; false where it does not lead to a position nearby.
static bool find_position(Follower *f, double t) {
  Machine *m = &f->simulation.run.machine;
  for (int i = 0; i < MOST_NEWTON; i++) {
    memcpy(f->change, machine_run_position(m, t, f->try, NULL).Phi,
           (size_t)f->rows * sizeof *f->change);
    if (!solve_rows(f, t, f->try)) return false;
    double size = size_of(f, f->change);
    if (!(size < FAR / FOLLOW_NEAR)) return false;
    for (int k = 0; k < f->n; k++) f->try[k] += f->change[k];
    if (size <= 1) return true;
  }
  return false;
}

static void forget_past(Follower *f) { f->known = 0; }

static void remember(Follower *f, double t, const double *q) {
  size_t n = (size_t)f->n;
  f->t = t;
  memcpy(f->q, q, n * sizeof *f->q);
  if (f->known == FOLLOW_PAST)
    memmove(f->past, f->past + n, (FOLLOW_PAST - 1) * n * sizeof *f->past);
  else
    f->known++;
  memcpy(f->past + (size_t)(f->known - 1) * n, f->q, n * sizeof *f->q);
}

// The polynomial through the positions before, at the next one.
static void extrapolate(Follower *f) {
  enum { POINTS = 5 };
  static const double weights[POINTS + 1][POINTS] = {
      {0}, {1}, {-1, 2}, {1, -3, 3}, {-1, 4, -6, 4}, {1, -5, 10, -10, 5}};
  int points = f->known < POINTS ? f->known : POINTS;
  const double *w = weights[points], *past = f->past + (f->known - points) * f->n;
  for (int i = 0; i < f->n; i++) {
    double sum = 0;
    for (int k = 0; k < points; k++) sum += w[k] * past[k * f->n + i];
    f->try[i] = points ? sum : f->q[i];
  }
}

// To t, straight or by halves.
static Status reach(Follower *f, double t, int depth) {
  extrapolate(f);
  if (find_position(f, t)) {
    remember(f, t, f->try);
    return QDOT_OK;
  }
  if (depth == MOST_HALVINGS) return QDOT_SINGULAR;
  forget_past(f);
  double middle = 0.5 * (f->t + t);
  Status status = reach(f, middle, depth + 1);
  forget_past(f); // halves are not of equal length everywhere
  return status == QDOT_OK ? reach(f, t, depth + 1) : status;
}

static void use_step(Follower *f, double step) {
  if (step == f->step) return;
  f->step = step;
  forget_past(f);
}

Status follower_walk(Follower *f, double step, size_t n, double *q) {
  use_step(f, step);
  double t_0 = f->t;
  for (size_t k = 0; k < n;) {
    uint32_t found = follow_block(f, t_0, step, k, n, q);
    for (uint32_t i = found < FOLLOW_PAST ? 0 : found - FOLLOW_PAST; i < found; i++)
      remember(f, t_0 + (double)(k + i + 1) * step, q + (k + i) * (size_t)f->n);
    k += found;
    if (found > 0) continue;
    Status status = reach(f, t_0 + (double)(k + 1) * step, 0);
    if (status != QDOT_OK) return status;
    memcpy(q + k++ * (size_t)f->n, f->q, (size_t)f->n * sizeof *q);
  }
  return QDOT_OK;
}

// Phi_q q' = -Phi_t is linear: one step is all, another one removes its rounding.
static Status find_velocities(Follower *f) {
  Machine *m = &f->simulation.run.machine;
  for (int i = 0; i < 2; i++) {
    memcpy(f->change, machine_run_velocity(m, f->t, f->q, f->qd).Phi_dot,
           (size_t)f->rows * sizeof *f->change);
    if (!solve_rows(f, f->t, f->q)) return QDOT_SINGULAR;
    for (int k = 0; k < f->n; k++) f->qd[k] += f->change[k];
  }
  return QDOT_OK;
}

// Joints rub against the motion that the drive gives them.
static void rub_against_motion(Follower *f, double t) {
  Run *run = &f->simulation.run;
  Machine *m = &run->machine;
  if (m->presses == 0 || run->switching.count == 0) return;
  const double *guard = machine_run_switches(m, t, f->q, f->qd).guards;
  double fastest = 0;
  for (int i = 0; i < run->switching.count; i++)
    if (run->friction.sticking.is_press[i]) fastest = fmax(fastest, fabs(guard[i]));
  for (int i = 0; i < run->switching.count; i++)
    if (run->friction.sticking.is_press[i])
      run->switching.side[i] = fabs(guard[i]) <= AT_REST * fastest ? 0 : guard[i] < 0 ? -1 : 1;
  machine_set_sides(m, run->switching.side);
  sticking_follow(&run->friction.sticking, run->switching.side);
}

Status follower_row(Follower *f, double t, const double **row) {
  Run *run = &f->simulation.run;
  Status status = QDOT_OK;
  if (t != f->t) {
    use_step(f, t - f->t);
    status = reach(f, t, 0);
  }
  if (status == QDOT_OK) status = find_velocities(f);
  if (status != QDOT_OK) return status;
  status = run_choose_sides(run, t, f->q, f->qd);
  if (status == QDOT_OK) rub_against_motion(f, t);
  if (status == QDOT_OK) status = run_write_event_row(run, t, f->q, f->qd);
  *row = run->rows.row;
  return status;
}

// Runs that end early: the cause in words; what was computed is kept.
#include <math.h>
#include <string.h>

#include "base/status_text.h"
#include "base/text.h"
#include "engine/run/run.h"
#include "solve/algebra/dense.h"

// Just beyond the last good state, on its tangent: where the equations stop to make sense there.
typedef struct Beyond {
  Machine *m;
  double t, *q, *qd;
  double *M, *f, *Phi_q, *gamma;
} Beyond;

static Beyond beyond_new(Run *run) {
  Machine *m = &run->machine;
  Arena *scratch = &run->cx->scratch;
  size_t n = (size_t)m->n, rows = (size_t)m->problem.m;
  Beyond b = {.m = m};
  machine_need(m, PART_TERMS);
  b.q = arena_array(scratch, double, n);
  b.qd = arena_array(scratch, double, n + (size_t)m->states);
  b.M = arena_array(scratch, double, n *n);
  b.f = arena_array(scratch, double, n);
  b.Phi_q = arena_array(scratch, double, rows *n);
  b.gamma = arena_array(scratch, double, rows);
  return b;
}

static void beyond_move(Beyond *b, const Stepper *s, double dt) {
  b->t = s->t + dt;
  for (int i = 0; i < b->m->n; i++) {
    b->qd[i] = s->y[b->m->n + i];
    b->q[i] = s->y[i] + dt * b->qd[i];
  }
  for (int i = 0; i < b->m->states; i++) b->qd[b->m->n + i] = s->y[2 * b->m->n + i];
  const Problem *p = &b->m->problem;
  p->terms(p->user, b->t, b->q, b->qd, b->M, b->f, b->Phi_q, b->gamma);
}

// The equation of a coordinate has no value: by which part of the model, as far as it can be told.
static const char *equation_without_value(const Beyond *b, int i) {
  const Machine *m = b->m;
  const Programs *p = m->programs;
  const char *why =
      p->explain ? p->explain(p->user, (uint32_t)i, b->t, b->q, b->qd, m->values) : NULL;
  return why ? why
             : text_format(&m->cx->keep, "the equation of '%s' has no value from there on",
                           machine_coordinate_name(m, i));
}

// ---- A drive that cannot continue

// How much of row r is not made of the rows before it: 1 for nothing, 0 for all. Rows that depend
// on each other anyway count once.
static double independence(const Beyond *b, int r, bool (*leads)(const Machine *m, int row)) {
  const Machine *m = b->m;
  size_t n = (size_t)m->n, count = 0;
  double *basis = arena_array(&m->cx->scratch, double, ((size_t)m->problem.m + 1) * n), left = 1;
  for (int k = 0; k <= m->problem.m; k++) {
    int row = k < m->problem.m ? k : r; // the row in question comes last
    if (k < m->problem.m && leads(m, k)) continue;
    double *v = basis + count * n, size = 0;
    memcpy(v, b->Phi_q + (size_t)row * n, n * sizeof *v);
    for (size_t i = 0; i < n; i++) size += v[i] * v[i];
    if (!(size > 0)) continue;
    for (size_t i = 0; i < n; i++) v[i] /= sqrt(size);
    for (int twice = 0; twice < 2; twice++)
      for (size_t j = 0; j < count; j++) {
        double dot = 0;
        for (size_t i = 0; i < n; i++) dot += v[i] * basis[j * n + i];
        for (size_t i = 0; i < n; i++) v[i] -= dot * basis[j * n + i];
      }
    left = 0;
    for (size_t i = 0; i < n; i++) left += v[i] * v[i];
    left = sqrt(left);
    if (left < 1e-8) continue;
    for (size_t i = 0; i < n; i++) v[i] /= left;
    count++;
  }
  return left;
}

// Its row, where it is that of a motor of given speed, or NULL.
static const PlanRow *row_of_drive(const Machine *m, int row) {
  int place = machine_place(m, row);
  return place < m->rows && m->plan->rows[place].driven ? &m->plan->rows[place] : NULL;
}

static bool is_drive(const Machine *m, int row) { return row_of_drive(m, row) != NULL; }

// Where the drive stands: the angle of the body behind it, where that is a coordinate.
static const char *place_of_drive(const Beyond *b, const PlanRow *drive) {
  if (drive->driven_angle < 0) return "";
  return text_format(&b->m->cx->keep, ", at %s = %.1f deg",
                     machine_coordinate_name(b->m, drive->driven_angle),
                     b->q[drive->driven_angle] * 180 / M_PI);
}

// In a dead position the row of a drive is made of the others: NULL where none is nearly so.
static const char *locked_drive(Run *run, const Beyond *b) {
  const Machine *m = b->m;
  for (int r = 0; r < m->problem.m; r++) {
    const PlanRow *drive = row_of_drive(m, r);
    if (!drive || independence(b, r, is_drive) > 0.02) continue;
    run->end.why_note = "the other links cannot follow further; drive another joint, or change a "
                        "length. Forces and energies just before are no longer meaningful";
    return text_format(&m->cx->keep, "the mechanism locks against the motor of '%s'%s",
                       drive->driven, place_of_drive(b, drive));
  }
  return NULL;
}

// A sentence about the first thing that has no value, or NULL.
static const char *without_value(Beyond *b) {
  Machine *m = b->m;
  int n = m->n;
  for (int i = 0; i < n; i++) {
    bool good = isfinite(b->f[i]);
    for (int j = 0; j < n; j++) good &= isfinite(b->M[i * n + j]);
    if (!good) return equation_without_value(b, i);
  }
  for (int r = 0; r < m->problem.m; r++) {
    bool good = isfinite(b->gamma[r]);
    for (int j = 0; j < n; j++) good &= isfinite(b->Phi_q[r * n + j]);
    if (!good)
      return text_format(&m->cx->keep, "constraint '%s' has no value from there on",
                         machine_row_name(m, r));
  }
  if (m->problem.m > 0) return NULL; // constraints may carry what has no mass
  int bad = dense_cholesky(n, b->M, 1e-13);
  return bad < 0 ? NULL
                 : text_format(&m->cx->keep, "the mass matrix becomes singular at coordinate '%s'",
                               machine_coordinate_name(m, bad));
}

const char *run_massless_motion(Run *run) {
  Machine *m = &run->machine;
  int n = m->n, rows = m->problem.m;
  if (!run->stepper || rows == 0) return NULL;
  Mark mark = arena_mark(&run->cx->scratch);
  Beyond b = beyond_new(run);
  beyond_move(&b, run->stepper, 0);
  // M, and what constraints hold at once, in the scale of M
  double mass = 0, row = 0;
  for (int i = 0; i < n; i++) mass = fmax(mass, b.M[i * n + i]);
  for (int k = 0; k < rows * n; k++) row = fmax(row, fabs(b.Phi_q[k]));
  for (int i = 0; i < n && row > 0; i++)
    for (int j = 0; j < n; j++)
      for (int r = 0; r < rows; r++)
        b.M[i * n + j] += mass / (row * row) * b.Phi_q[r * n + i] * b.Phi_q[r * n + j];
  int bad = dense_cholesky(n, b.M, 1e-13);
  for (int i = 0; i < n && bad < 0; i++)
    if (b.M[i * n + i] * b.M[i * n + i] < 1e-9 * mass) bad = i;
  const char *name = bad < 0 ? NULL : machine_coordinate_name(m, bad);
  arena_release(&run->cx->scratch, mark);
  if (!name) return NULL;
  run->end.why_note = "constraints let it move without moving any mass there; give it a mass";
  return text_format(&run->cx->keep, "'%s' has no mass, and nothing that has one follows it there",
                     name);
}

static const char *jammed(Run *run) {
  run->end.why_note =
      "its friction would grow by more than it takes; a part at rest locks, one that "
      "slides would be stopped at once: a smaller coefficient of friction, or a longer "
      "guide, gives a motion";
  return text_format(&run->cx->keep, "joint '%s' jams: no pressing force goes with its friction",
                     run->machine.plan->presses[run->machine.jammed - 1].name);
}

// NULL when the equations are good there.
static const char *cause_of(Run *run, Status status) {
  if (run->machine.jammed) return jammed(run);
  if (run->stepper && run->stepper->t >= 0 &&
      (status == QDOT_UNDEFINED || status == QDOT_SINGULAR_MASS || status == QDOT_SINGULAR ||
       status == QDOT_STEP_LIMIT || status == QDOT_NO_CONVERGENCE)) {
    Mark mark = arena_mark(&run->cx->scratch);
    Beyond beyond = beyond_new(run);
    const char *cause = NULL;
    double t = run->stepper->t, most = fmin(1e-3 * run->o->t_end, run->o->every);
    for (double dt = 0; !cause && dt <= most; dt = dt == 0 ? 1e-15 * (t + 1) : 10 * dt) {
      beyond_move(&beyond, run->stepper, dt);
      cause = without_value(&beyond);
      if (!cause && dt == 0) cause = locked_drive(run, &beyond);
    }
    arena_release(&run->cx->scratch, mark);
    if (cause) return cause;
  }
  return status == QDOT_STEP_LIMIT ? run_massless_motion(run) : NULL;
}

// Nothing but the method itself gave up: who can do better is worth a word.
static const char *cause_in_method(Run *run, Status status) {
  const Method *method = method_get(run->o->method.method);
  if (method->kind == METHOD_EXPLICIT && run->o->method.method != METHOD_AUTO)
    return status_text(status);
  bool ties = run->machine.problem.m > 0;
  run->end.why_note =
      ties ? "constraints may depend on each other there, as in a dead position; rk853 "
             "passes through those"
           : "try rk853, or another tolerance or step";
  return text_format(&run->cx->keep, "%s finds no step that continues from there", method->name);
}

static const char *const domain_note =
    "a root or logarithm of a negative number, a division by zero, or an overflow";

double run_time(const Run *run) {
  return run->stepper && !run->end.why && !run->event.is_found ? run->stepper->t : run->t;
}

Status run_broken_off(Run *run, Status status) {
  double t = run_time(run);
  run->summary->failure = status;
  switch (status) {
  case QDOT_BLOW_UP:
    run->summary->stopped = STOPPED_BLOW_UP;
    diag_warning_plain(run->cx, "the motion grows without bound at t = %.6g s; the run ends there",
                       t);
    return QDOT_OK;
  case QDOT_STEP_LIMIT:
  case QDOT_NO_CONVERGENCE:
  case QDOT_SINGULAR_MASS:
  case QDOT_SINGULAR:
  case QDOT_UNDEFINED:
  case QDOT_INTEGRATOR_FAILED: {
    if (run->cx->diagnostics.errors > run->end.errors_before) return status;
    run->summary->stopped = STOPPED_LIMIT;
    const char *cause = run->end.why ? run->end.why : cause_of(run, status);
    if (!cause) cause = cause_in_method(run, status);
    diag_warning_plain(run->cx, "the run ends at t = %.6g s: %s", t, cause);
    if (run->end.why_note) diag_note(run->cx, "%s", run->end.why_note);
    if (strstr(cause, "no direction"))
      diag_note(run->cx, "keep them apart, or state its force by components at the point");
    if (strstr(cause, "has no value")) diag_note(run->cx, "%s", domain_note);
    return QDOT_OK;
  }
  default: return status;
  }
}

// Runs that end early: the cause in words; what was computed is kept.
#include <math.h>
#include <string.h>

#include "base/status_text.h"
#include "base/text.h"
#include "sim/run.h"
#include "solve/dense.h"

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
  b.qd = arena_array(scratch, double, n);
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
  const Problem *p = &b->m->problem;
  p->terms(p->user, b->t, b->q, b->qd, b->M, b->f, b->Phi_q, b->gamma);
}

// A sentence about the first thing that has no value, or NULL.
static const char *without_value(Beyond *b) {
  Machine *m = b->m;
  int n = m->n;
  for (int i = 0; i < n; i++) {
    bool good = isfinite(b->f[i]);
    for (int j = 0; j < n; j++) good &= isfinite(b->M[i * n + j]);
    if (!good)
      return text_format(&m->cx->keep, "the equation of '%s' has no value from there on",
                         machine_coordinate_name(m, i));
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

// NULL when the equations are good there.
static const char *cause_of(Run *run, Status status) {
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
    }
    arena_release(&run->cx->scratch, mark);
    if (cause) return cause;
  }
  return NULL;
}

// Nothing but the method itself gave up: who can do better is worth a word.
static const char *cause_in_method(Run *run, Status status) {
  const Method *method = method_get(run->o->method.method);
  if (method->kind == METHOD_EXPLICIT && run->o->method.method != METHOD_AUTO)
    return status_text(status);
  bool ties = run->machine.problem.m > 0;
  run->why_note =
      ties
          ? "constraints that depend on each other there, as in a dead position? rk853 passes those"
          : "try rk853, or another tolerance or step";
  return text_format(&run->cx->keep, "%s finds no step that goes on from there", method->name);
}

static const char *const domain_note =
    "a root or logarithm of a negative number, a division by zero, or numbers beyond all bounds";

double run_time(const Run *run) {
  return run->stepper && !run->why && !run->at_event ? run->stepper->t : run->t;
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
    if (run->cx->diagnostics.errors > 0) return status;
    run->summary->stopped = STOPPED_LIMIT;
    const char *cause = run->why ? run->why : cause_of(run, status);
    if (!cause) cause = cause_in_method(run, status);
    diag_warning_plain(run->cx, "the run ends at t = %.6g s: %s", t, cause);
    if (run->why_note) diag_note(run->cx, "%s", run->why_note);
    if (strstr(cause, "has no value")) diag_note(run->cx, "%s", domain_note);
    return QDOT_OK;
  }
  default: return status;
  }
}

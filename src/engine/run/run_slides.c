// Slides of a run: friction in a plane that comes to rest, holds, and starts again.
#include <math.h>
#include <string.h>

#include "engine/run/run.h"

// Parts of the largest speed so far: the speed that a slide is given when it starts under a growing
// load, and the speed below which it is at rest.
static const double LEAST_START = 1e-5, NO_SPEED = 1e-7;

static double size_of(const double *u, uint32_t components) {
  double sum = 0;
  for (uint32_t k = 0; k < components; k++) sum += u[k] * u[k];
  return sqrt(sum);
}

static double *aim_of(const Run *run, int i) {
  return run->sliding.lock + (size_t)i * MOST_COMPONENTS;
}

static SlideValues values_of(Run *run, int i, double t, const double *q, const double *qd) {
  return machine_slide_values(&run->machine, i, machine_run_slides(&run->machine, t, q, qd).values);
}

static void aim(Run *run, int i, const double *u) {
  uint32_t components = machine_slide(&run->machine, i)->components;
  double size = size_of(u, components);
  run->sliding.speed[i] = size;
  run->sliding.reach[i] = fmax(run->sliding.reach[i], size);
  for (uint32_t k = 0; k < components && size > 0; k++) aim_of(run, i)[k] = u[k] / size;
  machine_aim_slide(&run->machine, i, aim_of(run, i));
}

void run_aim_slides(Run *run, double t, const double *q, const double *qd) {
  for (int i = 0; i < run->sliding.count; i++) {
    if (!run->sliding.holds[i]) aim(run, i, values_of(run, i, t, q, qd).u);
    // a load that has become less again is held
    if (t > run->sliding.overloaded_since[i] && run->friction.sticking.rest[i].size < 1) {
      run->sliding.overloaded_since[i] = INFINITY;
      run_tell_stuck(run, t);
    }
  }
}

double run_slide_limit(const Run *run, double limit) {
  const double stable = 4; // of the step times the rate at which a direction settles
  for (int i = 0; i < run->sliding.count; i++) {
    double speed = fmax(run->sliding.speed[i], 0.01 * NO_SPEED * run->sliding.reach[i]);
    if (!run->sliding.holds[i] && run->sliding.grip[i] > 0)
      limit = fmin(limit, run->stepper->t + stable * speed / run->sliding.grip[i]);
  }
  return limit;
}

// Speed of a slide that creeps: from rest, under an excess of load that grows linearly in time.
static double creep_speed(const Run *run, int i, double t) {
  const Rest *rest = &run->friction.sticking.rest[i];
  return 0.5 * rest->grip * (rest->size - 1) * (t - run->sliding.overloaded_since[i]);
}

// Positive while a slide at rest holds: 1 - (load/limit)^2; for one that creeps, until it is fast
// enough to start.
static double left_of(const Run *run, int i, double t) {
  const Rest *rest = &run->friction.sticking.rest[i];
  if (!isfinite(run->sliding.overloaded_since[i])) return 1 - rest->size * rest->size;
  return 1 - creep_speed(run, i, t) / (LEAST_START * run->sliding.reach[i]);
}

void run_watch_slides(Run *run, double t, const double *q, const double *qd, double *g) {
  for (int i = 0; i < run->sliding.count; i++) {
    const double *u = values_of(run, i, t, q, qd).u;
    // what has just started from rest may be slower
    double rest = NO_SPEED * run->sliding.reach[i];
    g[i] = run->sliding.holds[i]              ? left_of(run, i, t)
           : run->sliding.speed[i] > 2 * rest ? -rest
                                              : 0;
    for (uint32_t k = 0; !run->sliding.holds[i] && k < machine_slide(&run->machine, i)->components;
         k++)
      g[i] += u[k] * aim_of(run, i)[k];
  }
}

// ---- Coming to rest

// Sum of the absolute values of the terms du/dq'_j q'_j of which u consists.
static double size_of_terms(const Run *run, int i, const SlideValues *at, const double *qd) {
  double size = 0;
  for (uint32_t k = 0; k < machine_slide(&run->machine, i)->components; k++) {
    double other = at->u[k];
    for (int j = 0; j < run->n; j++) {
      double part = at->u_qd[(size_t)k * run->n + j] * qd[j];
      size += fabs(part);
      other -= part;
    }
    size += fabs(other);
  }
  return size;
}

static bool is_held(const Run *run, int i, const SlideValues *at) {
  double u = size_of(at->u, machine_slide(&run->machine, i)->components);
  return run->sliding.holds[i] && u <= 1e-8 * run->sliding.reach[i];
}

bool run_find_rest(Run *run, double t, const double *q, const double *qd) {
  Machine *m = &run->machine;
  bool any = false;
  if (run->sliding.count > 0) machine_need(m, PART_SLIDES);
  for (int i = 0; i < run->sliding.count; i++) run->sliding.overloaded_since[i] = INFINITY;
  for (int i = 0; i < run->sliding.count; i++) {
    SlideValues at = values_of(run, i, t, q, qd);
    double u = size_of(at.u, machine_slide(m, i)->components);
    run->sliding.holds[i] = is_held(run, i, &at) || u <= 1e-11 * size_of_terms(run, i, &at, qd);
    if (run->sliding.holds[i])
      machine_rest_slide(m, i, run->work.zero_velocity);
    else
      aim(run, i, at.u);
    any |= run->sliding.holds[i];
  }
  return any;
}

// The speed u r along the locked direction r is zero; is the whole u? A fixed step may pass rest:
// then u points backwards.
static bool has_come_to_rest(Run *run, int i, const SlideValues *at) {
  uint32_t components = machine_slide(&run->machine, i)->components;
  const Stepper *s = run->stepper;
  double u = size_of(at->u, components), most = fmax(1e-6, 100 * run->o->method.rtol);
  if (u <= most * run->sliding.reach[i]) return true;
  if (!s->method->fixed_step) return false;
  SlideValues before = values_of(run, i, s->t_old, s->y_old, s->y_old + run->n);
  return u <= 0.5 * size_of(before.u, components);
}

static void stop_or_leave(Run *run, int i, double t, bool hit) {
  SlideValues at = values_of(run, i, t, run->q, run->qd);
  double u = size_of(at.u, machine_slide(&run->machine, i)->components);
  run->sliding.start_speed[i] = 0;
  if (!run->sliding.holds[i]) {
    run->sliding.holds[i] =
        u <= 1e-11 * run->sliding.reach[i] || (hit && has_come_to_rest(run, i, &at));
  } else if (!is_held(run, i, &at)) {
    run->sliding.holds[i] = false;
    run->sliding.overloaded_since[i] = INFINITY;
  } else if (hit && isfinite(run->sliding.overloaded_since[i])) {
    run->sliding.start_speed[i] = creep_speed(run, i, t);
    run->sliding.start_since[i] = t - run->sliding.overloaded_since[i];
    run->sliding.overloaded_since[i] = INFINITY;
  } else if (hit) {
    run->sliding.overloaded_since[i] = t;
  }
}

bool run_stop_slides(Run *run, double t, const bool *hit) {
  bool any = false;
  for (int i = 0; i < run->sliding.count; i++) {
    stop_or_leave(run, i, t, hit[i]);
    any |= run->sliding.holds[i];
  }
  return any;
}

// ---- Starting

void run_start_slides(Run *run, const Sticking *sticking) {
  for (int i = 0; i < run->sliding.count; i++) {
    const Rest *rest = &sticking->rest[i];
    bool was_at_rest = run->sliding.holds[i];
    run->sliding.holds[i] = rest->holds;
    run->sliding.starts[i] = rest->starts;
    if (was_at_rest) run->sliding.grip[i] = rest->grip;
    if (was_at_rest)
      run->sliding.reach[i] = fmax(run->sliding.reach[i], rest->grip * run->o->every);
    if (!rest->starts) continue;
    memcpy(aim_of(run, i), rest->w, sizeof rest->w);
    memcpy(run->sliding.start_change + (size_t)i * run->n, rest->along,
           (size_t)run->n * sizeof *rest->along);
    machine_aim_slide(&run->machine, i, aim_of(run, i));
  }
}

void run_push_slides(Run *run) {
  double part = fmin(fmax(0.1 * run->o->method.rtol, 1e-12), 1e-6);
  for (int i = 0; i < run->sliding.count; i++) {
    if (!run->sliding.starts[i]) continue;
    double speed = fmax(run->sliding.start_speed[i], part * fmax(run->sliding.reach[i], 1e-9));
    double way =
        run->sliding.start_speed[i] * run->sliding.start_since[i] / 3; // it has crept as time cubed
    for (int j = 0; j < run->n; j++) {
      run->q[j] += way * run->sliding.start_change[(size_t)i * run->n + j];
      run->qd[j] += speed * run->sliding.start_change[(size_t)i * run->n + j];
    }
    run->sliding.starts[i] = false;
    run->sliding.start_speed[i] = 0;
  }
}

Status run_refuse_rest(Run *run) {
  bool any = false;
  for (int i = 0; i < run->sliding.count; i++) any |= run->sliding.holds[i];
  if (!any) return QDOT_OK;
  run->end.why = "a velocity in a denominator has come to rest, such as norm(v) in v/norm(v)";
  run->end.why_note =
      "for forces that stick, such as dry friction, use another method, such as rk853";
  return QDOT_STEP_LIMIT;
}

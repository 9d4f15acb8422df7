// The mixture of sides and directions that holds what sticks.
#include "engine/event/stick_mix.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

// What is left of parts that hold each other, where their shares come from a singular system.
static const double SHARED_ROUNDING = 1e-12;

void sticking_gather(Sticking *s) {
  size_t n = (size_t)s->machine->n;
  s->count = 0;
  s->wedge = WEDGE_UNKNOWN;
  s->shares = false;
  for (int i = 0; i < s->switches; i++)
    if (s->sticks[i]) s->mode[s->count++] = (StickMode){.number = i};
  for (int r = 0; s->machine->rubs && r < s->sides.m; r++) {
    int contact = machine_place(s->machine, r) - s->machine->rows;
    for (int i = 0; contact >= 0 && i < s->machine->slip_count; i++)
      if (machine_slip_contact(s->machine, i) == contact && s->machine->slips[i].state != SLIP_FREE)
        s->mode[s->count++] = (StickMode){.number = i, .is_rub = true, .row = r};
  }
  for (int i = 0; i < s->slides; i++)
    for (size_t k = 0; s->rest[i].holds && k < machine_slide(s->machine, i)->components; k++)
      s->mode[s->count++] =
          (StickMode){.number = i, .is_slide = true, .along = s->rest[i].along + (1 + k) * n};
  if (s->count > 1) linear_open(&s->linear, s->arena, s->count);
  s->shared = arena_array(s->arena, double, s->count);
  if (!sticking_may_share(s)) return;
  s->svd = svd_new(s->arena, s->count, s->count);
  s->open = arena_array(s->arena, double, (size_t)s->count *(size_t)s->count);
}

double sticking_use(const Sticking *s, int i) { return s->share[i] / s->hold[i]; }

void sticking_put(Sticking *s, const StickMode *mode, bool other) {
  if (mode->is_rub)
    machine_put_friction(s->machine, mode->number,
                         other ? s->machine->slips[mode->number].unit : 0);
  else if (mode->is_slide)
    machine_rest_slide(s->machine, mode->number, other ? mode->along : s->still);
  else
    s->trial[mode->number] = other ? 1 : -1;
}

void sticking_put_all(Sticking *s) {
  for (int i = 0; i < s->count; i++) sticking_put(s, &s->mode[i], false);
}

// One trial: the motion with every switch on a side, and the speeds of what sticks.
static Status try_sides(Sticking *s, double t, const double *q, const double *qd, double *mixed,
                        double *speed) {
  Machine *m = s->machine;
  int n = m->n, rows = s->sides.m;
  machine_try_sides(m, s->trial);
  Status status = dynamics_evaluate(&s->dynamics, t, q, qd, mixed, mixed + n, mixed + n + rows);
  if (status != QDOT_OK) return status;
  machine_give(m, mixed, mixed + n);
  const double *all = s->switches > 0 ? machine_run_switch_speeds(m, t, q, qd).speeds : NULL;
  const double *slides = s->slides > 0 ? machine_run_slides(m, t, q, qd).values : NULL;
  SlipsBlocks slips = m->rubs ? machine_run_slips(m, t, q, qd) : (SlipsBlocks){0};
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (mode->is_rub) {
      const double *v_q = slips.v_q + (size_t)mode->number * (size_t)n;
      speed[i] = stick_dot(v_q, mixed, n) - slips.gamma[mode->number];
      continue;
    }
    if (!mode->is_slide) {
      speed[i] = all[mode->number];
      continue;
    }
    SlideValues at = machine_slide_values(m, mode->number, slides);
    speed[i] = stick_dot(mode->e, at.rate, (int)machine_slide(m, mode->number)->components);
  }
  return QDOT_OK;
}

// The speeds that draw what sticks to zero.
static void want_rest(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  const double *guard = s->switches > 0 ? machine_run_switches(m, t, q, qd).guards : NULL;
  const double *slides = s->slides > 0 ? machine_run_slides(m, t, q, qd).values : NULL;
  SlipsBlocks slips = m->rubs ? machine_run_slips(m, t, q, qd) : (SlipsBlocks){0};
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    double g = 0;
    if (mode->is_rub)
      g = slips.v[mode->number];
    else if (mode->is_slide)
      g = stick_dot(mode->e, machine_slide_values(m, mode->number, slides).u,
                    (int)machine_slide(m, mode->number)->components);
    else
      g = guard[mode->number];
    s->wanted[i] = -s->pull * g;
  }
}

// Is it a contact that slides, whose friction follows from what presses it?
static bool slides_along(const Sticking *s, const StickMode *mode) {
  return mode->is_rub && s->machine->slips[mode->number].state == SLIP_SLIDES;
}

// Row i of the equations for the weights: no speed of what sticks; of a contact that slides,
// F + direction mu lambda = 0. What a side changes is taken as proportional to its share, as a
// force with sign() is.
static double weight_equation(const Sticking *s, size_t i, double *row) {
  size_t count = (size_t)s->count, n = (size_t)s->machine->n;
  const StickMode *mode = &s->mode[i];
  if (slides_along(s, mode)) {
    const Slip *slip = &s->machine->slips[mode->number];
    double share = -slip->direction * slip->mu;
    const double *lambda = s->mixed + n + (size_t)mode->row;
    for (size_t j = 0; j < count; j++)
      row[j] = (i == j ? slip->unit : 0) - share * lambda[(j + 1) * s->width];
    return share * lambda[0];
  }
  for (size_t j = 0; j < count; j++)
    row[j] = mode->is_void || s->mode[j].is_void ? i == j : s->speed[(j + 1) * count + i];
  if (mode->is_void && mode_is_switch(mode)) return 0.5; // a share of none
  return mode->is_void && mode->is_rub ? 0 : s->wanted[i] - s->speed[i];
}

// Contacts that rest may share their load in many ways: the weights of least size, and what can be
// added to them.
static Status share_weights(Sticking *s, const double *A) {
  int count = s->count;
  const Svd *svd = s->svd;
  double *x = s->shared;
  Status status = svd_compute(s->svd, count, A);
  memset(x, 0, (size_t)count * sizeof *x);
  for (int k = 0; k < count && status == QDOT_OK; k++) {
    const double *v = svd->Vt + (size_t)k * (size_t)count;
    if (!(svd->sigma[k] > LEAST_DIRECTION * svd->sigma[0])) {
      memcpy(s->open + (size_t)s->open_count++ * (size_t)count, v, (size_t)count * sizeof *v);
      continue;
    }
    double part = 0;
    for (int i = 0; i < count; i++) part += svd->U[i * svd->k + k] * s->weight[i];
    for (int i = 0; i < count; i++) x[i] += part / svd->sigma[k] * v[i];
  }
  if (status == QDOT_OK) memcpy(s->weight, x, (size_t)count * sizeof *x);
  return status;
}

bool mode_rests(const Sticking *s, const StickMode *mode) {
  return mode_is_switch(mode) ? s->is_press[mode->number] : mode->is_rub && !slides_along(s, mode);
}

bool sticking_may_share(const Sticking *s) {
  int resting = 0;
  for (int i = 0; i < s->count; i++) resting += mode_rests(s, &s->mode[i]);
  return resting > 1;
}

// The same where the shares of switches, 2 w - 1, are to be small.
static Status share_sides(Sticking *s, const double *A) {
  for (int j = 0; j < s->count; j++)
    for (int i = 0; mode_is_switch(&s->mode[j]) && i < s->count; i++)
      s->weight[i] -= A[i * s->count + j] / 2;
  Status status = share_weights(s, A);
  for (int j = 0; j < s->count; j++)
    if (mode_is_switch(&s->mode[j])) s->weight[j] += 0.5;
  return status;
}

// A contact at rest that cannot move, because others hold what it touches, needs no friction.
static void find_void_rubs(Sticking *s) {
  for (int i = 0; i < s->count; i++) {
    StickMode *mode = &s->mode[i];
    if (!mode->is_rub) continue;
    double own = s->speed[(size_t)(i + 1) * (size_t)s->count + (size_t)i];
    mode->is_void = !slides_along(s, mode) &&
                    fabs(own) <= LEAST_DIRECTION * s->machine->slips[mode->number].moves;
  }
}

// The same of joints.
static void find_held_joints(Sticking *s) {
  const Machine *m = s->machine;
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < m->presses && mode_is_switch(&s->mode[i]); k++)
      if (m->plan->presses[k].guard == s->mode[i].number) s->mode[i].is_void = m->press_held[k];
}

static Status find_weights(Sticking *s) {
  size_t count = (size_t)s->count;
  s->open_count = 0;
  find_void_rubs(s);
  find_held_joints(s);
  if (count == 1) {
    double slope;
    s->weight[0] = weight_equation(s, 0, &slope);
    // nothing holds it where nothing presses: no share
    s->weight[0] = slope != 0 ? s->weight[0] / slope : mode_is_switch(&s->mode[0]) ? 0.5 : 0;
    return QDOT_OK;
  }
  for (size_t i = 0; i < count; i++) s->weight[i] = weight_equation(s, i, s->linear.A + i * count);
  if (sticking_may_share(s)) return share_sides(s, s->linear.A);
  Status status = linear_factor(&s->linear);
  if (status == QDOT_OK) linear_solve(&s->linear, s->weight);
  return status;
}

static void take_shares(Sticking *s) {
  int n = s->machine->n;
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (mode->is_rub) {
      Slip *slip = &s->machine->slips[mode->number];
      slip->force = slip->unit * s->weight[i];
      continue;
    }
    if (!mode->is_slide) {
      s->share[mode->number] = 2 * s->weight[i] - 1;
      continue;
    }
    Rest *rest = &s->rest[mode->number];
    if (i == 0 || !s->mode[i - 1].is_slide || s->mode[i - 1].number != mode->number) {
      memset(rest->along, 0, (size_t)n * sizeof *rest->along);
      memset(rest->w, 0, sizeof rest->w);
      rest->grip = 0;
    }
    dense_add(n, s->weight[i], mode->along, rest->along);
    for (int k = 0; k < MOST_COMPONENTS; k++) rest->w[k] += s->weight[i] * mode->e[k];
    rest->size = sqrt(stick_dot(rest->w, rest->w, MOST_COMPONENTS));
    rest->grip = fmax(rest->grip, -s->speed[(size_t)(i + 1) * (size_t)s->count + (size_t)i]);
  }
}

// What is left of parts that hold each other is rounding and would count as motion.
static void mix(Sticking *s) {
  size_t width = s->width;
  double rounding = s->open_count > 0 ? SHARED_ROUNDING : 64 * DBL_EPSILON;
  take_shares(s);
  for (size_t k = 0; k < width; k++) {
    double sum = s->mixed[k], size = fabs(sum);
    for (int i = 0; i < s->count; i++) {
      double part = s->weight[i] * s->mixed[(size_t)(i + 1) * width + k];
      sum += part;
      size += fabs(part);
    }
    s->mixed[k] = fabs(sum) <= rounding * size ? 0 : sum;
    s->parts[k] = size;
  }
}

Status sticking_mix(Sticking *s, double t, const double *q, const double *qd) {
  int count = s->count;
  size_t width = s->width;
  sticking_put_all(s);
  sticking_direct(s, t, q, qd);
  want_rest(s, t, q, qd);
  Status status = try_sides(s, t, q, qd, s->mixed, s->speed);
  for (int i = 0; i < count && status == QDOT_OK; i++) {
    double *mixed = s->mixed + (size_t)(i + 1) * width;
    double *speed = s->speed + (size_t)(i + 1) * (size_t)count;
    sticking_put(s, &s->mode[i], true);
    status = try_sides(s, t, q, qd, mixed, speed);
    sticking_put(s, &s->mode[i], false);
    for (size_t k = 0; k < width; k++) mixed[k] -= s->mixed[k];
    for (int k = 0; k < count; k++) speed[k] -= s->speed[k];
  }
  if (status == QDOT_OK && count > 0) status = find_weights(s);
  if (status == QDOT_OK) mix(s);
  return status;
}

// What sticks: the mixture of sides and directions that holds it.
#include "sim/event/stick.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/dense.h"
#include "solve/lemke.h"

// A mixture this near to one side alone is that side.
static const double PURE = 1 - 1e-9;
// A guard whose speed changes by less than this part from side to side does not depend on them.
static const double LEAST_CHANGE = 1e-12;

// What is left of parts that hold each other, where their shares come from a singular system.
static const double SHARED_ROUNDING = 1e-12;

// A direction that is so much smaller than another is none.
static const double LEAST_DIRECTION = 1e-9;

static double *presses_of(const Machine *m) { return m->in + m->set->equations->layout.presses; }

static void open_presses(Sticking *s) {
  Machine *m = s->machine;
  s->hold = arena_array(s->arena, double, s->switches);
  s->is_press = arena_array(s->arena, bool, s->switches);
  for (int i = 0; i < s->switches; i++) s->hold[i] = 1;
  if (m->presses == 0) return;
  machine_need(m, PART_PRESSES);
  press_open(&s->press, s->arena, m->presses);
  memset(presses_of(m), 0, (size_t)m->presses * sizeof(double));
  for (int i = 0; i < m->presses; i++) {
    if (m->press_switch[i] < 0) continue;
    s->hold[m->press_switch[i]] = machine_value(m, m->system->model->presses.at[i].hold);
    s->is_press[m->press_switch[i]] = true;
  }
}

double sticking_use(const Sticking *s, int i) { return s->share[i] / s->hold[i]; }

void sticking_open(Sticking *s, Arena *arena, Machine *machine, int switches, double pull) {
  size_t n = (size_t)machine->n, m = (size_t)machine->problem.m, count = (size_t)switches;
  int slides = machine_slides(machine);
  for (int i = 0; i < slides; i++) count += machine_slide(machine, i)->components;
  if (machine->rubs) count += (size_t)machine->contacts;
  if (machine->rubs) machine_need(machine, PART_SLIPS);
  if (switches > 0) machine_need(machine, PART_SWITCH_SPEEDS);
  if (slides > 0) machine_need(machine, PART_SLIDES);
  if (slides > 0) machine_need(machine, PART_GEOMETRY);
  machine_need(machine, PART_POWER);
  if (m > 0 || !machine->problem.forward) machine_need(machine, PART_TERMS);
  *s = (Sticking){.arena = arena,
                  .machine = machine,
                  .pull = pull,
                  .sides = machine->problem,
                  .switches = switches,
                  .slides = slides,
                  .width = n + m + (size_t)machine->states + POWER_KINDS};
  dynamics_open(&s->dynamics, arena, &s->sides);
  s->mode = arena_array(arena, StickMode, count);
  s->sticks = arena_array(arena, bool, switches);
  s->rest = arena_array(arena, Rest, slides);
  for (int i = 0; i < slides; i++)
    s->rest[i].along = arena_array(arena, double, (1 + MOST_COMPONENTS) * n);
  s->share = arena_array(arena, double, switches);
  s->trial = arena_array(arena, double, switches);
  s->mixed = arena_array(arena, double, (count + 1) * s->width);
  s->speed = arena_array(arena, double, (count + 1) * count);
  s->weight = arena_array(arena, double, count);
  s->wanted = arena_array(arena, double, count);
  s->terms =
      arena_array(arena, double, n *n + n + m * n + m + (size_t)machine->states + POWER_KINDS);
  s->rates = arena_array(arena, double, 2 * (machine->states + POWER_KINDS));
  s->basis = arena_array(arena, double, m *n);
  s->still = arena_array(arena, double, n);
  open_presses(s);
}

// ---- Directions in which a slide can go

static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// Orthonormal rows for those of Phi_q; returns how many.
static int find_basis(Sticking *s, double t, const double *q) {
  Machine *m = s->machine;
  int n = m->n, rank = 0;
  if (s->sides.m == 0) return 0;
  const double *Phi_q = machine_run_geometry(m, t, q, NULL).Phi_q;
  for (int r = 0; r < s->sides.m; r++) {
    double *row = s->basis + (size_t)rank * n;
    memcpy(row, Phi_q + (size_t)r * n, (size_t)n * sizeof *row);
    double size = sqrt(dot(row, row, n));
    for (int twice = 0; twice < 2; twice++)
      for (int k = 0; k < rank; k++)
        dense_add(n, -dot(row, s->basis + (size_t)k * n, n), s->basis + (size_t)k * n, row);
    double left = sqrt(dot(row, row, n));
    if (!(left > LEAST_DIRECTION * size)) continue;
    for (int j = 0; j < n; j++) row[j] /= left;
    rank++;
  }
  return rank;
}

// The change of velocities that is nearest to that of coordinate j alone, without what the
// constraints and the directions before do not let through; and what it makes of u.
static double try_direction(const Sticking *s, int rank, const SlideValues *at, int j,
                            const StickMode *before, int count, StickMode *mode) {
  int n = s->machine->n, components = (int)machine_slide(s->machine, mode->number)->components;
  memset(mode->along, 0, (size_t)n * sizeof *mode->along);
  mode->along[j] = 1;
  for (int k = 0; k < rank; k++)
    dense_add(n, -s->basis[(size_t)k * n + j], s->basis + (size_t)k * n, mode->along);
  for (int k = 0; k < components; k++) mode->e[k] = dot(at->u_qd + (size_t)k * n, mode->along, n);
  for (int i = 0; i < count; i++) {
    double part = dot(mode->e, before[i].e, components);
    dense_add(n, -part, before[i].along, mode->along);
    for (int k = 0; k < components; k++) mode->e[k] -= part * before[i].e[k];
  }
  return sqrt(dot(mode->e, mode->e, components));
}

// Directions e, orthonormal, in which u of a slide can change.
static void find_directions(Sticking *s, int rank, const SlideValues *at, StickMode *first) {
  int n = s->machine->n, components = (int)machine_slide(s->machine, first->number)->components;
  double largest = 0;
  for (int i = 0; i < components; i++) {
    StickMode *mode = first + i;
    int best = 0;
    double most = 0;
    for (int j = 0; j < n; j++) {
      double size = try_direction(s, rank, at, j, first, i, mode);
      if (size > most) most = size, best = j;
    }
    if (i == 0) largest = most;
    double size = try_direction(s, rank, at, best, first, i, mode);
    mode->is_void = !(size > LEAST_DIRECTION * largest);
    double factor = mode->is_void ? 0 : 1 / size;
    for (int j = 0; j < n; j++) mode->along[j] *= factor;
    for (int k = 0; k < components; k++) mode->e[k] *= factor;
  }
}

static void direct_slides(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  if (s->count == 0 || !s->mode[s->count - 1].is_slide) return;
  int rank = find_basis(s, t, q);
  const double *out = machine_run_slides(m, t, q, qd).values;
  for (int i = 0; i < s->count; i++) {
    if (!s->mode[i].is_slide ||
        (i > 0 && s->mode[i - 1].is_slide && s->mode[i - 1].number == s->mode[i].number))
      continue;
    SlideValues at = machine_slide_values(m, s->mode[i].number, out);
    find_directions(s, rank, &at, s->mode + i);
  }
}

// ---- Mixtures

// Puts a mode to its first trial, or to its other one.
static void put(Sticking *s, const StickMode *mode, bool other) {
  if (mode->is_rub)
    machine_put_friction(s->machine, mode->number,
                         other ? s->machine->slips[mode->number].unit : 0);
  else if (mode->is_slide)
    machine_rest_slide(s->machine, mode->number, other ? mode->along : s->still);
  else
    s->trial[mode->number] = other ? 1 : -1;
}

static void put_all(Sticking *s) {
  for (int i = 0; i < s->count; i++) put(s, &s->mode[i], false);
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
      speed[i] = dot(v_q, mixed, n) - slips.gamma[mode->number];
      continue;
    }
    if (!mode->is_slide) {
      speed[i] = all[mode->number];
      continue;
    }
    SlideValues at = machine_slide_values(m, mode->number, slides);
    speed[i] = dot(mode->e, at.rate, (int)machine_slide(m, mode->number)->components);
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
      g = dot(mode->e, machine_slide_values(m, mode->number, slides).u,
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
  return s->wanted[i] - s->speed[i];
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

static bool is_switch(const StickMode *mode) { return !mode->is_rub && !mode->is_slide; }

// A contact or a joint that rests.
static bool rests(const Sticking *s, const StickMode *mode) {
  return is_switch(mode) ? s->is_press[mode->number] : mode->is_rub && !slides_along(s, mode);
}

static bool may_share(const Sticking *s) {
  int resting = 0;
  for (int i = 0; i < s->count; i++) resting += rests(s, &s->mode[i]);
  return resting > 1;
}

// The same where the shares of switches, 2 w - 1, are to be small.
static Status share_sides(Sticking *s, const double *A) {
  for (int j = 0; j < s->count; j++)
    for (int i = 0; is_switch(&s->mode[j]) && i < s->count; i++)
      s->weight[i] -= A[i * s->count + j] / 2;
  Status status = share_weights(s, A);
  for (int j = 0; j < s->count; j++)
    if (is_switch(&s->mode[j])) s->weight[j] += 0.5;
  return status;
}

static Status find_weights(Sticking *s) {
  size_t count = (size_t)s->count;
  s->open_count = 0;
  if (count == 1) {
    double slope;
    s->weight[0] = weight_equation(s, 0, &slope);
    s->weight[0] /= slope;
    return QDOT_OK;
  }
  for (size_t i = 0; i < count; i++) s->weight[i] = weight_equation(s, i, s->linear.A + i * count);
  if (may_share(s)) return share_sides(s, s->linear.A);
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
    rest->size = sqrt(dot(rest->w, rest->w, MOST_COMPONENTS));
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
  }
}

// The mixture at a state: in s->mixed, with the shares. What presses joints is given.
static Status evaluate_pressed(Sticking *s, double t, const double *q, const double *qd) {
  int count = s->count;
  size_t width = s->width;
  put_all(s);
  direct_slides(s, t, q, qd);
  want_rest(s, t, q, qd);
  Status status = try_sides(s, t, q, qd, s->mixed, s->speed);
  for (int i = 0; i < count && status == QDOT_OK; i++) {
    double *mixed = s->mixed + (size_t)(i + 1) * width;
    double *speed = s->speed + (size_t)(i + 1) * (size_t)count;
    put(s, &s->mode[i], true);
    status = try_sides(s, t, q, qd, mixed, speed);
    put(s, &s->mode[i], false);
    for (size_t k = 0; k < width; k++) mixed[k] -= s->mixed[k];
    for (int k = 0; k < count; k++) speed[k] -= s->speed[k];
  }
  if (status == QDOT_OK && count > 0) status = find_weights(s);
  if (status == QDOT_OK) mix(s);
  return status;
}

// ---- What presses joints that rub

// Puts the shares of the last evaluation in place.
static void put_shares(Sticking *s) {
  Machine *m = s->machine;
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (mode->is_rub)
      machine_put_friction(m, mode->number, m->slips[mode->number].force);
    else if (mode->is_slide)
      machine_rest_slide(m, mode->number, s->rest[mode->number].along);
    else
      s->trial[mode->number] = s->share[mode->number];
  }
  machine_try_sides(m, s->trial);
}

// Nothing sticks without anything that presses: a share of the largest, or this much.
static const double LIGHT = 1e-15, LIGHTEST = 1e-100;

// What presses, by the accelerations and forces of the last evaluation.
static const double *presses_there(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  put_shares(s);
  machine_give(m, s->mixed, s->mixed + m->n);
  const double *G = machine_run_presses(m, t, q, qd).values;
  s->heaviest = LIGHTEST / LIGHT;
  for (int i = 0; i < m->presses; i++) s->heaviest = fmax(s->heaviest, G[i]);
  return G;
}

static bool are_zero(const double *z, int n) {
  for (int i = 0; i < n; i++)
    if (z[i] != 0) return false;
  return true;
}

enum { MOST_TRIES = 150 };

// What joints that rest share changes the forces of others.
static void share_joints(Sticking *s) {
  if (s->open_count == 0) return;
  sticking_share(s, s->mixed + s->machine->n);
  for (int i = 0; i < s->count; i++)
    for (size_t k = 0; s->shared[i] != 0 && k < s->width; k++)
      s->mixed[k] += s->shared[i] * s->mixed[(size_t)(i + 1) * s->width + k];
}

// Friction that would have to be out of all proportion does not hold, whatever presses: as where a
// slide turns round while its crank goes on.
static bool is_hopeless(const Sticking *s) {
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    bool rubs = is_switch(mode) && s->is_press[mode->number];
    if (rubs && !(fabs(sticking_use(s, mode->number)) < 1e3)) return true;
  }
  return false;
}

// Without friction, to begin with.
static Status guess_presses(Sticking *s, double t, const double *q, const double *qd, double *z) {
  int count = s->count;
  s->count = 0;
  Status status = evaluate_pressed(s, t, q, qd);
  if (status == QDOT_OK)
    memcpy(z, presses_there(s, t, q, qd), (size_t)s->machine->presses * sizeof *z);
  s->count = count;
  return status;
}

// The mixture at a state, with what presses joints.
static Status evaluate(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  int n = m->presses;
  if (n == 0) return evaluate_pressed(s, t, q, qd);
  double *z = presses_of(m);
  Status status = QDOT_OK;
  if (are_zero(z, n)) status = guess_presses(s, t, q, qd, z);
  press_begin(&s->press);
  for (int i = 0; i < MOST_TRIES && status == QDOT_OK; i++) {
    double least = fmax(LIGHT * s->heaviest, LIGHTEST);
    for (int k = 0; k < n; k++) z[k] = fmax(z[k], least);
    status = evaluate_pressed(s, t, q, qd);
    if (status != QDOT_OK) break;
    if (i == 0 && is_hopeless(s)) return QDOT_OK; // it will be let go
    share_joints(s);
    const double *G = presses_there(s, t, q, qd);
    if (press_next(&s->press, z, G, least)) return QDOT_OK;
  }
  if (status != QDOT_OK || (s->settles && s->count > 0)) return status; // somebody is let go
  int worst = 0;
  for (int k = 1; k < n; k++)
    if (fabs(s->press.off[k]) > fabs(s->press.off[worst])) worst = k;
  m->jammed = 1 + worst;
  memset(z, 0, (size_t)n * sizeof *z);
  press_forget(&s->press);
  return QDOT_NO_CONVERGENCE;
}

int sticking_find_ambiguity(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  int n = m->presses, found = -1;
  double *z = presses_of(m);
  if (n == 0 || evaluate(s, t, q, qd) != QDOT_OK) return -1;
  double heaviest = s->heaviest;
  for (int k = 0; k < n && found < 0; k++) {
    double kept = z[k], far = 1e6 * fmax(heaviest, 1e-9);
    bool sticks = m->press_switch[k] >= 0 && s->sticks[m->press_switch[k]];
    if (sticks || !(kept > 0)) continue;
    // G is convex in each: one solution where it grows by less than z
    z[k] = far;
    if (evaluate_pressed(s, t, q, qd) == QDOT_OK && presses_there(s, t, q, qd)[k] >= far) found = k;
    z[k] = kept;
  }
  s->heaviest = heaviest;
  return found;
}

// ---- Who sticks

// What is solved for, of what sticks.
static void gather(Sticking *s) {
  size_t n = (size_t)s->machine->n;
  s->count = 0;
  for (int i = 0; i < s->switches; i++)
    if (s->sticks[i]) s->mode[s->count++] = (StickMode){.number = i};
  for (int r = 0; s->machine->rubs && r < s->sides.m; r++) {
    int contact = machine_place(s->machine, r) - s->machine->rows;
    if (contact >= 0 && s->machine->slips[contact].state != SLIP_FREE)
      s->mode[s->count++] = (StickMode){.number = contact, .is_rub = true, .row = r};
  }
  for (int i = 0; i < s->slides; i++)
    for (size_t k = 0; s->rest[i].holds && k < machine_slide(s->machine, i)->components; k++)
      s->mode[s->count++] =
          (StickMode){.number = i, .is_slide = true, .along = s->rest[i].along + (1 + k) * n};
  if (s->count > 1) linear_open(&s->linear, s->arena, s->count);
  if (!may_share(s)) return;
  s->svd = svd_new(s->arena, s->count, s->count);
  s->shared = arena_array(s->arena, double, s->count);
  s->open = arena_array(s->arena, double, (size_t)s->count *(size_t)s->count);
}

// The first one that its own sides do not push back, or -1.
static int find_indifferent(const Sticking *s) {
  for (int i = 0; i < s->count; i++) {
    double change = s->speed[(size_t)(i + 1) * (size_t)s->count + (size_t)i];
    if (s->mode[i].is_void || s->mode[i].is_rub) continue;
    if (!(change < -LEAST_CHANGE * fabs(s->speed[i]))) return i;
  }
  return -1;
}

static int find_purest(const Sticking *s) {
  int purest = -1;
  double most = PURE;
  for (int i = 0; i < s->count; i++) {
    int number = s->mode[i].number;
    if (s->mode[i].is_rub) continue;
    double share = s->mode[i].is_slide ? s->rest[number].size : fabs(sticking_use(s, number));
    if (s->mode[i].is_slide && s->rest[number].creeps) continue;
    if (share > most) most = share, purest = i;
  }
  return purest;
}

// A slide goes in the direction of w, from now on with the friction of that.
static void start_slide(Sticking *s, int i) {
  Rest *rest = &s->rest[i];
  rest->holds = false;
  rest->starts = true;
  for (int k = 0; k < MOST_COMPONENTS; k++) rest->w[k] /= rest->size;
  for (int j = 0; j < s->machine->n; j++) rest->along[j] /= rest->size;
  machine_rest_slide(s->machine, i, rest->along);
}

// Without friction it goes where it is pushed, or anywhere where it is not.
static void push_slide(Sticking *s, int i) {
  Rest *rest = &s->rest[i];
  memset(rest->w, 0, sizeof rest->w);
  memset(rest->along, 0, (size_t)s->machine->n * sizeof *rest->along);
  for (int round = 0; round < 2 && !(dot(rest->w, rest->w, MOST_COMPONENTS) > 0); round++)
    for (int k = 0; k < s->count; k++) {
      const StickMode *mode = &s->mode[k];
      if (!mode->is_slide || mode->number != i) continue;
      double part = round == 0 ? s->speed[k] : 1;
      for (int c = 0; c < MOST_COMPONENTS; c++) rest->w[c] += part * mode->e[c];
      dense_add(s->machine->n, part, mode->along, rest->along);
    }
  rest->size = sqrt(dot(rest->w, rest->w, MOST_COMPONENTS));
  start_slide(s, i);
}

static void let_go(Sticking *s, int i, bool is_pushed_back, double *side) {
  const StickMode *mode = &s->mode[i];
  int number = mode->number;
  if (!mode->is_slide) {
    if (is_pushed_back) side[number] = s->share[number] < 0 ? -1 : 1;
    s->sticks[number] = false;
  } else if (is_pushed_back) {
    start_slide(s, number);
  } else {
    push_slide(s, number);
  }
}

// Does a slide act in a direction as it is said to at rest? What grows without bound there, as
// P/|u| does, does not.
static bool acts_as_friction(Sticking *s, double t, const double *q, const double *qd,
                             const StickMode *mode) {
  Machine *m = s->machine;
  int n = m->n;
  Mark mark = arena_mark(&m->cx->scratch);
  double *near = arena_array(&m->cx->scratch, double, n + m->states), *rates = s->terms, speed = 0;
  double *slides = arena_array(&m->cx->scratch, double, 2 * (size_t)n), *rests = slides + n;
  const double *u = machine_slide_values(m, mode->number, machine_run_slides(m, t, q, qd).values).u;
  for (int j = 0; j < n; j++) speed = fmax(speed, 1e-6 * fabs(qd[j]));
  for (uint32_t k = 0; k < machine_slide(m, mode->number)->components; k++)
    speed = fmax(speed, 1e3 * fabs(u[k])); // what is left of it
  memcpy(near, qd, (size_t)(n + m->states) * sizeof *near);
  dense_add(n, fmax(speed, 1e-6), mode->along, near);
  machine_rest_slide(m, mode->number, mode->along);
  Status status = dynamics_evaluate(&s->dynamics, t, q, near, rests, NULL, rates);
  machine_aim_slide(m, mode->number, mode->e);
  if (status == QDOT_OK) status = dynamics_evaluate(&s->dynamics, t, q, near, slides, NULL, rates);
  double size = 0, apart = 0;
  for (int j = 0; j < n; j++) {
    size = fmax(size, fabs(rests[j]));
    apart = fmax(apart, fabs(rests[j] - slides[j]));
  }
  machine_rest_slide(m, mode->number, s->still);
  arena_release(&m->cx->scratch, mark);
  return status == QDOT_OK && apart <= 0.05 * size;
}

// Slides that do not continue as if they were not known.
static bool leave_out(Sticking *s, double t, const double *q, const double *qd) {
  bool any = false;
  put_all(s);
  machine_try_sides(s->machine, s->trial);
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (!mode->is_slide || mode->is_void || !s->rest[mode->number].holds) continue;
    if (acts_as_friction(s, t, q, qd, mode)) continue;
    s->rest[mode->number].holds = false;
    machine_aim_slide(s->machine, mode->number, mode->e);
    any = true;
  }
  return any;
}

static bool any_candidate(const Sticking *s) {
  for (int i = 0; i < s->count; i++)
    if (!s->mode[i].is_rub) return true;
  return false;
}

Status sticking_settle(Sticking *s, double t, const double *q, const double *qd,
                       const bool *candidates, double *side) {
  for (int i = 0; i < s->switches; i++) s->sticks[i] = candidates[i];
  for (int i = 0; i < s->slides; i++) s->rest[i].starts = false;
  Status status = QDOT_OK;
  bool is_checked = s->slides == 0;
  for (bool settled = false; !settled && status == QDOT_OK;) {
    Mark mark = arena_mark(s->arena);
    gather(s);
    settled = !any_candidate(s);
    if (s->switches > 0) memcpy(s->trial, side, (size_t)s->switches * sizeof *side);
    s->settles = true;
    if (!settled) status = evaluate(s, t, q, qd);
    s->settles = false;
    bool again = !settled && !is_checked && status == QDOT_OK && leave_out(s, t, q, qd);
    is_checked = true;
    arena_release(s->arena, mark);
    if (status != QDOT_OK || settled) break;
    if (again) continue;
    int indifferent = find_indifferent(s), purest = find_purest(s);
    if (indifferent >= 0)
      let_go(s, indifferent, false, side);
    else if (purest >= 0)
      let_go(s, purest, true, side);
    else
      settled = true;
  }
  for (int i = 0; i < s->switches && status == QDOT_OK; i++)
    if (s->sticks[i]) side[i] = 0;
  return status;
}

// ---- The problem in which they stick

static Status mixed_forward(void *user, double t, const double *q, const double *qd, double *qdd,
                            double *lambda, double *rates) {
  Machine *m = user;
  Sticking *s = m->sticking;
  size_t n = (size_t)m->n, rows = (size_t)s->sides.m;
  Status status = evaluate(s, t, q, qd);
  if (status != QDOT_OK) return status;
  memcpy(qdd, s->mixed, n * sizeof *qdd);
  memcpy(lambda, s->mixed + n, rows * sizeof *lambda);
  memcpy(rates, s->mixed + n + rows, ((size_t)s->machine->states + POWER_KINDS) * sizeof *rates);
  return QDOT_OK;
}

static Status mixed_terms(void *user, double t, const double *q, const double *qd, double *M,
                          double *f, double *Phi_q, double *gamma) {
  Machine *m = user;
  Sticking *s = m->sticking;
  size_t n = (size_t)m->n, rows = (size_t)s->sides.m;
  double *other = s->terms, *f_other = other + n * n, *Phi_other = f_other + n;
  Status status = evaluate(s, t, q, qd);
  put_all(s);
  machine_try_sides(m, s->trial);
  if (status == QDOT_OK) status = s->sides.terms(m, t, q, qd, M, f, Phi_q, gamma);
  double *first = s->mixed; // free again
  memcpy(first, f, n * sizeof *f);
  for (int i = 0; i < s->count && status == QDOT_OK; i++) {
    put(s, &s->mode[i], true);
    machine_try_sides(m, s->trial);
    status = s->sides.terms(m, t, q, qd, other, f_other, Phi_other, Phi_other + rows * n);
    for (size_t k = 0; k < n; k++) f[k] += s->weight[i] * (f_other[k] - first[k]);
    put(s, &s->mode[i], false);
  }
  return status;
}

static Status mixed_rates(void *user, double t, const double *q, const double *qd,
                          const double *lambda, double *rates) {
  Machine *m = user;
  Sticking *s = m->sticking;
  int count = m->states + POWER_KINDS;
  double *first = s->rates, *other = first + count;
  Status status = evaluate(s, t, q, qd);
  put_all(s);
  machine_try_sides(m, s->trial);
  if (status == QDOT_OK) status = s->sides.rates(m, t, q, qd, lambda, first);
  if (status == QDOT_OK) memcpy(rates, first, (size_t)count * sizeof *first);
  for (int i = 0; i < s->count && status == QDOT_OK; i++) {
    put(s, &s->mode[i], true);
    machine_try_sides(m, s->trial);
    status = s->sides.rates(m, t, q, qd, lambda, other);
    for (int k = 0; k < count; k++) rates[k] += s->weight[i] * (other[k] - first[k]);
    put(s, &s->mode[i], false);
  }
  return status;
}

void sticking_stop(Sticking *s, int slide, double t, const double *q, double *qd) {
  Machine *m = s->machine;
  size_t n = (size_t)m->n;
  StickMode mode[MOST_COMPONENTS];
  int components = (int)machine_slide(m, slide)->components;
  for (int k = 0; k < components; k++)
    mode[k] = (StickMode){.number = slide, .along = s->rest[slide].along + (size_t)(1 + k) * n};
  int rank = find_basis(s, t, q);
  SlideValues at = machine_slide_values(m, slide, machine_run_slides(m, t, q, qd).values);
  find_directions(s, rank, &at, mode);
  for (int k = 0; k < components; k++)
    dense_add(m->n, -dot(mode[k].e, at.u, components), mode[k].along, qd);
}

void sticking_begin(Sticking *s, const double *side, const bool *holds) {
  Machine *m = s->machine;
  for (int i = 0; i < s->switches; i++) {
    s->trial[i] = side[i];
    s->sticks[i] = side[i] == 0;
  }
  for (int i = 0; i < s->slides; i++) s->rest[i].holds = holds[i];
  gather(s);
  if (s->count == 0 && m->presses == 0) return;
  m->sticking = s;
  m->problem.forward = mixed_forward;
  m->problem.derivative = NULL;
  m->problem.terms = mixed_terms;
  m->problem.rates = mixed_rates;
}

void sticking_show(Sticking *s, const double *side) {
  if (s->count == 0 && s->machine->presses == 0) return;
  for (int i = 0; i < s->count; i++)
    if (s->mode[i].is_rub)
      machine_put_friction(s->machine, s->mode[i].number,
                           s->machine->slips[s->mode[i].number].force);
  for (int i = 0; i < s->slides; i++) {
    Rest *rest = &s->rest[i];
    if (!rest->holds) continue;
    for (int j = 0; rest->size > 1 && j < s->machine->n; j++) rest->along[j] /= rest->size;
    machine_rest_slide(s->machine, i, rest->along);
  }
  if (s->switches == 0) return;
  memcpy(s->trial, side, (size_t)s->switches * sizeof *side);
  for (int i = 0; i < s->switches; i++)
    if (s->sticks[i]) s->trial[i] = s->share[i];
  machine_set_sides(s->machine, s->trial);
}

// ---- Contacts that share their load

// The least tau for which weights within tau times what each contact holds exist, as a linear
// program over (z+, z-, tau): x = w + open^T (z+ - z-), -tau c <= x <= tau c.
static bool least_use(Arena *scratch, int n, int open_count, const double *open, const double *w,
                      const double *c, double *z) {
  int unknowns = 2 * open_count + 1, rows = 2 * n, size = unknowns + rows;
  double *M = arena_array(scratch, double, (size_t)size *(size_t)size);
  double *q = arena_array(scratch, double, size), *solution = arena_array(scratch, double, size);
  q[unknowns - 1] = 1;
  for (int i = 0; i < n; i++)
    for (int sign = 0; sign < 2; sign++) {
      int row = unknowns + 2 * i + sign;
      double s = sign ? -1 : 1;
      q[row] = s * w[i];
      for (int k = 0; k < open_count; k++) {
        double entry = s * open[k * n + i];
        M[row * size + k] = entry, M[row * size + open_count + k] = -entry;
        M[k * size + row] = -entry, M[(open_count + k) * size + row] = entry;
      }
      M[row * size + unknowns - 1] = c[i];
      M[(unknowns - 1) * size + row] = -c[i];
    }
  if (!lemke_solve(scratch, size, M, q, solution)) return false;
  for (int k = 0; k < open_count; k++) z[k] = solution[k] - solution[open_count + k];
  return true;
}

// What a mode carries, and at most, in units of its own weight's change.
static double carried(const Sticking *s, int i) {
  const StickMode *mode = &s->mode[i];
  return is_switch(mode) ? s->share[mode->number] / 2 : s->weight[i];
}

static double holds_at_most(const Sticking *s, int i, const double *lambda) {
  const StickMode *mode = &s->mode[i];
  if (is_switch(mode)) return s->hold[mode->number] / 2;
  const Slip *slip = &s->machine->slips[mode->number];
  return fmax(slip->mu_rest * lambda[mode->row] / slip->unit, 1e-12);
}

void sticking_share(Sticking *s, const double *lambda) {
  if (s->open_count == 0) return;
  Machine *m = s->machine;
  Arena *scratch = &m->cx->scratch;
  Mark mark = arena_mark(scratch);
  int count = s->count, resting = 0;
  int *which = arena_array(scratch, int, count);
  for (int i = 0; i < count; i++)
    if (rests(s, &s->mode[i])) which[resting++] = i;
  double *open = arena_array(scratch, double, (size_t)s->open_count *(size_t)resting);
  double *w = arena_array(scratch, double, resting), *c = arena_array(scratch, double, resting);
  double *z = arena_array(scratch, double, s->open_count);
  double *carried_before = arena_array(scratch, double, resting);
  memset(s->shared, 0, (size_t)count * sizeof *s->shared);
  for (int i = 0; i < resting; i++) {
    w[i] = carried_before[i] = carried(s, which[i]);
    c[i] = holds_at_most(s, which[i], lambda);
    for (int k = 0; k < s->open_count; k++)
      open[k * resting + i] = s->open[(size_t)k * (size_t)count + (size_t)which[i]];
  }
  if (least_use(scratch, resting, s->open_count, open, w, c, z))
    for (int i = 0; i < resting; i++) {
      const StickMode *mode = &s->mode[which[i]];
      for (int k = 0; k < s->open_count; k++) w[i] += z[k] * open[k * resting + i];
      if (is_switch(mode))
        s->share[mode->number] = 2 * w[i];
      else
        m->slips[mode->number].force = m->slips[mode->number].unit * w[i];
      s->shared[which[i]] = w[i] - carried_before[i];
    }
  arena_release(scratch, mark);
}

void sticking_share_if_needed(Sticking *s, const double *lambda) {
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (!rests(s, mode)) continue;
    const Slip *slip = &s->machine->slips[mode->number];
    if (is_switch(mode) ? fabs(sticking_use(s, mode->number)) <= 0.9
                        : fabs(slip->force) <= 0.9 * slip->mu_rest * lambda[mode->row])
      continue;
    sticking_share(s, lambda);
    return;
  }
}

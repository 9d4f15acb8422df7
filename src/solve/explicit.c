// What the explicit Runge-Kutta methods share.
#include "solve/explicit.h"
#include "solve/dead_position.h"

#include <float.h>
#include <math.h>

// Of one step: some, and what never moved may need a size; many, and the errors may be rounding.
enum { SOME_TRIES = 3, MANY_TRIES = 8 };

static const double FIRST_SIZES[] = {1e-12, 1e-9, 1e-6};

// Binary logarithm and its inverse to about 1e-4: all that the choice of a step needs, at a tenth
// of the library's price.
static double rough_log2(double x) {
  int exponent;
  double m = frexp(x, &exponent), u = (m - 0.70710678118654752) / (m + 0.70710678118654752);
  return exponent - 0.5 + u * (2.8853900817779268 + u * u * 0.9617966939259756);
}

static double rough_exp2(double x) {
  if (!(fabs(x) < 1000)) return isnan(x) ? x : x > 0 ? INFINITY : 0;
  int whole = (int)(x + 0.5);
  if (whole > x + 0.5) whole--;
  double f = x - whole;
  double power = 1 + f * (0.69314718 + f * (0.24022651 + f * (0.05550411 + f * 0.00961813)));
  union {
    uint64_t bits;
    double value;
  } scale = {.bits = (uint64_t)(whole + 1023) << 52};
  return power * scale.value;
}

// The error of an accepted step counts as at least 1e-4 when the next one is chosen.
static const double LEAST_LAST = -13.288, LEAST_ERROR = 1e-12;

// err^-(1/order - share beta) last^beta: Gustafsson's PI control as in Hairer, Norsett and Wanner.
double control_factor(StepControl *control, double err, bool accepted) {
  if (!isfinite(err)) {
    control->after_rejection = true;
    return control->shrink;
  }
  double logarithm = rough_log2(err > LEAST_ERROR ? err : LEAST_ERROR);
  if (!accepted) {
    control->after_rejection = true;
    double factor = control->safety * rough_exp2(-fmin(logarithm, 500) / control->order);
    return fmin(fmax(factor, control->shrink), 0.9);
  }
  double exponent = 1 / control->order - control->share * control->beta;
  double factor =
      control->safety * rough_exp2(control->beta * control->last - exponent * logarithm);
  factor = factor < control->shrink ? control->shrink
           : factor > control->grow ? control->grow
                                    : factor;
  if (control->after_rejection && factor > 1) factor = 1;
  control->after_rejection = false;
  control->last = logarithm > LEAST_LAST ? logarithm : LEAST_LAST;
  return factor;
}

EXPLICIT_BODY double norm_of(const Stepper *s, const double *e, const double *a, const double *b) {
  Quad sum = {0};
  for (int i = 0; i < s->padded / 4; i++) {
    Quad weight, ratio;
    error_weight(s, i, (const Quad *)a + i, (const Quad *)b + i, &weight);
    ratio = ((const Quad *)e)[i] * weight;
    sum += ratio * ratio;
  }
  return sqrt(quad_sum(&sum) / s->acting);
}

static EXPLICIT_WIDE double norm_wide(const Stepper *s, const double *e, const double *a,
                                      const double *b) {
  return norm_of(s, e, a, b);
}

double error_norm(const Stepper *s, const double *e, const double *a, const double *b) {
  return explicit_is_wide() ? norm_wide(s, e, a, b) : norm_of(s, e, a, b);
}

Status error_project(Stepper *s, double t, const double *y, double *e) {
  Status status = project_direction(&s->projector, t, y, e);
  return status == QDOT_OK ? project_direction(&s->projector, t, y, e + s->n) : status;
}

// Hairer, Norsett and Wanner, II.4: a step whose explicit Euler increment is a hundredth of the
// state, refined by the second derivative it shows.
Status first_step(Stepper *s, int order, const double *k, double *room, double *k_room,
                  double *h_out) {
  double d0 = error_norm(s, s->y, s->y, s->y), d1 = error_norm(s, k, s->y, s->y);
  if (!isfinite(d1)) return QDOT_UNDEFINED;
  double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  double refined = 0;
  // where next to nothing acts yet the increment may reach far beyond the run, where it says
  // nothing
  for (int round = 0; round < 10; round++, h *= 1e-3) {
    for (int i = 0; i < s->padded; i++) room[i] = s->y[i] + h * k[i];
    Status status = stepper_derivative(s, s->t + h, room, k_room);
    if (status != QDOT_OK) {
      *h_out = h * 1e-2;
      return QDOT_OK;
    }
    for (int i = 0; i < s->padded; i++) room[i] = k_room[i] - k[i];
    double d2 = error_norm(s, room, s->y, s->y) / h;
    double steepest = fmax(d1, d2);
    refined = steepest <= 1e-15 ? fmax(1e-6, h * 1e-3)
                                : rough_exp2(rough_log2(0.01 / steepest) / (order + 1));
    if (refined >= 1e-9 * h) break;
  }
  h = isfinite(refined) ? fmin(100 * h, refined) : h;
  *h_out = h;
  return QDOT_OK;
}

// A force that begins as t^1.5 has no Taylor series, and error estimates, which trust in one, see
// too little of it. The first step is so short that all the force gains in it, times ROUGH (what
// the nodes of a step leave of a broken power), is within the tolerance; then steps grow with the
// time since then, for whose size the force is smooth.
static const double ROUGH = 1e-3, ROUGH_GROWTH = 2;

static Status rough_first_step(Stepper *s, const double *k, double *room, double *k_room) {
  for (int tries = 0; tries < 40; tries++, s->h /= 4) {
    for (int i = 0; i < s->padded; i++) room[i] = s->y[i] + s->h * k[i];
    Status status = stepper_derivative(s, s->t + s->h, room, k_room);
    if (status == QDOT_STOPPED) return status;
    if (status != QDOT_OK) continue;
    for (int i = 0; i < s->padded; i++) room[i] = k_room[i] - k[i];
    if (ROUGH * s->h * error_norm(s, room, s->y, s->y) <= 1) return QDOT_OK;
  }
  return QDOT_OK;
}

double limited_step(double t, double h, double t_limit, bool *last) {
  double left = t_limit - t;
  *last = h >= left * (1 - 1e-10);
  if (*last) return left;
  // two equal steps rather than one and a splinter
  return 2 * h > left ? left / 2 : h;
}

bool step_is_too_small(const Stepper *s, double h) {
  return !(h > 8 * DBL_EPSILON * fabs(s->t)) || !(h > 1e-300);
}

double step_least(const Stepper *s) { return 64 * DBL_EPSILON * fabs(s->t); }

Status step_failure(const Stepper *s, Status last, double h) {
  (void)h;
  double size = 0;
  for (int i = 0; i < s->acting; i++) size = fmax(size, fabs(s->y[i]));
  if (size > 1e12) return QDOT_BLOW_UP;
  return last != QDOT_OK ? last : QDOT_STEP_LIMIT;
}

// ---- Steps with an error estimate

void explicit_open(Explicit *x, Stepper *s) {
  double **arrays[] = {&x->k_begin, &x->k_end, &x->y_new, &x->stage, &x->moved};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = stepper_array(s);
}

Status explicit_start(Explicit *x, Stepper *s, StepControl control) {
  x->control = control;
  x->control.last = LEAST_LAST;
  x->dense_ready = x->lacks_end = false;
  x->is_near_dead = x->met_dead = false;
  x->h_done = 0;
  x->stiff_signs = x->calm_signs = 0;
  s->stiff = false;
  Status status = stepper_derivative(s, s->t, s->y, x->k_begin);
  if (status != QDOT_OK) return status;
  x->t_start = s->t;
  status = first_step(s, x->order, x->k_begin, x->stage, x->y_new, &s->h);
  if (status == QDOT_OK && s->problem->begins_rough)
    status = rough_first_step(s, x->k_begin, x->stage, x->y_new);
  return status;
}

Status explicit_go_on(Stepper *s) {
  Explicit *x = s->work;
  x->h_done = 0;
  x->dense_ready = x->lacks_end = false;
  return stepper_derivative(s, s->t, s->y, x->k_begin);
}

// h |f(y_stage) - f(y_new)| / |y_stage - y_new| is the largest eigenvalue of the step: beyond the
// bound of the method stability and not accuracy holds the step down.
static void test_stiffness(Explicit *x, Stepper *s, double h) {
  if (s->lane && x->show_signs) x->show_signs(s);
  double above = 0, below = 0;
  for (int i = 0; i < s->acting; i++) {
    double df = x->k_end[i] - x->k_stage[i], dy = x->y_new[i] - x->stage[i];
    above += df * df;
    below += dy * dy;
  }
  note_stiffness(x, s, h, above, below);
}

// An eigenvalue off the real axis, whose motion has decayed, holds steps down before |h eigenvalue|
// is what the method bears; it takes more signs than one beyond that.
enum { CLEAR_SIGN = 4, ENOUGH_SIGNS = 60 };

void note_stiffness(Explicit *x, Stepper *s, double h, double above, double below) {
  double eigenvalue = below > 0 ? h * sqrt(above / below) : 0;
  if (eigenvalue > fmin(x->accuracy, x->stability)) {
    x->calm_signs = 0;
    x->stiff_signs += eigenvalue > x->stability ? CLEAR_SIGN : 1;
    if (x->stiff_signs >= ENOUGH_SIGNS) s->stiff = true;
  } else if (++x->calm_signs == 6) {
    x->stiff_signs = 0;
  }
}

static void swap(double **a, double **b) {
  double *kept = *a;
  *a = *b;
  *b = kept;
}

// ---- Steps through dead positions
//
// What rounding has left of a row, eps, is a change eps / s of the state where the row's slope s is
// small, and one of eps / s^3 of its acceleration: stages close to a dead position are wrong in the
// directions that the row settles, by chance of where they lie. The projection at the end of the
// step takes that away, if s is no longer small there. So such a step is not shortened, which would
// bring more stages close, but tried at a slightly other size.

typedef enum Verdict { TAKE, EVADE, REJECT } Verdict;

static bool projects_fast(const Stepper *s) {
  return s->problem->met_dead && s->options.stabilize == STABILIZE_PROJECT;
}

static void forget_dead(const Stepper *s) {
  if (s->problem->met_dead) *s->problem->met_dead = false;
}

// The positions of the attempt at part u of the step: Hermite's cubic between its ends.
static void attempted_position(const Explicit *x, const Stepper *s, double h, double u, double *q) {
  int n = s->n;
  double left = (1 + 2 * u) * (1 - u) * (1 - u), right = u * u * (3 - 2 * u);
  double left_rate = h * u * (1 - u) * (1 - u), right_rate = -h * u * u * (1 - u);
  for (int i = 0; i < n; i++)
    q[i] = left * s->y[i] + left_rate * s->y[n + i] + right * x->y_new[i] +
           right_rate * x->y_new[n + i];
}

// Where a row is nearest to a dead position, within the attempt or a little behind it, in sizes of
// the step; not a number where none is near.
static double find_dead(const Explicit *x, Stepper *s, double h) {
  enum { ROUNDS = 4, PARTS = 16 };
  const Problem *p = s->problem;
  double from = 0, to = DEAD_AHEAD, best = NAN, deepest = DEAD_NEAR, *q = x->stage;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i <= PARTS; i++) {
      double u = from + (to - from) * i / PARTS;
      attempted_position(x, s, h, u, q);
      double depth = p->dead_depth(p->user, s->t + u * h, q);
      if (depth > deepest) deepest = depth, best = u;
    }
    if (isnan(best)) return best;
    double width = (to - from) / PARTS;
    from = fmax(best - width, 0), to = fmin(best + width, DEAD_AHEAD);
  }
  return best;
}

// Would a step end far from dead positions? `to` and the size h of the attempt are sizes of steps.
static bool ends_far(const Explicit *x, Stepper *s, double h, double to) {
  const Problem *p = s->problem;
  if (to > DEAD_AHEAD * h) return true;
  attempted_position(x, s, h, to / h, x->stage);
  return p->dead_depth(p->user, s->t + to, x->stage) < DEAD_NEAR;
}

// The size of a step that has the dead position, `ahead` of its beginning, in the middle of a gap
// between its stages: of gaps not yet tried the one that keeps stages farthest away. Where that is
// not far, the step ends before, and leaves the dead position to the middle of the next one. 0
// where no step ends far enough from it.
static double aimed_step(Explicit *x, Stepper *s, double h, double ahead) {
  const StageGap *best = NULL;
  double most = DEAD_LONGER * x->h_first, clear = 0;
  for (const StageGap *gap = x->gaps; gap->width > 0; gap++) {
    double size = ahead / gap->middle;
    bool is_tried = x->tried_gaps >> (gap - x->gaps) & 1;
    if (is_tried || size > most || gap->width * size <= clear) continue;
    if (ends_far(x, s, h, size)) clear = gap->width * size, best = gap;
  }
  double before = ahead - DEAD_LEAVE * x->h_first;
  if (before > DEAD_LEAST * x->h_first && clear < DEAD_CLEAR * x->h_first &&
      ends_far(x, s, h, before))
    return before;
  if (!best) return 0;
  x->tried_gaps |= 1u << (best - x->gaps);
  return ahead / best->middle;
}

static double evade(Explicit *x, Stepper *s, double h, bool arrived) {
  double other = h * (arrived ? DEAD_OTHER_END : DEAD_OTHER_STAGES);
  if (x->evaded <= DEAD_BLIND || !s->problem->dead_depth || (arrived && !x->aimed)) return other;
  double at = find_dead(x, s, h), aimed = isnan(at) ? 0 : aimed_step(x, s, h, at * h);
  if (!(aimed > 0)) return other;
  x->aimed = true;
  return aimed;
}

// Of an error that is too large counts what is left by the projection, as long as the whole is not
// much larger: rows within the step show it. Where the projection takes most of it, the size of the
// step is not to blame.
static Verdict judge_error(const Explicit *x, Stepper *s, double h, double *err) {
  if (*err <= 1) return TAKE;
  if (!isfinite(*err) || !projects_fast(s) || !*s->problem->met_dead) return REJECT;
  double along = x->error_along(s, h), whole = *err;
  if (!(along <= DEAD_LEFT_OVER * whole)) return REJECT;
  double most = DEAD_TAKEN_AWAY;
  double rtol = s->options.rtol;
  if (x->aimed && rtol > 0) most = fmax(most, DEAD_BESIDE / rtol);
  if (along > 1 || whole > most) return EVADE;
  *err = along;
  return TAKE;
}

// A step from afar does not end near a dead position.
static Verdict judge_end(Explicit *x, const Stepper *s, bool may_evade) {
  if (!projects_fast(s)) return TAKE;
  bool here = *s->problem->met_dead;
  if (here && !x->is_near_dead && may_evade) return EVADE;
  x->is_near_dead = here;
  return TAKE;
}

static bool is_stable(const Explicit *x, Stepper *s, double h, double *err) {
  bool is_seen = x->fast_error && !x->met_dead && !x->lacks_end;
  double fast = is_seen ? x->fast_error(s, h) : 0;
  if (fast > *err) *err = fast;
  return !(fast > 1);
}

// Where derivatives jump, that before the jump does not begin the next step. It is left out where
// nothing else needs it: no constraint to return to, no sign of stiffness, no error of fast
// motions.
static bool leaves_end(const Explicit *x, const Stepper *s, double h) {
  return x->t_new >= s->t_jump && s->problem->m == 0 && !s->lane && !looks_for_stiffness(x, s) &&
         x->is_calm && x->is_calm(s, h);
}

Status explicit_know_end(Stepper *s) {
  Explicit *x = s->work;
  if (!x->lacks_end) return QDOT_OK;
  Status status = explicit_derivative(s, s->t, s->y, x->k_end);
  x->lacks_end = status != QDOT_OK;
  return status;
}

// The step is good: the new state becomes the present one.
static void take_over(Explicit *x, Stepper *s, double h, double t_new) {
  if (looks_for_stiffness(x, s)) test_stiffness(x, s, h);
  swap(&s->y_old, &s->y);
  swap(&s->y, &x->y_new);
  s->t_old = s->t;
  s->t = t_new;
  x->h_done = h;
  x->dense_ready = false;
  s->steps++;
}

// Stages that miss the constraints by delta are wrong by delta / s in the directions that a row
// settles, and the steps of the method add that up. Where a step has been in vain for that, stages
// are taken onto the constraints: then nothing grows that is beside them.
static Status attempt(Explicit *x, Stepper *s, double h, double *err) {
  if (!x->aimed) return x->attempt(s, h, err);
  bool is_plain = s->is_plain;
  s->is_plain = false, s->on_constraints = x->moved;
  Status status = x->attempt(s, h, err);
  s->is_plain = is_plain, s->on_constraints = NULL;
  return status;
}

bool explicit_wonders(int tries) { return tries % SOME_TRIES == 0 || tries % MANY_TRIES == 0; }

Status explicit_step(Stepper *s, double t_limit) {
  Explicit *x = s->work;
  stepper_weigh_work(s);
  // the derivative at the end of the last step begins this one
  if (x->h_done != 0) {
    Status status = explicit_know_end(s);
    if (status != QDOT_OK) return status;
    swap(&x->k_begin, &x->k_end);
  }
  x->h_done = 0;
  if (s->problem->begins_rough && s->t > x->t_start)
    s->h = fmin(s->h, ROUGH_GROWTH * (s->t - x->t_start));
  if (s->t == x->t_start) s->h = fmax(s->h, step_least(s));
  x->h_first = s->h;
  x->evaded = 0, x->tried_gaps = 0, x->aimed = false;
  int given = 0; // sizes, to what has none
  for (x->tries = 1;; x->tries++) {
    forget_dead(s);
    if (s->lane && x->ride) x->ride(s, t_limit);
    bool last;
    double wanted = s->h, h = limited_step(s->t, wanted, t_limit, &last), err = NAN;
    if (step_is_too_small(s, h) && !last) return step_failure(s, QDOT_OK, h);
    if (dynamics_is_stopped(&s->dynamics)) return QDOT_STOPPED;
    double t_new = last ? t_limit : s->t + h;
    x->t_new = t_new;
    Status status = attempt(x, s, h, &err);
    Verdict verdict = status == QDOT_OK ? judge_error(x, s, h, &err) : REJECT;
    bool arrived = verdict == TAKE;
    if (arrived) {
      x->met_dead = projects_fast(s) && *s->problem->met_dead;
      forget_dead(s);
      x->lacks_end = leaves_end(x, s, h);
      status = x->lacks_end ? QDOT_OK : x->arrive(s, t_new);
      verdict = status != QDOT_OK           ? REJECT
                : !is_stable(x, s, h, &err) ? REJECT
                : last                      ? TAKE
                       : judge_end(x, s, x->evaded < (x->aimed ? DEAD_TRIES : DEAD_EVASIONS));
    }
    if (verdict == EVADE && x->evaded++ < DEAD_TRIES) {
      s->h = evade(x, s, h, arrived);
      s->rejected++;
      continue;
    }
    if (status != QDOT_OK) err = NAN;
    bool accepted = verdict == TAKE;
    s->h = h * control_factor(&x->control, err, accepted);
    if (accepted && h < wanted) s->h = fmax(s->h, wanted);
    if (accepted && x->aimed) s->h = fmax(s->h, x->h_first);
    if (accepted) {
      take_over(x, s, h, t_new);
      return QDOT_OK;
    }
    s->rejected++;
    // what was learned may be of smaller forces
    if (x->tries % MANY_TRIES == 0 || (x->tries == 1 && stepper_has_noise(s)))
      stepper_learn_noise(s);
    bool fails = step_is_too_small(s, s->h);
    if ((x->tries % SOME_TRIES == 0 || fails) && given < 3 &&
        stepper_give_size(s, FIRST_SIZES[given++]))
      s->h = fmax(x->h_first, step_least(s));
    if (status == QDOT_STOPPED) return status;
    if (step_is_too_small(s, s->h)) return step_failure(s, status, s->h);
  }
}

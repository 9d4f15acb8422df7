// The integrator interface: what all steppers share.
#include "solve/method.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/words/phrase.h"
#include "solve/algebra/dense.h"

// How many roundings a sum of forces may collect.
#define NOISE 1e3
// A state that is less than this part of what it may be need not be known better than that.
#define LEAST_STATE 1e-9

#define METHOD(id, symbol) extern const Method method_##symbol;
#include "solve/methods.def"
#undef METHOD

static const Method *const methods[] = {
#define METHOD(id, symbol) [METHOD_##id] = &method_##symbol,
#include "solve/methods.def"
#undef METHOD
};

const Method *method_get(MethodId id) { return methods[id]; }

const char *method_name(MethodId id) { return methods[id]->name; }

MethodId method_from_name(const char *name) {
  for (int id = 0; id < METHOD_COUNT; id++)
    if (strcmp(methods[id]->name, name) == 0) return (MethodId)id;
  return METHOD_COUNT;
}

const Method *method_find(const char *name) {
  MethodId id = method_from_name(name);
  return id == METHOD_COUNT ? NULL : method_get(id);
}

MethodOptions method_defaults(void) {
  return (MethodOptions){.method = METHOD_RK853,
                         .rtol = 1e-8,
                         .step = 1e-3,
                         .beta = 0.25,
                         .gamma = 0.5,
                         .rho = 0.9,
                         .order = 4,
                         .baumgarte_alpha = 5,
                         .baumgarte_beta = 5};
}

bool method_takes(const Method *method, const char *option) {
  for (size_t i = 0; method && i < sizeof method->takes / sizeof *method->takes && method->takes[i];
       i++)
    if (strcmp(method->takes[i], option) == 0) return true;
  return false;
}

static const char *const need_words[] = {
    [NEED_CONSTRAINTS] = "constraints",
    [NEED_CONTACTS] = "contacts",
    [NEED_DISSIPATION] = "dissipation",
    [NEED_STATES] = "first-order states",
    [NEED_NONHOLONOMIC] = "nonholonomic constraints",
    [NEED_STABILIZATION] = "constraints stabilized in this way",
    [NEED_JOINT_FRICTION] = "dry friction in joints",
    [NEED_ROLLING] = "resistance to rolling",
};

bool method_meets(const Method *method, MethodNeed need) {
  bool explicit_only = need == NEED_STABILIZATION || need == NEED_JOINT_FRICTION;
  if (explicit_only && method->kind != METHOD_EXPLICIT) return false;
  return !(method->refuses >> need & 1);
}

static bool meets_all(const Method *method, unsigned needs) {
  if (method->lacks) return false;
  for (int need = 0; need < METHOD_NEEDS; need++)
    if (needs >> need & 1 && !method_meets(method, need)) return false;
  return true;
}

// Who can treat all that the problem needs; where nobody can, this.
static const char *refusal(Arena *arena, const Method *method, MethodNeed need, unsigned needs) {
  const char *able[METHOD_COUNT];
  size_t count = 0;
  for (unsigned asked = needs; count == 0; asked = 1u << need)
    for (int id = 0; id < METHOD_COUNT; id++)
      if (meets_all(methods[id], asked)) able[count++] = methods[id]->name;
  Text text = text_new(arena);
  text_addf(&text, "%s cannot treat %s; ", method->name, need_words[need]);
  phrase_list(&text, able, count, "and");
  text_add(&text, " can");
  return text.at;
}

const char *method_refusal(Arena *arena, const MethodOptions *options, const Problem *problem,
                           unsigned needs) {
  const Method *method = method_get(options->method);
  if (method->lacks)
    return text_format(arena, "%s needs %s, without which this build was made; radau can do it",
                       method->name, method->lacks);
  bool stabilized =
      options->stabilize == STABILIZE_BAUMGARTE || options->stabilize == STABILIZE_PARTITIONING;
  if (problem->m > 0) needs |= 1u << NEED_CONSTRAINTS;
  if (problem->states > 0) needs |= 1u << NEED_STATES;
  if (problem->holonomic < problem->m) needs |= 1u << NEED_NONHOLONOMIC;
  if (stabilized) needs |= 1u << NEED_STABILIZATION;
  for (int need = 0; need < METHOD_NEEDS; need++)
    if (needs >> need & 1 && !method_meets(method, need))
      return refusal(arena, method, need, needs);
  return method->kind == METHOD_OF_LAGRANGIAN && !problem->gradient
             ? text_format(arena, "%s needs a Lagrangian", method->name)
             : NULL;
}

double *stepper_array(Stepper *stepper) {
  return arena_array(stepper->arena, double, stepper->padded);
}

Status stepper_open(Arena *arena, const Problem *problem, const MethodOptions *options,
                    Stepper **out) {
  Stepper *s = arena_new(arena, Stepper);
  *out = s;
  bool may_change = options->may_change && options->method == METHOD_RK853;
  *s = (Stepper){.method = method_get(may_change ? METHOD_AUTO : options->method),
                 .problem = problem,
                 .options = *options,
                 .arena = arena,
                 .t_jump = INFINITY,
                 .n = problem->n,
                 .acting = 2 * problem->n + problem->states};
  s->size = s->acting + problem->quadratures;
  s->padded = (s->size + 1 + 3) / 4 * 4;
  s->y = stepper_array(s);
  s->y_old = stepper_array(s);
  s->largest = stepper_array(s);
  s->floor = stepper_array(s);
  s->given = stepper_array(s);
  s->kinds = problem->kind ? problem->kinds : 1;
  s->most = arena_array(arena, double, s->kinds);
  s->relative = stepper_array(s);
  for (int i = 0; i < s->acting; i++) s->relative[i] = options->rtol;
  for (int i = s->acting; i < s->padded; i++) s->largest[i] = s->floor[i] = INFINITY;
  dynamics_open(&s->dynamics, arena, problem);
  projector_open(&s->projector, arena, &s->dynamics);
  if (options->stabilize == STABILIZE_BAUMGARTE && problem->m > 0) {
    s->dynamics.baumgarte_alpha = options->baumgarte_alpha;
    s->dynamics.baumgarte_beta = options->baumgarte_beta;
  }
  s->is_plain = problem->forward && s->dynamics.baumgarte_alpha == 0 &&
                s->dynamics.baumgarte_beta == 0 && problem->n > 0;
  if (method_refusal(arena, options, problem, 0)) return QDOT_UNSUPPORTED;
  return s->method->open(s);
}

void stepper_close(Stepper *stepper) {
  if (stepper->method->close) stepper->method->close(stepper);
}

static int kind_of(const Stepper *s, int i) { return s->problem->kind ? s->problem->kind[i] : 0; }

double stepper_scale(const Stepper *s, int i) {
  return s->problem->kind ? s->problem->scale[s->problem->kind[i]] : 1;
}

// The largest of each kind, or what is as large in the scale of the problem as the largest of all.
static void measure_kinds(Stepper *s, const double *largest) {
  double *most = s->most, relative = 0;
  const double *scale = s->problem->scale;
  for (int k = 0; k < s->kinds; k++) most[k] = 0;
  for (int i = 0; i < s->n; i++)
    if (largest[i] > most[kind_of(s, i)]) most[kind_of(s, i)] = largest[i];
  for (int k = 0; k < s->kinds; k++) s->greatest = fmax(s->greatest, most[k]);
  if (s->kinds < 2) return;
  for (int k = 0; k < s->kinds; k++) relative = fmax(relative, most[k] / scale[k]);
  for (int k = 0; k < s->kinds; k++) most[k] = fmax(most[k], relative * scale[k]);
}

// Without an absolute tolerance, every value is measured by the largest it has had, or by a
// thousandth of the largest of its kind; errors of rounding in what stays small must not count.
static void measure(Stepper *s) {
  s->greatest = 0;
  double rtol = s->options.rtol, atol = s->options.atol;
  for (int level = 0; level < 2; level++) {
    const double *y = s->y + level * s->n;
    double *largest = s->largest + level * s->n, *floor = s->floor + level * s->n;
    for (int i = 0; i < s->n; i++) largest[i] = fmax(largest[i], fabs(y[i]));
    measure_kinds(s, largest);
    if (level == 0) s->reach = dense_norm(s->n, largest);
    for (int i = 0; i < s->n; i++) {
      double most = s->most[kind_of(s, i)];
      double size = largest[i] > 1e-3 * most ? largest[i] : 1e-3 * most;
      size = fmax(size, s->still[level]);
      floor[i] = atol > 0 ? atol : rtol * size + 4e-15 * most;
      // values near the smallest that a double can hold are nothing
      floor[i] += s->noise * (level ? s->h : s->h * s->h) + (most > 0 ? 1e-130 : 0);
    }
  }
  // a state that was zero so far has no size, as the coordinates before they move
  for (int i = 2 * s->n; i < s->acting; i++) {
    s->largest[i] = fmax(s->largest[i], fabs(s->y[i]));
    s->greatest = fmax(s->greatest, s->largest[i]);
    double size = fmax(s->largest[i], s->given[i]);
    s->floor[i] = (atol > 0 ? atol : rtol * size) + (size > 0 ? 1e-130 : 0);
  }
}

double stepper_share(const Stepper *s, double change, const double *q, const double *qd, double h) {
  double size = fmax(dense_norm(s->n, q), s->reach) + h * dense_norm(s->n, qd);
  return change == 0 ? 0 : change / (size + change);
}

void stepper_weigh_work(Stepper *s) {
  double allowed = s->work_scale > 0 ? s->options.rtol * s->work_scale + 1e-260 : INFINITY;
  if (s->noise > 0) allowed += s->forces * s->noise * s->h * s->h;
  for (int i = s->acting; i < s->size; i++) s->floor[i] = allowed;
}

void stepper_learn_noise(Stepper *s) {
  const Problem *p = s->problem;
  Dynamics *d = &s->dynamics;
  if (p->m == 0 || p->terms(p->user, s->t, s->y, s->y + s->n, d->M, d->f, d->Phi_q, d->gamma))
    return;
  double most = 0, least = dense_least_diagonal(s->n, d->M);
  s->forces = 0;
  for (int i = 0; i < s->n; i++) {
    double mass = d->M[(size_t)i * (size_t)s->n + (size_t)i], force = fabs(d->f[i]);
    s->forces += force;
    // what has no mass of its own moves with something that has
    most = fmax(most, force / (mass > 0 ? mass : least));
  }
  s->noise = NOISE * DBL_EPSILON * most;
  measure(s);
  stepper_weigh_work(s);
}

double stepper_least_state(const Stepper *s, int i) {
  return s->problem->state_scale ? LEAST_STATE * s->problem->state_scale[i] : 0;
}

// A state keeps its size: what errors and rounding of others alone move is not larger after a step.
static bool give_states_size(Stepper *s, double size) {
  bool any = false;
  for (int i = 0; i < s->problem->states && s->options.atol <= 0; i++) {
    int at = 2 * s->n + i;
    double least = stepper_least_state(s, i);
    if (least == 0 && s->largest[at] == 0) least = size;
    if (s->largest[at] >= least || s->given[at] >= least) continue;
    s->given[at] = least;
    any = true;
  }
  if (any) measure(s);
  return any;
}

// Of the scale of a coordinate (its rate: in SI units): what rounding leaves of a place at zero,
// and no size.
static const double DUST = 1e-13;

bool stepper_give_size(Stepper *s, double size) {
  bool is_still[2] = {s->options.atol <= 0, s->options.atol <= 0};
  for (int i = 0; i < 2 * s->n; i++)
    is_still[i >= s->n] &= !(s->largest[i] > DUST * stepper_scale(s, i % s->n));
  bool given = give_states_size(s, size);
  if (!is_still[0] && !is_still[1]) return given;
  if (is_still[1]) s->work_scale = 0; // what rounding has worked is no size either
  stepper_weigh_work(s);
  stepper_learn_noise(s); // what rounding alone moves must not become a size
  for (int level = 0; level < 2; level++)
    if (is_still[level]) s->still[level] = size;
  measure(s);
  return true;
}

Status stepper_start(Stepper *s, double t, const double *q, const double *qd, const double *w) {
  size_t n = (size_t)s->n * sizeof *q, n_w = (size_t)s->problem->quadratures * sizeof *q;
  s->t = s->t_old = t;
  s->still[0] = s->still[1] = 0;
  memmove(s->y, q, n);
  memmove(s->y + s->n, qd, n + (size_t)s->problem->states * sizeof *qd);
  if (w)
    memmove(s->y + s->acting, w, n_w);
  else
    memset(s->y + s->acting, 0, n_w);
  memcpy(s->y_old, s->y, (size_t)s->size * sizeof *q);
  measure(s);
  stepper_weigh_work(s);
  return s->method->start(s);
}

Status stepper_go_on(Stepper *s) {
  return s->method->go_on ? s->method->go_on(s) : s->method->start(s);
}

static bool has_grown(const Stepper *s) {
  int grown = 0;
  for (int i = 0; i < s->acting; i++) grown |= fabs(s->y[i]) > s->largest[i];
  return grown;
}

Status stepper_step(Stepper *stepper, double t_limit) {
  stepper->dynamics.stop = stepper->stop; // what is asked of a state is answered all the same
  Status status = stepper->method->step(stepper, t_limit);
  stepper->dynamics.stop = NULL;
  if (status == QDOT_OK && (has_grown(stepper) || stepper->noise > 0)) measure(stepper);
  return status == QDOT_OK && stepper->greatest > STEPPER_GREATEST ? QDOT_BLOW_UP : status;
}

Status stepper_dense(Stepper *stepper, double t, double *y) {
  if (t == stepper->t) {
    memcpy(y, stepper->y, (size_t)stepper->size * sizeof *y);
    return QDOT_OK;
  }
  return stepper->method->dense(stepper, t, y);
}

Status stepper_dense_many(Stepper *s, const double *t, int count, double *rows) {
  if (s->method->dense_many) return s->method->dense_many(s, t, count, rows);
  Mark mark = arena_mark(s->arena);
  double *y = stepper_array(s);
  Status status = QDOT_OK;
  for (int k = 0; k < count && status == QDOT_OK; k++) {
    status = stepper_dense(s, t[k], y);
    for (int i = 0; i < s->acting; i++) rows[i * STEPPER_MOST_TIMES + k] = y[i];
  }
  arena_release(s->arena, mark);
  return status;
}

Status stepper_derivative(Stepper *s, double t, const double *y, double *k) {
  if (s->on_constraints) {
    size_t bytes = (size_t)s->padded * sizeof *y;
    double *moved = s->on_constraints;
    memcpy(moved, y, bytes);
    if (project_near(&s->projector, t, moved, moved + s->n) == QDOT_OK) y = moved;
  }
  memcpy(k, y + s->n, (size_t)s->n * sizeof *k);
  return dynamics_evaluate(&s->dynamics, t, y, y + s->n, k + s->n, NULL, k + 2 * s->n);
}

Status stepper_stabilize(Stepper *s, double t, double *y) {
  switch (s->options.stabilize) {
  case STABILIZE_PROJECT: return project_state(&s->projector, t, y, y + s->n);
  case STABILIZE_PARTITIONING: return project_dependent(&s->projector, t, y, y + s->n);
  default: return QDOT_OK;
  }
}

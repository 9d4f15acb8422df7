// auto: rk853 while the system is not stiff, radau where it is; says from when on.
#include <math.h>

#include "solve/radau.h"

extern const Method method_rk853, method_radau, method_automatic;

// radau is left again where, for MILD looks, one in EVERY steps, a step is no longer than MILD_STEP
// times the fastest motion: rk853, whose bound of stability is 6.1, then needs no more steps. With
// size^2 grows what a step of radau costs beside one of rk853, by its factors. Each time that it
// had to come back it stays PATIENCE times as long. Where nobody has asked for it, systems of more
// than MOST_STATES are left to rk853.
static const double MILD_STEP = 3, FACTORS = 0.03;
enum { MILD = 4, EVERY = 8, PATIENCE = 4, MOST_STATES = 100 };

typedef struct Automatic {
  const Method *now;
  void *explicit_work, *stiff_work;
  int64_t mild, needed, switched; // looks in a row, looks that it takes, step of the last change
} Automatic;

static void **work_of(Automatic *w) {
  return w->now == &method_radau ? &w->stiff_work : &w->explicit_work;
}

// The methods find their workspace in stepper->work; ours is restored behind them.
static Status call(Stepper *s, Status (*action)(Stepper *)) {
  Automatic *w = s->work;
  void **own = work_of(w);
  s->work = *own;
  Status status = action(s);
  *own = s->work;
  s->work = w;
  return status;
}

static Status automatic_open(Stepper *s) {
  Automatic *w = arena_new(s->arena, Automatic);
  s->work = w;
  w->now = &method_rk853;
  w->needed = MILD;
  s->reason = s->options.may_change ? REMARK_NONE : REMARK_SMOOTH;
  return call(s, method_rk853.open);
}

// A run that is resumed starts as one that was not interrupted: with rk853.
static Status automatic_start(Stepper *s) {
  Automatic *w = s->work;
  w->now = &method_rk853;
  return call(s, w->now->start);
}

static Status automatic_go_on(Stepper *s) {
  Automatic *w = s->work;
  return call(s, w->now->go_on);
}

static Status switch_to_radau(Stepper *s) {
  Automatic *w = s->work;
  const Problem *p = s->problem;
  Status status = p->prepare_implicit ? p->prepare_implicit(p->user) : QDOT_OK;
  if (status != QDOT_OK) return status;
  if (s->reason != REMARK_STIFF) s->t_stiff = s->t;
  s->reason = REMARK_STIFF;
  s->stiff = false;
  w->now = &method_radau;
  w->mild = 0, w->switched = s->steps;
  if (!w->stiff_work) status = call(s, method_radau.open);
  return status == QDOT_OK ? call(s, method_radau.start) : status;
}

static Status switch_to_rk853(Stepper *s) {
  Automatic *w = s->work;
  w->now = &method_rk853;
  w->needed *= PATIENCE;
  return call(s, method_rk853.start);
}

static bool is_mild(Stepper *s) {
  Automatic *w = s->work;
  if ((s->steps - w->switched) % EVERY != 0 || s->steps == w->switched) return false;
  s->work = w->stiff_work;
  double worth = MILD_STEP * (1 + FACTORS * s->acting * s->acting);
  bool is_slow = s->h * radau_fastest(s) < worth;
  s->work = w;
  w->mild = is_slow ? w->mild + 1 : 0;
  return w->mild >= w->needed;
}

static Status step(Stepper *s, double t_limit) {
  Automatic *w = s->work;
  s->work = *work_of(w);
  Status status = w->now->step(s, t_limit);
  s->work = w;
  return status;
}

static Status automatic_step(Stepper *s, double t_limit) {
  Automatic *w = s->work;
  Status status = QDOT_OK;
  bool may_change = s->problem->tangent && (!s->options.may_change || s->acting <= MOST_STATES);
  if (w->now == &method_rk853 && s->stiff && may_change)
    status = switch_to_radau(s);
  else if (w->now == &method_radau && is_mild(s))
    status = switch_to_rk853(s);
  if (status != QDOT_OK) return status;
  status = step(s, t_limit);
  if (status == QDOT_OK || status == QDOT_STOPPED || w->now == &method_rk853) return status;
  // where a motion ends, rk853 comes nearer and knows why
  Status reason = status;
  status = switch_to_rk853(s);
  if (status == QDOT_OK) status = step(s, t_limit);
  return status == QDOT_STEP_LIMIT ? reason : status;
}

static Status automatic_dense(Stepper *s, double t, double *y) {
  Automatic *w = s->work;
  s->work = *work_of(w);
  Status status = w->now->dense(s, t, y);
  s->work = w;
  return status;
}

static Status automatic_dense_many(Stepper *s, const double *t, int count, double *rows) {
  Automatic *w = s->work;
  const Method *own = s->method;
  s->method = w->now;
  s->work = *work_of(w);
  Status status = stepper_dense_many(s, t, count, rows);
  s->work = w, s->method = own;
  return status;
}

const Method method_automatic = {.name = "auto",
                                 .others = {"lsoda"},
                                 .takes = {"rtol", "atol"},
                                 .nodes = 8,
                                 .open = automatic_open,
                                 .start = automatic_start,
                                 .go_on = automatic_go_on,
                                 .step = automatic_step,
                                 .dense = automatic_dense,
                                 .dense_many = automatic_dense_many};

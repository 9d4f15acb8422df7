// auto: rk853 until the system shows itself stiff, then bdf; says why.
#include "solve/method.h"

extern const Method method_rk853, method_bdf, method_automatic;

typedef struct Automatic {
  const Method *now;
  void *explicit_work, *stiff_work;
} Automatic;

// The methods find their workspace in stepper->work; ours is restored behind them.
static Status call(Stepper *s, Status (*action)(Stepper *)) {
  Automatic *w = s->work;
  void **own = w->now == &method_bdf ? &w->stiff_work : &w->explicit_work;
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
  s->reason = REMARK_SMOOTH;
  return call(s, method_rk853.open);
}

static Status automatic_start(Stepper *s) {
  Automatic *w = s->work;
  return call(s, w->now->start);
}

static Status automatic_go_on(Stepper *s) {
  Automatic *w = s->work;
  return call(s, w->now->go_on ? w->now->go_on : w->now->start);
}

static Status switch_to_bdf(Stepper *s) {
  Automatic *w = s->work;
  w->now = &method_bdf;
  s->reason = REMARK_STIFF;
  const Problem *p = s->problem;
  Status status = p->prepare_implicit ? p->prepare_implicit(p->user) : QDOT_OK;
  if (status == QDOT_OK && !w->stiff_work) status = call(s, method_bdf.open);
  return status == QDOT_OK ? call(s, method_bdf.start) : status;
}

static Status automatic_step(Stepper *s, double t_limit) {
  Automatic *w = s->work;
  if (w->now == &method_rk853 && s->stiff && s->problem->tangent) {
    Status status = switch_to_bdf(s);
    if (status != QDOT_OK) return status;
  }
  void *work = w->now == &method_bdf ? w->stiff_work : w->explicit_work;
  s->work = work;
  Status status = w->now->step(s, t_limit);
  s->work = w;
  return status;
}

static Status automatic_dense(Stepper *s, double t, double *y) {
  Automatic *w = s->work;
  s->work = w->now == &method_bdf ? w->stiff_work : w->explicit_work;
  Status status = w->now->dense(s, t, y);
  s->work = w;
  return status;
}

static Status automatic_dense_many(Stepper *s, const double *t, int count, double *rows) {
  Automatic *w = s->work;
  const Method *own = s->method;
  s->method = w->now;
  s->work = w->now == &method_bdf ? w->stiff_work : w->explicit_work;
  Status status = stepper_dense_many(s, t, count, rows);
  s->work = w, s->method = own;
  return status;
}

static void automatic_close(Stepper *s) {
  Automatic *w = s->work;
  if (!w || !w->stiff_work) return;
  s->work = w->stiff_work;
  method_bdf.close(s);
  s->work = w;
  w->stiff_work = NULL;
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
                                 .dense_many = automatic_dense_many,
                                 .close = automatic_close};

// The dense output of rk853: a polynomial of order 7, or several of them where it is too coarse.
#include <math.h>
#include <string.h>

#include "solve/rk853.h"
#include "solve/rk853_sums.h"

static void open_piece(Stepper *s, DensePiece *p) {
  for (int i = 1; i < DENSE; i++) p->c[i] = stepper_array(s);
}

void rk853_open_dense(Stepper *s) {
  Rk853 *w = s->work;
  open_piece(s, &w->whole);
  for (int i = 0; i < MOST_PIECES; i++) {
    open_piece(s, &w->piece[i]);
    w->piece[i].room = stepper_array(s);
  }
  for (int i = 0; i < 2; i++) w->k_between[i] = stepper_array(s);
}

// Three more stages, and the coefficients of the polynomial from p->begin to `end`, where the
// derivatives are k_begin and k_end. The state of the last stage stays in x.stage.
static Status fit_piece(Stepper *s, DensePiece *p, const double *k_begin, const double *end,
                        const double *k_end) {
  Rk853 *w = s->work;
  Status status;
  int quads = (s->acting + 3) / 4;
  if (s->lane) rk853_take_stages(s);
  const double h = p->h, t = p->t;
  const Quad *y = (const Quad *)p->begin, *y_new = (const Quad *)end;
  NAME_STAGES(k_begin);
  (void)k2, (void)k3, (void)k4, (void)k5;
  const Quad *k13 = (const Quad *)k_end, *k14 = (Quad *)w->k[14], *k15 = (Quad *)w->k[15],
             *k16 = (Quad *)w->k[16];
  RK_STAGE(t, p->begin, 14, AT_14, SUM_14);
  RK_STAGE(t, p->begin, 15, AT_15, SUM_15);
  RK_STAGE(t, p->begin, 16, AT_16, SUM_16);
  quads = s->padded / 4;
  Quad *c1 = (Quad *)p->c[1], *c2 = (Quad *)p->c[2], *c3 = (Quad *)p->c[3], *c4 = (Quad *)p->c[4],
       *c5 = (Quad *)p->c[5], *c6 = (Quad *)p->c[6], *c7 = (Quad *)p->c[7];
  for (int i = 0; i < quads; i++) {
    Quad difference = y_new[i] - y[i], bulge = h * k1[i] - difference;
    c1[i] = difference;
    c2[i] = bulge;
    c3[i] = difference - h * k13[i] - bulge;
    c4[i] = h * DENSE_4;
    c5[i] = h * DENSE_5;
    c6[i] = h * DENSE_6;
    c7[i] = h * DENSE_7;
  }
  return QDOT_OK;
}

// The value at x, a number or several.
#define VALUE_OF(p, i, x, r)                                                                       \
  DENSE_VALUE((p)->begin[i], (p)->c[1][i], (p)->c[2][i], (p)->c[3][i], (p)->c[4][i], (p)->c[5][i], \
              (p)->c[6][i], (p)->c[7][i], x, r)

static double value_of(const DensePiece *p, int i, double x) {
  double r = 1 - x;
  return VALUE_OF(p, i, x, r);
}

// d(value)/dx, by the same scheme.
static double slope_of(const DensePiece *p, int i, double x) {
  double *const *c = p->c, r = 1 - x, value = c[7][i], slope = 0;
  for (int k = DENSE - 1; k > 1; k--) {
    double factor = k % 2 ? x : r, turn = k % 2 ? 1 : -1;
    slope = turn * value + factor * slope;
    value = c[k - 1][i] + factor * value;
  }
  return value + x * slope;
}

// ---- Steps that stability holds down
//
// Where h times an eigenvalue is near the bound of the method, stages lie far from the motion. The
// weights of the step's end keep them within the tolerance, those of the polynomial do not: it may
// be wrong by hundreds of tolerances in between. Then the step is gone through again in pieces.

// Beyond so many tolerances. Of random systems, calm and damped, 1 in 50 calm steps is beyond it.
static const double TOLERABLE = FAR_STAGE / 4;
// What the polynomial lacks to obey the equations is largest here, and about four times its error.
static const double LACK_AT = 0.35;
// The error falls with the size of a piece as the polynomial's order says.
static const double FOR_MORE_PIECES = 50 * 2;

EXPLICIT_BODY void stage_differences(const Stepper *s, const DensePiece *p, Quad *e) {
  const Rk853 *w = s->work;
  const Quad *stage = (const Quad *)w->x.stage, *begin = (const Quad *)p->begin, *c[DENSE];
  const double x = LAST_STAGE_AT, r = 1 - LAST_STAGE_AT;
  for (int k = 1; k < DENSE; k++) c[k] = (const Quad *)p->c[k];
  for (int i = 0; i < (s->acting + 3) / 4; i++)
    e[i] = stage[i] - DENSE_VALUE(begin[i], c[1][i], c[2][i], c[3][i], c[4][i], c[5][i], c[6][i],
                                  c[7][i], x, r);
}

static EXPLICIT_WIDE void differences_wide(const Stepper *s, const DensePiece *p, Quad *e) {
  stage_differences(s, p, e);
}

// By the tolerances that hold now, which are not those of the step: it may have been the largest.
static double stage_distance(Stepper *s, const DensePiece *p, bool is_in_lane) {
  Rk853 *w = s->work;
  double *e = w->k_between[0];
  if (is_in_lane)
    rk853_take_differences(s, e);
  else if (explicit_is_wide())
    differences_wide(s, p, (Quad *)e);
  else
    stage_differences(s, p, (Quad *)e);
  memset(e + s->acting, 0, (size_t)(s->padded - s->acting) * sizeof *e);
  return error_norm(s, e, s->y_old, s->y);
}

// Of the error, in tolerances; 0 where it cannot be looked at.
static double estimated_error(Stepper *s, const DensePiece *p) {
  Rk853 *w = s->work;
  double *y = w->k_between[0], *e = w->k_between[1];
  for (int i = 0; i < s->size; i++) y[i] = value_of(p, i, LACK_AT);
  if (explicit_derivative(s, p->t + LACK_AT * p->h, y, e) != QDOT_OK) return 0;
  for (int i = 0; i < s->acting; i++) e[i] = p->h * e[i] - slope_of(p, i, LACK_AT);
  memset(e + s->acting, 0, (size_t)(s->padded - s->acting) * sizeof *e);
  return error_norm(s, e, s->y_old, s->y) / 4;
}

// The step from p->begin that attempt() and arrive() make of what the stepper holds; to `end`, if
// that is not given.
static Status step_through(Stepper *s, const DensePiece *p, double *k_begin, double *end,
                           double *k_end) {
  Rk853 *w = s->work;
  Explicit *x = &w->x;
  double t = s->t, *y = s->y, *k_first = x->k_begin, *k_last = x->k_end, error;
  s->t = p->t, s->y = p->begin, x->k_begin = k_begin, x->t_new = p->t + p->h;
  Status status = x->attempt(s, p->h, &error);
  if (status == QDOT_OK && end) {
    x->k_end = k_end;
    status = x->arrive(s, p->t + p->h);
    memcpy(end, x->y_new, (size_t)s->padded * sizeof *end);
  }
  s->t = t, s->y = y, x->k_begin = k_first, x->k_end = k_last;
  return status;
}

// The first piece begins and the last one ends as the step does.
static Status go_in_pieces(Stepper *s, int pieces) {
  Rk853 *w = s->work;
  double h = w->x.h_done / pieces, *begin = s->y_old, *k_begin = w->x.k_begin;
  for (int i = 0; i < pieces; i++) {
    bool is_last = i + 1 == pieces;
    DensePiece *p = &w->piece[i];
    p->t = s->t_old + i * h, p->h = h, p->begin = begin;
    double *end = is_last ? s->y : w->piece[i + 1].room;
    double *k_end = is_last ? w->x.k_end : w->k_between[i % 2];
    Status status = step_through(s, p, k_begin, is_last ? NULL : end, k_end);
    if (status == QDOT_OK) status = fit_piece(s, p, k_begin, end, k_end);
    if (status != QDOT_OK) return status;
    begin = end, k_begin = k_end;
  }
  return QDOT_OK;
}

static int wanted_pieces(Stepper *s, bool is_in_lane) {
  Rk853 *w = s->work;
  if (w->x.met_dead || !(stage_distance(s, &w->whole, is_in_lane) > FAR_STAGE)) return 1;
  double error = estimated_error(s, &w->whole);
  return !(error > TOLERABLE) ? 1 : error > FOR_MORE_PIECES * TOLERABLE ? MOST_PIECES : 2;
}

static Status prepare(Stepper *s) {
  Rk853 *w = s->work;
  DensePiece *p = &w->whole;
  p->t = s->t_old, p->h = w->x.h_done, p->begin = s->y_old;
  bool is_in_lane = s->lane && rk853_dense_in_lane(s);
  Status status = explicit_know_end(s);
  if (status == QDOT_OK && !is_in_lane) status = fit_piece(s, p, w->x.k_begin, s->y, w->x.k_end);
  if (status != QDOT_OK) return status;
  w->pieces = wanted_pieces(s, is_in_lane);
  if (w->pieces > 1 && go_in_pieces(s, w->pieces) != QDOT_OK) w->pieces = 1;
  w->x.dense_ready = true;
  return QDOT_OK;
}

static const DensePiece *piece_at(const Stepper *s, double t) {
  const Rk853 *w = s->work;
  if (w->pieces <= 1) return &w->whole;
  double at = floor((t - s->t_old) / w->piece[0].h);
  return &w->piece[(int)fmin(fmax(at, 0), w->pieces - 1)];
}

Status rk853_dense(Stepper *s, double t, double *y) {
  Rk853 *w = s->work;
  Status status = w->x.dense_ready ? QDOT_OK : prepare(s);
  if (status != QDOT_OK) return status;
  const DensePiece *p = piece_at(s, t);
  double x = (t - p->t) / p->h;
  for (int i = 0; i < s->size; i++) y[i] = value_of(p, i, x);
  return QDOT_OK;
}

EXPLICIT_BODY void values_of(const Stepper *s, const DensePiece *p, const double *t, double *rows) {
  Quad x[STEPPER_MOST_TIMES / 4], r[STEPPER_MOST_TIMES / 4];
  for (int k = 0; k < STEPPER_MOST_TIMES / 4; k++) {
    x[k] = (((const Quad *)t)[k] - p->t) / p->h;
    r[k] = 1 - x[k];
  }
  for (int i = 0; i < s->acting; i++)
    for (int k = 0; k < STEPPER_MOST_TIMES / 4; k++)
      ((Quad *)(rows + i * STEPPER_MOST_TIMES))[k] = VALUE_OF(p, i, x[k], r[k]);
}

static EXPLICIT_WIDE void values_wide(const Stepper *s, const DensePiece *p, const double *t,
                                      double *rows) {
  values_of(s, p, t, rows);
}

Status rk853_dense_many(Stepper *s, const double *t, int count, double *rows) {
  Rk853 *w = s->work;
  Status status = w->x.dense_ready ? QDOT_OK : prepare(s);
  if (status != QDOT_OK) return status;
  if (w->pieces > 1) {
    for (int k = 0; k < count; k++) {
      const DensePiece *p = piece_at(s, t[k]);
      for (int i = 0; i < s->acting; i++)
        rows[i * STEPPER_MOST_TIMES + k] = value_of(p, i, (t[k] - p->t) / p->h);
    }
  } else {
    double all[STEPPER_MOST_TIMES];
    for (int k = 0; k < STEPPER_MOST_TIMES; k++) all[k] = t[k < count ? k : 0];
    if (explicit_is_wide())
      values_wide(s, &w->whole, all, rows);
    else
      values_of(s, &w->whole, all, rows);
  }
  // the end is known better
  for (int k = 0; k < count; k++)
    for (int i = 0; i < s->acting && t[k] == s->t; i++) rows[i * STEPPER_MOST_TIMES + k] = s->y[i];
  return QDOT_OK;
}
